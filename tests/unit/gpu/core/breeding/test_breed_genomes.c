/* gpu/core/breeding/breed_genomes.h: which draws the steps of breeding take, what mutation may
 * touch, and that what is kept to be compiled together is what was mapped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/core/breeding/breed.h"
#include "tests/grammars.h"

enum { POPULATION = 64 };

static gr_batch everybody(uint32_t generation, uint32_t attempt) {
    return (gr_batch){.generation = generation, .attempt = attempt, .last = POPULATION};
}

/* A population of genomes that grew, with tails, mapped into expressions and, where the run asks
 * for it, marked. */
static core open_population(gr_params *p) {
    static const char *const names[] = {"x", "y"};
    const gr_grammar_context context = {.n_vars = 2};
    const gr_vocabulary vocabulary = {names, 2, 0, 0, 0, 0};
    gr_error error;
    uint32_t words;
    if (gr_grammar_parse(ARITHMETIC, strlen(ARITHMETIC), "test", &context, &grammar, &error) ||
        gr_grammar_tokenise(grammar, &vocabulary, &error))
        fail_msg("%s", error.text);
    p->population = p->individuals = POPULATION;
    p->inputs = 2;
    const uint32_t *tables = gr_grammar_tables(grammar, &words);
    core c = core_open(p, tables, words);
    gr_breed_genomes(&c.s, everybody(0, 0), GR_BREED_ALL_STEPS, core_scratch(&c), NULL, core_group);
    return c;
}

static gr_params genome_params(void) {
    gr_params p = core_params(GR_GRAMMATICAL);
    p.genome_capacity = 200;
    p.max_depth = 14;
    p.max_nodes = 100;
    p.subtree_depth = 6;
    p.init_max_depth = 11;
    return p;
}

/* Children that are copies of their parents, ready to be mutated. */
static void copy_parents(core *c, uint32_t generation) {
    for (uint32_t i = 0; i < POPULATION; i++)
        c->s.plans[i] = gr_copy_plan(i, c->s.individuals[0][i].length, 0);
    gr_cross_genomes(&c->s, everybody(generation, 0), 0, core_group);
}

/* ---- who is next ---- */

static void test_take(void **state) {
    (void)state;
    uint32_t next = 5;
    assert_int_equal(gr_take(core_group, 1, &next, 7), 5);
    assert_int_equal(next, 6);
    gr_take(core_group, 0, &next, 7); /* a busy lane takes none */
    assert_int_equal(next, 6);
    assert_int_equal(gr_take(core_group, 1, &next, 7), 6);
    assert_int_equal(gr_take(core_group, 1, &next, 7), 7); /* there are no more */
    assert_int_equal(next, 7);
}

/* ---- draws ---- */

/* Codon c is drawn anew by word 0 or 2 of its block, c / 2, and becomes what the word behind says;
 * for mutation, by the individual's own number, its repetition and its deme. */
static void test_draws_of_codons(void **state) {
    (void)state;
    gr_params p = genome_params();
    p.codon_mutation = 0.25f;
    core c = open_population(&p);
    for (uint32_t attempt = 0; attempt < 3; attempt++) {
        uint32_t changed = 0;
        copy_parents(&c, 3);
        gr_mutate_genomes(&c.s, everybody(3, attempt), core_group);
        for (uint32_t i = 0; i < POPULATION; i++)
            for (uint32_t k = 0; k < c.s.individuals[0][i].length; k++) {
                uint32_t at = k / 2 * 4 + k % 2 * 2, codon = gr_genome(&c.s, 0, i)[k];
                if (core_draw(&p, GR_PURPOSE_MUTATION, attempt, 3, 0, i, at) < 0x40000000u) {
                    uint64_t word = core_draw(&p, GR_PURPOSE_MUTATION, attempt, 3, 0, i, at + 1);
                    codon = (uint32_t)(word * (p.codon_size + 1) >> 32);
                    changed++;
                }
                assert_int_equal(gr_genome(&c.s, 1, i)[k], codon);
            }
        assert_true(changed > 250);
    }
    close_state(&c);
}

/* Events draw a block each: where, and what. */
static void test_draws_of_events(void **state) {
    (void)state;
    gr_params p = genome_params();
    p.mutation_events = 3;
    core c = open_population(&p);
    copy_parents(&c, 5);
    gr_mutate_by_events(&c.s, everybody(5, 2), core_group);
    for (uint32_t i = 0; i < POPULATION; i++) {
        uint32_t length = c.s.individuals[0][i].length, *genome = gr_genome(&c.s, 0, i);
        for (uint32_t e = 0; e < 3; e++) {
            uint64_t at = core_draw(&p, GR_PURPOSE_MUTATION, 2, 5, 0, i, 4 * e);
            uint64_t word = core_draw(&p, GR_PURPOSE_MUTATION, 2, 5, 0, i, 4 * e + 1);
            genome[at * length >> 32] = (uint32_t)(word * (p.codon_size + 1) >> 32);
        }
        assert_memory_equal(gr_genome(&c.s, 1, i), genome, length * sizeof *genome);
    }
    close_state(&c);
}

/* Whether a branch mutates is the first draw of a stream of its own, apart from that of codons. */
static void test_draws_of_branches(void **state) {
    (void)state;
    gr_params p = genome_params();
    p.rule_words = 1;
    p.subtree_mutation = 0.5f;
    core c = open_population(&p);
    uint32_t mutated = 0, stayed = 0, changed = 0;
    for (uint32_t generation = 1; generation < 16; generation += 2) {
        copy_parents(&c, generation);
        gr_mutate_branches(&c.s, everybody(generation, 1), core_scratch(&c), core_group);
        for (uint32_t i = 0; i < POPULATION; i++) {
            gr_individual before = c.s.individuals[0][i], after = c.s.individuals[1][i];
            uint32_t word =
                core_draw(&p, GR_PURPOSE_MUTATION, 1, generation, 0, i | 0x40000000u, 0);
            uint32_t same = after.length == before.length &&
                            !memcmp(gr_genome(&c.s, 0, i), gr_genome(&c.s, 1, i),
                                    before.length * sizeof(uint32_t));
            assert_true(same || word < 0x80000000u);
            mutated += word < 0x80000000u;
            stayed += word >= 0x80000000u;
            changed += !same;
        }
    }
    assert_true(stayed > 200 && changed > mutated * 9 / 10);
    close_state(&c);
}

/* Runs of codons, too: block 0 says whether, block 1 which. */
static void test_draws_of_runs(void **state) {
    (void)state;
    gr_params p = genome_params();
    p.codon_duplication = 0.5f;
    core c = open_population(&p);
    uint32_t longer = 0;
    copy_parents(&c, 1);
    gr_duplicate_in_genomes(&c.s, everybody(1, 0), core_group);
    for (uint32_t i = 0; i < POPULATION; i++) {
        uint32_t length = c.s.individuals[0][i].length, draw[3];
        for (uint32_t k = 0; k < 3; k++)
            draw[k] =
                core_draw(&p, GR_PURPOSE_MUTATION, 0, 1, 0, i | 0x80000000u, k == 0 ? 0 : 3 + k);
        uint32_t from = gr_mulhi(draw[1], length), n = 1 + gr_mulhi(draw[2], length - from);
        uint32_t copied = draw[0] < 0x80000000u && length + n <= p.genome_capacity;
        assert_int_equal(c.s.individuals[1][i].length, copied ? length + n : length);
        if (copied)
            assert_memory_equal(gr_genome(&c.s, 1, i) + length, gr_genome(&c.s, 0, i) + from,
                                n * sizeof(uint32_t));
        longer += copied;
    }
    assert_true(longer > 10);
    close_state(&c);
}

/* ---- what mutation may touch ---- */

/* Used codons of valid genomes, all of invalid ones, none of an elite; by steps and by symbols. */
static void test_find_used(void **state) {
    (void)state;
    for (uint32_t lazy = 0; lazy < 2; lazy++) {
        gr_params p = genome_params();
        p.convention = lazy ? GR_LAZY : 0;
        core c = open_population(&p);
        uint32_t invalid = 0, shorter = 0;
        copy_parents(&c, 1);
        for (uint32_t i = 0; i < POPULATION; i++) {
            if (i % 7 == 3)
                c.s.individuals[1][i].used = 0; /* an elite */
            if (i % 7 == 4)                     /* too few codons: the derivation is cut short */
                c.s.individuals[1][i].used = c.s.individuals[1][i].length = 1;
            if (i % 7 == 4)
                gr_genome(&c.s, 1, i)[0] = 0; /* (<e><o><e>) */
        }
        if (lazy)
            gr_find_used_by_symbols(&c.s, everybody(1, 0), core_scratch(&c), core_group);
        else
            gr_find_used(&c.s, everybody(1, 0), core_scratch(&c), core_group);
        for (uint32_t i = 0; i < POPULATION; i++) {
            gr_individual parent = c.s.individuals[0][i], child = c.s.individuals[1][i];
            if (i % 7 == 3)
                assert_int_equal(child.used, 0);
            else if (i % 7 == 4)
                assert_int_equal(child.used, 1);
            else
                assert_int_equal(child.used, parent.used);
            invalid += i % 7 == 4;
            shorter += child.used < parent.length;
        }
        assert_true(invalid > 5 && shorter > POPULATION / 2);
        close_state(&c);
    }
}

/* ---- genomes to programs ---- */

/* Expressions are kept one behind the other, annotated and compiled together: each has the program
 * and sizes that mapping and compiling it alone give. */
static void test_kept(void **state) {
    (void)state;
    gr_params p = genome_params();
    core c = open_population(&p);
    static gr_node nodes[100];
    static uint32_t path[2 * 14], pending[400], words[101];
    static gr_instruction program[100];
    uint32_t all = 0, valid = 0;
    p.max_nesting = 320;
    for (uint32_t i = 0; i < POPULATION; i++) {
        gr_individual got = c.s.individuals[0][i];
        gr_mapping m;
        memset(&m, 0, sizeof m);
        gr_derive_start(&m.d, c.s.grammar, gr_genome(&c.s, 0, i), got.length, 0, p.max_depth,
                        (gr_words){path, 1});
        gr_parser_start(&m.p, (gr_nodes){nodes, 1}, p.max_nodes, (gr_words){pending, 1},
                        p.max_nesting, 2, 0);
        gr_map_tokens(&m);
        gr_map_end(&m);
        assert_int_equal(got.validity, m.d.validity);
        assert_int_equal(got.used, m.d.used);
        assert_int_equal(got.depth, m.d.depth);
        assert_int_equal(got.derivation_nodes, m.d.nodes);
        if (m.d.validity != GR_VALID) {
            assert_int_equal(got.nodes + got.instructions, 0);
            continue;
        }
        valid++;
        assert_int_equal(got.nodes, m.p.count);
        gr_annotate((gr_nodes){nodes, 1}, m.p.count);
        uint32_t length =
            gr_compile((gr_nodes){nodes, 1}, m.p.count, (gr_words){words, 1}, program, core_group);
        assert_int_equal(got.instructions, length);
        assert_memory_equal(gr_program(&c.s, i), program, length * sizeof *program);
        all += got.nodes;
    }
    assert_true(valid > POPULATION * 3 / 4 && all > 2 * GR_KEPT_NODES); /* more than once full */
    close_state(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_take),
        cmocka_unit_test(test_draws_of_codons),
        cmocka_unit_test(test_draws_of_events),
        cmocka_unit_test(test_draws_of_branches),
        cmocka_unit_test(test_draws_of_runs),
        cmocka_unit_test(test_find_used),
        cmocka_unit_test(test_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
