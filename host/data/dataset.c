#include "host/data/dataset.h"

#include "gpu/backend/memory.h"
#include "host/base/text.h"

#include <stdio.h>
#include <stdlib.h>

static void free_words(char **word, uint32_t count) {
    for (uint32_t i = 0; word && i < count; i++)
        free(word[i]);
    free(word);
}

void gr_dataset_free(gr_dataset *set) {
    for (uint32_t i = 0; set->names && i < set->inputs; i++)
        free(set->names[i]);
    free(set->names);
    free(set->target_name);
    free_words(set->labels, set->label_count);
    for (uint32_t i = 0; i < set->knowing; i++)
        free_words(set->known[i].word, set->known[i].count);
    free(set->known);
    free(set->x);
    free(set->y);
    free(set->w);
    free(set->dx);
    free(set->dy);
    free(set->tiles);
    free(set->wx);
    free(set->wy);
    free(set->notes);
    *set = (gr_dataset){0};
}

static gr_status no_memory_for(uint32_t inputs, uint64_t cases, gr_error *error) {
    return gr_fail(error, GR_NO_MEMORY, "no memory for %llu case%s of %lu input%s (%.3g GB)",
                   (unsigned long long)cases, gr_s(cases), (unsigned long)inputs, gr_s(inputs),
                   (double)(inputs + 1) * (double)cases * 4e-9);
}

/* Refuses more cases than there may be, and bytes that there are not. */
static gr_status check_size(uint32_t inputs, uint64_t cases, double bytes, gr_error *error) {
    char what[64];
    if (cases > GR_MOST_CASES)
        return gr_fail(error, GR_BAD_INPUT,
                       "%llu fitness cases are too many; expected at most 2^30",
                       (unsigned long long)cases);
    snprintf(what, sizeof what, "%llu case%s of %lu input%s", (unsigned long long)cases,
             gr_s(cases), (unsigned long)inputs, gr_s(inputs));
    return gr_memory_check(bytes, what, error);
}

gr_status gr_dataset_allocate(gr_dataset *set, uint32_t inputs, uint64_t cases, int packed,
                              gr_error *error) {
    uint64_t words = (cases + 31) / 32, column = packed ? words : cases;
    *set = (gr_dataset){0};
    gr_status status = check_size(inputs, cases, 2 * (inputs + 1.0) * (double)column * 4, error);
    if (status)
        return status;
    *set = (gr_dataset){.inputs = inputs, .cases = cases, .packed = packed};
    set->words = packed ? words : 0;
    set->names = calloc(inputs + 1, sizeof *set->names);
    void *x = calloc(inputs * column + 1, sizeof(uint32_t));
    void *y = calloc(column + 1, sizeof(uint32_t));
    set->x = packed ? NULL : x;
    set->y = packed ? NULL : y;
    set->wx = packed ? x : NULL;
    set->wy = packed ? y : NULL;
    if (set->names && x && y)
        return GR_OK;
    gr_dataset_free(set);
    return no_memory_for(inputs, cases, error);
}

gr_status gr_dataset_allocate_doubles(gr_dataset *set, uint32_t inputs, uint64_t cases,
                                      gr_error *error) {
    *set = (gr_dataset){0};
    gr_status status = check_size(inputs, cases, 4 * (inputs + 1.0) * (double)cases * 4, error);
    if (!status)
        status = gr_dataset_allocate(set, 0, cases, 0, error);
    if (status)
        return status;
    free(set->x);
    free(set->names);
    set->x = NULL;
    set->inputs = inputs;
    set->doubles = 1;
    set->names = calloc(inputs + 1, sizeof *set->names);
    set->dx = calloc(inputs * cases + 1, sizeof *set->dx);
    set->dy = calloc(cases + 1, sizeof *set->dy);
    if (set->names && set->dx && set->dy)
        return GR_OK;
    gr_dataset_free(set);
    return no_memory_for(inputs, cases, error);
}

size_t gr_dataset_bytes(const gr_dataset *set) {
    size_t column = (size_t)(set->packed ? set->words : set->cases), bytes = 0;
    bytes += set->x || set->wx ? (set->inputs * column + 1) * sizeof(float) : 0;
    bytes += set->dx ? (set->inputs * column + 1) * sizeof(double) : 0;
    bytes += set->dy ? (column + 1) * sizeof(double) : 0;
    bytes += set->w ? (column + 1) * sizeof(float) : 0;
    return bytes + (set->y || set->wy ? (column + 1) * sizeof(float) : 0);
}

static gr_status allocate_tiles(gr_dataset *set, uint32_t inputs, uint64_t cases, int weighed,
                                int doubles, gr_error *error) {
    *set = (gr_dataset){0};
    double numbers = doubles ? 2 * inputs + 5.0 : inputs + (weighed ? 4.0 : 2.0);
    gr_status status = check_size(inputs, cases, numbers * (double)cases * 4, error);
    if (status)
        return status;
    *set = (gr_dataset){.inputs = inputs, .cases = cases, .doubles = doubles};
    set->names = calloc(inputs + 1, sizeof *set->names);
    set->y = calloc(cases + 1, sizeof *set->y);
    set->dy = doubles ? calloc(cases + 1, sizeof *set->dy) : NULL;
    set->w = weighed ? calloc(cases + 1, sizeof *set->w) : NULL;
    set->tiles = calloc(1, gr_dataset_tile_bytes(set));
    if (set->names && set->y && set->tiles && (set->w || !weighed) && (set->dy || !doubles))
        return GR_OK;
    gr_dataset_free(set);
    return no_memory_for(inputs, cases, error);
}

gr_status gr_dataset_allocate_tiles(gr_dataset *set, uint32_t inputs, uint64_t cases, int weighed,
                                    gr_error *error) {
    return allocate_tiles(set, inputs, cases, weighed, 0, error);
}

gr_status gr_dataset_allocate_double_tiles(gr_dataset *set, uint32_t inputs, uint64_t cases,
                                           gr_error *error) {
    return allocate_tiles(set, inputs, cases, 0, 1, error);
}

gr_status gr_dataset_weigh(gr_dataset *set, gr_error *error) {
    gr_status status = set->tiles ? gr_dataset_bring_columns(set, error) : GR_OK;
    if (status || !set->cases)
        return status;
    if (!(set->w = malloc(set->cases * sizeof *set->w)))
        return no_memory_for(set->inputs, set->cases, error);
    for (uint64_t i = 0; i < set->cases; i++)
        set->w[i] = 1.0f;
    return GR_OK;
}
