#include "host/base/unpack.h"

#include "host/base/input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { RAW_BYTES = 1 << 17, GZIP_ALONE = 15 + 16 };

struct gr_unpacker {
    const char *path, *expected;
    FILE *file;
    int packed, behind; /* behind: a member has ended */
    uint64_t taken;
    z_stream z;
    unsigned char raw[RAW_BYTES]; /* z.next_in[z.avail_in] of it are to come */
};

/* More bytes of the file behind those that are to come; *more is 0 at its end. */
static gr_status refill(gr_unpacker *u, int *more, gr_error *error) {
    if (u->z.avail_in)
        memmove(u->raw, u->z.next_in, u->z.avail_in);
    errno = 0;
    size_t got = fread(u->raw + u->z.avail_in, 1, RAW_BYTES - u->z.avail_in, u->file);
    if (ferror(u->file))
        return gr_input_fail(u->path, u->expected, error);
    u->z.next_in = u->raw;
    u->z.avail_in += (uInt)got;
    u->taken += got;
    *more = got > 0;
    return GR_OK;
}

static int begins_member(const gr_unpacker *u) {
    return u->z.avail_in > 1 && u->z.next_in[0] == 0x1f && u->z.next_in[1] == 0x8b;
}

static gr_status fail(const gr_unpacker *u, const char *problem, gr_error *error) {
    return gr_fail(error, GR_BAD_INPUT, "%s: %s; expected %s", u->path, problem, u->expected);
}

gr_status gr_unpack_open(const char *path, const char *expected, gr_unpacker **unpacker,
                         gr_error *error) {
    int more;
    gr_unpacker *u = *unpacker = calloc(1, sizeof *u);
    if (!u)
        return gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", path);
    u->path = path;
    u->expected = expected;
    u->file = fopen(path, "rb");
    gr_status status = u->file ? refill(u, &more, error) : gr_input_fail(path, expected, error);
    u->packed = !status && begins_member(u);
    if (u->packed && inflateInit2(&u->z, GZIP_ALONE) != Z_OK) {
        u->packed = 0;
        status = gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", path);
    }
    if (status) {
        gr_unpack_close(u);
        *unpacker = NULL;
    }
    return status;
}

static gr_status read_plain(gr_unpacker *u, char *to, size_t size, size_t *got, gr_error *error) {
    size_t first = u->z.avail_in < size ? u->z.avail_in : size;
    memcpy(to, u->z.next_in, first);
    u->z.next_in += first;
    u->z.avail_in -= (uInt)first;
    errno = 0;
    *got = first + fread(to + first, 1, size - first, u->file);
    return ferror(u->file) ? gr_input_fail(u->path, u->expected, error) : GR_OK;
}

/* What comes behind a member: another one, zeros that fill a block up, or the end. */
static gr_status look_behind(gr_unpacker *u, int *ended, gr_error *error) {
    int more = 1;
    gr_status status = GR_OK;
    *ended = 0;
    while (!status && more && u->z.avail_in < 2)
        status = refill(u, &more, error);
    if (status || begins_member(u)) {
        u->behind = 0;
        return status ? status
               : inflateReset(&u->z) == Z_OK
                   ? GR_OK
                   : gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", u->path);
    }
    for (; !status && more; status = refill(u, &more, error)) {
        for (; u->z.avail_in && !*u->z.next_in; u->z.avail_in--)
            u->z.next_in++;
        if (u->z.avail_in)
            break;
    }
    *ended = 1;
    return status || !u->z.avail_in ? status
                                    : fail(u, "something else behind what is packed", error);
}

static gr_status read_packed(gr_unpacker *u, char *to, size_t size, size_t *got, gr_error *error) {
    gr_status status = GR_OK;
    u->z.next_out = (Bytef *)to;
    u->z.avail_out = (uInt)size;
    while (!status && u->z.avail_out) {
        int more = 1, ended = 0;
        if (u->behind)
            status = look_behind(u, &ended, error);
        else if (!u->z.avail_in)
            status = refill(u, &more, error);
        if (status || ended)
            break;
        if (!more)
            status = fail(u, "unexpected end of file", error);
        int code = status ? Z_OK : inflate(&u->z, Z_NO_FLUSH);
        u->behind = code == Z_STREAM_END;
        if (code == Z_MEM_ERROR)
            status = gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", u->path);
        else if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
            status = fail(u, u->z.msg ? u->z.msg : "it is no gzip", error);
    }
    *got = size - u->z.avail_out;
    return status;
}

gr_status gr_unpack_read(gr_unpacker *u, void *to, size_t size, size_t *got, gr_error *error) {
    return (u->packed ? read_packed : read_plain)(u, to, size, got, error);
}

uint64_t gr_unpack_packed(const gr_unpacker *u) {
    return u->packed ? u->taken : 0;
}

size_t gr_unpack_bytes(void) {
    return sizeof(gr_unpacker);
}

void gr_unpack_close(gr_unpacker *u) {
    if (!u)
        return;
    if (u->packed)
        inflateEnd(&u->z);
    if (u->file)
        fclose(u->file);
    free(u);
}
