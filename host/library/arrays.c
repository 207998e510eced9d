/* Fitness cases from the arrays of a caller, straight to the layout of the backends. */
#include "host/cpu/processors.h"
#include "host/cpu/team.h"
#include "host/data/weights.h"
#include "host/library/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One loop for each type and way of access: columns are the bulk of what is read. */
#define TAKE(type, index)                                                                          \
    for (uint32_t i = 0; i < count; i++) {                                                         \
        type value;                                                                                \
        memcpy(&value, from + (ptrdiff_t)(index)*stride, sizeof value);                            \
        to[i] = (float)value;                                                                      \
        sound &= to[i] - to[i] == 0.0f;                                                            \
    }

int gr_take_column(const grampus_column *column, const uint32_t *at, uint64_t first, uint32_t count,
                   float *to, uint32_t *bad) {
    const char *from = column->values;
    ptrdiff_t stride = column->stride;
    int sound = 1;
    if (!at)
        from += (ptrdiff_t)first * stride;
    else
        at += first;
    if (column->type == GRAMPUS_FLOAT && at)
        TAKE(float, at[i])
    else if (column->type == GRAMPUS_FLOAT)
        TAKE(float, i)
    else if (at)
        TAKE(double, at[i])
    else
        TAKE(double, i)
    for (*bad = 0; !sound && *bad < count && isfinite(to[*bad]);)
        ++*bad;
    return sound;
}

/* ---- weights ---- */

/* Which case stands where, at[*count], if some are left out. */
static gr_status keep_cases(const grampus_cases *cases, const char *what, uint32_t **at,
                            uint64_t *count, gr_error *error) {
    uint64_t kept = 0;
    float largest = 0.0f;
    double heaviest = 0.0; /* it may be 0 as a float */
    *at = NULL;
    *count = cases->cases;
    for (uint64_t i = 0; cases->weights && i < cases->cases; i++) {
        float weight = (float)cases->weights[i];
        if (!(cases->weights[i] >= 0.0 && weight - weight == 0.0f))
            return gr_fail(error, GR_BAD_INPUT,
                           "%s case %llu has the weight %g; expected 0 or more, as a float", what,
                           (unsigned long long)i, cases->weights[i]);
        kept += weight > 0.0f;
        largest = weight > largest ? weight : largest;
        heaviest = fmax(heaviest, cases->weights[i]);
    }
    if (!gr_bears_weights(largest) || (!kept && heaviest > 0.0))
        return gr_fail(error, GR_BAD_INPUT,
                       "the largest weight of the %s cases is %g; expected " GR_WEIGHTS_BORNE, what,
                       heaviest);
    if (!cases->weights || kept == cases->cases)
        return GR_OK;
    if (!kept)
        return gr_fail(error, GR_BAD_INPUT,
                       "all %llu %s cases have the weight 0; expected some above it",
                       (unsigned long long)cases->cases, what);
    *count = kept;
    if (!(*at = malloc((kept + 1) * sizeof **at)))
        return gr_fail(error, GR_NO_MEMORY, "no memory for %llu weighted cases",
                       (unsigned long long)kept);
    uint64_t k = 0;
    for (uint64_t i = 0; i < cases->cases; i++)
        if ((float)cases->weights[i] > 0.0f)
            (*at)[k++] = (uint32_t)i;
    return GR_OK;
}

int gr_has_weights(const grampus_cases *cases) {
    for (uint64_t i = 0; cases->weights && i < cases->cases; i++)
        if (cases->weights[i] != 0.0 && cases->weights[i] != 1.0)
            return 1;
    return 0;
}

/* ---- tiles ---- */

typedef struct filling {
    const grampus_cases *cases;
    const uint32_t *at;
    gr_dataset *set;
    uint64_t *bad; /* [threads] case x columns + column, of the first value that is not finite */
} filling;

static void fill_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const filling *f = context;
    gr_dataset *set = f->set;
    for (uint64_t chunk = first; chunk < last; chunk++) {
        float *tile = set->tiles + chunk * gr_dataset_tile_words(set);
        uint64_t begin = chunk * GR_CHUNK, left = set->cases - begin;
        uint32_t here = left < GR_CHUNK ? (uint32_t)left : GR_CHUNK, bad;
        for (uint32_t k = 0; k <= set->inputs; k++) {
            float *to = tile + (size_t)k * GR_CHUNK;
            const grampus_column *column =
                k < set->inputs ? &f->cases->columns[k] : &f->cases->target;
            if (gr_take_column(column, f->at, begin, here, to, &bad))
                continue;
            uint64_t place = (begin + bad) * (set->inputs + 1ull) + k;
            if (place < f->bad[thread])
                f->bad[thread] = place;
        }
        memcpy(set->y + begin, tile + (size_t)set->inputs * GR_CHUNK, here * sizeof *set->y);
        if (!set->w)
            continue;
        for (uint64_t i = begin; i < begin + here; i++)
            set->w[i] = f->cases->weights ? (float)f->cases->weights[f->at ? f->at[i] : i] : 1.0f;
        memcpy(tile + (set->inputs + 1ull) * GR_CHUNK, set->w + begin, here * sizeof *set->w);
    }
}

static gr_status fill(const grampus_cases *cases, const uint32_t *at, const char *what,
                      gr_dataset *set, gr_error *error) {
    uint32_t chunks = gr_dataset_chunks(set), threads = gr_threads_for_chunks(0, chunks);
    filling f = {cases, at, set, malloc(threads * sizeof *f.bad)};
    if (!f.bad)
        return gr_fail(error, GR_NO_MEMORY, "no memory to read cases");
    for (uint32_t t = 0; t < threads; t++)
        f.bad[t] = UINT64_MAX;
    gr_team *team = gr_team_open(threads);
    gr_team_loop(team, chunks, 16, fill_some, &f);
    gr_team_close(team);
    uint64_t place = UINT64_MAX;
    for (uint32_t t = 0; t < threads; t++)
        place = f.bad[t] < place ? f.bad[t] : place;
    free(f.bad);
    if (place == UINT64_MAX)
        return GR_OK;
    uint64_t k = place % (set->inputs + 1ull), i = place / (set->inputs + 1ull);
    return gr_fail(error, GR_BAD_INPUT,
                   "%s case %llu: %s is not finite as a float; expected no NaN, no infinity, "
                   "nothing beyond 3.4e38",
                   what, (unsigned long long)(at ? at[i] : i),
                   k < set->inputs ? set->names[k] : "the target");
}

gr_status gr_take_cases(const grampus_cases *cases, const char *what, int weighed, gr_dataset *set,
                        gr_error *error) {
    uint32_t *at;
    uint64_t count;
    gr_status status = GR_OK;
    *set = (gr_dataset){0};
    if (cases->cases > GR_MOST_CASES)
        return gr_fail(error, GR_BAD_INPUT, "%llu %s cases are too many; expected at most 2^30",
                       (unsigned long long)cases->cases, what);
    status = keep_cases(cases, what, &at, &count, error);
    if (status)
        return status;
    if (!count)
        status = gr_fail(error, GR_BAD_INPUT, "no %s cases; expected at least one", what);
    else if (!cases->target.values)
        status = gr_fail(error, GR_BAD_INPUT, "%s cases without a target; expected one", what);
    else
        status = gr_dataset_allocate_tiles(set, cases->inputs, count, weighed, error);
    if (!status &&
        (!gr_dataset_name_inputs(set, cases->names, NULL) || !(set->target_name = strdup("y"))))
        status = gr_fail(error, GR_NO_MEMORY, "no memory for the names of the inputs");
    if (!status)
        status = fill(cases, at, what, set, error);
    if (status)
        gr_dataset_free(set);
    free(at);
    return status;
}
