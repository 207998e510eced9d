#include "gpu/backend/arena.h"

#include "gpu/backend/peers.h"
#include "gpu/core/breeding/known.h"
#include "gpu/core/fitness/class_bins.h"
#include "gpu/core/fitting/normal.h"
#include "gpu/core/genotype/depth_first.h"
#include "gpu/core/genotype/unique.h"
#include "gpu/core/lexicase/first_pools.h"
#include "gpu/core/selection/diversity.h"
#include "gpu/core/selection/niches.h"
#include "gpu/core/selection/once.h"
#include "gpu/core/selection/order.h"
#include "gpu/core/selection/pareto.h"

#include <stdio.h>
#include <stdlib.h>

/* The arrays in the order they lie in memory: field, element count, part of the plan. One list
 * serves sizes and pointers. */
#define GR_ARRAYS(ARRAY)                                                                           \
    ARRAY(train, (size_t)train_chunks *gr_tile_of(p), GR_PART_DATA)                                \
    ARRAY(test, (size_t)p->test_chunks *gr_tile_of(p), GR_PART_DATA)                               \
    ARRAY(whole, (size_t)p->whole_chunks *gr_tile_of(p), GR_PART_DATA)                             \
    ARRAY(targets, p->linear_scaling ? p->train_chunks : 0, GR_PART_DATA)                          \
    ARRAY(test_targets, p->linear_scaling ? p->test_chunks : 0, GR_PART_DATA)                      \
    ARRAY(sample_positives, p->sampling ? 2 : 0, GR_PART_DATA)                                     \
    ARRAY(grammar, job->grammar_words, GR_PART_DATA)                                               \
    ARRAY(genomes[0], rows *(tree ? 0 : p->genome_capacity), GR_PART_POPULATION)                   \
    ARRAY(genomes[1], rows *(tree ? 0 : p->genome_capacity), GR_PART_POPULATION)                   \
    ARRAY(branches[0], rows *gr_branch_words(p), GR_PART_POPULATION)                               \
    ARRAY(branches[1], rows *gr_branch_words(p), GR_PART_POPULATION)                               \
    ARRAY(trees[0], rows *(tree ? p->max_nodes : 0), GR_PART_POPULATION)                           \
    ARRAY(trees[1], rows *(tree ? p->max_nodes : 0), GR_PART_POPULATION)                           \
    ARRAY(expressions, beside *n * p->max_nodes, GR_PART_PROGRAMS)                                 \
    ARRAY(constants[0], beside *rows *GR_FIT_CONSTANTS, GR_PART_POPULATION)                        \
    ARRAY(constants[1], beside *rows *GR_FIT_CONSTANTS, GR_PART_POPULATION)                        \
    ARRAY(origins[0], beside *rows *GR_FIT_CONSTANTS, GR_PART_POPULATION)                          \
    ARRAY(origins[1], beside *rows *GR_FIT_CONSTANTS, GR_PART_POPULATION)                          \
    ARRAY(best_constants, beside *demes *GR_FIT_CONSTANTS, GR_PART_STATISTICS)                     \
    ARRAY(individuals[0], rows, GR_PART_POPULATION)                                                \
    ARRAY(individuals[1], rows, GR_PART_POPULATION)                                                \
    ARRAY(programs, n * p->max_nodes, GR_PART_PROGRAMS)                                            \
    ARRAY(cost, n, GR_PART_SUMS)                                                                   \
    ARRAY(sums, (size_t)gr_max_u32(p->train_chunks, p->whole_chunks) * p->sums * n, GR_PART_SUMS)  \
    ARRAY(class_bins, class_bins *n *gr_bin_counts(p), GR_PART_SUMS)                               \
    ARRAY(fitted, class_bins *n * p->thresholds, GR_PART_SUMS)                                     \
    ARRAY(best_fitted, class_bins *demes * p->thresholds, GR_PART_SUMS)                            \
    ARRAY(plans, n, GR_PART_POPULATION)                                                            \
    ARRAY(segments, demes *gr_segments(p), GR_PART_STATISTICS)                                     \
    ARRAY(spans, demes *gr_spans(p), GR_PART_STATISTICS)                                           \
    ARRAY(histogram, several *demes * 256, GR_PART_STATISTICS)                                     \
    ARRAY(elite_keys[0], several *demes * p->elites, GR_PART_STATISTICS)                           \
    ARRAY(elite_keys[1], several *demes * p->elites, GR_PART_STATISTICS)                           \
    ARRAY(elites, demes * p->elites, GR_PART_STATISTICS)                                           \
    ARRAY(selection_cost, chosen *n, GR_PART_STATISTICS)                                           \
    ARRAY(moments, chosen *demes *gr_segments(p), GR_PART_STATISTICS)                              \
    ARRAY(pressures, chosen *demes, GR_PART_STATISTICS)                                            \
    ARRAY(keys[0], sorted *n, GR_PART_STATISTICS)                                                  \
    ARRAY(keys[1], sorted *n, GR_PART_STATISTICS)                                                  \
    ARRAY(migrants, islands * p->migrants, GR_PART_STATISTICS)                                     \
    ARRAY(migrant_words, islands * p->migrants * gr_migrant_words(p), GR_PART_STATISTICS)          \
    ARRAY(leaders, p->migrants ? demes : 0, GR_PART_STATISTICS)                                    \
    ARRAY(migrant_errors, islands * p->migrants * p->lexicase_rows, GR_PART_CASES)                 \
    ARRAY(standings, p->other_islands ? islands : 0, GR_PART_STATISTICS)                           \
    ARRAY(seeds, p->seed_nodes, GR_PART_DATA)                                                      \
    ARRAY(seed_first, p->seeds ? p->seeds + 1 : 0, GR_PART_DATA)                                   \
    ARRAY(attempts, gr_settles(p) || p->restart_after ? n : 0, GR_PART_STATISTICS)                 \
    ARRAY(own_errors, p->lexicase_rows *n, GR_PART_CASES)                                          \
    ARRAY(case_drawn, gr_drawn_cases(p), GR_PART_CASES)                                            \
    ARRAY(case_errors, p->lexicase_rows *n, GR_PART_CASES)                                         \
    ARRAY(behaviours, looks *n, GR_PART_CASES)                                                     \
    ARRAY(case_keys[0], looks *n, GR_PART_CASES)                                                   \
    ARRAY(case_keys[1], looks *n, GR_PART_CASES)                                                   \
    ARRAY(case_order[0], looks *n, GR_PART_CASES)                                                  \
    ARRAY(case_order[1], looks *n, GR_PART_CASES)                                                  \
    ARRAY(case_stands, looks *n, GR_PART_CASES)                                                    \
    ARRAY(case_same, looks *n, GR_PART_CASES)                                                      \
    ARRAY(case_choosable, looks *demes *gr_pool_words(p), GR_PART_CASES)                           \
    ARRAY(case_different, looks *demes *gr_pool_words(p), GR_PART_CASES)                           \
    ARRAY(case_bars, p->lexicase_rows *demes, GR_PART_CASES)                                       \
    ARRAY(case_pools, p->lexicase_rows *demes *gr_pool_words(p), GR_PART_CASES)                    \
    ARRAY(case_counts, p->lexicase_rows *demes, GR_PART_CASES)                                     \
    ARRAY(case_marks, gr_near_most(p) ? p->lexicase_rows *demes : 0, GR_PART_CASES)                \
    ARRAY(case_near, p->lexicase_rows *demes * 2 * gr_near_most(p), GR_PART_CASES)                 \
    ARRAY(case_failed, n *gr_failed_words(p), GR_PART_CASES)                                       \
    ARRAY(case_lists, p->lexicase_rows *demes *gr_first_list_most(p), GR_PART_CASES)               \
    ARRAY(case_parted, p->lexicase_rows *demes *gr_parting_words(p), GR_PART_CASES)                \
    ARRAY(ways, looks *gr_ways(p, groups) * gr_way_words(p), GR_PART_CASES)                        \
    ARRAY(parents, looks *demes *gr_lexicase_parents(p), GR_PART_CASES)                            \
    ARRAY(other, p->objectives && !p->other_shares, GR_PART_DATA)                                  \
    ARRAY(other_cost, ranked *n, GR_PART_STATISTICS)                                               \
    ARRAY(objectives[0], p->objectives *n, GR_PART_STATISTICS)                                     \
    ARRAY(objectives[1], p->objectives *n, GR_PART_STATISTICS)                                     \
    ARRAY(standing, ranked *n, GR_PART_STATISTICS)                                                 \
    ARRAY(replaced_by, ranked *demes, GR_PART_STATISTICS)                                          \
    ARRAY(kept_programs, ranked *n * p->max_nodes, GR_PART_PROGRAMS)                               \
    ARRAY(kept_sums, ranked *n * p->train_chunks * p->sums, GR_PART_SUMS)                          \
    ARRAY(pareto, ranked *GR_PARETO_ROWS * 2 * n, GR_PART_STATISTICS)                              \
    ARRAY(niches, gr_archived(p), GR_PART_STATISTICS)                                              \
    ARRAY(applicants, p->niches ? n : 0, GR_PART_STATISTICS)                                       \
    ARRAY(alike, demes *gr_alike_entries(p), GR_PART_STATISTICS)                                   \
    ARRAY(niche_best, gr_archived(p), GR_PART_STATISTICS)                                          \
    ARRAY(niche_list, p->niches ? gr_archived(p) + demes : 0, GR_PART_STATISTICS)                  \
    ARRAY(behaviour_cases, p->niches ? gr_tile_of(p) : 0, GR_PART_DATA)                            \
    ARRAY(types, job->type_words, GR_PART_DATA)                                                    \
    ARRAY(node_types, job->type_words ? rows * p->max_nodes : 0, GR_PART_POPULATION)               \
    ARRAY(validating, p->validation_chunks > 0, GR_PART_DATA)                                      \
    ARRAY(validation, (size_t)p->validation_chunks *gr_tile_of(p), GR_PART_DATA)                   \
    ARRAY(validation_targets, p->linear_scaling ? p->validation_chunks : 0, GR_PART_DATA)          \
    ARRAY(validation_sums, (size_t)p->validation_chunks * p->sums * demes, GR_PART_STATISTICS)     \
    ARRAY(claims, demes *gr_claim_entries(p), GR_PART_STATISTICS)                                  \
    ARRAY(diversity, counted *demes, GR_PART_STATISTICS)                                           \
    ARRAY(found[0], p->runs *(size_t)gr_diversity_entries(p), GR_PART_STATISTICS)                  \
    ARRAY(found[1], p->runs *(size_t)gr_diversity_entries(p), GR_PART_STATISTICS)                  \
    ARRAY(found[2], p->runs *(size_t)gr_diversity_entries(p), GR_PART_STATISTICS)                  \
    ARRAY(found_count, p->runs *(size_t)gr_diversity_entries(p), GR_PART_STATISTICS)               \
    ARRAY(seen, p->runs *(size_t)gr_seen_entries(p), GR_PART_STATISTICS)                           \
    ARRAY(known, p->mutate_duplicates ? demes : 0, GR_PART_STATISTICS)                             \
    ARRAY(known_keys, demes *gr_known_entries(p), GR_PART_MEMORY)                                  \
    ARRAY(known_claims, demes *gr_known_entries(p), GR_PART_MEMORY)                                \
    ARRAY(known_at, p->mutate_duplicates ? n : 0, GR_PART_STATISTICS)                              \
    ARRAY(terminals, job->terminal_count, GR_PART_DATA)                                            \
    ARRAY(once, once *n, GR_PART_STATISTICS)                                                       \
    ARRAY(entries, gr_once_entries(p), GR_PART_STATISTICS)                                         \
    ARRAY(elite_sums, once *demes * p->elites * gr_once_rows(p), GR_PART_SUMS)                     \
    ARRAY(memory, gr_memory_slots(p), GR_PART_MEMORY)                                              \
    ARRAY(memory_programs, (size_t)gr_memory_slots(p) * p->max_nodes, GR_PART_MEMORY)              \
    ARRAY(memory_sums, gr_memory_slots(p) * gr_once_rows(p), GR_PART_MEMORY)                       \
    ARRAY(spared, once *demes, GR_PART_STATISTICS)                                                 \
    ARRAY(course, once, GR_PART_STATISTICS)                                                        \
    ARRAY(demes, demes, GR_PART_STATISTICS)                                                        \
    ARRAY(records, demes, GR_PART_STATISTICS)                                                      \
    ARRAY(best_genomes, demes *gr_genotype_words(p), GR_PART_STATISTICS)                           \
    ARRAY(best_programs, demes * p->max_nodes, GR_PART_STATISTICS)                                 \
    ARRAY(best_sums, (size_t)p->test_chunks * p->sums * demes, GR_PART_STATISTICS)                 \
    ARRAY(loop, 1, GR_PART_STATISTICS)                                                             \
    ARRAY(scratch_nodes, (size_t)gr_scratch_nodes(p) * groups, GR_PART_SCRATCH)                    \
    ARRAY(scratch_words, (size_t)gr_scratch_words(p) * groups, GR_PART_SCRATCH)                    \
    ARRAY(depth_first, (size_t)gr_depth_first_words(job->grammar, p->convention) * groups,         \
          GR_PART_SCRATCH)

#ifndef GR_GUARDS
#define GR_GUARDS 0
#endif
enum { GR_ALIGNED = 256, GR_MOST_ADDED = 8 };

static size_t guard_bytes(void) {
    const char *asked = getenv("GRAMPUS_GUARDS");
    return (asked ? *asked == '1' : GR_GUARDS) ? GR_ALIGNED : 0;
}

static size_t with_guard(const gr_arena *arena, size_t bytes) {
    return (bytes + arena->guard + GR_ALIGNED - 1) / GR_ALIGNED * GR_ALIGNED;
}

int gr_arena_add(gr_arena *arena, const char *name, size_t bytes, gr_arena_part part) {
    int k = arena->arrays++;
    size_t taken = with_guard(arena, bytes);
    arena->name[k] = name;
    arena->size[k] = bytes;
    arena->offset[k] = arena->block;
    arena->part[part] += taken;
    arena->bytes += taken;
    arena->block += taken;
    return k;
}

/* An array in common memory, of which this engine has its own pages. */
static void add_common(gr_arena *arena, const char *name, size_t bytes, gr_arena_part part,
                       const gr_peers *peers) {
    int k = arena->arrays++;
    size_t pages = (bytes + GR_COMMON_PAGE - 1) / GR_COMMON_PAGE;
    size_t own = gr_page_of_member(peers, peers->member + 1, pages) -
                 gr_page_of_member(peers, peers->member, pages);
    arena->name[k] = name;
    arena->size[k] = bytes;
    arena->offset[k] = arena->common;
    arena->is_common[k] = 1;
    arena->part[part] += own * GR_COMMON_PAGE;
    arena->bytes += own * GR_COMMON_PAGE;
    arena->common += pages * GR_COMMON_PAGE;
}

static void add_array(gr_arena *arena, const char *name, size_t bytes, gr_arena_part part,
                      const gr_peers *peers) {
    if (peers && peers->common && (part == GR_PART_POPULATION || part == GR_PART_PROGRAMS))
        add_common(arena, name, bytes, part, peers);
    else
        gr_arena_add(arena, name, bytes, part);
}

void gr_arena_plan(gr_arena *arena, const gr_job *job, uint32_t groups) {
    const gr_params *p = &job->params;
    const gr_state *s = NULL; /* only its types are looked at */
    size_t n = p->individuals, demes = gr_demes(p), tree = p->genotype == GR_TREE;
    /* others may have the rest of the training cases, which nobody looks at here */
    uint32_t train_chunks = p->sampling ? p->train_chunks : gr_chunks_of_job(job).count;
    size_t rows = n + gr_archived(p); /* of genotypes: those in archives stand behind the others */
    size_t islands = (size_t)p->runs * gr_run_islands(p); /* here and elsewhere */
    size_t several = p->elites > 1;                       /* one elite needs no search */
    size_t counted = p->diversity, beside = gr_fits_beside(p);
    size_t chosen = gr_has_selection_cost(p), class_bins = gr_sum_kind_of(p) == GR_SUM_CLASS_BINS;
    size_t looks = p->lexicase_rows > 0, ranked = p->objectives > 0, once = p->once > 0;
    size_t sorted = (chosen && p->ordered) || p->migrants;
    gr_arena plan = {.guard = guard_bytes()};
    plan.bytes = plan.block = plan.part[GR_PART_DATA] = plan.guard;
#define GR_SIZE_ARRAY(field, count, of)                                                            \
    add_array(&plan, #field, (count) * sizeof *s->field, of, job->peers);
    GR_ARRAYS(GR_SIZE_ARRAY)
    *arena = plan;
#define GR_COUNT_ARRAY(field, count, of) +1
    _Static_assert(sizeof plan.size / sizeof *plan.size >= GR_MOST_ADDED GR_ARRAYS(GR_COUNT_ARRAY),
                   "an entry for every array");
}

static void *place_of(const gr_arena *arena, int k, void *base) {
    return (arena->is_common[k] ? arena->range : (char *)base) + arena->offset[k];
}

void gr_arena_bind(const gr_arena *arena, const gr_job *job, uint32_t groups, void *base,
                   gr_state *state) {
    int i = 0;
    gr_state s = {0};
    s.p = job->params;
    s.groups = groups;
#define GR_BIND_ARRAY(field, count, of) s.field = place_of(arena, i++, base);
    GR_ARRAYS(GR_BIND_ARRAY)
    s.taken = (float *)(uintptr_t)s.train;
    if (!gr_has_selection_cost(&s.p))
        s.selection_cost = NULL;
    if (!s.p.lexicase_rows)
        s.parents = NULL;
    if (!s.p.objectives)
        s.standing = NULL;
    if (!s.p.niches)
        s.niches = NULL;
    if (!job->type_words)
        s.types = NULL;
    if (!s.p.migrants)
        s.leaders = NULL;
    if (!s.p.other_islands)
        s.standings = NULL;
    if (!s.p.diversity)
        s.diversity = NULL;
    if (!s.p.mutate_duplicates)
        s.known = NULL;
    if (!s.p.once)
        s.once = NULL;
    if (!gr_settles(&s.p) && !s.p.restart_after)
        s.attempts = NULL;
    if (!s.p.validation_chunks)
        s.validating = NULL;
    if (!gr_fits_beside(&s.p))
        s.expressions = NULL, s.best_constants = s.constants[0] = s.constants[1] = NULL,
        s.origins[0] = s.origins[1] = NULL;
    if (gr_sum_kind_of(&s.p) != GR_SUM_CLASS_BINS)
        s.class_bins = NULL, s.fitted = s.best_fitted = NULL;
    *state = s;
}

gr_guard gr_arena_guard(const gr_arena *arena, int k) {
    gr_guard g = {0, arena->guard};
    if (k >= 0 && arena->is_common[k])
        g.bytes = 0;
    else if (k >= 0 && arena->guard) {
        g.offset = arena->offset[k] + arena->size[k];
        g.bytes = with_guard(arena, arena->size[k]) - arena->size[k];
    }
    return g;
}

gr_status gr_arena_check_guard(const gr_arena *arena, int k, const void *words, gr_error *error) {
    const unsigned char *at = words;
    gr_guard g = gr_arena_guard(arena, k);
    size_t i = 0;
    while (i < g.bytes && at[i] == GR_GUARD_BYTE)
        i++;
    if (i == g.bytes)
        return GR_OK;
    if (k < 0)
        return gr_fail(error, GR_FAILED, "the memory before '%s' was written to", arena->name[0]);
    return gr_fail(error, GR_FAILED,
                   "'%s' was overrun: %zu bytes long, and byte %zu was written to; expected "
                   "nothing behind its end",
                   arena->name[k], arena->size[k], arena->size[k] + i);
}

void gr_guards_broken(const gr_error *error) {
    fprintf(stderr, "grampus: %s\n", error->text);
    abort();
}

static double megabytes(size_t bytes) {
    return (double)bytes / 1e6;
}

void gr_arena_describe(const gr_arena *arena, char *line, size_t size) {
    const size_t *part = arena->part;
    char cases[48] = "", memory[48] = "";
    if (part[GR_PART_CASES] > arena->guard * 9 + 4096)
        snprintf(cases, sizeof cases, ", case errors %.1f", megabytes(part[GR_PART_CASES]));
    if (part[GR_PART_MEMORY] > arena->guard * 4 + 4096)
        snprintf(memory, sizeof memory, ", fitness memory %.1f", megabytes(part[GR_PART_MEMORY]));
    snprintf(line, size,
             "%.1f MB: data %.1f, population %.1f, programs %.1f, sums %.1f, statistics %.1f, "
             "scratch %.1f%s%s",
             megabytes(arena->bytes), megabytes(part[GR_PART_DATA]),
             megabytes(part[GR_PART_POPULATION]), megabytes(part[GR_PART_PROGRAMS]),
             megabytes(part[GR_PART_SUMS]), megabytes(part[GR_PART_STATISTICS]),
             megabytes(part[GR_PART_SCRATCH]), cases, memory);
}

gr_status gr_arena_check(const gr_arena *arena, const gr_job *job, uint32_t groups,
                         size_t available, const char *where, gr_error *error) {
    if (arena->bytes <= available)
        return GR_OK;
    gr_job trial = *job; /* the largest population that fits, by bisection */
    gr_arena state;
    gr_arena_plan(&state, job, groups);
    size_t added = arena->bytes - state.bytes;
    uint32_t low = 0, high = job->params.population;
    while (high - low > 1) {
        gr_arena plan;
        trial.params.population = low + (high - low) / 2;
        trial.params.individuals = trial.params.population * gr_demes(&trial.params);
        trial.params.elites = gr_min_u32(job->params.elites, trial.params.population);
        gr_arena_plan(&plan, &trial, groups);
        if (plan.bytes + added <= available)
            low = trial.params.population;
        else
            high = trial.params.population;
    }
    char line[512], fits[64];
    gr_arena_describe(arena, line, sizeof line);
    snprintf(fits, sizeof fits, low ? "a population of %u would fit" : "no population would fit",
             low);
    return gr_fail(error, GR_NO_MEMORY, "the run needs %s; %s has %.1f MB free; %s", line, where,
                   megabytes(available), fits);
}

size_t gr_arena_section(const gr_state *s, gr_section section, uint32_t generation,
                        const void **at) {
    const gr_params *p = &s->p;
    uint32_t buffer = generation & 1, tree = p->genotype == GR_TREE;
    size_t n = p->individuals, demes = gr_demes(p);
    switch (section) {
    case GR_SECTION_DEMES:
        *at = s->demes;
        return demes * sizeof *s->demes;
    case GR_SECTION_BEST_GENOMES:
        *at = s->best_genomes;
        return demes * gr_genotype_words(p) * sizeof *s->best_genomes;
    case GR_SECTION_INDIVIDUALS:
        *at = s->individuals[buffer];
        return n * sizeof(gr_individual);
    case GR_SECTION_GENOTYPES:
        *at = tree ? (const void *)s->trees[buffer] : (const void *)s->genomes[buffer];
        return tree ? n * p->max_nodes * sizeof(gr_node)
                    : n * p->genome_capacity * sizeof(uint32_t);
    case GR_SECTION_PROGRAMS:
        *at = s->programs;
        return n * p->max_nodes * sizeof(gr_instruction);
    case GR_SECTION_COSTS:
        *at = s->cost;
        return n * sizeof(float);
    case GR_SECTION_PLANS:
        *at = s->plans;
        return n * sizeof(gr_plan);
    case GR_SECTION_RECORDS:
        *at = s->records;
        return demes * sizeof(gr_record);
    case GR_SECTION_BRANCHES:
        *at = s->branches[buffer];
        return n * gr_branch_words(p) * sizeof(uint32_t);
    case GR_SECTION_DIVERSITY:
        *at = s->diversity;
        return p->diversity ? demes * sizeof *s->diversity : 0;
    case GR_SECTION_SEEN:
        *at = s->seen;
        return p->runs * (size_t)gr_seen_entries(p) * sizeof *s->seen;
    case GR_SECTION_KNOWN:
        *at = s->known;
        return p->mutate_duplicates ? demes * sizeof *s->known : 0;
    case GR_SECTION_KNOWN_KEYS:
        *at = s->known_keys;
        return demes * (size_t)gr_known_entries(p) * sizeof *s->known_keys;
    case GR_SECTION_KNOWN_CLAIMS:
        *at = s->known_claims;
        return demes * (size_t)gr_known_entries(p) * sizeof *s->known_claims;
    case GR_SECTION_OBJECTIVES:
        *at = s->objectives[0];
        return n * p->objectives * sizeof(float);
    case GR_SECTION_STANDING:
        *at = s->standing;
        return p->objectives ? n * sizeof *s->standing : 0;
    case GR_SECTION_REPLACED_BY:
        *at = s->replaced_by;
        return p->objectives ? demes * sizeof *s->replaced_by : 0;
    case GR_SECTION_SELECTED_INDIVIDUALS:
        *at = s->individuals[buffer ^ 1];
        return n * sizeof(gr_individual);
    case GR_SECTION_SELECTED_GENOTYPES:
        *at = tree ? (const void *)s->trees[buffer ^ 1] : (const void *)s->genomes[buffer ^ 1];
        return tree ? n * p->max_nodes * sizeof(gr_node)
                    : n * p->genome_capacity * sizeof(uint32_t);
    case GR_SECTION_CONSTANTS:
        *at = s->constants[buffer];
        return gr_fits_beside(p) * n * GR_FIT_CONSTANTS * sizeof(float);
    case GR_SECTION_SELECTED_CONSTANTS:
        *at = s->constants[buffer ^ 1];
        return gr_fits_beside(p) * n * GR_FIT_CONSTANTS * sizeof(float);
    case GR_SECTION_ORIGINS:
        *at = s->origins[buffer];
        return gr_inherits_constants(p) * n * GR_FIT_CONSTANTS * sizeof(gr_codon_origin);
    case GR_SECTION_BEST_CONSTANTS:
        *at = s->best_constants;
        return gr_fits_beside(p) * demes * GR_FIT_CONSTANTS * sizeof(float);
    case GR_SECTION_NICHES:
        *at = s->niches;
        return gr_archived(p) * sizeof *s->niches;
    case GR_SECTION_NICHE_INDIVIDUALS:
        *at = s->individuals[buffer] + n;
        return gr_archived(p) * sizeof(gr_individual);
    case GR_SECTION_NICHE_GENOTYPES:
        *at = tree ? (const void *)(s->trees[buffer] + n * p->max_nodes)
                   : (const void *)(s->genomes[buffer] + n * p->genome_capacity);
        return gr_archived(p) * gr_genotype_words(p) * sizeof(uint32_t);
    case GR_SECTION_NICHE_BRANCHES:
        *at = s->branches[buffer] + n * gr_branch_words(p);
        return gr_archived(p) * gr_branch_words(p) * sizeof(uint32_t);
    case GR_SECTION_NICHE_CONSTANTS:
        *at = s->constants[buffer] + n * GR_FIT_CONSTANTS;
        return gr_fits_beside(p) * gr_archived(p) * GR_FIT_CONSTANTS * sizeof(float);
    case GR_SECTION_NICHE_ORIGINS:
        *at = s->origins[buffer] + n * GR_FIT_CONSTANTS;
        return gr_inherits_constants(p) * gr_archived(p) * GR_FIT_CONSTANTS *
               sizeof(gr_codon_origin);
    case GR_SECTION_COUNT:
        break;
    }
    *at = NULL;
    return 0;
}
