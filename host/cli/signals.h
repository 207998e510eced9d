/* Signals that ask the program to stop: SIGINT, SIGTERM and SIGHUP. */
#ifndef GRAMPUS_SIGNALS_H
#define GRAMPUS_SIGNALS_H

#include "host/run/run.h"

/* From here on the first of them ends the program with GR_STOPPED, wherever it is: nothing has been
 * written yet. What is printed for nobody is no reason to end: it is said when all is done. */
void gr_signals_watch(void);
/* From here on the first one asks the run to end instead, as one already does that came too late to
 * end the program; NULL: there is none any more. A second one ends the program at once, but for one
 * that was passed on by another process, which is neither first nor second. */
void gr_signals_lead_to(gr_run *run);
/* A word that is set by the first of them, for processes that do what another one asks. */
volatile int *gr_signals_note(void);
/* The same of a function, which a handler calls; NULL: there is none any more. */
void gr_signals_call(void (*stop)(void *context), void *context);
/* A signal of this process to itself, in place of one that another process of the run has got. */
void gr_signals_pass_on(void);

#endif
