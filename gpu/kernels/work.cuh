/* What kernel 2 is made of beside the evaluation itself, over floats and over doubles: its items of
 * work, and what the block that comes last does. */
#ifndef GR_WORK_CUH
#define GR_WORK_CUH

#include "gpu/backend/engine.h"
#include "gpu/core/selection/select.h"
#include "gpu/kernels/kernels.h"

/* Fitness cases that a kernel is compiled for. */
enum { GR_PLAIN_CASES, GR_WORD_CASES, GR_WEIGHED_CASES };

/* Inputs of words that are looked at, whether they are one word in all of a tile (evaluate.cuh). */
enum { GR_UNIFORM_INPUTS = 256 };

/* A block of programs on the chunks of one tile. Training: programs are individuals; test: demes'
 * best so far. */
struct gr_item {
    uint32_t set, chunk, chunks, first, last;
};

/* Programs of an item, of the last tiles or of the others; how many items a tile has then. */
enum { GR_FINER = 4 };
__device__ __forceinline__ static uint32_t programs_of(const gr_launch &launch, uint32_t fine) {
    return fine ? (launch.programs + GR_FINER - 1) / GR_FINER : launch.programs;
}
__device__ __forceinline__ static uint32_t columns_of(uint32_t programs, uint32_t of_item) {
    return (programs + of_item - 1) / of_item;
}

/* Items of a set: tiles x blocks of programs. */
__device__ __forceinline__ static uint32_t items(const gr_launch &launch, uint32_t chunks,
                                                 uint32_t programs, uint32_t fine) {
    return ((chunks + launch.chunks - 1) / launch.chunks - fine) *
               columns_of(programs, programs_of(launch, 0)) +
           fine * columns_of(programs, programs_of(launch, 1));
}

/* Item `number` of the generation's work, tile by tile so that a block mostly keeps its tile. Items
 * of the last training tiles are small where programs are uneven: blocks end together. */
__device__ __forceinline__ static gr_item item_of(const gr_state &s, const gr_launch &launch,
                                                  uint32_t number, uint32_t train_items) {
    const gr_params &p = s.p;
    uint32_t set = number >= train_items, count = set ? gr_demes(&p) : p.individuals,
             chunks = set ? p.test_chunks : p.train_chunks, tile = 0,
             k = set ? number - train_items : number, of_item = programs_of(launch, 0);
    if (!set && launch.fine && train_items) {
        uint32_t last = launch.fine * columns_of(count, programs_of(launch, 1));
        if (k >= train_items - last) {
            k -= train_items - last;
            tile = (chunks + launch.chunks - 1) / launch.chunks - launch.fine;
            of_item = programs_of(launch, 1);
        }
    }
    uint32_t columns = columns_of(count, of_item);
    gr_item item = {set, (tile + k / columns) * launch.chunks, 0, k % columns * of_item, 0};
    item.chunks = gr_min_u32(launch.chunks, chunks - item.chunk);
    item.last = gr_min_u32(item.first + of_item, count);
    return item;
}

/* Who stands at place k, once kernel 1 has told. That is there as a whole before a block of this
 * kernel is, and waits for nobody here, so that the wait ends. */
__device__ __forceinline__ static uint64_t await_told(const gr_launch &launch, uint32_t generation,
                                                      uint32_t k) {
    uint64_t told;
    for (;; __nanosleep(32)) {
        asm volatile("ld.acquire.gpu.global.u64 %0, [%1];"
                     : "=l"(told)
                     : "l"(launch.bred + k)
                     : "memory");
        if (GR_TOLD_GENERATION(told) == generation)
            return told;
    }
}

/* Length of a program that has to run, 0 for one that has not. */
__device__ __forceinline__ static uint32_t program_length(const gr_state &s, uint32_t generation,
                                                          uint32_t set, uint32_t i) {
    if (set == 0)
        return s.individuals[generation & 1][i].instructions;
    const gr_deme *d = &s.demes[i];
    return s.records[i].written && d->improved ? d->best.instructions : 0;
}

/* Warps of one part of a multiprocessor that go through programs abreast, each on a chunk of its
 * own: what one of them has fetched of the code is near for the others. It pays where warps wait
 * for instructions (tuner.c). */
struct gr_abreast {
    uint32_t group, member, size;
};
__device__ __forceinline__ static gr_abreast gr_abreast_of(uint32_t size) {
    uint32_t thread;
    asm volatile("mov.u32 %0, %%tid.x;" : "=r"(thread)); /* anew: registers are short */
    uint32_t warp = __shfl_sync(0xffffffffu, thread / GR_LANES, 0);
    return {warp / (GR_SM_PARTS * size) * GR_SM_PARTS + warp % GR_SM_PARTS,
            warp / GR_SM_PARTS % size, size};
}

/* The next program of a group, which meets here; none where it is behind the item's last. Rounds
 * take turns in `drawn` [GR_DRAWN], so that who comes first does not write where others read. */
enum { GR_DRAWN = 2 * GR_ABREAST_GROUPS };
__device__ __forceinline__ static uint32_t gr_draw_abreast(const gr_abreast &a, uint32_t first,
                                                           uint32_t round, uint32_t *next,
                                                           uint32_t *drawn) {
    uint32_t *own = drawn + round % 2 * GR_ABREAST_GROUPS + a.group;
    if (a.member == 0 && threadIdx.x % GR_LANES == 0)
        *own = first + atomicAdd(next, 1u);
    asm volatile("bar.sync %0, %1;" ::"r"(a.group + 1), "r"(a.size * GR_LANES) : "memory");
    return __shfl_sync(0xffffffffu, *own, 0);
}

/* What a block knows in shared memory of an item that it has under way. Where it has several, a
 * warp that finds no program left in one goes on to the next, and does not wait for those who end
 * theirs; who leaves an item last brings the one behind the others to its place. */
struct gr_slot {
    gr_item item;
    uint32_t over;  /* 1: there is none any more */
    uint32_t drawn; /* how often warps have drawn programs of the item */
    uint32_t left;  /* warps that have found none there */
    uint32_t ready; /* 1 + the turn whose item is there: the block's item k has turn k */
    uint32_t tile;  /* where its tile stands: words behind the first in dynamic shared memory */
    uint32_t at;    /* the same as an address in shared memory */
    uint32_t cases; /* cases, or words of them, from its first chunk on to the end of the set */
    double *sums;   /* of its first chunk, one for each program of the set */
    uint32_t uniform[GR_UNIFORM_INPUTS / 32]; /* of words: inputs that are one in all of the tile */
    const void *loaded;                       /* the tile that is there; NULL: none yet */
};
enum { GR_SLOTS = 3 }; /* at most */

/* One thread: what follows from the slot's item, once for all programs. */
template <int CASES>
__device__ __forceinline__ static void gr_know_item(const gr_state &s, gr_slot &slot) {
    const gr_item &item = slot.item;
    uint32_t cases = item.set ? s.p.test_cases : s.p.train_cases;
    slot.cases = (CASES == GR_WORD_CASES ? (cases + 31) / 32 : cases) - item.chunk * GR_CHUNK;
    slot.sums = (item.set ? s.best_sums : s.sums) +
                (size_t)item.chunk * s.p.sums * (item.set ? gr_demes(&s.p) : s.p.individuals);
}

/* All lanes of a warp: its item of this turn is there, and what was written for it. */
__device__ __forceinline__ static void gr_await_slot(const gr_slot *slot, uint32_t turn) {
    uint32_t at = (uint32_t)__cvta_generic_to_shared(&slot->ready), ready;
    for (;; __nanosleep(32)) {
        asm volatile("ld.acquire.cta.shared.u32 %0, [%1];" : "=r"(ready) : "r"(at) : "memory");
        if (__all_sync(0xffffffffu, ready == turn + 1)) /* so that it is the same for all */
            break;
    }
}
/* All lanes have written what belongs to the item. */
__device__ __forceinline__ static void gr_ready_slot(gr_slot *slot, uint32_t turn) {
    uint32_t at = (uint32_t)__cvta_generic_to_shared(&slot->ready);
    __threadfence_block();
    __syncwarp();
    if (threadIdx.x % GR_LANES == 0)
        asm volatile("st.release.cta.shared.u32 [%0], %1;" ::"r"(at), "r"(turn + 1) : "memory");
}
/* A warp has no program of the item left. Whether it is the last, so that all have read what is
 * there. */
__device__ __forceinline__ static uint32_t gr_leave_slot(gr_slot *slot) {
    uint32_t last = 0;
    __syncwarp();
    if (threadIdx.x % GR_LANES == 0) {
        __threadfence_block();
        last = atomicAdd(&slot->left, 1u) == blockDim.x / GR_LANES - 1;
        __threadfence_block();
    }
    return __shfl_sync(0xffffffffu, last, 0);
}

/* Hands records to the host, a warp a deme, some of them in flight. It reads them once a kernel
 * behind has begun, so they need no fence. */
__device__ __forceinline__ static void hand_over(const gr_state &s, const gr_launch &launch,
                                                 uint32_t warp, uint32_t warps) {
    enum { AHEAD = 4 };
    uint32_t demes = gr_demes(&s.p), pairs = gr_record_bytes(&s.p) / sizeof(uint2);
    gr_record *ring = launch.ring + (size_t)s.loop->epoch * demes;
    for (uint32_t first = warp; first < demes; first += AHEAD * warps)
        for (uint32_t k = threadIdx.x % GR_LANES; k < pairs; k += GR_LANES) {
            uint2 part[AHEAD];
#pragma unroll
            for (uint32_t n = 0; n < AHEAD; n++)
                part[n] =
                    ((const uint2 *)(s.records + gr_min_u32(first + n * warps, demes - 1)))[k];
#pragma unroll
            for (uint32_t n = 0; n < AHEAD; n++)
                if (first + n * warps < demes)
                    ((uint2 *)(ring + first + n * warps))[k] = part[n];
        }
}

/* The last block to arrive completes the records. Those of runs that have no test cases were
 * complete before, and all blocks handed them over. */
template <int CASES>
__device__ __forceinline__ static void publish(const gr_state &s, const gr_launch &launch,
                                               uint32_t generation) {
    __shared__ uint32_t last;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicAdd(&launch.tickets->done, 1u) == gridDim.x - 1;
    __syncthreads();
    if (!last)
        return;
    __threadfence();
    __builtin_assume(s.p.case_weights == (CASES == GR_WEIGHED_CASES));
    gr_loop *loop = s.loop;
    if (launch.bred && generation) /* the deme is completed beside all this */
        while (gr_read_told(&launch.tickets->decided) != generation)
            ;
    if (generation && s.p.test_chunks) {
        for (uint32_t d = threadIdx.x; d < gr_demes(&s.p); d += blockDim.x)
            gr_finish_test(&s, d);
        __syncthreads();
        hand_over(s, launch, threadIdx.x / GR_LANES, blockDim.x / GR_LANES);
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        uint32_t tells = !launch.judges;
        if (launch.bred && !loop->finished)
            gr_stamp_at(loop, GR_PHASE_BREED, launch.tickets->last_told);
        gr_stamp(loop, GR_PHASE_EVALUATE);
        launch.tickets->item = launch.tickets->program = launch.tickets->done = 0;
        launch.tickets->places[0] = launch.tickets->places[1] = launch.tickets->decided = 0;
        launch.tickets->last_told = 0;
        loop->epoch += generation > 0;
        loop->next += !loop->finished;
        loop->closed = loop->finished;
        tells |= loop->finished || loop->epoch == launch.epoch;
        for (int k = 0; tells && k < GR_PHASE_RANK; k++)
            launch.mailbox->phase[k] = loop->phase[k];
        if (tells) { /* otherwise a judge does, later: writing so far shows in a short generation */
            launch.mailbox->finished = loop->finished;
            launch.mailbox->published = loop->epoch;
        }
        if (loop->epoch == launch.epoch)
            loop->epoch = 0; /* the next epoch begins */
    }
}

#endif
