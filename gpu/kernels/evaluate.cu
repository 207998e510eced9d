/* Kernel 2: evaluation of a generation's programs on the 2D stack, telemetry. */
#include "gpu/kernels/evaluate.cuh"

/* ---- kernels ---- */

/* A generation's work, in shared memory: registers are short. Items of training cases come first,
 * then those of test cases. */
struct gr_work {
    uint32_t generation;
    uint32_t train_items, items; /* and all */
};

/* Threads that bring a tile: all of a block, or a warp. */
struct gr_crew {
    uint32_t thread, threads;
};
__device__ __forceinline__ static void meet(const gr_crew &crew) {
    if (crew.threads == GR_LANES)
        __syncwarp();
    else
        __syncthreads();
}

template <int CASES>
__device__ __forceinline__ static void load_tile(const gr_params &p, const gr_crew &crew,
                                                 uint32_t chunks, const float *from, float *to) {
    uint32_t count = chunks * (p.inputs + (CASES == GR_WEIGHED_CASES ? 2 : 1)) * (GR_CHUNK / 4);
#pragma unroll 4
    for (uint32_t k = crew.thread; k < count; k += crew.threads)
        ((float4 *)to)[k] = ((const float4 *)from)[k];
}

/* Notes the inputs that are one word in all cases of a tile of words in shared memory, a warp an
 * input. */
__device__ __forceinline__ static void find_uniform(const gr_params &p, const gr_crew &crew,
                                                    const gr_item &item, const float *tile,
                                                    uint32_t *inputs) {
    uint32_t lane = crew.thread % GR_LANES, step = (uint32_t)gr_tile_words(p.inputs, 0);
    for (uint32_t k = crew.thread / GR_LANES; k < gr_min_u32(p.inputs, GR_UNIFORM_INPUTS);
         k += crew.threads / GR_LANES) {
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

/* Programs a warp has drawn; lane k holds the length of the k-th that is left. */
struct gr_hand {
    uint32_t next, end, length;
};

__device__ __forceinline__ static uint32_t draws_some(const gr_launch &launch) {
    return gr_literal_some(launch.draws > 1 || launch.batch > 1);
}

/* Single warps draw programs from the item's counter, or from that of the population: then one by
 * one in the end, so that none waits long for another. */
__device__ __forceinline__ static void draw_programs(const gr_state &s, const gr_launch &launch,
                                                     uint32_t generation, gr_slot &slot,
                                                     uint32_t all_at_once, gr_hand &hand) {
    uint32_t lane = threadIdx.x % GR_LANES, last = slot.item.last, size = 1, *counter = &slot.drawn;
    if (draws_some(launch)) {
        size = launch.draws;
        if (slot.item.last - slot.item.first < launch.programs)
            size = gr_max_u32(1, size / GR_FINER);
    }
    if (gr_literal_batch(all_at_once)) {
        uint32_t early = 2 * launch.batch * gridDim.x * (blockDim.x / GR_LANES);
        size = hand.end + early < last ? launch.batch : 1;
        counter = &launch.tickets->program;
    }
    uint32_t drawn = lane == 0 ? atomicAdd(counter, size) : 0;
    /* From lane 0, so that the compiler sees that all lanes have the same. */
    hand.next = slot.item.first + __shfl_sync(0xffffffffu, drawn, 0);
    hand.end = hand.next + size;
    if (draws_some(launch))
        hand.length = lane < size && hand.next + lane < last
                          ? program_length(s, generation, slot.item.set, hand.next + lane)
                          : 0;
    else
        hand.length =
            hand.next < last ? program_length(s, generation, slot.item.set, hand.next) : 0;
}

/* Of the programs in its hand, how many the warp brings to its buffer together, those in front of
 * the first that is not short, as far as there is place; 0: one, as it comes. *behind: for each the
 * places up to its end. */
__device__ __forceinline__ static uint32_t count_short(const gr_hand &hand, uint32_t *behind) {
    uint32_t lane = threadIdx.x % GR_LANES, left = hand.end - hand.next, sum = hand.length + 1;
    if (left < 2)
        return 0;
#pragma unroll
    for (uint32_t x = 1; x < GR_DRAWN_TOGETHER; x *= 2) {
        uint32_t before = __shfl_up_sync(0xffffffffu, sum, x);
        sum += lane >= x ? before : 0;
    }
    *behind = sum;
    uint32_t stops = __ballot_sync(0xffffffffu, lane >= left || hand.length > GR_SHORT ||
                                                    sum > gr_literal_window(GR_WINDOW)),
             there = __ffs(stops) - 1;
    return there < 2 ? 0 : there;
}

/* Length of a buffer, in words of 8 bytes. */
__device__ __forceinline__ static uint32_t buffer_of_warp() {
    return GR_BUFFER_OF(gr_literal_window(GR_WINDOW)) *
           GR_INSTRUCTION_BYTES(gr_literal_direct(GR_BY_TABLE)) / 8;
}

/* A warp's part of shared memory, found anew: registers are short. */
struct gr_warp_memory {
    uint2
        *buffer; /* [buffer_of_warp()]; of a block that shares a program, those of all its warps */
    float *outputs; /* [GR_CHUNK] of its group, if groups work together; GR_LANES words behind it if
                       the block is one that shares programs */
};
__device__ __forceinline__ static gr_warp_memory memory_of_warp() {
    extern __shared__ float4 gr_dynamic[];
    /* Not by a shuffle: the address of the next instruction would be a uniform register, which the
     * machine waits for (7 % with exact functions, measured). */
    uint32_t warp = threadIdx.x / GR_LANES;
    uint2 *buffers = (uint2 *)gr_dynamic;
    float *outputs = (float *)(buffers + blockDim.x / GR_LANES * buffer_of_warp());
    return {buffers + (gr_literal_shares(0) ? 0 : warp) * buffer_of_warp(),
            outputs + warp / GR_GROUP_WARPS * GR_CHUNK};
}

/* A program that its group of warps is to run: groups go from program to program together, `round`
 * counts them. *length: 0 if it has not to run or is none of the item's. */
__device__ __forceinline__ static uint32_t next_of_group(const gr_state &s, const gr_launch &launch,
                                                         uint32_t generation, const gr_slot &slot,
                                                         uint32_t round, uint32_t *length) {
    uint32_t i =
        slot.item.first + round * (blockDim.x / GR_GROUP_THREADS) + threadIdx.x / GR_GROUP_THREADS;
    *length = 0;
    if (i < slot.item.last && launch.bred && !slot.item.set) {
        uint64_t told = await_told(launch, generation, i);
        *length = GR_TOLD_INSTRUCTIONS(told);
        return GR_TOLD_INDIVIDUAL(told);
    }
    if (i < slot.item.last)
        *length = program_length(s, generation, slot.item.set, i);
    return i;
}

/* The next programs of a single warp, from hand.next on: how many stand in its buffer together, 0
 * if it is one, which has to be loaded, of task->length; *to_run: a bit for each that has to run.
 * There is none where hand.next is behind the item's last. */
template <int CASES, int SHARED>
__device__ __forceinline__ static uint32_t
next_programs(const gr_state &s, const gr_launch &launch, uint32_t generation, uint32_t all_at_once,
              gr_slot &slot, uint2 *buffer, gr_hand &hand, gr_task *task, uint32_t *to_run) {
    uint32_t there = 0, behind;
    if (!draws_some(launch) || hand.next == hand.end)
        draw_programs(s, launch, generation, slot, all_at_once, hand);
    if (hand.next >= slot.item.last)
        return 0;
    task->length = draws_some(launch) ? __shfl_sync(0xffffffffu, hand.length, 0) : hand.length;
    *to_run = task->length > 0;
    if (gr_literal_many(1) && (there = count_short(hand, &behind))) {
        const gr_uniform uniform = {slot.uniform, gr_tile_at<CASES, SHARED>(s, *task, 0)};
        *to_run = __ballot_sync(0xffffffffu, hand.length > 0);
        gr_load_short<CASES>(launch.code, gr_code_of(s, slot.item.set, hand.next), s.p.max_nodes,
                             there, hand.length, behind, uniform, buffer);
    }
    if (draws_some(launch))
        hand.length = __shfl_down_sync(0xffffffffu, hand.length, there + !there);
    return there;
}

template <int CASES, int K, int SHARED>
__device__ __forceinline__ static void evaluate_item(const gr_state &s, const gr_launch &launch,
                                                     const gr_work &work, uint32_t all_at_once,
                                                     gr_slot &slot) {
    uint32_t groups = blockDim.x / GR_GROUP_THREADS,
             together = gr_literal_together(launch.together);
    gr_hand hand = {0, 0, 0};
#pragma unroll 1
    for (uint32_t round = 0; !together || round * groups < slot.item.last - slot.item.first;
         round++) {
        uint32_t there = 0, to_run;
        gr_task task = {slot, 0, 0, 0, slot.item.chunks, 0, 1};
        const gr_warp_memory memory = memory_of_warp();
        if (together) {
            hand.next = next_of_group(s, launch, work.generation, slot, round, &task.length);
            to_run = task.length > 0;
            task.member = threadIdx.x % GR_GROUP_THREADS / GR_LANES;
            task.members = GR_GROUP_WARPS;
        } else {
            there = next_programs<CASES, SHARED>(s, launch, work.generation, all_at_once, slot,
                                                 memory.buffer, hand, &task, &to_run);
            if (hand.next >= slot.item.last)
                return;
        }
        uint32_t at = (uint32_t)__cvta_generic_to_shared(memory.buffer);
#pragma unroll 1
        for (uint32_t left = there + !there; left; left--, to_run >>= 1) {
            task.program = hand.next++; /* one register: with both 200 bytes are spilled */
            if (to_run & 1) {
                gr_evaluate_task<CASES, K, SHARED>(s, launch.code, task, there, at, memory.buffer,
                                                   memory.outputs);
                if (gr_literal_many(1))
                    at = gr_end_of_run();
            }
            /* A literal, so that the machine has no loop where programs come one by one. */
            if (!gr_literal_many(1))
                break;
            at = gr_behind_end(at);
        }
        if (!together)
            continue;
        __syncthreads();
        if (task.length && task.member == 0)
            gr_add_outputs<CASES, SHARED>(s, task, memory.outputs);
        __syncthreads();
    }
}

/* The same by groups of warps that go abreast. A function of its own for a kernel of its own: with
 * both in one loop registers are spilled. */
template <int CASES, int K, int SHARED>
__device__ __forceinline__ static void evaluate_abreast(const gr_state &s, const gr_launch &launch,
                                                        const gr_work &work, gr_slot &slot,
                                                        uint32_t *drawn, uint32_t &round) {
#pragma unroll 1
    for (;;) {
        uint32_t i = gr_draw_abreast(gr_abreast_of(gr_literal_abreast(launch.abreast)),
                                     slot.item.first, round++, &slot.drawn, drawn);
        if (i >= slot.item.last)
            return;
        uint32_t own = gr_abreast_of(gr_literal_abreast(launch.abreast)).member,
                 length = own < slot.item.chunks
                              ? program_length(s, work.generation, slot.item.set, i)
                              : 0;
        if (!length)
            continue;
        const gr_task task = {slot, i, length, own, 1, 0, 1};
        uint2 *buffer = memory_of_warp().buffer;
        gr_evaluate_task<CASES, K, SHARED>(
            s, launch.code, task, 0, (uint32_t)__cvta_generic_to_shared(buffer), buffer, NULL);
    }
}

/* Brings the tile of the slot's item to shared memory, unless it is there. Who goes on has to wait
 * for all of the crew. */
template <int CASES>
__device__ __forceinline__ static void bring_tile(const gr_state &s, const gr_crew &crew,
                                                  gr_slot &slot) {
    const gr_item &item = slot.item;
    const float *tile = (item.set ? s.test : s.train) +
                        item.chunk * gr_tile_words(s.p.inputs, CASES == GR_WEIGHED_CASES);
    if (slot.loaded == tile)
        return;
    load_tile<CASES>(s.p, crew, item.chunks, tile, gr_shared_tile(slot));
    if (CASES == GR_WORD_CASES && crew.thread < GR_UNIFORM_INPUTS / 32)
        slot.uniform[crew.thread] = 0;
    meet(crew);
    if (crew.thread == 0)
        slot.loaded = tile;
    if (CASES == GR_WORD_CASES)
        find_uniform(s.p, crew, item, gr_shared_tile(slot), slot.uniform);
}

/* One thread: the slot has the next item of the queue. */
template <int CASES>
__device__ __forceinline__ static void draw_item(const gr_state &s, const gr_launch &launch,
                                                 const gr_work &work, gr_slot &slot) {
    uint32_t number = atomicAdd(&launch.tickets->item, 1u);
    slot.over = number >= work.items;
    slot.left = slot.drawn = 0;
    if (slot.over)
        return;
    slot.item = item_of(s, launch, number, work.train_items);
    gr_know_item<CASES>(s, slot);
}

/* A warp brings the tile of the slot's item, which is then the one of this turn. */
template <int CASES, int SHARED>
__device__ __forceinline__ static void show_item(const gr_state &s, uint32_t turn, gr_slot &slot) {
    const gr_crew warp = {threadIdx.x % GR_LANES, GR_LANES};
    __syncwarp();
    if (SHARED && !slot.over)
        bring_tile<CASES>(s, warp, slot);
    gr_ready_slot(&slot, turn);
}

/* The block meets and has its next item; all_at_once: one that every block has a part in. */
template <int CASES, int SHARED>
__device__ __forceinline__ static void meet_for_item(const gr_state &s, const gr_launch &launch,
                                                     const gr_work &work, uint32_t all_at_once,
                                                     uint32_t turn, gr_slot &slot) {
    __syncthreads();
    if (threadIdx.x == 0)
        slot.ready = turn + 1;
    if (threadIdx.x == 0 && all_at_once) {
        slot.item = {0, 0, launch.chunks, 0, s.p.individuals};
        gr_know_item<CASES>(s, slot);
    } else if (threadIdx.x == 0)
        draw_item<CASES>(s, launch, work, slot);
    __syncthreads();
    if (SHARED && !slot.over) {
        const gr_crew block = {threadIdx.x, blockDim.x};
        bring_tile<CASES>(s, block, slot);
        __syncthreads();
    }
}

/* Blocks draw items of work from a queue. */
template <int CASES, int K, int SHARED>
__device__ __forceinline__ static void evaluate_all(const gr_state &s, const gr_launch &launch,
                                                    uint32_t generation, uint32_t breeds) {
    /* In dynamic shared memory: buffers of the warps; outputs of the groups, if they work together;
     * the tiles. */
    __shared__ gr_slot slots[GR_SLOTS];
    __shared__ gr_work work;
    __shared__ uint32_t drawn[GR_DRAWN];
    const gr_params &p = s.p;
    uint32_t all_at_once = breeds && gr_literal_batch(launch.batch), round = 0;
    uint32_t first_tile =
        blockDim.x / GR_LANES * buffer_of_warp() * 2 +
        (gr_literal_together(launch.together) ? blockDim.x / GR_GROUP_THREADS * GR_CHUNK : 0) +
        (gr_literal_shares(0) ? GR_LANES : 0);
    uint32_t ahead = gr_literal_ahead(launch.ahead);
    if (threadIdx.x == 0) {
        work.generation = generation;
        work.train_items =
            breeds && !all_at_once ? items(launch, p.train_chunks, p.individuals, launch.fine) : 0;
        work.items =
            work.train_items + (generation ? items(launch, p.test_chunks, gr_demes(&p), 0) : 0);
        for (uint32_t k = 0; k < GR_SLOTS; k++) {
            slots[k] = {};
            slots[k].tile =
                first_tile +
                k * launch.chunks * (uint32_t)gr_tile_words(p.inputs, CASES == GR_WEIGHED_CASES);
            slots[k].at = (uint32_t)__cvta_generic_to_shared(gr_shared_tile(slots[k]));
            if (k < ahead) /* in the order of the turns: none follows the first there is no more */
                draw_item<CASES>(s, launch, work, slots[k]);
        }
    }
    __syncthreads();
    uint32_t warp = __shfl_sync(0xffffffffu, threadIdx.x / GR_LANES, 0);
    if (warp < ahead)
        show_item<CASES, SHARED>(s, warp, slots[warp]);
    for (uint32_t turn = 0;; turn++, all_at_once = 0) {
        gr_slot &slot = slots[ahead ? turn % ahead : 0];
        if (!ahead)
            meet_for_item<CASES, SHARED>(s, launch, work, all_at_once, turn, slot);
        gr_await_slot(&slot, turn);
        if (slot.over)
            break;
        if (gr_literal_abreast(launch.abreast))
            evaluate_abreast<CASES, K, SHARED>(s, launch, work, slot, drawn, round);
        else
            evaluate_item<CASES, K, SHARED>(s, launch, work, all_at_once, slot);
        if (!ahead)
            continue;
        turn = slot.ready - 1; /* as it was: no register while programs run */
        if (gr_leave_slot(&slot)) {
            if (threadIdx.x % GR_LANES == 0)
                draw_item<CASES>(s, launch, work, slot);
            show_item<CASES, SHARED>(s, turn + ahead, slot);
        }
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
