/* The CUDA backend's engine, for its own files. */
#ifndef GR_ENGINE_CUDA_H
#define GR_ENGINE_CUDA_H

#include "gpu/backend/arena.h"
#include "gpu/backend/cards.h"
#include "gpu/backend/engine.h"
#include "gpu/backend/peers.h"
#include "gpu/backend/snapshot.h"
#include "gpu/core/state/state.h"
#include "gpu/interpreter/specialise.h"
#include "gpu/interpreter/tuner.h"
#include "gpu/kernels/kernels.h"

struct gr_engine {
    gr_state state; /* pointers into device memory */
    gr_arena arena;
    gr_launch launch;
    gr_shape evolve, evaluate, fit;
    gr_machine machine;
    gr_specialised interpreter;
    char *memory; /* the arena, which holds the next five as well */
    gr_code *code;
    gr_tickets *tickets;
    uint64_t *bred;  /* [n] gr_launch.bred, gr_launch.grows behind it; NULL: kernel 2 begins behind
                        kernel 1 */
    char *ranking;   /* counters and records of a ranking on all cases */
    void *replacing; /* gr_replace_bytes, of runs of several objectives */
    gr_mailbox *mailbox; /* host memory, with the ring behind it */
    gr_record *ring;
    cudaStream_t stream;
    cudaGraph_t recipe;
    cudaGraphExec_t graph;
    int owns_constant;    /* its grammar stands in constant memory */
    uint32_t epoch, most; /* generations of an epoch: what there is room for; for now */
    uint32_t demes, multiprocessors;
    uint32_t next;              /* generation to be bred next, followed on the host */
    struct gr_staging *staging; /* of snapshots; NULL before the first */
    uint32_t card;
    const gr_peers *peers; /* NULL: all islands and cases are here */
    void *links;           /* NCCL's communicator */
    gr_transfers transfers;
    double *share_sums; /* [members][chunks x sums][individuals of the member], of engines that
                           evaluate some individuals each */
    double opening[GR_OPENINGS];
    double issue_rate; /* lane instructions a second, 0 until measured */
    char device[256];
    gr_traffic traffic;
};

/* The ranking on all cases has its own loop, tickets and mailbox, and two rows of records: the
 * second one stands for the ring that nobody reads. */
typedef struct gr_ranking {
    gr_loop loop;
    gr_tickets tickets;
    gr_mailbox mailbox;
} gr_ranking;
enum { GR_RANKING_HEAD = 256 };
static_assert(sizeof(gr_ranking) <= GR_RANKING_HEAD, "records stand behind it");

static inline size_t gr_ranking_bytes(const gr_engine *e) {
    return GR_RANKING_HEAD + 2 * (size_t)e->demes * sizeof(gr_record);
}

/* A visible device, looked for once: asking the driver for all it knows of one takes milliseconds.
 */
typedef struct gr_found {
    cudaError_t code;
    int count, driver;
    double seconds; /* it took, the loading of the driver among them */
    cudaDeviceProp properties;
} gr_found;
const gr_found *gr_find_device(uint32_t card);

gr_status gr_cuda_fail(gr_error *error, cudaError_t code, const char *what);

/* GR_OK, or what gr_cuda_fail makes of the failure of `call`. */
gr_status gr_cuda_check(gr_error *error, cudaError_t code, const char *what);
#define GR_CUDA(call) gr_cuda_check(error, (call), #call)

/* Shapes (engine_shapes.cu), in this order: of the lanes that breed, of kernel 2 and its
 * interpreter, of kernel 1. */
void gr_cuda_choose_breeding(gr_engine *e, const gr_job *job, const cudaDeviceProp *device);
gr_status gr_cuda_choose_interpreter(gr_engine *e, const gr_job *job, const cudaDeviceProp *device,
                                     gr_error *error);
gr_status gr_cuda_choose_evolve(gr_engine *e, const gr_job *job, const cudaDeviceProp *device,
                                gr_error *error);

/* Kernel 2: the programs of the state's generation on its training cases. */
cudaError_t gr_launch_evaluate(const gr_engine *e, const gr_state *state, const gr_launch *launch);

/* Kernel 1 for the state, or a part of it: GR_EVOLVE_*. */
cudaError_t gr_launch_evolve(const gr_engine *e, const gr_state *state, gr_launch launch,
                             uint32_t steps);

/* Plans and takes the memory, in which counters are zero then; the state's pointers point into it.
 * What the run starts from goes there next. */
gr_status gr_cuda_take_memory(gr_engine *e, const gr_job *job, gr_error *error);
gr_status gr_cuda_upload(gr_engine *e, const gr_job *job, gr_error *error);
void gr_cuda_free_memory(gr_engine *e);
size_t gr_cuda_pinned_bytes(const gr_engine *e);
/* Whether no array was overrun so far; the stream is at rest. */
gr_status gr_cuda_check_guards(const gr_engine *e, gr_error *error);

/* Waits for what the stream has to do; tells the caller now and then how far the epoch is. */
gr_status gr_cuda_wait(gr_engine *e, void (*tick)(void *, uint32_t), void *context,
                       gr_error *error);

/* Engines that share a run (engine_peers.cu). Joining waits until all have come. */
gr_status gr_cuda_join_peers(gr_engine *e, const gr_peers *peers, gr_error *error);
void gr_cuda_leave_peers(gr_engine *e);
/* Whether the others are still there to be waited for; they are given up where not. */
gr_status gr_cuda_look_at_peers(gr_engine *e, gr_error *error);
/* The programs of the state's generation on all training cases: on those of this engine here, and
 * what the others' add up to comes from them. */
gr_status gr_cuda_evaluate(gr_engine *e, const gr_state *state, const gr_launch *launch,
                           gr_error *error);
/* What the stream has to give to others and to get, as listed in e->transfers. */
gr_status gr_cuda_exchange(gr_engine *e, gr_error *error);
/* Engines that evaluate some individuals each (engine_population.cu). Bytes of e->share_sums, 0 in
 * other runs; kernel 2's state for those evaluated here, and the sums of the others. */
size_t gr_cuda_share_bytes(const gr_job *job);
gr_state gr_cuda_state_of_own(const gr_engine *e, const gr_state *state);
gr_status gr_cuda_share_sums(gr_engine *e, const gr_state *state, gr_error *error);
/* Those of them that have memory together (engine_common.cu): bytes that stand on a member's card
 * already; memory for the common arrays of all members, taken by the first, and the arena's range
 * in it; that all have come by here in their streams. */
size_t gr_cuda_common_held(const gr_peers *peers);
gr_status gr_cuda_take_common(const gr_peers *peers, gr_arena *arena, gr_error *error);
gr_status gr_cuda_meet(gr_engine *e, gr_error *error);
/* Kernel 1 of a generation that selects from `selected`, and what is exchanged in it. */
gr_status gr_cuda_evolve_with_peers(gr_engine *e, uint32_t selected, gr_error *error);

/* As gr_backend has them. */
int gr_cuda_available(char *line, size_t size);
gr_status gr_cuda_load(gr_engine *e, const gr_node *trees, const uint32_t *lengths,
                       gr_error *error);
gr_status gr_cuda_measure(gr_engine *e, gr_phase phase, uint32_t repeats, int flush,
                          double *seconds, gr_error *error);
gr_status gr_cuda_snapshot(gr_engine *e, gr_snapshot *snapshot, gr_error *error);
gr_status gr_cuda_await_snapshot(gr_engine *e, gr_error *error);
gr_status gr_cuda_restore(gr_engine *e, const gr_snapshot *snapshot, gr_error *error);
void gr_cuda_free_staging(struct gr_staging *staging);
void gr_cuda_staging_bytes(const struct gr_staging *staging, size_t *host, size_t *device);

#endif
