/* Expressions applied to the arrays of a caller, a chunk of cases at a time. */
#include "host/base/text.h"
#include "host/cpu/compile.h"
#include "host/cpu/evaluate.h"
#include "host/cpu/processors.h"
#include "host/cpu/team.h"
#include "host/library/internal.h"
#include "host/problem/several.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a prediction takes; the threads share it. */
typedef struct work {
    const grampus_best *best;
    const grampus_cases *cases;
    grampus_output what;
    grampus_type as, type; /* of what is computed, of what is written */
    void *output;
    int strict;       /* every input is to be finite */
    uint32_t targets; /* of targets(...), one column of output behind the other; 0: it is none */
    const gr_instruction *program;
    uint32_t length;
    const char *used; /* [inputs] whether the program reads it */
    struct scratch {
        gr_cpu_registers *registers;
        char *tile; /* [inputs + 1][GR_CHUNK] of type `as`; what is behind the cases is run too */
        uint64_t bad;
    } * scratch; /* [threads] */
} work;

/* ---- outputs ---- */

/* The least float above 0 is said of whatever is above it, of doubles too. An infinite one is of a
 * class that nobody is in. */
static int reaches(double output, float threshold) {
    return threshold == 0x1p-149f ? output > 0.0
                                  : output >= (double)threshold && threshold < INFINITY;
}

static double class_of(const grampus_best *b, double output) {
    double low = (double)b->class_min, high = (double)b->class_max;
    if (b->rule == GRAMPUS_POSITIVES)
        return reaches(output, b->threshold[0]) ? high : low;
    if (isnan(output))
        return (double)NAN; /* of one sign */
    if (b->rule == GRAMPUS_SIGN)
        return output >= 0.0 ? high : low;
    if (b->rule == GRAMPUS_NEAREST)
        return fmin(fmax(rint(output), low), high) + 0.0; /* a label is 0, not -0 */
    for (uint32_t k = 0; k < b->thresholds; k++)
        low += reaches(output, b->threshold[k]);
    return low;
}

static void put(const work *w, uint64_t first, uint32_t count, const double *from) {
    const grampus_best *b = w->best;
    for (uint32_t i = 0; i < count; i++) {
        double value = from[i];
        if (w->what == GRAMPUS_SCALED)
            value = b->intercept + b->slope * value;
        else if (w->what == GRAMPUS_LABEL)
            value = class_of(b, from[i]);
        if (w->type == GRAMPUS_FLOAT)
            ((float *)w->output)[first + i] = (float)value;
        else
            ((double *)w->output)[first + i] = value;
    }
}

/* ---- chunks ---- */

/* The program over a tile. */
static void run_program(const work *w, const struct scratch *scratch, uint32_t cases,
                        double *output) {
    const gr_cpu_interpreter *interpreter = gr_cpu_best_interpreter();
    const float *tile = (const float *)(const void *)scratch->tile;
    float single[GR_CHUNK];
    if (w->as == GRAMPUS_DOUBLE) {
        interpreter->predict_double(w->program, w->length, tile, cases, scratch->registers, output);
        return;
    }
    interpreter->predict(w->program, w->length, tile, cases, scratch->registers, single);
    for (uint32_t i = 0; i < cases; i++)
        output[i] = (double)single[i];
}

static void predict_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const work *w = context;
    struct scratch *scratch = &w->scratch[thread];
    const grampus_cases *c = w->cases;
    const size_t row = GR_CHUNK * gr_type_size(w->as);
    double output[GR_CHUNK];
    for (uint64_t chunk = first; chunk < last; chunk++) {
        uint64_t begin = chunk * GR_CHUNK, left = c->cases - begin;
        uint32_t here = left < GR_CHUNK ? (uint32_t)left : GR_CHUNK, bad;
        for (uint32_t k = 0; k < c->inputs; k++) {
            /* one that is not used is only looked at; all of them stand in the first row */
            char *to = scratch->tile + (w->used[k] ? k : c->inputs) * row;
            if ((!w->strict && !w->used[k]) ||
                gr_take_column(&c->columns[k], NULL, begin, here, w->as, to, &bad) || !w->strict)
                continue;
            uint64_t place = (begin + bad) * c->inputs + k;
            scratch->bad = place < scratch->bad ? place : scratch->bad;
        }
        run_program(w, scratch, here, output);
        put(w, begin, here, output);
    }
}

static gr_status predict_all(work *w, gr_error *error) {
    uint64_t chunks = (w->cases->cases + GR_CHUNK - 1) / GR_CHUNK, bad = UINT64_MAX;
    uint32_t threads = gr_threads_for_chunks(0, chunks), inputs = w->cases->inputs;
    gr_status status = GR_OK;
    w->scratch = calloc(threads, sizeof *w->scratch);
    for (uint32_t t = 0; w->scratch && t < threads; t++) {
        struct scratch *scratch = &w->scratch[t];
        scratch->bad = UINT64_MAX;
        scratch->registers = gr_cpu_take_registers(1, NULL);
        scratch->tile = calloc(inputs + 1ull, GR_CHUNK * gr_type_size(w->as));
        if (!scratch->registers || !scratch->tile)
            status = GR_NO_MEMORY;
    }
    if (status || !w->scratch)
        status = gr_fail(error, GR_NO_MEMORY, "no memory to evaluate %llu case%s",
                         (unsigned long long)w->cases->cases, gr_s(w->cases->cases));
    gr_team *team = status ? NULL : gr_team_open(threads);
    if (!status)
        gr_team_loop(team, chunks, 4, predict_some, w);
    gr_team_close(team);
    for (uint32_t t = 0; w->scratch && t < threads; t++) {
        bad = w->scratch[t].bad < bad ? w->scratch[t].bad : bad;
        free(w->scratch[t].registers);
        free(w->scratch[t].tile);
    }
    free(w->scratch);
    if (status || bad == UINT64_MAX)
        return status;
    char name[16];
    snprintf(name, sizeof name, "x%u", (uint32_t)(bad % inputs));
    return gr_fail(error, GR_BAD_INPUT, "case %llu: %.*s %s", (unsigned long long)(bad / inputs),
                   GR_CUT(w->cases->names ? w->cases->names[bad % inputs] : name, 80),
                   gr_not_finite(w->as));
}

/* Columns that an expression does not name may be missing. */
static gr_status check_used(const work *w, gr_error *error) {
    const grampus_cases *c = w->cases;
    for (uint32_t k = 0; c->cases && k < c->inputs; k++)
        if (w->used[k] && !c->columns[k].values)
            return gr_fail(error, GR_BAD_INPUT, "no values of input %u of %u, which is used", k,
                           c->inputs);
    return GR_OK;
}

static gr_status predict_nodes(work *w, const gr_node *nodes, uint32_t count, gr_error *error) {
    gr_status status;
    char *used = calloc(w->cases->inputs + 1ull, 1);
    gr_instruction *program = gr_cpu_compile(nodes, count, &w->length);
    for (uint32_t i = 0; used && i < count; i++)
        if (GR_NODE_OP(nodes[i]) == GR_INPUT)
            used[nodes[i].operand] = 1;
    w->program = program;
    w->used = used;
    status = used && program ? check_used(w, error)
                             : gr_fail(error, GR_NO_MEMORY, "no memory to evaluate an expression");
    if (!status)
        status = predict_all(w, error);
    free(program);
    free(used);
    return status;
}

/* Every output of targets(...) in its column. With the first all inputs are looked at. */
static gr_status predict_outputs(work *w, const gr_node *nodes, uint32_t count, gr_error *error) {
    gr_status status = GR_OK;
    char *output = w->output;
    for (uint32_t k = 0; k < w->targets && !status; k++) {
        uint32_t first, length;
        w->output = output + k * w->cases->cases * gr_type_size(w->type);
        status = gr_find_output(nodes, count, w->targets, k, &first, &length)
                     ? predict_nodes(w, nodes + first, length, error)
                     : gr_fail(error, GR_BAD_INPUT,
                               "no program of %u target%s; expected targets(...) of so many",
                               w->targets, gr_s(w->targets));
        w->strict = 0;
    }
    return status;
}

/* Reads the expression and compiles it. */
static gr_status predict(work *w, const char *expression, gr_error *error) {
    /* the error in each target is read with it, and not looked at */
    gr_vocabulary vocabulary = {w->cases->names, w->cases->inputs, 0, 0,
                                w->targets,      GR_TARGETS_SQUARE};
    gr_node *nodes = NULL;
    uint32_t count;
    gr_status status =
        gr_read_expression(expression, "expression", &vocabulary, &nodes, &count, error);
    if (status == GR_BAD_INPUT && w->targets && !strstr(expression, "targets"))
        status = gr_fail(error, GR_BAD_INPUT,
                         "an expression without targets(...); expected one of %u target%s",
                         w->targets, gr_s(w->targets));
    if (!status && w->targets)
        status = predict_outputs(w, nodes, count, error);
    else if (!status)
        status = predict_nodes(w, nodes, count, error);
    free(nodes);
    return status;
}

/* An individual's expression has the names that a run on these cases gave their inputs. */
static gr_status predict_named(work *w, gr_error *error) {
    grampus_cases cases = *w->cases;
    gr_dataset set = {.inputs = cases.inputs};
    gr_status status = gr_check_inputs(&cases, "the", error);
    if (status || !cases.names)
        return status ? status : predict(w, w->best->infix, error);
    set.names = calloc(cases.inputs + 1ull, sizeof *set.names);
    if (!set.names || !gr_dataset_name_inputs(&set, cases.names, NULL))
        status = gr_fail(error, GR_NO_MEMORY, "no memory for the names of the inputs");
    cases.names = (const char *const *)set.names;
    w->cases = &cases;
    if (!status)
        status = predict(w, w->best->infix, error);
    gr_dataset_free(&set);
    return status;
}

grampus_status grampus_predict(const grampus_best *best, const grampus_cases *cases,
                               grampus_output what, grampus_type type, void *output,
                               grampus_error *error) {
    gr_error inner;
    work w = {.best = best, .cases = cases, .what = what, .type = type};
    w.as = best->precision == GRAMPUS_DOUBLE ? GRAMPUS_DOUBLE : GRAMPUS_FLOAT;
    w.output = output;
    w.strict = 1;
    if (cases->cases > GR_MOST_CASES)
        return gr_refuse(error, GR_BAD_INPUT, "too many cases; expected at most 2^30");
    if (!best->infix)
        return gr_refuse(error, GR_BAD_INPUT, "no expression; expected an individual that has one");
    if (what == GRAMPUS_LABEL && best->rule == GRAMPUS_NO_CLASSES)
        return gr_refuse(error, GR_BAD_INPUT,
                         "labels of a metric without classes; expected e.g. misclassified");
    if (what == GRAMPUS_LABEL && best->thresholds > GRAMPUS_MOST_THRESHOLDS)
        return gr_refuse(error, GR_BAD_INPUT,
                         "more thresholds than there is room for; expected at most 32");
    return gr_pass(predict_named(&w, &inner), &inner, error);
}

grampus_status grampus_predict_targets(const grampus_best *best, const grampus_cases *cases,
                                       uint32_t targets, grampus_type type, void *output,
                                       grampus_error *error) {
    gr_error inner;
    work w = {.best = best,
              .cases = cases,
              .what = GRAMPUS_OUTPUT,
              .as = GRAMPUS_FLOAT,
              .type = type,
              .strict = 1,
              .targets = targets};
    w.output = output;
    if (cases->cases > GR_MOST_CASES)
        return gr_refuse(error, GR_BAD_INPUT, "too many cases; expected at most 2^30");
    if (!best->infix)
        return gr_refuse(error, GR_BAD_INPUT, "no expression; expected an individual that has one");
    if (targets < 2)
        return gr_refuse(error, GR_BAD_INPUT,
                         "fewer than 2 targets; expected as many as the setting names");
    return gr_pass(predict_named(&w, &inner), &inner, error);
}

static gr_status check_names(const char *const *names, uint32_t inputs, gr_error *error) {
    for (uint32_t k = 0; names && k < inputs; k++)
        if (!names[k])
            return gr_fail(error, GR_BAD_INPUT, "no name of input %u of %u", k, inputs);
    return GR_OK;
}

/* columns: pointers to numbers of `type`, which the output has too. */
static grampus_status evaluate(const char *expression, const char *const *names, uint32_t inputs,
                               const void *columns, uint64_t cases, grampus_type type, void *output,
                               grampus_error *error) {
    gr_error inner;
    grampus_column *column = calloc(inputs + 1ull, sizeof *column);
    const grampus_cases set = {.cases = cases, .inputs = inputs, .names = names, .columns = column};
    work w = {.cases = &set, .what = GRAMPUS_OUTPUT, .as = type, .type = type};
    gr_status status = GR_OK;
    w.output = output;
    if (cases > GR_MOST_CASES)
        status = gr_fail(&inner, GR_BAD_INPUT, "too many cases; expected at most 2^30");
    if (!status && !column)
        status = gr_fail(&inner, GR_NO_MEMORY, "no memory for %u column%s", inputs, gr_s(inputs));
    for (uint32_t k = 0; !status && k < inputs; k++) {
        column[k] = (grampus_column){NULL, (ptrdiff_t)gr_type_size(type), type};
        if (columns)
            memcpy(&column[k].values, (const char *)columns + k * sizeof(void *), sizeof(void *));
    }
    if (!status)
        status = check_names(names, inputs, &inner);
    if (!status)
        status = predict(&w, expression, &inner);
    free(column);
    return gr_pass(status, &inner, error);
}

grampus_status grampus_evaluate(const char *expression, const char *const *names, uint32_t inputs,
                                const float *const *columns, uint64_t cases, float *output,
                                grampus_error *error) {
    return evaluate(expression, names, inputs, columns, cases, GRAMPUS_FLOAT, output, error);
}

grampus_status grampus_evaluate_doubles(const char *expression, const char *const *names,
                                        uint32_t inputs, const double *const *columns,
                                        uint64_t cases, double *output, grampus_error *error) {
    return evaluate(expression, names, inputs, columns, cases, GRAMPUS_DOUBLE, output, error);
}

/* ---- as a tree ---- */

static void put_node(FILE *out, gr_node node, const gr_vocabulary *vocabulary) {
    uint32_t op = GR_NODE_OP(node);
    if (op == GR_CONSTANT)
        fprintf(out, "0 %.9g\n", (double)gr_bits_float(node.operand));
    else if (op == GR_INPUT && vocabulary->names)
        fprintf(out, "0 %s\n", vocabulary->names[node.operand]);
    else if (op == GR_INPUT)
        fprintf(out, "0 x%u\n", node.operand);
    else
        fprintf(out, "%u %s\n", gr_arity(op), gr_operation_name(op));
}

grampus_status grampus_expression_postfix(const char *expression, const char *const *names,
                                          uint32_t inputs, char **text, grampus_error *error) {
    gr_error inner;
    gr_vocabulary vocabulary = {names, inputs, 0, 0, 0, 0};
    gr_node *nodes = NULL;
    uint32_t count;
    size_t size;
    *text = NULL;
    gr_status status = check_names(names, inputs, &inner);
    if (!status)
        status = gr_read_expression(expression, "expression", &vocabulary, &nodes, &count, &inner);
    if (status)
        return gr_pass(status, &inner, error);
    FILE *out = open_memstream(text, &size);
    locale_t callers = gr_library_locale();
    for (uint32_t i = 0; out && i < count; i++)
        put_node(out, nodes[i], &vocabulary);
    uselocale(callers);
    int good = out && !ferror(out);
    good = out && fclose(out) == 0 && good;
    free(nodes);
    if (good)
        return GRAMPUS_OK;
    free(*text);
    *text = NULL;
    return gr_refuse(error, GR_NO_MEMORY, "no memory to write an expression");
}

void grampus_text_free(char *text) {
    free(text);
}
