#include "host/expression/tokens.h"

#include "gpu/core/program/expression.h"
#include "host/base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DIGITS_PER_TOKEN = 9,    /* what 32 bits hold */
    LARGEST_EXPONENT = 10000 /* far beyond any float; keeps sums of exponents small */
};

/* A text on its way to tokens. */
typedef struct scan {
    const char *text;
    size_t length, at;
    const char *where;
    unsigned line;
    const gr_vocabulary *vocabulary;
    gr_token_list *tokens;
    uint32_t first; /* tokens of earlier texts */
    uint32_t space; /* flag for the next token */
    gr_error *error;
} scan;

static gr_status fail_at(const scan *s, size_t at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static gr_status fail_at(const scan *s, size_t at, const char *format, ...) {
    char reason[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    if (!s->where)
        return gr_fail(s->error, GR_BAD_INPUT, "%s", reason);
    return gr_fail(s->error, GR_BAD_INPUT, "%s:%u:%zu: %s", s->where, s->line,
                   gr_text_characters(s->text, at) + 1, reason);
}

static gr_status reserve(gr_token_list *list, gr_error *error) {
    if (list->count < list->capacity)
        return GR_OK;
    uint32_t capacity = list->capacity ? 2 * list->capacity : 16;
    uint32_t *words = realloc(list->words, (size_t)capacity * 2 * sizeof *words);
    if (words)
        list->words = words;
    uint32_t *columns = realloc(list->columns, (size_t)capacity * sizeof *columns);
    if (columns)
        list->columns = columns;
    if (!words || !columns)
        return gr_fail(error, GR_NO_MEMORY, "no memory for %u token%s", capacity, gr_s(capacity));
    list->capacity = capacity;
    return GR_OK;
}

gr_status gr_token_add(gr_token_list *list, uint32_t word, uint32_t operand, gr_error *error) {
    gr_status status = reserve(list, error);
    if (status != GR_OK)
        return status;
    list->words[2 * (size_t)list->count] = word;
    list->words[2 * (size_t)list->count + 1] = operand;
    list->columns[list->count++] = 1;
    return GR_OK;
}

static gr_status emit(scan *s, size_t at, uint32_t word, uint32_t operand) {
    gr_token_list *list = s->tokens;
    gr_status status = gr_token_add(list, word | s->space, operand, s->error);
    if (status != GR_OK)
        return status;
    list->columns[list->count - 1] = (uint32_t)at + 1;
    s->space = 0;
    return GR_OK;
}

static int is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}
static int is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* The character at position at, NUL behind the end. */
static char peek(const scan *s, size_t at) {
    return at < s->length ? s->text[at] : '\0';
}

static size_t skip_spaces(const scan *s, size_t at) {
    while (at < s->length && is_space(s->text[at]))
        at++;
    return at;
}

static int starts_name(const scan *s, size_t at) {
    return gr_text_name_character(s->text + at, s->length - at, true) > 0;
}

/* Behind the name that begins at position at. */
static size_t name_end(const scan *s, size_t at) {
    return at + gr_text_name(s->text + at, s->length - at);
}

static int same(const char *text, size_t length, const char *word) {
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

static int begins_with(const scan *s, size_t at, const char *word) {
    return s->length - at >= strlen(word) && memcmp(s->text + at, word, strlen(word)) == 0;
}

/* ---- operators ---- */

static const struct {
    const char *sign;  /* as written */
    const char *name;  /* the operation's name where ops.def has no such sign */
    uint32_t strength; /* GR_P_* */
} operators[] = {
    {"**", NULL, GR_P_POWER},      {"<=", NULL, GR_P_COMPARISON}, {">=", NULL, GR_P_COMPARISON},
    {"==", NULL, GR_P_COMPARISON}, {"!=", NULL, GR_P_COMPARISON}, {"<", NULL, GR_P_COMPARISON},
    {">", NULL, GR_P_COMPARISON},  {"+", NULL, GR_P_SUM},         {"-", NULL, GR_P_SUM},
    {"*", NULL, GR_P_PRODUCT},     {"/", NULL, GR_P_PRODUCT},     {"&", NULL, GR_P_BIT_AND},
    {"^", NULL, GR_P_BIT_XOR},     {"|", NULL, GR_P_BIT_OR},      {"~", "", 0},
    {"and", "and", GR_P_AND},      {"nand", "nand", GR_P_AND},    {"or", "or", GR_P_OR},
    {"nor", "nor", GR_P_OR},       {"xor", "xor", GR_P_OR},       {"not", "", 0},
};
enum { OPERATORS = sizeof operators / sizeof *operators, NO_OPERATOR = OPERATORS };

static size_t find_operator(const char *sign, size_t length) {
    size_t i = 0;
    while (i < OPERATORS && !same(sign, length, operators[i].sign))
        i++;
    return i;
}

uint32_t gr_operator_strength(const char *sign, size_t length) {
    size_t i = find_operator(sign, length);
    return i == NO_OPERATOR ? 0 : operators[i].strength;
}

/* Binary and unary operation of an operator; 0: none. */
static uint32_t binary_operation(size_t i, int packed) {
    const char *name = operators[i].name;
    if (!operators[i].strength)
        return 0;
    int op = name ? gr_find_operation(name, strlen(name), packed)
                  : gr_find_symbol(operators[i].sign, strlen(operators[i].sign), packed);
    return op < 0 ? 0 : (uint32_t)op;
}

static uint32_t unary_operation(size_t i, int packed) {
    const char *sign = operators[i].sign;
    if (strcmp(sign, "~") == 0 || strcmp(sign, "not") == 0)
        return packed ? GR_WNOT : GR_NOT;
    if (packed)
        return 0;
    return strcmp(sign, "-") == 0 ? GR_NEG : strcmp(sign, "+") == 0 ? GR_OP_COUNT : 0;
}

static gr_status emit_operator(scan *s, size_t at, size_t i) {
    const char *sign = operators[i].sign;
    uint32_t binary = binary_operation(i, s->vocabulary->packed);
    uint32_t unary = unary_operation(i, s->vocabulary->packed);
    uint32_t sign_strength = strcmp(sign, "not") == 0 ? GR_P_NOT : GR_P_SIGN;
    if (!binary && !unary)
        return fail_at(s, at,
                       "'%s' works on numbers, but this problem is Boolean; "
                       "expected & | ^ ~, and, or, not, nand, nor or xor",
                       sign);
    return emit(s, at, GR_TOKEN(GR_T_OPERATOR, 0),
                GR_OPERATOR(binary, unary, operators[i].strength, sign_strength,
                            operators[i].strength == GR_P_POWER));
}

/* A sign of one or two characters, brackets and commas. */
static gr_status read_sign(scan *s) {
    size_t at = s->at;
    char c = s->text[at], next = peek(s, at + 1);
    switch (c) {
    case '(':
        s->at++;
        return emit(s, at, GR_TOKEN(GR_T_OPEN, 0), 0);
    case ')':
        s->at++;
        return emit(s, at, GR_TOKEN(GR_T_CLOSE, 0), 0);
    case ',':
        s->at++;
        return emit(s, at, GR_TOKEN(GR_T_COMMA, 0), 0);
    case ']':
        s->at++;
        return emit(s, at, GR_TOKEN(GR_T_BRACKET, 0), 0);
    default:
        break;
    }
    if (c == '%' || (c == '/' && next == '/'))
        return fail_at(s, at, "'%s' is not supported; expected + - * / ** or a function",
                       c == '%' ? "%" : "//");
    for (size_t i = 0, length; i < OPERATORS; i++) {
        length = strlen(operators[i].sign);
        if (!gr_text_name(operators[i].sign, length) && length <= s->length - at &&
            memcmp(operators[i].sign, s->text + at, length) == 0) {
            s->at += length;
            return emit_operator(s, at, i);
        }
    }
    if (c == '=')
        return fail_at(s, at, "'=' is no operator; expected '==' or an expression");
    if (c > ' ' && c < 127)
        return fail_at(
            s, at, "'%c' is not in the expression language; expected operands and operators", c);
    int bytes = (int)gr_utf8_length(s->text + at, s->length - at);
    if (bytes > 1)
        return fail_at(s, at,
                       "'%.*s' is not in the expression language; expected operands and operators",
                       bytes, s->text + at);
    return fail_at(s, at, "byte 0x%02x is not in the expression language; expected text in UTF-8",
                   (unsigned)(unsigned char)c);
}

/* ---- numbers ---- */

/* [eE][+-]digits at position at: its length, 0 when there is none. */
static size_t exponent_length(const scan *s, size_t at) {
    size_t i = at;
    if (peek(s, i) != 'e' && peek(s, i) != 'E')
        return 0;
    i++;
    if (peek(s, i) == '+' || peek(s, i) == '-')
        i++;
    if (!is_digit(peek(s, i)))
        return 0;
    while (is_digit(peek(s, i)))
        i++;
    return i - at;
}

static gr_status read_exponent(scan *s, size_t length) {
    size_t at = s->at, i = at + 1;
    int negative = s->text[i] == '-', value = 0;
    if (negative || s->text[i] == '+')
        i++;
    for (; i < at + length; i++)
        if (value < LARGEST_EXPONENT)
            value = 10 * value + (s->text[i] - '0');
    if (value > LARGEST_EXPONENT)
        value = LARGEST_EXPONENT;
    s->at += length;
    return emit(s, at, GR_TOKEN(GR_T_EXPONENT, 0), (uint32_t)(negative ? -value : value));
}

/* Digits, a point or both, and the exponent that touches them. */
static gr_status read_number(scan *s) {
    gr_status status = GR_OK;
    while (status == GR_OK && (is_digit(peek(s, s->at)) || peek(s, s->at) == '.')) {
        size_t at = s->at;
        uint32_t value = 0, count = 0;
        if (s->text[at] == '.') {
            s->at++;
            status = emit(s, at, GR_TOKEN(GR_T_DOT, 0), 0);
            continue;
        }
        while (count < DIGITS_PER_TOKEN && is_digit(peek(s, s->at))) {
            value = 10 * value + (uint32_t)(s->text[s->at++] - '0');
            count++;
        }
        status = emit(s, at, GR_TOKEN(GR_T_DIGITS, count), value);
    }
    size_t length = exponent_length(s, s->at);
    return status == GR_OK && length ? read_exponent(s, length) : status;
}

/* ---- inputs ---- */

/* The decimal number in text[0, length); 2^32 - 1 when it is longer than any index. */
static uint32_t index_value(const char *text, size_t length) {
    uint64_t value = 0;
    for (size_t i = 0; i < length && value < UINT32_MAX; i++)
        value = 10 * value + (uint64_t)(text[i] - '0');
    return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

/* c[index], a constant that a run fits. */
static gr_status emit_free(scan *s, size_t at, const char *digits, size_t length) {
    uint32_t index = index_value(digits, length);
    if (index < GR_FREE_CONSTANTS)
        return emit(s, at, GR_TOKEN(GR_T_CONSTANT, 0), gr_free_constant(index));
    return fail_at(s, at, "there is no constant c[%.*s]; expected c[0] to c[%d]",
                   (int)gr_min_u32((uint32_t)length, 20), digits, GR_FREE_CONSTANTS - 1);
}

static gr_status emit_input(scan *s, size_t at, const char *digits, size_t length) {
    uint32_t index = index_value(digits, length), inputs = s->vocabulary->inputs;
    if (index < inputs)
        return emit(s, at, GR_TOKEN(GR_T_INPUT, 0), index);
    if (!inputs)
        return fail_at(s, at, "input %.*s of a problem without inputs; expected a number",
                       (int)gr_min_u32((uint32_t)length, 20), digits);
    return fail_at(s, at, "there is no input %.*s; expected an input from 0 to %u",
                   (int)gr_min_u32((uint32_t)length, 20), digits, inputs - 1);
}

static int find_input(const scan *s, const char *name, size_t length) {
    const gr_vocabulary *v = s->vocabulary;
    for (uint32_t i = 0; v->names && i < v->inputs; i++)
        if (v->names[i] && same(name, length, v->names[i]))
            return (int)i;
    return -1;
}

/* Pieces `x` and digits count from 0. That would contradict a column named, say, x1 that is input
 * 0. */
static gr_status check_prefix(const scan *s, size_t at) {
    const gr_vocabulary *v = s->vocabulary;
    for (uint32_t i = 0; v->names && i < v->inputs; i++) {
        const char *name = v->names[i];
        size_t digits = name && name[0] == 'x' ? strspn(name + 1, "0123456789") : 0;
        if (digits && !name[1 + digits] && index_value(name + 1, digits) != i)
            return fail_at(s, at,
                           "'x' before separate digits counts from 0, but column %s is input %u; "
                           "expected 'x[' digits ']' or whole names",
                           name, i);
    }
    return GR_OK;
}

/* "x[", "x[:,", "c[" and, when they stand in the same text, the digits and "]" that follow. */
static gr_status read_index(scan *s, size_t at, size_t bracket) {
    uint32_t constant = s->text[at] == 'c';
    size_t i = skip_spaces(s, bracket + 1);
    if (!constant && peek(s, i) == ':') {
        i = skip_spaces(s, i + 1);
        if (peek(s, i) != ',')
            return fail_at(s, i, "the index of x is incomplete; expected 'x[:, ' or 'x['");
        i++;
    }
    size_t digits = skip_spaces(s, i), end = digits;
    while (is_digit(peek(s, end)))
        end++;
    size_t close = skip_spaces(s, end);
    if (end > digits && peek(s, close) == ']') {
        s->at = close + 1;
        return (constant ? emit_free : emit_input)(s, at, s->text + digits, end - digits);
    }
    s->at = i;
    return emit(s, at, GR_TOKEN(GR_T_INDEX, 0), constant);
}

/* ---- names ---- */

/* Whether the token before, within the same text, ends an operand. */
static int behind_operand(const scan *s) {
    if (s->tokens->count == s->first)
        return 0;
    switch (GR_TOKEN_KIND(s->tokens->words[2 * (size_t)(s->tokens->count - 1)])) {
    case GR_T_INPUT:
    case GR_T_CONSTANT:
    case GR_T_DIGITS:
    case GR_T_DOT:
    case GR_T_EXPONENT:
    case GR_T_BRACKET:
    case GR_T_CLOSE:
        return 1;
    default:
        return 0;
    }
}

/* and, or, nand, nor, xor, not. See tokens.h for the choice between function and operator. */
static gr_status read_word_operator(scan *s, size_t at, size_t i) {
    int begins = s->tokens->count == s->first;
    int call = peek(s, s->at) == '(' && !behind_operand(s) && !(begins && s->space);
    if (operators[i].strength && call)
        return emit(s, at, GR_TOKEN(GR_T_FUNCTION, 0), binary_operation(i, s->vocabulary->packed));
    return emit_operator(s, at, i);
}

/* Whether the bracket at position at is closed and "else" follows: `a if(c) else b`. Looks only so
 * far ahead that a long text of these stays quick. */
static int else_follows(const scan *s, size_t at) {
    size_t depth = 0, limit = at + 2000;
    do {
        char c = peek(s, at);
        depth += c == '(';
        depth -= c == ')';
    } while (at++ < s->length && depth && at < limit);
    at = skip_spaces(s, at < s->length ? at : s->length);
    return name_end(s, at) - at == 4 && memcmp(s->text + at, "else", 4) == 0;
}

/* if between operands, and else. See tokens.h for the choice between function and operator. */
static gr_status read_conditional(scan *s, size_t at, size_t length, int *read) {
    int begins = s->tokens->count == s->first, is_else = same(s->text + at, length, "else");
    int call = !is_else && peek(s, s->at) == '(' && !else_follows(s, s->at);
    *read = is_else || (begins && s->space) || (behind_operand(s) && !call);
    if (!*read)
        return GR_OK;
    if (s->vocabulary->packed)
        return fail_at(s, at,
                       "'%s' works on numbers, but this problem is Boolean; expected "
                       "and, or, not",
                       is_else ? "else" : "if");
    return emit(s, at, GR_TOKEN(is_else ? GR_T_ELSE : GR_T_IF, 0), 0);
}

static int named_constant(const scan *s, const char *name, size_t length, uint32_t *bits) {
    int packed = s->vocabulary->packed;
    if (same(name, length, "True"))
        *bits = packed ? 0xffffffffu : gr_float_bits(1.0f);
    else if (same(name, length, "False"))
        *bits = 0;
    else if (!packed && same(name, length, "pi"))
        *bits = gr_float_bits(3.14159265358979323846f);
    else if (!packed && same(name, length, "e"))
        *bits = gr_float_bits(2.71828182845904523536f);
    else
        return 0;
    return 1;
}

static gr_status unknown_name(const scan *s, size_t at, const char *name, size_t length) {
    int shown = gr_text_fits(name, length, 60), packed = s->vocabulary->packed;
    if (gr_find_operation(name, length, !packed) >= 0)
        return fail_at(s, at, "'%.*s' works on %s; expected a function of %s", shown, name,
                       packed ? "numbers, but this problem is Boolean" : "Boolean words only",
                       packed ? "Boolean values" : "numbers");
    return fail_at(s, at, "'%.*s' is unknown; expected an input, a function or a constant", shown,
                   name);
}

/* A name that stands for a value or a function. */
static gr_status read_plain_name(scan *s, size_t at, size_t end, int module) {
    const char *name = s->text + at;
    size_t length = end - at;
    int op = gr_find_operation(name, length, s->vocabulary->packed);
    int input = module ? -1 : find_input(s, name, length), called;
    uint32_t bits;
    s->at = end;
    called = op >= 0 && peek(s, skip_spaces(s, end)) == '(';
    if (!module && same(name, length, "x")) {
        size_t bracket = skip_spaces(s, end + (begins_with(s, end, ".iloc") ? 5 : 0));
        if (peek(s, bracket) == '[')
            return read_index(s, at, bracket);
    }
    if (!module && same(name, length, "c") && peek(s, end) == '[') {
        if (s->vocabulary->free_constants && !s->vocabulary->packed)
            return read_index(s, at, end);
        return fail_at(s, at, "c[...] is a constant that a run fits; expected %s",
                       s->vocabulary->packed ? "none in a Boolean problem"
                                             : "numbers, or optimise-constants elites, share or "
                                               "all");
    }
    if (input >= 0 && !called)
        return emit(s, at, GR_TOKEN(GR_T_INPUT, 0), (uint32_t)input);
    if (op >= 0)
        return emit(s, at, GR_TOKEN(GR_T_FUNCTION, 0), (uint32_t)op);
    if (named_constant(s, name, length, &bits))
        return emit(s, at, GR_TOKEN(GR_T_CONSTANT, 0), bits);
    if (module)
        return unknown_name(s, at, name, length);
    if (same(name, length, "x")) {
        gr_status status = check_prefix(s, at);
        return status == GR_OK ? emit(s, at, GR_TOKEN(GR_T_PREFIX, 0), 0) : status;
    }
    size_t digits = 1;
    while (digits < length && is_digit(name[digits]))
        digits++;
    if (name[0] == 'x' && length > 1 && digits == length)
        return emit_input(s, at, name + 1, length - 1);
    size_t exponent = exponent_length(s, at); /* a piece of a number */
    if (s->tokens->count == s->first && exponent && exponent >= length) {
        s->at = at;
        return read_exponent(s, exponent);
    }
    return unknown_name(s, at, name, length);
}

static gr_status read_name(scan *s) {
    static const char *const modules[] = {"np", "numpy", "math", "cmath"};
    size_t at = s->at, end = name_end(s, at), length = end - at;
    uint32_t bits;
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
        if (!same(s->text + at, length, modules[i]) || peek(s, end) != '.')
            continue;
        s->at = end + 1;
        if (starts_name(s, end + 1))
            return read_plain_name(s, end + 1, name_end(s, end + 1), 1);
        if (end + 1 == s->length) /* the function's name is another piece */
            return GR_OK;
        return fail_at(s, end + 1, "'%s.' stands alone; expected a function's name", modules[i]);
    }
    s->at = end;
    size_t word = find_operator(s->text + at, length);
    if (word != NO_OPERATOR)
        return read_word_operator(s, at, word);
    if ((same(s->text + at, length, "if") || same(s->text + at, length, "else")) &&
        find_input(s, s->text + at, length) < 0) {
        int read;
        gr_status status = read_conditional(s, at, length, &read);
        if (read)
            return status;
    }
    if (length > 1 && s->text[at] != 'p' && named_constant(s, s->text + at, length, &bits))
        return emit(s, at, GR_TOKEN(GR_T_CONSTANT, 0), bits); /* True, False: never an input */
    return read_plain_name(s, at, end, 0);
}

gr_status gr_tokenise(const char *text, size_t length, const char *where, unsigned line,
                      const gr_vocabulary *vocabulary, gr_token_list *tokens, gr_error *error) {
    scan s = {text, length, 0, where, line, vocabulary, tokens, tokens->count, 0, error};
    if (length > INT32_MAX)
        return gr_fail(error, GR_BAD_INPUT, "a text of %zu bytes; expected at most %d", length,
                       INT32_MAX);
    gr_status status = GR_OK;
    while (status == GR_OK) {
        size_t next = skip_spaces(&s, s.at);
        if (next > s.at) {
            s.space = GR_TOKEN_SPACE_BEFORE;
            if (tokens->count > s.first)
                tokens->words[2 * (size_t)(tokens->count - 1)] |= GR_TOKEN_SPACE_AFTER;
        }
        s.at = next;
        if (s.at == length)
            break;
        char c = text[s.at];
        if (is_digit(c) || (c == '.'))
            status = read_number(&s);
        else
            status = starts_name(&s, s.at) ? read_name(&s) : read_sign(&s);
    }
    if (status == GR_OK && s.space && tokens->count == s.first)
        status = emit(&s, 0, GR_TOKEN(GR_T_SPACE, 0), 0);
    return status;
}

void gr_token_list_free(gr_token_list *tokens) {
    free(tokens->words);
    free(tokens->columns);
    *tokens = (gr_token_list){0};
}
