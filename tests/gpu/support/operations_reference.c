#include "tests/gpu/support/operations_reference.h"

#include "gpu/core/base/rng.h"
#include "gpu/core/program/evaluate.h"
#include "host/expression/reader.h"

void reference_apply(uint32_t op, uint32_t outer, const float *a, const float *b, const float *c,
                     float *out, uint32_t n) {
#pragma omp parallel for
    for (uint32_t i = 0; i < n; i++) {
        float inner = gr_apply(op, a[i], b[i], c[i]);
        out[i] = outer ? gr_apply(outer, inner, b[i], c[i]) : inner;
    }
}

int reference_is_word(uint32_t op) {
    return gr_is_word(op) != 0;
}

uint32_t reference_arity(uint32_t op) {
    return gr_arity(op);
}

const char *reference_name(uint32_t op) {
    return gr_operation_name(op);
}

uint32_t reference_philox_differences(const uint32_t *counter, const uint32_t *words, uint32_t n) {
    uint32_t different = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t *c = counter + 6 * i;
        gr_block block = gr_philox(c[0], c[1], c[2], c[3], c[4], c[5]);
        different += memcmp(block.word, words + 4 * i, sizeof block.word) != 0;
    }
    return different;
}
