/* gpu/interpreter/primitive_text.h on a text made up for it: what is taken from a compiled
 * primitive and how it is written out. It needs no compiler of the device, so the file itself is
 * tested. */
#include "gpu/interpreter/primitive_text.c" /* first: it asks for GNU functions */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* As nvcc writes functions, shortened. add: one instruction. first: hands an operand through. both:
 * reads an operand twice, by way of an integer as well. bad: changes a parameter's register. */
const char gr_primitives_ptx[] = ".version 8.0\n"
                                 ".target sm_75\n"
                                 ".global .align 4 .b8 table[8];\n"
                                 ".func (.reg .b32 value) helper(.reg .b32 a)\n"
                                 "{\n"
                                 "\tmov.b32 value, a;\n"
                                 "}\n"
                                 ".visible .func (.param .b32 func_retval0) gr_as_floats_add(\n"
                                 "\t.param .b32 gr_as_floats_add_param_0,\n"
                                 "\t.param .b32 gr_as_floats_add_param_1\n"
                                 ")\n"
                                 "{\n"
                                 "\t.reg .f32 \t%f<4>;\n"
                                 "\n"
                                 "\t// begin inline asm\n"
                                 "\tld.param.f32 \t%f1, [gr_as_floats_add_param_0];\n"
                                 "\tld.param.f32 \t%f2, [gr_as_floats_add_param_1];\n"
                                 "\tadd.f32 \t%f3, %f1, %f2;\n"
                                 "\tst.param.f32 \t[func_retval0+0], %f3;\n"
                                 "\tret;\n"
                                 "}\n"
                                 ".visible .func (.param .b32 func_retval0) gr_as_floats_first(\n"
                                 ")\n"
                                 "{\n"
                                 "\tld.param.f32 \t%f1, [gr_as_floats_first_param_0];\n"
                                 "\tst.param.f32 \t[func_retval0+0], %f1;\n"
                                 "\tret;\n"
                                 "}\n"
                                 ".visible .func (.param .b32 func_retval0) gr_as_floats_both(\n"
                                 ")\n"
                                 "{\n"
                                 "\t.reg .b32 \t%r<3>;\n"
                                 "\tld.param.f32 \t%f1, [gr_as_floats_both_param_0];\n"
                                 "\tld.param.u32 \t%r1, [gr_as_floats_both_param_0];\n"
                                 "\tadd.s32 \t%r2, %r1, 1;\n"
                                 "\tmul.f32 \t%f11, %f1, %f1;\n"
                                 "\tst.param.f32 \t[func_retval0+0], %f11;\n"
                                 "\tret;\n"
                                 "}\n"
                                 ".visible .func (.param .b32 func_retval0) gr_as_floats_bad(\n"
                                 ")\n"
                                 "{\n"
                                 "\tld.param.f32 \t%f1, [gr_as_floats_bad_param_0];\n"
                                 "\tadd.f32 \t%f1, %f1, %f1;\n"
                                 "\tst.param.f32 \t[func_retval0+0], %f1;\n"
                                 "\tret;\n"
                                 "}\n";

static const gr_register_operand A = {"g0_", 1}, B = {"gk", 0}, OUT = {"acc_", 1};

static char *text;
static size_t size;

static void expect(const gr_primitive *p, unsigned k, const char *expected) {
    const gr_register_operand two[] = {A, B};
    FILE *out = open_memstream(&text, &size);
    gr_primitive_write(out, p, two, OUT, k);
    fclose(out);
    assert_string_equal(text, expected);
    free(text);
}

/* One instruction writes the result itself: no block, no declarations, no move. */
static void test_one_instruction(void **state) {
    (void)state;
    gr_primitive p;
    assert_true(gr_primitive_find("floats", "add", &p));
    assert_int_equal(p.parameters, 2);
    assert_int_equal(p.lines, 1);
    assert_string_equal(p.parameter[0], "%f1");
    assert_string_equal(p.parameter[1], "%f2");
    assert_string_equal(p.result, "%f3");
    assert_string_equal(p.declarations, "\t.reg .f32 \t%f<4>;\n");
    expect(&p, 3, "\tadd.f32 \tacc_3, g0_3, gk;\n");
    gr_primitive_free(&p);
    assert_null(p.body);
}

static void test_operand_handed_through(void **state) {
    (void)state;
    gr_primitive p;
    assert_true(gr_primitive_find("floats", "first", &p));
    assert_int_equal(p.lines, 0);
    expect(&p, 12, "{\nmov.b32 acc_12, g0_12;\n}\n");
    gr_primitive_free(&p);
}

/* A second load of an operand becomes a move; %f11 is not %f1. */
static void test_many_instructions(void **state) {
    (void)state;
    gr_primitive p;
    assert_true(gr_primitive_find("floats", "both", &p));
    assert_int_equal(p.parameters, 1);
    assert_int_equal(p.lines, 3);
    expect(&p, 0,
           "{\n\t.reg .b32 \t%r<3>;\n"
           "mov.b32 %r1, g0_0;\n"
           "\tadd.s32 \t%r2, %r1, 1;\n"
           "\tmul.f32 \t%f11, g0_0, g0_0;\n"
           "mov.b32 acc_0, %f11;\n}\n");
    gr_primitive_free(&p);
}

static void test_refused(void **state) {
    (void)state;
    gr_primitive p;
    assert_false(gr_primitive_find("floats", "none", &p));
    assert_false(gr_primitive_find("words", "add", &p));
    assert_false(gr_primitive_find("floats", "ad", &p));
    assert_false(gr_primitive_find("floats", "bad", &p)); /* our registers must not change */
}

/* All that is no primitive: what they call and read. */
static void test_prelude(void **state) {
    (void)state;
    FILE *out = open_memstream(&text, &size);
    gr_primitive_write_prelude(out);
    fclose(out);
    assert_string_equal(text, ".global .align 4 .b8 table[8];\n"
                              ".func (.reg .b32 value) helper(.reg .b32 a)\n"
                              "{\n\tmov.b32 value, a;\n}\n");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_instruction),   cmocka_unit_test(test_operand_handed_through),
        cmocka_unit_test(test_many_instructions), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_prelude),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
