/* Stages of a generation that only some runs have, on the CPU. */
#ifndef GRAMPUS_STAGES_CPU_H
#define GRAMPUS_STAGES_CPU_H

#include "gpu/core/state/state.h"
#include "host/cpu/evaluate.h"
#include "host/cpu/team.h"

#include <stdatomic.h>

/* Selection costs and, where selection needs it, the order of every deme
 * (gpu/core/selection/order.h). */
void gr_cpu_order(const gr_state *s, uint32_t generation, gr_team *team);
/* Migration between islands behind a generation (gpu/core/selection/migration.h), its halves, and
 * undone. */
void gr_cpu_emigrate(const gr_state *s, uint32_t generation, gr_team *team);
void gr_cpu_immigrate(const gr_state *s, uint32_t generation, gr_team *team);
void gr_cpu_send_back(const gr_state *s, uint32_t generation, gr_team *team);
/* Errors by case, and parents by them (gpu/core/lexicase/lexicase.h); given up when *stop is set,
 * NULL: never. registers: of every thread. */
void gr_cpu_write_errors(const gr_state *s, uint32_t generation,
                         const gr_cpu_interpreter *interpreter, gr_cpu_registers *registers,
                         gr_team *team, const atomic_int *stop);
void gr_cpu_find_parents(const gr_state *s, uint32_t generation, gr_team *team,
                         const atomic_int *stop);
/* The types of all nodes, before parents are crossed (gpu/core/genotype/typed.h). */
void gr_cpu_type_trees(const gr_state *s, uint32_t generation, gr_team *team);
/* Several elites of every deme, or of one; one elite was found with the statistics. */
void gr_cpu_elites(const gr_state *s, gr_team *team);
void gr_cpu_elites_of(const gr_state *s, uint32_t deme);
/* Islands that begin anew behind a generation (gpu/core/selection/restart.h); whether any does. */
int gr_cpu_restart(const gr_state *s, uint32_t generation, gr_team *team);
/* Children of phenotypes that there were are mutated (gpu/core/breeding/known.h); given up when
 * *stop is set, NULL: never. */
void gr_cpu_mutate_duplicates(const gr_state *s, uint32_t generation, gr_team *team,
                              const atomic_int *stop);
/* How different the individuals of an evaluated generation are (gpu/core/selection/diversity.h). */
void gr_cpu_count_diversity(const gr_state *s, uint32_t generation, gr_team *team);
/* The cases of a generation (gpu/core/fitness/sample.h). */
void gr_cpu_sample(const gr_state *s, uint32_t generation, gr_team *team);
/* Thresholds of an evaluated generation (gpu/core/fitness/class_bins.h). */
void gr_cpu_fit(const gr_state *s, uint32_t generation, gr_team *team);
/* Draws of the first generation until all trees differ (gpu/core/genotype/growth.h), given up when
 * *stop is set; NULL: never. */
void gr_cpu_unique(const gr_state *s, const atomic_int *stop);
/* The programs of a generation's first `count` individuals once more, from their genotypes. */
void gr_cpu_express(const gr_state *s, uint32_t generation, uint32_t count, gr_team *team);

#endif
