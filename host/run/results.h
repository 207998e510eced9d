/* What a run leaves behind: the folder <output>/<name>/<timestamp>_seed<S> with run.yaml,
 * statistics.tsv, best.txt and best.json. An existing folder is never written to. */
#ifndef GRAMPUS_RESULTS_H
#define GRAMPUS_RESULTS_H

#include "host/run/outcome.h"
#include "host/run/ponyge2_statistics.h"

typedef struct gr_results gr_results;

/* Makes the folder, run.yaml and the head of statistics.tsv. */
gr_status gr_results_create(const gr_settings *settings, const gr_run *run, gr_results **results,
                            gr_error *error);
const char *gr_results_folder(const gr_results *results);
/* Adds a row of statistics; failures show at the next flush. */
void gr_results_add(gr_results *results, const gr_generation *generation);
gr_status gr_results_flush(gr_results *results, gr_error *error);
/* What was flushed is on the disk; from any thread. */
gr_status gr_results_sync(const gr_results *results, gr_error *error);

/* A run that was resumed: its folder as it was after `rows` rows of statistics, with run.yaml as
 * the settings now are; or those rows in a new folder, after gr_results_create. */
gr_status gr_results_reopen(const gr_settings *settings, const gr_run *run, const char *folder,
                            uint64_t rows, const gr_ponyge2_statistics *so_far,
                            gr_results **results, gr_error *error);
gr_status gr_results_take_over(gr_results *results, const char *folder, uint64_t rows,
                               const gr_ponyge2_statistics *so_far, gr_error *error);
/* Whether a folder has so many rows. */
gr_status gr_results_reach(const char *folder, uint64_t rows, gr_error *error);
void gr_results_ponyge2(const gr_results *results, gr_ponyge2_statistics *so_far);

/* best.txt, best.json and, where it was asked for, programs.tsv. */
gr_status gr_results_finish(gr_results *results, const gr_settings *settings, gr_run *run,
                            const gr_outcome *outcome, gr_error *error);
void gr_results_close(gr_results *results);

#endif
