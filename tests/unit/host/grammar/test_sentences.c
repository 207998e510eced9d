/* host/grammar/sentences.c: which grammars' sentences are expressions, and what is said of those
 * that are not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/bnf.h"

/* A grammar's sentences are expressions with these words, or the refusal begins as expected. */
static void check_words(const char *text, gr_vocabulary vocabulary, const char *expected) {
    gr_grammar *grammar = parse(text);
    gr_error error = {0};
    gr_status status = gr_grammar_tokenise(grammar, &vocabulary, &error);
    uint32_t words;
    const uint32_t *g = gr_grammar_tables(grammar, &words);
    assert_int_equal(g[GR_G_TOKENS] != 0, status == GR_OK);
    if (status != (expected ? GR_BAD_INPUT : GR_OK) ||
        (expected && strncmp(error.text, expected, strlen(expected)) != 0))
        fail_msg("\"%s\": got \"%s\", expected \"%s\"", text, error.text, expected);
    gr_grammar_free(grammar);
}

static void check_sentences(const char *text, int packed, const char *expected) {
    check_words(text, (gr_vocabulary){NULL, 3, packed, 0, 0, 0}, expected);
}

static void test_sentences(void **state) {
    (void)state;
    check_sentences("<e> ::= <e>+<e>|sin(<e>)|x[:, <i>]|<d><d>.<d>\n<i>::=0|1\n<d>::=GE_RANGE:10",
                    0, NULL);
    check_sentences("<e> ::= (<o> <e> <e>) | x<i>\n<o> ::= +|pdiv\n<i>::=0|1|2", 0, NULL);
    check_sentences("<e> ::= <f>(<e>) | x0 | (<e> <o> <e>)\n<f>::=np.sin|log <o>::=+|**", 0, NULL);
    check_sentences("<e> ::= (<e> and <e>)|not <e>|nand(<e>,<e>)|x[<i>]|True\n<i>::=0|2", 1, NULL);
    check_sentences("<b> ::= <f>(<b>, <b>) | (<b> <f> <b>) | x0\n<f> ::= and | nor | xor", 1, NULL);
    check_sentences("<e> ::= x0 | 1\n<dead> ::= foo bar | z", 0, NULL); /* never derived */
    check_sentences("<e> ::= x0 | 3.4e38", 0, NULL);
    check_sentences("<e> ::= x0\n | 2 * 1e40 + x1", 0,
                    "g.bnf:2:4: production \"2 * 1e40 + x1\" of <e> gives \"2 * 1e40 + x1\", where "
                    "1e40 is beyond single precision, in which constants are kept (with precision: "
                    "double too); expected at most 3.4028235e38");
    check_sentences("<e> ::= x0 | <d>.5e79\n<d> ::= 7 | 3", 0,
                    "g.bnf:1:14: production \"<d>.5e79\" of <e> gives \"7.5e79\", where 7.5e79 is "
                    "beyond single precision");
    check_sentences(
        "<e> ::= x0 | 3e38 * * 1e40", 0, /* what is wrong first */
        "g.bnf:1:14: production \"3e38 * * 1e40\" of <e> gives \"3e38 * * 1e40\", which is "
        "no expression");
    check_sentences("<e> ::= x0 | frob(<e>)", 0,
                    "g.bnf:1:14: terminal \"frob(\": 'frob' is unknown; expected ");
    check_sentences("<e> ::= x0 | x3", 0, "g.bnf:1:14: terminal \"x3\": there is no input 3; ");
    check_sentences(
        "<e> ::= x<i>\n<i> ::= 2 | 3", 0,
        "g.bnf:2:13: production \"3\" of <i> gives \"x3\", where there is no input 3; expected an "
        "input from 0 to 2");
    check_sentences("<e> ::= x0 | x[:, <i>]*2\n<i> ::= 1<i> | 2", 0,
                    "g.bnf:2:9: production \"1<i>\" of <i> gives \"x[:, 12]*2\", where there is no "
                    "input 12; expected an input from 0 to 2");
    check_sentences(
        "<e> ::= x0 | (<e> | <e>) ", 0,
        "g.bnf:1:14: production \"(<e>\" of <e> gives \"(x0\", which is no expression: ");
    check_sentences("<s> ::= -<e>*2\n<e> ::= x0 | <e> <e>", 0,
                    "g.bnf:2:14: production \"<e> <e>\" of <e> gives \"-x0 x0*2\", which is no "
                    "expression: cannot go on at \"x0\"");
    check_sentences("<e> ::= x0 | <e>+<e>", 1, "g.bnf:1:17: terminal \"+\": '+' works on numbers");
}

/* '^' over numbers is one of truth values; a power is written otherwise. */
static void test_caret(void **state) {
    (void)state;
    check_sentences(
        "<e> ::= (<e> <o> <e>) | x0 | 1\n<o> ::= + | ^", 0,
        "g.bnf:2:13: production \"^\" of <o> gives \"(x0 ^ x0)\", where '^' is no power; "
        "expected ** or pow(a, b), or for an exclusive or xor(a, b)");
    check_sentences("<e> ::= x0 | <e>^<d>\n<d> ::= 2 | 3", 0,
                    "g.bnf:1:14: production \"<e>^<d>\" of <e> gives \"x0^2\", where '^' is no");
    check_sentences("<e> ::= (<e> <o> <e>) | x0 | 1\n<o> ::= & | ^", 1, NULL);
    check_sentences("<e> ::= (<e> <o> <e>) | x0 | 1\n<o> ::= & | xor", 0, NULL);
    check_sentences("<e> ::= if(<b>, <e>, <e>) | x0\n<b> ::= (<b> ^ <b>) | (<e> '<' <e>)", 0, NULL);
}

/* Shapes of PonyGE2's and GRAPE's grammars. */
static void test_grammars_of_the_field(void **state) {
    (void)state;
    check_sentences(
        "<cf> ::= np.where(<c>, <cf>, <cf>) | <o>\n<c> ::= (<v> == <i>) | <c> & (<v> == "
        "<i>)\n<i> ::= GE_RANGE:4\n<o> ::= GE_RANGE:2\n<v> ::= x.iloc[:, <k>]\n<k> ::= "
        "GE_RANGE:3",
        0, NULL);
    check_sentences(
        "<l> ::= <b> | and_(<l>,<l>) | or_(<l>,<l>) | not_(<l>) | <x>\n<b> ::= "
        "less_than_or_equal(<n>,<n>) | greater_than_or_equal(<n>, <n>)\n<n> ::= "
        "add(<n>,<n>) | pdiv(<n>,<n>) | <c><c>.<c><c>\n<x> ::= x[0]|x[2]\n<c> ::= 0 | 1",
        0, NULL);
    check_sentences("<e> ::= <op1>(<e>)|\n <op2>(<e>,<e>)|\n\t<x>|\n <c>\n<op1> ::= exp | np.sin | "
                    "plog\n<op2> ::= add | sub | mul | pdiv \n<x> ::= x[0]|x[1]\n<c> ::= -0.1 | 1",
                    0, NULL);
    check_sentences("<e> ::= and_(<e>,<e>)|nand_(<e>,<e>)|<x>\n<x> ::= x[0]|x[1]", 1, NULL);
    check_sentences(
        "<e> ::= (<e> if <c> else <e>) | x<i>\n<c> ::= <e> <o> <e> | not <c> | (<c> and "
        "<c>)\n<o> ::= '<' | '>=' | ==\n<i> ::= 0 | 1",
        0, NULL);
    check_sentences("<s> ::= <e>' if '<c>' else '<s> | <e>\n<e> ::= x0 | -<e> | <e>**2\n<c> ::= "
                    "<e>' != '<e>",
                    0, NULL);
    check_sentences("<e> ::= <e>+<e> | c[<i>] | x0\n<i> ::= 0", 0,
                    "g.bnf:1:19: terminal \"c[\": c[...] is a constant that a run fits; "
                    "expected numbers, or optimise-constants elites, share or all");
    check_sentences("<e> ::= <e>&<e> | c[0] | x0", 1,
                    "g.bnf:1:19: terminal \"c[0]\": c[...] is a constant that a run fits; expected "
                    "none in a Boolean problem");
    check_sentences("<e> ::= <e> if <e> | x0", 0,
                    "g.bnf:1:9: production \"<e> if <e>\" of <e> gives \"x0 if x0\", which is no "
                    "expression: it ends too early");
    check_sentences("<e> ::= (<e> if <e> else <e>) | x0", 1,
                    "g.bnf:1:13: terminal \" if \": 'if' works on numbers");
}

/* A column takes its name from an operation, but where the bracket stands in the same piece. */
static void test_columns_like_operations(void **state) {
    (void)state;
    static const char *const names[] = {"a", "sin", "b"};
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"<e> ::= sin(<e>) | a | sin", NULL},
        {"<e> ::= <f>(<e>) | a\n<f> ::= exp | log", NULL},
        {"<e> ::= <f>(<e>) | a\n<f> ::= sin | exp",
         "g.bnf:1:9: production \"<f>(<e>)\" of <e> gives \"sin(a)\", which is no expression: "
         "cannot go on at \"(\", since 'sin' is a column here; expected infix, calls or lists"},
        {"<e> ::= <f> (<e>) | a\n<f> ::= sin' ' | exp",
         "g.bnf:1:9: production \"<f> (<e>)\" of <e> gives \"sin  (a)\", which is no expression: "
         "cannot go on at \" (\", since 'sin' is a column here; expected"},
        {"<e> ::= <e> + <e> | x | a",
         "g.bnf:1:9: production \"<e> + <e>\" of <e> gives \"x + x\", where 'x' is unknown; "
         "expected an input, a function or a constant"},
        {"<e> ::= <e> + <e> | x<i> | a\n<i> ::= 0 | 1", NULL},
        {"<e> ::= <f>(<e>) | a\n<f> ::= b | exp",
         "g.bnf:1:9: production \"<f>(<e>)\" of <e> gives \"b(a)\", which is no expression: "
         "cannot go on at \"(\"; expected infix, calls or lists"},
        {"<p> ::= targets(<e>, <e>)\n<e> ::= a | b",
         "g.bnf:1:9: production \"targets(<e>, <e>)\" of <p> gives \"targets(a, a)\", which is no "
         "expression: cannot go on at \", \", since 'targets' is of runs with several targets; "
         "expected infix, calls or lists"},
        {"<e> ::= <e> <e> | sin",
         "g.bnf:1:9: production \"<e> <e>\" of <e> gives \"sin sin\", which is no expression: "
         "cannot go on at \"sin\"; expected"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_words(cases[i].text, (gr_vocabulary){names, 3, 0, 0, 0, 0}, cases[i].expected);
}

/* c[i] in one piece or in several, where a run fits them. */
static void test_free_constants(void **state) {
    (void)state;
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"<e> ::= <e>+<e> | c[0] | -c[255]*x0", NULL},
        {"<e> ::= <e>+<e> | c[<i>] | x0\n<i> ::= 0 | 1<i>", NULL},
        {"<e> ::= <e>+<e> | c[256] | x0",
         "g.bnf:1:19: terminal \"c[256]\": there is no constant c[256]; expected c[0] to c[255]"},
        {"<e> ::= <e>+<e> | c[<i>] | x0\n<i> ::= 0 | 300",
         "g.bnf:2:13: production \"300\" of <i> gives \"c[300]\", which is no expression"},
        {"<e> ::= <e>+<e> | c[] | x0", "g.bnf:1:19: "},
        {"<e> ::= <e>+<e> | c[x0] | x0", "g.bnf:1:19: "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_words(cases[i].text, (gr_vocabulary){NULL, 3, 0, 1, 0, 0}, cases[i].expected);
}

/* Sentences that double with every rule: too long to check, said so, and not a hang. */
static void test_exponential(void **state) {
    (void)state;
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    for (int i = 0; i < 60; i++)
        fprintf(f, "<r%d> ::= <r%d>+<r%d>\n", i, i + 1, i + 1);
    fprintf(f, "<r60> ::= x0\n");
    fclose(f);
    gr_grammar *grammar = parse(text);
    gr_vocabulary vocabulary = {NULL, 1, 0, 0, 0, 0};
    gr_error error = {0};
    assert_int_equal(gr_grammar_tokenise(grammar, &vocabulary, &error), GR_OK);
    assert_true(has_warning(grammar, "61 productions were not checked"));
    gr_grammar_free(grammar);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns_like_operations),
        cmocka_unit_test(test_free_constants),
        cmocka_unit_test(test_sentences),
        cmocka_unit_test(test_caret),
        cmocka_unit_test(test_grammars_of_the_field),
        cmocka_unit_test(test_exponential),
    };
    return cmocka_run_group_tests_name("sentences", tests, NULL, NULL);
}
