/* Files that verbs read line by line. */
#include "host/cli/commands.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

gr_status gr_each_line(const char *path, const char *expected, gr_line_reader *read, void *context,
                       gr_error *error) {
    int standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "r");
    if (!file)
        return gr_fail(error, GR_BAD_INPUT, "%s: %s; expected %s", path, strerror(errno), expected);
    const char *name = standard ? "stdin" : path;
    gr_status status = GR_OK;
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    unsigned long number = 0;
    errno = 0;
    while (!status && (length = getline(&line, &capacity, file)) >= 0)
        status = read(context, name, line, (size_t)length, ++number, error);
    if (!status && !feof(file))
        status = gr_fail(error, GR_FAILED, "%s: %s", name, strerror(errno));
    free(line);
    if (!standard)
        fclose(file);
    return status;
}
