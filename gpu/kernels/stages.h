/* Kernels that some runs launch once, beside the two of every generation. */
#ifndef GR_STAGES_H
#define GR_STAGES_H

#include "gpu/kernels/kernels.h"

enum { GR_STAGE_THREADS = 256 };

/* Draws of the first generation until all differ or are valid (gpu/core/genotype/unique.h); before
 * it is bred. The state's grammar must not be NULL here: constant memory belongs to the breeding
 * kernel. */
cudaError_t gr_launch_unique(uint32_t groups, const gr_state *state, cudaStream_t stream);
/* How different the individuals of the generation bred and evaluated last are
 * (gpu/core/selection/diversity.h), in runs that count it; as above of the grammar. */
cudaError_t gr_launch_diversity(uint32_t threads, const gr_state *state, cudaStream_t stream);
/* Children of known phenotypes are mutated (gpu/core/breeding/known.h), before the generation bred
 * is evaluated; as above of the grammar. */
cudaError_t gr_launch_known(int multiprocessors, const gr_state *state, cudaStream_t stream);
/* The sample of a generation, where it was drawn before; its positives were not counted yet. */
cudaError_t gr_launch_sample(uint32_t blocks, const gr_state *state, uint32_t generation,
                             cudaStream_t stream);
/* Programs evaluated once (gpu/core/selection/once.h), in runs that do so: before the evaluation of
 * a generation, which looks at state->once in the place of the individuals, and behind it. */
cudaError_t gr_launch_once(uint32_t most_blocks, const gr_state *state, cudaStream_t stream);
cudaError_t gr_launch_hand_over(uint32_t most_blocks, const gr_state *state, cudaStream_t stream);
/* Lets the demes of a run on samples begin their ranking on all cases (gpu/core/fitness/sample.h).
 */
cudaError_t gr_launch_reopen(const gr_state *state, cudaStream_t stream);

/* Archives of niches (gpu/core/selection/niches.h), in runs that have them: behind the evaluation
 * of a generation its best are put in; before its parents are drawn. */
cudaError_t gr_launch_niches(uint32_t most_blocks, const gr_state *state, cudaStream_t stream);
cudaError_t gr_launch_list_niches(uint32_t most_blocks, const gr_state *state, cudaStream_t stream);
/* Before that in runs of typed trees (gpu/core/genotype/typed.h): the types of their nodes. */
cudaError_t gr_launch_type_trees(uint32_t most_blocks, const gr_state *state, cudaStream_t stream);

/* In every generation of runs that ask for it, behind its evaluation: constants fitted. The shape
 * of the launch; launch->fitting has gr_fit_rows of GR_CHUNK floats a block. */
cudaError_t gr_fit_shape(const gr_params *p, int multiprocessors, gr_shape *shape);
cudaError_t gr_launch_fit(gr_shape shape, const gr_state *state, const gr_launch *launch,
                          cudaStream_t stream);

/* Behind it, in runs of several objectives: children and parents become the generation (pareto.cu).
 * Device memory beside the state's; the other metric, where it needs a pass of its own, goes first.
 */
size_t gr_replace_bytes(const gr_params *p);
cudaError_t gr_launch_other(const gr_state *state, int multiprocessors, cudaStream_t stream);
cudaError_t gr_launch_other_double(const gr_state *state, int multiprocessors, cudaStream_t stream);
cudaError_t gr_launch_replace(const gr_state *state, void *memory, int multiprocessors,
                              cudaStream_t stream);
/* Of a generation that was put back. */
cudaError_t gr_launch_keep_parents(const gr_state *state, int multiprocessors, cudaStream_t stream);

#endif
