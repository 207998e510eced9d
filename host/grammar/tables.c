/* Rules to tables: minimum depths, recursion, reachability, and packing into one array of words. */
#include "host/grammar/internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

/* From numbers of names to numbers of rules. */
static gr_status resolve_names(gr_grammar *g, gr_error *error) {
    for (uint32_t i = 0; i < g->symbol_count; i++) {
        if (!(g->symbols[i] & GR_NONTERMINAL))
            continue;
        const gr_grammar_text *name = g->names.at[g->symbols[i] & ~GR_NONTERMINAL];
        char shown[GR_SHOWN];
        gr_show(shown, name->text, name->length);
        if (name->rule == GR_NONE)
            return gr_fail_at(g, name->position, error,
                              "non-terminal <%s> has no rule; expected a rule <%s> ::= ... or "
                              "quotes if it is text",
                              shown, shown);
        g->symbols[i] = GR_NONTERMINAL | name->rule;
    }
    return GR_OK;
}

static uint32_t is_rule(uint32_t symbol) {
    return (symbol & GR_NONTERMINAL) != 0;
}

void gr_grammar_free_uses(gr_uses *u) {
    free(u->first);
    free(u->symbol);
    *u = (gr_uses){0};
}

gr_status gr_grammar_find_uses(const gr_grammar *g, gr_uses *u) {
    u->first = calloc((size_t)g->rule_count + 2, sizeof *u->first);
    u->symbol = malloc(((size_t)g->symbol_count + 1) * sizeof *u->symbol);
    if (!u->first || !u->symbol) {
        gr_grammar_free_uses(u);
        return GR_NO_MEMORY;
    }
    uint32_t *next = u->first + 1; /* counts, then positions, then it is first[] shifted by one */
    for (uint32_t s = 0; s < g->symbol_count; s++)
        if (is_rule(g->symbols[s]))
            next[(g->symbols[s] & ~GR_NONTERMINAL) + 1]++;
    for (uint32_t r = 1; r <= g->rule_count; r++)
        next[r] += next[r - 1];
    for (uint32_t s = 0; s < g->symbol_count; s++)
        if (is_rule(g->symbols[s]))
            u->symbol[next[g->symbols[s] & ~GR_NONTERMINAL]++] = s;
    return GR_OK;
}

static uint32_t count_nonterminals(const gr_grammar *g, uint32_t production) {
    uint32_t n = 0;
    for (uint32_t s = g->productions[production].first; s < gr_symbols_end(g, production); s++)
        n += is_rule(g->symbols[s]);
    return n;
}

/* ---- depths ---- */

/* A production whose non-terminals all have depths by now; the first of its rule settles the rule.
 */
static void settle(gr_grammar *g, uint32_t production, uint32_t depth, uint32_t *settled) {
    uint32_t rule = g->productions[production].rule;
    g->depth[production] = depth;
    if (g->rule_depth[rule])
        return;
    g->rule_depth[rule] = depth;
    g->by_depth[(*settled)++] = rule;
}

/* A rule without a depth that the first production of `rule`, which has none either, needs. */
static uint32_t without_depth(const gr_grammar *g, uint32_t rule) {
    uint32_t s = g->productions[g->rules[rule].first].first;
    while (!is_rule(g->symbols[s]) || g->rule_depth[g->symbols[s] & ~GR_NONTERMINAL])
        s++;
    return g->symbols[s] & ~GR_NONTERMINAL;
}

/* Some rules never end, `rule` among them. Those that were left without an empty alternative are at
 * fault before others; and who only leads to such a rule is not: after as many steps as there are
 * rules one goes in a circle. */
static gr_status refuse_endless(const gr_grammar *g, uint32_t rule, gr_error *error) {
    char shown[GR_SHOWN];
    for (uint32_t r = 0; r < g->rule_count; r++)
        if (!g->rule_depth[r] && g->rules[r].left_out.line)
            return gr_fail_at(g, g->rules[r].left_out, error,
                              "rule <%s> can never end, for an empty alternative is left out, as "
                              "in PonyGE2; expected '' where it is meant",
                              gr_show(shown, g->rules[r].name->text, g->rules[r].name->length));
    for (uint32_t step = 0; step < g->rule_count; step++)
        rule = without_depth(g, rule);
    return gr_fail_at(
        g, g->rules[rule].position, error,
        "rule <%s> can never end; expected a production that does not lead back to it",
        gr_show(shown, g->rules[rule].name->text, g->rules[rule].name->length));
}

/* Minimum depths, shallowest first: every production waits for the deepest of its non-terminals. */
static gr_status find_depths(gr_grammar *g, const gr_uses *u, gr_error *error) {
    uint32_t settled = 0;
    uint32_t *missing = malloc(g->production_count * sizeof *missing);
    if (!missing)
        return gr_no_memory(error);
    for (uint32_t p = 0; p < g->production_count; p++)
        if (!(missing[p] = count_nonterminals(g, p)))
            settle(g, p, 1, &settled);
    for (uint32_t i = 0; i < settled; i++) {
        uint32_t rule = g->by_depth[i];
        for (uint32_t k = u->first[rule]; k < u->first[rule + 1]; k++) {
            uint32_t p = g->owner[u->symbol[k]];
            if (!--missing[p])
                settle(g, p, g->rule_depth[rule] + 1, &settled);
        }
    }
    free(missing);
    for (uint32_t r = 0; r < g->rule_count; r++)
        if (!g->rule_depth[r])
            return refuse_endless(g, r, error);
    return GR_OK;
}

/* ---- recursion ---- */

/* A rule is endless unless every rule it can lead to ends by itself: strike those out from below.
 */
static gr_status find_endless(gr_grammar *g, const gr_uses *u, gr_error *error) {
    uint32_t ends = 0;
    uint32_t *open = calloc(g->rule_count, sizeof *open); /* uses of rules not known to end */
    uint32_t *queue = malloc(g->rule_count * sizeof *queue);
    if (!open || !queue) {
        free(open);
        free(queue);
        return gr_no_memory(error);
    }
    for (uint32_t s = 0; s < g->symbol_count; s++)
        open[g->productions[g->owner[s]].rule] += is_rule(g->symbols[s]);
    for (uint32_t r = 0; r < g->rule_count; r++) {
        g->endless[r] = 1;
        if (!open[r])
            queue[ends++] = r;
    }
    for (uint32_t i = 0; i < ends; i++) {
        uint32_t rule = queue[i];
        g->endless[rule] = 0;
        for (uint32_t k = u->first[rule]; k < u->first[rule + 1]; k++) {
            uint32_t user = g->productions[g->owner[u->symbol[k]]].rule;
            if (!--open[user])
                queue[ends++] = user;
        }
    }
    free(open);
    free(queue);
    return GR_OK;
}

/* ---- reachability ---- */

static gr_status find_reached(gr_grammar *g, gr_error *error) {
    uint8_t *seen = calloc(g->rule_count, 1);
    if (!seen)
        return gr_no_memory(error);
    g->reached[g->reached_count++] = 0;
    seen[0] = 1;
    memset(g->reached_by, 0xff, g->rule_count * sizeof *g->reached_by);
    for (uint32_t i = 0; i < g->reached_count; i++) {
        uint32_t last = gr_productions_end(g, g->reached[i]) - 1;
        uint32_t s = g->productions[g->rules[g->reached[i]].first].first;
        for (; s < gr_symbols_end(g, last); s++) {
            uint32_t rule = g->symbols[s] & ~GR_NONTERMINAL;
            if (!is_rule(g->symbols[s]) || seen[rule])
                continue;
            seen[rule] = 1;
            g->reached_by[rule] = s;
            g->reached[g->reached_count++] = rule;
        }
    }
    gr_status status = GR_OK;
    char shown[GR_SHOWN], start[GR_SHOWN];
    gr_show(start, g->rules[0].name->text, g->rules[0].name->length);
    for (uint32_t r = 0; r < g->rule_count && status == GR_OK; r++)
        if (!seen[r])
            status = gr_warn_at(
                g, g->rules[r].position, error, "rule <%s> is never used by a derivation from <%s>",
                gr_show(shown, g->rules[r].name->text, g->rules[r].name->length), start);
    free(seen);
    return status;
}

/* ---- memory ---- */

static gr_status reserve(gr_grammar *g, gr_error *error) {
    size_t rules = g->rule_count, productions = g->production_count, symbols = g->symbol_count;
    g->owner = malloc(symbols * sizeof *g->owner);
    g->depth = calloc(productions, sizeof *g->depth);
    g->rule_depth = calloc(rules, sizeof *g->rule_depth);
    g->by_depth = calloc(rules, sizeof *g->by_depth);
    g->endless = calloc(rules, sizeof *g->endless);
    g->reached = calloc(rules, sizeof *g->reached);
    g->reached_by = calloc(rules, sizeof *g->reached_by);
    if (!g->owner || !g->depth || !g->rule_depth || !g->by_depth || !g->endless || !g->reached ||
        !g->reached_by)
        return gr_no_memory(error);
    for (uint32_t p = 0; p < g->production_count; p++)
        for (uint32_t s = g->productions[p].first; s < gr_symbols_end(g, p); s++)
            g->owner[s] = p;
    return GR_OK;
}

/* ---- packing ---- */

static uint32_t production_word(const gr_grammar *g, uint32_t production) {
    uint32_t recursive = 0;
    for (uint32_t s = g->productions[production].first; s < gr_symbols_end(g, production); s++)
        if (is_rule(g->symbols[s]))
            recursive |= g->endless[g->symbols[s] & ~GR_NONTERMINAL];
    return GR_PRODUCTION_WORD(g->depth[production], count_nonterminals(g, production), recursive);
}

/* Where each table starts; the length of all of them. */
static uint64_t lay_out(const gr_grammar *g, uint32_t tokens, uint32_t steps,
                        uint64_t offset[GR_G_WORDS]) {
    uint64_t at = GR_G_HEADER;
    const uint64_t lengths[] = {g->rule_count + 1ull,
                                g->production_count,
                                g->production_count + 1ull,
                                g->symbol_count,
                                g->terminals.count + 1ull,
                                2ull * tokens,
                                steps ? 2ull * g->rule_count : 0,
                                steps ? 2ull * g->production_count : 0,
                                2ull * steps};
    for (int table = 0; table < GR_G_WORDS - GR_G_RULE_FIRST; table++) {
        at += GR_G_RULE_FIRST + table >= GR_G_CHOICE ? at % 2 : 0; /* gr_pair */
        offset[GR_G_RULE_FIRST + table] = at;
        at += lengths[table];
    }
    return at;
}

static void fill(const gr_grammar *g, uint32_t *w, const uint32_t *token, const uint32_t *first) {
    for (uint32_t r = 0; r < g->rule_count; r++)
        w[w[GR_G_RULE_FIRST] + r] = g->rules[r].first;
    w[w[GR_G_RULE_FIRST] + g->rule_count] = g->production_count;
    for (uint32_t p = 0; p < g->production_count; p++) {
        w[w[GR_G_PRODUCTION] + p] = production_word(g, p);
        w[w[GR_G_SYMBOL_FIRST] + p] = g->productions[p].first;
    }
    w[w[GR_G_SYMBOL_FIRST] + g->production_count] = g->symbol_count;
    memcpy(w + w[GR_G_SYMBOL], g->symbols, g->symbol_count * sizeof *w);
    if (!w[GR_G_TOKENS])
        return;
    memcpy(w + w[GR_G_TOKEN_FIRST], first, (g->terminals.count + 1ull) * sizeof *w);
    memcpy(w + w[GR_G_TOKEN], token, 2ull * w[GR_G_TOKENS] * sizeof *w);
}

static void fill_steps(const gr_grammar *g, uint32_t *w, const gr_steps *steps) {
    uint32_t *choice = w + w[GR_G_CHOICE];
    if (!steps->count)
        return;
    for (uint32_t r = 0; r < g->rule_count; r++) {
        uint32_t count = gr_productions_end(g, r) - g->rules[r].first;
        choice[2 * r] = g->rules[r].first | count << 16;
        choice[2 * r + 1] = 0xffffffffu / count;
    }
    memcpy(w + w[GR_G_BODY], steps->body, 2ull * g->production_count * sizeof *w);
    memcpy(w + w[GR_G_STEP], steps->word, 2ull * steps->count * sizeof *w);
}

static gr_status pack(gr_grammar *g, const uint32_t *token, const uint32_t *first,
                      const gr_steps *steps, gr_error *error) {
    uint64_t offset[GR_G_WORDS] = {0};
    uint32_t tokens = first[g->terminals.count];
    uint64_t length = lay_out(g, tokens, steps->count, offset);
    if (length > INT32_MAX)
        return gr_fail(error, GR_BAD_INPUT,
                       "%s: the grammar's tables hold %llu words; expected at most %d", g->path,
                       (unsigned long long)length, INT32_MAX);
    uint32_t *words = calloc(length, sizeof *words);
    if (!words)
        return gr_no_memory(error);
    words[GR_G_RULES] = g->rule_count;
    words[GR_G_PRODUCTIONS] = g->production_count;
    words[GR_G_SYMBOLS] = g->symbol_count;
    words[GR_G_TERMINALS] = g->terminals.count;
    words[GR_G_TOKENS] = tokens;
    words[GR_G_FIRST_VALUE] = g->first_value;
    for (int table = GR_G_RULE_FIRST; table < GR_G_WORDS; table++)
        words[table] = (uint32_t)offset[table];
    words[GR_G_WORDS] = (uint32_t)length;
    words[GR_G_STEPS] = steps->count;
    words[GR_G_MAPS] = steps->maps;
    fill(g, words, token, first);
    fill_steps(g, words, steps);
    free(g->words);
    g->words = words;
    g->word_count = (uint32_t)length;
    return GR_OK;
}

gr_status gr_grammar_pack(gr_grammar *g, const uint32_t *token, const uint32_t *first,
                          uint32_t packed, gr_error *error) {
    gr_steps steps;
    gr_status status = gr_grammar_make_steps(g, token, first, packed, &steps, error);
    if (status == GR_OK) {
        status = pack(g, token, first, &steps, error);
        gr_grammar_free_steps(&steps);
    }
    return status;
}

/* What a derivation needs alone: of all tokens those of codons' values, which their texts are
 * written from. */
static gr_status pack_without_sentences(gr_grammar *g, gr_error *error) {
    gr_token_list tokens = {0};
    gr_steps steps = {0};
    uint32_t *first = calloc(g->terminals.count + 1ull, sizeof *first);
    gr_status status = first ? GR_OK : gr_no_memory(error);
    for (uint32_t t = 0; t < g->terminals.count && status == GR_OK; t++) {
        const gr_grammar_text *word = g->terminals.at[t];
        if (word->is_value)
            status = gr_add_value_tokens(&tokens, &word->value, error);
        first[t + 1] = tokens.count;
    }
    if (status == GR_OK)
        status = gr_grammar_make_steps(g, NULL, NULL, 0, &steps, error);
    if (status == GR_OK)
        status = pack(g, tokens.words, first, &steps, error);
    gr_grammar_free_steps(&steps);
    gr_token_list_free(&tokens);
    free(first);
    return status;
}

/* ---- all of it ---- */

gr_status gr_grammar_analyse(gr_grammar *g, gr_error *error) {
    gr_uses u = {0};
    gr_status status = resolve_names(g, error);
    if (status == GR_OK)
        status = reserve(g, error);
    if (status == GR_OK && gr_grammar_find_uses(g, &u) != GR_OK)
        status = gr_no_memory(error);
    if (status == GR_OK)
        status = find_depths(g, &u, error);
    if (status == GR_OK)
        status = find_endless(g, &u, error);
    if (status == GR_OK)
        status = find_reached(g, error);
    gr_grammar_free_uses(&u);
    return status == GR_OK ? pack_without_sentences(g, error) : status;
}
