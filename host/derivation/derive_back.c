/* A bottom-up chart parser. Items come off in order of their depth (Knuth's generalisation of
 * Dijkstra's algorithm: depth is a maximum plus one), so the first derivation found of every piece
 * of the text is one of least depth, and neither ambiguity, empty terminals nor rules that lead to
 * themselves do any harm. Of an ambiguous text of n bytes most ways to put two pieces together give
 * a piece that is known, which is seen of 64 of them at a time: n^3 / 64 steps. Rules are looked
 * for where what stands beside them allows one, which leaves few pieces of most unambiguous texts,
 * and changes nothing else: what is left out leads to no derivation. */
#include "host/derivation/derive_back.h"

#include "gpu/core/genotype/depth_first.h"
#include "host/base/text.h"
#include "host/derivation/contexts.h"
#include "host/derivation/positions.h"
#include "host/grammar/internal.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ITEMS = 1 << 22, MOST_HEADS = 1 << 26, MOST_DEPTH = 65535, LONGEST_NUMBER = 20 };

/* A production with its first `dot` symbols found in text[from, to), or, complete, a rule. */
typedef struct item {
    uint32_t production; /* complete: of the derivation found */
    uint32_t dot, from, to;
    uint32_t depth;         /* of the deepest symbol so far; complete: of the rule's node */
    uint32_t before, below; /* the item one symbol earlier; the complete item of that symbol */
    uint32_t next;          /* of those to be settled */
    uint32_t order;         /* in which it was settled */
    uint32_t codon;         /* of a value */
    uint8_t complete;
} item;

/* An item whose next symbol, or a complete one that is this symbol. */
typedef struct partner {
    uint32_t item, order;
} partner;

typedef struct chart {
    const gr_grammar *g;
    const char *text;
    uint32_t length;
    const uint8_t *may; /* gr_find_contexts */
    int all_ends;       /* where a rule may end is not asked */
    item *items;
    uint32_t count, capacity;
    uint32_t *table; /* hash of (production or rule, dot, from, to) to item */
    uint32_t slots;
    uint32_t *waiting, *done; /* [(length + 1) x rules] lists of words: of items at a position that
                                 wait for a rule, of complete items of a rule that begin there */
    gr_positions begins;      /* of items that wait, by symbol and the position they have come to */
    gr_positions ends;        /* of complete items that were settled, by rule and beginning */
    /* Of items found more than once behind a symbol that is a rule: where they begin, by their end,
     * and where they end, by their beginning. */
    gr_positions known_begins, known_ends;
    partner *partners;
    uint32_t partner_count, partner_capacity;
    uint32_t settled;
    uint32_t *bucket; /* [buckets] lists of items to be settled, by depth */
    uint32_t buckets;
    uint64_t steps;
    int no_memory, too_large, too_deep;
} chart;

static int is_rule(uint32_t symbol) {
    return (symbol & GR_NONTERMINAL) != 0;
}

/* ---- items ---- */

static uint32_t hash_of(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    uint64_t h = ((uint64_t)a * 0x9e3779b97f4a7c15u) ^ ((uint64_t)b * 0xbf58476d1ce4e5b9u);
    h ^= ((uint64_t)c << 32 | d) * 0x94d049bb133111ebu;
    return (uint32_t)(h ^ h >> 29 ^ h >> 47);
}

static uint32_t key_of(const chart *c, const item *i) {
    return i->complete ? GR_NONTERMINAL | c->g->productions[i->production].rule : i->production;
}

static uint32_t *slot_of(chart *c, const item *wanted) {
    uint32_t key = key_of(c, wanted), dot = wanted->complete ? 0 : wanted->dot;
    uint32_t at = hash_of(key, dot, wanted->from, wanted->to) & (c->slots - 1);
    for (;; at = (at + 1) & (c->slots - 1)) {
        const item *i = c->table[at] == GR_NONE ? NULL : &c->items[c->table[at]];
        if (!i || (key_of(c, i) == key && (i->complete || i->dot == dot) &&
                   i->from == wanted->from && i->to == wanted->to))
            return &c->table[at];
    }
}

static int grow(chart *c) {
    item *items = gr_grown(c->items, c->count, &c->capacity, sizeof *items);
    c->items = items ? items : c->items;
    c->no_memory |= !items;
    c->too_large |= c->count >= MOST_ITEMS;
    if (!items || c->too_large)
        return 0;
    if (2 * c->count < c->slots)
        return 1;
    if (!gr_slots_grown(&c->table, &c->slots, 1024)) {
        c->no_memory = 1;
        return 0;
    }
    for (uint32_t i = 0; i < c->count; i++)
        *slot_of(c, &c->items[i]) = i;
    return 1;
}

/* An item that was found. 1: it is known, at this depth or less: items are settled in rising order
 * of depth, and none is found at less than that of the one being settled. */
static int found(chart *c, item wanted) {
    if (!grow(c))
        return 0;
    uint32_t *slot = slot_of(c, &wanted);
    if (*slot != GR_NONE)
        return 1;
    if (wanted.depth >= c->buckets) {
        c->too_deep = 1;
        return 0;
    }
    *slot = c->count++;
    wanted.next = c->bucket[wanted.depth];
    c->bucket[wanted.depth] = *slot;
    c->items[*slot] = wanted;
    return 0;
}

static int may(const chart *c, uint32_t production, uint32_t at, uint8_t what) {
    return c->may[(size_t)at * c->g->rule_count + c->g->productions[production].rule] & what;
}

/* ---- values of codons ---- */

/* A codon whose value is the number, or 0 with *good = 0. */
static uint32_t codon_of(gr_codon_value v, int64_t number, int *good) {
    int64_t from_low = number - v.low;
    *good = 1;
    if (!v.scale && from_low >= 0 && (v.span ? from_low < v.span : from_low <= UINT32_MAX))
        return (uint32_t)from_low;
    if (v.scale && from_low >= 0 && from_low <= v.span) {
        double guess = (double)from_low * ((double)v.scale + 1.0) / (double)v.span;
        for (int64_t c = (int64_t)guess - 2; c <= (int64_t)guess + 2; c++)
            if (c >= 0 && c <= v.scale && gr_codon_number(v, (uint32_t)c) == number)
                return (uint32_t)c;
    }
    *good = 0;
    return 0;
}

/* The number in text[at, at + n) without its point; some number beyond those of all codons, which
 * are below 2^33, where it is one. */
static int64_t number_in(const char *text, size_t n) {
    int64_t number = 0;
    for (size_t i = *text == '-'; i < n && number < INT64_MAX / 100; i++)
        if (text[i] != '.')
            number = 10 * number + (text[i] - '0');
    return *text == '-' ? -number : number;
}

static int advance(chart *c, uint32_t index, uint32_t to, uint32_t depth, uint32_t below,
                   uint32_t codon);

/* All numbers that begin at the item's position and that the value can be. */
static void match_value(chart *c, uint32_t index, uint32_t terminal) {
    const gr_grammar_text *word = c->g->terminals.at[terminal];
    uint32_t from = c->items[index].to;
    for (uint32_t n = 1; n <= LONGEST_NUMBER && from + n <= c->length; n++) {
        const char *text = c->text + from;
        char last = text[n - 1], printed[32];
        int good;
        if (!((last >= '0' && last <= '9') || last == '.' || (last == '-' && n == 1)))
            return;
        uint32_t codon = codon_of(word->value, number_in(text, n), &good);
        if (good && gr_grammar_codon_text(c->g, terminal, codon, printed) && strlen(printed) == n &&
            memcmp(printed, text, n) == 0)
            advance(c, index, from + n, 1, GR_NONE, codon);
    }
}

/* The item with one symbol more. 1: it is known. */
static int advance(chart *c, uint32_t index, uint32_t to, uint32_t depth, uint32_t below,
                   uint32_t codon) {
    item i = c->items[index];
    i.dot++;
    i.to = to;
    i.depth = gr_max_u32(i.depth, depth);
    i.before = index;
    i.below = below;
    i.codon = codon;
    return found(c, i);
}

/* ---- pieces put together ---- */

/* Who goes with an item: those of a word of positions that make an item not noted as known. `like`
 * is one of them but for the position, which is where `position` points. */
static void add_partners(chart *c, uint64_t fresh, uint32_t number, const item *like,
                         uint32_t *position) {
    for (; fresh; fresh &= fresh - 1) {
        *position = 64 * number + (uint32_t)__builtin_ctzll(fresh);
        partner *grown =
            gr_grown(c->partners, c->partner_count, &c->partner_capacity, sizeof *grown);
        c->partners = grown ? grown : c->partners;
        c->no_memory |= !grown;
        if (!grown)
            return;
        uint32_t index = *slot_of(c, like);
        c->partners[c->partner_count++] = (partner){index, c->items[index].order};
    }
}

static int by_order(const void *a, const void *b) {
    const partner *x = a, *y = b;
    return (x->order < y->order) - (x->order > y->order);
}

/* The last settled comes first. As buckets give the last found first too, this decides which of
 * several derivations of least depth is found. */
static void sort_partners(chart *c) {
    if (c->partner_count > 1)
        qsort(c->partners, c->partner_count, sizeof *c->partners, by_order);
}

/* The open item with the complete one of its next symbol. What they make is noted when it is found
 * once more, so that it is not found a third time, and an unambiguous text has no notes. */
static void join(chart *c, uint32_t open, uint32_t complete, uint32_t symbol) {
    uint32_t from = c->items[open].from, to = c->items[complete].to;
    c->steps++;
    if (advance(c, open, to, c->items[complete].depth, complete, 0))
        c->no_memory |= !gr_positions_add(&c->known_begins, symbol, to, from, NULL) ||
                        !gr_positions_add(&c->known_ends, symbol, from, to, NULL);
}

static void settle_complete(chart *c, uint32_t index) {
    item i = c->items[index];
    uint32_t rule = c->g->productions[i.production].rule, at;
    size_t head = (size_t)i.from * c->g->rule_count + rule;
    c->no_memory |= !gr_positions_add(&c->ends, rule, i.from, i.to, &c->done[head]);
    c->partner_count = 0;
    for (at = c->waiting[head]; at != GR_NONE; at = c->begins.word[at].next, c->steps++) {
        const gr_position_word *w = &c->begins.word[at];
        uint32_t production = c->g->owner[w->key];
        item like = {.production = production,
                     .dot = w->key - c->g->productions[production].first,
                     .to = i.from};
        add_partners(c, w->bits & ~gr_positions_bits(&c->known_begins, w->key, i.to, w->number),
                     w->number, &like, &like.from);
    }
    sort_partners(c);
    for (uint32_t k = 0; k < c->partner_count; k++) {
        const item *open = &c->items[c->partners[k].item];
        join(c, c->partners[k].item, index, c->g->productions[open->production].first + open->dot);
    }
}

/* An item whose next symbol is a rule. */
static void settle_waiting(chart *c, uint32_t index, uint32_t symbol) {
    item i = c->items[index];
    uint32_t rule = c->g->symbols[symbol] & ~GR_NONTERMINAL, at;
    size_t head = (size_t)i.to * c->g->rule_count + rule;
    c->no_memory |= !gr_positions_add(&c->begins, symbol, i.to, i.from, &c->waiting[head]);
    c->partner_count = 0;
    for (at = c->done[head]; at != GR_NONE; at = c->ends.word[at].next, c->steps++) {
        const gr_position_word *w = &c->ends.word[at];
        item like = {.production = c->g->rules[rule].first, .complete = 1, .from = i.to};
        add_partners(c, w->bits & ~gr_positions_bits(&c->known_ends, symbol, i.from, w->number),
                     w->number, &like, &like.to);
    }
    sort_partners(c);
    for (uint32_t k = 0; k < c->partner_count; k++)
        join(c, index, c->partners[k].item, symbol);
}

/* ---- the chart ---- */

static int is_there(const chart *c, uint32_t terminal, uint32_t at) {
    const gr_grammar_text *word = c->g->terminals.at[terminal];
    return word->length <= c->length - at && memcmp(word->text, c->text + at, word->length) == 0;
}

static void settle_open(chart *c, uint32_t index) {
    item i = c->items[index];
    uint32_t at = c->g->productions[i.production].first + i.dot;
    if (at == gr_symbols_end(c->g, i.production)) {
        i.complete = 1;
        i.before = index;
        i.depth++;
        if (c->all_ends || may(c, i.production, i.to, GR_MAY_END))
            found(c, i);
        return;
    }
    uint32_t symbol = c->g->symbols[at];
    if (is_rule(symbol))
        settle_waiting(c, index, at);
    else if (c->g->terminals.at[symbol]->is_value)
        match_value(c, index, symbol);
    else if (is_there(c, symbol, i.to))
        advance(c, index, i.to + (uint32_t)c->g->terminals.at[symbol]->length, 1, GR_NONE, 0);
}

/* Whether a production can begin here, by a terminal in front. */
static int can_begin(const chart *c, uint32_t production, uint32_t at) {
    uint32_t first = c->g->productions[production].first;
    if (first == gr_symbols_end(c->g, production) || is_rule(c->g->symbols[first]))
        return 1;
    return c->g->terminals.at[c->g->symbols[first]]->is_value ||
           is_there(c, c->g->symbols[first], at);
}

/* Settles everything, shallowest first. */
static void fill(chart *c) {
    for (uint32_t from = 0; from <= c->length; from++)
        for (uint32_t p = 0; p < c->g->production_count && !c->too_large; p++)
            if (may(c, p, from, GR_MAY_BEGIN) && can_begin(c, p, from))
                found(c, (item){.production = p, .from = from, .to = from, .before = GR_NONE});
    for (uint32_t depth = 0; depth < c->buckets; depth++)
        while (c->bucket[depth] != GR_NONE && !c->no_memory && !c->too_large) {
            uint32_t index = c->bucket[depth];
            item *i = &c->items[index];
            c->bucket[depth] = i->next;
            i->order = c->settled++;
            c->steps++;
            if (i->complete)
                settle_complete(c, index);
            else
                settle_open(c, index);
        }
}

/* ---- the derivation found ---- */

/* How far a derivation from the start agrees with the text: the chart read from the top. An item is
 * wanted where one that is waits for its rule; positions are gone through from left to right. */
static gr_status find_reached(chart *c, size_t *reached, gr_error *error) {
    const gr_grammar *g = c->g;
    uint8_t *wanted = calloc(((size_t)c->length + 1) * g->rule_count, 1);
    uint32_t *first = malloc(((size_t)c->length + 1) * sizeof *first);
    if (!wanted || !first) {
        free(wanted);
        free(first);
        return gr_no_memory(error);
    }
    memset(first, 0xff, ((size_t)c->length + 1) * sizeof *first);
    for (uint32_t i = 0; i < c->count; i++) { /* the lists of the chart are not needed any more */
        c->items[i].next = first[c->items[i].from];
        first[c->items[i].from] = i;
    }
    wanted[0] = 1;
    *reached = 0;
    for (uint32_t at = 0; at <= c->length; at++)
        for (int again = 1; again;) {
            again = 0;
            for (uint32_t k = first[at]; k != GR_NONE; k = c->items[k].next) {
                const item *i = &c->items[k];
                uint32_t s = g->productions[i->production].first + i->dot;
                if (i->complete ||
                    !wanted[(size_t)at * g->rule_count + g->productions[i->production].rule])
                    continue;
                *reached = i->to > *reached ? i->to : *reached;
                if (s == gr_symbols_end(g, i->production) || !is_rule(g->symbols[s]))
                    continue;
                uint8_t *flag =
                    &wanted[(size_t)i->to * g->rule_count + (g->symbols[s] & ~GR_NONTERMINAL)];
                again |= !*flag && i->to == at;
                *flag = 1;
            }
        }
    free(wanted);
    free(first);
    return GR_OK;
}

/* The complete item of the start rule over the whole text. */
static uint32_t find_root(chart *c) {
    item whole = {.production = c->g->rules[0].first, .complete = 1, .to = c->length};
    return c->count ? *slot_of(c, &whole) : GR_NONE;
}

static int put_codon(gr_derived_back *d, uint32_t *capacity, uint32_t codon) {
    uint32_t *grown = gr_grown(d->genome, d->length, capacity, sizeof *grown);
    if (!grown)
        return 0;
    d->genome = grown;
    d->genome[d->length++] = codon;
    return 1;
}

/* Genes of lists as long as the tables say; those that no expansion takes are 0. */
static gr_status start_lists(chart *c, gr_derived_back *d, uint32_t **taken, gr_error *error) {
    d->length = gr_grammar_genes(c->g);
    d->genome = calloc(d->length + 1ull, sizeof *d->genome);
    *taken = calloc(c->g->rule_count, sizeof **taken);
    return d->genome && *taken ? GR_OK : gr_no_memory(error);
}

/* 0: the list is full. Behind their end lists are read otherwise. */
static int put_gene(gr_derived_back *d, const uint32_t *g, uint32_t *taken, uint32_t rule,
                    uint32_t gene) {
    uint32_t at = gr_list_first(g, rule) + taken[rule]++;
    if (gr_list_first(g, rule) == gr_list_first(g, rule + 1))
        return 1;
    if (at >= gr_list_first(g, rule + 1))
        return 0;
    d->genome[at] = gene;
    return 1;
}

/* Lazily read, non-terminals without a choice may follow the last codon that is taken. GEVA and
 * PonyGE2's linear mapper have wrapped by then, unless there is one more. */
static int looks_ahead(uint32_t convention) {
    return convention & GR_LAZY && convention & (GR_WRAP_GEVA | GR_WRAP_PONYGE_LINEAR);
}

/* Codons depth first: the stack holds complete items whose expansions are still to come, and the
 * children of one go on it from the last to the first, which is the way the items are linked. */
static gr_status write_genome(chart *c, uint32_t convention, uint32_t root, gr_derived_back *d,
                              gr_error *error) {
    uint32_t words, capacity = 0, top = 0, stack_capacity = 0, *stack = NULL;
    const uint32_t *g = gr_grammar_tables(c->g, &words);
    uint32_t *taken = NULL, lists = convention & GR_LISTS;
    gr_status status = lists ? start_lists(c, d, &taken, error) : GR_OK;
    int good = !status && (stack = gr_grown(NULL, 0, &stack_capacity, sizeof *stack)) != NULL,
        full = 0, takes = 1; /* the last expansion */
    d->depth = c->items[root].depth;
    d->nodes = 1;
    if (good)
        stack[top++] = root;
    while (good && top && !full) {
        /* leftmost first is an order too */
        int chooses = convention & GR_POSITION_INDEPENDENT && (!(convention & GR_LAZY) || top > 1);
        const item *node = &c->items[stack[--top]], *last = &c->items[node->before];
        uint32_t rule = c->g->productions[node->production].rule, children = 0;
        uint32_t codon = node->production - c->g->rules[rule].first;
        for (const item *i = last; i->dot && good; i = &c->items[i->before]) {
            if (i->below == GR_NONE) {
                codon = rule >= c->g->first_value ? i->codon : codon;
                continue;
            }
            uint32_t *grown = gr_grown(stack, top, &stack_capacity, sizeof *stack);
            good = grown != NULL;
            stack = grown ? grown : stack;
            if (good)
                stack[top++] = i->below;
            children++;
        }
        d->nodes += children ? children : 1;
        if (lists) {
            full = !put_gene(d, g, taken, rule, codon);
            continue;
        }
        takes = chooses || gr_takes_codon(g, convention, rule);
        if (good && chooses)
            good = put_codon(d, &capacity, 0);
        if (good && gr_takes_codon(g, convention, rule))
            good = put_codon(d, &capacity, codon);
    }
    if (good && !takes && looks_ahead(convention))
        good = put_codon(d, &capacity, 0);
    free(stack);
    free(taken);
    if (full)
        return gr_fail(error, GR_BAD_INPUT,
                       "a list of genes is too short for this sentence; expected a larger "
                       "max-genome-length or max-depth");
    return good ? GR_OK : gr_no_memory(error);
}

/* ---- all of it ---- */

static gr_status check_length(const gr_grammar *g, size_t length, gr_error *error) {
    if (length > 1u << 24)
        return gr_fail(error, GR_BAD_INPUT, "a text of %zu bytes; expected at most 2^24", length);
    if ((length + 1) * g->rule_count > MOST_HEADS)
        return gr_fail(error, GR_BAD_INPUT,
                       "a text of %zu byte%s is too long for this grammar; expected fewer", length,
                       gr_s(length));
    return GR_OK;
}

static gr_status open_chart(chart *c, gr_error *error) {
    size_t heads = ((size_t)c->length + 1) * c->g->rule_count;
    /* a least derivation repeats no (rule, piece) along a path: pieces shrink or rules change */
    uint64_t deepest = (uint64_t)c->g->rule_count * (c->length + 1ull) + 3;
    c->buckets = deepest <= MOST_DEPTH ? (uint32_t)deepest : MOST_DEPTH + 1;
    c->waiting = malloc(heads * sizeof *c->waiting);
    c->done = malloc(heads * sizeof *c->done);
    c->bucket = malloc(c->buckets * sizeof *c->bucket);
    if (!c->waiting || !c->done || !c->bucket)
        return gr_no_memory(error);
    memset(c->waiting, 0xff, heads * sizeof *c->waiting);
    memset(c->done, 0xff, heads * sizeof *c->done);
    memset(c->bucket, 0xff, c->buckets * sizeof *c->bucket);
    return GR_OK;
}

static void close_chart(chart *c) {
    void *arrays[] = {c->items, c->table, c->waiting, c->done, c->partners, c->bucket};
    gr_positions *sets[] = {&c->begins, &c->ends, &c->known_begins, &c->known_ends};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        gr_positions_free(sets[i]);
}

static gr_status search(chart *c, gr_error *error) {
    gr_status status = open_chart(c, error);
    if (status)
        return status;
    fill(c);
    if (c->no_memory)
        return gr_no_memory(error);
    return c->too_large ? gr_fail(error, GR_BAD_INPUT,
                                  "%s takes more than %d pieces of it; expected a shorter one",
                                  c->all_ends ? "the text is no sentence, and to find how far it "
                                                "agrees with one"
                                              : "to find how the text is derived",
                                  MOST_ITEMS)
                        : GR_OK;
}

/* Of a text without a derivation: the beginnings of one end where none of the whole text does. */
static gr_status search_reached(chart *c, size_t *reached, gr_error *error) {
    close_chart(c);
    *c = (chart){.g = c->g, .text = c->text, .length = c->length, .may = c->may, .all_ends = 1};
    gr_status status = search(c, error);
    return status ? status : find_reached(c, reached, error);
}

gr_status gr_derive_back(const gr_grammar *grammar, uint32_t convention, const char *text,
                         size_t length, gr_derived_back *derived, gr_error *error) {
    chart c = {.g = grammar, .text = text, .length = (uint32_t)length};
    uint8_t *may = NULL;
    *derived = (gr_derived_back){0};
    gr_status status = check_length(grammar, length, error);
    if (status == GR_OK)
        status = gr_find_contexts(grammar, text, (uint32_t)length, &may, error);
    c.may = may;
    if (status == GR_OK)
        status = search(&c, error);
    if (status == GR_OK) {
        uint32_t root = find_root(&c);
        derived->found = root != GR_NONE;
        derived->steps = c.steps;
        if (derived->found)
            status = write_genome(&c, convention, root, derived, error);
        else if (c.too_deep)
            status = gr_fail(error, GR_BAD_INPUT,
                             "the text has no derivation of at most %d levels; expected one",
                             MOST_DEPTH);
        else
            status = search_reached(&c, &derived->reached, error);
    }
    if (status != GR_OK) {
        free(derived->genome);
        *derived = (gr_derived_back){0};
    }
    close_chart(&c);
    free(may);
    return status;
}

/* *valid: whether the genome maps, as read so. */
static gr_status try_genome(const gr_grammar *grammar, const gr_reading *reading,
                            const gr_derived_back *derived, int *valid, gr_error *error) {
    gr_phenotype phenotype = {0};
    gr_status status = gr_derive_phenotype_by(grammar, reading, derived->genome, derived->length,
                                              &phenotype, error);
    *valid = !status && phenotype.validity == GR_VALID;
    gr_phenotype_free(&phenotype);
    return status;
}

gr_status gr_derive_back_by(const gr_grammar *grammar, const gr_reading *reading, const char *text,
                            size_t length, gr_derived_back *derived, gr_error *error) {
    gr_status status = gr_derive_back(grammar, reading->convention, text, length, derived, error);
    int found = !status && derived->found;
    int too_deep = found && derived->depth > reading->max_depth, valid = 0;
    int counts = found && !too_deep && reading->convention & GR_POSITION_INDEPENDENT;
    /* by PonyGE2's linear mapper a last terminal that stands alone may be one level deeper */
    if (too_deep && reading->convention & GR_WRAP_PONYGE_LINEAR)
        status = try_genome(grammar, reading, derived, &valid, error);
    too_deep = too_deep && !valid;
    if (!status && too_deep)
        status = gr_fail(error, GR_BAD_INPUT,
                         "the text has a derivation of depth %u; expected at most max-depth %u",
                         derived->depth, reading->max_depth);
    if (!status && counts)
        status = try_genome(grammar, reading, derived, &valid, error);
    if (!status && counts && !valid)
        status = gr_fail(error, GR_BAD_INPUT,
                         "the text has a derivation of more expansions than max-genome-length %u "
                         "allows, with a genome of %u codons; expected a larger one",
                         reading->max_genome_length, derived->length);
    if (found && status) {
        free(derived->genome);
        *derived = (gr_derived_back){0};
    }
    return status;
}
