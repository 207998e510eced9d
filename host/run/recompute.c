#include "host/run/recompute.h"

#include "gpu/core/fitness/class_bins.h"
#include "host/cpu/evaluate.h"
#include "host/cpu/processors.h"
#include "host/cpu/team.h"
#include "host/problem/shown_fitness.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- targets ---- */

typedef struct target_facts {
    double cases, positives, squares; /* cases: what they count; squares: about the mean */
    int weighed;
    double units;     /* errors that fitted classes may lose, which count weights in units */
    double deviation; /* what differences are measured by */
} target_facts;

/* What a case counts. */
static double weight_of(const gr_dataset *set, uint64_t i) {
    return set->w ? (double)set->w[i] : 1.0;
}

/* Sums over a target: in PIECES, of lanes that do not wait for each other, so that no number
 * depends on the threads. */
enum { PIECES = 256, LANES = 8 };
typedef struct powers {
    const gr_dataset *set;
    double from; /* adds (y - from)^power, by the weights; power 0: these alone */
    int power;
    double piece[PIECES];
} powers;

static void add_powers_of(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    powers *p = context;
    uint64_t each = (p->set->cases + PIECES - 1) / PIECES;
    (void)thread;
    for (uint64_t piece = first; piece < last; piece++) {
        uint64_t begin = piece * each,
                 end = begin + each < p->set->cases ? begin + each : p->set->cases;
        double lane[LANES] = {0.0};
        for (uint64_t i = begin; i < end; i += LANES)
            for (uint64_t k = 0; k < LANES && i + k < end; k++) {
                double d = gr_dataset_target(p->set, i + k) - p->from;
                double term = p->power == 0 ? 1.0 : p->power == 1 ? d : d * d;
                lane[k] += weight_of(p->set, i + k) * term;
            }
        for (int k = 0; k < LANES; k++)
            p->piece[piece] += lane[k];
    }
}

static double add_powers(const gr_dataset *set, uint32_t threads, double from, int power) {
    powers p = {.set = set, .from = from, .power = power};
    double sum = 0.0;
    gr_team *team = gr_team_open(gr_threads_for_chunks(threads, gr_dataset_chunks(set)));
    gr_team_loop(team, PIECES, 4, add_powers_of, &p);
    gr_team_close(team);
    for (int k = 0; k < PIECES; k++)
        sum += p.piece[k];
    return sum;
}

static target_facts describe(const gr_problem *problem, int which) {
    const gr_dataset *set = which ? &problem->test : &problem->train;
    const gr_params *p = &problem->job.params;
    uint32_t threads = problem->job.threads;
    target_facts t = {.cases = (double)set->cases, .positives = p->positives[which]};
    if (set->packed || !set->cases)
        return t;
    if (set->w) {
        t.cases = add_powers(set, threads, 0.0, 0);
        t.weighed = 1;
        t.units = p->class_rule == GR_CLASS_FITTED ? 0x1p-30 * (double)set->cases * t.cases : 0.0;
    }
    double mean = add_powers(set, threads, 0.0, 1) / t.cases;
    t.squares = p->metric == GR_METRIC_R2 ? p->target_ss[which] : add_powers(set, threads, mean, 2);
    double rounding = set->doubles ? DBL_EPSILON : (double)FLT_EPSILON;
    t.deviation = fmax(sqrt(t.squares / t.cases), fabs(mean) * rounding);
    return t;
}

/* ---- metrics ---- */

/* Class of an output; NaN: none. */
static double class_of(const gr_params *p, const float *threshold, double output) {
    if (isnan(output))
        return output;
    if (p->class_rule == GR_CLASS_SIGN)
        return (double)(output >= 0.0 ? p->class_max : p->class_min);
    if (p->class_rule == GR_CLASS_NEAREST)
        return fmin(fmax(rint(output), (double)p->class_min), (double)p->class_max);
    double label = (double)p->class_min;
    for (uint32_t k = 0; k < p->thresholds; k++)
        label += output >= (double)threshold[k] && threshold[k] < INFINITY; /* none: of nobody */
    return label;
}

/* How what cases add meets: as their sum, or as the largest. */
static double join(const gr_params *p, double a, double b) {
    return gr_sum_kind_of(p) == GR_SUM_LARGEST ? gr_larger_double(a, b) : a + b;
}

/* What one case adds, times its weight: to an error or a count, or to true positives and true
 * negatives. `output` is scaled already. */
static void add_case(const gr_params *p, const float *threshold, double output, double target,
                     double weight, double sum[2]) {
    double error = output - target;
    int positive = output >= (double)p->threshold[0];
    switch (gr_adds_of(p->metric)) {
#define GR_ADDED(id, add, exact)                                                                   \
    case GR_ADDS_##id:                                                                             \
        sum[0] = join(p, sum[0], weight * (exact));                                                \
        break;
#define GR_LARGEST(id, add, exact)                                                                 \
    case GR_ADDS_##id:                                                                             \
        sum[0] = join(p, sum[0], exact);                                                           \
        break;
#define GR_CLASSES(id, add, exact) GR_ADDED(id, add, exact)
#define GR_COUNTED(id, add, exact)                                                                 \
    case GR_ADDS_##id:                                                                             \
        sum[target > 0.0 ? 0 : 1] += weight * (exact);                                             \
        break;
#include "gpu/core/base/metrics.def"
    }
}

/* The fitness of the sums, as a user reads it. */
static double fitness_of(uint32_t metric, const target_facts *t, const double sum[2]) {
    double s = sum[0], n = t->cases, positives = t->positives, ss = t->squares, mean = s / n;
    double cost = s;
    switch (metric) {
#define GR_METRIC(id, word, adds, better, least, formula, allowance, help)                         \
    case GR_METRIC_##id:                                                                           \
        cost = formula;                                                                            \
        break;
#include "gpu/core/base/metrics.def"
    }
    return gr_fitness_of(metric, isnan(cost) ? (double)INFINITY : cost);
}

/* How far from a fitness the reported one may be. */
#define NEAR(unit) fmax(1e-4 * (unit), 1e-5 * fabs(fitness))
#define ROUNDED(units) ((units) * (double)FLT_EPSILON * fabs(fitness))
static double allowance_of(uint32_t metric, const target_facts *t, double fitness) {
    double deviation = t->deviation, n = t->cases;
    switch (metric) {
#define GR_METRIC(id, word, adds, better, least, cost, allowance, help)                            \
    case GR_METRIC_##id:                                                                           \
        return allowance;
#include "gpu/core/base/metrics.def"
    }
    return 0.0;
}
#undef NEAR
#undef ROUNDED

/* The interpreters add errors in floats, which end at FLT_MAX. */
static int agrees(uint32_t metric, const target_facts *t, const double sum[2], double fitness,
                  double reported) {
    if (!isfinite(reported))
        return !isfinite(fitness) || sum[0] > 0.5 * (double)FLT_MAX;
    double allowance = allowance_of(metric, t, fitness) + t->units;
    if (t->weighed) /* they are added in floats */
        allowance += 1e-5 * (gr_adds_of(metric) == GR_ADDS_RIGHT ? 1.0 : fabs(fitness));
    return isfinite(fitness) && fabs(reported - fitness) <= allowance;
}

/* ---- predictions ---- */

/* Sums of a run's best over some chunks of the training and the test cases. */
typedef struct part {
    double sum[2][2];
} part;

/* What a thread evaluates with. */
typedef struct scratch {
    gr_cpu_registers *registers;
    uint32_t *class_bins; /* counts of class_bins.h */
    float output[GR_CHUNK];
    double exact[GR_CHUNK]; /* precision: double, in place of it */
    float threshold[GR_MAX_THRESHOLDS];
    gr_instruction *program; /* the one at hand */
    uint32_t length;
} scratch;

static uint32_t chunks_of(const gr_dataset *set) {
    return (uint32_t)(((set->packed ? set->words : set->cases) + GR_CHUNK - 1) / GR_CHUNK);
}

/* Outputs of a chunk, and its targets behind *y, doubles where the outputs are; how many there are.
 */
static uint32_t predict(const gr_problem *problem, uint32_t which, uint32_t chunk, scratch *r,
                        const float **y) {
    const gr_dataset *set = which ? &problem->test : &problem->train;
    const float *tiles = which ? problem->test_tiles : problem->train_tiles;
    const float *tile = tiles + chunk * gr_dataset_tile_words(set);
    uint64_t left = (set->packed ? set->words : set->cases) - (uint64_t)chunk * GR_CHUNK;
    uint32_t here = left < GR_CHUNK ? (uint32_t)left : GR_CHUNK;
    const gr_cpu_interpreter *interpreter = gr_cpu_best_interpreter();
    if (set->doubles)
        interpreter->predict_double(r->program, r->length, tile, here, r->registers, r->exact);
    else
        interpreter->predict(r->program, r->length, tile, here, r->registers, r->output);
    *y = tile + ((size_t)set->inputs * GR_CHUNK << set->doubles);
    return here;
}

/* Class thresholds from the training outputs, for class rule "fitted"; the given ones otherwise. */
static void fit_thresholds(const gr_problem *problem, scratch *r) {
    const gr_params *p = &problem->job.params;
    memcpy(r->threshold, p->threshold, sizeof r->threshold);
    if (gr_sum_kind_of(p) != GR_SUM_CLASS_BINS)
        return;
    memset(r->class_bins, 0, gr_bin_counts(p) * sizeof *r->class_bins);
    for (uint32_t chunk = 0; chunk < chunks_of(&problem->train); chunk++) {
        const float *y;
        uint32_t here = predict(problem, 0, chunk, r, &y);
        for (uint32_t i = 0; i < here; i++)
            if (gr_bin_of(r->output[i]) < GR_CLASS_BINS)
                r->class_bins[gr_bin_index(p, gr_bin_of(r->output[i]), y[i])] +=
                    p->case_weights ? gr_bin_weight(p->bin_scale, y[GR_CHUNK + i]) : 1;
    }
    gr_fit_bins(r->class_bins, p->thresholds + 1, r->threshold);
}

/* Matching bits of a chunk of a truth table. */
static double matching(const gr_dataset *set, uint32_t chunk, uint32_t here, const float *output,
                       const float *y) {
    double same = 0.0;
    for (uint32_t i = 0; i < here; i++) {
        uint64_t left = set->cases - 32 * ((uint64_t)chunk * GR_CHUNK + i);
        uint32_t equal = ~(gr_float_bits(output[i]) ^ gr_float_bits(y[i]));
        same += __builtin_popcount(left < 32 ? equal & ((1u << left) - 1) : equal);
    }
    return same;
}

static void add_chunk(const gr_problem *problem, const gr_best *best, uint32_t which,
                      uint32_t chunk, scratch *r, double sum[2]) {
    const gr_params *p = &problem->job.params;
    const float *y;
    uint32_t here = predict(problem, which, chunk, r, &y);
    if (p->packed) {
        sum[0] += matching(which ? &problem->test : &problem->train, chunk, here, r->output, y);
        return;
    }
    double own[2] = {0.0, 0.0};
    const gr_dataset *set = which ? &problem->test : &problem->train;
    for (uint32_t i = 0; i < here; i++) {
        double output = set->doubles ? r->exact[i] : (double)r->output[i];
        double target = set->doubles ? ((const double *)(const void *)y)[i] : (double)y[i];
        double weight = set->w ? (double)y[GR_CHUNK + i] : 1.0;
        if (weight == 0.0) /* of a table that is predicted whole */
            continue;
        if (p->linear_scaling)
            output = best->intercept + best->slope * output;
        add_case(p, r->threshold, output, target, weight, own);
    }
    for (int k = 0; k < 2; k++)
        sum[k] = join(p, sum[k], own[k]);
}

/* The program of a best, and the thresholds that it is judged by. */
static gr_status take(const gr_problem *problem, const gr_best *best, scratch *r, gr_error *error) {
    gr_status status = gr_best_program(problem, best, &r->program, &r->length, error);
    if (!status)
        fit_thresholds(problem, r);
    return status;
}

static void drop(scratch *r) {
    free(r->program);
    r->program = NULL;
}

/* ---- the runs ---- */

/* Work is cut into pieces of CHUNKS chunks of a run, training cases first, of which PARTS at most
 * wait to be added: in rising order, so that no number depends on the threads. */
enum { CHUNKS = 16, PARTS = 1 << 14 };

typedef struct work {
    const gr_problem *problem;
    uint32_t train_chunks, chunks; /* of a run */
    uint32_t step, pieces;         /* chunks of a piece; pieces of a run */
    uint32_t threads;
} work;

static work plan(const gr_problem *problem, uint32_t runs) {
    work w = {.problem = problem, .train_chunks = chunks_of(&problem->train), .step = CHUNKS};
    w.chunks = w.train_chunks + chunks_of(&problem->test);
    if (gr_sum_kind_of(&problem->job.params) == GR_SUM_CLASS_BINS)
        w.step = w.chunks; /* thresholds are of all training cases */
    w.pieces = (w.chunks + w.step - 1) / w.step;
    uint64_t each = 1 + (uint64_t)runs * w.chunks / CHUNKS; /* threads that have enough to do */
    uint32_t most = problem->job.threads ? problem->job.threads : gr_processors();
    w.threads = each < most ? (uint32_t)each : most;
    return w;
}

static gr_status add_piece(const work *w, const gr_best *best, uint32_t piece, scratch *r,
                           part *sum, gr_error *error) {
    *sum = (part){0};
    gr_status status = take(w->problem, best, r, error);
    uint32_t end = gr_min_u32((piece + 1) * w->step, w->chunks);
    for (uint32_t chunk = piece * w->step; !status && chunk < end; chunk++) {
        uint32_t which = chunk >= w->train_chunks;
        add_chunk(w->problem, best, which, which ? chunk - w->train_chunks : chunk, r,
                  sum->sum[which]);
    }
    drop(r);
    return status;
}

/* Pieces shared out to threads. */
typedef struct sharing {
    const work *work;
    const gr_best *best;
    part *parts;      /* [runs][pieces] */
    scratch *scratch; /* [threads] */
    gr_error *errors; /* [threads] */
} sharing;

static void add_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const sharing *s = context;
    for (uint64_t k = first; k < last; k++) {
        const gr_best *best = &s->best[k / s->work->pieces];
        if (best->infix && !s->errors[thread].status)
            add_piece(s->work, best, (uint32_t)(k % s->work->pieces), &s->scratch[thread],
                      &s->parts[k], &s->errors[thread]);
    }
}

/* All pieces of best[0, runs) to parts[runs][pieces]. */
static gr_status add_pieces(const work *w, const gr_best *best, uint32_t runs, part *parts,
                            gr_error *error) {
    sharing s = {w, best, parts, calloc(w->threads, sizeof *s.scratch),
                 calloc(w->threads, sizeof *s.errors)};
    gr_status status = s.scratch && s.errors ? GR_OK : GR_NO_MEMORY;
    for (uint32_t t = 0; !status && t < w->threads; t++) {
        s.scratch[t].registers = gr_cpu_take_registers(1, NULL);
        s.scratch[t].class_bins =
            malloc(gr_bin_counts(&w->problem->job.params) * sizeof *s.scratch[t].class_bins);
        status = s.scratch[t].registers && s.scratch[t].class_bins ? GR_OK : GR_NO_MEMORY;
    }
    if (status)
        gr_fail(error, status, "no memory to compute a fitness again");
    gr_team *team = status ? NULL : gr_team_open(w->threads);
    if (!status)
        gr_team_loop(team, (uint64_t)runs * w->pieces, 1, add_some, &s);
    gr_team_close(team);
    for (uint32_t t = 0; s.scratch && t < w->threads; t++) {
        if (!status && s.errors[t].status) {
            status = s.errors[t].status;
            if (error)
                *error = s.errors[t];
        }
        free(s.scratch[t].class_bins);
        free(s.scratch[t].registers);
    }
    free(s.scratch);
    free(s.errors);
    return status;
}

/* Adds a run's pieces up and holds the reported values to them. */
static void conclude(const work *w, const target_facts t[2], const part *parts, gr_best *best) {
    uint32_t metric = w->problem->job.params.metric;
    const double reported[2] = {best->train, best->test};
    for (uint32_t which = 0; which < 2; which++) {
        double sum[2] = {0.0, 0.0};
        best->recomputed[which] = (double)NAN;
        if (!best->infix || !(t[which].cases > 0.0))
            continue;
        for (uint32_t piece = 0; piece < w->pieces; piece++)
            for (int k = 0; k < 2; k++)
                sum[k] = join(&w->problem->job.params, sum[k], parts[piece].sum[which][k]);
        best->recomputed[which] = fitness_of(metric, &t[which], sum);
        best->differs |= !agrees(metric, &t[which], sum, best->recomputed[which], reported[which]);
    }
    best->solved &= !best->differs;
}

/* Runs whose parts wait at a time. */
static uint32_t runs_at_a_time(const work *w, uint32_t runs) {
    return gr_max_u32(1, gr_min_u32(PARTS / w->pieces, runs));
}

size_t gr_recompute_bytes(const gr_problem *problem, uint32_t runs) {
    work w = plan(problem, runs);
    size_t thread = sizeof(scratch) + sizeof(gr_error) + sizeof(gr_cpu_registers) +
                    gr_bin_counts(&problem->job.params) * sizeof(uint32_t);
    return (size_t)runs_at_a_time(&w, runs) * w.pieces * sizeof(part) + w.threads * thread;
}

gr_status gr_recompute(const gr_problem *problem, gr_best *best, uint32_t runs, gr_error *error) {
    work w = plan(problem, runs);
    target_facts t[2] = {describe(problem, 0), describe(problem, 1)};
    t[1].deviation = fmax(t[0].deviation, t[1].deviation);
    uint32_t most = runs_at_a_time(&w, runs);
    part *parts = malloc((size_t)most * w.pieces * sizeof *parts);
    gr_status status =
        parts ? GR_OK : gr_fail(error, GR_NO_MEMORY, "no memory to compute a fitness again");
    for (uint32_t first = 0; !status && first < runs; first += most) {
        uint32_t here = gr_min_u32(most, runs - first);
        status = add_pieces(&w, best + first, here, parts, error);
        for (uint32_t run = 0; !status && run < here; run++) {
            best[first + run].differs = 0;
            conclude(&w, t, parts + (size_t)run * w.pieces, &best[first + run]);
        }
    }
    free(parts);
    return status;
}
