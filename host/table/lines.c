#include "host/table/lines.h"

#include "host/base/text.h"
#include "host/table/number.h"

#include <string.h>

gr_status gr_line_fail(const gr_table *t, const gr_line *l, const char *at, gr_error *error,
                       const char *message) {
    return gr_fail(error, GR_BAD_INPUT, "%s:%zu:%zu: %s", t->path, l->number,
                   gr_text_characters(l->at, (size_t)(at - l->at)) + 1, message);
}

bool gr_next_line(const gr_table *t, gr_line *l, size_t *next) {
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

const char *gr_skip_blanks(const char *at, const char *end) {
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

bool gr_is_empty_line(const gr_line *l) {
    return gr_skip_blanks(l->at, l->end) == l->end;
}

bool gr_is_comment_line(const gr_line *l) {
    const char *at = gr_skip_blanks(l->at, l->end);
    return at < l->end && *at == '#';
}

bool gr_next_row(const gr_table *t, gr_line *l, size_t *next) {
    while (gr_next_line(t, l, next))
        if (!gr_is_empty_line(l) && !gr_is_comment_line(l))
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
static const char *quoted_field(const gr_table *t, const char *at, const char *end, gr_field *f) {
    f->at = ++at;
    f->doubled = true;
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

bool gr_next_field(const gr_table *t, const char **cursor, const char *end, gr_field *f) {
    const char *at = *cursor;
    if (!at)
        return false;
    at = t->delimiter == ' ' ? gr_skip_blanks(at, end) : skip_padding(t, at, end);
    f->error = NULL;
    f->doubled = false;
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
        at = gr_skip_blanks(at, end);
    *cursor = at == end ? NULL : at + (t->delimiter != ' ');
    return true;
}

uint32_t gr_count_fields(const gr_table *t, const char *at, const char *end) {
    uint32_t count = 0;
    gr_field f;
    while (count <= GR_MOST_COLUMNS && gr_next_field(t, &at, end, &f))
        count++;
    return count;
}

bool gr_has_number(const gr_table *t, const char *at, const char *end) {
    gr_field f;
    float value;
    while (gr_next_field(t, &at, end, &f))
        if (!f.error && gr_read_number(f.at, f.end, &value) == GR_IS_NUMBER)
            return true;
    return false;
}

bool gr_has_text(const gr_table *t, const char *at, const char *end) {
    gr_field f;
    float value;
    while (gr_next_field(t, &at, end, &f))
        if (f.error || gr_read_number(f.at, f.end, &value) == GR_IS_TEXT)
            return true;
    return false;
}
