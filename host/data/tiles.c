/* Cases as backends take them: tiles of a chunk, and back. */
#include "host/base/text.h"
#include "host/cpu/processors.h"
#include "host/cpu/team.h"
#include "host/data/dataset.h"

#include <stdlib.h>
#include <string.h>

uint32_t gr_dataset_chunks(const gr_dataset *set) {
    uint64_t words = set->packed ? set->words : set->cases;
    return (uint32_t)((words + GR_CHUNK - 1) / GR_CHUNK);
}

/* Cases or words of a chunk. */
static size_t cases_of_chunk(const gr_dataset *set, uint64_t chunk) {
    uint64_t left = (set->packed ? set->words : set->cases) - chunk * GR_CHUNK;
    return (size_t)(left < GR_CHUNK ? left : GR_CHUNK);
}

size_t gr_dataset_tile_words(const gr_dataset *set) {
    return gr_tile_words(set->inputs, set->w != NULL) << set->doubles;
}

size_t gr_dataset_tile_bytes(const gr_dataset *set) {
    size_t chunks = gr_dataset_chunks(set);
    return (chunks ? chunks : 1) * gr_dataset_tile_words(set) * sizeof(float);
}

double gr_dataset_value(const gr_dataset *set, uint32_t column, uint64_t i) {
    const float *tile = set->tiles + i / GR_CHUNK * gr_dataset_tile_words(set);
    size_t at = (size_t)column * GR_CHUNK + i % GR_CHUNK;
    return set->doubles ? ((const double *)(const void *)tile)[at] : (double)tile[at];
}

/* Inputs and target as bytes: floats, words or doubles. */
typedef struct columns {
    const char *inputs, *target; /* target NULL: there is none */
    size_t size;                 /* of a number */
    uint64_t height;             /* numbers in a column */
} columns;

static columns columns_of(const gr_dataset *set) {
    if (set->doubles)
        return (columns){(const char *)set->dx, (const char *)set->dy, sizeof(double), set->cases};
    if (set->packed)
        return (columns){(const char *)set->wx, (const char *)set->wy, sizeof(float), set->words};
    return (columns){(const char *)set->x, (const char *)set->y, sizeof(float), set->cases};
}

static void tile_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const gr_dataset *set = context;
    const columns from = columns_of(set);
    (void)thread;
    for (uint64_t chunk = first; chunk < last; chunk++) {
        char *tile = (char *)(set->tiles + chunk * gr_dataset_tile_words(set));
        size_t bytes = cases_of_chunk(set, chunk) * from.size, row = GR_CHUNK * from.size;
        for (uint32_t k = 0; k < set->inputs; k++)
            memcpy(tile + k * row, from.inputs + (k * from.height + chunk * GR_CHUNK) * from.size,
                   bytes);
        if (from.target)
            memcpy(tile + set->inputs * row, from.target + chunk * row, bytes);
        if (set->w)
            memcpy(tile + (set->inputs + 1ull) * row, set->w + chunk * GR_CHUNK, bytes);
    }
}

gr_status gr_dataset_tile(gr_dataset *set, uint32_t threads, gr_error *error) {
    uint32_t chunks = gr_dataset_chunks(set);
    if (set->tiles)
        return GR_OK;
    if (!(set->tiles = calloc(1, gr_dataset_tile_bytes(set))))
        return gr_fail(error, GR_NO_MEMORY, "no memory for tiles of %llu case%s of %u input%s",
                       (unsigned long long)set->cases, gr_s(set->cases), set->inputs,
                       gr_s(set->inputs));
    gr_team *team = gr_team_open(gr_threads_for_chunks(threads, chunks));
    gr_team_loop(team, chunks, 16, tile_some, set);
    gr_team_close(team);
    free(set->x);
    free(set->wx);
    free(set->dx);
    set->x = NULL;
    set->wx = NULL;
    set->dx = NULL;
    return GR_OK;
}

/* The columns as they are, from where they stand; NULL: no memory. */
static void *copy_columns(const gr_dataset *set) {
    const columns from = columns_of(set);
    char *copy = malloc((set->inputs * from.height + 1) * from.size);
    if (copy && from.inputs)
        memcpy(copy, from.inputs, set->inputs * from.height * from.size);
    for (uint32_t chunk = 0; copy && !from.inputs && chunk < gr_dataset_chunks(set); chunk++) {
        const char *tile = (const char *)(set->tiles + chunk * gr_dataset_tile_words(set));
        char *to = copy + (size_t)chunk * GR_CHUNK * from.size;
        for (uint32_t k = 0; k < set->inputs; k++)
            memcpy(to + k * from.height * from.size, tile + k * GR_CHUNK * from.size,
                   cases_of_chunk(set, chunk) * from.size);
    }
    return copy;
}

float *gr_dataset_columns(const gr_dataset *set) {
    if (!set->doubles)
        return copy_columns(set);
    size_t count = set->inputs * (size_t)set->cases;
    double *exact = copy_columns(set);
    float *rounded = malloc((count + 1) * sizeof *rounded);
    for (size_t i = 0; exact && rounded && i < count; i++)
        rounded[i] = (float)exact[i];
    if (!exact) {
        free(rounded);
        rounded = NULL;
    }
    free(exact);
    return rounded;
}

gr_status gr_dataset_bring_columns(gr_dataset *set, gr_error *error) {
    void *copy = set->x || set->dx ? NULL : copy_columns(set);
    if (!copy && !set->x && !set->dx)
        return gr_fail(error, GR_NO_MEMORY, "no memory for a split");
    if (copy && set->doubles)
        set->dx = copy;
    else if (copy)
        set->x = copy;
    free(set->tiles);
    set->tiles = NULL;
    return GR_OK;
}
