#include "host/derivation/contexts.h"

#include "host/grammar/internal.h"

#include <stdlib.h>
#include <string.h>

/* Both sides are one thing seen in a mirror: LEFT looks at what is before a place, where rules may
 * begin, RIGHT at what is behind it, where they may end. */
typedef enum side { LEFT, RIGHT } side;

typedef struct contexts {
    const gr_grammar *g;
    const char *text;
    uint32_t length;
    gr_uses uses;
    uint8_t *nullable; /* [rules] the empty text is one of its sentences */
    uint8_t *touching; /* [rules] one of its sentences may lie on this side of the place */
    uint32_t *stack;   /* [rules] marked, and nothing follows of it yet */
    uint32_t top;
} contexts;

static int is_rule(uint32_t symbol) {
    return (symbol & GR_NONTERMINAL) != 0;
}

static uint32_t rule_of(const contexts *c, uint32_t symbol) {
    return c->g->productions[c->g->owner[symbol]].rule;
}

/* Whether the symbol is the last one of its production seen from the left, or the first one. */
static int is_at_edge(const contexts *c, uint32_t symbol, side edge) {
    uint32_t production = c->g->owner[symbol];
    return edge == RIGHT ? symbol + 1 == gr_symbols_end(c->g, production)
                         : symbol == c->g->productions[production].first;
}

static void mark(contexts *c, uint8_t *flag, uint8_t bit, uint32_t rule) {
    if (!(flag[rule] & bit))
        c->stack[c->top++] = rule;
    flag[rule] |= bit;
}

/* Rules with the empty text; every turn goes through the grammar, and few are needed. */
static void find_nullable(contexts *c) {
    const gr_grammar *g = c->g;
    for (int again = 1; again;) {
        again = 0;
        for (uint32_t p = g->production_count;
             p-- > 0;) { /* most stand behind those that use them */
            uint8_t *flag = &c->nullable[g->productions[p].rule], empty = 1;
            for (uint32_t s = g->productions[p].first; s < gr_symbols_end(g, p) && empty; s++)
                empty = is_rule(g->symbols[s]) ? c->nullable[g->symbols[s] & ~GR_NONTERMINAL]
                                               : !g->terminals.at[g->symbols[s]]->is_value &&
                                                     !g->terminals.at[g->symbols[s]]->length;
            again |= empty && !*flag;
            *flag |= empty;
        }
    }
}

/* Whether a number may have its last character before the place, or its first one behind it. */
static int number_touches(const contexts *c, uint32_t at, side s) {
    if (s == LEFT ? !at : at == c->length)
        return 0;
    char next = c->text[s == LEFT ? at - 1 : at];
    return (next >= '0' && next <= '9') || next == '.' || next == '-';
}

/* Whether what a symbol stands for may lie right on this side of the place. */
static int touches(const contexts *c, uint32_t symbol, uint32_t at, side s) {
    if (is_rule(symbol))
        return c->touching[symbol & ~GR_NONTERMINAL];
    const gr_grammar_text *word = c->g->terminals.at[symbol];
    if (word->is_value)
        return number_touches(c, at, s);
    if (word->length > (s == LEFT ? at : c->length - at))
        return 0;
    return memcmp(word->text, c->text + at - (s == LEFT ? word->length : 0), word->length) == 0;
}

/* An empty rule touches everything: what lies beyond it is not looked at. */
static void find_touching(contexts *c, uint32_t at, side s) {
    const gr_grammar *g = c->g;
    side edge = s == LEFT ? RIGHT : LEFT; /* of a production that ends at the place the last */
    memset(c->touching, 0, g->rule_count);
    for (uint32_t r = 0; r < g->rule_count; r++)
        if (c->nullable[r])
            mark(c, c->touching, 1, r);
    for (uint32_t p = 0; p < g->production_count; p++) {
        uint32_t first = g->productions[p].first, end = gr_symbols_end(g, p);
        uint32_t symbol = first == end ? 0 : g->symbols[edge == RIGHT ? end - 1 : first];
        if (first < end && !is_rule(symbol) && touches(c, symbol, at, s))
            mark(c, c->touching, 1, g->productions[p].rule);
    }
    while (c->top) {
        uint32_t rule = c->stack[--c->top];
        for (uint32_t k = c->uses.first[rule]; k < c->uses.first[rule + 1]; k++)
            if (is_at_edge(c, c->uses.symbol[k], edge))
                mark(c, c->touching, 1, rule_of(c, c->uses.symbol[k]));
    }
}

/* Rules that stand behind what touches, and those that these begin with. */
static void find_place(contexts *c, uint32_t at, side s, uint8_t *may) {
    const gr_grammar *g = c->g;
    uint8_t bit = s == LEFT ? GR_MAY_BEGIN : GR_MAY_END;
    find_touching(c, at, s);
    if (at == (s == LEFT ? 0 : c->length))
        mark(c, may, bit, 0);
    for (uint32_t k = 0; k < g->symbol_count; k++)
        if (is_rule(g->symbols[k]) && !is_at_edge(c, k, s) &&
            touches(c, g->symbols[s == LEFT ? k - 1 : k + 1], at, s))
            mark(c, may, bit, g->symbols[k] & ~GR_NONTERMINAL);
    while (c->top) {
        uint32_t rule = c->stack[--c->top];
        for (uint32_t p = g->rules[rule].first; p < gr_productions_end(g, rule); p++) {
            uint32_t first = g->productions[p].first, end = gr_symbols_end(g, p);
            uint32_t symbol = first == end ? 0 : g->symbols[s == LEFT ? first : end - 1];
            if (is_rule(symbol))
                mark(c, may, bit, symbol & ~GR_NONTERMINAL);
        }
    }
}

gr_status gr_find_contexts(const gr_grammar *grammar, const char *text, uint32_t length,
                           uint8_t **may, gr_error *error) {
    enum { SHORT = 256 };
    size_t rules = grammar->rule_count;
    if (length <= SHORT && (*may = malloc(((size_t)length + 1) * rules))) {
        memset(*may, GR_MAY_BEGIN | GR_MAY_END, ((size_t)length + 1) * rules);
        return GR_OK;
    }
    contexts c = {.g = grammar, .text = text, .length = length};
    c.nullable = calloc(rules, 1);
    c.touching = malloc(rules);
    c.stack = malloc(rules * sizeof *c.stack);
    *may = calloc((size_t)length + 1, rules);
    int good = c.nullable && c.touching && c.stack && *may &&
               gr_grammar_find_uses(grammar, &c.uses) == GR_OK;
    if (good)
        find_nullable(&c);
    for (uint32_t at = 0; at <= length && good; at++)
        for (side s = LEFT; s <= RIGHT; s++)
            find_place(&c, at, s, *may + at * rules);
    gr_grammar_free_uses(&c.uses);
    free(c.stack);
    free(c.touching);
    free(c.nullable);
    if (good)
        return GR_OK;
    free(*may);
    *may = NULL;
    return gr_no_memory(error);
}
