/* Operations over doubles for several cases side by side. A division, sin, cos and tan have
 * branches for operands that hardly occur; with these, one case waits for another, which is most of
 * what they take: a step of a polynomial is waited for three times as long as it takes. Words of
 * ops.def that mean such an operation ask `how`, of one of the two kinds below. */
#ifndef GR_QUICK_DOUBLE_CUH
#define GR_QUICK_DOUBLE_CUH

#include "gpu/core/base/ops_double.h"

/* Without branches, right but where it says so. */
struct gr_quick_double {
    bool rare = false;
    __device__ __forceinline__ double divide(double a, double b) {
        return gr_div_seen_d(a, b, &rare);
    }
    /* Infinity is common: an angle of it is none. */
    __device__ __forceinline__ double turn(double x) {
        uint32_t high = (uint32_t)__double2hiint(fabs(x)), limit = 0x41500000; /* 2^22 */
        rare |= high - limit < 0x7ff00000u - limit;
        return x;
    }
    __device__ __forceinline__ double sine(double x) { return gr_sin_common_d(turn(x)); }
    __device__ __forceinline__ double cosine(double x) { return gr_cos_common_d(turn(x)); }
    __device__ __forceinline__ double tangent(double x) { return gr_tan_common_d(turn(x)); }
};
static_assert(GR_TRIG_LIMIT_D == 0x1p22, "the limit of turn()");

/* Whatever the operands. */
struct gr_whole_double {
    __device__ __forceinline__ double divide(double a, double b) { return a / b; }
    __device__ __forceinline__ double sine(double x) { return gr_sin_d(x); }
    __device__ __forceinline__ double cosine(double x) { return gr_cos_d(x); }
    __device__ __forceinline__ double tangent(double x) { return gr_tan_d(x); }
};

#undef gr_div
#undef gr_sin
#undef gr_cos
#undef gr_tan
#define gr_div(a, b) how.divide(a, b)
#define gr_sin how.sine
#define gr_cos how.cosine
#define gr_tan how.tangent

#endif
