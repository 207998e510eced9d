/* Populations as tables: population_GENERATION.tsv. */
#ifndef GRAMPUS_DUMPS_H
#define GRAMPUS_DUMPS_H

#include "host/run/run.h"

/* Between epochs, before a ranking: writes the generation selected last to the folder if it is one
 * of `dump-every`, or the last one; the first `dump-first` individuals of every run. */
gr_status gr_dump(gr_run *run, const gr_settings *settings, const char *folder, gr_error *error);

#endif
