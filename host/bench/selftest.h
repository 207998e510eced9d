/* Known answers, about a second of them: is this build right on this machine? */
#ifndef GRAMPUS_SELFTEST_H
#define GRAMPUS_SELFTEST_H

#include "gpu/backend/engine.h"

#include <stddef.h>

typedef struct gr_check {
    const char *name;
    /* 1: as it should be. Otherwise writes what is wrong, one line. */
    int (*check)(const gr_backend *backend, char *wrong, size_t size);
    int on_backend; /* runs once for every device, the others once for all */
} gr_check;

extern const gr_check gr_checks[];
extern const int gr_check_count;

#endif
