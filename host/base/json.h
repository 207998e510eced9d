/* What cJSON does not do by itself: numbers that read back as the same float, and checked output.
 */
#ifndef GRAMPUS_JSON_H
#define GRAMPUS_JSON_H

#include "gpu/backend/error.h"

#include <cjson/cJSON.h>
#include <stdint.h>
#include <stdio.h>

/* Lets cJSON note every allocation that fails, from then on: it drops what it has no memory for and
 * says nothing. A program calls it first; a library does not change the cJSON of its program. */
void gr_json_watch_memory(void);
/* Whether one has failed: something may be missing in any value. The caller notes what it has not
 * made itself. */
int gr_json_lost(void);
void gr_json_lose(void);

/* A float as %.9g; "nan", "inf" and "-inf" as strings. */
cJSON *gr_json_float(double value);
/* The same as %.17g, which keeps every double. */
cJSON *gr_json_double(double value);
/* A float under a name; NaN is null: there is no such value. */
void gr_json_add_float(cJSON *object, const char *name, double value);
/* Whole numbers beyond 2^53 keep all their digits. */
void gr_json_add_whole(cJSON *object, const char *name, unsigned long long value);
/* An array of whole numbers under a name, as one text: a value for each, of a thousand genomes,
 * takes longer to make, print and free than everything else of them. */
void gr_json_add_words(cJSON *object, const char *name, const uint32_t *words, size_t count);
/* Text, or null for NULL. */
void gr_json_add_text(cJSON *object, const char *name, const char *text);
/* Writes the value and a newline, or nothing when something may be missing in it; `pretty` over
 * several lines. `path` is for the message. */
gr_status gr_json_write(const cJSON *json, int pretty, FILE *out, const char *path,
                        gr_error *error);
/* Writes it to the standard output, on one line, and frees it. */
gr_status gr_json_print(cJSON *json, gr_error *error);

#endif
