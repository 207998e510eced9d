/* Recursion, uses, and the number of derivations. */
#define _GNU_SOURCE /* qsort_r */
#include "host/grammar/facts.h"
#include "gpu/core/mapping/wrapping.h"
#include "host/grammar/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- counts ---- */

static const unsigned __int128 LARGEST = ~(unsigned __int128)0;

static double log10_of(unsigned __int128 exact) {
    return exact ? log10((double)exact) : -INFINITY;
}

static gr_count exact_count(unsigned __int128 exact) {
    return (gr_count){exact, 1, log10_of(exact)};
}

static gr_count multiply(gr_count a, gr_count b) {
    if (a.is_exact && b.is_exact && (!a.exact || !b.exact))
        return exact_count(0);
    if (a.is_exact && b.is_exact && a.exact <= LARGEST / b.exact)
        return exact_count(a.exact * b.exact);
    if ((a.is_exact && !a.exact) || (b.is_exact && !b.exact))
        return exact_count(0);
    return (gr_count){0, 0, a.log10 + b.log10};
}

static gr_count add(gr_count a, gr_count b) {
    if (a.is_exact && b.is_exact && a.exact <= LARGEST - b.exact)
        return exact_count(a.exact + b.exact);
    double more = fmax(a.log10, b.log10), less = fmin(a.log10, b.log10);
    return (gr_count){0, 0, isinf(less) ? more : more + log10(1.0 + pow(10.0, less - more))};
}

const char *gr_count_print(gr_count count, char out[GR_COUNT_TEXT]) {
    char digits[GR_COUNT_TEXT];
    int n = 0, length = 0;
    double whole = floor(count.log10);
    if (count.is_exact) {
        do
            digits[n++] = (char)('0' + (int)(count.exact % 10));
        while (count.exact /= 10);
        while (n)
            out[length++] = digits[--n];
        out[length] = '\0';
    } else if (count.log10 < 1e9)
        snprintf(out, GR_COUNT_TEXT, "about %.1fe%.0f", pow(10.0, count.log10 - whole), whole);
    else
        snprintf(out, GR_COUNT_TEXT, "about 10^(%.2g)", count.log10);
    return out;
}

/* ---- rules ---- */

static int is_rule(uint32_t symbol) {
    return (symbol & GR_NONTERMINAL) != 0;
}

/* The symbols of all productions of a rule stand in a row: [*from, *to). */
static void symbols_of(const gr_grammar *g, uint32_t rule, uint32_t *from, uint32_t *to) {
    *from = g->productions[g->rules[rule].first].first;
    *to = gr_symbols_end(g, gr_productions_end(g, rule) - 1);
}

/* Tarjan's strongly connected components, with a stack of its own: a rule is recursive when its
 * component has another rule, or when it uses itself. */
typedef struct walk {
    uint32_t *number, *low, *open, *path, *next; /* [rules] */
    uint8_t *on_path;
    uint32_t opened, pathed, numbered;
} walk;

static void close_component(walk *w, uint32_t rule, gr_rule_facts *facts) {
    uint32_t size = 0, other;
    do {
        other = w->path[--w->pathed];
        w->on_path[other] = 0;
        size++;
        facts[other].recursive |= other != rule;
    } while (other != rule);
    facts[rule].recursive |= size > 1;
}

static void walk_from(const gr_grammar *g, walk *w, uint32_t start, gr_rule_facts *facts) {
    uint32_t from, to;
    w->open[w->opened++] = start;
    while (w->opened) {
        uint32_t rule = w->open[w->opened - 1];
        symbols_of(g, rule, &from, &to);
        if (!w->number[rule]) {
            w->number[rule] = w->low[rule] = ++w->numbered;
            w->path[w->pathed++] = rule;
            w->on_path[rule] = 1;
            w->next[rule] = from;
        }
        uint32_t below = GR_NONE;
        for (; w->next[rule] < to && below == GR_NONE; w->next[rule]++) {
            uint32_t symbol = g->symbols[w->next[rule]], child = symbol & ~GR_NONTERMINAL;
            if (!is_rule(symbol))
                continue;
            facts[rule].recursive |= child == rule;
            if (!w->number[child])
                below = child;
            else if (w->on_path[child])
                w->low[rule] = gr_min_u32(w->low[rule], w->number[child]);
        }
        if (below != GR_NONE) {
            w->open[w->opened++] = below;
            continue;
        }
        if (w->low[rule] == w->number[rule])
            close_component(w, rule, facts);
        if (--w->opened) {
            uint32_t above = w->open[w->opened - 1];
            w->low[above] = gr_min_u32(w->low[above], w->low[rule]);
        }
    }
}

static gr_status find_recursion(const gr_grammar *g, gr_rule_facts *facts, gr_error *error) {
    size_t n = g->rule_count;
    uint32_t *scratch = calloc(5 * n, sizeof *scratch);
    walk w = {.on_path = calloc(n, 1)};
    gr_status status = scratch && w.on_path ? GR_OK : gr_no_memory(error);
    if (status == GR_OK) {
        w.number = scratch;
        w.low = scratch + n;
        w.open = scratch + 2 * n;
        w.path = scratch + 3 * n;
        w.next = scratch + 4 * n;
        for (uint32_t r = 0; r < n; r++)
            if (!w.number[r])
                walk_from(g, &w, r, facts);
    }
    free(scratch);
    free(w.on_path);
    return status;
}

/* Whether two productions have the same symbols, and an order among them. */
static int compare_productions(const void *left, const void *right, void *context) {
    const gr_grammar *g = context;
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    uint32_t from_a = g->productions[a].first, from_b = g->productions[b].first;
    uint32_t n = gr_symbols_end(g, a) - from_a, m = gr_symbols_end(g, b) - from_b;
    if (n != m)
        return n < m ? -1 : 1;
    return memcmp(g->symbols + from_a, g->symbols + from_b, n * sizeof *g->symbols);
}

/* Sorts the productions of a rule and marks of equal ones all but one; how many are left. */
static uint32_t mark_repeated(const gr_grammar *g, uint32_t rule, uint32_t *sorted,
                              uint8_t *repeated) {
    uint32_t first = g->rules[rule].first, n = gr_productions_end(g, rule) - first, distinct = n;
    for (uint32_t i = 0; i < n; i++)
        sorted[i] = first + i;
    qsort_r(sorted, n, sizeof *sorted, compare_productions, (void *)(uintptr_t)g);
    for (uint32_t i = 1; i < n; i++) {
        repeated[sorted[i]] =
            compare_productions(&sorted[i - 1], &sorted[i], (void *)(uintptr_t)g) == 0;
        distinct -= repeated[sorted[i]];
    }
    return distinct;
}

gr_status gr_grammar_find_facts(const gr_grammar *g, gr_grammar_facts *facts, gr_error *error) {
    uint32_t *sorted = malloc(g->production_count * sizeof *sorted);
    uint8_t *repeated = calloc(g->production_count, 1);
    *facts = (gr_grammar_facts){.rules = g->rule_count,
                                .productions = g->production_count,
                                .symbols = g->symbol_count,
                                .terminals = g->terminals.count,
                                .words = g->word_count,
                                .unreached_rules = g->rule_count - g->reached_count};
    facts->rule = calloc(g->rule_count, sizeof *facts->rule);
    gr_status status = facts->rule && sorted && repeated ? GR_OK : gr_no_memory(error);
    for (uint32_t r = 0; status == GR_OK && r < g->rule_count; r++) {
        gr_rule_facts *f = &facts->rule[r];
        f->first = g->rules[r].first;
        f->productions = gr_productions_end(g, r) - f->first;
        f->least_depth = g->rule_depth[r] + 1;
        f->endless = g->endless[r];
        f->reached = r == 0 || g->reached_by[r] != GR_NONE;
        facts->most_productions = gr_max_u32(facts->most_productions, f->productions);
        f->distinct = mark_repeated(g, r, sorted, repeated);
        facts->repeated += f->productions - f->distinct;
    }
    for (uint32_t s = 0; status == GR_OK && s < g->symbol_count; s++)
        if (is_rule(g->symbols[s]))
            facts->rule[g->symbols[s] & ~GR_NONTERMINAL].uses++;
    if (status == GR_OK)
        status = find_recursion(g, facts->rule, error);
    for (uint32_t r = 0; status == GR_OK && r < g->rule_count; r++)
        facts->recursive_rules += (uint32_t)facts->rule[r].recursive;
    free(sorted);
    free(repeated);
    if (status != GR_OK)
        gr_grammar_facts_free(facts);
    return status;
}

void gr_grammar_facts_free(gr_grammar_facts *facts) {
    free(facts->rule);
    *facts = (gr_grammar_facts){0};
}

/* ---- derivations ---- */

/* How many texts a terminal has: more than one only where it is a codon's value. */
static gr_count texts_of(const gr_grammar *g, uint32_t terminal) {
    const gr_grammar_text *word = g->terminals.at[terminal];
    if (!word->is_value)
        return exact_count(1);
    if (word->value.scale) {
        uint64_t steps = word->value.scale + 1ull, values = word->value.span + 1ull;
        return exact_count(steps < values ? steps : values);
    }
    return exact_count(word->value.span ? word->value.span : 1ull << 32);
}

/* `left_out`: productions that count for nothing. */
static gr_count count_rule(const gr_grammar *g, uint32_t rule, const gr_count *above,
                           const uint8_t *left_out) {
    gr_count sum = exact_count(0);
    for (uint32_t p = g->rules[rule].first; p < gr_productions_end(g, rule); p++) {
        gr_count product = exact_count(!left_out[p]);
        for (uint32_t s = g->productions[p].first; s < gr_symbols_end(g, p); s++)
            product =
                multiply(product, is_rule(g->symbols[s]) ? above[g->symbols[s] & ~GR_NONTERMINAL]
                                                         : texts_of(g, g->symbols[s]));
        sum = add(sum, product);
    }
    return sum;
}

gr_status gr_count_derivations(const gr_grammar *g, uint32_t depth, int different, gr_count *count,
                               gr_error *error) {
    gr_count *now = calloc(2 * (size_t)g->rule_count, sizeof *now);
    uint32_t *sorted = malloc(g->production_count * sizeof *sorted);
    uint8_t *left_out = calloc(g->production_count, 1);
    if (!now || !sorted || !left_out) {
        free(now);
        free(sorted);
        free(left_out);
        return gr_no_memory(error);
    }
    for (uint32_t r = 0; different && r < g->rule_count; r++)
        mark_repeated(g, r, sorted, left_out);
    gr_count *before = now + g->rule_count, *swap, *scratch = now;
    for (uint32_t r = 0; r < g->rule_count; r++)
        now[r] = exact_count(0);
    for (uint32_t d = 0; d <= depth; d++) {
        if (d >= 2) {
            swap = before, before = now, now = swap;
            for (uint32_t r = 0; r < g->rule_count; r++)
                now[r] = count_rule(g, r, before, left_out);
        }
        count[d] = now[0];
    }
    free(scratch);
    free(sorted);
    free(left_out);
    return GR_OK;
}

/* ---- the least derivation ---- */

/* What expanding a rule by a production costs: a codon, or NODES: nodes of the derivation. */
enum { NODES = 1 << 16 };

static uint32_t cost_of(const gr_grammar *g, uint32_t convention, uint32_t rule, uint32_t p) {
    uint32_t children = 0;
    if (convention != NODES)
        return gr_takes_codon(g->words, convention, rule);
    for (uint32_t s = g->productions[p].first; s < gr_symbols_end(g, p); s++)
        children += (uint32_t)is_rule(g->symbols[s]);
    return gr_max_u32(1, children);
}

/* The least cost below a rule as far as those of others are known; none is UINT32_MAX. */
static uint32_t least_of_rule(const gr_grammar *g, uint32_t convention, uint32_t rule,
                              const uint32_t *least) {
    uint64_t best = UINT32_MAX;
    for (uint32_t p = g->rules[rule].first; p < gr_productions_end(g, rule); p++) {
        uint64_t sum = cost_of(g, convention, rule, p);
        for (uint32_t s = g->productions[p].first; s < gr_symbols_end(g, p) && sum < best; s++)
            sum += is_rule(g->symbols[s]) ? least[g->symbols[s] & ~GR_NONTERMINAL] : 0;
        best = sum < best ? sum : best;
    }
    return (uint32_t)best;
}

gr_status gr_count_least_codons(const gr_grammar *g, uint32_t convention, uint32_t enough,
                                uint32_t *least, gr_error *error) {
    uint32_t *of = malloc(g->rule_count * sizeof *of);
    if (!of)
        return gr_no_memory(error);
    memset(of, 0xff, g->rule_count * sizeof *of);
    for (int better = 1; better && of[0] > enough;) { /* flattest first: one round nearly always */
        better = 0;
        for (uint32_t k = 0; k < g->rule_count; k++) {
            uint32_t rule = g->by_depth[k], now = least_of_rule(g, convention, rule, of);
            better |= now < of[rule];
            of[rule] = now;
        }
    }
    *least = of[0];
    free(of);
    return GR_OK;
}

gr_status gr_count_least_nodes(const gr_grammar *g, uint32_t enough, uint32_t *least,
                               gr_error *error) {
    gr_status status = gr_count_least_codons(g, NODES, enough - 1, least, error);
    *least += *least < UINT32_MAX; /* the root's own */
    return status;
}
