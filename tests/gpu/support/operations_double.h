/* The CPU's side of operations_double_gpu.cu. */
#ifndef OPERATIONS_DOUBLE_H
#define OPERATIONS_DOUBLE_H

#include "gpu/core/program/linear.h"

/* Where an operand stands that is not the accumulator: an input that is read, one that is kept from
 * before, levels of the stack from the lowest on. */
enum { REFERENCE_AT_INPUT, REFERENCE_AT_KEPT, REFERENCE_AT_LEVEL, REFERENCE_PLACES = 7 };
enum { REFERENCE_PROGRAM = 16 }; /* instructions, at most */

#ifdef __cplusplus
extern "C" {
#endif
/* out[i] = op(x[i], y[i], z[i]) over doubles. */
void reference_apply_double(uint32_t op, const double *x, const double *y, const double *z,
                            double *out, uint32_t n);

/* The program op(first input, second input) whose left operand, or else the right one, stands at
 * `place`; returns its length. Of one operand x, with y the second input: op(x), op(x) + y by an
 * input that is kept, or op(x) + op(y) by a level of the stack. */
uint32_t reference_program_double(uint32_t op, int place, int left, gr_instruction *program);
#ifdef __cplusplus
}
#endif

#endif
