#include "host/problem/probes.h"

#include "gpu/core/fitness/sample.h"

#include <stdlib.h>
#include <string.h>

/* A case of weight 0 adds nothing to an error, or, where its own is infinite, no number, which is
 * the worst. Moments by chunk are divided by the chunk's weights, which must not be 0: so little
 * counts nothing beside others. */
static float probe_weight(const gr_settings *settings) {
    return settings->linear_scaling ? 1e-30f : 0.0f;
}

/* Permutations of the cases, one an input, from this number on. */
enum { FIRST_PERMUTATION = 1 << 30 };

static float mean_target(const gr_dataset *set) {
    double sum = 0.0, weight = 0.0;
    for (uint64_t i = 0; i < set->cases; i++) {
        double own = set->w ? (double)set->w[i] : 1.0;
        sum += own * (double)set->y[i];
        weight += own;
    }
    return (float)(sum / weight);
}

static void draw(const gr_settings *settings, const gr_dataset *set, const float *from, float *to) {
    uint64_t n = set->cases, probes = settings->probe_cases;
    gr_params p = {0};
    p.sample_seed[0] = (uint32_t)settings->data_seed;
    p.sample_seed[1] = (uint32_t)(settings->data_seed >> 32);
    for (uint32_t k = 0; k < set->inputs; k++) {
        memcpy(to, from + k * n, n * sizeof *to);
        for (uint64_t i = 0; i < probes; i++)
            to[n + i] = from[k * n + gr_permuted(&p, FIRST_PERMUTATION + k, (uint32_t)n,
                                                 (uint32_t)(i % n))];
        to += n + probes;
    }
}

gr_status gr_add_probes(const gr_settings *settings, gr_dataset *set, gr_error *error) {
    uint64_t n = set->cases, all = n + settings->probe_cases;
    gr_dataset longer = {0};
    gr_status status = gr_dataset_allocate(&longer, set->inputs, all, 0, error);
    if (!status)
        status = gr_dataset_weigh(&longer, error);
    float *from = status ? NULL : gr_dataset_columns(set);
    if (!status && !from)
        status = gr_fail(error, GR_NO_MEMORY, "no memory for %llu probe cases",
                         (unsigned long long)settings->probe_cases);
    if (!status) {
        float mean = mean_target(set);
        draw(settings, set, from, longer.x);
        memcpy(longer.y, set->y, n * sizeof *set->y);
        if (set->w)
            memcpy(longer.w, set->w, n * sizeof *set->w);
        for (uint64_t i = n; i < all; i++) {
            longer.y[i] = mean;
            longer.w[i] = probe_weight(settings);
        }
        gr_dataset before = *set; /* the names stay where they are */
        set->x = longer.x, set->y = longer.y, set->w = longer.w, set->tiles = NULL;
        set->cases = all;
        longer.x = before.x, longer.y = before.y, longer.w = before.w, longer.tiles = before.tiles;
    }
    gr_dataset_free(&longer);
    free(from);
    return status;
}
