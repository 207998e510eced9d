#include "host/problem/predict.h"

#include "gpu/core/fitness/class_bins.h"
#include "gpu/core/fitness/cost.h"
#include "host/cpu/compile.h"
#include "host/cpu/evaluate.h"

#include <stdlib.h>

/* Runs the program chunk by chunk; with p its sums go to `sums`, [chunks][p->sums], and what its
 * targets are to `targets`. */
static void predict_chunks(const gr_instruction *program, uint32_t length, const gr_dataset *set,
                           const gr_params *p, gr_cpu_registers *registers, float *output,
                           double *sums, gr_chunk_target *targets) {
    const gr_cpu_interpreter *interpreter = gr_cpu_best_interpreter();
    const float *tiles = set->tiles;
    size_t tile = gr_tile_words(set->inputs);
    for (uint64_t first = 0; first < set->cases; first += GR_CHUNK) {
        uint32_t chunk = (uint32_t)(first / GR_CHUNK);
        uint64_t left = set->cases - first;
        uint32_t here = left < GR_CHUNK ? (uint32_t)left : GR_CHUNK;
        interpreter->predict(program, length, tiles + chunk * tile, here, registers,
                             output + first);
        if (!p)
            continue;
        const float *target = tiles + chunk * tile + (size_t)set->inputs * GR_CHUNK;
        targets[chunk] = registers->target = gr_chunk_target_of(target, here, p->target_mean[0]);
        interpreter->evaluate(p, program, length, tiles + chunk * tile, 0, chunk, registers,
                              sums + (size_t)chunk * p->sums);
    }
}

gr_status gr_predict(const gr_node *nodes, uint32_t count, const gr_dataset *set,
                     const gr_params *p, float *output, float *cost, double fit[2],
                     gr_error *error) {
    uint32_t chunks = gr_dataset_chunks(set), length;
    gr_instruction *program = gr_cpu_compile(nodes, count, &length);
    gr_cpu_registers *registers = aligned_alloc(64, sizeof *registers);
    uint32_t *class_bins = calloc(p ? gr_bin_counts(p) : 1, sizeof *class_bins);
    double *sums = malloc(((p ? (size_t)chunks * p->sums : 0) + 1) * sizeof *sums);
    gr_chunk_target *targets = malloc(((p ? (size_t)chunks : 0) + 1) * sizeof *targets);
    gr_status status = GR_OK;
    if (program && registers && class_bins && sums && targets) {
        float threshold[GR_MAX_THRESHOLDS];
        double total[GR_MAX_SUMS] = {0.0};
        registers->class_bins = class_bins;
        predict_chunks(program, length, set, p, registers, output, sums, targets);
        if (p && gr_sum_kind_of(p) == GR_SUM_CLASS_BINS)
            total[0] = p->train_cases - gr_fit_bins(class_bins, p->thresholds + 1, threshold);
        else if (p)
            gr_total(p, 0, targets, sums, 1, 0, total);
        if (p)
            *cost = gr_cost(p, total, 0, fit);
    } else
        status = gr_fail(error, GR_NO_MEMORY, "no memory to evaluate %llu cases",
                         (unsigned long long)set->cases);
    free(targets);
    free(sums);
    free(class_bins);
    free(registers);
    free(program);
    return status;
}
