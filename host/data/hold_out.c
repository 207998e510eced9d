/* Random cases of a set as another one. */
#include "gpu/core/fitness/sample.h"
#include "host/base/text.h"
#include "host/data/dataset.h"

#include <stdlib.h>
#include <string.h>

gr_status gr_count_held_out(const gr_settings *settings, gr_key key, double fraction,
                            const char *name, uint64_t all, const char *case_word, uint64_t *count,
                            gr_error *error) {
    char text[32];
    *count = (uint64_t)(fraction * (double)all + 0.5);
    *count = *count ? *count : 1;
    if (*count < all)
        return GR_OK;
    gr_text_print_double(fraction, text);
    return gr_settings_fail(settings, key, error,
                            "%s %s of %llu %s%s leaves none to train on; expected less", name, text,
                            (unsigned long long)all, case_word, gr_s(all));
}

/* A column of inputs, the one behind them, or that of the weights; NULL: an input in doubles. */
static float *column_of(const gr_dataset *set, uint32_t column) {
    if (column < set->inputs)
        return set->x ? set->x + column * set->cases : NULL;
    return column == set->inputs ? set->y : set->w;
}
static double *double_column_of(const gr_dataset *set, uint32_t column) {
    return column < set->inputs ? set->dx + column * set->cases : set->dy;
}

static gr_status allocate(const gr_dataset *as, gr_dataset *set, uint64_t cases, gr_error *error) {
    return as->doubles ? gr_dataset_allocate_doubles(set, as->inputs, cases, error)
                       : gr_dataset_allocate(set, as->inputs, cases, 0, error);
}

gr_status gr_dataset_hold_out(gr_dataset *all, uint64_t seed, uint32_t which, uint64_t count,
                              gr_dataset *test, gr_error *error) {
    gr_params p = {0};
    uint64_t cases = all->cases, left = cases - count;
    bool *taken = calloc(cases, sizeof *taken);
    gr_dataset train = {0};
    p.sample_seed[0] = (uint32_t)seed;
    p.sample_seed[1] = (uint32_t)(seed >> 32);
    gr_status status = taken ? gr_dataset_bring_columns(all, error)
                             : gr_fail(error, GR_NO_MEMORY, "no memory for a split");
    for (uint64_t k = 0; !status && k < count; k++)
        taken[gr_permuted(&p, which, (uint32_t)cases, (uint32_t)k)] = true;
    if (!status)
        status = allocate(all, test, count, error);
    if (!status)
        status = allocate(all, &train, left, error);
    if (!status && all->w)
        status = gr_dataset_weigh(test, error);
    if (!status && all->w)
        status = gr_dataset_weigh(&train, error);
    for (uint32_t column = 0; !status && column <= all->inputs + (all->w != NULL); column++) {
        const float *from = column_of(all, column);
        float *to[2] = {column_of(&train, column), column_of(test, column)};
        for (uint64_t c = 0; from && c < cases; c++)
            *to[taken[c]]++ = from[c];
    }
    for (uint32_t column = 0; !status && all->doubles && column <= all->inputs; column++) {
        const double *from = double_column_of(all, column);
        double *to[2] = {double_column_of(&train, column), double_column_of(test, column)};
        for (uint64_t c = 0; c < cases; c++)
            *to[taken[c]]++ = from[c];
    }
    if (!status) { /* the names stay where they are */
        const gr_dataset old = *all;
        all->x = train.x, all->y = train.y, all->w = train.w, all->cases = left;
        all->dx = train.dx, all->dy = train.dy;
        train.x = old.x, train.y = old.y, train.w = old.w;
        train.dx = old.dx, train.dy = old.dy;
        for (uint32_t i = 0; !status && i < all->inputs; i++)
            if (!(test->names[i] = strdup(all->names[i])))
                status = gr_fail(error, GR_NO_MEMORY, "no memory for a split");
    }
    gr_dataset_free(&train);
    if (status)
        gr_dataset_free(test);
    free(taken);
    return status;
}
