/* From the records of an engine to generations of runs. */
#ifndef GRAMPUS_RECORDS_H
#define GRAMPUS_RECORDS_H

#include "host/cpu/team.h"
#include "host/statistics/generation.h"

/* The records of an epoch. */
typedef struct gr_records {
    const gr_params *p;
    const gr_record *record; /* [generations][demes] */
    uint32_t generations;
    const double *seconds; /* [generations] since the start */
    gr_generation *steps; /* [runs] sums of the steps of a generation so far: from epoch to epoch */
} gr_records;

/* Programs that were not evaluated again (gpu/core/selection/once.h): equal ones, elites,
 * remembered ones, and their nodes x cases. */
typedef struct gr_work_spared {
    uint64_t shared, kept, remembered;
    double executed;
} gr_work_spared;
void gr_add_work_spared(gr_work_spared *to, const gr_work_spared *more);

/* What they come to besides. */
typedef struct gr_records_sum {
    double executed; /* nodes x cases, without those spared */
    gr_work_spared spared;
    int active; /* whether a run goes on */
} gr_records_sum;

/* Takes some rows and frees them. */
typedef void gr_take_rows(void *context, gr_rows *rows);

/* Generation of a run in which one of the engine's lies. */
uint32_t gr_generation_of(const gr_params *p, uint32_t generation);

/* Hands all rows to `take` (may be NULL) in their order, by the calling thread, in blocks; the team
 * makes them. 0: out of memory. */
int gr_records_read(const gr_records *records, gr_team *team, gr_take_rows *take, void *context,
                    gr_records_sum *sum);

#endif
