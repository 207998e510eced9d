#include "host/experiment/csv.h"

#include "host/base/output.h"
#include "host/base/text.h"
#include "host/experiment/schema.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void put_text(FILE *out, const char *text) {
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void put_value(FILE *out, sqlite3_stmt *row, int column) {
    char number[32];
    double value;
    switch (sqlite3_column_type(row, column)) {
    case SQLITE_NULL:
        return;
    case SQLITE_FLOAT:
        value = sqlite3_column_double(row, column);
        if (isinf(value))
            snprintf(number, sizeof number, "%s", value < 0.0 ? "-inf" : "inf");
        else
            gr_text_print_double(value, number);
        fputs(number, out);
        return;
    default:
        put_text(out, (const char *)sqlite3_column_text(row, column));
    }
}

static gr_status put_row(void *context, sqlite3_stmt *row, gr_error *error) {
    FILE *out = context;
    (void)error;
    for (int k = 0; k < sqlite3_column_count(row); k++) {
        if (k)
            fputc(',', out);
        put_value(out, row, k);
    }
    fputc('\n', out);
    return GR_OK;
}

static gr_status put_name(void *context, sqlite3_stmt *row, gr_error *error) {
    FILE *out = context;
    (void)error;
    fprintf(out, "%s%s", sqlite3_column_int(row, 0) ? "," : "",
            (const char *)sqlite3_column_text(row, 1));
    return GR_OK;
}

static gr_status write_table(gr_tables *tables, const char *name, FILE *out, gr_error *error) {
    char head[160], rows[96];
    snprintf(head, sizeof head, "SELECT cid, name FROM pragma_table_info('%s') ORDER BY cid", name);
    snprintf(rows, sizeof rows, "SELECT * FROM %s", name); /* in the order of its key */
    gr_status status = gr_tables_query(tables, head, 0, put_name, out, error);
    fputc('\n', out);
    return status ? status : gr_tables_query(tables, rows, 0, put_row, out, error);
}

typedef struct writing {
    gr_tables *tables;
    const char *folder;
} writing;

static gr_status write_file(void *context, sqlite3_stmt *row, gr_error *error) {
    const writing *w = context;
    const char *table = (const char *)sqlite3_column_text(row, 0);
    char name[96];
    snprintf(name, sizeof name, "%.80s.csv", table);
    gr_fresh out;
    gr_status status = gr_fresh_open(&out, w->folder, name, error);
    if (!status)
        status = write_table(w->tables, table, out.file, error);
    return gr_fresh_close(&out, status, error);
}

gr_status gr_write_csv(gr_tables *tables, const char *folder, gr_error *error) {
    writing w = {tables, folder};
    return gr_tables_query(tables,
                           "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE "
                           "'sqlite%' ORDER BY name",
                           0, write_file, &w, error);
}
