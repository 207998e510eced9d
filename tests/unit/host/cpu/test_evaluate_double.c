/* precision: double (host/cpu/evaluate_double.c): every operation against the C library's doubles,
 * programs node by node, and the sums of every metric, in every instruction set. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu/core/fitness/fitness.h"
#include "host/cpu/evaluate.h"
#include "tests/core.h"
#include "tests/operation_model.h"

#include "gpu/core/base/math_double.h"

#include <float.h>
#include <math.h>

enum { INPUTS = 3, NODES = 200 };

static double tile[INPUTS + 1][GR_CHUNK];
static gr_node nodes[NODES];
static gr_instruction program[NODES];
static uint32_t words[2 * NODES];
static gr_cpu_registers registers;
static const char *const versions[] = {"baseline", "avx2", ""};

/* Two results of elementary functions that are each below one unit off. */
static int near(double a, double b) {
    if (a == b || (a != a && b != b))
        return 1;
    double unit = fmax(fabs(b) * DBL_EPSILON, 0x1p-1074);
    return fabs(a - b) <= 2.0 * unit;
}

static double draw(core_dice *dice) {
    static const double special[] = {
        0.0,       -0.0,       1.0,   -1.0,           INFINITY, -INFINITY, DBL_MAX,    NAN,
        0x1p-1074, -0x1p-1030, 0.001, (double)0.001f, 1e300,    -2.0,      0x1.8p1000, 3.0};
    uint64_t high = core_roll(dice, 0), low = core_roll(dice, 0);
    switch (core_roll(dice, 4)) {
    case 0:
        return special[core_roll(dice, sizeof special / sizeof *special)];
    case 1:
        return gr_bits_double(high << 32 | low);
    default:
        return (double)(int64_t)(high << 32 | low) * 0x1p-60;
    }
}

static void fill(core_dice *dice, int tame) {
    for (uint32_t k = 0; k <= INPUTS; k++)
        for (uint32_t c = 0; c < GR_CHUNK; c++) {
            double any = draw(dice);
            tile[k][c] = tame ? (double)core_roll(dice, 0) * 0x1p-30 - 2.0 + 0x1p-50 : any;
        }
}

static const float *cases(void) {
    return (const float *)(const void *)tile[0];
}

static uint32_t compile(uint32_t count) {
    return gr_compile((gr_nodes){nodes, 1}, count, (gr_words){words, 1}, program, core_group);
}

/* Outputs of nodes [0, count) on a case, by the model. */
static double walk(uint32_t count, uint32_t c) {
    double stack[NODES];
    uint32_t top = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t op = GR_NODE_OP(nodes[i]), arity = gr_arity(op);
        if (op <= GR_INPUT) {
            stack[top++] = op == GR_INPUT ? tile[nodes[i].operand][c]
                                          : (double)gr_bits_float(nodes[i].operand);
            continue;
        }
        const double *a = &stack[top -= arity];
        stack[top] = model_operation(op, a[0], arity > 1 ? a[1] : 0.0, arity > 2 ? a[2] : 0.0);
        top++;
    }
    return stack[0];
}

static void test_operations(void **state) {
    (void)state;
    core_dice dice = {11};
    double output[GR_CHUNK], first[GR_CHUNK];
    for (uint32_t op = GR_INPUT + 1; op < GR_OP_COUNT; op++)
        for (uint32_t round = 0; round < 54 && !gr_is_word(op) && !gr_is_ranking(op); round++) {
            uint32_t count = 0;
            fill(&dice, round & 1);
            for (uint32_t k = 0, form = round / 2; k < gr_arity(op); k++, form /= 3) {
                uint32_t bits = gr_float_bits(core_float(&dice));
                nodes[count++] = form % 3 == 1 ? gr_make_node(GR_CONSTANT, 1, 1, bits)
                                               : gr_make_node(GR_INPUT, 1, 1, k);
                if (form % 3 == 2)
                    nodes[count++] = gr_make_node(GR_NEG, 0, 0, 0);
            }
            nodes[count++] = gr_make_node(op, 0, 0, 0);
            gr_annotate((gr_nodes){nodes, 1}, count);
            uint32_t length = compile(count);
            for (size_t v = 0; v < 3; v++) {
                setenv("GRAMPUS_ISA", versions[v], 1);
                gr_cpu_best_interpreter()->predict_double(program, length, cases(), GR_CHUNK,
                                                          &registers, v ? output : first);
                for (uint32_t c = 0; c < GR_CHUNK; c++) {
                    double got = v ? output[c] : first[c], wanted = walk(count, c);
                    int same = gr_double_bits(got) == gr_double_bits(first[c]) || got != got;
                    if (!same || !near(got, wanted))
                        fail_msg("operation %u: %a, expected %a", op, got, wanted);
                }
            }
        }
    unsetenv("GRAMPUS_ISA");
}

/* argmax(x0, x1, x2): a chain, the last operand first. */
static void test_argmax(void **state) {
    (void)state;
    core_dice dice = {13};
    double output[GR_CHUNK];
    static const uint32_t chain[] = {GR_INPUT,       GR_INPUT,       GR_INPUT, GR_ARGMAX_LAST,
                                     GR_ARGMAX_NEXT, GR_ARGMAX_NEXT, GR_ARGMAX};
    for (uint32_t i = 0; i < 7; i++)
        nodes[i] = gr_make_node(chain[i], i < 3, i < 3, i);
    gr_annotate((gr_nodes){nodes, 1}, 7);
    uint32_t length = compile(7);
    fill(&dice, 1);
    tile[1][0] = 5.0, tile[1][1] = NAN, tile[2][1] = 5.0, tile[0][2] = 5.0;
    tile[0][3] = tile[1][3] = tile[2][3] = NAN;
    gr_cpu_best_interpreter()->predict_double(program, length, cases(), GR_CHUNK, &registers,
                                              output);
    assert_true(output[0] == 1.0 && output[1] == 2.0 && output[2] == 0.0 && output[3] != output[3]);
    for (uint32_t c = 4; c < GR_CHUNK; c++) {
        double a = tile[0][c], b = tile[1][c], d = tile[2][c];
        assert_true(output[c] == (a >= b && a >= d ? 0.0 : b >= d ? 1.0 : 2.0));
    }
}

/* Programs of + - * / and roots, which the C library rounds as everybody does: the same bits, of as
 * many cases as are asked for. */
static void test_programs(void **state) {
    (void)state;
    static const uint8_t functions[] = {GR_NEG, GR_SQRT, GR_ADD, GR_SUB, GR_MUL, GR_DIV, GR_IF};
    core_dice dice = {17};
    gr_params p = core_params(GR_TREE);
    double output[GR_CHUNK + 1];
    p.inputs = INPUTS;
    memcpy(p.function, functions, sizeof functions);
    p.functions = sizeof functions;
    static const uint8_t first[] = {0, 0, 2, 6, 7};
    memcpy(p.arity_first, first, sizeof first);
    for (uint32_t which = 0; which < 60; which++) {
        gr_random r = gr_stream(&p, GR_PURPOSE_INIT, 5, 0, which);
        uint32_t count =
            gr_random_tree(&p, &r, 2 + which % 6, which % 2, 1, (gr_nodes){nodes, 1}, NODES);
        if (!count)
            continue;
        uint32_t length = compile(count), n = which % 3 ? 1 + core_roll(&dice, GR_CHUNK) : GR_CHUNK;
        fill(&dice, which & 1);
        for (size_t v = 0; v < 3; v++) {
            setenv("GRAMPUS_ISA", versions[v], 1);
            output[n] = 77.0;
            gr_cpu_best_interpreter()->predict_double(program, length, cases(), n, &registers,
                                                      output);
            for (uint32_t c = 0; c < n; c++) {
                double wanted = walk(count, c);
                assert_true(gr_double_bits(output[c]) == gr_double_bits(wanted) ||
                            (output[c] != output[c] && wanted != wanted));
            }
            assert_true(output[n] == 77.0);
        }
    }
    unsetenv("GRAMPUS_ISA");
}

static double error_of(uint32_t metric, double output, double target) {
    double error = output - target;
    switch (metric) {
    case GR_METRIC_MSE:
        return error * error;
    case GR_METRIC_HITS:
        return (double)(fabsf((float)error) <= 0.25f);
    case GR_METRIC_HINGE:
        return fmax(0.0, target > 0.0 ? 1.0 - output : 1.0 + output);
    default:
        return fabs(error);
    }
}

/* Lane (c / 4) mod 32 adds case c, then the lanes meet; the largest has no order. */
static double sum_of(uint32_t metric, uint32_t n) {
    double lane[GR_LANES] = {0.0}, most = 0.0;
    for (uint32_t c = 0; c < n; c++) {
        double e = error_of(metric, tile[0][c], tile[INPUTS][c]);
        lane[c / 4 % GR_LANES] += e;
        most = fmax(most, e);
    }
    for (int half = GR_LANES / 2; half; half /= 2)
        for (int l = 0; l < half; l++)
            lane[l] += lane[l + half];
    return metric == GR_METRIC_MAX_ERROR ? most : lane[0];
}

static void test_sums(void **state) {
    (void)state;
    static const uint32_t metrics[] = {GR_METRIC_SAE, GR_METRIC_MSE, GR_METRIC_HITS,
                                       GR_METRIC_HINGE, GR_METRIC_MAX_ERROR};
    core_dice dice = {19};
    gr_params p = core_params(GR_TREE);
    p.inputs = INPUTS;
    p.doubles = 1;
    p.tolerance = 0.25f;
    nodes[0] = gr_make_node(GR_INPUT, 1, 1, 0);
    uint32_t length = compile(1);
    for (uint32_t which = 0; which < 100; which++) {
        double sum = -1.0;
        uint32_t n = which < 5 ? 1 : which < 10 ? GR_CHUNK : 1 + core_roll(&dice, GR_CHUNK);
        p.metric = metrics[which % 5];
        p.sums = gr_sums_of(&p);
        p.train_cases = GR_CHUNK + n;
        p.train_chunks = 2;
        fill(&dice, 1);
        double wanted = sum_of(p.metric, n);
        for (size_t v = 0; v < 3; v++) {
            setenv("GRAMPUS_ISA", versions[v], 1);
            gr_cpu_best_interpreter()->evaluate(&p, program, length, (gr_cpu_chunk){cases(), 0, 1},
                                                &registers, &sum);
            if (gr_double_bits(sum) != gr_double_bits(wanted))
                fail_msg("metric %u, %u cases: %a, expected %a", p.metric, n, sum, wanted);
        }
        tile[0][n - 1] = NAN;
        gr_cpu_best_interpreter()->evaluate(&p, program, length, (gr_cpu_chunk){cases(), 0, 1},
                                            &registers, &sum);
        assert_true(p.metric == GR_METRIC_HITS ? sum == sum : sum != sum);
    }
    unsetenv("GRAMPUS_ISA");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operations), cmocka_unit_test(test_argmax),
        cmocka_unit_test(test_programs), cmocka_unit_test(test_sums)};
    return cmocka_run_group_tests_name("evaluation in doubles", tests, NULL, NULL);
}
