/* Errors as values: one line, an exit code, nothing printed and nothing exited below main. */
#ifndef GRAMPUS_ERROR_H
#define GRAMPUS_ERROR_H

#ifdef __cplusplus
extern "C" {
#endif

/* Exit codes of the program and error codes of the library. */
typedef enum gr_status {
    GR_OK = 0,
    GR_FAILED = 1,        /* run-time failure (a file that cannot be written, ...) */
    GR_BAD_INPUT = 2,     /* wrong use or bad input */
    GR_STOPPED = 3,       /* stopped on request */
    GR_NO_MEMORY = 4,     /* does not fit; the message has the numbers */
    GR_DEVICE_FAILED = 5, /* no device, device failure or failed self-test */
    GR_DIFFERS = 6,       /* a repeated run gave something else */
} gr_status;

typedef struct gr_error {
    gr_status status;
    char text[1024]; /* one line, no newline at its end */
} gr_error;

/* Fills *error (which may be NULL) and returns status, so that a caller can `return gr_fail(...)`.
 */
gr_status gr_fail(gr_error *error, gr_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#ifdef __cplusplus
}
#endif

#endif
