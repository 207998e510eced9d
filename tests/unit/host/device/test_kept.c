/* host/device/kept.c: rates between runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/device/kept.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int same(const gr_known_rates *a, const gr_known_rates *b) {
    const double *x = (const double *)a, *y = (const double *)b;
    for (size_t k = 0; k < sizeof *a / sizeof *x; k++)
        if (x[k] > 1.001 * y[k] || y[k] > 1.001 * x[k])
            return 0;
    return 1;
}

static gr_known_rates others(void) {
    gr_known_rates rates = gr_first_rates;
    double *value = (double *)&rates;
    for (size_t k = 0; k < sizeof rates / sizeof *value; k++)
        value[k] *= 1.5 + (double)k / 5.0;
    return rates;
}

static void test_text(void **state) {
    (void)state;
    char text[512];
    gr_known_rates rates = others(), first = gr_first_rates;
    gr_write_rates(&rates, text, sizeof text);
    gr_known_rates back = gr_parse_rates(text);
    assert_true(same(&back, &rates));
    assert_false(same(&back, &first));
    assert_int_equal(strncmp(text, "cpu ", 4), 0);
}

/* Whatever stands there instead, no estimate suffers. */
static void test_damaged(void **state) {
    (void)state;
    static const char *const texts[] = {"",
                                        "\1\2\3",
                                        "cpu",
                                        "cpu x",
                                        "gpu nan inf -1 0 1e300",
                                        "cpu 1e9 1e9 1e9 1e9 1e9 1e9 1e9\n"};
    const gr_known_rates first = gr_first_rates;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        gr_known_rates back = gr_parse_rates(texts[i]);
        assert_true(same(&back, &first));
    }
    gr_known_rates back = gr_parse_rates("gpu 0.1 nan\n"); /* what can be used is */
    assert_true(back.gpu.start == 0.1 && back.gpu.generation == first.gpu.generation);
}

static void test_file(void **state) {
    (void)state;
    char folder[] = "/tmp/grampus-kept-XXXXXX", command[64];
    assert_non_null(mkdtemp(folder));
    setenv("XDG_CACHE_HOME", folder, 1);
    gr_known_rates rates = others(), first = gr_first_rates, back = gr_read_rates();
    assert_true(same(&back, &first));
    gr_keep_rates(&rates);
    back = gr_read_rates();
    assert_true(same(&back, &rates));
    setenv("OMP_NUM_THREADS", "3", 1); /* another machine, as far as that goes */
    back = gr_read_rates();
    assert_true(same(&back, &first));
    unsetenv("OMP_NUM_THREADS");
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
    gr_keep_rates(&rates); /* where nothing can be kept */
    setenv("XDG_CACHE_HOME", "/dev/null", 1);
    back = gr_read_rates();
    assert_true(same(&back, &first));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_text), cmocka_unit_test(test_damaged),
                                       cmocka_unit_test(test_file)};
    return cmocka_run_group_tests_name("kept", tests, NULL, NULL);
}
