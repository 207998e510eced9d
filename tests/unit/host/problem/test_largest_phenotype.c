/* host/problem/largest_phenotype.h: no genome maps to more, and some to as much. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu/core/state/shapes.h"
#include "host/derivation/phenotype.h"
#include "host/problem/largest_phenotype.h"
#include "tests/problems.h"

#include <unistd.h>

static char path[] = "/tmp/grampus-largest-phenotype-XXXXXX";

/* ---- all genomes ---- */

/* Maps one with these limits: its validity, and in *count its nodes. */
static uint32_t map(const gr_problem *problem, uint32_t most, uint32_t nesting,
                    const uint32_t *genome, uint32_t length, uint32_t *count) {
    gr_params p = problem->job.params;
    gr_node *nodes, at[400];
    uint32_t stack[1000];
    gr_error error;
    p.max_nodes = most;
    p.max_nesting = nesting;
    assert_int_equal(gr_map_genome(&p, problem->job.grammar, genome, length, &nodes, count, &error),
                     GR_OK);
    free(nodes);
    if (nodes || p.convention & (GR_POSITION_INDEPENDENT | GR_LISTS))
        return nodes ? GR_VALID : GR_NO_EXPRESSION;
    gr_mapping m = {.begins = {NULL, 1}};
    assert_true(most <= 400 && gr_path_words(&p) + nesting <= 1000);
    gr_derive_start(&m.d, problem->job.grammar, genome, length, p.max_wraps, p.max_depth,
                    (gr_words){stack, 1});
    gr_derive_by(&m.d, p.convention, p.max_wraps);
    gr_parser_start(&m.p, (gr_nodes){at, 1}, most, (gr_words){stack + gr_path_words(&p), 1},
                    nesting, 1, 0);
    gr_map(&m);
    return m.d.validity;
}

enum { LOOSE = 400 };

/* Maps all genomes of `length` codons below `values`: by the bounds each is as valid as it is by
 * far larger limits. The most nodes of one that is valid. */
static uint32_t map_all(const gr_problem *problem, uint32_t length, uint32_t values, uint32_t nodes,
                        uint32_t nesting) {
    uint32_t genome[16] = {0}, most = 0, k;
    do {
        uint32_t loose, tight, validity = map(problem, LOOSE, LOOSE, genome, length, &loose);
        assert_int_equal(map(problem, nodes, nesting, genome, length, &tight), validity);
        if (validity == GR_VALID) {
            assert_int_equal(tight, loose);
            most = loose > most ? loose : most;
        }
        for (k = 0; k < length && ++genome[k] == values; k++)
            genome[k] = 0;
    } while (k < length);
    return most;
}

static const struct {
    const char *grammar, *more;
    uint32_t length, values; /* of the genomes */
    uint32_t codons;         /* that they may take */
    uint32_t most, bound;    /* nodes of the largest, and what is told of it */
} CASES[] = {
    {"<e> ::= (+ <e> <e>) | x\n", "", 9, 2, 9, 9, 9},
    {"<e> ::= (<o> <e> <e>) | x\n<o> ::= * | +\n", "", 9, 2, 9, 5, 6},
    {"<e> ::= <e>*<e> | x\n", "max-wraps: 2\n", 3, 2, 9, 3, 9},
    /* a minus may be a sign; here it is not */
    {"<e> ::= <e>-<e> | x\n", "", 9, 2, 9, 9, 13},
    {"<e> ::= -<e> | x\n", "", 9, 2, 9, 9, 9},
    {"<e> ::= sin(<e>) | exp(<e>*<e>) | x\n", "", 7, 3, 7, 10, 10},
    /* an operation behind every operand but the first */
    {"<e> ::= (* <e> <e> <e> <e>) | x\n", "", 9, 2, 9, 13, 13},
    {"<e> ::= (<e> <e> *) | x\n", "", 9, 2, 9, 9, 9},
    {"<e> ::= <e> if <e> < <e> else <e> | x\n", "", 9, 2, 9, 11, 13},
    {"<e> ::= <n> | <e>+<e>\n<n> ::= 0.25 | 17.5e3\n", "", 9, 2, 9, 5, 5},
    {"<e> ::= <n> | <e>+<e>\n<n> ::= <d>.<d>\n<d> ::= 0 | 1<d>\n", "", 9, 2, 9, 3, 17},
    {"<e> ::= x[0] | x[<d>] | <e>+<e>\n<d> ::= 0 | 00\n", "", 7, 3, 7, 7, 9},
    {"<e> ::= <GECodonValue-2+5> | <e>+<e>\n", "", 7, 5, 7, 3, 7},
    {"<e> ::= <s> | x\n<s> ::= <t>\n<t> ::= (* <e> <e>)\n", "", 9, 2, 9, 5, 5},
    {"<e> ::= <s> | x\n<s> ::= <t>\n<t> ::= (* <e> <e>)\n", "codon-consumption: lazy\n", 9, 2, 9, 9,
     9},
    {"<s> ::= x+x+<t>\n<t> ::= x*x | x\n", "", 9, 2, 9, 7, 7},
    /* read until codons run out, though nobody is valid that begins so */
    {"<s> ::= sin(x*x*x*x) + <a> | x\n<a> ::= <b>\n<b> ::= <c>\n<c> ::= <a> | x\n", "", 3, 2, 3, 1,
     9},
    {"<e> ::= argmax(<e>) | x\n", "", 7, 2, 7, 13, 13},
    {"<e> ::= argmax(<e>, x, <e>) | x\n", "", 7, 2, 7, 19, 20},
    {"<e> ::= argmax(<a>) | x\n<a> ::= <e>,<e> | <e>\n", "", 9, 2, 9, 11, 11},
    {"<e> ::= (+ <e> <e>) | x\n", "mapping: pi\n", 10, 2, 5, 5, 5},
};

static void test_all_genomes(void **state) {
    (void)state;
    uint32_t wrong = 0;
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
        gr_problem problem;
        uint64_t nodes, nesting;
        gr_error error;
        char more[120];
        snprintf(more, sizeof more, "max-genome-length: %u\nmax-depth: 30\n%s", CASES[k].length,
                 CASES[k].more);
        assert_string_equal(make_problem_of_grammar(path, CASES[k].grammar, more, &problem), "");
        assert_int_equal(gr_find_largest_phenotype(&problem.job.params, problem.job.grammar,
                                                   CASES[k].codons, &nodes, &nesting, &error),
                         GR_OK);
        uint32_t most =
            map_all(&problem, CASES[k].length, CASES[k].values, (uint32_t)nodes, (uint32_t)nesting);
        if (most != CASES[k].most || nodes != CASES[k].bound) {
            print_error("case %zu: at most %u nodes, %llu told\n", k, most,
                        (unsigned long long)nodes);
            wrong++;
        }
        gr_problem_free(&problem);
    }
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_genomes),
    };
    close(mkstemp(path));
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
