/* Programs evaluated once (gpu/core/selection/once.h) on the CPU. */
#ifndef GRAMPUS_ONCE_CPU_H
#define GRAMPUS_ONCE_CPU_H

#include "gpu/core/state/state.h"
#include "host/cpu/team.h"

/* Before a generation is evaluated: which programs have to be. The state that its evaluation looks
 * at: others have no instructions there. */
gr_state gr_cpu_once_begin(const gr_state *s, uint32_t generation, gr_team *team);
/* Behind it; also where it was given up. */
void gr_cpu_once_end(const gr_state *s, uint32_t generation, gr_team *team);

#endif
