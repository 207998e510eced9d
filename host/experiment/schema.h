/* The tables that results are kept in: schema.sql, and `generations` with the columns of
 * statistics.tsv. */
#ifndef GRAMPUS_EXPERIMENT_SCHEMA_H
#define GRAMPUS_EXPERIMENT_SCHEMA_H

#include "gpu/backend/error.h"

#include <sqlite3.h>

/* PRAGMA user_version; `Gram` as application_id. */
enum { GR_SCHEMA_VERSION = 1, GR_SCHEMA_APPLICATION = 0x4772616d };

/* What sqlite says of the last call: want of memory is GR_NO_MEMORY, all else GR_FAILED, "PATH:
 * what is wrong". */
gr_status gr_sqlite_fail(sqlite3 *db, gr_error *error);
/* Runs statements that give nothing back. */
gr_status gr_sqlite_run(sqlite3 *db, const char *sql, gr_error *error);
/* Makes all tables of an empty file, within the caller's transaction. */
gr_status gr_schema_make(sqlite3 *db, gr_error *error);
/* "INSERT INTO generations VALUES (?, ...)", cell and the columns of statistics.tsv. */
sqlite3_stmt *gr_schema_generations(sqlite3 *db);
/* Columns of statistics.tsv, and the name of one, copied. */
int gr_schema_columns(void);
void gr_schema_column(int column, char name[64]);

#endif
