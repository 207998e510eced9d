/* What a strategy's kernel sees, and the launchers of the function sets. */
#ifndef LADDER_LAUNCH_CUH
#define LADDER_LAUNCH_CUH

#include "gpu/core/base/params.h"
#include "tools/ladder/ladder.h"

struct ladder_view {
    gr_params p;
    const uint32_t *words; /* see ladder_code */
    const uint32_t *first; /* [programs + 1]; LANGDON: lengths */
    uint32_t programs, longest;
    const float *columns; /* [inputs + 1][stride] */
    uint32_t inputs, cases, stride;
    uint32_t threads, slices, units; /* of a block; parts of the cases; multiprocessors */
    uint32_t shared;                 /* ladder_launch */
    double *sums;                    /* [slices][programs] */
    float *partial;                  /* FITNESS: [programs][blocks] */
    float *outputs;                  /* [programs][cases], or NULL */
};

cudaError_t ladder_launch_sextic(uint32_t strategy, const ladder_view &v, cudaStream_t stream);
cudaError_t ladder_launch_shuttle(uint32_t strategy, const ladder_view &v, cudaStream_t stream);
cudaError_t ladder_launch_kddcup(uint32_t strategy, const ladder_view &v, cudaStream_t stream);
cudaError_t ladder_launch_mackey(uint32_t strategy, const ladder_view &v, cudaStream_t stream);
cudaError_t ladder_launch_regression(uint32_t strategy, const ladder_view &v, cudaStream_t stream);
cudaError_t ladder_launch_classification(uint32_t strategy, const ladder_view &v,
                                         cudaStream_t stream);
cudaError_t ladder_launch_multiplexer(uint32_t strategy, const ladder_view &v, cudaStream_t stream);

#endif
