/* Errors as values: one line, an exit code, nothing printed and nothing exited below main. */
#ifndef GRAMPUS_ERROR_H
#define GRAMPUS_ERROR_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Exit codes of the program and error codes of the library. */
typedef enum gr_status {
    GR_OK = 0,
    GR_FAILED = 1,         /* run-time failure (a file that cannot be written, ...) */
    GR_BAD_INPUT = 2,      /* wrong use or bad input */
    GR_STOPPED = 3,        /* stopped on request */
    GR_NO_MEMORY = 4,      /* does not fit; the message has the numbers */
    GR_DEVICE_FAILED = 5,  /* no device, device failure or failed self-test */
    GR_DIFFERS = 6,        /* a repeated run gave something else */
    GR_NO_EXPRESSIONS = 7, /* a grammar is sound, but its sentences are no expressions */
} gr_status;

typedef struct gr_error {
    gr_status status;
    char text[1024]; /* one line, no newline at its end */
} gr_error;

/* Fills *error (which may be NULL) and returns status, so that a caller can `return gr_fail(...)`.
 */
gr_status gr_fail(gr_error *error, gr_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Bytes of the UTF-8 character at text[left], 0 when it is none, DEL or a control character of
 * U+0080 to U+009F. */
size_t gr_utf8_length(const char *text, size_t left);

/* Copies text so that it does nothing to a terminal: control characters and bytes that are no UTF-8
 * become \xNN, line ends and tabs blanks. Cut where it does not fit. */
void gr_escape(const char *text, char *out, size_t size);

#ifdef __cplusplus
}
#endif

#endif
