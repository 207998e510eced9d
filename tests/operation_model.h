/* What every operation over numbers is to give, said once more, in double and with the functions of
 * the C library. */
#ifndef GRAMPUS_TESTS_OPERATION_MODEL_H
#define GRAMPUS_TESTS_OPERATION_MODEL_H

#include "gpu/core/base/ops.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static inline int model_truth(double a) {
    return a != 0.0;
}

/* Of operands a, b and c, as many as it has. */
static inline double model_operation(uint32_t op, double a, double b, double c) {
    switch (op) {
    case GR_ADD:
        return a + b;
    case GR_SUB:
        return a - b;
    case GR_MUL:
        return a * b;
    case GR_DIV:
        return a / b;
    case GR_NEG:
        return -a;
    case GR_ABS:
        return fabs(a);
    case GR_MIN:
        return a < b ? a : b;
    case GR_MAX:
        return a > b ? a : b;
    case GR_SQUARE:
        return a * a;
    case GR_CUBE:
        return a * a * a;
    case GR_INV:
        return 1 / a;
    case GR_SQRT:
        return sqrt(a);
    case GR_SIN:
        return sin(a);
    case GR_COS:
        return cos(a);
    case GR_TAN:
        return tan(a);
    case GR_TANH:
        return tanh(a);
    case GR_EXP:
        return exp(a);
    case GR_LOG:
        return log(a);
    case GR_POW:
        return pow(a, b);
    case GR_PDIV:
        return b == 0 ? 1 : a / b;
    case GR_AQ:
        return a / sqrt(1 + b * b);
    case GR_PLOG:
        return log(1 + fabs(a));
    case GR_RLOG:
        return a == 0 ? 1 : log(fabs(a));
    case GR_KLOG:
        return a == 0 ? 0 : log(fabs(a));
    case GR_PSQRT:
        return sqrt(fabs(a));
    case GR_PSQRT2:
        return a < 0 ? -sqrt(-a) : sqrt(a);
    case GR_PPOW:
        return pow(fabs(a), b);
    case GR_PPOW2:
        return (a > 0 ? 1 : a < 0 ? -1 : a) * pow(fabs(a), b);
    case GR_GDIV:
        return fabs(b) > (double)0.001f ? a / b : 1;
    case GR_GINV:
        return fabs(a) > (double)0.001f ? 1 / a : 0;
    case GR_GLOG:
        return fabs(a) > (double)0.001f ? log(fabs(a)) : 0;
    case GR_LT:
        return a < b;
    case GR_LE:
        return a <= b;
    case GR_GT:
        return a > b;
    case GR_GE:
        return a >= b;
    case GR_EQ:
        return a == b;
    case GR_NE:
        return a != b;
    case GR_AND:
        return model_truth(a) && model_truth(b);
    case GR_OR:
        return model_truth(a) || model_truth(b);
    case GR_XOR:
        return model_truth(a) != model_truth(b);
    case GR_NAND:
        return !(model_truth(a) && model_truth(b));
    case GR_NOR:
        return !(model_truth(a) || model_truth(b));
    case GR_NOT:
        return !model_truth(a);
    case GR_IF:
        return model_truth(a) ? b : c;
    case GR_CBRT:
        return (double)cbrtl((long double)a); /* cbrt is up to 4 units off */
    default:
        fprintf(stderr, "operation %u has no model\n", op);
        abort();
    }
}

#endif
