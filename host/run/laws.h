/* Which programs of a run are tested as laws. */
#ifndef GRAMPUS_RUN_LAWS_H
#define GRAMPUS_RUN_LAWS_H

#include "host/law/law.h"
#include "host/run/run.h"

/* At the end: the best of every run, best[runs], those of its last generation that nothing is
 * better than and as small as, and where none of these is exact the best of its archive of niches.
 * What was found before counts. The caller frees the law. */
gr_status gr_run_find_law(gr_run *run, const gr_best *best, uint32_t leader, gr_law *law,
                          gr_error *error);
/* gr_run_advance, and with law-every a test of the best of every run and of its archive behind the
 * epoch that comes to a multiple of it; a law that is exact ends the run there, on any device. */
gr_status gr_run_advance_to_law(gr_run *run, const gr_watch *watch, int *finished, gr_error *error);

/* What the tests so far keep, as text, malloc'ed (NULL: nothing), and of a run that goes on. */
gr_status gr_run_save_laws(const gr_run *run, char **lines, gr_error *error);
gr_status gr_run_restore_laws(gr_run *run, const char *lines, gr_error *error);

#endif
