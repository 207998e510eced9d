/* The reference over doubles (precision: double): a program node by node, one case after another.
 */
#include "gpu/core/fitness/fitness.h"
#include "gpu/core/program/evaluate.h"
#include "host/bench/verify.h"

#include "gpu/core/base/ops_double.h"

/* op(a, b, c); operands beyond its arity are ignored. */
static double apply(uint32_t op, double a, double b, double c) {
    (void)b, (void)c;
    switch (op) {
#define GR_OP1(id, names, class, exact, fast)                                                      \
    case GR_##id:                                                                                  \
        return exact;
#define GR_OP2(id, names, symbol, class, exact, fast) GR_OP1(id, names, class, exact, fast)
#define GR_OP3(id, names, class, exact, fast) GR_OP1(id, names, class, exact, fast)
#include "gpu/core/base/ops.def"
    default:
        return 0.0;
    }
}

/* The program on case c of a tile; stack: a value a node, and two more. */
static double output_of(const gr_suspect *s, const double *tile, uint32_t c, double *stack) {
    uint32_t top = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        gr_node node = s->nodes[i];
        uint32_t op = GR_NODE_OP(node), arity = gr_arity(op);
        if (op == GR_INPUT)
            stack[top++] = tile[(size_t)node.operand * GR_CHUNK + c];
        else if (op == GR_CONSTANT)
            stack[top++] = (double)gr_bits_float(node.operand);
        else {
            double *a = stack + (top -= arity);
            stack[top++] = apply(op, a[0], arity > 1 ? a[1] : 0.0, arity > 2 ? a[2] : 0.0);
        }
    }
    return stack[0];
}

static double error_of(const gr_params *p, double output, double target) {
    double error = output - target;
    switch (gr_adds_of(p->metric)) {
#define GR_ADDED(id, add, exact)                                                                   \
    case GR_ADDS_##id:                                                                             \
        return exact;
#define GR_LARGEST(id, add, exact) GR_ADDED(id, add, exact)
#define GR_CLASSES(id, add, exact) /* refused, as all that follow */
#include "gpu/core/base/metrics.def"
    }
    return error;
}

double gr_reference_sum(const gr_params *p, const gr_suspect *s, const double *tile, uint32_t here,
                        double *stack) {
    double lane[GR_LANES] = {0.0};
    int takes = gr_sum_kind_of(p) == GR_SUM_LARGEST;
    for (uint32_t c = 0; c < here; c++) {
        double *own = &lane[gr_case_lane(c)];
        double error =
            error_of(p, output_of(s, tile, c, stack), tile[(size_t)p->inputs * GR_CHUNK + c]);
        *own = takes ? gr_larger_double(error, *own) : *own + error;
    }
    for (uint32_t x = GR_LANES / 2; x; x /= 2)
        for (uint32_t l = 0; l < x; l++)
            lane[l] = takes ? gr_larger_double(lane[l], lane[l + x]) : lane[l] + lane[l + x];
    return lane[0];
}
