/* gpu/core/genotype/first_genomes.h: first generations of genotypes that are not read depth first,
 * given individuals, and draws that were taken already. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/non_depth_first.h"

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
                uint32_t used = gr_initial_genes(&p, core_scratch(&c), 0, index, 0, genome,
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
            gr_initial_genes(&p, core_scratch(&c), 0, index, 0, genome,
                             gr_depth_first_scratch(&c.s, 0));
            gr_initial_genes(&q, core_scratch(&c), 0, index, 0, other,
                             gr_depth_first_scratch(&c.s, 0));
            assert_memory_equal(other, genome, p.genome_capacity * sizeof *genome);
        }
        close_state(&c);
    }
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

/* Given sentences come first, in every run, without a tail; genes that they leave open are drawn
 * when a child needs them. */
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
        assert_int_equal(length, c.s.individuals[0][60].length);
        assert_int_equal(same, length);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_generations),
        cmocka_unit_test(test_codon_size_is_not_for_lists),
        cmocka_unit_test(test_given),
        cmocka_unit_test(test_given_too_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
