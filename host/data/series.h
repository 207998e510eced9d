/* Time series: Mackey-Glass by Runge-Kutta, or from a file; cases of earlier values and the next.
 */
#ifndef GRAMPUS_SERIES_H
#define GRAMPUS_SERIES_H

#include "host/data/dataset.h"

gr_status gr_make_series(const gr_settings *settings, gr_dataset *train, gr_dataset *test,
                         gr_error *error);
/* dx/dt = 0.2 x(t - 17) / (1 + x(t - 17)^10) - 0.1 x, x(0) = 1.2 and 0 before: the values at
 * t = 0, 1, ..., in value[count]. */
gr_status gr_mackey_glass(double *value, uint64_t count, gr_error *error);

#endif
