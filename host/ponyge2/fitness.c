/* PonyGE2's fitness functions: the metric, and the problems that are made, not read. */
#include "host/base/text.h"
#include "host/ponyge2/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 2000 };

/* ---- EXTRA_PARAMETERS: words, or a list of Python's ---- */

/* Word number k of the list; 0: it has fewer. */
static int take_word(const char *list, int k, char *word, size_t size) {
    static const char between[] = " \t,[]()'\"";
    for (;; k--) {
        list += strspn(list, between);
        size_t n = strcspn(list, between);
        if (!n)
            return 0;
        if (!k) {
            snprintf(word, size, "%.*s", gr_text_fits(list, n, (int)size - 1), list);
            return 1;
        }
        list += n;
    }
}

/* Word number k as a whole number from 1 on; 0: it is none. */
static uint32_t take_number(const char *list, int k) {
    char word[32], *end;
    if (!take_word(list, k, word, sizeof word) || *word < '1' || *word > '9')
        return 0;
    unsigned long number = strtoul(word, &end, 10);
    return *end || number > 1000000 ? 0 : (uint32_t)number;
}

static gr_status bad_extra(const gr_ponyge2_target *t, const char *expected) {
    int i = gr_ponyge2_parameter_find("EXTRA_PARAMETERS");
    return gr_ponyge2_parameter_fail(
        t->p, i, t->error, "EXTRA_PARAMETERS is '%.*s'; expected %s",
        GR_CUT(gr_ponyge2_parameter_value(t->p, "EXTRA_PARAMETERS"), 80), expected);
}

/* ---- the problems ---- */

/* The name of a function of truth values, and the number of its inputs. */
static gr_status put_boolean(const gr_ponyge2_target *t, const char *extra) {
    static const struct {
        const char *function, *table;
    } functions[] = {{"nparity", "odd-parity"},
                     {"multiplexer", "multiplexer"},
                     {"comparator", "comparator"},
                     {"boolean_true", "true"},
                     {"random_boolean", "random"}};
    char word[32], name[64];
    uint32_t n = take_number(extra, 1);
    const char *seed = gr_ponyge2_parameter_value(t->p, "RANDOM_SEED");
    int i = gr_ponyge2_parameter_find("EXTRA_PARAMETERS");
    if (!n || !take_word(extra, 0, word, sizeof word))
        return bad_extra(t, "a function and a number of inputs, as in nparity 5");
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++) {
        if (strcmp(functions[k].function, word) != 0)
            continue;
        snprintf(name, sizeof name, "%s-%u", functions[k].table, n);
        gr_status status = gr_ponyge2_put(t, i, "boolean", name);
        return status || gr_ponyge2_is_none(seed)
                   ? status
                   : gr_ponyge2_put(t, gr_ponyge2_parameter_find("RANDOM_SEED"), "data-seed", seed);
    }
    return bad_extra(t, "nparity, multiplexer, comparator, boolean_true or random_boolean");
}

/* ((x0 + x1) % n_os) + 1 over all inputs below n_is: the remainder by comparisons. */
static gr_status put_if_else(const gr_ponyge2_target *t, const char *extra) {
    uint32_t n = take_number(extra, 0), n_is = take_number(extra, 1), n_os = take_number(extra, 2);
    char target[LONGEST] = "x0 + x1 + 1", variables[LONGEST] = "", number[16];
    int i = gr_ponyge2_parameter_find("EXTRA_PARAMETERS");
    if (n < 2 || !n_is || !n_os || n > 60)
        return bad_extra(t,
                         "numbers of variables (2 to 60), input symbols and output symbols, as in "
                         "3 10 2");
    for (uint32_t k = 1; (uint64_t)k * n_os <= 2ull * (n_is - 1); k++) {
        size_t at = strlen(target);
        if (snprintf(target + at, sizeof target - at, " - %u*(x0 + x1 >= %u)", n_os, k * n_os) >=
            (int)(sizeof target - at))
            return bad_extra(t, "more output symbols for so many input symbols");
    }
    snprintf(variables, sizeof variables, "x0");
    for (uint32_t k = 1; k < n; k++)
        snprintf(variables + strlen(variables), sizeof variables - strlen(variables), ", x%u", k);
    snprintf(variables + strlen(variables), sizeof variables - strlen(variables),
             " = grid(0, %u, 1)", n_is - 1);
    gr_status status = gr_ponyge2_put(t, i, "target-expression", target);
    if (status == GR_OK)
        status = gr_ponyge2_put(t, i, "variables", variables);
    snprintf(number, sizeof number, "%u", n_is);
    if (status == GR_OK)
        status = gr_ponyge2_put(t, i, "n-is", number);
    snprintf(number, sizeof number, "%u", n_os);
    return status ? status : gr_ponyge2_put(t, i, "n-os", number);
}

/* ---- functions and metrics ---- */

enum { READ, BOOLEAN, IF_ELSE };

static const struct {
    const char *function, *metric; /* NULL: none by default */
    int problem;
} functions[] = {{"regression", "rmse", READ},
                 {"classification", "f1_score", READ},
                 {"supervised_learning", NULL, READ},
                 {"boolean_problem", "Hamming_error", BOOLEAN},
                 {"if_else_classifier", "Hamming_error", IF_ELSE}};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static gr_status put_metric(const gr_ponyge2_target *t, size_t function) {
    static const struct {
        const char *metric, *word;
    } metrics[] = {{"mse", "mse"},     {"rmse", "rmse"},   {"mae", "mae"},
                   {"hinge", "hinge"}, {"f1_score", "f1"}, {"Hamming_error", "misclassified"}};
    int i = gr_ponyge2_parameter_find("FITNESS_FUNCTION"),
        k = gr_ponyge2_parameter_find("ERROR_METRIC");
    const char *metric = gr_ponyge2_parameter_value(t->p, "ERROR_METRIC"), *word = NULL;
    metric = gr_ponyge2_is_none(metric) ? functions[function].metric : gr_ponyge2_last_part(metric);
    for (size_t n = 0; metric && n < sizeof metrics / sizeof *metrics; n++)
        if (strcmp(metrics[n].metric, metric) == 0)
            word = metrics[n].word;
    int packed = functions[function].problem == BOOLEAN;
    if (packed && word && strcmp(word, "misclassified") == 0)
        word = "boolean-errors";
    else if (packed && word)
        return gr_ponyge2_parameter_fail(t->p, k, t->error,
                                         "ERROR_METRIC is '%.*s' for a boolean_problem; expected "
                                         "Hamming_error",
                                         GR_CUT(metric, 40));
    if (word)
        return gr_ponyge2_put(t, t->p->at[k].value ? k : i, "metric", word);
    return gr_ponyge2_parameter_fail(
        t->p, k, t->error,
        "ERROR_METRIC is '%.*s'; expected mse, rmse, mae, hinge, f1_score or Hamming_error",
        GR_CUT(metric ? metric : "None", 80));
}

/* Behind the first of several functions there may be the size, which in PonyGE2 is that of the
 * derivation. */
static gr_status put_objectives(const gr_ponyge2_target *t, const char *list) {
    int i = gr_ponyge2_parameter_find("FITNESS_FUNCTION");
    char word[80], more[2];
    if (take_word(list, 1, word, sizeof word) && !take_word(list, 2, more, sizeof more) &&
        strcmp(gr_ponyge2_last_part(word), "minimise_nodes") == 0)
        return gr_ponyge2_put(t, i, "objectives", "error, derivation-nodes");
    return gr_ponyge2_parameter_fail(t->p, i, t->error,
                                     "FITNESS_FUNCTION is '%.*s'; expected a function that may "
                                     "stand alone, and minimise_nodes",
                                     GR_CUT(list, 80));
}

gr_status gr_ponyge2_put_fitness(const gr_ponyge2_target *t, int *made) {
    int i = gr_ponyge2_parameter_find("FITNESS_FUNCTION");
    const char *function = gr_ponyge2_parameter_value(t->p, "FITNESS_FUNCTION"),
               *extra = gr_ponyge2_parameter_value(t->p, "EXTRA_PARAMETERS");
    size_t n = 0;
    *made = 0;
    char first[80];
    int several = strchr(function, ',') != NULL;
    if (several && !take_word(function, 0, first, sizeof first))
        *first = '\0';
    const char *name = gr_ponyge2_last_part(several ? first : function);
    while (n < FUNCTIONS && strcmp(functions[n].function, name) != 0)
        n++;
    if (n == FUNCTIONS)
        return gr_ponyge2_parameter_fail(
            t->p, i, t->error,
            "FITNESS_FUNCTION is '%.*s', which is not there; expected one of "
            "supervised_learning.regression, classification, boolean_problem and "
            "if_else_classifier",
            GR_CUT(function, 80));
    gr_status status = put_metric(t, n);
    if (!status && several)
        status = put_objectives(t, function);
    /* without them an if_else_classifier reads DATASET_TRAIN, as before */
    *made = functions[n].problem == BOOLEAN ||
            (functions[n].problem == IF_ELSE && strpbrk(extra, "0123456789"));
    if (status || !*made)
        return status;
    return functions[n].problem == BOOLEAN ? put_boolean(t, extra) : put_if_else(t, extra);
}
