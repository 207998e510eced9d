/* Snapshots of the CPU backend: rows copied by all threads. */
#ifndef GRAMPUS_CPU_SNAPSHOT_H
#define GRAMPUS_CPU_SNAPSHOT_H

#include "gpu/backend/snapshot.h"
#include "host/cpu/team.h"

/* Where the engine keeps its last snapshot. */
typedef struct gr_cpu_staging {
    char *memory;
    size_t capacity;
} gr_cpu_staging;

/* The costs of its generation are there, if it has any. */
gr_status gr_cpu_take_snapshot(const gr_state *state, gr_team *team, gr_cpu_staging *staging,
                               gr_snapshot *snapshot, gr_error *error);
/* The parts back to where they belong, their sample, and the loop. */
void gr_cpu_put_back(const gr_state *state, gr_team *team, const gr_snapshot *snapshot);

#endif
