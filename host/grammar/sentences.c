/* A grammar's sentences as expressions: the tokens of its terminals, and the check that every
 * production a derivation can reach stands in a sentence that gpu/core/program/expression.h reads.
 */
#include "gpu/core/program/expression.h"
#include "host/base/text.h"
#include "host/expression/caret.h"
#include "host/expression/reader.h"
#include "host/grammar/internal.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LONGEST_SENTENCE = 65535, /* steps: symbols and tokens */
    MOST_STEPS = 1 << 26,     /* over all sentences: about a second */
    SHOWN_SENTENCE = 240
};

/* Everything the check needs. */
typedef struct check {
    gr_grammar *grammar;
    const gr_vocabulary *vocabulary;
    gr_error *error;
    gr_token_list tokens;
    uint32_t *first;   /* [terminals + 1] */
    uint64_t *length;  /* [rules] steps of the sentence below, saturating */
    uint32_t *choice;  /* [rules] the production it begins with: a shallowest, then shortest one */
    uint64_t *context; /* [rules] steps round a rule in the sentence that first reaches it */
    gr_node *nodes;    /* the reader's output */
    uint32_t *stack;   /* the reader's stack */
    uint32_t *frames;  /* the derivation's stack: next symbol and end */
    uint32_t *spine;   /* productions from the start rule to the one under test */
    uint32_t spine_length;
} check;

/* ---- tokens ---- */

static gr_status refuse_terminal(const check *c, const gr_grammar_text *word) {
    char shown[GR_SHOWN];
    gr_error reason = *c->error;
    if (reason.status != GR_BAD_INPUT)
        return reason.status;
    return gr_fail_at(c->grammar, word->position, c->error, "terminal \"%s\": %s",
                      gr_show(shown, word->text, word->length), reason.text);
}

static gr_status add_value_tokens(check *c, const gr_grammar_text *word) {
    if (word->value.low < 0 && c->vocabulary->packed)
        return gr_fail(c->error, GR_BAD_INPUT,
                       "numbers below 0, but this problem is Boolean; expected 0 or 1");
    return gr_add_value_tokens(&c->tokens, &word->value, c->error);
}

/* Tokens of the terminals that a derivation can reach; the others have none. */
static gr_status tokenise_terminals(check *c, const uint8_t *used) {
    gr_grammar *g = c->grammar;
    for (uint32_t t = 0; t < g->terminals.count; t++) {
        const gr_grammar_text *word = g->terminals.at[t];
        c->first[t] = c->tokens.count;
        if (used[t] && word->is_value) {
            if (add_value_tokens(c, word) != GR_OK)
                return refuse_terminal(c, word);
        } else if (used[t] && gr_tokenise(word->text, word->length, NULL, 1, c->vocabulary,
                                          &c->tokens, c->error) != GR_OK)
            return refuse_terminal(c, word);
    }
    c->first[g->terminals.count] = c->tokens.count;
    return GR_OK;
}

static gr_status make_tokens(check *c) {
    gr_grammar *g = c->grammar;
    uint8_t *used = calloc(g->terminals.count + 1ull, 1);
    if (!used)
        return gr_no_memory(c->error);
    for (uint32_t i = 0; i < g->reached_count; i++) {
        uint32_t last = gr_productions_end(g, g->reached[i]) - 1;
        uint32_t s = g->productions[g->rules[g->reached[i]].first].first;
        for (; s < gr_symbols_end(g, last); s++)
            if (!(g->symbols[s] & GR_NONTERMINAL))
                used[g->symbols[s]] = 1;
    }
    gr_status status = tokenise_terminals(c, used);
    free(used);
    return status;
}

/* ---- lengths ---- */

static uint64_t add_steps(uint64_t a, uint64_t b) {
    return a + b < LONGEST_SENTENCE ? a + b : LONGEST_SENTENCE + 1ull;
}

static uint64_t production_length(const check *c, uint32_t production) {
    const gr_grammar *g = c->grammar;
    uint64_t steps = 1;
    for (uint32_t s = g->productions[production].first; s < gr_symbols_end(g, production); s++) {
        uint32_t symbol = g->symbols[s], rule = symbol & ~GR_NONTERMINAL;
        steps = add_steps(steps, symbol & GR_NONTERMINAL
                                     ? c->length[rule]
                                     : 1ull + c->first[symbol + 1] - c->first[symbol]);
    }
    return steps;
}

/* The sentence below every rule: along shallowest productions, so that it ends; rules in the order
 * of their depth, so that the rules inside are known. */
static void choose_productions(check *c) {
    const gr_grammar *g = c->grammar;
    for (uint32_t i = 0; i < g->rule_count; i++) {
        uint32_t rule = g->by_depth[i];
        c->length[rule] = UINT64_MAX;
        for (uint32_t p = g->rules[rule].first; p < gr_productions_end(g, rule); p++) {
            if (g->depth[p] != g->rule_depth[rule])
                continue;
            uint64_t length = production_length(c, p);
            if (length < c->length[rule]) {
                c->length[rule] = length;
                c->choice[rule] = p;
            }
        }
    }
}

/* Steps of everything outside a rule in the sentence through the symbol that first reached it. */
static void measure_contexts(check *c) {
    const gr_grammar *g = c->grammar;
    for (uint32_t i = 1; i < g->reached_count; i++) {
        uint32_t rule = g->reached[i], production = g->owner[g->reached_by[rule]];
        uint64_t outer = c->context[g->productions[production].rule];
        /* counts the rule's own shortest sentence too: an upper bound is enough */
        c->context[rule] = add_steps(outer, production_length(c, production));
    }
}

/* ---- one sentence ---- */

/* The path from the start rule down to a production. */
static void find_spine(check *c, uint32_t production) {
    const gr_grammar *g = c->grammar;
    uint32_t n = 0;
    for (uint32_t p = production;;) {
        c->spine[n++] = p;
        uint32_t s = g->reached_by[g->productions[p].rule];
        if (s == GR_NONE)
            break;
        p = g->owner[s];
    }
    for (uint32_t i = 0; i < n / 2; i++) {
        uint32_t p = c->spine[i];
        c->spine[i] = c->spine[n - 1 - i];
        c->spine[n - 1 - i] = p;
    }
    c->spine_length = n;
}

typedef struct sentence {
    uint32_t level; /* frames in use */
    uint32_t along; /* productions of the spine entered */
} sentence;

static void enter(check *c, sentence *d, uint32_t production) {
    c->frames[2 * (size_t)d->level] = c->grammar->productions[production].first;
    c->frames[2 * (size_t)d->level + 1] = gr_symbols_end(c->grammar, production);
    d->level++;
}

static void begin_sentence(check *c, sentence *d) {
    *d = (sentence){0, 1};
    enter(c, d, c->spine[0]);
}

/* The next terminal of the sentence through the spine, or GR_NONE. */
static uint32_t next_terminal(check *c, sentence *d) {
    const gr_grammar *g = c->grammar;
    while (d->level) {
        uint32_t *frame = c->frames + 2 * (size_t)(d->level - 1), s = frame[0];
        if (s == frame[1]) {
            d->level--;
            continue;
        }
        frame[0]++;
        if (!(g->symbols[s] & GR_NONTERMINAL))
            return g->symbols[s];
        uint32_t rule = g->symbols[s] & ~GR_NONTERMINAL, production = c->choice[rule];
        if (d->along < c->spine_length && d->level == d->along &&
            g->reached_by[g->productions[c->spine[d->along]].rule] == s)
            production = c->spine[d->along++];
        enter(c, d, production);
    }
    return GR_NONE;
}

/* The beginning of the sentence, for a message. */
static void sentence_text(check *c, char out[SHOWN_SENTENCE]) {
    sentence d;
    size_t length = 0;
    begin_sentence(c, &d);
    for (uint32_t t; (t = next_terminal(c, &d)) != GR_NONE;) {
        const gr_grammar_text *word = c->grammar->terminals.at[t];
        char number[32];
        const char *piece = word->text;
        size_t n = word->length;
        if (gr_grammar_codon_text(c->grammar, t, 0, number)) {
            piece = number;
            n = strlen(number);
        }
        for (size_t i = 0; i < n; i++) {
            if (length == SHOWN_SENTENCE - 4) {
                memcpy(out + length, "...", 4);
                return;
            }
            char b = piece[i];
            out[length++] = b >= ' ' && b < 127 ? b : b == '\n' || b == '\t' ? ' ' : '?';
        }
    }
    out[length] = '\0';
}

static uint32_t token_kind(const check *c, uint32_t token) {
    return GR_TOKEN_KIND(c->tokens.words[2 * (size_t)token]);
}

/* The column that a bracket stands behind for a call, its name being that of an operation too;
 * NULL: there is none. before, at: terminals one behind the other, or GR_NONE. */
static const char *column_called(const check *c, uint32_t before, uint32_t at) {
    const gr_vocabulary *v = c->vocabulary;
    if (before == GR_NONE || at == GR_NONE || !v->names)
        return NULL;
    uint32_t open = c->first[at], input = c->first[before + 1];
    while (open < c->first[at + 1] && token_kind(c, open) == GR_T_SPACE)
        open++;
    while (input > c->first[before] && token_kind(c, input - 1) == GR_T_SPACE)
        input--;
    if (open == c->first[at + 1] || token_kind(c, open) != GR_T_OPEN || input == c->first[before] ||
        token_kind(c, --input) != GR_T_INPUT)
        return NULL;
    const char *name = v->names[c->tokens.words[2 * (size_t)input + 1]];
    return name && gr_find_operation(name, strlen(name), v->packed) >= 0 ? name : NULL;
}

/* Whether the reader stopped at a number that no float is as large as: it was read last. */
static int ends_too_large(const gr_parser *parser) {
    return gr_decimal(parser->mantissa, parser->mantissa ? parser->exponent : 0) > FLT_MAX;
}

/* What a reader of the whole text has to say of an input that pieces make and that is not there, or
 * of an x that no number follows; by pieces there is no token for one. NULL: there is no such
 * input. */
static const char *input_missing(const check *c, const char *text, gr_error *reading) {
    gr_node *nodes = NULL;
    uint32_t count;
    gr_status status = gr_read_expression(text, "", c->vocabulary, &nodes, &count, reading);
    free(nodes);
    const char *said = status == GR_BAD_INPUT ? strstr(reading->text, "there is no input ") : NULL;
    return status == GR_BAD_INPUT && !said ? strstr(reading->text, "'x' is unknown") : said;
}

/* at: the terminal the reader stopped at, GR_NONE: the end; before: the one before that. */
static gr_status refuse_sentence(check *c, uint32_t production, const gr_parser *parser,
                                 uint32_t before, uint32_t at) {
    const gr_grammar *g = c->grammar;
    const gr_bnf_production *p = &g->productions[production];
    const gr_grammar_text *rule = g->rules[p->rule].name,
                          *word = at == GR_NONE ? NULL : g->terminals.at[at];
    char text[SHOWN_SENTENCE], source[GR_SHOWN], name[GR_SHOWN], stop[GR_SHOWN], several[64];
    const char *column = column_called(c, before, at);
    char why[GR_SHOWN] = "";
    sentence_text(c, text);
    if (column)
        snprintf(why, sizeof why, ", since '%.*s' is a column here", GR_CUT(column, 40));
    else if (!c->vocabulary->outputs && strstr(text, "targets("))
        snprintf(why, sizeof why, ", since 'targets' is of runs with several targets");
    gr_show(source, g->source + p->from, p->to - p->from);
    gr_show(name, rule->text, rule->length);
    gr_show(stop, word ? word->text : "", word ? word->length : 0);
    const char *end, *number = ends_too_large(parser) ? gr_too_large_number(text, &end) : NULL;
    if (number)
        return gr_fail_at(
            g, p->position, c->error,
            "production \"%s\" of <%s> gives \"%s\", where %.*s is " GR_CONSTANTS_KEPT, source,
            name, text, (int)(end - number), number);
    gr_error reading;
    const char *missing = input_missing(c, text, &reading);
    if (missing)
        return gr_fail_at(g, p->position, c->error,
                          "production \"%s\" of <%s> gives \"%s\", where %s", source, name, text,
                          missing);
    snprintf(several, sizeof several, "targets(...) of %u expressions", c->vocabulary->outputs);
    return gr_fail_at(g, p->position, c->error,
                      "production \"%s\" of <%s> gives \"%s\", which is no expression: %s%s%s%s; "
                      "expected %s",
                      source, name, text, word ? "cannot go on at \"" : "it ends too early", stop,
                      word ? "\"" : "", why,
                      c->vocabulary->outputs ? several : "infix, calls or lists");
}

/* '^' is marked over numbers (host/expression/caret.h). */
static void feed_token(const check *c, gr_parser *parser, uint32_t token) {
    uint32_t word = c->tokens.words[2 * (size_t)token],
             operand = c->tokens.words[2 * (size_t)token + 1];
    gr_parse_token(parser, word, c->vocabulary->packed ? operand : gr_mark_caret(word, operand));
}

/* Where a '^' of the sentence stands between numbers. */
static gr_status check_carets(check *c, uint32_t production, const gr_parser *parser) {
    const gr_grammar *g = c->grammar;
    const gr_bnf_production *p = &g->productions[production];
    const gr_grammar_text *rule = g->rules[p->rule].name;
    char text[SHOWN_SENTENCE], source[GR_SHOWN], name[GR_SHOWN];
    if (c->vocabulary->packed || !gr_caret_misread(c->nodes, parser->count))
        return GR_OK;
    sentence_text(c, text);
    gr_show(source, g->source + p->from, p->to - p->from);
    gr_show(name, rule->text, rule->length);
    return gr_fail_at(g, p->position, c->error,
                      "production \"%s\" of <%s> gives \"%s\", where " GR_CARET_IS_NO_POWER, source,
                      name, text);
}

/* Reads the shortest sentence through a production. *fits: it was small enough to tell. */
static gr_status check_production(check *c, uint32_t production, int *fits) {
    gr_parser parser;
    sentence d;
    uint32_t terminal, before = GR_NONE;
    find_spine(c, production);
    gr_parser_start(&parser, (gr_nodes){c->nodes, 1}, LONGEST_SENTENCE, (gr_words){c->stack, 1},
                    LONGEST_SENTENCE, c->vocabulary->inputs, c->vocabulary->packed != 0);
    parser.outputs = c->vocabulary->outputs;
    parser.part = c->vocabulary->part;
    begin_sentence(c, &d);
    while ((terminal = next_terminal(c, &d)) != GR_NONE && parser.status == GR_PARSE_OK) {
        const gr_grammar_text *word = c->grammar->terminals.at[terminal];
        if (word->is_value)
            gr_feed_codon(&parser, word->value, 0);
        for (uint32_t t = c->first[terminal]; t < c->first[terminal + 1] && !word->is_value; t++)
            feed_token(c, &parser, t);
        if (parser.status != GR_PARSE_OK)
            break;
        before = terminal;
    }
    if (parser.status == GR_PARSE_OK)
        gr_parse_end(&parser);
    *fits = parser.status != GR_PARSE_TOO_LARGE;
    if (parser.status == GR_PARSE_OK)
        return check_carets(c, production, &parser);
    return parser.status == GR_PARSE_SYNTAX
               ? refuse_sentence(c, production, &parser, before, terminal)
               : GR_OK;
}

/* ---- all sentences ---- */

static gr_status check_all(check *c) {
    gr_grammar *g = c->grammar;
    uint64_t steps = 0;
    uint32_t unchecked = 0;
    gr_status status = GR_OK;
    for (uint32_t i = 0; i < g->reached_count; i++) {
        uint32_t rule = g->reached[i];
        for (uint32_t p = g->rules[rule].first; p < gr_productions_end(g, rule); p++) {
            uint64_t length = add_steps(c->context[rule], production_length(c, p));
            int fits = length <= LONGEST_SENTENCE && steps + length <= MOST_STEPS;
            if (fits) {
                steps += length;
                status = check_production(c, p, &fits);
            }
            unchecked += !fits;
            if (status != GR_OK)
                return status;
        }
    }
    if (unchecked)
        status =
            gr_warn_at(g, (gr_text_position){1, 1}, c->error,
                       "%u production%s not checked as expressions: their shortest "
                       "sentences are too long (more than %d symbols, or %d in all)",
                       unchecked, unchecked == 1 ? " was" : "s were", LONGEST_SENTENCE, MOST_STEPS);
    return status;
}

static gr_status reserve(check *c) {
    const gr_grammar *g = c->grammar;
    size_t rules = g->rule_count;
    c->first = calloc(g->terminals.count + 1ull, sizeof *c->first);
    c->length = calloc(rules, sizeof *c->length);
    c->choice = calloc(rules, sizeof *c->choice);
    c->context = calloc(rules, sizeof *c->context);
    c->nodes = malloc(LONGEST_SENTENCE * sizeof *c->nodes);
    c->stack = malloc(LONGEST_SENTENCE * sizeof *c->stack);
    /* the spine visits no rule twice, and below it each rule is shallower than the one above */
    c->frames = malloc((4 * rules + 4) * sizeof *c->frames);
    c->spine = malloc((rules + 1) * sizeof *c->spine);
    return c->first && c->length && c->choice && c->context && c->nodes && c->stack && c->frames &&
                   c->spine
               ? GR_OK
               : gr_no_memory(c->error);
}

gr_status gr_grammar_tokenise(gr_grammar *grammar, const gr_vocabulary *vocabulary,
                              gr_error *error) {
    gr_error ignored = {0};
    check c = {.grammar = grammar, .vocabulary = vocabulary, .error = error ? error : &ignored};
    gr_status status = reserve(&c);
    if (status == GR_OK)
        status = make_tokens(&c);
    if (status == GR_OK) {
        choose_productions(&c);
        measure_contexts(&c);
        status = check_all(&c);
    }
    if (status == GR_OK)
        status =
            gr_grammar_pack(grammar, c.tokens.words, c.first, vocabulary->packed != 0, c.error);
    gr_token_list_free(&c.tokens);
    void *arrays[] = {c.first, c.length, c.choice, c.context, c.nodes, c.stack, c.frames, c.spine};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    return status;
}
