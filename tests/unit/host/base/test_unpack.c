/* host/base/unpack.h: plain files and packed ones, of several members, cut off, damaged, and with
 * something behind them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/base/unpack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { MOST = 1 << 20 };

static char path[] = "/tmp/grampus-unpack-XXXXXX";
static unsigned char content[MOST], packed[MOST], out[2 * MOST];

static int set_up(void **state) {
    (void)state;
    for (size_t k = 0; k < MOST; k++)
        content[k] = (unsigned char)(k * k >> 7 ^ k % 251);
    return close(mkstemp(path));
}
static int tear_down(void **state) {
    (void)state;
    return unlink(path);
}

static void write_bytes(const unsigned char *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

/* One member of content[from..to) to packed[at..]; where it ends. */
static size_t pack(size_t at, size_t from, size_t to) {
    z_stream z = {.next_in = content + from, .avail_in = (uInt)(to - from)};
    z.next_out = packed + at;
    z.avail_out = (uInt)(MOST - at);
    assert_int_equal(deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    at += z.total_out;
    deflateEnd(&z);
    return at;
}

/* The file, so many bytes at a time, to `out`; *length of them. "" or what is wrong, without the
 * path. */
static const char *unpack(size_t step, size_t *length) {
    static gr_error error;
    gr_unpacker *from;
    size_t got = step;
    *length = 0;
    gr_status status = gr_unpack_open(path, "a thing", &from, &error);
    while (!status && got == step) {
        status = gr_unpack_read(from, out + *length, step, &got, &error);
        *length += got;
    }
    if (!status) {
        assert_int_equal(gr_unpack_read(from, out, step, &got, &error), GR_OK);
        assert_int_equal(got, 0); /* again the end */
    }
    gr_unpack_close(from);
    assert_true(!status || strncmp(error.text, path, strlen(path)) == 0);
    return status ? error.text + strlen(path) : "";
}

static const size_t steps[] = {1, 2, 7, 1000, 1 << 17, (1 << 17) + 1, MOST};
enum { STEPS = sizeof steps / sizeof *steps };

static void check(size_t size, size_t step) {
    size_t length;
    assert_string_equal(unpack(step, &length), "");
    assert_int_equal(length, size);
    assert_memory_equal(out, content, size);
}

static void test_whole(void **state) {
    static const size_t sizes[] = {0, 1, 2, 999, 1000, 1001, 1 << 17, (1 << 17) + 1, 400000};
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (size_t i = 0; i < STEPS; i++) {
            write_bytes(content, sizes[k]);
            check(sizes[k], steps[i]);
            size_t end = pack(pack(0, 0, sizes[k] / 3), sizes[k] / 3, sizes[k]);
            write_bytes(packed, end); /* of two members */
            check(sizes[k], steps[i]);
            memset(packed + end, 0, 200000);
            write_bytes(packed, end + 200000); /* on a tape */
            check(sizes[k], steps[i]);
        }
}

static void test_cut(void **state) {
    size_t length, end = pack(0, 0, 300), both = pack(end, 300, 500);
    (void)state;
    for (size_t size = 2; size < both; size++) {
        write_bytes(packed, size);
        assert_string_equal(unpack(64, &length),
                            size == end       ? ""
                            : size == end + 1 ? ": something else behind what is packed; expected "
                                                "a thing"
                                              : ": unexpected end of file; expected a thing");
    }
    for (size_t k = end - 8; k < end; k++) { /* the sums at the end of a member */
        packed[k] ^= 1;
        write_bytes(packed, both);
        assert_non_null(strstr(unpack(64, &length), "check; expected a thing"));
        packed[k] ^= 1;
    }
}

static void test_behind(void **state) {
    size_t length, end = pack(0, 0, 300);
    (void)state;
    for (size_t zeros = 0; zeros < 200000; zeros = 3 * zeros + 1) {
        memset(packed + end, 0, zeros);
        memcpy(packed + end + zeros, "1,2\n", 4);
        write_bytes(packed, end + zeros + 4);
        assert_string_equal(unpack(300, &length),
                            ": something else behind what is packed; expected a thing");
    }
}

static void test_none(void **state) {
    gr_unpacker *from;
    gr_error error;
    (void)state;
    assert_int_equal(gr_unpack_open("/nonexistent", "a thing", &from, &error), GR_BAD_INPUT);
    assert_null(from);
    assert_string_equal(error.text, "/nonexistent: No such file or directory; expected a thing");
    assert_int_equal(gr_unpack_open("/tmp", "a thing", &from, &error), GR_BAD_INPUT);
    assert_string_equal(error.text, "/tmp: Is a directory; expected a thing");
    gr_unpack_close(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_behind),
        cmocka_unit_test(test_none),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
