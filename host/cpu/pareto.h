/* The stage of a generation in which children and parents are put in order and the best of both
 * survive, in runs of several objectives (gpu/core/selection/pareto.h), on the CPU. */
#ifndef GRAMPUS_PARETO_CPU_H
#define GRAMPUS_PARETO_CPU_H

#include "host/cpu/evaluate.h"
#include "host/cpu/team.h"

/* Puts the members of a deme in order, whose objectives are there. */
void gr_cpu_rank_members(const gr_state *s, uint32_t generation, uint32_t deme);

/* What stands in the buffer of an evaluated generation becomes its survivors. registers: [threads]
 */
void gr_cpu_replace(const gr_state *s, uint32_t generation, const gr_cpu_interpreter *interpreter,
                    gr_cpu_registers *registers, gr_team *team);
/* The same once their objectives are there. */
void gr_cpu_replace_ranked(const gr_state *s, uint32_t generation, gr_team *team);
/* Keeps what the next generation overwrites of them. */
void gr_cpu_keep_parents(const gr_state *s, uint32_t generation, gr_team *team);

#endif
