/* The CUDA backend's engine, for its own files. */
#ifndef GR_ENGINE_CUDA_H
#define GR_ENGINE_CUDA_H

#include "gpu/backend/arena.h"
#include "gpu/backend/engine.h"
#include "gpu/backend/snapshot.h"
#include "gpu/core/state/state.h"
#include "gpu/interpreter/specialise.h"
#include "gpu/interpreter/tuner.h"
#include "gpu/kernels/kernels.h"

struct gr_engine {
    gr_state state; /* pointers into device memory */
    gr_arena arena;
    gr_launch launch;
    gr_shape evolve, evaluate;
    gr_machine machine;
    gr_specialised interpreter;
    gr_code *code; /* device memory */
    char *memory;  /* the arena */
    gr_mailbox *mailbox;
    gr_record *ring;
    gr_tickets *tickets;
    char *ranking; /* counters and records of a ranking on all cases */
    cudaStream_t stream;
    cudaGraph_t recipe;
    cudaGraphExec_t graph;
    int owns_constant; /* its grammar stands in constant memory */
    uint32_t epoch, demes;
    uint32_t next;              /* generation to be bred next, followed on the host */
    struct gr_staging *staging; /* of snapshots; NULL before the first */
    double opening[GR_OPENINGS];
    double issue_rate; /* lane instructions a second, 0 until measured */
    char device[256];
    gr_traffic traffic;
};

/* The first visible device, looked for once: asking the driver for all it knows of one takes
 * milliseconds. */
typedef struct gr_found {
    cudaError_t code;
    int count, driver;
    double seconds; /* it took, the loading of the driver among them */
    cudaDeviceProp properties;
} gr_found;
const gr_found *gr_find_device(void);

gr_status gr_cuda_fail(gr_error *error, cudaError_t code, const char *what);

/* GR_OK, or what gr_cuda_fail makes of the failure of `call`. */
gr_status gr_cuda_check(gr_error *error, cudaError_t code, const char *what);
#define GR_CUDA(call) gr_cuda_check(error, (call), #call)

/* The programs of the state's generation on its training cases. */
cudaError_t gr_launch_evaluate(const gr_engine *e, const gr_state *state, const gr_launch *launch);

/* Kernel 1 for the state, or a part of it: GR_EVOLVE_*. */
cudaError_t gr_launch_evolve(const gr_engine *e, const gr_state *state, gr_launch launch,
                             uint32_t steps);

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

#endif
