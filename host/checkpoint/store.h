/* Arrays with names in an HDF5 file: one dataset each, with what it means and a checksum. */
#ifndef GRAMPUS_STORE_H
#define GRAMPUS_STORE_H

#include "gpu/backend/error.h"

#include <stddef.h>
#include <stdint.h>

/* A member of an array's elements. */
typedef struct gr_column {
    const char *name; /* NULL: the element is this number */
    char kind;        /* 'u' unsigned whole number, 'f' floating point */
    uint8_t bytes;    /* 1, 2, 4 or 8 */
    uint32_t count;   /* 1, or of an array */
    size_t offset;
} gr_column;

typedef struct gr_stored {
    const char *group, *name; /* the dataset is GROUP/NAME */
    const char *help;
    const gr_column *column;
    uint32_t columns;
    size_t element; /* bytes */
    uint64_t rows;
    void *data; /* [rows] */
} gr_stored;

/* A number or, where `text` is not NULL, a text that belongs to the whole file. */
typedef struct gr_mark {
    const char *name;
    uint64_t value;
    const char *text;
} gr_mark;

typedef struct gr_contents {
    gr_mark mark[24];
    gr_stored array[32];
    uint32_t marks, arrays;
} gr_contents;

/* Makes the file, which must not be there; all of it is on the disk afterwards. */
gr_status gr_store_write(const char *path, const gr_contents *contents, gr_error *error);

typedef struct gr_store gr_store;
/* Opens a file to read; GR_BAD_INPUT when it is damaged, or somebody else's. */
gr_status gr_store_open(const char *path, gr_store **store, gr_error *error);
/* A number of the whole file. */
gr_status gr_store_mark(gr_store *store, const char *name, uint64_t *value, gr_error *error);
/* Looks for array->group/name: sets its rows; 0 where there is none. */
gr_status gr_store_find(gr_store *store, gr_stored *array, gr_error *error);
/* Reads all rows to array->data and checks them. */
gr_status gr_store_read(gr_store *store, const gr_stored *array, gr_error *error);
void gr_store_close(gr_store *store);

#endif
