/* Files for readers that take a path: made of a fuzzer's bytes, in memory. */
#ifndef GRAMPUS_TEST_FILES_H
#define GRAMPUS_TEST_FILES_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* A file of these bytes, its path in `path`; close what is returned. */
static inline int make_file(const uint8_t *data, size_t size, char path[64]) {
    int file = memfd_create("fuzz", 0);
    if (file < 0 || (size && write(file, data, size) != (ssize_t)size))
        abort();
    snprintf(path, 64, "/proc/self/fd/%d", file);
    return file;
}

#endif
