#include "host/run/choice.h"

#include "gpu/core/state/state.h"
#include "host/problem/shown_fitness.h"
#include "host/run/between.h"
#include "host/run/linear_model.h"
#include "host/run/population.h"
#include "host/run/rounding.h"
#include "host/run/turns.h"
#include "host/settings/settings.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* A number in every leaf, of which a binary tree has half as many as nodes, and something for the
 * operations, which were chosen too: of 0.3 to 1 the value that did best on six sets with noise. */
static const double parameters_of_a_node = 0.7;

/* They are chosen among what a run has tried: from some million programs on its best for a size fit
 * the more noise the more there were. Ten times as many: so much more for a node. By ten sets and 1
 * to 90 million programs (host/settings/README.md). */
static const double more_for_ten_times = 0.115;

/* Times the mean squared error that a program may have more for having values between the cases. */
static const double worth_of_a_value = 1.5;

/* A law without noise leaves less than this of the variance. */
static const double nothing_left = 1e-6; /* floats near 1 are 6e-8 apart */

/* With more nodes than cases any error is reached, and says nothing. (A steady correction for few
 * cases, McQuarrie 1999, takes laws for noise where there are forty.) */
static int has_many_nodes(double cases, uint32_t nodes) {
    return nodes > cases;
}

/* Programs that the run has evaluated so far. */
static double programs_tried(const gr_run *run) {
    const gr_params *p = &gr_run_problem(run)->job.params;
    gr_run_report report;
    gr_run_look(run, &report);
    return (report.generation + 1.0) * p->population * p->islands;
}

double gr_parameters_of_a_node(double tried) {
    return fmax(parameters_of_a_node, more_for_ten_times * log10(tried));
}

double gr_parameters_in_run(const gr_run *run) {
    return gr_parameters_of_a_node(programs_tried(run));
}

/* The criterion of a mean squared error and so many `parameters`. A law that leaves nothing of the
 * target's `variance` may have many nodes, but for two parameters as many as cases; others do not
 * count then, and it is not looked at. */
static double criterion(double cases, double square, double variance, uint32_t nodes,
                        double parameters) {
    int is_law = square < nothing_left * variance && parameters <= cases - 2.0;
    if (!isfinite(square) || (has_many_nodes(cases, nodes) && !is_law))
        return INFINITY;
    return cases * log(fmax(square, DBL_MIN)) + parameters * log(cases);
}

/* Of a linear model, by what it leaves of the variance: the least is the same. Evolution did not
 * find it. */
static double criterion_of_linear(double cases, double share, uint32_t nodes) {
    return criterion(cases, share, 1.0, nodes, parameters_of_a_node * nodes);
}

/* Of the training cases' target; parameters know it in some runs only. */
static double variance_of(const gr_dataset *set) {
    double weight = 0.0, mean = 0.0, squares = 0.0;
    for (uint64_t i = 0; i < set->cases; i++) { /* West 1979 */
        double w = set->w ? (double)set->w[i] : 1.0, apart = gr_dataset_target(set, i) - mean;
        weight += w;
        mean += apart * w / weight;
        squares += w * apart * (gr_dataset_target(set, i) - mean);
    }
    return squares / weight;
}

/* The criterion with `harm` more of a mean squared error. */
static double schwarz_with(const gr_problem *problem, double fitness, uint32_t nodes, double each,
                           double harm) {
    const gr_params *p = &problem->job.params;
    double cases = (double)problem->train.cases, parameters = each * nodes;
    double counted = p->case_weights ? p->weight[0] : cases; /* what the squares are the sum of */
    if (p->metric == GR_METRIC_R2)
        return criterion(cases, 1.0 - fitness + harm * counted / p->target_ss[0], 1.0, nodes,
                         parameters);
    double square = p->metric == GR_METRIC_RMSE ? fitness * fitness : fitness;
    double variance = has_many_nodes(cases, nodes) ? variance_of(&problem->train) : 0.0;
    return criterion(cases, square + harm, variance, nodes, parameters);
}

double gr_schwarz(const gr_problem *problem, double fitness, uint32_t nodes, double each) {
    return schwarz_with(problem, fitness, nodes, each, 0.0);
}

/* Who may be chosen. */
typedef struct candidate {
    double value;
    const gr_population *of; /* NULL: it has its texts */
    gr_best *shown;
    uint32_t place, rank; /* rank: among equals the lower one */
} candidate;

/* Where they come from, the best so far aside: the generation selected last, the archive of niches,
 * the linear model. */
typedef struct field {
    gr_population selected, archive;
    gr_best linear, mean;
    double each; /* parameters of a node of what evolution has found */
    candidate *all;
    uint32_t count, *place;
} field;

static int rises(const void *a, const void *b) {
    const candidate *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static double each_of(const field *f, const gr_best *shown) {
    return shown == &f->linear || shown == &f->mean ? parameters_of_a_node : f->each;
}

static void enter(const gr_problem *problem, field *f, gr_best *shown) {
    double value = gr_schwarz(problem, shown->train, shown->nodes, each_of(f, shown));
    f->all[f->count] = (candidate){value, NULL, shown, 0, f->count};
    f->count++;
}

/* The fronts of all islands, one after another: what is wrong with the best of one need not be with
 * those of the others. */
static gr_status enter_fronts(const gr_problem *problem, field *f, const gr_population *t,
                              uint32_t size, gr_error *error) {
    gr_status status = GR_OK;
    for (uint32_t first = 0; !status && first < t->count; first += size) {
        gr_population island = {.count = size};
        uint32_t front = 0;
        island.individual = t->individual + first;
        island.cost = t->cost + first;
        status = gr_population_front(&island, f->place, &front, error);
        for (uint32_t k = 0; !status && k < front; k++) {
            uint32_t place = first + f->place[k], nodes = t->individual[place].nodes;
            double fitness = gr_fitness_of(problem->job.params.metric, (double)t->cost[place]);
            f->all[f->count] =
                (candidate){gr_schwarz(problem, fitness, nodes, f->each), t, NULL, place, f->count};
            f->count++;
        }
    }
    return status;
}

size_t gr_choice_bytes(const gr_problem *problem) {
    const gr_params *p = &problem->job.params;
    size_t each = sizeof(gr_individual) + sizeof(float) + sizeof(uint32_t) + sizeof(candidate);
    size_t kept = p->niches, inputs = p->inputs + 1ull;
    int reads = problem->front_choice == GR_CHOICE_BIC && !p->objectives;
    size_t of_all = p->islands * (p->population * each + kept * (each + sizeof(gr_applicant) + 8));
    size_t of_linear = inputs <= GR_LINEAR_INPUTS + 1 ? inputs * (inputs + 3) * sizeof(double) : 0;
    return reads ? of_all + of_linear + gr_between_bytes(problem) + gr_rounding_bytes(problem) : 0;
}

/* The criterion of a program with what is wrong with it that its error does not show, and with what
 * there was to choose among for the frequencies in it: of t functions the best is by chance alone
 * better by twice the logarithm of t. */
static gr_status look_closer(const gr_problem *problem, const gr_between *between,
                             const gr_best *best, double each, double *value, gr_error *error) {
    gr_rounding rounding = {0};
    double harm = 0.0, turns = 0.0;
    gr_status status = gr_between_look(problem, between, best, &harm, error);
    if (!status)
        status = gr_rounding_look(problem, best, &rounding, error);
    if (!status)
        status = gr_turns_look(problem, best, &turns, error);
    *value =
        schwarz_with(problem, best->train, best->nodes, each, harm + rounding.more) + 2.0 * turns;
    return status;
}

/* The one of f->all that is least when looked at closely, of those nearly as good without that as
 * the first. *chosen is `best`, or the caller's to free; *least what the criterion makes it. */
static gr_status choose(gr_run *run, const field *f, gr_best *best, gr_best *chosen, double *least,
                        gr_error *error) {
    const gr_problem *problem = gr_run_problem(run);
    const candidate *all = f->all;
    double limit = all[0].value + (double)problem->train.cases * log(worth_of_a_value), value;
    gr_between between;
    gr_status status = gr_between_draw(problem, &between, error);
    *chosen = *best;
    *least = INFINITY;
    for (uint32_t k = 0;
         !status && k < f->count && all[k].value <= limit && (!k || all[k].value < *least); k++) {
        double each = each_of(f, all[k].shown);
        gr_best at = {0};
        if (all[k].of)
            status = gr_population_show(run, all[k].of, &all[k].place, 1, &at, error);
        else { /* from here on it is chosen's, or nobody's */
            at = *all[k].shown;
            if (all[k].shown != best)
                *all[k].shown = (gr_best){0};
        }
        if (!status)
            status = look_closer(problem, &between, &at, each, &value, error);
        int better = !status && (value < *least || !k);
        gr_best lost = better ? *chosen : at;
        if (better) {
            *least = value;
            *chosen = at;
        }
        if (lost.infix != best->infix)
            gr_best_free(&lost);
    }
    gr_between_free(&between);
    if (status && chosen->infix != best->infix)
        gr_best_free(chosen);
    return status;
}

static gr_status line_up(gr_run *run, uint32_t index, field *f, gr_best *best, gr_error *error) {
    const gr_problem *problem = gr_run_problem(run);
    const gr_params *p = &problem->job.params;
    uint32_t none;
    gr_status status =
        gr_linear_model(run, index, criterion_of_linear, &f->linear, &f->mean, error);
    f->each = gr_parameters_in_run(run);
    if (!status && p->niches)
        status = gr_archive_read(run, index, 0, &f->archive, NULL, &none, error);
    if (status)
        return status;
    size_t most = 2ull + f->selected.count + f->archive.count;
    f->all = malloc(most * sizeof *f->all);
    f->place = malloc(gr_max_u32(p->population, p->niches) * sizeof *f->place);
    if (!f->all || !f->place)
        return gr_fail(error, GR_NO_MEMORY, "no memory for a front of programs");
    enter(problem, f, best);
    status = enter_fronts(problem, f, &f->selected, p->population, error);
    if (!status)
        status = enter_fronts(problem, f, &f->archive, p->niches, error);
    if (f->linear.infix)
        enter(problem, f, &f->linear);
    if (!status)
        qsort(f->all, f->count, sizeof *f->all, rises);
    return status;
}

/* What a program has to be better than to say more than the inputs do one by one: the mean of the
 * target, or the linear model, which chose its inputs among all (linear_model.h). NULL: neither is
 * a program of this run. */
static gr_best *plain_model(const gr_problem *problem, field *f, double *value) {
    const gr_params *p = &problem->job.params;
    gr_best *plain = f->mean.infix ? &f->mean : f->linear.infix ? &f->linear : NULL;
    if (!plain)
        return NULL;
    int is_mean = plain == &f->mean; /* which linear scaling has, without a node */
    uint32_t inputs = is_mean ? 0 : (plain->nodes + 1) / (p->weighted ? 2 : 4);
    *value = gr_schwarz(problem, plain->train, is_mean ? 0 : plain->nodes, each_of(f, plain)) +
             gr_choice_of_inputs(p, inputs);
    return plain;
}

/* Whether no program is better than that by more than chance makes the best of as many as the run
 * has evaluated, or as there are of its size: twice the logarithm of their number, whatever they
 * are. The operations, the inputs and a constant are what there is for a node. */
static int is_chance(gr_run *run, const field *f, double plain) {
    const gr_params *p = &gr_run_problem(run)->job.params;
    double tried = log(programs_tried(run));
    for (uint32_t k = 0; k < f->count; k++) {
        const candidate *c = &f->all[k];
        uint32_t nodes = c->of ? c->of->individual[c->place].nodes : c->shown->nodes;
        double chance = 2.0 * fmin(tried, nodes * log(p->functions + p->inputs + 1.0));
        if (c->shown != &f->linear && !(c->value + chance >= plain))
            return 0;
    }
    return 1;
}

/* gr_choose_by_size; *value is what the criterion makes the best that is told then. */
static gr_status choose_of_run(gr_run *run, uint32_t index, gr_best *best, double *value,
                               gr_error *error) {
    const gr_problem *problem = gr_run_problem(run);
    field f = {.count = 0};
    gr_error gone;
    gr_best chosen;
    *value = INFINITY;
    if (problem->front_choice != GR_CHOICE_BIC || problem->job.params.objectives || !best->infix)
        return GR_OK;
    *value = gr_schwarz(problem, best->train, best->nodes, gr_parameters_in_run(run));
    gr_status status = gr_population_read_selected(run, index, &f.selected, &gone);
    if (status)
        return status == GR_NO_MEMORY ? gr_fail(error, status, "%s", gone.text) : GR_OK;
    status = line_up(run, index, &f, best, error);
    double plain = 0.0;
    gr_best *model = status ? NULL : plain_model(problem, &f, &plain);
    if (model && is_chance(run, &f, plain)) {
        chosen = *model;
        *model = (gr_best){0};
        *value = plain;
    } else if (!status)
        status = choose(run, &f, best, &chosen, value, error);
    if (!status && chosen.infix != best->infix) {
        chosen.restarts = best->restarts;
        chosen.validation = (double)NAN;
        gr_best_free(best);
        *best = chosen;
    }
    gr_best_free(&f.linear);
    gr_best_free(&f.mean);
    free(f.all);
    free(f.place);
    gr_population_free(&f.archive);
    gr_population_free(&f.selected);
    return status;
}

gr_status gr_choose_by_size(gr_run *run, uint32_t index, gr_best *best, gr_error *error) {
    double value;
    return choose_of_run(run, index, best, &value, error);
}

/* Whether the problem asks for that, and the best of a batch is that of what is so chosen: not
 * beside objectives, nor where cases set aside decide. */
static int chooses_by_size(const gr_problem *problem) {
    const gr_params *p = &problem->job.params;
    return problem->front_choice == GR_CHOICE_BIC && !p->objectives && !p->validation_chunks;
}

static int is_told_better(uint32_t metric, const gr_best *a, const gr_best *b) {
    return gr_is_better(metric, a->train, b->train) ||
           (a->validity == GR_VALID) > (b->validity == GR_VALID);
}

uint32_t gr_told_best(const gr_best *best, uint32_t runs, uint32_t metric) {
    uint32_t leader = 0;
    for (uint32_t r = 1; r < runs; r++)
        if (is_told_better(metric, &best[r], &best[leader]))
            leader = r;
    return leader;
}

gr_status gr_choose_all_by_size(gr_run *run, gr_best *best, uint32_t *leader, gr_error *error) {
    const gr_problem *problem = gr_run_problem(run);
    uint32_t leads = 0, metric = problem->job.params.metric;
    double least = INFINITY, value;
    gr_status status = GR_OK;
    for (uint32_t r = 0; !status && r < problem->job.params.runs; r++) {
        status = choose_of_run(run, r, &best[r], &value, error);
        if (value < least ||
            (value == least && r && is_told_better(metric, &best[r], &best[leads]))) {
            least = value;
            leads = r;
        }
    }
    if (!status && chooses_by_size(problem))
        *leader = leads;
    return status;
}

gr_status gr_chosen_leader(gr_run *run, uint32_t *leader, gr_error *error) {
    gr_best leading = {0}, *best;
    gr_status status;
    if (!chooses_by_size(gr_run_problem(run))) {
        status = gr_run_leader(run, &leading, error);
        *leader = leading.run;
        return status;
    }
    status = gr_run_all_best(run, &best, leader, error);
    if (status)
        return status;
    status = gr_choose_all_by_size(run, best, leader, error);
    for (uint32_t r = 0; r < gr_run_problem(run)->job.params.runs; r++)
        gr_best_free(&best[r]);
    free(best);
    return status;
}
