/* Populations as tables: population_GENERATION.tsv. */
#ifndef GRAMPUS_DUMPS_H
#define GRAMPUS_DUMPS_H

#include "host/run/run.h"

/* Between epochs: writes the generation selected last to the folder if it is one of `dump-every`,
 * or the last one; the first `dump-first` individuals of every run. */
gr_status gr_dump(gr_run *run, const gr_settings *settings, const char *folder, gr_error *error);
/* Of a run that was resumed from what is in a folder: dumps that it would have by then stay, or,
 * in another folder, are copied there; those of where it ended and of what came later go. */
gr_status gr_dumps_resume(const gr_run *run, const gr_settings *settings, const char *from,
                          const char *folder, gr_error *error);

#endif
