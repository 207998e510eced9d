/* Weighted inputs: in a run with them a leaf is weight * input, one node and one instruction.
 *
 * The operand of such a leaf has both: the index in as many low bits as the number of inputs takes
 * (p->index_mask), the weight in the others, a float whose last bits are cut off. A weight is never
 * 0 or denormal, so that the operand is larger than any index, and can be told from one. */
#ifndef GR_WEIGHT_H
#define GR_WEIGHT_H

#include "gpu/core/base/params.h"
#include "gpu/core/program/node.h"

enum { GR_LEAST_WEIGHT = 0x00800000 }; /* bits of the smallest normal float */

/* Inputs a run with weights may have: their weights keep 12 of 24 bits. */
enum { GR_MOST_WEIGHTED_INPUTS = 4096 };

GR_FN uint32_t gr_is_weighted(uint32_t operand) {
    return operand >= GR_LEAST_WEIGHT;
}

/* Bits that the index of the last of `inputs` inputs takes. */
GR_BOTH uint32_t gr_index_mask(uint32_t inputs) {
    uint32_t mask = 0;
    while (mask < inputs - 1)
        mask = 2 * mask + 1;
    return mask;
}

/* The operand of the leaf weight * input[index], the weight rounded to the bits that are left, and
 * to the smallest and largest there are; not for a NaN. */
GR_FN uint32_t gr_weigh(uint32_t index_mask, float weight, uint32_t index) {
    uint32_t bits = gr_float_bits(weight), size = bits & 0x7fffffffu, most = 0x7f7fffffu;
    size = (gr_min_u32(size, most) + (index_mask >> 1) + (index_mask & 1u)) & ~index_mask;
    size = gr_min_u32(gr_max_u32(size, GR_LEAST_WEIGHT), most & ~index_mask);
    return (bits & 0x80000000u) | size | index;
}
GR_FN float gr_weight_of(uint32_t index_mask, uint32_t operand) {
    return gr_bits_float(operand & ~index_mask);
}

/* The operand of a new leaf of input `index`: its weight, if there is one, is 1. */
GR_FN uint32_t gr_input_operand(const gr_params *p, uint32_t index) {
    return p->weighted ? gr_weigh(p->index_mask, 1.0f, index) : index;
}

/* Whether an input leaf's operand names an input of the run. */
GR_FN uint32_t gr_input_exists(const gr_params *p, uint32_t operand) {
    return p->weighted ? gr_is_weighted(operand & ~p->index_mask & 0x7fffffffu) &&
                             (operand & p->index_mask) < p->inputs
                       : operand < p->inputs;
}

#endif
