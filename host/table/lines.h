/* Lines of a table's text, and their fields. */
#ifndef GRAMPUS_TABLE_LINES_H
#define GRAMPUS_TABLE_LINES_H

#include "host/table/table.h"

#include <stdbool.h>

enum { GR_MOST_COLUMNS = 1 << 20 };

/* A line of the text; `number` counts from 1. */
typedef struct gr_line {
    const char *at, *end;
    size_t number;
} gr_line;

typedef struct gr_field {
    const char *at, *end; /* without quotes and surrounding blanks */
    const char *error;    /* what is wrong with its quotes, or NULL */
    bool doubled;         /* it stood in quotes: "" in it is a quote */
} gr_field;

/* GR_BAD_INPUT with the place `at` in the line. */
gr_status gr_line_fail(const gr_table *t, const gr_line *l, const char *at, gr_error *error,
                       const char *message);
/* The line at offset *next, which moves behind it; false at the end of the text. */
bool gr_next_line(const gr_table *t, gr_line *l, size_t *next);
/* The next line of data or header: neither empty nor a comment. */
bool gr_next_row(const gr_table *t, gr_line *l, size_t *next);
bool gr_is_empty_line(const gr_line *l);
bool gr_is_comment_line(const gr_line *l);
const char *gr_skip_blanks(const char *at, const char *end);

/* Takes the field at *cursor, which moves to the next one; NULL behind the last. */
bool gr_next_field(const gr_table *t, const char **cursor, const char *end, gr_field *f);
/* At most one more than GR_MOST_COLUMNS. */
uint32_t gr_count_fields(const gr_table *t, const char *at, const char *end);
/* Whether a line reads as names: some field is neither a number nor a gap. */
bool gr_has_text(const gr_table *t, const char *at, const char *end);
bool gr_has_number(const gr_table *t, const char *at, const char *end);

#endif
