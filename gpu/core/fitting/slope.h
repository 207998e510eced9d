/* Derivatives of the operations, one value at a time, generated from slopes.def. */
#ifndef GR_SLOPE_H
#define GR_SLOPE_H

#include "gpu/core/base/math.h"
#include "gpu/core/base/ops.h"

GR_FN float gr_sign_of(float a) {
    return a > 0.0f ? 1.0f : a < 0.0f ? -1.0f : 0.0f;
}
/* Beyond the limit an angle is known to no better than its last bit: there is nothing to follow. */
GR_FN float gr_slope_of_sin(float a) {
    return fabsf(a) <= GR_TRIG_LIMIT ? gr_cos_common(a) : 0.0f;
}
GR_FN float gr_slope_of_cos(float a) {
    return fabsf(a) <= GR_TRIG_LIMIT ? -gr_sin_common(a) : 0.0f;
}

/* slope[k]: by how much the result r of op(a, b, c) changes with operand k; operands beyond its
 * arity are ignored. */
GR_FN void gr_slopes(uint32_t op, float a, float b, float r, float slope[3]) {
    slope[0] = slope[1] = slope[2] = 0.0f;
    (void)a, (void)b, (void)r;
    switch (op) {
#define GR_SLOPE1(id, da)                                                                          \
    case GR_##id:                                                                                  \
        slope[0] = da;                                                                             \
        break;
#define GR_SLOPE2(id, da, db)                                                                      \
    case GR_##id:                                                                                  \
        slope[0] = da, slope[1] = db;                                                              \
        break;
#define GR_SLOPE3(id, da, db, dc)                                                                  \
    case GR_##id:                                                                                  \
        slope[0] = da, slope[1] = db, slope[2] = dc;                                               \
        break;
#include "gpu/core/fitting/slopes.def"
    }
}

/* A derivative as the normal equations take it: where there is none, the case tells nothing. */
GR_FN float gr_usable_slope(float slope) {
    return slope - slope == 0.0f ? slope : 0.0f;
}

#endif
