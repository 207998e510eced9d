/* Derivatives of programs by their constants on the CPU, for fitting.c. */
#ifndef GRAMPUS_DERIVE_CPU_H
#define GRAMPUS_DERIVE_CPU_H

#include "gpu/core/fitting/fitting.h"

/* A program with the values of its nodes on a block of cases; memory of one thread. */
typedef struct gr_cpu_tape {
    const gr_node *tree;
    uint32_t nodes, constants;
    float origin;     /* linear scaling: near all outputs */
    uint32_t begun;   /* it is known */
    uint32_t weighed; /* cases have weights: their roots on the block */
    float root[GR_FIT_BLOCK];
    /* by node: its operands, whether a fitted constant stands at it or below, the number of that at
     * a leaf, its values */
    uint32_t (*operand)[3];
    uint8_t *live, *constant;
    const float **row;
    float (*value)[GR_FIT_BLOCK];
    /* nodes still to be seen on the way back, and the derivatives of the output by theirs */
    uint32_t *pending;
    float (*slope)[GR_FIT_BLOCK];
    double (*column)[GR_FIT_BLOCK]; /* [GR_FIT_COLUMNS] */
    double (*lane)[GR_LANES];       /* [GR_FIT_SUMS] */
} gr_cpu_tape;

/* The tape for a tree: where operands stand, and which nodes lead to a constant. */
void gr_cpu_prepare_tape(gr_cpu_tape *t, const gr_fitter *f, const gr_node *tree, uint32_t nodes);

/* Adds the sums of a chunk of `cases` cases to sum[GR_FIT_SUMS] (normal.h). */
typedef void gr_cpu_derive(const gr_params *p, gr_cpu_tape *tape, const float *tile, uint32_t cases,
                           double *sum);

#endif
