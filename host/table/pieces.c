#include "host/table/pieces.h"

#include "host/base/text.h"
#include "host/cpu/processors.h"
#include "host/cpu/team.h"
#include "host/table/lines.h"

#include <stdlib.h>
#include <string.h>

gr_table gr_piece_text(const gr_table *t, const gr_table_piece *piece) {
    gr_table part = *t;
    part.length = piece->end;
    return part;
}

/* Every row has the same number of fields; counts rows and lines. */
static gr_status check_piece(const gr_table *t, gr_table_piece *piece, gr_error *error) {
    const gr_table part = gr_piece_text(t, piece);
    gr_line l = {.number = piece->first_line - 1};
    size_t next = piece->first;
    piece->rows = 0;
    while (gr_next_row(&part, &l, &next)) {
        const char *cursor = l.at, *extra = NULL;
        uint32_t count = 0;
        gr_field f = {0};
        while (gr_next_field(t, &cursor, l.end, &f)) {
            if (f.error)
                return gr_line_fail(t, &l, f.at, error, f.error);
            if (count++ == t->columns)
                extra = f.at;
        }
        if (count != t->columns)
            return gr_fail(error, GR_BAD_INPUT,
                           "%s:%zu:%zu: a row of %lu fields; expected %lu, as in line %zu", t->path,
                           l.number,
                           gr_text_characters(l.at, (size_t)((extra ? extra : l.end) - l.at)) + 1,
                           (unsigned long)count, (unsigned long)t->columns,
                           t->names ? t->header_line : t->first_line);
        piece->rows++;
    }
    piece->lines = l.number - (piece->first_line - 1);
    return GR_OK;
}

static void work_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    gr_piece_work *w = context;
    (void)thread;
    for (uint32_t k = (uint32_t)first; k < last; k++) {
        gr_error ignored;
        uint32_t before = w->failed;
        if (k < before && w->piece(w, &w->t->pieces[k], &ignored))
            while (k < before && !atomic_compare_exchange_weak(&w->failed, &before, k))
                ;
    }
}

void gr_work_on_pieces(gr_piece_work *w) {
    w->failed = UINT32_MAX;
    gr_team *team = gr_team_open(gr_threads_for_chunks(0, 64ull * w->t->piece_count));
    gr_team_loop(team, w->t->piece_count, 1, work_some, w);
    gr_team_close(team);
}

static gr_status check_one(const gr_piece_work *w, gr_table_piece *piece, gr_error *error) {
    return check_piece(w->t, piece, error);
}

enum { PIECE = 1 << 18 };

static size_t most_pieces(const gr_table *t) {
    return (t->length - t->first) / PIECE + 1;
}

size_t gr_table_bytes(const gr_table *t) {
    return t->length + 1 + most_pieces(t) * sizeof *t->pieces;
}

/* Cuts the text behind names and comments at ends of lines. */
static gr_status cut(gr_table *t, gr_error *error) {
    size_t first = t->first;
    t->pieces = calloc(most_pieces(t), sizeof *t->pieces);
    if (!t->pieces)
        return gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", t->path);
    while (first < t->length) {
        const char *newline = t->length - first > PIECE
                                  ? memchr(t->text + first + PIECE, '\n', t->length - first - PIECE)
                                  : NULL;
        size_t end = newline ? (size_t)(newline - t->text) + 1 : t->length;
        t->pieces[t->piece_count++] = (gr_table_piece){.first = first, .end = end, .first_line = 1};
        first = end;
    }
    return GR_OK;
}

gr_status gr_table_check_rows(gr_table *t, gr_error *error) {
    gr_piece_work w = {.t = t, .piece = check_one};
    size_t number = t->first_line;
    gr_status status = cut(t, error);
    if (status)
        return status;
    gr_work_on_pieces(&w);
    for (uint32_t k = 0; k < t->piece_count; k++) {
        gr_table_piece *piece = &t->pieces[k];
        piece->first_line = number;
        piece->first_row = t->rows;
        if (k == w.failed)
            return check_piece(t, piece, error);
        number += piece->lines;
        t->rows += piece->rows;
    }
    return GR_OK;
}
