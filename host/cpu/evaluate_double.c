/* `precision: double`: the interpreter over doubles, in registers of half as many cases. Compiled
 * once for each set of vector instructions, as evaluate.c. */
#include "host/cpu/evaluate.h"

#include "gpu/core/program/evaluate.h"

#define GR_JOIN2(a, b) a##b
#define GR_JOIN(a, b) GR_JOIN2(a, b)
#define GR_EVALUATE GR_JOIN(gr_cpu_evaluate_double_, GR_ISA)
#define GR_PREDICT GR_JOIN(gr_cpu_predict_double_, GR_ISA)
gr_cpu_evaluate GR_EVALUATE;
gr_cpu_predict_double GR_PREDICT;

typedef double __attribute__((may_alias)) gr_double; /* in registers that are declared for floats */

#include "gpu/core/base/ops_double.h"

enum { GR_WIDTH = GR_CPU_WIDTH / 2 };
#define GR_REAL gr_double
#include "host/cpu/run_program.h"

/* What the cases of a pass add, from `valid` on nothing. */
static void pass_errors(const gr_params *p, const gr_double *outputs, const gr_double *targets,
                        int valid, gr_double *e) {
    GR_THERE(targets);
    switch (gr_adds_of(p->metric)) {
#define GR_ADDED(id, add, exact)                                                                   \
    case GR_ADDS_##id:                                                                             \
        GR_LOOP {                                                                                  \
            double output = outputs[i], target = targets[i], error = output - target;              \
            (void)error, (void)target;                                                             \
            e[i] = exact;                                                                          \
        }                                                                                          \
        break;
#define GR_LARGEST(id, add, exact) GR_ADDED(id, add, exact)
#define GR_CLASSES(id, add, exact) /* refused, as all that follow */
#include "gpu/core/base/metrics.def"
    }
    for (int i = valid; i < GR_WIDTH; i++)
        e[i] = 0.0;
}

/* Adds a pass to the 32 lanes in the canonical order (fitness.h), or takes the largest. */
static void add_lanes(double lane[GR_LANES], const gr_double *error, int takes) {
    for (int block = 0; block < GR_WIDTH; block += 4 * GR_LANES)
        for (int j = 0; j < 4; j++) {
            const gr_double *own = error + block + j;
            if (takes)
                GR_INDEPENDENT for (int l = 0; l < GR_LANES; l++) lane[l] =
                    gr_larger_double(own[4 * l], lane[l]);
            else
                GR_INDEPENDENT for (int l = 0; l < GR_LANES; l++) lane[l] += own[4 * l];
        }
}

static double meet(double lane[GR_LANES], int takes) {
    for (int x = GR_LANES / 2; x; x /= 2)
        for (int l = 0; l < x; l++)
            lane[l] = takes ? gr_larger_double(lane[l], lane[l + x]) : lane[l] + lane[l + x];
    return lane[0];
}

void GR_EVALUATE(const gr_params *p, const gr_instruction *program, uint32_t length,
                 gr_cpu_chunk on, gr_cpu_registers *registers, double *sum) {
    const gr_double *tile = (const gr_double *)(const void *)on.tile;
    uint32_t cases = on.set ? p->test_cases : p->train_cases;
    uint32_t here = gr_min_u32(cases - on.chunk * GR_CHUNK, GR_CHUNK);
    int takes = gr_sum_kind_of(p) == GR_SUM_LARGEST;
    double lane[GR_LANES] = {0.0};
    gr_double *error = (gr_double *)registers->error[0];
    for (uint32_t from = 0; from < here; from += GR_WIDTH) {
        int valid = (int)gr_min_u32(here - from, GR_WIDTH);
        const gr_double *output = run_program(program, length, tile + from, valid, registers);
        pass_errors(p, output, tile + (size_t)p->inputs * GR_CHUNK + from, valid, error);
        add_lanes(lane, error, takes);
    }
    sum[0] = meet(lane, takes);
}

void GR_PREDICT(const gr_instruction *program, uint32_t length, const float *tile, uint32_t cases,
                gr_cpu_registers *registers, double *output) {
    const gr_double *at = (const gr_double *)(const void *)tile;
    for (uint32_t from = 0; from < cases; from += GR_WIDTH) {
        uint32_t valid = gr_min_u32(cases - from, GR_WIDTH);
        const gr_double *acc = run_program(program, length, at + from, (int)valid, registers);
        memcpy(output + from, acc, sizeof *output * valid);
    }
}
