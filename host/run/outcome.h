/* What a run came to: the best program of every run, what they say together, as JSON and as text.
 */
#ifndef GRAMPUS_OUTCOME_H
#define GRAMPUS_OUTCOME_H

#include "host/base/spread.h"
#include "host/law/law.h"
#include "host/run/classes.h"
#include "host/run/front.h"
#include "host/run/rounding.h"
#include "host/run/run.h"
#include "host/run/several.h"

#include <cjson/cJSON.h>

/* How far a run has come: running until all is written, stopped when it ended before it was done,
 * on request or by an error. */
typedef enum gr_run_state { GR_RUNNING, GR_WAS_STOPPED, GR_DONE } gr_run_state;
const char *gr_state_name(gr_run_state state);

/* The best of all runs, with what they say together. */
typedef struct gr_outcome {
    gr_best *best; /* [runs] */
    uint32_t runs;
    uint32_t leader;    /* the one whose best so far is the best of all (gr_run_leader) */
    uint32_t solved;    /* runs that reached target-fitness */
    uint32_t differing; /* runs whose fitness is not what it is when computed again */
    gr_spread train, test, nodes;
    gr_run_state state;
    gr_front front; /* of the leader, where there are several objectives */
    /* of the leader in a classification, training and test cases; count 0 otherwise */
    gr_classes classes[2];
    float rule[GR_MAX_THRESHOLDS]; /* thresholds it classifies by, given or fitted in the run */
    uint32_t rules;                /* how many */
    float *thresholds;             /* [classes - 1] fitted to its training outputs */
    double fitted_accuracy[2];
    gr_target_outcomes targets; /* of the leader */
    gr_rounding rounding;       /* of the leader, where its metric takes differences of values */
    gr_law law;                 /* with find-law: what the constants of a program were rounded to */
} gr_outcome;

gr_status gr_outcome_collect(gr_run *run, gr_outcome *outcome, gr_error *error);
/* While it runs: the leading run alone, as the engine reports it. */
gr_status gr_outcome_so_far(gr_run *run, uint32_t leader, gr_outcome *outcome, gr_error *error);
void gr_outcome_free(gr_outcome *outcome);
/* Memory of the host that collecting it takes at most, texts and programs not counted; labels of
 * classes as whole numbers without gaps. */
size_t gr_outcome_bytes(const gr_problem *problem);
/* Everything about the run as one object, of up to GR_FEW_RUNS runs each; folder may be NULL. The
 * caller deletes it. */
cJSON *gr_outcome_json(const gr_settings *settings, const gr_run *run, const gr_outcome *outcome,
                       const char *folder);
/* The same for readers; `whole`: also genomes and a table of the runs. */
void gr_outcome_print(const gr_settings *settings, const gr_run *run, const gr_outcome *outcome,
                      int whole, FILE *out);
/* runs.tsv: a row for every run. */
void gr_outcome_print_runs(const gr_outcome *outcome, FILE *out);

#endif
