/* Derivatives of programs by their constants and weights, as the CPU takes them, against
 * differences of the same programs in double.
 *
 *   slopes [--rounds N] [--seed N]     (default 4000 programs, of which a quarter can be compared)
 */
#include "host/cpu/evaluate.h"
#include "tests/core.h"
#include "tests/operation_model.h"

#include <getopt.h>
#include <stdio.h>

enum { INPUTS = 3, NODES = 64 };

static gr_node memory[NODES];
static float tile[INPUTS + 1][GR_CHUNK];

/* ---- in double ---- */

/* The program on case 0, the number of leaf `moved` larger by h. */
static double output(const gr_params *p, uint32_t count, uint32_t moved, double h) {
    double stack[NODES + 2] = {0};
    uint32_t top = 0;
    for (uint32_t k = 0; k < count; k++) {
        gr_node node = memory[k];
        uint32_t op = GR_NODE_OP(node), arity = gr_arity(op);
        if (op <= GR_INPUT) {
            double number = (double)gr_fit_value(p, node) + (k == moved ? h : 0);
            stack[top++] =
                op == GR_INPUT ? number * (double)tile[node.operand & p->index_mask][0] : number;
            continue;
        }
        const double *a = stack + top - arity;
        double result = model_operation(op, a[0], a[1], arity > 2 ? a[2] : 0);
        top -= arity - 1;
        stack[top - 1] = result;
    }
    return stack[0];
}

/* The difference quotient at a leaf; NaN where it depends on the step: near an edge, or where
 * rounding shows. */
static double quotient(const gr_params *p, uint32_t count, uint32_t leaf) {
    double h = 1e-5 * fmax(0.01, fabs((double)gr_fit_value(p, memory[leaf]))), d[3];
    for (int k = 0; k < 3; k++, h *= 0.3)
        d[k] = (output(p, count, leaf, h) - output(p, count, leaf, -h)) / (2 * h);
    double apart = fmax(fabs(d[0] - d[1]), fabs(d[1] - d[2]));
    return apart <= 1e-5 * fabs(d[1]) || (d[0] == 0 && d[2] == 0) ? d[1] : (double)NAN;
}

/* ---- a program ---- */

/* Whether a program's floats are near enough to the doubles for its derivatives to be. */
static int is_tame(const gr_params *p, uint32_t count) {
    float stack[NODES], x[INPUTS];
    static gr_node plain[NODES];
    for (uint32_t k = 0; k < INPUTS; k++)
        x[k] = tile[k][0];
    for (uint32_t k = 0; k < count; k++) {
        plain[k] = memory[k];
        if (gr_is_ranking(GR_NODE_OP(plain[k]))) /* steps alone */
            return 0;
        if (GR_NODE_OP(plain[k]) == GR_INPUT)
            plain[k] = gr_make_node(
                GR_CONSTANT, 1, 1,
                gr_float_bits(gr_fit_value(p, memory[k]) * x[memory[k].operand & p->index_mask]));
    }
    double wanted = output(p, count, count, 0),
           got = (double)gr_evaluate_case(plain, count, x, stack);
    return isfinite(wanted) && fabs(wanted) < 1e6 && fabs(got - wanted) <= 1e-5 * fabs(wanted);
}

static void tape_open(gr_cpu_tape *t, uint32_t (*operand)[3]) {
    static uint8_t live[NODES], constant[NODES];
    static const float *row[NODES];
    static _Alignas(64) float value[NODES][GR_FIT_BLOCK], slope[NODES][GR_FIT_BLOCK];
    static uint32_t pending[NODES];
    static _Alignas(64) double column[GR_FIT_COLUMNS][GR_FIT_BLOCK], lane[GR_FIT_SUMS][GR_LANES];
    *t = (gr_cpu_tape){.tree = memory,
                       .operand = operand,
                       .live = live,
                       .constant = constant,
                       .row = row,
                       .value = value,
                       .pending = pending,
                       .slope = slope,
                       .column = column,
                       .lane = lane};
}

/* Derivatives by all leaves of a program on case 0: columns of the tape. */
static uint32_t derive(const gr_params *p, uint32_t count, gr_cpu_tape *t, uint32_t *leaf) {
    static double sum[GR_FIT_SUMS];
    gr_fitter f = {0};
    for (uint32_t k = 0; k < count; k++)
        if (GR_NODE_OP(memory[k]) <= GR_INPUT && f.constants < GR_FIT_CONSTANTS)
            leaf[f.constants] = k, f.leaf[f.constants++] = k;
    memset(sum, 0, sizeof sum);
    gr_cpu_prepare_tape(t, &f, memory, count);
    gr_cpu_best_interpreter()->derive(p, t, tile[0], 1, sum);
    return f.constants;
}

int main(int argc, char **argv) {
    uint32_t rounds = 4000;
    core_dice dice = {1};
    static const struct option options[] = {{"rounds", 1, NULL, 'r'}, {"seed", 1, NULL, 's'}, {0}};
    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;)
        c == 'r' ? (rounds = (uint32_t)atoi(optarg)) : (dice.state = (uint64_t)atoll(optarg));
    gr_params p = core_params(GR_TREE);
    p.inputs = INPUTS;
    p.max_nodes = NODES;
    p.init_max_depth = 5;
    p.weighted = 1;
    p.index_mask = gr_index_mask(INPUTS);
    p.constant_max = 2.0f;
    uint32_t programs = 0, compared = 0, wrong = 0, seen[GR_OP_COUNT] = {0}, unseen = 0;
    static uint32_t operand[NODES][3];
    gr_cpu_tape tape;
    tape_open(&tape, operand);
    for (uint32_t round = 0; round < rounds; round++) {
        uint32_t leaf[GR_FIT_CONSTANTS], before = compared;
        for (uint32_t k = 0; k <= INPUTS; k++)
            tile[k][0] = (float)core_roll(&dice, 4000) * 0.001f - 2.0f;
        uint32_t count = core_first_tree(&p, 0, round, (gr_nodes){memory, 1});
        for (uint32_t k = 0; k < count; k++)
            if (GR_NODE_OP(memory[k]) == GR_INPUT)
                memory[k].operand = gr_weigh(p.index_mask, (float)core_roll(&dice, 3000) * 0.001f,
                                             memory[k].operand & p.index_mask);
        if (!is_tame(&p, count))
            continue;
        uint32_t constants = derive(&p, count, &tape, leaf);
        for (uint32_t k = 0; k < constants; k++) {
            double wanted = quotient(&p, count, leaf[k]), got = tape.column[k][0];
            if (!isfinite(wanted))
                continue;
            compared++;
            wrong += fabs(got - wanted) <= 1e-3 * fabs(wanted) + 1e-6 ? 0 : 1;
        }
        programs += compared > before;
        for (uint32_t k = 0; k < count && compared > before; k++)
            seen[GR_NODE_OP(memory[k])]++;
    }
    for (uint32_t op = GR_INPUT + 1; op < GR_OP_COUNT; op++)
        unseen += !gr_is_word(op) && !gr_is_ranking(op) && !seen[op];
    printf("%u programs, %u derivatives, %u of them not the difference quotient, %u operations "
           "unseen\n",
           programs, compared, wrong, unseen);
    /* roundings inside a program may still grow in its derivative */
    int good = programs >= rounds / 4 && wrong * 500 <= compared && !unseen;
    printf("%s derivatives\n%d passed, %d failed\n", good ? "ok  " : "FAIL", good, !good);
    return !good;
}
