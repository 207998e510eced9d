/* gpu/backend/opening.h: the line about where start-up goes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu/backend/opening.h"

static void test_line(void **state) {
    (void)state;
    char line[256] = "x", small[16];
    double seconds[GR_OPENINGS] = {0.0};
    gr_opening_describe(seconds, line, sizeof line);
    assert_string_equal(line, "");
    seconds[GR_OPENING_DRIVER] = 0.09;
    seconds[GR_OPENING_CONTEXT] = 0.12;
    seconds[GR_OPENING_GRAPH] = 0.0012;
    gr_opening_describe(seconds, line, sizeof line);
    assert_string_equal(line, "0.211 s: driver 0.090, context 0.120, graph 0.001");
    gr_opening_describe(seconds, small, sizeof small);
    assert_string_equal(small, "0.211 s: driver");
    for (int k = 0; k < GR_OPENINGS; k++)
        assert_non_null(gr_opening_names[k]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_line)};
    return cmocka_run_group_tests_name("opening", tests, NULL, NULL);
}
