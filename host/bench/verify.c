#include "host/bench/verify.h"

#include "gpu/core/fitness/cost.h"
#include "gpu/core/program/evaluate.h"
#include "host/cpu/processors.h"
#include "host/cpu/team.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- one program on one case ---- */

/* 1, plus or minus about the error of the special function unit; by node, case and shake. */
static const float SHAKE = 0x1p-20f;

static uint32_t draw_signs(uint32_t shake, uint32_t node, uint32_t c) {
    uint32_t x = (shake * 0x9e3779b9u) ^ (node * 0x85ebca6bu) ^ (c * 0xc2b2ae35u);
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

static float shaken(float value, uint32_t sign) {
    return value * (sign & 1 ? 1.0f + SHAKE : 1.0f - SHAKE);
}

/* Which of the shaken evaluations, and of which case. */
typedef struct shaking {
    uint32_t shake, c;
} shaking;

/* An operation as fast arithmetic might give it: elementary functions have absolute errors too. */
static float apply_shaken(const void *context, uint32_t node, uint32_t op, const float *a) {
    const shaking *s = context;
    if (gr_cost_class(op) == GR_CHEAP)
        return gr_apply_exactly(NULL, node, op, a);
    uint32_t signs = draw_signs(s->shake, node, s->c);
    float first = shaken(a[0], signs), second = gr_arity(op) > 1 ? shaken(a[1], signs >> 1) : 0.0f;
    float result = shaken(gr_apply(op, first, second, 0.0f), signs >> 2);
    if (gr_cost_class(op) == GR_SPECIAL && fabsf(result) < 1.0f)
        result += signs & 8 ? SHAKE : -SHAKE;
    return result;
}

/* ---- canonical sums ---- */

/* The 32 lanes of a chunk: floats for errors and counts, doubles for the moments of a linear fit.
 */
typedef struct lanes {
    float error[2][GR_LANES];
    double origin, moment[GR_MAX_SUMS][GR_LANES];
    gr_chunk_target target;
} lanes;

/* targets: of the chunk, behind which the weights stand, if there are some. */
static void add_case(const gr_params *p, lanes *sum, uint32_t c, uint32_t mask, float output,
                     const float *targets) {
    float target = targets[c], weight = p->case_weights ? targets[GR_CHUNK + c] : 1.0f;
    uint32_t lane = gr_case_lane(c), adds = gr_adds_of(p->metric);
    switch ((gr_sum_kind)gr_sum_kind_of(p)) {
    case GR_SUM_SCALED:
        sum->origin = c ? sum->origin : (double)output;
        gr_moments_add_weighed(sum->moment[0] + lane, GR_LANES, (double)weight,
                               (double)output - sum->origin, (double)target - sum->target.origin);
        break;
    case GR_SUM_COUNTS:
        sum->error[0][lane] += gr_true_positive(p, output, target) ? weight : 0.0f;
        sum->error[1][lane] += gr_true_negative(p, output, target) ? weight : 0.0f;
        break;
    case GR_SUM_LARGEST:
        sum->error[0][lane] =
            gr_larger(gr_case_error(adds, p, output, target), sum->error[0][lane]);
        break;
    case GR_SUM_ERROR:
    case GR_SUM_CLASS_BINS:
        if (p->packed) {
            uint32_t same = ~(gr_float_bits(output) ^ gr_float_bits(target)) & mask;
            sum->error[0][lane] += (float)__builtin_popcount(same);
        } else
            sum->error[0][lane] += weight * gr_case_error(adds, p, output, target);
        break;
    }
}

static void meet(const gr_params *p, lanes *sum, uint32_t chunk, double *total) {
    uint32_t scaled = gr_sum_kind_of(p) == GR_SUM_SCALED;
    uint32_t largest = gr_sum_kind_of(p) == GR_SUM_LARGEST;
    for (uint32_t x = GR_LANES / 2; x; x /= 2)
        for (uint32_t l = 0; l < x; l++) {
            for (int k = 0; k < 2; k++)
                sum->error[k][l] = largest ? gr_larger(sum->error[k][l], sum->error[k][l + x])
                                           : sum->error[k][l] + sum->error[k][l + x];
            for (int k = 0; k < GR_MAX_SUMS; k++)
                sum->moment[k][l] += sum->moment[k][l + x];
        }
    for (uint32_t k = 0; k < p->sums; k++)
        total[k] = scaled ? gr_moment_of(k, sum->moment[k][0], sum->moment[0][0], sum->origin,
                                         gr_chunk_share(p, 0, chunk, sum->target), sum->target)
                          : (double)sum->error[k][0];
}

/* Sums of one chunk, as the program is (shake 0) or shaken; scratch: as many floats or doubles as
 * inputs and nodes. */
static void sum_chunk(const gr_params *p, const gr_suspect *s, const float *tile, uint32_t chunk,
                      uint32_t shake, float *scratch, double *total) {
    uint64_t words = p->packed ? (p->train_cases + 31ull) / 32 : p->train_cases;
    uint64_t first = (uint64_t)chunk * GR_CHUNK;
    uint32_t here = (uint32_t)(words - first < GR_CHUNK ? words - first : GR_CHUNK);
    const float *target = tile + (size_t)p->inputs * GR_CHUNK;
    lanes sum = {0};
    if (p->doubles) {
        *total = gr_reference_sum(p, s, (const double *)(const void *)tile, here,
                                  (double *)(void *)scratch);
        return;
    }
    if (p->linear_scaling)
        sum.target = gr_chunk_target_of(target, here, p->target_mean[0], p->case_weights);
    for (uint32_t c = 0; c < here; c++) {
        uint64_t left = p->train_cases - 32 * (first + c); /* packed: cases from this word on */
        uint32_t mask = !p->packed || left >= 32 ? 0xffffffffu : (1u << left) - 1;
        for (uint32_t k = 0; k < p->inputs; k++)
            scratch[k] = tile[(size_t)k * GR_CHUNK + c];
        shaking how = {shake, c};
        float output = shake ? gr_evaluate_with(apply_shaken, &how, s->nodes, s->count, scratch,
                                                scratch + p->inputs)
                             : gr_evaluate_case(s->nodes, s->count, scratch, scratch + p->inputs);
        add_case(p, &sum, c, mask, output, target);
    }
    meet(p, &sum, chunk, total);
}

/* ---- costs ---- */

/* `part`: sums of every way of evaluation, [ways][chunks][p->sums]. */
static void conclude(const gr_params *p, const gr_chunk_target *targets, const double *part,
                     uint32_t ways, gr_suspect *s) {
    s->cost = s->least = s->most = GR_INFINITY;
    for (uint32_t way = 0; way < ways && s->count; way++) {
        double total[GR_MAX_SUMS], fit[2];
        gr_total(p, 0, targets, part + (size_t)way * p->train_chunks * p->sums, 1, 0, total);
        float cost = gr_cost(p, total, 0, fit);
        if (way == 0)
            s->cost = s->least = s->most = cost;
        s->least = cost < s->least ? cost : s->least;
        s->most = cost > s->most ? cost : s->most;
    }
}

/* Costs under way: sums of each program, way and chunk, and the scratch of the threads. */
typedef struct following {
    const gr_params *p;
    const gr_suspect *suspects;
    const float *tiles;
    uint32_t chunks, ways;
    double *parts;         /* [programs][ways][chunks][p->sums] */
    float *scratch;        /* [threads][scratch_floats] */
    size_t scratch_floats; /* of a thread */
} following;

static void follow_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const following *f = context;
    size_t tile = gr_tile_of(f->p);
    for (uint64_t k = first; k < last; k++) {
        size_t i = k / f->chunks, chunk = k % f->chunks;
        for (uint32_t way = 0; way < f->ways && f->suspects[i].count; way++)
            sum_chunk(f->p, &f->suspects[i], f->tiles + chunk * tile, (uint32_t)chunk, way,
                      f->scratch + thread * f->scratch_floats,
                      f->parts + ((i * f->ways + way) * f->chunks + chunk) * f->p->sums);
    }
}

gr_status gr_reference_costs(const gr_params *p, const float *tiles, int shake,
                             gr_suspect *suspects, uint32_t n, gr_error *error) {
    uint32_t threads = gr_processors(), chunks = p->train_chunks, most = 0;
    following f = {p, suspects, tiles, chunks, shake ? 1 + GR_SHAKES : 1, NULL, NULL, 0};
    size_t each = (size_t)f.ways * chunks;
    for (uint32_t i = 0; i < n; i++)
        most = suspects[i].count > most ? suspects[i].count : most;
    f.scratch_floats = (p->inputs + (size_t)most + 1) * 2; /* or half as many doubles */
    f.parts = malloc((n * each * p->sums + 1) * sizeof *f.parts);
    f.scratch = malloc(threads * f.scratch_floats * sizeof *f.scratch);
    gr_chunk_target *targets = malloc(chunks * sizeof *targets);
    gr_team *team = gr_team_open(threads);
    gr_status status = f.parts && f.scratch && targets
                           ? GR_OK
                           : gr_fail(error, GR_NO_MEMORY, "no memory for the reference's sums");
    if (!status)
        gr_team_loop(team, (uint64_t)n * chunks, 1, follow_some, &f);
    if (!status && p->linear_scaling)
        gr_chunk_targets(p, tiles, p->train_cases, p->target_mean[0], targets);
    for (uint32_t i = 0; i < n && !status; i++)
        conclude(p, targets, f.parts + i * each * p->sums, f.ways, &suspects[i]);
    gr_team_close(team);
    free(targets);
    free(f.scratch);
    free(f.parts);
    return status;
}

/* ---- comparing ---- */

int gr_is_steady(const gr_suspect *s, double tolerance) {
    if (tolerance == 0.0)
        return 1;
    if (s->least == GR_INFINITY)
        return 1; /* infinite however it is shaken */
    return s->most < GR_INFINITY &&
           (double)s->most - (double)s->least <= 0.25 * tolerance * fabs((double)s->cost);
}

static double relative_difference(float expected, float got) {
    double difference = fabs((double)expected - (double)got);
    return expected == got ? 0.0 : difference / fabs((double)expected);
}

void gr_compare_cost(const gr_suspect *s, uint32_t index, float cost, double tolerance, int counts,
                     gr_verdict *verdict) {
    if (!gr_is_steady(s, tolerance)) {
        verdict->skipped++;
        return;
    }
    double difference = relative_difference(s->cost, cost);
    int same = gr_float_bits(s->cost) == gr_float_bits(cost);
    int near = difference <= tolerance || /* false for NaN */
               (counts && fabs((double)s->cost - (double)cost) <= 1.0);
    int agrees = tolerance == 0.0 ? same : near;
    verdict->compared++;
    verdict->finite += s->cost < GR_INFINITY;
    verdict->agreed += (uint32_t)agrees;
    if (agrees && difference > verdict->worst)
        verdict->worst = difference;
    if (!agrees && !*verdict->wrong)
        snprintf(verdict->wrong, sizeof verdict->wrong,
                 "individual %u costs %.9g, by the reference %.9g", index, (double)cost,
                 (double)s->cost);
}

gr_answers gr_judge(const gr_verdict *verdict, double tolerance) {
    uint32_t differing = verdict->compared - verdict->agreed;
    if (tolerance == 0.0 ? differing > 0 : differing * 50 > verdict->compared)
        return GR_ANSWERS_WRONG;
    return verdict->finite ? GR_ANSWERS_RIGHT : GR_ANSWERS_UNCHECKED;
}
