#include "host/base/input.h"
#include "host/base/text.h"

#include "host/base/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

gr_status gr_input_fail(const char *path, const char *expected, gr_error *error) {
    path = *path ? path : "''";
    if (errno == ENOMEM)
        return gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", path);
    return gr_fail(error, GR_BAD_INPUT, "%.*s: %s; expected %s", GR_CUT(path, GR_PATH_SHOWN),
                   strerror(errno), expected);
}

gr_status gr_input_read(const char *path, const char *expected, size_t most, char **text,
                        size_t *length, gr_error *error) {
    int standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "rb");
    size_t capacity = 1 << 12, got = 1;
    gr_status status = GR_OK;
    *text = NULL;
    *length = 0;
    if (!file)
        return gr_input_fail(path, expected, error);
    while (got && *length <= most && !status) {
        capacity = 2 * capacity < most + 2 ? 2 * capacity : most + 2;
        char *more = realloc(*text, capacity);
        if (more) {
            *text = more;
            got = fread(more + *length, 1, capacity - 1 - *length, file);
            *length += got;
            more[*length] = '\0';
        }
        if (!more || ferror(file))
            status = gr_input_fail(path, expected, error);
    }
    if (!standard)
        fclose(file);
    return status;
}

gr_status gr_input_check_line(const char *path, const char *line, size_t length,
                              unsigned long number, gr_error *error) {
    size_t column = strnlen(line, length);
    if (column == length)
        return GR_OK;
    return gr_fail(error, GR_BAD_INPUT, "%s:%lu:%zu: a NUL character; expected text", path, number,
                   column + 1);
}

gr_status gr_input_read_text(const char *path, const char *expected, size_t most, char **text,
                             size_t *length, gr_error *error) {
    gr_status status = gr_input_read(path, expected, most, text, length, error);
    unsigned long number = 1;
    if (status || !*length)
        return status;
    for (const char *line = *text, *end = line + *length; line < end && !status; number++) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        size_t n = (size_t)((newline ? newline : end) - line);
        status = gr_input_check_line(path, line, n, number, error);
        line += n + 1;
    }
    if (!status && *length > most)
        status = gr_fail(error, GR_BAD_INPUT, "%s: more than %.0f MB; expected %s of at most that",
                         path, (double)most / 1e6, expected);
    size_t mark = status ? 0 : gr_text_mark(*text, *length);
    if (mark)
        memmove(*text, *text + mark, (*length -= mark) + 1);
    return status;
}
