/* host/settings/catalogues.c and the catalogues below gpu/core/base: a word is stored as the number
 * of its line and read back, the tables for readers have a row for each, and what is derived from a
 * line is what the line says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/core/fitness/fitness.h"
#include "gpu/core/genotype/growth.h"
#include "gpu/core/genotype/pi_grow.h"
#include "gpu/core/variation/crossover.h"
#include "host/settings/table.h"

#include <stdlib.h>
#include <string.h>

static uint32_t stored(const char *key, const char *word) {
    gr_settings s;
    gr_error error;
    assert_int_equal(gr_settings_init(&s, &error), GR_OK);
    assert_int_equal(gr_settings_set(&s, key, word, &error), GR_OK);
    gr_key number = gr_setting_find(key, strlen(key));
    char *back = gr_settings_get(&s, number);
    assert_string_equal(back, word);
    free(back);
    uint32_t value = *(uint32_t *)((char *)&s + gr_setting_table[number].offset);
    gr_settings_free(&s);
    return value;
}

static void test_words(void **state) {
    (void)state;
#define GR_METRIC(id, word, adds, better, least, cost, allowance, help)                            \
    assert_int_equal(stored("metric", word), GR_METRIC_##id);
#include "gpu/core/base/metrics.def"
#define GR_SELECTION(id, word, genotypes, ordered, index, help)                                    \
    assert_int_equal(stored("selection", word), GR_SELECT_##id);
#include "gpu/core/base/selections.def"
#define GR_CROSSOVER(id, word, genotypes, help)                                                    \
    assert_int_equal(stored("crossover", word), GR_CROSSOVER_##id);
#include "gpu/core/base/crossovers.def"
#define GR_INITIALISER(id, word, genotypes, trees, genomes, help)                                  \
    assert_int_equal(stored("initialisation", word), GR_INIT_##id);
#include "gpu/core/base/initialisers.def"
    /* the word of a mutation of genomes is that of its setting */
#define GR_CODON_MUTATION(id, word, field, genotypes, mapping, part, asked, step, help)            \
    assert_int_equal(gr_setting_find(word, strlen(word)), GR_KEY_##field);
#include "gpu/core/base/genome_mutations.def"
}

static void test_tables(void **state) {
    (void)state;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    gr_settings_markdown(out);
    fclose(out);
    assert_non_null(strstr(text, "| `max-error` | lower | largest absolute error of a case |\n"));
    assert_non_null(strstr(text, "| `r2` | higher | "));
    assert_non_null(strstr(text, "| `sized` | tree | "));
    assert_non_null(strstr(text, "| `rank` | all | "));
    assert_non_null(strstr(text, "| `uniform` | grammar, structured | every codon"));
    assert_non_null(strstr(text, "| `insert` | tree | "));
    assert_non_null(strstr(text, "| `codon-deletion` | grammar | a run of codons is cut out |\n"));
    assert_non_null(strstr(text, "| `mutation-events` | grammar, structured | so many"));
    assert_non_null(strstr(text, "| `subtree-mutation` | grammar (mapping depth-first) | "));
    free(text);
    const gr_catalogue *crossovers = gr_catalogue_of(GR_KEY_crossover);
    assert_int_equal(crossovers->count, GR_CROSSOVERS);
    assert_true(crossovers->count <= GR_LONGEST_CATALOGUE);
    assert_int_equal(crossovers->row[GR_CROSSOVER_LISTS].genotypes, GR_FOR_LISTS);
    assert_int_equal(gr_catalogue_of(GR_KEY_operators)->count, GR_MUTATIONS);
    assert_int_equal(gr_catalogue_of(GR_KEY_codon_mutation)->count, GR_GENOME_MUTATIONS);
}

/* What kernels read out of a word of a few bits for each line. */
static void test_packed_columns(void **state) {
    (void)state;
    assert_int_equal(gr_adds_of(GR_METRIC_SAE), gr_adds_of(GR_METRIC_MAE));
    assert_int_equal(gr_adds_of(GR_METRIC_R2), GR_ADDS_SQUARED);
    assert_int_equal(gr_adds_of(GR_METRIC_F1), GR_ADDS_RIGHT);
    assert_int_equal(gr_adds_of(GR_METRIC_MAX_ERROR), GR_ADDS_EXTREME);
    assert_int_equal(gr_cuts_of(GR_CROSSOVER_FIXED_ONEPOINT), 1);
    assert_int_equal(gr_cuts_of(GR_CROSSOVER_VARIABLE_TWOPOINT), 2);
    assert_int_equal(gr_cuts_of(GR_CROSSOVER_LISTS), 0);
    assert_int_equal(gr_cuts_of(GR_CROSSOVER_UNIFORM), 0);
    assert_true(gr_cuts_are_fixed(GR_CROSSOVER_FIXED_TWOPOINT));
    assert_false(gr_cuts_are_fixed(GR_CROSSOVER_VARIABLE_TWOPOINT));
    assert_int_equal(gr_first_tree_kind(GR_INIT_SIZED), GR_TREES_SIZED);
    assert_int_equal(gr_first_tree_kind(GR_INIT_FULL), GR_TREES_RAMP);
    assert_int_equal(gr_first_genome_kind(GR_INIT_UNIFORM), GR_GENOMES_NONE);
    assert_int_equal(gr_first_genome_kind(GR_INIT_PTC2), GR_GENOMES_ANYWHERE);
    assert_true(gr_least_cost(GR_METRIC_HITS, 30.0) == -30.0);
    assert_true(gr_least_cost(GR_METRIC_R2, 30.0) == -1.0);
    assert_true(gr_least_cost(GR_METRIC_MAX_ERROR, 30.0) == 0.0);
}

static void test_sum_kinds(void **state) {
    (void)state;
    gr_params p = {0};
    static const struct {
        uint32_t metric, class_rule, scaled, kind;
    } rows[] = {{GR_METRIC_SAE, GR_CLASS_NEAREST, 0, GR_SUM_ERROR},
                {GR_METRIC_SAE, GR_CLASS_FITTED, 0, GR_SUM_ERROR},
                {GR_METRIC_MSE, GR_CLASS_NEAREST, 1, GR_SUM_SCALED},
                {GR_METRIC_MISCLASSIFIED, GR_CLASS_SIGN, 0, GR_SUM_ERROR},
                {GR_METRIC_MISCLASSIFIED, GR_CLASS_FITTED, 0, GR_SUM_CLASS_BINS},
                {GR_METRIC_BALANCED, GR_CLASS_NEAREST, 0, GR_SUM_COUNTS},
                {GR_METRIC_F1, GR_CLASS_NEAREST, 0, GR_SUM_COUNTS},
                {GR_METRIC_BOOLEAN_HITS, GR_CLASS_NEAREST, 0, GR_SUM_ERROR},
                {GR_METRIC_MAX_ERROR, GR_CLASS_NEAREST, 0, GR_SUM_LARGEST}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        p.metric = rows[i].metric;
        p.class_rule = rows[i].class_rule;
        p.linear_scaling = rows[i].scaled;
        assert_int_equal(gr_sum_kind_of(&p), rows[i].kind);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_packed_columns),
        cmocka_unit_test(test_sum_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
