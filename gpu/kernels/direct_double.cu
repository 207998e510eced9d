/* Kernel 2 over doubles with handlers that jump to each other directly, for compute capability 9.0:
 * the program carries it as machine code, and mends that (gpu/interpreter/direct_jumps.h). */
#define GR_DOUBLES_JUMP_DIRECTLY
#include "gpu/kernels/generation_double.cuh"

#define GR_KERNEL(name, width, shared, jumps)                                                      \
    extern "C" __global__ void __launch_bounds__(GR_DOUBLE_THREADS(jumps), 1)                      \
        name(const __grid_constant__ gr_state s, const __grid_constant__ gr_launch launch) {       \
        gr_evaluate_generation<width, shared, jumps>(s, launch);                                   \
    }
GR_KERNEL(gr_doubles_cheap_shared, 8, 1, GR_JUMPS_TO_CHEAP)
GR_KERNEL(gr_doubles_cheap_global, 8, 0, GR_JUMPS_TO_CHEAP)
GR_KERNEL(gr_doubles_functions_shared, 4, 1, GR_JUMPS_TO_FUNCTIONS)
GR_KERNEL(gr_doubles_functions_global, 4, 0, GR_JUMPS_TO_FUNCTIONS)
static_assert(GR_DIRECT_DOUBLE_WIDTH(GR_JUMPS_TO_CHEAP) == 8 &&
                  GR_DIRECT_DOUBLE_WIDTH(GR_JUMPS_TO_FUNCTIONS) == 4,
              "the widths above");
