#include "host/expression/reader.h"

#include "gpu/core/program/expression.h"
#include "host/base/text.h"
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

/* Feeds all tokens and the end to a started parser. */
static gr_status parse(const char *text, const char *where, const gr_token_list *tokens,
                       gr_parser *p, gr_error *error) {
    uint32_t had = 0, i = 0;
    for (; i < tokens->count && p->status == GR_PARSE_OK; i++) {
        had = p->have || p->number != GR_NO_NUMBER;
        gr_parse_token(p, tokens->words[2 * (size_t)i], tokens->words[2 * (size_t)i + 1]);
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
    return syntax_error(text, where, at, had, error);
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

gr_status gr_read_expression(const char *text, const char *where, const gr_vocabulary *vocabulary,
                             gr_node **nodes, uint32_t *count, gr_error *error) {
    gr_token_list tokens = {0};
    gr_node *tree = NULL;
    uint32_t *stack = NULL;
    *nodes = NULL;
    *count = 0;
    gr_status status = gr_tokenise(text, strlen(text), where, 1, vocabulary, &tokens, error);
    if (status == GR_OK && !vocabulary->outputs)
        status = refuse_targets(text, where, &tokens, error);
    if (status == GR_OK) {
        /* a token gives one node or one entry of the stack; a list of n items n - 1 nodes from one
         * sign */
        uint32_t capacity = gr_min_u32(tokens.count + 4 * vocabulary->outputs, LARGEST_TREE) + 1;
        tree = malloc(capacity * sizeof *tree);
        stack = malloc(((size_t)tokens.count + 1) * sizeof *stack);
        gr_parser parser = {0};
        if (!tree || !stack)
            status =
                gr_fail(error, GR_NO_MEMORY, "no memory for %u node%s", capacity, gr_s(capacity));
        else {
            gr_parser_start(&parser, (gr_nodes){tree, 1}, gr_min_u32(capacity, LARGEST_TREE),
                            (gr_words){stack, 1}, tokens.count + 1, vocabulary->inputs,
                            vocabulary->packed != 0);
            parser.outputs = vocabulary->outputs;
            parser.part = vocabulary->part;
            status = parse(text, where, &tokens, &parser, error);
        }
        if (status == GR_OK) {
            *nodes = tree;
            *count = parser.count;
            tree = NULL;
        }
    }
    free(tree);
    free(stack);
    gr_token_list_free(&tokens);
    return status;
}
