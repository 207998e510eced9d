/* host/expression/vocabulary.h: names and signs of operations, ours and those of other systems. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/expression/vocabulary.h"

#include <string.h>

static void test_operations(void **state) {
    (void)state;
    assert_string_equal(gr_operation_name(GR_ABS), "abs");
    assert_string_equal(gr_operation_name(GR_WNOT), "not");
    assert_string_equal(gr_operation_symbol(GR_POW), "**");
    assert_string_equal(gr_operation_symbol(GR_SIN), "");
    assert_string_equal(gr_operation_name(GR_OP_COUNT), "");
    assert_int_equal(gr_find_operation("fabs", 4, 0), GR_ABS);
    assert_int_equal(gr_find_operation("absolute", 3, 0), GR_ABS);
    assert_int_equal(gr_find_operation("and", 3, 1), GR_WAND);
    assert_int_equal(gr_find_operation("sin", 3, 1), -1);
    assert_int_equal(gr_find_operation("fab", 3, 0), -1);
    assert_int_equal(gr_find_operation("", 0, 0), -1);
    assert_int_equal(gr_find_operation("input", 5, 0), -1);
    assert_int_equal(gr_find_symbol("*", 1, 0), GR_MUL);
    assert_int_equal(gr_find_symbol("~", 1, 1), GR_WNOT);
    assert_int_equal(gr_find_symbol("", 0, 0), -1);
    for (uint32_t op = GR_INPUT + 1; op < GR_OP_COUNT; op++) { /* no name is cut short */
        const char *name = gr_operation_name(op);
        int word = gr_is_word(op) != 0;
        assert_null(strchr(name, ' '));
        assert_int_equal(gr_find_operation(name, strlen(name), word), (int)op);
    }
}

/* ---- what other systems say ---- */

/* Aliases mean what those systems mean; where both kinds of operations have a name, the problem
 * decides. */
static void test_aliases(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int number, word; /* -1: none */
    } cases[] = {
        {"subtract", GR_SUB, -1},
        {"truediv", GR_DIV, -1},
        {"true_divide", GR_DIV, -1},
        {"reciprocal", GR_INV, -1},
        {"protected_div", GR_PDIV, -1},
        {"psin", GR_SIN, -1},
        {"dilator", GR_SQRT, -1},
        {"concentrator", GR_SQUARE, -1},
        {"less_than", GR_LT, -1},
        {"greater_than_or_equal", GR_GE, -1},
        {"if_then_else", GR_IF, -1},
        {"bitwise_and", GR_AND, GR_WAND},
        {"invert", GR_NOT, GR_WNOT},
        {"NOR", GR_NOR, GR_WNOR},
        {"xor_", GR_XOR, GR_WXOR},
        {"nand", GR_NAND, GR_WNAND},
        {"Sub", -1, -1},
        {"constant", -1, -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t n = strlen(cases[i].name);
        if (gr_find_operation(cases[i].name, n, 0) != cases[i].number ||
            gr_find_operation(cases[i].name, n, 1) != cases[i].word)
            fail_msg("%s", cases[i].name);
    }
}

/* Every sign finds its operation among those of its kind, whose arity is that of a sign. */
static void test_symbols(void **state) {
    (void)state;
    static const struct {
        const char *sign;
        int number, word;
    } cases[] = {{"+", GR_ADD, -1},    {"-", GR_SUB, -1},      {"/", GR_DIV, -1},
                 {"**", GR_POW, -1},   {"<", GR_LT, -1},       {"<=", GR_LE, -1},
                 {"==", GR_EQ, -1},    {"!=", GR_NE, -1},      {"&", GR_AND, GR_WAND},
                 {"|", GR_OR, GR_WOR}, {"^", GR_XOR, GR_WXOR}, {"%", -1, -1},
                 {"<>", -1, -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t n = strlen(cases[i].sign);
        if (gr_find_symbol(cases[i].sign, n, 0) != cases[i].number ||
            gr_find_symbol(cases[i].sign, n, 1) != cases[i].word)
            fail_msg("%s", cases[i].sign);
    }
    for (uint32_t op = GR_INPUT + 1; op < GR_OP_COUNT; op++) {
        const char *sign = gr_operation_symbol(op);
        if (*sign)
            assert_int_equal(gr_find_symbol(sign, strlen(sign), op >= GR_WAND), (int)op);
    }
    assert_string_equal(gr_operation_symbol(GR_OP_COUNT), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operations),
        cmocka_unit_test(test_aliases),
        cmocka_unit_test(test_symbols),
    };
    return cmocka_run_group_tests_name("vocabulary", tests, NULL, NULL);
}
