/* Linear scaling: the error that is reported is that of the predictions a + b output, whatever the
 * data and the program. Held to two passes in long double over the outputs.
 *
 *   linear_scaling [--rounds N] [--seed S] */
#include "host/cpu/evaluate.h"
#include "tests/core.h"

#include <float.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>

enum { INPUTS = 3, CHUNKS = 3, NODES = 128, MOST = CHUNKS * GR_CHUNK };

static _Alignas(64) float tiles[2][CHUNKS][INPUTS + 1][GR_CHUNK];
static float output[MOST];
static gr_node memory[NODES];
static uint32_t words[2 * NODES];
static gr_instruction program[NODES];
static _Alignas(64) gr_cpu_registers registers;

typedef enum data_kind {
    DATA_PLAIN,
    DATA_OFFSET,  /* inputs near 1e3 to 1e7 */
    DATA_TINY,    /* inputs of some units in the last place about 1 */
    DATA_HUGE,    /* up to 1e37 */
    DATA_EQUAL,   /* all cases the same */
    DATA_OUTLIER, /* the first case far from all others */
    DATA_TARGET,  /* targets with an offset; inputs plain */
    DATA_KINDS
} data_kind;

static const char *const kind_names[DATA_KINDS] = {"plain", "offset",  "tiny spread",  "huge",
                                                   "equal", "outlier", "target offset"};

static float unit(core_dice *dice) {
    return (float)((double)core_roll(dice, 0) * 0x1p-31 - 1.0);
}

static float input_of(data_kind kind, core_dice *dice, float offset, int first) {
    switch (kind) {
    case DATA_OFFSET:
        return offset + unit(dice);
    case DATA_TINY:
        return 1.0f + (float)core_roll(dice, 5) * 0x1p-23f;
    case DATA_HUGE:
        return unit(dice) * 1e37f;
    case DATA_EQUAL:
        return offset;
    case DATA_OUTLIER:
        return first ? offset : unit(dice) * 1e-3f;
    default:
        return 3.0f * unit(dice);
    }
}

/* Fills a set; the target depends on the first input, noise beside it. */
static void fill(data_kind kind, uint32_t set, uint32_t cases, core_dice *dice) {
    float offset = ldexpf(1.0f + fabsf(unit(dice)), (int)core_roll(dice, 24)),
          noise = core_roll(dice, 2) ? 0.5f : 0.0f;
    for (uint32_t c = 0; c < cases; c++) {
        float *at = &tiles[set][c / GR_CHUNK][0][c % GR_CHUNK];
        for (uint32_t k = 0; k < INPUTS; k++)
            at[k * GR_CHUNK] = input_of(kind, dice, offset, c == 0);
        float scaled = kind == DATA_HUGE ? at[0] * 1e-37f : at[0];
        at[INPUTS * GR_CHUNK] =
            scaled * 2.0f + noise * unit(dice) + (kind == DATA_TARGET ? offset : 0.0f);
    }
}

static float target_of(uint32_t set, uint32_t c) {
    return tiles[set][c / GR_CHUNK][INPUTS][c % GR_CHUNK];
}

/* Mean and squares about it, as a run has them: two passes in double. */
static void describe(gr_params *p, uint32_t set, uint32_t cases) {
    double sum = 0.0, ss = 0.0;
    for (uint32_t c = 0; c < cases; c++)
        sum += (double)target_of(set, c);
    p->target_mean[set] = sum / (double)cases;
    for (uint32_t c = 0; c < cases; c++)
        ss += pow((double)target_of(set, c) - p->target_mean[set], 2.0);
    p->target_ss[set] = ss;
    p->last_share[set] = gr_last_share(cases);
}

/* Cost on a set, as the backends find it; leaves the outputs. */
static float cost_of(const gr_params *p, uint32_t set, uint32_t length, double *fit) {
    const gr_cpu_interpreter *interpreter = gr_cpu_best_interpreter();
    double sums[CHUNKS][GR_MAX_SUMS], total[GR_MAX_SUMS];
    uint32_t chunks = set ? p->test_chunks : p->train_chunks;
    gr_chunk_target targets[CHUNKS];
    gr_chunk_targets(p, tiles[set][0][0], p->train_cases, p->target_mean[set], targets);
    for (uint32_t chunk = 0; chunk < chunks; chunk++) {
        const float *tile = tiles[set][chunk][0];
        uint32_t left = p->train_cases - chunk * GR_CHUNK; /* both sets have as many */
        registers.target = targets[chunk];
        interpreter->evaluate(p, program, length, (gr_cpu_chunk){tile, set, chunk}, &registers,
                              sums[chunk]);
        interpreter->predict(program, length, tile, gr_min_u32(left, GR_CHUNK), &registers,
                             output + chunk * GR_CHUNK);
    }
    gr_total(p, set, targets, sums[0], 1, 0, total);
    return gr_cost(p, total, set, fit);
}

/* What the outputs say, in long double. */
typedef struct truth {
    long double error;   /* squares of target - a - b output */
    long double scale;   /* squares of targets and predictions about the mean of the targets */
    long double spread;  /* of the outputs about their mean */
    long double squares; /* of the outputs */
    long double least;   /* error of the best line there is */
    int finite;
} truth;

static truth look(uint32_t set, uint32_t n, const double *fit) {
    truth t = {.finite = 1};
    long double mean = 0, to = 0, with = 0, ss = 0;
    for (uint32_t c = 0; c < n; c++) {
        t.finite &= isfinite(output[c]) != 0;
        mean += (long double)output[c] / n;
        to += (long double)target_of(set, c) / n;
    }
    for (uint32_t c = 0; c < n; c++) {
        long double x = output[c], y = target_of(set, c);
        long double guess = (long double)fit[0] + (long double)fit[1] * x;
        t.error += (y - guess) * (y - guess);
        t.scale += (y - to) * (y - to) + (guess - to) * (guess - to);
        t.spread += (x - mean) * (x - mean);
        t.squares += x * x;
        with += (x - mean) * (y - to);
        ss += (y - to) * (y - to);
    }
    t.least = t.spread > 0 ? ss - with * with / t.spread : ss;
    return t;
}

/* The bound of gr_line_error, and the rounding of the reported float. */
static int is_near(float reported, truth t, uint32_t n, const double *fit) {
    long double root = sqrtl(t.error / n), loss = 0x1p-18L * sqrtl(t.scale / n);
    if (reported == GR_INFINITY)
        return root * 1.000001L > FLT_MAX;
    return fabsl((long double)reported - root) <=
           loss + 0x1p-50L * fabsl((long double)fit[0]) + 0x1p-23L * root;
}

/* Whether the fit is as good as the best line, or the mean where nothing but rounding is left. */
static int is_best(truth t, const double *fit, uint32_t n) {
    if (fit[1] == 0.0)
        return t.spread <= 0x1.0001p-36L * t.squares || t.least >= t.error * (1 - 0x1p-30L);
    return t.spread >= 0x0.ffffp-36L * t.squares &&
           sqrtl(t.error / n) <=
               sqrtl(fabsl(t.least) / n) + 0x1p-18L * sqrtl(t.scale / n) * (1 + 0x1p-20L);
}

typedef struct counts {
    uint32_t rounds, fitted, constant, infinite;
} counts;

/* One program on fresh data; NULL, or what is wrong. */
static const char *check_one(data_kind kind, uint32_t round, core_dice *dice, counts *seen) {
    static const uint32_t sizes[] = {1, 2, 3, 31, 128, 1000, GR_CHUNK, GR_CHUNK + 1, 2500, MOST};
    gr_params p = core_params(GR_TREE);
    gr_nodes tree = {memory, 1};
    gr_words locations = {words, 1};
    double fit[2];
    uint32_t n = sizes[core_roll(dice, sizeof sizes / sizeof *sizes)];
    gr_random r = gr_stream(&p, GR_PURPOSE_INIT, core_roll(dice, 0), 0, round);
    uint32_t count = gr_random_tree(&p, &r, 1 + round % 6, round % 2, 1, tree, NODES);
    if (!count)
        return NULL;
    uint32_t length = gr_compile(tree, count, locations, program, core_group);
    p.metric = GR_METRIC_RMSE;
    p.linear_scaling = 1;
    p.sums = gr_sums_of(&p);
    p.train_cases = p.test_cases = n;
    p.train_chunks = p.test_chunks = (n + GR_CHUNK - 1) / GR_CHUNK;
    for (uint32_t set = 0; set < 2; set++) {
        fill(kind, set, n, dice);
        describe(&p, set, n);
    }
    float cost = cost_of(&p, 0, length, fit);
    truth t = look(0, n, fit);
    seen->rounds++;
    seen->infinite += !t.finite;
    if (!t.finite)
        return cost == GR_INFINITY ? NULL : "outputs that are not finite have a finite error";
    seen->fitted += fit[1] != 0.0;
    seen->constant += fit[1] == 0.0;
    if (!is_near(cost, t, n, fit))
        return "the training error is not that of the predictions";
    if (!is_best(t, fit, n))
        return "the fit is not the best one";
    cost = cost_of(&p, 1, length, fit);
    t = look(1, n, fit);
    return !t.finite || is_near(cost, t, n, fit) ? NULL
                                                 : "the test error is not that of the predictions";
}

int main(int argc, char **argv) {
    static const struct option options[] = {{"rounds", required_argument, NULL, 'r'},
                                            {"seed", required_argument, NULL, 's'},
                                            {NULL, 0, NULL, 0}};
    uint32_t rounds = 600; /* of each kind of data */
    core_dice dice = {1};
    int passed = 0, failed = 0;
    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (c == 'r')
            rounds = (uint32_t)strtoul(optarg, NULL, 10);
        else if (c == 's')
            dice.state = strtoull(optarg, NULL, 10);
        else
            return 2;
    }
    for (int kind = 0; kind < DATA_KINDS; kind++) {
        counts seen = {0};
        uint32_t wrong = 0;
        for (uint32_t round = 0; round < rounds; round++) {
            const char *what = check_one((data_kind)kind, round, &dice, &seen);
            if (what && wrong++ < 3)
                printf("FAIL %s, program %u: %s\n", kind_names[kind], round, what);
        }
        /* Equal cases leave nothing to fit; all other data must show that something is. */
        int told = kind == DATA_EQUAL ? seen.fitted == 0 : seen.fitted > seen.rounds / 10;
        printf("%-4s %s: %u programs, %u fitted, %u constant, %u not finite, %u wrong\n",
               wrong || !told ? "FAIL" : "ok", kind_names[kind], seen.rounds, seen.fitted,
               seen.constant, seen.infinite, wrong);
        wrong || !told ? failed++ : passed++;
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
