/* Settings of variation, parents and cases on their way into the parameters of a run. */
#ifndef GRAMPUS_VARIATION_PARAMS_H
#define GRAMPUS_VARIATION_PARAMS_H

#include "gpu/core/base/params.h"
#include "host/settings/settings.h"

/* Everything of this kind in parameters that know their data and functions. */
gr_status gr_make_variation(const gr_settings *settings, gr_params *params, gr_error *error);

#endif
