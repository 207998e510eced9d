#include "host/device/estimate.h"

#include "gpu/backend/operations.h"
#include "gpu/core/fitting/fitting.h"
#include "host/cpu/copies.h"
#include "host/cpu/evaluate.h"
#include "host/cpu/once.h"

#include <math.h>

/* The CPU: a thread with AVX-512, half as fast again as the slower ones that were tried. The GPU:
 * an H200 (host/bench/README.md). A figure that flatters the GPU is corrected by the first run that
 * goes there for it, one that flatters the CPU likewise. */
const gr_known_rates gr_first_rates = {
    .cpu = {.start = 0.002,
            .generation = 10e-6,
            .individual = {1.2e-6, 0.8e-6},
            .evaluation = {0.06e-9, 0.18e-9, 0.06e-9, 1e-9, 0.4e-9}},
    .gpu = {.start = 0.35,
            .generation = 60e-6,
            .individual = {2e-9, 1.3e-9},
            .evaluation = {0.08e-12, 0.4e-12, 0.1e-12, 5e-12, 1e-12}},
};

double gr_evaluation_cases(const gr_params *p) {
    uint32_t cases = p->packed ? (p->train_cases + 31) / 32 : p->train_cases;
    return (double)((cases + GR_CPU_WIDTH - 1) / GR_CPU_WIDTH * GR_CPU_WIDTH);
}

/* Passes through programs over all cases, by which constants are fitted in a generation: one for
 * the derivatives, one for every step; measured to be three for every two steps that there may be.
 */
static double fitting_passes(const gr_params *p) {
    double programs = p->optimise ? gr_fit_candidates(p, 1) : 0.0;
    programs *= p->optimise == GR_OPTIMISE_SHARE ? (double)p->optimise_share : 1.0;
    return 1.5 * programs * p->optimise_iterations;
}

static uint32_t arithmetic_of(const gr_job *job) {
    uint8_t uses[GR_OP_COUNT] = {0};
    uint32_t cost;
    if (job->params.packed)
        return GR_ARITHMETIC_WORDS;
    if (job->params.doubles)
        return GR_ARITHMETIC_DOUBLES;
    gr_find_operations(job, uses);
    gr_count_operations(uses, &cost);
    return job->fast || cost == GR_CHEAP ? GR_ARITHMETIC_CHEAP : GR_ARITHMETIC_COSTLY;
}

/* Elites where most are, as in a steady state: those that are copied with their programs take this
 * share of what a child takes. */
#define COPIED 0.4

gr_work gr_work_of(const gr_job *job) {
    const gr_params *p = &job->params;
    double nodes = p->max_nodes < 60 ? p->max_nodes / 2.0 : 30.0;
    double copied = gr_cpu_copies_elites(job) ? gr_cpu_most_elites(p) : 0.0;
    double evaluated = p->individuals - gr_cpu_kept_errors(p);
    gr_work work = {.generations = p->generations + 1.0,
                    .individuals = p->individuals - (1.0 - COPIED) * copied,
                    .evaluations = nodes * gr_evaluation_cases(p) * evaluated,
                    .genotype = p->genotype,
                    .arithmetic = arithmetic_of(job),
                    .fitted = nodes * gr_evaluation_cases(p) * fitting_passes(p)};
    return work;
}

double gr_expected_seconds(const gr_work *work, const gr_rates *rates, uint32_t threads) {
    double inside = work->individuals * rates->individual[work->genotype] +
                    work->evaluations * rates->evaluation[work->arithmetic] +
                    work->fitted * rates->evaluation[GR_ARITHMETIC_FITTING];
    return rates->start + work->generations * (rates->generation + inside / threads);
}

/* ---- learning ---- */

static void move(double *known, double first, double measured) {
    double moved = sqrt(*known * measured);
    if (moved > 0.0 && moved < (double)INFINITY) /* not for NaN */
        *known = fmin(fmax(moved, first / GR_RATES_APART), first * GR_RATES_APART);
}

gr_rates gr_learn_rates(gr_rates known, const gr_rates *first, const gr_measured_run *run,
                        int is_gpu) {
    const gr_work *w = &run->work;
    double inside = run->breeding + run->evaluation;
    if (run->opening > 0.0)
        move(&known.start, first->start, run->opening);
    if (!(w->generations > 0.0) || !(inside > 0.0))
        return known;
    if (is_gpu && inside < 4.0 * w->generations * first->generation) {
        move(&known.generation, first->generation, inside / w->generations);
        return known;
    }
    if (w->individuals > 0.0 && run->breeding > 0.1 * inside)
        move(&known.individual[w->genotype], first->individual[w->genotype],
             run->breeding * run->threads / (w->individuals * w->generations));
    if (w->evaluations > 0.0 && run->evaluation > 0.1 * inside)
        move(&known.evaluation[w->arithmetic], first->evaluation[w->arithmetic],
             run->evaluation * run->threads / (w->evaluations * w->generations));
    return known;
}

int gr_rates_differ(const gr_rates *a, const gr_rates *b) {
    const double *x = (const double *)a, *y = (const double *)b;
    for (int k = 0; k < GR_RATES; k++)
        if (x[k] > 1.25 * y[k] || y[k] > 1.25 * x[k])
            return 1;
    return 0;
}
