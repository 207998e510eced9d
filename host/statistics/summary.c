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
    DIVERSITY, /* GR_DIVERSITY_COLUMNS of it, where it is counted */
    MEASURES = DIVERSITY + GR_DIVERSITY_COLUMNS
};

struct gr_summary {
    uint32_t runs, metric, measures;
    double target;
    double *last;    /* [measures][runs], NaN: none yet */
    double *scratch; /* the same */
    uint8_t *solved; /* [runs] */
    uint32_t solved_count;
    gr_spread spread[MEASURES];
    /* the generation at hand */
    uint32_t generation, going; /* runs that took part; 0: there is none */
    double executed, seconds;
};

uint32_t gr_summary_measures(uint32_t diversity) {
    return diversity ? MEASURES : DIVERSITY;
}

gr_summary *gr_summary_open(uint32_t runs, uint32_t metric, double target, uint32_t diversity) {
    gr_summary *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->runs = runs;
    s->metric = metric;
    s->target = target;
    s->measures = gr_summary_measures(diversity);
    s->last = malloc((size_t)s->measures * runs * sizeof *s->last);
    s->scratch = malloc((size_t)s->measures * runs * sizeof *s->scratch);
    s->solved = calloc(runs, sizeof *s->solved);
    if (!s->last || !s->scratch || !s->solved) {
        gr_summary_close(s);
        return NULL;
    }
    for (size_t i = 0; i < (size_t)s->measures * runs; i++)
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

void gr_summary_keep(const gr_summary *s, gr_summary_state *state) {
    state->generation = s->generation;
    state->going = s->going;
    state->executed = s->executed;
    state->seconds = s->seconds;
    memcpy(state->last, s->last, (size_t)s->measures * s->runs * sizeof *s->last);
    memcpy(state->solved, s->solved, s->runs);
}

void gr_summary_resume(gr_summary *s, const gr_summary_state *state) {
    s->generation = (uint32_t)state->generation;
    s->going = (uint32_t)state->going;
    s->executed = state->executed;
    s->seconds = state->seconds;
    memcpy(s->last, state->last, (size_t)s->measures * s->runs * sizeof *s->last);
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
    if (s->measures > DIVERSITY) {
        double value[GR_DIVERSITY_COLUMNS];
        gr_diversity_values(g, value);
        for (int k = 0; k < GR_DIVERSITY_COLUMNS; k++)
            last[(size_t)(DIVERSITY + k) * runs] = value[k];
    }
    s->executed += g->executed;
    s->seconds = g->seconds;
    if (!s->solved[g->run] && gr_is_at_target(s->metric, g->best_ever, s->target))
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

static const char *name_of(uint32_t measure) {
    static const char *const names[SIZES] = {"best_fitness", "ave_fitness", "best_ever",
                                             "test_fitness", "valid"};
    return measure < SIZES        ? names[measure]
           : measure < BEST_NODES ? gr_size_names[measure - SIZES]
           : measure < DIVERSITY  ? (measure == BEST_NODES ? "best_nodes" : "best_depth")
                                  : gr_diversity_names[measure - DIVERSITY];
}

char *gr_summary_head(uint32_t diversity, char *to) {
    to += sprintf(to, "gen\truns\tsolved");
    for (uint32_t m = 0; m < gr_summary_measures(diversity); m++)
        for (int k = 0; k < PARTS; k++)
            to += sprintf(to, "\t%s%s_%s", m >= SIZES && m < BEST_NODES ? "ave_" : "", name_of(m),
                          parts[k]);
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
    gr_team_loop(team, s->measures, 1, spread_some, s);
    to = gr_put_whole(to, s->generation);
    *to++ = '\t';
    to = gr_put_whole(to, s->going);
    *to++ = '\t';
    to = gr_put_whole(to, s->solved_count);
    for (uint32_t m = 0; m < s->measures; m++) {
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
