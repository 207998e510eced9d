/* The CUDA backend, engines that have some individuals each of the same population: what every one
 * has bred goes to all others in front of kernel 2, its sums behind it. Rows are packed first, for
 * few are as long as they can be; how long they are together the host has to know, so that it waits
 * for that once a generation. */
#include "gpu/core/fitness/class_bins.h"
#include "gpu/engine_cuda.h"
#include "gpu/kernels/rows.h"

static size_t aligned(size_t bytes) {
    return (bytes + 255) / 256 * 256;
}

/* Sums of an individual, at most: a run on samples ranks its last generation on all cases. */
static size_t sums_of(const gr_params *p) {
    return (size_t)gr_max_u32(p->train_chunks, p->whole_chunks) * p->sums;
}

static gr_row_range range_of(const gr_engine *e, const gr_peers *peers, uint32_t member) {
    gr_row_range range = {0, 0, 0};
    for (uint32_t m = 0; m <= member; m++) {
        gr_individuals own = gr_share_of_individuals(peers, m, &e->state.p);
        range.tile += gr_row_tiles(range.count);
        range.first = own.first;
        range.count = own.count;
    }
    return range;
}

static size_t begins_bytes(const gr_packing *k) {
    return GR_ROWS_KINDS * (k->tiles + 1) * sizeof *k->begins;
}

/* ---- memory ---- */

size_t gr_cuda_packing_bytes(gr_engine *e, const gr_job *job) {
    const gr_params *p = &job->params;
    gr_packing *k = &e->packing;
    k->tiles = 0;
    if (!job->peers || !job->peers->individuals)
        return 0;
    for (uint32_t m = 0; m < job->peers->members; m++)
        k->tiles += gr_row_tiles(gr_share_of_individuals(job->peers, m, p).count);
    return aligned(gr_packed_bytes(p)) + aligned(sums_of(p) * p->individuals * sizeof *k->sums) +
           begins_bytes(k);
}

gr_status gr_cuda_take_packing(gr_engine *e, char *memory, gr_error *error) {
    const gr_params *p = &e->state.p;
    gr_packing *k = &e->packing;
    if (!k->tiles)
        return GR_OK;
    k->packed = (uint32_t *)memory;
    k->sums = (double *)(memory += aligned(gr_packed_bytes(p)));
    k->begins = (uint64_t *)(memory + aligned(sums_of(p) * p->individuals * sizeof *k->sums));
    return GR_CUDA(cudaHostAlloc((void **)&k->begins_there, begins_bytes(k), cudaHostAllocDefault));
}

void gr_cuda_free_packing(gr_engine *e) {
    if (e->packing.begins_there)
        cudaFreeHost(e->packing.begins_there);
    e->packing.begins_there = NULL;
}

/* ---- what was bred ---- */

/* How long everybody's rows are: all know it, for all have the individuals. */
static gr_status place_rows(gr_engine *e, uint32_t buffer, gr_error *error) {
    gr_packing *k = &e->packing;
    gr_status status = GR_OK;
    for (uint32_t m = 0; !status && m < e->peers->members; m++)
        status = GR_CUDA(gr_launch_count_rows(&e->state, buffer, range_of(e, e->peers, m),
                                              k->begins, k->tiles, e->stream));
    if (status || (status = GR_CUDA(gr_launch_place_rows(k->begins, k->tiles, e->stream))) ||
        (status = GR_CUDA(cudaMemcpyAsync(k->begins_there, k->begins, begins_bytes(k),
                                          cudaMemcpyDeviceToHost, e->stream))))
        return status;
    return gr_cuda_wait(e, NULL, NULL, error);
}

static gr_status share_rows(gr_engine *e, uint32_t buffer, uint32_t kind, gr_error *error) {
    const gr_peers *peers = e->peers;
    const gr_packing *k = &e->packing;
    const uint64_t *begins = k->begins + kind * (k->tiles + 1),
                   *there = k->begins_there + kind * (k->tiles + 1);
    gr_status status =
        GR_CUDA(gr_launch_pack_rows(&e->state, buffer, kind, range_of(e, peers, peers->member),
                                    begins, k->packed, 0, e->stream));
    e->transfers.count = 0;
    for (uint32_t m = 0; m < peers->members; m++) {
        gr_row_range range = range_of(e, peers, m);
        uint64_t first = there[range.tile], end = there[range.tile + gr_row_tiles(range.count)];
        gr_add_part(peers, m, k->packed + first, (end - first) * sizeof *k->packed, &e->transfers);
    }
    if (!status)
        status = gr_cuda_exchange(e, error);
    for (uint32_t m = 0; !status && m < peers->members; m++)
        if (m != peers->member)
            status = GR_CUDA(gr_launch_pack_rows(&e->state, buffer, kind, range_of(e, peers, m),
                                                 begins, k->packed, 1, e->stream));
    return status;
}

gr_status gr_cuda_share_children(gr_engine *e, uint32_t generation, gr_error *error) {
    const gr_state *s = &e->state;
    uint32_t buffer = generation & 1;
    gr_status status;
    gr_list_whole_rows(e->peers, s, generation, &e->transfers);
    if (s->known) /* who is an elite is not mutated */
        gr_add_rows(e->peers, &s->p, s->plans, sizeof *s->plans, &e->transfers);
    if ((status = gr_cuda_exchange(e, error)) || (status = place_rows(e, buffer, error)))
        return status;
    for (uint32_t kind = 0; !status && kind < GR_ROWS_KINDS; kind++)
        status = share_rows(e, buffer, kind, error);
    return status;
}

/* ---- what it adds up to ---- */

gr_state gr_cuda_state_of_own(const gr_engine *e, const gr_state *state) {
    gr_state own = *state;
    const gr_params *p = &state->p;
    const gr_packing *k = &e->packing;
    if (!k->tiles)
        return own;
    own.p.individuals = k->own.count;
    own.individuals[0] += k->own.first;
    own.individuals[1] += k->own.first;
    own.programs += (size_t)k->own.first * p->max_nodes;
    own.sums = k->sums + (size_t)p->train_chunks * p->sums * k->own.first;
    if (state->class_bins)
        own.class_bins += k->own.first * gr_bin_counts(p);
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
    gr_add_rows(e->peers, p, e->packing.sums, rows * width, &e->transfers);
    status = gr_cuda_exchange(e, error);
    for (uint32_t m = 0; !status && m < e->peers->members; m++) {
        gr_individuals of = gr_share_of_individuals(e->peers, m, p);
        status = GR_CUDA(cudaMemcpy2DAsync(
            state->sums + of.first, p->individuals * width, e->packing.sums + rows * of.first,
            of.count * width, of.count * width, rows, cudaMemcpyDeviceToDevice, e->stream));
    }
    return status;
}
