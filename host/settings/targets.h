/* Settings of runs with several targets. */
#ifndef GRAMPUS_TARGETS_SETTINGS_H
#define GRAMPUS_TARGETS_SETTINGS_H

#include "host/settings/settings.h"

/* How many columns `targets` names; 0: it is not given. */
uint32_t gr_settings_targets(const gr_settings *settings);
/* The operation for the error of an output by the metric (ops.def); 0: there is one target. */
uint32_t gr_settings_part(const gr_settings *settings);
/* One column in `targets` is `target`; trees of several outputs keep to types. */
gr_status gr_fill_targets(gr_settings *settings, gr_error *error);
/* Whether what goes beside `targets` works with several outputs. */
gr_status gr_check_targets(const gr_settings *settings, gr_error *error);

#endif
