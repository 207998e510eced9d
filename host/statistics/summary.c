#include "host/statistics/summary.h"

#include "host/base/decimal.h"
#include "host/base/spread.h"
#include "host/problem/shown_fitness.h"
#include "host/statistics/rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is told of the runs. */
enum {
    BEST,
    MEAN,
    BEST_EVER,
    TEST,
    VALID,
    SIZES, /* means, GR_SIZE_KINDS of them */
    BEST_NODES = SIZES + GR_SIZE_KINDS,
    BEST_DEPTH,
    MEASURES
};

struct gr_summary {
    uint32_t runs, metric;
    double target;
    double *last;    /* [MEASURES][runs], NaN: none yet */
    double *scratch; /* the same */
    uint8_t *solved; /* [runs] */
    uint32_t solved_count;
    gr_spread spread[MEASURES];
    /* the generation at hand */
    uint32_t generation, going; /* runs that took part; 0: there is none */
    double executed, seconds;
};

gr_summary *gr_summary_open(uint32_t runs, uint32_t metric, double target) {
    gr_summary *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->runs = runs;
    s->metric = metric;
    s->target = target;
    s->last = malloc((size_t)MEASURES * runs * sizeof *s->last);
    s->scratch = malloc((size_t)MEASURES * runs * sizeof *s->scratch);
    s->solved = calloc(runs, sizeof *s->solved);
    if (!s->last || !s->scratch || !s->solved) {
        gr_summary_close(s);
        return NULL;
    }
    for (size_t i = 0; i < (size_t)MEASURES * runs; i++)
        s->last[i] = (double)NAN;
    return s;
}

void gr_summary_close(gr_summary *s) {
    if (!s)
        return;
    free(s->last);
    free(s->scratch);
    free(s->solved);
    free(s);
}

_Static_assert((int)MEASURES == (int)GR_SUMMARY_MEASURES, "as those who keep them know");

void gr_summary_keep(const gr_summary *s, gr_summary_state *state) {
    state->generation = s->generation;
    state->going = s->going;
    state->executed = s->executed;
    state->seconds = s->seconds;
    memcpy(state->last, s->last, (size_t)MEASURES * s->runs * sizeof *s->last);
    memcpy(state->solved, s->solved, s->runs);
}

void gr_summary_resume(gr_summary *s, const gr_summary_state *state) {
    s->generation = (uint32_t)state->generation;
    s->going = (uint32_t)state->going;
    s->executed = state->executed;
    s->seconds = state->seconds;
    memcpy(s->last, state->last, (size_t)MEASURES * s->runs * sizeof *s->last);
    memcpy(s->solved, state->solved, s->runs);
    s->solved_count = 0;
    for (uint32_t r = 0; r < s->runs; r++)
        s->solved_count += s->solved[r] != 0;
}

/* ---- rows ---- */

static void add_row(gr_summary *s, const gr_generation *g) {
    double *last = s->last + g->run;
    size_t runs = s->runs;
    last[BEST * runs] = g->best;
    last[MEAN * runs] = g->mean;
    last[BEST_EVER * runs] = g->best_ever;
    last[TEST * runs] = g->test;
    last[VALID * runs] = (double)g->by_validity[GR_VALID];
    for (int k = 0; k < GR_SIZE_KINDS; k++)
        last[(size_t)(SIZES + k) * runs] = g->size[k].mean;
    last[BEST_NODES * runs] = (double)g->best_nodes;
    last[BEST_DEPTH * runs] = (double)g->best_depth;
    s->executed += g->executed;
    s->seconds = g->seconds;
    if (!s->solved[g->run] && !isnan(s->target) &&
        !gr_is_better(s->metric, s->target, g->best_ever))
        s->solved_count += s->solved[g->run] = 1;
}

uint32_t gr_summary_add(gr_summary *s, const gr_rows *rows, uint32_t first) {
    if (!s->going && first < rows->count) {
        s->generation = rows->row[first].generation;
        s->executed = 0.0;
    }
    for (; first < rows->count && rows->row[first].generation == s->generation; first++) {
        add_row(s, &rows->row[first]);
        s->going++;
    }
    return first;
}

int gr_summary_pending(const gr_summary *s) {
    return s->going > 0;
}

/* ---- text ---- */

static const char *const parts[] = {"min", "lower_quartile", "median", "upper_quartile", "max",
                                    "mean"};
enum { PARTS = sizeof parts / sizeof *parts };

char *gr_summary_head(char *to) {
    static const char *const names[SIZES] = {"best_fitness", "ave_fitness", "best_ever",
                                             "test_fitness", "valid"};
    to += sprintf(to, "gen\truns\tsolved");
    for (int m = 0; m < MEASURES; m++)
        for (int k = 0; k < PARTS; k++) {
            int size = m >= SIZES && m < BEST_NODES;
            const char *name = m < SIZES         ? names[m]
                               : size            ? gr_size_names[m - SIZES]
                               : m == BEST_NODES ? "best_nodes"
                                                 : "best_depth";
            to += sprintf(to, "\t%s%s_%s", size ? "ave_" : "", name, parts[k]);
        }
    return to + sprintf(to, "\tnodes_executed\ttime\n");
}

/* Spreads of some measures, over the runs that have a number. */
static void spread_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    gr_summary *s = context;
    (void)thread;
    for (uint64_t m = first; m < last; m++) {
        const double *value = s->last + m * s->runs;
        double *number = s->scratch + m * s->runs;
        size_t count = 0;
        for (uint32_t r = 0; r < s->runs; r++) {
            number[count] = value[r];
            count += isnan(value[r]) ? 0 : 1;
        }
        s->spread[m] = gr_spread_of(number, count);
    }
}

char *gr_summary_row(gr_summary *s, gr_team *team, char *to) {
    gr_team_loop(team, MEASURES, 1, spread_some, s);
    to = gr_put_whole(to, s->generation);
    *to++ = '\t';
    to = gr_put_whole(to, s->going);
    *to++ = '\t';
    to = gr_put_whole(to, s->solved_count);
    for (int m = 0; m < MEASURES; m++) {
        const gr_spread *of = &s->spread[m];
        const double part[PARTS] = {of->least,       of->quartile[0], of->quartile[1],
                                    of->quartile[2], of->most,        of->mean};
        for (int k = 0; k < PARTS; k++) {
            *to++ = '\t';
            to = gr_put_nine(to, part[k]);
        }
    }
    *to++ = '\t';
    to = gr_put_rounded(to, s->executed);
    *to++ = '\t';
    to = gr_put_micro(to, s->seconds);
    *to++ = '\n';
    s->going = 0;
    return to;
}
