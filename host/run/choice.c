#include "host/run/choice.h"

#include "host/problem/shown_fitness.h"
#include "host/run/between.h"
#include "host/run/population.h"
#include "host/settings/settings.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* A number in every leaf, of which a binary tree has half as many as nodes, and something for the
 * operations, which were chosen too: of 0.3 to 1 the value that did best on six sets with noise. */
static const double parameters_of_a_node = 0.7;

/* Times the mean squared error that a program may have more for having values between the cases. */
static const double worth_of_a_value = 1.5;

/* The criterion with `harm` more of a mean squared error. */
static double schwarz_with(const gr_problem *problem, double fitness, uint32_t nodes, double harm) {
    const gr_params *p = &problem->job.params;
    double cases = (double)problem->train.cases;
    double square = p->metric == GR_METRIC_RMSE ? fitness * fitness
                    : p->metric == GR_METRIC_R2 ? 1.0 - fitness /* its share of the variance */
                                                : fitness;
    if (harm > 0.0)
        square += p->metric == GR_METRIC_R2 ? harm * cases / p->target_ss[0] : harm;
    double parameters = parameters_of_a_node * nodes;
    return isfinite(square) ? cases * log(fmax(square, DBL_MIN)) + parameters * log(cases)
                            : INFINITY;
}

double gr_schwarz(const gr_problem *problem, double fitness, uint32_t nodes) {
    return schwarz_with(problem, fitness, nodes, 0.0);
}

/* Who may be chosen: a place of the population, its count for the best so far, first of them. */
typedef struct candidate {
    double value;
    uint32_t place, rank; /* rank: among equals the lower one */
} candidate;

static int rises(const void *a, const void *b) {
    const candidate *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* The best so far and the front, place[0, front), the least first: front + 1 of them. */
static void line_up(const gr_problem *problem, const gr_population *t, const uint32_t *place,
                    uint32_t front, const gr_best *best, candidate *all) {
    all[0] = (candidate){gr_schwarz(problem, best->train, best->nodes), t->count, 0};
    for (uint32_t k = 0; k < front; k++) {
        double fitness = gr_fitness_of(problem->job.params.metric, (double)t->cost[place[k]]);
        uint32_t nodes = t->individual[place[k]].nodes;
        all[k + 1] = (candidate){gr_schwarz(problem, fitness, nodes), place[k], k + 1};
    }
    qsort(all, front + 1ull, sizeof *all, rises);
}

size_t gr_choice_bytes(const gr_problem *problem) {
    const gr_params *p = &problem->job.params;
    size_t each = sizeof(gr_individual) + sizeof(float) + sizeof(uint32_t) + sizeof(candidate);
    int reads = problem->front_choice == GR_CHOICE_BIC && !p->objectives;
    size_t of_all = (size_t)p->islands * p->population * each;
    return reads ? of_all + gr_between_bytes(problem) : 0;
}

/* The one of all[0, count) that is least with its harm between the cases, of those nearly as good
 * without it as the first. *chosen has no texts if that is the best so far. */
static gr_status choose(gr_run *run, const gr_population *t, const candidate *all, uint32_t count,
                        const gr_best *best, gr_best *chosen, gr_error *error) {
    const gr_problem *problem = gr_run_problem(run);
    double limit = all[0].value + (double)problem->train.cases * log(worth_of_a_value);
    double least = INFINITY, harm = 0.0;
    gr_between between;
    gr_best at;
    gr_status status = gr_between_draw(problem, &between, error);
    *chosen = (gr_best){0};
    for (uint32_t k = 0;
         !status && k < count && all[k].value <= limit && (!k || all[k].value < least); k++) {
        at = (gr_best){0};
        if (all[k].place < t->count)
            status = gr_population_show(run, t, &all[k].place, 1, &at, error);
        const gr_best *one = at.infix ? &at : best;
        if (!status)
            status = gr_between_look(problem, &between, one, &harm, error);
        double value = status ? INFINITY : schwarz_with(problem, one->train, one->nodes, harm);
        if (value < least || (!status && !k)) {
            least = value;
            gr_best swapped = *chosen;
            *chosen = at;
            at = swapped;
        }
        gr_best_free(&at);
    }
    gr_between_free(&between);
    if (status)
        gr_best_free(chosen);
    return status;
}

/* The fronts of all islands, one after another: what is wrong with the best of one need not be with
 * those of the others. */
static gr_status join_fronts(const gr_problem *problem, const gr_population *t, uint32_t *place,
                             uint32_t *found, gr_error *error) {
    uint32_t size = problem->job.params.population;
    gr_status status = GR_OK;
    *found = 0;
    for (uint32_t first = 0; !status && first < t->count; first += size) {
        gr_population island = {.count = size};
        uint32_t front = 0;
        island.individual = t->individual + first;
        island.cost = t->cost + first;
        status = gr_population_front(&island, place + *found, &front, error);
        for (uint32_t k = 0; !status && k < front; k++)
            place[(*found)++] += first;
    }
    return status;
}

gr_status gr_choose_by_size(gr_run *run, uint32_t index, gr_best *best, gr_error *error) {
    const gr_problem *problem = gr_run_problem(run);
    gr_population t;
    gr_error gone;
    gr_best chosen = {0};
    uint32_t front = 0;
    if (problem->front_choice != GR_CHOICE_BIC || problem->job.params.objectives || !best->infix)
        return GR_OK;
    gr_status status = gr_population_read_selected(run, index, &t, &gone);
    if (status)
        return status == GR_NO_MEMORY ? gr_fail(error, status, "%s", gone.text) : GR_OK;
    uint32_t *place = malloc(t.count * sizeof *place);
    status = place ? join_fronts(problem, &t, place, &front, error)
                   : gr_fail(error, GR_NO_MEMORY, "no memory for a front of programs");
    candidate *all = status ? NULL : malloc((front + 1ull) * sizeof *all);
    if (!status && !all)
        status = gr_fail(error, GR_NO_MEMORY, "no memory for a front of programs");
    if (!status) {
        line_up(problem, &t, place, front, best, all);
        status = choose(run, &t, all, front + 1, best, &chosen, error);
    }
    if (!status && chosen.infix) {
        chosen.restarts = best->restarts;
        chosen.validation = (double)NAN;
        gr_best_free(best);
        *best = chosen;
    }
    free(all);
    free(place);
    gr_population_free(&t);
    return status;
}
