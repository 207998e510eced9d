/* What a run leaves behind: the folder <output>/<name>/<timestamp>_seed<S> with run.yaml,
 * statistics.tsv, best.txt and best.json; and the outcome as JSON. An existing folder is never
 * written to. */
#ifndef GRAMPUS_RESULTS_H
#define GRAMPUS_RESULTS_H

#include "classes.h"
#include "run.h"

#include <cjson/cJSON.h>

/* The best of all runs, with what they say together. */
typedef struct gr_outcome {
    gr_best *best; /* [runs] */
    uint32_t runs;
    uint32_t leader;    /* the run with the best training fitness */
    uint32_t solved;    /* runs that reached target-fitness */
    uint32_t differing; /* runs whose fitness is not what it is when computed again */
    struct gr_summary {
        double mean, least, quartile[3], most; /* quartile[1] is the median */
    } train, test, nodes;
    /* of the leader in a classification, training and test cases; count 0 otherwise */
    gr_classes classes[2];
    float rule[GR_MAX_THRESHOLDS]; /* thresholds it classifies by, given or fitted in the run */
    uint32_t rules;                /* how many */
    float *thresholds;             /* [classes - 1] fitted to its training outputs */
    double fitted_accuracy[2];
} gr_outcome;

gr_status gr_outcome_collect(gr_run *run, gr_outcome *outcome, gr_error *error);
void gr_outcome_free(gr_outcome *outcome);
/* Everything about the run as one object; folder may be NULL. The caller deletes it. */
cJSON *gr_outcome_json(const gr_settings *settings, const gr_run *run, const gr_outcome *outcome,
                       const char *folder);
/* The same for readers; `whole`: also genomes and a table of all runs. */
void gr_outcome_print(const gr_settings *settings, const gr_run *run, const gr_outcome *outcome,
                      int whole, FILE *out);

typedef struct gr_results gr_results;

/* Makes the folder, run.yaml and the head of statistics.tsv. */
gr_status gr_results_create(const gr_settings *settings, const gr_run *run, gr_results **results,
                            gr_error *error);
const char *gr_results_folder(const gr_results *results);
/* Adds a row of statistics; failures show at the next flush. */
void gr_results_add(gr_results *results, const gr_generation *generation);
gr_status gr_results_flush(gr_results *results, gr_error *error);
/* best.txt, best.json and, where it was asked for, programs.tsv. */
gr_status gr_results_finish(gr_results *results, const gr_settings *settings, gr_run *run,
                            const gr_outcome *outcome, gr_error *error);
void gr_results_close(gr_results *results);

#endif
