#include "tests/gpu/support/operations_double.h"

#include "gpu/core/program/evaluate.h"

#include "gpu/core/base/ops_double.h"

void reference_apply_double(uint32_t op, const double *x, const double *y, const double *z,
                            double *out, uint32_t n) {
#pragma omp parallel for
    for (uint32_t i = 0; i < n; i++) {
        double a = x[i], b = y[i], c = z[i];
        (void)b, (void)c;
        switch (op) {
#define GR_OP1(id, names, class, exact, fast)                                                      \
    case GR_##id:                                                                                  \
        out[i] = exact;                                                                            \
        break;
#define GR_OP2(id, names, symbol, class, exact, fast) GR_OP1(id, names, class, exact, fast)
#define GR_OP3(id, names, class, exact, fast) GR_OP1(id, names, class, exact, fast)
#include "gpu/core/base/ops.def"
        default:
            out[i] = 0.0;
        }
    }
}
