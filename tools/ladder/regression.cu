#include "tools/ladder/strategies.cuh"

cudaError_t ladder_launch_regression(uint32_t strategy, const ladder_view &v, cudaStream_t stream) {
    return ladder_launch_set<LADDER_REGRESSION>(strategy, v, stream);
}
