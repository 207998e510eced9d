/* Kernel 2 over doubles (`precision: double`): the same work and order of sums as evaluate.cu, by
 * the machine of evaluate_double.cuh, which is compiled as it stands here. */
#include "gpu/core/selection/objectives.h"
#include "gpu/interpreter/tuner.h"
#include "gpu/kernels/stages.h"
#include "gpu/kernels/work.cuh"

#include "gpu/kernels/evaluate_double.cuh"

#include <type_traits>

/* ---- a generation ---- */

/* What warps of a block draw programs from. */
struct gr_draw {
    uint32_t *next;         /* in shared or global memory */
    uint32_t batch, single; /* programs that a warp draws at a time; from this one on, one */
    uint32_t *drawn;        /* [GR_DRAWN] of groups that go abreast */
};

/* What a warp has in shared memory. */
struct gr_warp_memory {
    uint2 *buffer;
    double2 *stack;
    uint32_t levels;
};

/* The programs of an item, drawn by the warps of the block; JUMPS: to what (tuner.h). */
template <int K, int SHARED, int JUMPS>
__device__ __forceinline__ static void
evaluate_item(const gr_state &s, const gr_launch &launch, uint32_t generation, const gr_item &item,
              const gr_draw &draw, const double *tile, const gr_warp_memory &memory) {
    const gr_params &p = s.p;
    uint32_t lane = threadIdx.x % GR_LANES, end = 0, abreast = launch.abreast;
    uint32_t first = abreast ? gr_abreast_of(abreast).member : 0,
             last = abreast ? gr_min_u32(first + 1, item.chunks) : item.chunks; /* chunks */
    for (uint32_t round = 0;; round++) {
        uint32_t batch = end < draw.single ? draw.batch : 1, next = 0;
        if (abreast)
            next =
                gr_draw_abreast(gr_abreast_of(abreast), item.first, round, draw.next, draw.drawn);
        else if (lane == 0)
            next = item.first + atomicAdd(draw.next, batch);
        next = __shfl_sync(0xffffffffu, next, 0);
        end = next + batch;
        if (next >= item.last)
            return;
        /* all their lengths at a time: they are waited for */
        uint32_t lengths = lane < batch && next + lane < item.last
                               ? program_length(s, generation, item.set, next + lane)
                               : 0;
        for (uint32_t i = next; i < gr_min_u32(end, item.last); i++) {
            uint32_t length = __shfl_sync(0xffffffffu, lengths, i - next);
            if (!length)
                continue;
            size_t stride = item.set ? gr_demes(&p) : p.individuals;
            double *out = (item.set ? s.best_sums : s.sums) + item.chunk * stride + i;
            std::conditional_t<JUMPS, gr_program_jumping<JUMPS>, gr_program_near> program = {
                (const uint2 *)(item.set ? s.best_programs + (size_t)i * p.max_nodes
                                         : gr_program(&s, i)),
                memory.buffer,
                0,
                0,
                memory.stack,
                memory.levels};
            for (uint32_t c = first; c < last; c++) {
                uint32_t cases = item.set ? p.test_cases : p.train_cases;
                double sum = gr_double_chunk<K, SHARED>(
                    p, program, length, gr_min_u32(cases - (item.chunk + c) * GR_CHUNK, GR_CHUNK),
                    tile + c * gr_double_tile(p));
                if (lane == 0)
                    out[c * stride] = sum;
            }
        }
    }
}

/* Blocks draw items of work from a queue. */
template <int K, int SHARED, int JUMPS>
__device__ __forceinline__ static void evaluate_all(const gr_state &s, const gr_launch &launch,
                                                    uint32_t generation, uint32_t breeds) {
    extern __shared__ double2 gr_dynamic[]; /* the tile; buffers of the warps, and their stacks */
    __shared__ uint32_t next_item, next_program, drawn[GR_DRAWN];
    const gr_params &p = s.p;
    uint32_t warp = threadIdx.x / GR_LANES, warps = blockDim.x / GR_LANES;
    double *shared_tile = (double *)gr_dynamic;
    uint2 *buffers = (uint2 *)(shared_tile + (SHARED ? launch.chunks * gr_double_tile(p) : 0));
    double2 *stacks = (double2 *)(buffers + warps * GR_BUFFER);
    uint32_t beside = (uint32_t)((char *)stacks - (char *)gr_dynamic), all;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(all));
    uint32_t levels = (all - beside) / (warps * GR_DOUBLE_LEVEL_BYTES(K));
    const gr_warp_memory memory = {buffers + warp * GR_BUFFER,
                                   stacks + warp * levels * (K / 2) * GR_LANES, levels};
    uint32_t all_at_once = breeds && launch.batch; /* one item that every block has a part in */
    uint32_t train_items =
        breeds && !all_at_once ? items(launch, p.train_chunks, p.individuals, 0) : 0;
    uint32_t test_items = generation ? items(launch, p.test_chunks, gr_demes(&p), 0) : 0;
    const double *loaded = NULL;
    for (;; all_at_once = 0) {
        __syncthreads();
        if (threadIdx.x == 0) {
            next_item = all_at_once ? 0 : atomicAdd(&launch.tickets->item, 1u);
            next_program = 0;
        }
        __syncthreads();
        if (!all_at_once && next_item >= train_items + test_items)
            break;
        gr_item item = item_of(s, launch, next_item, all_at_once ? 1 : train_items);
        gr_draw draw = {all_at_once ? &launch.tickets->program : &next_program, 1, 0, drawn};
        if (all_at_once) {
            uint32_t early = 2 * launch.batch * gridDim.x * (blockDim.x / GR_LANES);
            item.last = p.individuals;
            draw.batch = launch.batch;
            draw.single = item.last > early ? item.last - early : 0;
        }
        const double *tile =
            (const double *)(item.set ? s.test : s.train) + item.chunk * gr_double_tile(p);
        if (SHARED && loaded != tile) {
            gr_load_doubles(tile, shared_tile, item.chunks * (uint32_t)gr_double_tile(p));
            loaded = tile;
            __syncthreads();
        }
        evaluate_item<K, SHARED, JUMPS>(s, launch, generation, item, draw,
                                        SHARED ? shared_tile : tile, memory);
    }
}

template <int K, int SHARED, int JUMPS>
static __global__ void __launch_bounds__(GR_DOUBLE_THREADS(JUMPS), 1)
    evaluate_kernel(const __grid_constant__ gr_state s, const __grid_constant__ gr_launch launch) {
    if (s.loop->closed)
        return;
    uint32_t generation = s.loop->next;
    if (blockIdx.x == 0 && threadIdx.x == 0)
        gr_stamp(s.loop, s.loop->finished ? -1 : GR_PHASE_BREED);
    if (generation && !s.p.test_chunks)
        hand_over(s, launch, gr_scattered_thread() / GR_LANES, gridDim.x * blockDim.x / GR_LANES);
    evaluate_all<K, SHARED, JUMPS>(s, launch, generation, !s.loop->finished);
    publish<GR_PLAIN_CASES>(s, launch, generation);
}

/* ---- another metric ---- */

/* Costs by the other metric of several objectives, a warp an individual. */
static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    other_kernel(const __grid_constant__ gr_state s) {
    const gr_params &other = *s.other;
    uint32_t generation = s.loop->next - 1, lane = threadIdx.x % GR_LANES;
    uint32_t warp = (blockIdx.x * blockDim.x + threadIdx.x) / GR_LANES,
             warps = gridDim.x * blockDim.x / GR_LANES;
    if (s.loop->finished)
        return;
    for (uint32_t i = warp; i < s.p.individuals; i += warps) {
        uint32_t length = s.individuals[generation & 1][i].instructions;
        if (!s.demes[i / s.p.population].active)
            continue;
        double total[GR_MAX_SUMS] = {0.0, 0.0, 0.0}, fit[2];
        gr_program_there program = {(const uint2 *)gr_program(&s, i), NULL, 0};
        for (uint32_t chunk = 0; length && chunk < other.train_chunks; chunk++) {
            double sum = gr_double_chunk<4, 0>(
                other, program, length, gr_min_u32(other.train_cases - chunk * GR_CHUNK, GR_CHUNK),
                (const double *)s.train + chunk * gr_double_tile(other));
            gr_add_chunk(&other, &sum, total);
        }
        if (lane == 0)
            s.other_cost[i] = length ? gr_cost(&other, total, 0, fit) : GR_INFINITY;
    }
}

cudaError_t gr_launch_other_double(const gr_state *state, int multiprocessors,
                                   cudaStream_t stream) {
    other_kernel<<<8 * multiprocessors, GR_STAGE_THREADS, 0, stream>>>(*state);
    return cudaGetLastError();
}

/* ---- which ---- */

template <int WIDTH, int JUMPS> static const void *kernel_of(const gr_machine *machine) {
    return machine->shared ? (const void *)evaluate_kernel<WIDTH, 1, JUMPS>
                           : (const void *)evaluate_kernel<WIDTH, 0, JUMPS>;
}

const void *gr_double_kernel(const gr_machine *machine) {
    bool four = machine->width == 4;
    switch (machine->jumps) {
    case GR_JUMPS_TO_NONE:
        return four ? kernel_of<4, GR_JUMPS_TO_NONE>(machine)
                    : kernel_of<8, GR_JUMPS_TO_NONE>(machine);
    case GR_JUMPS_TO_CHEAP:
        return four ? kernel_of<4, GR_JUMPS_TO_CHEAP>(machine)
                    : kernel_of<8, GR_JUMPS_TO_CHEAP>(machine);
    default:
        return kernel_of<4, GR_JUMPS_TO_FUNCTIONS>(machine);
    }
}
