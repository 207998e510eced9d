/* Steps of the productions (gpu/core/mapping/grammar.h): what mapping does, found out by reading
 * every production once.
 *
 * The reader of expressions asks at each token what stands before it. In most grammars the answer
 * is the same in every sentence: a rule stands for an operand everywhere, or for an infix operator,
 * or for the digits of a number. Where that can be shown the reader's actions are left behind;
 * otherwise, or where white space would decide, the grammar is mapped by tokens. */
#include "gpu/core/program/expression.h"
#include "host/grammar/internal.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 65535, MOST_BRACKETS = 64, MOST_PASSES = 64 };

/* What a rule stands for. */
typedef enum role { UNUSED, VALUE, INFIX, HEAD, POSTFIX, CALLED, DIGITS } role;

typedef struct reading {
    const gr_grammar *g;
    const uint32_t *token, *first;
    uint32_t packed;
    uint8_t *role, *open; /* [rules]; open: its value may end in a pending operator or begin with a
                             sign */
    uint8_t *digits;      /* [rules] nothing but digits */
    gr_steps *steps;
    uint32_t changed;
} reading;

/* ---- steps ---- */

static int add_step(gr_steps *s, uint32_t word, uint32_t operand) {
    if (s->count == s->capacity) {
        void *grown = realloc(s->word, (s->capacity + 256u) * 2 * sizeof *s->word);
        if (!grown) {
            s->lost = 1;
            return 0;
        }
        s->word = grown;
        s->capacity += 256;
    }
    s->word[2 * s->count] = word;
    s->word[2 * s->count++ + 1] = operand;
    return s->count < MOST_STEPS;
}

static int end_steps(gr_steps *s, uint32_t first) {
    if (s->count == first && !add_step(s, GR_A_NOTHING, 0))
        return 0;
    s->word[2 * (s->count - 1)] |= GR_STEP_LAST;
    return 1;
}

/* The non-terminals of every production. */
static int make_skeletons(const gr_grammar *g, gr_steps *s) {
    for (uint32_t p = 0; p < g->production_count; p++) {
        uint32_t first = s->count;
        for (uint32_t k = g->productions[p].first; k < gr_symbols_end(g, p); k++)
            if ((g->symbols[k] & GR_NONTERMINAL) && !add_step(s, g->symbols[k], 0))
                return 0;
        uint32_t nonterminals = s->count - first;
        s->body[2 * p] = (nonterminals ? first : GR_NO_SKELETON) | (nonterminals ? nonterminals : 1)
                                                                       << 16;
        if (nonterminals)
            end_steps(s, first);
    }
    return 1;
}

/* ---- rules of one kind ---- */

/* The only token of a production, white space apart; NULL when there are more, or non-terminals. */
static const uint32_t *only_token(const reading *r, uint32_t production) {
    const uint32_t *only = NULL;
    for (uint32_t k = r->g->productions[production].first; k < gr_symbols_end(r->g, production);
         k++) {
        uint32_t symbol = r->g->symbols[k];
        if (symbol & GR_NONTERMINAL)
            return NULL;
        for (uint32_t t = r->first[symbol]; t < r->first[symbol + 1]; t++) {
            const uint32_t *token = r->token + 2 * (size_t)t;
            if (GR_TOKEN_KIND(token[0]) == GR_T_SPACE)
                continue;
            if (only)
                return NULL;
            only = token;
        }
    }
    return only;
}

/* Whether every production is one token of this kind. */
static int rule_is(const reading *r, uint32_t rule, gr_token_kind kind) {
    for (uint32_t p = r->g->rules[rule].first; p < gr_productions_end(r->g, rule); p++) {
        const uint32_t *token = only_token(r, p);
        if (!token || GR_TOKEN_KIND(token[0]) != (uint32_t)kind)
            return 0;
    }
    return 1;
}

/* Arity of a rule of function names; 0 when they differ. */
static uint32_t called_arity(const reading *r, uint32_t rule) {
    uint32_t arity = 0;
    for (uint32_t p = r->g->rules[rule].first; p < gr_productions_end(r->g, rule); p++) {
        uint32_t of = gr_arity(only_token(r, p)[1]);
        if (arity && of != arity)
            return 0;
        arity = of;
    }
    return arity;
}

static int production_is_digits(const reading *r, uint32_t production) {
    uint32_t pieces = 0;
    for (uint32_t k = r->g->productions[production].first; k < gr_symbols_end(r->g, production);
         k++) {
        uint32_t symbol = r->g->symbols[k];
        if (symbol & GR_NONTERMINAL) {
            if (!r->digits[symbol & ~GR_NONTERMINAL])
                return 0;
            pieces++;
            continue;
        }
        for (uint32_t t = r->first[symbol]; t < r->first[symbol + 1]; t++) {
            uint32_t word = r->token[2 * (size_t)t];
            if (GR_TOKEN_KIND(word) != GR_T_DIGITS ||
                (word & (GR_TOKEN_SPACE_BEFORE | GR_TOKEN_SPACE_AFTER)))
                return 0;
            pieces++;
        }
    }
    return pieces > 0;
}

/* Strikes out the rules that have something else in a production, then those that use them. 0: no
 * memory. */
static int find_digits(reading *r) {
    const gr_grammar *g = r->g;
    gr_uses u = {0};
    uint32_t *out = malloc(g->rule_count * sizeof *out), count = 0;
    int good = out && gr_grammar_find_uses(g, &u) == GR_OK;
    memset(r->digits, 1, g->rule_count);
    for (uint32_t p = 0; good && p < g->production_count; p++) {
        uint32_t rule = g->productions[p].rule;
        if (r->digits[rule] == 1 && !production_is_digits(r, p)) {
            r->digits[rule] = 2; /* found, and not seen by the others yet */
            out[count++] = rule;
        }
    }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = u.first[out[i]]; k < u.first[out[i] + 1]; k++) {
            uint32_t user = g->productions[g->owner[u.symbol[k]]].rule;
            if (r->digits[user] == 1) {
                r->digits[user] = 2;
                out[count++] = user;
            }
        }
    for (uint32_t rule = 0; rule < g->rule_count; rule++)
        r->digits[rule] = r->digits[rule] == 1;
    gr_grammar_free_uses(&u);
    free(out);
    return good;
}

/* Gives a rule its role; 0 when it has another one. */
static int assign(reading *r, uint32_t rule, role to) {
    if (r->role[rule] == UNUSED) {
        r->role[rule] = (uint8_t)to;
        r->changed = 1;
    }
    return r->role[rule] == to;
}

/* ---- a production that stands for an operand ---- */

typedef struct bracket {
    uint32_t arity;  /* of a call; 0: plain */
    uint32_t done;   /* operands before the last comma */
    uint32_t fresh;  /* nothing stood in it yet */
    uint32_t headed; /* begins with an operator that may head a list */
    uint32_t must;   /* that operator is no sign: it has to be a list */
    uint32_t items;  /* operands that followed another without an operator */
    uint32_t last;   /* the operator of a postfix list stood there */
    uint32_t open;   /* an operand or operator in it is pending: no item of a list */
} bracket;

typedef struct scan {
    reading *r;
    bracket in[MOST_BRACKETS]; /* in[0]: the production itself */
    uint32_t depth, have, space;
    uint32_t call;          /* arity of the function whose "(" must follow */
    uint32_t number, start; /* gr_number under way; its first step */
    uint32_t fixed;         /* known here and now: all its digits are terminals */
    uint32_t digits, dotted;
    gr_parser literal; /* it, being read */
    gr_node node;
    uint32_t stack;
} scan;

static int step(scan *s, uint32_t word, uint32_t operand) {
    return add_step(s->r->steps, word, operand);
}
static int leaf(scan *s, uint32_t op, uint32_t operand) {
    s->have = 1;
    return step(s, GR_STEP_LEAF | op << 16, operand);
}

/* An operand begins. Behind another one it makes the bracket a list, if white space keeps them
 * apart and neither can swallow a part of the other. */
static int begin_operand(scan *s) {
    bracket *b = &s->in[s->depth];
    if (s->call)
        return 0;
    b->fresh = 0;
    if (!s->have)
        return !b->last;
    if (!s->depth || b->arity || !s->space || b->open || b->last || (!b->headed && b->items))
        return 0;
    s->have = 0;
    if (b->items++)
        return step(s, GR_STEP_WRITES, 0); /* (+ a b c): from the left */
    return !b->headed || step(s, GR_A_ITEM, 0);
}

static int begin_number(scan *s, gr_number number) {
    if (!begin_operand(s))
        return 0;
    s->number = number;
    s->start = s->r->steps->count;
    s->fixed = 1;
    s->digits = s->dotted = s->space = 0;
    gr_parser_start(&s->literal, (gr_nodes){&s->node, 1}, 1, (gr_words){&s->stack, 1}, 1,
                    0xffffffffu, s->r->packed);
    gr_parse_start_number(&s->literal, number);
    return step(s, GR_A_NUMBER, number);
}

static int end_number(scan *s) {
    s->number = GR_NO_NUMBER;
    s->have = 1;
    if (!s->digits)
        return 0;
    if (!s->fixed)
        return step(s, GR_A_NUMBER_END, 0);
    gr_parse_finish_number(&s->literal);
    s->r->steps->count = s->start;
    return s->literal.status == GR_PARSE_OK && GR_NODE_OP(s->node) == GR_CONSTANT &&
           leaf(s, GR_CONSTANT, s->node.operand);
}

/* Adds a token to the open number. 1: done, 0: it does not belong to it, -1: cannot be told. */
static int grow_number(scan *s, uint32_t word, uint32_t operand) {
    uint32_t kind = GR_TOKEN_KIND(word);
    if (s->number >= GR_INDEX_NUMBER && !s->digits)
        s->space = 0;
    if (s->number >= GR_INDEX_NUMBER && kind == GR_T_BRACKET)
        return end_number(s) ? 1 : -1;
    int piece = kind == GR_T_DIGITS || (s->number == GR_NUMBER && kind == GR_T_DOT && !s->dotted) ||
                (s->number == GR_NUMBER && kind == GR_T_EXPONENT && s->digits);
    if (!piece || s->space)
        return s->number == GR_NUMBER && s->digits         ? 0
               : s->number == GR_INPUT_NUMBER && s->digits ? 0
                                                           : -1;
    if (kind == GR_T_EXPONENT)
        s->literal.exponent += (int32_t)operand;
    else
        gr_parse_grow_number(&s->literal, word, operand);
    s->digits += kind == GR_T_DIGITS;
    s->dotted |= kind == GR_T_DOT;
    if (kind == GR_T_EXPONENT)
        return step(s, GR_A_EXPONENT, operand) && end_number(s) ? 1 : -1;
    return step(s, kind == GR_T_DOT ? GR_A_DOT : GR_A_DIGITS | GR_TOKEN_COUNT(word) << 16, operand)
               ? 1
               : -1;
}

/* Steps of one operator token in its role. */
static int operator_step(reading *r, role as, uint32_t operand) {
    uint32_t binary = operand & 0xffu, unary = (operand >> 8) & 0xffu;
    uint32_t strength = (operand >> 16) & 0xffu, limit = strength + (operand >> 31);
    if (!binary)
        return 0;
    if (as == HEAD && unary) /* the binary operation waits in the count field */
        return add_step(r->steps, GR_STEP_PUSHES,
                        GR_ENTRY(GR_E_SIGN, unary, (operand >> 24) & 0x7fu, binary));
    if (as == HEAD)
        return add_step(r->steps, GR_STEP_POPS | GR_STEP_PUSHES, GR_ENTRY(GR_E_FOLD, binary, 0, 0));
    if (as == POSTFIX)
        return gr_arity(binary) == 2 && add_step(r->steps, GR_STEP_POPS | GR_STEP_PUSHES,
                                                 GR_ENTRY(GR_E_POSTFIX_DONE, binary, 0, 2));
    return add_step(r->steps,
                    GR_STEP_PUSHES | GR_STEP_REDUCES | limit << 8 |
                        (strength == GR_P_COMPARISON ? GR_STEP_COMPARES : 0),
                    GR_ENTRY(GR_E_BINARY, binary, strength, 0));
}

/* Where an operator stands, and what that makes of the bracket; UNUSED when it cannot be told. A
 * sign is none of these. */
static role place_operator(scan *s, uint32_t may_be_sign) {
    bracket *b = &s->in[s->depth];
    if (s->call || b->last)
        return UNUSED;
    if (s->have && b->items && !b->headed && b->items == 1 && !b->open) {
        b->last = 1; /* what follows can only be ")" */
        return POSTFIX;
    }
    if (s->have) {
        if (b->items || b->headed)
            return UNUSED;
        b->open = 1;
        s->have = 0;
        return INFIX;
    }
    if (s->depth && b->fresh && !b->arity) {
        b->headed = 1;
        b->must = !may_be_sign;
        b->fresh = 0;
        return HEAD;
    }
    return UNUSED;
}

static int scan_operator(scan *s, uint32_t word, uint32_t operand) {
    uint32_t binary = operand & 0xffu, unary = (operand >> 8) & 0xffu;
    bracket *b = &s->in[s->depth];
    if (!s->have && unary && !(s->depth && b->fresh && !b->arity && binary)) { /* a sign */
        if (!begin_operand(s) || (binary && (word & GR_TOKEN_SPACE_AFTER)))
            return 0; /* "(- x +1)" would be a list */
        b->open = 1;
        return step(s, GR_STEP_PUSHES, GR_ENTRY(GR_E_UNARY, unary, (operand >> 24) & 0x7fu, 0));
    }
    role as = place_operator(s, unary);
    return as != UNUSED && operator_step(s->r, as, operand);
}

static int scan_close(scan *s) {
    bracket b = s->in[s->depth];
    if (!s->depth || !s->have || s->call)
        return 0;
    uint32_t list = b.items > 0;
    if (list ? (b.open || (!b.headed && !b.last)) : b.must || b.last)
        return 0;
    if (b.arity && b.done + 1 != b.arity)
        return 0;
    s->depth--;
    return step(s, GR_STEP_REDUCES | GR_STEP_POPS | (list || b.arity ? GR_STEP_WRITES : 0), 0);
}

static int scan_open(scan *s) {
    uint32_t arity = s->call;
    if (arity ? s->space : !begin_operand(s))
        return 0;
    if (s->depth + 1 == MOST_BRACKETS)
        return 0;
    s->call = 0;
    s->in[++s->depth] = (bracket){.arity = arity, .fresh = 1};
    return arity || step(s, GR_STEP_PUSHES, GR_ENTRY(GR_E_PAREN, 0, 0, 0));
}

static int scan_token(scan *s, uint32_t word, uint32_t operand) {
    uint32_t kind = GR_TOKEN_KIND(word);
    bracket *b = &s->in[s->depth];
    s->space |= kind == GR_T_SPACE || (word & GR_TOKEN_SPACE_BEFORE);
    if (kind == GR_T_SPACE)
        return 1;
    if (s->number != GR_NO_NUMBER) {
        int grown = grow_number(s, word, operand);
        if (grown)
            return grown > 0;
        if (!end_number(s))
            return 0;
    }
    switch (kind) {
    case GR_T_DIGITS:
    case GR_T_DOT:
        return begin_number(s, GR_NUMBER) && grow_number(s, word, operand) > 0;
    case GR_T_PREFIX:
        return begin_number(s, GR_INPUT_NUMBER);
    case GR_T_INDEX:
        return begin_number(s, GR_INDEX_NUMBER + operand);
    case GR_T_INPUT:
    case GR_T_CONSTANT:
        return begin_operand(s) && leaf(s, kind == GR_T_INPUT ? GR_INPUT : GR_CONSTANT, operand);
    case GR_T_FUNCTION:
        if (operand == GR_ARGMAX || operand == GR_TARGETS ||
            !begin_operand(s)) /* of any number of operands */
            return 0;
        s->call = gr_arity(operand);
        return step(s, GR_STEP_PUSHES, GR_ENTRY(GR_E_CALL, operand, 0, 0));
    case GR_T_OPEN:
        return scan_open(s);
    case GR_T_CLOSE:
        return scan_close(s);
    case GR_T_COMMA:
        b->done++;
        if (!s->have || !b->arity)
            return 0;
        s->have = 0;
        return step(s, GR_STEP_REDUCES, 0);
    case GR_T_OPERATOR:
        return scan_operator(s, word, operand);
    default:
        return 0;
    }
}

/* A rule of operators where an operator stands. */
static int scan_operators(scan *s, uint32_t rule) {
    uint32_t signs = 1;
    for (uint32_t p = s->r->g->rules[rule].first; p < gr_productions_end(s->r->g, rule); p++)
        signs &= ((only_token(s->r, p)[1] >> 8) & 0xffu) != 0;
    role as = place_operator(s, signs);
    if (as == HEAD)
        s->in[s->depth].must = 1;
    return as != UNUSED && assign(s->r, rule, as) && step(s, GR_NONTERMINAL | rule, 0);
}

static int scan_rule(scan *s, uint32_t rule) {
    reading *r = s->r;
    if (r->digits[rule]) {
        if (s->number != GR_NO_NUMBER && s->space && !(s->number >= GR_INDEX_NUMBER && !s->digits))
            return 0;
        if (s->number == GR_NO_NUMBER && !begin_number(s, GR_NUMBER))
            return 0;
        s->fixed = 0;
        s->digits++;
        s->space = 0;
        return assign(r, rule, DIGITS) && step(s, GR_NONTERMINAL | rule, 0);
    }
    if (s->number != GR_NO_NUMBER && (s->number >= GR_INDEX_NUMBER || !end_number(s)))
        return 0;
    if (rule_is(r, rule, GR_T_OPERATOR))
        return scan_operators(s, rule);
    if (!begin_operand(s))
        return 0;
    if (rule_is(r, rule, GR_T_FUNCTION)) {
        s->call = called_arity(r, rule);
        return s->call && assign(r, rule, CALLED) && step(s, GR_NONTERMINAL | rule, 0);
    }
    s->in[s->depth].open |= r->open[rule];
    s->have = 1;
    return assign(r, rule, VALUE) && step(s, GR_NONTERMINAL | rule, 0);
}

static int scan_value(reading *r, uint32_t production) {
    scan s = {.r = r};
    for (uint32_t k = r->g->productions[production].first; k < gr_symbols_end(r->g, production);
         k++) {
        uint32_t symbol = r->g->symbols[k];
        if (symbol & GR_NONTERMINAL) {
            if (!scan_rule(&s, symbol & ~GR_NONTERMINAL))
                return 0;
            s.space = 0;
            continue;
        }
        for (uint32_t t = r->first[symbol]; t < r->first[symbol + 1]; t++) {
            uint32_t word = r->token[2 * (size_t)t];
            if (!scan_token(&s, word, r->token[2 * (size_t)t + 1]))
                return 0;
            if (GR_TOKEN_KIND(word) != GR_T_SPACE)
                s.space = word & GR_TOKEN_SPACE_AFTER;
        }
    }
    if (s.number != GR_NO_NUMBER && (s.number >= GR_INDEX_NUMBER || !end_number(&s)))
        return 0;
    uint32_t rule = r->g->productions[production].rule;
    if (s.in[0].open && !r->open[rule])
        r->open[rule] = (uint8_t)(r->changed = 1);
    return s.have && !s.depth && !s.call;
}

/* ---- all productions ---- */

/* A production of a rule whose role is not VALUE: single tokens, or digits. */
static int scan_piece(reading *r, uint32_t production, role as) {
    const uint32_t *token = only_token(r, production);
    if (as == CALLED)
        return add_step(r->steps, GR_STEP_PUSHES, GR_ENTRY(GR_E_CALL, token[1], 0, 0));
    if (as != DIGITS)
        return operator_step(r, as, token[1]);
    for (uint32_t k = r->g->productions[production].first; k < gr_symbols_end(r->g, production);
         k++) {
        uint32_t symbol = r->g->symbols[k];
        if (symbol & GR_NONTERMINAL) {
            if (!assign(r, symbol & ~GR_NONTERMINAL, DIGITS) || !add_step(r->steps, symbol, 0))
                return 0;
            continue;
        }
        for (uint32_t t = r->first[symbol]; t < r->first[symbol + 1]; t++)
            if (!add_step(r->steps, GR_A_DIGITS | GR_TOKEN_COUNT(r->token[2 * (size_t)t]) << 16,
                          r->token[2 * (size_t)t + 1]))
                return 0;
    }
    return 1;
}

/* Reads every production in the role of its rule; again when another role or an open operand came
 * to light. */
static int read_productions(reading *r, uint32_t skeletons) {
    const gr_grammar *g = r->g;
    r->role[0] = VALUE;
    for (int pass = 0; pass < MOST_PASSES; pass++) {
        r->changed = 0;
        r->steps->count = skeletons;
        for (uint32_t p = 0; p < g->production_count; p++) {
            role as = (role)r->role[g->productions[p].rule];
            uint32_t first = r->steps->count;
            r->steps->body[2 * p + 1] = first;
            if (as == UNUSED)
                continue;
            if (!(as == VALUE ? scan_value(r, p) : scan_piece(r, p, as)) ||
                !end_steps(r->steps, first))
                return 0;
        }
        if (!r->changed)
            return !r->digits[0];
    }
    return 0;
}

/* What steps map that were read: whether some read a number in pieces. */
static uint32_t what_maps(const gr_steps *steps) {
    for (uint32_t k = 0; k < steps->count; k++) {
        uint32_t word = steps->word[2 * (size_t)k];
        if (!(word & GR_NONTERMINAL) && GR_STEP_ACTION(word) > GR_A_ITEM)
            return GR_MAPS_NUMBERS;
    }
    return GR_MAPS_NO_NUMBERS;
}

gr_status gr_grammar_make_steps(const gr_grammar *g, const uint32_t *token, const uint32_t *first,
                                uint32_t packed, gr_steps *steps, gr_error *error) {
    gr_steps none = {0};
    reading r = {.g = g, .token = token, .first = first, .packed = packed, .steps = steps};
    *steps = none;
    steps->body = calloc(2 * (size_t)g->production_count, sizeof *steps->body);
    r.role = calloc(3 * (size_t)g->rule_count, 1);
    if (!steps->body || !r.role) {
        free(r.role);
        gr_grammar_free_steps(steps);
        return gr_no_memory(error);
    }
    r.open = r.role + g->rule_count;
    r.digits = r.open + g->rule_count;
    if (g->production_count > MOST_STEPS || !make_skeletons(g, steps))
        steps->count = 0;
    else if (token) {
        uint32_t skeletons = steps->count;
        steps->lost |= !find_digits(&r);
        if (!steps->lost && read_productions(&r, skeletons))
            steps->maps = what_maps(steps);
        if (!steps->maps)
            steps->count = skeletons;
    }
    free(r.role);
    if (!steps->lost)
        return GR_OK;
    gr_grammar_free_steps(steps);
    *steps = none;
    return gr_no_memory(error);
}

void gr_grammar_free_steps(gr_steps *steps) {
    free(steps->body);
    free(steps->word);
}
