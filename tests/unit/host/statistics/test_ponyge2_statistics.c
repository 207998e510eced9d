/* host/statistics/ponyge2_statistics.h: stats.tsv, read by the names of its columns; counts of a
 * run so far add up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "host/statistics/ponyge2_statistics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 21 };

/* Rows of generations, the head first, as fields. */
typedef struct table {
    char *text, *field[8][COLUMNS + 2];
    uint32_t rows;
} table;

static table write_rows(const gr_generation *g, uint32_t count, int regens) {
    gr_ponyge2_statistics so_far = {0};
    table t = {0};
    size_t size;
    FILE *out = open_memstream(&t.text, &size);
    gr_ponyge2_head(out, &(gr_ponyge2_columns){.regens = regens});
    for (uint32_t i = 0; i < count; i++)
        gr_ponyge2_row(&so_far, &g[i], out);
    fclose(out);
    for (char *line = strtok(t.text, "\n"); line; line = strtok(NULL, "\n"), t.rows++)
        for (uint32_t k = 0; k <= COLUMNS + (uint32_t)regens; k++) {
            t.field[t.rows][k] = line;
            line += strcspn(line, "\t");
            if (*line)
                *line++ = '\0';
            else
                assert_true(k == COLUMNS + (uint32_t)regens &&
                            !*t.field[t.rows][k]); /* a tab at the end */
        }
    return t;
}

static const char *text_at(const table *t, uint32_t row, const char *name) {
    for (uint32_t k = 0; k < COLUMNS; k++)
        if (strcmp(t->field[0][k], name) == 0)
            return t->field[row + 1][k];
    fail_msg("no column %s", name);
    return NULL;
}

static double at(const table *t, uint32_t row, const char *name) {
    return strtod(text_at(t, row, name), NULL);
}

static gr_generation generation(uint32_t number, double seconds) {
    gr_generation g = {.generation = number, .seconds = seconds};
    g.best = 1.5;
    g.mean = 2.5;
    g.best_ever = 0.5;
    g.individuals = 100;
    g.by_validity[GR_VALID] = 93 + number;
    g.nonfinite = 3;
    for (int k = 0; k < GR_SIZE_KINDS; k++)
        g.size[k] = (gr_min_mean_max){100 + k, 200.25 + k, 300 + k};
    return g;
}

/* Nodes are those of the derivation: PonyGE2 has no other trees. Its best fitness is the best so
 * far. */
static void test_columns(void **state) {
    (void)state;
    gr_generation g = generation(0, 0.5);
    table t = write_rows(&g, 1, 0);
    static const struct {
        const char *name;
        gr_size_kind kind;
    } sizes[] = {{"genome_length", GR_SIZE_LENGTH},
                 {"tree_depth", GR_SIZE_DEPTH},
                 {"tree_nodes", GR_SIZE_DERIVATION},
                 {"used_codons", GR_SIZE_USED}};
    assert_int_equal(t.rows, 2);
    for (size_t i = 0; i < 4; i++) {
        char name[64];
        snprintf(name, sizeof name, "min_%s", sizes[i].name);
        assert_true(at(&t, 0, name) == 100 + (int)sizes[i].kind);
        snprintf(name, sizeof name, "ave_%s", sizes[i].name);
        assert_true(at(&t, 0, name) == 200.25 + (int)sizes[i].kind);
        snprintf(name, sizeof name, "max_%s", sizes[i].name);
        assert_true(at(&t, 0, name) == 300 + (int)sizes[i].kind);
    }
    assert_true(at(&t, 0, "ave_fitness") == 2.5 && at(&t, 0, "best_fitness") == 0.5);
    assert_true(at(&t, 0, "gen") == 0 && at(&t, 0, "invalids") == 7);
    assert_true(at(&t, 0, "runtime_error") == 3 && at(&t, 0, "total_inds") == 100);
    assert_true(at(&t, 0, "time_taken") == 0.5 && at(&t, 0, "total_time") == 0.5);
    for (uint32_t k = 1; k < COLUMNS; k++) /* in the order of their names */
        assert_true(strcmp(t.field[0][k - 1], t.field[0][k]) < 0);
    free(t.text);
}

/* PonyGE2's total_inds is the population times the generations; invalid ones and errors are counted
 * on. */
static void test_sums(void **state) {
    (void)state;
    gr_generation g[3] = {generation(0, 0.5), generation(1, 0.75), generation(2, 2.0)};
    g[2].mean = (double)NAN;
    table t = write_rows(g, 3, 0);
    static const double invalids[3] = {7, 13, 18}, taken[3] = {0.5, 0.25, 1.25};
    for (uint32_t k = 0; k < 3; k++) {
        assert_true(at(&t, k, "invalids") == invalids[k]);
        assert_true(at(&t, k, "runtime_error") == 3 * (k + 1));
        assert_true(at(&t, k, "total_inds") == 100 * (k + 1));
        assert_true(at(&t, k, "time_taken") == taken[k]);
        assert_true(at(&t, k, "total_time") == g[k].seconds);
    }
    assert_string_equal(text_at(&t, 2, "ave_fitness"), "nan"); /* as Python writes it */
    free(t.text);
}

/* Mutations of duplicates so far, before the errors. */
static void test_regens(void **state) {
    (void)state;
    gr_generation g = generation(0, 0.5);
    g.mutates_duplicates = 1;
    g.mutated_again = 5000000000ull;
    table t = write_rows(&g, 1, 1);
    assert_string_equal(t.field[0][16], "regens");
    assert_string_equal(t.field[1][16], "5000000000");
    assert_string_equal(text_at(&t, 0, "runtime_error"), "3");
    free(t.text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_regens),
    };
    return cmocka_run_group_tests_name("PonyGE2's statistics", tests, NULL, NULL);
}
