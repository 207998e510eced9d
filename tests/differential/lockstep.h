/* Two engines side by side, generation by generation, and the first difference between them. */
#ifndef LOCKSTEP_H
#define LOCKSTEP_H

#include "gpu/core/state/state.h"
#include "host/problem/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One side: a problem from the text of a run file, on a backend; `run` is the run of it that is
 * compared. */
typedef struct side {
    const char *label;
    const gr_backend *backend;
    gr_problem problem;
    gr_engine *engine;
    uint32_t run, deme; /* of the run */
    gr_individual *individuals;
    uint32_t *genotypes;
    gr_instruction *programs;
    gr_plan *plans;
    float *costs;
    const gr_record *records;
    uint32_t generations;
    int finished;
} side;

static int side_fail(const char *name, const side *s, const gr_error *error) {
    printf("not ok %s: %s: %s\n", name, s->label, error->text);
    return 1;
}

/* `text` is a run file; lines appended later win over earlier ones only if keys differ, so pass
 * whole variants. */
static int side_open(const char *name, side *s, const char *text, const char *more) {
    gr_error error = {0};
    gr_settings settings;
    char whole[4096];
    snprintf(whole, sizeof whole, "%s%s", text, more);
    if (gr_settings_init(&settings, &error))
        return side_fail(name, s, &error);
    gr_status status = gr_settings_parse(&settings, whole, strlen(whole), "run.yaml", &error);
    if (!status)
        status = gr_settings_resolve(&settings, &error);
    if (!status)
        status = gr_problem_make(&settings, &s->problem, &error);
    gr_settings_free(&settings);
    if (!status) {
        s->problem.job.epoch = 1; /* stop after every generation */
        status = s->backend->open(&s->problem.job, &s->engine, &error);
    }
    if (status)
        return side_fail(name, s, &error);
    const gr_params *p = &s->problem.job.params;
    size_t n = p->individuals,
           words = p->genotype == GR_TREE ? 2 * p->max_nodes : p->genome_capacity;
    s->individuals = malloc(n * sizeof *s->individuals);
    s->genotypes = malloc(n * words * sizeof *s->genotypes);
    s->programs = malloc(n * p->max_nodes * sizeof *s->programs);
    s->plans = malloc(n * sizeof *s->plans);
    s->costs = malloc(n * sizeof *s->costs);
    return 0;
}

static void side_close(side *s) {
    if (s->engine)
        s->backend->close(s->engine);
    gr_problem_free(&s->problem);
    free(s->individuals);
    free(s->genotypes);
    free(s->programs);
    free(s->plans);
    free(s->costs);
}

/* One generation on, and everything of it read back. */
static int side_step(const char *name, side *s) {
    gr_error error = {0};
    const gr_params *p = &s->problem.job.params;
    size_t n = p->individuals,
           words = p->genotype == GR_TREE ? 2 * p->max_nodes : p->genome_capacity;
    if (s->backend->advance(s->engine, NULL, NULL, &s->records, &s->generations, &s->finished,
                            &error) ||
        (s->finished && p->sampling && s->backend->rank(s->engine, &error)) ||
        s->backend->read(s->engine, GR_SECTION_INDIVIDUALS, s->individuals,
                         n * sizeof *s->individuals, &error) ||
        s->backend->read(s->engine, GR_SECTION_GENOTYPES, s->genotypes, n * words * 4, &error) ||
        s->backend->read(s->engine, GR_SECTION_PROGRAMS, s->programs,
                         n * p->max_nodes * sizeof *s->programs, &error) ||
        s->backend->read(s->engine, GR_SECTION_PLANS, s->plans, n * sizeof *s->plans, &error) ||
        s->backend->read(s->engine, GR_SECTION_COSTS, s->costs, n * sizeof *s->costs, &error))
        return side_fail(name, s, &error);
    return 0;
}

/* Name of the first stage of breeding in which an individual (of the compared runs) differs, or
 * NULL. */
/* A parent counted in its run; those in archives of niches stand behind all individuals. */
static uint32_t parent_in_run(const side *s, uint32_t i) {
    const gr_params *p = &s->problem.job.params;
    uint32_t here = p->islands * p->population;
    return i < p->individuals ? i - s->run * here
                              : i - p->individuals - s->run * p->islands * p->niches + here;
}

static const char *different_stage(const side *a, const side *b, uint32_t index) {
    const gr_params *p = &a->problem.job.params;
    uint32_t base_a = a->deme * p->population, base_b = b->deme * p->population;
    uint32_t i = base_a + index, j = base_b + index;
    size_t words = p->genotype == GR_TREE ? 2 * p->max_nodes : p->genome_capacity;
    gr_individual x = a->individuals[i], y = b->individuals[j];
    gr_plan u = a->plans[i], v = b->plans[j];
    size_t used = (p->genotype == GR_TREE ? 2 : 1) * (size_t)x.length * 4;
    u.a = parent_in_run(a, u.a), u.b = parent_in_run(a, u.b);
    v.a = parent_in_run(b, v.a), v.b = parent_in_run(b, v.b);
    if (!a->finished && a->records[a->deme].written && memcmp(&u, &v, sizeof u))
        return "selection";
    if (x.length != y.length || memcmp(a->genotypes + i * words, b->genotypes + j * words, used))
        return "genotype";
    if (x.used != y.used || x.nodes != y.nodes || x.depth != y.depth ||
        x.derivation_nodes != y.derivation_nodes || x.validity != y.validity)
        return "mapping";
    if (x.instructions != y.instructions ||
        memcmp(a->programs + (size_t)i * p->max_nodes, b->programs + (size_t)j * p->max_nodes,
               x.instructions * sizeof(gr_instruction)))
        return "program";
    return NULL;
}

static const char *different_record(const gr_params *p, const gr_record *x, const gr_record *y) {
    if (x->generation != y->generation || x->written != y->written || x->improved != y->improved ||
        x->best_index != y->best_index)
        return "best individual";
    if (memcmp(&x->best_cost, &y->best_cost, 4) ||
        memcmp(&x->best_ever_cost, &y->best_ever_cost, 4))
        return "best fitness";
    if (memcmp(&x->test_cost, &y->test_cost, 4))
        return "test fitness";
    if (memcmp(&x->statistics.cost_sum, &y->statistics.cost_sum, 8) ||
        x->statistics.best_key != y->statistics.best_key ||
        x->statistics.finite != y->statistics.finite ||
        memcmp(x->statistics.sum, y->statistics.sum,
               sizeof x->statistics.sum + sizeof x->statistics.least + sizeof x->statistics.most) ||
        memcmp(x->statistics.validity, y->statistics.validity, sizeof x->statistics.validity))
        return "statistics";
    if (x->mutated_again != y->mutated_again)
        return "mutations of duplicates";
    if (p->diversity && memcmp(&x->diversity, &y->diversity, sizeof x->diversity))
        return "diversity";
    return NULL;
}

static int report(const char *name, const side *a, const side *b, uint32_t generation,
                  uint32_t individual, const char *stage) {
    printf("not ok %s: %s and %s differ first in deme %u, generation %u, individual %u: %s\n", name,
           a->label, b->label, a->deme, generation, individual, stage);
    return 1;
}

/* After a step that selected generation g: fitness and record of g, then what was bred from it,
 * generation g + 1, each over all individuals before the next. */
static int compare_deme(const char *name, const side *a, const side *b, uint32_t g) {
    const gr_params *p = &a->problem.job.params;
    const gr_record *x = &a->records[a->deme], *y = &b->records[b->deme];
    for (uint32_t k = 0; k < p->population; k++)
        if (memcmp(&a->costs[a->deme * p->population + k], &b->costs[b->deme * p->population + k],
                   sizeof(float)))
            return report(name, a, b, g, k, "fitness");
    const char *record = different_record(p, x, y);
    if (record)
        return report(name, a, b, g, x->best_index, record);
    for (uint32_t k = 0; k < p->population && !a->finished; k++) {
        const char *stage = different_stage(a, b, k);
        if (stage)
            return report(name, a, b, g + 1, k, stage);
    }
    return 0;
}

/* Runs both for `generations` and reports the first difference as (run, generation, individual,
 * stage). 0: the same. All runs are compared when both sides hold the same number of them,
 * otherwise a->run with b->run until that one ends. */
static __attribute__((unused)) int lockstep(const char *name, side *a, side *b,
                                            uint32_t generations) {
    uint32_t whole = a->problem.job.params.runs == b->problem.job.params.runs;
    uint32_t runs = whole ? a->problem.job.params.runs : 1;
    for (uint32_t g = 0; g <= generations && !a->finished && !b->finished; g++) {
        if (side_step(name, a) || side_step(name, b))
            return 1;
        for (uint32_t r = 0; r < runs; r++) {
            if (whole)
                a->run = b->run = r;
            else if (b->finished) /* only its last record and costs are left to compare */
                a->finished = 1;
            for (uint32_t island = 0; island < a->problem.job.params.islands; island++) {
                a->deme = a->run * a->problem.job.params.islands + island;
                b->deme = b->run * b->problem.job.params.islands + island;
                if (compare_deme(name, a, b, g))
                    return 1;
            }
        }
        if (whole && a->finished != b->finished) {
            printf("not ok %s: only one of %s and %s ended at generation %u\n", name, a->label,
                   b->label, g);
            return 1;
        }
    }
    printf("ok %s: %s == %s\n", name, a->label, b->label);
    return 0;
}

#endif
