/* gpu/core/variation/branch.h and what breeds by it: the marks against a second, recursive mapper;
 * crossover and mutation of branches; uniform crossover; children drawn again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "host/grammar/grammar.h"
#include "tests/core.h"

#include <stdio.h>

static const char ARITHMETIC[] =
    "<e> ::= (<e><o><e>) | <f>(<e>) | <v> | <v> | <v>\n<o> ::= + | -\n<f> ::= sin | exp\n"
    "<v> ::= <x> | <y>\n<x> ::= x\n<y> ::= y\n";

enum { POPULATION = 60, CAPACITY = 90, PAIRS = 6000 };

static gr_grammar *grammar;

static gr_params branch_params(void) {
    gr_params p = core_params(GR_GRAMMATICAL);
    p.population = p.individuals = POPULATION;
    p.genome_capacity = CAPACITY;
    p.crossover = GR_CROSSOVER_SUBTREE;
    p.crossover_probability = 1.0f;
    p.crossover_within_used = 1;
    p.mutation_within_used = 1;
    p.max_depth = 14;
    p.subtree_depth = 14;
    p.codon_size = 1000;
    p.inputs = 2;
    p.rule_words = 1;
    return p;
}

/* Grown genomes with tails, mapped and marked; one in `invalid` is random and mostly invalid. */
static core open_generation(gr_params *p, uint32_t invalid) {
    const gr_grammar_context context = {.n_vars = 2};
    const char *names[] = {"x", "y"};
    gr_vocabulary vocabulary = {names, 2, 0, 0, 0, 0};
    gr_error error;
    uint32_t words;
    if (gr_grammar_parse(ARITHMETIC, sizeof ARITHMETIC - 1, "test", &context, &grammar, &error) ||
        gr_grammar_tokenise(grammar, &vocabulary, &error))
        fail_msg("%s", error.text);
    const uint32_t *tables = gr_grammar_tables(grammar, &words);
    core c = core_open(p, tables, words);
    c.s.p.individuals = p->individuals;
    for (uint32_t i = 0; i < POPULATION; i++) {
        uint32_t used = 0, *genome = gr_genome(&c.s, 0, i);
        gr_random r = gr_stream(p, GR_PURPOSE_INIT, 3, 0, i);
        if (!invalid || i % invalid)
            while (!used)
                used = gr_grow_genome(p, gr_genome_form(p, c.s.grammar), &r, 4 + i % 9, i % 2,
                                      genome, core_scratch(&c).path);
        uint32_t length = used ? gr_min_u32(used + i % 7, p->genome_capacity) : 3;
        for (uint32_t k = used; k < length; k++)
            genome[k] = gr_below(&r, 5) ? 0 : 700 + k;
        c.s.individuals[0][i].length = length;
    }
    gr_express_genomes(&c.s, (gr_batch){0, 0, 0, POPULATION}, GR_BREED_ALL_STEPS, core_scratch(&c),
                       NULL, core_group);
    if (p->rule_words)
        gr_mark_genomes(&c.s, (gr_batch){0, 0, 0, POPULATION}, core_scratch(&c), core_group);
    return c;
}

static void close_generation(core *c) {
    core_close(c);
    gr_grammar_free(grammar);
}

/* ---- marks ---- */

typedef struct mapper {
    const uint32_t *g, *genome;
    uint32_t length, wraps, lazy, at, failed;
    gr_pair mark[CAPACITY];
} mapper;

/* Derives a rule at a level; the deepest level below. */
static uint32_t derive(mapper *m, uint32_t rule, uint32_t level) {
    uint32_t first = gr_rule_first(m->g, rule), count = gr_rule_first(m->g, rule + 1) - first;
    uint32_t codon = m->at, takes = !m->lazy || count > 1, choice = 0, deepest = level;
    if (m->failed || level > 60 || (takes && codon == m->length * (m->wraps + 1))) {
        m->failed = 1;
        return level;
    }
    if (takes)
        choice = m->genome[m->at++ % m->length] % count;
    for (uint32_t s = gr_symbol_first(m->g, first + choice);
         s < gr_symbol_first(m->g, first + choice + 1); s++)
        if (gr_symbol(m->g, s) & GR_NONTERMINAL)
            deepest =
                gr_max_u32(deepest, derive(m, gr_symbol(m->g, s) & ~GR_NONTERMINAL, level + 1));
    if (takes && codon < m->length) {
        m->mark[codon].word = rule | level << 16;
        m->mark[codon].operand =
            m->at <= m->length ? (m->at - codon) | (deepest + 2 - level) << 20 : 0;
    }
    return deepest;
}

static void test_marks(void **state) {
    (void)state;
    gr_params p = branch_params();
    core c = open_generation(&p, 0);
    core_dice dice = {7};
    uint32_t valid = 0, wrapped = 0, rules;
    for (uint32_t k = 0; k < 20000; k++) {
        static mapper m;
        uint32_t genome[CAPACITY], length = 1 + core_roll(&dice, 30);
        gr_pair mark[CAPACITY];
        memset(&m, 0, sizeof m);
        m.g = c.s.grammar;
        m.genome = genome;
        m.length = length;
        m.wraps = p.max_wraps = k % 3;
        m.lazy = k % 2;
        p.convention = m.lazy ? GR_LAZY : 0;
        p.max_depth = 62;
        for (uint32_t i = 0; i < length; i++)
            genome[i] = core_roll(&dice, 1000);
        uint32_t stack[2 * 62];
        uint32_t count =
            gr_mark_branches(&p, c.s.grammar, genome, length, &rules, mark, (gr_words){stack, 1});
        derive(&m, 0, 0);
        if (m.failed) {
            assert_int_equal(count, 0);
            continue;
        }
        valid++;
        wrapped += m.at > length;
        assert_int_equal(count, gr_min_u32(m.at, length));
        uint32_t set = 0;
        for (uint32_t i = 0; i < count; i++) {
            assert_int_equal(mark[i].word, m.mark[i].word);
            assert_int_equal(GR_BRANCH_SIZE(mark[i]), GR_BRANCH_SIZE(m.mark[i]));
            /* expansions without a codon behind a branch may count as its own */
            if (!m.lazy)
                assert_int_equal(mark[i].operand, m.mark[i].operand);
            else
                assert_true(GR_BRANCH_HEIGHT(mark[i]) >= GR_BRANCH_HEIGHT(m.mark[i]));
            set |= mark[i].operand ? 1u << GR_BRANCH_RULE(mark[i]) : 0;
        }
        assert_int_equal(rules, set);
    }
    assert_true(valid > 15000 && wrapped > 800);
    close_generation(&c);
}

/* A chain of 70 rules, so that their sets take three words: all of it, or from rule 40 on. */
static void test_many_rules(void **state) {
    (void)state;
    enum { RULES = 70, SHORTCUT = 40 };
    gr_params p = branch_params();
    p.rule_words = 3;
    p.max_depth = CAPACITY;
    char text[RULES * 20] = "<r0> ::= <r1> | <r40>\n";
    for (uint32_t r = 1; r < RULES; r++)
        sprintf(text + strlen(text), r + 1 < RULES ? "<r%u> ::= <r%u>\n" : "<r%u> ::= x\n", r,
                r + 1);
    const gr_grammar_context context = {.n_vars = 1};
    gr_error error;
    uint32_t words;
    assert_int_equal(gr_grammar_parse(text, strlen(text), "test", &context, &grammar, &error), 0);
    const uint32_t *tables = gr_grammar_tables(grammar, &words);
    core c = core_open(&p, tables, words);
    for (uint32_t skips = 0; skips < 2; skips++) {
        uint32_t genome[RULES] = {skips}, stack[2 * CAPACITY], rules[4] = {7, 7, 7, 7};
        uint32_t from = skips ? SHORTCUT : 1, expansions = 1 + RULES - from;
        gr_pair mark[CAPACITY];
        assert_int_equal(
            gr_mark_branches(&p, c.s.grammar, genome, RULES, rules, mark, (gr_words){stack, 1}),
            expansions);
        for (uint32_t r = 0; r < 96; r++)
            assert_int_equal(rules[r / 32] >> r % 32 & 1u, r == 0 || (r >= from && r < RULES));
        assert_int_equal(rules[3], 7); /* no word behind them */
        for (uint32_t i = 0; i < expansions; i++) {
            assert_int_equal(GR_BRANCH_RULE(mark[i]), i ? from + i - 1 : 0);
            assert_int_equal(GR_BRANCH_LEVEL(mark[i]), i);
            assert_int_equal(GR_BRANCH_SIZE(mark[i]), expansions - i);
            assert_int_equal(GR_BRANCH_HEIGHT(mark[i]), expansions - i + 1);
        }
    }
    for (uint32_t i = 0; i < 5; i++) /* pairs are read at once */
        assert_int_equal((uintptr_t)gr_branches(&c.s, 0, i) % 8, 0);
    close_generation(&c);
}

/* ---- crossover ---- */

static int is_copy(gr_plan plan) {
    return plan.b1 == 0;
}

/* The child of a plan in row 0 of buffer 1; what became of it. */
static gr_individual make_child(core *c, gr_plan plan) {
    c->s.plans[0] = plan;
    c->s.individuals[1][0].validity = 99;
    gr_cross_genomes(&c->s, (gr_batch){1, 0, 0, 1}, 0, core_group);
    gr_express_genomes(&c->s, (gr_batch){1, 0, 0, 1}, GR_BREED_ALL_STEPS, core_scratch(c), NULL,
                       core_group);
    return c->s.individuals[1][0];
}

static void test_branch_crossover(void **state) {
    (void)state;
    gr_params p = branch_params();
    core c = open_generation(&p, 6);
    core_dice dice = {3};
    uint32_t crossed = 0, copied = 0, drawn = 0;
    for (uint32_t k = 0; k < PAIRS; k++) {
        uint32_t a = core_roll(&dice, POPULATION), b = core_roll(&dice, POPULATION);
        gr_individual ia = c.s.individuals[0][a], ib = c.s.individuals[0][b];
        uint32_t valid = ia.validity == GR_VALID && ib.validity == GR_VALID;
        gr_plan plan[2];
        for (uint32_t second = 0; second < 2; second++)
            plan[second] = gr_crossover_plan(&c.s, 1, 0, 2 * k + second,
                                             gr_parents_at(&c.s, 0, a, b), core_group);
        assert_int_equal(is_copy(plan[0]), is_copy(plan[1]));
        if (is_copy(plan[0])) {
            copied++;
            assert_int_equal(plan[0].parent_kept, 1);
            assert_int_equal(plan[1].parent_kept, 1);
            assert_int_equal(plan[0].draws_again, valid ? p.tries - 1 : 0);
            continue;
        }
        assert_true(valid);
        crossed++;
        drawn += plan[0].draws_again;
        assert_int_equal(gr_plan_retries(plan[1]), 0); /* counted once in a pair */
        assert_int_equal(plan[0].a0, plan[1].b0);
        assert_int_equal(plan[0].a1, plan[1].b1);
        assert_true(plan[0].a1 <= ia.used && plan[0].b1 <= ib.used);
        uint32_t rule = GR_BRANCH_RULE(gr_branches(&c.s, 0, a)[plan[0].a0]);
        assert_int_equal(rule, GR_BRANCH_RULE(gr_branches(&c.s, 0, b)[plan[0].b0]));
        for (uint32_t second = 0; second < 2; second++) {
            gr_plan q = plan[second];
            gr_individual parent = second ? ib : ia, child = make_child(&c, q);
            assert_int_equal(child.validity, GR_VALID);
            assert_true(child.depth <= p.max_depth && child.length <= CAPACITY);
            assert_int_equal(child.used, parent.used - (q.a1 - q.a0) + (q.b1 - q.b0));
            assert_int_equal(child.length - child.used, parent.length - parent.used); /* tails */
            assert_memory_equal(gr_genome(&c.s, 1, 0) + child.used,
                                gr_genome(&c.s, 0, q.a) + parent.used,
                                (parent.length - parent.used) * sizeof(uint32_t));
        }
    }
    assert_true(crossed > 3500 && copied > 1000 && drawn > 20);
    close_generation(&c);
}

/* A rule that both have, each as likely; then each branch of it. */
static void test_branch_choice(void **state) {
    (void)state;
    gr_params p = branch_params();
    p.max_depth = 90;
    p.tries = 1;
    core c = open_generation(&p, 0);
    uint32_t a = 0, b = 0;
    for (uint32_t i = 0; i < POPULATION; i++) { /* the largest with all rules, the next one */
        if (gr_branch_rules(&c.s, 0, i)[0] != 63)
            continue;
        if (!a || c.s.individuals[0][i].used > c.s.individuals[0][a].used) {
            b = a;
            a = i;
        }
    }
    assert_true(a && b);
    const gr_pair *mark = gr_branches(&c.s, 0, a);
    uint32_t by_rule[6] = {0}, by_index[CAPACITY] = {0}, rule_size[6] = {0}, bins = 0;
    uint32_t count[CAPACITY];
    double share[CAPACITY];
    for (uint32_t i = 0; i < c.s.individuals[0][a].used; i++)
        rule_size[GR_BRANCH_RULE(mark[i])]++;
    for (uint32_t k = 0; k < 30000; k++) {
        uint32_t x[2] = {0}, y[2];
        gr_random r = gr_stream(&p, GR_PURPOSE_CROSSOVER, 1, 0, k);
        assert_int_equal(gr_branch_cuts(&c.s, &r, 0, a, b, x, y), GR_CUT_FITS);
        by_rule[GR_BRANCH_RULE(mark[x[0]])]++;
        by_index[x[0]]++;
    }
    assert_true(core_chi_square(by_rule, NULL, 6) < 1.0);
    for (uint32_t i = 0; i < c.s.individuals[0][a].used; i++) {
        count[bins] = by_index[i];
        share[bins++] = 1.0 / rule_size[GR_BRANCH_RULE(mark[i])];
    }
    assert_true(core_chi_square(count, share, bins) < 1.0);
    close_generation(&c);
}

/* What a row holds behind the codons of a genome that wraps is of one before, and none of its
 * branches. */
static void test_wrapped_parents(void **state) {
    (void)state;
    gr_params p = branch_params();
    core c = open_generation(&p, 0);
    const gr_individual wrapped = {.length = 3, .used = 8, .validity = GR_VALID};
    for (uint32_t i = 0; i < 2; i++) {
        c.s.individuals[0][i] = wrapped;
        gr_branch_rules(&c.s, 0, i)[0] = 1u << 3;
        for (uint32_t k = 0; k < 8; k++) { /* one codon of rule 3 each, at level 2; but codon 1 */
            const gr_pair mark = {3u | 2u << 16, k == 1 ? 0 : 1u | 2u << 20};
            gr_branches(&c.s, 0, i)[k] = mark;
        }
    }
    uint32_t drawn[2][3] = {{0}};
    for (uint32_t k = 0; k < 2000; k++) {
        uint32_t x[2] = {0}, y[2] = {0};
        gr_random r = gr_stream(&p, GR_PURPOSE_CROSSOVER, 1, 0, k);
        assert_int_equal(gr_branch_cuts(&c.s, &r, 0, 0, 1, x, y), GR_CUT_FITS);
        assert_in_range(x[0], 0, 2);
        assert_in_range(y[0], 0, 2);
        assert_true(x[1] == x[0] + 1 && y[1] == y[0] + 1);
        drawn[0][x[0]]++;
        drawn[1][y[0]]++;
    }
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t ends[2] = {drawn[i][0], drawn[i][2]};
        assert_int_equal(drawn[i][1], 0);
        assert_true(core_chi_square(ends, NULL, 2) < 1.0);
    }
    close_generation(&c);
}

/* Where the child stands that would be too deep: below the first parent it breaks the limit, below
 * the second one only if there is a second child. */
static void test_branch_depths(void **state) {
    (void)state;
    gr_params p = branch_params(); /* max-depth 14 */
    core c = open_generation(&p, 0);
    const gr_pair high = {3u | 2u << 16, 1u | 12u << 20}, low = {3u | 5u << 16, 1u | 3u << 20};
    for (uint32_t one = 0; one < 2; one++)
        for (uint32_t first = 0; first < 2; first++) {
            uint32_t x[2], y[2];
            gr_random r = gr_stream(&p, GR_PURPOSE_CROSSOVER, 1, 0, 0);
            c.s.p.one_child = one;
            for (uint32_t i = 0; i < 2; i++) {
                c.s.individuals[0][i] = (gr_individual){.length = 1, .used = 1};
                gr_branch_rules(&c.s, 0, i)[0] = 1u << 3;
                gr_branches(&c.s, 0, i)[0] = i == first ? low : high;
            }
            /* 2 + 3 levels, and 5 + 12 */
            assert_int_equal(gr_branch_cuts(&c.s, &r, 0, 0, 1, x, y),
                             first == 1 && one ? GR_CUT_FITS : GR_CUT_BREAKS);
        }
    close_generation(&c);
}

/* ---- mutation ---- */

/* <x> has two levels, <v> above it three, <e> four. */
static void test_rule_depths(void **state) {
    (void)state;
    gr_params p = branch_params();
    core c = open_generation(&p, 0);
    static const uint32_t depths[6] = {4, 2, 2, 3, 2, 2};
    for (uint32_t rule = 0; rule < 6; rule++)
        assert_int_equal(gr_rule_depth(c.s.grammar, rule), depths[rule]);
    close_generation(&c);
}

/* The wrap runs through the start rule's branch, which is none: of two codons only the other one
 * changes. */
static void test_mutation_beside_a_wrap(void **state) {
    (void)state;
    static const char text[] = "<s> ::= <t>+<t>\n<t> ::= x | y\n";
    gr_params p = branch_params();
    p.max_wraps = 1;
    p.tries = 40;
    const gr_grammar_context context = {.n_vars = 2};
    gr_error error;
    uint32_t words, values[2] = {0};
    assert_int_equal(gr_grammar_parse(text, strlen(text), "test", &context, &grammar, &error), 0);
    const uint32_t *tables = gr_grammar_tables(grammar, &words);
    core c = core_open(&p, tables, words);
    uint32_t *genome = gr_genome(&c.s, 0, 0);
    for (uint32_t k = 0; k < 2000; k++) {
        uint32_t retries;
        gr_random r = gr_stream(&p, GR_PURPOSE_MUTATION, 1, 0, k);
        genome[0] = 7;
        genome[1] = 0;
        assert_int_equal(gr_mutate_branch(&c.s, &r, 0, 0, 2, core_scratch(&c), &retries), 2);
        assert_int_equal(genome[0], 7);
        assert_int_equal(GR_RETRIES_KEPT(retries), 0);
        values[genome[1] % 2]++;
    }
    assert_true(core_chi_square(values, NULL, 2) < 1.0);
    close_generation(&c);
}

static void test_branch_mutation(void **state) {
    (void)state;
    gr_params p = branch_params();
    p.subtree_mutation = 1.0f;
    core c = open_generation(&p, 0);
    uint32_t i = 0, changed = 0, drawn = 0, given_up = 0, hits[CAPACITY] = {0};
    while (c.s.individuals[0][i].used < 20 ||
           c.s.individuals[0][i].used == c.s.individuals[0][i].length)
        i++;
    gr_individual parent = c.s.individuals[0][i];
    const uint32_t *from = gr_genome(&c.s, 0, i);
    uint32_t *to = gr_genome(&c.s, 1, 0);
    for (uint32_t k = 0; k < PAIRS; k++) {
        gr_random r = gr_stream(&p, GR_PURPOSE_MUTATION, 1, 0, k);
        uint32_t retries;
        memcpy(to, from, parent.length * sizeof *to);
        gr_random first = r;
        uint32_t length =
            gr_mutate_branch(&c.s, &r, 1, 0, parent.length, core_scratch(&c), &retries);
        drawn += GR_RETRIES_DRAWS(retries);
        given_up += GR_RETRIES_KEPT(retries);
        if (GR_RETRIES_DRAWS(retries))
            continue;
        uint32_t at = gr_below(&first, parent.used),
                 size = GR_BRANCH_SIZE(gr_branches(&c.s, 0, i)[at]);
        hits[at]++;
        assert_memory_equal(to, from, at * sizeof *to);
        assert_memory_equal(to + length - (parent.length - at - size), from + at + size,
                            (parent.length - at - size) * sizeof *to);
        changed += length != parent.length || memcmp(to, from, length * sizeof *to) != 0;
        c.s.individuals[1][0].length = length;
        gr_express_genomes(&c.s, (gr_batch){1, 0, 0, 1}, GR_BREED_ALL_STEPS, core_scratch(&c), NULL,
                           core_group);
        gr_individual child = c.s.individuals[1][0];
        assert_int_equal(child.validity, GR_VALID);
        assert_true(child.depth <= p.max_depth && child.length <= CAPACITY);
        assert_int_equal(child.length - child.used, parent.length - parent.used);
    }
    assert_true(changed > PAIRS / 2 && drawn == 0 && given_up == 0);
    assert_true(core_chi_square(hits, NULL, parent.used) < 1.0);
    /* a genome that is full: new branches are as large as the old ones at most */
    memset(to + parent.length, 0, (CAPACITY - parent.length) * sizeof *to);
    memcpy(to, from, parent.length * sizeof *to);
    for (uint32_t k = 0; k < PAIRS; k++) {
        gr_random r = gr_stream(&p, GR_PURPOSE_MUTATION, 2, 0, k);
        uint32_t retries;
        memcpy(to, from, parent.length * sizeof *to);
        memset(to + parent.length, 0, (CAPACITY - parent.length) * sizeof *to);
        uint32_t length = gr_mutate_branch(&c.s, &r, 1, 0, CAPACITY, core_scratch(&c), &retries);
        assert_true(length <= CAPACITY);
        drawn += GR_RETRIES_DRAWS(retries);
        if (!GR_RETRIES_KEPT(retries))
            continue;
        given_up++;
        assert_int_equal(GR_RETRIES_DRAWS(retries), p.tries - 1);
        assert_int_equal(length, CAPACITY);
        assert_memory_equal(to, from, parent.length * sizeof *to);
    }
    assert_true(drawn > 300);
    /* no capacity and depth for anything but what is there: given up, nothing changed */
    c.s.p.tries = 3;
    c.s.p.genome_capacity = 1;
    uint32_t one = 4, retries; /* <e> -> <v>: two codons are needed */
    to[0] = one;
    gr_random r = gr_stream(&p, GR_PURPOSE_MUTATION, 1, 0, 1);
    assert_int_equal(gr_mutate_branch(&c.s, &r, 1, 0, 1, core_scratch(&c), &retries), 1);
    assert_int_equal(retries, GR_RETRIES(0, 1)); /* invalid: no branches */
    assert_int_equal(to[0], one);
    close_generation(&c);
}

/* ---- uniform crossover ---- */

static void test_uniform(void **state) {
    (void)state;
    gr_params p = branch_params();
    p.crossover = GR_CROSSOVER_UNIFORM;
    core c = open_generation(&p, 6);
    core_dice dice = {5};
    uint32_t taken = 0, codons = 0, by_index[12] = {0};
    for (uint32_t i = 0; i < POPULATION; i++)
        for (uint32_t k = 0; k < CAPACITY; k++)
            gr_genome(&c.s, 0, i)[k] = i << 16 | k;
    for (uint32_t k = 0; k < PAIRS / 2; k++) {
        uint32_t a = core_roll(&dice, POPULATION),
                 b = (a + 1 + core_roll(&dice, POPULATION - 1)) % POPULATION;
        gr_individual ia = c.s.individuals[0][a], ib = c.s.individuals[0][b];
        uint32_t pair = k % (POPULATION / 2), generation = 1 + 2 * (k / (POPULATION / 2));
        uint32_t common = gr_min_u32(gr_cut_range(&p, ia), gr_cut_range(&p, ib));
        for (uint32_t second = 0; second < 2; second++)
            c.s.plans[2 * pair + second] = gr_crossover_plan(
                &c.s, generation, 0, 2 * pair + second, gr_parents_at(&c.s, 0, a, b), core_group);
        gr_cross_genomes(&c.s, (gr_batch){generation, 0, 2 * pair, 2 * pair + 2}, 0, core_group);
        gr_mix_genomes(&c.s, (gr_batch){generation, 0, 2 * pair, 2 * pair + 2}, core_group);
        const uint32_t *one = gr_genome(&c.s, 1, 2 * pair), *two = one + CAPACITY;
        assert_int_equal(c.s.individuals[1][2 * pair].length, ia.length);
        assert_int_equal(c.s.individuals[1][2 * pair + 1].length, ib.length);
        for (uint32_t at = 0; at < common; at++) { /* each codon in one child or the other */
            uint32_t other = one[at] >> 16 == b;
            assert_int_equal(one[at], (other ? b : a) << 16 | at);
            assert_int_equal(two[at], (other ? a : b) << 16 | at);
            taken += other;
            codons++;
            by_index[at % 12] += other && common >= 12 && at < 12;
        }
        for (uint32_t at = common; at < ia.length; at++)
            assert_int_equal(one[at], a << 16 | at);
        for (uint32_t at = common; at < ib.length; at++)
            assert_int_equal(two[at], b << 16 | at);
    }
    const uint32_t count[2] = {taken, codons - taken};
    assert_true(codons > 20000 && core_chi_square(count, NULL, 2) < 1.0);
    assert_true(core_chi_square(by_index, NULL, 12) < 1.0);
    /* the lanes of a warp do the same as a single lane */
    uint32_t alone[CAPACITY];
    memcpy(alone, gr_genome(&c.s, 1, 0), sizeof alone);
    gr_cross_genomes(&c.s, (gr_batch){1 + 2 * ((PAIRS / 2 - 1) / (POPULATION / 2)), 0, 0, 1}, 0,
                     core_group);
    gr_random r =
        gr_stream(&p, GR_PURPOSE_CROSSOVER_MIX, 1 + 2 * ((PAIRS / 2 - 1) / (POPULATION / 2)), 0, 0);
    for (uint32_t lane = 0; lane < 32; lane++)
        gr_mix_codons(&c.s, &r, c.s.plans[0], 0, gr_genome(&c.s, 1, 0), (gr_lane_group){lane, 32});
    assert_memory_equal(alone, gr_genome(&c.s, 1, 0), c.s.individuals[1][0].length * sizeof *alone);
    close_generation(&c);
}

/* ---- drawn again ---- */

/* An elite is what it is, also where it is invalid; another copy of the same is drawn again. */
static void test_elites_stay(void **state) {
    (void)state;
    gr_params p = branch_params();
    p.crossover = GR_CROSSOVER_VARIABLE_ONEPOINT;
    p.rule_words = 0;
    p.tries = 4;
    p.redrawn = ((1u << GR_VALIDITY_COUNT) - 1) & ~(1u << GR_VALID);
    core c = open_generation(&p, 1);
    uint32_t invalid = 0;
    for (uint32_t i = 0; i < POPULATION; i++)
        for (uint32_t elite = 0; elite < 2; elite++) {
            gr_individual parent = c.s.individuals[0][i];
            if (parent.validity == GR_VALID)
                continue;
            c.s.plans[i] = gr_copy_plan(i, parent.length, elite);
            gr_breed_child(&c.s, 1, i, core_scratch(&c), NULL, core_group);
            gr_individual child = c.s.individuals[1][i];
            assert_int_equal(GR_RETRIES_DRAWS(child.retries) + GR_RETRIES_KEPT(child.retries) > 0,
                             !elite);
            if (!elite)
                continue;
            assert_int_equal(child.length, parent.length);
            assert_int_equal(child.validity, parent.validity);
            assert_memory_equal(gr_genome(&c.s, 1, i), gr_genome(&c.s, 0, i), 4 * parent.length);
            invalid++;
        }
    assert_true(invalid > 5);
    close_generation(&c);
}

static void test_redrawn(void **state) {
    (void)state;
    for (uint32_t tries = 1; tries <= 25; tries += 8) {
        gr_params p = branch_params();
        p.crossover = GR_CROSSOVER_VARIABLE_ONEPOINT;
        p.rule_words = 0;
        p.codon_mutation = -1.0f;
        p.tries = tries;
        p.genome_capacity = 2 * CAPACITY; /* crossover alone is never given up */
        p.redrawn = ((1u << GR_VALIDITY_COUNT) - 1) & ~(1u << GR_VALID);
        core c = open_generation(&p, 0);
        uint32_t retries = 0, kept = 0, plain = 0;
        for (uint32_t i = 0; i < POPULATION; i++) {
            uint32_t a = i / 2 * 7 % POPULATION, b = (i / 2 * 11 + 1) % POPULATION;
            c.s.plans[i] =
                gr_crossover_plan(&c.s, 1, 0, i, gr_parents_at(&c.s, 0, a, b), core_group);
        }
        for (uint32_t i = 0; i < POPULATION; i++) {
            gr_plan plan = c.s.plans[i];
            c.s.p.redrawn = 0;
            gr_breed_child(&c.s, 1, i, core_scratch(&c), NULL, core_group);
            plain += c.s.individuals[1][i].validity != GR_VALID;
            c.s.p.redrawn = p.redrawn;
            gr_breed_child(&c.s, 1, i, core_scratch(&c), NULL, core_group);
            gr_individual child = c.s.individuals[1][i];
            assert_int_equal(child.validity, GR_VALID); /* the parents are */
            assert_memory_equal(&plan, &c.s.plans[i], sizeof plan);
            assert_true(GR_RETRIES_DRAWS(child.retries) < tries);
            retries += GR_RETRIES_DRAWS(child.retries);
            kept += GR_RETRIES_KEPT(child.retries);
            if (GR_RETRIES_KEPT(child.retries)) {
                assert_int_equal(child.length, c.s.individuals[0][plan.a].length);
                assert_memory_equal(gr_genome(&c.s, 1, i), gr_genome(&c.s, 0, plan.a),
                                    child.length * sizeof(uint32_t));
            }
        }
        assert_true(plain > 5);
        assert_true(tries == 1 ? retries == 0 && kept == plain : retries >= plain);
        assert_true(tries < 25 || kept == 0);
        close_generation(&c);
    }
}

/* Rules that both have, one after the other, in sets of several words. */
static void test_shared_rules(void **state) {
    (void)state;
    enum { SET_WORDS = 5 };
    core_dice dice = {8};
    for (uint32_t round = 0; round < 300; round++) {
        uint32_t a[SET_WORDS], b[SET_WORDS], k = 0;
        for (uint32_t w = 0; w < SET_WORDS; w++) {
            a[w] = core_roll(&dice, 3) ? core_roll(&dice, 0) : 0;
            b[w] = core_roll(&dice, 3) ? core_roll(&dice, 0) & core_roll(&dice, 0) : 0;
        }
        for (uint32_t rule = 0; rule < 32 * SET_WORDS; rule++)
            if (a[rule / 32] >> rule % 32 & b[rule / 32] >> rule % 32 & 1u)
                assert_int_equal(gr_shared_rule(a, b, SET_WORDS, k++), rule);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_marks),           cmocka_unit_test(test_branch_crossover),
        cmocka_unit_test(test_branch_choice),   cmocka_unit_test(test_branch_mutation),
        cmocka_unit_test(test_uniform),         cmocka_unit_test(test_redrawn),
        cmocka_unit_test(test_shared_rules),    cmocka_unit_test(test_many_rules),
        cmocka_unit_test(test_wrapped_parents), cmocka_unit_test(test_branch_depths),
        cmocka_unit_test(test_rule_depths),     cmocka_unit_test(test_mutation_beside_a_wrap),
        cmocka_unit_test(test_elites_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
