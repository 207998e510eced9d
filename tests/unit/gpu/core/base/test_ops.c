/* gpu/core/base/ops.h: what is said of an operation is what the operation does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/core.h"

static void test_handlers_are_apart(void **state) {
    (void)state;
    uint32_t next = GR_H_PUSH_LOAD_CONSTANT + 1;
    for (uint32_t op = GR_INPUT + 1; op < GR_OP_COUNT; op++) {
        assert_int_equal(gr_first_handler(op), next);
        next += gr_arity(op) == 2 ? gr_is_commutative(op) ? 3u : 6u : 1u;
        assert_true(gr_arity(op) == 2 || !gr_is_commutative(op));
    }
    assert_int_equal(next, GR_HANDLER_COUNT);
}

/* What an operation gives for random operands, those beyond `count` being changed: the same or not.
 */
static uint32_t changes_with(uint32_t op, uint32_t which) {
    core_dice dice = {op};
    uint32_t changed = 0;
    for (uint32_t i = 0; i < 2000; i++) {
        float x[3], y[3];
        for (uint32_t k = 0; k < 3; k++)
            x[k] = y[k] = core_float(&dice);
        y[which] = core_float(&dice);
        changed += !core_same(gr_apply(op, x[0], x[1], x[2]), gr_apply(op, y[0], y[1], y[2]));
    }
    return changed;
}

/* An operation looks at as many operands as its arity says, and at each of them. */
static void test_arity(void **state) {
    (void)state;
    assert_int_equal(gr_arity(GR_CONSTANT), 0);
    assert_int_equal(gr_arity(GR_INPUT), 0);
    for (uint32_t op = GR_INPUT + 1; op < GR_OP_COUNT; op++)
        for (uint32_t k = 0; k < 3; k++)
            if ((changes_with(op, k) > 0) != (k < gr_arity(op)))
                fail_msg("operation %u of arity %u: operand %u", op, gr_arity(op), k);
}

/* Commutative is said of all that are, NaN aside, and of no other; chains stay in their order. */
static void test_commutative(void **state) {
    (void)state;
    core_dice dice = {4};
    for (uint32_t op = GR_INPUT + 1; op < GR_OP_COUNT; op++) {
        uint32_t differ = 0;
        for (uint32_t i = 0; gr_arity(op) == 2 && i < 2000; i++) {
            float a = core_float(&dice), b = core_float(&dice);
            differ += !core_same(gr_apply(op, a, b, 0.0f), gr_apply(op, b, a, 0.0f));
        }
        if (gr_arity(op) == 2 && !gr_is_ranking(op) && gr_is_commutative(op) != (differ == 0))
            fail_msg("operation %u: %u of 2000 pairs differ", op, differ);
    }
}

static void test_cost_classes(void **state) {
    (void)state;
    static const uint8_t known[][2] = {
        {GR_CONSTANT, GR_CHEAP}, {GR_INPUT, GR_CHEAP}, {GR_ADD, GR_CHEAP},   {GR_IF, GR_CHEAP},
        {GR_WAND, GR_CHEAP},     {GR_WNOT, GR_CHEAP},  {GR_DIV, GR_DIVIDE},  {GR_SQRT, GR_DIVIDE},
        {GR_AQ, GR_DIVIDE},      {GR_SIN, GR_SPECIAL}, {GR_POW, GR_SPECIAL}, {GR_GLOG, GR_SPECIAL}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        assert_int_equal(gr_cost_class(known[k][0]), known[k][1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_handlers_are_apart),
        cmocka_unit_test(test_arity),
        cmocka_unit_test(test_commutative),
        cmocka_unit_test(test_cost_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
