/* Every operation has a line in notations.def for formulas and for Python. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/export/notation.h"

#include <string.h>

static void every_operation_has_forms(void **state) {
    gr_form (*const forms[])(uint32_t) = {gr_latex_form, gr_mathml_form, gr_numpy_form,
                                          gr_sympy_form};
    (void)state;
    for (uint32_t op = GR_INPUT + 1; op < GR_OP_COUNT; op++)
        for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
            gr_form form = forms[k](op);
            assert_non_null(form.text);
            assert_non_null(strstr(form.text, gr_arity(op) > 1 ? "b" : "a"));
            assert_true(form.strength >= GR_BINDS_SUM && form.strength <= GR_BINDS_ATOM);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_operation_has_forms)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
