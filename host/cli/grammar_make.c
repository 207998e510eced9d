/* grampus grammar make: a grammar for the inputs of a table. */
#include "gpu/core/base/params.h"
#include "host/base/json.h"
#include "host/base/text.h"
#include "host/cli/commands.h"
#include "host/data/dataset.h"
#include "host/expression/vocabulary.h"
#include "host/problem/cases.h"
#include "host/settings/targets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void print_help(void) {
    printf(
        "usage: grampus grammar make TABLE|FILE [--setting value ...]\n\n"
        "  Prints a BNF grammar for the inputs of a table, or of a run file: every production an "
        "operation or a leaf,\n"
        "  five of nine operations, and numbers of several sizes, at which fitting may begin: "
        "what `preset: ge` was\n"
        "  measured with. Settings are options: --target COLUMN --functions \"+, *, sin\"\n"
        "  --json           one object: how many inputs and operations, the grammar as `bnf`\n"
        "  -h, --help       this text\n");
}

/* As those of trees, whose presets name operations, or of a run with the grammar that is made. */
static gr_status resolve_as(int trees, const char *path, int argc, char **argv,
                            gr_settings *settings, gr_error *error) {
    const char *end = strrchr(path, '.');
    int is_file = end && (strcmp(end, ".yaml") == 0 || strcmp(end, ".yml") == 0);
    gr_status status = is_file ? gr_settings_load(settings, path, error)
                               : gr_settings_set(settings, "data", path, error);
    if (!status)
        status = gr_options_settings(argc, argv, settings, error);
    if (!status && *settings->boolean)
        status = gr_fail(error, GR_BAD_INPUT, "%.*s: a boolean problem; expected one of numbers",
                         GR_CUT(path, 200));
    if (!status && *settings->grammar)
        status = gr_fail(error, GR_BAD_INPUT, "%.*s: there is a grammar; expected none",
                         GR_CUT(path, 200));
    if (!status && *settings->units)
        status = gr_settings_fail(settings, GR_KEY_units, error,
                                  "units make a grammar; expected grampus grammar units, or none");
    settings->given_grammar = !trees;
    if (!status && trees)
        status = gr_settings_set(settings, "genotype", "tree", error);
    return status ? status : gr_settings_resolve(settings, error);
}

/* A run file may name what goes with genomes alone: a convention of mapping, a crossover. */
static gr_status read_settings(const char *path, int argc, char **argv, gr_settings *settings,
                               gr_error *error) {
    gr_status status = resolve_as(1, path, argc, argv, settings, error);
    if (status != GR_BAD_INPUT)
        return status;
    error->text[0] = '\0'; /* what the first reading refused may be of genomes */
    gr_settings_free(settings);
    status = gr_settings_init(settings, error);
    return status ? status : resolve_as(0, path, argc, argv, settings, error);
}

/* A column by its name, or by its number where an expression would read that otherwise. */
static void put_input(const char *name, uint32_t number, FILE *out) {
    int plain = gr_dataset_is_name(name) && gr_find_operation(name, strlen(name), 0) < 0;
    if (plain)
        fprintf(out, " | %s", name);
    else
        fprintf(out, " | x[%u]", number);
}

static void put_operation(uint32_t op, FILE *out) {
    const char *sign = gr_operation_symbol(op), *name = gr_operation_name(op);
    uint32_t arity = gr_arity(op);
    const char *quote = strpbrk(sign, "<>|") ? "'" : "";
    if (arity == 2 && *sign) {
        fprintf(out, "(<e> %s%s%s <e>)", quote, sign, quote);
        return;
    }
    fprintf(out, "%s(<e>", name);
    for (uint32_t k = 1; k < arity; k++)
        fprintf(out, ", <e>");
    fprintf(out, ")");
}

/* What a program of several outputs begins with. */
typedef struct start_rule {
    const char *function;
    uint32_t outputs; /* 0: one, without a function */
} start_rule;

/* An output for every target, or for every whole number from the lowest label to the highest. */
static gr_status find_start(const gr_settings *settings, const gr_dataset *set, start_rule *start,
                            gr_error *error) {
    float least = set->y[0], most = set->y[0];
    *start = (start_rule){"targets", gr_settings_targets(settings)};
    if (settings->class_rule != GR_CLASS_ARGMAX)
        return GR_OK;
    for (uint64_t i = 1; i < set->cases; i++) {
        least = fminf(least, set->y[i]);
        most = fmaxf(most, set->y[i]);
    }
    if (!(most - least < (float)GR_MOST_RANKED))
        return gr_settings_fail(settings, GR_KEY_class_rule, error,
                                "class-rule argmax for labels from %g to %g; expected at most %d "
                                "whole numbers",
                                (double)least, (double)most, GR_MOST_RANKED);
    *start = (start_rule){"argmax", (uint32_t)(most - least) + 1};
    return GR_OK;
}

static void put_start(const start_rule *start, FILE *out) {
    if (!start->outputs)
        return;
    fprintf(out, "<p> ::= %s(<e>", start->function);
    for (uint32_t k = 1; k < start->outputs; k++)
        fprintf(out, ", <e>");
    fprintf(out, ")\n");
}

/* Inputs are there about nine times in all, so that six numbers are not too many beside few. */
static void put_grammar(const char *path, const gr_dataset *set, uint32_t inputs,
                        const start_rule *start, const uint8_t *operation, uint32_t operations,
                        FILE *out) {
    static const char *const numbers[] = {"-4.0", "-2.0", "-1.0", "1.0", "2.0", "4.0"};
    enum { NUMBERS = sizeof numbers / sizeof *numbers, ABOUT = 9 };
    long times = lrint((double)ABOUT / inputs), repeats;
    times = times < 1 ? 1 : times;
    repeats = lrint(1.25 * (double)(times * (long)inputs + NUMBERS) / operations);
    fprintf(out,
            "# For the inputs of %s: five of nine productions operations, numbers of several sizes "
            "for fitting to begin at.\n",
            path);
    put_start(start, out);
    fprintf(out, "<e> ::= ");
    for (long n = 0; n < (repeats < 1 ? 1 : repeats); n++)
        for (uint32_t k = 0; k < operations; k++) {
            fprintf(out, "%s", n || k ? " | " : "");
            put_operation(operation[k], out);
        }
    for (long n = 0; n < times; n++)
        for (uint32_t i = 0; i < inputs; i++)
            put_input(set->names[i], i, out);
    for (uint32_t k = 0; k < NUMBERS; k++)
        fprintf(out, " | %s", numbers[k]);
    fprintf(out, "\n");
}

/* The grammar as text, or as a member of an object. */
static gr_status print_grammar(const char *path, const gr_dataset *set, const gr_settings *settings,
                               const start_rule *start, const uint8_t *operation,
                               uint32_t operations, gr_error *error) {
    uint32_t inputs = set->inputs - gr_settings_targets(settings); /* targets stand behind them */
    char *text = NULL;
    size_t size;
    if (!settings->json) {
        put_grammar(path, set, inputs, start, operation, operations, stdout);
        return GR_OK;
    }
    FILE *out = open_memstream(&text, &size);
    if (out)
        put_grammar(path, set, inputs, start, operation, operations, out);
    if (!out || fclose(out) != 0) {
        free(text);
        return gr_fail(error, GR_NO_MEMORY, "no memory for a grammar of %u input%s", inputs,
                       gr_s(inputs));
    }
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "inputs", inputs);
    cJSON_AddNumberToObject(object, "operations", operations);
    gr_json_add_text(object, "bnf", text);
    free(text);
    return gr_json_print(object, error);
}

gr_status gr_grammar_make(const char *path, int argc, char **argv, gr_error *error) {
    gr_settings settings;
    gr_dataset train = {.inputs = 0}, test = {.inputs = 0};
    uint8_t operation[GR_OP_COUNT];
    uint32_t operations = 0;
    start_rule start;
    if (gr_asks_for_help(argc, argv)) {
        print_help();
        return GR_OK;
    }
    if (!path)
        return gr_fail(error, GR_BAD_INPUT, "no table; expected grampus grammar make TABLE");
    gr_status status = gr_settings_init(&settings, error);
    if (!status)
        status = read_settings(path, argc, argv, &settings, error);
    if (!status)
        status = gr_settings_functions(&settings, operation, &operations, error);
    if (!status)
        status = gr_dataset_make(&settings, &train, &test, error);
    if (!status)
        status = find_start(&settings, &train, &start, error);
    if (!status)
        status = print_grammar(path, &train, &settings, &start, operation, operations, error);
    gr_dataset_free(&train);
    gr_dataset_free(&test);
    gr_settings_free(&settings);
    return status;
}
