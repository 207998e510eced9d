/* What the kernels of NSGA-II share: pareto.cu, which puts members in order, and pareto_ranks.cu,
 * which finds their ranks. */
#ifndef GR_PARETO_CUH
#define GR_PARETO_CUH

#include "gpu/core/selection/pareto.h"
#include "gpu/kernels/stages.h"

enum {
    GR_RANK_THREADS = 256, /* members that a block ranks at a time */
    GR_MOST_ROWS = 128,    /* of tiles; as many blocks are on the device together */
    GR_TILE_MEMBERS = 64,  /* of a tile, at least about so many */
    GR_MOST_LEVELS = 1024, /* values of a second objective that has few of them */
    GR_NO_RANK = 0xfffffffeu,
    GR_ABSENT = 0xffffffffu /* parents in the first generation: rank and key */
};

/* What the kernels share beside the state. */
typedef struct gr_ranking {
    uint32_t members, own; /* of all demes, and of one */
    uint32_t rows, side;   /* of tiles, and members along a side of one */
    uint32_t *begin;       /* [rows * rows + 2] of a tile among the members by tile */
    uint32_t *most;        /* [rows][rows] highest rank + 1 in a tile, or left of or below it */
    uint32_t *done;        /* [rows] tiles of a row that are ranked */
    uint32_t levels;       /* values of the second objective; 0: they are many */
    uint32_t stretches;    /* of x, where there are levels */
    uint32_t *carry;       /* [stretches][levels] what goes from a stretch of x to the next */
    uint32_t *row[GR_PARETO_ROWS];
} gr_ranking;

__device__ __forceinline__ static uint32_t gr_generation_bred(const gr_state &s) {
    return s.loop->next - 1;
}
__device__ __forceinline__ static uint32_t gr_first_thread(void) {
    return blockIdx.x * blockDim.x + threadIdx.x;
}
__device__ __forceinline__ static uint32_t gr_all_threads(void) {
    return gridDim.x * blockDim.x;
}

/* Whether a member is there: the first generation has no parents. */
__device__ __forceinline__ static uint32_t gr_is_there(const gr_state &s, const gr_ranking &r,
                                                       uint32_t member) {
    return s.loop->next != 1 || member % r.own < s.p.population;
}
/* Level of a member: its second objective, which is a number of nodes or levels, or the last. */
__device__ __forceinline__ static uint32_t gr_level_of(const gr_state &s, const gr_ranking &r,
                                                       uint32_t member) {
    float value = gr_objectives_of(&s, member / r.own, member % r.own)[1];
    return value < (float)(r.levels - 1) ? (uint32_t)value : r.levels - 1;
}
__device__ __forceinline__ static uint32_t
gr_key_of_objective(const gr_state &s, const gr_ranking &r, uint32_t member, uint32_t k) {
    return gr_is_there(s, r, member) ? gr_objective_key(&s, member / r.own, member % r.own, k)
                                     : GR_ABSENT;
}

/* Ranks of those that are equal to no other, by x, to row GR_PARETO_KEY; blocks: of
 * GR_STAGE_THREADS, as many as there is work for. */
cudaError_t gr_launch_ranks(const gr_state *state, const gr_ranking *ranking, uint32_t blocks,
                            int multiprocessors, cudaStream_t stream);

/* The same for a second objective of few values (pareto_levels.cu). Row GR_PARETO_AT has the level
 * of a member by x, or r.levels, and GR_DEME_BEGINS; `carry` is 0. */
#define GR_DEME_BEGINS 0x80000000u
cudaError_t gr_launch_rank_levels(const gr_state *state, const gr_ranking *ranking,
                                  int multiprocessors, cudaStream_t stream);
uint32_t gr_level_stretches(uint32_t members);

#endif
