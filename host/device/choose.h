/* Which backend a run takes, and why. */
#ifndef GRAMPUS_CHOOSE_H
#define GRAMPUS_CHOOSE_H

#include "host/device/estimate.h"

#include <stddef.h>

/* What is to be chosen among. */
typedef struct gr_candidates {
    uint32_t device;        /* as in settings.h */
    const gr_job *job;      /* NULL: with GR_AUTO CUDA where there is one */
    const gr_backend *cuda; /* NULL: built without */
} gr_candidates;

/* The backend for a choice of settings.h. With GR_AUTO and a job the one that ends first, by
 * estimate: where that is the CPU, CUDA is not so much as asked whether it is there. */
gr_status gr_choose(const gr_candidates *candidates, const gr_backend **backend, char *why,
                    size_t size, gr_error *error);

/* The same among those that are built in. */
gr_status gr_choose_backend(uint32_t device, const gr_job *job, const gr_backend **backend,
                            char *why, size_t size, gr_error *error);

/* The estimate behind it: 1 if a GPU would end first. `why` says both times. */
int gr_gpu_ends_first(const gr_work *work, const gr_known_rates *rates, uint32_t threads, char *why,
                      size_t size);

/* A run on the backend has come to its end: what it took is kept for later estimates, where there
 * are backends to choose among. */
void gr_note_run(const gr_backend *backend, const gr_engine *engine, const gr_job *job,
                 uint32_t generations, double executed);

#endif
