/* The text of a table in pieces, for many threads. */
#ifndef GRAMPUS_TABLE_PIECES_H
#define GRAMPUS_TABLE_PIECES_H

#include "host/table/table.h"

#include <stdatomic.h>

/* A piece of the text as a table of its own: lines begin and end in it. */
gr_table gr_piece_text(const gr_table *t, const gr_table_piece *piece);

/* Work on all pieces. `failed` is the first one that failed, for the caller to do again, for its
 * error. */
typedef struct gr_piece_work {
    const gr_table *t;
    gr_status (*piece)(const struct gr_piece_work *work, gr_table_piece *piece, gr_error *error);
    const void *of;          /* the caller's */
    _Atomic uint32_t failed; /* UINT32_MAX: none */
} gr_piece_work;
void gr_work_on_pieces(gr_piece_work *work);

/* Cuts the text behind names and comments, counts rows, and checks that all have as many fields. */
gr_status gr_table_check_rows(gr_table *t, gr_error *error);

#endif
