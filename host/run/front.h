/* The Pareto front of a run with several objectives: those of its last population that no other
 * dominates, each vector of objectives once. Parents stay among their children as long as they are
 * not beaten, so that it is the front of the whole run, unless it has more members than the
 * population; no archive beside it could tell more. */
#ifndef GRAMPUS_FRONT_H
#define GRAMPUS_FRONT_H

#include "host/run/run.h"
#include "host/settings/settings.h"

#include <cjson/cJSON.h>

typedef struct gr_front {
    uint32_t count, objectives;
    gr_best *member;                        /* [count] by rising size, then objective */
    double (*objective)[GR_MAX_OBJECTIVES]; /* [count] as a user reads them */
    double *nats;                           /* [count] description lengths; NULL: not asked for */
    uint32_t chosen;                        /* the best of the run; count: none of them is */
} gr_front;

/* Whether a run has one. */
int gr_has_front(const gr_run *run);
/* The front of the generation bred last, its errors computed again; empty where nobody has finite
 * ones. The caller frees it. */
gr_status gr_front_read(gr_run *run, uint32_t index, gr_front *front, gr_error *error);
void gr_front_free(gr_front *front);
/* Memory that reading one takes, its members not counted. */
size_t gr_front_bytes(const gr_params *p);
/* Puts the member that was chosen in place of the best of its run, as it was told so far; if it is
 * that very program, of which is known when it was found, that stays. One that is chosen by error
 * and better than all of the front stays, and with auto one that validation chose: then the member
 * that it is counts as chosen. */
gr_status gr_front_choose(const gr_run *run, gr_front *front, gr_best *best, gr_error *error);

/* front.tsv; and the same for best.json. */
void gr_front_print(const gr_run *run, const gr_front *front, FILE *out);
cJSON *gr_front_json(const gr_run *run, const gr_front *front);

#endif
