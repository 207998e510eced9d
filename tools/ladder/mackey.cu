#include "tools/ladder/strategies.cuh"

cudaError_t ladder_launch_mackey(uint32_t strategy, const ladder_view &v, cudaStream_t stream) {
    return ladder_launch_set<LADDER_MACKEY>(strategy, v, stream);
}
