/* Kernel 2: evaluation of a generation's programs on the 2D stack, telemetry. */
#include "core/select.h"
#include "evaluate.cuh"
#include "kernels.h"

/* ---- kernels
 * -------------------------------------------------------------------------------------------------
 */

/* A block of programs on one chunk. Training: programs are individuals; test: demes' best so far.
 */
struct gr_item {
    uint32_t set, chunk, first, last;
};

/* Item `number` of the generation's work, chunk by chunk so that a block mostly keeps its tile. */
__device__ static gr_item gr_item_of(const gr_state &s, uint32_t number, uint32_t train_items,
                                     uint32_t programs) {
    const gr_params &p = s.p;
    uint32_t set = number >= train_items, count = set ? gr_demes(&p) : p.individuals;
    uint32_t columns = (count + programs - 1) / programs, k = set ? number - train_items : number;
    gr_item item = {set, k / columns, k % columns * programs, 0};
    item.last = gr_min_u32(item.first + programs, count);
    return item;
}

/* Length of a program that has to run, 0 for one that has not. */
__device__ __forceinline__ static uint32_t gr_work(const gr_state &s, uint32_t generation,
                                                   uint32_t set, uint32_t i) {
    if (set == 0)
        return s.individuals[generation & 1][i].instructions;
    const gr_deme *d = &s.demes[i];
    return s.records[i].written && d->improved ? d->best.instructions : 0;
}

__device__ static void gr_load_tile(const gr_params &p, const float *from, float *to) {
    uint32_t count = (p.inputs + 1) * (GR_CHUNK / 4);
    for (uint32_t k = threadIdx.x; k < count; k += blockDim.x)
        ((float4 *)to)[k] = ((const float4 *)from)[k];
}

/* What to run for place i of an item: program, its length (0: nothing) and where its sums go. */
struct gr_task {
    const gr_instruction *program;
    uint32_t length;
    double *out;
    size_t stride;
};

__device__ __forceinline__ static gr_task gr_task_of(const gr_state &s, uint32_t generation,
                                                     const gr_item &item, uint32_t i) {
    gr_task task;
    task.length = gr_work(s, generation, item.set, i);
    task.program = item.set ? s.best_programs + (size_t)i * s.p.max_nodes : gr_program(&s, i);
    task.stride = item.set ? gr_demes(&s.p) : s.p.individuals;
    task.out = (item.set ? s.best_sums : s.sums) + (size_t)item.chunk * s.p.sums * task.stride + i;
    return task;
}

/* Every warp draws programs of the item from the block's counter. */
template <int VALUES, int K>
__device__ __forceinline__ static void gr_evaluate_item(const gr_state &s, uint32_t generation,
                                                        const gr_item &item, const float *tile,
                                                        uint32_t *next_program) {
    for (;;) {
        uint32_t taken = threadIdx.x % GR_LANES == 0 ? atomicAdd(next_program, 1u) : 0;
        uint32_t i = item.first + __shfl_sync(0xffffffffu, taken, 0);
        if (i >= item.last)
            return;
        gr_task task = gr_task_of(s, generation, item, i);
        if (task.length)
            gr_evaluate_chunk<VALUES, K>(s.p, task.program, task.length, tile, item.set, item.chunk,
                                         task.out, task.stride);
    }
}

/* The same with a group of warps for each program; the groups of a block go from program to program
 * together. */
template <int VALUES, int K>
__device__ __forceinline__ static void
gr_evaluate_item_together(const gr_state &s, uint32_t generation, const gr_item &item,
                          const float *tile, float *outputs) {
    const uint32_t groups = GR_EVALUATE_THREADS / GR_GROUP_THREADS,
                   group = threadIdx.x / GR_GROUP_THREADS;
    float *mine = outputs + group * GR_CHUNK;
    for (uint32_t first = item.first; first < item.last; first += groups) {
        uint32_t i = gr_min_u32(first + group, item.last - 1);
        gr_task task = gr_task_of(s, generation, item, i);
        uint32_t runs = first + group < item.last && task.length;
        if (runs)
            gr_run_together<VALUES, K>(s.p, task.program, task.length, tile, item.set, item.chunk,
                                       mine);
        __syncthreads();
        if (runs && threadIdx.x % GR_GROUP_THREADS < GR_LANES)
            gr_add_outputs<VALUES>(s.p, tile, item.set, item.chunk, mine, task.out, task.stride);
        __syncthreads();
    }
}

/* Blocks draw items of work from a queue. */
template <int VALUES, int K, int SHARED>
__device__ static void gr_evaluate_all(const gr_state &s, const gr_launch &launch,
                                       uint32_t generation, uint32_t breeds) {
    extern __shared__ float4
        gr_dynamic[]; /* outputs of the groups, if they work together; the tile */
    __shared__ uint32_t next_item, next_program;
    const gr_params &p = s.p;
    float *outputs = (float *)gr_dynamic;
    float *shared_tile =
        outputs + (launch.together ? GR_EVALUATE_THREADS / GR_GROUP_THREADS * GR_CHUNK : 0);
    uint32_t train_items =
        breeds ? p.train_chunks * ((p.individuals + launch.programs - 1) / launch.programs) : 0;
    uint32_t test_items =
        generation ? p.test_chunks * ((gr_demes(&p) + launch.programs - 1) / launch.programs) : 0;
    const float *loaded = NULL;
    for (;;) {
        __syncthreads();
        if (threadIdx.x == 0) {
            next_item = atomicAdd(&launch.tickets->item, 1u);
            next_program = 0;
        }
        __syncthreads();
        if (next_item >= train_items + test_items)
            break;
        gr_item item = gr_item_of(s, next_item, train_items, launch.programs);
        const float *tile =
            (item.set ? s.test : s.train) + (size_t)item.chunk * (p.inputs + 1) * GR_CHUNK;
        if (SHARED && loaded != tile) {
            gr_load_tile(p, tile, shared_tile);
            loaded = tile;
            __syncthreads();
        }
        if (SHARED)
            tile = shared_tile;
        if (launch.together)
            gr_evaluate_item_together<VALUES, K>(s, generation, item, tile, outputs);
        else
            gr_evaluate_item<VALUES, K>(s, generation, item, tile, &next_program);
    }
}

/* The last block to arrive completes the records and hands them to the host. */
__device__ static void gr_publish(const gr_state &s, const gr_launch &launch, uint32_t generation) {
    __shared__ uint32_t last;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicAdd(&launch.tickets->done, 1u) == gridDim.x - 1;
    __syncthreads();
    if (!last)
        return;
    __threadfence();
    uint32_t demes = gr_demes(&s.p), words = demes * (uint32_t)(sizeof(gr_record) / 4);
    gr_loop *loop = s.loop;
    if (generation) {
        for (uint32_t d = threadIdx.x; d < demes; d += blockDim.x)
            gr_finish_test(&s, d);
        __syncthreads();
        uint32_t *to = (uint32_t *)(launch.ring + (size_t)loop->epoch * demes);
        for (uint32_t k = threadIdx.x; k < words; k += blockDim.x)
            to[k] = ((const uint32_t *)s.records)[k];
        __threadfence_system();
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        launch.tickets->item = launch.tickets->done = 0;
        loop->epoch += generation > 0;
        loop->next += !loop->finished;
        loop->closed = launch.mailbox->finished = loop->finished;
        launch.mailbox->published = loop->epoch;
        if (loop->epoch == launch.epoch)
            loop->epoch = 0; /* the next epoch begins */
    }
}

template <int VALUES, int K, int SHARED>
static __global__ void __launch_bounds__(GR_EVALUATE_THREADS, 2)
    gr_evaluate_kernel(const __grid_constant__ gr_state s,
                       const __grid_constant__ gr_launch launch) {
    /* A plain stream runs on behind the end of a run: nothing is left to do then. */
    if (s.loop->closed)
        return;
    uint32_t generation = s.loop->next, breeds = !s.loop->finished;
    gr_evaluate_all<VALUES, K, SHARED>(s, launch, generation, breeds);
    gr_publish(s, launch, generation);
}

/* ---- launchers
 * -----------------------------------------------------------------------------------------------
 */

#define GR_VARIANT(values, k)                                                                      \
    if (kind == (values) && width == (k))                                                          \
        return shared ? (const void *)gr_evaluate_kernel<values, k, 1>                             \
                      : (const void *)gr_evaluate_kernel<values, k, 0>;

const void *gr_evaluate_variant(uint32_t kind, uint32_t width, uint32_t shared) {
    GR_VARIANT(GR_EXACT, 4)
    GR_VARIANT(GR_FAST, 4)
    GR_VARIANT(GR_FAST, 8)
    GR_VARIANT(GR_WORDS, 4)
    GR_VARIANT(GR_WORDS, 8)
    return NULL;
}
