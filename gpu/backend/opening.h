/* Where the time between the command and the first generation goes on a device. */
#ifndef GRAMPUS_OPENING_H
#define GRAMPUS_OPENING_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum gr_opening {
    GR_OPENING_DRIVER,      /* loading it and finding the device; once a process */
    GR_OPENING_CONTEXT,     /* on the device; once a process, and a stream */
    GR_OPENING_INTERPRETER, /* its text, finding it on disk, loading it */
    GR_OPENING_COMPILING,   /* where it was not there */
    GR_OPENING_KERNELS,     /* loading the others that the run needs */
    GR_OPENING_MEMORY,      /* of the device, and of the host for records */
    GR_OPENING_UPLOAD,      /* cases, grammar */
    GR_OPENING_GRAPH,       /* a generation recorded and made ready */
    GR_OPENINGS
} gr_opening;

extern const char *const gr_opening_names[GR_OPENINGS];

/* "0.241 s: driver 0.090, context 0.121, ..."; "" where nothing was measured. */
void gr_opening_describe(const double seconds[GR_OPENINGS], char *line, size_t size);

#ifdef __cplusplus
}
#endif

#endif
