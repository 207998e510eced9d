/* What a chromosome of Pospichal's program is worth: the derivation by recursion, apart from the
 * kernel that it is held to, in the same floats. */
#ifndef LADDER_DERIVE_H
#define LADDER_DERIVE_H

#include <math.h>
#include <stdint.h>

enum { LADDER_GE_CODONS = 128 }; /* Table 1 */

typedef struct ladder_derivation {
    const uint8_t *codon;
    uint32_t used;
} ladder_derivation;

static inline int ladder_next_rule(ladder_derivation *d, int rules) {
    return d->used < LADDER_GE_CODONS ? d->codon[d->used++] % rules : -1;
}

/* The value of <expr> at x; NaN when the codons run out. Operands first: Figure 5, the table. */
static inline float ladder_derive(ladder_derivation *d, float x) {
    int rule = ladder_next_rule(d, 2);
    if (rule == 0) {
        float a = ladder_derive(d, x), b = ladder_derive(d, x);
        int op = ladder_next_rule(d, 3);
        return op == 0 ? a + b : op == 1 ? a - b : op == 2 ? a * b : NAN;
    }
    rule = rule < 0 ? -1 : ladder_next_rule(d, 2);
    return rule == 0 ? x : rule == 1 ? 1.0f : NAN;
}

/* Sum of absolute errors on points from 0 to 10, ends included. */
static inline float ladder_ge_errors(const uint8_t *codon, uint32_t points) {
    float sum = 0.0f;
    for (uint32_t p = 0; p < points; p++) {
        ladder_derivation d = {codon, 0};
        float x = 10.0f * (float)p / (float)(points - 1);
        sum += fabsf(ladder_derive(&d, x) - (x + x * x + x * x * x + x * x * x * x));
    }
    return sum;
}

#endif
