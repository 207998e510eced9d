/* What the tables of a grammar need for genotypes that are not read depth first: how long the list
 * of every non-terminal is, and how many expansions a derivation may have. */
#include "gpu/core/genotype/depth_first.h"
#include "host/grammar/internal.h"

#include <stdlib.h>
#include <string.h>

enum { ALL_RULES = -1, EXPANSIONS_A_GENE = 4 };

typedef struct sizes {
    const gr_grammar *g;
    uint32_t max_depth;
    uint64_t *now, *before; /* [rules] expansions below each rule in so many levels, and in one less
                             */
} sizes;

/* The most expansions that production p leads to, `limit` at most. */
static uint64_t most_below(const sizes *s, uint32_t p, uint64_t limit) {
    uint64_t sum = 0;
    for (uint32_t k = s->g->productions[p].first; k < gr_symbols_end(s->g, p); k++)
        if (s->g->symbols[k] & GR_NONTERMINAL) {
            sum += s->before[s->g->symbols[k] & ~GR_NONTERMINAL];
            sum = sum < limit ? sum : limit;
        }
    return sum;
}

/* The most expansions of a rule (ALL_RULES: of any) in a derivation within the depth; from `limit`
 * on it is not asked how many more. */
static uint64_t most_expansions(const sizes *s, int64_t target, uint64_t limit) {
    const gr_grammar *g = s->g;
    memset(s->before, 0, g->rule_count * sizeof *s->before);
    for (uint32_t levels_left = 1; levels_left < s->max_depth; levels_left++) {
        for (uint32_t r = 0; r < g->rule_count; r++) {
            uint64_t most = 0;
            int fits = 0;
            for (uint32_t p = g->rules[r].first; p < gr_productions_end(g, r); p++)
                if (g->depth[p] <= levels_left) {
                    uint64_t below = most_below(s, p, limit);
                    most = below > most ? below : most;
                    fits = 1;
                }
            s->now[r] = most + (fits && (target == ALL_RULES || target == r));
            s->now[r] = s->now[r] < limit ? s->now[r] : limit;
        }
        int same = memcmp(s->now, s->before, g->rule_count * sizeof *s->now) == 0;
        memcpy(s->before, s->now, g->rule_count * sizeof *s->now);
        if (s->now[0] >= limit || (same && levels_left > g->rule_count))
            break;
    }
    return s->before[0];
}

static int has_list(const gr_grammar *g, uint32_t rule) {
    return gr_productions_end(g, rule) - g->rules[rule].first > 1 || rule >= g->first_value;
}

/* Cuts the longest lists to one length, so that all of them fit. */
static int share(uint64_t *length, uint32_t rules, uint32_t capacity) {
    uint64_t low = 0, high = (uint64_t)capacity + 1; /* low fits */
    while (high - low > 1) {
        uint64_t middle = (low + high) / 2, sum = 0;
        for (uint32_t r = 0; r < rules; r++)
            sum += length[r] < middle ? length[r] : middle;
        if (sum <= capacity)
            low = middle;
        else
            high = middle;
    }
    for (uint32_t r = 0; r < rules; r++)
        length[r] = length[r] < low ? length[r] : low;
    return low > 0;
}

/* Appends the first gene of every list to the tables. */
static gr_status append_lists(gr_grammar *g, const uint64_t *length, gr_error *error) {
    uint32_t at = g->word_count, gene = 0;
    uint32_t *words = realloc(g->words, ((size_t)at + g->rule_count + 2) * sizeof *words);
    if (!words)
        return gr_no_memory(error);
    g->words = words;
    for (uint32_t r = 0; r <= g->rule_count; r++) {
        words[at + r] = gene;
        gene += r < g->rule_count ? (uint32_t)length[r] : 0;
    }
    words[at + g->rule_count + 1] = 0;
    g->word_count =
        at + g->rule_count + 1 + g->rule_count % 2; /* gr_pair is read at even offsets */
    words[GR_G_LISTS] = at;
    words[GR_G_WORDS] = g->word_count;
    return GR_OK;
}

static gr_status make_lists(gr_grammar *g, const sizes *s, uint32_t capacity, gr_error *error) {
    uint64_t work = (uint64_t)g->rule_count * g->symbol_count * s->max_depth;
    uint64_t *length = calloc(g->rule_count, sizeof *length);
    if (!length)
        return gr_no_memory(error);
    for (uint32_t r = 0; r < g->rule_count; r++)
        if (has_list(g, r)) {
            length[r] =
                work > 1000000000u ? capacity + 1ull : most_expansions(s, r, capacity + 1ull);
            length[r] += !length[r]; /* not to be reached within the depth */
        }
    gr_status status = GR_OK;
    if (!share(length, g->rule_count, capacity))
        status = gr_fail(error, GR_BAD_INPUT,
                         "%s: max-genome-length %u has no room for a list of every non-terminal; "
                         "expected at least their number",
                         g->path, capacity);
    if (!status)
        status = append_lists(g, length, error);
    free(length);
    return status;
}

gr_status gr_grammar_plan_non_depth_first(gr_grammar *g, uint32_t convention, uint32_t max_depth,
                                          uint32_t max_wraps, uint32_t capacity, gr_error *error) {
    sizes s = {g, max_depth, calloc(g->rule_count, sizeof *s.now),
               calloc(g->rule_count, sizeof *s.before)};
    gr_status status = s.now && s.before ? GR_OK : gr_no_memory(error);
    uint64_t most = capacity;
    if (!status && convention & GR_LISTS) {
        most = most_expansions(&s, ALL_RULES, (uint64_t)EXPANSIONS_A_GENE * capacity);
        status = make_lists(g, &s, capacity, error);
    } else if (!(convention & GR_LAZY) && max_wraps == 0)
        most = (capacity + 1) / 2;
    if (!status)
        g->words[GR_G_EXPANSIONS] = most ? (uint32_t)most : 1;
    free(s.now);
    free(s.before);
    return status;
}

uint32_t gr_grammar_genes(const gr_grammar *g) {
    return g->words[GR_G_LISTS] ? g->words[g->words[GR_G_LISTS] + g->rule_count] : 0;
}
