/* A derivation adds up what its productions bring: leaves, say. The most that so many codons can
 * bring is a linear program over how often each production is used, and its dual is solved here:
 * codons have a price, and each rule has a value, the most that a derivation of it brings less what
 * its codons cost. Then no derivation from the start rule brings more than that rule's value and
 * the price of all codons, and one price gives the least such bound. Where a codon costs too little
 * values have no end: some recursion brings more than it costs.
 *
 * Derivations that ran out of codons count too, for they are read until there: each rule has a
 * value of such beginnings as well, whose last rules are not expanded, which brings and costs
 * nothing. */
#include "host/problem/largest_phenotype.h"

#include "gpu/core/genotype/depth_first.h"
#include "gpu/core/mapping/codon_value.h"
#include "gpu/core/mapping/wrapping.h"

#include <stdbool.h>
#include <stdlib.h>

/* What tokens bring. An expression of n leaves has n - 1 functions of two operands or fewer of
 * more, also where a list writes its operation for every operand behind the first; so a leaf counts
 * two, one of which is for a function that joins it, and besides them only what may be a function
 * of one operand counts. */
enum { LEAF = 2, UNARY = 1 };

/* Prices and values are in parts of a node, which many ratios of small numbers are whole in. */
enum { PARTS = 60 };
#define NO_VALUE INT64_MIN
static const int64_t farthest = (int64_t)PARTS << 24;

/* Symbols looked at before a grammar is taken to be too large for this. */
enum { MOST_WORK = 4000000 };

typedef struct growth {
    const uint32_t *g;
    uint32_t convention;
    uint32_t *brings; /* [symbols], of terminals */
    int64_t *value;   /* [rules]; NO_VALUE: none is known */
    int64_t *begun;   /* [rules], of beginnings */
    uint64_t work;
} growth;

/* ---- what productions bring ---- */

/* Numbers in pieces: what a token may go on with, if nothing stands between. */
typedef enum number { NO_NUMBER, WHOLE, DOTTED, INDEX } number;

static number after(uint32_t kind) {
    if (kind == GR_T_DIGITS)
        return WHOLE;
    if (kind == GR_T_DOT)
        return DOTTED;
    return kind == GR_T_PREFIX || kind == GR_T_INDEX ? INDEX : NO_NUMBER;
}

static bool goes_on(number open, uint32_t kind) {
    return (kind == GR_T_DIGITS && open) || (kind == GR_T_DOT && open == WHOLE);
}

static uint32_t nodes_of_function(const gr_params *p, uint32_t op) {
    if (op == GR_TARGETS) /* of every output its two columns, and the last node of all */
        return 2 * LEAF * p->outputs + UNARY;
    if (op == GR_ARGMAX) /* two of one operand, and one of two for each of the others */
        return 2 * UNARY;
    return gr_arity(op) == 1 ? UNARY : 0;
}

/* Of a token that does not go on with a number. */
static uint32_t nodes_of_token(const gr_params *p, uint32_t kind, uint32_t operand) {
    switch (kind) {
    case GR_T_INPUT:
    case GR_T_CONSTANT:
    case GR_T_DIGITS:
    case GR_T_DOT:
    case GR_T_PREFIX:
    case GR_T_INDEX:
        return LEAF;
    case GR_T_CODON: /* with a sign */
        return LEAF + UNARY;
    case GR_T_FUNCTION:
        return nodes_of_function(p, operand);
    case GR_T_OPERATOR:
        return (operand >> 8 & 0xffu) && (operand >> 8 & 0xffu) != GR_OP_COUNT ? UNARY : 0;
    default:
        return 0;
    }
}

/* Nodes of a terminal's tokens, and in *open those that wait on the reader's stack. */
static uint32_t nodes_of_terminal(const gr_params *p, const uint32_t *g, uint32_t terminal,
                                  uint32_t *open) {
    uint32_t nodes = 0;
    number before = NO_NUMBER;
    for (uint32_t t = gr_token_first(g, terminal); t < gr_token_first(g, terminal + 1); t++) {
        uint32_t word = gr_token_word(g, t, 0), kind = GR_TOKEN_KIND(word);
        if (word & GR_TOKEN_SPACE_BEFORE)
            before = NO_NUMBER;
        bool more = goes_on(before, kind);
        nodes += more ? 0 : nodes_of_token(p, kind, gr_token_word(g, t, 1));
        before = more && kind == GR_T_DIGITS ? before : after(kind);
        if (word & GR_TOKEN_SPACE_AFTER)
            before = NO_NUMBER;
        *open += kind == GR_T_OPEN || kind == GR_T_FUNCTION || kind == GR_T_OPERATOR ||
                 kind == GR_T_IF || kind == GR_T_CODON;
    }
    return nodes;
}

typedef enum measured { NODES, NESTING } measured;

static void count_brought(const gr_params *p, measured what, growth *of) {
    const uint32_t *g = of->g;
    for (uint32_t k = 0; k < g[GR_G_SYMBOLS]; k++) {
        uint32_t open = 0, nodes = 0;
        if (!(gr_symbol(g, k) & GR_NONTERMINAL))
            nodes = nodes_of_terminal(p, g, gr_symbol(g, k), &open);
        of->brings[k] = what == NODES ? nodes : open;
    }
}

/* ---- values ---- */

/* Improves the values of a rule by a production, by those of other rules as far as they are known;
 * whether one is better. */
static bool improve_by(growth *of, uint32_t rule, uint32_t production, int64_t cost) {
    const uint32_t *g = of->g;
    int64_t sum = -cost, begun = 0;
    uint32_t first = gr_symbol_first(g, production), end = gr_symbol_first(g, production + 1);
    bool better = false;
    of->work += end - first;
    for (uint32_t k = first; k < end && sum != NO_VALUE; k++) {
        uint32_t symbol = gr_symbol(g, k), of_rule = symbol & ~GR_NONTERMINAL;
        int is_rule = symbol != of_rule;
        int64_t brings = (int64_t)PARTS * of->brings[k],
                value = is_rule ? of->value[of_rule] : brings,
                begins = sum + (is_rule ? of->begun[of_rule] : brings);
        begun = begins > begun ? begins : begun;
        sum = value == NO_VALUE ? NO_VALUE : sum + value;
    }
    if (sum != NO_VALUE && sum < -farthest)
        sum = -farthest; /* more than it is, which a bound may be */
    if (sum > of->value[rule])
        of->value[rule] = sum, better = true;
    if (begun > of->begun[rule])
        of->begun[rule] = begun, better = true;
    return better;
}

/* Improves those of all rules: 1, 0 where none is better, -1: some have no end. */
static int improve(growth *of, int64_t price) {
    const uint32_t *g = of->g;
    int better = 0;
    for (uint32_t rule = g[GR_G_RULES]; rule-- > 0;) { /* most stand behind those that use them */
        int64_t cost = gr_takes_codon(g, of->convention, rule) ? price : 0;
        for (uint32_t p = gr_rule_first(g, rule); p < gr_rule_first(g, rule + 1); p++)
            better |= improve_by(of, rule, p, cost);
        if (of->begun[rule] > farthest)
            return -1;
    }
    return better;
}

/* Whether a price is high enough. Derivations that repeat no rule on a path, and beginnings that
 * consist of such, are no higher than twice the rules; what is better still after as many turns
 * repeats one that pays. */
static bool find_values(growth *of, int64_t price) {
    const uint32_t *g = of->g;
    for (uint32_t rule = 0; rule < g[GR_G_RULES]; rule++) {
        of->value[rule] = NO_VALUE;
        of->begun[rule] = 0;
    }
    for (uint32_t turn = 0; turn <= 2 * g[GR_G_RULES] && of->work < MOST_WORK; turn++) {
        int better = improve(of, price);
        if (better <= 0)
            return better == 0;
    }
    return false;
}

/* The bound by a price, in parts; NO_VALUE where it is too low. */
static int64_t bound_by(growth *of, uint64_t codons, int64_t price) {
    return find_values(of, price) ? (int64_t)codons * price + of->begun[0] : NO_VALUE;
}

/* Between two prices, of which the higher one is enough, the lowest that is. */
static int64_t lowest_price(growth *of, uint64_t codons, int64_t low, int64_t high) {
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (bound_by(of, codons, middle) != NO_VALUE)
            high = middle;
        else
            low = middle + 1;
    }
    return high;
}

/* The least bound by any price: it falls with the price as long as what brings most takes more
 * codons than there are, and rises from there. */
static uint64_t least_bound(growth *of, uint64_t codons) {
    int64_t high = PARTS, bound;
    while ((bound = bound_by(of, codons, high)) == NO_VALUE && high < farthest)
        high *= 2;
    if (bound == NO_VALUE)
        return UINT64_MAX;
    int64_t low = lowest_price(of, codons, 0, high), best = bound_by(of, codons, low);
    for (high *= 2; low < high && best != NO_VALUE;) {
        int64_t middle = (low + high) / 2, here = bound_by(of, codons, middle),
                next = bound_by(of, codons, middle + 1);
        if (here == NO_VALUE || next == NO_VALUE)
            break;
        best = here < best ? here : best;
        if (next < here)
            low = middle + 1;
        else
            high = middle;
    }
    bound = best == NO_VALUE || bound < best ? bound : best;
    return bound < 0 ? 0 : (uint64_t)bound / PARTS;
}

/* Where every expansion takes a codon: as many times the most that a production brings. */
static uint64_t bound_by_longest(const growth *of, uint64_t codons) {
    uint64_t most = 0;
    if (of->convention & GR_LAZY)
        return UINT64_MAX;
    for (uint32_t p = 0; p < of->g[GR_G_PRODUCTIONS]; p++) {
        uint64_t brings = 0;
        for (uint32_t k = gr_symbol_first(of->g, p); k < gr_symbol_first(of->g, p + 1); k++)
            brings += of->brings[k];
        most = brings > most ? brings : most;
    }
    return codons * most;
}

static uint64_t find_bound(const gr_params *p, measured what, growth *of, uint64_t codons) {
    count_brought(p, what, of);
    of->work = 0;
    uint64_t least = least_bound(of, codons), plain = bound_by_longest(of, codons);
    return least < plain ? least : plain;
}

/* ---- bounds ---- */

gr_status gr_find_largest_phenotype(const gr_params *p, const uint32_t *g, uint64_t codons,
                                    uint64_t *nodes, uint64_t *nesting, gr_error *error) {
    growth of = {g,
                 gr_is_non_depth_first(p->convention) ? 0 : p->convention,
                 calloc(g[GR_G_SYMBOLS] + 1ull, sizeof *of.brings),
                 calloc(g[GR_G_RULES] + 1ull, sizeof *of.value),
                 calloc(g[GR_G_RULES] + 1ull, sizeof *of.begun),
                 0};
    gr_status status = of.brings && of.value && of.begun
                           ? GR_OK
                           : gr_fail(error, GR_NO_MEMORY, "no memory to measure the grammar");
    *nodes = *nesting = UINT64_MAX;
    if (!status && codons < (uint64_t)INT32_MAX) {
        *nodes = find_bound(p, NODES, &of, codons);
        *nodes -= *nodes && *nodes < UINT64_MAX; /* one function fewer than leaves */
        *nesting = find_bound(p, NESTING, &of, codons);
    }
    free(of.brings);
    free(of.value);
    free(of.begun);
    return status;
}

gr_status gr_bound_expressions(gr_params *p, const uint32_t *g, gr_error *error) {
    enum { AT_ONCE = 4 }; /* instructions of 32 bytes, which memory is written by */
    uint64_t nodes, nesting, open = (uint64_t)p->max_nodes + 64,
                             codons = (uint64_t)p->genome_capacity * (p->max_wraps + 1ull);
    if (gr_is_non_depth_first(p->convention))
        codons = g[GR_G_EXPANSIONS];
    gr_status status = gr_find_largest_phenotype(p, g, codons, &nodes, &nesting, error);
    if (status)
        return status;
    if (nodes < p->max_nodes)
        p->max_nodes = gr_min_u32(p->max_nodes, (uint32_t)(nodes / AT_ONCE + 1) * AT_ONCE);
    p->max_nesting = (uint32_t)(nesting < open ? nesting + (nesting == 0) : open);
    return GR_OK;
}
