/* What cJSON does not do by itself: numbers that read back as the same float, and checked output.
 */
#ifndef GRAMPUS_JSON_H
#define GRAMPUS_JSON_H

#include "gpu/backend/error.h"

#include <cjson/cJSON.h>
#include <stdio.h>

/* A float as %.9g; "nan", "inf" and "-inf" as strings. */
cJSON *gr_json_float(double value);
/* The same under a name; NaN is null: there is no such value. */
void gr_json_add_float(cJSON *object, const char *name, double value);
/* Whole numbers beyond 2^53 keep all their digits. */
void gr_json_add_whole(cJSON *object, const char *name, unsigned long long value);
/* Text, or null for NULL. */
void gr_json_add_text(cJSON *object, const char *name, const char *text);
/* Writes the value and a newline; `pretty` over several lines. `path` is for the message. */
gr_status gr_json_write(const cJSON *json, int pretty, FILE *out, const char *path,
                        gr_error *error);

#endif
