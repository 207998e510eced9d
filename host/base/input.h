/* Files that people name: whole ones in memory, and what is wrong with those that cannot be opened
 * or read. */
#ifndef GRAMPUS_INPUT_H
#define GRAMPUS_INPUT_H

#include "gpu/backend/error.h"

#include <stddef.h>

/* A whole file as text[length], a NUL behind it; "-" is the standard input. At most `most` bytes
 * and one: that is enough to know that there are too many, and a file need not end. The caller
 * frees text, also after an error. */
gr_status gr_input_read(const char *path, const char *expected, size_t most, char **text,
                        size_t *length, gr_error *error);

/* The same of text of at most that many bytes: more of them, and a NUL, which would end it for some
 * readers, are refused with their position. A byte order mark is gone. */
gr_status gr_input_read_text(const char *path, const char *expected, size_t most, char **text,
                             size_t *length, gr_error *error);
/* Refuses a NUL in a line, numbered from 1. */
gr_status gr_input_check_line(const char *path, const char *line, size_t length,
                              unsigned long number, gr_error *error);

/* The error in errno, of a file to be read: GR_NO_MEMORY for ENOMEM, otherwise GR_BAD_INPUT. */
gr_status gr_input_fail(const char *path, const char *expected, gr_error *error);

#endif
