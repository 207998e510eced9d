/* The BNF front end: dialect, errors, analysis, tokens. PonyGE2's expected mappings:
 * test_grammar_cases.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/core/program/expression.h"
#include "host/grammar/grammar.h"

static const gr_grammar_context context = {5, 3, 2, 0};

static gr_grammar *parse_length(const char *text, size_t length) {
    gr_grammar *grammar = NULL;
    gr_error error = {0};
    gr_status status = gr_grammar_parse(text, length, "g.bnf", &context, &grammar, &error);
    if (status != GR_OK)
        fail_msg("\"%s\" is refused: %s", text, error.text);
    return grammar;
}

static gr_grammar *parse(const char *text) {
    return parse_length(text, strlen(text));
}

/* All productions of all rules as one line: rules end with ";", productions with "|", symbols are
 * blank-free <names> or [terminals]. */
static char *show(const gr_grammar *grammar) {
    uint32_t words;
    const uint32_t *g = gr_grammar_tables(grammar, &words);
    char *out = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&out, &size);
    for (uint32_t r = 0; r < g[GR_G_RULES]; r++) {
        for (uint32_t p = gr_rule_first(g, r); p < gr_rule_first(g, r + 1); p++) {
            for (uint32_t s = gr_symbol_first(g, p); s < gr_symbol_first(g, p + 1); s++) {
                uint32_t symbol = gr_symbol(g, s);
                size_t length;
                if (symbol & GR_NONTERMINAL)
                    fprintf(f, "<%s>", gr_grammar_rule_name(grammar, symbol & ~GR_NONTERMINAL));
                else {
                    const char *text = gr_grammar_terminal(grammar, symbol, &length);
                    fputc('[', f);
                    fwrite(text, 1, length, f);
                    fputc(']', f);
                }
            }
            fputs(p + 1 < gr_rule_first(g, r + 1) ? "|" : ";", f);
        }
    }
    fclose(f);
    return out;
}

static void check_rules(const char *text, const char *expected) {
    gr_grammar *grammar = parse(text);
    char *shown = show(grammar);
    assert_string_equal(shown, expected);
    free(shown);
    gr_grammar_free(grammar);
}

/* ---- the dialect, row by row ---- */

static void test_rules_and_productions(void **state) {
    (void)state;
    check_rules("<a> ::= x | y", "[x]|[y];");
    check_rules("<a>::=x|y", "[x]|[y];");
    check_rules("<a>   ::=\n  x\n| y\n", "[x]|[y];");
    check_rules("<a> ::= <b> | z <b> ::= x", "<b>|[z];[x];"); /* two rules on a line */
    check_rules("<a> ::= <b>\n<b> ::= x\n", "<b>;[x];");
    check_rules("<a> ::= x || y | | z |", "[x]|[y]|[z];");    /* blank productions drop out */
    check_rules("<a> ::= x | x | y | x", "[x]|[x]|[y]|[x];"); /* repeated ones are weights */
    check_rules("<a\xc3\xa9> ::= x | <a\xc3\xa9>", "[x]|<a\xc3\xa9>;");
    check_rules("<a> ::= x | y\r\n<b> ::= z\r\n", "[x]|[y];[z];"); /* CR LF */
    check_rules("\xef\xbb\xbf<a> ::= x", "[x];");                  /* byte order mark */
    check_rules("junk\n<a> ::= x", "[x];");
}

static void test_quotes(void **state) {
    (void)state;
    check_rules("<a> ::= 'x|y' | \"<a>\" | '#' | 'it is \"so\"' | \"don't\"",
                "[x|y]|[<a>]|[#]|[it is \"so\"]|[don't];");
    check_rules("<a> ::= '' | x", "[]|[x];");
    check_rules("<a> ::= ''<b> <b> ::= '<b>'<b> | y", "[]<b>;[<b>]<b>|[y];");
    check_rules("<a> ::= 'single' <b> <b> ::= x", "[single ]<b>;[x];");
    check_rules("<a> ::= a\"b\"'c'", "[abc];");
    check_rules("<a> ::= 'x ' <b> <b> ::= x", "[x  ]<b>;[x];");
    check_rules("<a> ::= '  x  ' ", "[  x  ];");
    check_rules("<a> ::= '<b> ::= y' | z", "[<b> ::= y]|[z];");
    check_rules("<a> ::= don't | b", "[don]|[t]|[b];"); /* a lone apostrophe splits */
    check_rules("<a> ::= don't | can't", "[dont | cant];");
}

static void test_comments(void **state) {
    (void)state;
    check_rules("# head\n<a> ::= x # 'y | <b> ::= z\n | w", "[x]|[w];");
    check_rules("<a> ::= x # ends it\n y | z", "[x]|[y]|[z];"); /* more text after a comment */
    check_rules("# see <x> ::= y\n<a> ::= z", "[y];[z];"); /* read as a rule, as PonyGE2 does */
    check_rules("<a> ::= x\n# last", "[x];");
    check_rules("<a> ::= '#x' # c", "[#x];");
}

static void test_escapes(void **state) {
    (void)state;
    check_rules("<a> ::= '\\n' | \\t | a\\\\b | '\\\"' | '\\x41\\u0042\\103' | '\\d' | \\0411",
                "[\n]|[\t]|[a\\b]|[\"]|[ABC]|[\\d]|[!1];");
    check_rules("<a> ::= '\\u00e9\\xe9\\u20ac\\U0001F600'",
                "[\xc3\xa9\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80];");
    check_rules("<a> ::= \\x7cy | z", "[|y]|[z];");         /* an escaped bar separates nothing */
    check_rules("<a> ::= \xc3\xa9", "[\xc3\x83\xc2\xa9];"); /* byte by byte */
    check_rules("<a> ::= \\n", "[\n];");                    /* an escape is not trimmed */
    gr_grammar *grammar = parse("<a> ::= 'x\\0y'");
    size_t length;
    const char *text = gr_grammar_terminal(grammar, 0, &length);
    assert_int_equal(length, 3);
    assert_memory_equal(text, "x\0y", 4);
    gr_grammar_free(grammar);
}

static void test_ranges(void **state) {
    (void)state;
    check_rules("<a> ::= GE_RANGE:3", "[0]|[1]|[2];");
    check_rules("<a> ::= x | GE_RANGE:2 | y", "[x]|[0]|[1]|[y];");
    check_rules("<a> ::= x | GE_RANGE:0", "[x];");
    check_rules("<a> ::= GE_RANGE:dataset_n_vars", "[0]|[1]|[2]|[3]|[4];");
    check_rules("<a> ::= GE_RANGE:dataset_n_is # c", "[0]|[1]|[2];");
    check_rules("<a> ::= GE_RANGE:dataset_n_os\n<b> ::= GE_RANGE:002", "[0]|[1];[0]|[1];");
    check_rules("<a> ::= 'GE_RANGE:3' | xGE_RANGE:3", "[GE_RANGE:3]|[xGE_RANGE:3];");
    check_rules("<a> ::= GE_RANGE:2 foo", "[0]|[1];");
}

static void test_lines(void **state) {
    (void)state;
    check_rules("<p> ::= 'begin'\n<t>\n'end'\n<t> ::= x", "[begin\n]<t>[\nend];[x];");
    check_rules("<p> ::= 'a'   \n   'b'", "[a\nb];");
    check_rules("<p> ::= a  \n  b", "[a  \nb];"); /* spaces stay behind unquoted text */
    check_rules("<p> ::= <t>  \n\n  b <t> ::= x", "<t>[\n\nb];[x];");
    check_rules("<p> ::= 'a'\n\t'b'", "[a\n\tb];"); /* only spaces are dropped */
    check_rules("<p> ::= 'a'\r\n'b'", "[a\nb];");
}

static void test_angles(void **state) {
    (void)state;
    check_rules("<e> ::= <e> < <e> | x", "<e>[ < ]<e>|[x];");
    check_rules("<e> ::= a<b | x", "[a<b]|[x];");
    check_rules("<e> ::= <e>'<='<e> | <", "<e>[<=]<e>|[<];");
    check_rules("<e> ::= <> | << | x>y", "[<>]|[<<]|[x>y];");
    check_rules("<e> ::= x | y <c d> ::= z", "[x]|[y <c d> ::= z];");
}

/* ---- analysis ---- */

static void check_production(const uint32_t *g, uint32_t p, uint32_t depth, uint32_t nonterminals,
                             uint32_t recursive) {
    uint32_t word = gr_production(g, p);
    assert_int_equal(GR_PRODUCTION_DEPTH(word), depth);
    assert_int_equal(GR_PRODUCTION_NONTERMINALS(word), nonterminals);
    assert_int_equal(GR_PRODUCTION_RECURSIVE(word), recursive);
}

static void test_analysis(void **state) {
    (void)state;
    uint32_t words;
    gr_grammar *grammar = parse("<s> ::= <e> | <c>\n"
                                "<e> ::= <e>+<f> | <v>\n"
                                "<f> ::= (<e>) | <c> | ''\n"
                                "<v> ::= x<c> | y\n"
                                "<c> ::= 1 | 2\n");
    const uint32_t *g = gr_grammar_tables(grammar, &words);
    assert_int_equal(words, g[GR_G_WORDS]);
    assert_int_equal(g[GR_G_RULES], 5);
    assert_int_equal(g[GR_G_PRODUCTIONS], 11);
    assert_int_equal(g[GR_G_TOKENS], 0);
    check_production(g, 0, 3, 1, 1);  /* <e>: x or y through <v> */
    check_production(g, 1, 2, 1, 0);  /* <c> */
    check_production(g, 2, 3, 2, 1);  /* <e>+<f> */
    check_production(g, 3, 2, 1, 0);  /* <v> */
    check_production(g, 4, 3, 1, 1);  /* (<e>) */
    check_production(g, 5, 2, 1, 0);  /* <c> */
    check_production(g, 6, 1, 0, 0);  /* '' */
    check_production(g, 7, 2, 1, 0);  /* x<c> */
    check_production(g, 8, 1, 0, 0);  /* y */
    check_production(g, 10, 1, 0, 0); /* 2 */
    gr_grammar_free(grammar);
}

static void test_terminals_are_shared(void **state) {
    (void)state;
    uint32_t words;
    gr_grammar *grammar = parse("<s> ::= x<t>x | x | 'x' | \"\" <t> ::= '' | x | ' x'");
    const uint32_t *g = gr_grammar_tables(grammar, &words);
    assert_int_equal(g[GR_G_TERMINALS], 3);
    gr_grammar_free(grammar);
}

static int has_warning(const gr_grammar *grammar, const char *part) {
    for (uint32_t i = 0; i < gr_grammar_warnings(grammar); i++)
        if (strstr(gr_grammar_warning(grammar, i), part))
            return 1;
    return 0;
}

static void test_warnings(void **state) {
    (void)state;
    gr_grammar *grammar = parse("<s> ::= <t>\n<t> ::= x | y\n<u> ::= z | z\n");
    assert_int_equal(gr_grammar_warnings(grammar), 2);
    assert_true(has_warning(grammar, "g.bnf:1:1: rule <s> has a single production"));
    assert_true(has_warning(grammar, "g.bnf:3:1: rule <u> is never used"));
    gr_grammar_free(grammar);
    grammar = parse("<a> ::= don't | \xc3\xa9 | y <c d> ::= z");
    assert_true(has_warning(grammar, "g.bnf:1:12: a lone '"));
    assert_true(has_warning(grammar, "g.bnf:1:17: text outside ASCII"));
    assert_true(has_warning(grammar, "g.bnf:1:30: '::=' is text"));
    gr_grammar_free(grammar);
}

/* ---- errors ---- */

static void check_error_length(const char *text, size_t length, const char *expected) {
    gr_grammar *grammar = NULL;
    gr_error error = {0};
    gr_status status = gr_grammar_parse(text, length, "g.bnf", NULL, &grammar, &error);
    assert_int_equal(status, GR_BAD_INPUT);
    assert_int_equal(error.status, GR_BAD_INPUT);
    assert_null(grammar);
    assert_null(strchr(error.text, '\n'));
    assert_non_null(strstr(error.text, "; expected "));
    if (strncmp(error.text, expected, strlen(expected)) != 0)
        fail_msg("got \"%s\", expected \"%s...\"", error.text, expected);
}

static void check_error(const char *text, const char *expected) {
    check_error_length(text, strlen(text), expected);
}

static void test_errors(void **state) {
    (void)state;
    check_error("", "g.bnf:1:1: the grammar is empty");
    check_error(" \n\t\r\n", "g.bnf:1:1: the grammar is empty");
    check_error("# only a comment", "g.bnf:1:1: the grammar has no rule");
    check_error("<a b> ::= x", "g.bnf:1:1: the grammar has no rule");
    check_error("<a> ::= x\n<b> ::= | <c>", "g.bnf:2:11: non-terminal <c> has no rule");
    check_error("<e> ::= <e><=<e>", "g.bnf:1:12: non-terminal <=<e> has no rule");
    check_error("<a> ::= x\r\n<b> ::= y\r\n <a> ::= z", "g.bnf:3:2: rule <a> is defined again "
                                                        "(first on line 1)");
    check_error("<a> ::= x\n<b> ::= | | # y\n", "g.bnf:2:1: rule <b> has no production");
    check_error("<a> ::= GE_RANGE:0", "g.bnf:1:1: rule <a> has no production");
    check_error("<a> ::= x | <b>\n<b> ::= <b> y | y <b>", "g.bnf:2:1: rule <b> can never end");
    check_error("<a> ::= <b>\n<b> ::= <a>", "g.bnf:1:1: rule <a> can never end");
    check_error("<a> ::= 'x | y\n | z'", "g.bnf:1:9: quote ' is not closed");
    check_error("<a> ::= x |\n \"y", "g.bnf:2:2: quote \" is not closed");
    check_error("<a> ::= GE_RANGE:", "g.bnf:1:18: GE_RANGE: is not a range");
    check_error("<a> ::= GE_RANGE:-3", "g.bnf:1:18: GE_RANGE: is not a range");
    check_error("<a> ::= GE_RANGE:five", "g.bnf:1:18: GE_RANGE:five is not a range");
    check_error("<a> ::= GE_RANGE:3x", "g.bnf:1:18: GE_RANGE:3x is not a range");
    check_error("<a> ::= GE_RANGE:dataset_n_vars", "g.bnf:1:18: GE_RANGE:dataset_n_vars has no "
                                                   "value here");
    check_error("<a> ::= GE_RANGE:65536", "g.bnf:1:9: GE_RANGE of 65536 after 0 productions");
    check_error("<a> ::= x | GE_RANGE:65535", "g.bnf:1:13: GE_RANGE of 65535 after 1 productions");
    check_error("<a> ::= GE_RANGE:99999999999999999999", "g.bnf:1:9: GE_RANGE of ");
    check_error("<a> ::= '\\x4'", "g.bnf:1:10: escape \\x is cut short");
    check_error("<a> ::= '\\ud800'", "g.bnf:1:10: escape \\ud800 is no character");
    check_error("<a> ::= 'x\\'", "g.bnf:1:11: a backslash ends the text");
    check_error("<a> ::= '\\N{DASH}'", "g.bnf:1:10: escape \\N is not supported");
    check_error_length("<a> ::= x\0y", 11, "g.bnf:1:10: byte 0x00 is not text");
    check_error("\x7f"
                "ELF<a> ::= x",
                "g.bnf:1:1: byte 0x7f is not text");
}

static void test_missing_file(void **state) {
    (void)state;
    gr_grammar *grammar;
    gr_error error = {0};
    assert_int_equal(gr_grammar_load("/nonexistent/g.bnf", NULL, &grammar, &error), GR_BAD_INPUT);
    assert_non_null(strstr(error.text, "/nonexistent/g.bnf: No such file"));
    assert_int_equal(gr_grammar_load("/", NULL, &grammar, &error), GR_BAD_INPUT);
    assert_null(grammar);
}

/* `head`, then n times `body`, then `tail`. */
static char *repeat(const char *head, const char *body, size_t n, const char *tail) {
    size_t h = strlen(head), b = strlen(body);
    char *text = malloc(h + n * b + strlen(tail) + 1);
    memcpy(text, head, h);
    for (size_t i = 0; i < n; i++)
        memcpy(text + h + i * b, body, b);
    strcpy(text + h + n * b, tail);
    return text;
}

static void test_large(void **state) {
    (void)state;
    char *text = repeat("<a> ::= ", "x|", 100000, "x");
    check_error(text, "g.bnf:1:131079: more than 65535 productions");
    free(text);
    text = repeat("<a> ::= ", "<a>", 32768, "| x");
    check_error(text, "g.bnf:1:9: a production of more than 32767 non-terminals");
    free(text);
    text = repeat("<a> ::= ", "x|", 65534, "x"); /* the largest */
    gr_grammar *grammar = parse(text);
    uint32_t words;
    assert_int_equal(gr_grammar_tables(grammar, &words)[GR_G_PRODUCTIONS], 65535);
    gr_grammar_free(grammar);
    free(text);
    text = repeat("<a> ::= '", "x", 1 << 20, "'"); /* a line of a megabyte */
    grammar = parse(text);
    size_t length;
    gr_grammar_terminal(grammar, 0, &length);
    assert_int_equal(length, 1 << 20);
    gr_grammar_free(grammar);
    free(text);
    text = repeat("<a> ::= ", "<", 1 << 20, ""); /* names that never end: linear, not quadratic */
    gr_grammar_free(parse(text));
    free(text);
    text = repeat("<a> ::= ", "<b", 1 << 19, "");
    gr_grammar_free(parse(text));
    free(text);
    text = repeat("", "<", 1 << 20, "<a>");
    check_error(text, "g.bnf:1:1: the grammar has no rule");
    free(text);
}

/* A chain of rules as deep as the tables allow, in the order that is worst for iterating. */
static void test_deep(void **state) {
    (void)state;
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    for (int i = 0; i < 32766; i++)
        fprintf(f, "<r%d> ::= (<r%d>) | <r%d>\n", i, i + 1, i + 1);
    fprintf(f, "<r32766> ::= x | 1\n");
    fclose(f);
    gr_grammar *grammar = parse(text);
    uint32_t words;
    const uint32_t *g = gr_grammar_tables(grammar, &words);
    check_production(g, 0, 32767, 1, 0);
    check_production(g, 65533, 1, 0, 0);
    const char *names[] = {"x"};
    gr_vocabulary vocabulary = {names, 1, 0};
    gr_error error = {0};
    assert_int_equal(gr_grammar_tokenise(grammar, &vocabulary, &error), GR_OK);
    gr_grammar_free(grammar);
    free(text);
}

/* ---- tokens ---- */

static gr_status tokenise(const char *text, uint32_t inputs, int packed, gr_error *error) {
    gr_grammar *grammar = parse(text);
    gr_vocabulary vocabulary = {NULL, inputs, packed};
    gr_status status = gr_grammar_tokenise(grammar, &vocabulary, error);
    uint32_t words;
    const uint32_t *g = gr_grammar_tables(grammar, &words);
    assert_int_equal(g[GR_G_TOKENS] != 0, status == GR_OK);
    gr_grammar_free(grammar);
    return status;
}

static void check_sentences(const char *text, int packed, const char *expected) {
    gr_error error = {0};
    gr_status status = tokenise(text, 3, packed, &error);
    if (status != (expected ? GR_BAD_INPUT : GR_OK) ||
        (expected && strncmp(error.text, expected, strlen(expected)) != 0))
        fail_msg("\"%s\": got \"%s\", expected \"%s\"", text, error.text, expected);
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
    check_sentences("<e> ::= x0 | frob(<e>)", 0,
                    "g.bnf:1:14: terminal \"frob(\": 'frob' is unknown; expected ");
    check_sentences("<e> ::= x0 | x3", 0, "g.bnf:1:14: terminal \"x3\": there is no input 3; ");
    check_sentences(
        "<e> ::= x<i>\n<i> ::= 2 | 3", 0,
        "g.bnf:2:13: production \"3\" of <i> gives \"x3\", which is no expression: it ends "
        "too early");
    check_sentences(
        "<e> ::= x0 | (<e> | <e>) ", 0,
        "g.bnf:1:14: production \"(<e>\" of <e> gives \"(x0\", which is no expression: ");
    check_sentences("<s> ::= -<e>*2\n<e> ::= x0 | <e> <e>", 0,
                    "g.bnf:2:14: production \"<e> <e>\" of <e> gives \"-x0 x0*2\", which is no "
                    "expression: cannot go on at \"x0\"");
    check_sentences("<e> ::= x0 | <e>+<e>", 1, "g.bnf:1:17: terminal \"+\": '+' works on numbers");
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
                    "g.bnf:1:19: terminal \"c[\": c[...] is a constant to be optimised");
    check_sentences("<e> ::= <e> if <e> | x0", 0,
                    "g.bnf:1:9: production \"<e> if <e>\" of <e> gives \"x0 if x0\", which is no "
                    "expression: it ends too early");
    check_sentences("<e> ::= (<e> if <e> else <e>) | x0", 1,
                    "g.bnf:1:13: terminal \" if \": 'if' works on numbers");
}

static void test_tokens_of_terminals(void **state) {
    (void)state;
    gr_grammar *grammar = parse("<e> ::= <e> + <e>|''x1|''<e>");
    gr_vocabulary vocabulary = {NULL, 3, 0};
    gr_error error = {0};
    assert_int_equal(gr_grammar_tokenise(grammar, &vocabulary, &error), GR_OK);
    uint32_t words;
    const uint32_t *g = gr_grammar_tables(grammar, &words), *token = g + g[GR_G_TOKEN];
    assert_int_equal(words, g[GR_G_WORDS]);
    assert_int_equal(g[GR_G_TOKENS], 2);
    assert_int_equal(gr_token_first(g, 0), 0); /* " + " */
    assert_int_equal(gr_token_first(g, 1), 1); /* "x1" */
    assert_int_equal(gr_token_first(g, 2), 2); /* "" */
    assert_int_equal(gr_token_first(g, 3), 2);
    assert_int_equal(token[0],
                     GR_TOKEN(GR_T_OPERATOR, 0) | GR_TOKEN_SPACE_BEFORE | GR_TOKEN_SPACE_AFTER);
    assert_int_equal(token[2], GR_TOKEN(GR_T_INPUT, 0));
    assert_int_equal(token[3], 1);
    gr_grammar_free(grammar);
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
    gr_vocabulary vocabulary = {NULL, 1, 0};
    gr_error error = {0};
    assert_int_equal(gr_grammar_tokenise(grammar, &vocabulary, &error), GR_OK);
    assert_true(has_warning(grammar, "61 productions were not checked"));
    gr_grammar_free(grammar);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules_and_productions),
        cmocka_unit_test(test_quotes),
        cmocka_unit_test(test_comments),
        cmocka_unit_test(test_escapes),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_angles),
        cmocka_unit_test(test_analysis),
        cmocka_unit_test(test_terminals_are_shared),
        cmocka_unit_test(test_warnings),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_missing_file),
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_deep),
        cmocka_unit_test(test_sentences),
        cmocka_unit_test(test_grammars_of_the_field),
        cmocka_unit_test(test_tokens_of_terminals),
        cmocka_unit_test(test_exponential),
    };
    return cmocka_run_group_tests_name("grammar", tests, NULL, NULL);
}
