#include "host/run/rounding.h"

#include "host/cpu/evaluate.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 1 << 16 };

/* Of the range: what any program loses to floats. */
static const double of_no_account = 1e-6;

/* Weights below this are those of cases without a target of their own (probes.h). */
static const double no_case = 1e-29;

/* What it takes to evaluate a program both ways, and what came of it. */
typedef struct both {
    gr_instruction *program;
    uint32_t length;
    gr_cpu_registers *registers;
    double *inputs; /* a tile of them */
    double intercept, slope, range;
    double more, apart, weight; /* sums, times the cases' weights */
} both;

int gr_hangs_on_rounding(const gr_rounding *rounding) {
    return rounding->apart > 1e-3;
}

size_t gr_rounding_bytes(const gr_problem *problem) {
    return (size_t)problem->train.inputs * GR_CHUNK * sizeof(double) + sizeof(gr_cpu_registers);
}

static gr_status take(const gr_problem *problem, const gr_best *best, both *b, gr_error *error) {
    gr_status status = gr_best_program(problem, best, &b->program, &b->length, error);
    if (status)
        return status;
    b->registers = gr_cpu_take_registers(1, NULL);
    b->inputs = malloc(gr_max_u32(problem->train.inputs, 1) * GR_CHUNK * sizeof *b->inputs);
    if (!b->registers || !b->inputs)
        status = gr_fail(error, GR_NO_MEMORY, "no memory to evaluate a program in double");
    return status;
}

static double weight_of(const gr_dataset *set, uint64_t i) {
    double weight = set->w ? gr_dataset_value(set, set->inputs + 1, i) : 1.0;
    return weight < no_case ? 0.0 : weight;
}

/* Of the targets of cases [0, cases); 1 where they are all the same. */
static double range_of(const gr_dataset *set, uint32_t cases) {
    double low = INFINITY, high = -INFINITY;
    for (uint32_t i = 0; i < cases; i++) {
        double y = gr_dataset_value(set, set->inputs, i);
        if (weight_of(set, i) > 0.0) {
            low = fmin(low, y);
            high = fmax(high, y);
        }
    }
    return high > low ? high - low : 1.0;
}

/* Cases [first, first + here), which are of one tile. */
static void add_tile(const gr_dataset *set, both *b, uint32_t first, uint32_t here) {
    const gr_cpu_interpreter *interpreter = gr_cpu_best_interpreter();
    const float *tile = set->tiles + first / GR_CHUNK * gr_dataset_tile_words(set);
    float single[GR_CHUNK];
    double exact[GR_CHUNK];
    for (size_t i = 0; i < (size_t)set->inputs * GR_CHUNK; i++)
        b->inputs[i] = (double)tile[i];
    interpreter->predict(b->program, b->length, tile, here, b->registers, single);
    interpreter->predict_double(b->program, b->length, (const float *)(const void *)b->inputs, here,
                                b->registers, exact);
    for (uint32_t i = 0; i < here; i++) {
        double w = weight_of(set, first + i), y = gr_dataset_value(set, set->inputs, first + i);
        double in_single = b->intercept + b->slope * (double)single[i];
        double in_double = b->intercept + b->slope * exact[i];
        if (w == 0.0 || !isfinite(in_single))
            continue;
        if (!isfinite(in_double))
            in_double = in_single + (in_single < y ? -10.0 : 10.0) * b->range;
        b->more += w * ((in_double - y) * (in_double - y) - (in_single - y) * (in_single - y));
        b->apart += w * (in_double - in_single) * (in_double - in_single);
        b->weight += w;
    }
}

gr_status gr_rounding_look(const gr_problem *problem, const gr_best *best, gr_rounding *rounding,
                           gr_error *error) {
    const gr_dataset *set = &problem->train;
    uint32_t cases = set->cases < MOST ? (uint32_t)set->cases : MOST;
    int scaled = problem->job.params.linear_scaling != 0;
    both b = {.intercept = scaled ? best->intercept : 0.0, .slope = scaled ? best->slope : 1.0};
    *rounding = (gr_rounding){0};
    if (set->doubles || set->packed || !cases || !best->infix)
        return GR_OK;
    gr_status status = take(problem, best, &b, error);
    b.range = range_of(set, cases);
    for (uint32_t first = 0; !status && first < cases; first += GR_CHUNK)
        add_tile(set, &b, first, gr_min_u32(cases - first, GR_CHUNK));
    free(b.inputs);
    free(b.registers);
    free(b.program);
    if (status || b.weight == 0.0)
        return status;
    double no_more = of_no_account * of_no_account * b.range * b.range;
    rounding->more = b.more / b.weight < no_more ? 0.0 : b.more / b.weight;
    rounding->apart = sqrt(b.apart / b.weight) / b.range;
    return GR_OK;
}
