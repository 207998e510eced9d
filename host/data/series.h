/* Time series: Mackey-Glass by Runge-Kutta, or from a file; cases of earlier values and the next.
 */
#ifndef GRAMPUS_SERIES_H
#define GRAMPUS_SERIES_H

#include "host/data/dataset.h"

gr_status gr_make_series(const gr_settings *settings, gr_dataset *train, gr_dataset *test,
                         gr_error *error);

#endif
