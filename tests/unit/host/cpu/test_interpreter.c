/* host/cpu/interpreter.c: the best version for this processor, or the lesser one that is asked for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/cpu/evaluate.h"

#include <stdlib.h>
#include <string.h>

static const char *name_for(const char *wish) {
    if (wish)
        setenv("GRAMPUS_ISA", wish, 1);
    else
        unsetenv("GRAMPUS_ISA");
    return gr_cpu_best_interpreter()->name;
}

static void test_choice(void **state) {
    (void)state;
    const char *before = getenv("GRAMPUS_ISA");
    char *kept = before ? strdup(before) : NULL;
    const char *best = name_for(NULL);
    assert_string_equal(name_for("baseline"), "baseline");
    assert_string_equal(name_for("nonsense"), best);
#if defined __x86_64__ && !defined GR_ONE_ISA
    int wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
    int half = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    assert_string_equal(best, wide ? "AVX-512" : half ? "AVX2" : "baseline");
    assert_string_equal(name_for("avx2"), half ? "AVX2" : "baseline");
    const gr_cpu_interpreter *avx2 = gr_cpu_best_interpreter();
    name_for("baseline");
    assert_int_equal(half, avx2->evaluate != gr_cpu_best_interpreter()->evaluate);
    assert_int_equal(half, avx2->predict != gr_cpu_best_interpreter()->predict);
#else
    assert_string_equal(best, "baseline");
#endif
    name_for(kept);
    free(kept);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_choice)};
    return cmocka_run_group_tests_name("interpreter", tests, NULL, NULL);
}
