/* What a C or CUDA function over doubles calls for an operation: ops.def with the words of doubles.
 * A file of its own, since these words stand for those of floats from their include on. */
#include "host/export/notation.h"

#include "gpu/core/base/ops.h"

#include "gpu/core/base/ops_double.h"

#define GR_TEXT(...) #__VA_ARGS__
#define GR_DOUBLE(id, operands, parameters, ...)                                                   \
    GR_C_CALL(id, "double", operands, parameters, GR_TEXT(__VA_ARGS__))
static const gr_form calls[GR_OP_COUNT] = {
#define GR_OP1(id, names, class, exact, fast) GR_DOUBLE(id, "($a)", "(double a)", exact)
#define GR_OP2(id, names, symbol, class, exact, fast)                                              \
    GR_DOUBLE(id, "($a, $b)", "(double a, double b)", exact)
#define GR_OP3(id, names, class, exact, fast)                                                      \
    GR_DOUBLE(id, "($a, $b, $c)", "(double a, double b, double c)", exact)
#include "gpu/core/base/ops.def"
};

gr_form gr_double_call(uint32_t op) {
    return calls[op];
}
