/* How a run is doing, on standard error: one line that renews itself on a terminal, plain lines in
 * a pipe. */
#ifndef GRAMPUS_PROGRESS_H
#define GRAMPUS_PROGRESS_H

#include "host/run/run.h"

typedef struct gr_progress gr_progress;

typedef enum gr_progress_form {
    GR_PROGRESS_LINES,
    GR_PROGRESS_JSON,
    GR_PROGRESS_WATCH
} gr_progress_form;

/* NULL when memory is short or the settings ask for quiet; every function takes NULL. With
 * GR_PROGRESS_JSON every line is an object, with GR_PROGRESS_WATCH it is a screen (watch.h). */
gr_progress *gr_progress_start(const gr_settings *settings, gr_run *run, gr_progress_form form);
void gr_progress_generation(gr_progress *progress, const gr_generation *generation);
/* The same of an epoch that goes on; it comes once more. */
void gr_progress_early(gr_progress *progress, const gr_generation *generation);
void gr_progress_tick(gr_progress *progress, uint32_t generation);
/* After an epoch: shows its last generation. */
void gr_progress_epoch(gr_progress *progress);
/* Leaves the terminal's line clean. */
void gr_progress_end(gr_progress *progress);

/* The line of a terminal anew, as much of it as there is room for. */
void gr_renew_line(const char *line);

/* "1 h 02 min", "3 min 20 s", "4.5 s" */
void gr_print_duration(double seconds, char *out, size_t size);

#endif
