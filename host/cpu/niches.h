/* The archive of niches (gpu/core/selection/niches.h) on the CPU. */
#ifndef GRAMPUS_NICHES_CPU_H
#define GRAMPUS_NICHES_CPU_H

#include "host/cpu/evaluate.h"
#include "host/cpu/team.h"

/* Behind the evaluation of a generation: its best are put in. registers: of every thread. */
void gr_cpu_keep_niches(const gr_state *s, uint32_t generation,
                        const gr_cpu_interpreter *interpreter, gr_cpu_registers *registers,
                        gr_team *team);
/* Before parents are drawn. */
void gr_cpu_list_niches(const gr_state *s, gr_team *team);

#endif
