#define _GNU_SOURCE /* qsort_r */
#include "host/run/front.h"

#include "gpu/core/selection/pareto.h"
#include "host/base/decimal.h"
#include "host/base/json.h"
#include "host/base/text.h"
#include "host/problem/description.h"
#include "host/problem/shown_fitness.h"
#include "host/run/choice.h"
#include "host/run/population.h"
#include "host/run/recompute.h"
#include "host/settings/objectives.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int gr_has_front(const gr_run *run) {
    return gr_run_problem(run)->job.params.objectives > 0;
}

/* ---- the members ---- */

/* A population as the device has it. */
typedef struct ranked {
    const gr_params *p;
    gr_population population;
    float *objective;   /* [count][objectives] */
    uint32_t *standing; /* [count] */
    gr_replaced_by *of; /* [islands] */
    uint32_t *place;    /* members of the front */
    uint32_t members;
} ranked;

static void free_ranked(ranked *r) {
    gr_population_free(&r->population);
    free(r->objective);
    free(r->standing);
    free(r->of);
    free(r->place);
}

size_t gr_front_bytes(const gr_params *p) {
    size_t each =
        sizeof(gr_individual) + sizeof(float) * (1 + p->objectives) + 2 * sizeof(uint32_t);
    return p->objectives ? (size_t)p->islands * p->population * each : 0;
}

static gr_status read_ranked(gr_run *run, uint32_t index, ranked *r, gr_error *error) {
    const gr_params *p = r->p = &gr_run_problem(run)->job.params;
    gr_population *t = &r->population;
    *t = (gr_population){.count = p->islands * p->population, .run = index};
    gr_status found = gr_run_find_generation(run, index, &t->generation, error);
    if (found)
        return found;
    size_t n = t->count, m = p->objectives, first = n * index;
    t->individual = t->memory = malloc(n * (sizeof *t->individual + sizeof *t->cost));
    r->objective = malloc(n * m * sizeof *r->objective);
    r->standing = malloc(n * sizeof *r->standing);
    r->of = malloc(p->islands * sizeof *r->of);
    r->place = malloc(n * sizeof *r->place);
    if (!t->memory || !r->objective || !r->standing || !r->of || !r->place)
        return gr_fail(error, GR_NO_MEMORY, "no memory for a front of %zu individual%s", n,
                       gr_s(n));
    t->cost = (float *)(t->individual + n);
    const struct {
        gr_section section;
        size_t rows, from, bytes;
        void *to;
    } part[] = {
        {GR_SECTION_INDIVIDUALS, n, first, sizeof *t->individual, t->individual},
        {GR_SECTION_OBJECTIVES, n, first, m * sizeof *r->objective, r->objective},
        {GR_SECTION_STANDING, n, first, sizeof *r->standing, r->standing},
        {GR_SECTION_REPLACED_BY, p->islands, (size_t)index * p->islands, sizeof *r->of, r->of}};
    gr_status status = GR_OK;
    for (size_t k = 0; !status && k < sizeof part / sizeof *part; k++)
        status = gr_run_read_at(run, part[k].section, part[k].from * part[k].bytes, part[k].to,
                                part[k].rows * part[k].bytes, error);
    for (size_t k = 0; !status && k < m; k++)
        for (size_t i = 0; p->objective[k] == GR_OBJECTIVE_ERROR && i < n; i++)
            t->cost[i] = r->objective[i * m + k];
    return status;
}

static const float *objectives_at(const ranked *r, uint32_t place) {
    return r->objective + (size_t)place * r->p->objectives;
}

/* Whether a is nowhere worse than b. */
static int covers(const ranked *r, uint32_t a, uint32_t b) {
    const float *x = objectives_at(r, a), *y = objectives_at(r, b);
    int covered = 1;
    for (uint32_t k = 0; k < r->p->objectives; k++)
        covered &= x[k] <= y[k];
    return covered;
}

/* By rising size, then objectives, then place. */
static int compare_members(const void *a, const void *b, void *context) {
    const ranked *r = context;
    uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    uint32_t x = r->population.individual[i].nodes, y = r->population.individual[j].nodes;
    if (x != y)
        return (x > y) - (x < y);
    const float *u = objectives_at(r, i), *v = objectives_at(r, j);
    for (uint32_t k = 0; k < r->p->objectives; k++)
        if (u[k] != v[k])
            return (u[k] > v[k]) - (u[k] < v[k]);
    return (i > j) - (i < j);
}

/* First fronts of the islands, and of those who no other covers, of equals the first. */
static void find_members(ranked *r) {
    uint32_t n = r->p->population, kept = 0;
    r->members = 0;
    for (uint32_t i = 0; i < r->population.count; i++)
        if (r->standing[i] < r->of[i / n].first_front && objectives_at(r, i)[0] < GR_INFINITY)
            r->place[r->members++] = i;
    qsort_r(r->place, r->members, sizeof *r->place, compare_members, r);
    for (uint32_t a = 0; a < r->members; a++) {
        int beaten = 0;
        for (uint32_t b = 0; r->p->islands > 1 && b < r->members && !beaten; b++)
            beaten = a != b && covers(r, r->place[b], r->place[a]) &&
                     (b < a || !covers(r, r->place[a], r->place[b]));
        r->standing[a] = (uint32_t)!beaten; /* which is read no more */
    }
    for (uint32_t a = 0; a < r->members; a++)
        if (r->standing[a])
            r->place[kept++] = r->place[a];
    r->members = kept;
}

/* ---- errors once more ---- */

static uint32_t metric_of(const gr_params *p, uint32_t k) {
    return p->objective[k] == GR_OBJECTIVE_METRIC ? p->other_metric : p->metric;
}

static double shown(const gr_params *p, uint32_t k, float value) {
    int error = p->objective[k] == GR_OBJECTIVE_METRIC || p->objective[k] == GR_OBJECTIVE_ERROR;
    return error ? gr_fitness_of(metric_of(p, k), (double)value) : (double)value;
}

/* Holds the members to their errors by the run's metric and, where it is an objective, another. */
static gr_status check_errors(const gr_problem *problem, gr_front *f, gr_error *error) {
    const gr_params *p = &problem->job.params;
    gr_status status = gr_recompute(problem, f->member, f->count, error);
    for (uint32_t k = 0; !status && k < p->objectives; k++) {
        if (p->objective[k] != GR_OBJECTIVE_METRIC)
            continue;
        gr_problem by = *problem;
        gr_best *copy = malloc((f->count + 1ull) * sizeof *copy);
        if (!copy)
            return gr_fail(error, GR_NO_MEMORY, "no memory for a front of %u", f->count);
        if (!p->other_shares)
            by.job.params = problem->other;
        by.job.params.metric = p->other_metric;
        by.test.cases = by.test.words = 0;
        for (uint32_t i = 0; i < f->count; i++) {
            copy[i] = f->member[i];
            copy[i].train = f->objective[i][k];
        }
        status = gr_recompute(&by, copy, f->count, error);
        for (uint32_t i = 0; !status && i < f->count; i++)
            f->member[i].differs |= copy[i].differs;
        free(copy);
    }
    return status;
}

/* ---- the choice ---- */

static gr_status describe(const gr_problem *problem, gr_front *f, gr_error *error) {
    gr_status status = GR_OK;
    f->nats = malloc((f->count + 1ull) * sizeof *f->nats);
    if (!f->nats)
        return gr_fail(error, GR_NO_MEMORY, "no memory for a front of %u", f->count);
    for (uint32_t i = 0; !status && i < f->count; i++) {
        const gr_best *b = &f->member[i];
        const double fit[2] = {b->intercept, b->slope};
        status = gr_description_length(
            problem, b->infix, problem->job.params.linear_scaling ? fit : NULL, &f->nats[i], error);
    }
    return status;
}

/* How far a member is from the best of the front in all objectives, each over its range. */
static double bend(const gr_front *f, const double cost[][GR_MAX_OBJECTIVES], uint32_t i) {
    double sum = 0.0;
    for (uint32_t k = 0; k < f->objectives; k++) {
        double least = INFINITY, most = -INFINITY;
        for (uint32_t other = 0; other < f->count; other++) {
            least = fmin(least, cost[other][k]);
            most = fmax(most, cost[other][k]);
        }
        sum += most > least ? (cost[i][k] - least) / (most - least) : 0.0;
    }
    return sum;
}

/* What the choice makes least; ties go to the smaller member. */
static void choose(const gr_run *run, gr_front *f) {
    const gr_problem *problem = gr_run_problem(run);
    const gr_params *p = &problem->job.params;
    double each = gr_parameters_in_run(run);
    uint32_t choice = problem->front_choice;
    double least = INFINITY;
    double(*cost)[GR_MAX_OBJECTIVES] = malloc((f->count + 1ull) * sizeof *cost);
    for (uint32_t i = 0; cost && i < f->count; i++)
        for (uint32_t k = 0; k < f->objectives; k++)
            cost[i][k] =
                p->objective[k] == GR_OBJECTIVE_ERROR || p->objective[k] == GR_OBJECTIVE_METRIC
                    ? gr_cost_of(metric_of(p, k), f->objective[i][k])
                    : f->objective[i][k];
    f->chosen = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        double value = choice == GR_CHOICE_MDL ? f->nats[i]
                       : choice == GR_CHOICE_BIC
                           ? gr_schwarz(problem, f->member[i].train, f->member[i].nodes, each)
                       : choice == GR_CHOICE_KNEE && cost
                           ? bend(f, (const void *)cost, i)
                           : gr_cost_of(p->metric, f->member[i].train);
        if (value < least) {
            least = value;
            f->chosen = i;
        }
    }
    free(cost);
}

/* ---- the front ---- */

static gr_status take_members(gr_run *run, ranked *r, gr_front *f, gr_error *error) {
    const gr_params *p = r->p;
    f->objectives = p->objectives;
    f->member = calloc(r->members + 1ull, sizeof *f->member);
    f->objective = calloc(r->members + 1ull, sizeof *f->objective);
    if (!f->member || !f->objective)
        return gr_fail(error, GR_NO_MEMORY, "no memory for a front of %u", r->members);
    gr_status status =
        gr_population_show(run, &r->population, r->place, r->members, f->member, error);
    if (status)
        return status;
    f->count = r->members;
    for (uint32_t i = 0; i < f->count; i++)
        for (uint32_t k = 0; k < p->objectives; k++)
            f->objective[i][k] = shown(p, k, objectives_at(r, r->place[i])[k]);
    return GR_OK;
}

gr_status gr_front_read(gr_run *run, uint32_t index, gr_front *front, gr_error *error) {
    const gr_problem *problem = gr_run_problem(run);
    uint32_t choice = problem->front_choice;
    ranked r = {0};
    gr_front f = {0};
    gr_status status = read_ranked(run, index, &r, error);
    if (!status) {
        find_members(&r);
        status = take_members(run, &r, &f, error);
    }
    if (!status)
        status = check_errors(problem, &f, error);
    if (!status && choice == GR_CHOICE_MDL)
        status = describe(problem, &f, error);
    if (!status)
        choose(run, &f);
    free_ranked(&r);
    if (status)
        gr_front_free(&f);
    *front = f;
    return status;
}

void gr_front_free(gr_front *front) {
    for (uint32_t i = 0; i < front->count; i++)
        gr_best_free(&front->member[i]);
    free(front->member);
    free(front->objective);
    free(front->nats);
    *front = (gr_front){0};
}

/* Whether the best of a run stays, whoever the front would choose. */
static int stays(const gr_problem *problem, const gr_front *f, const gr_best *best) {
    const gr_params *p = &problem->job.params;
    if (!f->count || (problem->front_choice == GR_AUTO && p->validation_chunks))
        return 1;
    return (problem->front_choice == GR_AUTO || problem->front_choice == GR_CHOICE_ERROR) &&
           gr_is_better(p->metric, best->train, f->member[f->chosen].train);
}

/* The member that a best is; where it is none, since the front went on without it, their count. */
static uint32_t find_member(const gr_front *f, const gr_best *best) {
    uint32_t i = 0;
    while (i < f->count && (f->member[i].nodes != best->nodes || !best->infix ||
                            strcmp(f->member[i].infix, best->infix) != 0))
        i++;
    return i;
}

gr_status gr_front_choose(const gr_run *run, gr_front *f, gr_best *best, gr_error *error) {
    gr_best chosen;
    uint32_t own = find_member(f, best);
    if (stays(gr_run_problem(run), f, best)) {
        f->chosen = own;
        return GR_OK;
    }
    chosen = f->member[f->chosen];
    chosen.infix = strdup(chosen.infix);
    chosen.phenotype = strdup(chosen.phenotype);
    chosen.genome = chosen.genome ? malloc((chosen.length + 1ull) * sizeof *chosen.genome) : NULL;
    if (chosen.genome)
        memcpy(chosen.genome, f->member[f->chosen].genome, chosen.length * sizeof *chosen.genome);
    chosen.source = GR_FROM_FRONT;
    chosen.validation = (double)NAN;
    if (own == f->chosen) { /* of the very program is known when it was found */
        chosen.source = best->source;
        chosen.generation = best->generation;
        chosen.validation = best->validation;
    }
    chosen.restarts = best->restarts;
    int complete = chosen.infix && chosen.phenotype && (chosen.genome || !best->genome);
    gr_best_free(complete ? best : &chosen);
    if (!complete)
        return gr_fail(error, GR_NO_MEMORY, "no memory for the best of run %u", best->run);
    *best = chosen;
    return GR_OK;
}

/* ---- shown ---- */

/* "depth" is that of the expression. */
static const char *column(const gr_params *p, uint32_t k) {
    return p->objective[k] == GR_OBJECTIVE_DEPTH
               ? "tree_depth"
               : gr_objective_word(p->objective[k], p->metric, p->other_metric);
}

void gr_front_print(const gr_run *run, const gr_front *f, FILE *out) {
    const gr_params *p = &gr_run_problem(run)->job.params;
    for (uint32_t k = 0; k < p->objectives; k++)
        fprintf(out, "%s\t", column(p, k));
    fprintf(out, "test_fitness\trecomputed_fitness\tsize\tdepth\t%schosen\texpression\n",
            f->nats ? "description\t" : "");
    for (uint32_t i = 0; i < f->count; i++) {
        const gr_best *b = &f->member[i];
        for (uint32_t k = 0; k < p->objectives; k++)
            fprintf(out, "%.9g\t", f->objective[i][k]);
        fprintf(out, "%.9g\t%.9g\t%u\t%u\t", b->test, b->recomputed[0], b->nodes, b->levels);
        if (f->nats)
            fprintf(out, "%.9g\t", f->nats[i]);
        fprintf(out, "%d\t%s\n", i == f->chosen, b->infix);
    }
}

cJSON *gr_front_json(const gr_run *run, const gr_front *f) {
    const gr_params *p = &gr_run_problem(run)->job.params;
    cJSON *list = cJSON_CreateArray();
    for (uint32_t i = 0; i < f->count; i++) {
        const gr_best *b = &f->member[i];
        cJSON *one = cJSON_CreateObject(), *objectives = cJSON_CreateObject();
        for (uint32_t k = 0; k < p->objectives; k++)
            gr_json_add_float(objectives, column(p, k), f->objective[i][k]);
        cJSON_AddItemToObject(one, "objectives", objectives);
        gr_json_add_float(one, "fitness", b->train);
        gr_json_add_float(one, "test_fitness", b->test);
        gr_json_add_float(one, "recomputed_fitness", b->recomputed[0]);
        gr_json_add_float(one, "recomputed_test_fitness", b->recomputed[1]);
        cJSON_AddBoolToObject(one, "recomputed_differs", b->differs);
        gr_json_add_whole(one, "size", b->nodes);
        gr_json_add_whole(one, "depth", b->levels);
        if (f->nats)
            gr_json_add_float(one, "description", f->nats[i]);
        if (p->linear_scaling) {
            cJSON_AddNumberToObject(one, "intercept", b->intercept);
            cJSON_AddNumberToObject(one, "slope", b->slope);
        }
        cJSON_AddBoolToObject(one, "chosen", i == f->chosen);
        gr_json_add_text(one, "infix", b->infix);
        cJSON_AddItemToArray(list, one);
    }
    return list;
}
