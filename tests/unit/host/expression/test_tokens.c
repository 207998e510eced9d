/* Text to tokens: every kind of piece a grammar may hold, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/core/program/expression.h"
#include "host/expression/tokens.h"

static const char *const names[] = {"age",
                                    "x1",
                                    "sin",
                                    "pi",
                                    "petal length",
                                    "and",
                                    "gr\xc3\xb6\xc3\x9f"
                                    "e"};

/* One token as text; white space round it as "_". */
static void show_token(FILE *f, uint32_t word, uint32_t operand) {
    uint32_t binary = operand & 0xff, unary = (operand >> 8) & 0xff;
    if (word & GR_TOKEN_SPACE_BEFORE)
        fputc('_', f);
    switch (GR_TOKEN_KIND(word)) {
    case GR_T_SPACE:
        fputs("blank", f);
        break;
    case GR_T_INPUT:
        fprintf(f, "input%u", operand);
        break;
    case GR_T_CONSTANT:
        fprintf(f, "const%08x", operand);
        break;
    case GR_T_DIGITS:
        fprintf(f, "%u:%u", operand, GR_TOKEN_COUNT(word));
        break;
    case GR_T_DOT:
        fputc('.', f);
        break;
    case GR_T_EXPONENT:
        fprintf(f, "e%d", (int)operand);
        break;
    case GR_T_FUNCTION:
        fprintf(f, "%s()", gr_operation_name(operand));
        break;
    case GR_T_OPERATOR:
        fprintf(f, "%s/%s/%u/%u%s", binary ? gr_operation_name(binary) : "",
                unary == GR_OP_COUNT ? "id"
                : unary              ? gr_operation_name(unary)
                                     : "",
                (operand >> 16) & 0xff, unary ? (operand >> 24) & 0x7f : 0,
                operand >> 31 ? "r" : "");
        break;
    default:
        fprintf(f, "%s",
                (const char *[]){"x", "x[", "]", "(", ")", ","}[GR_TOKEN_KIND(word) - GR_T_PREFIX]);
        break;
    }
    if (word & GR_TOKEN_SPACE_AFTER)
        fputc('_', f);
}

static char *show(const gr_token_list *tokens) {
    char *out = NULL;
    size_t size;
    FILE *f = open_memstream(&out, &size);
    for (uint32_t i = 0; i < tokens->count; i++) {
        if (i)
            fputc(' ', f);
        show_token(f, tokens->words[2 * i], tokens->words[2 * i + 1]);
    }
    fclose(f);
    return out;
}

static void check_with(const char *text, const gr_vocabulary *vocabulary, const char *expected) {
    gr_token_list tokens = {0};
    gr_error error = {0};
    gr_status status = gr_tokenise(text, strlen(text), "t", 7, vocabulary, &tokens, &error);
    if (status != GR_OK)
        fail_msg("\"%s\": %s", text, error.text);
    char *shown = show(&tokens);
    if (strcmp(shown, expected) != 0)
        fail_msg("\"%s\": got \"%s\", expected \"%s\"", text, shown, expected);
    free(shown);
    gr_token_list_free(&tokens);
}

static void check(const char *text, const char *expected) {
    check_with(text, &(gr_vocabulary){NULL, 12, 0, 0, 0, 0}, expected);
}
static void check_packed(const char *text, const char *expected) {
    check_with(text, &(gr_vocabulary){NULL, 12, 1, 0, 0, 0}, expected);
}
static void check_names(const char *text, const char *expected) {
    check_with(text, &(gr_vocabulary){names, 6, 0, 0, 0, 0}, expected);
}

static void check_error_with(const char *text, const gr_vocabulary *vocabulary,
                             const char *expected) {
    gr_token_list tokens = {0};
    gr_error error = {0};
    gr_status status = gr_tokenise(text, strlen(text), "t", 7, vocabulary, &tokens, &error);
    gr_token_list_free(&tokens);
    if (status != GR_BAD_INPUT || !strstr(error.text, expected) || !strstr(error.text, "expected"))
        fail_msg("\"%s\": got %d \"%s\", expected \"%s\"", text, status, error.text, expected);
}

static void check_error(const char *text, const char *expected) {
    check_error_with(text, &(gr_vocabulary){NULL, 12, 0, 0, 0, 0}, expected);
}

static void test_numbers(void **state) {
    (void)state;
    check("3", "3:1");
    check("007", "7:3");
    check("3.14", "3:1 . 14:2");
    check(".5", ". 5:1");
    check("5.", "5:1 .");
    check(".", ".");
    check("1234567890123456789012", "123456789:9 12345678:9 9012:4");
    check("1e5", "1:1 e5");
    check("2.5E-07", "2:1 . 5:1 e-7");
    check("1.e+3", "1:1 . e3");
    check("1e99999999999", "1:1 e10000");
    check("1e-99999999999", "1:1 e-10000");
    check("1 e", "1:1_ _const402df854");
    check("2e", "2:1 const402df854"); /* no exponent: the reader refuses it */
    check("2exp(", "2:1 exp() (");
}

static void test_exponent_pieces(void **state) {
    (void)state;
    check("e5", "e5");
    check("E-5", "e-5");
    check("e-5", "const402df854 sub/neg/8/10 5:1");
    check("e", "const402df854");
    check_error("(e5", "'e5' is unknown");
}

static void test_inputs(void **state) {
    (void)state;
    check("x0", "input0");
    check("x11", "input11");
    check("x", "x");
    check("x[", "x[");
    check("x[:, ", "x[_");
    check("x[:,", "x[");
    check("x[ : , 3", "x[_ _3:1");
    check("]", "]");
    check("x[3]", "input3");
    check("x[:, 11]", "input11");
    check("x [ 4 ]", "input4");
    check("x*x", "x mul//9/0 x");
    check("3x", "3:1 x");
    check("x 3", "x_ _3:1");
    check_error("x12", "t:7:1: there is no input 12; expected an input from 0 to 11");
    check_error("1+x[:, 99]", "t:7:3: there is no input 99");
    check_error("x[99999999999999999999]", "there is no input 99999999999999999999");
    check_error("x[: 3]", "t:7:5: the index of x is incomplete");
    check_error("X0", "'X0' is unknown");
    check_error("x1e5", "'x1e5' is unknown");
    check_error_with("x0", &(gr_vocabulary){NULL, 0, 0, 0, 0, 0}, "a problem without inputs");
}

static void test_named_inputs(void **state) {
    (void)state;
    check_names("age", "input0");
    check_names("x1", "input1"); /* the column of that name */
    check_names("x2", "input2");
    check_names("x[1]", "input1");
    check_names("pi", "input3");
    check_names("np.pi", "const40490fdb"); /* a module's name is no column */
    check_names("sin", "input2");
    check_names("sin (age)", "sin()_ _( input0 )");
    check_names("age and x1", "input0_ _and//2/0_ _input1");
    check_with("2 * gr\xc3\xb6\xc3\x9f"
               "e",
               &(gr_vocabulary){names, 7, 0, 0, 0, 0}, "2:1_ _mul//9/0_ _input6");
    check_names("x", "x"); /* the column x1 is input 1: no contradiction */
    check_error_with("petal", &(gr_vocabulary){names, 6, 0, 0, 0, 0}, "'petal' is unknown");
    check_error_with("ages", &(gr_vocabulary){names, 6, 0, 0, 0, 0}, "'ages' is unknown");
    static const char *const from_one[] = {"x1", "x2"}, *const plain[] = {"x"};
    check_with("x1", &(gr_vocabulary){from_one, 2, 0, 0, 0, 0}, "input0");
    check_with("x[1]", &(gr_vocabulary){from_one, 2, 0, 0, 0, 0}, "input1");
    check_error_with("x", &(gr_vocabulary){from_one, 2, 0, 0, 0, 0}, "column x1 is input 0");
    check_with("x", &(gr_vocabulary){plain, 1, 0, 0, 0, 0}, "input0");
    check_with("x[0]", &(gr_vocabulary){plain, 1, 0, 0, 0, 0}, "input0");
}

static void test_functions(void **state) {
    (void)state;
    check("sin(", "sin() (");
    check("np.sin(", "sin() (");
    check("numpy.tanh", "tanh()");
    check("np.cbrt", "cbrt()");
    check("math.fabs", "abs()");
    check("cmath.exp", "exp()");
    check("np.", ""); /* the name follows as another piece */
    check("pdiv", "pdiv()");
    check("if(", "if() (");
    check("np.where(", "if() (");
    check("np.logical_and(", "and() (");
    check("psqrt2", "psqrt2()");
    check("ln", "log()");
    check("np.pi", "const40490fdb");
    check_error("frob(x", "t:7:1: 'frob' is unknown");
    check_error("np.frob", "t:7:4: 'frob' is unknown");
    check_error("np. sin", "'np.' stands alone");
    check_error("nan", "'nan' is unknown");
    check_error("inf", "'inf' is unknown");
    check_error("constant", "'constant' is unknown");
}

static void test_operators(void **state) {
    (void)state;
    check("+", "add/id/8/10");
    check(" - ", "_sub/neg/8/10_");
    check("*", "mul//9/0");
    check("/", "div//9/0");
    check("**", "pow//11/0r");
    check("***", "pow//11/0r mul//9/0");
    check("<", "lt//4/0");
    check("<=", "le//4/0");
    check(">", "gt//4/0");
    check(">=", "ge//4/0");
    check("==", "eq//4/0");
    check("!=", "ne//4/0");
    check("&", "and//7/0");
    check("|", "or//5/0");
    check("^", "xor//6/0");
    check("~", "/not/0/10");
    check("not", "/not/0/3");
    check("and", "and//2/0");
    check("or", "or//1/0");
    check("nand", "nand//2/0");
    check("nor", "nor//1/0");
    check("xor", "xor//1/0");
    check_error("x%x", "t:7:2: '%' is not supported");
    check_error("x // x", "t:7:3: '//' is not supported");
    check_error("x = 3", "'=' is no operator");
    check_error("!x", "'!' is not in the expression language");
    check_error("{:", "'{' is not in");
    check_error("\xc3\xa9", "'\xc3\xa9' is unknown");
    check_error("x0 \xe2\x88\x92 1", "t:7:4: '\xe2\x88\x92' is not in the expression language");
    check_error("x0 \xc3", "t:7:4: byte 0xc3 is not in the expression language; expected text in");
    check_error("[", "'[' is not in");
}

static void test_words_as_functions(void **state) {
    (void)state;
    check("and(", "and() (");
    check("(nand(x0, x1)", "( nand() ( input0 ,_ _input1 )");
    check("x0 and(x1)", "input0_ _and//2/0 ( input1 )");
    check(" and(", "_and//2/0 ("); /* behind something that stands before the piece */
    check("and (", "and//2/0_ _(");
    check(") or(", ")_ _or//1/0 (");
    check("not xor(x0,x1)", "/not/0/3_ _xor() ( input0 , input1 )");
    check("not(x0)", "/not/0/3 ( input0 )");
    check_error("android", "'android' is unknown");
    check("1 xor(2)", "1:1_ _xor//1/0 ( 2:1 )");
}

static void test_space(void **state) {
    (void)state;
    check("", "");
    check(" ", "_blank");
    check("\t\r\n", "_blank");
    check(" x0 ", "_input0_");
    check("x0 + 1", "input0_ _add/id/8/10_ _1:1");
    check("x0\n+\n1", "input0_ _add/id/8/10_ _1:1");
}

static void test_packed(void **state) {
    (void)state;
    check_packed("x0 and not x1", "input0_ _and//2/0_ _/not/0/3_ _input1");
    check_packed("nand(True, False)", "nand() ( constffffffff ,_ _const00000000 )");
    check_packed("~x[:, 2]|0^1", "/not/0/10 input2 or//5/0 0:1 xor//6/0 1:1");
    gr_token_list tokens = {0};
    gr_error error = {0};
    gr_vocabulary packed = {NULL, 2, 1, 0, 0, 0};
    assert_int_equal(gr_tokenise("~and", 4, "t", 1, &packed, &tokens, &error), GR_OK);
    assert_int_equal((tokens.words[1] >> 8) & 0xff, GR_WNOT);
    assert_int_equal(tokens.words[3] & 0xff, GR_WAND);
    gr_token_list_free(&tokens);
    check_error_with("x0 + x1", &packed, "'+' works on numbers, but this problem is Boolean");
    check_error_with("-x0", &packed, "'-' works on numbers");
    check_error_with("x0 < x1", &packed, "'<' works on numbers");
    check_error_with("sin(x0)", &packed, "'sin' works on numbers, but this problem is Boolean");
    check_error_with("if(x0", &packed, "'if' works on numbers");
    check_error_with("pi", &packed, "'pi' is unknown");
    check_with("False", &(gr_vocabulary){NULL, 2, 0, 0, 0, 0}, "const00000000");
    check_with("True", &(gr_vocabulary){NULL, 2, 0, 0, 0, 0}, "const3f800000");
}

static void test_columns_and_appending(void **state) {
    (void)state;
    gr_token_list tokens = {0};
    gr_error error = {0};
    gr_vocabulary vocabulary = {NULL, 3, 0, 0, 0, 0};
    assert_int_equal(gr_tokenise("sin( x2", 7, "t", 1, &vocabulary, &tokens, &error), GR_OK);
    assert_int_equal(gr_tokenise(" and(", 5, "t", 1, &vocabulary, &tokens, &error), GR_OK);
    assert_int_equal(tokens.count, 5);
    static const uint32_t columns[] = {1, 4, 6, 2, 5};
    for (int i = 0; i < 5; i++)
        assert_int_equal(tokens.columns[i], columns[i]);
    /* an earlier text's last token keeps its own white space */
    assert_int_equal(tokens.words[4], GR_TOKEN(GR_T_INPUT, 0) | GR_TOKEN_SPACE_BEFORE);
    /* without a position the reason stands alone */
    assert_int_equal(gr_tokenise("  ?", 3, NULL, 1, &vocabulary, &tokens, &error), GR_BAD_INPUT);
    assert_memory_equal(error.text, "'?' is not", 10);
    gr_token_list_free(&tokens);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_exponent_pieces),
        cmocka_unit_test(test_inputs),
        cmocka_unit_test(test_named_inputs),
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_operators),
        cmocka_unit_test(test_words_as_functions),
        cmocka_unit_test(test_space),
        cmocka_unit_test(test_packed),
        cmocka_unit_test(test_columns_and_appending),
    };
    return cmocka_run_group_tests_name("tokens", tests, NULL, NULL);
}
