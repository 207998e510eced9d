/* gpu/backend/arena.h: arrays as long as state.h says, apart from each other and inside the block;
 * what a refusal says is true. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/backend/peers.h"
#include "gpu/core/fitness/fitness.h"
#include "gpu/core/genotype/unique.h"
#include "gpu/core/lexicase/first_pools.h"
#include "gpu/core/selection/order.h"
#include "gpu/core/selection/pareto.h"
#include "tests/core.h"

#include <stdio.h>

/* ---- jobs ---- */

static gr_job job_of(gr_genotype genotype) {
    gr_job job = {.params = core_params(genotype), .epoch = 1};
    gr_params *p = &job.params;
    p->runs = 2;
    p->islands = 3;
    p->population = 70;
    p->individuals = 420;
    p->elites = 4;
    p->test_chunks = 2;
    p->train_chunks = 3;
    return job;
}

static gr_job job_number(uint32_t number) {
    gr_job job = job_of(number % 2 ? GR_TREE : GR_GRAMMATICAL);
    gr_params *p = &job.params;
    job.grammar_words = number % 2 ? 0 : 1001;
    switch (number / 2) {
    case 1: /* all that selection may keep */
        p->selection = GR_SELECT_RANK;
        p->ordered = 1;
        p->unique = 1;
        break;
    case 2: /* class thresholds that are fitted; samples */
        p->metric = GR_METRIC_MISCLASSIFIED;
        p->class_rule = GR_CLASS_FITTED;
        p->thresholds = 3;
        p->sampling = GR_SAMPLING_RANDOM;
        p->whole_chunks = 9;
        break;
    case 3: /* branches, given individuals, sums of two */
        p->rule_words = number % 2 ? 0 : 2;
        p->subtree_mutation = 0.1f;
        p->seeds = 5;
        p->seed_nodes = 77;
        p->sums = 2;
        p->elites = 1;
        break;
    case 5: /* three objectives, the third a metric of its own */
        p->objectives = 3;
        p->selection = GR_SELECT_NSGA2;
        p->elites = 0;
        p->sums = 1 + number % 2;
        break;
    case 6: /* archives of niches */
        p->niches = 48;
        job.type_words = number % 2 ? 99 : 0; /* and typed trees */
        p->rule_words = number % 2 ? 0 : 2;
        break;
    case 4: /* migrants; cases set aside; populations drawn anew */
        p->migrants = 7;
        p->validation_chunks = 2;
        p->linear_scaling = number % 2;
        p->restart_after = 3;
        p->lexicase_rows = 11;
        p->lexicase_cases = 31; /* by three */
        p->lexicase_batch = 3;
        break;
    }
    return job;
}
enum { JOBS = 14, GROUPS = 5 };

/* ---- the arrays by the shapes that state.h gives ---- */

typedef struct range {
    const char *at;
    size_t bytes;
} range;

static range ranges[96];
static uint32_t count;

static void claim(const void *at, size_t elements, size_t size) {
    if (elements)
        ranges[count++] = (range){at, elements * size};
}
#define CLAIM(field, elements) claim(s->field, elements, sizeof *s->field)

static void claim_all(const gr_state *s, const gr_job *job) {
    const gr_params *p = &s->p;
    size_t n = 420, d = 6, segments = 2, spans = 1, tile = (size_t)(p->inputs + 1) * GR_CHUNK;
    size_t tree = p->genotype == GR_TREE, t = p->thresholds, classes = t > 0;
    size_t chosen = p->selection == GR_SELECT_RANK, most = tree ? p->max_nodes : 0;
    size_t capacity = tree ? 0 : p->genome_capacity, kept = d * p->niches, rows = n + kept;
    count = 0;
    CLAIM(train, p->train_chunks * tile);
    CLAIM(test, p->test_chunks * tile);
    CLAIM(whole, p->whole_chunks * tile);
    CLAIM(sample_positives, p->sampling ? 2 : 0);
    CLAIM(grammar, job->grammar_words);
    for (int b = 0; b < 2; b++) {
        CLAIM(genomes[b], rows * capacity);
        CLAIM(branches[b], rows * gr_branch_words(p));
        CLAIM(trees[b], rows * most);
        CLAIM(individuals[b], rows);
        CLAIM(keys[b], (chosen || p->migrants) * n);
    }
    CLAIM(programs, n * p->max_nodes);
    CLAIM(cost, n);
    CLAIM(sums, (p->sampling ? p->whole_chunks : p->train_chunks) * p->sums * n);
    CLAIM(class_bins, classes * n * GR_CLASS_BINS * (t + 2));
    CLAIM(fitted, classes * n * t);
    CLAIM(best_fitted, classes * d * t);
    CLAIM(plans, n);
    CLAIM(segments, d * segments);
    CLAIM(spans, d * spans);
    CLAIM(histogram, p->elites > 1 ? d * 256 : 0);
    CLAIM(elite_keys[0], p->elites > 1 ? d * p->elites : 0);
    CLAIM(elite_keys[1], p->elites > 1 ? d * p->elites : 0);
    CLAIM(elites, d * p->elites);
    CLAIM(selection_cost, chosen * n);
    CLAIM(moments, chosen * d * segments);
    CLAIM(pressures, chosen * d);
    CLAIM(migrants, d * p->migrants);
    CLAIM(migrant_words, d * p->migrants * (tree ? 2 * p->max_nodes : capacity + capacity % 2));
    CLAIM(leaders, p->migrants ? d : 0);
    CLAIM(case_errors, p->lexicase_rows * n);
    CLAIM(own_errors, p->lexicase_rows * n);
    CLAIM(behaviours, p->lexicase_rows ? n : 0);
    for (int b = 0; b < 2; b++) {
        CLAIM(case_keys[b], p->lexicase_rows ? n : 0);
        CLAIM(case_order[b], p->lexicase_rows ? n : 0);
    }
    CLAIM(case_drawn, p->lexicase_rows ? p->runs * 31 : 0);
    CLAIM(case_stands, p->lexicase_rows ? n : 0);
    CLAIM(case_same, p->lexicase_rows ? n : 0);
    CLAIM(case_choosable, p->lexicase_rows ? d * 3 : 0);
    CLAIM(case_different, p->lexicase_rows ? d * 3 : 0);
    CLAIM(case_bars, p->lexicase_rows * d);
    CLAIM(case_pools, p->lexicase_rows * d * 3);
    CLAIM(case_lists, p->lexicase_rows * d * 3);
    CLAIM(ways, p->lexicase_rows ? GROUPS * (3 + 70 + 2 * p->lexicase_rows) : 0);
    CLAIM(case_marks, 0);
    CLAIM(case_near, 0);
    CLAIM(case_failed, 0);
    CLAIM(case_parted, p->lexicase_rows * d * (1 + p->lexicase_rows));
    CLAIM(case_counts, p->lexicase_rows * d);
    CLAIM(parents, p->lexicase_rows ? d * 66 : 0); /* (70 - 4 elites) / 2 pairs */
    CLAIM(migrant_errors, d * p->migrants * p->lexicase_rows);
    CLAIM(other, p->objectives ? 1 : 0);
    CLAIM(other_cost, p->objectives ? n : 0);
    CLAIM(objectives[0], p->objectives * n);
    CLAIM(objectives[1], p->objectives * n);
    CLAIM(standing, p->objectives ? n : 0);
    CLAIM(replaced_by, p->objectives ? d : 0);
    CLAIM(kept_programs, p->objectives ? n * p->max_nodes : 0);
    CLAIM(kept_sums, p->objectives ? n * p->train_chunks * p->sums : 0);
    CLAIM(pareto, p->objectives ? GR_PARETO_ROWS * 2 * n : 0);
    CLAIM(niches, kept);
    CLAIM(applicants, p->niches ? n : 0);
    CLAIM(alike, p->niches ? d * 256 : 0); /* for 48 + 70, two each, up to a power of two */
    CLAIM(niche_best, kept);
    CLAIM(niche_list, p->niches ? kept + d : 0);
    CLAIM(behaviour_cases, p->niches ? tile : 0);
    CLAIM(types, job->type_words);
    CLAIM(node_types, job->type_words ? rows * p->max_nodes : 0);
    CLAIM(validating, p->validation_chunks ? 1 : 0);
    CLAIM(validation, p->validation_chunks * tile);
    CLAIM(validation_targets, p->linear_scaling ? p->validation_chunks : 0);
    CLAIM(validation_sums, p->validation_chunks * p->sums * d);
    CLAIM(targets, p->linear_scaling ? p->train_chunks + p->test_chunks : 0);
    CLAIM(seeds, p->seed_nodes);
    CLAIM(seed_first, p->seeds ? p->seeds + 1 : 0);
    CLAIM(attempts, p->unique || p->restart_after ? n : 0);
    CLAIM(claims, p->unique ? d * 1024 : 0); /* 8 entries an individual, up to a power of two */
    CLAIM(demes, d);
    CLAIM(records, d);
    CLAIM(best_genomes, d * (tree ? 2 * p->max_nodes : p->genome_capacity));
    CLAIM(best_programs, d * p->max_nodes);
    CLAIM(best_sums, p->test_chunks * p->sums * d);
    CLAIM(loop, 1);
    CLAIM(scratch_nodes, gr_scratch_nodes(p) * GROUPS);
    CLAIM(scratch_words, gr_scratch_words(p) * GROUPS);
}

static int by_address(const void *a, const void *b) {
    const range *x = a, *y = b;
    return x->at < y->at ? -1 : x->at > y->at;
}

static void test_arrays_are_apart(void **state) {
    (void)state;
    for (uint32_t number = 0; number < JOBS; number++) {
        gr_job job = job_number(number);
        gr_arena arena;
        gr_state s;
        gr_arena_plan(&arena, &job, GROUPS);
        const char *base = (const char *)(uintptr_t)0x100000;
        gr_arena_bind(&arena, &job, GROUPS, (void *)(uintptr_t)base, &s);
        claim_all(&s, &job);
        qsort(ranges, count, sizeof *ranges, by_address);
        size_t used = 0;
        for (uint32_t k = 0; k < count; k++) {
            const char *end = k + 1 < count ? ranges[k + 1].at : base + arena.bytes;
            assert_true(ranges[k].at >= base && ranges[k].at + ranges[k].bytes <= end);
            assert_int_equal((ranges[k].at - base) % 256, 0);
            used += ranges[k].bytes;
        }
        assert_true(arena.bytes - used <
                    (256 + arena.guard) * (size_t)(arena.arrays + 1)); /* and nothing else */
        size_t parts = 0;
        for (int part = 0; part < GR_PART_COUNT; part++)
            parts += arena.part[part];
        assert_int_equal(parts, arena.bytes);
        assert_ptr_equal(s.taken, s.train);
        assert_int_equal(s.groups, GROUPS);
    }
}

/* What a run has not has no address, by which it is known. */
static void test_what_a_run_has(void **state) {
    (void)state;
    for (uint32_t number = 0; number < JOBS; number++) {
        gr_job job = job_number(number);
        gr_arena arena;
        gr_state s;
        gr_arena_plan(&arena, &job, GROUPS);
        gr_arena_bind(&arena, &job, GROUPS, (void *)(uintptr_t)0x100000, &s);
        assert_int_equal(s.selection_cost != NULL, number / 2 == 1);
        assert_int_equal(s.leaders != NULL, number / 2 == 4);
        assert_int_equal(s.attempts != NULL, number / 2 == 1 || number / 2 == 4);
        assert_int_equal(s.standing != NULL, number / 2 == 5);
        assert_int_equal(s.niches != NULL, number / 2 == 6);
        assert_int_equal(s.types != NULL, number == 13);
        assert_int_equal(s.validating != NULL, number / 2 == 4);
        assert_int_equal(s.class_bins != NULL, number / 2 == 2);
        assert_int_equal(s.fitted != NULL && s.best_fitted != NULL, number / 2 == 2);
    }
}

/* ---- sections ---- */

static void test_sections(void **state) {
    (void)state;
    for (uint32_t number = 0; number < 2; number++) {
        gr_job job = job_number(number);
        gr_arena arena;
        gr_state s;
        const void *at;
        gr_arena_plan(&arena, &job, GROUPS);
        gr_arena_bind(&arena, &job, GROUPS, (void *)(uintptr_t)0x100000, &s);
        const size_t genotype = number ? 256 * 8 : 200 * 4;
        assert_int_equal(gr_arena_section(&s, GR_SECTION_DEMES, 3, &at), 6 * sizeof(gr_deme));
        assert_ptr_equal(at, s.demes);
        assert_int_equal(gr_arena_section(&s, GR_SECTION_BEST_GENOMES, 3, &at), 6 * genotype);
        assert_ptr_equal(at, s.best_genomes);
        assert_int_equal(gr_arena_section(&s, GR_SECTION_PROGRAMS, 3, &at), 420 * 256 * 8);
        assert_ptr_equal(at, s.programs);
        assert_int_equal(gr_arena_section(&s, GR_SECTION_PLANS, 3, &at), 420 * sizeof(gr_plan));
        assert_ptr_equal(at, s.plans);
        assert_int_equal(gr_arena_section(&s, GR_SECTION_COSTS, 3, &at), 420 * 4);
        assert_ptr_equal(at, s.cost);
        for (uint32_t generation = 6; generation < 8; generation++) {
            assert_int_equal(gr_arena_section(&s, GR_SECTION_INDIVIDUALS, generation, &at),
                             420 * sizeof(gr_individual));
            assert_ptr_equal(at, s.individuals[generation - 6]);
            assert_int_equal(gr_arena_section(&s, GR_SECTION_GENOTYPES, generation, &at),
                             420 * genotype);
            assert_ptr_equal(at, number ? (void *)s.trees[generation - 6]
                                        : (void *)s.genomes[generation - 6]);
        }
    }
}

/* ---- refusals ---- */

static size_t bytes_for(gr_job job, uint32_t population) {
    gr_arena arena;
    job.params.population = population;
    job.params.individuals = 6 * population;
    gr_arena_plan(&arena, &job, GROUPS);
    return arena.bytes;
}

/* The population that would fit does, and one more would not. */
static void test_refusal(void **state) {
    (void)state;
    gr_job job = job_of(GR_TREE);
    gr_arena arena;
    gr_error error = {GR_OK, ""};
    job.params.population = 100000;
    job.params.individuals = 600000;
    gr_arena_plan(&arena, &job, GROUPS);
    assert_int_equal(gr_arena_check(&arena, &job, GROUPS, arena.bytes, "it", &error), GR_OK);
    const size_t added = gr_arena_add(&arena, "more", 100000, GR_PART_SCRATCH) ? 100096 : 0;
    for (size_t available = arena.bytes - 1; available > 1000000; available = available / 3) {
        char line[512];
        double free_mb = 0.0;
        unsigned fits = 0;
        assert_int_equal(gr_arena_check(&arena, &job, GROUPS, available, "the card", &error),
                         GR_NO_MEMORY);
        gr_arena_describe(&arena, line, sizeof line);
        assert_non_null(strstr(error.text, line));
        const char *rest = strstr(error.text, "; the card has ");
        assert_non_null(rest);
        assert_int_equal(sscanf(rest, "; the card has %lf MB free; a population of %u would fit",
                                &free_mb, &fits),
                         2);
        assert_true(fabs(free_mb - (double)available / 1e6) <= 0.05);
        assert_true(bytes_for(job, fits) + added <= available);
        assert_true(bytes_for(job, fits + 1) + added > available);
    }
}

static void test_description(void **state) {
    (void)state;
    gr_arena arena = {.bytes = 212400000, .part = {800000, 102000000, 50000, 149999, 1e6, 108.4e6}};
    char line[512];
    gr_arena_describe(&arena, line, sizeof line);
    assert_string_equal(line, "212.4 MB: data 0.8, population 102.0, programs 0.1, sums 0.1, "
                              "statistics 1.0, scratch 108.4");
}

/* ---- guard words ---- */

/* Each array of a job may be written to its last byte; one byte more, and it is named. */
static void check_guards(const gr_arena *arena, char *base) {
    gr_error error;
    size_t sizes = 0, guards = 0;
    for (int k = -1; k < arena->arrays; k++) {
        gr_guard g = gr_arena_guard(arena, k);
        assert_true(g.bytes >= 256 && g.bytes <= GR_MOST_GUARD_BYTES);
        memset(base + g.offset, GR_GUARD_BYTE, g.bytes);
        sizes += k < 0 ? 0 : arena->size[k];
        guards += g.bytes;
    }
    assert_int_equal(sizes + guards, arena->bytes);
    for (int k = 0; k < arena->arrays; k++)
        memset(base + arena->offset[k], 0x11, arena->size[k]);
    for (int written = -1; written < arena->arrays; written++) {
        size_t at =
            written < 0 ? arena->offset[0] - 1 : arena->offset[written] + arena->size[written];
        char *byte = base + at, name[64];
        *byte = 0;
        for (int k = -1; k < arena->arrays; k++) {
            gr_status status =
                gr_arena_check_guard(arena, k, base + gr_arena_guard(arena, k).offset, &error);
            assert_int_equal(status, k == written ? GR_FAILED : GR_OK);
            snprintf(name, sizeof name, "'%s'", arena->name[written < 0 ? 0 : written]);
            if (k == written)
                assert_non_null(strstr(error.text, name));
        }
        *byte = (char)GR_GUARD_BYTE;
    }
}

static void test_guards(void **state) {
    (void)state;
    setenv("GRAMPUS_GUARDS", "1", 1);
    for (uint32_t number = 0; number < JOBS; number++) {
        gr_job job = job_number(number);
        gr_arena arena;
        gr_state s;
        gr_arena_plan(&arena, &job, GROUPS);
        int last = gr_arena_add(&arena, "another", 1001, GR_PART_SCRATCH);
        char *base = malloc(arena.bytes);
        gr_arena_bind(&arena, &job, GROUPS, base, &s);
        assert_ptr_equal(s.train, base + 256); /* none of them stands before its guard */
        assert_int_equal(last, arena.arrays - 1);
        assert_int_equal(arena.size[last], 1001);
        check_guards(&arena, base);
        free(base);
    }
    unsetenv("GRAMPUS_GUARDS");
}

/* Which of the arrays lie in common memory: by the state's pointers. */
static uint32_t count_common(const gr_arena *arena, const char *from) {
    uint32_t here = 0;
    for (uint32_t k = 0; k < count; k++)
        if (ranges[k].at >= from && ranges[k].at < from + arena->common) {
            assert_true(ranges[k].at + ranges[k].bytes <= from + arena->common);
            assert_int_equal((ranges[k].at - from) % (2 << 20), 0);
            here++;
        }
    return here;
}

/* Engines with memory for their own individuals alone: the range of addresses is the same for all,
 * its pages are the members' and nobody's twice, and the rest is as without. */
static void test_common_memory(void **state) {
    (void)state;
    for (uint32_t number = 0; number < JOBS; number++) {
        gr_job job = job_number(number);
        uint32_t n = job.params.individuals, first[] = {0, n / 5, n / 2, n};
        gr_arena whole, arena;
        gr_state s;
        gr_arena_plan(&whole, &job, GROUPS);
        size_t own = 0, common = 0;
        for (uint32_t m = 0; m < 3; m++) {
            gr_peers peers = {.members = 3,
                              .member = m,
                              .first = first,
                              .individuals = 1,
                              .common = (void *)&peers};
            job.peers = &peers;
            gr_arena_plan(&arena, &job, GROUPS);
            assert_true(!m || arena.common == common);
            common = arena.common;
            own += arena.bytes - arena.block;
            arena.range = (char *)(uintptr_t)0x7000000000;
            gr_arena_bind(&arena, &job, GROUPS, (void *)(uintptr_t)0x100000, &s);
            claim_all(&s, &job);
            /* genomes or trees, individuals, branches, programs and plans at least */
            assert_true(count_common(&arena, arena.range) >= 6);
            assert_true(arena.block < whole.bytes);
            assert_true((char *)s.programs >= arena.range && (char *)s.cost < arena.range);
            size_t parts = 0;
            for (int part = 0; part < GR_PART_COUNT; part++)
                parts += arena.part[part];
            assert_int_equal(parts, arena.bytes);
        }
        assert_int_equal(own, common);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_common_memory),  cmocka_unit_test(test_arrays_are_apart),
        cmocka_unit_test(test_what_a_run_has), cmocka_unit_test(test_sections),
        cmocka_unit_test(test_refusal),        cmocka_unit_test(test_description),
        cmocka_unit_test(test_guards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
