/* gpu/core/genotype/pi_grow.h: whatever the order of expansion, the genome maps back to the whole
 * tree; PI trees reach their depth, PTC2 trees their size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "host/problem/job.h"
#include "tests/grammars.h"

static const char ODD[] =
    "<s> ::= <a><b> | <b>\n<a> ::= x | <s> | y<a> | x\n<b> ::= 1 | 2 | <c><c>\n"
    "<c> ::= <GECodonValue> | <d>\n<d> ::= z\n";

/* Rules without a choice, which a lazy mapper expands for nothing. */
static const char CHAIN[] = "<s> ::= <t>\n<t> ::= <u>+<t> | <u> | (<s>)\n<u> ::= <w>\n"
                            "<w> ::= 1 | 2 | <one><one>\n<one> ::= k\n";

enum { INDIVIDUALS = 1500 };

/* The genome is a tree to its last codon, and all codons are codons. */
static gr_derivation check_tree(const core *c, const uint32_t *genome, uint32_t used) {
    gr_derivation d = derive(c, genome, used);
    assert_int_equal(d.validity, GR_VALID);
    assert_int_equal(d.used, used);
    for (uint32_t k = 0; k < used; k++)
        assert_true(genome[k] <= c->s.p.codon_size);
    return d;
}

/* Into the first genome; its codons. */
static uint32_t grow(core *c, gr_random *r, uint32_t depth, uint32_t size) {
    const gr_params *p = &c->s.p;
    return gr_pi_grow_genome(p, gr_genome_form(p, c->s.grammar), r, depth, size,
                             gr_genome(&c->s, 0, 0), core_scratch(c).path);
}

static void test_pi_trees(void **state) {
    (void)state;
    gr_params p = core_params(GR_GRAMMATICAL);
    p.genome_capacity = 3000;
    core c = open_state(ARITHMETIC, &p);
    uint32_t *genome = gr_genome(&c.s, 0, 0), sizes[2] = {~0u, 0};
    for (uint32_t i = 0; i < INDIVIDUALS; i++) {
        uint32_t depth = 3 + i % 9;
        gr_random r = gr_stream(&p, GR_PURPOSE_INIT, 1, 0, i);
        uint32_t used = grow(&c, &r, depth, 0);
        assert_true(used > 0);
        gr_derivation d = check_tree(&c, genome, used);
        assert_int_equal(d.depth, depth); /* one branch at least gets there */
        if (depth == 10) {
            sizes[0] = gr_min_u32(sizes[0], used);
            sizes[1] = gr_max_u32(sizes[1], used);
        }
    }
    assert_true(sizes[1] > 3 * sizes[0]); /* of all shapes */
    gr_random r = gr_stream(&p, GR_PURPOSE_INIT, 1, 0, 0);
    assert_int_equal(grow(&c, &r, 2, 0), 0); /* no such sentence */
    close_state(&c);
}

/* Depth 4: the root and one of its children recur; the other child does when its turn comes before
 * any branch ends (1/3), when it comes last (1/3), and else by half: 7 expansions with probability
 * 5/6, otherwise 5. */
static void test_pi_shapes(void **state) {
    (void)state;
    enum { DRAWS = 6000 };
    gr_params p = core_params(GR_GRAMMATICAL);
    p.genome_capacity = 3000;
    core c = open_state("<e> ::= <e><e> | x\n", &p);
    uint32_t seven = 0;
    for (uint32_t i = 0; i < DRAWS; i++) {
        gr_random r = gr_stream(&p, GR_PURPOSE_INIT, 1, 0, i);
        uint32_t used = grow(&c, &r, 4, 0);
        assert_true(used == 5 || used == 7);
        seven += used == 7;
    }
    double expected = DRAWS * 5.0 / 6.0, gap = seven - expected;
    assert_true(gap * gap / expected + gap * gap / (DRAWS - expected) < 6.63); /* 1 %, 1 degree */
    close_state(&c);
}

static uint32_t ramp_of(const char *grammar_file, const char *more) {
    char text[400];
    gr_settings s;
    gr_problem problem;
    gr_error error = {0};
    snprintf(text, sizeof text,
             "grammar: problems/ponyge2/grammars/%s.bnf\ntarget-expression: x0\nvariables: x0, x1, "
             "x2, x3, x4 = uniform(0, 1)\ntrain-cases: 10\ninitialisation: pi-grow\n%s",
             grammar_file, more);
    if (gr_settings_init(&s, &error) || gr_settings_parse(&s, text, strlen(text), "test", &error) ||
        gr_settings_resolve(&s, &error) || gr_problem_make(&s, &problem, &error))
        fail_msg("%s", error.text);
    uint32_t depth = problem.job.params.init_min_depth;
    gr_problem_free(&problem);
    gr_settings_free(&s);
    return depth;
}

/* Where PonyGE2 begins with 500 individuals: range(min_ramp + 1, 11) of its min_ramp 2, 2 and 3.
 * The five leaves of depth 2 are enough for 48 individuals on 10 depths, not for 50 or, made
 * even, 49.
 */
static void test_ramp(void **state) {
    (void)state;
    assert_int_equal(ramp_of("vladislavleva-4", "distinct-ramp: true\n"), 3);
    assert_int_equal(ramp_of("keijzer-6", "distinct-ramp: true\n"), 3);
    assert_int_equal(ramp_of("supervised-learning", "distinct-ramp: true\n"), 4);
    assert_int_equal(ramp_of("vladislavleva-4", ""), 2);
    assert_int_equal(ramp_of("vladislavleva-4", "distinct-ramp: true\npopulation: 50\n"), 3);
    assert_int_equal(ramp_of("vladislavleva-4", "distinct-ramp: true\npopulation: 49\n"), 3);
    assert_int_equal(ramp_of("vladislavleva-4", "distinct-ramp: true\npopulation: 48\n"), 2);
    assert_int_equal(ramp_of("vladislavleva-4", "distinct-ramp: true\ninit-min-depth: 5\n"), 5);
}

static void test_ptc2_trees(void **state) {
    (void)state;
    gr_params p = core_params(GR_GRAMMATICAL);
    p.genome_capacity = 3000;
    core c = open_state(ARITHMETIC, &p);
    uint32_t *genome = gr_genome(&c.s, 0, 0);
    for (uint32_t i = 0; i < INDIVIDUALS; i++) {
        uint32_t size = 1 + i % 200;
        gr_random r = gr_stream(&p, GR_PURPOSE_INIT, 3, 0, i);
        uint32_t used = grow(&c, &r, 90, size);
        check_tree(&c, genome, used);
        assert_true(used >= size);
        /* every non-terminal that waits then takes two codons at most */
        assert_true(used <= 2 * (size + 2));
    }
    close_state(&c);
}

/* Both parts of a first genome; its length. */
static uint32_t first_genome(core *c, uint32_t index, uint32_t *genome) {
    const gr_params *p = &c->s.p;
    uint32_t used = gr_grows_anywhere(p)
                        ? gr_pi_grow_codons(p, gr_genome_form(p, c->s.grammar), 0, index, 0, genome,
                                            core_scratch(c).path)
                        : gr_initial_codons(p, gr_genome_form(p, c->s.grammar), 0, index, 0, genome,
                                            core_scratch(c).path);
    return gr_initial_tail(p, 0, index, 0, genome, used, core_group);
}

static void check_generation(const char *text, uint32_t kind, uint32_t capacity,
                             uint32_t convention) {
    gr_params p = core_params(GR_GRAMMATICAL);
    p.initialisation = kind;
    p.convention = convention;
    p.init_min_depth = 5;
    p.init_max_depth = 9;
    p.genome_capacity = capacity;
    p.init_length = gr_min_u32(100, capacity);
    core c = open_state(text, &p);
    uint32_t *genome = gr_genome(&c.s, 0, 0), grown = 0;
    for (uint32_t index = 0; index < INDIVIDUALS; index++) {
        uint32_t length = first_genome(&c, index, genome);
        assert_in_range(length, 1, capacity);
        gr_derivation d = derive(&c, genome, length);
        for (uint32_t k = 0; k < length; k++)
            assert_true(genome[k] <= p.codon_size);
        grown +=
            d.validity == GR_VALID && length == gr_min_u32(d.used + d.used / 2, p.genome_capacity);
        if (kind == GR_INIT_PI_GROW && d.validity == GR_VALID)
            assert_true(d.depth <= p.init_min_depth + index % 5 || length == p.init_length);
    }
    if (capacity > 99 && grown != INDIVIDUALS)
        fail_msg("%u of %u, kind %u, convention %u: %s", grown, INDIVIDUALS, kind, convention,
                 text);
    close_state(&c);
}

static void test_generations(void **state) {
    (void)state;
    static const uint32_t kinds[] = {GR_INIT_GROW, GR_INIT_FULL, GR_INIT_RAMPED, GR_INIT_PTC2,
                                     GR_INIT_PI_GROW};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (uint32_t lazy = 0; lazy <= GR_LAZY; lazy++) {
            check_generation(ARITHMETIC, kinds[k], 2000, lazy);
            check_generation(ODD, kinds[k], 2000, lazy);
            check_generation(CHAIN, kinds[k], 2000, lazy);
            check_generation(ARITHMETIC, kinds[k], 10, lazy); /* capacity for little */
            check_generation(ODD, kinds[k], 3, lazy);
        }
}

/* The same draws make the same genome, whatever stood there. */
static void test_again(void **state) {
    (void)state;
    gr_params p = core_params(GR_GRAMMATICAL);
    p.initialisation = GR_INIT_PI_GROW;
    p.genome_capacity = 2000;
    core c = open_state(ARITHMETIC, &p);
    uint32_t *genome = gr_genome(&c.s, 0, 0);
    uint32_t length = first_genome(&c, 5, genome);
    uint32_t *alone = malloc(length * sizeof *alone);
    memcpy(alone, genome, length * sizeof *alone);
    memset(genome, 0xff, length * sizeof *genome);
    first_genome(&c, 5, genome);
    assert_memory_equal(alone, genome, length * sizeof *alone);
    free(alone);
    close_state(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pi_trees),    cmocka_unit_test(test_pi_shapes),
        cmocka_unit_test(test_ramp),        cmocka_unit_test(test_ptc2_trees),
        cmocka_unit_test(test_generations), cmocka_unit_test(test_again),
    };
    return cmocka_run_group_tests_name("pi grow", tests, NULL, NULL);
}
