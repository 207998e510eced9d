/* Programs in the languages of others: the formats of formats.def. */
#ifndef GRAMPUS_EXPORT_H
#define GRAMPUS_EXPORT_H

#include "host/export/program.h"

#include <stdio.h>

typedef gr_status gr_export_writer(const gr_export *e, FILE *out, gr_error *error);
#define GR_FORMAT(word, ending, write, help) gr_export_writer write;
#include "host/export/formats.def"

typedef struct gr_format {
    const char *word, *ending, *help;
    gr_export_writer *write;
} gr_format;
enum {
    GR_FORMATS = 0
#define GR_FORMAT(word, ending, write, help) +1
#include "host/export/formats.def"
};
extern const gr_format gr_formats[GR_FORMATS];
/* The format of this name, or NULL. */
const gr_format *gr_find_format(const char *word);

#endif
