/* Programs evaluated once (gpu/core/selection/once.h) on the CPU. */
#ifndef GRAMPUS_ONCE_CPU_H
#define GRAMPUS_ONCE_CPU_H

#include "gpu/core/state/state.h"
#include "host/cpu/team.h"

/* Whether nobody but elites is spared: most are some, and it is for the run to decide who else is
 * looked at. Then each deme may go on by itself. */
int gr_cpu_once_is_of_elites(const gr_state *s);
/* Elites, of all demes in a generation on the average, that keep their parents' errors, where most
 * individuals are elites, else 0: not those that were fitted, behind a migration, or of another
 * sample (gr_keeps_sums). */
double gr_cpu_kept_errors(const gr_params *p);
/* No other program is looked at from now on. */
void gr_cpu_once_for_elites(const gr_state *s);

/* Before a generation is evaluated: which programs have to be. The state that its evaluation looks
 * at: others have no instructions there. */
gr_state gr_cpu_once_begin(const gr_state *s, uint32_t generation, gr_team *team);
/* Behind it; also where it was given up. */
void gr_cpu_once_end(const gr_state *s, uint32_t generation, gr_team *team);
/* The same of one deme, where it is of elites. */
gr_state gr_cpu_once_begin_deme(const gr_state *s, uint32_t generation, uint32_t deme);
void gr_cpu_once_end_deme(const gr_state *s, uint32_t generation, uint32_t deme);

#endif
