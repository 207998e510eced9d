/* The public face of libgrampus: handles around the library's own objects. */
#include "host/library/grampus.h"

#include "host/derivation/phenotype.h"
#include "host/problem/predict.h"
#include "host/run/recompute.h"
#include "host/run/run.h"
#include "host/settings/table.h"

#include <stdlib.h>
#include <string.h>

struct grampus_settings {
    gr_settings settings;
};
struct grampus_run {
    gr_run *run;
    grampus_on_generation *callback;
    void *context;
};
struct grampus_grammar {
    gr_grammar *grammar;
};

_Static_assert(sizeof(grampus_error) == sizeof(gr_error), "one kind of error, two names");
_Static_assert((int)GRAMPUS_DEVICE_FAILED == (int)GR_DEVICE_FAILED, "one list of codes");

const char *grampus_version(void) {
    return GRAMPUS_VERSION;
}

/* Hands an inner error on; returns its status. */
static grampus_status pass(gr_status status, const gr_error *inner, grampus_error *error) {
    if (status && error) {
        error->status = (grampus_status)status;
        memcpy(error->text, inner->text, sizeof error->text);
    }
    return (grampus_status)status;
}

static grampus_status fail(grampus_error *error, gr_status status, const char *text) {
    gr_error inner;
    return pass(gr_fail(&inner, status, "%s", text), &inner, error);
}

/* ---- settings ---- */

grampus_status grampus_settings_new(grampus_settings **settings, grampus_error *error) {
    gr_error inner;
    *settings = calloc(1, sizeof **settings);
    if (!*settings)
        return fail(error, GR_NO_MEMORY, "no memory for settings");
    gr_status status = gr_settings_init(&(*settings)->settings, &inner);
    if (status) {
        free(*settings);
        *settings = NULL;
    }
    return pass(status, &inner, error);
}

grampus_status grampus_settings_load(grampus_settings *settings, const char *path,
                                     grampus_error *error) {
    gr_error inner;
    return pass(gr_settings_load(&settings->settings, path, &inner), &inner, error);
}

grampus_status grampus_settings_set(grampus_settings *settings, const char *key, const char *value,
                                    grampus_error *error) {
    gr_error inner;
    return pass(gr_settings_set(&settings->settings, key, value, &inner), &inner, error);
}

grampus_status grampus_settings_get(const grampus_settings *settings, const char *key, char *value,
                                    size_t size, grampus_error *error) {
    gr_key found = gr_setting_find(key, strlen(key));
    if (found == GR_KEY_COUNT)
        return fail(error, GR_BAD_INPUT, "unknown key; expected a key of run files");
    char *text = gr_settings_get(&settings->settings, found);
    if (!text)
        return fail(error, GR_NO_MEMORY, "no memory for a value");
    size_t length = strlen(text);
    if (length < size)
        memcpy(value, text, length + 1);
    free(text);
    return length < size ? GRAMPUS_OK
                         : fail(error, GR_FAILED, "the value is longer than the room for it");
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

grampus_status grampus_run_open(const grampus_settings *settings, grampus_run **run,
                                grampus_error *error) {
    gr_error inner;
    gr_settings copy;
    *run = calloc(1, sizeof **run);
    if (!*run)
        return fail(error, GR_NO_MEMORY, "no memory for a run");
    gr_status status = copy_settings(&settings->settings, &copy, &inner);
    if (!status)
        status = gr_settings_resolve(&copy, &inner);
    if (!status)
        status = gr_run_open(&copy, &(*run)->run, &inner);
    gr_settings_free(&copy);
    if (status) {
        free(*run);
        *run = NULL;
    }
    return pass(status, &inner, error);
}

static void hand_on(void *context, const gr_generation *g) {
    const grampus_run *run = context;
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
    run->callback(run->context, &out);
}

grampus_status grampus_run_advance(grampus_run *run, grampus_on_generation *callback, void *context,
                                   int *finished, grampus_error *error) {
    gr_error inner;
    gr_watch watch = {.generation = callback ? hand_on : NULL, .context = run};
    run->callback = callback;
    run->context = context;
    return pass(gr_run_advance(run->run, &watch, finished, &inner), &inner, error);
}

void grampus_run_stop(grampus_run *run) {
    gr_run_stop(run->run);
}

grampus_status grampus_run_best(grampus_run *run, uint32_t index, grampus_best *best,
                                grampus_error *error) {
    gr_error inner;
    gr_best b;
    grampus_best out = {0};
    gr_run_report report;
    gr_status status = gr_run_best(run->run, index, &b, &inner);
    gr_run_look(run->run, &report);
    if (!status && report.finished)
        status = gr_recompute(gr_run_problem(run->run), &b, 1, &inner);
    if (status)
        gr_best_free(&b);
    out.run = b.run;
    out.generation = b.generation;
    out.seed = b.seed;
    out.train = b.train;
    out.test = b.test;
    out.solved = b.solved;
    out.nodes = b.nodes;
    out.depth = b.depth;
    out.intercept = b.intercept;
    out.slope = b.slope;
    out.infix = b.infix;
    out.phenotype = b.phenotype;
    out.genome = b.genome;
    out.genome_length = b.genome ? b.length : 0;
    out.used_codons = b.genome ? b.used : 0;
    *best = out;
    return pass(status, &inner, error);
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
    gr_run_look(run->run, &report);
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
    *info = out;
}

void grampus_run_close(grampus_run *run) {
    if (!run)
        return;
    gr_run_close(run->run);
    free(run);
}

/* ---- genomes to phenotypes ---- */

grampus_status grampus_grammar_load(const char *path, uint32_t n_vars, grampus_grammar **grammar,
                                    grampus_error *error) {
    gr_error inner;
    gr_grammar_context context = {.n_vars = n_vars};
    *grammar = calloc(1, sizeof **grammar);
    if (!*grammar)
        return fail(error, GR_NO_MEMORY, "no memory for a grammar");
    gr_status status = gr_grammar_load(path, &context, &(*grammar)->grammar, &inner);
    if (status) {
        free(*grammar);
        *grammar = NULL;
    }
    return pass(status, &inner, error);
}

void grampus_grammar_free(grampus_grammar *grammar) {
    if (!grammar)
        return;
    gr_grammar_free(grammar->grammar);
    free(grammar);
}

grampus_status grampus_map(const grampus_grammar *grammar, const uint32_t *genome, uint32_t length,
                           uint32_t max_wraps, uint32_t max_depth, grampus_phenotype *phenotype,
                           grampus_error *error) {
    gr_error inner;
    gr_phenotype p;
    grampus_phenotype out = {0};
    *phenotype = out;
    if (max_depth < 1 || max_depth > 65535)
        return fail(error, GR_BAD_INPUT, "max_depth out of range; expected 1 to 65535");
    gr_status status =
        gr_derive_phenotype(grammar->grammar, genome, length, max_wraps, max_depth, &p, &inner);
    out.valid = !status && p.validity == GR_VALID;
    if (out.valid) {
        out.used_codons = p.used;
        out.depth = p.depth;
        out.nodes = p.nodes;
        out.text = p.text;
    }
    *phenotype = out;
    return pass(status, &inner, error);
}

void grampus_phenotype_free(grampus_phenotype *phenotype) {
    grampus_phenotype empty = {0};
    free((void *)(uintptr_t)phenotype->text);
    *phenotype = empty;
}

/* ---- expressions ---- */

grampus_status grampus_evaluate(const char *expression, const char *const *names, uint32_t inputs,
                                const float *const *columns, uint64_t cases, float *output,
                                grampus_error *error) {
    gr_error inner;
    gr_vocabulary vocabulary = {names, inputs, 0};
    gr_dataset set = {0};
    gr_node *nodes = NULL;
    uint32_t count;
    gr_prediction prediction = {output, 0.0f, {0.0, 0.0}};
    if (cases > 1u << 30)
        return fail(error, GR_BAD_INPUT, "too many cases; expected at most 2^30");
    gr_status status =
        gr_read_expression(expression, "expression", &vocabulary, &nodes, &count, &inner);
    if (!status)
        status = gr_dataset_allocate(&set, inputs, cases, 0, &inner);
    for (uint32_t k = 0; !status && k < inputs; k++)
        memcpy(set.x + k * cases, columns[k], cases * sizeof(float));
    if (!status)
        status = gr_dataset_tile(&set, 0, &inner);
    if (!status)
        status = gr_predict(nodes, count, &set, NULL, &prediction, &inner);
    free(nodes);
    gr_dataset_free(&set);
    return pass(status, &inner, error);
}
