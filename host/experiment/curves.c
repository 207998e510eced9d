#include "host/experiment/curves.h"

#include "host/base/text.h"
#include "host/experiment/schema.h"
#include "host/inference/measure.h"
#include "host/problem/shown_fitness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is kept of a generation: its success, and one of these for every measure. */
typedef struct success {
    uint32_t gen, going, solved;
} success;

struct gr_curves {
    gr_params p;
    double target;
    int columns, measures;
    int *column;        /* [measures] */
    char (*name)[64];   /* [measures] */
    int best_ever;      /* its column */
    double *last;       /* [measures][runs], NaN: none yet */
    double *scratch;    /* [runs] */
    uint8_t *solved;    /* [runs] */
    success at;         /* the generation at hand; going 0: there is none */
    gr_medians medians; /* of as many values as there were before */
    /* what waits */
    size_t count, room;
    success *done;    /* [count] */
    gr_measure *made; /* [count][measures] */
    gr_effort effort;
};

uint64_t gr_evaluations_by(const gr_params *p, uint32_t generation) {
    return ((uint64_t)p->population +
            (uint64_t)generation * p->steps * (p->population - p->elites)) *
           p->islands;
}

/* ---- measures ---- */

/* How the ends of sizes spread over runs says little, nor do sums. */
static int is_measure(const char *name) {
    static const char *const others[] = {"run", "gen", "nodes_executed", "time"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (strcmp(name, others[k]) == 0)
            return 0;
    return strncmp(name, "min_", 4) != 0 && strncmp(name, "max_", 4) != 0;
}

static void find_measures(gr_curves *c) {
    for (int k = 0; k < c->columns; k++) {
        char *name = c->name[c->measures];
        gr_schema_column(k, name);
        if (strcmp(name, "best_ever") == 0)
            c->best_ever = k;
        if (is_measure(name))
            c->column[c->measures++] = k;
    }
}

gr_curves *gr_curves_open(const gr_params *p, double target) {
    gr_curves *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->p = *p;
    c->target = target;
    c->columns = gr_schema_columns();
    c->effort.effort = (double)NAN;
    c->column = malloc(((size_t)c->columns + 1) * sizeof *c->column);
    c->name = malloc(((size_t)c->columns + 1) * sizeof *c->name);
    if (c->column && c->name)
        find_measures(c);
    size_t values = (size_t)c->measures * p->runs;
    c->last = malloc((values + 1) * sizeof *c->last);
    c->scratch = malloc(p->runs * sizeof *c->scratch);
    c->solved = calloc(p->runs, sizeof *c->solved);
    if (!c->measures || !c->last || !c->scratch || !c->solved) {
        gr_curves_close(c);
        return NULL;
    }
    for (size_t i = 0; i < values; i++)
        c->last[i] = (double)NAN;
    return c;
}

void gr_curves_close(gr_curves *c) {
    if (!c)
        return;
    gr_medians_free(&c->medians);
    free(c->column);
    free(c->name);
    free(c->last);
    free(c->scratch);
    free(c->solved);
    free(c->done);
    free(c->made);
    free(c);
}

/* ---- rows ---- */

static void note_effort(gr_curves *c, const success *s) {
    uint64_t runs = gr_koza_runs(s->solved, c->p.runs, GR_KOZA_Z);
    double effort = (double)c->p.population * c->p.islands * (s->gen + 1.0) * (double)runs;
    if (runs && !(effort >= c->effort.effort))
        c->effort = (gr_effort){effort, s->gen, runs};
}

static int make_room(gr_curves *c) {
    if (c->count < c->room)
        return 1;
    size_t room = c->room ? 2 * c->room : 64;
    success *done = realloc(c->done, room * sizeof *done);
    if (done)
        c->done = done;
    gr_measure *made = done ? realloc(c->made, room * (size_t)c->measures * sizeof *made) : NULL;
    if (!made)
        return 0;
    c->made = made;
    c->room = room;
    return 1;
}

int gr_curves_end(gr_curves *c) {
    if (!c->at.going)
        return 1;
    if (!make_room(c))
        return 0;
    for (int m = 0; m < c->measures; m++)
        if (!gr_measure_of(c->last + (size_t)m * c->p.runs, c->p.runs, c->scratch, &c->medians,
                           &c->made[c->count * (size_t)c->measures + (size_t)m]))
            return 0;
    note_effort(c, &c->at);
    c->done[c->count++] = c->at;
    c->at.going = 0;
    return 1;
}

int gr_curves_row(gr_curves *c, const double *row) {
    uint32_t run = (uint32_t)row[GR_COLUMN_RUN], gen = (uint32_t)row[GR_COLUMN_GEN];
    if (gen != c->at.gen && !gr_curves_end(c))
        return 0;
    c->at.gen = gen;
    c->at.going++;
    for (int m = 0; m < c->measures; m++)
        c->last[(size_t)m * c->p.runs + run] = row[c->column[m]];
    if (!c->solved[run] && gr_is_at_target(c->p.metric, row[c->best_ever], c->target))
        c->at.solved += c->solved[run] = 1;
    return 1;
}

gr_effort gr_curves_effort(const gr_curves *curves) {
    return curves->effort;
}

/* ---- tables ---- */

size_t gr_curves_waiting(const gr_curves *c) {
    return c->count * (sizeof *c->done + (size_t)c->measures * sizeof *c->made);
}

static gr_status put_success(const gr_curves *c, const success *s, gr_tables *tables, int64_t cell,
                             gr_error *error) {
    static const char sql[] = "INSERT INTO success_curve VALUES (?,?,?,?,?,?,?,?,?,?)";
    gr_interval rate = gr_wilson(s->solved, c->p.runs);
    uint64_t runs = gr_koza_runs(s->solved, c->p.runs, GR_KOZA_Z);
    double effort = (double)c->p.population * c->p.islands * (s->gen + 1.0) * (double)runs;
    return gr_tables_put(tables, error, sql, "iiiirrriir", cell, (int64_t)s->gen, (int64_t)s->going,
                         (int64_t)s->solved, (double)s->solved / c->p.runs, rate.low, rate.high,
                         (int64_t)gr_evaluations_by(&c->p, s->gen),
                         runs ? (int64_t)runs : GR_NULL_INTEGER, runs ? effort : (double)NAN);
}

gr_status gr_curves_put(gr_curves *c, gr_tables *tables, int64_t cell, gr_error *error) {
    static const char sql[] = "INSERT INTO summary VALUES (?,?,?,?,?,?,?,?,?,?,?,?)";
    gr_status status = GR_OK;
    for (int m = 0; m < c->measures; m++) /* in the order of the table */
        for (size_t g = 0; !status && g < c->count; g++) {
            const gr_measure *v = &c->made[g * (size_t)c->measures + (size_t)m];
            const gr_spread *s = &v->spread;
            if (v->n)
                status = gr_tables_put(tables, error, sql, "itiirrrrrrrr", cell, c->name[m],
                                       (int64_t)c->done[g].gen, (int64_t)v->n, s->mean, s->least,
                                       s->quartile[0], s->quartile[1], s->quartile[2], s->most,
                                       v->median.low, v->median.high);
        }
    for (size_t g = 0; !status && !isnan(c->target) && g < c->count; g++)
        status = put_success(c, &c->done[g], tables, cell, error);
    c->count = 0;
    return status;
}

/* ---- the end ---- */

/* All generations once more: a run counts as solved from the one in which it ended. */
static gr_status put_settled(gr_curves *c, const uint32_t *ended, const uint8_t *solved,
                             gr_tables *tables, int64_t cell, gr_error *error) {
    uint32_t last = 0;
    for (uint32_t r = 0; r < c->p.runs; r++)
        last = gr_max_u32(last, ended[r]);
    uint32_t *ending = calloc(2 * (last + (size_t)1), sizeof *ending), *solving = ending + last + 1;
    if (!ending)
        return gr_fail(error, GR_NO_MEMORY, "no memory for the generations of %u run%s", c->p.runs,
                       gr_s(c->p.runs));
    for (uint32_t r = 0; r < c->p.runs; r++) {
        ending[ended[r]]++;
        solving[ended[r]] += solved[r];
    }
    gr_status status =
        gr_tables_put(tables, error, "DELETE FROM success_curve WHERE cell = ?", "i", cell);
    success s = {0, c->p.runs, 0};
    c->effort = (gr_effort){(double)NAN, 0, 0};
    for (; !status && s.gen <= last; s.gen++) {
        s.solved += solving[s.gen];
        note_effort(c, &s);
        status = put_success(c, &s, tables, cell, error);
        s.going -= ending[s.gen];
    }
    free(ending);
    return status;
}

gr_status gr_curves_settle(gr_curves *c, const uint32_t *ended, const uint8_t *solved,
                           gr_tables *tables, int64_t cell, gr_error *error) {
    if (isnan(c->target) || memcmp(c->solved, solved, c->p.runs) == 0)
        return GR_OK;
    return put_settled(c, ended, solved, tables, cell, error);
}
