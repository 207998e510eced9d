/* An experiment: what its file says, the folder of its results, and which cells are done. */
#ifndef GRAMPUS_EXPERIMENT_H
#define GRAMPUS_EXPERIMENT_H

#include "host/experiment/cells.h"
#include "host/experiment/tables.h"

/* Files in the folder. */
#define GR_EXPERIMENT_FILE "experiment.yaml"
#define GR_EXPERIMENT_TABLES "results.sqlite"

typedef struct gr_experiment {
    gr_definition definition;
    gr_cells cells;
    char *folder;
    /* once it is opened: */
    int lock;
    gr_tables *tables;
    int64_t *id;   /* [cells.count] their numbers in the tables */
    uint8_t *done; /* [cells.count] */
} gr_experiment;

/* Reads an experiment file, or that of a folder of results; nothing is written. `output`: the
 * folder that its folder is made in; NULL: the setting `output`. Refused where there is one. */
gr_status gr_experiment_read(const char *path, const char *output, gr_experiment *experiment,
                             gr_error *error);
/* Makes the folder and the tables, or finds which cells are done in those that are there: cells can
 * be added to an experiment, not taken away. One process at a time. */
gr_status gr_experiment_open(gr_experiment *experiment, gr_error *error);
/* Finds which cells are done, and refuses as gr_experiment_open does, but writes nothing. */
gr_status gr_experiment_look(gr_experiment *experiment, gr_error *error);
void gr_experiment_close(gr_experiment *experiment);

/* Tables of a single run in its folder: an experiment of one cell, number 1. */
gr_status gr_single_open(const char *folder, const gr_settings *settings, gr_tables **tables,
                         gr_error *error);
/* "FOLDER/results.sqlite", malloc'ed, whether a folder or the file is named; NULL: no memory. */
char *gr_tables_path(const char *path);

#endif
