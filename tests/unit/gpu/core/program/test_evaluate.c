/* gpu/core/program/evaluate.h: every operation against values known by heart, and trees worked out
 * by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/core.h"

typedef struct known {
    uint32_t op;
    float a, b, c, result;
} known;

/* Results that are exact whatever the way they are computed. */
static const known VALUES[] = {
    {GR_ADD, 2, 3, 0, 5},
    {GR_SUB, 2, 3, 0, -1},
    {GR_MUL, 2, 3, 0, 6},
    {GR_DIV, 3, 2, 0, 1.5f},
    {GR_DIV, 1, 0, 0, INFINITY},
    {GR_NEG, 2, 0, 0, -2},
    {GR_ABS, -2, 0, 0, 2},
    {GR_MIN, 2, 3, 0, 2},
    {GR_MIN, 3, 2, 0, 2},
    {GR_MIN, NAN, 2, 0, 2}, /* the second where they do not compare */
    {GR_MAX, 2, 3, 0, 3},
    {GR_MAX, 3, 2, 0, 3},
    {GR_MAX, NAN, 2, 0, 2},
    {GR_SQUARE, -3, 0, 0, 9},
    {GR_CUBE, -3, 0, 0, -27},
    {GR_INV, 4, 0, 0, 0.25f},
    {GR_SQRT, 9, 0, 0, 3},
    {GR_SQRT, -9, 0, 0, NAN},
    {GR_SIN, 0, 0, 0, 0},
    {GR_COS, 0, 0, 0, 1},
    {GR_TAN, 0, 0, 0, 0},
    {GR_TANH, 0, 0, 0, 0},
    {GR_TANH, 40, 0, 0, 1},
    {GR_EXP, 0, 0, 0, 1},
    {GR_EXP, 200, 0, 0, INFINITY},
    {GR_LOG, 1, 0, 0, 0},
    {GR_LOG, 0, 0, 0, -INFINITY},
    {GR_LOG, -1, 0, 0, NAN},
    {GR_POW, 2, 10, 0, 1024},
    {GR_POW, -2, 3, 0, -8},
    {GR_POW, -2, 0.5f, 0, NAN},
    {GR_PDIV, 6, 4, 0, 1.5f},
    {GR_PDIV, 6, 0, 0, 1},
    {GR_PDIV, 6, -0.0f, 0, 1},
    {GR_PDIV, 6, 0.0005f, 0, 6 / 0.0005f}, /* protected at 0 alone */
    {GR_AQ, 6, 0, 0, 6},
    {GR_AQ, 5, 0.75f, 0, 4}, /* 5 / sqrt(1 + 9 / 16) */
    {GR_PLOG, 0, 0, 0, 0},
    {GR_RLOG, 0, 0, 0, 1},
    {GR_RLOG, -1, 0, 0, 0},
    {GR_KLOG, 0, 0, 0, 0},
    {GR_KLOG, -1, 0, 0, 0},
    {GR_PSQRT, -9, 0, 0, 3},
    {GR_PSQRT2, -9, 0, 0, -3},
    {GR_PSQRT2, 9, 0, 0, 3},
    {GR_PPOW, -2, 3, 0, 8},
    {GR_PPOW2, -2, 3, 0, -8},
    {GR_PPOW2, 2, 3, 0, 8},
    {GR_PPOW2, 0, 0, 0, 0}, /* sign(0) 0^0 */
    {GR_GDIV, 6, 4, 0, 1.5f},
    {GR_GDIV, 6, 0.001f, 0, 1}, /* gplearn: protected up to 0.001 */
    {GR_GDIV, 6, -0.0009f, 0, 1},
    {GR_GINV, 4, 0, 0, 0.25f},
    {GR_GINV, 0.001f, 0, 0, 0},
    {GR_GLOG, -1, 0, 0, 0},
    {GR_GLOG, 0.001f, 0, 0, 0},
    {GR_LT, 2, 3, 0, 1},
    {GR_LT, 3, 3, 0, 0},
    {GR_LE, 3, 3, 0, 1},
    {GR_LE, 4, 3, 0, 0},
    {GR_GT, 4, 3, 0, 1},
    {GR_GT, 3, 3, 0, 0},
    {GR_GE, 3, 3, 0, 1},
    {GR_GE, 2, 3, 0, 0},
    {GR_EQ, 3, 3, 0, 1},
    {GR_EQ, NAN, NAN, 0, 0},
    {GR_NE, 3, 3, 0, 0},
    {GR_NE, NAN, NAN, 0, 1},
    {GR_AND, 2, -1, 0, 1},
    {GR_AND, NAN, 1, 0, 1}, /* all but 0 is true */
    {GR_AND, 2, -0.0f, 0, 0},
    {GR_OR, 0, 3, 0, 1},
    {GR_OR, 0, -0.0f, 0, 0},
    {GR_XOR, 2, 3, 0, 0},
    {GR_XOR, 2, 0, 0, 1},
    {GR_NAND, 2, 3, 0, 0},
    {GR_NAND, 2, 0, 0, 1},
    {GR_NOR, 0, 0, 0, 1},
    {GR_NOR, 2, 0, 0, 0},
    {GR_NOT, 0, 0, 0, 1},
    {GR_NOT, 0.5f, 0, 0, 0},
    {GR_IF, 1, 2, 3, 2},
    {GR_IF, NAN, 2, 3, 2},
    {GR_IF, -0.0f, 2, 3, 3},
};

static void test_operations(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof VALUES / sizeof *VALUES; k++) {
        const known *v = &VALUES[k];
        float got = gr_apply(v->op, v->a, v->b, v->c);
        if (!(got == v->result || (got != got && v->result != v->result)))
            fail_msg("operation %u of %g, %g, %g: %g, expected %g", v->op, (double)v->a,
                     (double)v->b, (double)v->c, (double)got, (double)v->result);
    }
}

/* The truth table of two variables in four bits, and the bits beside it. */
static void test_words(void **state) {
    (void)state;
    static const uint32_t known_words[][2] = {{GR_WAND, 0x8},         {GR_WOR, 0xe},
                                              {GR_WXOR, 0x6},         {GR_WNAND, 0xfffffff7u},
                                              {GR_WNOR, 0xfffffff1u}, {GR_WNOT, 0xfffffff5u}};
    for (size_t k = 0; k < 6; k++)
        assert_int_equal(gr_float_bits(gr_apply(known_words[k][0], gr_bits_float(0xa),
                                                gr_bits_float(0xc), 0.0f)),
                         known_words[k][1]);
}

static void test_signed(void **state) {
    (void)state;
    assert_true(gr_signed(3.0f, 2.0f) == 2.0f && gr_signed(-0.5f, 2.0f) == -2.0f);
    assert_true(gr_signed(0.0f, 2.0f) == 0.0f);
    float none = gr_signed(GR_NAN, 2.0f);
    assert_true(none != none);
}

/* ---- trees ---- */

static gr_node leaf(uint32_t input) {
    return gr_make_node(GR_INPUT, 1, 1, input);
}
static gr_node constant(float value) {
    return gr_make_node(GR_CONSTANT, 1, 1, gr_float_bits(value));
}
static gr_node function(uint32_t op) {
    return gr_make_node(op, 0, 0, 0);
}

static void test_trees(void **state) {
    (void)state;
    const float x[] = {7.0f, 2.0f, -3.0f};
    float stack[8] = {0}; /* gcc cannot see that leaves come first */
    const gr_node one[] = {leaf(2)}, two[] = {leaf(0), leaf(1), function(GR_SUB)};
    assert_true(gr_evaluate_case(one, 1, x, stack) == -3.0f);
    assert_true(gr_evaluate_case(two, 3, x, stack) == 5.0f); /* not 2 - 7 */
    /* if(x2, x0 - 0.5, x1) / (x1 ** 3) */
    const gr_node three[] = {leaf(2),          leaf(0),         constant(0.5f), function(GR_SUB),
                             leaf(1),          function(GR_IF), leaf(1),        constant(3.0f),
                             function(GR_POW), function(GR_DIV)};
    assert_true(gr_evaluate_case(three, 10, x, stack) == 6.5f / 8.0f);
}

typedef struct seen {
    uint32_t node[4], op[4], count;
} seen;
static seen notes;

static float note(const void *context, uint32_t node, uint32_t op, const float *a) {
    assert_ptr_equal(context, &notes);
    notes.node[notes.count] = node;
    notes.op[notes.count++] = op;
    return a[0] * 10.0f + (gr_arity(op) > 1 ? a[1] : 0.0f);
}

/* Operations of somebody else: told where they stand, given their operands in order. */
static void test_evaluate_with(void **state) {
    (void)state;
    const float x[] = {1.0f, 2.0f};
    float stack[4];
    const gr_node nodes[] = {leaf(0),          leaf(1), function(GR_ADD),
                             function(GR_SIN), leaf(0), function(GR_MUL)};
    memset(&notes, 0, sizeof notes);
    assert_true(gr_evaluate_with(note, &notes, nodes, 6, x, stack) == 1201.0f);
    assert_int_equal(notes.count, 3);
    assert_true(notes.node[0] == 2 && notes.node[1] == 3 && notes.node[2] == 5);
    assert_true(notes.op[0] == GR_ADD && notes.op[1] == GR_SIN && notes.op[2] == GR_MUL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operations),    cmocka_unit_test(test_words),
        cmocka_unit_test(test_signed),        cmocka_unit_test(test_trees),
        cmocka_unit_test(test_evaluate_with),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
