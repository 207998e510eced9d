/* Checks of what the settings say of evaluation. */
#ifndef GRAMPUS_SETTINGS_EVALUATION_H
#define GRAMPUS_SETTINGS_EVALUATION_H

#include "host/settings/settings.h"

/* Whether programs may be evaluated once, or their errors remembered. */
gr_status gr_check_once(const gr_settings *settings, gr_error *error);
/* Whether what goes beside `precision: double` works in doubles. */
gr_status gr_check_precision(const gr_settings *settings, gr_error *error);
/* The same of cases in arrays that have weights. */
gr_status gr_check_given_weights(const gr_settings *settings, gr_error *error);

#endif
