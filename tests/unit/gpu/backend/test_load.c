/* gpu/backend/load.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu/backend/load.h"

static void test_check_loaded(void **state) {
    (void)state;
    gr_params p = {.genotype = GR_TREE, .individuals = 3, .max_nodes = 50};
    const uint32_t good[] = {1, 50, 7}, empty[] = {1, 0, 7}, large[] = {1, 50, 51};
    gr_error error;
    assert_int_equal(gr_check_loaded(&p, 1, good, &error), GR_OK);
    assert_int_equal(gr_check_loaded(&p, 1, empty, &error), GR_FAILED);
    assert_string_equal(error.text, "tree 1 has 0 nodes; expected 1 to 50");
    assert_int_equal(gr_check_loaded(&p, 1, large, &error), GR_FAILED);
    assert_string_equal(error.text, "tree 2 has 51 nodes; expected 1 to 50");
    assert_int_equal(gr_check_loaded(&p, 0, good, &error), GR_FAILED);
    p.genotype = GR_GRAMMATICAL;
    assert_int_equal(gr_check_loaded(&p, 1, good, &error), GR_FAILED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_check_loaded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
