/* grampus grammar units: the grammar that a run file's units make. */
#include "host/base/json.h"
#include "host/base/text.h"
#include "host/cli/commands.h"
#include "host/data/dataset.h"
#include "host/grammar/facts.h"
#include "host/problem/cases.h"
#include "host/units/units.h"

#include <stdlib.h>
#include <string.h>

static void print_help(void) {
    printf("usage: grampus grammar units FILE [--setting value ...]\n\n"
           "  FILE is a run file with `units`; prints a BNF grammar whose sentences keep to them, "
           "with the\n"
           "  number of its rules and what its tables take. Any setting may be given as an option: "
           "--units-depth 4\n"
           "  --json           one object: the same numbers, the grammar as `bnf`\n"
           "  -h, --help       this text\n");
}

static gr_status read_settings(const char *path, int argc, char **argv, gr_settings *settings,
                               gr_error *error) {
    gr_status status = gr_settings_load(settings, path, error);
    if (!status)
        status = gr_options_settings(argc, argv, settings, error);
    if (!status)
        status = gr_settings_resolve(settings, error);
    if (!status && !*settings->units)
        status = gr_fail(error, GR_BAD_INPUT, "%.*s: no units; expected units: \"x = m; ...\"",
                         GR_CUT(path, 200));
    return status;
}

static gr_status print_json(const uint32_t *g, uint32_t words, const char *text, gr_error *error) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "rules", g[GR_G_RULES]);
    cJSON_AddNumberToObject(object, "productions", g[GR_G_PRODUCTIONS]);
    cJSON_AddNumberToObject(object, "table_words", words);
    gr_json_add_text(object, "bnf", text);
    return gr_json_print(object, error);
}

/* The grammar with what it takes in front, as comments; or all of it as JSON. */
static gr_status print_made(const char *text, const gr_dataset *set, int json, gr_error *error) {
    gr_grammar_context context = {.n_vars = set->inputs};
    gr_vocabulary vocabulary = {.names = (const char *const *)set->names, .inputs = set->inputs};
    gr_grammar *grammar = NULL;
    uint32_t words;
    gr_status status = gr_grammar_parse(text, strlen(text), "units", &context, &grammar, error);
    if (!status)
        status = gr_grammar_tokenise(grammar, &vocabulary, error);
    if (!status) {
        const uint32_t *g = gr_grammar_tables(grammar, &words);
        if (json)
            status = print_json(g, words, text, error);
        else
            printf("# %u rule%s, %u production%s; tables of %u words (%s)\n%s", g[GR_G_RULES],
                   gr_s(g[GR_G_RULES]), g[GR_G_PRODUCTIONS], gr_s(g[GR_G_PRODUCTIONS]), words,
                   words <= GR_CONSTANT_GRAMMAR ? "in a GPU's constant memory"
                                                : "in a GPU's global memory",
                   text);
    }
    gr_grammar_free(grammar);
    return status;
}

gr_status gr_grammar_from_units(const char *path, int argc, char **argv, gr_error *error) {
    gr_settings settings;
    gr_dataset train = {.inputs = 0}, test = {.inputs = 0};
    char *text = NULL;
    if (gr_asks_for_help(argc, argv)) {
        print_help();
        return GR_OK;
    }
    if (!path)
        return gr_fail(error, GR_BAD_INPUT, "no run file; expected grampus grammar units FILE");
    gr_status status = gr_settings_init(&settings, error);
    if (!status)
        status = read_settings(path, argc, argv, &settings, error);
    if (!status)
        status = gr_dataset_make(&settings, &train, &test, error);
    if (!status)
        status = gr_units_grammar(&settings, (const char *const *)train.names, train.inputs,
                                  train.target_name, &text, error);
    if (!status)
        status = print_made(text, &train, settings.json, error);
    free(text);
    gr_dataset_free(&train);
    gr_dataset_free(&test);
    gr_settings_free(&settings);
    return status;
}
