/* gpu/core/mapping/mapping.h: derivations known by heart, and every random genome against a second,
 * recursive mapper. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "host/grammar/grammar.h"
#include "tests/core.h"

enum { LONGEST = 64, DEEPEST = 90, TEXT = 1 << 16 };

static gr_grammar *parse(const char *text, uint32_t inputs) {
    const gr_grammar_context context = {.n_vars = inputs};
    gr_grammar *grammar;
    gr_error error;
    if (gr_grammar_parse(text, strlen(text), "test", &context, &grammar, &error))
        fail_msg("%s", error.text);
    return grammar;
}

static const uint32_t *tables(const gr_grammar *grammar) {
    uint32_t words;
    return gr_grammar_tables(grammar, &words);
}

typedef struct mapped {
    uint32_t validity, used, depth, nodes;
    size_t length;
    char text[TEXT];
} mapped;

static void append(mapped *m, const gr_grammar *grammar, uint32_t terminal) {
    size_t length;
    const char *text = gr_grammar_terminal(grammar, terminal, &length);
    assert_true(m->length + length < TEXT);
    memcpy(m->text + m->length, text, length);
    m->length += length;
    m->text[m->length] = 0;
}

/* By the core. */
static const mapped *map(const gr_grammar *grammar, const uint32_t *genome, uint32_t length,
                         uint32_t wraps, uint32_t max_depth) {
    static mapped m;
    uint32_t stack[2 * DEEPEST];
    gr_derivation d;
    memset(&m, 0, sizeof m);
    gr_derive_start(&d, tables(grammar), genome, length, wraps, max_depth, (gr_words){stack, 1});
    for (uint32_t terminal; (terminal = gr_derive_next(&d)) != GR_DERIVED;)
        append(&m, grammar, terminal);
    m.validity = d.validity;
    m.used = d.used;
    m.depth = d.depth;
    m.nodes = d.nodes;
    return &m;
}

typedef struct expected {
    const char *text;
    uint32_t used, depth, nodes;
} expected;

static void expect(const gr_grammar *grammar, uint32_t length, const uint32_t *genome,
                   uint32_t wraps, expected e) {
    const mapped *m = map(grammar, genome, length, wraps, DEEPEST);
    assert_int_equal(m->validity, GR_VALID);
    assert_string_equal(m->text, e.text);
    assert_int_equal(m->used, e.used);
    assert_int_equal(m->depth, e.depth);
    assert_int_equal(m->nodes, e.nodes);
}
#define GENOME(...)                                                                                \
    sizeof((const uint32_t[]){__VA_ARGS__}) / 4, (const uint32_t[]) {                              \
        __VA_ARGS__                                                                                \
    }

/* ---- by heart ---- */

static void test_known(void **state) {
    (void)state;
    gr_grammar *g = parse("<e> ::= <e><o><e> | x | y\n<o> ::= + | *\n", 0);
    expect(g, GENOME(1), 0, (expected){"x", 1, 2, 2});
    expect(g, GENOME(5), 0, (expected){"y", 1, 2, 2}); /* 5 mod 3 */
    expect(g, GENOME(0, 1, 0, 2), 0, (expected){"x+y", 4, 3, 1 + 3 + 3});
    expect(g, GENOME(0, 1, 1, 2, 9, 9), 0, (expected){"x*y", 4, 3, 7}); /* a tail nobody reads */
    expect(g, GENOME(0, 0, 1, 0, 2, 1, 1), 0,
           (expected){"x+y*x", 7, 4, 1 + 3 + 3 + 1 + 1 + 1 + 1 + 1});
    gr_grammar_free(g);
}

/* A rule with a single production takes a codon too. */
static void test_single_production(void **state) {
    (void)state;
    gr_grammar *g = parse("<s> ::= <a>\n<a> ::= <b>\n<b> ::= t\n", 0);
    expect(g, GENOME(7, 8, 9), 0, (expected){"t", 3, 4, 4});
    assert_int_equal(map(g, (const uint32_t[]){7, 8}, 2, 0, DEEPEST)->validity, GR_OUT_OF_CODONS);
    gr_grammar_free(g);
}

static void test_wraps(void **state) {
    (void)state;
    gr_grammar *g = parse("<s> ::= a<b>ccc<b> | z\n<b> ::= x | y\n", 0);
    const uint32_t genome[] = {0, 1};
    const mapped *m = map(g, genome, 2, 0, DEEPEST);
    assert_int_equal(m->validity, GR_OUT_OF_CODONS);
    assert_int_equal(m->used, 2);
    expect(g, 2, genome, 1,
           (expected){"aycccx", 3, 3, 1 + 2 + 1 + 1}); /* valid from one wrap on (reference, 4) */
    expect(g, 2, genome, 5, (expected){"aycccx", 3, 3, 5});
    gr_grammar_free(g);
}

/* The genome may end exactly with the sentence, also when terminals still wait. */
static void test_exact_end(void **state) {
    (void)state;
    gr_grammar *g = parse("<s> ::= (<s>) | t\n", 0);
    uint32_t genome[LONGEST] = {0};
    for (uint32_t n = 1; n < 40; n++) {
        genome[n - 1] = 1;
        const mapped *m = map(g, genome, n, 0, DEEPEST);
        assert_int_equal(m->validity, GR_VALID);
        assert_int_equal(m->used, n);
        assert_int_equal(m->depth, n + 1);
        assert_int_equal(m->length, 2 * (n - 1) + 1);
        if (n > 1)
            assert_int_equal(map(g, genome, n - 1, 0, DEEPEST)->validity, GR_OUT_OF_CODONS);
        genome[n - 1] = 0;
    }
    gr_grammar_free(g);
}

/* Supply = codons times (wraps + 1), to the codon. */
static void test_supply(void **state) {
    (void)state;
    gr_grammar *g = parse("<s> ::= <t><t><t><t><t><t>\n<t> ::= 0 | 1\n", 0);
    uint32_t genome[LONGEST] = {0};
    for (uint32_t n = 1; n <= 8; n++)
        for (uint32_t wraps = 0; wraps < 8; wraps++) {
            const mapped *m = map(g, genome, n, wraps, DEEPEST);
            uint32_t supply = n * (wraps + 1);
            assert_int_equal(m->validity, supply >= 7 ? GR_VALID : GR_OUT_OF_CODONS);
            assert_int_equal(m->used, supply >= 7 ? 7 : supply);
        }
    assert_int_equal(map(g, genome, 0, 3, DEEPEST)->validity, GR_OUT_OF_CODONS);
    assert_int_equal(map(g, genome, 3, 0xffffffffu, DEEPEST)->validity, GR_VALID); /* no overflow */
    gr_grammar_free(g);
}

static void test_depth_edge(void **state) {
    (void)state;
    gr_grammar *g = parse("<s> ::= (<s>) | t\n", 0);
    uint32_t genome[LONGEST] = {0};
    genome[9] = 1; /* ten expansions: depth 11 */
    assert_int_equal(map(g, genome, 10, 0, 11)->validity, GR_VALID);
    assert_int_equal(map(g, genome, 10, 0, 11)->depth, 11);
    assert_int_equal(map(g, genome, 10, 0, 10)->validity, GR_TOO_DEEP);
    assert_int_equal(map(g, genome, 10, 0, 1)->validity,
                     GR_TOO_DEEP); /* not even the root's children */
    genome[0] = 1;
    assert_int_equal(map(g, genome, 10, 0, 2)->validity, GR_VALID);
    gr_grammar_free(g);
}

static void test_empty_terminal(void **state) {
    (void)state;
    gr_grammar *g = parse("<s> ::= a<t>b\n<t> ::= \"\" | c<t>\n", 0);
    expect(g, GENOME(0, 0), 0, (expected){"ab", 2, 3, 3});
    expect(g, GENOME(0, 1, 1, 0), 0, (expected){"accb", 4, 5, 5});
    gr_grammar_free(g);
}

/* ---- against a second mapper ---- */

typedef struct second {
    const uint32_t *tables, *genome;
    uint32_t length, wraps, max_depth;
    const gr_grammar *grammar;
    mapped m;
} second;

/* Derives the symbol at `depth`; false once the sentence is invalid. */
static int derive(second *s, uint32_t symbol, uint32_t depth) {
    if (depth > s->max_depth) {
        s->m.validity = GR_TOO_DEEP;
        return 0;
    }
    s->m.depth = gr_max_u32(s->m.depth, depth);
    if (!(symbol & GR_NONTERMINAL)) {
        append(&s->m, s->grammar, symbol);
        return 1;
    }
    if (s->m.used >= (uint64_t)s->length * (s->wraps + 1)) {
        s->m.validity = GR_OUT_OF_CODONS;
        return 0;
    }
    const uint32_t *g = s->tables;
    uint32_t rule = symbol & ~GR_NONTERMINAL, first = gr_rule_first(g, rule), nonterminals = 0;
    uint32_t choice =
        s->genome[s->m.used++ % s->length] % (gr_rule_first(g, rule + 1) - first) + first;
    for (uint32_t k = gr_symbol_first(g, choice); k < gr_symbol_first(g, choice + 1); k++)
        nonterminals += (gr_symbol(g, k) & GR_NONTERMINAL) != 0;
    s->m.nodes += nonterminals ? nonterminals : 1;
    for (uint32_t k = gr_symbol_first(g, choice); k < gr_symbol_first(g, choice + 1); k++)
        if (!derive(s, gr_symbol(g, k), depth + 1))
            return 0;
    return 1;
}

static void test_random_genomes(void **state) {
    (void)state;
    static const char *const GRAMMARS[] = {
        "<e> ::= <e><o><e> | (<e>) | <v> | <c>\n<o> ::= + | - | * | /\n<v> ::= x | y | z\n"
        "<c> ::= <d>.<d><d> | -<d>\n<d> ::= 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9\n",
        "<s> ::= <a><s> | <b>\n<a> ::= a | \"\" | <b>\n<b> ::= b<c> | <c>\n<c> ::= c\n",
        "<s> ::= if(<s>,<s>,<s>) | x | y\n",
    };
    static second s;
    uint32_t genome[LONGEST], validity[GR_VALIDITY_COUNT] = {0};
    core_dice dice = {6};
    for (uint32_t k = 0; k < 3; k++) {
        gr_grammar *g = parse(GRAMMARS[k], 0);
        for (uint32_t i = 0; i < 20000; i++) {
            uint32_t length = 1 + core_roll(&dice, LONGEST), wraps = core_roll(&dice, 4);
            uint32_t max_depth = 2 + core_roll(&dice, core_roll(&dice, 4) ? 16 : DEEPEST - 2);
            for (uint32_t c = 0; c < length; c++)
                genome[c] = core_roll(&dice, 256);
            memset(&s, 0, sizeof s);
            s.tables = tables(g);
            s.genome = genome;
            s.length = length;
            s.wraps = wraps;
            s.max_depth = max_depth;
            s.grammar = g;
            s.m.nodes = 1;
            derive(&s, GR_NONTERMINAL, 1);
            const mapped *m = map(g, genome, length, wraps, max_depth);
            assert_int_equal(m->validity == GR_VALID, s.m.validity == GR_VALID);
            validity[m->validity]++;
            if (m->validity != GR_VALID)
                continue;
            assert_string_equal(m->text, s.m.text);
            assert_int_equal(m->used, s.m.used);
            assert_int_equal(m->depth, s.m.depth);
            assert_int_equal(m->nodes, s.m.nodes);
        }
        gr_grammar_free(g);
    }
    assert_true(validity[GR_VALID] > 5000 && validity[GR_OUT_OF_CODONS] > 2000 &&
                validity[GR_TOO_DEEP] > 500);
}

/* ---- to expressions ---- */

typedef struct mapped_expression {
    gr_derivation d;
    gr_node nodes[16];
    uint32_t count;
} mapped_expression;

static void map_expression(const gr_grammar *g, uint32_t length, const uint32_t *genome,
                           uint32_t capacity, uint32_t levels, mapped_expression *e) {
    uint32_t stack[2 * DEEPEST], pending[64];
    gr_mapping m;
    m.begins.at = NULL;
    gr_derive_start(&m.d, tables(g), genome, length, 0, DEEPEST, (gr_words){stack, 1});
    gr_parser_start(&m.p, (gr_nodes){e->nodes, 1}, capacity, (gr_words){pending, 1}, levels, 2, 0);
    gr_map(&m);
    e->d = m.d;
    e->count = m.p.count;
}

static void test_expressions(void **state) {
    (void)state;
    static const char *const NAMES[] = {"x", "y"};
    const gr_vocabulary vocabulary = {NAMES, 2, 0, 0, 0, 0};
    gr_grammar *g =
        parse("<e> ::= (<e><o><e>) | x | y | <d>.<d>\n<o> ::= + | -\n<d> ::= 1 | 5\n", 0);
    gr_error error;
    mapped_expression e;
    if (gr_grammar_tokenise(g, &vocabulary, &error))
        fail_msg("%s", error.text);
    map_expression(g, GENOME(0, 1, 1, 3, 0, 1), 16, 64, &e); /* (x-1.5) */
    assert_int_equal(e.d.validity, GR_VALID);
    assert_int_equal(e.count, 3);
    assert_int_equal(GR_NODE_OP(e.nodes[0]), GR_INPUT);
    assert_int_equal(e.nodes[0].operand, 0);
    assert_int_equal(GR_NODE_OP(e.nodes[1]), GR_CONSTANT);
    assert_int_equal(e.nodes[1].operand, gr_float_bits(1.5f));
    assert_int_equal(GR_NODE_OP(e.nodes[2]), GR_SUB);
    map_expression(g, GENOME(0, 1, 0, 0, 1, 0, 2), 5, 64, &e); /* (x+(x+y)) */
    assert_int_equal(e.d.validity, GR_VALID);
    assert_int_equal(e.count, 5);
    e.nodes[4].head = 0xabcd;
    map_expression(g, GENOME(0, 1, 0, 0, 1, 0, 2), 4, 64, &e);
    assert_int_equal(e.d.validity, GR_TOO_LARGE);
    assert_int_equal(e.nodes[4].head, 0xabcd);
    map_expression(g, GENOME(0, 1, 0, 0, 1, 0, 2), 16, 3, &e); /* ( + ( + open at once */
    assert_int_equal(e.d.validity, GR_TOO_LARGE);
    map_expression(g, GENOME(0, 1, 0, 0, 1, 0, 2), 16, 4, &e);
    assert_int_equal(e.d.validity, GR_VALID);
    map_expression(g, GENOME(0, 1, 0, 0, 1, 0), 16, 64, &e);
    assert_int_equal(e.d.validity, GR_OUT_OF_CODONS);
    gr_grammar_free(g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known),          cmocka_unit_test(test_single_production),
        cmocka_unit_test(test_wraps),          cmocka_unit_test(test_exact_end),
        cmocka_unit_test(test_supply),         cmocka_unit_test(test_depth_edge),
        cmocka_unit_test(test_empty_terminal), cmocka_unit_test(test_random_genomes),
        cmocka_unit_test(test_expressions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
