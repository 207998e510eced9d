#include "host/cpu/evaluate.h"

#include "gpu/core/fitness/class_bins.h"
#include "gpu/core/program/evaluate.h"

/* GR_ISA names the version: the build compiles this file once for each set of vector instructions.
 */
#define GR_JOIN2(a, b) a##b
#define GR_JOIN(a, b) GR_JOIN2(a, b)
#define GR_EVALUATE GR_JOIN(gr_cpu_evaluate_, GR_ISA)
#define GR_PREDICT GR_JOIN(gr_cpu_predict_, GR_ISA)
#define GR_EVALUATE_DOUBLE GR_JOIN(gr_cpu_evaluate_double_, GR_ISA)
gr_cpu_evaluate GR_EVALUATE, GR_EVALUATE_DOUBLE;
gr_cpu_predict GR_PREDICT;

typedef uint32_t __attribute__((may_alias))
gr_word; /* packed problems keep words in the float registers */

#define GR_REAL float
#define GR_WIDTH GR_CPU_WIDTH
#define GR_WITH_WORDS
#include "host/cpu/run_program.h"

/* Adds the errors of one pass to the 32 lanes in the canonical order (fitness.h). */
static void add_lanes(float lane[GR_LANES], const float *error) {
    for (int block = 0; block < GR_CPU_WIDTH; block += 4 * GR_LANES)
        for (int j = 0; j < 4; j++)
            GR_INDEPENDENT for (int l = 0; l < GR_LANES; l++) lane[l] += error[block + 4 * l + j];
}

/* The same where the largest counts. */
static void take_lanes(float lane[GR_LANES], const float *error) {
    for (int block = 0; block < GR_CPU_WIDTH; block += 4 * GR_LANES)
        for (int j = 0; j < 4; j++)
            GR_INDEPENDENT for (int l = 0; l < GR_LANES; l++) lane[l] =
                gr_larger(error[block + 4 * l + j], lane[l]);
}

static double largest(const float lane[GR_LANES]) {
    float most = 0.0f;
    for (int l = 0; l < GR_LANES; l++)
        most = gr_larger(lane[l], most);
    return (double)most;
}

static double butterfly(float lane[GR_LANES]) {
    for (int x = GR_LANES / 2; x; x /= 2)
        for (int l = 0; l < x; l++) /* lanes l and l ^ x hold the same from here on */
            lane[l] += lane[l + x];
    return (double)lane[0];
}

/* Bits of word w that are cases. */
static uint32_t case_mask(uint32_t cases, uint64_t w) {
    uint64_t left = cases - 32 * w;
    return left >= 32 ? 0xffffffffu : (1u << left) - 1;
}

/* What cases add, by their weights. */
static void weigh_pass(const float *weight, int valid, gr_cpu_registers *registers) {
    (void)valid;
    float *e = registers->error[0], *f = registers->error[1];
    GR_THERE(weight);
    GR_LOOP e[i] *= weight[i];
    GR_LOOP f[i] *= weight[i];
}

/* Errors of one pass; cases from `valid` on count nothing. Weights, if there are some, stand behind
 * the targets. */
static void pass_errors(const gr_params *p, const float *output, const float *target, int valid,
                        gr_cpu_registers *registers) {
    float *e = registers->error[0], *f = registers->error[1];
    GR_THERE(target);
    switch (gr_adds_of(p->metric)) {
#define GR_ADDED(id, add, exact)                                                                   \
    case GR_ADDS_##id:                                                                             \
        GR_LOOP e[i] = gr_case_error(GR_ADDS_##id, p, output[i], target[i]);                       \
        break;
#define GR_LARGEST(id, add, exact) GR_ADDED(id, add, exact)
#define GR_CLASSES(id, add, exact)                                                                 \
    case GR_ADDS_##id:                                                                             \
        for (int i = 0; i < GR_USED; i++)                                                          \
            e[i] = gr_case_error(GR_ADDS_##id, p, output[i], target[i]);                           \
        break;
#define GR_COUNTED(id, add, exact)                                                                 \
    case GR_ADDS_##id:                                                                             \
        GR_LOOP e[i] = gr_true_positive(p, output[i], target[i]) ? 1.0f : 0.0f;                    \
        GR_LOOP f[i] = gr_true_negative(p, output[i], target[i]) ? 1.0f : 0.0f;                    \
        break;
#include "gpu/core/base/metrics.def"
    }
    if (p->case_weights && gr_sum_kind_of(p) != GR_SUM_LARGEST)
        weigh_pass(target + GR_CHUNK, valid, registers);
    for (int i = valid; i < GR_CPU_WIDTH; i++)
        e[i] = f[i] = 0.0f;
}

/* Fitted classes: counts the training outputs of a pass, or takes the errors of the test's. */
static void pass_fitted(const gr_params *p, uint32_t set, const float *output, const float *target,
                        int valid, gr_cpu_registers *registers) {
    float *e = registers->error[0];
    const float *weight = p->case_weights ? target + GR_CHUNK : NULL;
    for (int i = 0; i < GR_CPU_WIDTH; i++)
        e[i] = set && i < valid && gr_class_between(p, registers->fitted, output[i]) != target[i];
    for (int i = 0; set && weight && i < valid; i++)
        e[i] *= weight[i];
    for (int i = 0; !set && i < valid; i++) {
        uint32_t bin = gr_bin_of(output[i]);
        if (bin < GR_CLASS_BINS)
            __atomic_fetch_add(registers->class_bins + gr_bin_index(p, bin, target[i]),
                               weight ? gr_bin_weight(p->bin_scale, weight[i]) : 1,
                               __ATOMIC_RELAXED);
    }
}

static void pass_hits(const gr_params *p, const float *output, const float *target, uint32_t cases,
                      uint64_t first, int valid, float *e) {
    (void)p;
    for (int i = 0; i < GR_CPU_WIDTH; i++) {
        uint32_t same = ~(((const gr_word *)output)[i] ^ ((const gr_word *)target)[i]);
        e[i] = i < valid ? (float)__builtin_popcount(same & case_mask(cases, first + (uint64_t)i))
                         : 0.0f;
    }
}

/* The moments linear scaling needs (fitness.h), lanes and order as for errors. */
static void add_moments(double moment[GR_MAX_SUMS][GR_LANES], const float *output,
                        const float *target, double origin, double mean, int valid) {
    for (int block = 0; block < valid; block += 4 * GR_LANES)
        for (int j = 0; j < 4; j++) {
            const float *out = output + block + j, *to = target + block + j;
            int left = valid - block - j, lanes = left < 4 * GR_LANES ? (left + 3) / 4 : GR_LANES;
            GR_INDEPENDENT for (int l = 0; l < lanes; l++) gr_moments_add(
                moment[0] + l, GR_LANES, (double)out[4 * l] - origin, (double)to[4 * l] - mean);
        }
}

static void add_moments_weighed(double moment[GR_MAX_SUMS][GR_LANES], const float *output,
                                const float *target, double origin, double mean, int valid) {
    const float *weight = target + GR_CHUNK;
    for (int block = 0; block < valid; block += 4 * GR_LANES)
        for (int j = 0; j < 4; j++) {
            const float *out = output + block + j, *to = target + block + j,
                        *w = weight + block + j;
            int left = valid - block - j, lanes = left < 4 * GR_LANES ? (left + 3) / 4 : GR_LANES;
            GR_INDEPENDENT for (int l = 0; l < lanes; l++)
                gr_moments_add_weighed(moment[0] + l, GR_LANES, (double)w[4 * l],
                                       (double)out[4 * l] - origin, (double)to[4 * l] - mean);
        }
}

static void close_moments(double lane[GR_MAX_SUMS][GR_LANES], double origin, double share,
                          gr_chunk_target target, double *moment) {
    for (int k = 0; k < GR_MAX_SUMS; k++)
        for (int x = GR_LANES / 2; x; x /= 2)
            for (int l = 0; l < x; l++)
                lane[k][l] += lane[k][l + x];
    for (uint32_t k = 0; k < GR_MAX_SUMS; k++)
        moment[k] = gr_moment_of(k, lane[k][0], lane[0][0], origin, share, target);
}

/* A function of its own, so that the choice below costs its registers nothing. */
static void __attribute__((noinline))
evaluate_floats(const gr_params *p, const gr_instruction *program, uint32_t length, gr_cpu_chunk on,
                gr_cpu_registers *registers, double *sum) {
    const float *tile = on.tile;
    uint32_t cases = on.set ? p->test_cases : p->train_cases;
    uint64_t words = p->packed ? (cases + 31ull) / 32 : cases,
             first = (uint64_t)on.chunk * GR_CHUNK;
    uint32_t here = words - first < GR_CHUNK ? (uint32_t)(words - first) : GR_CHUNK;
    uint32_t kind = gr_sum_kind_of(p);
    float lane[2][GR_LANES] = {{0}};
    double moment[GR_MAX_SUMS][GR_LANES] = {{0}}, origin = 0.0;
    for (uint32_t from = 0; from < here; from += GR_CPU_WIDTH) {
        int valid = (int)gr_min_u32(here - from, GR_CPU_WIDTH);
        const float *output = run_program(program, length, tile + from, valid, registers);
        const float *target = tile + (size_t)p->inputs * GR_CHUNK + from;
        if (kind == GR_SUM_SCALED) {
            origin = from ? origin : (double)output[0];
            (p->case_weights ? add_moments_weighed : add_moments)(moment, output, target, origin,
                                                                  registers->target.origin, valid);
            continue;
        }
        if (p->packed)
            pass_hits(p, output, target, cases, first + from, valid, registers->error[0]);
        else if (kind == GR_SUM_CLASS_BINS)
            pass_fitted(p, on.set, output, target, valid, registers);
        else
            pass_errors(p, output, target, valid, registers);
        if (kind == GR_SUM_LARGEST) {
            take_lanes(lane[0], registers->error[0]);
            continue;
        }
        add_lanes(lane[0], registers->error[0]);
        if (kind == GR_SUM_COUNTS)
            add_lanes(lane[1], registers->error[1]);
    }
    if (kind == GR_SUM_SCALED) {
        close_moments(moment, origin, gr_chunk_share(p, on.set, on.chunk, registers->target),
                      registers->target, sum);
        return;
    }
    sum[0] = kind == GR_SUM_LARGEST ? largest(lane[0]) : butterfly(lane[0]);
    if (kind == GR_SUM_COUNTS)
        sum[1] = butterfly(lane[1]);
}

void GR_EVALUATE(const gr_params *p, const gr_instruction *program, uint32_t length,
                 gr_cpu_chunk on, gr_cpu_registers *registers, double *sum) {
    (p->doubles ? GR_EVALUATE_DOUBLE : evaluate_floats)(p, program, length, on, registers, sum);
}

void GR_PREDICT(const gr_instruction *program, uint32_t length, const float *tile, uint32_t cases,
                gr_cpu_registers *registers, float *output) {
    for (uint32_t from = 0; from < cases; from += GR_CPU_WIDTH) {
        uint32_t valid = gr_min_u32(cases - from, GR_CPU_WIDTH);
        const float *acc = run_program(program, length, tile + from, (int)valid, registers);
        memcpy(output + from, acc, sizeof(float) * valid);
    }
}
