/* Training and test fitness of many programs of the last generation (Langdon 2007, Figure 7). */
#ifndef GRAMPUS_PROGRAMS_H
#define GRAMPUS_PROGRAMS_H

#include "host/run/run.h"

/* Writes a row for each of the first `count` individuals: place, nodes, fitness on all training
 * cases and on the test cases. */
gr_status gr_write_programs(gr_run *run, uint32_t count, FILE *out, gr_error *error);

#endif
