/* How the arrays of a checkpoint stand in its file: their names, their columns, what they mean. */
#ifndef GRAMPUS_ARRAYS_H
#define GRAMPUS_ARRAYS_H

#include "gpu/backend/engine.h"
#include "host/checkpoint/store.h"

#include <stdbool.h>

/* The order in which they are written and read: sizes come before what they are the sizes of, and
 * those of a group stand together. */
enum { GR_STORED_SECTIONS = 26 };
extern const gr_section gr_section_order[GR_STORED_SECTIONS];
bool gr_section_is_genotype(gr_section section);
gr_stored gr_array_of(const gr_params *p, gr_section section);

/* What the run itself and the writer of its tables know. */
enum {
    GR_RUN_TALLY,
    GR_RUN_STEPS,
    GR_RUN_WRITER,
    GR_RUN_SUMMARY_LAST,
    GR_RUN_SUMMARY_SOLVED,
    GR_RUN_LAWS,
    GR_RUN_ARRAYS
};
extern const gr_stored gr_array_of_run[GR_RUN_ARRAYS];

#endif
