/* Kernel 2: evaluation of a generation's programs on the 2D stack, telemetry. */
#include "gpu/kernels/evaluate.cuh"

/* ---- kernels ---- */

template <int CASES>
__device__ __forceinline__ static void load_tile(const gr_params &p, uint32_t chunks,
                                                 const float *from, float *to) {
    uint32_t count = chunks * (p.inputs + (CASES == GR_WEIGHED_CASES ? 2 : 1)) * (GR_CHUNK / 4);
    for (uint32_t k = threadIdx.x; k < count; k += blockDim.x)
        ((float4 *)to)[k] = ((const float4 *)from)[k];
}

/* Notes the inputs that are one word in all cases of a tile of words in shared memory, a warp an
 * input. */
__device__ __forceinline__ static void find_uniform(const gr_params &p, const gr_item &item,
                                                    const float *tile, uint32_t *inputs) {
    uint32_t lane = threadIdx.x % GR_LANES, step = (uint32_t)gr_tile_words(p.inputs, 0);
    for (uint32_t k = threadIdx.x / GR_LANES; k < gr_min_u32(p.inputs, GR_UNIFORM_INPUTS);
         k += blockDim.x / GR_LANES) {
        const uint32_t *words = (const uint32_t *)tile + k * GR_CHUNK;
        uint32_t first = words[0], other = 0;
        for (uint32_t c = 0; c < item.chunks; c++, words += step)
            for (uint32_t n = lane; n < gr_cases_here<GR_WORD_CASES>(p, item.set, item.chunk + c);
                 n += GR_LANES)
                other |= words[n] ^ first;
        if (!__any_sync(0xffffffffu, other) && lane == 0)
            atomicOr(&inputs[k / 32], 1u << k % 32);
    }
}

__device__ __forceinline__ static gr_task task_of(const gr_state &s, const gr_item &item,
                                                  uint32_t i, uint32_t length) {
    gr_task task;
    task.length = length;
    task.program =
        (const uint2 *)(item.set ? s.best_programs + (size_t)i * s.p.max_nodes : gr_program(&s, i));
    task.set = item.set;
    task.chunk = item.chunk;
    task.chunks = item.chunks;
    task.member = 0;
    task.members = 1;
    task.stride = item.set ? gr_demes(&s.p) : s.p.individuals;
    task.out = (item.set ? s.best_sums : s.sums) + (size_t)item.chunk * s.p.sums * task.stride + i;
    return task;
}

/* What a block works with in shared memory; warps own what is theirs. */
struct gr_block_memory {
    uint2 *buffer;  /* of the warp, [GR_BUFFER] */
    float *outputs; /* of the warp's group, [GR_CHUNK], if groups work together */
    const float *tile;
    uint32_t *uniform; /* of words in shared memory: inputs that are one word in all of the tile */
    uint32_t *next_program; /* of the item, for single warps: in shared or global memory */
    uint32_t batch, single; /* programs that a warp draws at a time; from this one on, one */
    uint32_t *drawn;        /* [GR_DRAWN] of groups that go abreast */
};

/* Programs a warp has drawn; lane k holds the length of the k-th that is left. */
struct gr_hand {
    uint32_t next, end, length;
};

/* The program the warp is to run: single warps draw them from the item's counter; groups of warps
 * go from program to program together, `round` counts them. Its length comes with it, 0 if it has
 * not to run or is none of the item's. */
__device__ __forceinline__ static uint32_t
draw_program(const gr_state &s, const gr_launch &launch, uint32_t generation, const gr_item &item,
             const gr_block_memory &memory, uint32_t round, gr_hand &hand, uint32_t *length) {
    if (gr_literal_together(launch.together)) {
        uint32_t i =
            item.first + round * (blockDim.x / GR_GROUP_THREADS) + threadIdx.x / GR_GROUP_THREADS;
        *length = 0;
        if (i < item.last && launch.bred && !item.set) {
            uint64_t told = await_told(launch, generation, i);
            *length = GR_TOLD_INSTRUCTIONS(told);
            return GR_TOLD_INDIVIDUAL(told);
        }
        if (i < item.last)
            *length = program_length(s, generation, item.set, i);
        return i;
    }
    uint32_t lane = threadIdx.x % GR_LANES;
    if (hand.next == hand.end) {
        uint32_t batch = hand.end < memory.single ? memory.batch : 1;
        uint32_t taken = lane == 0 ? item.first + atomicAdd(memory.next_program, batch) : 0;
        hand.next = __shfl_sync(0xffffffffu, taken, 0);
        hand.end = hand.next + batch;
        hand.length = lane < batch && hand.next + lane < item.last
                          ? program_length(s, generation, item.set, hand.next + lane)
                          : 0;
    }
    /* From lane 0, so that the compiler sees that all lanes have the same. */
    *length = __shfl_sync(0xffffffffu, hand.length, 0);
    hand.length = __shfl_down_sync(0xffffffffu, hand.length, 1);
    return __shfl_sync(0xffffffffu, hand.next++, 0);
}

template <int CASES, int K, int SHARED>
__device__ __forceinline__ static void evaluate_item(const gr_state &s, const gr_launch &launch,
                                                     uint32_t generation, const gr_item &item,
                                                     const gr_block_memory &memory) {
    uint32_t groups = blockDim.x / GR_GROUP_THREADS, count = item.last - item.first;
    gr_hand hand = {0, 0, 0};
#pragma unroll 1
    for (uint32_t round = 0; !gr_literal_together(launch.together) || round * groups < count;
         round++) {
        uint32_t runs, i = draw_program(s, launch, generation, item, memory, round, hand, &runs);
        if (!gr_literal_together(launch.together) && i >= item.last)
            return;
        gr_task task = task_of(s, item, runs ? i : item.first, runs);
        if (gr_literal_together(launch.together)) {
            task.member = threadIdx.x % GR_GROUP_THREADS / GR_LANES;
            task.members = GR_GROUP_WARPS;
        }
        if (runs)
            gr_evaluate_task<CASES, K, SHARED>(s, launch.code, task, memory.tile, memory.uniform,
                                               memory.buffer, memory.outputs);
        if (!gr_literal_together(launch.together))
            continue;
        __syncthreads();
        if (runs && task.member == 0)
            gr_add_outputs<CASES>(s, task, memory.tile, memory.outputs);
        __syncthreads();
    }
}

/* The same by groups of warps that go abreast. A function of its own for a kernel of its own: with
 * both in one loop registers are spilled. */
template <int CASES, int K, int SHARED>
__device__ __forceinline__ static void evaluate_abreast(const gr_state &s, const gr_launch &launch,
                                                        uint32_t generation, const gr_item &item,
                                                        const gr_block_memory &memory) {
#pragma unroll 1
    for (uint32_t round = 0;; round ^= 1) {
        uint32_t i = gr_draw_abreast(gr_abreast_of(gr_literal_abreast(launch.abreast)), item, round,
                                     memory.next_program, memory.drawn);
        if (i >= item.last)
            return;
        uint32_t own = gr_abreast_of(gr_literal_abreast(launch.abreast)).member,
                 length = own < item.chunks ? program_length(s, generation, item.set, i) : 0;
        if (!length)
            continue;
        gr_task task = task_of(s, item, i, length);
        task.chunk += own;
        task.chunks = 1;
        task.out += (size_t)own * s.p.sums * task.stride;
        gr_evaluate_task<CASES, K, SHARED>(
            s, launch.code, task,
            memory.tile + own * gr_tile_words(s.p.inputs, CASES == GR_WEIGHED_CASES),
            memory.uniform, memory.buffer, NULL);
    }
}

/* Blocks draw items of work from a queue. */
template <int CASES, int K, int SHARED>
__device__ __forceinline__ static void evaluate_all(const gr_state &s, const gr_launch &launch,
                                                    uint32_t generation, uint32_t breeds) {
    /* buffers of the warps; outputs of the groups, if they work together; the tile */
    extern __shared__ float4 gr_dynamic[];
    __shared__ uint32_t next_item, next_program, uniform[GR_UNIFORM_INPUTS / 32], drawn[GR_DRAWN];
    const gr_params &p = s.p;
    uint2 *buffers = (uint2 *)gr_dynamic;
    float *outputs = (float *)(buffers + blockDim.x / GR_LANES * GR_BUFFER);
    float *shared_tile =
        outputs +
        (gr_literal_together(launch.together) ? blockDim.x / GR_GROUP_THREADS * GR_CHUNK : 0);
    gr_block_memory memory = {buffers + threadIdx.x / GR_LANES * GR_BUFFER,
                              outputs + threadIdx.x / GR_GROUP_THREADS * GR_CHUNK,
                              shared_tile,
                              uniform,
                              &next_program,
                              1,
                              0,
                              drawn};
    uint32_t all_at_once = breeds && launch.batch; /* one item that every block has a part in */
    uint32_t train_items =
        breeds && !all_at_once ? items(launch, p.train_chunks, p.individuals) : 0;
    uint32_t test_items = generation ? items(launch, p.test_chunks, gr_demes(&p)) : 0;
    const float *loaded = NULL;
    if (CASES == GR_WORD_CASES && threadIdx.x < GR_UNIFORM_INPUTS / 32)
        uniform[threadIdx.x] = 0;
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
        memory.next_program = all_at_once ? &launch.tickets->program : &next_program;
        memory.batch = 1;
        if (all_at_once) {
            uint32_t early = 2 * launch.batch * gridDim.x * (blockDim.x / GR_LANES);
            item.last = p.individuals;
            memory.batch = launch.batch;
            memory.single = item.last > early ? item.last - early : 0;
        }
        const float *tile = (item.set ? s.test : s.train) +
                            item.chunk * gr_tile_words(p.inputs, CASES == GR_WEIGHED_CASES);
        if (!SHARED) /* `uniform` stays empty */
            memory.tile = tile;
        else if (loaded != tile) {
            load_tile<CASES>(p, item.chunks, tile, shared_tile);
            if (CASES == GR_WORD_CASES && threadIdx.x < GR_UNIFORM_INPUTS / 32)
                uniform[threadIdx.x] = 0;
            loaded = tile;
            __syncthreads();
            if (CASES == GR_WORD_CASES) {
                find_uniform(p, item, shared_tile, uniform);
                __syncthreads();
            }
        }
        if (gr_literal_abreast(launch.abreast))
            evaluate_abreast<CASES, K, SHARED>(s, launch, generation, item, memory);
        else
            evaluate_item<CASES, K, SHARED>(s, launch, generation, item, memory);
    }
}

/* The kernel around the interpreter of K cases a register. interpreter.c takes the text of the one
 * it needs and sets the launch bounds anew. */
#define GR_EVALUATE_KERNEL(name, cases, k, shared)                                                 \
    extern "C" __global__ void __launch_bounds__(512, 1)                                           \
        name(const __grid_constant__ gr_state s, const __grid_constant__ gr_launch launch) {       \
        /* A plain stream runs on behind the end of a run: nothing is left to do then. */          \
        if (s.loop->closed)                                                                        \
            return;                                                                                \
        /* Beside kernel 1 it is not known yet. */                                                 \
        uint32_t generation = s.loop->next, finished = !launch.bred && s.loop->finished;           \
        if (!launch.bred && blockIdx.x == 0 && threadIdx.x == 0)                                   \
            gr_stamp(s.loop, finished ? -1 : GR_PHASE_BREED);                                      \
        if (generation && !s.p.test_chunks && !launch.bred)                                        \
            hand_over(s, launch, gr_scattered_thread() / GR_LANES,                                 \
                      gridDim.x * blockDim.x / GR_LANES);                                          \
        evaluate_all<cases, k, shared>(s, launch, generation, !finished);                          \
        publish<cases>(s, launch, generation);                                                     \
    }
#define GR_EVALUATE_KERNELS(k)                                                                     \
    GR_EVALUATE_KERNEL(gr_evaluate_floats_##k##_shared, GR_PLAIN_CASES, k, 1)                      \
    GR_EVALUATE_KERNEL(gr_evaluate_floats_##k##_global, GR_PLAIN_CASES, k, 0)                      \
    GR_EVALUATE_KERNEL(gr_evaluate_words_##k##_shared, GR_WORD_CASES, k, 1)                        \
    GR_EVALUATE_KERNEL(gr_evaluate_words_##k##_global, GR_WORD_CASES, k, 0)
/* Of cases with weights, which take registers too (GR_WEIGHED_WIDTH). */
#define GR_EVALUATE_WEIGHED(k)                                                                     \
    GR_EVALUATE_KERNEL(gr_evaluate_weighed_##k##_shared, GR_WEIGHED_CASES, k, 1)                   \
    GR_EVALUATE_KERNEL(gr_evaluate_weighed_##k##_global, GR_WEIGHED_CASES, k, 0)
GR_EVALUATE_KERNELS(4)
GR_EVALUATE_KERNELS(8)
GR_EVALUATE_KERNELS(16)
GR_EVALUATE_KERNELS(32)
GR_EVALUATE_WEIGHED(4)
GR_EVALUATE_WEIGHED(8)
