/* host/statistics/rows.h: the bytes that printf gives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/statistics/rows.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static size_t print(char *to, size_t size, const gr_generation *g) {
    FILE *out = fmemopen(to, size, "w");
    fprintf(out, "%u\t%u\t%.9g\t%.9g\t%.9g\t%.9g\t%u\t%u", g->run, g->generation, g->best, g->mean,
            g->best_ever, g->test, g->by_validity[GR_VALID],
            g->individuals - g->by_validity[GR_VALID]);
    for (int k = GR_VALID + 1; k < GR_VALIDITY_COUNT; k++)
        fprintf(out, "\t%u", g->by_validity[k]);
    fprintf(out, "\t%u\t%llu\t%llu", g->nonfinite, (unsigned long long)g->draws_again,
            (unsigned long long)g->parents_kept);
    for (int k = 0; k < GR_SIZE_KINDS; k++)
        fprintf(out, "\t%.9g\t%.9g\t%.9g", g->size[k].min, g->size[k].mean, g->size[k].max);
    fprintf(out, "\t%u\t%u", g->best_nodes, g->best_depth);
    const gr_diversity *d = &g->diversity;
    if (g->has_diversity)
        fprintf(out, "\t%u\t%u\t%u\t%.9g\t%.9g\t%.9g", d->genotypes, d->phenotypes, d->fitnesses,
                gr_fitness_entropy(d), d->children ? (double)d->copies / d->children : (double)NAN,
                g->counts_ever ? (double)d->ever : (double)NAN);
    if (g->has_fronts)
        fprintf(out, "\t%u\t%u", g->first_front, g->fronts);
    fprintf(out, "\t%.0f\t%.6f\n", g->executed, g->seconds);
    long length = ftell(out);
    fclose(out);
    return (size_t)length;
}

static void check(const gr_generation *g) {
    char expected[4 * GR_ROW_BYTES], got[4 * GR_ROW_BYTES];
    size_t size = print(expected, sizeof expected, g);
    size_t length = (size_t)(gr_put_row(got, g) - got);
    assert_true(length == size && size <= GR_ROW_BYTES);
    assert_memory_equal(got, expected, size);
}

static void test_row(void **state) {
    (void)state;
    gr_generation g = {.run = 41, .generation = 42};
    g.best = 1.0 / 3.0;
    g.mean = 2e9;
    g.best_ever = -0.0;
    g.test = (double)NAN;
    g.individuals = 100;
    for (uint32_t k = 0; k < GR_VALIDITY_COUNT; k++)
        g.by_validity[k] = 10 + k;
    g.has_fronts = 1;
    g.first_front = 17;
    g.fronts = 4000000000u;
    g.draws_again = 5000000000u;
    g.parents_kept = 3;
    for (int k = 0; k < GR_SIZE_KINDS; k++)
        g.size[k] = (gr_min_mean_max){100 + k, 200.0 / (7 + k), 300 + k};
    g.executed = 12345678901.0;
    g.seconds = 0.0123455;
    check(&g);
    g.has_diversity = 1;
    g.diversity = (gr_diversity){.genotypes = 7, .phenotypes = 5, .fitnesses = 3, .children = 8};
    check(&g);
    memset(&g, 0xff, sizeof g); /* the longest numbers there are */
    g.best = g.mean = g.best_ever = g.test = -DBL_MIN / 3.0;
    for (int k = 0; k < GR_SIZE_KINDS; k++)
        g.size[k] = (gr_min_mean_max){g.best, g.best, g.best};
    g.executed = -DBL_MAX;
    g.seconds = -DBL_MAX;
    check(&g);
}

/* Two values five times each: one bit; one value: none; without any there is no entropy. */
static void test_entropy(void **state) {
    (void)state;
    gr_diversity d = {.finite = 10};
    double bits = 26, two = 2 * 5 * log2(5), one = 10 * log2(10);
    d.repeated = (uint64_t)ldexp(two, (int)bits);
    assert_true(fabs(gr_fitness_entropy(&d) - 1.0) < 1e-6);
    d.repeated = (uint64_t)ldexp(one, (int)bits);
    assert_true(fabs(gr_fitness_entropy(&d)) < 1e-6);
    d.fitnesses = 1;
    assert_true(gr_fitness_entropy(&d) == 0.0);
    d.finite = d.fitnesses = 0;
    assert_true(isnan(gr_fitness_entropy(&d)));
}

#define SIZE(name) "\tmin_" name "\tave_" name "\tmax_" name
#define FIRST                                                                                      \
    "run\tgen\tbest_fitness\tave_fitness\tbest_ever\ttest_fitness\tvalid\tinvalids\tout_of_codons" \
    "\ttoo_deep\ttoo_large\tno_expression\tnonfinite\tdraws_again\tparents_kept" SIZE(             \
        "genome_length") SIZE("used_codons") SIZE("tree_depth") SIZE("tree_nodes")                 \
        SIZE("derivation_nodes") "\tbest_nodes\tbest_depth"
#define DIVERSITY                                                                                  \
    "\tgenotypes\tphenotypes\tfitnesses\tfitness_entropy\tlike_parent\tphenotypes_ever"
#define FRONTS "\tfirst_front\tfronts"
#define LAST "\tnodes_executed\ttime\n"

/* The names stand where test_row has their values. */
static void test_head(void **state) {
    (void)state;
    static const char *const expected[2][2] = {{FIRST LAST, FIRST FRONTS LAST},
                                               {FIRST DIVERSITY LAST, FIRST DIVERSITY FRONTS LAST}};
    for (int diversity = 0; diversity < 2; diversity++)
        for (int fronts = 0; fronts < 2; fronts++) {
            char head[2 * GR_HEAD_BYTES];
            char *end = gr_put_head(head, diversity, fronts);
            *end = 0;
            assert_string_equal(head, expected[diversity][fronts]);
            assert_true(end - head <= GR_HEAD_BYTES);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_row),
        cmocka_unit_test(test_entropy),
        cmocka_unit_test(test_head),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
