/* host/bench/picture.c: the names of pictures, and their folders. Pictures themselves:
 * e2e/bench.sh. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/bench/bench.h"

#include <stdlib.h>
#include <string.h>

static void test_pictures(void **state) {
    (void)state;
    static const char *const good[] = {"a.svg", "./c.png", ".svg"},
                             *const bad[] = {"a",        "a.pdf",           "svg",
                                             "a.svg.gz", "no/folder/c.png", ""};
    gr_error error;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_int_equal(gr_bench_check_picture(good[i], &error), GR_OK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(gr_bench_check_picture(bad[i], &error), GR_BAD_INPUT);
    assert_string_equal(error.text, "--picture is ''; expected a name in .svg or .png");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pictures)};
    return cmocka_run_group_tests_name("picture", tests, NULL, NULL);
}
