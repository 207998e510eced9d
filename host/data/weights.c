#include "host/data/weights.h"

#include "host/base/text.h"

#include <stdio.h>
#include <stdlib.h>

/* Keeps the cases of a column that have a weight. */
static void keep_weighed(const float *weight, uint64_t cases, float *from, float *to) {
    for (uint64_t i = 0; i < cases; i++)
        if (weight[i] > 0.0f)
            *to++ = from[i];
}

int gr_bears_weights(float largest) {
    return largest == 0.0f || (largest >= 1e-18f && largest <= 1e18f);
}

int gr_find_bad_weights(const gr_dataset *set, const char *what, char *text, size_t size) {
    float largest = 0.0f;
    for (uint64_t i = 0; set->w && i < set->cases; i++)
        largest = set->w[i] > largest ? set->w[i] : largest;
    int vanish = largest == 0.0f && set->heaviest > 0.0,
        borne = gr_bears_weights(largest) && !vanish;
    if (!borne)
        snprintf(text, size,
                 "the largest weight of %llu %s%scase%s is %g; expected " GR_WEIGHTS_BORNE,
                 (unsigned long long)set->cases, what ? what : "", what ? " " : "",
                 gr_s(set->cases), vanish ? set->heaviest : (double)largest);
    return !borne;
}

gr_status gr_settle_weights(const gr_settings *s, const char *what, gr_dataset *set,
                            gr_error *error) {
    uint64_t kept = 0, ones = 0, cases = set->cases;
    char wrong[192];
    if (gr_find_bad_weights(set, what, wrong, sizeof wrong))
        return gr_settings_fail(s, GR_KEY_weights, error, "%s", wrong);
    if (!set->w || !cases)
        return GR_OK;
    for (uint64_t i = 0; i < cases; i++) {
        kept += set->w[i] > 0.0f;
        ones += set->w[i] == 1.0f;
    }
    if (!kept)
        return gr_settings_fail(
            s, GR_KEY_weights, error, "no weight of %llu %s%scase%s is above 0; expected some",
            (unsigned long long)cases, what ? what : "", what ? " " : "", gr_s(cases));
    if (kept < cases) {
        for (uint32_t k = 0; k < set->inputs; k++)
            keep_weighed(set->w, cases, set->x + k * cases, set->x + k * kept);
        keep_weighed(set->w, cases, set->y, set->y);
        keep_weighed(set->w, cases, set->w, set->w);
        set->cases = kept;
    }
    if (ones == kept) {
        free(set->w);
        set->w = NULL;
    }
    return GR_OK;
}

gr_status gr_check_weights(const gr_table *table, const gr_columns *use, uint64_t from,
                           gr_dataset *set, gr_error *error) {
    const uint32_t *column = &use->column[use->inputs + 1];
    enum { MANY = 256 };
    double some[MANY], *const value[] = {some};
    uint64_t i = 0, to = from + set->cases;
    gr_status status = GR_OK;
    for (uint64_t k = 0; k < set->cases; k++)
        if (!(set->w[k] >= 0.0f))
            return gr_table_refuse(table, from + k, *column, "0 or more", error);
    while (i < set->cases && set->w[i] == 0.0f)
        i++;
    for (uint64_t end; !status && i == set->cases && from < to; from = end) {
        end = from + MANY < to ? from + MANY : to;
        status = gr_table_doubles(table, column, 1, from, end, value, error);
        for (uint64_t k = 0; !status && k < end - from; k++)
            set->heaviest = some[k] > set->heaviest ? some[k] : set->heaviest;
    }
    return status;
}
