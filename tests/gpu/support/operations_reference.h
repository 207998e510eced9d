/* The CPU's side of operations_gpu.cu: the same core headers, compiled by cc. */
#ifndef OPERATIONS_REFERENCE_H
#define OPERATIONS_REFERENCE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
/* out[i] = outer(op(a, b, c), b, c), or op(a, b, c) when outer is 0. */
void reference_apply(uint32_t op, uint32_t outer, const float *a, const float *b, const float *c,
                     float *out, uint32_t n);
int reference_is_word(uint32_t op);
uint32_t reference_arity(uint32_t op);
const char *reference_name(uint32_t op);
/* counter: [n][6] words (counter, key); words: [n][4] as the device drew them; how many blocks
 * differ. */
uint32_t reference_philox_differences(const uint32_t *counter, const uint32_t *words, uint32_t n);
#ifdef __cplusplus
}
#endif

#endif
