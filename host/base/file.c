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

static gr_status failed(const char *path, int code, gr_error *error) {
    return gr_fail(error, GR_FAILED, "%s: %s", path, strerror(code));
}

/* fsync where the file system has it; 0 or errno. */
static int sync_file(int fd) {
    while (fsync(fd) != 0)
        if (errno != EINTR)
            return errno == EINVAL || errno == ENOTSUP ? 0 : errno;
    return 0;
}

gr_status gr_file_sync(const char *path, gr_error *error) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    int code = fd < 0 ? errno : sync_file(fd);
    if (fd >= 0)
        close(fd);
    return code ? failed(path, code, error) : GR_OK;
}

/* All bytes, whatever is taken at a time; 0 or errno. */
static int write_all(int fd, const char *bytes, size_t size) {
    while (size) {
        size_t piece = size < 1u << 30 ? size : 1u << 30;
        ssize_t n = write(fd, bytes, piece);
        if (n < 0 && errno != EINTR)
            return errno;
        if (n > 0) {
            bytes += n;
            size -= (size_t)n;
        }
    }
    return 0;
}

gr_status gr_file_write(const char *path, const void *bytes, size_t size, gr_error *error) {
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (fd < 0)
        return failed(path, errno, error);
    int code = write_all(fd, bytes, size);
    if (!code)
        code = sync_file(fd);
    if (close(fd) != 0 && !code)
        code = errno;
    return code ? failed(path, code, error) : GR_OK;
}

gr_status gr_file_rename(const char *from, const char *to, const char *folder, gr_error *error) {
    if (rename(from, to) != 0)
        return gr_fail(error, GR_FAILED, "%s: cannot get the name %s: %s", from, to,
                       strerror(errno));
    return gr_file_sync(folder, error);
}
