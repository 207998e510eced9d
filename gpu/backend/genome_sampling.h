/* Genomes of a first generation and their neighbours, looked at on a GPU. */
#ifndef GRAMPUS_GENOME_SAMPLING_H
#define GRAMPUS_GENOME_SAMPLING_H

#include "gpu/backend/error.h"
#include "gpu/core/genotype/neighbours.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef GRAMPUS_CUDA
/* p->population of them. The task and the sample are in host memory; sums of expansions are added
 * to those that are there. */
gr_status gr_cuda_sample_genomes(const gr_neighbour_task *task, const gr_genome_sample *sample,
                                 gr_error *error);
#endif

#ifdef __cplusplus
}
#endif

#endif
