#include "host/base/json.h"

#include "host/base/decimal.h"
#include "host/base/output.h"

#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static atomic_int lost;

void gr_json_lose(void) {
    atomic_store(&lost, 1);
}

static void *allocate(size_t size) {
    void *block = malloc(size);
    if (!block)
        gr_json_lose();
    return block;
}

void gr_json_watch_memory(void) {
    cJSON_Hooks hooks = {allocate, free};
    cJSON_InitHooks(&hooks);
}

int gr_json_lost(void) {
    return atomic_load(&lost);
}

static cJSON *number(double value, int digits) {
    char text[32];
    if (isnan(value))
        return cJSON_CreateString("nan");
    if (isinf(value))
        return cJSON_CreateString(value > 0 ? "inf" : "-inf");
    snprintf(text, sizeof text, "%.*g", digits, value);
    return cJSON_CreateRaw(text);
}

cJSON *gr_json_float(double value) {
    return number(value, 9);
}

cJSON *gr_json_double(double value) {
    return number(value, 17);
}

void gr_json_add_float(cJSON *object, const char *name, double value) {
    cJSON_AddItemToObject(object, name, isnan(value) ? cJSON_CreateNull() : gr_json_float(value));
}

void gr_json_add_whole(cJSON *object, const char *name, unsigned long long value) {
    char text[32];
    snprintf(text, sizeof text, "%llu", value);
    cJSON_AddRawToObject(object, name, text);
}

void gr_json_add_words(cJSON *object, const char *name, const uint32_t *words, size_t count) {
    enum { MOST = 12 }; /* ten digits, a comma and a blank */
    char *text = malloc(count * MOST + 3), *at = text;
    if (!text) {
        gr_json_lose();
        return;
    }
    *at++ = '[';
    for (size_t k = 0; k < count; k++) {
        if (k) {
            *at++ = ',';
            *at++ = ' ';
        }
        at = gr_put_whole(at, words[k]);
    }
    memcpy(at, "]", 2);
    cJSON_AddRawToObject(object, name, text);
    free(text);
}

void gr_json_add_text(cJSON *object, const char *name, const char *text) {
    cJSON_AddItemToObject(object, name, text ? cJSON_CreateString(text) : cJSON_CreateNull());
}

gr_status gr_json_write(const cJSON *json, int pretty, FILE *out, const char *path,
                        gr_error *error) {
    char *text = json ? (pretty ? cJSON_Print(json) : cJSON_PrintUnformatted(json)) : NULL;
    if (!text || gr_json_lost()) {
        cJSON_free(text);
        return gr_fail(error, GR_NO_MEMORY, "%s: out of memory while writing", path);
    }
    int good = fputs(text, out) >= 0 && fputc('\n', out) >= 0;
    int code = errno;
    cJSON_free(text);
    errno = code;
    return good ? GR_OK : gr_output_fail(path, error);
}

gr_status gr_json_print(cJSON *json, gr_error *error) {
    gr_status status = gr_json_write(json, 0, stdout, "standard output", error);
    cJSON_Delete(json);
    return status;
}
