/* Which interpreter suits a job: width, registers and block shape. Never changes results. */
#ifndef GRAMPUS_TUNER_H
#define GRAMPUS_TUNER_H

#include "engine.h"
#include "interpreter.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* `shared`: bytes of shared memory a block can have. GRAMPUS_MACHINE=width,levels,register inputs,
 * threads,blocks fixes the choice (tests and measurements). */
void gr_choose_machine(const gr_job *job, size_t shared, gr_machine *machine);

#ifdef __cplusplus
}
#endif

#endif
