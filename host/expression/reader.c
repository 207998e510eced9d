#include "host/expression/reader.h"

#include "gpu/core/program/expression.h"
#include "host/base/text.h"
#include "host/expression/caret.h"
#include "host/expression/tokens.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_TREE = 65535 };

/* As messages count: characters, the first is 1. */
static size_t column_of(const char *text, size_t bytes) {
    return gr_text_characters(text, bytes) + 1;
}

/* What could have stood where the reader stopped. had: an operand was complete before the offending
 * token. */
static gr_status syntax_error(const char *text, const char *where, const char *rest, uint32_t had,
                              gr_error *error) {
    size_t column = column_of(text, (size_t)(rest - text));
    int shown = gr_text_room(rest, (int)gr_min_u32((uint32_t)strcspn(rest, " \t\r\n"), 20));
    const char *expected =
        had ? "an operator, ',' or ')'" : "a number, an input, a function or '('";
    if (!*rest)
        return gr_fail(error, GR_BAD_INPUT, "%s:1:%zu: the expression ends too early; expected %s",
                       where, column, expected);
    return gr_fail(error, GR_BAD_INPUT,
                   "%s:1:%zu: cannot read the expression at '%.*s'; expected %s", where, column,
                   shown, rest, expected);
}

/* At a ')' behind an operand: none is open, or what is open has another number of operands. Else
 * GR_OK: something else is wrong. */
static gr_status close_error(const char *where, size_t column, const gr_parser *p,
                             gr_error *error) {
    if (!p->top)
        return gr_fail(error, GR_BAD_INPUT,
                       "%s:1:%zu: a ')' without a '(' before it; expected as many of both", where,
                       column);
    uint32_t e = gr_parse_top(p), kind = GR_ENTRY_KIND(e), op = GR_ENTRY_OP(e);
    uint32_t count = GR_ENTRY_COUNT(e), fold = kind == GR_E_FOLD, many = op == GR_ARGMAX;
    if (kind == GR_E_LIST && (many || op == GR_TARGETS))
        return gr_fail(error, GR_BAD_INPUT, "%s:1:%zu: a list of '%s'; expected %s(...)", where,
                       column, gr_operation_name(op), gr_operation_name(op));
    if (kind == GR_E_IF)
        return gr_fail(error, GR_BAD_INPUT, "%s:1:%zu: 'if' without 'else'; expected both", where,
                       column);
    if (kind == GR_E_POSTFIX)
        return gr_fail(error, GR_BAD_INPUT,
                       "%s:1:%zu: operands without an operation; expected one between or behind "
                       "them",
                       where, column);
    if (kind != GR_E_CALL && kind != GR_E_LIST && kind != GR_E_POSTFIX_DONE && !fold)
        return GR_OK;
    uint32_t expected = many ? GR_MOST_RANKED : op == GR_TARGETS ? p->outputs : gr_arity(op);
    if (count == expected)
        return GR_OK;
    return gr_fail(error, GR_BAD_INPUT, "%s:1:%zu: '%s' of %u operand%s; expected %s%u", where,
                   column, gr_operation_name(op), count, gr_s(count),
                   many   ? "at most "
                   : fold ? "at least "
                          : "",
                   expected);
}

/* What is wrong with a token behind operands, where that can be said; else GR_OK. had: one was
 * complete. */
static gr_status behind_error(const char *where, size_t column, const uint32_t *token, uint32_t had,
                              const gr_parser *p, gr_error *error) {
    uint32_t kind = GR_TOKEN_KIND(token[0]), strength = (token[1] >> 16) & 0xffu;
    if (kind == GR_T_CLOSE && (had || GR_ENTRY_KIND(gr_parse_top(p)) == GR_E_POSTFIX_DONE))
        return close_error(where, column, p, error);
    int in_if = p->top && GR_ENTRY_KIND(gr_parse_top(p)) == GR_E_IF;
    if (kind == GR_T_COMMA && had)
        return gr_fail(error, GR_BAD_INPUT,
                       "%s:1:%zu: a ',' outside the operands of a function; expected an operator%s",
                       where, column,
                       in_if    ? " or 'else'"
                       : p->top ? " or ')'"
                                : "");
    if (kind == GR_T_OPERATOR && had && strength == GR_P_COMPARISON)
        return gr_fail(error, GR_BAD_INPUT,
                       "%s:1:%zu: a comparison of a comparison; expected 'and' between two, or "
                       "brackets",
                       where, column);
    return GR_OK;
}

const char *gr_too_large_number(const char *text, const char **end) {
    const char *at = text, *behind = text + strlen(text);
    while (*at) {
        size_t name = gr_text_name(at, (size_t)(behind - at));
        char *stop = NULL;
        if ((*at < '0' || *at > '9') && *at != '.') { /* digits of a name are no number */
            at += name ? name : 1;
            continue;
        }
        if (isinf(gr_text_float(at, &stop))) {
            *end = stop;
            return at;
        }
        at = stop > at ? stop : at + 1;
    }
    return NULL;
}

/* Feeds all tokens and the end to a started parser; '^' of the first `marked` tokens is marked. */
static gr_status parse(const char *text, const char *where, const gr_token_list *tokens,
                       uint32_t marked, gr_parser *p, gr_error *error) {
    uint32_t had = 0, i = 0;
    for (; i < tokens->count && p->status == GR_PARSE_OK; i++) {
        had = p->have || p->number != GR_NO_NUMBER;
        uint32_t word = tokens->words[2 * (size_t)i], operand = tokens->words[2 * (size_t)i + 1];
        gr_parse_token(p, word, i < marked ? gr_mark_caret(word, operand) : operand);
    }
    int ended = p->status == GR_PARSE_OK;
    if (ended) {
        had = p->have || p->number != GR_NO_NUMBER;
        gr_parse_end(p);
    }
    if (p->status == GR_PARSE_OK)
        return GR_OK;
    const char *at = text + (ended ? strlen(text) : tokens->columns[i - 1] - 1);
    uint32_t last = i - !ended; /* tokens before the one that did not do */
    if (last && GR_TOKEN_KIND(tokens->words[2 * (size_t)(last - 1)]) == GR_T_PREFIX)
        return gr_fail(error, GR_BAD_INPUT,
                       "%s:1:%zu: 'x' is unknown; expected an input, a function or a constant",
                       where, column_of(text, tokens->columns[last - 1] - 1));
    if (p->status == GR_PARSE_TOO_LARGE)
        return gr_fail(error, GR_BAD_INPUT,
                       "%s:1:%zu: the expression is too large; expected at most %d nodes and lists "
                       "of fewer than 4000 items",
                       where, column_of(text, (size_t)(at - text)), LARGEST_TREE);
    const char *end, *number = gr_too_large_number(text, &end);
    if (number && number < at && at <= end + strspn(end, " ")) /* not one behind the error */
        return gr_fail(error, GR_BAD_INPUT, "%s:1:%zu: the number %.*s is " GR_CONSTANTS_KEPT,
                       where, column_of(text, (size_t)(number - text)),
                       (int)gr_min_u32((uint32_t)(end - number), 40), number);
    gr_status status = GR_OK;
    if (!ended)
        status = behind_error(where, column_of(text, (size_t)(at - text)),
                              tokens->words + 2 * (size_t)last, had, p, error);
    return status != GR_OK ? status : syntax_error(text, where, at, had, error);
}

/* targets(...) where there is one target. */
static gr_status refuse_targets(const char *text, const char *where, const gr_token_list *tokens,
                                gr_error *error) {
    for (uint32_t i = 0; i < tokens->count; i++)
        if (GR_TOKEN_KIND(tokens->words[2 * (size_t)i]) == GR_T_FUNCTION &&
            tokens->words[2 * (size_t)i + 1] == GR_TARGETS)
            return gr_fail(error, GR_BAD_INPUT,
                           "%s:1:%zu: '%.*s' is of runs with several targets; expected one of its "
                           "expressions alone",
                           where, column_of(text, tokens->columns[i] - 1),
                           GR_CUT(text + tokens->columns[i] - 1, 7));
    return GR_OK;
}

/* An expression on its way to nodes. */
typedef struct reading {
    const char *text, *where;
    const gr_vocabulary *vocabulary;
    gr_token_list tokens;
    gr_node *tree;
    uint32_t *stack;
    uint32_t count, capacity; /* of tree */
    gr_error *error;
} reading;

/* The tokens [0, end) with their '^' marked (host/expression/caret.h), then all of them to nodes.
 */
static gr_status read_tokens(reading *r, uint32_t end) {
    const gr_vocabulary *v = r->vocabulary;
    gr_parser parser = {0};
    gr_parser_start(&parser, (gr_nodes){r->tree, 1}, gr_min_u32(r->capacity, LARGEST_TREE),
                    (gr_words){r->stack, 1}, r->tokens.count + 1, v->inputs, v->packed != 0);
    parser.outputs = v->outputs;
    parser.part = v->part;
    gr_status status = parse(r->text, r->where, &r->tokens, v->packed ? 0 : end, &parser, r->error);
    r->count = parser.count;
    return status;
}

/* '^' between numbers: finds the first by halves, since what is marked before it is fine. */
static gr_status refuse_caret(reading *r) {
    uint32_t fine = 0, misread = r->tokens.count;
    while (misread - fine > 1) {
        uint32_t middle = fine + (misread - fine) / 2;
        gr_status status = read_tokens(r, middle);
        if (status != GR_OK)
            return status;
        *(gr_caret_misread(r->tree, r->count) ? &misread : &fine) = middle;
    }
    return gr_fail(r->error, GR_BAD_INPUT, "%s:1:%zu: " GR_CARET_IS_NO_POWER, r->where,
                   column_of(r->text, r->tokens.columns[fine] - 1));
}

static gr_status read_nodes(reading *r) {
    /* a token gives one node or one entry of the stack; a list of n items n - 1 nodes from one
     * sign */
    r->capacity = gr_min_u32(r->tokens.count + 4 * r->vocabulary->outputs, LARGEST_TREE) + 1;
    r->tree = malloc(r->capacity * sizeof *r->tree);
    r->stack = malloc(((size_t)r->tokens.count + 1) * sizeof *r->stack);
    if (!r->tree || !r->stack)
        return gr_fail(r->error, GR_NO_MEMORY, "no memory for %u node%s", r->capacity,
                       gr_s(r->capacity));
    gr_status status = read_tokens(r, r->tokens.count);
    if (status != GR_OK || r->vocabulary->packed)
        return status;
    if (gr_caret_misread(r->tree, r->count))
        return refuse_caret(r);
    gr_unmark_carets(r->tree, r->count);
    return GR_OK;
}

gr_status gr_read_expression(const char *text, const char *where, const gr_vocabulary *vocabulary,
                             gr_node **nodes, uint32_t *count, gr_error *error) {
    reading r = {.text = text, .where = where, .vocabulary = vocabulary, .error = error};
    *nodes = NULL;
    *count = 0;
    gr_status status = gr_tokenise(text, strlen(text), where, 1, vocabulary, &r.tokens, error);
    if (status == GR_OK && !vocabulary->outputs)
        status = refuse_targets(text, where, &r.tokens, error);
    if (status == GR_OK)
        status = read_nodes(&r);
    if (status == GR_OK) {
        *nodes = r.tree;
        *count = r.count;
        r.tree = NULL;
    }
    free(r.tree);
    free(r.stack);
    gr_token_list_free(&r.tokens);
    return status;
}
