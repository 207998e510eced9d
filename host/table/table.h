/* A text table in memory: lines, columns, names; numbers of the columns that are asked for. */
#ifndef GRAMPUS_TABLE_H
#define GRAMPUS_TABLE_H

#include "gpu/backend/error.h"
#include "host/table/column_words.h"

#include <stddef.h>
#include <stdint.h>

/* Some lines of data, for one thread. */
typedef struct gr_table_piece {
    size_t first, end;        /* offsets */
    size_t first_line, lines; /* lines: of any kind */
    uint64_t first_row, rows;
} gr_table_piece;

typedef struct gr_table {
    char *path; /* for messages */
    char *text; /* the file, unpacked, NUL at its end */
    size_t length;
    char delimiter; /* ' ': runs of blanks */
    uint32_t columns;
    uint64_t rows;            /* lines of data */
    char **names;             /* [columns] as the header spells them; NULL without a header */
    size_t header_line;       /* where they stand */
    const char *doubtful;     /* why a line that was guessed to be names may be none; NULL: it is */
    size_t first, first_line; /* offset and number of the first line of data */
    gr_table_piece *pieces;   /* [piece_count] all behind `first`, in order */
    uint32_t piece_count;
    size_t most; /* bytes of memory that reading the text took, before what is too much was given
                    back */
    gr_column_words *words; /* [columns] of columns that are read as words; NULL: none are */
    const char *for_words;  /* what would read text as words, for messages; NULL: nothing */
    bool only_floats;       /* nothing reads it as doubles, so that messages do not advise it */
} gr_table;

/* Reads a file, plain or gzip; delimiter and header as in settings.h or GR_AUTO. Every line must
 * have the same number of columns. */
gr_status gr_table_open(const char *path, uint32_t delimiter, uint32_t header, gr_table *table,
                        gr_error *error);
/* The same from memory (copied). */
gr_status gr_table_parse(const char *text, size_t length, const char *path, uint32_t delimiter,
                         uint32_t header, gr_table *table, gr_error *error);
void gr_table_free(gr_table *table);
/* Bytes of memory that the text takes, cut in pieces; names and words, which are few, not counted.
 */
size_t gr_table_bytes(const gr_table *table);

/* A column by name, or by number from 1; below 0 when there is none, or several of the name, of
 * which nobody knows which is meant. */
enum { GR_NO_COLUMN = -1, GR_TWIN_COLUMNS = -2 };
int64_t gr_table_column(const gr_table *table, const char *name);

/* Lets those of `count` columns that have text anywhere be read as words' numbers. Rows that have a
 * 0 in the column `weights` (GR_NO_COLUMN: there is none) do not count. */
gr_status gr_table_find_words(gr_table *table, const uint32_t *column, uint32_t count,
                              int64_t weights, gr_error *error);
/* The same by the numbers that another table's columns have: `as`[k] of `with` for column[k]. */
gr_status gr_table_share_words(gr_table *table, const uint32_t *column, const gr_table *with,
                               const uint32_t *as, uint32_t count, gr_error *error);
/* The same of one column, by a list of its words in the order of their numbers. */
gr_status gr_table_take_words(gr_table *table, uint32_t column, char *const *word, uint32_t count,
                              gr_error *error);

/* Reads rows [from, to) of `count` different columns into value[k][row - from]. */
gr_status gr_table_numbers(const gr_table *table, const uint32_t *column, uint32_t count,
                           uint64_t from, uint64_t to, float *const *value, gr_error *error);
gr_status gr_table_doubles(const gr_table *table, const uint32_t *column, uint32_t count,
                           uint64_t from, uint64_t to, double *const *value, gr_error *error);
/* GR_BAD_INPUT with the place of a value that was read and does not do. */
gr_status gr_table_refuse(const gr_table *table, uint64_t row, uint32_t column,
                          const char *expected, gr_error *error);

#endif
