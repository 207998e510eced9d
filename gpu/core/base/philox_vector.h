/* Philox4x32-10 (Salmon and others 2011) of several counters side by side, for the host: two or
 * four in a vector, each word in the low half of 64 bits, where a product of 32 bits by 32 finds
 * its operand and leaves its low half. What stands in the high halves is never looked at. */
#ifndef GR_PHILOX_VECTOR_H
#define GR_PHILOX_VECTOR_H

#include "gpu/core/base/portable.h"

#if defined(__SSE2__) && !defined(__CUDACC__)
#include <immintrin.h>

/* Counters (c0 + k, c1, c2, c3), k below 4, and a key[2]; to four words for each k. */
GR_FN void gr_philox_four(uint32_t c0, uint32_t c1, uint32_t c2, uint32_t c3, const uint32_t key[2],
                          void *words) {
    const __m128i times0 = _mm_set1_epi64x(0xd2511f53), times2 = _mm_set1_epi64x(0xcd9e8d57);
    uint32_t key0 = key[0], key1 = key[1];
    __m128i a[2], b[2], c[2], d[2];
    for (uint32_t v = 0; v < 2; v++) {
        a[v] = _mm_set_epi64x((int64_t)(uint32_t)(c0 + 2 * v + 1), (int64_t)(uint32_t)(c0 + 2 * v));
        b[v] = _mm_set1_epi64x((int64_t)c1);
        c[v] = _mm_set1_epi64x((int64_t)c2);
        d[v] = _mm_set1_epi64x((int64_t)c3);
    }
    for (uint32_t round = 0; round < 10; round++, key0 += 0x9e3779b9u, key1 += 0xbb67ae85u) {
        __m128i k0 = _mm_set1_epi64x((int64_t)key0), k1 = _mm_set1_epi64x((int64_t)key1);
        for (uint32_t v = 0; v < 2; v++) {
            __m128i low = _mm_mul_epu32(a[v], times0), high = _mm_mul_epu32(c[v], times2);
            a[v] = _mm_xor_si128(_mm_xor_si128(_mm_srli_epi64(high, 32), b[v]), k0);
            c[v] = _mm_xor_si128(_mm_xor_si128(_mm_srli_epi64(low, 32), d[v]), k1);
            b[v] = high;
            d[v] = low;
        }
    }
    for (uint32_t v = 0; v < 2; v++) {
        __m128i *to = (__m128i *)words + 2 * v;
        _mm_storeu_si128(
            to, _mm_unpacklo_epi64(_mm_unpacklo_epi32(a[v], b[v]), _mm_unpacklo_epi32(c[v], d[v])));
        _mm_storeu_si128(to + 1, _mm_unpacklo_epi64(_mm_unpackhi_epi32(a[v], b[v]),
                                                    _mm_unpackhi_epi32(c[v], d[v])));
    }
}

/* The same with k below 8, on a processor that has AVX2. */
__attribute__((target("avx2"), unused)) static void gr_philox_eight(uint32_t c0, uint32_t c1,
                                                                    uint32_t c2, uint32_t c3,
                                                                    const uint32_t key[2],
                                                                    void *words) {
    const __m256i times0 = _mm256_set1_epi64x(0xd2511f53), times2 = _mm256_set1_epi64x(0xcd9e8d57);
    uint32_t key0 = key[0], key1 = key[1];
    __m256i a[2], b[2], c[2], d[2];
    for (uint32_t v = 0; v < 2; v++) { /* a counter that runs over does so by itself */
        a[v] = _mm256_add_epi32(_mm256_set1_epi64x((int64_t)c0),
                                _mm256_set_epi64x(4 * v + 3, 4 * v + 2, 4 * v + 1, 4 * v));
        b[v] = _mm256_set1_epi64x((int64_t)c1);
        c[v] = _mm256_set1_epi64x((int64_t)c2);
        d[v] = _mm256_set1_epi64x((int64_t)c3);
    }
    for (uint32_t round = 0; round < 10; round++, key0 += 0x9e3779b9u, key1 += 0xbb67ae85u) {
        __m256i k0 = _mm256_set1_epi64x((int64_t)key0), k1 = _mm256_set1_epi64x((int64_t)key1);
        for (uint32_t v = 0; v < 2; v++) {
            __m256i low = _mm256_mul_epu32(a[v], times0), high = _mm256_mul_epu32(c[v], times2);
            a[v] = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(high, 32), b[v]), k0);
            c[v] = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(low, 32), d[v]), k1);
            b[v] = high;
            d[v] = low;
        }
    }
    for (uint32_t v = 0; v < 2; v++) { /* halves of a vector are unpacked apart */
        __m256i *to = (__m256i *)words + 2 * v;
        __m256i even = _mm256_unpacklo_epi64(_mm256_unpacklo_epi32(a[v], b[v]),
                                             _mm256_unpacklo_epi32(c[v], d[v]));
        __m256i odd = _mm256_unpacklo_epi64(_mm256_unpackhi_epi32(a[v], b[v]),
                                            _mm256_unpackhi_epi32(c[v], d[v]));
        _mm256_storeu_si256(to, _mm256_permute2x128_si256(even, odd, 0x20));
        _mm256_storeu_si256(to + 1, _mm256_permute2x128_si256(even, odd, 0x31));
    }
}
#endif

#endif
