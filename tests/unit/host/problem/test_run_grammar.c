/* host/problem/run_grammar.h: limits of grammars, symbols of data, the ramp. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/problem/run_grammar.h"
#include "tests/problems.h"

#include <unistd.h>

static char path[] = "/tmp/grampus-run-grammar-XXXXXX";

static const char *with_grammar(const char *grammar, const char *more, gr_problem *problem) {
    return make_problem_of_grammar(path, grammar, more, problem);
}

static void test_grammars(void **state) {
    (void)state;
    static const char deep[] = "<s> ::= <t>\n<t> ::= <u>\n<u> ::= x | 1 | 2\n";
    gr_problem problem;
    const gr_params *p = &problem.job.params;
    assert_string_equal(with_grammar(deep, "", &problem), "");
    assert_true(p->init_min_depth == 4 &&
                p->init_max_depth == 10); /* the shortest derivation is of 4 levels */
    gr_problem_free(&problem);
    assert_string_equal(with_grammar(deep, "max-depth: 4\n", &problem), "");
    assert_true(p->init_max_depth == 4);
    gr_problem_free(&problem);
    assert_non_null(strstr(with_grammar(deep, "max-depth: 3\n", &problem), "expected at least 4"));
    assert_non_null(strstr(with_grammar(deep, "codon-size: 1\n", &problem),
                           "codon-size 1 cannot choose among 3 productions; expected at least 2"));
    assert_string_equal(with_grammar(deep, "codon-size: 2\n", &problem), "");
    gr_problem_free(&problem);
    assert_string_equal(
        with_grammar("<e> ::= <e>+<e> | GE_RANGE:dataset_n_is | GE_RANGE:dataset_n_os\n", "",
                     &problem),
        "");
    assert_int_equal(problem.job.grammar[GR_G_PRODUCTIONS],
                     1 + 5 + 5); /* different values of inputs and of targets */
    gr_problem_free(&problem);
}

/* What is too short for any derivation is refused, by whatever limits genomes. */
static void test_lengths(void **state) {
    (void)state;
    static const char pairs[] = "<s> ::= <t><t>\n<t> ::= <u><u>\n<u> ::= + <v>\n<v> ::= x | 1\n";
    static const struct {
        const char *more, *refused;
    } cases[] = {
        {"max-genome-length: 10\n", "takes 11 codons; expected at least 11"},
        {"max-genome-length: 11\n", NULL},
        {"max-genome-length: 5\nmax-wraps: 1\n", "takes 11 codons; expected at least 6"},
        {"max-genome-length: 6\nmax-wraps: 1\n", NULL},
        {"max-genome-length: 3\ncodon-consumption: lazy\n", "takes 4 codons; expected at least 4"},
        {"max-genome-length: 4\ncodon-consumption: lazy\n", NULL},
        {"max-genome-length: 20\nmapping: pi\n", "takes 11 expansions; expected at least 21"},
        {"max-genome-length: 21\nmapping: pi\n", NULL},
        {"max-genome-length: 10\nmapping: pi\nmax-wraps: 9\n",
         "takes 11 expansions; expected at least 11"},
        {"max-genome-length: 2\ngenotype: structured\n",
         "takes 11 expansions; expected at least 3"},
        {"max-genome-length: 3\ngenotype: structured\n", NULL},
        {"max-derivation-nodes: 14\n", "max-derivation-nodes 14 is less than the grammar's "
                                       "smallest derivation; expected at least 15"},
        {"max-derivation-nodes: 15\n", NULL},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        gr_problem problem;
        const char *text = with_grammar(pairs, cases[k].more, &problem);
        if (cases[k].refused ? !strstr(text, cases[k].refused) : *text != 0)
            fail_msg("%s: '%s'", cases[k].more, text);
        if (!cases[k].refused)
            gr_problem_free(&problem);
    }
}

/* A first depth below the grammar's least gives way to it, and is told of where it was named. */
static void test_first_depths(void **state) {
    (void)state;
    static const char grammar[] = "<s> ::= <t>\n<t> ::= <u>\n<u> ::= <e>\n<e> ::= x | <e>+<e>\n";
    static const struct {
        const char *word;
        int grows;
    } cases[] = {{"grow", 1},    {"full", 1},    {"ramped", 1},
                 {"pi-grow", 1}, {"uniform", 0}, {"ptc2", 0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (uint32_t depth = 4; depth < 6; depth++) {
            gr_problem problem;
            gr_settings s;
            gr_error error;
            char text[256], value[8], deeper[GR_DEEPER];
            snprintf(text, sizeof text, "initialisation: %s\ninit-max-depth: %u\n", cases[k].word,
                     depth);
            assert_string_equal(with_grammar(grammar, text, &problem), "");
            assert_int_equal(problem.job.params.init_max_depth, 5);
            snprintf(value, sizeof value, "%u", depth);
            assert_int_equal(gr_settings_init(&s, &error), GR_OK);
            s.init_max_depth = depth; /* nobody named it */
            assert_false(gr_deeper_than_asked(&s, &problem.job.params, deeper));
            assert_int_equal(gr_settings_set(&s, "init-max-depth", value, &error), GR_OK);
            assert_int_equal(gr_deeper_than_asked(&s, &problem.job.params, deeper),
                             cases[k].grows && depth == 4);
            gr_settings_free(&s);
            gr_problem_free(&problem);
        }
}

/* Doubles are as many different values as were read, of which floats may be one. */
static void test_symbols_of_doubles(void **state) {
    (void)state;
    static const char text[] = "<e> ::= <e>+<e> | GE_RANGE:dataset_n_is | GE_RANGE:dataset_n_os\n";
    char table[] = "/tmp/grampus-run-grammar-table-XXXXXX", more[256];
    gr_problem problem;
    FILE *file = fdopen(mkstemp(table), "w");
    fputs("a,b,y\n1,2,1e9\n1.0000000001,2,1000000001\n1.0000000002,2,2e9\n", file);
    fclose(file);
    file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
    for (int doubles = 0; doubles < 2; doubles++) {
        snprintf(more, sizeof more, "data: %s\ngrammar: %s\nprecision: %s\n", table, path,
                 doubles ? "double" : "single");
        assert_string_equal(make_problem(more, &problem), "");
        assert_int_equal(problem.job.grammar[GR_G_PRODUCTIONS], doubles ? 1 + 4 + 3 : 1 + 2 + 2);
        gr_problem_free(&problem);
    }
    unlink(table);
}

/* The ramp begins where a depth has more derivations of its own than fall to it. */
static void test_distinct_ramp(void **state) {
    (void)state;
    gr_problem problem;
    const gr_params *p = &problem.job.params;
    /* 1, 1 + 1, 1 + 4, 1 + 25 derivations of up to 2, 3, 4, 5 levels; 40 over depths 2 to 7 are 5
     * each */
    assert_string_equal(with_grammar("<e> ::= <e>+<e> | x\n",
                                     "population: 40\ndistinct-ramp: true\ninit-max-depth: 7\n",
                                     &problem),
                        "");
    assert_int_equal(p->init_min_depth, 5); /* the first with more than 5 new ones: 26 - 5 */
    gr_problem_free(&problem);
    /* one new derivation at each depth: never more than the two that fall to one */
    assert_string_equal(with_grammar("<e> ::= <e>+1 | x\n",
                                     "population: 14\ndistinct-ramp: true\ninit-max-depth: 7\n",
                                     &problem),
                        "");
    assert_int_equal(p->init_min_depth, 7);
    gr_problem_free(&problem);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grammars),      cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_first_depths),  cmocka_unit_test(test_symbols_of_doubles),
        cmocka_unit_test(test_distinct_ramp),
    };
    int file = mkstemp(path);
    if (file < 0)
        return 1;
    close(file);
    int failed = cmocka_run_group_tests_name("run_grammar", tests, NULL, NULL);
    unlink(path);
    return failed;
}
