/* The CUDA backend, engines that evaluate some individuals each of the same population. All of it
 * is bred everywhere: where evaluation takes so long that devices are worth sharing it, a child
 * takes a small part of that, and less than it takes to get it from another. What travels is sums.
 */
#include "gpu/core/fitness/class_bins.h"
#include "gpu/engine_cuda.h"

/* Sums of an individual, at most: a run on samples ranks its last generation on all cases. */
static size_t sums_of(const gr_params *p) {
    return (size_t)gr_max_u32(p->train_chunks, p->whole_chunks) * p->sums;
}

size_t gr_cuda_share_bytes(const gr_job *job) {
    const gr_params *p = &job->params;
    return job->peers && job->peers->individuals ? sums_of(p) * p->individuals * sizeof(double) : 0;
}

gr_state gr_cuda_state_of_own(const gr_engine *e, const gr_state *state) {
    gr_state own = *state;
    const gr_params *p = &state->p;
    if (!e->peers || !e->peers->individuals)
        return own;
    gr_individuals of = gr_share_of_individuals(e->peers, e->peers->member, p);
    own.p.individuals = of.count;
    own.individuals[0] += of.first;
    own.individuals[1] += of.first;
    own.programs += (size_t)of.first * p->max_nodes;
    own.sums = e->share_sums + (size_t)p->train_chunks * p->sums * of.first;
    if (state->class_bins)
        own.class_bins += of.first * gr_bin_counts(p);
    return own;
}

gr_status gr_cuda_share_sums(gr_engine *e, const gr_state *state, gr_error *error) {
    const gr_params *p = &state->p;
    size_t rows = (size_t)p->train_chunks * p->sums, width = sizeof *state->sums;
    gr_status status;
    e->transfers.count = 0;
    if (state->class_bins) { /* sums follow from them */
        gr_add_rows(e->peers, p, state->class_bins, gr_bin_counts(p) * sizeof *state->class_bins,
                    &e->transfers);
        return gr_cuda_exchange(e, error);
    }
    gr_add_rows(e->peers, p, e->share_sums, rows * width, &e->transfers);
    status = gr_cuda_exchange(e, error);
    for (uint32_t m = 0; !status && m < e->peers->members; m++) {
        gr_individuals of = gr_share_of_individuals(e->peers, m, p);
        status = GR_CUDA(cudaMemcpy2DAsync(
            state->sums + of.first, p->individuals * width, e->share_sums + rows * of.first,
            of.count * width, of.count * width, rows, cudaMemcpyDeviceToDevice, e->stream));
    }
    return status;
}
