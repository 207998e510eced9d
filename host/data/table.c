#include "host/data/table.h"
#include "gpu/backend/memory.h"
#include "host/base/input.h"
#include "host/base/text.h"
#include "host/cpu/processors.h"
#include "host/cpu/team.h"
#include "host/data/number.h"
#include "host/settings/settings.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { MOST_COLUMNS = 1 << 20 };

/* A line of the text; `number` counts from 1. */
typedef struct line {
    const char *at, *end;
    size_t number;
} line;

typedef struct field {
    const char *at, *end; /* without quotes and surrounding blanks */
    const char *error;    /* what is wrong with its quotes, or NULL */
} field;

static gr_status fail_at(const gr_table *t, const line *l, const char *at, gr_error *error,
                         const char *message) {
    return gr_fail(error, GR_BAD_INPUT, "%s:%zu:%zu: %s", t->path, l->number,
                   (size_t)(at - l->at) + 1, message);
}

/* The line behind l; false at the end of the text. Start with {text, text - nothing}: see
 * first_line. */
static bool next_line(const gr_table *t, line *l, size_t *next) {
    if (*next >= t->length)
        return false;
    const char *newline = memchr(t->text + *next, '\n', t->length - *next);
    l->at = t->text + *next;
    l->end = newline ? newline : t->text + t->length;
    *next = (size_t)(l->end - t->text) + (newline != NULL);
    l->number++;
    while (l->end > l->at && l->end[-1] == '\r')
        l->end--;
    return true;
}

static const char *skip_blanks(const char *at, const char *end) {
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

static bool is_blank(const line *l) {
    return skip_blanks(l->at, l->end) == l->end;
}

static bool is_comment(const line *l) {
    const char *at = skip_blanks(l->at, l->end);
    return at < l->end && *at == '#';
}

/* The next line of data or header. */
static bool next_row(const gr_table *t, line *l, size_t *next) {
    while (next_line(t, l, next))
        if (!is_blank(l) && !is_comment(l))
            return true;
    return false;
}

static bool at_separator(const gr_table *t, const char *at) {
    return t->delimiter == ' ' ? *at == ' ' || *at == '\t' : *at == t->delimiter;
}

/* Skips blanks that are not delimiters themselves. */
static const char *skip_padding(const gr_table *t, const char *at, const char *end) {
    while (at < end && (*at == ' ' || *at == '\t') && !at_separator(t, at))
        at++;
    return at;
}

/* A field in double quotes; "" stands for a quote. */
static const char *quoted_field(const gr_table *t, const char *at, const char *end, field *f) {
    f->at = ++at;
    while (at < end && (*at != '"' || (at + 1 < end && at[1] == '"')))
        at += *at == '"' ? 2 : 1;
    f->end = at < end ? at : end;
    if (at >= end) {
        f->error = "a quote that is not closed; expected '\"' on the same line";
        return end;
    }
    at = skip_padding(t, at + 1, end);
    if (at < end && !at_separator(t, at))
        f->error = "text behind a quoted field; expected a delimiter";
    while (at < end && !at_separator(t, at))
        at++;
    return at;
}

/* Takes the field at *cursor, which moves to the next one; NULL behind the last. */
static bool next_field(const gr_table *t, const char **cursor, const char *end, field *f) {
    const char *at = *cursor;
    if (!at)
        return false;
    at = t->delimiter == ' ' ? skip_blanks(at, end) : skip_padding(t, at, end);
    f->error = NULL;
    if (at < end && *at == '"')
        at = quoted_field(t, at, end, f);
    else {
        f->at = at;
        while (at < end && !at_separator(t, at))
            at++;
        f->end = at;
        while (f->end > f->at && (f->end[-1] == ' ' || f->end[-1] == '\t'))
            f->end--;
    }
    if (t->delimiter == ' ')
        at = skip_blanks(at, end);
    *cursor = at == end ? NULL : at + (t->delimiter != ' ');
    return true;
}

static uint32_t count_fields(const gr_table *t, const char *at, const char *end) {
    uint32_t count = 0;
    field f;
    while (count <= MOST_COLUMNS && next_field(t, &at, end, &f))
        count++;
    return count;
}

/* Whether a line reads as names: some field is neither a number nor a gap. */
static bool has_text(const gr_table *t, const char *at, const char *end) {
    field f;
    float value;
    while (next_field(t, &at, end, &f))
        if (f.error || gr_read_number(f.at, f.end, &value) == GR_IS_TEXT)
            return true;
    return false;
}

/* ---- shape ---- */

/* Whether c stands in the line, outside quotes. */
static bool contains(const line *l, char c) {
    bool quoted = false;
    for (const char *at = l->at; at < l->end; at++) {
        if (*at == '"')
            quoted = !quoted;
        else if (*at == c && !quoted)
            return true;
    }
    return false;
}

/* The first of tab, comma, semicolon and colon that stands in the first two lines, else blanks. */
static char find_delimiter(const line *first, const line *second) {
    static const char candidates[] = "\t,;:";
    for (const char *c = candidates; *c; c++)
        if (contains(first, *c) && (!second || contains(second, *c)))
            return *c;
    return ' ';
}

static char *copy_name(const field *f) {
    char *name = malloc((size_t)(f->end - f->at) + 1), *out = name;
    for (const char *at = f->at; name && at < f->end; at++) {
        *out++ = *at;
        at += *at == '"' && at + 1 < f->end && at[1] == '"';
    }
    if (name)
        *out = '\0';
    return name;
}

static gr_status take_names(gr_table *t, const line *l, const char *at, gr_error *error) {
    field f;
    uint32_t i = 0;
    t->names = calloc(t->columns, sizeof *t->names);
    t->header_line = l->number;
    while (t->names && i < t->columns && next_field(t, &at, l->end, &f)) {
        if (f.error)
            return fail_at(t, l, f.at, error, f.error);
        if (!(t->names[i++] = copy_name(&f)))
            break;
    }
    if (!t->names || !t->names[t->columns - 1])
        return gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading names", t->path);
    return GR_OK;
}

/* The first line of data or names, the comment before it, the line after it. */
typedef struct head {
    line comment, first, second;
    bool has_comment, has_second;
    size_t behind_first; /* offset */
} head;

static bool read_head(const gr_table *t, head *h) {
    line l = {0};
    size_t next = 0;
    *h = (head){0};
    while (!h->first.at && next_line(t, &l, &next)) {
        if (is_comment(&l)) {
            h->comment = l;
            h->has_comment = true;
        } else if (!is_blank(&l))
            h->first = l;
    }
    h->behind_first = next;
    h->second = l;
    h->has_second = h->first.at && next_row(t, &h->second, &next);
    return h->first.at != NULL;
}

/* "# a b c" with as many names as there are columns. */
static const char *comment_names(const gr_table *t, const head *h) {
    if (!h->has_comment)
        return NULL;
    const char *at = skip_blanks(h->comment.at, h->comment.end) + 1;
    at = skip_blanks(at, h->comment.end);
    bool fits =
        count_fields(t, at, h->comment.end) == t->columns && has_text(t, at, h->comment.end);
    return fits ? at : NULL;
}

/* Finds delimiter, columns, names and the first line of data. */
static gr_status find_shape(gr_table *t, uint32_t delimiter, uint32_t header, gr_error *error) {
    static const char signs[] = {',', '\t', ' ', ';', ':'}; /* gr_delimiter */
    head h;
    if (!read_head(t, &h))
        return gr_fail(error, GR_BAD_INPUT, "%s:1:1: no data; expected rows of numbers", t->path);
    t->delimiter = delimiter == GR_AUTO ? find_delimiter(&h.first, h.has_second ? &h.second : NULL)
                                        : signs[delimiter];
    t->columns = count_fields(t, h.first.at, h.first.end);
    if (t->columns > MOST_COLUMNS)
        return gr_fail(error, GR_BAD_INPUT, "%s:%zu:1: more than %d columns; expected fewer",
                       t->path, h.first.number, MOST_COLUMNS);
    t->first = (size_t)(h.first.at - t->text);
    t->first_line = h.first.number;
    bool text = has_text(t, h.first.at, h.first.end);
    const char *comment = text ? NULL : comment_names(t, &h);
    if (header == GR_HEADER_NO || (header == GR_AUTO && !text && !comment))
        return GR_OK;
    if (comment)
        return take_names(t, &h.comment, comment, error);
    if (!h.has_second)
        return fail_at(t, &h.first, h.first.at, error,
                       "names and no data; expected rows of numbers behind the header");
    t->first = h.behind_first;
    t->first_line = h.first.number + 1;
    return take_names(t, &h.first, h.first.at, error);
}

/* A piece of the text as a table of its own: lines begin and end in it. */
static gr_table part_of(const gr_table *t, const gr_table_piece *piece) {
    gr_table part = *t;
    part.length = piece->end;
    return part;
}

/* Every row has the same number of fields; counts rows and lines. */
static gr_status check_piece(const gr_table *t, gr_table_piece *piece, gr_error *error) {
    const gr_table part = part_of(t, piece);
    line l = {.number = piece->first_line - 1};
    size_t next = piece->first;
    piece->rows = 0;
    while (next_row(&part, &l, &next)) {
        const char *cursor = l.at, *extra = NULL;
        uint32_t count = 0;
        field f = {0};
        while (next_field(t, &cursor, l.end, &f)) {
            if (f.error)
                return fail_at(t, &l, f.at, error, f.error);
            if (count++ == t->columns)
                extra = f.at;
        }
        if (count != t->columns)
            return gr_fail(error, GR_BAD_INPUT,
                           "%s:%zu:%zu: a row of %lu fields; expected %lu, as in line %zu", t->path,
                           l.number, (size_t)((extra ? extra : l.end) - l.at) + 1,
                           (unsigned long)count, (unsigned long)t->columns,
                           t->names ? t->header_line : t->first_line);
        piece->rows++;
    }
    piece->lines = l.number - (piece->first_line - 1);
    return GR_OK;
}

/* Work on the pieces of a table by many threads; the first piece that failed is done again, for its
 * error. */
typedef struct work {
    const gr_table *t;
    gr_status (*piece)(const struct work *work, gr_table_piece *piece, gr_error *error);
    const uint32_t *wanted; /* of gr_table_numbers, as the three below */
    uint64_t from, to;
    float *const *value;
    _Atomic uint32_t failed; /* UINT32_MAX: none */
} work;

static void work_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    work *w = context;
    (void)thread;
    for (uint32_t k = (uint32_t)first; k < last; k++) {
        gr_error ignored;
        uint32_t before = w->failed;
        if (k < before && w->piece(w, &w->t->pieces[k], &ignored))
            while (k < before && !atomic_compare_exchange_weak(&w->failed, &before, k))
                ;
    }
}

static void work_on_pieces(work *w) {
    w->failed = UINT32_MAX;
    gr_team *team = gr_team_open(gr_threads_for_chunks(0, 64ull * w->t->piece_count));
    gr_team_loop(team, w->t->piece_count, 1, work_some, w);
    gr_team_close(team);
}

static gr_status check_one(const work *w, gr_table_piece *piece, gr_error *error) {
    return check_piece(w->t, piece, error);
}

/* Cuts the text behind names and comments at ends of lines. */
static gr_status cut(gr_table *t, gr_error *error) {
    enum { PIECE = 1 << 18 };
    size_t most = (t->length - t->first) / PIECE + 1, first = t->first;
    t->pieces = calloc(most, sizeof *t->pieces);
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

static gr_status check_rows(gr_table *t, gr_error *error) {
    work w = {.t = t, .piece = check_one};
    size_t number = t->first_line;
    gr_status status = cut(t, error);
    if (status)
        return status;
    work_on_pieces(&w);
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

static gr_status check_text(const gr_table *t, gr_error *error) {
    line l = {0};
    size_t next = 0;
    if (!memchr(t->text, '\0', t->length))
        return GR_OK;
    while (next_line(t, &l, &next) && !memchr(l.at, '\0', (size_t)(l.end - l.at)))
        ;
    return gr_input_check_line(t->path, l.at, (size_t)(l.end - l.at), l.number, error);
}

static gr_status shape(gr_table *t, uint32_t delimiter, uint32_t header, gr_error *error) {
    static const char mark[] = "\xef\xbb\xbf"; /* UTF-8 byte order mark */
    if (t->length >= 3 && memcmp(t->text, mark, 3) == 0)
        memcpy(t->text, "   ", 3);
    gr_status status = check_text(t, error);
    if (status == GR_OK)
        status = find_shape(t, delimiter, header, error);
    if (status == GR_OK)
        status = check_rows(t, error);
    if (status != GR_OK)
        gr_table_free(t);
    return status;
}

/* ---- reading ---- */

/* A packed file may unpack to so many times its size, beyond so many bytes. */
enum { MOST_UNPACKED = 400, FREE_BYTES = 64 << 20, READ_BYTES = 1 << 20 };

/* Twice as much memory for the text, if there is as much. */
static gr_status grow(gr_table *t, size_t *capacity, gr_error *error) {
    size_t more = *capacity ? 2 * *capacity : 2 * READ_BYTES;
    gr_status status = gr_memory_check((double)(more - t->length), t->path, error);
    char *text = status ? NULL : realloc(t->text, more);
    if (!text)
        return status ? status
                      : gr_fail(error, GR_NO_MEMORY, "%s: no memory for %zu bytes", t->path, more);
    t->text = text;
    *capacity = more;
    return GR_OK;
}

/* What has stopped gzread, if it is not the end of the file. */
static gr_status fail_reading(const gr_table *t, gzFile file, gr_error *error) {
    int code = Z_OK;
    const char *problem = gzerror(file, &code);
    if (code == Z_OK || code == Z_STREAM_END)
        return GR_OK;
    if (code == Z_MEM_ERROR)
        return gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", t->path);
    return gr_fail(error, GR_BAD_INPUT, "%s: %s; expected a readable table", t->path,
                   code == Z_ERRNO ? strerror(errno) : problem);
}

static gr_status check_packing(const gr_table *t, gzFile file, gr_error *error) {
    int64_t packed = gzoffset(file); /* -1 of a pipe */
    if (packed <= 0 || t->length <= FREE_BYTES || t->length / MOST_UNPACKED <= (uint64_t)packed)
        return GR_OK;
    return gr_fail(error, GR_BAD_INPUT,
                   "%s: it unpacks to more than %d times its size; expected it unpacked", t->path,
                   MOST_UNPACKED);
}

/* Unpacks the file into t->text, up to a NUL: what holds one is no table, and may have no end. */
static gr_status read_all(gr_table *t, gzFile file, gr_error *error) {
    size_t capacity = 0, from;
    gr_status status = GR_OK;
    do {
        from = t->length;
        if (capacity - from <= READ_BYTES && (status = grow(t, &capacity, error)))
            return status;
        int got = gzread(file, t->text + from, READ_BYTES);
        t->length += got > 0 ? (size_t)got : 0;
        status = got > 0 ? check_packing(t, file, error) : fail_reading(t, file, error);
    } while (!status && t->length > from && !memchr(t->text + from, '\0', t->length - from));
    t->text[t->length] = '\0';
    return status;
}

gr_status gr_table_open(const char *path, uint32_t delimiter, uint32_t header, gr_table *table,
                        gr_error *error) {
    *table = (gr_table){.path = strdup(path)};
    if (!table->path)
        return gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", path);
    errno = 0;
    gzFile file = gzopen(path, "rb");
    if (!file) {
        errno = errno ? errno : ENOMEM;
        gr_table_free(table);
        return gr_input_fail(path, "a table", error);
    }
    gzbuffer(file, 1 << 17);
    gr_status status = read_all(table, file, error);
    gzclose(file);
    if (status == GR_OK)
        return shape(table, delimiter, header, error);
    gr_table_free(table);
    return status;
}

gr_status gr_table_parse(const char *text, size_t length, const char *path, uint32_t delimiter,
                         uint32_t header, gr_table *table, gr_error *error) {
    *table = (gr_table){.path = strdup(path), .text = malloc(length + 1), .length = length};
    if (!table->path || !table->text) {
        gr_table_free(table);
        return gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", path);
    }
    if (length)
        memcpy(table->text, text, length);
    table->text[length] = '\0';
    return shape(table, delimiter, header, error);
}

void gr_table_free(gr_table *table) {
    for (uint32_t i = 0; table->words && i < table->columns; i++)
        gr_column_words_free(&table->words[i]);
    free(table->words);
    for (uint32_t i = 0; table->names && i < table->columns; i++)
        free(table->names[i]);
    free(table->names);
    free(table->pieces);
    free(table->text);
    free(table->path);
    *table = (gr_table){0};
}

int64_t gr_table_column(const gr_table *table, const char *name) {
    for (uint32_t i = 0; table->names && i < table->columns; i++)
        if (strcmp(table->names[i], name) == 0)
            return i;
    char *end;
    unsigned long number = *name >= '1' && *name <= '9' ? strtoul(name, &end, 10) : 0;
    return number && !*end && number <= table->columns ? (int64_t)number - 1 : -1;
}

static gr_status fail_number(const gr_table *t, const line *l, const field *f, uint32_t column,
                             gr_number_kind kind, gr_error *error) {
    char name[64], message[256];
    int shown = (int)(f->end - f->at < 40 ? f->end - f->at : 40);
    if (t->names)
        snprintf(name, sizeof name, "column '%.40s'", t->names[column]);
    else
        snprintf(name, sizeof name, "column %lu", (unsigned long)column + 1);
    if (kind == GR_IS_MISSING)
        snprintf(message, sizeof message, "a missing value in %s; expected a number", name);
    else
        snprintf(message, sizeof message, "%s '%.*s' in %s; expected a %snumber",
                 kind == GR_IS_TEXT ? "text" : "value", shown, f->at, name,
                 kind == GR_IS_TEXT ? "" : "finite ");
    return fail_at(t, l, f->at, error, message);
}

/* One row: the wanted fields to value[wanted][row]. */
static gr_status read_row(const gr_table *t, const line *l, const uint32_t *wanted, uint64_t row,
                          float *const *value, gr_error *error) {
    const char *cursor = l->at;
    field f;
    for (uint32_t column = 0; next_field(t, &cursor, l->end, &f); column++) {
        if (wanted[column] == UINT32_MAX)
            continue;
        if (t->words && t->words[column].count) {
            value[wanted[column]][row] =
                (float)gr_column_words_find(&t->words[column], f.at, f.end);
            continue;
        }
        gr_number_kind kind = gr_read_number(f.at, f.end, &value[wanted[column]][row]);
        if (kind != GR_IS_NUMBER)
            return fail_number(t, l, &f, column, kind, error);
    }
    return GR_OK;
}

static gr_status prepare_words(gr_table *t, gr_error *error) {
    if (!t->words)
        t->words = calloc(t->columns, sizeof *t->words);
    return t->words ? GR_OK
                    : gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", t->path);
}

static gr_status too_many_words(const gr_table *t, size_t line_number, uint32_t column,
                                gr_error *error) {
    if (t->words[column].count < GR_MOST_WORDS || !line_number)
        return gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", t->path);
    return gr_fail(error, GR_BAD_INPUT,
                   "%s:%zu: column %lu has more than %d different words; expected fewer", t->path,
                   line_number, (unsigned long)column + 1, GR_MOST_WORDS);
}

gr_status gr_table_find_words(gr_table *t, const uint32_t *column, uint32_t count,
                              gr_error *error) {
    bool *text = calloc(t->columns, sizeof *text), *used = calloc(t->columns, sizeof *used);
    gr_status status = prepare_words(t, error);
    field f;
    float value;
    if (!status && (!text || !used))
        status = gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", t->path);
    for (uint32_t k = 0; !status && k < count; k++)
        used[column[k]] = true;
    for (int pass = 0; !status && pass < 2; pass++) { /* which columns have words, then which */
        line l = {.number = t->first_line - 1};
        size_t next = t->first;
        while (!status && next_row(t, &l, &next)) {
            const char *cursor = l.at;
            for (uint32_t c = 0; !status && next_field(t, &cursor, l.end, &f); c++)
                if (pass == 0)
                    text[c] |= used[c] && gr_read_number(f.at, f.end, &value) == GR_IS_TEXT;
                else if (text[c] && !gr_column_words_add(&t->words[c], f.at, f.end))
                    status = too_many_words(t, l.number, c, error);
        }
    }
    for (uint32_t c = 0; !status && c < t->columns; c++)
        if (!gr_column_words_number(&t->words[c]))
            status = too_many_words(t, 0, c, error);
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
            if (!gr_column_words_add(&t->words[column[k]], text, text + strlen(text)))
                return gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", t->path);
            t->words[column[k]].entry[i]->number = from->entry[i]->number;
        }
    }
    return status;
}

/* Rows of a piece that are asked for. */
static gr_status read_piece(const work *w, gr_table_piece *piece, gr_error *error) {
    const gr_table part = part_of(w->t, piece);
    line l = {.number = piece->first_line - 1};
    size_t next = piece->first;
    gr_status status = GR_OK;
    uint64_t row = piece->first_row;
    if (row + piece->rows <= w->from)
        return GR_OK;
    for (; status == GR_OK && row < w->to && next_row(&part, &l, &next); row++)
        if (row >= w->from)
            status = read_row(w->t, &l, w->wanted, row - w->from, w->value, error);
    return status;
}

gr_status gr_table_numbers(const gr_table *table, const uint32_t *column, uint32_t count,
                           uint64_t from, uint64_t to, float *const *value, gr_error *error) {
    uint32_t *wanted = malloc(table->columns * sizeof *wanted);
    if (!wanted)
        return gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", table->path);
    memset(wanted, 0xff, table->columns * sizeof *wanted);
    for (uint32_t k = 0; k < count; k++)
        wanted[column[k]] = k;
    work w = {
        .t = table, .piece = read_piece, .wanted = wanted, .from = from, .to = to, .value = value};
    work_on_pieces(&w);
    gr_status status =
        w.failed == UINT32_MAX ? GR_OK : read_piece(&w, &table->pieces[w.failed], error);
    free(wanted);
    return status;
}
