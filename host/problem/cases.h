/* The fitness cases of a run, wherever its settings say they come from. */
#ifndef GRAMPUS_CASES_H
#define GRAMPUS_CASES_H

#include "host/data/dataset.h"

/* The problem of the settings, whichever of data, target-expression and boolean it is. test->cases
 * is 0 when there are no test cases. */
gr_status gr_dataset_make(const gr_settings *settings, gr_dataset *train, gr_dataset *test,
                          gr_error *error);

#endif
