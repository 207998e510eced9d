/* gpu/core/breeding/breed_non_depth_first.h: variation keeps genes in their lists and among their
 * alternatives, with the chances it says; children that are drawn again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/non_depth_first.h"

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
        gr_initial_genes(&p, core_scratch(&c), 0, index, 0, genome,
                         gr_depth_first_scratch(&c.s, 0));
        memcpy(before, genome, p.genome_capacity * 4);
        gr_random r = gr_stream(&p, GR_PURPOSE_MUTATION, 1, 0, index);
        gr_gene_draws draws = {r, genome, p.codon_size};
        uint32_t sum = gr_open_genes(&p, c.s.grammar, &draws, core_scratch(&c).path,
                                     gr_depth_first_scratch(&c.s, 0), &open);
        assert_memory_equal(before, genome, p.genome_capacity * 4); /* nothing was missing */
        gr_mutate_genes(&p, c.s.grammar, &r, genome, open, sum);
        could += sum;
        for (uint32_t rule = 0; rule < c.s.grammar[GR_G_RULES]; rule++)
            for (uint32_t k = 0; k < list_length(&c, rule); k++) {
                uint32_t at = gr_list_first(c.s.grammar, rule) + k;
                uint32_t n = gr_alternatives(c.s.grammar, rule, p.codon_size);
                assert_true(genome[at] < n || (genome[at] == GR_NO_GENE && k >= open[rule]));
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

/* Genes that no ancestor needed are drawn when a derivation comes to them, each as likely, and
 * stay; behind the derivation none is. */
static void test_genes_drawn_when_needed(void **state) {
    (void)state;
    gr_params p = params(GR_LISTS);
    p.mutation_within_used = 1;
    core c = open_state(ARITHMETIC, &p);
    uint32_t *genome = gr_genome(&c.s, 0, 0), *open, again[3000], values[10] = {0}, longer = 0;
    const uint32_t rules = c.s.grammar[GR_G_RULES];
    for (uint32_t index = 0; index < INDIVIDUALS; index++) {
        for (uint32_t k = 0; k < p.genome_capacity; k++)
            genome[k] = GR_NO_GENE;
        gr_gene_draws draws = {gr_stream(&p, GR_PURPOSE_MUTATION_GENES, 1, 0, index), genome,
                               p.codon_size};
        gr_open_genes(&p, c.s.grammar, &draws, core_scratch(&c).path,
                      gr_depth_first_scratch(&c.s, 0), &open);
        for (uint32_t rule = 0; rule < rules; rule++)
            for (uint32_t k = 0; k < list_length(&c, rule); k++) {
                uint32_t gene = genome[gr_list_first(c.s.grammar, rule) + k];
                uint32_t n = gr_alternatives(c.s.grammar, rule, p.codon_size);
                assert_true(k < open[rule] ? gene < n : gene == GR_NO_GENE);
                if (n == 10 && k < open[rule])
                    values[gene]++;
                longer += k && k < open[rule];
            }
        memcpy(again, genome, p.genome_capacity * 4);
        draws.r = gr_stream(&p, GR_PURPOSE_MUTATION_GENES, 2, 0, index);
        gr_open_genes(&p, c.s.grammar, &draws, core_scratch(&c).path,
                      gr_depth_first_scratch(&c.s, 0), &open);
        assert_memory_equal(again, genome, p.genome_capacity * 4);
    }
    assert_true(longer > INDIVIDUALS);
    assert_true(core_chi_square(values, NULL, 10) < 1.0);
    close_state(&c);
}

/* A derivation that expands rules more often than their lists are long leaves as many genes open as
 * there are, whether it reads a list again or not. */
static void test_no_more_than_a_list(void **state) {
    (void)state;
    uint32_t exceeded = 0;
    for (uint32_t wraps = 0; wraps < 3; wraps++) {
        gr_params p = params(GR_LISTS);
        p.mutation_within_used = 1;
        p.max_wraps = wraps;
        p.max_depth = 9;
        p.genome_capacity = 60;
        core c = open_state(ARITHMETIC, &p);
        uint32_t *genome = gr_genome(&c.s, 0, 0), *open;
        for (uint32_t index = 0; index < INDIVIDUALS; index++) {
            core_dice dice = {index};
            for (uint32_t rule = 0; rule < c.s.grammar[GR_G_RULES]; rule++)
                for (uint32_t k = 0; k < list_length(&c, rule); k++)
                    genome[gr_list_first(c.s.grammar, rule) + k] =
                        rule ? core_roll(&dice, gr_alternatives(c.s.grammar, rule, p.codon_size))
                             : core_roll(&dice, 10) == 0; /* nearly all branch */
            gr_gene_draws draws = {gr_stream(&p, GR_PURPOSE_MUTATION, 1, 0, index), genome,
                                   p.codon_size};
            uint32_t sum = gr_open_genes(&p, c.s.grammar, &draws, core_scratch(&c).path,
                                         gr_depth_first_scratch(&c.s, 0), &open);
            for (uint32_t rule = 0; rule < c.s.grammar[GR_G_RULES]; rule++) {
                assert_true(open[rule] <= list_length(&c, rule));
                sum -= open[rule];
                exceeded += list_length(&c, rule) && open[rule] == list_length(&c, rule);
            }
            assert_int_equal(sum, 0);
        }
        close_state(&c);
    }
    assert_true(exceeded > INDIVIDUALS);
}

/* Pairs of codons: those that a valid derivation reads, and all there are where it reads them
 * again; an invalid one leaves what was there. */
static void test_used_pairs(void **state) {
    (void)state;
    enum { LENGTH = 12 };
    for (uint32_t kind = 0; kind < 4; kind++) {
        gr_params p = params(CONVENTIONS[kind]);
        p.max_wraps = 3;
        core c = open_state(ENDS, &p);
        uint32_t *genome = gr_genome(&c.s, 0, 0), again = 0, some = 0;
        for (uint32_t index = 0; index < INDIVIDUALS; index++) {
            core_dice dice = {index};
            uint32_t length = 2 + 2 * core_roll(&dice, LENGTH / 2), *depth_first, count;
            for (uint32_t k = 0; k < LENGTH; k++)
                genome[k] = core_roll(&dice, 256);
            gr_derivation d = to_depth_first(&c, genome, length, &depth_first, &count);
            c.s.individuals[0][0].length = c.s.individuals[0][0].used = length;
            gr_find_used_pairs(&c.s, (gr_batch){0, 0, 0, 1}, core_scratch(&c),
                               gr_depth_first_scratch(&c.s, 0), core_group);
            uint32_t used = c.s.individuals[0][0].used;
            if (d.validity != GR_VALID || d.used >= length) {
                assert_int_equal(used, length);
                again += d.validity == GR_VALID && d.used > length;
            } else {
                assert_int_equal(used, d.used);
                some++;
            }
        }
        assert_true(again > 20 && some > 20);
        close_state(&c);
    }
}

static void test_mutation_events(void **state) {
    (void)state;
    gr_params p = params(GR_LISTS);
    p.mutation_events = 1;
    core c = open_state(ENDS, &p);
    uint32_t before[16], *genome = gr_genome(&c.s, 0, 0), *open, hits[7] = {0};
    for (uint32_t index = 0; index < 4000; index++) {
        gr_random r = gr_stream(&p, GR_PURPOSE_MUTATION, 1, 0, index);
        gr_fill_lists(&p, c.s.grammar, &r, (const uint32_t[3]){0}, genome);
        gr_gene_draws draws = {r, genome, p.codon_size};
        memcpy(before, genome, p.genome_capacity * 4);
        uint32_t sum = gr_open_genes(&p, c.s.grammar, &draws, core_scratch(&c).path,
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
            c.s.plans[i] =
                gr_crossover_plan(&c.s, generation, 0, i, gr_parents_at(&c.s, 0, 2, 3), core_group);
        const gr_batch pair = {generation, 0, 0, 2};
        gr_cross_genomes(&c.s, pair, 0, core_group);
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
            c.s.plans[i] = gr_crossover_plan(
                &c.s, 1, i / 60, i % 60,
                gr_parents_at(&c.s, 0, i / 60 * 60 + i * 7 % 60, i / 60 * 60 + i * 11 % 60),
                core_group);
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
            c.s.plans[i] =
                gr_crossover_plan(&c.s, 2 * g + 1, 0, i, gr_parents_at(&c.s, 0, 2, 3), core_group);
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

/* Each list goes its own way, however many there are: by a bit of Philox of its own. */
static void test_many_lists(void **state) {
    (void)state;
    gr_params p = params(GR_LISTS);
    for (uint32_t pair = 0; pair < 20; pair++) {
        gr_random r = gr_stream(&p, GR_PURPOSE_SELECT, 3, 0, pair);
        for (uint32_t rule = 0; rule < 700; rule++) {
            uint32_t word = core_draw(&p, GR_PURPOSE_SELECT, 0, 3, 0, pair, rule / 32);
            assert_int_equal(gr_exchanges_list(&r, rule), word >> rule % 32 & 1u);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_genes_drawn_when_needed),
        cmocka_unit_test(test_mutation_of_genes),
        cmocka_unit_test(test_no_more_than_a_list),
        cmocka_unit_test(test_used_pairs),
        cmocka_unit_test(test_mutation_events),
        cmocka_unit_test(test_crossover_of_lists),
        cmocka_unit_test(test_drawn_again),
        cmocka_unit_test(test_many_lists),
        cmocka_unit_test(test_uniform_genes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
