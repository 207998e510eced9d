/* gpu/core/program/expression.h: tokens as the device feeds them, to nodes worked out by hand.
 * Sentences as text: tests/unit/host/expression/test_reader.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/core/program/expression.h"
#include "tests/core.h"

#include <stdio.h>

enum { NODES = 16, LEVELS = 16, MOST = 24 };

typedef struct token {
    uint32_t word, operand;
} token;

/* x0 .. x2, digits, and operators as host/expression/vocabulary.c has them. */
#define X(i)                                                                                       \
    { GR_T_INPUT, i }
#define DIGITS(count, value)                                                                       \
    { GR_TOKEN(GR_T_DIGITS, count), value }
#define DOT                                                                                        \
    { GR_T_DOT, 0 }
#define EXPONENT(e)                                                                                \
    { GR_T_EXPONENT, (uint32_t)(e) }
#define SPACE                                                                                      \
    { GR_T_SPACE, 0 }
#define OPEN                                                                                       \
    { GR_T_OPEN, 0 }
#define CLOSE                                                                                      \
    { GR_T_CLOSE, 0 }
#define COMMA                                                                                      \
    { GR_T_COMMA, 0 }
#define FUNCTION(op)                                                                               \
    { GR_T_FUNCTION, op }
#define PLUS                                                                                       \
    { GR_T_OPERATOR, GR_OPERATOR(GR_ADD, GR_OP_COUNT, GR_P_SUM, GR_P_SIGN, 0) }
#define MINUS                                                                                      \
    { GR_T_OPERATOR, GR_OPERATOR(GR_SUB, GR_NEG, GR_P_SUM, GR_P_SIGN, 0) }
#define TIMES                                                                                      \
    { GR_T_OPERATOR, GR_OPERATOR(GR_MUL, 0, GR_P_PRODUCT, 0, 0) }
#define POWER                                                                                      \
    { GR_T_OPERATOR, GR_OPERATOR(GR_POW, 0, GR_P_POWER, 0, 1) }
#define LESS                                                                                       \
    { GR_T_OPERATOR, GR_OPERATOR(GR_LT, 0, GR_P_COMPARISON, 0, 0) }
#define NOT                                                                                        \
    { GR_T_OPERATOR, GR_OPERATOR(0, GR_NOT, 0, GR_P_NOT, 0) }
#define IF                                                                                         \
    { GR_T_IF, 0 }
#define ELSE                                                                                       \
    { GR_T_ELSE, 0 }
#define PREFIX                                                                                     \
    { GR_T_PREFIX, 0 }
#define INDEX                                                                                      \
    { GR_T_INDEX, 0 }
#define FREE                                                                                       \
    { GR_T_INDEX, GR_FREE_NUMBER - GR_INDEX_NUMBER }
#define MINUS_SPACE                                                                                \
    { GR_T_OPERATOR | GR_TOKEN_SPACE_AFTER, GR_OPERATOR(GR_SUB, GR_NEG, GR_P_SUM, GR_P_SIGN, 0) }
#define BRACKET                                                                                    \
    { GR_T_BRACKET, 0 }
#define STOP                                                                                       \
    { GR_T_END, 0 }

typedef struct sentence {
    uint32_t status;
    token tokens[MOST];   /* up to STOP */
    const char *expected; /* postfix: inputs 0 1 2, constants as letters from a on, signs */
    float constant[4];
} sentence;

static gr_parser parse(const token *tokens, gr_node *nodes, uint32_t nodes_capacity,
                       uint32_t levels, uint32_t packed) {
    static uint32_t stack[LEVELS];
    gr_parser p;
    gr_parser_start(&p, (gr_nodes){nodes, 1}, nodes_capacity, (gr_words){stack, 1}, levels, 3,
                    packed);
    for (; GR_TOKEN_KIND(tokens->word) != GR_T_END; tokens++)
        gr_parse_token(&p, tokens->word, tokens->operand);
    gr_parse_end(&p);
    return p;
}

static char sign_of(uint32_t op) {
    switch (op) {
    case GR_ADD:
        return '+';
    case GR_SUB:
        return '-';
    case GR_MUL:
        return '*';
    case GR_POW:
        return '^';
    case GR_LT:
        return '<';
    case GR_NEG:
        return '~';
    case GR_NOT:
        return '!';
    case GR_SIN:
        return 's';
    case GR_PDIV:
        return '/';
    case GR_IF:
        return '?';
    }
    return ' ';
}

static void check(size_t number, const sentence *s) {
    gr_node nodes[NODES];
    char text[NODES + 1] = "";
    gr_parser p = parse(s->tokens, nodes, NODES, LEVELS, 0);
    uint32_t constants = 0;
    for (uint32_t i = 0; i < p.count && p.status == GR_PARSE_OK; i++) {
        uint32_t op = GR_NODE_OP(nodes[i]);
        text[i] = op == GR_INPUT      ? (char)('0' + nodes[i].operand)
                  : op == GR_CONSTANT ? (char)('a' + constants)
                                      : sign_of(op);
        text[i + 1] = '\0';
        if (op == GR_CONSTANT && nodes[i].operand != gr_float_bits(s->constant[constants++]))
            fail_msg("sentence %zu: constant %g", number, (double)gr_bits_float(nodes[i].operand));
    }
    if (p.status != s->status || strcmp(text, s->expected) != 0)
        fail_msg("sentence %zu: status %u, \"%s\", expected \"%s\"", number, p.status, text,
                 s->expected);
}

static void check_all(const sentence *sentences, size_t count) {
    for (size_t k = 0; k < count; k++)
        check(k, &sentences[k]);
}
#define CHECK(sentences) check_all(sentences, sizeof sentences / sizeof *sentences)

static void test_precedence(void **state) {
    (void)state;
    static const sentence known[] = {
        {GR_PARSE_OK, {X(0), MINUS, X(1), TIMES, X(2), STOP}, "012*-", {0}},
        {GR_PARSE_OK, {X(0), TIMES, X(1), MINUS, X(2), STOP}, "01*2-", {0}},
        {GR_PARSE_OK, {X(0), MINUS, X(1), MINUS, X(2), STOP}, "01-2-", {0}},
        {GR_PARSE_OK, {X(0), MINUS, OPEN, X(1), MINUS, X(2), CLOSE, STOP}, "012--", {0}},
        {GR_PARSE_OK, {X(0), POWER, X(1), POWER, X(2), STOP}, "012^^", {0}},
        {GR_PARSE_OK, {MINUS, X(0), POWER, X(1), STOP}, "01^~", {0}},
        {GR_PARSE_OK, {X(0), POWER, MINUS, X(1), STOP}, "01~^", {0}},
        {GR_PARSE_OK, {MINUS, X(0), TIMES, X(1), STOP}, "0~1*", {0}},
        {GR_PARSE_OK, {NOT, X(0), LESS, X(1), STOP}, "01<!", {0}},
        {GR_PARSE_OK, {PLUS, X(0), STOP}, "0", {0}},
        {GR_PARSE_SYNTAX, {X(0), LESS, X(1), LESS, X(2), STOP}, "", {0}},
        {GR_PARSE_SYNTAX, {X(0), TIMES, STOP}, "", {0}},
        {GR_PARSE_SYNTAX, {TIMES, X(0), STOP}, "", {0}},
        {GR_PARSE_SYNTAX, {X(0), CLOSE, STOP}, "", {0}},
        {GR_PARSE_SYNTAX, {OPEN, X(0), STOP}, "", {0}},
        {GR_PARSE_SYNTAX, {X(0), X(1), STOP}, "", {0}},
        {GR_PARSE_SYNTAX, {STOP}, "", {0}},
    };
    CHECK(known);
}

/* Numbers and inputs come in pieces; white space ends them. */
static void test_numbers(void **state) {
    (void)state;
    static const sentence known[] = {
        {GR_PARSE_OK, {DIGITS(2, 12), DOT, DIGITS(1, 5), STOP}, "a", {12.5f}},
        {GR_PARSE_OK, {DIGITS(1, 1), DIGITS(1, 2), DOT, DIGITS(2, 5), STOP}, "a", {12.05f}},
        {GR_PARSE_OK, {DIGITS(2, 12), DOT, DIGITS(1, 5), EXPONENT(-1), STOP}, "a", {1.25f}},
        {GR_PARSE_OK, {DOT, DIGITS(3, 250), EXPONENT(3), STOP}, "a", {250.0f}},
        {GR_PARSE_OK, {DIGITS(1, 3), DOT, STOP}, "a", {3.0f}},
        {GR_PARSE_OK,
         {DIGITS(9, 123456789), DIGITS(9, 987654321), DIGITS(3, 0), STOP},
         "a",
         {123456789987654321000.0f}},
        {GR_PARSE_OK, {DOT, DIGITS(9, 1), DIGITS(9, 999999999), STOP}, "a", {1.999999999e-9f}},
        {GR_PARSE_OK, {MINUS, DIGITS(1, 3), STOP}, "a", {-3.0f}}, /* a sign folds */
        {GR_PARSE_OK, {MINUS, MINUS, DIGITS(1, 3), STOP}, "a", {3.0f}},
        {GR_PARSE_OK, {DIGITS(1, 2), MINUS, DIGITS(1, 3), STOP}, "ab-", {2.0f, 3.0f}},
        {GR_PARSE_OK, {PREFIX, DIGITS(1, 2), STOP}, "2", {0}},
        {GR_PARSE_OK, {PREFIX, DIGITS(1, 0), DIGITS(1, 1), STOP}, "1", {0}},
        {GR_PARSE_OK, {INDEX, SPACE, DIGITS(1, 2), BRACKET, STOP}, "2", {0}},
        {GR_PARSE_SYNTAX, {PREFIX, DIGITS(1, 3), STOP}, "", {0}}, /* there are three inputs */
        {GR_PARSE_SYNTAX, {PREFIX, DIGITS(1, 1), DIGITS(1, 0), STOP}, "", {0}},
        {GR_PARSE_SYNTAX, {INDEX, DIGITS(1, 2), STOP}, "", {0}},
        {GR_PARSE_SYNTAX, {INDEX, BRACKET, STOP}, "", {0}},
        {GR_PARSE_SYNTAX, {DIGITS(1, 1), SPACE, DIGITS(1, 2), STOP}, "", {0}},
        {GR_PARSE_SYNTAX, {DIGITS(1, 1), DOT, DIGITS(1, 2), DOT, DIGITS(1, 3), STOP}, "", {0}},
        {GR_PARSE_SYNTAX, {DOT, STOP}, "", {0}},
        {GR_PARSE_SYNTAX, {DIGITS(1, 1), EXPONENT(39), STOP}, "", {0}}, /* no float */
    };
    CHECK(known);
}

static void test_lists_and_calls(void **state) {
    (void)state;
    static const sentence known[] = {
        {GR_PARSE_OK, {OPEN, PLUS, X(0), X(1), X(2), CLOSE, STOP}, "01+2+", {0}},
        {GR_PARSE_OK, {OPEN, TIMES, X(0), X(1), CLOSE, STOP}, "01*", {0}},
        {GR_PARSE_OK, {OPEN, X(0), X(1), MINUS, CLOSE, STOP}, "01-", {0}},
        {GR_PARSE_OK, {OPEN, FUNCTION(GR_PDIV), SPACE, X(0), X(1), CLOSE, STOP}, "01/", {0}},
        {GR_PARSE_OK, {OPEN, MINUS, X(0), CLOSE, STOP}, "0~", {0}},
        {GR_PARSE_OK,
         {FUNCTION(GR_PDIV), OPEN, X(0), COMMA, X(1), PLUS, X(2), CLOSE, STOP},
         "012+/",
         {0}},
        {GR_PARSE_OK, {FUNCTION(GR_SIN), OPEN, X(0), CLOSE, POWER, X(1), STOP}, "0s1^", {0}},
        {GR_PARSE_SYNTAX, {FUNCTION(GR_PDIV), OPEN, X(0), CLOSE, STOP}, "", {0}},
        {GR_PARSE_SYNTAX, {FUNCTION(GR_SIN), OPEN, X(0), COMMA, X(1), CLOSE, STOP}, "", {0}},
        {GR_PARSE_SYNTAX, {FUNCTION(GR_SIN), X(0), STOP}, "", {0}},
        {GR_PARSE_SYNTAX, {OPEN, TIMES, X(0), CLOSE, STOP}, "", {0}},
        {GR_PARSE_SYNTAX, {OPEN, X(0), X(1), CLOSE, STOP}, "", {0}},
        {GR_PARSE_SYNTAX, {OPEN, X(0), COMMA, X(1), CLOSE, STOP}, "", {0}},
    };
    CHECK(known);
}

/* Signs before an item are its own, however many; behind a head they are told by white space. */
static void test_signs_in_lists(void **state) {
    (void)state;
    static const sentence known[] = {
        {GR_PARSE_OK, {OPEN, TIMES, MINUS, MINUS, X(0), X(1), CLOSE, STOP}, "0~~1*", {0}},
        /* ( - x0 - x1) is a difference, ( - x0 -x1) a list of two */
        {GR_PARSE_OK,
         {OPEN, MINUS_SPACE, X(0), SPACE, MINUS_SPACE, X(1), CLOSE, STOP},
         "0~1-",
         {0}},
        {GR_PARSE_OK, {OPEN, MINUS_SPACE, X(0), SPACE, MINUS, X(1), CLOSE, STOP}, "01~-", {0}},
    };
    CHECK(known);
}

/* (pdiv (x0) x1): behind a head and white space a bracket begins its first item. */
static void test_bracket_behind_head(void **state) {
    (void)state;
    static const sentence known[] = {
        {GR_PARSE_OK,
         {OPEN, FUNCTION(GR_PDIV), SPACE, OPEN, X(0), CLOSE, X(1), CLOSE, STOP},
         "01/",
         {0}},
        {GR_PARSE_OK,
         {OPEN, FUNCTION(GR_PDIV), OPEN, X(0), COMMA, X(1), CLOSE, CLOSE, STOP},
         "01/",
         {0}},
    };
    CHECK(known);
}

/* A list is read or refused, never cut: its operands are counted in twelve bits. */
static void test_long_lists(void **state) {
    (void)state;
    enum { LONG = 5000 };
    static const token head[] = {OPEN, PLUS}, item = X(0), close = CLOSE;
    gr_node *nodes = malloc(2 * LONG * sizeof *nodes);
    for (uint32_t count = 3000; count <= LONG; count += 2000) {
        uint32_t stack[LEVELS];
        gr_parser p;
        gr_parser_start(&p, (gr_nodes){nodes, 1}, 2 * LONG, (gr_words){stack, 1}, LEVELS, 3, 0);
        for (size_t k = 0; k < 2; k++)
            gr_parse_token(&p, head[k].word, head[k].operand);
        for (uint32_t k = 0; k < count; k++)
            gr_parse_token(&p, item.word, item.operand);
        gr_parse_token(&p, close.word, close.operand);
        gr_parse_end(&p);
        assert_int_equal(p.status, count == LONG ? GR_PARSE_TOO_LARGE : GR_PARSE_OK);
        assert_true(count == LONG || p.count == 2 * count - 1);
    }
    free(nodes);
}

/* c[255] is the last constant that is fitted. */
static void test_free_constants(void **state) {
    (void)state;
    static const token last[] = {FREE, DIGITS(3, 255), BRACKET, STOP},
                       none[] = {FREE, DIGITS(3, 256), BRACKET, STOP};
    gr_node nodes[NODES];
    assert_int_equal(parse(last, nodes, NODES, LEVELS, 0).status, GR_PARSE_OK);
    assert_int_equal(GR_NODE_OP(nodes[0]), GR_CONSTANT);
    assert_int_equal(gr_free_index(nodes[0].operand), 255);
    assert_int_equal(parse(none, nodes, NODES, LEVELS, 0).status, GR_PARSE_SYNTAX);
}

/* Nothing stands around targets(x0, x1), not even what means nothing. */
static void test_targets_alone(void **state) {
    (void)state;
    static const token call[] = {FUNCTION(GR_TARGETS), OPEN, X(0), COMMA, X(1), CLOSE},
                       before[] = {SPACE, OPEN, PLUS}, behind[] = {SPACE, CLOSE, SPACE};
    for (size_t way = 0; way < 3; way++) {
        gr_node nodes[NODES];
        uint32_t stack[LEVELS];
        gr_parser p;
        gr_parser_start(&p, (gr_nodes){nodes, 1}, NODES, (gr_words){stack, 1}, LEVELS, 3, 0);
        p.outputs = 2;
        p.part = GR_TARGETS_SQUARE;
        gr_parse_token(&p, before[way].word, before[way].operand);
        for (size_t k = 0; k < sizeof call / sizeof *call; k++)
            gr_parse_token(&p, call[k].word, call[k].operand);
        gr_parse_token(&p, behind[way].word, behind[way].operand);
        gr_parse_end(&p);
        assert_int_equal(p.status, way ? GR_PARSE_SYNTAX : GR_PARSE_OK);
    }
}

/* The condition comes first in the tree; it groups from the right. */
static void test_conditional(void **state) {
    (void)state;
    static const sentence known[] = {
        {GR_PARSE_OK, {X(0), IF, X(1), ELSE, X(2), STOP}, "102?", {0}},
        {GR_PARSE_OK,
         {X(0), PLUS, X(2), IF, X(1), LESS, X(0), ELSE, X(2), TIMES, X(2), STOP},
         "10<02+22*?",
         {0}},
        {GR_PARSE_OK, {X(0), IF, X(1), ELSE, X(2), IF, X(0), ELSE, X(1), STOP}, "10021??", {0}},
        {GR_PARSE_SYNTAX, {X(0), IF, X(1), STOP}, "", {0}},
        {GR_PARSE_SYNTAX, {X(0), ELSE, X(1), STOP}, "", {0}},
    };
    CHECK(known);
}

/* Exactly as many nodes and levels as there are will do; nothing is written behind them. */
static void test_capacities(void **state) {
    (void)state;
    static const token sum[] = {X(0), PLUS, X(1), TIMES, X(2), STOP}, /* two wait at once */
        nested[] = {OPEN, OPEN, OPEN, X(0), CLOSE, CLOSE, CLOSE, STOP};
    gr_node nodes[NODES];
    for (uint32_t capacity = 0; capacity < 8; capacity++) {
        memset(nodes, 0xab, sizeof nodes);
        gr_parser p = parse(sum, nodes, capacity, LEVELS, 0);
        assert_int_equal(p.status, capacity < 5 ? GR_PARSE_TOO_LARGE : GR_PARSE_OK);
        for (uint32_t k = capacity; k < NODES; k++)
            assert_int_equal(nodes[k].head, 0xababababu);
        assert_int_equal(parse(sum, nodes, NODES, capacity, 0).status,
                         capacity < 2 ? GR_PARSE_TOO_LARGE : GR_PARSE_OK);
        assert_int_equal(parse(nested, nodes, NODES, capacity, 0).status,
                         capacity < 3 ? GR_PARSE_TOO_LARGE : GR_PARSE_OK);
    }
}

/* Truth tables: a number is all bits or none. */
static void test_packed(void **state) {
    (void)state;
    static const token one[] = {DIGITS(1, 1), STOP}, none[] = {DIGITS(1, 0), STOP},
                       half[] = {DIGITS(1, 0), DOT, DIGITS(1, 5), STOP};
    gr_node nodes[NODES];
    assert_int_equal(parse(one, nodes, NODES, LEVELS, 1).status, GR_PARSE_OK);
    assert_int_equal(nodes[0].operand, 0xffffffffu);
    assert_int_equal(parse(half, nodes, NODES, LEVELS, 1).status, GR_PARSE_OK);
    assert_int_equal(nodes[0].operand, 0xffffffffu);
    assert_int_equal(parse(none, nodes, NODES, LEVELS, 1).status, GR_PARSE_OK);
    assert_int_equal(nodes[0].operand, 0);
}

/* Up to 15 digits and powers of ten that a double holds exactly: strtod, rounded once more. */
static void test_decimal(void **state) {
    (void)state;
    core_dice dice = {3};
    for (uint32_t k = 0; k < 20000; k++) {
        char text[64];
        uint64_t mantissa =
            ((uint64_t)core_roll(&dice, 0) << 32 | core_roll(&dice, 0)) % 1000000000000000ull;
        int32_t exponent = (int32_t)core_roll(&dice, 45) - 22;
        for (uint32_t less = core_roll(&dice, 15); less; less--)
            mantissa /= 10;
        snprintf(text, sizeof text, "%llue%d", (unsigned long long)mantissa, (int)exponent);
        assert_true(gr_decimal(mantissa, exponent) == (float)strtod(text, NULL));
    }
    assert_true(gr_decimal(1, 1000) == GR_INFINITY);
    assert_true(gr_decimal(1, -1000) == 0.0f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_precedence),      cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_lists_and_calls), cmocka_unit_test(test_conditional),
        cmocka_unit_test(test_capacities),      cmocka_unit_test(test_packed),
        cmocka_unit_test(test_decimal),         cmocka_unit_test(test_signs_in_lists),
        cmocka_unit_test(test_long_lists),      cmocka_unit_test(test_bracket_behind_head),
        cmocka_unit_test(test_free_constants),  cmocka_unit_test(test_targets_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
