/* Constants fitted beside genomes, seen through grampus.h alone: what is shown has them, and is
 * what the fitness is of. */
#include "host/library/grampus.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CASES = 1100, POPULATION = 80 };
#ifdef __SANITIZE_ADDRESS__ /* ten times as slow: ways have scaling and weights by turns */
enum { BY_TURNS = 1 };
#else
enum { BY_TURNS = 0 };
#endif

static const char GRAMMAR[] = "<e> ::= (<e> <o> <e>) | sin(<e>) | a | b | <c>\n<o> ::= + | - | *\n"
                              "<c> ::= <d>.<d> | 1\n<d> ::= 0|1|2|3|4|5|6|7|8|9\n";
static const char BEFORE[] = "<s> ::= 1.5*a+2.5*sin(<e>)+1.5\n<e> ::= (<e>+<e>) | a | b | <d>.<d>\n"
                             "<d> ::= 1|2|3\n";
static const char *grammar = GRAMMAR;
static float x[2][CASES], y[CASES];
static const char *const names[] = {"a", "b"};

static void make_cases(void) {
    for (int i = 0; i < CASES; i++) {
        x[0][i] = (float)(i % 41) / 8.0f - 2.0f;
        x[1][i] = (float)(i % 13) / 5.0f;
        y[i] = 3.17f * sinf(1.37f * x[0][i]) + 0.713f * x[1][i] - 2.2f;
    }
}

static grampus_cases cases_of(void) {
    static const grampus_column columns[] = {{x[0], sizeof(float), GRAMPUS_FLOAT},
                                             {x[1], sizeof(float), GRAMPUS_FLOAT}};
    return (grampus_cases){CASES, 2, names, columns, {y, sizeof(float), GRAMPUS_FLOAT}, NULL};
}

/* more: keys and values, to NULL */
static grampus_run *open_with(const char *whose, const char *scaling, const char *genotype,
                              const char *const *more) {
    const char *asked = getenv("GRAMPUS_TEST_DEVICE");
    const char *const values[] = {"device",
                                  asked ? asked : "cpu",
                                  "population",
                                  "80",
                                  "optimise-share",
                                  "0.3",
                                  "epoch",
                                  "1",
                                  "generations",
                                  "6",
                                  "metric",
                                  "rmse",
                                  "max-nodes",
                                  "100",
                                  "genotype",
                                  genotype,
                                  NULL};
    grampus_settings *s;
    grampus_error error;
    grampus_run *run;
    grampus_cases cases = cases_of();
    assert_int_equal(grampus_settings_new(&s, &error), GRAMPUS_OK);
    for (const char *const *at = values; *at; at += 2)
        assert_int_equal(grampus_settings_set(s, at[0], at[1], &error), GRAMPUS_OK);
    for (const char *const *at = more; at && *at; at += 2)
        assert_int_equal(grampus_settings_set(s, at[0], at[1], &error), GRAMPUS_OK);
    grampus_settings_set(s, "optimise-constants", whose, &error);
    grampus_settings_set(s, "linear-scaling", scaling, &error);
    if (grampus_run_open_on(s, &cases, NULL, grammar, &run, &error))
        fail_msg("%s", error.text);
    grampus_settings_free(s);
    return run;
}

/* The fitness that the expression shown has, in double. */
static double fitness_of(const grampus_best *best) {
    static double output[CASES];
    grampus_cases cases = cases_of();
    grampus_error error;
    double sum = 0.0;
    assert_int_equal(grampus_predict(best, &cases, GRAMPUS_SCALED, GRAMPUS_DOUBLE, output, &error),
                     GRAMPUS_OK);
    for (int i = 0; i < CASES; i++)
        sum += (output[i] - (double)y[i]) * (output[i] - (double)y[i]);
    return sqrt(sum / CASES);
}

static void hold(const grampus_best *best) {
    double expected = best->infix ? fitness_of(best) : INFINITY;
    if (isfinite(best->train) && fabs(best->train - expected) > 1e-4 * expected + 1e-6)
        fail_msg("%s has %.9g, reported %.9g", best->infix, expected, best->train);
}

/* After every generation what is shown has the fitness that is reported, and no best is lost:
 * copies of elites have their constants, or come to them again. `inherits`: in the generations
 * after the first children have numbers that were fitted in others. */
static void follow_with(const char *whose, const char *scaling, const char *genotype,
                        const char *const *more, int inherits) {
    static grampus_individual individuals[5 * POPULATION];
    grampus_run *run = open_with(whose, scaling, genotype, more);
    grampus_error error;
    double before = INFINITY;
    int finished = 0, fitted = 0;
    while (!finished) {
        grampus_best best, one;
        assert_int_equal(grampus_run_advance(run, NULL, NULL, &finished, &error), GRAMPUS_OK);
        assert_int_equal(grampus_run_best(run, 0, &best, &error), GRAMPUS_OK);
        hold(&best);
        assert_true(best.train <= before);
        before = best.train;
        grampus_best_free(&best);
        uint32_t count, capacity;
        grampus_run_shape(run, &count, &capacity);
        assert_true(count <= sizeof individuals / sizeof *individuals);
        assert_int_equal(grampus_run_population(run, 0, individuals, count, &error), GRAMPUS_OK);
        for (uint32_t place = 0; place < count; place += 7) {
            assert_int_equal(grampus_run_individuals(run, 0, &place, 1, &one, &error), GRAMPUS_OK);
            assert_true(one.train == individuals[place].train ||
                        (isnan(one.train) && isnan(individuals[place].train)));
            hold(&one);
            /* numbers of the grammar have one digit behind the point */
            for (const char *at = one.infix ? one.infix : ""; (at = strchr(at, '.')); at++)
                fitted += strspn(at + 1, "0123456789") > 1 && (place || strcmp(whose, "elites"));
            grampus_best_free(&one);
        }
        double least = INFINITY;
        for (uint32_t i = 0; i < count; i++)
            least = fmin(least, individuals[i].train);
        assert_true(least <= before * 1.0001 || (more && !strcmp(more[0], "restart-after")));
    }
    assert_int_equal(fitted > 0, inherits || strcmp(whose, "elites"));
    grampus_run_close(run);
}
static void follow(const char *whose, const char *scaling, const char *genotype) {
    follow_with(whose, scaling, genotype, NULL, strcmp(genotype, "structured") != 0);
}

static void test_elites(void **state) {
    (void)state;
    follow("elites", "false", "grammar");
}
static void test_share(void **state) {
    (void)state;
    follow("share", "false", "grammar");
    follow("share", "true", "grammar");
}
static void test_all(void **state) {
    (void)state;
    follow("all", "true", "grammar");
    follow("all", "false", "structured");
}

/* Wherever an individual comes from, its numbers come with it: from other islands, from an archive,
 * from branches of two parents, from a genome that is read twice; and where an island begins anew
 * there are none. */
static void test_ways(void **state) {
    static const char *const ways[][13] = {
        {"islands", "5", "migration-every", "1", "migration-size", "20"},
        {"archive", "niches", "niche-share", "0.9"},
        {"archive", "niches", "niche-share", "0.5", "islands", "3", "migration-every", "2"},
        {"restart-after", "1", "generations", "9"},
        {"crossover", "subtree", "subtree-mutation", "0.3", "islands", "2", "migration-every", "2"},
        {"crossover", "uniform", "children", "one"},
        {"max-wraps", "2", "genome-length", "10", "max-genome-length", "30", "initialisation",
         "uniform", "crossover-within-used", "false"},
        {"codon-duplication", "0.3", "codon-deletion", "0.3"},
        {"codon-consumption", "lazy", "wrap-rule", "geva", "max-wraps", "1"},
        {"wrap-rule", "ponyge-linear", "max-wraps", "2"},
        {"invalid", "redrawn", "tries", "3"},
        {"mutate-duplicates", "true"},
        {"replacement", "steady-state", "children-per-step", "9", "generations", "3"},
        {"evaluate-once", "on", "fitness-memory", "1000", "elites", "20"}};
    (void)state;
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        const char *weighted[13] = {"weighted-inputs", "true"};
        int weighs = strcmp(ways[k][0], "restart-after") != 0;
        if (!BY_TURNS || !weighs || k % 2 == 0)
            follow_with("share", "true", "grammar", ways[k], 1);
        memcpy(weighted + 2, ways[k], sizeof weighted - 2 * sizeof *weighted);
        if (weighs && (!BY_TURNS || k % 2))
            follow_with("share", "false", "grammar", weighted, 1);
    }
}

/* Numbers that stand before any codon is taken, where codons are taken for choices alone. */
static void test_before(void **state) {
    static const char *const lazy[] = {"codon-consumption", "lazy", "elites", "30", NULL};
    (void)state;
    grammar = BEFORE;
    follow_with("share", "false", "grammar", lazy, 1);
    grammar = GRAMMAR;
}

/* The numbers of the grammar are where it begins, and fitting finds better ones. */
static void test_gains(void **state) {
    double fitness[2];
    (void)state;
    for (int k = 0; k < 2; k++) {
        grampus_run *run = open_with(k ? "all" : "none", "false", "grammar", NULL);
        grampus_error error;
        grampus_best best;
        int finished = 0;
        while (!finished)
            assert_int_equal(grampus_run_advance(run, NULL, NULL, &finished, &error), GRAMPUS_OK);
        assert_int_equal(grampus_run_best(run, 0, &best, &error), GRAMPUS_OK);
        fitness[k] = best.train;
        grampus_best_free(&best);
        grampus_run_close(run);
    }
    assert_true(fitness[1] < 0.7 * fitness[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_elites), cmocka_unit_test(test_share),
                                       cmocka_unit_test(test_all),    cmocka_unit_test(test_ways),
                                       cmocka_unit_test(test_before), cmocka_unit_test(test_gains)};
    make_cases();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
