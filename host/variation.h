/* Settings of variation, parents and cases: autos, checks, and their way into a job. */
#ifndef GRAMPUS_VARIATION_H
#define GRAMPUS_VARIATION_H

#include "job.h"

/* Parts of gr_settings_resolve. */
void gr_fill_variation(gr_settings *settings);
gr_status gr_check_variation(const gr_settings *settings, gr_error *error);

/* Everything of this kind in the parameters of a problem whose data and functions are there;
 * reads `seeds`. */
gr_status gr_make_variation(const gr_settings *settings, gr_problem *problem, gr_error *error);

#endif
