/* A run spread over several engines, as one backend: GPUs of this machine, each with a thread, or
 * processes that were started together, each with a device. Whoever uses it sees the run of all. */
#ifndef GRAMPUS_SPREAD_H
#define GRAMPUS_SPREAD_H

#include "gpu/backend/engine.h"
#include "host/spread/shares.h"

enum { GR_MOST_MEMBERS = 1024 };

/* What a run is spread over. */
typedef struct gr_spread {
    const gr_backend *each; /* backend of every member */
    uint32_t members;       /* that there is work for; 1: nothing is spread */
    uint32_t there;         /* devices or processes */
    int processes;          /* otherwise threads of this one */
    gr_sharing of;
    uint32_t card[GR_MOST_MEMBERS]; /* threads: of each member */
} gr_spread;

/* `devices`: "all", numbers of GPUs ("0,2,3"), or "" (the first one); `each`: the backend chosen.
 * GR_BAD_INPUT where a job cannot be spread. */
gr_status gr_spread_plan(const char *devices, const gr_backend *each, const gr_job *job,
                         gr_spread *spread, gr_error *error);

/* The whole run on one of those devices, dealt out in turn (`devices` "": of all); of this process
 * alone. */
gr_status gr_spread_one(const char *devices, const gr_backend *each, uint32_t turn,
                        gr_spread *spread, gr_error *error);

/* An engine of gr_backend_spread, as gr_backend has `open`. */
gr_status gr_spread_open(const gr_spread *spread, const gr_job *job, gr_engine **engine,
                         gr_error *error);
extern const gr_backend gr_backend_spread;
int gr_spread_on_cpu(const gr_engine *e); /* whether its members are */

#endif
