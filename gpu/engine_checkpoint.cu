/* The CUDA backend, snapshots: copied on the device, then to host memory while the run goes on. */
#include "gpu/core/fitness/sample.h"
#include "gpu/engine_cuda.h"
#include "gpu/kernels/stages.h"

#include <cstdlib>
#include <cstring>

/* Where the last snapshot is, or is on its way to. */
struct gr_staging {
    char *device; /* NULL where the device has no room for a copy */
    char *host;   /* pinned */
    size_t device_bytes, host_bytes;
    cudaStream_t stream;
    cudaEvent_t copied, done; /* on the device; in host memory */
};

void gr_cuda_free_staging(gr_staging *g) {
    if (!g)
        return;
    if (g->stream) {
        cudaStreamSynchronize(g->stream);
        cudaStreamDestroy(g->stream);
    }
    if (g->copied)
        cudaEventDestroy(g->copied);
    if (g->done)
        cudaEventDestroy(g->done);
    cudaFree(g->device);
    cudaFreeHost(g->host);
    free(g);
}

void gr_cuda_staging_bytes(const gr_staging *g, size_t *host, size_t *device) {
    *host = g ? g->host_bytes : 0;
    *device = g ? g->device_bytes : 0;
}

static gr_status open_staging(gr_engine *e, gr_error *error) {
    gr_status status;
    if (e->staging)
        return GR_OK;
    gr_staging *g = e->staging = (gr_staging *)calloc(1, sizeof *g);
    if (!g)
        return gr_fail(error, GR_NO_MEMORY, "no memory for a checkpoint");
    if ((status = GR_CUDA(cudaStreamCreateWithFlags(&g->stream, cudaStreamNonBlocking))) ||
        (status = GR_CUDA(cudaEventCreateWithFlags(&g->copied, cudaEventDisableTiming))))
        return status;
    return GR_CUDA(
        cudaEventCreateWithFlags(&g->done, cudaEventDisableTiming | cudaEventBlockingSync));
}

/* Room for `bytes` in pinned memory, and on the device if that leaves others something. */
static gr_status make_room(gr_engine *e, size_t bytes, gr_error *error) {
    gr_staging *g = e->staging;
    size_t free_bytes = 0, total = 0, roomy = gr_snapshot_room(&e->state, bytes);
    if (g->host_bytes < bytes) {
        cudaFreeHost(g->host);
        g->host = NULL;
        g->host_bytes = 0;
        gr_status status = GR_CUDA(cudaHostAlloc((void **)&g->host, roomy, cudaHostAllocDefault));
        if (status) {
            cudaGetLastError(); /* the run goes on without */
            return status;
        }
        g->host_bytes = roomy;
    }
    if (g->device_bytes >= bytes)
        return GR_OK;
    cudaFree(g->device);
    g->device = NULL;
    g->device_bytes = 0;
    if (cudaMemGetInfo(&free_bytes, &total) == cudaSuccess && roomy < free_bytes / 2 &&
        cudaMalloc((void **)&g->device, roomy) == cudaSuccess)
        g->device_bytes = roomy;
    cudaGetLastError(); /* without it the run waits for the copy to host memory */
    return GR_OK;
}

/* Sizes of what is copied, from the individuals. */
static gr_status plan(gr_engine *e, gr_snapshot *s, gr_error *error) {
    gr_status status;
    const gr_params *p = &e->state.p;
    size_t bytes = p->individuals * sizeof(gr_individual);
    gr_individual *individual = (gr_individual *)malloc(bytes);
    gr_deme *deme = (gr_deme *)malloc(e->demes * sizeof *deme);
    if (!individual || !deme)
        status = gr_fail(error, GR_NO_MEMORY, "no memory for a checkpoint");
    else if (!(status = GR_CUDA(cudaMemcpy(individual, e->state.individuals[s->generation & 1],
                                           bytes, cudaMemcpyDeviceToHost))))
        status = GR_CUDA(
            cudaMemcpy(deme, e->state.demes, e->demes * sizeof *deme, cudaMemcpyDeviceToHost));
    if (!status)
        gr_snapshot_plan(s, &e->state, gr_snapshot_longest(p, individual, deme));
    free(individual);
    free(deme);
    return status;
}

/* Rows that stand `stride` apart in the state and follow one another in a copy. */
static cudaError_t copy_rows(const gr_snapshot_part *part, char *state, char *copy, int back,
                             cudaMemcpyKind kind, cudaStream_t stream) {
    size_t stride = part->stride, width = part->width;
    if (stride == width) /* one row */
        return cudaMemcpyAsync(back ? state : copy, back ? copy : state, part->rows * width, kind,
                               stream);
    return cudaMemcpy2DAsync(back ? state : copy, back ? stride : width, back ? copy : state,
                             back ? width : stride, width, part->rows, kind, stream);
}

static cudaError_t copy_all(gr_engine *e, const gr_snapshot *s, char *copy, int back,
                            cudaMemcpyKind kind) {
    cudaError_t code = cudaSuccess;
    for (int k = 0; k < GR_SECTION_COUNT && !code; k++)
        if (s->part[k].rows)
            code = copy_rows(&s->part[k], (char *)gr_snapshot_place(s, &e->state, (gr_section)k),
                             copy + s->part[k].offset, back, kind, e->stream);
    return code;
}

gr_status gr_cuda_snapshot(gr_engine *e, gr_snapshot *snapshot, gr_error *error) {
    gr_status status;
    gr_snapshot s = {};
    s.ended = e->mailbox->finished != 0;
    s.generation = e->next - 1;
    if (e->next < 2 - s.ended)
        return gr_fail(error, GR_FAILED, "no generation has been selected yet");
    if (!s.ended && gr_snapshot_has_costs(&e->state.p) &&
        (status = GR_CUDA(gr_finish_costs(&e->state, s.generation, e->stream))))
        return status;
    if ((status = open_staging(e, error)) || (status = plan(e, &s, error)) ||
        (status = make_room(e, s.bytes, error)))
        return status;
    gr_staging *g = e->staging;
    s.memory = g->host;
    if (!g->device) {
        if ((status = GR_CUDA(copy_all(e, &s, g->host, 0, cudaMemcpyDeviceToHost))) ||
            (status = GR_CUDA(cudaEventRecord(g->done, e->stream))))
            return status;
    } else if ((status = GR_CUDA(copy_all(e, &s, g->device, 0, cudaMemcpyDeviceToDevice))) ||
               (status = GR_CUDA(cudaEventRecord(g->copied, e->stream))) ||
               (status = GR_CUDA(cudaStreamWaitEvent(g->stream, g->copied, 0))) ||
               (status = GR_CUDA(cudaMemcpyAsync(g->host, g->device, s.bytes,
                                                 cudaMemcpyDeviceToHost, g->stream))) ||
               (status = GR_CUDA(cudaEventRecord(g->done, g->stream))))
        return status;
    e->traffic.checkpoints +=
        s.bytes + e->state.p.individuals * sizeof(gr_individual) + e->demes * sizeof(gr_deme);
    *snapshot = s;
    return GR_OK;
}

gr_status gr_cuda_await_snapshot(gr_engine *e, gr_error *error) {
    return e->staging ? GR_CUDA(cudaEventSynchronize(e->staging->done)) : GR_OK;
}

/* Evaluates the generation bred last, on its sample; the kernel takes its number from the loop, and
 * counts it as one of an epoch. */
static gr_status evaluate_again(gr_engine *e, uint32_t generation, gr_error *error) {
    gr_status status;
    gr_loop loop = {};
    loop.next = generation;
    if ((status = GR_CUDA(cudaMemcpy(e->state.loop, &loop, sizeof loop, cudaMemcpyHostToDevice))) ||
        (status = GR_CUDA(cudaDeviceSynchronize()))) /* the default stream's copies */
        return status;
    if (e->state.p.sampling &&
        (status = GR_CUDA(gr_launch_sample(e->evolve.blocks, &e->state,
                                           gr_sample_since(&e->state.p, generation), e->stream))))
        return status;
    if (!(status = gr_cuda_evaluate(e, &e->state, &e->launch, error)))
        status = gr_cuda_wait(e, NULL, NULL, error);
    e->mailbox->published = 0;
    return status;
}

gr_status gr_cuda_restore(gr_engine *e, const gr_snapshot *snapshot, gr_error *error) {
    gr_status status;
    gr_loop loop = {};
    gr_deme *deme = (gr_deme *)gr_snapshot_rows(snapshot, GR_SECTION_DEMES);
    for (uint32_t d = 0; d < e->demes; d++)
        deme[d].improved = 0; /* its test cost is known */
    gr_snapshot_forget_spared(snapshot, &e->state);
    if ((status = GR_CUDA(copy_all(e, snapshot, snapshot->memory, 1, cudaMemcpyHostToDevice))) ||
        (e->bred &&
         (status = GR_CUDA(cudaMemsetAsync(/* its generations come again */
                                           e->bred, 0, gr_bred_bytes(&e->state.p), e->stream)))) ||
        (status = GR_CUDA(cudaStreamSynchronize(e->stream))))
        return status;
    e->traffic.uploaded += snapshot->bytes;
    int goes_on = gr_snapshot_goes_on(snapshot, &e->state.p);
    if (goes_on && (status = evaluate_again(e, snapshot->generation, error)))
        return status;
    loop.next = e->next = snapshot->generation + 1;
    loop.finished = loop.closed = e->mailbox->finished = !goes_on;
    if ((status = GR_CUDA(cudaMemcpy(e->state.loop, &loop, sizeof loop, cudaMemcpyHostToDevice))))
        return status;
    if (e->state.standing && goes_on &&
        (status = GR_CUDA(gr_launch_keep_parents(&e->state, (int)e->multiprocessors, e->stream))))
        return status;
    return GR_CUDA(cudaDeviceSynchronize());
}
