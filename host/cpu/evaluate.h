/* The 2D-stack interpreter on the CPU: every register is GR_CPU_WIDTH fitness cases wide. Compiled
 * once for each instruction set from evaluate.c; all give the same bits. */
#ifndef GRAMPUS_EVALUATE_CPU_H
#define GRAMPUS_EVALUATE_CPU_H

#include "gpu/core/fitness/fitness.h"
#include "gpu/core/state/state.h"
#include "host/cpu/derive.h"

enum { GR_CPU_WIDTH = 256 };

/* Registers of one thread: accumulators by stack level, and scratch for the errors. */
typedef struct gr_cpu_registers {
    _Alignas(64) float level[GR_MAX_STACK_LEVELS + 2][GR_CPU_WIDTH];
    _Alignas(64) float error[2][GR_CPU_WIDTH];
    /* Fitted classes (class_bins.h), set by the caller: what counts the program's training outputs,
     * perhaps for several threads, and the thresholds that its test outputs are judged by. */
    uint32_t *class_bins;
    const float *fitted;
    gr_chunk_target target; /* linear scaling, set by the caller: of the chunk */
    /* weighted inputs: whether there are, the bits of an index; scratch for one of them */
    uint32_t weights, index_mask;
    _Alignas(64) float weighted[GR_CPU_WIDTH];
} gr_cpu_registers;

/* Fitness cases: chunk number `chunk` of `set` 0 (training) or 1 (test), as tile[inputs +
 * 1][GR_CHUNK], of doubles where p->doubles. */
typedef struct gr_cpu_chunk {
    const float *tile;
    uint32_t set, chunk;
} gr_cpu_chunk;

/* Evaluates program [0, length) on the cases (words) of a chunk that there are, and writes the
 * chunk's sums, sum[p->sums]. */
typedef void gr_cpu_evaluate(const gr_params *p, const gr_instruction *program, uint32_t length,
                             gr_cpu_chunk on, gr_cpu_registers *registers, double *sum);

/* The same interpreter without a target: outputs of `cases` <= GR_CHUNK cases. */
typedef void gr_cpu_predict(const gr_instruction *program, uint32_t length, const float *tile,
                            uint32_t cases, gr_cpu_registers *registers, float *output);

/* And over a tile of doubles (precision: double). */
typedef void gr_cpu_predict_double(const gr_instruction *program, uint32_t length,
                                   const float *tile, uint32_t cases, gr_cpu_registers *registers,
                                   double *output);

/* The best version for this processor, and its name ("AVX-512", "AVX2", "baseline").
 * GRAMPUS_ISA=avx2|baseline in the environment asks for a lesser one. */
typedef struct gr_cpu_interpreter {
    const char *name;
    gr_cpu_evaluate *evaluate;
    gr_cpu_predict *predict;
    gr_cpu_derive *derive;
    gr_cpu_predict_double *predict_double;
} gr_cpu_interpreter;
const gr_cpu_interpreter *gr_cpu_best_interpreter(void);

/* Registers of so many threads, freed by free(); NULL: no memory. weights: the params of programs
 * whose inputs may carry some, NULL for others. */
gr_cpu_registers *gr_cpu_take_registers(uint32_t threads, const gr_params *weights);
/* The same for registers that are there. */
void gr_cpu_weigh(gr_cpu_registers *registers, uint32_t threads, const gr_params *weights);

#endif
