/* An experiment file as it is written: settings for all cells, and what varies. Every value keeps
 * its position, for the messages about it. */
#ifndef GRAMPUS_EXPERIMENT_DEFINITION_H
#define GRAMPUS_EXPERIMENT_DEFINITION_H

#include "host/settings/settings.h"

enum { GR_MOST_CELLS = 10000 };

/* A value of a setting as text; the text belongs to the definition. */
typedef struct gr_choice {
    gr_key key;
    const char *text;
    gr_origin origin;
} gr_choice;

/* A setting that varies: over values, or (sample) between two numbers. */
typedef struct gr_axis {
    gr_key key;
    uint32_t count;
    gr_choice *value; /* [count] */
    double from, to;  /* count 0 */
    int logarithmic;
    gr_origin origin;
} gr_axis;

typedef struct gr_axes {
    uint32_t count;
    gr_axis axis[GR_KEY_COUNT];
} gr_axes;

/* A cell of the list: its name or NULL, and its settings. */
typedef struct gr_entry {
    const char *name;
    uint32_t count;
    gr_choice *given; /* [count] */
    gr_origin origin;
} gr_entry;

typedef struct gr_definition {
    char *path; /* of the file: relative paths begin in its folder */
    char *text; /* all of it */
    size_t length;
    gr_choice base; /* text NULL: none */
    uint32_t sets;
    gr_choice set[GR_KEY_COUNT]; /* for all cells */
    gr_axes grid, sample;
    uint32_t samples; /* 0: none */
    uint64_t sample_seed;
    uint32_t entries; /* of the list; 0: none */
    gr_entry *entry;
    gr_choice label; /* text NULL: made of what varies */
    uint32_t blocks;
    gr_key block[GR_KEY_COUNT];
    gr_origin block_origin[GR_KEY_COUNT];
    int own_seeds;   /* every cell has its own, by its place */
    gr_origin seeds; /* where that is said */
    struct yaml_document_s *document;
} gr_definition;

/* Reads `text`, which it takes over, as the file at `path`. Refuses with "path:line:column: ...".
 * The definition is not moved afterwards. */
gr_status gr_definition_parse(char *text, size_t length, const char *path,
                              gr_definition *definition, gr_error *error);
/* The text of `file`, as if it stood at `path`. */
gr_status gr_definition_read(const char *file, const char *path, gr_definition *definition,
                             gr_error *error);
void gr_definition_free(gr_definition *definition);

#endif
