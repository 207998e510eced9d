#include "host/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *gr_file_join(const char *folder, const char *name) {
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s/%s", folder, name);
    return path;
}

gr_status gr_file_sync(const char *path, gr_error *error) {
    int fd = open(path, O_RDONLY | O_CLOEXEC), bad;
    if (fd < 0)
        return gr_fail(error, GR_FAILED, "%s: %s", path, strerror(errno));
    do
        bad = fsync(fd) != 0;
    while (bad && errno == EINTR);
    int code = errno;
    bad = bad && code != EINVAL && code != ENOTSUP; /* a file system that has none of it */
    bad |= close(fd) != 0;
    return bad ? gr_fail(error, GR_FAILED, "%s: %s", path, strerror(code)) : GR_OK;
}

gr_status gr_file_rename(const char *from, const char *to, const char *folder, gr_error *error) {
    if (rename(from, to) != 0)
        return gr_fail(error, GR_FAILED, "%s: cannot get the name %s: %s", from, to,
                       strerror(errno));
    return gr_file_sync(folder, error);
}
