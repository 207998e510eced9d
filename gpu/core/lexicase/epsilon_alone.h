/* Epsilon of lexicase selection on one lane, which takes the errors along: of these only those that
 * may be the median are looked at again, most of the time a few of a hundred. */
#ifndef GR_EPSILON_ALONE_H
#define GR_EPSILON_ALONE_H

#include "gpu/core/lexicase/candidates.h"

enum { GR_TAKEN_ALONG = 8192 /* at most */ };

/* The mean of numbers (count - 1) / 2 and count / 2 of these words in their order, as floats. They
 * are moved: a digit a pass, those that have it to the front. */
GR_FN float gr_middle_of_words(uint32_t *word, uint32_t count) {
    uint32_t k = (count - 1) / 2, even = count % 2 == 0, next = GR_NO_CANDIDATE, low;
    for (uint32_t unknown = 32; unknown; unknown -= 8) {
        uint32_t counts[GR_DIGITS] = {0}, digit = 0, left = 0, shift = unknown - 8;
        for (uint32_t i = 0; i < count; i++)
            counts[word[i] >> shift & 0xffu]++;
        while (k >= counts[digit])
            k -= counts[digit++];
        for (uint32_t i = 0; i < count; i++) {
            uint32_t own = word[i], its = own >> shift & 0xffu;
            next = its > digit && own < next ? own : next;
            word[left] = own;
            left += its == digit;
        }
        count = left;
    }
    low = word[0]; /* all that are left are equal */
    return 0.5f * gr_bits_float(low) + 0.5f * gr_bits_float(even && k + 1 >= count ? next : low);
}

/* As gr_epsilon, of no more than are taken along. */
GR_FN float gr_epsilon_alone(gr_candidates c) {
    uint32_t word[GR_TAKEN_ALONG], count = 0;
    for (uint32_t k = 0; k < c.size; k++) {
        uint32_t bits = gr_error_bits(c, k);
        word[count] = bits;
        count += bits != GR_NO_CANDIDATE;
    }
    float middle = count ? gr_middle_of_words(word, count) : GR_INFINITY, epsilon;
    if (!(middle < GR_INFINITY))
        return 0.0f;
    count = 0;
    for (uint32_t k = 0; k < c.size; k++) {
        uint32_t bits = gr_error_bits(c, k);
        word[count] = gr_float_bits(fabsf(gr_bits_float(bits) - middle));
        count += bits != GR_NO_CANDIDATE;
    }
    epsilon = gr_middle_of_words(word, count);
    return epsilon < GR_INFINITY ? epsilon : 0.0f;
}

#endif
