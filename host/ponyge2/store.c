/* PonyGE2's parameters to settings. */
#include "host/base/input.h"
#include "host/base/text.h"
#include "host/ponyge2/internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* Operators by the last part of their names; key NULL: what is there anyway. */
static const struct {
    const char *parameter, *word, *key, *value;
} operators[] = {
    {"SEARCH_LOOP", "search_loop", NULL, NULL},
    {"STEP", "step", NULL, NULL},
    {"STEP", "steady_state_step", "replacement", "steady-state"},
    {"INITIALISATION", "PI_grow", "initialisation", "pi-grow"},
    {"INITIALISATION", "rhh", "initialisation", "ramped"},
    {"INITIALISATION", "uniform_genome", "initialisation", "uniform"},
    {"INITIALISATION", "uniform_tree", "initialisation", "grow"},
    {"INITIALISATION", "seed_individuals", "initialisation", "seeds"},
    {"INITIALISATION", "rvd", "initialisation", "uniform"}, /* unique, in put_rest */
    {"SELECTION", "tournament", NULL, NULL},
    {"SELECTION", "truncation", "selection", "truncation"},
    {"SELECTION", "nsga2_selection", "selection", "nsga2"},
    {"CROSSOVER", "variable_onepoint", "crossover", "variable-onepoint"},
    {"CROSSOVER", "variable_twopoint", "crossover", "variable-twopoint"},
    {"CROSSOVER", "fixed_onepoint", "crossover", "fixed-onepoint"},
    {"CROSSOVER", "fixed_twopoint", "crossover", "fixed-twopoint"},
    {"CROSSOVER", "subtree", "crossover", "subtree"},
    {"MUTATION", "int_flip_per_codon", NULL, NULL},
    {"MUTATION", "int_flip_per_ind", "mutation-events", "1"},
    {"MUTATION", "subtree", "subtree-mutation", "1"},
    {"REPLACEMENT", "generational", NULL, NULL},
    {"REPLACEMENT", "steady_state", "replacement", "steady-state"},
    {"REPLACEMENT", "nsga2_replacement", "replacement", "nsga2"},
};

enum { OPERATORS = sizeof operators / sizeof *operators };

int gr_ponyge2_is_none(const char *value) {
    return strcmp(value, "None") == 0;
}

const char *gr_ponyge2_last_part(const char *value) {
    const char *dot = strrchr(value, '.');
    return dot ? dot + 1 : value;
}

/* ---- files beside the parameters ---- */

static int is_wanted(const char *path, const char *kind) {
    struct stat info;
    if (strcmp(kind, "seeds") == 0)
        return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
    return gr_ponyge2_parameter_is_file(path);
}

/* The file, or the folder of seeds, called `name` in folder `kind` ("grammars", "datasets",
 * "seeds") of a PonyGE2 checkout; its absolute path, malloc'ed, or NULL. */
static char *look_for(const gr_ponyge2_parameters *p, const char *kind, const char *name) {
    const char *slash = strrchr(p->path, '/');
    int n = slash ? (int)(slash - p->path) + 1 : 0;
    char path[5][LONGEST_PATH];
    snprintf(path[0], LONGEST_PATH, "%.*s../%s/%s", n, p->path, kind, name);
    snprintf(path[1], LONGEST_PATH, "%.*s%s/%s", n, p->path, kind, name);
    snprintf(path[2], LONGEST_PATH, "%s/%s", kind, name);
    snprintf(path[3], LONGEST_PATH, "../%s/%s", kind, name);
    snprintf(path[4], LONGEST_PATH, "%s", name);
    if (*name == '/')
        return is_wanted(name, kind) ? strdup(name) : NULL;
    for (int i = 0; i < 5; i++)
        if (is_wanted(path[i], kind))
            return realpath(path[i], NULL);
    return NULL;
}

/* ---- to settings ---- */

gr_status gr_ponyge2_put(const gr_ponyge2_target *t, int i, const char *key, const char *value) {
    gr_origin origin = t->p->at[i].origin;
    if (origin.from == GR_FROM_OPTION) /* a message would name the setting, not the flag */
        origin.from = GR_FROM_OTHERS;
    return gr_setting_store(t->settings, gr_setting_find(key, strlen(key)), value, origin,
                            t->error);
}

static gr_status put_file(const gr_ponyge2_target *t, const char *name, const char *kind,
                          const char *key) {
    int i = gr_ponyge2_parameter_find(name);
    const char *value = gr_ponyge2_parameter_value(t->p, name);
    errno = 0;
    char *path = look_for(t->p, kind, value);
    if (!path && errno == ENOMEM)
        return gr_input_fail(t->p->path, "parameters", t->error);
    if (!path)
        return gr_ponyge2_parameter_fail(
            t->p, i, t->error,
            "%s is '%.*s', which is not there; expected it in the folder %s beside that "
            "of the parameters, or here",
            name, GR_CUT(value, 200), kind);
    gr_status status = gr_ponyge2_put(t, i, key, path);
    free(path);
    return status;
}

/* The operator of parameter i that a value names by its last part; OPERATORS: there is none. */
static size_t find_operator(int i, const char *value) {
    size_t k = 0;
    while (k < OPERATORS &&
           (strcmp(operators[k].parameter, gr_ponyge2_parameter_table[i].name) != 0 ||
            strcmp(operators[k].word, gr_ponyge2_last_part(value)) != 0))
        k++;
    return k;
}

int gr_ponyge2_parameter_names_operator(int i, const char *value) {
    return find_operator(i, value) < OPERATORS;
}

static gr_status put_operator(const gr_ponyge2_target *t, int i) {
    const char *value =
        t->p->at[i].value ? t->p->at[i].value : gr_ponyge2_parameter_table[i].initial;
    size_t k = find_operator(i, value);
    char list[200] = "";
    if (k < OPERATORS)
        return operators[k].key ? gr_ponyge2_put(t, i, operators[k].key, operators[k].value)
                                : GR_OK;
    for (k = 0; k < OPERATORS; k++)
        if (strcmp(operators[k].parameter, gr_ponyge2_parameter_table[i].name) == 0)
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", *list ? ", " : "",
                     operators[k].word);
    return gr_ponyge2_parameter_fail(t->p, i, t->error,
                                     "%s is '%.*s', but there is no such %s; expected %s",
                                     gr_ponyge2_parameter_table[i].name, GR_CUT(value, 80),
                                     gr_ponyge2_parameter_table[i].key, list);
}

static gr_status put_plain(const gr_ponyge2_target *t, int i) {
    const char *value =
        t->p->at[i].value ? t->p->at[i].value : gr_ponyge2_parameter_table[i].initial;
    switch (gr_ponyge2_parameter_table[i].kind) {
    case VALUE:
        return gr_ponyge2_is_none(value)
                   ? GR_OK
                   : gr_ponyge2_put(t, i, gr_ponyge2_parameter_table[i].key, value);
    case OPERATOR:
        return put_operator(t, i);
    case ONLY:
    case SWITCH:
        if (strcmp(value, gr_ponyge2_parameter_table[i].initial) == 0)
            return GR_OK;
        return gr_ponyge2_parameter_fail(
            t->p, i, t->error, "%s is '%.*s', but there is no %s; expected %s",
            gr_ponyge2_parameter_table[i].name, GR_CUT(value, 80),
            gr_ponyge2_parameter_table[i].key, gr_ponyge2_parameter_table[i].initial);
    default:
        return GR_OK;
    }
}

/* ---- parameters that hang together ---- */

/* PonyGE2 leaves the first line of data out, whatever it holds; one that begins with '#' is a
 * comment here anyway. */
static gr_status put_header(const gr_ponyge2_target *t) {
    errno = 0;
    FILE *file = fopen(t->settings->data, "rb");
    if (!file && errno == ENOMEM) /* of what else there is, loading will tell */
        return gr_input_fail(t->settings->data, "a table", t->error);
    int first = file ? fgetc(file) : EOF;
    if (file)
        fclose(file);
    return gr_ponyge2_put(t, gr_ponyge2_parameter_find("DATASET_TRAIN"), "header",
                          first == '#' ? "no" : "yes");
}

/* Fitness, grammar and cases. */
static gr_status put_data(const gr_ponyge2_target *t) {
    static const struct {
        const char *text, *word;
    } delimiters[] = {{"\\t", "tab"},     {"\t", "tab"},  {",", "comma"},
                      {";", "semicolon"}, {":", "colon"}, {" ", "space"}};
    const char *delimiter = gr_ponyge2_parameter_value(t->p, "DATASET_DELIMITER");
    int i = gr_ponyge2_parameter_find("DATASET_DELIMITER"), known = gr_ponyge2_is_none(delimiter);
    int made;
    gr_status status = gr_ponyge2_put_fitness(t, &made);
    if (status == GR_OK)
        status = put_file(t, "GRAMMAR_FILE", "grammars", "grammar");
    if (status || made)
        return status;
    status = put_file(t, "DATASET_TRAIN", "datasets", "data");
    if (status == GR_OK && !gr_ponyge2_is_none(gr_ponyge2_parameter_value(t->p, "DATASET_TEST")))
        status = put_file(t, "DATASET_TEST", "datasets", "test-data");
    for (size_t n = 0; status == GR_OK && n < sizeof delimiters / sizeof *delimiters; n++)
        if (strcmp(delimiters[n].text, delimiter) == 0) {
            status = gr_ponyge2_put(t, i, "delimiter", delimiters[n].word);
            known = 1;
        }
    if (status == GR_OK && !known)
        return gr_ponyge2_parameter_fail(
            t->p, i, t->error,
            "DATASET_DELIMITER is '%.*s'; expected a tab, ',', ';', ':' or a blank",
            GR_CUT(delimiter, 20));
    return status == GR_OK ? put_header(t) : status;
}

static int names(const gr_ponyge2_target *t, const char *what, const char *word) {
    return strcmp(gr_ponyge2_last_part(gr_ponyge2_parameter_value(t->p, what)), word) == 0;
}

/* Uniform genomes alone have a given length, which here the limit holds for too. */
static gr_status cut_length(const gr_ponyge2_target *t, int i, const char *most) {
    uint32_t length = t->settings->genome_length;
    char where[300];
    gr_status status = gr_ponyge2_put(t, i, "genome-length", most);
    if (status ||
        (!names(t, "INITIALISATION", "uniform_genome") && !names(t, "INITIALISATION", "rvd")))
        return status;
    gr_ponyge2_parameter_place(t->p, gr_ponyge2_parameter_find("MAX_GENOME_LENGTH"), where,
                               sizeof where);
    return gr_ponyge2_parameter_note(
        t->p, t->error,
        "%s: INIT_GENOME_LENGTH is %u, but MAX_GENOME_LENGTH %s: first genomes have %s codons",
        where, length, most, most);
}

/* Without a limit in PonyGE2; here memory is planned ahead. */
static gr_status put_lengths(const gr_ponyge2_target *t) {
    const char *most = gr_ponyge2_parameter_value(t->p, "MAX_GENOME_LENGTH"),
               *length = gr_ponyge2_parameter_value(t->p, "INIT_GENOME_LENGTH");
    int i = gr_ponyge2_parameter_find("MAX_GENOME_LENGTH"),
        k = gr_ponyge2_parameter_find("INIT_GENOME_LENGTH");
    gr_status status = gr_ponyge2_put(t, k, "genome-length", length);
    if (status == GR_OK && gr_ponyge2_is_none(most)) {
        char number[32];
        uint32_t codons = t->settings->genome_length < 333 ? 1000 : 3 * t->settings->genome_length;
        snprintf(number, sizeof number, "%u", codons < 1000000 ? codons : 1000000);
        return gr_ponyge2_put(t, i, "max-genome-length", number);
    }
    if (status == GR_OK)
        status = gr_ponyge2_put(t, i, "max-genome-length", most);
    if (status == GR_OK && t->settings->genome_length > t->settings->max_genome_length)
        status = cut_length(t, k, most);
    return status;
}

/* The ramp begins one level below its "minimum", or where derivations abound. */
static gr_status put_ramp(const gr_ponyge2_target *t) {
    const char *least = gr_ponyge2_parameter_value(t->p, "MIN_INIT_TREE_DEPTH");
    int i = gr_ponyge2_parameter_find("MIN_INIT_TREE_DEPTH");
    if (gr_ponyge2_is_none(least))
        return gr_ponyge2_put(t, i, "distinct-ramp", "true");
    gr_status status = gr_ponyge2_put(t, i, "init-min-depth", least);
    if (status == GR_OK && t->settings->init_min_depth < t->settings->init_max_depth)
        t->settings->init_min_depth++;
    return status;
}

static gr_status put_mutation(const gr_ponyge2_target *t) {
    const char *probability = gr_ponyge2_parameter_value(t->p, "MUTATION_PROBABILITY"),
               *events = gr_ponyge2_parameter_value(t->p, "MUTATION_EVENTS");
    int i = gr_ponyge2_parameter_find("MUTATION_PROBABILITY"),
        k = gr_ponyge2_parameter_find("MUTATION_EVENTS");
    const char *kind = gr_ponyge2_last_part(gr_ponyge2_parameter_value(t->p, "MUTATION"));
    if (!gr_ponyge2_is_none(probability) && strcmp(events, "1") != 0)
        return gr_ponyge2_parameter_fail(
            t->p, k, t->error, "MUTATION_EVENTS beside MUTATION_PROBABILITY; expected one of them");
    if (strcmp(kind, "int_flip_per_ind") == 0) {
        gr_status status = gr_ponyge2_put(t, k, "mutation-events", events);
        return status || t->settings->mutation_events /* without events nothing is redrawn */
                   ? status
                   : gr_ponyge2_put(t, k, "codon-mutation", "0");
    }
    if (strcmp(kind, "subtree") == 0 && strcmp(events, "1") == 0) /* whatever the probability */
        return gr_ponyge2_put(t, gr_ponyge2_parameter_find("MUTATION"), "codon-mutation", "0");
    if (strcmp(events, "1") != 0)
        return gr_ponyge2_parameter_fail(
            t->p, k, t->error,
            "MUTATION_EVENTS is '%.*s', which %.*s has not here; expected 1, or MUTATION "
            "int_flip_per_ind",
            GR_CUT(events, 20), GR_CUT(kind, 40));
    return gr_ponyge2_is_none(probability) ? GR_OK
                                           : gr_ponyge2_put(t, i, "codon-mutation", probability);
}

/* Invalid individuals take no part in selection; without invalids after mutation there are none
 * after crossover, which alone is another thing. */
static gr_status put_invalid(const gr_ponyge2_target *t) {
    int i = gr_ponyge2_parameter_find("INVALID_SELECTION"),
        k = gr_ponyge2_parameter_find("NO_CROSSOVER_INVALIDS");
    int worst = strcmp(gr_ponyge2_parameter_value(t->p, "INVALID_SELECTION"), "True") == 0;
    int mutation = strcmp(gr_ponyge2_parameter_value(t->p, "NO_MUTATION_INVALIDS"), "True") == 0;
    if (strcmp(gr_ponyge2_parameter_value(t->p, "NO_CROSSOVER_INVALIDS"), "True") == 0 && !mutation)
        return gr_ponyge2_parameter_fail(
            t->p, k, t->error,
            "NO_CROSSOVER_INVALIDS alone: here a child is drawn again once it is crossed "
            "and mutated; expected NO_MUTATION_INVALIDS too");
    return gr_ponyge2_put(t, mutation ? gr_ponyge2_parameter_find("NO_MUTATION_INVALIDS") : i,
                          "invalid",
                          mutation ? "redrawn"
                          : worst  ? "worst"
                                   : "excluded");
}

static int is_true(const gr_ponyge2_target *t, const char *what) {
    return strcmp(gr_ponyge2_parameter_value(t->p, what), "True") == 0;
}

/* PonyGE2 looks for duplicates in its cache, and at a fitness that is kept there first. */
static gr_status put_duplicates(const gr_ponyge2_target *t) {
    int i = gr_ponyge2_parameter_find("MUTATE_DUPLICATES"), cache = is_true(t, "CACHE");
    char where[300];
    if (!is_true(t, "MUTATE_DUPLICATES"))
        return GR_OK;
    if (cache && !is_true(t, "LOOKUP_FITNESS"))
        return gr_ponyge2_put(t, i, "mutate-duplicates", "true");
    gr_ponyge2_parameter_place(t->p, i, where, sizeof where);
    return gr_ponyge2_parameter_note(
        t->p, t->error, "%s: MUTATE_DUPLICATES has no effect, as in PonyGE2, %s", where,
        cache ? "where LOOKUP_FITNESS takes the fitness of duplicates" : "without CACHE");
}

/* Everybody's c[i] are fitted, until a step gains hardly anything; PonyGE2 wants to see some. */
static gr_status put_constants(const gr_ponyge2_target *t) {
    int i = gr_ponyge2_parameter_find("OPTIMIZE_CONSTANTS"), has;
    char *text = NULL;
    size_t length;
    if (!is_true(t, "OPTIMIZE_CONSTANTS"))
        return GR_OK;
    gr_status status =
        gr_input_read_text(t->settings->grammar, "a grammar", 64u << 20, &text, &length, t->error);
    has = !status && strstr(text, "c[") != NULL;
    free(text);
    if (!status && !has)
        return gr_ponyge2_parameter_fail(
            t->p, i, t->error,
            "OPTIMIZE_CONSTANTS with a grammar without constants; expected c[0], c[1], ... in it");
    if (!status)
        status = gr_ponyge2_put(t, i, "optimise-constants", "all");
    return status ? status : gr_ponyge2_put(t, i, "optimise-iterations", "50");
}

/* Several fitness functions, and NSGA-II's selection and replacement, come together. */
static gr_status check_objectives(const gr_ponyge2_target *t) {
    int i = gr_ponyge2_parameter_find("FITNESS_FUNCTION"),
        several = strchr(gr_ponyge2_parameter_value(t->p, "FITNESS_FUNCTION"), ',') != NULL,
        selection = names(t, "SELECTION", "nsga2_selection"),
        replacement = names(t, "REPLACEMENT", "nsga2_replacement");
    if (several == selection && several == replacement)
        return GR_OK;
    return gr_ponyge2_parameter_fail(
        t->p, several ? i : gr_ponyge2_parameter_find(selection ? "SELECTION" : "REPLACEMENT"),
        t->error,
        "%s; expected several functions in FITNESS_FUNCTION, SELECTION nsga2_selection and "
        "REPLACEMENT nsga2_replacement together",
        several     ? "several objectives without both operators of NSGA-II"
        : selection ? "SELECTION is nsga2_selection"
                    : "REPLACEMENT is nsga2_replacement");
}

/* Of crossover and of mutation. */
static gr_status put_within_used(const gr_ponyge2_target *t) {
    static const char *const keys[] = {"crossover-within-used", "mutation-within-used"};
    int i = gr_ponyge2_parameter_find("WITHIN_USED");
    gr_status status = GR_OK;
    for (int k = 0; k < 2 && status == GR_OK; k++)
        status = gr_ponyge2_put(t, i, keys[k], is_true(t, "WITHIN_USED") ? "true" : "false");
    return status;
}

static gr_status put_rest(const gr_ponyge2_target *t) {
    const char *seed = gr_ponyge2_parameter_value(t->p, "RANDOM_SEED");
    gr_status status = GR_OK;
    if (!gr_ponyge2_is_none(seed))
        status = gr_ponyge2_put(t, gr_ponyge2_parameter_find("RANDOM_SEED"), "seed", seed);
    if (status == GR_OK &&
        !gr_ponyge2_is_none(gr_ponyge2_parameter_value(t->p, "TARGET_SEED_FOLDER")))
        status = put_file(t, "TARGET_SEED_FOLDER", "seeds", "seeds");
    else if (status == GR_OK &&
             !gr_ponyge2_is_none(gr_ponyge2_parameter_value(t->p, "REVERSE_MAPPING_TARGET")))
        status =
            gr_ponyge2_put(t, gr_ponyge2_parameter_find("REVERSE_MAPPING_TARGET"), "seed-program",
                           gr_ponyge2_parameter_value(t->p, "REVERSE_MAPPING_TARGET"));
    if (status == GR_OK && strcmp(gr_ponyge2_parameter_value(t->p, "SILENT"), "True") == 0)
        status = gr_ponyge2_put(t, gr_ponyge2_parameter_find("SILENT"), "quiet", "true");
    if (status == GR_OK &&
        strcmp(gr_ponyge2_last_part(gr_ponyge2_parameter_value(t->p, "INITIALISATION")), "rvd") ==
            0)
        status = gr_ponyge2_put(t, gr_ponyge2_parameter_find("INITIALISATION"), "unique", "true");
    if (status == GR_OK &&
        strcmp(gr_ponyge2_last_part(gr_ponyge2_parameter_value(t->p, "INITIALISATION")),
               "uniform_tree") == 0)
        status = gr_ponyge2_put(t, gr_ponyge2_parameter_find("INITIALISATION"), "init-max-depth",
                                t->settings->max_depth < 64
                                    ? gr_ponyge2_parameter_value(t->p, "MAX_TREE_DEPTH")
                                    : "64");
    if (status == GR_OK) /* its defaults are PonyGE2's, whatever the parameters leave out */
        status = gr_settings_set(t->settings, "preset", "none", t->error);
    /* as a default: of several runs nobody named what nothing reads then */
    return status == GR_OK ? gr_setting_store(t->settings, GR_KEY_ponyge2_statistics, "true",
                                              (gr_origin){.from = GR_FROM_DEFAULT}, t->error)
                           : status;
}

gr_status gr_ponyge2_parameters_store(gr_ponyge2_parameters *p, gr_settings *settings,
                                      gr_error *error) {
    const gr_ponyge2_target t = {p, settings, error};
    static gr_status (*const parts[])(const gr_ponyge2_target *) = {
        check_objectives, put_lengths,   put_ramp,        put_mutation, put_invalid,
        put_duplicates,   put_constants, put_within_used, put_rest};
    char *file = strdup(p->path);
    if (!file)
        return gr_fail(error, GR_NO_MEMORY, "%s: no memory", p->path);
    free(settings->file);
    settings->file = file;
    gr_status status = put_data(&t); /* first: what it is about matters more than operators */
    for (int i = 0; i < PARAMETERS && status == GR_OK; i++)
        status = put_plain(&t, i);
    for (size_t i = 0; i < sizeof parts / sizeof *parts && status == GR_OK; i++)
        status = parts[i](&t);
    if (status == GR_OK && settings->runs > 1)
        status = gr_ponyge2_parameter_note(
            p, error,
            "%s: %u runs in one launch, seeds %llu and on (PonyGE2's experiment "
            "manager takes 0 and on)",
            p->path, settings->runs, (unsigned long long)settings->seed);
    return status;
}
