/* What a run left behind, read again: best.json, and run.yaml with the names of its data. */
#ifndef GRAMPUS_FINISHED_H
#define GRAMPUS_FINISHED_H

#include "host/data/dataset.h"
#include "host/expression/reader.h"

#include <cjson/cJSON.h>

typedef struct gr_finished {
    char *folder;
    cJSON *best;
    gr_settings settings;   /* of run.yaml, resolved */
    int settled;            /* it is there, and so are its data: */
    gr_dataset train, test; /* not laid out as tiles; what was trained on, without validation */
    int changed;  /* `data` is not the file it was, and numbers of words or classes depend on it */
    gr_error why; /* why not, where it is not */
    char **names; /* of inputs, as far as an expression tells them; where !settled */
    uint32_t inputs;
} gr_finished;

/* `path`: the folder of a run, or its best.json. The data are read for the names of the inputs;
 * without them the names are those in the expressions, numbered as they come. */
gr_status gr_finished_open(const char *path, gr_finished *finished, gr_error *error);
void gr_finished_free(gr_finished *finished);

/* Runs it has an expression of, 0: of none. */
uint32_t gr_finished_runs(const gr_finished *finished);
/* The best of a run, or with -1 the best of all. */
gr_status gr_finished_best(const gr_finished *finished, int64_t run, const cJSON **best,
                           gr_error *error);
/* Whether its precision is double; best.json tells where run.yaml does not. */
int gr_finished_doubles(const gr_finished *finished);
gr_vocabulary gr_finished_vocabulary(const gr_finished *finished);
/* The names of several targets in `names`; NULL: it is one. */
const char *const *gr_finished_targets(const gr_finished *finished,
                                       const char *names[GR_MOST_RANKED]);
/* Its expression as nodes. */
gr_status gr_finished_nodes(const gr_finished *finished, const cJSON *best, gr_node **nodes,
                            uint32_t *count, gr_error *error);
/* A number of it; `otherwise` where there is none. */
double gr_finished_number(const cJSON *best, const char *name, double otherwise);

/* The names in an expression that are no operations, in the order they come; those of numbered
 * inputs (x3) have their number. malloc'ed, each too. */
gr_status gr_guess_names(const char *text, char ***names, uint32_t *count, gr_error *error);
void gr_free_names(char **names, uint32_t count);

#endif
