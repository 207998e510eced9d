#include "host/statistics/records.h"

#include "gpu/core/selection/diversity.h"
#include "gpu/core/selection/once.h"
#include "gpu/core/selection/select.h"
#include "host/problem/shown_fitness.h"

#include <stdlib.h>

/* ---- one record ---- */

static gr_min_mean_max spread_of(const gr_statistics *t, gr_size_kind kind, uint32_t count) {
    gr_min_mean_max none = {(double)NAN, (double)NAN, (double)NAN};
    gr_min_mean_max some = {(double)t->least[kind], (double)t->sum[kind] / (double)count,
                            (double)t->most[kind]};
    return count ? some : none;
}

/* The records of a run's islands as one; not `written` when it had stopped before. */
static gr_record merge_islands(const gr_params *p, const gr_record *record) {
    gr_record merged = {0};
    for (uint32_t island = 0; island < p->islands; island++) {
        const gr_record *r = record + island;
        if (!r->written)
            continue;
        if (!merged.written) {
            merged = *r;
            continue;
        }
        merged.statistics = gr_statistics_merge(merged.statistics, r->statistics);
        merged.replaced_by.nodes += r->replaced_by.nodes;
        merged.replaced_by.first_front += r->replaced_by.first_front;
        merged.replaced_by.fronts = gr_max_u32(merged.replaced_by.fronts, r->replaced_by.fronts);
        gr_add_spared(&merged.spared, r->spared);
        merged.mutated_again += r->mutated_again;
        if (r->best_cost < merged.best_cost) {
            merged.best_cost = r->best_cost;
            merged.best = r->best;
        }
        if (r->written == GR_WRITTEN_LEADING) {
            merged.best_ever_cost = r->best_ever_cost;
            merged.test_cost = r->test_cost;
            merged.improved = r->improved;
        }
    }
    return merged;
}

void gr_add_work_spared(gr_work_spared *to, const gr_work_spared *more) {
    to->shared += more->shared;
    to->kept += more->kept;
    to->remembered += more->remembered;
    to->executed += more->executed;
}

uint32_t gr_generation_of(const gr_params *p, uint32_t generation) {
    return (generation + p->steps - 1) / p->steps;
}

static gr_generation decode(const gr_params *p, const gr_record *r, double seconds) {
    const gr_statistics *t = &r->statistics;
    uint32_t valid = t->validity[GR_VALID];
    gr_generation g = {0};
    g.run = r->deme / p->islands;
    g.generation = gr_generation_of(p, r->generation);
    g.improved = (int)r->improved;
    g.best = gr_fitness_of(p->metric, r->best_cost);
    g.best_ever = gr_fitness_of(p->metric, r->best_ever_cost);
    g.test = p->test_chunks ? gr_fitness_of(p->metric, r->test_cost) : (double)NAN;
    g.mean = t->finite ? gr_fitness_of(p->metric, t->cost_sum / (double)t->finite) : (double)NAN;
    for (int k = 0; k < GR_VALIDITY_COUNT; k++) {
        g.by_validity[k] = t->validity[k];
        g.individuals += t->validity[k];
    }
    g.nonfinite = valid - t->finite;
    g.draws_again = t->draws_again;
    g.parents_kept = t->parents_kept;
    for (int k = 0; k < GR_SIZE_KINDS; k++)
        g.size[k] = spread_of(t, (gr_size_kind)k, k == GR_SIZE_LENGTH ? g.individuals : valid);
    g.best_nodes = r->best.nodes;
    g.best_depth = r->best.depth;
    /* parents that survive are not evaluated again */
    uint64_t nodes = p->objectives ? r->replaced_by.nodes : t->sum[GR_SIZE_NODES];
    g.executed = (double)nodes * (double)p->train_cases;
    g.spared = r->spared;
    g.seconds = seconds;
    g.has_diversity = (int)p->diversity;
    g.diversity = r->diversity;
    g.mutates_duplicates = (int)p->mutate_duplicates;
    g.mutated_again = r->mutated_again;
    g.has_fronts = p->objectives > 0;
    g.first_front = r->replaced_by.first_front;
    g.fronts = r->replaced_by.fronts;
    g.counts_ever = (int)(p->diversity && gr_counts_ever(p, &r->diversity));
    return g;
}

/* Adds the steps of a generation up, in its last one, or where the run ends, to `g`; 0: more come.
 */
static int add_step(const gr_records *records, const gr_record *record, int solved,
                    gr_generation *g) {
    gr_generation *sum = &records->steps[g->run], none = {0};
    sum->executed += g->executed;
    sum->draws_again += g->draws_again;
    sum->parents_kept += g->parents_kept;
    sum->improved |= g->improved;
    if (record->generation % records->p->steps && !solved)
        return 0;
    g->executed = sum->executed;
    g->draws_again = sum->draws_again;
    g->parents_kept = sum->parents_kept;
    g->improved = sum->improved;
    *sum = none;
    return 1;
}

/* ---- parts ---- */

/* An epoch cut into parts of at most GR_ROWS rows, each some runs of some generations: all runs of
 * several or some of one. */
typedef struct cutting {
    uint32_t runs, generations; /* of a part */
    uint32_t across;            /* parts of a generation */
    uint64_t parts;
} cutting;

static cutting cut(const gr_records *records) {
    uint32_t runs = records->p->runs;
    cutting c = {gr_min_u32(runs, GR_ROWS), 1, (runs + GR_ROWS - 1) / GR_ROWS, 0};
    if (c.across == 1)
        c.generations = GR_ROWS / runs;
    c.parts = (uint64_t)c.across * ((records->generations + c.generations - 1) / c.generations);
    return c;
}

enum { WAVE = 64 }; /* parts that are made before they are handed on */

typedef struct wave {
    const gr_records *records;
    cutting cut;
    uint64_t first; /* part */
    gr_rows *rows[WAVE];
    gr_records_sum sum[WAVE];
} wave;

static void add_row(const gr_records *records, uint32_t generation, uint32_t run, gr_rows *rows,
                    gr_records_sum *sum) {
    const gr_params *p = records->p;
    const gr_record *r =
        records->record + (size_t)generation * gr_demes(p) + (size_t)run * p->islands;
    gr_record merged;
    if (p->islands > 1) {
        merged = merge_islands(p, r);
        r = &merged;
    }
    if (!r->written)
        return;
    gr_generation g = decode(p, r, records->seconds[generation]);
    double spared = (double)g.spared.nodes * (double)p->train_cases;
    const gr_work_spared work = {g.spared.shared, g.spared.kept, g.spared.remembered, spared};
    gr_add_work_spared(&sum->spared, &work);
    sum->executed += g.executed - spared;
    int solved = p->stop_at_target && r->best_ever_cost <= p->target_cost;
    sum->active |=
        generation + 1 == records->generations && r->generation < p->generations && !solved;
    if (p->steps == 1 || add_step(records, r, solved, &g))
        rows->row[rows->count++] = g;
}

static void make_parts(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    wave *w = context;
    const gr_records *records = w->records;
    (void)thread;
    for (uint64_t k = first; k < last; k++) {
        uint64_t part = w->first + k;
        uint32_t run = (uint32_t)(part % w->cut.across) * w->cut.runs;
        uint32_t generation = (uint32_t)(part / w->cut.across) * w->cut.generations;
        uint32_t runs = gr_min_u32(w->cut.runs, records->p->runs - run);
        uint32_t generations = gr_min_u32(w->cut.generations, records->generations - generation);
        gr_rows *rows = malloc(sizeof *rows + (size_t)runs * generations * sizeof *rows->row);
        w->rows[k] = rows;
        w->sum[k] = (gr_records_sum){0};
        if (!rows)
            continue;
        rows->count = 0;
        for (uint32_t g = generation; g < generation + generations; g++)
            for (uint32_t r = run; r < run + runs; r++)
                add_row(records, g, r, rows, &w->sum[k]);
    }
}

/* Steps are added up from generation to generation, in one place for a run: then the parts are made
 * one after the other. */
int gr_records_read(const gr_records *records, gr_team *team, gr_take_rows *take, void *context,
                    gr_records_sum *sum) {
    wave w = {.records = records, .cut = cut(records)};
    int good = 1;
    *sum = (gr_records_sum){0};
    team = records->p->steps > 1 ? NULL : team;
    for (; good && w.first < w.cut.parts; w.first += WAVE) {
        uint64_t left = w.cut.parts - w.first, here = left < WAVE ? left : WAVE;
        gr_team_loop(team, here, 1, make_parts, &w);
        for (uint64_t k = 0; k < here; k++) {
            good = good && w.rows[k];
            sum->executed += w.sum[k].executed;
            gr_add_work_spared(&sum->spared, &w.sum[k].spared);
            sum->active |= w.sum[k].active;
            if (good && take && w.rows[k]->count)
                take(context, w.rows[k]);
            else
                free(w.rows[k]);
        }
    }
    return good;
}
