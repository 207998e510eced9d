/* The outcome of a run: the best of every run, their summary, and both as JSON and as text. */
#include "host/run/outcome.h"
#include "gpu/core/fitness/fitness.h"
#include "host/base/decimal.h"
#include "host/base/json.h"
#include "host/base/text.h"
#include "host/derivation/phenotype.h"
#include "host/problem/predict.h"
#include "host/problem/shown_fitness.h"
#include "host/run/population.h"
#include "host/run/recompute.h"

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
        return gr_fail(error, GR_NO_MEMORY, "no memory for a summary of %u runs", o->runs);
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
    gr_prediction prediction = {output, 0.0f, {0.0, 0.0}};
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

/* ---- laws ---- */

enum { LAW_RUNS = 16, LAW_PROGRAMS = 24 }; /* that are looked at; of each run so many */

static gr_status test_program(const gr_problem *problem, const gr_law_cases *cases,
                              const gr_best *b, gr_law *best, gr_error *error) {
    gr_node *nodes = NULL;
    uint32_t count;
    double scaling[2] = {b->intercept, b->slope};
    gr_law law;
    if (!is_valid(b) || !b->infix || !isfinite(b->train))
        return GR_OK;
    gr_status status =
        gr_read_expression(b->infix, "best", &problem->vocabulary, &nodes, &count, error);
    if (!status)
        status = gr_law_test(cases, &problem->vocabulary, nodes, count, scaling, &law, error);
    if (!status)
        gr_law_keep(best, &law);
    free(nodes);
    return status;
}

/* The best for its size in a run's last generation; one that is gone has none. */
static gr_status test_front(gr_run *run, uint32_t index, const gr_law_cases *cases, gr_law *best,
                            gr_error *error) {
    gr_population population;
    gr_best shown[LAW_PROGRAMS];
    uint32_t front = 0, *place = NULL;
    gr_error gone;
    if (gr_population_read(run, index, &population, &gone))
        return GR_OK;
    place = malloc(population.count * sizeof *place);
    gr_status status = place ? gr_population_front(&population, place, &front, error)
                             : gr_fail(error, GR_NO_MEMORY, "no memory for a front of programs");
    uint32_t first = front > LAW_PROGRAMS ? front - LAW_PROGRAMS : 0; /* the better ones */
    if (!status && front)
        status = gr_population_show(run, &population, place + first, front - first, shown, error);
    for (uint32_t k = 0; !status && k < front - first; k++)
        status = test_program(gr_run_problem(run), cases, &shown[k], best, error);
    for (uint32_t k = 0; place && front && !status && k < front - first; k++)
        gr_best_free(&shown[k]);
    free(place);
    gr_population_free(&population);
    return status;
}

static gr_status find_law(gr_run *run, gr_outcome *o, gr_error *error) {
    const gr_problem *problem = gr_run_problem(run);
    gr_law_cases cases;
    gr_status status = gr_law_cases_make(&problem->train, &problem->test, &cases, error);
    for (uint32_t r = 0; !status && r < o->runs && r < LAW_RUNS; r++)
        status = test_program(problem, &cases, &o->best[r], &o->law, error);
    if (!status)
        status = test_program(problem, &cases, &o->best[o->leader], &o->law, error);
    for (uint32_t r = 0; !status && r < o->runs && r < LAW_RUNS; r++)
        status = test_front(run, r, &cases, &o->law, error);
    gr_law_cases_free(&cases);
    return status;
}

/* Holds all runs to what their programs give. A run on samples that did not come to its end has its
 * fitness on a sample: there is nothing to hold it to. */
static gr_status check_all(gr_run *run, gr_outcome *o, gr_error *error) {
    const gr_problem *problem = gr_run_problem(run);
    gr_run_report report;
    gr_status status = GR_OK;
    gr_run_look(run, &report);
    if (report.finished || !problem->job.params.sampling)
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
        else if (!status)
            gr_front_free(&front);
    }
    return status;
}

gr_status gr_outcome_collect(gr_run *run, gr_outcome *outcome, gr_error *error) {
    const gr_params *p = &gr_run_problem(run)->job.params;
    gr_outcome o = {.runs = p->runs};
    gr_run_report report;
    gr_run_look(run, &report);
    o.state = report.finished && !report.stopped ? GR_DONE : GR_WAS_STOPPED;
    gr_status status = gr_run_all_best(run, &o.best, &o.leader, error);
    if (!status)
        status = take_fronts(run, &o, error);
    if (!status)
        status = check_all(run, &o, error);
    if (!status)
        status = summarise_all(&o, error);
    if (!status)
        status = classify(gr_run_problem(run), &o, error);
    if (!status && gr_run_problem(run)->find_law)
        status = find_law(run, &o, error);
    if (status)
        gr_outcome_free(&o);
    *outcome = o;
    return status;
}

/* Of classify: outputs of the set at hand, and what is done with them. */
static size_t classify_bytes(const gr_problem *problem) {
    const gr_params *p = &problem->job.params;
    uint64_t cases[2] = {problem->train.cases, problem->test.cases};
    uint32_t count =
        p->metric == GR_METRIC_BALANCED ? 2 : (uint32_t)(p->class_max - p->class_min) + 1;
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
    size_t front = gr_front_bytes(p);
    most = front > most ? front : most;
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
    *outcome = empty;
}

/* ---- JSON ---- */

/* null without an expression */
static void add_measure(cJSON *object, const char *name, const gr_best *b, uint32_t value) {
    if (is_valid(b))
        gr_json_add_whole(object, name, value);
    else
        cJSON_AddNullToObject(object, name);
}

static void add_best(cJSON *object, const gr_run *run, const gr_best *b) {
    const gr_params *p = &gr_run_problem(run)->job.params;
    gr_json_add_whole(object, "run", b->run);
    gr_json_add_whole(object, "seed", b->seed);
    gr_json_add_whole(object, "generation", b->generation);
    gr_json_add_float(object, "fitness", b->train);
    gr_json_add_float(object, "test_fitness", b->test);
    if (p->validation_chunks)
        gr_json_add_float(object, "validation_fitness", b->validation);
    if (p->restart_after)
        gr_json_add_whole(object, "restarts", b->restarts);
    gr_json_add_float(object, "recomputed_fitness", b->recomputed[0]);
    gr_json_add_float(object, "recomputed_test_fitness", b->recomputed[1]);
    cJSON_AddBoolToObject(object, "recomputed_differs", b->differs);
    if (p->stop_at_target)
        cJSON_AddBoolToObject(object, "solved", b->solved);
    gr_json_add_text(object, "validity", gr_validity_name(b->validity));
    gr_json_add_text(object, "infix", b->infix);
    gr_json_add_text(object, "phenotype", b->phenotype);
    add_measure(object, "size", b, b->nodes);
    add_measure(object, "depth", b, b->levels);
    if (b->genome) {
        add_measure(object, "derivation_depth", b, b->depth);
        add_measure(object, "derivation_nodes", b, b->derivation_nodes);
    }
    if (p->linear_scaling && is_valid(b)) { /* doubles: fitted in double */
        cJSON_AddNumberToObject(object, "intercept", b->intercept);
        cJSON_AddNumberToObject(object, "slope", b->slope);
    } else if (p->linear_scaling) {
        cJSON_AddNullToObject(object, "intercept");
        cJSON_AddNullToObject(object, "slope");
    }
    if (b->genome) {
        cJSON *genome = cJSON_AddArrayToObject(object, "genome");
        for (uint32_t i = 0; i < b->length; i++) {
            char codon[16]; /* cJSON prints a number several times to find its digits */
            snprintf(codon, sizeof codon, "%u", b->genome[i]);
            cJSON_AddItemToArray(genome, cJSON_CreateRaw(codon));
        }
        gr_json_add_whole(object, "used_codons", b->used);
    }
}

static void add_summary(cJSON *object, const char *name, const gr_spread *s) {
    cJSON *item = cJSON_AddObjectToObject(object, name);
    gr_json_add_float(item, "mean", s->mean);
    gr_json_add_float(item, "min", s->least);
    gr_json_add_float(item, "lower_quartile", s->quartile[0]);
    gr_json_add_float(item, "median", s->quartile[1]);
    gr_json_add_float(item, "upper_quartile", s->quartile[2]);
    gr_json_add_float(item, "max", s->most);
}

static void add_runs(cJSON *object, const gr_run *run, const gr_outcome *o) {
    const gr_params *p = &gr_run_problem(run)->job.params;
    cJSON *summary = cJSON_AddObjectToObject(object, "summary");
    gr_json_add_whole(summary, "runs", o->runs);
    if (p->stop_at_target)
        gr_json_add_whole(summary, "successes", o->solved);
    gr_json_add_whole(summary, "recomputed_differing", o->differing);
    add_summary(summary, "fitness", &o->train);
    if (p->test_chunks)
        add_summary(summary, "test_fitness", &o->test);
    add_summary(summary, "size", &o->nodes);
    if (o->runs > GR_FEW_RUNS) /* they stand in runs.tsv */
        return;
    cJSON *runs = cJSON_AddArrayToObject(object, "runs");
    for (uint32_t r = 0; r < o->runs; r++) {
        cJSON *one = cJSON_CreateObject();
        add_best(one, run, &o->best[r]);
        cJSON_AddItemToArray(runs, one);
    }
}

/* null: no output parts the two classes */
static void add_thresholds(cJSON *object, const float *threshold, uint32_t count) {
    cJSON *list = cJSON_AddArrayToObject(object, "thresholds");
    for (uint32_t k = 0; k < count; k++)
        cJSON_AddItemToArray(list, isfinite(threshold[k]) ? cJSON_CreateNumber((double)threshold[k])
                                                          : cJSON_CreateNull());
}

static void add_classes(cJSON *object, const gr_run *run, const gr_outcome *o) {
    static const char *const names[] = {"training", "test"};
    const gr_dataset *named = &gr_run_problem(run)->train;
    if (!o->classes[0].count)
        return;
    cJSON *all = cJSON_AddObjectToObject(object, "classification");
    for (int which = 0; which < 2; which++)
        if (o->classes[which].count)
            cJSON_AddItemToObject(all, names[which], gr_classes_json(&o->classes[which], named));
    if (o->rules)
        add_thresholds(all, o->rule, o->rules);
    cJSON *fitted = cJSON_AddObjectToObject(all, "fitted_thresholds");
    if (o->thresholds)
        add_thresholds(fitted, o->thresholds, o->classes[0].count - 1);
    else /* they would take too long */
        cJSON_AddNullToObject(fitted, "thresholds");
    gr_json_add_float(fitted, "accuracy", o->fitted_accuracy[0]);
    if (o->classes[1].count)
        gr_json_add_float(fitted, "test_accuracy", o->fitted_accuracy[1]);
}

/* The law and what speaks for it; null: no program came near the target. */
static void add_law(cJSON *object, const gr_law *law) {
    static const char *const sets[2] = {"training", "test"};
    if (!law->text) {
        cJSON_AddNullToObject(object, "law");
        return;
    }
    cJSON *item = cJSON_AddObjectToObject(object, "law");
    gr_json_add_text(item, "expression", law->text);
    cJSON_AddBoolToObject(item, "exact", law->exact);
    cJSON_AddBoolToObject(item, "rounded", law->rounded);
    gr_json_add_whole(item, "size", law->nodes);
    for (int which = 0; which < 2; which++) {
        if (!law->cases[which])
            continue;
        cJSON *of = cJSON_AddObjectToObject(item, sets[which]);
        gr_json_add_whole(of, "cases", law->cases[which]);
        if (which)
            gr_json_add_whole(of, "outside_of_training", law->outside);
        gr_json_add_float(of, "rmse", law->rmse[which]);
        gr_json_add_float(of, "largest_error", law->largest[which]);
        gr_json_add_float(of, "deviation", law->deviation[which]);
    }
}

static void add_device(cJSON *object, const gr_problem *problem, const gr_run_report *report) {
    cJSON *device = cJSON_AddObjectToObject(object, "device");
    gr_json_add_text(device, "backend", report->backend);
    gr_json_add_text(device, "name", report->engine.device);
    gr_json_add_text(device, "why", report->why);
    gr_json_add_text(device, "memory", report->engine.memory);
    gr_json_add_whole(device, "memory_bytes", report->engine.bytes);
    gr_json_add_whole(device, "host_memory_bytes", report->host_bytes);
    gr_json_add_whole(device, "results_most_bytes", gr_outcome_bytes(problem));
    gr_json_add_whole(device, "engine_host_bytes", report->engine.host);
    gr_json_add_whole(device, "checkpoint_bytes", report->engine.staging);
    gr_json_add_whole(device, "checkpoint_device_bytes", report->engine.staging_device);
    gr_json_add_whole(device, "checkpoint_most_bytes", report->engine.snapshot);
    cJSON *opening = cJSON_AddObjectToObject(device, "opening_seconds"); /* zeros on the CPU */
    for (int k = 0; k < GR_OPENINGS; k++)
        gr_json_add_float(opening, gr_opening_names[k], report->engine.opening[k]);
    cJSON *bytes = cJSON_AddObjectToObject(object, "transfers");
    gr_json_add_whole(bytes, "uploaded", report->traffic.uploaded);
    gr_json_add_whole(bytes, "telemetry", report->traffic.telemetry);
    gr_json_add_whole(bytes, "downloaded", report->traffic.downloaded);
    gr_json_add_whole(bytes, "checkpoints", report->traffic.checkpoints);
}

static void add_fits(cJSON *object, gr_fits fits) {
    gr_json_add_whole(object, "fitted_programs", fits.tried);
    gr_json_add_whole(object, "fitted_better", fits.better);
    gr_json_add_whole(object, "fitting_node_evaluations", (unsigned long long)fits.executed);
}

/* Programs that were not evaluated again, where there were any. */
static void add_spared(cJSON *object, const gr_work_spared *spared) {
    if (spared->executed == 0.0)
        return;
    cJSON *to = cJSON_AddObjectToObject(object, "evaluated_once");
    gr_json_add_whole(to, "equal_programs", spared->shared);
    gr_json_add_whole(to, "elites", spared->kept);
    gr_json_add_whole(to, "remembered_programs", spared->remembered);
    gr_json_add_whole(to, "spared_node_evaluations", (unsigned long long)spared->executed);
}

cJSON *gr_outcome_json(const gr_settings *settings, const gr_run *run, const gr_outcome *outcome,
                       const char *folder) {
    const gr_params *p = &gr_run_problem(run)->job.params;
    gr_run_report report;
    cJSON *object = cJSON_CreateObject();
    char word[32];
    const char *metric = gr_settings_text(settings, GR_KEY_metric, word);
    gr_run_look(run, &report);
    gr_json_add_text(object, "grampus", GR_VERSION);
    gr_json_add_text(object, "name", settings->name);
    gr_json_add_text(object, "metric", metric);
    cJSON_AddBoolToObject(object, "maximised", (cJSON_bool)gr_is_maximised(p->metric));
    add_best(object, run, &outcome->best[outcome->leader]);
    add_classes(object, run, outcome);
    if (gr_run_problem(run)->find_law && outcome->state != GR_RUNNING)
        add_law(object, &outcome->law);
    gr_json_add_text(object, "state", gr_state_name(outcome->state));
    cJSON_AddBoolToObject(object, "stopped", outcome->state == GR_WAS_STOPPED);
    gr_json_add_text(object, "stop_reason", gr_reason_name(report.reason));
    gr_json_add_whole(object, "generations", report.generation);
    gr_json_add_float(object, "seconds", report.seconds);
    gr_json_add_whole(object, "checkpoints", report.snapshots);
    gr_json_add_float(object, "checkpoint_pause_seconds", report.pause);
    gr_json_add_float(object, "engine_seconds", report.traffic.seconds);
    gr_json_add_whole(object, "executed_node_evaluations", (unsigned long long)report.executed);
    gr_json_add_float(object, "executed_gpops", gr_run_gpops(&report));
    if (p->objectives)
        cJSON_AddItemToObject(object, "front", gr_front_json(run, &outcome->front));
    add_spared(object, &report.spared);
    if (p->optimise)
        add_fits(object, gr_run_fits(run));
    add_device(object, gr_run_problem(run), &report);
    gr_json_add_text(object, "results", folder);
    if (p->runs > 1 && outcome->state != GR_RUNNING)
        add_runs(object, run, outcome);
    return object;
}

/* ---- text ---- */

static void print_law(FILE *out, const gr_law *law) {
    if (!law->text) {
        fprintf(out, "law         none: no program came near the target\n");
        return;
    }
    fprintf(out, "law         %s\n            %s: rmse %.3g on %llu cases", law->text,
            law->exact     ? "exact"
            : law->rounded ? "not exact"
                           : "not exact, some constants as they were fitted",
            law->rmse[0], (unsigned long long)law->cases[0]);
    if (law->cases[1])
        fprintf(out, ", %.3g on %llu test cases, %llu of them outside the training cases",
                law->rmse[1], (unsigned long long)law->cases[1], (unsigned long long)law->outside);
    fputc('\n', out);
}

static void print_fitness(FILE *out, const char *name, double train, double test) {
    fprintf(out, "%-11s %.9g", name, train);
    if (!isnan(test))
        fprintf(out, ", test %.9g", test);
}

/* One line where the reported fitness is not what the program gives. */
static void print_recomputed(FILE *out, const gr_settings *settings, const gr_run *run,
                             const gr_best *b) {
    const gr_params *p = &gr_run_problem(run)->job.params;
    gr_run_report report;
    if (!b->differs)
        return;
    gr_run_look(run, &report);
    print_fitness(out, "recomputed", b->recomputed[0], b->recomputed[1]);
    fprintf(out, " in double from the predictions of grampus eval, not %.9g", b->train);
    if (!isnan(b->test))
        fprintf(out, " and %.9g", b->test);
    if (settings->math == GR_MATH_FAST && strcmp(report.backend, "cuda") == 0)
        fprintf(out, " (math: fast; those of eval are exact)");
    if (p->sampling && p->stop_at_target && p->runs > 1)
        fprintf(out, " (on all cases; a run that is done before the others stays with its sample)");
    fprintf(out, "%s\n", p->stop_at_target ? "; not counted as solved" : "");
}

static void print_genome(FILE *out, const gr_best *b) {
    fprintf(out, "genome      [");
    for (uint32_t i = 0; i < b->length; i++)
        fprintf(out, "%s%u", i ? ", " : "", b->genome[i]);
    fprintf(out, "]\n            %u codons, %u used\n", b->length, b->used);
}

static void print_best(FILE *out, const gr_settings *settings, const gr_run *run,
                       const char *metric, const gr_best *b, int whole) {
    const gr_params *p = &gr_run_problem(run)->job.params;
    int valid = is_valid(b);
    if (valid)
        fprintf(out, "best        %s\n", b->infix);
    else
        fprintf(out, "best        none (%s)\n", gr_validity_name(b->validity));
    print_fitness(out, metric, b->train, b->test);
    if (!isnan(b->validation))
        fprintf(out, ", validation %.9g", b->validation);
    fputc('\n', out);
    print_recomputed(out, settings, run, b);
    if (valid) {
        fprintf(out, "size        %u nodes, %sdepth %u\n", b->nodes, b->genome ? "derivation " : "",
                b->depth);
        fprintf(out, "found       in generation %u with seed %llu", b->generation,
                (unsigned long long)b->seed);
        if (p->restart_after)
            fprintf(out, ", %u restart%s", b->restarts, b->restarts == 1 ? "" : "s");
        fputc('\n', out);
    }
    if (p->linear_scaling && valid) {
        char intercept[32], slope[32]; /* all digits: few of them may be left in their sum */
        gr_text_print_double(b->intercept, intercept);
        gr_text_print_double(b->slope, slope);
        fprintf(out, "scaling     %s + %s * best\n", intercept, slope);
    }
    if (whole && b->genome && b->phenotype)
        fprintf(out, "phenotype   %s\n", b->phenotype);
    if (whole && b->genome)
        print_genome(out, b);
}

static void print_classes(FILE *out, const gr_run *run, const gr_outcome *o, int whole) {
    static const char *const names[] = {"", "test "};
    const gr_dataset *named = &gr_run_problem(run)->train;
    for (int which = 0; which < 2; which++) {
        const gr_classes *c = &o->classes[which];
        if (!c->count)
            continue;
        fprintf(out,
                "%-11s %saccuracy %.4f, macro F1 %.4f, ROC area %.4f; thresholds fitted to "
                "the outputs: accuracy %.4f\n",
                which ? "" : "classes", names[which], c->accuracy, c->f1, c->roc_area,
                o->fitted_accuracy[which]);
    }
    if (o->rules)
        fprintf(out, "thresholds ");
    for (uint32_t k = 0; k < o->rules; k++)
        fprintf(out, " %.9g%s", (double)o->rule[k], k + 1 < o->rules ? "," : "\n");
    for (int which = 0; whole && which < 2; which++)
        if (o->classes[which].count) {
            fprintf(out, "\n%s cases\n", which ? "test" : "training");
            gr_classes_print(&o->classes[which], named, out);
        }
}

static void print_summary(FILE *out, const char *name, const gr_spread *s) {
    fprintf(out, "%-11s median %.6g, quartiles %.6g and %.6g, mean %.6g, from %.6g to %.6g\n", name,
            s->quartile[1], s->quartile[0], s->quartile[2], s->mean, s->least, s->most);
}

static void print_runs(FILE *out, const gr_params *p, const gr_outcome *o) {
    fprintf(out, "\n%u runs\n", o->runs);
    if (p->stop_at_target)
        fprintf(out, "successes   %u of %u (%.1f %%)\n", o->solved, o->runs,
                100.0 * (double)o->solved / (double)o->runs);
    if (o->differing)
        fprintf(out, "recomputed  not what is reported in %u of %u runs; best.txt has both\n",
                o->differing, o->runs);
    print_summary(out, "fitness", &o->train);
    if (p->test_chunks)
        print_summary(out, "test", &o->test);
    print_summary(out, "size", &o->nodes);
}

static void print_spared(FILE *out, const gr_run_report *report) {
    const gr_work_spared *s = &report->spared;
    if (s->executed > 0.0)
        fprintf(out,
                "spared      %.4g node evaluations (%.1f %%): %llu equal programs, %llu elites, "
                "%llu remembered\n",
                s->executed, 100.0 * s->executed / (s->executed + report->executed),
                (unsigned long long)s->shared, (unsigned long long)s->kept,
                (unsigned long long)s->remembered);
}

static void print_work(FILE *out, const gr_run *run, const gr_run_report *report, int whole) {
    const gr_traffic *t = &report->traffic;
    gr_fits fits = gr_run_fits(run);
    fputc('\n', out);
    if (whole) {
        fprintf(out, "device      %s (%s)\n", report->engine.device, report->why);
        fprintf(out, "memory      %s\n", report->engine.memory);
    }
    fprintf(out, "time        %.3f s, %u generations, ended by %s\n", report->seconds,
            report->generation, gr_reason_name(report->reason));
    fprintf(out, "executed    %.4g node evaluations, %.4g GPop/s\n", report->executed,
            gr_run_gpops(report));
    print_spared(out, report);
    if (gr_run_problem(run)->job.params.optimise)
        fprintf(out, "fitted      %llu programs, %llu of them better, by %.4g more\n",
                (unsigned long long)fits.tried, (unsigned long long)fits.better, fits.executed);
    fprintf(out, "transfers   %llu bytes up, %llu telemetry, %llu down\n",
            (unsigned long long)t->uploaded, (unsigned long long)t->telemetry,
            (unsigned long long)t->downloaded);
}

static void print_rows(FILE *out, const gr_outcome *o) {
    fprintf(out, "\nrun\tseed\tgeneration\tfitness\ttest\tsize\t%sdepth\tbest\n",
            o->best->genome ? "derivation_" : "");
    for (uint32_t r = 0; r < o->runs; r++) {
        const gr_best *b = &o->best[r];
        fprintf(out, "%u\t%llu\t%u\t%.9g\t%.9g\t%u\t%u\t%s\n", r, (unsigned long long)b->seed,
                b->generation, b->train, b->test, b->nodes, b->depth, b->infix ? b->infix : "");
    }
}

void gr_outcome_print_runs(const gr_outcome *o, FILE *out) {
    fputs("run\tseed\tgeneration\tfitness\ttest_fitness\tsolved\tsize\tdepth\texpression\n", out);
    for (uint32_t r = 0; r < o->runs; r++) {
        const gr_best *b = &o->best[r];
        char row[4 * GR_DECIMAL], *to = row;
        const uint64_t before[] = {b->run, b->seed, b->generation};
        const uint64_t after[] = {b->solved != 0, b->nodes, b->levels};
        for (int k = 0; k < 3; k++, *to++ = '\t')
            to = gr_put_whole(to, before[k]);
        to = gr_put_nine(to, b->train);
        *to++ = '\t';
        to = gr_put_nine(to, b->test);
        *to++ = '\t';
        for (int k = 0; k < 3; k++, *to++ = '\t')
            to = gr_put_whole(to, after[k]);
        fwrite(row, 1, (size_t)(to - row), out);
        fputs(b->infix ? b->infix : "", out);
        fputc('\n', out);
    }
}

static void print_table(FILE *out, const gr_settings *settings, const gr_run *run,
                        const gr_outcome *o) {
    if (o->runs <= GR_FEW_RUNS)
        print_rows(out, o);
    if (o->differing)
        fputs("\n", out);
    for (uint32_t r = 0; r < o->runs; r++)
        if (o->best[r].differs) {
            fprintf(out, "run %u: ", r);
            print_recomputed(out, settings, run, &o->best[r]);
        }
}

void gr_outcome_print(const gr_settings *settings, const gr_run *run, const gr_outcome *outcome,
                      int whole, FILE *out) {
    const gr_params *p = &gr_run_problem(run)->job.params;
    char word[32];
    const char *metric = gr_settings_text(settings, GR_KEY_metric, word);
    gr_run_report report;
    gr_run_look(run, &report);
    print_best(out, settings, run, metric, &outcome->best[outcome->leader], whole);
    if (p->objectives)
        fprintf(out, "front       %u programs, in front.tsv\n", outcome->front.count);
    print_classes(out, run, outcome, whole);
    if (gr_run_problem(run)->find_law && outcome->state != GR_RUNNING)
        print_law(out, &outcome->law);
    if (p->runs > 1)
        print_runs(out, p, outcome);
    print_work(out, run, &report, whole);
    if (whole && p->runs > 1)
        print_table(out, settings, run, outcome);
}
