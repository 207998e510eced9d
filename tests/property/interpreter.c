/* The CPU interpreter in every instruction set against gr_evaluate_case: random programs over every
 * operation, inputs of every kind (NaN, infinities, denormals), packed and not.
 *
 *   interpreter [--rounds N] [--seed N]     (default 3000 rounds of a program over 1024 cases, seed
 * 1) */
#include "gpu/core/program/execute.h"
#include "host/cpu/evaluate.h"
#include "tests/core.h"

#include <getopt.h>
#include <stdio.h>

enum { INPUTS = 4, NODES = 4096 };

extern gr_cpu_evaluate gr_cpu_evaluate_baseline;
extern gr_cpu_predict gr_cpu_predict_baseline;
#if defined __x86_64__ && !defined GR_ONE_ISA
extern gr_cpu_evaluate gr_cpu_evaluate_avx2, gr_cpu_evaluate_avx512;
extern gr_cpu_predict gr_cpu_predict_avx2, gr_cpu_predict_avx512;
#endif

typedef struct version {
    const char *name;
    gr_cpu_evaluate *evaluate;
    gr_cpu_predict *predict;
    uint64_t wrong;
} version;

/* One case after the other, as few programs run on the device while a generation is selected. */
static void execute_all(const gr_instruction *code, uint32_t length, const float *from,
                        uint32_t cases, gr_cpu_registers *unused, float *output) {
    static const gr_params plain; /* without weights */
    (void)unused;
    for (uint32_t c = 0; c < cases; c++)
        output[c] = gr_execute(&plain, code, length, from + c);
}

static version versions[4] = {{"baseline", gr_cpu_evaluate_baseline, gr_cpu_predict_baseline, 0},
                              {"gr_execute", NULL, execute_all, 0}};
static int version_count = 2, passed, failed;

static gr_node memory[NODES];
static gr_instruction program[NODES];
static uint32_t location[2 * NODES];
static const gr_words locations = {location, 1};
static float tile[INPUTS + 1][GR_CHUNK], wanted[GR_CHUNK], got[GR_CHUNK], stack[NODES];
static gr_cpu_registers registers;

static void find_versions(void) {
#if defined __x86_64__ && !defined GR_ONE_ISA
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        versions[version_count++] = (version){"AVX2", gr_cpu_evaluate_avx2, gr_cpu_predict_avx2, 0};
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw"))
        versions[version_count++] =
            (version){"AVX-512", gr_cpu_evaluate_avx512, gr_cpu_predict_avx512, 0};
#endif
}

static void verdict(int good, const char *what) {
    printf("%s %s\n", good ? "ok  " : "FAIL", what);
    good ? passed++ : failed++;
}

static void fill_tile(core_dice *dice, int packed) {
    uint32_t style = core_roll(dice, 3);
    for (uint32_t k = 0; k <= INPUTS; k++)
        for (uint32_t c = 0; c < GR_CHUNK; c++) {
            if (packed)
                tile[k][c] = gr_bits_float(core_roll(dice, 0));
            else if (style == 0) /* tame: the vectorised common pieces of sin, cos, tan */
                tile[k][c] = (float)core_roll(dice, 0) * 0x1p-30f - 2.0f;
            else
                tile[k][c] = core_float(dice);
        }
}

static int same(float a, float b, int packed) {
    return packed ? gr_float_bits(a) == gr_float_bits(b) : core_same(a, b);
}

/* One program by all versions; notes the first difference of each. */
static void check_program(uint32_t count, uint32_t cases, int packed) {
    uint32_t length = gr_compile((gr_nodes){memory, 1}, count, locations, program, core_group);
    for (uint32_t c = 0; c < cases; c++) {
        float x[INPUTS];
        for (uint32_t k = 0; k < INPUTS; k++)
            x[k] = tile[k][c];
        wanted[c] = gr_evaluate_case(memory, count, x, stack);
    }
    for (int v = 0; v < version_count; v++) {
        versions[v].predict(program, length, tile[0], cases, &registers, got);
        for (uint32_t c = 0; c < cases; c++)
            if (!same(got[c], wanted[c], packed) && versions[v].wrong++ < 3)
                printf("     %s: %a instead of %a, root operation %u, case %u\n", versions[v].name,
                       (double)got[c], (double)wanted[c], GR_NODE_OP(memory[count - 1]), c);
    }
}

static uint32_t reset(void) {
    uint32_t wrong = 0;
    for (int v = 0; v < version_count; v++) {
        wrong += versions[v].wrong != 0;
        versions[v].wrong = 0;
    }
    return wrong;
}

/* Each operation by itself, in each of its forms: leaf or function at each operand. */
static void check_operations(core_dice *dice) {
    for (uint32_t op = GR_INPUT + 1; op < GR_OP_COUNT; op++) {
        int packed = gr_is_word(op) != 0;
        uint32_t arity = gr_arity(op), unary = packed ? GR_WNOT : GR_NEG, forms = 1;
        char line[64];
        for (uint32_t k = 0; k < arity; k++)
            forms *= 3; /* input, constant, function of an input */
        for (uint32_t round = 0; round < 3 * forms; round++) {
            uint32_t count = 0;
            fill_tile(dice, packed);
            for (uint32_t k = 0, form = round; k < arity; k++, form /= 3) {
                uint32_t bits = packed ? core_roll(dice, 0) : gr_float_bits(core_float(dice));
                memory[count++] = form % 3 == 1 ? gr_make_node(GR_CONSTANT, 1, 1, bits)
                                                : gr_make_node(GR_INPUT, 1, 1, k);
                if (form % 3 == 2)
                    memory[count++] = gr_make_node(unary, 0, 0, 0);
            }
            memory[count++] = gr_make_node(op, 0, 0, 0);
            gr_annotate((gr_nodes){memory, 1}, count);
            check_program(count, GR_CHUNK, packed);
        }
        snprintf(line, sizeof line, "operation %u, arity %u, alone", op, arity);
        verdict(reset() == 0, line);
    }
}

static void check_random_programs(uint32_t rounds, int packed, core_dice *dice) {
    gr_params p = core_params(GR_TREE);
    char line[64];
    core_functions(&p, packed);
    p.inputs = INPUTS;
    p.constant_min = -3.0f;
    p.constant_max = 3.0f;
    for (uint32_t i = 0; i < rounds; i++) {
        gr_random r = gr_stream(&p, GR_PURPOSE_INIT, core_roll(dice, 0), (uint32_t)packed, i);
        uint32_t cases = 1 + core_roll(dice, GR_CHUNK);
        uint32_t count =
            gr_random_tree(&p, &r, 2 + i % 7, i / 7 % 2, 1, (gr_nodes){memory, 1}, NODES);
        if (!count)
            continue;
        fill_tile(dice, packed);
        check_program(count, cases, packed);
    }
    snprintf(line, sizeof line, "%u random %s programs", rounds, packed ? "packed" : "float");
    verdict(reset() == 0, line);
}

/* Sums of every metric are the same bits in every version. */
static void check_sums(uint32_t rounds, uint32_t metric, uint32_t scaling, core_dice *dice) {
    gr_params p = core_params(GR_TREE);
    int packed = gr_adds_of(metric) == GR_ADDS_BITS;
    uint32_t wrong = 0;
    char line[64];
    core_functions(&p, packed);
    p.inputs = INPUTS;
    p.metric = metric;
    p.linear_scaling = scaling;
    p.tolerance = 0.5f;
    p.class_min = -2.0f;
    p.class_max = 3.0f;
    p.thresholds = 2;
    p.threshold[0] = -0.5f, p.threshold[1] = 1.0f;
    for (uint32_t i = 0; i < rounds; i++) {
        gr_random r = gr_stream(&p, GR_PURPOSE_INIT, core_roll(dice, 0), 7, i);
        uint32_t count = gr_random_tree(&p, &r, 2 + i % 5, 0, 1, (gr_nodes){memory, 1}, NODES);
        uint32_t length = gr_compile((gr_nodes){memory, 1}, count, locations, program, core_group);
        double first[GR_MAX_SUMS] = {0}, sum[GR_MAX_SUMS] = {0};
        p.class_rule = i % 2;
        p.train_cases = (1 + core_roll(dice, GR_CHUNK)) * (packed ? 32 : 1) -
                        (packed ? core_roll(dice, 32) : 0);
        p.last_share[0] = gr_last_share(p.train_cases);
        fill_tile(dice, packed);
        if (!packed)
            gr_chunk_targets(&p, tile[0], p.train_cases, 0.0, &registers.target);
        for (int v = 0; v < version_count; v++) {
            if (!versions[v].evaluate)
                continue;
            versions[v].evaluate(&p, program, length, (gr_cpu_chunk){tile[0], 0, 0}, &registers,
                                 v ? sum : first);
            for (uint32_t k = 0; v && k < gr_sums_of(&p); k++)
                wrong += !(memcmp(&sum[k], &first[k], sizeof *sum) == 0 ||
                           (sum[k] != sum[k] && first[k] != first[k]));
        }
    }
    snprintf(line, sizeof line, "sums of metric %u%s", metric, scaling ? ", scaled" : "");
    verdict(wrong == 0, line);
}

int main(int argc, char **argv) {
    static const struct option OPTIONS[] = {{"rounds", required_argument, NULL, 'r'},
                                            {"seed", required_argument, NULL, 's'},
                                            {NULL, 0, NULL, 0}};
    uint32_t rounds = 3000;
    core_dice dice = {1};
    for (int c; (c = getopt_long(argc, argv, "", OPTIONS, NULL)) != -1;) {
        if (c == 'r')
            rounds = (uint32_t)strtoul(optarg, NULL, 10);
        else if (c == 's')
            dice.state = strtoull(optarg, NULL, 10);
        else
            return 2;
    }
    find_versions();
    for (int v = 0; v < version_count; v++)
        printf("     %s\n", versions[v].name);
    check_operations(&dice);
    check_random_programs(rounds, 0, &dice);
    check_random_programs(rounds, 1, &dice);
    for (uint32_t metric = 0; metric < GR_METRICS; metric++)
        check_sums(rounds / 4, metric, 0, &dice);
    for (uint32_t metric = 0; metric < GR_METRICS; metric++)
        if (gr_adds_of(metric) == GR_ADDS_SQUARED)
            check_sums(rounds / 4, metric, 1, &dice);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
