/* Rates measured by grampus bench --json. */
#include "host/base/input.h"
#include "host/report/load.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double number(const cJSON *row, const char *name) {
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(row, name);
    return cJSON_IsNumber(value) ? value->valuedouble : 0.0;
}

static int is_size(double value) {
    return value > 0.0 && isfinite(value);
}

/* Rows of surfaces: named surface-POPULATIONxCASES. */
static gr_status take_rows(const cJSON *rows, gr_rates *rates, gr_error *error) {
    const cJSON *row;
    rates->at = malloc((3 * (size_t)cJSON_GetArraySize(rows) + 1) * sizeof *rates->at);
    if (!rates->at)
        return gr_fail(error, GR_NO_MEMORY, "no memory for rates");
    cJSON_ArrayForEach(row, rows) {
        const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(row, "name"));
        const char *device = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(row, "device"));
        double rate = number(row, "gpops");
        if (!name || strncmp(name, "surface-", 8) != 0)
            continue;
        double *at = rates->at + 3 * (size_t)rates->count;
        char *x = NULL;
        at[1] = strtod(name + 8, &x);
        at[0] = x && *x == 'x' ? strtod(x + 1, NULL) : 0.0;
        at[2] = rate;
        if (!is_size(at[0]) || !is_size(at[1]) || !is_size(at[2])) /* no place on these axes */
            continue;
        rates->count++;
        if (!rates->device && device)
            rates->device = strdup(device);
    }
    return GR_OK;
}

gr_status gr_load_rates(const char *path, gr_report *report, gr_error *error) {
    char *text = NULL;
    size_t length;
    gr_status status = gr_input_read_text(path, "rates of grampus bench --json", (size_t)64 << 20,
                                          &text, &length, error);
    cJSON *json = status ? NULL : cJSON_Parse(text);
    const cJSON *rows = cJSON_IsArray(json) ? json : cJSON_GetObjectItemCaseSensitive(json, "rows");
    gr_rates *rates = json ? gr_report_add_rates(report) : NULL;
    if (!status && rates) {
        rates->source = strdup(path);
        status = take_rows(rows, rates, error);
    }
    if (!status && (!rates || !rates->count))
        status = gr_fail(error, GR_BAD_INPUT,
                         "%s: no rates of a surface; expected what grampus bench surface --json "
                         "writes",
                         path);
    cJSON_Delete(json);
    free(text);
    return status;
}
