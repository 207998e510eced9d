/* Nodes to text: brackets, names and numbers that read back as the same nodes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/expression/reader.h"
#include "tests/comma.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"age", "x1", "petal length", "sin", "pi", "not"};

static const gr_vocabulary plain = {NULL, 8, 0, 0, 0, 0}, packed = {NULL, 8, 1, 0, 0, 0},
                           named = {names, 6, 0, 0, 0, 0};

/* Reads `text` and prints it again. */
static void check_print_with(const char *text, const gr_vocabulary *vocabulary,
                             const char *expected) {
    gr_node *nodes;
    uint32_t count;
    gr_error error = {0};
    if (gr_read_expression(text, "e", vocabulary, &nodes, &count, &error) != GR_OK)
        fail_msg("\"%s\": %s", text, error.text);
    char *printed = gr_print_expression(nodes, count, vocabulary);
    assert_string_equal(printed, expected);
    free(printed);
    free(nodes);
}

static void check_print(const char *text, const char *expected) {
    check_print_with(text, &plain, expected);
}

static void test_brackets(void **state) {
    (void)state;
    check_print("((x0)+(x1))*x2", "(x[0] + x[1]) * x[2]");
    check_print("(x0*x1)+x2", "x[0] * x[1] + x[2]");
    check_print("(x0-x1)-x2", "x[0] - x[1] - x[2]");
    check_print("x0-(x1-x2)", "x[0] - (x[1] - x[2])");
    check_print("x0+(x1+x2)", "x[0] + (x[1] + x[2])"); /* another tree, another rounding */
    check_print("x0**(x1**x2)", "x[0] ** x[1] ** x[2]");
    check_print("(x0**x1)**x2", "(x[0] ** x[1]) ** x[2]");
    check_print("(-x0)**x1", "(-x[0]) ** x[1]");
    check_print("-(x0**x1)", "-x[0] ** x[1]");
    check_print("x0**(-x1)", "x[0] ** -x[1]");
    check_print("(-1.5)**x1", "(-1.5) ** x[1]");
    check_print("-1.5**x1", "-1.5 ** x[1]");
    check_print("(-1.5)*x1", "-1.5 * x[1]");
    check_print("-(1.5*x1)", "-(1.5 * x[1])");
    check_print("x0 - -2", "x[0] - -2");
    check_print("--x0", "--x[0]");
    check_print("neg(1.5) ** neg(-2)", "neg(1.5) ** neg(-2)");
    check_print("(x0<x1)<x2", "(x[0] < x[1]) < x[2]");
    check_print("x0==(x1!=x2)", "x[0] == (x[1] != x[2])");
    check_print("not x0 and x1", "(not x[0]) & x[1]");
    check_print("not (x0 < x1)", "not x[0] < x[1]");
    check_print("-(not x0)", "-(not x[0])");
    check_print("xor(x0, and(x1, x2))", "x[0] ^ x[1] & x[2]");
    check_print("xor(x0, x1) + xor(x0 * 2, x1 < 1)", "xor(x[0], x[1]) + xor(x[0] * 2, x[1] < 1)");
    check_print("(+ (* x0 x1) 2)", "x[0] * x[1] + 2");
    check_print("if(x0 < 1, min(x1, x2), nand(x0, (x1)))",
                "if(x[0] < 1, min(x[1], x[2]), nand(x[0], x[1]))");
    check_print_with("not x0 and (True or x1)", &packed, "~x[0] & (True | x[1])");
    check_print_with("nor(0, not not x1)", &packed, "nor(False, ~~x[1])");
}

static void test_names(void **state) {
    (void)state;
    check_print_with("x[0] + x[1]", &named, "age + x1");
    check_print_with("x[2] * x[3]", &named, "x[2] * sin"); /* a name with a blank cannot be read */
    check_print_with("sin(x[3]) - x[4]", &named, "sin(sin) - pi");
    check_print_with("x[5]", &named, "x[5]"); /* a word of the language */
}

static void test_numbers(void **state) {
    (void)state;
    static const char *const numbers[] = {
        "0",          "1",        "0.1",      "0.5",          "3.14",      "100",
        "12300",      "1e9",      "1e10",     "1.5e10",       "123456790", "0.0001",
        "0.00001234", "1.234e-5", "16777216", "3.4028235e38", "1e-45",     "1.1754944e-38",
        "0.33333334", "2.5e-10",  "7e-30",
    };
    static const char *const printed[] = {
        "0",          "1",          "0.1",      "0.5",          "3.14",      "100",
        "12300",      "1e9",        "1e10",     "1.5e10",       "123456790", "0.0001",
        "0.00001234", "0.00001234", "16777216", "3.4028235e38", "1e-45",     "1.1754944e-38",
        "0.33333334", "2.5e-10",    "7e-30",
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char minus[32], expected[32];
        check_print(numbers[i], printed[i]);
        snprintf(minus, sizeof minus, "-%s", numbers[i]);
        snprintf(expected, sizeof expected, "-%s", printed[i]);
        check_print(minus, expected);
    }
}

/* Floats of every exponent: the printed text reads back to the same bits, and with one digit less
 * it would not. */
static void test_all_exponents(void **state) {
    (void)state;
    uint32_t random = 12345;
    for (uint32_t i = 0; i < 255 * 400; i++) {
        random = random * 1664525u + 1013904223u;
        uint32_t mantissa = i % 400 == 0 ? 0 : i % 400 == 1 ? 0x7fffff : random >> 9;
        gr_node node = gr_make_node(GR_CONSTANT, 1, 1, (i / 400) << 23 | mantissa | (i & 1) << 31);
        char *printed = gr_print_expression(&node, 1, &plain), *libc = printed;
        gr_node *nodes;
        uint32_t count;
        gr_error error = {0};
        if (gr_read_expression(printed, "e", &plain, &nodes, &count, &error) != GR_OK)
            fail_msg("%s: %s", printed, error.text);
        assert_int_equal(count, 1);
        assert_int_equal(nodes[0].operand, node.operand);
        /* an independent reader agrees */
        assert_int_equal(gr_float_bits(strtof(libc, NULL)), node.operand);
        free(nodes);
        free(printed);
    }
}

static void test_locale(void **state) {
    (void)state;
    if (!use_comma())
        skip();
    check_print("1.5", "1.5");
    check_print("1.25e-20", "1.25e-20");
    setlocale(LC_NUMERIC, "C");
}

static void test_not_a_tree(void **state) {
    (void)state;
    gr_node nodes[] = {gr_make_node(GR_INPUT, 1, 1, 0), gr_make_node(GR_ADD, 2, 3, 0),
                       gr_make_node(GR_INPUT, 1, 1, 1)};
    assert_null(gr_print_expression(nodes, 0, &plain));
    assert_null(gr_print_expression(nodes, 2, &plain)); /* an operand is missing */
    nodes[1] = nodes[0];
    assert_null(gr_print_expression(nodes, 2, &plain)); /* two trees */
    nodes[1].head |= 0xff;
    assert_null(gr_print_expression(nodes, 2, &plain)); /* no operation */
}

/* Depth and size at the limit of a tree, both ways. */
static void test_deep(void **state) {
    (void)state;
    enum { COUNT = 65535 };
    gr_node *nodes = malloc(COUNT * sizeof *nodes);
    nodes[0] = gr_make_node(GR_INPUT, 1, 1, 0);
    for (uint32_t i = 1; i < COUNT; i++)
        nodes[i] = gr_make_node(GR_SIN, 255, i + 1, 0);
    char *text = gr_print_expression(nodes, COUNT, &plain);
    gr_node *read;
    uint32_t count;
    gr_error error = {0};
    if (gr_read_expression(text, "e", &plain, &read, &count, &error) != GR_OK)
        fail_msg("%s", error.text);
    assert_int_equal(count, COUNT);
    free(read);
    char *longer = malloc(strlen(text) + 6);
    sprintf(longer, "sin(%s)", text);
    assert_int_equal(gr_read_expression(longer, "e", &plain, &read, &count, &error), GR_BAD_INPUT);
    assert_non_null(strstr(error.text, "the expression is too large"));
    free(longer);
    free(text);
    free(nodes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_brackets), cmocka_unit_test(test_names),
        cmocka_unit_test(test_numbers),  cmocka_unit_test(test_all_exponents),
        cmocka_unit_test(test_locale),   cmocka_unit_test(test_not_a_tree),
        cmocka_unit_test(test_deep),
    };
    return cmocka_run_group_tests_name("printer", tests, NULL, NULL);
}
