/* Mapping by steps against mapping by tokens: the same expression, sizes, validity and beginnings
 * of leaves for every genome, under any limits; that leaves begin where they are chosen; and which
 * grammars have steps at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "host/grammar/grammar.h"
#include "tests/core.h"

enum { LONGEST = 80, DEEPEST = 40, NODES = 256, LEVELS = 320 };

typedef struct known {
    const char *text;
    gr_maps maps;
} known;

static const known grammars[] = {
    {"<e> ::= ( <o> <e> <e> ) | <v>\n<o> ::= + | - | *\n<v> ::= x | 1.0\n", GR_MAPS_NO_NUMBERS},
    {"<e> ::= ( <e> <e> <o> ) | <v>\n<o> ::= + | - | *\n<v> ::= x | 1.0\n", GR_MAPS_NO_NUMBERS},
    {"<e> ::= ( <o> <e> <e> <e> ) | ( + <e> x ) | <v>\n<o> ::= + | * | **\n<v> ::= x | y\n",
     GR_MAPS_NO_NUMBERS},
    {"<e> ::= ( <o> <e> <e> <e> ) | ( + <e> x ) | <v>\n<o> ::= + | * | -\n<v> ::= x | y\n",
     GR_MAPS_NO_NUMBERS},
    {"<e> ::= (<e><o><e>) | x | y | <d>.<d>\n<o> ::= + | -\n<d> ::= 1 | 5\n", GR_MAPS_NUMBERS},
    {"<e> ::= <e>+<e> | <e>-<e> | <e>*<e> | <e>**<e> | pdiv(<e>,<e>) | np.sin(<e>) | x[:, 0] | "
     "<c><c>.<c><c>\n<c> ::= 0 | 1 | 2 | 9\n",
     GR_MAPS_NUMBERS},
    {"<e> ::= (<e> <op> <e>) | pdiv(<e>, <e>) | <f>(<e>) | x[<i>] | <d>.<d><d> | -<e>\n<op> ::= + "
     "| - "
     "| *\n<f> ::= sin | exp | rlog\n<i> ::= 0 | 1 | <i><i>\n<d> ::= 0 | 3\n",
     GR_MAPS_NUMBERS},
    {"<e> ::= if(<b>, <e>, <e>) | x[<d>] | <c> | -<c> | (-<e>) | +<e>\n<b> ::= <e> '<' <e> | <e> "
     "'==' <e> | (<b> and <b>) | not <b> | <b> or <b>\n<c> ::= <d> | <d><d> | <d>e3 | "
     "0.5\n<d> ::= 0 | 1\n",
     GR_MAPS_NUMBERS},
    {"<e> ::= <n> | <e> + <n>\n<n> ::= <d> | <d><n>\n<d> ::= 1 | 2 | 3\n", GR_MAPS_NUMBERS},
    {"<e> ::= ((<e>)) | x | -(<e>) - <e> | 2\n", GR_MAPS_NO_NUMBERS},
    {"<e> ::= (+ <e> <e>) | (<e> <e> *) | (<e> / 2) | (y) | x[:, <i>]\n<i> ::= 0 | 1\n",
     GR_MAPS_NUMBERS},
    {"<e> ::= (- <e>) | (- <e> <e>) | (- <e> + 1) | x\n", GR_MAPS_NOTHING}, /* a sign or a list */
    {"<e> ::= ( <e> + <e> ) | ( + <e> <f> ) | x\n<f> ::= <e> * <e>\n", GR_MAPS_NOTHING},
    {"<e> ::= <e> <o> <e> | <u> <e> | x\n<o> ::= + | *\n<u> ::= - | +\n", GR_MAPS_NOTHING},
    {"<e> ::= <e><o><e> | (<o> <e> <e>) | x\n<o> ::= + | *\n", GR_MAPS_NOTHING}, /* two roles */
    {"<e> ::= <a>.<a> | <a> | x\n<a> ::= 1 | 2 | <a><a>\n", GR_MAPS_NUMBERS},
    {"<e> ::= <a>.<a> | x\n<a> ::= 1 | 2 | -3\n", GR_MAPS_NOTHING},
    {"<e> ::= (<e>+<e>) | sin (<e>) | x\n", GR_MAPS_NOTHING}, /* "(sin (x)+x)" is a list */
    {"<e> ::= (sin <e>) | (pdiv <e> <e>) | x\n", GR_MAPS_NOTHING},
    {"<e> ::= sin(<e>) | max( <e> , <e> ) | x | pi | 1e2 | 1e30 | <d>e30 | 3.5\n<d> ::= 12 | "
     "1234567\n",
     GR_MAPS_NUMBERS},
    {"<e> ::= (<e> if <e> < <e> else <e>) | x | <e> if x else 2\n", GR_MAPS_NOTHING},
    {"<e> ::= (<e>+<e>) | <v> | x\n<v> ::= <GECodonValue-2+5> | <GECodonValue[0.0,1.0]>\n",
     GR_MAPS_NOTHING},
    {"<e> ::= <d>.<d>e2 | <d><d>.<d><d>e1 | (<e>+<e>)\n<d> ::= 0 | 3 | 7\n", GR_MAPS_NUMBERS},
    {"<e> ::= <e> '<' <e> | <e> '==' <e> | (<e> '<' <e>) | x | y\n", GR_MAPS_NO_NUMBERS},
    {"<e> ::= <e>*<GECodonValue> | x*<GECodonValue{0,1}> | 2\n", GR_MAPS_NOTHING},
};

static gr_grammar *read(const char *text) {
    static const char *const names[] = {"x", "y"};
    const gr_vocabulary vocabulary = {names, 2, 0, 0, 0, 0};
    const gr_grammar_context context = {.n_vars = 2, .codon_size = 1000};
    gr_grammar *g;
    gr_error error;
    if (gr_grammar_parse(text, strlen(text), "test", &context, &g, &error))
        fail_msg("%s", error.text);
    if (gr_grammar_tokenise(g, &vocabulary, &error))
        fail_msg("%s", error.text);
    return g;
}

typedef struct outcome {
    gr_mapping m;
    gr_node nodes[NODES];
    uint32_t stack[2 * DEEPEST], pending[LEVELS], begins[NODES];
} outcome;

typedef struct limits {
    uint32_t length, wraps, depth, nodes, levels;
} limits;

static void start(outcome *o, const uint32_t *g, const uint32_t *genome, limits l) {
    memset(o->nodes, 0, sizeof o->nodes);
    gr_derive_start(&o->m.d, g, genome, l.length, l.wraps, l.depth, (gr_words){o->stack, 1});
    gr_parser_start(&o->m.p, (gr_nodes){o->nodes, 1}, l.nodes, (gr_words){o->pending, 1}, l.levels,
                    2, 0);
    o->m.begins = (gr_words){o->begins, 1};
    o->m.begun = 0;
}

static void map_by_steps(outcome *o, uint32_t numbers) {
    gr_noted before;
    gr_map_start(&o->m);
    do
        before = gr_note(&o->m);
    while (gr_map_turn(&o->m, 1, numbers, core_group) ? gr_note_nodes(&o->m, before), 1 : 0);
    gr_note_nodes(&o->m, before);
    gr_map_end(&o->m);
}

static void same_derivation(const gr_derivation *a, const gr_derivation *b) {
    assert_int_equal(a->used, b->used);
    assert_int_equal(a->depth, b->depth);
    assert_int_equal(a->nodes, b->nodes);
    assert_int_equal(a->validity, b->validity);
}

static void compare(const uint32_t *g, const uint32_t *genome, limits l, uint32_t *valid) {
    static outcome steps, tokens;
    gr_skeleton skeleton;
    start(&steps, g, genome, l);
    start(&tokens, g, genome, l);
    gr_map_tokens(&tokens.m);
    if (g[GR_G_STEPS]) {
        skeleton.d = steps.m.d;
        gr_skeleton_start(&skeleton);
        while (gr_skeleton_turn(&skeleton))
            ;
        same_derivation(&skeleton.d, &tokens.m.d);
    }
    if (!g[GR_G_MAPS])
        return;
    map_by_steps(&steps, g[GR_G_MAPS] == GR_MAPS_NUMBERS);
    assert_int_equal(steps.m.d.used, tokens.m.d.used);
    assert_int_equal(steps.m.d.depth, tokens.m.d.depth);
    assert_int_equal(steps.m.d.nodes, tokens.m.d.nodes);
    if (tokens.m.d.validity != GR_VALID) {
        assert_int_equal(steps.m.d.validity, tokens.m.d.validity);
        return;
    }
    assert_int_equal(steps.m.p.status, tokens.m.p.status);
    valid[tokens.m.p.status]++;
    if (tokens.m.p.status != GR_PARSE_OK)
        return;
    assert_int_equal(steps.m.p.count, tokens.m.p.count);
    gr_annotate(steps.m.p.nodes, steps.m.p.count);
    assert_memory_equal(steps.nodes, tokens.nodes, tokens.m.p.count * sizeof(gr_node));
    for (uint32_t k = 0; k < tokens.m.p.count; k++)
        if (GR_NODE_OP(tokens.nodes[k]) <= GR_INPUT)
            assert_int_equal(steps.begins[k], tokens.begins[k]);
}

/* Grammars in which the first digit of a number, or the index of an input, is its codon modulo 10.
 */
#define DIGITS "<d> ::= 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9\n"
static const char *const told[] = {
    "<e> ::= (<e> + <e>) | sin(<e>) | <d> | -<d> | <d>.<d>\n" DIGITS,
    "<e> ::= (+ <e> <e>) | (* <e> <e> <e>) | <d> | <d>.5\n" DIGITS,
    "<e> ::= <n> | <e>-<n>\n<n> ::= <d> | <d>.<r>\n<r> ::= <d> | <r><d>\n" DIGITS,
    "<e> ::= (<e> if <e> < <e> else <e>) | (<e> - <d>) | <d> | -<d>.<d>\n" DIGITS,
    "<e> ::= <d> if <e> > <d> else <e> if <d> else <d>.5 | <e> * <d> | <d>\n" DIGITS,
    "<e> ::= (<e> if <e> < <e> else <v>) | <v>\n<v> ::= <GECodonValue-0+9>\n",
};

/* Where a leaf begins is the codon that chose its first digit. */
static void test_begins(void **state) {
    core_dice dice = {5};
    (void)state;
    for (size_t k = 0; k < sizeof told / sizeof *told; k++) {
        gr_grammar *g = read(told[k]);
        uint32_t words, genome[LONGEST], leaves = 0;
        const uint32_t *tables = gr_grammar_tables(g, &words);
        for (int trial = 0; trial < 20000; trial++) {
            static outcome o;
            limits l = {1 + core_roll(&dice, LONGEST), core_roll(&dice, 3), DEEPEST, NODES, LEVELS};
            for (uint32_t i = 0; i < l.length; i++)
                genome[i] = core_roll(&dice, 1000);
            start(&o, tables, genome, l);
            if (tables[GR_G_MAPS] && trial % 2)
                map_by_steps(&o, tables[GR_G_MAPS] == GR_MAPS_NUMBERS);
            else
                gr_map_tokens(&o.m);
            if (o.m.d.validity != GR_VALID || o.m.p.status != GR_PARSE_OK)
                continue;
            for (uint32_t i = 0; i < o.m.p.count; i++)
                if (GR_NODE_OP(o.nodes[i]) == GR_CONSTANT) {
                    uint32_t codon = genome[(o.begins[i] - 1) % l.length];
                    float value = gr_bits_float(o.nodes[i].operand & 0x7fffffffu);
                    assert_int_equal((uint32_t)value, codon % 10);
                    leaves++;
                }
        }
        if (leaves < 2000)
            fail_msg("%s: %u leaves", told[k], leaves);
        gr_grammar_free(g);
    }
}

static void test_same(void **state) {
    core_dice dice = {11};
    uint32_t genome[LONGEST], words, valid[3] = {0};
    (void)state;
    for (size_t k = 0; k < sizeof grammars / sizeof *grammars; k++) {
        gr_grammar *g = read(grammars[k].text);
        const uint32_t *table = gr_grammar_tables(g, &words);
        for (uint32_t i = 0; i < 20000; i++) {
            limits l = {1 + core_roll(&dice, LONGEST), core_roll(&dice, 3), DEEPEST, NODES, LEVELS};
            uint32_t range = core_roll(&dice, 3) ? 40 : 0;
            if (core_roll(&dice, 3) == 0)
                l.depth = 2 + core_roll(&dice, 12);
            if (core_roll(&dice, 3) == 0)
                l.nodes = 1 + core_roll(&dice, 20);
            if (core_roll(&dice, 3) == 0)
                l.levels = 1 + core_roll(&dice, 20);
            for (uint32_t c = 0; c < l.length; c++)
                genome[c] = core_roll(&dice, range);
            compare(table, genome, l, valid);
        }
        gr_grammar_free(g);
    }
    print_message("# %u read, %u no expression, %u too large\n", valid[0], valid[1], valid[2]);
    assert_true(valid[GR_PARSE_OK] > 50000 && valid[GR_PARSE_TOO_LARGE] > 5000 &&
                valid[GR_PARSE_SYNTAX] > 500);
}

static void test_which(void **state) {
    uint32_t words;
    (void)state;
    for (size_t k = 0; k < sizeof grammars / sizeof *grammars; k++) {
        gr_grammar *g = read(grammars[k].text);
        const uint32_t *table = gr_grammar_tables(g, &words);
        if (gr_maps_by_steps(table, 0) != grammars[k].maps || !gr_derives_by_steps(table, 0))
            fail_msg("grammar %zu", k);
        for (uint32_t convention = 1; convention < 8; convention++)
            assert_false(gr_maps_by_steps(table, convention) ||
                         gr_derives_by_steps(table, convention));
        gr_grammar_free(g);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same),
        cmocka_unit_test(test_begins),
        cmocka_unit_test(test_which),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
