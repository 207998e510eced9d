/* The file of tables: opened, written to in transactions. Calls from any thread. */
#ifndef GRAMPUS_EXPERIMENT_TABLES_H
#define GRAMPUS_EXPERIMENT_TABLES_H

#include "gpu/backend/error.h"

#include <sqlite3.h>
#include <stdint.h>

typedef struct gr_tables gr_tables;

/* Opens the file for reading and writing; one that is not there is made, with empty tables.
 * What is no file of tables, damaged or of a later version is refused. */
gr_status gr_tables_open(const char *path, gr_tables **tables, gr_error *error);
/* The same for reading alone. */
gr_status gr_tables_look(const char *path, gr_tables **tables, gr_error *error);
void gr_tables_close(gr_tables *tables);
/* For reading, between transactions or in one's own. */
sqlite3 *gr_tables_db(gr_tables *tables);

/* A transaction: nobody else has one until it ends. With status GR_OK it is committed, otherwise
 * undone; returns `status` or what the commit came to. */
gr_status gr_tables_begin(gr_tables *tables, gr_error *error);
gr_status gr_tables_end(gr_tables *tables, gr_status status, gr_error *error);

/* Runs a statement with its values: by `kinds` i int64_t (GR_NULL_INTEGER: NULL), r double (NaN:
 * NULL), t const char * (NULL: NULL). Statements are kept by the address of their text, which is a
 * constant. */
#define GR_NULL_INTEGER INT64_MIN
gr_status gr_tables_put(gr_tables *tables, gr_error *error, const char *sql, const char *kinds,
                        ...);
/* Steps a statement that gives nothing back, and resets it. */
gr_status gr_tables_step(gr_tables *tables, sqlite3_stmt *statement, gr_error *error);

/* Calls `row` with every row of a query, whose ?1 is `parameter`, until it fails. */
typedef gr_status gr_on_row(void *context, sqlite3_stmt *row, gr_error *error);
gr_status gr_tables_query(gr_tables *tables, const char *sql, int64_t parameter, gr_on_row *row,
                          void *context, gr_error *error);

#endif
