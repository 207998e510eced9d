/* Files that verbs read line by line. */
#include "host/base/input.h"
#include "host/base/text.h"
#include "host/cli/commands.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_LINE = 1 << 26 };

typedef struct line {
    const char *name, *expected; /* of the file, for messages */
    char *text;                  /* with a NUL behind it */
    size_t length, capacity;
    unsigned long number;
} line;

/* Room for one character more. */
static gr_status make_room(line *l, gr_error *error) {
    if (l->length + 2 <= l->capacity)
        return GR_OK;
    if (l->length >= LONGEST_LINE)
        return gr_fail(error, GR_BAD_INPUT,
                       "%s:%lu: a line of more than %d bytes; expected a shorter one", l->name,
                       l->number, LONGEST_LINE);
    size_t capacity = 2 * l->capacity + 256;
    char *text = realloc(l->text, capacity);
    if (!text)
        return gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", l->name);
    l->text = text;
    l->capacity = capacity;
    return GR_OK;
}

/* The next line and what ends it; of length 0: there is none. A file need not have an end, nor
 * lines. */
static gr_status next_line(FILE *file, line *l, gr_error *error) {
    gr_status status = GR_OK;
    l->length = 0;
    l->number++;
    for (int c = 0; c != '\n' && c != EOF && !(status = make_room(l, error));) {
        c = getc_unlocked(file);
        if (c != EOF)
            l->text[l->length++] = (char)c;
        l->text[l->length] = '\0';
    }
    if (!status && ferror(file))
        status = errno == EISDIR ? gr_input_fail(l->name, l->expected, error)
                                 : gr_fail(error, GR_FAILED, "%s: %s", l->name, strerror(errno));
    return status ? status : gr_input_check_line(l->name, l->text, l->length, l->number, error);
}

gr_status gr_line_fails(gr_bad_lines *bad, gr_status status, const gr_error *error) {
    if (status != GR_BAD_INPUT)
        return status;
    if (bad->any)
        fprintf(stderr, "%s\n", bad->last.text);
    bad->any = 1;
    bad->last = *error;
    return GR_OK;
}

gr_status gr_lines_end(const gr_bad_lines *bad, gr_status status, gr_error *error) {
    if (!bad->any)
        return status;
    if (status)
        fprintf(stderr, "%s\n", bad->last.text);
    else
        *error = bad->last;
    return status ? status : GR_BAD_INPUT;
}

gr_status gr_each_line(const char *path, const char *expected, gr_line_reader *read, void *context,
                       gr_error *error) {
    int standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "r");
    if (!file)
        return gr_input_fail(path, expected, error);
    line l = {.name = standard ? "stdin" : path, .expected = expected};
    errno = 0;
    gr_status status = next_line(file, &l, error);
    while (!status && l.length) {
        size_t mark = l.number == 1 ? gr_text_mark(l.text, l.length) : 0;
        status = read(context, l.name, l.text + mark, l.length - mark, l.number, error);
        if (!status)
            status = next_line(file, &l, error);
    }
    free(l.text);
    if (!standard)
        fclose(file);
    return status;
}
