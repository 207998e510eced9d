#include "host/base/text.h"
#include "host/table/lines.h"
#include "host/table/number.h"
#include "host/table/pieces.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- columns of words ---- */

static gr_status prepare_words(gr_table *t, gr_error *error) {
    if (!t->words)
        t->words = calloc(t->columns, sizeof *t->words);
    return t->words ? GR_OK
                    : gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", t->path);
}

/* How messages call a column. */
static void name_column(const gr_table *t, uint32_t column, char name[64]) {
    if (t->names && *t->names[column])
        snprintf(name, 64, "column '%.*s'", gr_text_room(t->names[column], 40), t->names[column]);
    else
        snprintf(name, 64, "column %lu", (unsigned long)column + 1);
}

/* A word, at f, that there was no room for. */
static gr_status too_many_words(const gr_table *t, const gr_line *l, const gr_field *f,
                                uint32_t column, gr_error *error) {
    char name[64], message[128];
    if (t->words[column].count < GR_MOST_WORDS)
        return gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", t->path);
    name_column(t, column, name);
    snprintf(message, sizeof message, "%s has more than %d different words; expected fewer", name,
             GR_MOST_WORDS);
    return gr_line_fail(t, l, f->at, error, message);
}

/* Whether a row counts nothing, by its number in a column. */
static bool weighs_nothing(const gr_table *t, const gr_line *l, int64_t weights) {
    const char *cursor = l->at;
    gr_field f;
    float value;
    for (int64_t c = 0; c <= weights && gr_next_field(t, &cursor, l->end, &f); c++)
        if (c == weights)
            return gr_read_number(f.at, f.end, &value) == GR_IS_NUMBER && value == 0.0f;
    return false;
}

gr_status gr_table_find_words(gr_table *t, const uint32_t *column, uint32_t count, int64_t weights,
                              gr_error *error) {
    bool *text = calloc(t->columns, sizeof *text), *used = calloc(t->columns, sizeof *used);
    gr_status status = prepare_words(t, error);
    gr_field f;
    float value;
    if (!status && (!text || !used))
        status = gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", t->path);
    for (uint32_t k = 0; !status && k < count; k++)
        used[column[k]] = true;
    for (int pass = 0; !status && pass < 2; pass++) { /* which columns have words, then which */
        gr_line l = {.number = t->first_line - 1};
        size_t next = t->first;
        while (!status && gr_next_row(t, &l, &next)) {
            const char *cursor = l.at;
            if (weighs_nothing(t, &l, weights))
                continue;
            for (uint32_t c = 0; !status && gr_next_field(t, &cursor, l.end, &f); c++)
                if (pass == 0)
                    text[c] |= used[c] && gr_read_number(f.at, f.end, &value) == GR_IS_TEXT;
                else if (text[c] && !gr_column_words_add(&t->words[c], f.at, f.end, f.doubled))
                    status = too_many_words(t, &l, &f, c, error);
        }
    }
    for (uint32_t c = 0; !status && c < t->columns; c++)
        if (!gr_column_words_number(&t->words[c]))
            status = gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", t->path);
    free(text);
    free(used);
    return status;
}

gr_status gr_table_share_words(gr_table *t, const uint32_t *column, const gr_table *with,
                               const uint32_t *as, uint32_t count, gr_error *error) {
    gr_status status = prepare_words(t, error);
    for (uint32_t k = 0; !status && with->words && k < count; k++) {
        const gr_column_words *from = &with->words[as[k]];
        for (uint32_t i = 0; i < from->count; i++) {
            const char *text = from->entry[i]->text;
            if (!gr_column_words_add(&t->words[column[k]], text, text + strlen(text), false))
                return gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", t->path);
            t->words[column[k]].entry[i]->number = from->entry[i]->number;
        }
    }
    return status;
}

gr_status gr_table_take_words(gr_table *t, uint32_t column, char *const *word, uint32_t count,
                              gr_error *error) {
    gr_status status = prepare_words(t, error);
    for (uint32_t k = 0; !status && k < count; k++) {
        uint32_t before = t->words[column].count;
        if (!gr_column_words_add(&t->words[column], word[k], word[k] + strlen(word[k]), false))
            return gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", t->path);
        if (t->words[column].count > before) /* the first of equal ones */
            t->words[column].entry[before]->number = k;
    }
    return status;
}

/* ---- numbers ---- */

/* "1,5", as half of the world writes it. */
static bool has_decimal_comma(const gr_field *f) {
    const char *at = f->at + (f->at < f->end && strchr("+-", *f->at) != NULL);
    size_t whole = strspn(at, "0123456789");
    if (at + whole >= f->end || at[whole] != ',')
        return false;
    size_t part = strspn(at + whole + 1, "0123456789");
    return whole + part > 0 && at + whole + 1 + part == f->end;
}

/* doubles: what it was read as. */
static gr_status fail_number(const gr_table *t, const gr_line *l, const gr_field *f,
                             uint32_t column, gr_number_kind kind, bool doubles, gr_error *error) {
    char name[64], message[256];
    double exact;
    int shown = gr_text_fits(f->at, (size_t)(f->end - f->at), 40);
    name_column(t, column, name);
    if (kind == GR_IS_MISSING)
        snprintf(message, sizeof message, "a missing value in %s; expected a number%s", name,
                 t->names && column + 1 == t->columns && column && !*t->names[column]
                     ? ", or no delimiter at the end of lines"
                     : "");
    else if (kind == GR_IS_TOO_LARGE && !doubles &&
             gr_read_double(f->at, f->end, &exact) == GR_IS_NUMBER)
        snprintf(message, sizeof message,
                 "value '%.*s' in %s is beyond single precision; expected at most 3.4e38%s", shown,
                 f->at, name, t->only_floats ? "" : ", or precision: double");
    else {
        /* what begins as a number is a slip, not a word, and what begins the table may be a name */
        int word = kind == GR_IS_TEXT && t->for_words && f->at < f->end &&
                   !strchr("+-.0123456789", *f->at) && (t->names || l->number > t->first_line);
        snprintf(message, sizeof message, "%s '%.*s' in %s; expected a %snumber%s%s",
                 kind == GR_IS_TEXT ? "text" : "value", shown, f->at, name,
                 kind == GR_IS_TEXT ? "" : "finite ",
                 word                   ? ", or "
                 : has_decimal_comma(f) ? " with a decimal point"
                                        : "",
                 word ? t->for_words : "");
    }
    return gr_line_fail(t, l, f->at, error, message);
}

/* What is read: wanted[column] is the place of its values, UINT32_MAX if it has none; values as
 * floats or as doubles, the other is NULL. */
typedef struct wanted_rows {
    const uint32_t *wanted;
    uint64_t from, to;
    float *const *value;
    double *const *exact;
} wanted_rows;

static gr_number_kind read_field(const wanted_rows *of, const gr_field *f, uint32_t place,
                                 uint64_t row) {
    return of->exact ? gr_read_double(f->at, f->end, &of->exact[place][row])
                     : gr_read_number(f->at, f->end, &of->value[place][row]);
}

/* One row: the wanted fields to [wanted][row]. */
static gr_status read_row(const gr_table *t, const gr_line *l, const wanted_rows *of, uint64_t row,
                          gr_error *error) {
    const char *cursor = l->at;
    gr_field f;
    for (uint32_t column = 0; gr_next_field(t, &cursor, l->end, &f); column++) {
        uint32_t place = of->wanted[column];
        if (place == UINT32_MAX)
            continue;
        if (t->words && t->words[column].count) {
            int64_t number = gr_column_words_find(&t->words[column], f.at, f.end, f.doubled);
            if (of->exact)
                of->exact[place][row] = (double)number;
            else
                of->value[place][row] = (float)number;
            continue;
        }
        gr_number_kind kind = read_field(of, &f, place, row);
        if (kind != GR_IS_NUMBER)
            return fail_number(t, l, &f, column, kind, of->exact != NULL, error);
    }
    return GR_OK;
}

/* Rows of a piece that are asked for. */
static gr_status read_piece(const gr_piece_work *w, gr_table_piece *piece, gr_error *error) {
    const wanted_rows *of = w->of;
    const gr_table part = gr_piece_text(w->t, piece);
    gr_line l = {.number = piece->first_line - 1};
    size_t next = piece->first;
    gr_status status = GR_OK;
    uint64_t row = piece->first_row;
    if (row + piece->rows <= of->from)
        return GR_OK;
    for (; status == GR_OK && row < of->to && gr_next_row(&part, &l, &next); row++)
        if (row >= of->from)
            status = read_row(w->t, &l, of, row - of->from, error);
    return status;
}

static gr_status read_rows(const gr_table *table, const uint32_t *column, uint32_t count,
                           wanted_rows of, gr_error *error) {
    uint32_t *wanted = malloc(table->columns * sizeof *wanted);
    if (!wanted)
        return gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", table->path);
    memset(wanted, 0xff, table->columns * sizeof *wanted);
    for (uint32_t k = 0; k < count; k++)
        wanted[column[k]] = k;
    of.wanted = wanted;
    gr_piece_work w = {.t = table, .piece = read_piece, .of = &of};
    gr_work_on_pieces(&w);
    gr_status status =
        w.failed == UINT32_MAX ? GR_OK : read_piece(&w, &table->pieces[w.failed], error);
    free(wanted);
    return status;
}

gr_status gr_table_numbers(const gr_table *table, const uint32_t *column, uint32_t count,
                           uint64_t from, uint64_t to, float *const *value, gr_error *error) {
    return read_rows(table, column, count, (wanted_rows){NULL, from, to, value, NULL}, error);
}

gr_status gr_table_doubles(const gr_table *table, const uint32_t *column, uint32_t count,
                           uint64_t from, uint64_t to, double *const *value, gr_error *error) {
    return read_rows(table, column, count, (wanted_rows){NULL, from, to, NULL, value}, error);
}

gr_status gr_table_refuse(const gr_table *t, uint64_t row, uint32_t column, const char *expected,
                          gr_error *error) {
    char name[64], message[256];
    gr_line l = {.number = t->first_line - 1};
    gr_field f = {.at = ""};
    size_t next = t->first;
    for (uint64_t k = 0; k <= row && gr_next_row(t, &l, &next); k++)
        continue;
    const char *cursor = l.at;
    for (uint32_t c = 0; c <= column && gr_next_field(t, &cursor, l.end, &f); c++)
        continue;
    name_column(t, column, name);
    snprintf(message, sizeof message, "value '%.*s' in %s; expected %s",
             gr_text_fits(f.at, (size_t)(f.end - f.at), 40), f.at, name, expected);
    return gr_line_fail(t, &l, f.at, error, message);
}
