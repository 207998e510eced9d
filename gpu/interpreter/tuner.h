/* Which interpreter suits a job and how its work is spread: width, registers, block shape, tile.
 * From a table of measurements; never changes results. */
#ifndef GRAMPUS_TUNER_H
#define GRAMPUS_TUNER_H

#include "gpu/backend/engine.h"
#include "gpu/interpreter/interpreter.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What of the device the choice depends on. */
typedef struct gr_device {
    uint32_t multiprocessors, threads; /* threads a multiprocessor can hold */
    size_t shared_block, shared_total; /* bytes of shared memory: of a block, of a multiprocessor */
    uint32_t direct;                   /* 1: gr_has_direct_jumps (direct_jumps.h) */
} gr_device;

/* How evaluation is spread over blocks and warps, see gr_launch (kernels.h). */
typedef struct gr_work_split {
    uint32_t chunks, programs, draws, batch, together, abreast, ahead, fine;
    size_t shared; /* bytes of dynamic shared memory a block */
} gr_work_split;

/* job->width, warps and tile fix what is not 0. GRAMPUS_MACHINE=width,levels,accumulator,register
 * inputs,threads,blocks fixes the machine, and GRAMPUS_JUMPS=table the way from handler to handler
 * (tests and measurements). */
void gr_choose_machine(const gr_job *job, const gr_device *device, gr_machine *machine);
/* The kernel over doubles (gpu/kernels/evaluate_double.cu, direct_double.cu): its width is 4 or 8,
 * and by its registers one block of so many threads. machine->jumps: it is a loop over
 * instructions; it has handlers for what is cheap, or for elementary functions too
 * (functions_double.cuh; width 4). A stack level of a warp takes so many bytes of shared memory. */
enum { GR_JUMPS_TO_NONE, GR_JUMPS_TO_CHEAP, GR_JUMPS_TO_FUNCTIONS };
#define GR_DOUBLE_THREADS(jumps)                                                                   \
    ((jumps) == GR_JUMPS_TO_NONE ? 640 : (jumps) == GR_JUMPS_TO_CHEAP ? 512 : 768)
/* Operations over one operand that have handlers, in the order of these: cheap ones, and functions.
 */
#define GR_DOUBLE_UNARY(f) f(NEG) f(ABS) f(SQUARE) f(CUBE)
#define GR_DOUBLE_FUNCTIONS(f)                                                                     \
    f(SQRT) f(PSQRT) f(SIN) f(COS) f(EXP) f(LOG) f(PLOG) f(RLOG) f(KLOG) f(GLOG)
/* Cases a lane of those whose handlers jump to each other directly, where machines can. */
#define GR_DIRECT_DOUBLE_WIDTH(jumps) ((jumps) == GR_JUMPS_TO_FUNCTIONS ? 4u : 8u)
/* Numbers that a jump table of these has (cheap_double.cuh). */
#define GR_DOUBLE_HANDLERS(jumps) ((jumps) == GR_JUMPS_TO_FUNCTIONS ? 86u : 76u)
/* What functions have in shared memory: tables. */
enum { GR_DOUBLE_TABLES_BYTES = 768 };
#define GR_DOUBLE_LEVEL_BYTES(width) ((width)*8u * GR_LANES)
void gr_choose_double_machine(const gr_job *job, const gr_device *device, gr_machine *machine);
/* Whether an interpreter compiled for the run keeps every output on the training cases for
 * selection by cases (gr_state.own_errors): where it looks at all of them one by one, and what
 * kernel 2 evaluates is what is selected from, all of it and on one engine. Not in fast arithmetic:
 * errors by case are those of the exact one. */
uint32_t gr_keeps_outputs(const gr_job *job);
/* Whether a tile fits the shared memory of the machine's blocks. */
uint32_t gr_tile_fits(const gr_job *job, const gr_device *device, const gr_machine *machine);
/* Also tells the machine what never happens in this run, so that its code is left out.
 * GRAMPUS_LAUNCH=width,programs,together[,ahead] fixes what stands behind the width; together: 1,
 * or from 2 on how many warps go abreast; ahead: 0, or as many items as a block may have under way
 * (tests). */
void gr_choose_work_split(const gr_job *job, const gr_device *device, gr_machine *machine,
                          gr_work_split *spread);
/* The same for the kernel over doubles; also tells the machine how many levels of its stack stand
 * in shared memory. */
void gr_choose_double_split(const gr_job *job, const gr_device *device, gr_machine *machine,
                            gr_work_split *spread);
/* Whether the run is long enough to earn the time of compiling its interpreter. */
int gr_specialising_pays(const gr_job *job, const gr_device *device);
/* The machines for all operations of a kind that the program carries compiled (embedded.h), by
 * number. Where a lane's sum is one float there is a machine for that: with room for all kinds of
 * sums more registers are spilled (a tenth of the time with 41 inputs). */
void gr_general_machine(uint32_t number, gr_machine *machine);
/* Number of the one that does what a machine does; from its values, kind and `shared`. */
uint32_t gr_general_number(const gr_machine *machine);

#ifdef __cplusplus
}
#endif

#endif
