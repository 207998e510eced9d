/* gpu/core/program/linear.h: what the accumulator machine runs is what the tree says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/core.h"

enum { CAPACITY = 40000, INPUTS = 5 };
static gr_node memory[CAPACITY];
static gr_instruction program[CAPACITY];
static uint32_t location[2 * CAPACITY];
static float stack[CAPACITY];
static const gr_nodes nodes = {memory, 1};
static const gr_words locations = {location, 1};

/* Not inlined: gcc would look at trees of one node and warn about the operands they lack. */
static __attribute__((noipa)) uint32_t compile(uint32_t count) {
    return gr_compile(nodes, count, locations, program, core_group);
}

/* ---- the machine, one value wide ---- */

/* Operation and form (0..5: AI AC SA IA CA AS) of a handler, from the order that ops.h gives. */
static uint32_t operation_of(uint32_t handler, uint32_t *form) {
    for (uint32_t op = GR_INPUT + 1; op < GR_OP_COUNT; op++) {
        uint32_t first = gr_first_handler(op);
        uint32_t forms = gr_arity(op) == 2 ? gr_is_commutative(op) ? 3 : 6 : 1;
        if (handler >= first && handler < first + forms) {
            *form = handler - first;
            return op;
        }
    }
    fail_msg("handler %u belongs to no operation", handler);
    return 0;
}

/* Runs program [0, length) on one case; *levels: how many it used. Checks that levels are used as a
 * stack. */
static float run(uint32_t length, const float *x, uint32_t *levels) {
    float acc = 0.0f, stack_value[GR_MAX_STACK_LEVELS];
    uint32_t height = 0, most = 0, form;
    for (uint32_t pc = 0; pc < length; pc++) {
        uint32_t handler = GR_HANDLER(program[pc]), stack_level = GR_STACK_LEVEL(program[pc]);
        uint32_t operand = program[pc].operand;
        if (handler <= GR_H_PUSH_LOAD_CONSTANT) {
            assert_int_equal(pc == 0, handler <= GR_H_LOAD_CONSTANT); /* one load starts it */
            if (handler >= GR_H_PUSH_LOAD_INPUT) {
                assert_int_equal(stack_level, height);
                assert_true(stack_level < GR_MAX_STACK_LEVELS);
                stack_value[height++] = acc;
                most = gr_max_u32(most, height);
            }
            acc = handler & 1 ? gr_bits_float(operand) : x[operand / GR_INPUT_BYTES];
            continue;
        }
        uint32_t op = operation_of(handler, &form), arity = gr_arity(op);
        float a = acc, b = 0.0f, c = 0.0f;
        if (arity == 3) {
            float from[3];
            assert_int_equal(stack_level + 2, height);
            from[0] = stack_value[stack_level];
            from[1] = stack_value[stack_level + 1];
            from[2] = acc;
            a = from[GR_WHERE(operand, 0)];
            b = from[GR_WHERE(operand, 1)];
            c = from[GR_WHERE(operand, 2)];
            height -= 2;
        } else if (arity == 2) {
            float other;
            if (form % 3 == 2) {
                assert_int_equal(stack_level + 1, height);
                other = stack_value[--height];
            } else
                other = form % 3 ? gr_bits_float(operand) : x[operand / GR_INPUT_BYTES];
            uint32_t acc_left = form < 2 || form == 5;
            a = acc_left ? acc : other;
            b = acc_left ? other : acc;
        }
        acc = gr_apply(op, a, b, c);
    }
    assert_int_equal(height, 0);
    *levels = most;
    return acc;
}

static void check_program(uint32_t count, core_dice *dice, uint32_t cases, int packed) {
    uint32_t length = compile(count), levels = 0;
    assert_int_equal(length, gr_instructions(memory[count - 1]));
    assert_true(length <= count);
    for (uint32_t i = 0; i < cases; i++) {
        float x[INPUTS];
        for (uint32_t k = 0; k < INPUTS; k++)
            x[k] = packed ? gr_bits_float(core_roll(dice, 0)) : core_float(dice);
        float wanted = gr_evaluate_case(memory, count, x, stack), got = run(length, x, &levels);
        if (packed ? gr_float_bits(got) != gr_float_bits(wanted) : !core_same(got, wanted))
            fail_msg("%a instead of %a", (double)got, (double)wanted);
        assert_true(levels <= gr_stack_levels(memory[count - 1]));
    }
}

/* ---- random trees ---- */

static void test_random_programs(void **state) {
    (void)state;
    core_dice dice = {1};
    for (int packed = 0; packed < 2; packed++) {
        gr_params p = core_params(GR_TREE);
        core_functions(&p, packed);
        p.inputs = INPUTS;
        for (uint32_t i = 0; i < 3000; i++) {
            gr_random r = gr_stream(&p, GR_PURPOSE_INIT, 0, 0, i);
            check_program(gr_random_tree(&p, &r, 1 + i % 8, i / 8 % 2, 0, nodes, CAPACITY), &dice,
                          8, packed);
        }
    }
}

/* Few operations, many of them with three or two operands: bushy trees, many stack levels. */
static void test_bushy_programs(void **state) {
    (void)state;
    core_dice dice = {2};
    gr_params p = core_params(GR_TREE);
    p.inputs = INPUTS;
    p.functions = 4;
    p.function[0] = GR_SIN, p.function[1] = GR_SUB, p.function[2] = GR_DIV, p.function[3] = GR_IF;
    uint32_t most = 0;
    for (uint32_t i = 0; i < 400; i++) {
        gr_random r = gr_stream(&p, GR_PURPOSE_INIT, 1, 0, i);
        uint32_t count = gr_random_tree(&p, &r, 7 + i % 4, i & 1, 1, nodes, 20000);
        if (!count)
            continue;
        most = gr_max_u32(most, gr_stack_levels(memory[count - 1]));
        check_program(count, &dice, 2, 0);
    }
    assert_true(most >= 5);
}

static uint32_t add_leaf(uint32_t count, uint32_t input) {
    memory[count] = gr_make_node(GR_INPUT, 1, 1, input);
    return count + 1;
}
static uint32_t add(uint32_t count, uint32_t op) {
    memory[count] = gr_function_node(nodes, count, op);
    return count + 1;
}
static uint32_t complete(uint32_t count, uint32_t op, uint32_t height) {
    if (height == 1)
        return add_leaf(count, count % INPUTS);
    for (uint32_t k = 0; k < gr_arity(op); k++)
        count = complete(count, op, height - 1);
    return add(count, op);
}

/* The trees of a given size that need most. */
static void test_most_stack_levels(void **state) {
    (void)state;
    core_dice dice = {3};
    uint32_t count = complete(0, GR_IF, 10), levels;
    assert_int_equal(count, 29524);
    assert_int_equal(gr_stack_levels(memory[count - 1]), 18);
    check_program(count, &dice, 3, 0);
    run(compile(count), (const float[INPUTS]){1, 2, 3, 4, 5}, &levels);
    assert_int_equal(levels, 18);
    count = complete(0, GR_SUB, 15);
    assert_int_equal(gr_stack_levels(memory[count - 1]), 13);
    check_program(count, &dice, 3, 0);
    assert_true(
        18 + 1 <
        GR_MAX_STACK_LEVELS); /* 65535 nodes: two such IF trees under one function at most */
}

/* ---- programs known by heart ---- */

static void expect(uint32_t count, uint32_t length, const gr_instruction *wanted) {
    assert_int_equal(compile(count), length);
    for (uint32_t i = 0; i < length; i++) {
        assert_int_equal(GR_HANDLER(program[i]), GR_HANDLER(wanted[i]));
        assert_int_equal(GR_STACK_LEVEL(program[i]), GR_STACK_LEVEL(wanted[i]));
        assert_int_equal(program[i].operand, wanted[i].operand);
    }
}

#define X(i) ((i) * (uint32_t)GR_INPUT_BYTES)
#define AT(handler, stack_level) ((uint32_t)(handler) | (stack_level) << 16)
static const uint32_t ONE = 0x3f800000u;

static uint32_t add_one(uint32_t count) {
    memory[count] = gr_make_node(GR_CONSTANT, 1, 1, ONE);
    return count + 1;
}
static uint32_t add_two(uint32_t count, uint32_t a, uint32_t b, uint32_t op) {
    return add(add_leaf(add_leaf(count, a), b), op);
}

static void test_leaves(void **state) {
    (void)state;
    expect(add_leaf(0, 3), 1, (const gr_instruction[]){{GR_H_LOAD_INPUT, X(3)}});
    expect(add_one(0), 1, (const gr_instruction[]){{GR_H_LOAD_CONSTANT, ONE}});
    expect(add(add_leaf(0, 2), GR_SIN), 2,
           (const gr_instruction[]){{GR_H_LOAD_INPUT, X(2)}, {GR_H_SIN, 0}});
}

static void test_leaf_in_place(void **state) {
    (void)state;
    /* x0 - x1, x0 - 1, 1 - x0 */
    expect(add_two(0, 0, 1, GR_SUB), 2,
           (const gr_instruction[]){{GR_H_LOAD_INPUT, X(0)}, {GR_H_SUB_AI, X(1)}});
    expect(add(add_one(add_leaf(0, 0)), GR_SUB), 2,
           (const gr_instruction[]){{GR_H_LOAD_INPUT, X(0)}, {GR_H_SUB_AC, ONE}});
    /* 1 - sin(x0), x1 - sin(x0), 1 + sin(x0): addition has no mirrored form */
    expect(add(add(add_leaf(add_one(0), 0), GR_SIN), GR_SUB), 3,
           (const gr_instruction[]){{GR_H_LOAD_INPUT, X(0)}, {GR_H_SIN, 0}, {GR_H_SUB_CA, ONE}});
    expect(add(add(add_leaf(add_leaf(0, 1), 0), GR_SIN), GR_SUB), 3,
           (const gr_instruction[]){{GR_H_LOAD_INPUT, X(0)}, {GR_H_SIN, 0}, {GR_H_SUB_IA, X(1)}});
    expect(add(add(add_leaf(add_one(0), 0), GR_SIN), GR_ADD), 3,
           (const gr_instruction[]){{GR_H_LOAD_INPUT, X(0)}, {GR_H_SIN, 0}, {GR_H_ADD_AC, ONE}});
}

static void test_needier_first(void **state) {
    (void)state;
    /* (x0 + x1) / (x2 - x3): equal needs, left first */
    expect(add(add_two(add_two(0, 0, 1, GR_ADD), 2, 3, GR_SUB), GR_DIV), 5,
           (const gr_instruction[]){{GR_H_LOAD_INPUT, X(0)},
                                    {GR_H_ADD_AI, X(1)},
                                    {AT(GR_H_PUSH_LOAD_INPUT, 0), X(2)},
                                    {AT(GR_H_SUB_AI, 1), X(3)},
                                    {AT(GR_H_DIV_SA, 0), 0}});
    /* (x0 + x1) / ((x0 + x1) * (x2 - x3)): the right needs a stack level, so it goes first */
    expect(add(add(add_two(add_two(add_two(0, 0, 1, GR_ADD), 0, 1, GR_ADD), 2, 3, GR_SUB), GR_MUL),
               GR_DIV),
           8,
           (const gr_instruction[]){{GR_H_LOAD_INPUT, X(0)},
                                    {GR_H_ADD_AI, X(1)},
                                    {AT(GR_H_PUSH_LOAD_INPUT, 0), X(2)},
                                    {AT(GR_H_SUB_AI, 1), X(3)},
                                    {AT(GR_H_MUL_SA, 0), 0},
                                    {AT(GR_H_PUSH_LOAD_INPUT, 0), X(0)},
                                    {AT(GR_H_ADD_AI, 1), X(1)},
                                    {AT(GR_H_DIV_AS, 0), 0}});
}

static void test_three_operands(void **state) {
    (void)state;
    /* if(x0, x1, 1): a, b, c in stack level, level + 1, acc */
    expect(add(add_one(add_leaf(add_leaf(0, 0), 1)), GR_IF), 4,
           (const gr_instruction[]){{GR_H_LOAD_INPUT, X(0)},
                                    {AT(GR_H_PUSH_LOAD_INPUT, 0), X(1)},
                                    {AT(GR_H_PUSH_LOAD_CONSTANT, 1), ONE},
                                    {AT(GR_H_IF_SSA, 0), 0 | 1 << 2 | 2 << 4}});
    /* if(x0, x1, (x0 + x1) * (x2 - x3)): c first, then a, b */
    expect(
        add(add(add_two(add_two(add_leaf(add_leaf(0, 0), 1), 0, 1, GR_ADD), 2, 3, GR_SUB), GR_MUL),
            GR_IF),
        8,
        (const gr_instruction[]){{GR_H_LOAD_INPUT, X(0)},
                                 {GR_H_ADD_AI, X(1)},
                                 {AT(GR_H_PUSH_LOAD_INPUT, 0), X(2)},
                                 {AT(GR_H_SUB_AI, 1), X(3)},
                                 {AT(GR_H_MUL_SA, 0), 0},
                                 {AT(GR_H_PUSH_LOAD_INPUT, 0), X(0)},
                                 {AT(GR_H_PUSH_LOAD_INPUT, 1), X(1)},
                                 {AT(GR_H_IF_SSA, 0), 1 | 2 << 2 | 0 << 4}});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_programs),   cmocka_unit_test(test_bushy_programs),
        cmocka_unit_test(test_most_stack_levels), cmocka_unit_test(test_leaves),
        cmocka_unit_test(test_leaf_in_place),     cmocka_unit_test(test_needier_first),
        cmocka_unit_test(test_three_operands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
