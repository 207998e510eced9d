/* The two kernels of a generation, as the engine launches them. */
#ifndef GR_KERNELS_H
#define GR_KERNELS_H

#include "gpu/core/state/state.h"
#include "gpu/interpreter/interpreter.h"

#include <cuda_runtime.h>

enum { GR_GROUP_THREADS = GR_GROUP_WARPS * GR_LANES };

/* What the device and the host share while a run goes on; host memory mapped into the device. */
typedef struct gr_mailbox {
    volatile uint32_t stop; /* host to device: end at the next generation */
    volatile uint32_t
        published; /* device to host: generations of this epoch whose records are written */
    volatile uint32_t finished;
    volatile uint64_t phase[4]; /* as in gr_loop */
} gr_mailbox;

/* The queues and tickets of the kernels; zero before the first launch, left zero by each. */
typedef struct gr_tickets {
    uint32_t item;    /* next item of work to evaluate */
    uint32_t program; /* next program, if warps draw them from the whole population */
    uint32_t done;    /* blocks that have left the kernel */
    uint32_t fit;     /* next candidate for fitting */
    uint32_t judged;  /* blocks of kernel 1 that need nothing of the generation before any more */
    /* of kernels that overlap (gr_launch.bred): trees that took a place, from the front and from
     * the back; the number of the generation whose deme is completed + 1; when the last tree was
     * told of */
    uint32_t places[2], decided;
    unsigned long long last_told;
} gr_tickets;

/* What a launch of kernel 1 does; a generation is all of it. Engines that have some islands each
 * cut selection where they exchange something: behind the statistics, and behind the emigrants. */
enum {
    GR_EVOLVE_SELECT = 1,
    GR_EVOLVE_PLAN = 2,
    GR_EVOLVE_BREED = 4,
    GR_EVOLVE_UNTIL_STANDINGS = 8,
    GR_EVOLVE_FROM_STANDINGS = 16,
    GR_EVOLVE_UNTIL_MIGRANTS = 32,
    GR_EVOLVE_FROM_MIGRANTS = 64
};

/* Launch-time facts beside the state. */
typedef struct gr_launch {
    gr_mailbox *mailbox; /* mapped */
    gr_record *ring;     /* mapped, [epoch][demes] */
    gr_tickets *tickets;
    void *sorting;       /* gr_parents_bytes, of runs with lexicase */
    float *fitting;      /* [blocks][gr_fit_rows][GR_CHUNK] of runs that fit constants */
    const gr_code *code; /* how instructions become handlers, device memory */
    uint32_t steps; /* some of GR_EVOLVE_SELECT, _PLAN and _BREED; children are bred by the plans
                       of an earlier launch where they are not planned */
    uint32_t epoch; /* generations in an epoch */
    uint32_t width; /* trees: lanes for one, 1 (many_trees.h) or 32; genomes: 32 / those a warp
                       takes at a time */
    uint32_t near_nodes; /* of a tree that a warp breeds in shared memory, at most; width 1: of all
                            trees that it breeds at a time */
    uint32_t chunks;     /* chunks of a tile */
    uint32_t programs;   /* programs of an item of work: that a block runs on a tile */
    uint32_t draws;      /* programs of an item that a warp draws at a time, GR_DRAWN_TOGETHER at
                            most */
    uint32_t batch;      /* not 0: one tile holds all training cases and stays, warps draw so many
                            programs at a time from the whole population; as many at most */
    uint32_t together;   /* 1: groups of warps share a program, see evaluate.cuh */
    uint32_t abreast;    /* not 0: so many warps have the same program, each on a chunk of its own
                            (work.cuh) */
    uint32_t ahead;      /* not 0: a block has so many items under way (gr_slot, work.cuh) */
    uint32_t fine;       /* the last tiles of the training cases, whose items have fewer programs
                            (item_of, work.cuh) */
    uint32_t judges;     /* not 0: blocks of kernel 1 that do what selection leaves to the others'
                            breeding (small_selection.cuh) */
    uint64_t *bred; /* [n] not NULL: kernel 2 begins beside kernel 1, and takes individuals from
                       here as they are told of, GR_TOLD; an individual has a place of its own */
    uint8_t *grows; /* [2][n] by generation & 1, if so: whether a tree will get a new subtree, as
                       far as is known. It decides who breeds where, and no result */
    uint32_t graph; /* 1: the loop is a WHILE node with this handle */
    cudaGraphConditionalHandle loop;
    uint32_t first, last; /* individuals that kernel 1 breeds; others have the rest */
} gr_launch;

typedef struct gr_shape {
    uint32_t blocks, threads;
    size_t shared; /* bytes of dynamic shared memory a block */
} gr_shape;

static inline size_t gr_bred_bytes(const gr_params *p) {
    return p->individuals * (sizeof(uint64_t) + 2);
}

#ifdef __CUDACC__
/* Notes that `phase` (gr_phase; -1: none that counts) ends now and another begins; one thread. */
__device__ __forceinline__ void gr_stamp_at(gr_loop *loop, int phase, uint64_t now) {
    if (phase >= 0)
        loop->phase[phase] += now - loop->stamp;
    loop->stamp = now;
}
__device__ __forceinline__ void gr_stamp(gr_loop *loop, int phase) {
    uint64_t now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    gr_stamp_at(loop, phase, now);
}

/* A word that a kernel beside this one may have written, and by that all that was written before.
 */
__device__ __forceinline__ uint32_t gr_read_told(const uint32_t *at) {
    uint32_t word;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(word) : "l"(at) : "memory");
    return word;
}

/* Threads of the grid numbered so that consecutive warps stand in different blocks: work for a part
 * of the grid then occupies every multiprocessor. */
__device__ __forceinline__ uint32_t gr_scattered_thread(void) {
    uint32_t warp = threadIdx.x / GR_LANES * gridDim.x + blockIdx.x;
    return warp * GR_LANES + threadIdx.x % GR_LANES;
}
#endif

cudaError_t gr_upload_grammar(const uint32_t *words, uint32_t count); /* to constant memory */
cudaError_t gr_grammar_address(const uint32_t **words);               /* of those, for others */
uint32_t gr_constant_words(void);                                     /* how many fit there */
enum {
    GR_EVOLVE_THREADS = 256,
    GR_EVOLVE_BLOCKS = 3,      /* of a multiprocessor: waiting for memory is most of it */
    GR_EVOLVE_WIDE_BLOCKS = 2, /* of those that breed genomes, or a tree a warp: their registers
                                  count for more than a third block */
    GR_TREES_OF_WARP = 3,      /* at least, where many are bred at a time; else one by one */
    GR_TREES_AT_A_TIME = 8,    /* then, at least: other warps are idle */
    GR_FEW_TREES = 2048        /* of a deme that every block of kernel 1 looks at by itself */
};

/* What stands for an individual where there is none. */
#define GR_NOBODY 0xffffffffu
/* An individual of a generation that is ready, and the instructions of its program; 0: it has not
 * to run. */
#define GR_TOLD(generation, i, instructions)                                                       \
    ((uint64_t)((generation) + 1) << 32 | (uint64_t)(instructions) << 16 | (i))
#define GR_TOLD_GENERATION(told) ((uint32_t)((told) >> 32) - 1)
#define GR_TOLD_INDIVIDUAL(told) ((uint32_t)(told)&0xffffu)
#define GR_TOLD_INSTRUCTIONS(told) ((uint32_t)(told) >> 16)

/* Kernel 1, by the launch's width, near_nodes and judges. Trees of types have one of their own, and
 * so have few trees, those of runs with judges. */
const void *gr_evolve_kernel_address(const gr_params *p, int typed, const gr_launch *launch);
const void *gr_evolve_few_trees_address(void);
const void *gr_evolve_typed_trees_address(void);
const void *gr_evolve_trees_address(void);
const void *gr_evolve_many_trees_address(const gr_params *p, uint32_t near_nodes);
/* Dynamic shared memory of a block that breeds trees, at most `available` bytes, and in *nodes what
 * gr_launch.near_nodes then is; 0: not a single tree fits. */
size_t gr_evolve_near(const gr_params *p, uint32_t width, size_t available, uint32_t *nodes);

/* Runs whose selection is a kernel of its own in front of kernel 1, which then only plans and
 * breeds; with the shape of kernel 1. outputs: kernel 2 kept them (gr_keeps_outputs). */
int gr_selects_apart(const gr_state *s);
const void *gr_select_double_address(void); /* in runs over doubles */
cudaError_t gr_launch_select(gr_shape evolve, uint32_t outputs, const gr_state *state,
                             const gr_launch *launch, cudaStream_t stream);

/* Around it in runs with lexicase (lexicase.cu); memory: gr_parents_bytes. */
cudaError_t gr_launch_errors(gr_shape evolve, uint32_t outputs, const gr_state *state,
                             cudaStream_t stream);
size_t gr_parents_bytes(const gr_params *p);
cudaError_t gr_launch_parents(gr_shape evolve, const gr_state *state, void *memory,
                              cudaStream_t stream);

/* Kernel 2 over doubles, of a machine by gr_choose_double_machine: it takes the place of an
 * interpreter. */
const void *gr_double_kernel(const gr_machine *machine);
/* The name in direct_double.cu of one with `direct`. */
const char *gr_direct_double_kernel(const gr_machine *machine);

/* For measurements. Trees in the buffer of `generation` become individuals and programs; lengths
 * [n] in device memory; `breed` and `width`: what the scratch memory was planned for. */
cudaError_t gr_compile_trees(const gr_state *state, uint32_t generation, const uint32_t *lengths,
                             uint32_t width, gr_shape evolve, cudaStream_t stream);
/* The costs that kernel 1 would compute from the sums, class thresholds fitted. */
cudaError_t gr_finish_costs(const gr_state *state, uint32_t generation, cudaStream_t stream);
/* Lane instructions a second that the device issues, measured in about a millisecond. */
cudaError_t gr_issue_rate(int multiprocessors, cudaStream_t stream, double *rate);

/* Cooperative launch of a kernel of either kind. */
cudaError_t gr_launch_kernel(const void *kernel, gr_shape shape, const gr_state *state,
                             const gr_launch *launch, cudaStream_t stream);

#endif
