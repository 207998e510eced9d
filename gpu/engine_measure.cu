/* The CUDA backend, measurements: trees in the place of bred ones, phases repeated and timed. */
#include "gpu/backend/load.h"
#include "gpu/engine_cuda.h"

#include <cstring>

gr_status gr_cuda_load(gr_engine *e, const gr_node *trees, const uint32_t *lengths,
                       gr_error *error) {
    const gr_params *p = &e->state.p;
    uint32_t *on_device;
    gr_status status = gr_check_loaded(p, e->next, lengths, error);
    if (status ||
        (status = GR_CUDA(cudaMemcpy(e->state.trees[(e->next - 1) & 1], trees,
                                     (size_t)p->individuals * p->max_nodes * sizeof *trees,
                                     cudaMemcpyHostToDevice))) ||
        (status = GR_CUDA(cudaMalloc((void **)&on_device, p->individuals * sizeof *lengths))))
        return status;
    cudaError_t code =
        cudaMemcpy(on_device, lengths, p->individuals * sizeof *lengths, cudaMemcpyHostToDevice);
    if (!code)
        code = cudaDeviceSynchronize(); /* the default stream's copies */
    if (!code)
        code = gr_compile_trees(&e->state, e->next - 1, on_device, e->launch.width, e->evolve,
                                e->stream);
    if (!code)
        code = cudaStreamSynchronize(e->stream);
    cudaFree(on_device);
    return GR_CUDA(code);
}

/* One repeat between two events, on the generation last bred: the loop is put back to it before. */
static cudaError_t repeat_phase(gr_engine *e, gr_phase phase, void *flush, size_t flush_bytes,
                                const gr_loop *loop, const cudaEvent_t event[2], double *seconds) {
    float milliseconds;
    if (flush)
        cudaMemsetAsync(flush, 1, flush_bytes, e->stream);
    cudaMemcpyAsync(e->state.loop, loop, sizeof *loop, cudaMemcpyHostToDevice, e->stream);
    cudaEventRecord(event[0], e->stream);
    cudaError_t code = phase == GR_PHASE_EVALUATE
                           ? gr_launch_evaluate(e, &e->state, &e->launch)
                           : gr_launch_evolve(e, &e->state, e->launch, GR_EVOLVE_BREED);
    cudaEventRecord(event[1], e->stream);
    if (!code)
        code = cudaStreamSynchronize(e->stream);
    if (!code)
        code = cudaEventElapsedTime(&milliseconds, event[0], event[1]);
    if (!code)
        *seconds = 1e-3 * (double)milliseconds;
    return code;
}

gr_status gr_cuda_measure(gr_engine *e, gr_phase phase, uint32_t repeats, int flush,
                          double *seconds, gr_error *error) {
    gr_status status;
    cudaDeviceProp device;
    cudaEvent_t event[2] = {};
    gr_loop kept, loop = {};
    void *memory = NULL;
    if ((phase != GR_PHASE_BREED && phase != GR_PHASE_EVALUATE) || e->next == 0)
        return gr_fail(error, GR_FAILED, "only breeding and evaluation can be repeated");
    if (phase == GR_PHASE_BREED && e->state.p.optimise)
        return gr_fail(error, GR_FAILED, "constants were fitted, which breeding again would undo");
    if (phase == GR_PHASE_BREED && e->mailbox->finished)
        return gr_fail(error, GR_FAILED, "a run that has ended breeds no more");
    if ((status = GR_CUDA(cudaGetDeviceProperties(&device, 0))) ||
        (status = GR_CUDA(cudaMemcpy(&kept, e->state.loop, sizeof kept, cudaMemcpyDeviceToHost))))
        return status;
    gr_mailbox told;
    memcpy(&told, (const void *)e->mailbox, sizeof told);
    size_t bytes = 4 * (size_t)device.l2CacheSize;
    cudaError_t code = flush ? cudaMalloc(&memory, bytes) : cudaSuccess;
    for (int k = 0; k < 2 && !code; k++)
        code = cudaEventCreate(&event[k]);
    loop.next = e->next - 1;
    if (!code && e->issue_rate == 0.0)
        code = gr_issue_rate(device.multiProcessorCount, e->stream, &e->issue_rate);
    for (uint32_t k = 0; k < repeats && !code; k++)
        code = repeat_phase(e, phase, memory, bytes, &loop, event, &seconds[k]);
    if (!code && phase == GR_PHASE_EVALUATE)
        code = gr_finish_costs(&e->state, e->next - 1, e->stream);
    if (!code)
        code = cudaStreamSynchronize(e->stream);
    if (!code)
        code = cudaMemcpy(e->state.loop, &kept, sizeof kept, cudaMemcpyHostToDevice);
    if (!code)
        code = cudaDeviceSynchronize();
    e->mailbox->published = told.published;
    e->mailbox->finished = told.finished;
    for (int k = 0; k < GR_PHASE_RANK; k++)
        e->mailbox->phase[k] = told.phase[k];
    for (int k = 0; k < 2; k++)
        if (event[k])
            cudaEventDestroy(event[k]);
    cudaFree(memory);
    return GR_CUDA(code);
}
