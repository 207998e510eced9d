/* Probe cases: where a program must have a value. */
#ifndef GRAMPUS_PROBES_H
#define GRAMPUS_PROBES_H

#include "host/data/dataset.h"

/* Behind the training cases of *set, which then has columns and weights, settings->probe_cases
 * more: each input is that of another case, so that they are together as no case has them; the
 * target is the mean, the weight 0 or next to nothing. By data-seed. */
gr_status gr_add_probes(const gr_settings *settings, gr_dataset *set, gr_error *error);

#endif
