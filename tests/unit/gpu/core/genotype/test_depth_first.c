/* gpu/core/genotype/depth_first.h, first_genomes.h, breed_non_depth_first.h and
 * host/grammar/gene_lists.c: position-independent and structured genomes hold the tree they are
 * made of; lists are as long as asked; variation keeps genes in their lists and among their
 * alternatives, with the chances it says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/core/breeding/breed.h"
#include "host/cpu/stages.h"
#include "host/grammar/grammar.h"
#include "host/problem/job.h"
#include "tests/core.h"

static const char ARITHMETIC[] = "<e> ::= (<e><o><e>) | <f>(<e>) | <v> | <c>\n<o> ::= + | - | * | "
                                 "/\n<f> ::= sin | exp\n<v> ::= x | y\n"
                                 "<c> ::= <d>.<d>\n<d> ::= 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9\n";
/* Rules without a choice, among them some that lazy mapping expands for nothing. */
static const char CHAIN[] = "<s> ::= <t>\n<t> ::= <u>+<t> | <u> | (<s>)\n<u> ::= <w>\n"
                            "<w> ::= 1 | 2 | <one><one>\n<one> ::= x\n";
static const char NO_CHOICE[] = "<s> ::= <t>+<u>\n<t> ::= x\n<u> ::= y\n";
static const char ENDS[] = "<s> ::= <a><a> | <b>\n<a> ::= x<b> | y<b><b> | x\n<b> ::= x | y | y\n";

enum { INDIVIDUALS = 600 };

static gr_grammar *grammar;

static core open_state(const char *text, gr_params *p) {
    const gr_grammar_context context = {0};
    gr_error error;
    uint32_t words;
    if (gr_grammar_parse(text, strlen(text), "test", &context, &grammar, &error) ||
        gr_grammar_plan_non_depth_first(grammar, p->convention, p->max_depth, p->max_wraps,
                                        p->genome_capacity, &error))
        fail_msg("%s", error.text);
    if (p->convention & GR_LISTS)
        p->genome_capacity = p->init_length = gr_max_u32(1, gr_grammar_genes(grammar));
    p->population = 4;
    const uint32_t *tables = gr_grammar_tables(grammar, &words);
    return core_open(p, tables, words);
}

static void close_state(core *c) {
    core_close(c);
    gr_grammar_free(grammar);
}

static gr_params params(uint32_t convention) {
    gr_params p = core_params(GR_GRAMMATICAL);
    p.convention = convention;
    p.genome_capacity = 3000;
    p.max_depth = 12;
    return p;
}

/* Brought into depth-first order by the core; codons in *depth_first, which stand in the state's
 * scratch. */
static gr_derivation to_depth_first(const core *c, const uint32_t *genome, uint32_t length,
                                    uint32_t **depth_first, uint32_t *count) {
    gr_derivation d;
    gr_derive_start(&d, c->s.grammar, genome, length, c->s.p.max_wraps, c->s.p.max_depth,
                    core_scratch(c).path);
    gr_derive_by(&d, c->s.p.convention, c->s.p.max_wraps);
    *count = gr_to_depth_first(&d, gr_depth_first_scratch(&c->s, 0), depth_first);
    return d;
}

/* ---- the way there and back ---- */

static const uint32_t CONVENTIONS[] = {GR_POSITION_INDEPENDENT, GR_POSITION_INDEPENDENT | GR_LAZY,
                                       GR_POSITION_INDEPENDENT | GR_WRAP_GEVA,
                                       GR_POSITION_INDEPENDENT | GR_LAZY | GR_WRAP_GEVA, GR_LISTS};
enum { KINDS = sizeof CONVENTIONS / sizeof *CONVENTIONS };

/* A grown tree, made a genome and brought back into depth-first order, is the same tree, and no
 * codon is left over. */
static void check_back(const core *c, uint32_t index) {
    const gr_params *p = &c->s.p;
    uint32_t tree[4096], *depth_first, count, depth = 4 + index % 6;
    gr_form form = {0, 1000};
    gr_random r = gr_stream(p, GR_PURPOSE_INIT, 7, 0, index);
    uint32_t *genome = gr_genome(&c->s, 0, 0), *codon_scratch = gr_depth_first_scratch(&c->s, 0);
    uint32_t n = index % 2 ? gr_pi_grow_genome(p, form, c->s.grammar, &r, depth, 0, tree)
                           : gr_grow_genome(p, form, c->s.grammar, &r, depth, index / 2 % 2, tree,
                                            core_scratch(c).path);
    uint32_t most = c->s.grammar[GR_G_EXPANSIONS], used = p->genome_capacity;
    if (!n)
        return;
    gr_derivation plain;
    gr_derive_start(&plain, c->s.grammar, tree, n, 0, p->max_depth, core_scratch(c).path);
    while (gr_derive_next(&plain) != GR_DERIVED)
        ;
    if (p->convention & GR_LISTS) {
        gr_lists_encode(p, c->s.grammar, tree, n, genome, codon_scratch + most,
                        core_scratch(c).path);
        gr_random_genes(p, c->s.grammar, &r, codon_scratch + most, genome);
    } else
        used = gr_pi_encode(p, c->s.grammar, &r, tree, n, genome, codon_scratch, most);
    assert_true(used > 0 || (p->convention & GR_LAZY));
    for (uint32_t k = 0; k < used; k++)
        assert_true(genome[k] <= p->codon_size);
    genome[used] = 0; /* GEVA wants a codon left also where none is needed */
    uint32_t more = !used || p->convention & GR_WRAP_GEVA;
    gr_derivation d = to_depth_first(c, genome, used + more, &depth_first, &count);
    assert_int_equal(d.validity, GR_VALID);
    assert_int_equal(count, n);
    assert_int_equal(d.depth, plain.depth);
    assert_int_equal(d.nodes, plain.nodes);
    if (p->convention & GR_POSITION_INDEPENDENT)
        assert_int_equal(d.used, used);
    gr_derivation a, b; /* the same productions: the same symbols all along */
    uint32_t stack[64];
    gr_derive_start(&a, c->s.grammar, tree, n, 0, p->max_depth, core_scratch(c).path);
    gr_derive_start(&b, c->s.grammar, depth_first, count, 0, p->max_depth, (gr_words){stack, 1});
    for (uint32_t symbol; (symbol = gr_derive_next(&a)) != GR_DERIVED;)
        assert_int_equal(gr_derive_next(&b), symbol);
    assert_int_equal(gr_derive_next(&b), GR_DERIVED);
}

static void test_there_and_back(void **state) {
    (void)state;
    static const char *const grammars[] = {ARITHMETIC, CHAIN, NO_CHOICE, ENDS};
    for (size_t g = 0; g < sizeof grammars / sizeof *grammars; g++)
        for (size_t k = 0; k < KINDS; k++) {
            gr_params p = params(CONVENTIONS[k]);
            p.genome_capacity = 60000; /* capacity for lists of all a tree of 12 levels can hold */
            core c = open_state(grammars[g], &p);
            for (uint32_t index = 0; index < INDIVIDUALS; index++)
                check_back(&c, index);
            close_state(&c);
        }
}

/* First generations are valid, whatever the initialiser; lists always are. */
static void test_first_generations(void **state) {
    (void)state;
    static const uint32_t kinds[] = {GR_INIT_GROW, GR_INIT_FULL,    GR_INIT_RAMPED,
                                     GR_INIT_PTC2, GR_INIT_PI_GROW, GR_INIT_UNIFORM};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (size_t k = 0; k < KINDS; k++) {
            gr_params p = params(CONVENTIONS[k]);
            p.initialisation = kinds[i];
            p.init_min_depth = 4;
            p.init_max_depth = 7;
            core c = open_state(ARITHMETIC, &p);
            uint32_t *genome = gr_genome(&c.s, 0, 0), valid = 0, *depth_first, count;
            for (uint32_t index = 0; index < INDIVIDUALS; index++) {
                uint32_t used =
                    gr_initial_genes(&p, c.s.grammar, 0, index, 0, genome, core_scratch(&c).path,
                                     gr_depth_first_scratch(&c.s, 0));
                uint32_t length = gr_initial_tail(&p, 0, index, 0, genome, used, core_group);
                assert_in_range(length, 1, p.genome_capacity);
                gr_derivation d = to_depth_first(&c, genome, length, &depth_first, &count);
                valid += d.validity == GR_VALID;
                assert_true(d.validity != GR_VALID || d.depth <= p.max_depth);
            }
            if (valid < INDIVIDUALS && (p.convention & GR_LISTS || kinds[i] != GR_INIT_UNIFORM))
                fail_msg("%u of %u valid, initialiser %u, convention %u", valid, INDIVIDUALS,
                         kinds[i], p.convention);
            close_state(&c);
        }
}

/* Genes are numbers of productions: largest codons below those leave first generations as they are.
 */
static void test_codon_size_is_not_for_lists(void **state) {
    (void)state;
    static const uint32_t kinds[] = {GR_INIT_GROW, GR_INIT_FULL, GR_INIT_RAMPED, GR_INIT_PTC2,
                                     GR_INIT_PI_GROW},
                          sizes[] = {1, 2, 8, 2147483647};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        gr_params p = params(GR_LISTS);
        p.initialisation = kinds[k];
        core c = open_state(ARITHMETIC, &p);
        uint32_t *genome = gr_genome(&c.s, 0, 0), *other = gr_genome(&c.s, 0, 1);
        for (uint32_t index = 0; index < INDIVIDUALS; index++) {
            gr_params q = p;
            q.codon_size = sizes[index % 4];
            gr_initial_genes(&p, c.s.grammar, 0, index, 0, genome, core_scratch(&c).path,
                             gr_depth_first_scratch(&c.s, 0));
            gr_initial_genes(&q, c.s.grammar, 0, index, 0, other, core_scratch(&c).path,
                             gr_depth_first_scratch(&c.s, 0));
            assert_memory_equal(other, genome, p.genome_capacity * sizeof *genome);
        }
        close_state(&c);
    }
}

/* Which of the non-terminals that wait is first expanded: each as often. */
static void test_order_is_even(void **state) {
    (void)state;
    gr_params p = params(GR_POSITION_INDEPENDENT);
    core c = open_state("<s> ::= <a><a><a><a><a>\n<a> ::= x | y | <b><a>\n<b> ::= z\n", &p);
    uint32_t tree[] = {0, 0, 1, 0, 1, 0}, *genome = gr_genome(&c.s, 0, 0), count[5] = {0};
    for (uint32_t index = 0; index < 4000; index++) {
        gr_random r = gr_stream(&p, GR_PURPOSE_INIT, 0, 0, index);
        assert_int_equal(gr_pi_encode(&p, c.s.grammar, &r, tree, 6, genome,
                                      gr_depth_first_scratch(&c.s, 0),
                                      c.s.grammar[GR_G_EXPANSIONS]),
                         12);
        count[genome[2] % 5]++;
    }
    assert_true(core_chi_square(count, NULL, 5) < 1.0);
    close_state(&c);
}

/* ---- lists ---- */

static uint32_t list_length(const core *c, uint32_t rule) {
    return gr_list_first(c->s.grammar, rule + 1) - gr_list_first(c->s.grammar, rule);
}

static void expect_lists(const char *text, uint32_t depth, uint32_t capacity, uint32_t expansions,
                         uint32_t rules, const uint32_t *length) {
    gr_params p = params(GR_LISTS);
    p.max_depth = depth;
    p.genome_capacity = capacity;
    core c = open_state(text, &p);
    assert_int_equal(c.s.grammar[GR_G_RULES], rules);
    for (uint32_t r = 0; r < rules; r++)
        if (list_length(&c, r) != length[r])
            fail_msg("list of rule %u: %u, expected %u", r, list_length(&c, r), length[r]);
    assert_int_equal(c.s.grammar[GR_G_EXPANSIONS], expansions);
    close_state(&c);
}

static void test_list_lengths(void **state) {
    (void)state;
    /* s, a a, b b b b: never more, whatever the depth */
    expect_lists(ENDS, 12, 100, 7, 3, (const uint32_t[]){1, 2, 4});
    expect_lists(ENDS, 3, 100, 3, 3, (const uint32_t[]){1, 2, 1}); /* <a> has to be x there */
    /* at depth 5: e at 4 levels, twice as many each; the last has to be a leaf of 2 levels */
    expect_lists("<e> ::= <e>+<e> | <v>\n<v> ::= x | y\n", 5, 100, 11, 2, (const uint32_t[]){7, 4});
    expect_lists("<e> ::= <e>+<e> | <v>\n<v> ::= x | y\n", 5, 9, 11, 2, (const uint32_t[]){5, 4});
    expect_lists("<e> ::= <e>+<e> | <v>\n<v> ::= x | y\n", 30, 9, 36, 2, (const uint32_t[]){4, 4});
    /* no list without a choice; one that no derivation reaches has a gene all the same */
    expect_lists("<s> ::= <t>+<u>\n<t> ::= x | y\n<u> ::= y\n<z> ::= x | y\n", 9, 9, 3, 4,
                 (const uint32_t[]){0, 1, 0, 1});
    gr_error error;
    const gr_grammar_context context = {0};
    assert_int_equal(gr_grammar_parse(ENDS, strlen(ENDS), "test", &context, &grammar, &error), 0);
    assert_int_equal(gr_grammar_plan_non_depth_first(grammar, GR_LISTS, 12, 0, 2, &error),
                     GR_BAD_INPUT);
    assert_non_null(strstr(error.text, "; expected at least their number"));
    gr_grammar_free(grammar);
}

/* By hand: the k-th expansion of a rule takes the k-th gene, the depth limits the choice, a list is
 * read again, and behind that the shortest production is taken. */
static void test_genes_by_hand(void **state) {
    (void)state;
    static const char text[] = "<e> ::= <e>+<e> | <v> | (<e>)\n<v> ::= x | y\n";
    const struct {
        uint32_t depth, wraps, used, count, genes[6], depth_first[16];
    } cases[] = {
        {9, 0, 5, 5, {0, 1, 1, 1, 0, 0}, {0, 1, 1, 1, 0}}, /* y+x */
        {3, 0, 2, 2, {0, 0, 0, 1, 0, 0}, {1, 1}},          /* <e>+<e> is too deep */
        {4, 0, 5, 5, {0, 0, 2, 1, 0, 0}, {0, 1, 1, 1, 0}}, /* 0 mod 1, 2 mod 1 */
        {9, 0, 6, 11, {0, 0, 0, 1, 0, 1}, {0, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0}},
        {9, 1, 11, 14, {0, 0, 1, 1, 0, 1}, {0, 0, 1, 1, 0, 0, 1, 0, 1, 1, 1, 1, 1, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gr_params p = params(GR_LISTS);
        uint32_t *depth_first, count;
        p.max_depth = cases[i].depth;
        p.max_wraps = cases[i].wraps;
        p.genome_capacity = 6;
        core c = open_state(text, &p);
        uint32_t genome[6] = {0}, split = list_length(&c, 0);
        for (uint32_t k = 0; k < split; k++)
            genome[k] = cases[i].genes[k];
        for (uint32_t k = split; k < p.genome_capacity; k++)
            genome[k] = cases[i].genes[3 + k - split];
        gr_derivation d = to_depth_first(&c, genome, p.genome_capacity, &depth_first, &count);
        assert_int_equal(d.validity, GR_VALID);
        assert_int_equal(count, cases[i].count);
        assert_int_equal(d.used, cases[i].used);
        for (uint32_t k = 0; k < count; k++)
            assert_int_equal(depth_first[k], cases[i].depth_first[k]);
        close_state(&c);
    }
}

/* ---- variation of lists ---- */

/* A gene of a list is below its alternatives, and mutation always makes another one of it. */
static void test_mutation_of_genes(void **state) {
    (void)state;
    gr_params p = params(GR_LISTS);
    p.mutation_within_used = 1;
    p.codon_mutation = 0.25f;
    core c = open_state(ARITHMETIC, &p);
    uint32_t before[3000], *genome = gr_genome(&c.s, 0, 0), *open, changed = 0, could = 0;
    uint32_t values[10] = {0};
    for (uint32_t index = 0; index < INDIVIDUALS; index++) {
        gr_initial_genes(&p, c.s.grammar, 0, index, 0, genome, core_scratch(&c).path,
                         gr_depth_first_scratch(&c.s, 0));
        memcpy(before, genome, p.genome_capacity * 4);
        gr_random r = gr_stream(&p, GR_PURPOSE_MUTATION, 1, 0, index);
        uint32_t sum = gr_open_genes(&p, c.s.grammar, genome, core_scratch(&c).path,
                                     gr_depth_first_scratch(&c.s, 0), &open);
        gr_mutate_genes(&p, c.s.grammar, &r, genome, open, sum);
        could += sum;
        for (uint32_t rule = 0; rule < c.s.grammar[GR_G_RULES]; rule++)
            for (uint32_t k = 0; k < list_length(&c, rule); k++) {
                uint32_t at = gr_list_first(c.s.grammar, rule) + k;
                uint32_t n = gr_alternatives(c.s.grammar, rule, p.codon_size);
                assert_true(genome[at] < n);
                assert_true(k < open[rule] || genome[at] == before[at]);
                changed += genome[at] != before[at];
                if (n == 10 && genome[at] != before[at])
                    values[(genome[at] + 10 - before[at]) % 10]++;
            }
    }
    const uint32_t counts[] = {changed, could - changed};
    assert_true(core_chi_square(counts, (const double[]){0.25, 0.75}, 2) < 1.0);
    assert_int_equal(values[0], 0);
    assert_true(core_chi_square(values + 1, NULL, 9) < 1.0);
    close_state(&c);
}

static void test_mutation_events(void **state) {
    (void)state;
    gr_params p = params(GR_LISTS);
    p.mutation_events = 1;
    core c = open_state(ENDS, &p);
    uint32_t before[16], *genome = gr_genome(&c.s, 0, 0), *open, hits[7] = {0};
    for (uint32_t index = 0; index < 4000; index++) {
        gr_random r = gr_stream(&p, GR_PURPOSE_MUTATION, 1, 0, index);
        gr_random_genes(&p, c.s.grammar, &r, (const uint32_t[3]){0}, genome);
        memcpy(before, genome, p.genome_capacity * 4);
        uint32_t sum = gr_open_genes(&p, c.s.grammar, genome, core_scratch(&c).path,
                                     gr_depth_first_scratch(&c.s, 0), &open),
                 different = 0;
        assert_int_equal(sum, 7);
        gr_mutate_genes(&p, c.s.grammar, &r, genome, open, sum);
        for (uint32_t k = 0; k < 7; k++)
            if (genome[k] != before[k]) {
                different++;
                hits[k]++;
            }
        assert_int_equal(different, 1);
    }
    assert_true(core_chi_square(hits, NULL, 7) < 1.0);
    close_state(&c);
}

/* Both children of a pair hold every list of both parents once; lists go over one by one, half of
 * them. */
static void test_crossover_of_lists(void **state) {
    (void)state;
    gr_params p = params(GR_LISTS);
    p.crossover = GR_CROSSOVER_LISTS;
    p.crossover_probability = 1.0f;
    core c = open_state(ARITHMETIC, &p);
    uint32_t crossed[6] = {0}, both = 0, pairs = 3000, total = p.genome_capacity;
    for (uint32_t i = 0; i < 4; i++) {
        c.s.individuals[0][i].length = total;
        for (uint32_t k = 0; k < total; k++)
            gr_genome(&c.s, 0, i)[k] = i;
    }
    for (uint32_t g = 0; g < pairs; g++) {
        uint32_t generation = 2 * g + 1;
        for (uint32_t i = 0; i < 2; i++)
            c.s.plans[i] = gr_crossover_plan(&c.s, generation, 0, i, 0, 2, 3, core_group);
        const gr_batch pair = {generation, 0, 0, 2};
        gr_cross_genomes(&c.s, pair, core_group);
        gr_mix_lists(&c.s, pair, c.s.grammar, core_group);
        const uint32_t *one = gr_genome(&c.s, 1, 0), *two = gr_genome(&c.s, 1, 1);
        assert_int_equal(c.s.individuals[1][0].length, total);
        for (uint32_t rule = 0; rule < 6; rule++)
            for (uint32_t k = 0; k < list_length(&c, rule); k++) {
                uint32_t first = gr_list_first(c.s.grammar, rule);
                assert_int_equal(one[first + k] + two[first + k], 5);
                assert_int_equal(one[first + k], one[first]);
            }
        for (uint32_t rule = 0; rule < 6; rule++)
            crossed[rule] += list_length(&c, rule) && one[gr_list_first(c.s.grammar, rule)] == 3;
        both += one[gr_list_first(c.s.grammar, 0)] == 3 && one[gr_list_first(c.s.grammar, 1)] == 3;
    }
    for (uint32_t rule = 0; rule < 6; rule++) {
        const uint32_t counts[] = {crossed[rule], pairs - crossed[rule]};
        assert_true(rule == 4 /* <c> has no choice */ || core_chi_square(counts, NULL, 2) < 1.0);
    }
    const uint32_t counts[] = {both, pairs - both};
    assert_true(core_chi_square(counts, (const double[]){0.25, 0.75}, 2) < 1.0);
    close_state(&c);
}

/* ---- given, drawn again ---- */

static gr_status make_problem(const char *text, gr_problem *problem, gr_error *error) {
    gr_settings s;
    if (gr_settings_init(&s, error) ||
        gr_settings_parse(&s, text, strlen(text), "run.yaml", error) ||
        gr_settings_resolve(&s, error))
        fail_msg("%s", error->text);
    gr_status status = gr_problem_make(&s, problem, error);
    gr_settings_free(&s);
    return status;
}

static core open_problem(const char *text, gr_problem *problem) {
    gr_error error = {GR_OK, ""};
    if (make_problem(text, problem, &error))
        fail_msg("%s", error.text);
    const gr_params *p = &problem->job.params;
    core c = core_open(p, problem->job.grammar, problem->job.grammar_words);
    if (p->seeds) {
        memcpy((void *)(uintptr_t)c.s.seeds, problem->seeds, p->seed_nodes * sizeof(gr_node));
        memcpy((void *)(uintptr_t)c.s.seed_first, problem->seed_first,
               (p->seeds + 1) * sizeof(uint32_t));
    }
    if (c.s.attempts)
        gr_cpu_unique(&c.s);
    for (uint32_t i = 0; i < p->individuals; i++)
        gr_breed_child(&c.s, 0, i, core_scratch(&c), gr_depth_first_scratch(&c.s, 0), core_group);
    return c;
}

/* Whether the genome of individual i derives the sentence. */
static int derives(const core *c, const gr_grammar *of, uint32_t i, const char *sentence) {
    uint32_t *depth_first, count;
    char text[512] = "";
    to_depth_first(c, gr_genome(&c->s, 0, i), c->s.individuals[0][i].length, &depth_first, &count);
    gr_derivation d;
    gr_derive_start(&d, c->s.grammar, depth_first, count, 0, c->s.p.max_depth,
                    core_scratch(c).path);
    for (uint32_t t; (t = gr_derive_next(&d)) != GR_DERIVED;) {
        size_t length, at = strlen(text);
        const char *word = gr_grammar_terminal(of, t, &length);
        memcpy(text + at, word, length);
        text[at + length] = '\0';
    }
    return strcmp(text, sentence) == 0;
}

#define PROBLEM                                                                                    \
    "target-expression: x*y\nvariables: x, y = uniform(-1, 1)\ntrain-cases: 40\nruns: 2\n"         \
    "grammar: grammars/nguyen-2.bnf\npopulation: 60\ntries: 100\nmax-depth: 8\n"

/* Given sentences come first, in every run; genes that they leave open differ from run to run. */
static void test_given(void **state) {
    (void)state;
    static const char *const kinds[] = {
        PROBLEM "seeds: tests/differential/sentences.txt\nmapping: pi\n",
        PROBLEM "seeds: tests/differential/sentences.txt\nmapping: pi\ncodon-consumption: lazy\n",
        PROBLEM "seeds: tests/differential/sentences.txt\ngenotype: structured\n"};
    for (size_t k = 0; k < 3; k++) {
        gr_problem problem;
        core c = open_problem(kinds[k], &problem);
        uint32_t same = 0, length = c.s.individuals[0][0].length;
        assert_int_equal(c.s.p.seeds, 2);
        for (uint32_t run = 0; run < 2; run++) {
            assert_true(derives(&c, problem.grammar, 60 * run, "(x0 * x1)"));
            assert_true(derives(&c, problem.grammar, 60 * run + 1, "sin((x0 - 1.0))"));
        }
        for (uint32_t g = 0; g < length; g++)
            same += gr_genome(&c.s, 0, 0)[g] == gr_genome(&c.s, 0, 60)[g];
        assert_true(length == c.s.individuals[0][60].length && same < length);
        core_close(&c);
        gr_problem_free(&problem);
    }
}

static void test_given_too_long(void **state) {
    (void)state;
    gr_error error = {GR_OK, ""};
    gr_problem problem;
    assert_int_equal(make_problem(PROBLEM "seeds: tests/differential/sentences.txt\n"
                                          "genotype: structured\nmax-genome-length: 6\n",
                                  &problem, &error),
                     GR_BAD_INPUT);
    assert_non_null(strstr(error.text, "sentences.txt:1:1: a list of genes is too short"));
}

/* Drawn again, the first generation is valid and its expressions differ; so do children stay valid,
 * where their parents are. Under max-nodes 9 many would not. */
static void test_drawn_again(void **state) {
    (void)state;
    static const char *const kinds[] = {
        PROBLEM "max-nodes: 9\nunique: true\ninvalid: redrawn\nmapping: pi\n",
        PROBLEM "max-nodes: 9\nunique: true\ninvalid: redrawn\ngenotype: structured\n",
        PROBLEM "max-nodes: 9\nunique: true\ninvalid: redrawn\ngenotype: structured\n"
                "crossover: uniform\n"};
    for (size_t k = 0; k < 3; k++) {
        gr_problem problem;
        core c = open_problem(kinds[k], &problem);
        uint32_t drawn = 0, retries = 0, plain = 0, redrawn = c.s.p.redrawn;
        for (uint32_t i = 0; i < 120; i++) {
            assert_int_equal(c.s.individuals[0][i].validity, GR_VALID);
            drawn += c.s.attempts[i];
            c.s.plans[i] = gr_crossover_plan(&c.s, 1, i / 60, i % 60, 0, i / 60 * 60 + i * 7 % 60,
                                             i / 60 * 60 + i * 11 % 60, core_group);
        }
        assert_true(drawn > 10);
        for (uint32_t i = 0; i < 120; i++)
            for (uint32_t on = 0; on < 2; on++) {
                c.s.p.redrawn = on ? redrawn : 0;
                gr_plan plan = c.s.plans[i];
                gr_breed_child(&c.s, 1, i, core_scratch(&c), gr_depth_first_scratch(&c.s, 0),
                               core_group);
                gr_individual child = c.s.individuals[1][i];
                assert_memory_equal(&plan, &c.s.plans[i], sizeof plan);
                plain += !on && child.validity != GR_VALID;
                retries +=
                    on ? GR_RETRIES_DRAWS(child.retries) + GR_RETRIES_KEPT(child.retries) : 0;
                assert_true(!on || child.validity == GR_VALID);
            }
        assert_true(plain > 5 && retries >= plain);
        core_close(&c);
        gr_problem_free(&problem);
    }
}

/* Gene by gene: each child's come from either parent with probability 1/2, at their positions. */
static void test_uniform_genes(void **state) {
    (void)state;
    gr_params p = params(GR_LISTS);
    p.crossover = GR_CROSSOVER_UNIFORM;
    p.crossover_probability = 1.0f;
    p.codon_mutation = 0.0f;
    core c = open_state(ARITHMETIC, &p);
    uint32_t total = p.genome_capacity, taken = 0, genes = 0;
    for (uint32_t i = 0; i < 4; i++) {
        c.s.individuals[0][i].length = total;
        for (uint32_t k = 0; k < total; k++)
            gr_genome(&c.s, 0, i)[k] = i & 1; /* below all numbers of alternatives */
    }
    for (uint32_t g = 0; g < 20; g++) {
        for (uint32_t i = 0; i < 2; i++) {
            c.s.plans[i] = gr_crossover_plan(&c.s, 2 * g + 1, 0, i, 0, 2, 3, core_group);
            gr_breed_child(&c.s, 2 * g + 1, i, core_scratch(&c), gr_depth_first_scratch(&c.s, 0),
                           core_group);
        }
        for (uint32_t k = 0; k < total; k++) {
            assert_int_equal(gr_genome(&c.s, 1, 0)[k] + gr_genome(&c.s, 1, 1)[k], 1);
            taken += gr_genome(&c.s, 1, 0)[k];
            genes++;
        }
    }
    const uint32_t counts[] = {taken, genes - taken};
    assert_true(genes > 2000 && core_chi_square(counts, NULL, 2) < 1.0);
    close_state(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_there_and_back),
        cmocka_unit_test(test_first_generations),
        cmocka_unit_test(test_codon_size_is_not_for_lists),
        cmocka_unit_test(test_order_is_even),
        cmocka_unit_test(test_list_lengths),
        cmocka_unit_test(test_genes_by_hand),
        cmocka_unit_test(test_mutation_of_genes),
        cmocka_unit_test(test_mutation_events),
        cmocka_unit_test(test_crossover_of_lists),
        cmocka_unit_test(test_given),
        cmocka_unit_test(test_drawn_again),
        cmocka_unit_test(test_uniform_genes),
        cmocka_unit_test(test_given_too_long),
    };
    return cmocka_run_group_tests_name("straight", tests, NULL, NULL);
}
