/* Any text as a table (the first byte chooses delimiter and header), and any text as variables of a
 * problem. */
#include "host/problem/cases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(gr_status status, const gr_error *error) {
    if (status != GR_OK && (status != GR_BAD_INPUT || !error->text[0] || strchr(error->text, '\n')))
        abort();
}

/* Every number of the table is finite, or the reason why not has a position. */
static void read_numbers(const gr_table *table) {
    gr_error error = {0};
    for (uint32_t column = 0; column < table->columns; column++) {
        float *value = malloc((table->rows + 1) * sizeof *value);
        gr_status status = gr_table_numbers(table, &column, 1, 0, table->rows, &value, &error);
        check(status, &error);
        for (uint64_t row = 0; status == GR_OK && row < table->rows; row++)
            if (!isfinite(value[row]))
                abort();
        free(value);
    }
}

static void fuzz_table(const uint8_t *data, size_t size) {
    gr_table table;
    gr_error error = {0};
    uint32_t delimiter = data[0] % 6 == 5 ? GR_AUTO : data[0] % 6;
    uint32_t header = data[0] / 6 % 3 == 2 ? GR_AUTO : data[0] / 6 % 3;
    gr_status status = gr_table_parse((const char *)data + 1, size - 1, "data.csv", delimiter,
                                      header, &table, &error);
    check(status, &error);
    if (status != GR_OK)
        return;
    if (table.columns < 64)
        read_numbers(&table);
    gr_table_column(&table, "3");
    gr_table_free(&table);
}

static void fuzz_variables(const uint8_t *data, size_t size) {
    gr_settings settings;
    gr_dataset train, test;
    gr_error error = {0};
    char *text = calloc(size, 1);
    memcpy(text, data + 1, size - 1);
    if (gr_settings_init(&settings, &error) != GR_OK)
        abort();
    if (gr_settings_set(&settings, "target-expression", "1 + 1", &error) == GR_OK &&
        (!(data[0] & 64) || strstr(text, "20") == NULL) && /* quick ones */
        gr_settings_set(&settings, data[0] & 64 ? "boolean" : "variables", text, &error) == GR_OK) {
        settings.train_cases = 9; /* a grid, however large, is refused before it is made */
        gr_status status = gr_dataset_make(&settings, &train, &test, &error);
        if (status != GR_NO_MEMORY)
            check(status, &error);
        gr_dataset_free(&train);
        gr_dataset_free(&test);
    }
    gr_settings_free(&settings);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    if (data[0] & 128)
        fuzz_variables(data, size);
    else
        fuzz_table(data, size);
    return 0;
}
