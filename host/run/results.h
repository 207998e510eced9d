/* What a run leaves behind: the folder <output>/<name>/<timestamp>_seed<S> with run.yaml,
 * statistics.tsv or summary.tsv, best.txt, best.json and, of a batch, runs.tsv. An existing folder
 * is never written to. run.yaml and best.json say whether the run goes on, was stopped or is
 * done. */
#ifndef GRAMPUS_RESULTS_H
#define GRAMPUS_RESULTS_H

#include "host/run/outcome.h"
#include "host/statistics/writer.h"

typedef struct gr_results gr_results;

/* Makes the folder, run.yaml and the heads of the tables. `settings` are borrowed until it is
 * closed, as the run. */
gr_status gr_results_create(const gr_settings *settings, gr_run *run, gr_results **results,
                            gr_error *error);
/* A run that was resumed, as it was when its writer stood there: the results in `from` go on, or,
 * not `in_place`, what they were then does in a new folder. */
gr_status gr_results_resume(const gr_settings *settings, gr_run *run, const char *from,
                            int in_place, const gr_writer_state *state, gr_results **results,
                            gr_error *error);
/* Whether the tables in a folder reach as far. */
gr_status gr_results_reach(const gr_settings *settings, const char *folder,
                           const gr_writer_state *state, gr_error *error);
const char *gr_results_folder(const gr_results *results);
/* Takes rows of statistics and frees them; they are written while the run goes on. */
void gr_results_rows(gr_results *results, gr_rows *rows);
/* After an epoch: its rows go to the files, and a new best to best.json, at most once a second.
 * Tells what could not be written, of this epoch or those before. */
gr_status gr_results_epoch(gr_results *results, gr_error *error);
/* Before it: the table of a population that `dump-every` asks for. */
gr_status gr_results_dump(gr_results *results, gr_error *error);
/* Waits until the rows are written, and tells where that is; gr_results_sync, from any thread,
 * until they are on the disk. */
gr_status gr_results_rest(gr_results *results, gr_writer_state *state, gr_error *error);
gr_status gr_results_sync(const gr_results *results, gr_error *error);
/* Waits until the rows are written, after the last epoch. */
gr_status gr_results_wait(gr_results *results, gr_error *error);
/* best.txt, best.json, runs.tsv and, where it was asked for, programs.tsv; the run is what the
 * outcome says, unless something cannot be written. */
gr_status gr_results_finish(gr_results *results, const gr_outcome *outcome, gr_error *error);
/* Instead of it, where there is no outcome: run.yaml says that the run was stopped. */
void gr_results_abandon(gr_results *results);
void gr_results_close(gr_results *results);

#endif
