/* The runs of all cells that are done, as they are compared. */
#ifndef GRAMPUS_EXPERIMENT_GROUPS_H
#define GRAMPUS_EXPERIMENT_GROUPS_H

#include "host/experiment/tables.h"

/* What cells are compared by. */
enum { GR_BY_FITNESS, GR_BY_TEST, GR_BY_NODES, GR_BY_EVALUATIONS, GR_MEASURES };
extern const char *const gr_measure_names[GR_MEASURES];

/* A cell that is done. */
typedef struct gr_group {
    int64_t id, place;
    char *label, *treatment, *block, *problem, *metric, *seed; /* seed: of the first run */
    int maximised, has_target;
    uint32_t runs, solved;
    double *value; /* [GR_MEASURES][runs], NaN: none */
    double *found; /* [GR_MEASURES][runs] without NaNs, */
    uint32_t n[GR_MEASURES];
} gr_group;

typedef struct gr_groups {
    gr_tables *tables;
    uint32_t count;
    gr_group *group;
    uint32_t at; /* run that is being read */
} gr_groups;

/* Into an object that has the tables alone; it is freed whether that succeeds or not. */
gr_status gr_groups_read(gr_groups *groups, gr_error *error);
void gr_groups_free(gr_groups *groups);

/* n[measure] of them. */
const double *gr_group_values(const gr_group *group, int measure);
/* Of these, the lowest the best; scratch[runs]. */
double gr_group_median(const gr_group *group, int measure, double *scratch);

/* Friedman's test over them, where there can be one, into the tables. */
gr_status gr_compare_ranks(const gr_groups *groups, gr_error *error);

#endif
