/* The CUDA backend, memory: the arena, what stands in it first, guard words, the mailbox. */
#include "gpu/core/fitness/class_bins.h"
#include "gpu/core/fitting/fitting.h"
#include "gpu/core/lexicase/first_pools.h"
#include "gpu/core/selection/diversity.h"
#include "gpu/core/selection/niches.h"
#include "gpu/core/selection/once.h"
#include "gpu/engine_cuda.h"
#include "gpu/kernels/stages.h"

#include <atomic>
#include <cstdlib>
#include <cstring>

/* Constant memory belongs to the process, on every card: the first engine that is open there has
 * it, others read their grammar from global memory. */
static std::atomic<int> gr_constant_taken[GR_MOST_CARDS];

static gr_status upload(gr_engine *e, const void *to, const void *from, size_t bytes,
                        gr_error *error) {
    gr_status status;
    if ((status = GR_CUDA(cudaMemcpy((void *)to, from, bytes, cudaMemcpyHostToDevice))))
        return status;
    e->traffic.uploaded += bytes;
    return GR_OK;
}

/* ---- the arena ---- */

/* The grammar's tables, to constant memory where they are this engine's there. */
static gr_status upload_grammar(gr_engine *e, const gr_job *job, gr_error *error) {
    gr_status status;
    size_t bytes = job->grammar_words * sizeof(uint32_t);
    if (!bytes)
        return GR_OK;
    if (!e->owns_constant)
        return upload(e, e->state.grammar, job->grammar, bytes, error);
    if ((status = GR_CUDA(gr_upload_grammar(job->grammar, job->grammar_words))))
        return status;
    e->traffic.uploaded += bytes;
    return GR_OK;
}

/* The arrays of the state, and what else the kernels work with. */
static gr_status take_arena(gr_engine *e, const gr_job *job, gr_error *error) {
    gr_status status;
    gr_job planned = *job;
    gr_arena *arena = &e->arena;
    size_t free_bytes, total;
    if (job->grammar_words && job->grammar_words <= gr_constant_words())
        e->owns_constant = !gr_constant_taken[job->card].exchange(1);
    if (e->owns_constant)
        planned.grammar_words = 0;
    uint32_t groups = e->evolve.blocks * e->evolve.threads / e->launch.width;
    groups = (groups + GR_LANES - 1) / GR_LANES * GR_LANES; /* scratch is laid out by warps */
    gr_arena_plan(arena, &planned, groups);
    size_t ranks = job->params.sampling ? gr_ranking_bytes(e) : 0;
    e->fit.blocks = gr_min_u32(e->fit.blocks, groups); /* each compiles in the scratch of one */
    size_t fits = e->fit.blocks * gr_fit_rows(&job->params) * GR_CHUNK * sizeof(float);
    int code = gr_arena_add(arena, "handlers", sizeof *e->code, GR_PART_PROGRAMS),
        tickets = gr_arena_add(arena, "tickets", sizeof *e->tickets, GR_PART_STATISTICS),
        bred = gr_arena_add(arena, "bred", e->launch.judges ? gr_bred_bytes(&job->params) : 0,
                            GR_PART_STATISTICS),
        ranking = gr_arena_add(arena, "ranking", ranks, GR_PART_STATISTICS),
        fitting = gr_arena_add(arena, "fitting", fits, GR_PART_SCRATCH),
        sorting = gr_arena_add(arena, "sorting", gr_parents_bytes(&job->params), GR_PART_CASES),
        replacing =
            gr_arena_add(arena, "replacing", gr_replace_bytes(&job->params), GR_PART_STATISTICS),
        shares =
            gr_arena_add(arena, "sums of shares", gr_cuda_share_bytes(job), GR_PART_POPULATION);
    if ((status = GR_CUDA(cudaMemGetInfo(&free_bytes, &total))))
        return status;
    free_bytes += gr_cuda_common_held(job->peers);
    if ((status = gr_arena_check(arena, &planned, groups, free_bytes - free_bytes / 64, e->device,
                                 error)) ||
        (arena->common && (status = gr_cuda_take_common(job->peers, arena, error))) ||
        (status = GR_CUDA(cudaMalloc((void **)&e->memory, arena->block))))
        return status;
    gr_arena_bind(arena, &planned, groups, e->memory, &e->state);
    if (!planned.grammar_words)
        e->state.grammar = NULL;
    e->code = (gr_code *)(e->memory + arena->offset[code]);
    e->tickets = (gr_tickets *)(e->memory + arena->offset[tickets]);
    e->bred = e->launch.judges ? (uint64_t *)(e->memory + arena->offset[bred]) : NULL;
    e->launch.grows = e->bred ? (uint8_t *)(e->bred + job->params.individuals) : NULL;
    e->ranking = e->memory + arena->offset[ranking];
    e->replacing = e->memory + arena->offset[replacing];
    e->share_sums = (double *)(e->memory + arena->offset[shares]);
    e->launch.code = e->code;
    e->launch.tickets = e->tickets;
    e->launch.sorting = e->memory + arena->offset[sorting];
    e->launch.fitting = (float *)(e->memory + arena->offset[fitting]);
    return upload_grammar(e, job, error);
}

/* ---- guard words ---- */

static gr_status set_guards(gr_engine *e, gr_error *error) {
    gr_status status = GR_OK;
    for (int k = -1; !status && k < e->arena.arrays && e->arena.guard; k++) {
        gr_guard g = gr_arena_guard(&e->arena, k);
        status = GR_CUDA(cudaMemset(e->memory + g.offset, GR_GUARD_BYTE, g.bytes));
    }
    return status;
}

gr_status gr_cuda_check_guards(const gr_engine *e, gr_error *error) {
    gr_status status = GR_OK;
    char words[GR_MOST_GUARD_BYTES];
    for (int k = -1; !status && k < e->arena.arrays && e->arena.guard; k++) {
        gr_guard g = gr_arena_guard(&e->arena, k);
        status = GR_CUDA(cudaMemcpy(words, e->memory + g.offset, g.bytes, cudaMemcpyDeviceToHost));
        if (!status)
            status = gr_arena_check_guard(&e->arena, k, words, error);
    }
    return status;
}

/* ---- what stands there first ---- */

/* The tables of diversity are emptied as they are read. */
static gr_status clear_diversity(const gr_state *s, gr_error *error) {
    size_t entries = s->p.runs * (size_t)gr_diversity_entries(&s->p);
    gr_status status = GR_CUDA(cudaMemset(s->diversity, 0, gr_demes(&s->p) * sizeof *s->diversity));
    if (!status)
        status = GR_CUDA(
            cudaMemset(s->seen, 0, s->p.runs * (size_t)gr_seen_entries(&s->p) * sizeof *s->seen));
    for (int k = 0; k < 3 && !status; k++)
        status = GR_CUDA(cudaMemset(s->found[k], 0, entries * sizeof *s->found[k]));
    return status ? status
                  : GR_CUDA(cudaMemset(s->found_count, 0, entries * sizeof *s->found_count));
}

/* No phenotype is known. */
static gr_status clear_known(const gr_state *s, gr_error *error) {
    static const gr_section sections[] = {GR_SECTION_KNOWN, GR_SECTION_KNOWN_KEYS,
                                          GR_SECTION_KNOWN_CLAIMS};
    gr_status status = GR_OK;
    for (int k = 0; !status && k < 3; k++) {
        const void *at;
        size_t bytes = gr_arena_section(s, sections[k], 0, &at);
        status = GR_CUDA(cudaMemset((void *)at, 0, bytes));
    }
    return status;
}

/* So is the table of programs; an empty slot of the memory has no stamp. */
static gr_status clear_once(const gr_state *s, gr_error *error) {
    const gr_params *p = &s->p;
    gr_status status;
    if ((status = GR_CUDA(cudaMemset(s->entries, 0, gr_once_entries(p) * sizeof *s->entries))) ||
        (status = GR_CUDA(cudaMemset(s->spared, 0, gr_demes(p) * sizeof *s->spared))) ||
        (status = GR_CUDA(cudaMemset(s->course, 0, sizeof *s->course))))
        return status;
    return GR_CUDA(cudaMemset(s->memory, 0, gr_memory_slots(p) * sizeof *s->memory));
}

/* Archives begin empty, in both buffers; so do the tables that applicants are compared in. */
static gr_status clear_niches(const gr_state *s, gr_error *error) {
    const gr_params *p = &s->p;
    size_t places = gr_archived(p), entries = gr_demes(p) * gr_alike_entries(p);
    gr_status status;
    for (int k = 0; k < 2; k++)
        if ((status = GR_CUDA(cudaMemset(s->individuals[k] + p->individuals, 0,
                                         places * sizeof *s->individuals[k]))))
            return status;
    if ((status = GR_CUDA(cudaMemset(s->niches, 0, places * sizeof *s->niches))) ||
        (status = GR_CUDA(cudaMemset(s->niche_best, 0, places * sizeof *s->niche_best))))
        return status;
    return GR_CUDA(cudaMemset(s->alike, 0, entries * sizeof *s->alike));
}

/* What the kernels count in must start at zero, and what is downloaded whole has unused ends; the
 * rest is written before it is read. */
static gr_status clear_counters(gr_engine *e, const gr_job *job, gr_error *error) {
    gr_status status;
    const gr_state *s = &e->state;
    const void *best;
    size_t best_bytes = gr_arena_section(s, GR_SECTION_BEST_GENOMES, 0, &best);
    if ((status = GR_CUDA(cudaMemset((void *)best, 0, best_bytes))) ||
        (status = GR_CUDA(cudaMemset(e->tickets, 0, sizeof *e->tickets))) ||
        (e->bred && (status = GR_CUDA(cudaMemset(e->bred, 0, gr_bred_bytes(&job->params))))) ||
        (status = GR_CUDA(
             cudaMemcpy(e->code, &e->interpreter.code, sizeof *e->code, cudaMemcpyHostToDevice))) ||
        (status = GR_CUDA(cudaMemset(s->loop, 0, sizeof *s->loop))) ||
        (status = GR_CUDA(cudaMemset(s->records, 0, e->demes * sizeof *s->records))) ||
        (status = GR_CUDA(cudaMemset(
             s->spans, 0, (size_t)e->demes * gr_spans(&job->params) * sizeof *s->spans))))
        return status;
    if (gr_fits_beside(&job->params)) {
        size_t rows = (job->params.individuals + gr_archived(&job->params)) * GR_FIT_CONSTANTS;
        for (int k = 0; k < 2; k++)
            if ((status =
                     GR_CUDA(cudaMemset(s->constants[k], 0, rows * sizeof *s->constants[k]))) ||
                (status = GR_CUDA(cudaMemset(s->origins[k], 0, rows * sizeof *s->origins[k]))))
                return status;
        rows = e->demes * (size_t)GR_FIT_CONSTANTS;
        if ((status = GR_CUDA(cudaMemset(s->best_constants, 0, rows * sizeof *s->best_constants))))
            return status;
    }
    if (job->params.sampling &&
        (status = GR_CUDA(cudaMemset(s->sample_positives, 0, 2 * sizeof *s->sample_positives))))
        return status;
    if (s->diversity && (status = clear_diversity(s, error)))
        return status;
    if (s->known && (status = clear_known(s, error)))
        return status;
    if (s->once && (status = clear_once(s, error)))
        return status;
    if (s->niches && (status = clear_niches(s, error)))
        return status;
    if (s->case_near) { /* read behind the last, for nothing (gr_read_near) */
        size_t marked = job->params.lexicase_rows * (size_t)e->demes * GR_NEAR_KINDS *
                        gr_near_most(&job->params);
        if ((status = GR_CUDA(cudaMemset(s->case_near, 0, marked * sizeof *s->case_near))))
            return status;
    }
    if (s->class_bins &&
        (status = GR_CUDA(cudaMemset(s->class_bins, 0,
                                     job->params.individuals * gr_bin_counts(&job->params) *
                                         sizeof *s->class_bins))))
        return status;
    if (job->params.elites > 1 &&
        (status =
             GR_CUDA(cudaMemset(s->histogram, 0, (size_t)e->demes * 256 * sizeof *s->histogram))))
        return status;
    return GR_OK;
}

/* The mailbox and, behind it, the ring of records: one piece of host memory. */
enum { GR_MAILBOX_HEAD = 256 };
static_assert(sizeof(gr_mailbox) <= GR_MAILBOX_HEAD, "the ring stands behind it");

size_t gr_cuda_pinned_bytes(const gr_engine *e) {
    return GR_MAILBOX_HEAD + (size_t)e->epoch * e->demes * sizeof(gr_record);
}

static gr_status take_mailbox(gr_engine *e, gr_error *error) {
    gr_status status;
    char *host = NULL, *device = NULL;
    if ((status =
             GR_CUDA(cudaHostAlloc((void **)&host, gr_cuda_pinned_bytes(e), cudaHostAllocMapped))))
        return status;
    e->mailbox = (gr_mailbox *)host;
    e->ring = (gr_record *)(host + GR_MAILBOX_HEAD);
    memset((void *)e->mailbox, 0, sizeof *e->mailbox);
    if ((status = GR_CUDA(cudaHostGetDevicePointer((void **)&device, host, 0))))
        return status;
    e->launch.mailbox = (gr_mailbox *)device;
    e->launch.ring = (gr_record *)(device + GR_MAILBOX_HEAD);
    e->launch.epoch = e->epoch;
    return GR_OK;
}

gr_status gr_cuda_take_memory(gr_engine *e, const gr_job *job, gr_error *error) {
    gr_status status;
    if ((status = take_arena(e, job, error)) || (status = clear_counters(e, job, error)) ||
        (status = set_guards(e, error)))
        return status;
    return take_mailbox(e, error);
}

void gr_cuda_free_memory(gr_engine *e) {
    gr_error error;
    if (e->memory && e->mailbox && gr_cuda_check_guards(e, &error) == GR_FAILED)
        gr_guards_broken(&error);
    if (e->owns_constant)
        gr_constant_taken[e->card] = 0;
    cudaFree(e->memory);
    cudaFreeHost((void *)e->mailbox);
}

/* Cases that judge the best. */
static gr_status upload_validation(gr_engine *e, const gr_job *job, gr_error *error) {
    const gr_params *p = &job->params;
    size_t bytes = p->validation_chunks * gr_tile_of(p) * sizeof(float);
    gr_status status =
        upload(e, e->state.validating, job->validating, sizeof *job->validating, error);
    if (!status)
        status = upload(e, e->state.validation, job->validation, bytes, error);
    if (!status && p->linear_scaling)
        status = upload(e, e->state.validation_targets, job->validation_targets,
                        p->validation_chunks * sizeof *job->validation_targets, error);
    return status;
}

/* The cases that behaviour is looked at on. */
static gr_status upload_behaviour_cases(gr_engine *e, const gr_job *job, gr_error *error) {
    const gr_params *p = &job->params;
    float *tile = (float *)calloc(gr_tile_of(p), sizeof *tile);
    if (!tile)
        return gr_fail(error, GR_NO_MEMORY, "no memory for the cases of niches");
    gr_gather_behaviour_cases(p, job->train, tile);
    gr_status status =
        upload(e, e->state.behaviour_cases, tile, gr_tile_of(p) * sizeof *tile, error);
    free(tile);
    return status;
}

gr_status gr_cuda_upload(gr_engine *e, const gr_job *job, gr_error *error) {
    const gr_params *p = &job->params;
    size_t tile = gr_tile_of(p) * sizeof(float);
    gr_deme *demes = (gr_deme *)calloc(e->demes, sizeof *demes);
    if (!demes)
        return gr_fail(error, GR_NO_MEMORY, "no memory for %u demes", e->demes);
    for (uint32_t d = 0; d < e->demes; d++)
        demes[d].active = 1;
    gr_status status = upload(e, e->state.demes, demes, e->demes * sizeof *demes, error);
    free(demes);
    if (!status)
        status = p->sampling ? upload(e, e->state.whole, job->train, p->whole_chunks * tile, error)
                             : upload(e, e->state.train, job->train,
                                      gr_chunks_of_job(job).count * tile, error);
    if (!status && p->seeds)
        status = upload(e, e->state.seeds, job->seeds, p->seed_nodes * sizeof *job->seeds, error);
    if (!status && p->seeds)
        status = upload(e, e->state.seed_first, job->seed_first,
                        (p->seeds + 1) * sizeof *job->seed_first, error);
    if (!status && p->test_chunks)
        status = upload(e, e->state.test, job->test, p->test_chunks * tile, error);
    if (!status && p->validation_chunks)
        status = upload_validation(e, job, error);
    if (!status && p->niches)
        status = upload_behaviour_cases(e, job, error);
    if (!status && job->type_words)
        status = upload(e, e->state.types, job->types, job->type_words * sizeof *job->types, error);
    if (!status && job->other)
        status = upload(e, e->state.other, job->other, sizeof *job->other, error);
    if (!status && job->terminal_count)
        status = upload(e, e->state.terminals, job->terminals,
                        job->terminal_count * sizeof *job->terminals, error);
    if (!status && p->linear_scaling)
        status = upload(e, e->state.targets, job->targets, p->train_chunks * sizeof *job->targets,
                        error);
    if (!status && p->linear_scaling)
        status = upload(e, e->state.test_targets, job->targets + p->train_chunks,
                        p->test_chunks * sizeof *job->targets, error);
    return status;
}
