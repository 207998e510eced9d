/* gpu/core/genotype/gene_lists.h and host/grammar/gene_lists.c: lists are as long as asked, and
 * genes choose what the rules say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/non_depth_first.h"

static void expect_lists(const char *text, uint32_t depth, uint32_t capacity, uint32_t expansions,
                         uint32_t rules, const uint32_t *length) {
    gr_params p = params(GR_LISTS);
    p.max_depth = depth;
    p.genome_capacity = capacity;
    core c = open_state(text, &p);
    assert_int_equal(c.s.grammar[GR_G_RULES], rules);
    for (uint32_t r = 0; r < rules; r++)
        if (list_length(&c, r) != length[r])
            fail_msg("list of rule %u: %u, expected %u", r, list_length(&c, r), length[r]);
    assert_int_equal(c.s.grammar[GR_G_EXPANSIONS], expansions);
    close_state(&c);
}

static void test_list_lengths(void **state) {
    (void)state;
    /* s, a a, b b b b: never more, whatever the depth */
    expect_lists(ENDS, 12, 100, 7, 3, (const uint32_t[]){1, 2, 4});
    expect_lists(ENDS, 3, 100, 3, 3, (const uint32_t[]){1, 2, 1}); /* <a> has to be x there */
    /* at depth 5: e at 4 levels, twice as many each; the last has to be a leaf of 2 levels */
    expect_lists("<e> ::= <e>+<e> | <v>\n<v> ::= x | y\n", 5, 100, 11, 2, (const uint32_t[]){7, 4});
    expect_lists("<e> ::= <e>+<e> | <v>\n<v> ::= x | y\n", 5, 9, 11, 2, (const uint32_t[]){5, 4});
    expect_lists("<e> ::= <e>+<e> | <v>\n<v> ::= x | y\n", 30, 9, 36, 2, (const uint32_t[]){4, 4});
    /* no list without a choice; one that no derivation reaches has a gene all the same */
    expect_lists("<s> ::= <t>+<u>\n<t> ::= x | y\n<u> ::= y\n<z> ::= x | y\n", 9, 9, 3, 4,
                 (const uint32_t[]){0, 1, 0, 1});
    gr_error error;
    const gr_grammar_context context = {0};
    assert_int_equal(gr_grammar_parse(ENDS, strlen(ENDS), "test", &context, &grammar, &error), 0);
    assert_int_equal(gr_grammar_plan_non_depth_first(grammar, GR_LISTS, 12, 0, 2, &error),
                     GR_BAD_INPUT);
    assert_non_null(strstr(error.text, "; expected at least their number"));
    gr_grammar_free(grammar);
}

/* By hand: the k-th expansion of a rule takes the k-th gene, the depth limits the choice, a list is
 * read again, and behind that the shortest production is taken. */
static void test_genes_by_hand(void **state) {
    (void)state;
    static const char text[] = "<e> ::= <e>+<e> | <v> | (<e>)\n<v> ::= x | y\n";
    const struct {
        uint32_t depth, wraps, used, count, genes[6], depth_first[16];
    } cases[] = {
        {9, 0, 5, 5, {0, 1, 1, 1, 0, 0}, {0, 1, 1, 1, 0}}, /* y+x */
        {3, 0, 2, 2, {0, 0, 0, 1, 0, 0}, {1, 1}},          /* <e>+<e> is too deep */
        {4, 0, 5, 5, {0, 0, 2, 1, 0, 0}, {0, 1, 1, 1, 0}}, /* 0 mod 1, 2 mod 1 */
        {9, 0, 6, 11, {0, 0, 0, 1, 0, 1}, {0, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0}},
        {9, 1, 11, 14, {0, 0, 1, 1, 0, 1}, {0, 0, 1, 1, 0, 0, 1, 0, 1, 1, 1, 1, 1, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gr_params p = params(GR_LISTS);
        uint32_t *depth_first, count;
        p.max_depth = cases[i].depth;
        p.max_wraps = cases[i].wraps;
        p.genome_capacity = 6;
        core c = open_state(text, &p);
        uint32_t genome[6] = {0}, split = list_length(&c, 0);
        for (uint32_t k = 0; k < split; k++)
            genome[k] = cases[i].genes[k];
        for (uint32_t k = split; k < p.genome_capacity; k++)
            genome[k] = cases[i].genes[3 + k - split];
        gr_derivation d = to_depth_first(&c, genome, p.genome_capacity, &depth_first, &count);
        assert_int_equal(d.validity, GR_VALID);
        assert_int_equal(count, cases[i].count);
        assert_int_equal(d.used, cases[i].used);
        for (uint32_t k = 0; k < count; k++)
            assert_int_equal(depth_first[k], cases[i].depth_first[k]);
        close_state(&c);
    }
}

/* Values of a gene: productions, or the values that codons up to the codon size give. */
static void test_alternatives(void **state) {
    (void)state;
    static const char text[] =
        "<s> ::= <t><GECodonValue-1+10><GECodonValue[0.0,1.0]><GECodonValue>\n"
        "<t> ::= x | y\n";
    const gr_grammar_context context = {.codon_size = 1000};
    static const uint32_t expected[][4] = {
        /* codon size; of 1 to 10, of thousandths, of any number */
        {8, 9, 9, 9},           {9, 10, 10, 10},       {10, 10, 11, 11},
        {11, 10, 12, 12},       {999, 10, 1000, 1000}, {1000, 10, 1001, 1001},
        {1001, 10, 1001, 1002}, {5000, 10, 1001, 5001}};
    gr_error error;
    uint32_t words;
    if (gr_grammar_parse(text, strlen(text), "test", &context, &grammar, &error))
        fail_msg("%s", error.text);
    const uint32_t *g = gr_grammar_tables(grammar, &words);
    assert_int_equal(g[GR_G_RULES], 5);
    assert_int_equal(g[GR_G_FIRST_VALUE], 2);
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        assert_int_equal(gr_alternatives(g, 0, expected[k][0]), 1);
        assert_int_equal(gr_alternatives(g, 1, expected[k][0]), 2);
        for (uint32_t value = 0; value < 3; value++)
            assert_int_equal(gr_alternatives(g, 2 + value, expected[k][0]), expected[k][1 + value]);
    }
    gr_grammar_free(grammar);
}

/* By hand: <e> needs two levels more by its second production, three by the others, <v> one. */
static void test_choices_by_hand(void **state) {
    (void)state;
    static const char text[] = "<e> ::= <e>+<e> | <v> | (<e>)\n<v> ::= x | y\n";
    gr_params p = params(GR_LISTS);
    core c = open_state(text, &p);
    const uint32_t *g = c.s.grammar;
    for (uint32_t gene = 0; gene < 7; gene++)
        for (uint32_t level = 0; level < 3; level++) {
            assert_int_equal(gr_choose_by_gene(g, 0, gene, level, level + 4), gene % 3);
            assert_int_equal(gr_choose_by_gene(g, 0, gene, level, level + 3), 1);
            assert_int_equal(gr_choose_by_gene(g, 0, gene, level, level + 2), 3); /* none */
            assert_int_equal(gr_choose_by_gene(g, 1, gene, level, level + 2), gene % 2);
            assert_int_equal(gr_choose_by_gene(g, 1, gene, level, level + 1), 2); /* none */
        }
    assert_int_equal(gr_shortest_choice(g, 0), 1);
    assert_int_equal(gr_shortest_choice(g, 1), 0); /* the first of two */
    close_state(&c);
}

/* A derivation of more expansions than there is scratch for is too large: <s> needs 1 + 3 + 9. */
static void test_too_many_expansions(void **state) {
    (void)state;
    static const char text[] = "<s> ::= <a><a><a> | x\n<a> ::= <b><b>x<b>\n<b> ::= y\n";
    gr_params p = params(GR_LISTS);
    uint32_t genome[1] = {0}, memory[16 + 3], *depth_first;
    core c = open_state(text, &p);
    assert_int_equal(list_length(&c, 0), 1);
    for (uint32_t most = 5; most < 16; most++) {
        gr_derivation d;
        gr_derive_start(&d, c.s.grammar, genome, 1, 0, p.max_depth, core_scratch(&c).path);
        gr_derive_by(&d, GR_LISTS, 0);
        uint32_t n = gr_lists_to_depth_first(&d, memory, most, NULL, &depth_first);
        assert_int_equal(n, most < 13 ? most : 13);
        assert_int_equal(d.validity, most < 13 ? GR_TOO_LARGE : GR_VALID);
    }
    close_state(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list_lengths),        cmocka_unit_test(test_genes_by_hand),
        cmocka_unit_test(test_alternatives),        cmocka_unit_test(test_choices_by_hand),
        cmocka_unit_test(test_too_many_expansions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
