/* Distinct sentences, counted by making them all: what an ambiguous grammar, or one with repeated
 * productions, really offers at a depth. */
#include "host/grammar/facts.h"
#include "host/grammar/internal.h"

#include <stdlib.h>
#include <string.h>

/* Of one rule; made and copied in all, whatever the rules and depths. */
enum { MOST_SENTENCES = 100000, MOST_MADE = 400000, MOST_BYTES = 1 << 27 };

typedef struct piece {
    char *text;
    size_t length;
} piece;

/* The sentences of one rule. */
typedef struct piece_set {
    piece *at; /* sorted, distinct */
    uint32_t count, capacity;
    int too_many;
} piece_set;

typedef struct maker {
    const gr_grammar *grammar;
    size_t made, bytes;
    int no_memory;
} maker;

static void free_set(piece_set *set) {
    for (uint32_t i = 0; i < set->count; i++)
        free(set->at[i].text);
    free(set->at);
    *set = (piece_set){0};
}

static void too_many(piece_set *set) {
    free_set(set);
    set->too_many = 1;
}

static int exhausted(const maker *m) {
    return m->made > MOST_MADE || m->bytes > MOST_BYTES;
}

/* Adds head + tail. */
static void put(maker *m, piece_set *set, const piece *head, const char *tail, size_t length) {
    size_t n = head ? head->length : 0;
    piece *grown = gr_grown(set->at, set->count, &set->capacity, sizeof *grown);
    char *text = grown ? malloc(n + length + 1) : NULL;
    set->at = grown ? grown : set->at;
    if (!text) {
        m->no_memory = 1;
        return;
    }
    if (n)
        memcpy(text, head->text, n);
    memcpy(text + n, tail, length);
    set->at[set->count++] = (piece){text, n + length};
    m->bytes += n + length + 1;
    m->made++;
}

static int compare_pieces(const void *left, const void *right) {
    const piece *a = left, *b = right;
    if (a->length != b->length)
        return a->length < b->length ? -1 : 1;
    return memcmp(a->text, b->text, a->length);
}

static void make_distinct(piece_set *set) {
    uint32_t kept = 0;
    if (set->count)
        qsort(set->at, set->count, sizeof *set->at, compare_pieces);
    for (uint32_t i = 0; i < set->count; i++)
        if (kept && compare_pieces(&set->at[kept - 1], &set->at[i]) == 0)
            free(set->at[i].text);
        else
            set->at[kept++] = set->at[i];
    set->count = kept;
}

/* set x the texts of a terminal or of a rule, in place. */
static void extend(maker *m, piece_set *set, const piece *tails, uint32_t n) {
    piece_set product = {0};
    if ((uint64_t)set->count * n > MOST_MADE)
        product.too_many = 1;
    for (uint32_t i = 0; i < set->count && !product.too_many && !m->no_memory; i++)
        for (uint32_t k = 0; k < n && !m->no_memory && !product.too_many; k++) {
            put(m, &product, &set->at[i], tails[k].text, tails[k].length);
            if (exhausted(m))
                too_many(&product);
        }
    free_set(set);
    make_distinct(&product);
    *set = product;
}

/* The texts of a terminal: one, or all a codon's value can have. */
static void extend_terminal(maker *m, piece_set *set, uint32_t terminal) {
    const gr_grammar_text *word = m->grammar->terminals.at[terminal];
    char text[32];
    piece one = {word->text, word->length};
    if (!word->is_value) {
        extend(m, set, &one, 1);
        return;
    }
    piece_set values = {0};
    uint64_t span = word->value.scale ? word->value.scale + 1ull
                                      : (word->value.span ? word->value.span : 1ull << 32);
    if (span > MOST_SENTENCES) {
        too_many(set);
        return;
    }
    for (uint32_t c = 0; c < span && !m->no_memory; c++) {
        gr_grammar_codon_text(m->grammar, terminal, c, text);
        put(m, &values, NULL, text, strlen(text));
    }
    make_distinct(&values);
    extend(m, set, values.at, values.count);
    free_set(&values);
}

/* Sentences through one production, joined to those of its rule. */
static void add_production(maker *m, uint32_t production, const piece_set *above, piece_set *rule) {
    const gr_grammar *g = m->grammar;
    piece_set set = {0};
    uint32_t from = g->productions[production].first, to = gr_symbols_end(g, production);
    for (uint32_t s = from; s < to; s++) { /* nothing yet of one symbol: nothing of the whole */
        const piece_set *below = &above[g->symbols[s] & ~GR_NONTERMINAL];
        if ((g->symbols[s] & GR_NONTERMINAL) && !below->too_many && !below->count)
            return;
    }
    put(m, &set, NULL, "", 0);
    for (uint32_t s = from; s < to && !set.too_many && !m->no_memory; s++) {
        const piece_set *below = &above[g->symbols[s] & ~GR_NONTERMINAL];
        if (!(g->symbols[s] & GR_NONTERMINAL))
            extend_terminal(m, &set, g->symbols[s]);
        else if (below->too_many)
            too_many(&set);
        else
            extend(m, &set, below->at, below->count);
    }
    if (set.too_many || (uint64_t)rule->count + set.count > MOST_MADE)
        too_many(rule);
    for (uint32_t i = 0; i < set.count && !rule->too_many && !m->no_memory; i++) {
        put(m, rule, NULL, set.at[i].text, set.at[i].length);
        if (exhausted(m))
            too_many(rule);
    }
    free_set(&set);
}

static void make_rule(maker *m, uint32_t rule, const piece_set *above, piece_set *set) {
    const gr_grammar *g = m->grammar;
    for (uint32_t p = g->rules[rule].first; p < gr_productions_end(g, rule); p++)
        if (!set->too_many && !m->no_memory)
            add_production(m, p, above, set);
    make_distinct(set);
    if (set->count > MOST_SENTENCES)
        too_many(set);
}

gr_status gr_count_sentences(const gr_grammar *g, uint32_t depth, uint64_t *count,
                             gr_error *error) {
    maker m = {.grammar = g};
    piece_set *now = calloc(2 * (size_t)g->rule_count, sizeof *now);
    if (!now)
        return gr_no_memory(error);
    piece_set *block = now, *before = now + g->rule_count, *swap;
    for (uint32_t d = 0; d <= depth; d++) {
        if (d >= 2 && !now[0].too_many && !m.no_memory) {
            swap = before, before = now, now = swap;
            for (uint32_t i = 0; i < g->reached_count && !m.no_memory; i++) {
                uint32_t rule = g->reached[i];
                free_set(&now[rule]);
                make_rule(&m, rule, before, &now[rule]);
            }
        }
        count[d] = now[0].too_many ? UINT64_MAX : now[0].count;
    }
    for (uint32_t i = 0; i < 2 * g->rule_count; i++)
        free_set(&block[i]);
    free(block);
    return m.no_memory ? gr_no_memory(error) : GR_OK;
}
