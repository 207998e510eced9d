/* gpu/core/breeding/inherit.h: what became of a number in a parent is what the child begins with,
 * wherever the codon that chose it has gone; and nothing else is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/grammars.h"

enum { POPULATION = 64 };

/* ---- codons ---- */

/* Codon `codon` of the child a[0, a0) b[b0, b1) a[a1, ...), counted one by one. */
static gr_place counted(gr_plan plan, uint32_t length_a, uint32_t codon) {
    gr_place place = {plan.a, GR_NO_CODON};
    uint32_t at = 0;
    for (uint32_t k = 0; k < plan.a0; k++, at++)
        if (at == codon)
            place = (gr_place){plan.a, k};
    for (uint32_t k = plan.b0; k < plan.b1; k++, at++)
        if (at == codon)
            place = (gr_place){plan.b, k};
    for (uint32_t k = plan.a1; k < length_a; k++, at++)
        if (at == codon)
            place = (gr_place){plan.a, k};
    return place;
}

static void test_places(void **state) {
    const gr_plan plans[] = {{3, 5, 4, 6, 1, 4, 11, 0, 0, 0},
                             {3, 5, 0, 10, 2, 9, 7, 0, 0, 0},
                             {3, 5, 10, 10, 0, 8, 18, 0, 0, 0},
                             {3, 5, 2, 5, 4, 4, 7, 0, 0, 0}};
    (void)state;
    for (size_t k = 0; k < sizeof plans / sizeof *plans; k++)
        for (uint32_t codon = 0; codon < 20; codon++) {
            gr_place got = gr_place_of_codon(&plans[k], codon), expected;
            expected = counted(plans[k], 10, codon);
            assert_int_equal(got.codon, expected.codon);
            if (got.codon != GR_NO_CODON)
                assert_int_equal(got.parent, expected.parent);
        }
    /* a copy is read as what it is a copy of, also where codons are read again */
    gr_plan copy = gr_copy_plan(7, 10, 1);
    for (uint32_t codon = 0; codon < 30; codon++) {
        gr_place got = gr_place_of_codon(&copy, codon);
        assert_int_equal(got.parent, 7);
        assert_int_equal(got.codon, codon);
    }
}

/* ---- children ---- */

static const char NUMBERS[] = "<e> ::= (<e><o><e>) | (<e><o><e>) | <v> | <d>.<d> | -<d>\n"
                              "<o> ::= + | - | *\n<v> ::= x | y\n"
                              "<d> ::= 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9\n";

static gr_params genome_params(uint32_t weighted) {
    gr_params p = core_params(GR_GRAMMATICAL);
    p.genome_capacity = 200;
    p.max_depth = 14;
    p.max_nodes = 100;
    p.init_max_depth = 9;
    p.optimise = GR_OPTIMISE_ALL;
    p.inputs = 2;
    p.weighted = weighted;
    p.index_mask = weighted ? gr_index_mask(p.inputs) : 0;
    return p;
}

/* What a number is fitted to: it tells whose it is and where it begins. */
static float mark_of(uint32_t i, uint32_t codon) {
    return (float)(1024 * (i + 1) + codon);
}

static core open_text(gr_params *p, const char *text) {
    static const char *const names[] = {"x", "y"};
    const gr_grammar_context context = {.n_vars = 2};
    const gr_vocabulary vocabulary = {names, 2, 0, 0, 0, 0};
    gr_error error;
    uint32_t words;
    if (gr_grammar_parse(text, strlen(text), "test", &context, &grammar, &error) ||
        gr_grammar_tokenise(grammar, &vocabulary, &error))
        fail_msg("%s", error.text);
    p->population = p->individuals = POPULATION;
    const uint32_t *tables = gr_grammar_tables(grammar, &words);
    return core_open(p, tables, words);
}

/* A first generation whose numbers are all fitted. */
static core open_parents(gr_params *p) {
    core c = open_text(p, NUMBERS);
    gr_breed_genomes(&c.s, (gr_batch){.last = POPULATION}, GR_BREED_ALL_STEPS, core_scratch(&c),
                     NULL, core_group);
    for (uint32_t i = 0; i < POPULATION; i++)
        for (uint32_t k = 0; c.s.individuals[0][i].nodes && k < GR_FIT_CONSTANTS; k++) {
            size_t at = (size_t)i * GR_FIT_CONSTANTS + k;
            assert_true(isnan(c.s.constants[0][at]));
            if (c.s.origins[0][at].codon != GR_NO_CODON)
                c.s.constants[0][at] = mark_of(i, c.s.origins[0][at].codon);
        }
    return c;
}

/* The next generation, by plans that are there and without mutation. */
static void breed(core *c) {
    gr_batch all = {1, 0, 0, POPULATION};
    gr_cross_genomes(&c->s, all, 0, core_group);
    gr_express_genomes(&c->s, all, GR_BREED_ALL_STEPS, core_scratch(c), NULL, core_group);
}

/* Whether the numbers of child i are its parents': how many are. */
static uint32_t hold(const core *c, uint32_t i, uint32_t weighted) {
    const gr_state *s = &c->s;
    gr_individual child = s->individuals[1][i];
    const gr_node *nodes = s->expressions + (size_t)i * s->p.max_nodes;
    uint32_t found = 0, inherited = 0;
    if (!child.nodes) /* it has no list */
        return 0;
    for (uint32_t k = 0; k < child.nodes; k++) {
        gr_node node = nodes[k];
        int is = GR_NODE_OP(node) == GR_CONSTANT || (weighted && GR_NODE_OP(node) == GR_INPUT);
        if (!is || found == GR_FIT_CONSTANTS)
            continue;
        size_t at = (size_t)i * GR_FIT_CONSTANTS + found++;
        gr_codon_origin origin = s->origins[1][at];
        float value = s->constants[1][at], has = gr_fit_value(&s->p, node);
        gr_plan plan = s->plans[i];
        gr_place place = counted(plan, s->individuals[0][plan.a].length, origin.codon);
        assert_true(place.codon != GR_NO_CODON);
        /* whether the parent has a number there that says the same */
        float expected = GR_NAN;
        for (uint32_t n = 0; n < GR_FIT_CONSTANTS; n++) {
            size_t there = (size_t)place.parent * GR_FIT_CONSTANTS + n;
            if (s->individuals[0][place.parent].nodes &&
                s->origins[0][there].codon == place.codon &&
                s->origins[0][there].number == origin.number)
                expected = mark_of(place.parent, place.codon);
        }
        assert_true(core_same(value, expected));
        if (expected == expected) {
            assert_true(has == gr_fit_value(&s->p, (gr_node){node.head, gr_fit_operand(&s->p, node,
                                                                                       expected)}));
            inherited++;
        } else
            assert_int_equal(node.operand, origin.number);
    }
    for (; found < GR_FIT_CONSTANTS; found++)
        assert_int_equal(s->origins[1][(size_t)i * GR_FIT_CONSTANTS + found].codon, GR_NO_CODON);
    return inherited;
}

/* Copies have all of it, and their program is that of the numbers. */
static void test_copies(void **state) {
    (void)state;
    for (uint32_t weighted = 0; weighted < 2; weighted++) {
        gr_params p = genome_params(weighted);
        core c = open_parents(&p);
        uint32_t all = 0, program[2] = {0, 0};
        for (uint32_t i = 0; i < POPULATION; i++)
            c.s.plans[i] = gr_copy_plan(i, c.s.individuals[0][i].length, 1);
        breed(&c);
        for (uint32_t i = 0; i < POPULATION; i++) {
            uint32_t leaves = 0, inherited = hold(&c, i, weighted);
            for (uint32_t k = 0; k < GR_FIT_CONSTANTS; k++)
                leaves += c.s.individuals[1][i].nodes &&
                          c.s.origins[1][(size_t)i * GR_FIT_CONSTANTS + k].codon != GR_NO_CODON;
            assert_int_equal(inherited, leaves);
            all += inherited;
            const gr_instruction *code = gr_program(&c.s, i);
            for (uint32_t k = 0; k < c.s.individuals[1][i].instructions; k++)
                for (uint32_t n = 0; n < GR_FIT_CONSTANTS; n++) {
                    float value = c.s.constants[1][(size_t)i * GR_FIT_CONSTANTS + n];
                    program[weighted] +=
                        value == value && !memcmp((const char *)&code[k] + 4, &value, sizeof value);
                }
        }
        assert_true(all > 50);
        assert_true(weighted || program[0] > 20);
        close_state(&c);
    }
}

/* Codons that are read again stand where they stood before; behind the last there is nothing that
 * anybody looks at. */
static void test_read_again(void **state) {
    (void)state;
    gr_params p = genome_params(0);
    p.max_wraps = 3;
    p.initialisation = GR_INIT_UNIFORM;
    p.init_length = 9;
    core c = open_parents(&p);
    uint32_t again = 0;
    for (uint32_t i = 0; i < POPULATION; i++) {
        uint32_t length = c.s.individuals[0][i].length;
        c.s.plans[i] = gr_copy_plan(i, length, 1);
        for (uint32_t k = length; k < p.genome_capacity; k++)
            gr_genome(&c.s, 0, i)[k] = 1, gr_genome(&c.s, 1, i)[k] = 2;
    }
    breed(&c);
    for (uint32_t i = 0; i < POPULATION; i++)
        for (uint32_t k = 0; c.s.individuals[0][i].nodes && k < GR_FIT_CONSTANTS; k++) {
            size_t at = (size_t)i * GR_FIT_CONSTANTS + k;
            uint32_t codon = c.s.origins[0][at].codon;
            assert_int_equal(c.s.origins[1][at].codon, codon);
            if (codon == GR_NO_CODON)
                continue;
            assert_true(c.s.constants[1][at] == mark_of(i, codon));
            again += codon >= c.s.individuals[0][i].length;
        }
    assert_true(again > 0);
    close_state(&c);
}

/* Of any two parents, cut anywhere. */
static void test_crossed(void **state) {
    core_dice dice = {3};
    (void)state;
    for (uint32_t weighted = 0; weighted < 2; weighted++) {
        gr_params p = genome_params(weighted);
        core c = open_parents(&p);
        uint32_t inherited = 0, of_b = 0;
        for (int round = 0; round < 50; round++) {
            for (uint32_t i = 0; i < POPULATION; i++) {
                uint32_t a = core_roll(&dice, POPULATION), b = core_roll(&dice, POPULATION);
                uint32_t la = c.s.individuals[0][a].length, lb = c.s.individuals[0][b].length;
                uint32_t x0 = core_roll(&dice, la + 1), x1 = x0 + core_roll(&dice, la - x0 + 1);
                uint32_t y0 = core_roll(&dice, lb + 1), y1 = y0 + core_roll(&dice, lb - y0 + 1);
                uint32_t length = x0 + (y1 - y0) + (la - x1);
                if (!length || length > p.genome_capacity)
                    c.s.plans[i] = gr_copy_plan(a, la, 0);
                else
                    c.s.plans[i] = (gr_plan){a, b, x0, x1, y0, y1, length, 0, 0, 0};
            }
            breed(&c);
            for (uint32_t i = 0; i < POPULATION; i++) {
                inherited += hold(&c, i, weighted);
                for (uint32_t k = 0; k < GR_FIT_CONSTANTS; k++) {
                    float value = c.s.constants[1][(size_t)i * GR_FIT_CONSTANTS + k];
                    uint32_t b = c.s.plans[i].b;
                    of_b +=
                        value == value && c.s.plans[i].a != b && (uint32_t)value / 1024 == b + 1;
                }
            }
        }
        assert_true(inherited > 2000 && of_b > 200);
        close_state(&c);
    }
}

/* Where a codon mutates, the grammar's number is there again: the next digit, or by the tenth codon
 * from there the same. */
static void test_mutated(void **state) {
    (void)state;
    for (uint32_t step = 1; step <= 10; step += 9) {
        gr_params p = genome_params(0);
        core c = open_parents(&p);
        uint32_t changed = 0;
        for (uint32_t i = 0; i < POPULATION; i++) {
            c.s.plans[i] = gr_copy_plan(i, c.s.individuals[0][i].length, 0);
            memcpy(gr_genome(&c.s, 1, i), gr_genome(&c.s, 0, i), p.genome_capacity * 4);
            gr_codon_origin first = c.s.origins[0][(size_t)i * GR_FIT_CONSTANTS];
            c.s.individuals[1][i].length = c.s.plans[i].length;
            if (c.s.individuals[0][i].nodes && first.codon != GR_NO_CODON)
                gr_genome(&c.s, 1, i)[first.codon] += step;
        }
        gr_express_genomes(&c.s, (gr_batch){1, 0, 0, POPULATION}, GR_BREED_ALL_STEPS,
                           core_scratch(&c), NULL, core_group);
        for (uint32_t i = 0; i < POPULATION; i++) {
            size_t row = (size_t)i * GR_FIT_CONSTANTS;
            if (!c.s.individuals[0][i].nodes || !c.s.individuals[1][i].nodes ||
                c.s.origins[0][row].codon == GR_NO_CODON)
                continue;
            assert_true(isnan(c.s.constants[1][row]));
            if (c.s.origins[0][row + 1].codon != GR_NO_CODON) {
                assert_true(core_same(c.s.constants[1][row + 1], c.s.constants[0][row + 1]));
                changed++;
            }
        }
        assert_true(changed > 5);
        close_state(&c);
    }
}

/* ((x + y) + 5.7), and with 6.7 */
static const uint32_t SUMS[2][11] = {{0, 0, 2, 0, 0, 2, 1, 0, 3, 5, 7},
                                     {0, 0, 2, 0, 0, 2, 1, 0, 3, 6, 7}};

static void put(core *c, uint32_t generation, uint32_t i, const uint32_t *codons, uint32_t length) {
    memcpy(gr_genome(&c->s, generation & 1, i), codons, length * sizeof *codons);
    c->s.individuals[generation & 1][i].length = length;
    gr_express_genomes(&c->s, (gr_batch){generation, 0, i, i + 1}, GR_BREED_ALL_STEPS,
                       core_scratch(c), NULL, core_group);
    assert_true(c->s.individuals[generation & 1][i].nodes);
}

/* Both sums as parents, their numbers fitted. */
static core open_sums(gr_params *p) {
    core c = open_parents(p);
    for (uint32_t i = 0; i < 2; i++) {
        put(&c, 0, i, SUMS[i], 11);
        assert_int_equal(c.s.origins[0][(size_t)i * GR_FIT_CONSTANTS].codon, 9);
        c.s.constants[0][(size_t)i * GR_FIT_CONSTANTS] = mark_of(i, 9);
    }
    return c;
}

/* What stands behind a branch that mutation made shorter has moved. */
static void test_moved(void **state) {
    static const uint32_t shorter[] = {0, 2, 1, 0, 3, 5, 7}, /* (y + 5.7) */
        another[] = {0, 2, 1, 0, 3, 6, 7};
    gr_params p = genome_params(0);
    core c = open_sums(&p);
    (void)state;
    c.s.plans[0] = c.s.plans[1] = gr_copy_plan(0, 11, 0);
    put(&c, 1, 0, shorter, 7);
    put(&c, 1, 1, another, 7);
    assert_int_equal(c.s.origins[1][0].codon, 5);
    assert_true(c.s.constants[1][0] == mark_of(0, 9));
    assert_true(isnan(c.s.constants[1][GR_FIT_CONSTANTS])); /* not the same number */
    close_state(&c);
}

/* What stands before a branch that mutation made longer has not moved. */
static void test_not_moved(void **state) {
    static const uint32_t parent[] = {0, 0, 3, 5, 7, 0, 2, 0, 0, 2, 1}, /* ((5.7 + x) + y) */
        child[] = {0, 0, 3, 5, 7, 0, 2, 0, 0, 3, 1, 2};                 /* ((5.7 + x) + 1.2) */
    gr_params p = genome_params(0);
    core c = open_text(&p, NUMBERS);
    (void)state;
    put(&c, 0, 0, parent, 11);
    assert_int_equal(c.s.origins[0][0].codon, 3);
    c.s.constants[0][0] = mark_of(0, 3);
    c.s.plans[0] = gr_copy_plan(0, 11, 0);
    put(&c, 1, 0, child, 12);
    assert_true(c.s.constants[1][0] == mark_of(0, 3));
    assert_true(isnan(c.s.constants[1][1]));
    close_state(&c);
}

/* A number before any codon is that of parent a, if that has an expression. */
static void test_before_any_codon(void **state) {
    static const uint32_t codon = 1;
    gr_params p = genome_params(0);
    p.convention = GR_LAZY; /* <s> takes no codon */
    core c = open_text(&p, "<s> ::= 1.5 * <v>\n<v> ::= x | y\n");
    (void)state;
    put(&c, 0, 0, &codon, 1);
    assert_int_equal(c.s.origins[0][0].codon, GR_NO_CODON);
    c.s.constants[0][0] = 7.0f;
    c.s.plans[0] = gr_copy_plan(0, 1, 0);
    put(&c, 1, 0, &codon, 1);
    assert_true(c.s.constants[1][0] == 7.0f);
    c.s.individuals[0][0].nodes = 0; /* what stands there is of another generation */
    put(&c, 1, 0, &codon, 1);
    assert_true(isnan(c.s.constants[1][0]));
    close_state(&c);
}

/* A codon that is read again has no place of its own in a parent whose child is longer. */
static void test_moved_and_read_again(void **state) {
    static const uint32_t parent[] = {0, 2, 0, 2, 3}, /* (x * 0.2), whose digits are codons 5, 6 */
        child[] = {0, 2, 0, 2, 0, 3};                 /* (x * (0.2 + x)), codons 6 and 7 */
    gr_params p = genome_params(0);
    p.max_wraps = 1;
    core c = open_text(&p, NUMBERS);
    (void)state;
    put(&c, 0, 0, parent, 5);
    assert_int_equal(c.s.origins[0][0].codon, 5);
    assert_int_equal(c.s.origins[0][0].number, gr_float_bits(0.2f));
    c.s.constants[0][0] = mark_of(0, 5);
    c.s.plans[0] = c.s.plans[1] = gr_copy_plan(0, 5, 0);
    put(&c, 1, 0, child, 6);
    assert_int_equal(c.s.origins[1][0].codon, 6);
    assert_int_equal(c.s.origins[1][0].number, gr_float_bits(0.2f));
    assert_true(isnan(c.s.constants[1][0]));
    put(&c, 1, 1, parent, 5); /* a copy has it */
    assert_true(c.s.constants[1][GR_FIT_CONSTANTS] == mark_of(0, 5));
    close_state(&c);
}

/* Equal numbers that one codon chose are told apart by their order. */
static void test_two_of_a_codon(void **state) {
    static const char twice[] = "<e> ::= (1.5 * x) + (1.5 * y) | (2.5 * y) - (2.5 * x)\n";
    static const uint32_t first = 0;
    gr_params p = genome_params(0);
    core c = open_text(&p, twice);
    (void)state;
    put(&c, 0, 0, &first, 1);
    for (uint32_t k = 0; k < 2; k++) {
        assert_int_equal(c.s.origins[0][k].codon, 0);
        assert_int_equal(c.s.origins[0][k].number, gr_float_bits(1.5f));
        c.s.constants[0][k] = 7.0f + 2.0f * (float)k;
    }
    c.s.plans[0] = gr_copy_plan(0, 1, 0);
    put(&c, 1, 0, &first, 1);
    assert_true(c.s.constants[1][0] == 7.0f && c.s.constants[1][1] == 9.0f);
    close_state(&c);
}

/* The same where the number before came from the other parent. */
static void test_two_of_another_parent(void **state) {
    static const uint32_t a[] = {0, 1, 1}, b[] = {0, 0, 0}, child[] = {0, 1, 0};
    gr_params p = genome_params(0);
    core c = open_text(&p, "<s> ::= <e> + <e>\n<e> ::= (1.5 * x) + (1.5 * y) | 2.5 * y\n");
    (void)state;
    put(&c, 0, 0, a, 3);
    put(&c, 0, 1, b, 3);
    for (uint32_t k = 0; k < 4; k++) {
        c.s.constants[0][k] = 5.0f;
        c.s.constants[0][GR_FIT_CONSTANTS + k] = 7.0f + (float)k;
    }
    c.s.plans[0] = (gr_plan){0, 1, 2, 3, 1, 2, 3, 0, 0, 0};
    put(&c, 1, 0, child, 3);
    assert_true(c.s.constants[1][0] == 5.0f);
    assert_true(c.s.constants[1][1] == 7.0f && c.s.constants[1][2] == 8.0f);
    close_state(&c);
}

/* What is compiled has 0 for c[2] and -0 for -c[2], another constant as it is; what is fitted
 * has all three. */
static void test_free_constants(void **state) {
    gr_params p = genome_params(0);
    p.free_constants = 1;
    core c = open_text(&p, NUMBERS);
    gr_node memory[4] = {gr_make_node(GR_CONSTANT, 1, 1, 0x80000003u),
                         gr_make_node(GR_CONSTANT, 1, 1, 3),
                         gr_make_node(GR_CONSTANT, 1, 1, gr_float_bits(-1.5f)),
                         {GR_KEPT_END | 3u << 8, 5}};
    const gr_kept kept = {{memory, 1}, 4};
    uint32_t codons[4] = {0};
    (void)state;
    gr_copy_kept(&c.s, 0, &kept, (gr_words){codons, 1});
    const gr_node *fitted = c.s.expressions + (size_t)5 * p.max_nodes;
    assert_int_equal(fitted[0].operand, 0x80000003u);
    assert_int_equal(fitted[1].operand, 3);
    assert_int_equal(fitted[2].operand, gr_float_bits(-1.5f));
    assert_int_equal(memory[0].operand, 0x80000000u);
    assert_int_equal(memory[1].operand, 0);
    assert_int_equal(memory[2].operand, gr_float_bits(-1.5f));
    close_state(&c);
}

/* Uniform crossover takes b's codons, and some of a's back. */
static void test_uniform(void **state) {
    gr_params p = genome_params(0);
    p.crossover = GR_CROSSOVER_UNIFORM;
    core c = open_sums(&p);
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        c.s.plans[i] = (gr_plan){0, 1, 0, 11, 0, 11, 11, 0, 0, 0};
        put(&c, 1, i, SUMS[i], 11);
        assert_true(c.s.constants[1][(size_t)i * GR_FIT_CONSTANTS] == mark_of(i, 9));
    }
    close_state(&c);
}

/* Nobody inherits c[i], nor from genomes that are not read in a row. */
static void test_who(void **state) {
    gr_params p = genome_params(0);
    (void)state;
    assert_true(gr_inherits_constants(&p));
    assert_false(gr_fits_copies(&p));
    p.free_constants = 1;
    assert_false(gr_inherits_constants(&p));
    assert_true(gr_fits_copies(&p));
    p.free_constants = 0;
    p.convention = GR_POSITION_INDEPENDENT;
    assert_true(gr_fits_copies(&p));
    p.convention = 0;
    p.optimise = 0;
    assert_false(gr_inherits_constants(&p));
    p.genotype = GR_TREE;
    p.optimise = GR_OPTIMISE_ALL;
    assert_false(gr_inherits_constants(&p) || gr_fits_copies(&p));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_places),
                                       cmocka_unit_test(test_copies),
                                       cmocka_unit_test(test_read_again),
                                       cmocka_unit_test(test_crossed),
                                       cmocka_unit_test(test_mutated),
                                       cmocka_unit_test(test_moved),
                                       cmocka_unit_test(test_uniform),
                                       cmocka_unit_test(test_who),
                                       cmocka_unit_test(test_two_of_a_codon),
                                       cmocka_unit_test(test_free_constants),
                                       cmocka_unit_test(test_moved_and_read_again),
                                       cmocka_unit_test(test_not_moved),
                                       cmocka_unit_test(test_before_any_codon),
                                       cmocka_unit_test(test_two_of_another_parent)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
