#include "host/run/between.h"

#include "gpu/core/fitness/sample.h"
#include "host/cpu/evaluate.h"

#include <math.h>
#include <stdlib.h>

/* Points for every case, as poles are thin; at least, at most; numbers that they may take in all.
 */
enum { EACH = 64, LEAST = 1 << 10, MOST = 1 << 16, NUMBERS = 1 << 23 };

/* Permutations of the cases that say which two are on a line, from this number on. */
enum { FIRST_PERMUTATION = 3 << 29 };

/* Cases but for those without a target of their own (probes.h), which stand last. */
static uint32_t own_cases(const gr_problem *problem) {
    uint64_t n = problem->train.cases;
    while (problem->train.w && n > 1 &&
           gr_dataset_value(&problem->train, problem->train.inputs + 1, n - 1) < 1e-29)
        n--;
    return (uint32_t)n;
}

static uint32_t count_points(const gr_problem *problem) {
    uint64_t room = NUMBERS / (problem->train.inputs + 1ull), n = problem->train.cases * EACH;
    n = n < LEAST ? LEAST : n > MOST ? MOST : n;
    return (uint32_t)(n < room ? n : room > GR_CHUNK / 4 ? room : GR_CHUNK / 4);
}

static size_t count_numbers(const gr_problem *problem) {
    size_t chunks = (count_points(problem) + GR_CHUNK - 1) / GR_CHUNK;
    return chunks * (problem->train.inputs + 1ull) * GR_CHUNK
           << problem->train.doubles; /* never none */
}

size_t gr_between_bytes(const gr_problem *problem) {
    return count_numbers(problem) * sizeof(float) + count_points(problem) * sizeof(uint32_t) +
           sizeof(gr_cpu_registers);
}

/* Multiples of the golden ratio lie evenly between whole numbers. */
static double evenly(double k) {
    const double golden = 0.6180339887498949;
    return k * golden - floor(k * golden);
}

/* Even points lie on the line through two cases, odd ones have every input of the one or the other;
 * none is outside of what an input has been. */
static void draw_column(const gr_problem *problem, uint32_t column, uint32_t cases,
                        const uint32_t *other, gr_between *b) {
    int whole = 1;
    double low = INFINITY, high = -INFINITY;
    for (uint32_t i = 0; i < cases; i++) {
        double x = gr_dataset_value(&problem->train, column, i);
        whole &= x == rint(x);
        low = fmin(low, x);
        high = fmax(high, x);
    }
    for (uint32_t k = 0; k < b->points; k++) {
        double from = gr_dataset_value(&problem->train, column, k % cases);
        double to = gr_dataset_value(&problem->train, column, other[k]);
        double part =
            k % 2 ? floor(2.0 * evenly((k + 1.0) * (column + 2.0))) : 1.2 * evenly(k) - 0.1;
        double x = fmin(fmax(from + part * (to - from), low), high);
        size_t at =
            (k / GR_CHUNK * (size_t)problem->train.inputs + column) * GR_CHUNK + k % GR_CHUNK;
        x = whole ? rint(x) : x;
        if (problem->train.doubles)
            ((double *)(void *)b->tiles)[at] = x;
        else
            b->tiles[at] = (float)x;
    }
}

gr_status gr_between_draw(const gr_problem *problem, gr_between *between, gr_error *error) {
    uint32_t cases = own_cases(problem), target = problem->train.inputs;
    gr_between b = {.points = count_points(problem), .low = INFINITY, .high = -INFINITY};
    *between = (gr_between){0};
    b.tiles = calloc(count_numbers(problem), sizeof *b.tiles);
    uint32_t *other = malloc(b.points * sizeof *other);
    if (!b.tiles || !other) {
        free(other);
        free(b.tiles);
        return gr_fail(error, GR_NO_MEMORY, "no memory for %u points between the cases", b.points);
    }
    for (uint32_t k = 0; k < b.points; k++)
        other[k] =
            gr_permuted(&problem->job.params, FIRST_PERMUTATION + k / cases, cases, k % cases);
    for (uint32_t column = 0; column < problem->train.inputs; column++)
        draw_column(problem, column, cases, other, &b);
    free(other);
    for (uint32_t i = 0; i < cases; i++) {
        b.low = fmin(b.low, gr_dataset_value(&problem->train, target, i));
        b.high = fmax(b.high, gr_dataset_value(&problem->train, target, i));
    }
    b.range = b.high > b.low ? b.high - b.low : (double)INFINITY;
    *between = b;
    return GR_OK;
}

void gr_between_free(gr_between *between) {
    free(between->tiles);
    *between = (gr_between){0};
}

gr_status gr_between_look(const gr_problem *problem, const gr_between *between, const gr_best *best,
                          double *harm, gr_error *error) {
    gr_instruction *program;
    uint32_t length = 0, scaled = problem->job.params.linear_scaling;
    uint64_t outside = 0, none = 0;
    gr_status status = gr_best_program(problem, best, &program, &length, error);
    if (status)
        return status;
    gr_cpu_registers *registers = gr_cpu_take_registers(1, NULL);
    if (!registers)
        status = gr_fail(error, GR_NO_MEMORY, "no memory to evaluate a program");
    for (uint32_t first = 0; !status && first < between->points; first += GR_CHUNK) {
        float output[GR_CHUNK];
        double exact[GR_CHUNK];
        uint32_t here = gr_min_u32(between->points - first, GR_CHUNK);
        const gr_cpu_interpreter *interpreter = gr_cpu_best_interpreter();
        const float *tile =
            between->tiles + ((size_t)first * problem->train.inputs << problem->train.doubles);
        if (problem->train.doubles)
            interpreter->predict_double(program, length, tile, here, registers, exact);
        else
            interpreter->predict(program, length, tile, here, registers, output);
        for (uint32_t i = 0; i < here; i++) {
            double y = problem->train.doubles ? exact[i] : (double)output[i];
            y = scaled ? best->intercept + best->slope * y : y;
            none += !isfinite(y) ? 1 : 0;
            outside += isfinite(y) && (y < between->low - between->range ||
                                       y > between->high + between->range)
                           ? 1
                           : 0;
        }
    }
    double square = isfinite(between->range) ? between->range * between->range : 1.0;
    *harm = square * ((double)outside + 100.0 * (double)none) / between->points;
    free(registers);
    free(program);
    return status;
}
