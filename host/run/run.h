/* A run from start to end: problem, backend, statistics and best programs. Prints nothing, never
 * exits.
 *
 *     gr_run *run;
 *     gr_run_open(&settings, &run, &error);           settings resolved; nothing is bred yet
 *     do
 *         gr_run_advance(run, &watch, &finished, &error);
 *     while (!finished);
 *     gr_run_best(run, 0, &best, &error);
 *     gr_run_close(run);
 */
#ifndef GRAMPUS_RUN_H
#define GRAMPUS_RUN_H

#include "gpu/backend/snapshot.h"
#include "gpu/core/state/state.h"
#include "host/problem/job.h"

typedef struct gr_run gr_run;

/* Some measure over the individuals that have it; all NaN when none has. */
typedef struct gr_min_mean_max {
    double min, mean, max;
} gr_min_mean_max;

/* One generation of one run. Fitness as a user reads it: the worst is an infinity, NaN where there
 * is none. */
typedef struct gr_generation {
    uint32_t run, generation;
    int improved;
    double best, mean; /* of this generation; the mean over finite ones */
    double best_ever, test;
    uint32_t individuals, by_validity[GR_VALIDITY_COUNT];
    uint32_t nonfinite;                 /* valid, but without a finite fitness */
    uint64_t draws_again, parents_kept; /* what limits cost its children, see gr_add_retries */
    gr_min_mean_max size[GR_SIZE_KINDS];
    uint32_t best_nodes, best_depth; /* of this generation's best */
    double executed;                 /* nodes x cases that evaluating it took */
    double seconds;                  /* since the start, when it was selected */
} gr_generation;

/* Who looks on. Generations come in rising order, in each the runs in rising order; ticks (the
 * generation selected last) come in between. `border` comes after the generations of an epoch, when
 * a snapshot can be taken; `ended`: it was the last. All may be NULL. */
typedef struct gr_watch {
    void (*generation)(void *context, const gr_generation *generation);
    void (*tick)(void *context, uint32_t generation);
    void *context;
    void (*border)(void *context, int ended);
} gr_watch;

/* What ended a run, or of a batch the run that went on for longest: of several the last of these.
 */
typedef enum gr_reason {
    GR_GOES_ON,
    GR_REACHED_TARGET,
    GR_REACHED_STAGNATION,
    GR_REACHED_EVALUATIONS,
    GR_REACHED_GENERATIONS,
    GR_REACHED_TIME_LIMIT,
    GR_REQUESTED, /* gr_run_stop */
    GR_REASONS
} gr_reason;
/* "target-fitness", ...: the setting that ended it, or "request". */
const char *gr_reason_name(gr_reason reason);

/* Sums over the steps of a run's generation that is not complete. */
typedef struct gr_run_step {
    double executed;
    uint64_t draws_again, parents_kept;
    uint64_t improved;
} gr_run_step;

/* What a run knows besides its engine's state; with a snapshot all that it takes to go on. */
typedef struct gr_run_tally {
    uint64_t rows;        /* generations that its watch was told of */
    uint64_t generations; /* of the engine, selected */
    uint64_t reason;      /* gr_reason */
    double seconds;       /* since the start, without breaks */
    double executed;
} gr_run_tally;

/* The best individual of one run. */
typedef struct gr_best {
    uint32_t run, generation; /* where it was found */
    uint64_t seed;
    double train, test;   /* test: NaN without test cases */
    int solved;           /* reached target-fitness, and does not differ */
    double recomputed[2]; /* train and test as recompute.h has them; NaN: not computed again */
    int differs;          /* what is reported from what was recomputed */
    uint32_t validity, nodes, depth, derivation_nodes, used, length;
    double intercept, slope; /* of linear scaling; 0 and 1 without */
    char *phenotype;         /* GE: the sentence; tree: as infix; NULL when invalid */
    char *infix;             /* NULL when invalid */
    uint32_t *genome;        /* [length] codons, NULL for trees */
} gr_best;

typedef struct gr_run_report {
    const char *backend; /* "cpu", "cuda" */
    gr_engine_report engine;
    gr_traffic traffic;
    char why[256];       /* why this backend */
    uint32_t generation; /* selected last */
    double executed;     /* nodes x cases, all generations */
    double seconds;      /* since the start */
    int finished;        /* nothing left to do; runs on samples were ranked on all cases */
    int stopped;         /* on request, with runs that were not done */
    gr_reason reason;
    uint32_t snapshots; /* taken by this process */
    double pause;       /* seconds that the run stood still for them */
} gr_run_report;

/* The backend for a choice of settings.h, GR_AUTO: CUDA where there is one. */
gr_status gr_choose_backend(uint32_t device, const gr_backend **backend, char *why, size_t size,
                            gr_error *error);

gr_status gr_run_open(const gr_settings *settings, gr_run **run, gr_error *error);
/* One epoch. *finished: no run goes on, or it was stopped. */
gr_status gr_run_advance(gr_run *run, const gr_watch *watch, int *finished, gr_error *error);
/* What it takes to go on from here; in a watch's `border` alone. steps[runs]. The snapshot is
 * complete after gr_run_await_snapshot, from any thread. */
gr_status gr_run_snapshot(gr_run *run, gr_snapshot *snapshot, gr_run_tally *tally,
                          gr_run_step *steps, gr_error *error);
gr_status gr_run_await_snapshot(gr_run *run, gr_error *error);
/* Goes on from there, before the first epoch. */
gr_status gr_run_resume(gr_run *run, const gr_snapshot *snapshot, const gr_run_tally *tally,
                        const gr_run_step *steps, gr_error *error);
/* Ends the run at the next generation border. Safe in a signal handler and from any thread. */
void gr_run_stop(gr_run *run);
/* The first `bytes` of a section of the state, between epochs. */
gr_status gr_run_read(gr_run *run, gr_section section, void *to, size_t bytes, gr_error *error);
/* Between epochs; the caller frees with gr_best_free. */
gr_status gr_run_best(gr_run *run, uint32_t index, gr_best *best, gr_error *error);
void gr_best_free(gr_best *best);
void gr_run_look(const gr_run *run, gr_run_report *report);
/* Node evaluations per second of the epochs so far, 0 before the first; in units of 10^9. */
double gr_run_gpops(const gr_run_report *report);
/* Generations of the run, as the settings have them. */
uint32_t gr_run_generations(const gr_params *p);
const gr_problem *gr_run_problem(const gr_run *run);
void gr_run_close(gr_run *run);

#endif
