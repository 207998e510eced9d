/* The CPU's side of operations_double_gpu.cu. */
#ifndef OPERATIONS_DOUBLE_H
#define OPERATIONS_DOUBLE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
/* out[i] = op(x[i], y[i], z[i]) over doubles. */
void reference_apply_double(uint32_t op, const double *x, const double *y, const double *z,
                            double *out, uint32_t n);
#ifdef __cplusplus
}
#endif

#endif
