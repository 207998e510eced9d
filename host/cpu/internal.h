/* The engine of the CPU as its files share it: engine.c opens, copies, reads and measures it,
 * generation.c goes through a generation. */
#ifndef GRAMPUS_CPU_INTERNAL_H
#define GRAMPUS_CPU_INTERNAL_H

#include "gpu/backend/arena.h"
#include "gpu/backend/engine.h"
#include "gpu/backend/peers.h"
#include "host/cpu/copies.h"
#include "host/cpu/evaluate.h"
#include "host/cpu/kept.h"
#include "host/cpu/snapshot.h"
#include "host/cpu/team.h"

#include <stdatomic.h>

struct gr_engine {
    gr_state state;
    gr_arena arena;
    void *memory;                /* the arena, which holds the next two as well */
    gr_cpu_registers *registers; /* [threads] */
    gr_record *records;          /* [epoch][demes] */
    const gr_cpu_interpreter *interpreter;
    void *fitting; /* memory of the threads; NULL: no constants are fitted */
    gr_team *team;
    gr_cpu_staging staging;
    const gr_peers *peers; /* NULL: all islands and cases are here */
    gr_transfers transfers;
    uint32_t *arrived;     /* counts of classes by others, see gr_list_sums */
    gr_error lost;         /* an exchange that failed */
    uint32_t epoch, most;  /* generations of an epoch: what there is room for; for now */
    int chosen;            /* the number of threads, for the work there is */
    atomic_int stop;       /* set by any thread, or a signal handler */
    int leaves;            /* loops end as soon as `stop` is set */
    atomic_uint bred;      /* individuals, from the first on, that may be of the next generation */
    gr_cpu_kept kept;      /* of the generation before it */
    gr_cpu_copies *copies; /* [threads]; of all, the first one; NULL: elites are bred */
    int restarted;         /* an island began anew: there is no way back to its old population */
    double seconds, phase[GR_PHASES];
    double pace; /* seconds of a generation, lately; 0: not known */
};

/* Children for a generation, of the parents that were planned. copies: where elites' programs are
 * put aside, those of the parents being there; NULL: elites are bred as others. */
void gr_cpu_breed(gr_engine *e, uint32_t generation, gr_cpu_copies *copies);
/* All programs over all chunks; a chunk's tile stays in the cache while programs stream. */
void gr_cpu_evaluate_all(gr_engine *e, uint32_t generation);
/* Breeds and evaluates the generation that is next; 0: it was given up, the run being stopped. */
int gr_cpu_next(gr_engine *e);
/* Selects a generation, breeds and evaluates the next; one of an epoch. */
void gr_cpu_generation(gr_engine *e);
/* The same; where demes have nothing to do with one another, of as many generations as a moment
 * has. */
void gr_cpu_generations(gr_engine *e);
/* The last generation once more on all cases; its best becomes the best of the run. */
gr_status gr_cpu_rank(gr_engine *e, gr_error *error);
/* Costs of an evaluated generation, as the next selection will compute them. */
void gr_cpu_costs(gr_engine *e, uint32_t generation);

/* ---- parts of a generation ---- */

/* What the loops over a generation are about. */
typedef struct gr_turn {
    gr_engine *e;
    uint32_t generation;
    const gr_cpu_copies *copies; /* put aside for it; NULL: none */
} gr_turn;
/* What an evaluation is about: programs and cases of a state. */
typedef struct gr_evaluation {
    gr_engine *e;
    const gr_state *s;
    uint32_t generation;
} gr_evaluation;

/* Loops of a gr_turn: over segments, spans and demes, over pairs of parents, over individuals. */
gr_loop_body gr_cpu_segments_statistics, gr_cpu_spans_statistics, gr_cpu_finish_demes,
    gr_cpu_validate_some, gr_cpu_plan_some, gr_cpu_breed_some;
/* Of a gr_evaluation: over individuals, chunk after chunk. */
gr_loop_body gr_cpu_evaluate_some;
/* The best so far of a deme on a chunk of test cases, where it is new. */
void gr_cpu_test_one(gr_engine *e, uint32_t chunk, uint32_t deme, gr_cpu_registers *registers);
/* Whether the generation under way is given up. */
int gr_cpu_is_left(const gr_engine *e);
/* It was: the run ends with the one before it. */
void gr_cpu_return(gr_engine *e);

#endif
