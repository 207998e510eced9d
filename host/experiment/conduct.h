/* The cells of an experiment, run: several side by side where one does not use all processors. */
#ifndef GRAMPUS_EXPERIMENT_CONDUCT_H
#define GRAMPUS_EXPERIMENT_CONDUCT_H

#include "host/experiment/experiment.h"

#include <signal.h>

/* How far it is. */
typedef struct gr_conducted {
    uint32_t cells, skipped, done, failed; /* skipped: were done before; done: by now, with those */
    uint64_t runs;                         /* of the cells that were not skipped */
    double runs_done;                      /* of them; those under way by their generations */
    double share, share_before;            /* of all work, 0 to 1; what was skipped of it */
    double seconds;
    char first_failure[512]; /* "CELL: why"; empty: none */
} gr_conducted;

typedef struct gr_conduct_plan {
    uint32_t jobs;                     /* cells side by side; 0: chosen */
    const volatile sig_atomic_t *stop; /* ends it when it is not 0; cells under way are given up */
    /* Now and then, by the calling thread; may be NULL. */
    void (*tick)(void *context, const gr_conducted *so_far);
    /* A cell has ended, by any thread, one at a time; `why`: NULL, or why it failed. May be NULL.
     */
    void (*cell)(void *context, const gr_cell *cell, const char *why);
    void *context;
} gr_conduct_plan;

/* Runs what is not done. A cell that fails is recorded, and the rest go on; what ends all of it is
 * returned: tables that cannot be written, a device that has failed, GR_STOPPED. */
gr_status gr_conduct(gr_experiment *experiment, const gr_conduct_plan *plan,
                     gr_conducted *conducted, gr_error *error);

/* What a cell would take. */
typedef struct gr_cell_estimate {
    size_t bytes;   /* of memory */
    double seconds; /* on the device it would take */
    const char *device;
} gr_cell_estimate;
gr_status gr_estimate_cell(const gr_cell *cell, gr_cell_estimate *estimate, gr_error *error);
/* Cells side by side, as chosen. */
uint32_t gr_jobs_for(const gr_experiment *experiment);

#endif
