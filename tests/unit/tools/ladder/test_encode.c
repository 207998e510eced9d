/* tools/ladder: trees in the codes of the papers' interpreters, and the stack each form takes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/core.h"
#include "tools/ladder/encode.h"

enum { CAPACITY = 4000, INPUTS = 4 };
static gr_node memory[CAPACITY];
static uint32_t words[LADDER_WORDS(CAPACITY)];
static const gr_nodes nodes = {memory, 1};

/* ---- trees by hand: x is the input, letters and signs are operations, in postfix order ---- */

static uint32_t operation(char c) {
    switch (c) {
    case '+':
        return GR_ADD;
    case '-':
        return GR_SUB;
    case '*':
        return GR_MUL;
    case 's':
        return GR_SIN;
    case '?':
        return GR_IF;
    case 'x':
        return GR_INPUT;
    default:
        fail_msg("no operation '%c'", c);
        return 0;
    }
}

static uint32_t tree(const char *postfix) {
    uint32_t count = 0;
    for (; *postfix; postfix++)
        memory[count++] = gr_make_node(operation(*postfix), 0, 0, 0);
    gr_annotate(nodes, count);
    return count;
}

static void check_levels(const char *postfix, uint32_t rpn, uint32_t linear, uint32_t ordered) {
    uint32_t count = tree(postfix);
    assert_int_equal(ladder_rpn_levels(memory, count), rpn);
    assert_int_equal(ladder_linear_levels(memory, count), linear);
    assert_int_equal(ladder_ordered_levels(memory, count), ordered);
}

/* Figure 2 of Chitty 2017: (x^3 - x) * (x^3 - x). */
static const char figure2[] = "xxx+*x-xxx+*x-*";

static void test_figure_2(void **state) {
    (void)state;
    /* his text: stack of four in RPN, two in the linear form of seven instructions
     * +(XX) *(XS) -(SX) +(XX) *(XS) -(SX) *(SS) */
    check_levels(figure2, 4, 2, 2);
    uint32_t count = tree(figure2), n = ladder_encode_linear(memory, count, words);
    const uint32_t half[] = {GR_ADD,   GR_INPUT, 0,      GR_INPUT, 0, GR_MUL,      LADDER_STACK,
                             GR_INPUT, 0,        GR_SUB, GR_INPUT, 0, LADDER_STACK};
    const size_t size = sizeof half / sizeof *half;
    assert_memory_equal(words, half, sizeof half);
    assert_memory_equal(words + size, half, sizeof half);
    const uint32_t end[] = {GR_MUL, LADDER_STACK, LADDER_STACK, LADDER_END};
    assert_memory_equal(words + 2 * size, end, sizeof end);
    assert_int_equal(n, 2 * size + 4);

    n = ladder_encode_rpn(memory, count, words);
    const uint32_t start[] = {GR_INPUT, 0,      GR_INPUT, 0, GR_INPUT, 0,
                              GR_ADD,   GR_MUL, GR_INPUT, 0, GR_SUB};
    assert_memory_equal(words, start, sizeof start);
    assert_int_equal(n, 15 + 8 + 1); /* nodes, operands of leaves, end */
    assert_int_equal(words[n - 1], LADDER_END);
}

static void test_levels(void **state) {
    (void)state;
    check_levels("x", 1, 1, 1);
    check_levels("xs", 1, 1, 1);
    check_levels("xx+", 2, 1, 1);
    check_levels("xx+x+x+", 2, 1, 1);         /* a comb to the left */
    check_levels("xxxx+++", 4, 1, 1);         /* to the right: RPN piles leaves up */
    check_levels("xx+xx+*", 3, 2, 2);         /* two results at a time */
    check_levels("xx+xx+xx+**", 4, 3, 2);     /* needier side first: one of them at a time */
    check_levels("xx+xx+xx+xx+***", 5, 4, 2); /* and so on */
    check_levels("xx+xx+*xx+xx+*-", 4, 3, 3); /* full: nothing to gain by order */
    check_levels("xxx?", 3, 1, 3);            /* three operands are all evaluated */
    check_levels("xx+xx+xx+?", 4, 3, 3);
}

static void test_lone_leaf(void **state) {
    (void)state;
    memory[0] = gr_make_node(GR_CONSTANT, 1, 1, 0x3f800000u);
    const uint32_t linear[] = {LADDER_COPY, GR_CONSTANT, 0x3f800000u, LADDER_END};
    const uint32_t rpn[] = {GR_CONSTANT, 0x3f800000u, LADDER_END};
    assert_int_equal(ladder_encode_linear(memory, 1, words), 4);
    assert_memory_equal(words, linear, sizeof linear);
    assert_int_equal(ladder_encode_rpn(memory, 1, words), 3);
    assert_memory_equal(words, rpn, sizeof rpn);
}

static void test_operand_order(void **state) {
    (void)state;
    /* if(x1, sin(x2), x3): the last operand first */
    uint32_t count = tree("xxsx?");
    memory[0].operand = 1, memory[1].operand = 2, memory[3].operand = 3;
    const uint32_t expected[] = {GR_SIN, GR_INPUT,     2,        GR_IF, GR_INPUT,
                                 3,      LADDER_STACK, GR_INPUT, 1,     LADDER_END};
    assert_int_equal(ladder_encode_linear(memory, count, words), 10);
    assert_memory_equal(words, expected, sizeof expected);
}

static void test_shares(void **state) {
    (void)state;
    ladder_levels levels = {0};
    const char *const trees[] = {"x", "xx+", figure2, "xxxx+++"};
    assert_true(ladder_share(&levels, 0, 9) == 0.0); /* no programs */
    for (size_t i = 0; i < 4; i++)
        ladder_count_levels(&levels, memory, tree(trees[i]));
    assert_int_equal(levels.programs, 4);
    /* RPN 1, 2, 4, 4; linear 1, 1, 2, 1; ordered 1, 1, 2, 1 */
    const double rpn[] = {0.0, 25.0, 50.0, 50.0, 100.0, 100.0};
    for (uint32_t limit = 0; limit < 6; limit++) {
        assert_true(ladder_share(&levels, 0, limit) == rpn[limit]);
        assert_true(ladder_share(&levels, 1, limit) == (limit == 0   ? 0.0
                                                        : limit == 1 ? 75.0
                                                                     : 100.0));
        assert_true(ladder_share(&levels, 2, limit) == ladder_share(&levels, 1, limit));
    }
}

/* ---- random trees: both codes mean what the tree means, on as many levels as are counted ---- */

static float run(int linear, const float *x, uint32_t *levels) {
    float stack[CAPACITY], operand[3] = {0.0f, 0.0f, 0.0f};
    uint32_t sp = 0, n = 0, op;
    *levels = 0;
    while ((op = words[n++]) != LADDER_END) {
        uint32_t leaf = op <= GR_INPUT, arity = op == LADDER_COPY ? 1 : gr_arity(op);
        for (uint32_t k = arity; k-- > 0;) {
            uint32_t kind = linear ? words[n++] : (uint32_t)LADDER_STACK;
            operand[k] = kind == LADDER_STACK ? stack[--sp]
                         : kind == GR_INPUT   ? x[words[n++]]
                                              : gr_bits_float(words[n++]);
        }
        if (leaf) {
            stack[sp++] = op == GR_INPUT ? x[words[n]] : gr_bits_float(words[n]);
            n++;
        } else
            stack[sp++] =
                op == LADDER_COPY ? operand[0] : gr_apply(op, operand[0], operand[1], operand[2]);
        *levels = gr_max_u32(*levels, sp);
    }
    assert_int_equal(sp, 1);
    return stack[0];
}

static void test_random_trees(void **state) {
    (void)state;
    core_dice dice = {1};
    gr_params p = {0};
    p.islands = 1;
    p.inputs = INPUTS;
    p.constant_probability = 0.3f;
    p.constant_min = -2.0f;
    p.constant_max = 2.0f;
    core_functions(&p, 0);
    static float scratch[CAPACITY];
    for (uint32_t i = 0; i < 3000; i++) {
        gr_random r = gr_stream(&p, GR_PURPOSE_INIT, 0, 0, i);
        uint32_t count = gr_random_tree(&p, &r, 1 + i % 7, i % 2, 0, nodes, CAPACITY), levels;
        if (!count)
            continue;
        float x[INPUTS];
        for (uint32_t k = 0; k < INPUTS; k++)
            x[k] = core_float(&dice);
        float expected = gr_evaluate_case(memory, count, x, scratch);
        assert_true(ladder_encode_rpn(memory, count, words) <= LADDER_WORDS(count));
        assert_true(core_same(run(0, x, &levels), expected));
        assert_int_equal(levels, ladder_rpn_levels(memory, count));
        assert_true(ladder_encode_linear(memory, count, words) <= LADDER_WORDS(count));
        assert_true(core_same(run(1, x, &levels), expected));
        assert_int_equal(levels, ladder_linear_levels(memory, count));
        assert_true(ladder_linear_levels(memory, count) <= ladder_rpn_levels(memory, count));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figure_2),  cmocka_unit_test(test_levels),
        cmocka_unit_test(test_lone_leaf), cmocka_unit_test(test_operand_order),
        cmocka_unit_test(test_shares),    cmocka_unit_test(test_random_trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
