/* The words of ops.def over doubles. Its lines say every operation for floats; where this file is
 * included, behind everything else, they mean doubles. Numbers in them are floats that become
 * doubles: gplearn's 0.001 is the float next to it. */
#include "gpu/core/base/math_double.h"

#undef GR_TRIG_LIMIT
#define GR_TRIG_LIMIT GR_TRIG_LIMIT_D
#define fabsf fabs
#define gr_div(a, b) ((a) / (b))
#define gr_sqrt sqrt
#define gr_sin gr_sin_d
#define gr_cos gr_cos_d
#define gr_tan gr_tan_d
#define gr_sin_common gr_sin_common_d
#define gr_cos_common gr_cos_common_d
#define gr_tan_common gr_tan_common_d
#define gr_tanh gr_tanh_d
#define gr_exp gr_exp_d
#define gr_log gr_log_d
#define gr_pow gr_pow_d
#define gr_cbrt gr_cbrt_d
#define gr_signed gr_signed_d
#define gr_ranked_last gr_ranked_last_d
#define gr_ranked_next gr_ranked_next_d
#define gr_ranked_first gr_ranked_first_d
