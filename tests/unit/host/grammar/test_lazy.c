/* host/grammar/lazy.c: grammars that lazy consumption cannot bound. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/grammar/grammar.h"

#include <stdio.h>
#include <string.h>

/* What is said of `head`, a rule or several, with <r0>, which doubles `levels` times. */
static const char *checked(const char *head, int levels) {
    static gr_error error;
    static char text[8192];
    gr_grammar *grammar;
    int n = snprintf(text, sizeof text, "%s\n", head);
    for (int k = 0; k < levels; k++)
        n += snprintf(text + n, sizeof text - (size_t)n, "<r%d> ::= <r%d><r%d>\n", k, k + 1, k + 1);
    snprintf(text + n, sizeof text - (size_t)n, "<r%d> ::= x\n", levels);
    if (gr_grammar_parse(text, strlen(text), "g.bnf", NULL, &grammar, &error))
        fail_msg("%s", error.text);
    error.text[0] = '\0';
    gr_status status = gr_grammar_check_lazy(grammar, &error);
    assert_int_equal(status, *error.text ? GR_BAD_INPUT : GR_OK);
    gr_grammar_free(grammar);
    return error.text;
}

/* r0 with n levels below it is 2^(n + 1) - 1 expansions. */
static void test_levels(void **state) {
    (void)state;
    static const char refused[] = "goes on for more than 65536 expansions without a choice";
    assert_string_equal(checked("<s> ::= y | <r0>", 15), "");
    assert_string_equal(checked("<s> ::= y | <r0><r15>", 15), "");
    assert_non_null(strstr(checked("<s> ::= y | <r0><r15><r15>", 15), refused));
    assert_non_null(
        strstr(checked("<s> ::= y | <r0>", 16), "g.bnf:1:13: production \"<r0>\" goes"));
    assert_non_null(strstr(checked("<s> ::= <t>y\n<t> ::= <r0>", 200), refused));
}

/* Choices and codons' values end it; nobody comes to a rule that is not reached. */
static void test_ends(void **state) {
    (void)state;
    assert_string_equal(checked("<s> ::= <s><s> | <t>\n<t> ::= <u><u>\n<u> ::= <s> | x\n"
                                "<v> ::= <r0>",
                                200),
                        "");
    assert_string_equal(checked("<s> ::= <GECodonValue><GECodonValue>", 0), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_ends),
    };
    return cmocka_run_group_tests_name("lazy", tests, NULL, NULL);
}
