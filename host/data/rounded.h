/* Columns whose values lie so close together, far from 0, that as floats they are hardly told
 * apart: times in seconds since 1970 are multiples of 128. */
#ifndef GRAMPUS_ROUNDED_H
#define GRAMPUS_ROUNDED_H

#include "host/table/table.h"

/* Floats that were read of rows [from, to) of column[inputs + 1], the target last:
 * x[inputs][cases], y[cases], some of the rows perhaps. */
typedef struct gr_read_floats {
    const gr_table *table;
    const uint32_t *column;
    uint32_t inputs;
    uint64_t from, to, cases;
    const float *x, *y;
} gr_read_floats;

/* Adds a line to *notes (malloc'ed, or NULL) for every column that was rounded by more than a
 * 2048th of its range. Refused is a target that is one number then: any program of it had no error.
 */
gr_status gr_note_rounded(const gr_read_floats *floats, char **notes, gr_error *error);

#endif
