#include "host/problem/predict.h"

#include "gpu/core/fitness/class_bins.h"
#include "gpu/core/fitness/cost.h"
#include "host/base/text.h"
#include "host/cpu/compile.h"
#include "host/cpu/evaluate.h"

#include <stdlib.h>
#include <string.h>

/* What evaluation of a program takes. */
typedef struct work {
    gr_instruction *program;
    uint32_t length;
    gr_cpu_registers *registers;
    uint32_t *class_bins;
    double *sums;             /* [chunks][p->sums] */
    gr_chunk_target *targets; /* [chunks] */
} work;

static void free_work(work *w) {
    free(w->targets);
    free(w->sums);
    free(w->class_bins);
    free(w->registers);
    free(w->program);
}

/* Compiles the nodes; false when there is no memory. */
static bool make_work(const gr_node *nodes, uint32_t count, const gr_dataset *set,
                      const gr_params *p, work *w) {
    uint32_t chunks = gr_dataset_chunks(set);
    w->program = gr_cpu_compile(nodes, count, &w->length);
    w->registers = gr_cpu_take_registers(1, NULL);
    w->class_bins = calloc(p ? gr_bin_counts(p) : 1, sizeof *w->class_bins);
    w->sums = malloc(((p ? (size_t)chunks * p->sums : 0) + 1) * sizeof *w->sums);
    w->targets = malloc(((p ? (size_t)chunks : 0) + 1) * sizeof *w->targets);
    if (w->registers)
        w->registers->class_bins = w->class_bins;
    return w->program && w->registers && w->class_bins && w->sums && w->targets;
}

static void predict_doubles(const work *w, const float *tile, uint32_t cases, float *output,
                            double *exact) {
    double chunk[GR_CHUNK];
    gr_cpu_best_interpreter()->predict_double(w->program, w->length, tile, cases, w->registers,
                                              chunk);
    for (uint32_t i = 0; i < cases; i++)
        output[i] = (float)chunk[i];
    if (exact)
        memcpy(exact, chunk, cases * sizeof *exact);
}

/* Runs the program chunk by chunk; with p, sums and targets too. */
static void predict_chunks(const work *w, const gr_dataset *set, const gr_params *p,
                           const gr_prediction *to) {
    const gr_cpu_interpreter *interpreter = gr_cpu_best_interpreter();
    size_t words = gr_dataset_tile_words(set);
    for (uint64_t first = 0; first < set->cases; first += GR_CHUNK) {
        uint32_t chunk = (uint32_t)(first / GR_CHUNK);
        uint64_t left = set->cases - first;
        uint32_t here = left < GR_CHUNK ? (uint32_t)left : GR_CHUNK;
        const float *tile = set->tiles + chunk * words;
        if (set->doubles)
            predict_doubles(w, tile, here, to->output + first,
                            to->exact ? to->exact + first : NULL);
        else
            interpreter->predict(w->program, w->length, tile, here, w->registers,
                                 to->output + first);
        if (!p)
            continue;
        const gr_cpu_chunk on = {tile, 0, chunk};
        if (!set->doubles)
            w->targets[chunk] = w->registers->target = gr_chunk_target_of(
                tile + (size_t)set->inputs * GR_CHUNK, here, p->target_mean[0], p->case_weights);
        interpreter->evaluate(p, w->program, w->length, on, w->registers,
                              w->sums + (size_t)chunk * p->sums);
    }
}

gr_status gr_predict(const gr_node *nodes, uint32_t count, const gr_dataset *set,
                     const gr_params *p, gr_prediction *prediction, gr_error *error) {
    work w = {0};
    gr_status status = GR_OK;
    if (make_work(nodes, count, set, p, &w)) {
        float threshold[GR_MAX_THRESHOLDS];
        double total[GR_MAX_SUMS] = {0.0};
        predict_chunks(&w, set, p, prediction);
        if (p && gr_sum_kind_of(p) == GR_SUM_CLASS_BINS)
            total[0] = gr_bin_errors(p, gr_fit_bins(w.class_bins, p->thresholds + 1, threshold));
        else if (p)
            gr_total(p, 0, w.targets, w.sums, 1, 0, total);
        if (p)
            prediction->cost = gr_cost(p, total, 0, prediction->fit);
    } else
        status = gr_fail(error, GR_NO_MEMORY, "no memory to evaluate %llu case%s",
                         (unsigned long long)set->cases, gr_s(set->cases));
    free_work(&w);
    return status;
}
