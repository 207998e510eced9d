/* The CUDA backend: opening, the graph of an epoch, launches and traffic. */
#include "gpu/backend/clock.h"
#include "gpu/core/fitness/class_bins.h"
#include "gpu/core/fitness/sample.h"
#include "gpu/core/genotype/unique.h"
#include "gpu/core/selection/diversity.h"
#include "gpu/core/selection/once.h"
#include "gpu/engine_cuda.h"
#include "gpu/kernels/stages.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <mutex>

gr_status gr_cuda_fail(gr_error *error, cudaError_t code, const char *what) {
    return gr_fail(error, code == cudaErrorMemoryAllocation ? GR_NO_MEMORY : GR_DEVICE_FAILED,
                   "CUDA: %s: %s", what, cudaGetErrorString(code));
}

gr_status gr_cuda_check(gr_error *error, cudaError_t code, const char *what) {
    return code == cudaSuccess ? GR_OK : gr_cuda_fail(error, code, what);
}

/* Engines of one process share a device, each on its stream. What makes and unmakes things of the
 * driver (libraries, graphs, streams, memory) is done by one of them at a time: with several at
 * once the process was seen to crash there. */
static std::mutex gr_one_at_a_time;

namespace {
struct driver_turn { /* std::unique_lock would be seen from outside the library */
    bool taken;
    explicit driver_turn(bool take) : taken(take) {
        if (take)
            gr_one_at_a_time.lock();
    }
    void end() {
        if (taken)
            gr_one_at_a_time.unlock();
        taken = false;
    }
    ~driver_turn() { end(); }
};
} // namespace

/* ---- launches ---- */

cudaError_t gr_launch_evaluate(const gr_engine *e, const gr_state *state, const gr_launch *launch) {
    void *arguments[] = {(void *)state, (void *)launch};
    return cudaLaunchKernel(e->interpreter.kernel, dim3(e->evaluate.blocks),
                            dim3(e->evaluate.threads), arguments, e->evaluate.shared, e->stream);
}

/* Kernel 2 behind a kernel 1 that tells of every program: it begins once all blocks of that let it,
 * or have ended. */
static cudaError_t launch_beside(const gr_engine *e) {
    gr_launch launch = e->launch;
    launch.bred = e->bred;
    void *arguments[] = {(void *)&e->state, &launch};
    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(e->evaluate.blocks);
    config.blockDim = dim3(e->evaluate.threads);
    config.dynamicSmemBytes = e->evaluate.shared;
    config.stream = e->stream;
    config.attrs = &early;
    config.numAttrs = 1;
    return cudaLaunchKernelExC(&config, e->interpreter.kernel, arguments);
}

/* The state of kernels beside kernel 1: they read the grammar where constant memory, which belongs
 * to kernel 1, has it. */
static cudaError_t state_beside(const gr_engine *e, const gr_state *state, gr_state *beside) {
    *beside = *state;
    return e->owns_constant ? gr_grammar_address(&beside->grammar) : cudaSuccess;
}

/* What runs with archives or types do between selection and the plans that go by it. */
static cudaError_t look_at_parents(const gr_engine *e, const gr_state *state) {
    cudaError_t code = cudaSuccess;
    if (state->niches)
        code = gr_launch_list_niches(e->multiprocessors, state, e->stream);
    if (code == cudaSuccess && state->types)
        code = gr_launch_type_trees(8 * e->multiprocessors, state, e->stream);
    return code;
}

cudaError_t gr_launch_evolve(const gr_engine *e, const gr_state *state, gr_launch launch,
                             uint32_t steps) {
    if (steps & GR_EVOLVE_SELECT && gr_selects_apart(state)) {
        gr_state beside;
        launch.steps = steps;
        cudaError_t code = state_beside(e, state, &beside);
        if (code == cudaSuccess)
            code = gr_launch_select(e->evolve, e->machine.keeps, &beside, &launch, e->stream);
        steps &= GR_EVOLVE_PLAN | GR_EVOLVE_BREED;
        if (code != cudaSuccess || !steps)
            return code;
    }
    if (steps & GR_EVOLVE_PLAN) {
        cudaError_t code = look_at_parents(e, state);
        if (code != cudaSuccess)
            return code;
    }
    launch.steps = steps;
    return gr_launch_kernel(gr_evolve_kernel_address(&e->state.p, e->state.types != NULL, &launch),
                            e->evolve, state, &launch, e->stream);
}

static cudaError_t count_diversity(gr_engine *e) {
    gr_state beside;
    uint32_t threads = e->evolve.blocks * e->evolve.threads;
    cudaError_t code = state_beside(e, &e->state, &beside);
    return code == cudaSuccess ? gr_launch_diversity(threads, &beside, e->stream) : code;
}

/* Children of phenotypes that were there before are mutated. */
static cudaError_t mutate_duplicates(gr_engine *e) {
    gr_state beside;
    cudaError_t code = state_beside(e, &e->state, &beside);
    return code == cudaSuccess ? gr_launch_known((int)e->multiprocessors, &beside, e->stream)
                               : code;
}

/* Kernel 2 on a generation just bred; only on programs whose sums are not known, where the run
 * looks for them. */
static gr_status evaluate_once(gr_engine *e, gr_error *error) {
    gr_status status;
    gr_state evaluated = e->state;
    uint32_t blocks = 8 * e->multiprocessors;
    if (e->bred)
        return GR_CUDA(launch_beside(e));
    if (!e->state.once)
        return gr_cuda_evaluate(e, &e->state, &e->launch, error);
    evaluated.individuals[0] = evaluated.individuals[1] = (gr_individual *)e->state.once;
    if ((status = GR_CUDA(gr_launch_once(blocks, &e->state, e->stream))) ||
        (status = gr_cuda_evaluate(e, &evaluated, &e->launch, error)))
        return status;
    return GR_CUDA(gr_launch_hand_over(blocks, &e->state, e->stream));
}

/* Children and parents become the generation, in runs of several objectives. */
static cudaError_t replace(gr_engine *e) {
    cudaError_t code = cudaSuccess;
    if (!e->state.p.other_shares)
        code = (e->state.p.doubles ? gr_launch_other_double : gr_launch_other)(
            &e->state, (int)e->multiprocessors, e->stream);
    return code == cudaSuccess
               ? gr_launch_replace(&e->state, e->replacing, (int)e->multiprocessors, e->stream)
               : code;
}

/* What follows kernel 1 of a generation: the second, the third of runs that fit constants, and what
 * some runs count and keep. */
static gr_status launch_rest(gr_engine *e, gr_error *error) {
    gr_status status = GR_OK;
    if (e->state.known)
        status = GR_CUDA(mutate_duplicates(e));
    if (!status)
        status = evaluate_once(e, error);
    if (!status && e->state.p.optimise)
        status = GR_CUDA(gr_launch_fit(e->fit, &e->state, &e->launch, e->stream));
    if (!status && e->state.diversity)
        status = GR_CUDA(count_diversity(e));
    if (!status && e->state.niches)
        status = GR_CUDA(gr_launch_niches(8 * e->multiprocessors, &e->state, e->stream));
    return !status && e->state.standing ? GR_CUDA(replace(e)) : status;
}

/* A generation, of engines with peers the first. In the first one there is nothing to select from
 * yet. */
static gr_status launch_generation(gr_engine *e, gr_error *error) {
    const uint32_t all = GR_EVOLVE_SELECT | GR_EVOLVE_PLAN | GR_EVOLVE_BREED;
    gr_launch launch = e->launch;
    launch.bred = e->bred;
    gr_status status = GR_CUDA(gr_launch_evolve(e, &e->state, launch, all));
    return status ? status : launch_rest(e, error);
}

/* An epoch on a plain stream. Of an engine with a graph it is one that the host wants to end early,
 * and not of more generations than a stream takes without waiting. */
static gr_status launch_epoch(gr_engine *e, gr_error *error) {
    enum { MOST = 100 };
    gr_status status = GR_OK;
    const gr_launch whole = e->launch;
    e->launch.epoch = e->graph ? gr_min_u32(e->most, MOST) : e->most;
    e->launch.graph = 0;
    for (uint32_t g = 0; !status && g < e->launch.epoch; g++)
        if (!e->peers)
            status = launch_generation(e, error);
        else if (!(status = gr_cuda_evolve_with_peers(e, e->next + g - 1, error)))
            status = launch_rest(e, error);
    e->launch = whole;
    return status;
}

#if CUDART_VERSION >= 12040
/* Generations in the body of the WHILE node: its condition takes longer than the way from one
 * kernel to the next. Behind the end of a run, as on a plain stream, kernels have nothing to do;
 * an epoch is a multiple of them. Beside the other stages of some runs it is nothing. */
static uint32_t generations_of_body(const gr_engine *e) {
    enum { MOST = 5 };
    const gr_state *s = &e->state;
    uint32_t stages = s->p.optimise || s->once || s->known || s->diversity || s->niches ||
                      s->types || s->standing;
    uint32_t count = stages ? 1 : MOST;
    while (e->epoch % count)
        count--;
    return count;
}

/* One epoch: a WHILE node whose body is some generations. */
static gr_status build_graph(gr_engine *e, gr_error *error) {
    gr_status status;
    cudaGraph_t captured;
    cudaGraphNode_t node;
    cudaGraphNodeParams params = {};
    params.type = cudaGraphNodeTypeConditional;
    if ((status = GR_CUDA(cudaGraphCreate(&e->recipe, 0))) ||
        (status = GR_CUDA(cudaGraphConditionalHandleCreate(&e->launch.loop, e->recipe, 1,
                                                           cudaGraphCondAssignDefault))))
        return status;
    e->launch.graph = 1;
    params.conditional.handle = e->launch.loop;
    params.conditional.type = cudaGraphCondTypeWhile;
    params.conditional.size = 1;
#if CUDART_VERSION >= 13000
    if ((status = GR_CUDA(cudaGraphAddNode(&node, e->recipe, NULL, NULL, 0, &params))))
        return status;
#else
    if ((status = GR_CUDA(cudaGraphAddNode(&node, e->recipe, NULL, 0, &params))))
        return status;
#endif
    if ((status = GR_CUDA(
             cudaStreamBeginCaptureToGraph(e->stream, params.conditional.phGraph_out[0], NULL, NULL,
                                           0, cudaStreamCaptureModeThreadLocal))))
        return status;
    status = GR_OK;
    for (uint32_t g = generations_of_body(e); g && !status; g--)
        status = launch_generation(e, error);
    cudaError_t ended = cudaStreamEndCapture(e->stream, &captured);
    if (status || (status = gr_cuda_check(error, ended, "the capture of a generation")))
        return status;
    return GR_CUDA(cudaGraphInstantiate(&e->graph, e->recipe, 0));
}
#else
static gr_status build_graph(gr_engine *e, gr_error *error) {
    (void)e;
    return gr_fail(error, GR_DEVICE_FAILED,
                   "built with CUDA %d.%d, which has no WHILE nodes; expected 12.4 or "
                   "--no-graph",
                   CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
}
#endif

static void cuda_close(gr_engine *e) {
    if (!e)
        return;
    cudaSetDevice((int)e->card);
    gr_cuda_leave_peers(e);
    driver_turn turn(true);
    if (e->graph)
        cudaGraphExecDestroy(e->graph);
    if (e->recipe)
        cudaGraphDestroy(e->recipe);
    if (e->stream)
        cudaStreamDestroy(e->stream);
    gr_specialised_free(&e->interpreter);
    gr_cuda_free_staging(e->staging);
    gr_cuda_free_memory(e);
    free(e);
}

/* Notes the time since `start` for a part of opening; the time now. */
static double lap(gr_engine *e, gr_opening part, double start) {
    double now = gr_seconds_now();
    e->opening[part] += now - start;
    return now;
}

/* Kernels and their shapes. */
static gr_status take_kernels(gr_engine *e, const gr_job *job, const cudaDeviceProp *device,
                              gr_error *error) {
    double start = gr_seconds_now();
    gr_job evaluated = *job; /* what there is to evaluate here */
    evaluated.params = gr_params_of_share(&job->params, job->peers);
    gr_individuals own =
        gr_share_of_individuals(job->peers, job->peers ? job->peers->member : 0, &job->params);
    int breeds_own = job->peers && job->peers->common;
    e->launch.first = breeds_own ? own.first : 0;
    e->launch.last = breeds_own ? own.first + own.count : job->params.individuals;
    if (breeds_own)
        evaluated.params.individuals = own.count;
    gr_cuda_choose_breeding(e, &evaluated, device);
    evaluated.params.individuals = own.count;
    gr_status status = gr_cuda_choose_interpreter(e, &evaluated, device, error);
    start = lap(e, GR_OPENING_INTERPRETER, start);
    e->opening[GR_OPENING_INTERPRETER] -= e->interpreter.compiling;
    e->opening[GR_OPENING_COMPILING] = e->interpreter.compiling;
    if (!status)
        status = gr_cuda_choose_evolve(e, job, device, error);
    lap(e, GR_OPENING_KERNELS, start);
    return status;
}

/* Whether kernel 2 begins beside kernel 1: somebody tells of programs and somebody asks, and
 * nothing has to wait for all of kernel 1. GRAMPUS_NOTHING_BESIDE=1: not (a tool that takes the
 * kernels of a stream to follow one another). */
static int begins_beside(const gr_engine *e, const cudaDeviceProp *device) {
    const gr_state *s = &e->state;
    return e->launch.judges && e->launch.together && device->major >= 9 && !s->p.test_chunks &&
           !s->p.linear_scaling && !s->p.doubles && !s->once && !getenv("GRAMPUS_NOTHING_BESIDE");
}

static gr_status prepare(gr_engine *e, const gr_job *job, gr_error *error) {
    const gr_found *found = gr_find_device(job->card);
    const cudaDeviceProp *device = &found->properties;
    gr_status status;
    double start = gr_seconds_now();
    snprintf(e->device, sizeof e->device, "%s", device->name);
    e->multiprocessors = (uint32_t)device->multiProcessorCount;
    e->opening[GR_OPENING_DRIVER] = found->seconds;
    e->card = job->card;
    if ((status = GR_CUDA(cudaSetDevice((int)job->card))) ||
        (status = GR_CUDA(cudaStreamCreateWithFlags(&e->stream, cudaStreamNonBlocking))))
        return status;
    lap(e, GR_OPENING_CONTEXT, start);
    driver_turn turn(true);
    status = take_kernels(e, job, device, error);
    start = gr_seconds_now();
    if (!status)
        status = gr_cuda_take_memory(e, job, error);
    const gr_state *s = &e->state;
    if (gr_selects_apart(s) || s->selection_cost || s->standing || s->class_bins || s->known)
        e->launch.judges = 0;
    if (!begins_beside(e, device))
        e->bred = NULL;
    start = lap(e, GR_OPENING_MEMORY, start);
    if (!status)
        status = gr_cuda_upload(e, job, error);
    if (status)
        return status;
    if ((status = GR_CUDA(cudaStreamSynchronize(0)))) /* the default stream's copies */
        return status;
    start = lap(e, GR_OPENING_UPLOAD, start);
    if (job->peers) { /* who wait for each other here */
        turn.end();
        status = gr_cuda_join_peers(e, job->peers, error);
    } else
        status = job->graph ? build_graph(e, error) : GR_OK;
    lap(e, GR_OPENING_GRAPH, start);
    return status;
}

static gr_status cuda_open(const gr_job *job, gr_engine **engine, gr_error *error) {
    char line[256];
    if (!gr_cuda_describe(job->card, line, sizeof line))
        return gr_fail(error, GR_DEVICE_FAILED, "%s", line);
    gr_engine *e = (gr_engine *)calloc(1, sizeof *e);
    if (!e)
        return gr_fail(error, GR_NO_MEMORY, "no memory");
    e->epoch = e->most = job->epoch;
    e->demes = gr_demes(&job->params);
    gr_job taken = *job;
    if (taken.params.once == GR_ONCE_AUTO) /* what its launches take was not measured yet */
        taken.params.once = GR_ONCE_OFF;
    gr_status status = prepare(e, &taken, error);
    if (status)
        cuda_close(e);
    else
        *engine = e;
    return status;
}

/* ---- running ---- */

gr_status gr_cuda_wait(gr_engine *e, void (*tick)(void *, uint32_t), void *context,
                       gr_error *error) {
    double start = gr_seconds_now(), told = start, asked = start;
    const struct timespec nap = {0, 20000};
    for (;;) {
        cudaError_t code = cudaStreamQuery(e->stream);
        if (code == cudaSuccess)
            return GR_OK;
        if (code != cudaErrorNotReady)
            return gr_cuda_fail(error, code, "a generation");
        if (tick && gr_seconds_now() - told > 0.05) {
            tick(context, e->mailbox->published);
            told = gr_seconds_now();
        }
        if (e->peers && gr_seconds_now() - asked > 0.01) {
            gr_status status = gr_cuda_look_at_peers(e, error);
            if (status)
                return status;
            asked = gr_seconds_now();
        }
        if (gr_seconds_now() - start > 0.01) /* short epochs end sooner than a sleeper wakes */
            nanosleep(&nap, NULL);
    }
}

/* Ranks the last generation on all cases: it is evaluated and selected from once more, nothing is
 * bred, and the best of each deme is evaluated on the test cases. */
static gr_status rank_on_all(gr_engine *e, gr_error *error) {
    gr_status status;
    gr_ranking start = {};
    gr_ranking *ranking = (gr_ranking *)e->ranking;
    gr_record *records = (gr_record *)(e->ranking + GR_RANKING_HEAD);
    start.loop.next = e->next - 1;
    gr_state all = gr_ranking_state(&e->state, e->next - 1, &ranking->loop, records);
    gr_launch launch = e->launch;
    launch.mailbox = &ranking->mailbox;
    launch.tickets = &ranking->tickets;
    launch.ring = records + e->demes;
    launch.epoch = 1;
    launch.graph = 0;
    launch.batch = 0;     /* one tile held the sample, it need not hold all cases */
    all.standings = NULL; /* every engine by itself */
    if ((status = GR_CUDA(cudaMemsetAsync(e->ranking, 0, gr_ranking_bytes(e), e->stream))) ||
        (status = GR_CUDA(
             cudaMemcpyAsync(ranking, &start, sizeof start, cudaMemcpyHostToDevice, e->stream))) ||
        (status = GR_CUDA(gr_launch_reopen(&e->state, e->stream))) ||
        (status = gr_cuda_evaluate(e, &all, &launch, error)) ||
        (status = GR_CUDA(gr_launch_evolve(e, &all, launch, GR_EVOLVE_SELECT))) ||
        (status = GR_CUDA(gr_launch_evaluate(e, &all, &launch)))) /* the best, on test cases */
        return status;
    return gr_cuda_wait(e, NULL, NULL, error);
}

static gr_status cuda_rank(gr_engine *e, gr_error *error) {
    double start = gr_seconds_now();
    gr_status status = rank_on_all(e, error);
    double seconds = gr_seconds_now() - start;
    e->traffic.phase[GR_PHASE_RANK] += seconds;
    e->traffic.seconds += seconds;
    return status;
}

/* Everything that is launched for an epoch. Peers may wait for each other in it. */
static gr_status begin_epoch(gr_engine *e, gr_error *error) {
    gr_status status;
    driver_turn turn(!e->peers);
    if (e->next == 0) { /* the first generation */
        if (gr_settles(&e->state.p)) {
            gr_state first = e->state;
            if (!first.grammar && (status = GR_CUDA(gr_grammar_address(&first.grammar))))
                return status;
            if ((status = GR_CUDA(gr_launch_unique(e->state.groups, &first, e->stream))))
                return status;
        }
        if ((status = launch_generation(e, error)))
            return status;
        e->next = 1;
    }
    return e->graph && e->most == e->epoch ? GR_CUDA(cudaGraphLaunch(e->graph, e->stream))
                                           : launch_epoch(e, error);
}

static gr_status cuda_advance(gr_engine *e, void (*tick)(void *, uint32_t), void *context,
                              const gr_record **records, uint32_t *generations, int *finished,
                              gr_error *error) {
    gr_status status;
    double start = gr_seconds_now();
    e->mailbox->published = 0;
    if (e->mailbox->finished) {
        *generations = 0;
        *finished = 1;
        return GR_OK;
    }
    if ((status = begin_epoch(e, error)))
        return status;
    *records = e->ring;
    status = gr_cuda_wait(e, tick, context, error);
    if (status)
        return status;
    *generations = e->mailbox->published;
    *finished = (int)e->mailbox->finished;
    e->next += *generations - (*finished != 0);
    e->traffic.telemetry +=
        (uint64_t)*generations * e->demes * gr_record_bytes(&e->state.p) + sizeof *e->mailbox;
    e->traffic.seconds += gr_seconds_now() - start;
    return gr_cuda_check_guards(e, error);
}

static void cuda_limit(gr_engine *e, uint32_t generations) {
    e->most = gr_min_u32(generations, e->epoch);
}

static void cuda_stop(gr_engine *e) {
    e->mailbox->stop = 1;
}

static gr_status cuda_read_at(gr_engine *e, gr_section section, size_t offset, void *to,
                              size_t size, gr_error *error) {
    gr_status status;
    const void *at;
    size_t bytes = gr_arena_section(&e->state, section, e->next - 1, &at);
    if (offset > bytes || size > bytes - offset)
        return gr_fail(error, GR_FAILED, "section %d has %zu bytes, less than %zu", (int)section,
                       bytes, offset + size);
    if ((status = GR_CUDA(cudaMemcpy(to, (const char *)at + offset, size, cudaMemcpyDeviceToHost))))
        return status;
    e->traffic.downloaded += size;
    return GR_OK;
}

static gr_status cuda_read(gr_engine *e, gr_section section, void *to, size_t size,
                           gr_error *error) {
    return cuda_read_at(e, section, 0, to, size, error);
}

/* What the tuner chose, in the words of the settings. */
static void describe_interpreter(const gr_engine *e, char *line, size_t size) {
    const gr_machine *m = &e->machine;
    char how[64], jumps[32] = "";
    if (e->interpreter.direct)
        snprintf(jumps, sizeof jumps, ", %u direct jumps", e->interpreter.direct);
    if (e->interpreter.general || e->state.p.doubles)
        snprintf(how, sizeof how, "for all operations");
    else
        snprintf(how, sizeof how, "%s in %.2f s", e->interpreter.cached ? "cached" : "compiled",
                 e->interpreter.seconds);
    const char *refused = e->interpreter.refused;
    snprintf(line, size, "width %u, warps %u, tile %u, %s%s%s%s", m->width, m->threads / GR_LANES,
             e->launch.chunks, how, jumps, refused ? "; cache not used: " : "",
             refused ? refused : "");
}

static void cuda_report(const gr_engine *e, gr_engine_report *report, gr_traffic *traffic) {
    snprintf(report->device, sizeof report->device, "%.*s", (int)sizeof report->device - 1,
             e->device);
    gr_arena_describe(&e->arena, report->memory, sizeof report->memory);
    report->bytes = e->arena.bytes;
    report->host = gr_cuda_pinned_bytes(e);
    report->snapshot = gr_snapshot_most(&e->state);
    gr_cuda_staging_bytes(e->staging, &report->staging, &report->staging_device);
    report->issue_rate = e->issue_rate;
    memcpy(report->opening, e->opening, sizeof report->opening);
    describe_interpreter(e, report->interpreter, sizeof report->interpreter);
    *traffic = e->traffic;
    for (int k = 0; k < GR_PHASE_RANK; k++)
        traffic->phase[k] = 1e-9 * (double)e->mailbox->phase[k];
}

/* clang-format off */
const gr_backend gr_backend_cuda = {
    "cuda", gr_cuda_available, cuda_open, cuda_advance, cuda_limit, cuda_rank, cuda_stop, cuda_read, cuda_read_at, gr_cuda_load,
    gr_cuda_measure, gr_cuda_snapshot, gr_cuda_await_snapshot, gr_cuda_restore, cuda_report, cuda_close,
    1 /* when the kernel behind has begun, those of a generation are there */};
