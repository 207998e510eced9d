#include "host/run/turns.h"

#include "host/cpu/compile.h"
#include "host/cpu/evaluate.h"
#include "host/expression/reader.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 1 << 16 };

/* Least and greatest of the finite values of a program so far. */
typedef struct span {
    double low, high;
} span;

static void widen(span *s, double value) {
    if (isfinite(value)) {
        s->low = fmin(s->low, value);
        s->high = fmax(s->high, value);
    }
}

/* Of a program over the training cases. */
static span span_of(const gr_dataset *set, const gr_instruction *program, uint32_t length,
                    gr_cpu_registers *registers) {
    const gr_cpu_interpreter *interpreter = gr_cpu_best_interpreter();
    uint32_t cases = set->cases < MOST ? (uint32_t)set->cases : MOST;
    span s = {INFINITY, -INFINITY};
    for (uint32_t first = 0; first < cases; first += GR_CHUNK) {
        const float *tile = set->tiles + first / GR_CHUNK * gr_dataset_tile_words(set);
        uint32_t here = gr_min_u32(cases - first, GR_CHUNK);
        float single[GR_CHUNK];
        double exact[GR_CHUNK];
        if (set->doubles)
            interpreter->predict_double(program, length, tile, here, registers, exact);
        else
            interpreter->predict(program, length, tile, here, registers, single);
        for (uint32_t i = 0; i < here; i++)
            widen(&s, set->doubles ? exact[i] : (double)single[i]);
    }
    return s;
}

/* What the angle in nodes [0, count) adds. */
static gr_status add_angle(const gr_dataset *set, const gr_node *nodes, uint32_t count,
                           gr_cpu_registers *registers, double *logarithms, gr_error *error) {
    const double turn = 6.283185307179586;
    uint32_t length;
    gr_instruction *program = gr_cpu_compile(nodes, count, &length);
    if (!program)
        return gr_fail(error, GR_NO_MEMORY, "no memory for the program of an angle");
    span s = span_of(set, program, length, registers);
    if (s.high > s.low)
        *logarithms += log1p((s.high - s.low) / turn);
    free(program);
    return GR_OK;
}

static int takes_angle(gr_node node) {
    uint32_t op = GR_NODE_OP(node);
    return op == GR_SIN || op == GR_COS || op == GR_TAN;
}

gr_status gr_turns_look(const gr_problem *problem, const gr_best *best, double *logarithms,
                        gr_error *error) {
    const gr_dataset *set = &problem->train;
    gr_node *nodes = NULL;
    uint32_t count = 0;
    *logarithms = 0.0;
    if (set->packed || !set->cases || !best->infix)
        return GR_OK;
    gr_status status =
        gr_read_expression(best->infix, "best", &problem->vocabulary, &nodes, &count, error);
    gr_cpu_registers *registers = status ? NULL : gr_cpu_take_registers(1, NULL);
    if (!status && !registers)
        status = gr_fail(error, GR_NO_MEMORY, "no memory to evaluate an angle");
    for (uint32_t i = 1; !status && i < count; i++) {
        uint32_t size = GR_NODE_SIZE(nodes[i - 1]);
        if (takes_angle(nodes[i]))
            status = add_angle(set, nodes + i - size, size, registers, logarithms, error);
    }
    free(registers);
    free(nodes);
    return status;
}
