#include "tools/ladder/measure.h"

#include "host/base/sort.h"

#include <stdio.h>
#include <stdlib.h>

const ladder_strategy ladder_strategies[LADDER_STRATEGIES] = {
#define LADDER_STRATEGY(id, name, title, family, k, vector, registers, sextic, shuttle, kddcup,    \
                        multiplexer, mackey, regression, classification, card)                     \
    {name,                                                                                         \
     title,                                                                                        \
     LADDER_##family,                                                                              \
     LADDER_##family < LADDER_RPN && registers,                                                    \
     {sextic, shuttle, kddcup, multiplexer, mackey, regression, classification},                   \
     card},
#include "tools/ladder/strategy.def"
};

enum { TRIAL_CASES = 64 * 1024, SERIAL_TRIAL_CASES = 1024 };
/* A repeat that would take longer is made on fewer cases: a thread a program is so slow here. */
static const double longest_repeat = 0.5;

void ladder_summarise(double *seconds, uint32_t repeats, double work, ladder_figure *figure) {
    gr_sort_doubles(seconds, repeats);
    double median = seconds[repeats / 2];
    if (repeats % 2 == 0)
        median = 0.5 * (median + seconds[repeats / 2 - 1]);
    figure->rate = work / median;
    figure->spread = 0.5 * (seconds[repeats - 1] - seconds[0]) / median;
}

static int thread_a_program(ladder_family family) {
    return family == LADDER_LANGDON || family == LADDER_ROTATED;
}

/* The papers report the best of several sizes of a block; so does the ladder, of `threads` x
 * `slices` (strategies.cuh). Sizes that follow from a formula have one entry of zeros. */
static uint32_t launches_of(ladder_family family, const ladder_launch **list) {
    static const ladder_launch formula[] = {{0, 0, 1, 0, 0, LADDER_NO_PREFERENCE}};
    static const ladder_launch langdon[] = {{0, 128, 128, 0, 0, LADDER_NO_PREFERENCE},
                                            {0, 128, 512, 0, 0, LADDER_NO_PREFERENCE}};
    static const ladder_launch block[] = {
        {0, 128, 1, 0, 0, LADDER_NO_PREFERENCE},  {0, 256, 1, 0, 0, LADDER_NO_PREFERENCE},
        {0, 512, 1, 0, 0, LADDER_NO_PREFERENCE},  {0, 128, 8, 0, 0, LADDER_NO_PREFERENCE},
        {0, 256, 8, 0, 0, LADDER_NO_PREFERENCE},  {0, 512, 8, 0, 0, LADDER_NO_PREFERENCE},
        {0, 128, 32, 0, 0, LADDER_NO_PREFERENCE}, {0, 256, 32, 0, 0, LADDER_NO_PREFERENCE},
        {0, 512, 32, 0, 0, LADDER_NO_PREFERENCE}};
    if (family == LADDER_RPN || family == LADDER_LINEAR) {
        *list = block;
        return sizeof block / sizeof *block;
    }
    *list = thread_a_program(family) ? langdon : formula;
    return thread_a_program(family) ? 2 : 1;
}

/* Longest chain of float additions of a sum, roughly: what a thread adds, and the reference's and
 * the block's own. */
static uint32_t additions(ladder_family family, const ladder_launch *launch) {
    uint32_t own = 1, slice = launch->cases / launch->slices + 1;
    if (family == LADDER_ELEMENT || thread_a_program(family))
        own = slice;
    else if (family == LADDER_UNIT)
        own = slice / 1024 + 1;
    else if (family != LADDER_FITNESS)
        own = slice / launch->threads + 8;
    return own + 64;
}

/* The best launch, and the cases a repeat may take. */
static gr_status choose_launch(ladder_bench *b, uint32_t strategy, ladder_launch *best,
                               gr_error *error) {
    const ladder_launch *list;
    ladder_family family = ladder_strategies[strategy].family;
    uint32_t all = b->problem->all.cases, count = launches_of(family, &list);
    uint32_t trial = family == LADDER_ELEMENT ? SERIAL_TRIAL_CASES : TRIAL_CASES;
    double least = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        ladder_launch launch = list[i];
        double seconds[2];
        launch.strategy = strategy;
        launch.cases = gr_min_u32(all, trial);
        gr_status status =
            ladder_device_run(b->device, &launch, i ? 1 : 2, seconds, b->sums, NULL, error);
        if (status)
            return status;
        if (i == 0 || seconds[0] < least) {
            *best = launch;
            least = seconds[i ? 0 : 1];
        }
    }
    double estimate = least * all / best->cases;
    best->cases = all;
    if (estimate > longest_repeat) {
        uint32_t chunks = (uint32_t)(all * (longest_repeat / estimate)) / GR_CHUNK;
        best->cases = GR_CHUNK * gr_max_u32(chunks, 1);
    }
    return GR_OK;
}

gr_status ladder_measure(ladder_bench *b, uint32_t strategy, ladder_figure *figure,
                         gr_error *error) {
    ladder_family family = ladder_strategies[strategy].family;
    ladder_launch sample;
    figure->state = LADDER_FAILED;
    gr_status status = choose_launch(b, strategy, &figure->launch, error);
    if (status)
        return status;
    sample = figure->launch;
    sample.sample = 1;
    sample.cases = b->problem->sample.cases;
    status = ladder_device_run(b->device, &sample, 1, b->seconds, b->sums, b->outputs, error);
    if (status)
        return status;
    if (!ladder_same_outputs(b->problem, b->reference, b->outputs, figure->why, sizeof figure->why))
        return GR_OK;
    status =
        ladder_device_run(b->device, &figure->launch, b->repeats, b->seconds, b->sums, NULL, error);
    if (status)
        return status;
    if (!ladder_same_sums(b->problem, b->reference, b->sums, figure->launch.cases,
                          additions(family, &figure->launch), figure->why, sizeof figure->why))
        return GR_OK;
    figure->state = LADDER_VERIFIED;
    ladder_summarise(
        b->seconds, b->repeats,
        (double)b->population->total * figure->launch.cases * b->problem->cases_of_a_float, figure);
    return GR_OK;
}

/* ---- Chitty's tables: every size of a block ---- */

/* The kernels' bounds; sizes beyond are left out. */
static uint32_t most_threads(uint32_t strategy) {
    static const uint8_t cases[] = {
#define LADDER_STRATEGY(id, name, title, family, k, ...) k,
#include "tools/ladder/strategy.def"
    };
    return cases[strategy] == 1 ? 1024 : 512;
}

static gr_status table_row(ladder_bench *b, ladder_launch *launch, FILE *table, gr_error *error) {
    char why[256];
    ladder_figure figure;
    gr_status status =
        ladder_device_run(b->device, launch, b->repeats, b->seconds, b->sums, NULL, error);
    if (status)
        return status;
    int same = ladder_same_sums(b->problem, b->reference, b->sums, launch->cases,
                                additions(ladder_strategies[launch->strategy].family, launch), why,
                                sizeof why);
    ladder_summarise(b->seconds, b->repeats,
                     (double)b->population->total * launch->cases * b->problem->cases_of_a_float,
                     &figure);
    fprintf(table, "%s\t%s\t%u\t%u\t%.6g\t%.3g\t%d\n", b->problem->name,
            ladder_strategies[launch->strategy].name, launch->threads, launch->shared,
            same ? 1e-9 * figure.rate : 0.0, figure.spread, same);
    return GR_OK;
}

gr_status ladder_measure_launches(ladder_bench *b, uint32_t strategy, FILE *table,
                                  gr_error *error) {
    static const uint32_t threads[] = {32, 64, 96, 128, 256, 384, 512, 640, 768, 896, 1024};
    static const uint32_t shared[] = {0, 50, 100}; /* the second dimension is for the first alone */
    ladder_family family = ladder_strategies[strategy].family;
    uint32_t preferences = most_threads(strategy) == 1024 ? 3 : 1;
    gr_status status = GR_OK;
    if (family != LADDER_RPN && family != LADDER_LINEAR)
        return GR_OK;
    for (uint32_t i = 0; i < sizeof threads / sizeof *threads; i++)
        for (uint32_t k = 0; !status && k < preferences; k++) {
            ladder_launch launch = {strategy, threads[i], 1, 0, 0, shared[k]};
            launch.cases = gr_min_u32(b->problem->all.cases, TRIAL_CASES);
            if (threads[i] <= most_threads(strategy))
                status = table_row(b, &launch, table, error);
        }
    return status;
}
