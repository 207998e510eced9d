#include "host/experiment/tables.h"

#include "host/experiment/schema.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A statement that is used again, known by the address of its text. */
typedef struct kept_statement {
    const char *sql;
    sqlite3_stmt *statement;
} kept_statement;

struct gr_tables {
    sqlite3 *db;
    char *path;
    pthread_mutex_t lock; /* of the transaction */
    kept_statement *kept; /* [count] */
    int count;
};

/* ---- opening ---- */

/* A number that a statement gives, -1: none. */
static int64_t number_of(sqlite3 *db, const char *sql) {
    sqlite3_stmt *statement = NULL;
    int64_t value = -1;
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        value = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return value;
}

/* Whether the pages of a file hang together; that of a large one would take minutes. */
static gr_status check_pages(gr_tables *t, gr_error *error) {
    const off_t large = (off_t)1 << 30;
    struct stat facts;
    sqlite3_stmt *statement = NULL;
    char said[256] = "ok";
    if (stat(t->path, &facts) == 0 && facts.st_size > large)
        return GR_OK;
    if (sqlite3_prepare_v2(t->db, "PRAGMA quick_check(1)", -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        gr_escape((const char *)sqlite3_column_text(statement, 0), said, sizeof said);
    else
        snprintf(said, sizeof said, "%s", sqlite3_errmsg(t->db));
    sqlite3_finalize(statement);
    return strcmp(said, "ok") == 0
               ? GR_OK
               : gr_fail(error, GR_BAD_INPUT,
                         "%s: damaged (%s); expected tables of grampus, or no such file", t->path,
                         said);
}

/* Whether the tables are ours, and of a version that this program knows. */
static gr_status check_version(gr_tables *t, gr_error *error) {
    int64_t application = number_of(t->db, "PRAGMA application_id"),
            version = number_of(t->db, "PRAGMA user_version");
    if (application < 0 && sqlite3_errcode(t->db) == SQLITE_BUSY)
        return gr_fail(error, GR_FAILED, "%s: another program writes to it", t->path);
    if (application != GR_SCHEMA_APPLICATION)
        return gr_fail(error, GR_BAD_INPUT, "%s: %s; expected tables of grampus", t->path,
                       application < 0 ? sqlite3_errmsg(t->db) : "not made by grampus");
    if (version != GR_SCHEMA_VERSION)
        return gr_fail(error, GR_BAD_INPUT,
                       "%s: tables of version %lld; expected version %d, of this program", t->path,
                       (long long)version, GR_SCHEMA_VERSION);
    return check_pages(t, error);
}

static gr_status make(gr_tables *t, gr_error *error) {
    gr_status status = gr_tables_begin(t, error);
    return status ? status : gr_tables_end(t, gr_schema_make(t->db, error), error);
}

static gr_status open_file(const char *path, int flags, gr_tables **tables, gr_error *error) {
    gr_tables *t = *tables = calloc(1, sizeof *t);
    if (!t || !(t->path = strdup(path))) {
        free(t);
        *tables = NULL;
        return gr_fail(error, GR_NO_MEMORY, "no memory for tables");
    }
    pthread_mutex_init(&t->lock, NULL);
    if (sqlite3_open_v2(path, &t->db, flags | SQLITE_OPEN_FULLMUTEX, NULL) != SQLITE_OK)
        return gr_fail(error, sqlite3_errcode(t->db) == SQLITE_NOMEM ? GR_NO_MEMORY : GR_FAILED,
                       "%s: %s", path, t->db ? sqlite3_errmsg(t->db) : "no memory");
    sqlite3_busy_timeout(t->db, 10000); /* who reads is soon done */
    sqlite3_extended_result_codes(t->db, 0);
    return GR_OK;
}

/* A rollback journal, on the disk before the file changes: see README. */
static const char manners[] = "PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL; "
                              "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -32000";

gr_status gr_tables_open(const char *path, gr_tables **tables, gr_error *error) {
    struct stat facts;
    int made = stat(path, &facts) != 0 || facts.st_size == 0;
    gr_status status = open_file(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, tables, error);
    if (!status && !made) { /* one that was being made when the program was killed is empty */
        sqlite3 *db = (*tables)->db;
        made = number_of(db, "SELECT count(*) FROM sqlite_schema") == 0;
    }
    if (!status && !made)
        status = check_version(*tables, error);
    if (!status)
        status = gr_sqlite_run((*tables)->db, manners, error);
    if (!status && made)
        status = make(*tables, error);
    if (status) {
        gr_tables_close(*tables);
        *tables = NULL;
    }
    return status;
}

gr_status gr_tables_look(const char *path, gr_tables **tables, gr_error *error) {
    struct stat facts;
    *tables = NULL;
    if (stat(path, &facts) != 0)
        return gr_fail(error, GR_BAD_INPUT,
                       "%s: %s; expected the tables of grampus experiment or grampus run --sqlite",
                       path, strerror(errno));
    /* A journal that a kill has left is rolled back, which takes writing. */
    gr_status status = open_file(path, SQLITE_OPEN_READWRITE, tables, error);
    if (status) {
        gr_tables_close(*tables);
        status = open_file(path, SQLITE_OPEN_READONLY, tables, error);
    }
    if (!status)
        status = check_version(*tables, error);
    if (status) {
        gr_tables_close(*tables);
        *tables = NULL;
    }
    return status;
}

void gr_tables_close(gr_tables *t) {
    if (!t)
        return;
    for (int k = 0; k < t->count; k++)
        sqlite3_finalize(t->kept[k].statement);
    free(t->kept);
    sqlite3_close(t->db);
    pthread_mutex_destroy(&t->lock);
    free(t->path);
    free(t);
}

sqlite3 *gr_tables_db(gr_tables *tables) {
    return tables->db;
}

/* ---- transactions ---- */

gr_status gr_tables_begin(gr_tables *t, gr_error *error) {
    pthread_mutex_lock(&t->lock);
    gr_status status = gr_sqlite_run(t->db, "BEGIN IMMEDIATE", error);
    if (status)
        pthread_mutex_unlock(&t->lock);
    return status;
}

gr_status gr_tables_end(gr_tables *t, gr_status status, gr_error *error) {
    if (!status)
        status = gr_sqlite_run(t->db, "COMMIT", error);
    if (status && !sqlite3_get_autocommit(t->db))
        gr_sqlite_run(t->db, "ROLLBACK", NULL);
    pthread_mutex_unlock(&t->lock);
    return status;
}

/* ---- statements ---- */

/* The statement of a text, prepared when it is first asked for. */
static gr_status find_statement(gr_tables *t, const char *sql, sqlite3_stmt **statement,
                                gr_error *error) {
    for (int k = 0; k < t->count; k++)
        if (t->kept[k].sql == sql) {
            *statement = t->kept[k].statement;
            return GR_OK;
        }
    kept_statement *more = realloc(t->kept, ((size_t)t->count + 1) * sizeof *more);
    if (!more)
        return gr_fail(error, GR_NO_MEMORY, "no memory for tables");
    t->kept = more;
    if (sqlite3_prepare_v3(t->db, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL) != SQLITE_OK)
        return gr_sqlite_fail(t->db, error);
    t->kept[t->count++] = (kept_statement){sql, *statement};
    return GR_OK;
}

gr_status gr_tables_step(gr_tables *t, sqlite3_stmt *statement, gr_error *error) {
    int code = sqlite3_step(statement);
    gr_status status =
        code == SQLITE_DONE || code == SQLITE_ROW ? GR_OK : gr_sqlite_fail(t->db, error);
    sqlite3_reset(statement);
    return status;
}

static void bind(sqlite3_stmt *statement, const char *kinds, va_list values) {
    for (int k = 1; *kinds; k++, kinds++) {
        if (*kinds == 'i') {
            int64_t value = va_arg(values, int64_t);
            value == GR_NULL_INTEGER ? sqlite3_bind_null(statement, k)
                                     : sqlite3_bind_int64(statement, k, value);
        } else if (*kinds == 'r') {
            double value = va_arg(values, double);
            isnan(value) ? sqlite3_bind_null(statement, k)
                         : sqlite3_bind_double(statement, k, value);
        } else {
            const char *text = va_arg(values, const char *);
            text ? sqlite3_bind_text(statement, k, text, -1, SQLITE_STATIC)
                 : sqlite3_bind_null(statement, k);
        }
    }
}

gr_status gr_tables_put(gr_tables *t, gr_error *error, const char *sql, const char *kinds, ...) {
    sqlite3_stmt *statement;
    va_list values;
    gr_status status = find_statement(t, sql, &statement, error);
    if (status)
        return status;
    va_start(values, kinds);
    bind(statement, kinds, values);
    va_end(values);
    return gr_tables_step(t, statement, error);
}

gr_status gr_tables_query(gr_tables *t, const char *sql, int64_t parameter, gr_on_row *row,
                          void *context, gr_error *error) {
    sqlite3_stmt *statement = NULL;
    gr_status status = GR_OK;
    int code;
    if (sqlite3_prepare_v2(t->db, sql, -1, &statement, NULL) != SQLITE_OK)
        return gr_sqlite_fail(t->db, error);
    if (sqlite3_bind_parameter_count(statement))
        sqlite3_bind_int64(statement, 1, parameter);
    while (!status && (code = sqlite3_step(statement)) != SQLITE_DONE)
        status = code == SQLITE_ROW ? row(context, statement, error) : gr_sqlite_fail(t->db, error);
    sqlite3_finalize(statement);
    return status;
}
