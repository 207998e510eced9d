/* The stage of a generation in which constants are fitted (gpu/core/fitting), on the CPU. */
#ifndef GRAMPUS_FITTING_CPU_H
#define GRAMPUS_FITTING_CPU_H

#include "host/cpu/derive.h"
#include "host/cpu/evaluate.h"
#include "host/cpu/team.h"

#include <stdatomic.h>

/* Memory that a thread needs, in lines of a cache; 0: no constants are fitted. */
size_t gr_cpu_fitting_bytes(const gr_params *p);

/* A program's sums over its training cases: those of one chunk, of individual i of a generation,
 * where it has a program. */
void gr_cpu_evaluate_chunk(const gr_state *s, const gr_cpu_interpreter *interpreter,
                           uint32_t generation, uint32_t chunk, uint32_t i,
                           gr_cpu_registers *registers);

/* Fits constants of an evaluated generation. 0: it was given up, since *stop was set (NULL: it
 * never is), and no fit of it counts. memory: of all threads; registers: [threads] */
int gr_cpu_fit_constants(const gr_state *s, const gr_cpu_interpreter *interpreter,
                         uint32_t generation, void *memory, gr_cpu_registers *registers,
                         gr_team *team, const atomic_int *stop);

#endif
