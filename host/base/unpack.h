/* Files of data, plain or gzip, from front to end. */
#ifndef GRAMPUS_UNPACK_H
#define GRAMPUS_UNPACK_H

#include "gpu/backend/error.h"

#include <stddef.h>
#include <stdint.h>

typedef struct gr_unpacker gr_unpacker;

/* expected: what messages call the file, such as "a table". */
gr_status gr_unpack_open(const char *path, const char *expected, gr_unpacker **unpacker,
                         gr_error *error);
/* The next bytes to `to`, *got of them: fewer than `size` only at the end. A packed file may be of
 * several members, with zeros behind them; it is an error when it is cut off, damaged or goes on
 * with anything else. */
gr_status gr_unpack_read(gr_unpacker *unpacker, void *to, size_t size, size_t *got,
                         gr_error *error);
/* Bytes of the file read so far; 0 of one that is not packed. */
uint64_t gr_unpack_packed(const gr_unpacker *unpacker);
/* Bytes of memory that an open one takes. */
size_t gr_unpack_bytes(void);
void gr_unpack_close(gr_unpacker *unpacker); /* NULL is fine */

#endif
