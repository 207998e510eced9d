/* The outcome of a run as JSON: best.json, and what --json prints. */
#include "gpu/core/fitness/fitness.h"
#include "host/base/json.h"
#include "host/derivation/phenotype.h"
#include "host/problem/shown_fitness.h"
#include "host/run/outcome.h"
#include "host/settings/table.h"
#include "host/settings/uses.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* null without an expression */
static void add_measure(cJSON *object, const char *name, const gr_best *b, uint32_t value) {
    if (b->validity == GR_VALID)
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
    if (b->on_sample)
        cJSON_AddTrueToObject(object, "fitness_on_sample");
    gr_json_add_float(object, "test_fitness", b->test);
    if (p->validation_chunks)
        gr_json_add_float(object, "validation_fitness",
                          isfinite(b->train) ? b->validation : (double)NAN);
    if (p->restart_after)
        gr_json_add_whole(object, "restarts", b->restarts);
    if (b->source >= GR_FROM_LINEAR)
        cJSON_AddTrueToObject(object,
                              b->source == GR_FROM_MEAN ? "mean_of_target" : "linear_model");
    gr_json_add_float(object, "recomputed_fitness", b->recomputed[0]);
    gr_json_add_float(object, "recomputed_test_fitness", b->recomputed[1]);
    cJSON_AddBoolToObject(object, "recomputed_differs", b->differs);
    if (p->stop_at_target)
        cJSON_AddBoolToObject(object, "solved", b->solved);
    gr_json_add_text(object, "validity", gr_validity_name(b->validity));
    gr_json_add_text(object, "infix", b->infix);
    gr_json_add_text(object, "phenotype", b->phenotype);
    if (b->constants) {
        cJSON *constants = cJSON_AddObjectToObject(object, "constants");
        for (uint32_t k = 0; k < b->constants_count; k++) {
            char name[16];
            snprintf(name, sizeof name, "c[%u]", b->constants[k].index);
            gr_json_add_float(constants, name, (double)b->constants[k].value);
        }
    }
    add_measure(object, "size", b, b->nodes);
    add_measure(object, "depth", b, b->levels);
    if (b->genome) {
        add_measure(object, "derivation_depth", b, b->depth);
        add_measure(object, "derivation_nodes", b, b->derivation_nodes);
    }
    if (gr_best_is_scaled(p, b)) { /* doubles: fitted in double */
        cJSON_AddNumberToObject(object, "intercept", b->intercept);
        cJSON_AddNumberToObject(object, "slope", b->slope);
    } else if (p->linear_scaling) {
        cJSON_AddNullToObject(object, "intercept");
        cJSON_AddNullToObject(object, "slope");
    }
    if (b->genome) {
        gr_json_add_words(object, "genome", b->genome, b->length);
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

/* Infinite where no output is in one of the classes: "-inf" all are above, "inf" all below. */
static void add_thresholds(cJSON *object, const float *threshold, uint32_t count) {
    cJSON *list = cJSON_AddArrayToObject(object, "thresholds");
    for (uint32_t k = 0; k < count; k++)
        cJSON_AddItemToArray(list, gr_json_float((double)threshold[k]));
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
    gr_json_add_float(item, "length", law->length);
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
    gr_json_add_whole(bytes, "exchanged", report->traffic.exchanged); /* device to device */
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

/* What was named and not read, where there is any. */
static void add_unused(cJSON *object, const gr_settings *settings) {
    const char *what[GR_KEY_COUNT];
    if (!gr_settings_unused(settings, what))
        return;
    cJSON *list = cJSON_AddArrayToObject(object, "unused");
    for (uint32_t key = 0; key < GR_KEY_COUNT; key++)
        if (what[key])
            cJSON_AddItemToArray(list, cJSON_CreateString(gr_setting_table[key].key));
}

/* Which text of `data` numbers of words and classes are of, and these words by number, of columns
 * that have no more than a reader can use. */
static void add_numbered(cJSON *object, const gr_dataset *train) {
    char sum[16];
    if (!train->checksum)
        return;
    snprintf(sum, sizeof sum, "%08x", train->checksum);
    gr_json_add_text(object, "data_crc32", sum);
    uint32_t knowing = gr_min_u32(train->knowing, train->inputs);
    cJSON *words = train->known ? cJSON_AddObjectToObject(object, "words") : NULL;
    for (uint32_t i = 0; words && i <= knowing; i++) {
        int target = i == knowing;
        uint32_t count = target ? train->label_count : train->known[i].count;
        char **word = target ? train->labels : train->known[i].word;
        cJSON *list = count && count <= GR_MOST_KNOWN_WORDS ? cJSON_CreateArray() : NULL;
        for (uint32_t k = 0; list && k < count; k++)
            cJSON_AddItemToArray(list, cJSON_CreateString(word[k]));
        if (list)
            cJSON_AddItemToObject(words, target ? train->target_name : train->names[i], list);
    }
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
    if (settings->precision == GR_PRECISION_DOUBLE) /* predict asks, where run.yaml is gone */
        gr_json_add_text(object, "precision", "double");
    add_best(object, run, &outcome->best[outcome->leader]);
    if (gr_hangs_on_rounding(&outcome->rounding))
        gr_json_add_float(object, "rounding", outcome->rounding.apart);
    add_unused(object, settings);
    add_numbered(object, &gr_run_problem(run)->train);
    add_classes(object, run, outcome);
    gr_targets_json(&outcome->targets, object);
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
