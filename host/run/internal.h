/* A run as run.c and best.c share it. */
#ifndef GRAMPUS_RUN_INTERNAL_H
#define GRAMPUS_RUN_INTERNAL_H

#include "host/cpu/team.h"
#include "host/run/run.h"

#include <stdatomic.h>

struct gr_run {
    gr_problem problem;
    const gr_backend *backend;
    const char *device; /* "cpu", "cuda": of every engine */
    gr_engine *engine;
    char why[256];
    int dealt; /* one device of several, for a run beside others */
    double start;
    double *selected_at; /* [epoch], seconds since the start */
    uint32_t timed;      /* generations of this epoch that have their time */
    uint32_t generations;
    double executed;
    gr_work_spared spared;
    uint32_t
        before; /* generations that it was resumed after, and what these executed and spared: */
    double executed_before, spared_before;
    gr_generation *steps; /* [runs] sums of the steps of a generation so far */
    gr_team *team;        /* NULL: not opened yet */
    uint32_t asked;       /* generations of the engine by the settings, whatever else limits them */
    int repeats;          /* the engine selects the last of them once more: it was resumed there */
    double limit;         /* seconds; NaN: none */
    double opened;        /* by this process */
    double last, pace;    /* when the last generation came, and the seconds it took; 0: unknown */
    double begun;         /* when this epoch began */
    uint32_t counted;     /* generations of this epoch, then */
    atomic_int stop;      /* set by any thread, or a signal handler */
    int late;             /* the time limit stopped it */
    int active;           /* runs that were not done when the engine finished */
    int finished;         /* the engine */
    gr_reason reason;
    uint32_t snapshots;
    double pause;
    struct gr_law_search *laws; /* what was tested; NULL: nothing yet */
    uint32_t law_tests;         /* of law-every: how often */
    /* That test, behind an epoch; *found: the run ends there. NULL: nobody asked for it. */
    gr_status (*test_laws)(struct gr_run *run, int *found, gr_error *error);
    const gr_watch *watch;
    const gr_records *records; /* of the epoch that goes on, or NULL; of them looked at early: */
    uint32_t seen;
    double looked, early; /* when; nodes x cases */
    /* [demes] and the genotypes of their best, as read after the last epoch; NULL: not read */
    gr_deme *demes;
    uint32_t *genotypes;
    float *constants;   /* [demes][GR_FIT_CONSTANTS], where they stand beside genomes */
    int asks_for_costs; /* of the generation selected last, between epochs */
    float *costs;       /* [individuals] those, beside a snapshot; NULL: the engine has them */
};

/* The team for what there is much of in many runs; NULL where there is little. */
gr_team *gr_run_team(gr_run *run, uint64_t work);
/* How often laws are to be tested until the engine has selected so many generations, law-every:
 * behind complete ones, of which steady state has some steps each. */
uint32_t gr_run_law_tests(const gr_run *run, uint32_t generations);
/* run->demes, as they are after the last epoch, unless they are there; and they and the genotypes
 * of their best no longer. */
gr_status gr_run_read_demes(gr_run *run, gr_error *error);
void gr_run_forget_best(gr_run *run);
/* The island that has the best of a run, as a deme: of equals the one that found it first. */
size_t gr_run_deme_of(const gr_run *run, uint32_t index);

#endif
