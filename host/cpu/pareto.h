/* The stage of a generation in which children and parents are put in order and the best of both
 * survive, in runs of several objectives (gpu/core/selection/pareto.h), on the CPU. */
#ifndef GRAMPUS_PARETO_CPU_H
#define GRAMPUS_PARETO_CPU_H

#include "host/cpu/evaluate.h"
#include "host/cpu/team.h"

#include <stdatomic.h>

/* Puts the members of a deme in order, whose objectives are there. */
void gr_cpu_rank_members(const gr_state *s, uint32_t generation, uint32_t deme);

/* The members of all demes, from their evaluated programs; given up when *stop is set, NULL: never.
 * registers: [threads] */
void gr_cpu_rank_all(const gr_state *s, uint32_t generation, const gr_cpu_interpreter *interpreter,
                     gr_cpu_registers *registers, gr_team *team, const atomic_int *stop);
/* What stands in the buffer of a generation in order becomes its survivors. */
void gr_cpu_survive(const gr_state *s, uint32_t generation, gr_team *team);
/* Puts the members, whose objectives are there, in order, and lets them survive. */
void gr_cpu_replace_ranked(const gr_state *s, uint32_t generation, gr_team *team);
/* Keeps what the next generation overwrites of them. */
void gr_cpu_keep_parents(const gr_state *s, uint32_t generation, gr_team *team);

#endif
