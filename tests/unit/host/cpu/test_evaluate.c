/* host/cpu/evaluate.h: sums and outputs of a program over a chunk, against the reference evaluation
 * case by case, in every instruction set. Operations one by one: property/interpreter. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu/core/fitness/fitness.h"
#include "host/cpu/evaluate.h"
#include "tests/core.h"

#include <math.h>

enum { INPUTS = 3, NODES = 200 };

static float tile[INPUTS + 1][GR_CHUNK];
static gr_node nodes[NODES];
static gr_instruction program[NODES];
static uint32_t count, length;

/* A program without constants that are no numbers, over tame inputs. */
static void draw(core_dice *dice, const gr_params *p, uint32_t which) {
    static uint32_t words[2 * NODES];
    gr_nodes tree = {nodes, 1};
    gr_random r = gr_stream(p, GR_PURPOSE_INIT, 3, 0, which);
    for (uint32_t k = 0; k <= INPUTS; k++)
        for (uint32_t c = 0; c < GR_CHUNK; c++)
            tile[k][c] = (float)((double)core_roll(dice, 0) * 0x1p-30 - 2.0);
    do
        count = gr_random_tree(p, &r, 4, 0, 1, tree, NODES);
    while (!count);
    length = gr_compile(tree, count, (gr_words){words, 1}, program, core_group);
}

static const char *const versions[] = {"baseline", "avx2", ""};

/* Outputs of as many cases as are asked for, and no others. */
static void test_outputs(void **state) {
    (void)state;
    static gr_cpu_registers registers;
    static float output[GR_CHUNK], stack[NODES];
    core_dice dice = {3};
    gr_params p = core_params(GR_TREE);
    p.inputs = INPUTS;
    for (uint32_t which = 0; which < 60; which++) {
        uint32_t cases = which % 3 ? 1 + core_roll(&dice, GR_CHUNK) : GR_CHUNK;
        draw(&dice, &p, which);
        for (size_t v = 0; v < 3; v++) {
            setenv("GRAMPUS_ISA", versions[v], 1);
            for (uint32_t c = 0; c < GR_CHUNK; c++)
                output[c] = 77.0f;
            gr_cpu_best_interpreter()->predict(program, length, tile[0], cases, &registers, output);
            for (uint32_t c = 0; c < GR_CHUNK; c++) {
                float x[INPUTS] = {tile[0][c], tile[1][c], tile[2][c]};
                float wanted = c < cases ? gr_evaluate_case(nodes, count, x, stack) : 77.0f;
                assert_true(core_same(output[c], wanted));
            }
        }
    }
    unsetenv("GRAMPUS_ISA");
}

/* Sums of errors, of squares and of hits, of the cases there are: the last chunk is not full. */
static void test_sums(void **state) {
    (void)state;
    static gr_cpu_registers registers;
    static float stack[NODES];
    static const uint32_t metrics[] = {GR_METRIC_SAE, GR_METRIC_MSE, GR_METRIC_HITS};
    core_dice dice = {5};
    gr_params p = core_params(GR_TREE);
    uint32_t finite = 0;
    p.inputs = INPUTS;
    p.tolerance = 1.0f;
    for (uint32_t which = 0; which < 60; which++) {
        p.metric = metrics[which % 3];
        p.sums = gr_sums_of(&p);
        p.train_cases = GR_CHUNK + (which % 4 ? 1 + core_roll(&dice, GR_CHUNK) : GR_CHUNK);
        p.train_chunks = 2;
        draw(&dice, &p, which);
        double sum[GR_MAX_SUMS], wanted = 0;
        for (uint32_t c = 0; c < p.train_cases - GR_CHUNK; c++) {
            float x[INPUTS] = {tile[0][c], tile[1][c], tile[2][c]};
            float error = gr_evaluate_case(nodes, count, x, stack) - tile[INPUTS][c];
            wanted += p.metric == GR_METRIC_SAE   ? fabs((double)error)
                      : p.metric == GR_METRIC_MSE ? (double)error * (double)error
                                                  : !(fabsf(error) <= 1.0f);
        }
        double hits = p.train_cases - GR_CHUNK - wanted;
        for (size_t v = 0; v < 3; v++) {
            setenv("GRAMPUS_ISA", versions[v], 1);
            gr_cpu_best_interpreter()->evaluate(&p, program, length, (gr_cpu_chunk){tile[0], 0, 1},
                                                &registers, sum);
            if (!isfinite(wanted) || fabs(wanted) > 1e30)
                continue;
            finite++;
            if (p.metric == GR_METRIC_HITS)
                assert_true(sum[0] == hits);
            else if (fabs(sum[0] - wanted) > 1e-5 * wanted)
                fail_msg("program %u: %.9g, expected %.9g", which, sum[0], wanted);
        }
    }
    unsetenv("GRAMPUS_ISA");
    assert_true(finite > 60);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_outputs), cmocka_unit_test(test_sums)};
    return cmocka_run_group_tests_name("evaluation", tests, NULL, NULL);
}
