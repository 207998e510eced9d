#include "host/derivation/codons.h"

#include "host/base/json.h"
#include "host/base/text.h"

#include <stdlib.h>
#include <string.h>

static gr_status refuse(const cJSON *item, const char *where, uint32_t number, gr_error *error) {
    char *text = cJSON_PrintUnformatted(item);
    gr_status status =
        text ? gr_fail(error, GR_BAD_INPUT,
                       "%s: codon %u is %.*s; expected a whole number from 0 to 4294967295", where,
                       number, GR_CUT(text, 40))
             : gr_fail(error, GR_NO_MEMORY, "%s: no memory for the genome", where);
    cJSON_free(text);
    return status;
}

/* The numbers of an array, in order. */
static gr_status take_codons(const cJSON *array, const char *where, uint32_t *codons,
                             uint32_t *count, gr_error *error) {
    const cJSON *item;
    *count = 0;
    for (item = array->child; item; item = item->next) {
        double value = cJSON_IsNumber(item) ? item->valuedouble : -1.0;
        if (!(value >= 0.0 && value <= 4294967295.0) || value != (double)(uint32_t)value)
            return refuse(item, where, *count + 1, error);
        codons[(*count)++] = (uint32_t)value;
    }
    return GR_OK;
}

gr_status gr_read_codons(const char *text, size_t length, const char *where, uint32_t **codons,
                         uint32_t *count, gr_error *error) {
    const char *end = text;
    cJSON *array = cJSON_ParseWithLengthOpts(text, length, &end, 0);
    *codons = NULL;
    *count = 0;
    while (array && end < text + length && *end && strchr(" \t\r\n", *end))
        end++;
    gr_status status = GR_OK;
    if (!array && gr_json_lost())
        status = gr_fail(error, GR_NO_MEMORY, "%s: no memory for the genome", where);
    else if (!cJSON_IsArray(array) || end != text + length)
        status =
            gr_fail(error, GR_BAD_INPUT,
                    "%s: no genome; expected a JSON array of codons, as in [12, 7, 255]", where);
    if (!status && !(*codons = malloc(((size_t)cJSON_GetArraySize(array) + 1) * sizeof **codons)))
        status = gr_fail(error, GR_NO_MEMORY, "%s: no memory for the genome", where);
    if (!status)
        status = take_codons(array, where, *codons, count, error);
    cJSON_Delete(array);
    if (status) {
        free(*codons);
        *codons = NULL;
        *count = 0;
    }
    return status;
}
