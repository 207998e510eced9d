#include "host/table/table.h"

#include "gpu/backend/memory.h"
#include "host/base/input.h"
#include "host/base/text.h"
#include "host/base/unpack.h"
#include "host/settings/settings.h"
#include "host/table/lines.h"
#include "host/table/pieces.h"

#include <stdlib.h>
#include <string.h>

/* ---- shape ---- */

static const char candidates[] = "\t,;:";

/* Whether a quote here begins a field, whatever the delimiter is: 3" pipe has one that does not. */
static bool opens(const gr_line *l, const char *at) {
    return at == l->at || at[-1] == ' ' || strchr(candidates, at[-1]);
}

/* Whether c stands in the line, outside quotes. */
static bool contains(const gr_line *l, char c) {
    bool quoted = false;
    for (const char *at = l->at; at < l->end; at++) {
        if (*at == '"' && quoted && at + 1 < l->end && at[1] == '"')
            at++;
        else if (*at == '"' && (quoted || opens(l, at)))
            quoted = !quoted;
        else if (*at == c && !quoted)
            return true;
    }
    return false;
}

/* The first of tab, comma, semicolon and colon that stands in the first two lines, else blanks. */
static char find_delimiter(const gr_line *first, const gr_line *second) {
    for (const char *c = candidates; *c; c++)
        if (contains(first, *c) && (!second || contains(second, *c)))
            return *c;
    return ' ';
}

static char *copy_name(const gr_field *f) {
    char *name = malloc((size_t)(f->end - f->at) + 1), *out = name;
    for (const char *at = f->at; name && at < f->end; at++) {
        *out++ = *at;
        at += f->doubled && *at == '"';
    }
    if (name)
        *out = '\0';
    return name;
}

static gr_status take_names(gr_table *t, const gr_line *l, const char *at, gr_error *error) {
    gr_field f;
    uint32_t i = 0;
    t->names = calloc(t->columns, sizeof *t->names);
    t->header_line = l->number;
    while (t->names && i < t->columns && gr_next_field(t, &at, l->end, &f)) {
        if (f.error)
            return gr_line_fail(t, l, f.at, error, f.error);
        if (!(t->names[i++] = copy_name(&f)))
            break;
    }
    if (!t->names || !t->names[t->columns - 1])
        return gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading names", t->path);
    return GR_OK;
}

/* The first line of data or names, the comment before it, the line after it. */
typedef struct head {
    gr_line comment, first, second;
    bool has_comment, has_second;
    size_t behind_first; /* offset */
} head;

static bool read_head(const gr_table *t, head *h) {
    gr_line l = {0};
    size_t next = 0;
    *h = (head){0};
    while (!h->first.at && gr_next_line(t, &l, &next)) {
        if (gr_is_comment_line(&l)) {
            h->comment = l;
            h->has_comment = true;
        } else if (!gr_is_empty_line(&l))
            h->first = l;
    }
    h->behind_first = next;
    h->second = l;
    h->has_second = h->first.at && gr_next_row(t, &h->second, &next);
    return h->first.at != NULL;
}

/* "# a b c" with as many names as there are columns. */
static const char *comment_names(const gr_table *t, const head *h) {
    if (!h->has_comment)
        return NULL;
    const char *at = gr_skip_blanks(h->comment.at, h->comment.end) + 1;
    at = gr_skip_blanks(at, h->comment.end);
    bool fits =
        gr_count_fields(t, at, h->comment.end) == t->columns && gr_has_text(t, at, h->comment.end);
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
    t->columns = gr_count_fields(t, h.first.at, h.first.end);
    if (t->columns > GR_MOST_COLUMNS)
        return gr_fail(error, GR_BAD_INPUT, "%s:%zu:1: more than %d columns; expected fewer",
                       t->path, h.first.number, GR_MOST_COLUMNS);
    t->first = (size_t)(h.first.at - t->text);
    t->first_line = h.first.number;
    bool text = gr_has_text(t, h.first.at, h.first.end);
    const char *comment = text ? NULL : comment_names(t, &h);
    if (header == GR_HEADER_NO || (header == GR_AUTO && !text && !comment))
        return GR_OK;
    if (comment) {
        if (header == GR_AUTO && t->delimiter == ' ') /* a sentence has such words, too */
            t->doubtful = "a comment, taken for the names of the columns; header: no leaves it one";
        return take_names(t, &h.comment, comment, error);
    }
    if (!h.has_second)
        return gr_line_fail(t, &h.first, h.first.at, error,
                            "names and no data; expected rows of numbers behind the header");
    t->first = h.behind_first;
    t->first_line = h.first.number + 1;
    if (header == GR_AUTO && gr_has_number(t, h.first.at, h.first.end))
        t->doubtful = "taken for names, though some are numbers; header: no makes it data";
    return take_names(t, &h.first, h.first.at, error);
}

static gr_status check_text(const gr_table *t, gr_error *error) {
    gr_line l = {0};
    size_t next = 0;
    if (t->length >= 2 &&
        (memcmp(t->text, "\xff\xfe", 2) == 0 || memcmp(t->text, "\xfe\xff", 2) == 0))
        return gr_fail(error, GR_BAD_INPUT, "%s:1:1: text in UTF-16; expected UTF-8", t->path);
    size_t first = strcspn(t->text, "\r\n");
    if (t->text[first] == '\r' && !strchr(t->text, '\n') && /* all of it would be one line */
        first + strspn(t->text + first, "\r") < t->length)
        return gr_fail(error, GR_BAD_INPUT,
                       "%s:1:%zu: a carriage return without a line feed; expected line feeds",
                       t->path, first + 1);
    if (!memchr(t->text, '\0', t->length))
        return GR_OK;
    while (gr_next_line(t, &l, &next) && !memchr(l.at, '\0', (size_t)(l.end - l.at)))
        ;
    return gr_input_check_line(t->path, l.at, (size_t)(l.end - l.at), l.number, error);
}

static gr_status shape(gr_table *t, uint32_t delimiter, uint32_t header, gr_error *error) {
    size_t mark = gr_text_mark(t->text, t->length); /* no character of line 1 */
    if (mark)
        memmove(t->text, t->text + mark, (t->length -= mark) + 1);
    gr_status status = check_text(t, error);
    if (status == GR_OK)
        status = find_shape(t, delimiter, header, error);
    if (status == GR_OK)
        status = gr_table_check_rows(t, error);
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
                      : gr_fail(error, GR_NO_MEMORY, "%s: no memory for %zu byte%s", t->path, more,
                                gr_s(more));
    t->text = text;
    *capacity = more;
    return GR_OK;
}

static gr_status check_packing(const gr_table *t, uint64_t packed, gr_error *error) {
    if (!packed || t->length <= FREE_BYTES || t->length / MOST_UNPACKED <= packed)
        return GR_OK;
    return gr_fail(error, GR_BAD_INPUT,
                   "%s: it unpacks to more than %d times its size; expected it unpacked", t->path,
                   MOST_UNPACKED);
}

/* Unpacks the file into t->text, up to a NUL: what holds one is no table, and may have no end. */
static gr_status read_all(gr_table *t, gr_unpacker *from, gr_error *error) {
    size_t capacity = 0, got = 0;
    gr_status status = GR_OK;
    do {
        if (capacity - t->length <= READ_BYTES && (status = grow(t, &capacity, error)))
            return status;
        status = gr_unpack_read(from, t->text + t->length, READ_BYTES, &got, error);
        t->length += got;
        if (!status)
            status = check_packing(t, gr_unpack_packed(from), error);
    } while (!status && got && !memchr(t->text + t->length - got, '\0', got));
    t->text[t->length] = '\0';
    t->most = capacity + gr_unpack_bytes();
    char *text = realloc(t->text, t->length + 1); /* a smaller one: the system may still refuse */
    t->text = text ? text : t->text;
    return status;
}

gr_status gr_table_open(const char *path, uint32_t delimiter, uint32_t header, gr_table *table,
                        gr_error *error) {
    gr_unpacker *from;
    *table = (gr_table){.path = strdup(path)};
    if (!table->path)
        return gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", path);
    gr_status status = gr_unpack_open(path, "a table", &from, error);
    if (status == GR_OK)
        status = read_all(table, from, error);
    gr_unpack_close(from);
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
    int64_t found = GR_NO_COLUMN;
    for (uint32_t i = 0; table->names && i < table->columns; i++)
        if (strcmp(table->names[i], name) == 0)
            found = found == GR_NO_COLUMN ? (int64_t)i : GR_TWIN_COLUMNS;
    if (found != GR_NO_COLUMN)
        return found;
    char *end;
    unsigned long number = *name >= '1' && *name <= '9' ? strtoul(name, &end, 10) : 0;
    return number && !*end && number <= table->columns ? (int64_t)number - 1 : GR_NO_COLUMN;
}
