/* Before kernel 1, where selection goes by more than the plain cost: parsimony and order. */
#include "gpu/core/selection/order.h"
#include "gpu/kernels/stages.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

/* ---- kernels ---- */

__device__ static gr_moments butterfly_moments(gr_moments mine) {
    for (int x = GR_LANES / 2; x; x /= 2) {
        gr_moments other;
        other.cost = __shfl_xor_sync(0xffffffffu, mine.cost, x);
        other.size = __shfl_xor_sync(0xffffffffu, mine.size, x);
        other.size_squared = __shfl_xor_sync(0xffffffffu, mine.size_squared, x);
        other.product = __shfl_xor_sync(0xffffffffu, mine.product, x);
        other.count = __shfl_xor_sync(0xffffffffu, mine.count, x);
        mine = gr_moments_merge(mine, other);
    }
    return mine;
}

static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    order_kernel(const __grid_constant__ gr_state s) {
    cg::grid_group grid = cg::this_grid();
    const gr_params &p = s.p;
    if (s.loop->finished)
        return;
    if (blockIdx.x == 0 && threadIdx.x == 0)
        gr_stamp(s.loop, -1);
    uint32_t generation = s.loop->next - 1, demes = gr_demes(&p), segments = gr_segments(&p);
    uint32_t thread = gr_scattered_thread(), threads = (uint32_t)grid.size();
    uint32_t warp = thread / GR_LANES, warps = threads / GR_LANES, lane = threadIdx.x % GR_LANES;
    for (uint32_t k = warp; k < demes * segments; k += warps) {
        gr_moments m =
            butterfly_moments(gr_moments_segment(&s, generation, k / segments, k % segments, lane));
        if (lane == 0)
            s.moments[k] = m;
    }
    grid.sync();
    for (uint32_t deme = warp; deme < demes; deme += warps) {
        gr_moments m = butterfly_moments(gr_moments_deme(&s, deme, lane));
        if (lane == 0)
            s.pressures[deme] = gr_pressure_of(&p, m);
    }
    grid.sync();
    for (uint32_t i = thread; i < p.individuals; i += threads)
        gr_weigh_selection_cost(&s, generation, i);
    for (uint32_t pass = 0; p.ordered && pass < gr_order_passes(&p); pass++) {
        grid.sync();
        for (uint32_t i = thread; i < p.individuals; i += threads)
            gr_merge_key(&s, pass, i);
    }
}

/* ---- launchers ---- */

const void *gr_order_kernel_address(void) {
    return (const void *)order_kernel;
}

cudaError_t gr_launch_order(gr_shape shape, const gr_state *state, cudaStream_t stream) {
    void *arguments[] = {(void *)state};
    return cudaLaunchCooperativeKernel((const void *)order_kernel, dim3(shape.blocks),
                                       dim3(shape.threads), arguments, 0, stream);
}
