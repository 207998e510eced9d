/* The public face of libgrampus: handles around the library's own objects. Settings and runs. */
#include "gpu/backend/clock.h"
#include "host/base/text.h"
#include "host/library/internal.h"
#include "host/run/choice.h"
#include "host/run/front.h"
#include "host/run/laws.h"
#include "host/run/population.h"
#include "host/run/recompute.h"
#include "host/settings/evaluation.h"
#include "host/settings/table.h"
#include "host/settings/uses.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(grampus_error) == sizeof(gr_error), "one kind of error, two names");
_Static_assert((int)GRAMPUS_MOST_THRESHOLDS == (int)GR_MAX_THRESHOLDS, "all thresholds fit");
_Static_assert((int)GRAMPUS_DEVICE_FAILED == (int)GR_DEVICE_FAILED, "one list of codes");

const char *grampus_version(void) {
    return GRAMPUS_VERSION;
}

grampus_status gr_pass(gr_status status, const gr_error *inner, grampus_error *error) {
    if (status && error) {
        error->status = (grampus_status)status;
        memcpy(error->text, inner->text, sizeof error->text);
    }
    return (grampus_status)status;
}

grampus_status gr_refuse(grampus_error *error, gr_status status, const char *text) {
    gr_error inner;
    return gr_pass(gr_fail(&inner, status, "%s", text), &inner, error);
}

locale_t gr_library_locale(void) {
    return uselocale(gr_text_c_locale());
}

/* ---- settings ---- */

grampus_status grampus_settings_new(grampus_settings **settings, grampus_error *error) {
    gr_error inner;
    *settings = calloc(1, sizeof **settings);
    if (!*settings)
        return gr_refuse(error, GR_NO_MEMORY, "no memory for settings");
    gr_status status = gr_settings_init(&(*settings)->settings, &inner);
    if (status) {
        free(*settings);
        *settings = NULL;
    }
    return gr_pass(status, &inner, error);
}

grampus_status grampus_settings_load(grampus_settings *settings, const char *path,
                                     grampus_error *error) {
    gr_error inner;
    return gr_pass(gr_settings_load(&settings->settings, path, &inner), &inner, error);
}

grampus_status grampus_settings_set(grampus_settings *settings, const char *key, const char *value,
                                    grampus_error *error) {
    gr_error inner;
    return gr_pass(gr_settings_set(&settings->settings, key, value, &inner), &inner, error);
}

grampus_status grampus_settings_get(const grampus_settings *settings, const char *key, char *value,
                                    size_t size, grampus_error *error) {
    gr_key found = gr_setting_find(key, strlen(key));
    if (found == GR_KEY_COUNT)
        return gr_refuse(error, GR_BAD_INPUT, "unknown key; expected a key of run files");
    char *text = gr_settings_get(&settings->settings, found);
    if (!text)
        return gr_refuse(error, GR_NO_MEMORY, "no memory for a value");
    size_t length = strlen(text);
    if (length < size)
        memcpy(value, text, length + 1);
    free(text);
    return length < size ? GRAMPUS_OK
                         : gr_refuse(error, GR_FAILED, "the value is longer than the room for it");
}

void grampus_settings_free(grampus_settings *settings) {
    if (!settings)
        return;
    gr_settings_free(&settings->settings);
    free(settings);
}

/* A copy with its own text, so that filling the autos of one run does not settle those of the next.
 */
static gr_status copy_settings(const gr_settings *from, gr_settings *to, gr_error *error) {
    gr_status status = gr_settings_init(to, error);
    for (uint32_t key = 0; key < GR_KEY_COUNT && !status; key++) {
        if (from->origin[key].from == GR_FROM_DEFAULT)
            continue;
        char *text = gr_settings_get(from, (gr_key)key);
        status = text ? gr_settings_set(to, gr_setting_table[key].key, text, error)
                      : gr_fail(error, GR_NO_MEMORY, "no memory for settings");
        free(text);
        to->origin[key] = from->origin[key];
    }
    if (!status && from->file && !(to->file = strdup(from->file)))
        status = gr_fail(error, GR_NO_MEMORY, "no memory for settings");
    return status;
}

/* ---- runs ---- */

/* Both sets, which have as many inputs. */
static gr_status take_sets(const gr_settings *settings, const grampus_cases *train,
                           const grampus_cases *test, gr_dataset *set, gr_error *error) {
    int weighed = gr_has_weights(train) || (test && gr_has_weights(test));
    int doubles = settings->precision == GR_PRECISION_DOUBLE;
    const gr_taking taking = {doubles ? GRAMPUS_DOUBLE : GRAMPUS_FLOAT, weighed};
    gr_status status = weighed ? gr_check_given_weights(settings, error) : GR_OK;
    if (!status)
        status = gr_take_cases(train, "training", taking, &set[0], error);
    if (!status)
        status = gr_check_target_digits(train, &set[0], error);
    if (status || !test || !test->cases)
        return status;
    if (test->inputs != train->inputs)
        return gr_fail(error, GR_BAD_INPUT, "%u input%s of test cases; expected %u, as in training",
                       test->inputs, gr_s(test->inputs), train->inputs);
    grampus_cases named = *test;
    named.names = train->names;
    return gr_take_cases(&named, "test", taking, &set[1], error);
}

/* The settings themselves go when the run is open. */
static gr_status keep_unused(const gr_settings *settings, grampus_run *run, gr_error *error) {
    const char *what[GR_KEY_COUNT];
    size_t size;
    FILE *out = open_memstream(&run->unused, &size);
    gr_settings_unused(settings, what);
    if (out)
        gr_print_unused(what, out);
    return out && fclose(out) == 0
               ? GR_OK
               : gr_fail(error, GR_NO_MEMORY, "no memory for the names of settings");
}

static grampus_status open_on(const grampus_settings *settings, const grampus_cases *train,
                              const grampus_cases *test, const char *grammar, grampus_run **run,
                              grampus_error *error) {
    gr_error inner;
    gr_settings copy;
    gr_dataset set[2] = {{0}, {0}};
    const gr_given given = {train ? &set[0] : NULL, train ? &set[1] : NULL, grammar};
    grampus_run *r = *run = calloc(1, sizeof **run);
    if (!r)
        return gr_refuse(error, GR_NO_MEMORY, "no memory for a run");
    r->started = gr_seconds_now();
    r->best_ever = (double)NAN;
    gr_status status = copy_settings(&settings->settings, &copy, &inner);
    copy.given = &given;
    copy.given_cases = train != NULL;
    copy.given_grammar = grammar != NULL;
    if (!status)
        status = gr_settings_resolve(&copy, &inner);
    if (!status)
        status = keep_unused(&copy, r, &inner);
    if (!status && !train && test && test->cases)
        status = gr_fail(&inner, GR_BAD_INPUT,
                         "test cases in arrays alone; expected training cases too");
    if (!status && train)
        status = take_sets(&copy, train, test, set, &inner);
    if (!status)
        status = gr_run_open(&copy, &r->run, &inner);
    gr_settings_free(&copy);
    gr_dataset_free(&set[0]);
    gr_dataset_free(&set[1]);
    if (status) {
        free(r->unused);
        free(r);
        *run = NULL;
    }
    return gr_pass(status, &inner, error);
}

grampus_status grampus_run_open_on(const grampus_settings *settings, const grampus_cases *train,
                                   const grampus_cases *test, const char *grammar,
                                   grampus_run **run, grampus_error *error) {
    locale_t callers = gr_library_locale();
    grampus_status status = open_on(settings, train, test, grammar, run, error);
    uselocale(callers);
    return status;
}

grampus_status grampus_run_open(const grampus_settings *settings, grampus_run **run,
                                grampus_error *error) {
    return grampus_run_open_on(settings, NULL, NULL, NULL, run, error);
}

const char *grampus_run_input(const grampus_run *run, uint32_t input) {
    const gr_problem *problem = gr_run_problem(run->run);
    uint32_t given = gr_named_inputs(&problem->job.params) - problem->prepared.count;
    return input < given ? problem->train.names[input] : NULL; /* the others are made of them */
}

const char *grampus_run_unused(const grampus_run *run) {
    return run->unused;
}

/* ---- looking on ---- */

void grampus_run_watch(grampus_run *run, grampus_on_progress *callback, void *context,
                       double every) {
    run->progress = callback;
    run->progress_context = context;
    run->every = every;
}

void grampus_run_keep_history(grampus_run *run) {
    run->keeps = 1;
}

const grampus_generation *grampus_run_history(const grampus_run *run, size_t *count) {
    *count = run->rows;
    return run->history;
}

static void keep(grampus_run *run, const grampus_generation *row) {
    if (run->rows == run->capacity) {
        size_t more = run->capacity ? 2 * run->capacity : 64;
        grampus_generation *grown = realloc(run->history, more * sizeof *grown);
        run->lost |= !grown;
        if (!grown)
            return;
        run->history = grown;
        run->capacity = more;
    }
    run->history[run->rows++] = *row;
}

static void hand_on(void *context, const gr_generation *g) {
    grampus_run *run = context;
    grampus_generation out = {0};
    out.run = g->run;
    out.generation = g->generation;
    out.best = g->best;
    out.mean = g->mean;
    out.best_ever = g->best_ever;
    out.test = g->test;
    out.individuals = g->individuals;
    out.valid = g->by_validity[GR_VALID];
    out.mean_length = g->size[GR_SIZE_LENGTH].mean;
    out.mean_nodes = g->size[GR_SIZE_NODES].mean;
    out.mean_depth = g->size[GR_SIZE_DEPTH].mean;
    out.best_nodes = g->best_nodes;
    out.best_depth = g->best_depth;
    out.executed = g->executed;
    out.seconds = g->seconds;
    if (g->run == 0)
        run->best_ever = g->best_ever;
    if (run->keeps)
        keep(run, &out);
    if (run->callback) {
        uselocale(run->callers);
        run->callback(run->context, &out);
        gr_library_locale();
    }
}

static void tell(grampus_run *run, uint32_t generation, int epoch_finished) {
    const gr_params *p = &gr_run_problem(run->run)->job.params;
    grampus_progress progress = {.generation = generation, .best_ever = run->best_ever};
    progress.generations = gr_run_generations(p);
    progress.seconds = gr_seconds_now() - run->started;
    progress.epoch_finished = epoch_finished;
    run->told = progress.seconds;
    uselocale(run->callers);
    run->progress(run->progress_context, &progress);
    gr_library_locale();
}

static void tick(void *context, uint32_t generation) {
    grampus_run *run = context;
    if (gr_seconds_now() - run->started - run->told >= run->every)
        tell(run, generation, 0);
}

grampus_status grampus_run_advance(grampus_run *run, grampus_on_generation *callback, void *context,
                                   int *finished, grampus_error *error) {
    gr_error inner;
    gr_run_report report;
    gr_watch watch = {.generation = hand_on, .context = run};
    watch.tick = run->progress ? tick : NULL;
    run->callback = callback;
    run->context = context;
    run->looked = 0;
    run->callers = gr_library_locale();
    gr_status status = gr_run_advance_to_law(run->run, &watch, finished, &inner);
    if (!status && run->lost)
        status = gr_fail(&inner, GR_NO_MEMORY, "no memory for the history of %zu row%s", run->rows,
                         gr_s(run->rows));
    gr_run_look(run->run, &report);
    if (!status && run->progress && report.selected)
        tell(run, report.generation, 1);
    uselocale(run->callers);
    return gr_pass(status, &inner, error);
}

void grampus_run_stop(grampus_run *run) {
    gr_run_stop(run->run);
}

/* ---- the best ---- */

/* How the run's metric reads classes from outputs. */
static void show_classes(const gr_params *p, const float *threshold, grampus_best *out) {
    out->rule = GRAMPUS_POSITIVES;
    out->class_max = 1.0f; /* 0: not positive, 1: positive */
    out->thresholds = 1;
    if (p->metric == GR_METRIC_MISCLASSIFIED) {
        out->rule = p->class_rule == GR_CLASS_NEAREST ? GRAMPUS_NEAREST
                    : p->class_rule == GR_CLASS_SIGN  ? GRAMPUS_SIGN
                                                      : GRAMPUS_THRESHOLDS;
        out->class_min = p->class_min;
        out->class_max = p->class_max;
        out->thresholds = out->rule == GRAMPUS_THRESHOLDS ? p->thresholds : 0;
    } else if (p->metric == GR_METRIC_HINGE) { /* no number is neither */
        out->rule = GRAMPUS_THRESHOLDS;
        out->threshold[0] = 0x1p-149f; /* above 0 */
        return;
    } else if (p->metric != GR_METRIC_BALANCED && p->metric != GR_METRIC_F1) {
        out->rule = GRAMPUS_NO_CLASSES;
        out->class_max = 0.0f;
        out->thresholds = 0;
    }
    memcpy(out->threshold, threshold, out->thresholds * sizeof *threshold);
}

grampus_best gr_show_best(const gr_problem *problem, gr_best *best, const float *threshold) {
    grampus_best out = {.run = best->run, .generation = best->generation, .seed = best->seed};
    out.train = best->train;
    out.test = best->test;
    out.solved = best->solved;
    out.nodes = best->nodes;
    out.depth = best->depth;
    out.precision = problem->train.doubles ? GRAMPUS_DOUBLE : GRAMPUS_FLOAT;
    out.intercept = best->intercept;
    out.slope = best->slope;
    out.infix = best->infix;
    out.phenotype = best->phenotype;
    out.genome = best->genome;
    out.genome_length = best->genome ? best->length : 0;
    out.used_codons = best->genome ? best->used : 0;
    show_classes(&problem->job.params, threshold, &out);
    *best = (gr_best){0};
    return out;
}

gr_status gr_library_best(grampus_run *run, uint32_t index, int chosen, grampus_best *best,
                          gr_error *error) {
    gr_best b;
    gr_run_report report;
    float threshold[GR_MAX_THRESHOLDS];
    const gr_problem *problem = gr_run_problem(run->run);
    gr_status status = gr_run_best(run->run, index, &b, error);
    *best = (grampus_best){0};
    gr_run_look(run->run, &report);
    if (!status && chosen && gr_has_front(run->run)) {
        gr_front front;
        status = gr_front_read(run->run, index, &front, error);
        if (!status)
            status = gr_front_choose(run->run, &front, &b, error);
        gr_front_free(&front);
    }
    if (!status && chosen)
        status = gr_choose_by_size(run->run, index, &b, error);
    if (!status && report.finished)
        status = gr_recompute(problem, &b, 1, error);
    if (!status)
        status = gr_best_thresholds(problem, &b, threshold, error);
    if (!status)
        *best = gr_show_best(problem, &b, threshold);
    else
        gr_best_free(&b);
    return status;
}

grampus_status grampus_run_best(grampus_run *run, uint32_t index, grampus_best *best,
                                grampus_error *error) {
    gr_error inner;
    return gr_pass(gr_library_best(run, index, 1, best, &inner), &inner, error);
}

grampus_status grampus_run_leader(grampus_run *run, uint32_t *index, grampus_error *error) {
    gr_error inner;
    gr_status status = gr_chosen_leader(run->run, index, &inner);
    return gr_pass(status, &inner, error);
}

void grampus_best_free(grampus_best *best) {
    grampus_best empty = {0};
    free((void *)(uintptr_t)best->infix);
    free((void *)(uintptr_t)best->phenotype);
    free((void *)(uintptr_t)best->genome);
    *best = empty;
}

void grampus_run_info(const grampus_run *run, grampus_info *info) {
    gr_run_report report;
    grampus_info out = {0};
    locale_t callers = gr_library_locale();
    gr_run_look(run->run, &report);
    uselocale(callers);
    memcpy(out.device, report.engine.device, sizeof out.device);
    memcpy(out.why, report.why, sizeof out.why);
    memcpy(out.memory, report.engine.memory, sizeof out.memory);
    out.memory_bytes = report.engine.bytes;
    out.runs = gr_run_problem(run->run)->job.params.runs;
    out.generation = report.generation;
    out.executed = report.executed;
    out.seconds = report.traffic.seconds;
    out.uploaded = report.traffic.uploaded;
    out.telemetry = report.traffic.telemetry;
    out.downloaded = report.traffic.downloaded;
    out.stopped = report.stopped;
    snprintf(out.stop_reason, sizeof out.stop_reason, "%s", gr_reason_name(report.reason));
    *info = out;
}

void grampus_run_close(grampus_run *run) {
    if (!run)
        return;
    gr_run_close(run->run);
    free(run->history);
    free(run->unused);
    gr_law_free(&run->law);
    free(run);
}
