#include "host/base/output.h"

#include "host/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *gr_path_join(const char *folder, const char *name) {
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s/%s", folder, name);
    return path;
}

gr_status gr_output_fail(const char *path, gr_error *error) {
    if (errno == ENOMEM)
        return gr_fail(error, GR_NO_MEMORY, "%s: out of memory while writing", path);
    return gr_fail(error, GR_FAILED, "%.*s: %s", GR_CUT(path, GR_PATH_SHOWN),
                   errno ? strerror(errno) : "write error");
}

gr_status gr_make_folders(const char *path, gr_error *error) {
    char *copy = strdup(path);
    if (!copy)
        return gr_fail(error, GR_NO_MEMORY, "no memory for a path");
    gr_status status = GR_OK;
    for (char *at = copy + 1; status == GR_OK; at++) {
        at += strcspn(at, "/");
        char end = *at;
        *at = '\0';
        if (mkdir(copy, 0777) != 0 && errno != EEXIST)
            status = gr_fail(error, GR_FAILED, "cannot make the folder %.*s: %s",
                             GR_CUT(copy, GR_PATH_SHOWN), strerror(errno));
        *at = end;
        if (!end)
            break;
    }
    free(copy);
    return status;
}

/* ---- files that grow ---- */

gr_status gr_output_open(gr_output *output, const char *path, gr_error *error) {
    *output = (gr_output){open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), path, 0};
    return output->descriptor < 0 ? gr_output_fail(path, error) : GR_OK;
}

gr_status gr_output_write(gr_output *output, const void *bytes, size_t count, gr_error *error) {
    const char *at = bytes;
    for (size_t left = count; left;) {
        ssize_t written = write(output->descriptor, at, left);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            errno = written ? errno : EIO;
            gr_status status = gr_output_fail(output->path, error);
            if (ftruncate(output->descriptor, (off_t)output->length))
                return status; /* a pipe: what was read was read */
            return status;
        }
        at += written;
        left -= (size_t)written;
    }
    output->length += count;
    return GR_OK;
}

gr_status gr_output_close(gr_output *output, gr_error *error) {
    int descriptor = output->descriptor;
    output->descriptor = -1;
    return descriptor >= 0 && close(descriptor) != 0 ? gr_output_fail(output->path, error) : GR_OK;
}

gr_status gr_output_reopen(gr_output *output, const char *path, uint64_t length, gr_error *error) {
    *output = (gr_output){open(path, O_WRONLY | O_CLOEXEC), path, length};
    off_t end = (off_t)length;
    if (output->descriptor < 0 || ftruncate(output->descriptor, end) != 0 ||
        lseek(output->descriptor, end, SEEK_SET) != end)
        return gr_output_fail(path, error);
    return GR_OK;
}

/* ---- files that are replaced ---- */

/* A place that is no disk has nothing to bring there. */
static gr_status bring_to_disk(const gr_output *output, gr_error *error) {
    int failed = fsync(output->descriptor) != 0 && errno != EINVAL && errno != EROFS;
    return failed ? gr_output_fail(output->path, error) : GR_OK;
}

gr_status gr_replace_file(const char *path, const void *bytes, size_t count, int to_disk,
                          gr_error *error) {
    size_t size = strlen(path) + sizeof ".new";
    char *beside = malloc(size);
    gr_output output;
    if (!beside)
        return gr_fail(error, GR_NO_MEMORY, "no memory for a path");
    snprintf(beside, size, "%s.new", path);
    gr_status status = gr_output_open(&output, beside, NULL);
    output.path = path; /* the name that a user knows */
    status = status ? gr_output_fail(path, error) : gr_output_write(&output, bytes, count, error);
    if (!status && to_disk)
        status = bring_to_disk(&output, error);
    gr_status closed = gr_output_close(&output, status ? NULL : error);
    status = status ? status : closed;
    if (!status && rename(beside, path) != 0)
        status = gr_output_fail(path, error);
    if (status)
        unlink(beside);
    free(beside);
    return status;
}

gr_status gr_fresh_open(gr_fresh *fresh, const char *folder, const char *name, gr_error *error) {
    *fresh = (gr_fresh){.path = gr_path_join(folder, name)};
    size_t size = fresh->path ? strlen(fresh->path) + sizeof ".new" : 0;
    fresh->beside = size ? malloc(size) : NULL;
    if (!fresh->beside)
        return gr_fail(error, GR_NO_MEMORY, "no memory for a path");
    snprintf(fresh->beside, size, "%s.new", fresh->path);
    fresh->file = fopen(fresh->beside, "we");
    return fresh->file ? GR_OK : gr_output_fail(fresh->path, error);
}

gr_status gr_fresh_close(gr_fresh *fresh, gr_status status, gr_error *error) {
    if (fresh->file) {
        status = gr_close_checked(fresh->file, fresh->path, status, error);
        if (!status && rename(fresh->beside, fresh->path) != 0)
            status = gr_output_fail(fresh->path, error);
        if (status)
            unlink(fresh->beside);
    }
    free(fresh->path);
    free(fresh->beside);
    return status;
}

/* ---- files that are made once ---- */

gr_status gr_make_file(const char *path, const void *bytes, size_t count, gr_error *error) {
    int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    gr_output output = {open(path, flags, 0644), path, 0};
    if (output.descriptor < 0)
        return gr_output_fail(path, error);
    gr_status status = gr_output_write(&output, bytes, count, error);
    if (!status)
        status = bring_to_disk(&output, error);
    gr_status closed = gr_output_close(&output, status ? NULL : error);
    return status ? status : closed;
}

gr_status gr_sync_path(const char *path, gr_error *error) {
    gr_output output = {open(path, O_RDONLY | O_CLOEXEC), path, 0};
    if (output.descriptor < 0)
        return gr_output_fail(path, error);
    gr_status status = bring_to_disk(&output, error);
    close(output.descriptor);
    return status;
}

gr_status gr_rename_file(const char *from, const char *to, const char *folder, gr_error *error) {
    return rename(from, to) != 0 ? gr_output_fail(to, error) : gr_sync_path(folder, error);
}

gr_status gr_copy_file(const char *from, const char *to, uint64_t length, gr_error *error) {
    char bytes[1 << 16];
    gr_output output = {-1, to, 0};
    int in = open(from, O_RDONLY | O_CLOEXEC);
    gr_status status = in < 0 ? gr_output_fail(from, error) : gr_output_open(&output, to, error);
    while (!status && output.length < length) {
        uint64_t left = length - output.length;
        ssize_t n = read(in, bytes, left < sizeof bytes ? (size_t)left : sizeof bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            errno = n ? errno : ENODATA;
            status = gr_output_fail(from, error);
        } else
            status = gr_output_write(&output, bytes, (size_t)n, error);
    }
    if (in >= 0)
        close(in);
    gr_status closed = gr_output_close(&output, status ? NULL : error);
    return status ? status : closed;
}

gr_status gr_close_checked(FILE *file, const char *path, gr_status status, gr_error *error) {
    int bad = ferror(file);
    errno = 0;
    if ((fclose(file) != 0 || bad) && !status)
        return gr_output_fail(path, error);
    return status;
}
