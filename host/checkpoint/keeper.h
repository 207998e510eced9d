/* When checkpoints are written, where, and which one is gone on from.
 *
 * A folder of results has the last two: checkpoint.h5 and, older, checkpoint.old.h5. A new one is
 * written beside them by a thread while the run goes on; it takes its name when all of it is on the
 * disk. */
#ifndef GRAMPUS_KEEPER_H
#define GRAMPUS_KEEPER_H

#include "host/checkpoint/contents.h"
#include "host/run/results.h"

typedef struct gr_keeper gr_keeper;

/* For a run whose results are there; all three are borrowed. *keeper is NULL where the settings
 * want no checkpoints. */
gr_status gr_keeper_open(const gr_settings *settings, gr_run *run, gr_results *results,
                         gr_keeper **keeper, gr_error *error);
/* At the border of an epoch, in a watch: copies what is needed and lets it be written, when it is
 * time or the run ended before it was done. Failures are kept for gr_keeper_close. */
void gr_keeper_border(gr_keeper *keeper, int ended);
/* Seconds until it is time; INFINITY without a keeper. */
double gr_keeper_due(const gr_keeper *keeper);
/* What went wrong with the last one, once; NULL: nothing. */
const char *gr_keeper_warning(gr_keeper *keeper);
/* Waits for the last one. Why the last one failed, if it did. */
gr_status gr_keeper_close(gr_keeper *keeper, gr_error *error);

/* The newest good checkpoint in a folder whose statistics reach as far; what is wrong with a newer
 * one goes to `said`, "" otherwise. */
gr_status gr_keeper_find(const char *folder, const gr_settings *settings, const gr_run *run,
                         gr_checkpoint *checkpoint, char said[1024], gr_error *error);

#endif
