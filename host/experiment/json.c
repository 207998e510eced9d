#include "host/experiment/json.h"

static cJSON *value_of(sqlite3_stmt *row, int column) {
    switch (sqlite3_column_type(row, column)) {
    case SQLITE_NULL:
        return cJSON_CreateNull();
    case SQLITE_FLOAT:
        return gr_json_double(sqlite3_column_double(row, column));
    case SQLITE_INTEGER:
        return cJSON_CreateRaw((const char *)sqlite3_column_text(row, column));
    default:
        return cJSON_CreateString((const char *)sqlite3_column_text(row, column));
    }
}

static gr_status add_row(void *context, sqlite3_stmt *row, gr_error *error) {
    cJSON *rows = context, *object = cJSON_CreateObject();
    (void)error;
    for (int k = 0; k < sqlite3_column_count(row); k++)
        cJSON_AddItemToObject(object, sqlite3_column_name(row, k), value_of(row, k));
    cJSON_AddItemToArray(rows, object);
    return GR_OK;
}

gr_status gr_tables_json(gr_tables *tables, cJSON *object, gr_error *error) {
    static const struct {
        const char *name, *rows;
    } table[] = {
#define GR_TABLE(name) {#name, "SELECT * FROM " #name} /* in the order of its key */
        GR_TABLE(cells), GR_TABLE(outcomes),   GR_TABLE(success),         GR_TABLE(comparisons),
        GR_TABLE(ranks), GR_TABLE(rank_tests), GR_TABLE(rank_comparisons)};
    gr_status status = GR_OK;
    for (size_t k = 0; !status && k < sizeof table / sizeof *table; k++)
        status = gr_tables_query(tables, table[k].rows, 0, add_row,
                                 cJSON_AddArrayToObject(object, table[k].name), error);
    return status;
}
