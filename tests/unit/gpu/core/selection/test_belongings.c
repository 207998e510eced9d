/* Whoever is copied to another place has all that is his there: the genome, its branches, and the
 * constants that were fitted beside it with the codons that they belong to (breeding/inherit.h);
 * also the errors that lexicase selection looks at. By marks that tell whose a word was, for
 * niches.h, migration.h, pareto.h, restart.h and the best so far of select.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/core/selection/migration.h"
#include "gpu/core/selection/niches.h"
#include "gpu/core/selection/pareto.h"
#include "gpu/core/selection/restart.h"
#include "tests/grammars.h"

enum { N = 9, ISLANDS = 3, ALL = N * ISLANDS, NICHES = 16, CODONS = 12, ROWS = 5, PARENT = 100 };

static gr_params genome_params(void) {
    gr_params p = core_params(GR_GRAMMATICAL);
    p.islands = ISLANDS;
    p.population = N;
    p.individuals = ALL;
    p.genome_capacity = CODONS;
    p.max_nodes = CODONS;
    p.rule_words = 2;
    p.optimise = GR_OPTIMISE_ALL;
    p.elites = 1;
    return p;
}

/* ---- marks ---- */

static uint32_t mark_of(uint32_t owner, uint32_t what, uint32_t k) {
    return 1 + k + 1000 * (what + 10 * owner);
}

/* Individual i of a buffer has what is the owner's; another number of codons for each. */
static void mark(const gr_state *s, uint32_t buffer, uint32_t i, uint32_t owner) {
    const gr_params *p = &s->p;
    s->individuals[buffer][i] = (gr_individual){
        .length = 3 + owner % (CODONS - 2), .nodes = 1 + owner % 9, .instructions = 1 + owner % 7};
    for (uint32_t k = 0; k < CODONS; k++)
        gr_genome(s, buffer, i)[k] = mark_of(owner, 0, k);
    for (uint32_t k = 0; k < gr_branch_words(p); k++)
        s->branches[buffer][(size_t)i * gr_branch_words(p) + k] = mark_of(owner, 1, k);
    for (uint32_t k = 0; gr_fits_beside(p) && k < GR_FIT_CONSTANTS; k++) {
        size_t at = (size_t)i * GR_FIT_CONSTANTS + k;
        s->constants[buffer][at] = (float)mark_of(owner, 2, k);
        s->origins[buffer][at] = (gr_codon_origin){mark_of(owner, 3, k), mark_of(owner, 4, k)};
    }
}

static void check(const gr_state *s, uint32_t buffer, uint32_t i, uint32_t owner) {
    const gr_params *p = &s->p;
    uint32_t length = s->individuals[buffer][i].length;
    assert_int_equal(length, 3 + owner % (CODONS - 2));
    for (uint32_t k = 0; k < length; k++)
        assert_int_equal(gr_genome(s, buffer, i)[k], mark_of(owner, 0, k));
    for (uint32_t k = 0; k < gr_branch_words(p); k++)
        assert_int_equal(s->branches[buffer][(size_t)i * gr_branch_words(p) + k],
                         mark_of(owner, 1, k));
    for (uint32_t k = 0; gr_fits_beside(p) && k < GR_FIT_CONSTANTS; k++) {
        size_t at = (size_t)i * GR_FIT_CONSTANTS + k;
        assert_true(s->constants[buffer][at] == (float)mark_of(owner, 2, k));
        assert_int_equal(s->origins[buffer][at].codon, mark_of(owner, 3, k));
        assert_int_equal(s->origins[buffer][at].number, mark_of(owner, 4, k));
    }
}

/* ---- niches ---- */

/* The steps of a generation's archive. */
static void settle_niches(const gr_state *s, uint32_t generation) {
    static void (*const steps[])(const gr_state *, uint32_t, uint32_t) = {
        gr_enter_applicant, gr_compare_alike, gr_contest_niche};
    for (uint32_t step = 0; step < 3; step++)
        for (uint32_t d = 0; d < ISLANDS; d++)
            for (uint32_t k = 0; k < gr_applicants(&s->p); k++)
                steps[step](s, d, k);
    for (uint32_t at = 0; at < ISLANDS * NICHES; at++)
        gr_settle_niche(s, generation, at / NICHES, at % NICHES, core_group);
    for (size_t k = 0; k < ISLANDS * gr_alike_entries(&s->p); k++)
        gr_clear_alike(s, k);
}

/* Every second individual of a generation comes into a niche, being cheaper than whoever is there;
 * those of other niches come from the buffer before. */
static void test_niches(void **state) {
    (void)state;
    gr_params p = genome_params();
    p.niches = NICHES;
    core c = core_open(&p, NULL, 0);
    const gr_applicant none = {0, 0.0f, 0, 0, 0};
    uint32_t owner[ISLANDS][NICHES], stayed = 0;
    memset(owner, 0xff, sizeof owner);
    for (uint32_t generation = 0; generation < 4; generation++) {
        for (uint32_t i = 0; i < ALL; i++) {
            uint32_t who = PARENT * generation + i, niche = (i + 3 * generation) % NICHES;
            mark(&c.s, generation & 1, i, who);
            c.s.applicants[i] = none;
            if ((i + generation) % 2)
                continue;
            c.s.applicants[i] = (gr_applicant){1 + who, -(float)who, 5, niche, 0};
            owner[i / N][niche] = who;
        }
        settle_niches(&c.s, generation);
        for (uint32_t at = 0; at < ISLANDS * NICHES; at++) {
            uint32_t who = owner[at / NICHES][at % NICHES];
            if (who == 0xffffffffu)
                continue;
            check(&c.s, generation & 1, gr_archive_row(&p, at / NICHES, at % NICHES), who);
            stayed += who / PARENT < generation;
        }
    }
    assert_true(stayed > 0);
    core_close(&c);
}

/* One island begins with none of them, the others keep theirs. */
static void test_empty_niches(void **state) {
    (void)state;
    gr_params p = genome_params();
    p.niches = NICHES;
    p.restart_after = 2;
    core c = core_open(&p, NULL, 0);
    for (uint32_t at = 0; at < ISLANDS * NICHES; at++)
        c.s.niches[at].key = 1 + at;
    for (uint32_t d = 0; d < ISLANDS; d++)
        c.s.demes[d].stretch_generation = d == 1 ? 4 : 6;
    for (uint32_t d = 0; d < ISLANDS; d++)
        gr_begin_anew(&c.s, 6, d);
    for (uint32_t at = 0; at < ISLANDS * NICHES; at++)
        assert_int_equal(c.s.niches[at].key, at / NICHES == 1 ? 0 : 1 + at);
    core_close(&c);
}

/* ---- migrants ---- */

static uint64_t hash_of_errors(const gr_state *s, uint32_t i) {
    uint64_t hash = 0;
    for (uint32_t row = 0; row < ROWS; row++)
        hash += gr_hash_of_error(gr_float_bits(s->own_errors[i * ROWS + row]),
                                 gr_row_number_drawn(row));
    return hash;
}

static void mark_errors(const gr_state *s, uint32_t i, uint32_t owner) {
    for (uint32_t row = 0; row < ROWS; row++) {
        s->own_errors[i * ROWS + row] = (float)mark_of(owner, 5, row);
        s->case_errors[row * ALL + i] = (float)mark_of(owner, 5, row);
    }
    s->behaviours[i] = hash_of_errors(s, i);
}

static void check_errors(const gr_state *s, uint32_t i, uint32_t owner) {
    for (uint32_t row = 0; row < ROWS; row++) {
        assert_true(s->own_errors[i * ROWS + row] == (float)mark_of(owner, 5, row));
        assert_true(s->case_errors[row * ALL + i] == (float)mark_of(owner, 5, row));
    }
    assert_true(s->behaviours[i] == hash_of_errors(s, i));
}

/* The first of an island stands where the last of the next one stood, and all are back where they
 * were when the generation is given up. */
static void test_migrants(void **state) {
    (void)state;
    gr_params p = genome_params();
    p.migrants = p.migration_every = 1;
    p.lexicase_rows = p.lexicase_cases = ROWS;
    p.lexicase_batch = 1;
    p.selection = GR_SELECT_LEXICASE;
    p.ordered = 1;
    for (uint32_t generation = 1; generation < 3; generation++) {
        core c = core_open(&p, NULL, 0);
        for (uint32_t i = 0; i < ALL; i++) {
            mark(&c.s, generation & 1, i, i);
            mark_errors(&c.s, i, i);
            c.s.cost[i] = (float)i;
            c.s.keys[gr_order_passes(&p) & 1][i] = gr_rank_key((float)i, i % N);
        }
        for (uint32_t d = 0; d < ISLANDS; d++)
            gr_emigrate(&c.s, generation, d, 0, core_group);
        for (uint32_t d = 0; d < ISLANDS; d++)
            gr_immigrate(&c.s, generation, d, 0, core_group);
        for (uint32_t i = 0; i < ALL; i++) {
            uint32_t owner = i % N == N - 1 ? (i / N + ISLANDS - 1) % ISLANDS * N : i;
            check(&c.s, generation & 1, i, owner);
            check_errors(&c.s, i, owner);
            assert_true(c.s.cost[i] == (float)owner);
        }
        for (size_t at = 0; at < ISLANDS; at++)
            gr_send_back(&c.s, generation, at, core_group);
        for (uint32_t i = 0; i < ALL; i++) {
            check(&c.s, generation & 1, i, i);
            check_errors(&c.s, i, i);
            assert_true(c.s.cost[i] == (float)i);
        }
        core_close(&c);
    }
}

/* ---- survivors ---- */

enum { CHUNKS = 3, SUMS = 2, OBJECTIVES = 2 };

/* What an evaluation leaves of individual i, who is `owner`. */
static void mark_evaluated(const gr_state *s, uint32_t i, uint32_t owner) {
    for (uint32_t k = 0; k < CODONS; k++)
        gr_program(s, i)[k] = (gr_instruction){mark_of(owner, 6, k), mark_of(owner, 7, k)};
    for (uint32_t row = 0; row < CHUNKS * SUMS; row++)
        s->sums[row * ALL + i] = mark_of(owner, 8, row);
    for (uint32_t k = 0; k < OBJECTIVES; k++)
        s->objectives[0][i * OBJECTIVES + k] = (float)mark_of(owner, 9, k);
}

static void check_evaluated(const gr_state *s, uint32_t i, uint32_t owner) {
    for (uint32_t k = 0; k < 1 + owner % 7; k++)
        assert_int_equal(gr_program(s, i)[k].operand, mark_of(owner, 7, k));
    for (uint32_t row = 0; row < CHUNKS * SUMS; row++)
        assert_true(s->sums[row * ALL + i] == mark_of(owner, 8, row));
    for (uint32_t k = 0; k < OBJECTIVES; k++)
        assert_true(s->objectives[0][i * OBJECTIVES + k] == (float)mark_of(owner, 9, k));
}

/* The parent that stands at the place of a child behind the generation, or GR_STAYS. */
static uint32_t survivor_at(uint32_t i) {
    return i % 2 ? (i + 4) % N : (uint32_t)GR_STAYS;
}

/* Parents that survive have their genomes, branches, programs, sums of all chunks and objectives;
 * what it took to draw them was told of in their own generation. */
static void test_survivors(void **state) {
    (void)state;
    gr_params p = genome_params();
    p.optimise = GR_OPTIMISE_NONE; /* nothing is fitted beside several objectives */
    p.objectives = OBJECTIVES;
    p.selection = GR_SELECT_NSGA2;
    p.sums = SUMS;
    p.train_chunks = CHUNKS;
    core c = core_open(&p, NULL, 0);
    for (uint32_t generation = 1; generation < 3; generation++) {
        uint32_t buffer = generation & 1;
        for (uint32_t i = 0; i < ALL; i++) {
            mark(&c.s, buffer ^ 1, i, PARENT + i);
            mark_evaluated(&c.s, i, PARENT + i);
            gr_keep_parent(&c.s, generation - 1, i, core_group);
        }
        for (uint32_t i = 0; i < ALL; i++) {
            mark(&c.s, buffer, i, i);
            mark_evaluated(&c.s, i, i);
            c.s.individuals[buffer][i].retries = c.s.individuals[buffer ^ 1][i].retries = 5;
            gr_pareto_row_of(&c.s, GR_PARETO_SOURCE, i / N)[i % N] = survivor_at(i);
        }
        for (uint32_t i = 0; i < ALL; i++)
            gr_survive(&c.s, generation, i, core_group);
        for (uint32_t i = 0; i < ALL; i++) {
            uint32_t parent = survivor_at(i), stays = parent == GR_STAYS,
                     owner = stays ? i : PARENT + i / N * N + parent;
            check(&c.s, buffer, i, owner);
            check_evaluated(&c.s, i, owner);
            assert_int_equal(c.s.individuals[buffer][i].retries, stays ? 5 : 0);
        }
    }
    core_close(&c);
}

/* A migrant has its program, sums of all chunks, objectives and standing where the next generation
 * is compared with it. */
static void test_newcomers(void **state) {
    (void)state;
    gr_params p = genome_params();
    p.optimise = GR_OPTIMISE_NONE;
    p.objectives = OBJECTIVES;
    p.selection = GR_SELECT_NSGA2;
    p.sums = SUMS;
    p.train_chunks = CHUNKS;
    p.migrants = p.migration_every = 1;
    core c = core_open(&p, NULL, 0);
    const uint32_t from = 2 * N + 4, slot = 3;
    for (uint32_t i = 0; i < ALL; i++) {
        mark(&c.s, 1, i, i);
        mark_evaluated(&c.s, i, i);
        c.s.standing[i] = 50 + i;
        gr_keep_parent(&c.s, 1, i, core_group);
    }
    c.s.migrants[0] = (gr_migrant){.individual = c.s.individuals[1][from],
                                   .cost = 2.0f,
                                   .slot = from,
                                   .standing = c.s.standing[from]};
    gr_change_places(&c.s, 1, 0, slot, core_group);
    assert_int_equal(c.s.standing[slot], 50 + from);
    for (uint32_t i = 0; i < ALL; i++) {
        uint32_t owner = i == slot ? from : i;
        for (uint32_t k = 0; k < 1 + owner % 7; k++)
            assert_int_equal(c.s.kept_programs[i * p.max_nodes + k].operand, mark_of(owner, 7, k));
        for (uint32_t row = 0; row < CHUNKS * SUMS; row++)
            assert_true(c.s.kept_sums[row * ALL + i] == mark_of(owner, 8, row));
        for (uint32_t k = 0; k < OBJECTIVES; k++)
            assert_true(c.s.objectives[1][i * OBJECTIVES + k] == (float)mark_of(owner, 9, k));
    }
    core_close(&c);
}

/* ---- the best so far, and those that are drawn anew ---- */

static void test_best(void **state) {
    (void)state;
    gr_params p = genome_params();
    core c = core_open(&p, NULL, 0);
    for (uint32_t i = 0; i < ALL; i++)
        mark(&c.s, 1, i, i);
    for (uint32_t d = 0; d < ISLANDS; d++) {
        gr_copy_best(&c.s, 1, d, d * N + 4 + d, core_group);
        for (uint32_t k = 0; k < GR_FIT_CONSTANTS; k++)
            assert_true(c.s.best_constants[d * GR_FIT_CONSTANTS + k] ==
                        (float)mark_of(d * N + 4 + d, 2, k));
        for (uint32_t k = 0; k < 3; k++)
            assert_int_equal(c.s.best_genomes[(size_t)d * gr_genotype_words(&p) + k],
                             mark_of(d * N + 4 + d, 0, k));
    }
    core_close(&c);
}

/* Whoever is drawn anew has no constants of whoever stood there; on other islands all stay. */
static void test_drawn_anew(void **state) {
    (void)state;
    gr_params p = genome_params();
    const uint32_t generation = 6;
    p.rule_words = 0;
    p.init_length = CODONS;
    p.restart_after = 2;
    core c = open_state(ARITHMETIC, &p); /* of four each */
    uint32_t n = c.s.p.population, codons[64] = {0};
    for (uint32_t i = 0; i < ISLANDS * n; i++) {
        mark(&c.s, 0, i, i);
        c.s.demes[i / n].stretch_generation = i / n == 1 ? generation - 2 : generation;
    }
    for (uint32_t i = 0; i < ISLANDS * n; i++)
        gr_draw_anew(&c.s, generation, i, core_scratch(&c), codons);
    for (uint32_t i = 0; i < ISLANDS * n; i++) {
        if (i / n != 1)
            check(&c.s, 0, i, i);
        for (uint32_t k = 0; i / n == 1 && k < GR_FIT_CONSTANTS; k++) {
            size_t at = (size_t)i * GR_FIT_CONSTANTS + k;
            assert_true(c.s.constants[0][at] != c.s.constants[0][at]);
            assert_int_equal(c.s.origins[0][at].codon, GR_NO_CODON);
        }
    }
    close_state(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_niches),     cmocka_unit_test(test_empty_niches),
        cmocka_unit_test(test_migrants),   cmocka_unit_test(test_survivors),
        cmocka_unit_test(test_newcomers),  cmocka_unit_test(test_best),
        cmocka_unit_test(test_drawn_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
