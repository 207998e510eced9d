/* host/bench/energy.c: no number where there is no device to ask. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/bench/bench.h"

#include <math.h>
#include <stdlib.h>

/* A device that is given by something else than its number is not found; asked again it stays so,
 * closed it is asked anew. */
static void test_none(void **state) {
    (void)state;
    static const char *const visible[] = {"-1", "GPU-8932f937", "1x", "-1,0"};
    for (size_t i = 0; i < sizeof visible / sizeof *visible; i++) {
        setenv("CUDA_VISIBLE_DEVICES", visible[i], 1);
        for (int k = 0; k < 2; k++) {
            double joules = gr_energy();
            assert_true(joules != joules);
        }
        gr_energy_close();
    }
    unsetenv("CUDA_VISIBLE_DEVICES");
    gr_energy_close();
    double before = gr_energy(), after = gr_energy();
    assert_true(before != before || (before >= 0.0 && after >= before)); /* it only rises */
    gr_energy_close();
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_none)};
    return cmocka_run_group_tests_name("energy", tests, NULL, NULL);
}
