/* The tables as files of comma separated values. */
#ifndef GRAMPUS_EXPERIMENT_CSV_H
#define GRAMPUS_EXPERIMENT_CSV_H

#include "host/experiment/tables.h"

/* Writes FOLDER/TABLE.csv for every table: a line of names, then the rows in the order of the
 * table's key. Empty: NULL; a text with commas, quotes or line ends stands in quotes (RFC 4180).
 * Infinities are inf and -inf. */
gr_status gr_write_csv(gr_tables *tables, const char *folder, gr_error *error);

#endif
