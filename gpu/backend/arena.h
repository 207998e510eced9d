/* One block of memory for the whole state: planned and printed before anything starts. */
#ifndef GRAMPUS_ARENA_H
#define GRAMPUS_ARENA_H

#include "gpu/backend/engine.h"
#include "gpu/core/state/state.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Parts of the memory plan. */
typedef enum gr_arena_part {
    GR_PART_DATA,
    GR_PART_POPULATION,
    GR_PART_PROGRAMS,
    GR_PART_SUMS,
    GR_PART_STATISTICS,
    GR_PART_SCRATCH,
    GR_PART_CASES,  /* errors by case, where selection looks at them */
    GR_PART_MEMORY, /* programs and their sums from earlier generations */
    GR_PART_COUNT
} gr_arena_part;

/* Pages of common memory; the granularity of devices divides it. */
#define GR_COMMON_PAGE ((size_t)2 << 20)

typedef struct gr_arena {
    size_t bytes; /* of this engine: its block, and its pages of common memory */
    size_t block; /* of memory of its own */
    /* Arrays with a row for every individual in a run whose engines have these in common memory
     * (gr_peers.common): bytes of the range of addresses, and where the engine has found it */
    size_t common;
    char *range;
    unsigned char is_common[127]; /* of every array: its offset is one in that range */
    size_t part[GR_PART_COUNT];
    size_t guard;                  /* bytes of guard words at least behind every array; mostly 0 */
    size_t size[127], offset[127]; /* of every array, in the order of gr_arena_plan */
    const char *name[127];
    int arrays;
} gr_arena;

/* Sizes and offsets of all arrays of the state for `groups` lane groups. */
void gr_arena_plan(gr_arena *arena, const gr_job *job, uint32_t groups);
/* Another array behind them, for the engine alone: its number. */
int gr_arena_add(gr_arena *arena, const char *name, size_t bytes, gr_arena_part part);
/* Lets the state's pointers point into a block at `base`. */
void gr_arena_bind(const gr_arena *arena, const gr_job *job, uint32_t groups, void *base,
                   gr_state *state);
/* "212.4 MB: data 0.8, population 102.0, ..." */
void gr_arena_describe(const gr_arena *arena, char *line, size_t size);
/* ---- guard words, in builds with GUARDS=1 or with GRAMPUS_GUARDS=1 in the environment ---- */

/* What is written around arrays and stays there unless one of them is overrun. */
enum { GR_GUARD_BYTE = 0xa5 };
typedef struct gr_guard {
    size_t offset, bytes;
} gr_guard;
enum { GR_MOST_GUARD_BYTES = 512 };
/* Those behind array k up to the next one, at most GR_MOST_GUARD_BYTES; k -1: before the first. */
gr_guard gr_arena_guard(const gr_arena *arena, int k);
/* GR_FAILED with the array's name where they are not what they were; `words`: as they stand there
 * now. */
gr_status gr_arena_check_guard(const gr_arena *arena, int k, const void *words, gr_error *error);

/* Of an engine that is closed, and has nobody to tell: says it on standard error and aborts. */
void gr_guards_broken(const gr_error *error);

/* GR_NO_MEMORY with the numbers and the largest population that fits, if `available` bytes are too
 * few. */
gr_status gr_arena_check(const gr_arena *arena, const gr_job *job, uint32_t groups,
                         size_t available, const char *where, gr_error *error);
/* Where a section stands in the state and how long it is; generation parity as it is after the last
 * breeding. */
size_t gr_arena_section(const gr_state *state, gr_section section, uint32_t generation,
                        const void **at);

#ifdef __cplusplus
}
#endif

#endif
