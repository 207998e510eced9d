/* Text to nodes: precedence, calls, lists, constants, and the column of every error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/expression/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"age", "x1", "petal length", "sin", "pi", "not"};

static const gr_vocabulary plain = {NULL, 8, 0, 0, 0, 0}, packed = {NULL, 8, 1, 0, 0, 0},
                           named = {names, 6, 0, 0, 0, 0};

/* Nodes in postfix as text: the operation's name, constants as %.9g, inputs as x<i>. */
static char *show(const gr_node *nodes, uint32_t count, int words) {
    char *out = NULL;
    size_t size;
    FILE *f = open_memstream(&out, &size);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t op = GR_NODE_OP(nodes[i]);
        if (i)
            fputc(' ', f);
        if (op == GR_INPUT)
            fprintf(f, "x%u", nodes[i].operand);
        else if (op == GR_CONSTANT && words)
            fprintf(f, "%08x", nodes[i].operand);
        else if (op == GR_CONSTANT)
            fprintf(f, "%.9g", (double)gr_bits_float(nodes[i].operand));
        else
            fputs(gr_operation_name(op), f);
    }
    fclose(f);
    return out;
}

static void check_with(const char *text, const gr_vocabulary *vocabulary, const char *expected) {
    gr_node *nodes;
    uint32_t count;
    gr_error error = {0};
    if (gr_read_expression(text, "e", vocabulary, &nodes, &count, &error) != GR_OK)
        fail_msg("\"%s\": %s", text, error.text);
    char *shown = show(nodes, count, vocabulary->packed);
    if (strcmp(shown, expected) != 0)
        fail_msg("\"%s\": got \"%s\", expected \"%s\"", text, shown, expected);
    assert_int_equal(GR_NODE_SIZE(nodes[count - 1]), count);
    free(shown);
    free(nodes);
}

static void check(const char *text, const char *expected) {
    check_with(text, &plain, expected);
}

static void check_error(const char *text, const char *expected) {
    gr_node *nodes;
    uint32_t count;
    gr_error error = {0};
    gr_status status = gr_read_expression(text, "e", &plain, &nodes, &count, &error);
    assert_null(nodes);
    if (status != GR_BAD_INPUT || !strstr(error.text, expected) || !strstr(error.text, "expected"))
        fail_msg("\"%s\": got %d \"%s\", expected \"%s\"", text, status, error.text, expected);
}

static void test_precedence(void **state) {
    (void)state;
    check("x0 + x1 * x2", "x0 x1 x2 mul add");
    check("x0 * x1 + x2", "x0 x1 mul x2 add");
    check("x0 - x1 - x2", "x0 x1 sub x2 sub");
    check("x0 ** x1 ** x2", "x0 x1 x2 pow pow");
    check("-x0 ** 2", "x0 2 pow neg");
    check("2 ** -x0", "2 x0 neg pow");
    check("2 ** -x0 * x1", "2 x0 neg pow x1 mul");
    check("(x0 + x1) * x2", "x0 x1 add x2 mul");
    check("x0 < x1 and x1 < x2 or x3", "x0 x1 lt x1 x2 lt and x3 or");
    check("not x0 == x1", "x0 x1 eq not");
    check("~x0 & x1", "x0 not x1 and");
    check("x0 | x1 ^ x2 & x3 + 1", "x0 x1 x2 x3 1 add and xor or");
    check("x0 nand x1 nor x2", "x0 x1 nand x2 nor");
    check("x0 xor x1 and x2", "x0 x1 x2 and xor");
    check("+x0 - +1", "x0 1 sub");
    check("- - x0", "x0 neg neg");
    check("neg(1.5) + -(1.5)", "1.5 neg -1.5 add"); /* a sign folds, a function stays */
}

static void test_calls_and_lists(void **state) {
    (void)state;
    check("np.sin(x[:, 0])", "x0 sin");
    check("pdiv(x0, x1)/if(x0, 1, 2)", "x0 x1 pdiv x0 1 2 if div");
    check("nand(x0, x1) and nor(1, x2)", "x0 x1 nand 1 x2 nor and");
    check("(+ x0 x1)", "x0 x1 add");
    check("(pdiv x0 x1)", "x0 x1 pdiv");
    check("(x0 x1 *)", "x0 x1 mul");
    check("sin (x0)", "x0 sin");
    check_with("sin(age) * sin + pi", &named, "x0 sin x3 mul x4 add");
    check_with("x1 - x0", &named, "x1 x0 sub");
    check_with("~x0 | nand(x1, x2) ^ 1 & False", &packed,
               "x0 not x1 x2 nand ffffffff 00000000 and xor or");
    check_with("0.0 or 0.5", &packed, "00000000 ffffffff or");
}

static void test_constants(void **state) {
    (void)state;
    check("-1.5", "-1.5");
    check("x0 - 1.5", "x0 1.5 sub");
    check("x0 - -1.5", "x0 -1.5 sub");
    check("1e3", "1000");
    check("12345678901234567890", "1.23456794e+19");
    check("0.000000000000000000000000000000001", "1.00000002e-33"); /* as a double, then a float */
    check("pi * e", "3.14159274 2.71828175 mul");
    check("True + False", "1 0 add");
    check("1e-45", "1.40129846e-45");
    check("0e999", "0");
}

static void test_errors(void **state) {
    (void)state;
    check_error("", "e:1:1: the expression ends too early");
    check_error("x0 +", "e:1:5: the expression ends too early; expected a number");
    check_error("(x0", "e:1:4: the expression ends too early; expected an operator");
    check_error("(x0, x1)",
                "e:1:4: a ',' outside the operands of a function; expected an operator or ')'");
    check_error("x0 * x1, 2",
                "e:1:8: a ',' outside the operands of a function; expected an operator");
    check_error("max(x0, (x1, x0))", "e:1:12: a ',' outside the operands of a function;");
    check_error("x0 if x1, 2",
                "e:1:9: a ',' outside the operands of a function; expected an operator or 'else'");
    check_error("x0 x1", "e:1:4: cannot read the expression at 'x1'; expected an operator");
    check_error("x", "e:1:1: 'x' is unknown; expected an input, a function or a constant");
    check_error("sin(x)", "e:1:5: 'x' is unknown");
    check_error("x0 + x * x1", "e:1:6: 'x' is unknown");
    check_error("x y", "e:1:3: 'y' is unknown");
    check_error("x x0", "e:1:1: 'x' is unknown");
    check_error("x0 x", "e:1:4: cannot read the expression at 'x'; expected an operator");
    check_error("x0 + * x1", "e:1:6: cannot read the expression at '*'; expected a number");
    check_error("sin()", "e:1:5: cannot read");
    check_error("pdiv(x0)", "e:1:8: 'pdiv' of 1 operand; expected 2");
    check_error("pdiv(x0, x1, x2)", "e:1:16: 'pdiv' of 3 operands; expected 2");
    check_error("(sin x0 x1)", "e:1:11: 'sin' of 2 operands; expected 1");
    check_error("(x0 x1 x2 -)", "e:1:12: 'sub' of 3 operands; expected 2");
    check_error("(x0 x1 + < x2)", "e:1:10: cannot read");
    check_error("(* x0)", "e:1:6: 'mul' of 1 operand; expected at least 2");
    check_error("sin x0", "e:1:5: cannot read");
    check_error("3 4", "e:1:3: cannot read");
    check_error("3x", "e:1:2: cannot read");
    check_error("1.2.3", "e:1:4: cannot read");
    check_error("x0)", "e:1:3: a ')' without a '(' before it; expected as many of both");
    check_error("x8", "e:1:1: there is no input 8");
    check_error("x0 < x1 < x2", "e:1:9: a comparison of a comparison; expected 'and'");
    check_error("(argmax x0 x1)", "e:1:14: a list of 'argmax'; expected argmax(...)");
    check_error("(x0 if x1)", "e:1:10: 'if' without 'else'; expected both");
    check_error("(x0 x1)", "e:1:7: operands without an operation; expected one");
    check_error("(x0 x1 * x2)", "e:1:10: cannot read"); /* nothing follows a list's operator */
    check_error("(x0 x1 * - x2)", "e:1:10: cannot read");
    check_error("1e999",
                "e:1:1: the number 1e999 is beyond single precision, in which constants are "
                "kept (with precision: double too); expected at most 3.4028235e38");
    check_error("x0 + 12.5e39 * x1", "e:1:6: the number 12.5e39 is beyond single precision");
    check_error("x1 + 2 * 1e40", "e:1:10: the number 1e40 is beyond");
    check_error("+ * 1e40", "e:1:3: cannot read the expression at '*'"); /* what is wrong first */
    check_error("x0 1e39x", "e:1:4: cannot read");
    check_error("frob(x0)", "e:1:1: 'frob' is unknown");
}

/* '^' is an exclusive or between truth values alone: elsewhere a power is meant. */
static void test_caret(void **state) {
    (void)state;
    static const char refusal[] =
        "'^' is no power; expected ** or pow(a, b), or for an exclusive or xor(a, b)";
    static const struct {
        const char *text;
        int column; /* of the first '^' between numbers */
    } cases[] = {{"x0 ^ 2", 4},
                 {"2 ^ x0", 3},
                 {"x0 ^ x1", 4},
                 {"x0^-1", 3},
                 {"1 ^ 0", 3},
                 {"(x0 < 1) ^ 2", 10},
                 {"x0 ^ (x1 * x2)", 4},
                 {"sin(x0 + x1) ^ 2 < 1", 14},
                 {"(^ x0 2)", 2},
                 {"(x0 2 ^)", 7},
                 {"(x0 < 1) ^ (x1 < 1) and x0 ^ 2", 28},
                 {"(x0 < 1 ^ (x1 > 2 ^ x0)) ^ (x1 < 2)", 19},
                 {"if(x0 ^ 2, x1 < 2 ^ x2, 0)", 7},
                 {"x1 if x0 < 1 else x2 ^ 3", 22}};
    char expected[128];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(expected, sizeof expected, "e:1:%d: %s", cases[i].column, refusal);
        check_error(cases[i].text, expected);
    }
    check_error("x0 ^", "e:1:5: the expression ends too early"); /* what is wrong first */
    check("(x0 < 1) ^ (x1 > 2)", "x0 1 lt x1 2 gt xor");
    check("(x0 < 1) ^ x1 ^ True", "x0 1 lt x1 xor 1 xor");
    check("0 ^ (not x0)", "0 x0 not xor");
    check("xor(x0, 2) + (x1 xor 3)", "x0 2 xor x1 3 xor add");
    check("(x0 xor x1) ^ x2", "x0 x1 xor x2 xor");
    check_with("x0 ^ x1 ^ 1", &packed, "x0 x1 xor ffffffff xor");
}

static void test_conditionals(void **state) {
    (void)state;
    check("x0 if x1 else x2", "x1 x0 x2 if");
    check("x0 + 1 if x1 > 2 else x2 * 3", "x1 2 gt x0 1 add x2 3 mul if");
    check("x0 if x1 else x2 if x3 else x4", "x1 x0 x3 x2 x4 if if");
    check("(x0 if x1 else x2) if x3 else x4", "x3 x1 x0 x2 if x4 if");
    check("x0 if (x1 if x2 else x3) else x4", "x2 x1 x3 if x0 x4 if");
    check("x0 if x1 or x2 and not x3 else -x4", "x1 x2 x3 not and or x0 x4 neg if");
    check("max(x0 if x1 else x2, 1 if x3 else 2)", "x1 x0 x2 if x3 1 2 if max");
    check("-x0 if x1 else x2", "x1 x0 neg x2 if");
    check("x0 if(x1) else x2", "x1 x0 x2 if");
    check("if(x0, x1, x2) if if(x3, x4, x5) else 7", "x3 x4 x5 if x0 x1 x2 if 7 if");
    check("(+ x0 if(x1, x2, x3))", "x0 x1 x2 x3 if add");
    check("(if x0 x1 x2)", "x0 x1 x2 if");
    check_error("x0 if x1", "e:1:9: the expression ends too early");
    check_error("x0 else x1", "e:1:4: cannot read the expression at 'else'");
    check_error("if x0 else x1", "e:1:4: cannot read");
    check_error("x0 if else x1", "e:1:7: cannot read");
    check_error("(x0 if x1) else x2", "e:1:10: 'if' without 'else'; expected both");
    check_error("x0 if x1 else", "e:1:14: the expression ends too early");
    check_error("x0 if x1, x2 else x3",
                "e:1:9: a ',' outside the operands of a function; expected an operator or 'else'");
    gr_node *nodes;
    uint32_t count;
    gr_error error = {0};
    assert_int_equal(gr_read_expression("x0 if x1 else x2", "e", &packed, &nodes, &count, &error),
                     GR_BAD_INPUT);
    assert_non_null(strstr(error.text, "e:1:4: 'if' works on numbers"));
    const char *const columns[] = {"if", "else"};
    const gr_vocabulary odd = {columns, 2, 0, 0, 0, 0}; /* a column of that name stays one */
    check_with("if + else", &odd, "x0 x1 add");
}

static void test_names_of_other_systems(void **state) {
    (void)state;
    check("np.where(np.logical_and(x.iloc[:, 0] > 1, x[1] <= 2), x2, np.negative(x[:, 3]))",
          "x0 1 gt x1 2 le and x2 x3 neg if");
    check("add(mul(x0, psin(x1)), sub(pcos(x2), neg(x3)))", "x0 x1 sin mul x2 cos x3 neg sub add");
    check("np.multiply(np.subtract(x0, 1), np.true_divide(2, x1))", "x0 1 sub 2 x1 div mul");
    check("if_(greater_than_or_equal(x0, x1), max_(x2, 1), min_(x3, 2))",
          "x0 x1 ge x2 1 max x3 2 min if");
    check("and_(or_(x0, nand_(x1, x2)), nor_(x3, not_(x4)))", "x0 x1 x2 nand or x3 x4 not nor and");
    check_with("and_(or_(x0, nand_(x1, x2)), nor_(x3, not_(x4)))", &packed,
               "x0 x1 x2 nand or x3 x4 not nor and");
    check_with("AND(OR(x0, x1), NOT(x2))", &packed, "x0 x1 or x2 not and");
    check("math.pow(math.fabs(x0), math.pi)", "x0 abs 3.14159274 pow");
    check_error("c[0] * x0", "e:1:1: c[...] is a constant that a run fits; expected numbers");
    check_error("x.iloc", "e:1:3: 'iloc' is unknown");
    check_error("x.iloc[0", "e:1:9: the expression ends too early");
}

/* argmax takes any number of operands, which become one chain. */
static void test_argmax(void **state) {
    (void)state;
    check("argmax(x0)", "x0 argmax:last argmax");
    check("argmax(x0, x1 + 2, -x2)",
          "x0 x1 2 add x2 neg argmax:last argmax:next argmax:next argmax");
    check("1 + argmax(argmax(x0, x1), x2)", "1 x0 x1 argmax:last argmax:next argmax x2 argmax:last "
                                            "argmax:next argmax add");
    char text[256] = "argmax(x0";
    for (int k = 1; k < 32; k++)
        strcat(text, ", x1");
    gr_node *nodes;
    uint32_t count;
    strcat(text, ")");
    assert_int_equal(gr_read_expression(text, "e", &plain, &nodes, &count, NULL), GR_OK);
    assert_int_equal(count, 32 + 32 + 1);
    free(nodes);
    strcpy(strrchr(text, ')'), ", x1)");
    check_error(text, "'argmax' of 33 operands; expected at most 32");
    check_error("argmax()", "cannot read the expression");
    check_error("argmax x0", "cannot read the expression");
    check_error("argmax:last(x0)", "':' is not in the expression language");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_precedence),
        cmocka_unit_test(test_calls_and_lists),
        cmocka_unit_test(test_constants),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_caret),
        cmocka_unit_test(test_conditionals),
        cmocka_unit_test(test_names_of_other_systems),
        cmocka_unit_test(test_argmax),
    };
    return cmocka_run_group_tests_name("reader", tests, NULL, NULL);
}
