/* The thread that writes what a run tells while the run goes on: statistics.tsv or summary.tsv,
 * stats.tsv, the best so far.
 *
 * What it is given waits in a queue of bounded length; who gives waits while that is full. Bytes
 * come in the order in which they were given. After the first failure nothing more is written, and
 * whoever asks is told of it. */
#ifndef GRAMPUS_WRITER_H
#define GRAMPUS_WRITER_H

#include "gpu/backend/error.h"
#include "host/statistics/generation.h"
#include "host/statistics/ponyge2_statistics.h"
#include "host/statistics/summary.h"

typedef struct gr_writer gr_writer;

/* Where a writer stands between two epochs: another one can go on from there. */
typedef struct gr_writer_state {
    uint64_t table, ponyge2; /* bytes of statistics.tsv or summary.tsv, and of stats.tsv */
    gr_ponyge2_statistics so_far;
    gr_summary_state summary; /* arrays NULL: there is none */
} gr_writer_state;

/* What is written; paths may be NULL: not that. They are borrowed. */
typedef struct gr_writer_plan {
    const char *statistics; /* a row for every run and generation */
    const char *summary;    /* a row for every generation */
    const char *ponyge2;    /* stats.tsv, of one run */
    const char *best;       /* the best so far, gr_writer_best */
    int diversity, fronts;  /* statistics have their columns */
    int regens;             /* so has stats.tsv */
    uint32_t runs, metric;  /* of the summary, as the three below */
    double target;          /* NaN: none */
    int in_steps;           /* generations may end within an epoch and without one */
    uint32_t threads;       /* that may help with many runs; 0: as many as there are processors */
    const gr_writer_state *from; /* NULL: from the start; otherwise the files are there, and are cut
                                  * to where it stood */
} gr_writer_plan;

/* Makes the files, with the heads of the tables. */
gr_status gr_writer_open(const gr_writer_plan *plan, gr_writer **writer, gr_error *error);
/* Takes rows, and frees them. */
void gr_writer_rows(gr_writer *writer, gr_rows *rows);
/* Takes the text that is to stand in place of the best so far, and frees it. */
void gr_writer_best(gr_writer *writer, char *text);
/* After the rows of an epoch, which go to the files now; the failure that is known by now. */
gr_status gr_writer_epoch(gr_writer *writer, gr_error *error);
/* Waits until what was given is written, and tells where it stands. The arrays of the summary are
 * the caller's. */
gr_status gr_writer_rest(gr_writer *writer, gr_writer_state *state, gr_error *error);
/* Waits until all is written; the failure, if there was one. Nothing may be given any more. */
gr_status gr_writer_finish(gr_writer *writer, gr_error *error);
/* Finishes, unless that was done before. */
void gr_writer_close(gr_writer *writer);

#endif
