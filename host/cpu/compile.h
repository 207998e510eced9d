/* Trees for the interpreters, outside of a run. */
#ifndef GRAMPUS_COMPILE_CPU_H
#define GRAMPUS_COMPILE_CPU_H

#include "gpu/core/program/linear.h"

/* The linear program of nodes [0, count), *length instructions, which the caller frees; NULL: no
 * memory. */
gr_instruction *gr_cpu_compile(const gr_node *nodes, uint32_t count, uint32_t *length);

#endif
