#include "host/base/json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

cJSON *gr_json_float(double value) {
    char text[32];
    if (isnan(value))
        return cJSON_CreateString("nan");
    if (isinf(value))
        return cJSON_CreateString(value > 0 ? "inf" : "-inf");
    snprintf(text, sizeof text, "%.9g", value);
    return cJSON_CreateRaw(text);
}

void gr_json_add_float(cJSON *object, const char *name, double value) {
    cJSON_AddItemToObject(object, name, isnan(value) ? cJSON_CreateNull() : gr_json_float(value));
}

void gr_json_add_whole(cJSON *object, const char *name, unsigned long long value) {
    char text[32];
    snprintf(text, sizeof text, "%llu", value);
    cJSON_AddRawToObject(object, name, text);
}

void gr_json_add_text(cJSON *object, const char *name, const char *text) {
    cJSON_AddItemToObject(object, name, text ? cJSON_CreateString(text) : cJSON_CreateNull());
}

gr_status gr_json_write(const cJSON *json, int pretty, FILE *out, const char *path,
                        gr_error *error) {
    char *text = json ? (pretty ? cJSON_Print(json) : cJSON_PrintUnformatted(json)) : NULL;
    if (!text)
        return gr_fail(error, GR_NO_MEMORY, "%s: no memory to write", path);
    int good = fputs(text, out) >= 0 && fputc('\n', out) >= 0;
    free(text);
    return good ? GR_OK : gr_fail(error, GR_FAILED, "%s: %s", path, strerror(errno));
}
