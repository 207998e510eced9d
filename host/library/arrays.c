/* Fitness cases from the arrays of a caller, straight to the layout of the backends. */
#include "host/base/text.h"
#include "host/cpu/processors.h"
#include "host/cpu/team.h"
#include "host/data/weights.h"
#include "host/library/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t gr_type_size(grampus_type type) {
    return type == GRAMPUS_DOUBLE ? sizeof(double) : sizeof(float);
}

const char *gr_not_finite(grampus_type as) {
    return as == GRAMPUS_DOUBLE ? "is not finite; expected no NaN, no infinity"
                                : "is not finite as a float; expected no NaN, no infinity, nothing "
                                  "beyond 3.4e38";
}

static int is_finite(grampus_type as, const void *of, uint32_t i) {
    return as == GRAMPUS_DOUBLE ? isfinite(((const double *)of)[i])
                                : isfinite(((const float *)of)[i]);
}

/* One loop for each type, type that is kept and way of access: columns are the bulk of what is
 * read. */
#define TAKE(type, kept, index)                                                                    \
    for (uint32_t i = 0; i < count; i++) {                                                         \
        type value;                                                                                \
        memcpy(&value, from + (ptrdiff_t)(index)*stride, sizeof value);                            \
        kept taken = ((kept *)to)[i] = (kept)value;                                                \
        sound &= taken - taken == (kept)0;                                                         \
    }
#define TAKE_AS(kept)                                                                              \
    if (column->type == GRAMPUS_FLOAT && at)                                                       \
        TAKE(float, kept, at[i])                                                                   \
    else if (column->type == GRAMPUS_FLOAT)                                                        \
        TAKE(float, kept, i)                                                                       \
    else if (at)                                                                                   \
        TAKE(double, kept, at[i])                                                                  \
    else                                                                                           \
        TAKE(double, kept, i)

int gr_take_column(const grampus_column *column, const uint32_t *at, uint64_t first, uint32_t count,
                   grampus_type as, void *to, uint32_t *bad) {
    const char *from = column->values;
    ptrdiff_t stride = column->stride;
    int sound = 1;
    if (!at)
        from += (ptrdiff_t)first * stride;
    else
        at += first;
    if (as == GRAMPUS_DOUBLE) {
        TAKE_AS(double)
    } else {
        TAKE_AS(float)
    }
    for (*bad = 0; !sound && *bad < count && is_finite(as, to, *bad);)
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
        return gr_fail(error, GR_BAD_INPUT, "no weight of %llu %s case%s is above 0; expected some",
                       (unsigned long long)cases->cases, what, gr_s(cases->cases));
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
    grampus_type as;
    const uint32_t *at;
    gr_dataset *set;
    uint64_t *bad; /* [threads] case x columns + column, of the first value that is not finite */
} filling;

/* The target of a chunk, which stands beside the tiles too: in doubles also rounded. */
static void keep_target(gr_dataset *set, uint64_t begin, uint32_t here, const void *target) {
    if (!set->doubles) {
        memcpy(set->y + begin, target, here * sizeof *set->y);
        return;
    }
    memcpy(set->dy + begin, target, here * sizeof *set->dy);
    for (uint64_t i = begin; i < begin + here; i++)
        set->y[i] = (float)set->dy[i];
}

static void fill_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const filling *f = context;
    gr_dataset *set = f->set;
    for (uint64_t chunk = first; chunk < last; chunk++) {
        char *tile = (char *)(set->tiles + chunk * gr_dataset_tile_words(set));
        uint64_t begin = chunk * GR_CHUNK, left = set->cases - begin;
        uint32_t here = left < GR_CHUNK ? (uint32_t)left : GR_CHUNK, bad;
        size_t row = GR_CHUNK * gr_type_size(f->as);
        for (uint32_t k = 0; k <= set->inputs; k++) {
            const grampus_column *column =
                k < set->inputs ? &f->cases->columns[k] : &f->cases->target;
            if (gr_take_column(column, f->at, begin, here, f->as, tile + k * row, &bad))
                continue;
            uint64_t place = (begin + bad) * (set->inputs + 1ull) + k;
            if (place < f->bad[thread])
                f->bad[thread] = place;
        }
        keep_target(set, begin, here, tile + set->inputs * row);
        if (!set->w)
            continue;
        for (uint64_t i = begin; i < begin + here; i++)
            set->w[i] = f->cases->weights ? (float)f->cases->weights[f->at ? f->at[i] : i] : 1.0f;
        memcpy(tile + (set->inputs + 1ull) * row, set->w + begin, here * sizeof *set->w);
    }
}

static gr_status fill(const grampus_cases *cases, grampus_type as, const uint32_t *at,
                      const char *what, gr_dataset *set, gr_error *error) {
    uint32_t chunks = gr_dataset_chunks(set), threads = gr_threads_for_chunks(0, chunks);
    filling f = {cases, as, at, set, malloc(threads * sizeof *f.bad)};
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
    return gr_fail(error, GR_BAD_INPUT, "%s case %llu: %s %s", what,
                   (unsigned long long)(at ? at[i] : i),
                   k < set->inputs ? set->names[k] : "the target", gr_not_finite(as));
}

static gr_status allocate(uint32_t inputs, uint64_t count, gr_taking taking, gr_dataset *set,
                          gr_error *error) {
    return taking.as == GRAMPUS_DOUBLE
               ? gr_dataset_allocate_double_tiles(set, inputs, count, error)
               : gr_dataset_allocate_tiles(set, inputs, count, taking.weighed, error);
}

gr_status gr_check_inputs(const grampus_cases *cases, const char *what, gr_error *error) {
    for (uint32_t k = 0; k < cases->inputs; k++) {
        if (cases->cases && (!cases->columns || !cases->columns[k].values))
            return gr_fail(error, GR_BAD_INPUT, "%s cases have no values of input %u of %u", what,
                           k, cases->inputs);
        if (cases->names && !cases->names[k])
            return gr_fail(error, GR_BAD_INPUT, "%s cases have no name of input %u of %u", what, k,
                           cases->inputs);
    }
    return GR_OK;
}

gr_status gr_take_cases(const grampus_cases *cases, const char *what, gr_taking taking,
                        gr_dataset *set, gr_error *error) {
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
        status = gr_check_inputs(cases, what, error);
    if (!status)
        status = allocate(cases->inputs, count, taking, set, error);
    if (!status &&
        (!gr_dataset_name_inputs(set, cases->names, NULL) || !(set->target_name = strdup("y"))))
        status = gr_fail(error, GR_NO_MEMORY, "no memory for the names of the inputs");
    if (!status)
        status = fill(cases, taking.as, at, what, set, error);
    if (status)
        gr_dataset_free(set);
    free(at);
    return status;
}

gr_status gr_check_target_digits(const grampus_cases *cases, const gr_dataset *set,
                                 gr_error *error) {
    const grampus_column *column = &cases->target;
    double low = INFINITY, high = -INFINITY;
    if (set->doubles || column->type == GRAMPUS_FLOAT)
        return GR_OK;
    for (uint64_t i = 1; i < set->cases; i++)
        if (set->y[i] != set->y[0])
            return GR_OK;
    for (uint64_t i = 0; i < cases->cases; i++) {
        double value;
        if (cases->weights && !((float)cases->weights[i] > 0.0f))
            continue;
        memcpy(&value, (const char *)column->values + (ptrdiff_t)i * column->stride, sizeof value);
        low = fmin(low, value);
        high = fmax(high, value);
    }
    return low < high ? gr_fail(error, GR_BAD_INPUT,
                                "the target, of a range of %.2g, is one number in single "
                                "precision; expected precision: double, or other units",
                                high - low)
                      : GR_OK;
}
