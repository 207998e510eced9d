/* How much memory there is to take: what the kernel calls available, and no more than control
 * groups leave. */
#ifndef GRAMPUS_MEMORY_H
#define GRAMPUS_MEMORY_H

#include "gpu/backend/error.h"

#include <stddef.h>

/* Bytes of this machine; SIZE_MAX where nothing tells. */
size_t gr_memory_available(void);
/* GR_NO_MEMORY with the numbers unless so many bytes are available; "`what` needs 12.3 MB; ...". */
gr_status gr_memory_check(double bytes, const char *what, gr_error *error);

/* The same from files like /proc/meminfo and /proc/self/cgroup; control groups of either version
 * are mounted at `root`. */
size_t gr_memory_read(const char *meminfo, const char *root, const char *membership);

#endif
