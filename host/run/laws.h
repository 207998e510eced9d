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
/* Between two epochs: the best of every run and of its archive. *found: one is exact. */
gr_status gr_run_look_for_law(gr_run *run, int *found, gr_error *error);

#endif
