#include "tools/ladder/problem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const ladder_problem_names[LADDER_SETS] = {
    "sextic", "shuttle", "kddcup", "multiplexer", "mackey-glass", "regression", "classification"};

/* ---- settings ---- */

typedef struct pair {
    const char *key, *value;
} pair;

/* Table 2. Kind of mutation, initialisation and elites are not stated there. */
static const pair table2[] = {{"genotype", "tree"},
                              {"generations", "50"},
                              {"tournament", "7"},
                              {"elites", "1"},
                              {"max-depth", "50"},
                              {"max-nodes", "1000"},
                              {"crossover-probability", "0.95"},
                              {"subtree-mutation", "0.1"},
                              {"point-mutation", "0.1"},
                              {"epoch", "50"},
                              {NULL, NULL}};
static const pair sextic[] = {{"functions", "*, /, +, -, sin, cos, log, exp"},
                              {"target-expression", "x0*x0*x0*x0*x0*x0 - 2*x0*x0*x0*x0 + x0*x0"},
                              {"variables", "x0 = uniform(-1, 1)"},
                              {"train-cases", "100000"},
                              {"metric", "mse"},
                              {NULL, NULL}};
/* The bands in which an output is a class: problems/shuttle.yaml. */
static const pair shuttle[] = {{"functions", "*, /, +, -, >, <, ==, and, or, if"},
                               {"constant-probability", "0.2"},
                               {"constant-min", "-200"},
                               {"constant-max", "200"},
                               {"metric", "misclassified"},
                               {"class-rule", "thresholds"},
                               {"thresholds", "-171, -142, -114, 0, 57, 114"},
                               {NULL, NULL}};
/* An output is rounded to the nearest class: how the paper reads one is not stated. */
static const pair kddcup[] = {
    {"functions", "+, -, *, /, >, <, ==, and, or, if, sin, cos, log, exp"},
    {"constant-probability", "0.2"},
    {"constant-min", "-20000"},
    {"constant-max", "20000"},
    {"metric", "misclassified"},
    {"class-rule", "nearest"},
    {NULL, NULL}};
static const pair multiplexer[] = {
    {"boolean", "multiplexer-20"}, {"functions", "and, or, nand, nor"}, {NULL, NULL}};

/* Langdon 2007, section 6.1: random programs of 11 nodes on average, 15 at most. A panmictic run
 * takes the place of his torus: the ladder asks what its programs cost, not how they come about. */
static const pair mackey[] = {{"generate", "mackey-glass"},
                              {"train-cases", "1200"},
                              {"lags", "128, 64, 32, 16, 8, 4, 2, 1"},
                              {"functions", "+, -, *, /"},
                              {"constants", "0:1.27:0.01"},
                              {"constant-probability", "0.5"},
                              {"metric", "rmse"},
                              {"initialisation", "sized"},
                              {"init-min-nodes", "7"},
                              {"init-max-nodes", "15"},
                              {"max-depth", "8"},
                              {"max-nodes", "15"},
                              {NULL, NULL}};

/* GPOCL 2013, sections 4.2.2, 4.3.1 and 4.3.2: one generation of programs of 50 nodes; the target
 * is as good as noise (problems/papers/gpocl-*.yaml). */
#define LADDER_GPOCL                                                                               \
    {"target-expression", "sin(1000 * x1 * x2 + 1000 * x3)"},                                      \
        {"variables", "x1, x2, x3, x4, x5, x6, x7, x8, x9, x10 = uniform(-1, 1)"},                 \
        {"train-cases", "50000"}, {"metric", "sae"}, {"constants", "1, -1, ephemeral"},            \
        {"constant-min", "-1"}, {"constant-max", "1"}, {"constant-probability", "0.231"},          \
        {"initialisation", "sized"}, {"init-min-nodes", "50"}, {"init-max-nodes", "50"},           \
        {"max-nodes", "50"}, {"generations", "0"}, {                                               \
        NULL, NULL                                                                                 \
    }
static const pair regression[] = {{"functions", "+, -, *, /, neg, sin, cos"}, LADDER_GPOCL};
static const pair classification[] = {{"functions", "if, ==, <, >, and, or, not"}, LADDER_GPOCL};

static const struct {
    const char *title;
    const pair *pairs;
    const char *files[2]; /* behind one another */
    int words;            /* the columns of kdd_words hold words */
} problems[LADDER_SETS] = {
    {"sextic regression", sextic, {NULL, NULL}, 0},
    {"Shuttle classification", shuttle, {"shuttle.trn.gz", "shuttle.tst.gz"}, 0},
    {"KDD Cup intrusion classification", kddcup, {"kddcup.data_10_percent.gz", NULL}, 1},
    {"20-multiplexer", multiplexer, {NULL, NULL}, 0},
    {"Mackey-Glass", mackey, {NULL, NULL}, 0},
    {"GPOCL regression", regression, {NULL, NULL}, 0},
    {"GPOCL classification", classification, {NULL, NULL}, 0}};

static gr_status set_pairs(gr_settings *settings, const pair *pairs, gr_error *error) {
    gr_status status = GR_OK;
    for (; !status && pairs->key; pairs++)
        status = gr_settings_set(settings, pairs->key, pairs->value, error);
    return status;
}

/* ---- data ---- */

enum { WORD_COLUMNS = 4, MOST_WORDS = 256 };
static const uint32_t kdd_words[WORD_COLUMNS] = {1, 2, 3, 41}; /* protocol, service, flag, label */

/* The words of a column, numbered as they come. */
typedef struct dictionary {
    char *word[MOST_WORDS];
    uint32_t count;
} dictionary;

static int number_of(dictionary *d, const char *word, size_t length) {
    for (uint32_t i = 0; i < d->count; i++)
        if (strlen(d->word[i]) == length && memcmp(d->word[i], word, length) == 0)
            return (int)i;
    if (d->count == MOST_WORDS || !(d->word[d->count] = strndup(word, length)))
        return -1;
    return (int)d->count++;
}

/* Copies lines of fields, numbers in the place of words. */
static gr_status number_words(const gr_table *table, FILE *to, gr_error *error) {
    dictionary dictionaries[WORD_COLUMNS] = {0};
    uint32_t column = 0, next = 0;
    gr_status status = GR_OK;
    for (const char *c = table->text + table->first; !status && *c;) {
        size_t length = strcspn(c, ",\r\n");
        if (next < WORD_COLUMNS && column == kdd_words[next]) {
            int number = number_of(&dictionaries[next++], c, length);
            if (number < 0)
                status = gr_fail(error, GR_BAD_INPUT,
                                 "%s: more than %d words in column %u; expected KDD Cup 1999",
                                 table->path, MOST_WORDS, column + 1);
            fprintf(to, "%d", number);
        } else
            fwrite(c, 1, length, to);
        c += length;
        while (*c == '\r')
            c++;
        if (!*c)
            break;
        putc(*c, to);
        column = *c == ',' ? column + 1 : 0;
        next = *c == ',' ? next : 0;
        c++;
    }
    for (uint32_t k = 0; k < WORD_COLUMNS; k++)
        for (uint32_t i = 0; i < dictionaries[k].count; i++)
            free(dictionaries[k].word[i]);
    return status;
}

/* The files of a problem as one table of numbers. */
static gr_status join_files(ladder_set set, const char *folder, FILE *to, gr_error *error) {
    for (int k = 0; k < 2 && problems[set].files[k]; k++) {
        char path[4096];
        gr_table table;
        snprintf(path, sizeof path, "%s/%s", folder, problems[set].files[k]);
        if (access(path, R_OK))
            return gr_fail(error, GR_STOPPED, "%s is not there", path);
        gr_status status = gr_table_open(path, GR_AUTO, GR_HEADER_NO, &table, error);
        if (status)
            return status;
        if (problems[set].words)
            status = number_words(&table, to, error);
        else
            fwrite(table.text + table.first, 1, table.length - table.first, to);
        gr_table_free(&table);
        if (status)
            return status;
    }
    if (fflush(to) || ferror(to))
        return gr_fail(error, GR_FAILED, "cannot write a temporary file");
    return GR_OK;
}

/* ---- columns ---- */

static gr_status make_columns(const gr_dataset *set, uint32_t first, uint32_t step, uint32_t cases,
                              ladder_columns *to, gr_error *error) {
    to->inputs = set->inputs;
    to->cases = cases;
    to->stride = cases + LADDER_PADDING;
    to->at = calloc((size_t)(set->inputs + 1) * to->stride, sizeof *to->at);
    float *x = gr_dataset_columns(set);
    if (!to->at || !x) {
        free(x);
        return gr_fail(error, GR_NO_MEMORY, "no memory for %u cases", cases);
    }
    size_t height = set->packed ? set->words : set->cases;
    const float *y = set->packed ? (const float *)set->wy : set->y;
    for (uint32_t k = 0; k <= set->inputs; k++) {
        const float *from = (k < set->inputs ? x + k * height : y) + first;
        for (uint32_t c = 0; c < cases; c++)
            memcpy(&to->at[(size_t)k * to->stride + c], from + (size_t)c * step, sizeof(float));
    }
    free(x);
    return GR_OK;
}

static gr_status set_size(gr_settings *settings, const char *key, uint32_t value, gr_error *error) {
    char text[16];
    snprintf(text, sizeof text, "%u", value);
    return gr_settings_set(settings, key, text, error);
}

static gr_status make_problem(gr_settings *settings, const char *data, const ladder_size *size,
                              ladder_problem *problem, gr_error *error) {
    enum { SAMPLE = 999 }; /* no multiple of anything, so that ends of passes are met too */
    char path[64];
    FILE *file = NULL;
    gr_status status = set_pairs(settings, table2, error);
    if (!status)
        status = set_pairs(settings, problems[problem->set].pairs, error);
    if (!status)
        status = set_size(settings, "population", size->population, error);
    if (!status && size->cases)
        status = set_size(settings, "train-cases", size->cases, error);
    if (!status && problems[problem->set].files[0]) {
        file = tmpfile();
        if (!file)
            return gr_fail(error, GR_FAILED, "cannot make a temporary file");
        status = join_files(problem->set, data, file, error);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(file));
        if (!status)
            status = gr_settings_set(settings, "data", path, error);
        if (!status)
            status = gr_settings_set(settings, "header", "no", error);
    }
    if (!status)
        status = gr_settings_resolve(settings, error);
    if (!status)
        status = gr_problem_make(settings, &problem->made, error);
    if (file)
        fclose(file);
    if (status)
        return status;
    const gr_dataset *train = &problem->made.train;
    uint32_t rows = (uint32_t)(train->packed ? train->words : train->cases);
    uint32_t sample = gr_min_u32(SAMPLE, rows);
    problem->cases_of_a_float = train->packed ? 32 : 1;
    status = make_columns(train, 0, 1, rows, &problem->all, error);
    return status ? status
                  : make_columns(train, rows % sample / 2, rows / sample, sample, &problem->sample,
                                 error);
}

gr_status ladder_problem_make(ladder_set set, const char *data, const ladder_size *size,
                              ladder_problem *problem, gr_error *error) {
    gr_settings settings;
    *problem = (ladder_problem){
        .set = set, .name = ladder_problem_names[set], .title = problems[set].title};
    gr_status status = gr_settings_init(&settings, error);
    if (!status) {
        status = make_problem(&settings, data, size, problem, error);
        gr_settings_free(&settings);
    }
    if (status)
        ladder_problem_free(problem);
    return status;
}

void ladder_problem_free(ladder_problem *problem) {
    gr_problem_free(&problem->made);
    free(problem->all.at);
    free(problem->sample.at);
    problem->all.at = problem->sample.at = NULL;
}
