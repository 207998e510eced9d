#include "host/experiment/schema.h"

#include "host/statistics/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const char gr_schema_sql[];
__asm__(".pushsection .rodata\n.hidden gr_schema_sql\n.global gr_schema_sql\ngr_schema_sql:\n"
        ".incbin \"host/experiment/schema.sql\"\n.byte 0\n.popsection\n");

gr_status gr_sqlite_fail(sqlite3 *db, gr_error *error) {
    int code = sqlite3_errcode(db);
    int moved = sqlite3_extended_errcode(db) == SQLITE_READONLY_DBMOVED;
    const char *path = sqlite3_db_filename(db, "main");
    return gr_fail(error, code == SQLITE_NOMEM ? GR_NO_MEMORY : GR_FAILED, "%s: %s",
                   path && *path ? path : "results",
                   moved ? "it was moved or removed while it was written" : sqlite3_errmsg(db));
}

gr_status gr_sqlite_run(sqlite3 *db, const char *sql, gr_error *error) {
    return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK ? GR_OK : gr_sqlite_fail(db, error);
}

/* ---- columns of statistics.tsv ---- */

/* The head of the table, a zero behind it in place of the end of the line. */
static void read_head(char head[GR_HEAD_BYTES]) {
    gr_put_head(head, 1, 1)[-1] = '\0';
}

int gr_schema_columns(void) {
    char head[GR_HEAD_BYTES];
    int columns = 1;
    read_head(head);
    for (const char *at = head; (at = strchr(at, '\t')); at++)
        columns++;
    return columns;
}

void gr_schema_column(int column, char name[64]) {
    char head[GR_HEAD_BYTES], *at = head;
    read_head(head);
    for (; column; column--)
        at = strchr(at, '\t') + 1;
    snprintf(name, 64, "%.*s", (int)strcspn(at, "\t"), at);
}

/* Fitness, means, shares and times; all else are counts. */
static const char *type_of(const char *name) {
    static const char *const ends[] = {"fitness", "entropy", "best_ever", "like_parent", "time"};
    size_t length = strlen(name);
    int real = strncmp(name, "ave_", 4) == 0;
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        size_t end = strlen(ends[k]);
        real |= length >= end && strcmp(name + length - end, ends[k]) == 0;
    }
    return real ? "REAL" : "INTEGER";
}

static gr_status make_generations(sqlite3 *db, gr_error *error) {
    char *sql = NULL;
    size_t size;
    FILE *out = open_memstream(&sql, &size);
    if (!out)
        return gr_fail(error, GR_NO_MEMORY, "no memory for a table");
    fputs("CREATE TABLE generations (cell INTEGER NOT NULL REFERENCES cells ON DELETE CASCADE",
          out);
    for (int k = 0; k < gr_schema_columns(); k++) {
        char name[64];
        gr_schema_column(k, name);
        fprintf(out, ", %s %s", name, type_of(name));
    }
    fputs(", PRIMARY KEY (cell, run, gen)) WITHOUT ROWID", out);
    fclose(out);
    gr_status status = gr_sqlite_run(db, sql, error);
    free(sql);
    return status;
}

sqlite3_stmt *gr_schema_generations(sqlite3 *db) {
    char sql[512] = "INSERT INTO generations VALUES (?";
    sqlite3_stmt *statement = NULL;
    for (int k = 0; k < gr_schema_columns(); k++)
        strcat(sql, ",?");
    strcat(sql, ")");
    sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL);
    return statement;
}

gr_status gr_schema_make(sqlite3 *db, gr_error *error) {
    char numbers[96];
    snprintf(numbers, sizeof numbers, "PRAGMA application_id = %d; PRAGMA user_version = %d",
             GR_SCHEMA_APPLICATION, GR_SCHEMA_VERSION);
    gr_status status = gr_sqlite_run(db, gr_schema_sql, error);
    if (!status)
        status = make_generations(db, error);
    return status ? status : gr_sqlite_run(db, numbers, error);
}
