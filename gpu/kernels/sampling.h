/* Genomes and their neighbours on the device (gpu/core/genotype/neighbours.h). */
#ifndef GR_SAMPLING_H
#define GR_SAMPLING_H

#include "gpu/core/genotype/neighbours.h"

#include <cuda_runtime.h>

enum { GR_SAMPLE_THREADS = 128 };

/* All of it in device memory; the task's parameters are `p`. */
typedef struct gr_genome_sampling {
    gr_params p;
    gr_neighbour_task task;
    gr_genome_sample sample;
    uint32_t *scratch; /* [threads][words], zeros */
    size_t words;
} gr_genome_sampling;

cudaError_t gr_launch_sampling(uint32_t blocks, const gr_genome_sampling *sampling);

#endif
