/* Every primitive of ops.def as a function of its own. The build compiles this file to PTX and the
 * program carries the text: interpreter.c takes the handlers' arithmetic from it, so that ops.def
 * stays the only place that says what an operation does. */
#include "gpu/core/program/evaluate.h"

#define GR_BODY(name, type, parameters, expression)                                                \
    extern "C" __device__ type name parameters {                                                   \
        return expression;                                                                         \
    }
#define GR_OP1(id, names, class, exact, fast)                                                      \
    GR_BODY(gr_as_exact_##id, float, (float a), exact)                                             \
    GR_BODY(gr_as_fast_##id, float, (float a), fast)
/* common and plain: see ops.def */
#define GR_OP1D(id, names, class, exact, fast, common_form)                                        \
    GR_OP1(id, names, class, exact, fast)                                                          \
    GR_BODY(gr_as_common_##id, float, (float a), common_form)
#define GR_OP1G(id, names, class, exact, fast, limit, common_form)                                 \
    GR_OP1D(id, names, class, exact, fast, common_form)
#define GR_OP2(id, names, symbol, class, exact, fast)                                              \
    GR_BODY(gr_as_exact_##id, float, (float a, float b), exact)                                    \
    GR_BODY(gr_as_fast_##id, float, (float a, float b), fast)
#define GR_OP2G(id, names, symbol, class, exact, fast, limit, plain, common_form)                  \
    GR_OP2(id, names, symbol, class, exact, fast)                                                  \
    GR_BODY(gr_as_plain_##id, float, (float a, float b), plain)                                    \
    GR_BODY(gr_as_common_##id, float, (float a, float b), common_form)
#define GR_OP3(id, names, class, exact, fast)                                                      \
    GR_BODY(gr_as_exact_##id, float, (float a, float b, float c), exact)                           \
    GR_BODY(gr_as_fast_##id, float, (float a, float b, float c), fast)
#define GR_WORD1(id, names, symbol, expression)                                                    \
    GR_BODY(gr_as_words_##id, uint32_t, (uint32_t u), expression)
#define GR_WORD2C(id, names, symbol, expression)                                                   \
    GR_BODY(gr_as_words_##id, uint32_t, (uint32_t u, uint32_t v), expression)
#include "gpu/core/base/ops.def"
