/* A generation of kernel 2 over doubles: items of work, the programs of one, and what kernels are
 * made of. */
#ifndef GR_GENERATION_DOUBLE_CUH
#define GR_GENERATION_DOUBLE_CUH

#include "gpu/interpreter/tuner.h"
#include "gpu/kernels/stages.h"
#include "gpu/kernels/work.cuh"

#include "gpu/kernels/evaluate_double.cuh"

#include <type_traits>

/* What warps of a block draw programs from. */
struct gr_draw {
    uint32_t *next;         /* in shared or global memory */
    uint32_t batch, single; /* programs that a warp draws at a time; from this one on, one */
    uint32_t *drawn;        /* [GR_DRAWN] of groups that go abreast */
};

/* What a warp has in shared memory. */
struct gr_warp_memory {
    gr_near_instruction *buffer;
    double2 *stack;
    uint32_t levels;
    uint32_t tables; /* the block's, of functions */
};

/* The tables of functions that stand in shared memory, read by all threads before they meet. */
template <int JUMPS> __device__ __forceinline__ static uint32_t gr_bring_tables() {
    if constexpr (JUMPS == GR_JUMPS_TO_FUNCTIONS) {
        __shared__ __align__(256) double tables[GR_NEAR_TABLES_D];
        for (uint32_t k = threadIdx.x; k < GR_NEAR_TABLES_D; k += blockDim.x)
            tables[k] = ((const double *)&gr_table_d)[k];
        return (uint32_t)__cvta_generic_to_shared(tables);
    }
    return 0;
}

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
            gr_take_means(program, launch.code, memory.tables);
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
    gr_near_instruction *buffers =
        (gr_near_instruction *)(shared_tile + (SHARED ? launch.chunks * gr_double_tile(p) : 0));
    double2 *stacks = (double2 *)(buffers + warps * GR_BUFFER);
    uint32_t beside = (uint32_t)((char *)stacks - (char *)gr_dynamic), all;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(all));
    uint32_t levels = (all - beside) / (warps * GR_DOUBLE_LEVEL_BYTES(K));
    const gr_warp_memory memory = {buffers + warp * GR_BUFFER,
                                   stacks + warp * levels * (K / 2) * GR_LANES, levels,
                                   gr_bring_tables<JUMPS>()};
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
__device__ __forceinline__ static void gr_evaluate_generation(const gr_state &s,
                                                              const gr_launch &launch) {
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

#endif
