/* The outcome of a run: the best of every run, their summary, classes and laws. */
#include "host/run/outcome.h"
#include "gpu/core/fitness/fitness.h"
#include "host/base/text.h"
#include "host/derivation/phenotype.h"
#include "host/problem/predict.h"
#include "host/problem/shown_fitness.h"
#include "host/run/choice.h"
#include "host/run/laws.h"
#include "host/run/population.h"
#include "host/run/recompute.h"
#include "host/settings/settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- collecting ---- */

const char *gr_state_name(gr_run_state state) {
    static const char *const names[] = {"running", "stopped", "done"};
    return names[state];
}

/* NaN without test cases. */
static gr_spread summarise(double *values, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        if (isnan(values[i]))
            return gr_spread_of(values, 0);
    return gr_spread_of(values, n);
}

static gr_status summarise_all(gr_outcome *o, gr_error *error) {
    double *values = malloc(3 * (size_t)o->runs * sizeof *values);
    if (!values)
        return gr_fail(error, GR_NO_MEMORY, "no memory for a summary of %u run%s", o->runs,
                       gr_s(o->runs));
    double *train = values, *test = values + o->runs, *nodes = test + o->runs;
    for (uint32_t r = 0; r < o->runs; r++) {
        train[r] = o->best[r].train;
        test[r] = o->best[r].test;
        nodes[r] = (double)o->best[r].nodes;
    }
    o->train = summarise(train, o->runs);
    o->test = summarise(test, o->runs);
    o->nodes = summarise(nodes, o->runs);
    free(values);
    return GR_OK;
}

/* Nothing may have been valid: then there is a genome, but no expression. */
static int is_valid(const gr_best *b) {
    return b->validity == GR_VALID;
}

/* Outputs of the leader on a set, malloc'ed; NULL and the reason in *status. */
static float *outputs_of(const gr_problem *problem, const gr_best *b, const gr_dataset *set,
                         gr_status *status, gr_error *error) {
    gr_node *nodes = NULL;
    uint32_t count;
    float *output = malloc((set->cases + 1) * sizeof *output);
    gr_prediction prediction = {output, 0.0f, {0.0, 0.0}, NULL};
    *status =
        output ? gr_read_expression(b->infix, "best", &problem->vocabulary, &nodes, &count, error)
               : gr_fail(error, GR_NO_MEMORY, "no memory for the outputs of a program");
    if (!*status)
        *status = gr_predict(nodes, count, set, NULL, &prediction, error);
    free(nodes);
    if (*status) {
        free(output);
        return NULL;
    }
    return output;
}

/* How the leader classifies: under the run's rule, and by thresholds fitted to its outputs. */
static gr_status classify(const gr_problem *problem, gr_outcome *o, gr_error *error) {
    gr_params rule = problem->job.params, *p = &rule;
    const gr_dataset *set[2] = {&problem->train, &problem->test};
    const gr_best *leader = &o->best[o->leader];
    gr_status status = GR_OK;
    if (!gr_is_classification(p) || !is_valid(leader))
        return GR_OK;
    for (int which = 0; !status && which < 2 && set[which]->cases; which++) {
        gr_classes *c = &o->classes[which];
        float *output = outputs_of(problem, leader, set[which], &status, error);
        if (!status && which == 0)
            status = gr_fix_thresholds(p, set[0], output, error);
        if (!status)
            status = gr_classes_make(p, set[which], set[1 - which], output, c, error);
        if (!status && which == 0 && gr_can_fit_thresholds(c, set[0])) {
            o->thresholds = malloc((c->count + 1) * sizeof *o->thresholds);
            status = o->thresholds ? gr_fit_thresholds(c, p, set[0], output, o->thresholds, error)
                                   : gr_fail(error, GR_NO_MEMORY, "no memory for thresholds");
        }
        if (!status)
            o->fitted_accuracy[which] =
                o->thresholds ? gr_threshold_accuracy(c, p, set[which], output, o->thresholds)
                              : (double)NAN;
        free(output);
    }
    o->rules = p->class_rule == GR_CLASS_THRESHOLDS ? p->thresholds : 0;
    memcpy(o->rule, p->threshold, o->rules * sizeof *o->rule);
    return status;
}

/* Runs on samples that a law ended are not ranked by the engine, which goes on: the best of each
 * has its fitness on a sample until it is measured on all cases. Where nobody was finite in the
 * ranking, the best is the one of the last sample, which may not have been among those ranked:
 * measured on all cases it may be finite. Another run may lead by either. */
static gr_status measure_on_all(gr_run *run, gr_outcome *o, gr_error *error) {
    const gr_problem *problem = gr_run_problem(run);
    uint32_t metric = problem->job.params.metric, before = o->leader;
    gr_run_report report;
    gr_status status = GR_OK;
    gr_run_look(run, &report);
    int law = !report.finished && report.reason == GR_REACHED_LAW, measured = 0;
    if (!problem->job.params.sampling || (!law && !report.finished))
        return GR_OK;
    for (uint32_t r = 0; !status && r < o->runs; r++) {
        gr_best *b = &o->best[r];
        if (!law && (isfinite(b->train) || !is_valid(b)))
            continue;
        status = gr_best_measure(problem, b, error);
        measured = 1;
    }
    if (status || !measured)
        return status;
    o->leader = gr_told_best(o->best, o->runs, metric);
    if (o->leader == before)
        return GR_OK;
    gr_best *leader = &o->best[o->leader]; /* of many runs only the leader is shown whole */
    gr_best_free(leader);
    status = gr_run_best(run, o->leader, leader, error);
    return status || (!law && isfinite(leader->train)) ? status
                                                       : gr_best_measure(problem, leader, error);
}

/* Holds all runs to what their programs give. A run on samples that did not come to its end has its
 * fitness on a sample: there is nothing to hold it to. */
static gr_status check_all(gr_run *run, gr_outcome *o, gr_error *error) {
    const gr_problem *problem = gr_run_problem(run);
    gr_run_report report;
    gr_status status = GR_OK;
    gr_run_look(run, &report);
    if (report.finished || report.reason == GR_REACHED_LAW || !problem->job.params.sampling)
        status = gr_recompute(problem, o->best, o->runs, error);
    for (uint32_t r = 0; r < o->runs; r++) {
        o->solved += o->best[r].solved != 0;
        o->differing += o->best[r].differs != 0;
    }
    return status;
}

/* The front of every run with several objectives, for whose best it has a say; the leader's is
 * kept.
 */
static gr_status take_fronts(gr_run *run, gr_outcome *o, gr_error *error) {
    gr_status status = GR_OK;
    for (uint32_t r = 0; !status && gr_has_front(run) && r < o->runs; r++) {
        gr_front front;
        status = gr_front_read(run, o->best[r].run, &front, error);
        if (!status)
            status = gr_front_choose(run, &front, &o->best[r], error);
        if (!status && r == o->leader)
            o->front = front;
        else
            gr_front_free(&front);
    }
    return status;
}

/* Puts what is chosen by its size in place of the best of every run. */
static gr_status choose_all(gr_run *run, gr_outcome *o, gr_error *error) {
    uint32_t before = o->leader;
    gr_status status = gr_choose_all_by_size(run, o->best, &o->leader, error);
    gr_best *leader = &o->best[o->leader]; /* of many runs only the leader is shown whole */
    if (status || o->leader == before || o->runs <= GR_FEW_RUNS)
        return status;
    gr_best_free(leader);
    status = gr_run_best(run, o->leader, leader, error);
    return status ? status : gr_choose_by_size(run, o->leader, leader, error);
}

/* Whether the best that is told is what it is by the last places of floats. */
static gr_status look_at_rounding(const gr_problem *problem, gr_outcome *o, gr_error *error) {
    uint32_t adds = gr_adds_of(problem->job.params.metric);
    if (adds != GR_ADDS_ABSOLUTE && adds != GR_ADDS_SQUARED && adds != GR_ADDS_EXTREME)
        return GR_OK;
    return gr_rounding_look(problem, &o->best[o->leader], &o->rounding, error);
}

gr_status gr_outcome_collect(gr_run *run, gr_outcome *outcome, gr_error *error) {
    const gr_params *p = &gr_run_problem(run)->job.params;
    gr_outcome o = {.runs = p->runs};
    gr_run_report report;
    gr_run_look(run, &report);
    o.state = (report.finished || report.reason == GR_REACHED_LAW) && !report.stopped
                  ? GR_DONE
                  : GR_WAS_STOPPED;
    gr_status status = gr_run_all_best(run, &o.best, &o.leader, error);
    if (!status)
        status = measure_on_all(run, &o, error);
    if (!status)
        status = take_fronts(run, &o, error);
    if (!status)
        status = choose_all(run, &o, error);
    if (!status)
        status = check_all(run, &o, error);
    if (!status)
        status = summarise_all(&o, error);
    if (!status)
        status = classify(gr_run_problem(run), &o, error);
    if (!status)
        status = look_at_rounding(gr_run_problem(run), &o, error);
    if (!status)
        status = gr_targets_collect(run, &o.best[o.leader], &o.targets, error);
    if (!status && gr_run_problem(run)->find_law)
        status = gr_run_find_law(run, o.best, o.leader, &o.law, error);
    if (status)
        gr_outcome_free(&o);
    *outcome = o;
    return status;
}

/* Of classify: outputs of the set at hand, and what is done with them. */
static size_t classify_bytes(const gr_problem *problem) {
    const gr_params *p = &problem->job.params;
    uint64_t cases[2] = {problem->train.cases, problem->test.cases};
    uint32_t count = p->metric == GR_METRIC_BALANCED ? 2 : problem->classes;
    size_t most = 0, before = 0;
    if (!gr_is_classification(p))
        return 0;
    for (int which = 0; which < 2 && cases[which]; which++) {
        gr_classes_bytes b = gr_classes_plan(count, cases[which], cases[1 - which]);
        size_t outputs = before + (cases[which] + 1) * sizeof(float), now = outputs + b.making;
        if (which == 0 && b.fitting) {
            before += (count + 1) * sizeof(float); /* the thresholds */
            size_t fitting = outputs + before + b.kept + b.fitting;
            now = now > fitting ? now : fitting;
        }
        before += b.kept;
        most = now > most ? now : most;
    }
    return most;
}

size_t gr_outcome_bytes(const gr_problem *problem) {
    const gr_params *p = &problem->job.params;
    size_t demes = gr_demes(p), runs = p->runs, most = 3 * runs * sizeof(double),
           recompute = gr_recompute_bytes(problem, p->runs), classes = classify_bytes(problem);
    most = recompute > most ? recompute : most;
    most = classes > most ? classes : most;
    size_t front = gr_front_bytes(p), choice = gr_choice_bytes(problem);
    most = front > most ? front : most;
    most = choice > most ? choice : most;
    size_t rounding = gr_rounding_bytes(problem);
    most = rounding > most ? rounding : most;
    return runs * sizeof(gr_best) +
           demes * (sizeof(gr_deme) + gr_genotype_words(p) * sizeof(uint32_t)) + most;
}

gr_status gr_outcome_so_far(gr_run *run, uint32_t leader, gr_outcome *outcome, gr_error *error) {
    gr_outcome o = {.runs = 1, .state = GR_RUNNING};
    o.best = calloc(1, sizeof *o.best);
    gr_status status = o.best ? gr_run_best(run, leader, o.best, error)
                              : gr_fail(error, GR_NO_MEMORY, "no memory for the best so far");
    if (!status)
        status = take_fronts(run, &o, error);
    if (status)
        gr_outcome_free(&o);
    *outcome = o;
    return status;
}

void gr_outcome_free(gr_outcome *outcome) {
    gr_outcome empty = {0};
    for (uint32_t r = 0; outcome->best && r < outcome->runs; r++)
        gr_best_free(&outcome->best[r]);
    free(outcome->best);
    gr_front_free(&outcome->front);
    gr_classes_free(&outcome->classes[0]);
    gr_classes_free(&outcome->classes[1]);
    free(outcome->thresholds);
    gr_law_free(&outcome->law);
    gr_targets_free(&outcome->targets);
    *outcome = empty;
}
