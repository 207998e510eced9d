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
#include "host/statistics/records.h"

typedef struct gr_run gr_run;

/* Who looks on. Generations come in rising order, in each the runs in rising order; ticks (the
 * generation selected last) come in between. `rows` gets the same generations as `generation`, many
 * at a time, and frees them. `early` gets generations of an epoch that goes on, now and then and
 * where the backend has them: they come once more at its end. `border` comes after the generations
 * of an epoch, when a snapshot can be taken, but not where a law ended the run; `ended`: it was the
 * last. `due` tells the seconds until one is to be taken: an epoch lasts no longer, but for a
 * generation. All may be NULL. */
typedef struct gr_watch {
    void (*generation)(void *context, const gr_generation *generation);
    void (*tick)(void *context, uint32_t generation);
    void *context;
    gr_take_rows *rows;
    void (*border)(void *context, int ended);
    double (*due)(void *context);
    void (*early)(void *context, const gr_generation *generation);
} gr_watch;

/* What ended a run, or of a batch the runs that went on for longest. */
typedef enum gr_reason {
    GR_GOES_ON,
    GR_REACHED_TARGET,
    GR_REACHED_STAGNATION,
    GR_REACHED_EVALUATIONS,
    GR_REACHED_GENERATIONS,
    GR_REACHED_TIME_LIMIT,
    GR_REQUESTED, /* gr_run_stop */
    GR_REACHED_LAW,
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
    uint64_t generations; /* of the engine, selected */
    uint64_t reason;      /* gr_reason */
    double seconds;       /* since the start, without breaks */
    double executed;
    uint64_t shared, kept, remembered; /* gr_work_spared */
    double spared;
} gr_run_tally;

/* c[index] of a grammar, fitted. */
typedef struct gr_named_constant {
    uint32_t index;
    float value;
} gr_named_constant;

/* Where a program comes from: the record of the best of its run, which knows when it was found;
 * those that a generation has, or an archive behind it, which may have bred it long before; or
 * nobody bred it (linear_model.h). */
typedef enum gr_source_of_best {
    GR_FROM_RECORD,
    GR_FROM_POPULATION,
    GR_FROM_FRONT,
    GR_FROM_ARCHIVE,
    GR_FROM_LINEAR,
    GR_FROM_MEAN
} gr_source_of_best;

/* The best individual of one run. */
typedef struct gr_best {
    uint32_t run, generation; /* where it was found; otherwise whose it is, by `source` */
    uint64_t seed;
    double train, test;   /* test: NaN without test cases */
    double validation;    /* on the cases that chose it; NaN without */
    uint32_t restarts;    /* of its run, on all islands */
    int solved;           /* reached target-fitness, and does not differ */
    double recomputed[2]; /* train and test as recompute.h has them; NaN: not computed again */
    int differs;          /* what is reported from what was recomputed */
    int on_sample;        /* train is: its run is on samples, and goes on */
    gr_source_of_best source;
    uint32_t validity, nodes, depth, derivation_nodes, used, length;
    uint32_t levels;              /* depth of the expression: of a tree `depth`, of GE not */
    double intercept, slope;      /* of linear scaling; 0 and 1 without */
    char *phenotype;              /* GE: the sentence; tree: as infix; NULL when invalid */
    char *infix;                  /* NULL when invalid */
    uint32_t *genome;             /* [length] codons, NULL for trees */
    gr_named_constant *constants; /* of grammars with c[i], those in it, rising; else NULL */
    uint32_t constants_count;
} gr_best;

/* What fitting constants took and brought, in all runs. */
typedef struct gr_fits {
    uint64_t tried, better; /* programs */
    double executed;        /* nodes x cases, not among gr_run_report's */
} gr_fits;

typedef struct gr_run_report {
    const char *backend; /* "cpu", "cuda" */
    gr_engine_report engine;
    gr_traffic traffic;
    char why[256];         /* why this backend */
    size_t host_bytes;     /* of the cases and, on the CPU, the arena: at most, as planned */
    int selected;          /* some generation has been: there is a best */
    uint32_t generation;   /* selected last */
    int complete;          /* all steps of it were; of a steady state there are several */
    double executed;       /* nodes x cases, all generations */
    double before;         /* of them, before it was resumed: not in the time of the engine */
    gr_work_spared spared; /* not among them */
    double early;          /* of the epoch that goes on, as far as it is known */
    double seconds;        /* since the start */
    int finished;          /* nothing left to do; runs on samples were ranked on all cases */
    int stopped;           /* on request, with runs that were not done */
    gr_reason reason;
    int dealt; /* gr_run_open_beside had several devices, and took `card` */
    uint32_t card;
    uint32_t snapshots; /* taken by this process */
    double pause;       /* seconds that the run stood still for them */
} gr_run_report;

gr_status gr_run_open(const gr_settings *settings, gr_run **run, gr_error *error);
/* One of several runs beside each other in this process: all of it on one of the devices that it
 * may use (`devices`; none named: of all), which `turn` deals out. */
gr_status gr_run_open_beside(const gr_settings *settings, uint32_t turn, gr_run **run,
                             gr_error *error);
/* How many GPUs these are; 0: there is none, or none is to be used. */
uint32_t gr_run_gpus(const gr_settings *settings);
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
/* Ends the run with the generation selected last or, on a device, the next one: with none if the
 * first one was not done. Safe in a signal handler and from any thread. */
void gr_run_stop(gr_run *run);
/* The first `bytes` of a section of the state, between epochs. */
gr_status gr_run_read(gr_run *run, gr_section section, void *to, size_t bytes, gr_error *error);
gr_status gr_run_read_at(gr_run *run, gr_section section, size_t offset, void *to, size_t bytes,
                         gr_error *error);
/* Between epochs; the caller frees with gr_best_free. */
gr_status gr_run_best(gr_run *run, uint32_t index, gr_best *best, gr_error *error);
void gr_best_free(gr_best *best);
/* Whether it has an intercept and a slope: with linear scaling, and finite values to fit. */
int gr_best_is_scaled(const gr_params *p, const gr_best *best);
/* The linear program of a valid best, read from the text that the user gets: *length instructions,
 * which the caller frees. Nothing on failure. */
gr_status gr_best_program(const gr_problem *problem, const gr_best *best, gr_instruction **program,
                          uint32_t *length, gr_error *error);
/* Adds to the numbers of any individual of the run its expression and, of a `whole` one, genome and
 * phenotype. constants: those fitted beside its genome, or NULL. From any thread. */
gr_status gr_run_show(const gr_run *run, const uint32_t *genotype, const float *constants,
                      int whole, gr_best *best, gr_error *error);
/* The best of every run, and which of them leads: best[runs], each and the array the caller's to
 * free. Beyond GR_FEW_RUNS only the leader has its genome and phenotype. */
gr_status gr_run_all_best(gr_run *run, gr_best **best, uint32_t *leader, gr_error *error);
/* As of when a best was asked for. */
gr_fits gr_run_fits(const gr_run *run);
/* The leader alone, without its texts and genome: the best on the training cases, or on those set
 * aside to validate, the first of equals. */
gr_status gr_run_leader(gr_run *run, gr_best *best, gr_error *error);
void gr_run_look(const gr_run *run, gr_run_report *report);
/* The generation that the individuals of run `index` are of: in a batch that is finished, of one
 * that ended before the others, its last. */
gr_status gr_run_find_generation(gr_run *run, uint32_t index, uint32_t *generation,
                                 gr_error *error);
/* Node evaluations per second of the epochs so far, of a resumed run of those since; 0 before the
 * first; in units of 10^9. */
double gr_run_gpops(const gr_run_report *report);
/* Generations of the run, as the settings have them. */
uint32_t gr_run_generations(const gr_params *p);
const gr_problem *gr_run_problem(const gr_run *run);
void gr_run_close(gr_run *run);
/* The same when the process ends behind it: what a device holds goes with the process, faster than
 * piece by piece. */
void gr_run_leave(gr_run *run);

#endif
