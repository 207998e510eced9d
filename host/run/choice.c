#include "host/run/choice.h"

#include "host/problem/shown_fitness.h"
#include "host/run/population.h"
#include "host/settings/settings.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* A number in every leaf, of which a binary tree has half as many as nodes, and something for the
 * operations, which were chosen too: of 0.3 to 1 the value that did best on six sets with noise. */
static const double parameters_of_a_node = 0.7;

double gr_schwarz(const gr_problem *problem, double fitness, uint32_t nodes) {
    uint32_t metric = problem->job.params.metric;
    double square = metric == GR_METRIC_RMSE ? fitness * fitness
                    : metric == GR_METRIC_R2 ? 1.0 - fitness /* its share of the variance */
                                             : fitness;
    double cases = (double)problem->train.cases;
    double parameters = parameters_of_a_node * nodes;
    return isfinite(square) ? cases * log(fmax(square, DBL_MIN)) + parameters * log(cases)
                            : INFINITY;
}

/* The place of the least; count of the population: the best so far is. */
static uint32_t find_least(const gr_problem *problem, const gr_population *t, const uint32_t *place,
                           uint32_t front, const gr_best *best) {
    double least = gr_schwarz(problem, best->train, best->nodes);
    uint32_t found = t->count;
    for (uint32_t k = 0; k < front; k++) {
        const gr_individual *one = &t->individual[place[k]];
        double fitness = gr_fitness_of(problem->job.params.metric, (double)t->cost[place[k]]);
        double value = gr_schwarz(problem, fitness, one->nodes);
        if (value < least) {
            least = value;
            found = place[k];
        }
    }
    return found;
}

size_t gr_choice_bytes(const gr_problem *problem) {
    const gr_params *p = &problem->job.params;
    size_t each = sizeof(gr_individual) + sizeof(float) + sizeof(uint32_t);
    int reads = problem->front_choice == GR_CHOICE_BIC && !p->objectives;
    return reads ? (size_t)p->islands * p->population * each : 0;
}

gr_status gr_choose_by_size(gr_run *run, uint32_t index, gr_best *best, gr_error *error) {
    const gr_problem *problem = gr_run_problem(run);
    gr_population t;
    gr_error gone;
    gr_best chosen;
    uint32_t front = 0;
    if (problem->front_choice != GR_CHOICE_BIC || problem->job.params.objectives || !best->infix)
        return GR_OK;
    gr_status status = gr_population_read_selected(run, index, &t, &gone);
    if (status)
        return status == GR_NO_MEMORY ? gr_fail(error, status, "%s", gone.text) : GR_OK;
    uint32_t *place = malloc(t.count * sizeof *place);
    status = place ? gr_population_front(&t, place, &front, error)
                   : gr_fail(error, GR_NO_MEMORY, "no memory for a front of programs");
    uint32_t least = status ? t.count : find_least(problem, &t, place, front, best);
    if (!status && least < t.count) {
        status = gr_population_show(run, &t, &least, 1, &chosen, error);
        if (!status) {
            chosen.restarts = best->restarts;
            chosen.validation = (double)NAN;
            gr_best_free(best);
            *best = chosen;
        }
    }
    free(place);
    gr_population_free(&t);
    return status;
}
