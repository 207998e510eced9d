/* Errors of all individuals on the training cases that lexicase selection looks at, kept for one
 * generation: a row a case (or a batch of cases, whose errors are averaged), once with an
 * individual's side by side, for where few are left, and once with a row's. They are not negative,
 * so that their bits are in their order. */
#ifndef GR_CASE_ERRORS_H
#define GR_CASE_ERRORS_H

#include "gpu/core/base/keys.h"
#include "gpu/core/fitness/cost.h"
#include "gpu/core/program/execute.h"

/* What an output is off by: a distance, or 1 for a wrong answer; the worst where it is no number.
 */
GR_FN float gr_distance(const gr_params *p, float output, float target) {
    uint32_t adds = gr_adds_of(p->metric), kind = gr_sum_kind_of(p);
    float error = output - target;
    if (kind == GR_SUM_COUNTS)
        error =
            gr_true_positive(p, output, target) | gr_true_negative(p, output, target) ? 0.0f : 1.0f;
    else if (adds == GR_ADDS_HIT)
        error = 1.0f - gr_case_error(adds, p, output, target);
    else if (adds != GR_ADDS_SQUARED)
        error = gr_case_error(adds, p, output, target);
    error = fabsf(error);
    return error - error == 0.0f ? error : GR_INFINITY;
}

/* Whether it is the distance of two numbers, and nothing else; then this is it. */
GR_BOTH uint32_t gr_is_plain_distance(const gr_params *p) {
    return gr_adds_of(p->metric) == GR_ADDS_SQUARED && gr_sum_kind_of(p) != GR_SUM_COUNTS &&
           !p->case_weights;
}
GR_FN float gr_plain_distance(float output, float target) {
    float error = fabsf(output - target);
    return error < GR_INFINITY ? error : GR_INFINITY;
}

/* An output that is scaled by a line. */
GR_FN float gr_scaled_output(const gr_params *p, float output, const double *fit) {
    return p->linear_scaling ? (float)(fit[0] + fit[1] * (double)output) : output;
}

/* The distance of an output that is scaled by a line, with the weight that stands behind the
 * target. */
GR_FN float gr_weighed_distance(const gr_params *p, float output, const float *target,
                                const double *fit) {
    float distance = gr_distance(p, gr_scaled_output(p, output, fit), *target);
    return p->case_weights ? distance * target[GR_CHUNK] : distance;
}

/* Draws number k of the cases that selection looks at, of all runs: those of a run, on all its
 * islands, are the first of a permutation. Once a generation, for it takes as long as a program. */
GR_FN void gr_draw_case(const gr_state *s, uint32_t generation, size_t k) {
    const gr_params *p = &s->p;
    uint32_t run = (uint32_t)(k / p->lexicase_cases), number = (uint32_t)(k % p->lexicase_cases);
    gr_random r = gr_run_stream(p, GR_PURPOSE_LEXICASE_CASES, generation, run);
    s->case_drawn[k] = gr_permuted_by(&r, p->train_cases, number, 0);
}

/* Training case number k that selection looks at. */
GR_FN uint32_t gr_looked_at(const gr_state *s, uint32_t deme, uint32_t k) {
    const gr_params *p = &s->p;
    if (!gr_draws_cases(p))
        return k;
    return s->case_drawn[(size_t)(deme / p->islands) * p->lexicase_cases + k];
}

/* Where a training case, or a word of them, stands, and the target behind its inputs. */
GR_FN const float *gr_case_at(const gr_state *s, uint32_t unit) {
    return s->train + unit / GR_CHUNK * gr_tile_of(&s->p) + unit % GR_CHUNK;
}
GR_FN const float *gr_target_at(const gr_params *p, const float *tile) {
    return tile + (size_t)p->inputs * GR_CHUNK;
}

/* Error of individual i on a training case; outputs: its outputs on all cases (words), or NULL: it
 * is run. fit: its line, with linear scaling. */
GR_FN float gr_case_distance(const gr_state *s, uint32_t generation, uint32_t i, uint32_t number,
                             const float *outputs, const double *fit) {
    const gr_params *p = &s->p;
    uint32_t unit = p->packed ? number / 32 : number;
    const float *tile = gr_case_at(s, unit), *target = gr_target_at(p, tile);
    float output = outputs ? outputs[unit]
                           : gr_execute(p, gr_program(s, i),
                                        s->individuals[generation & 1][i].instructions, tile);
    if (p->packed)
        return (float)((gr_float_bits(output) ^ gr_float_bits(*target)) >> number % 32 & 1u);
    return gr_weighed_distance(p, output, target, fit);
}

/* The same on all cases in their order, from its outputs: a loop that is over in no time. Returns
 * their hash. */
GR_FN uint64_t gr_write_all_errors(const gr_state *s, const float *outputs, const double *fit,
                                   float *errors) {
    const gr_params *p = &s->p;
    uint64_t hash = 0;
    for (uint32_t first = 0; first < p->train_cases; first += GR_CHUNK) {
        const float *target =
            s->train + first / GR_CHUNK * gr_tile_of(p) + (size_t)p->inputs * GR_CHUNK;
        uint32_t here = gr_min_u32(p->train_cases - first, GR_CHUNK);
        for (uint32_t k = 0; k < here; k++) {
            float distance = gr_weighed_distance(p, outputs[first + k], target + k, fit);
            errors[first + k] = distance;
            hash += gr_hash_of_error(gr_float_bits(distance), gr_row_number_drawn(first + k));
        }
    }
    return hash;
}

/* The same, the program being run by lanes that share the cases. Returns a lane's part of the hash.
 */
GR_FN uint64_t gr_run_all_cases(const gr_state *s, const gr_instruction *program, uint32_t length,
                                const double *fit, float *errors, gr_lane_group w) {
    const gr_params *p = &s->p;
    float output[GR_CASES_TOGETHER];
    uint64_t hash = 0;
    for (uint32_t first = 0; first < p->train_cases; first += GR_CASES_TOGETHER * w.width) {
        const float *tile = gr_case_at(s, first) + w.lane;
        gr_execute_together(p, program, length, tile, w.width, output);
        for (uint32_t k = 0; k < GR_CASES_TOGETHER; k++) {
            uint32_t row = first + k * w.width + w.lane;
            if (row >= p->train_cases)
                break;
            float distance =
                gr_weighed_distance(p, output[k], gr_target_at(p, tile + k * w.width), fit);
            errors[row] = distance;
            hash += gr_hash_of_error(gr_float_bits(distance), gr_row_number_drawn(row));
        }
    }
    return hash;
}

/* Writes the error in a row, of a sum over its cases; its part of the hash. */
GR_FN uint64_t gr_write_row(const gr_params *p, uint32_t row, float sum, float *errors) {
    uint32_t cases = gr_min_u32(p->lexicase_cases - row * p->lexicase_batch, p->lexicase_batch);
    if (cases > 1)
        sum = gr_div(sum, (float)cases);
    errors[row] = sum;
    return gr_hash_of_error(gr_float_bits(sum), gr_row_number_drawn(row));
}

/* Errors of a program in rows of cases that are drawn, which is run; a lane has GR_CASES_TOGETHER
 * rows at a time. Returns a lane's part of the hash. */
GR_FN uint64_t gr_run_drawn_cases(const gr_state *s, uint32_t deme, const gr_instruction *program,
                                  uint32_t length, const double *fit, float *errors,
                                  gr_lane_group w) {
    const gr_params *p = &s->p;
    const float *tile[GR_CASES_TOGETHER];
    uint32_t number[GR_CASES_TOGETHER], rows = p->lexicase_rows;
    uint64_t hash = 0;
    for (uint32_t first = 0; first < rows; first += GR_CASES_TOGETHER * w.width) {
        float output[GR_CASES_TOGETHER], sum[GR_CASES_TOGETHER] = {0.0f};
        for (uint32_t k = 0; k < p->lexicase_batch; k++) {
            for (uint32_t n = 0; n < GR_CASES_TOGETHER; n++) {
                uint32_t row = gr_min_u32(first + n * w.width + w.lane, rows - 1);
                number[n] = row * p->lexicase_batch + k;
                tile[n] = gr_case_at(
                    s, gr_looked_at(s, deme, gr_min_u32(number[n], p->lexicase_cases - 1)));
            }
            gr_execute_scattered(p, program, length, tile, output);
            for (uint32_t n = 0; n < GR_CASES_TOGETHER; n++)
                if (number[n] < p->lexicase_cases)
                    sum[n] += gr_weighed_distance(p, output[n], gr_target_at(p, tile[n]), fit);
        }
        for (uint32_t n = 0; n < GR_CASES_TOGETHER; n++)
            if (first + n * w.width + w.lane < rows)
                hash += gr_write_row(p, first + n * w.width + w.lane, sum[n], errors);
    }
    return hash;
}

/* Errors of individual i in all rows, and their hash; the lanes share the rows. outputs: as above.
 * drawn: gr_draws_cases, in kernels a literal. */
GR_FN void gr_write_errors(const gr_state *s, uint32_t generation, uint32_t i, const float *outputs,
                           uint32_t drawn, gr_lane_group w) {
    const gr_params *p = &s->p;
    uint32_t deme = i / p->population;
    float *errors = s->own_errors + (size_t)i * p->lexicase_rows;
    uint32_t valid = s->individuals[generation & 1][i].instructions != 0;
    double fit[2] = {0.0, 1.0};
    uint64_t hash = 0;
    if (valid && p->linear_scaling)
        gr_evaluated_cost(s, generation, i, fit);
    const gr_instruction *program = gr_program(s, i);
    uint32_t length = s->individuals[generation & 1][i].instructions;
    uint32_t together = valid && !p->packed && !outputs && p->lexicase_rows > w.width;
    if (valid && !p->packed && outputs && !drawn) {
        s->behaviours[i] = gr_write_all_errors(s, outputs, fit, errors);
        return;
    }
    if (together && !drawn)
        hash = gr_run_all_cases(s, program, length, fit, errors, w);
    else if (together)
        hash = gr_run_drawn_cases(s, deme, program, length, fit, errors, w);
    for (uint32_t row = w.lane; !together && row < p->lexicase_rows; row += w.width) {
        uint32_t first = row * p->lexicase_batch;
        uint32_t last = gr_min_u32(first + p->lexicase_batch, p->lexicase_cases);
        float sum = valid ? 0.0f : GR_INFINITY;
        for (uint32_t k = first; valid && k < last; k++)
            sum += gr_case_distance(s, generation, i, gr_looked_at(s, deme, k), outputs, fit);
        hash += gr_write_row(p, row, sum, errors);
    }
    hash = gr_sum_lanes_long(w, hash);
    if (w.lane == 0)
        s->behaviours[i] = hash;
}

/* ---- by rows ---- */

/* Individuals and rows of a piece of the errors that is turned. */
enum { GR_TURNED = 32, GR_TURNED_ROWS = 8 };

GR_FN uint32_t gr_error_pieces(const gr_params *p) {
    return (p->lexicase_rows + GR_TURNED_ROWS - 1) / GR_TURNED_ROWS;
}

/* Errors of GR_TURNED individuals, from `from` on, in the rows of piece k: a row's side by side. */
GR_FN void gr_turn_errors(const gr_state *s, uint32_t from, uint32_t k, gr_lane_group w) {
    const gr_params *p = &s->p;
    uint32_t row = k * GR_TURNED_ROWS, last = gr_min_u32(from + GR_TURNED, p->individuals);
    for (uint32_t i = from + w.lane; i < last; i += w.width) {
        const float *own = s->own_errors + (size_t)i * p->lexicase_rows;
        float *turned = s->case_errors + (size_t)row * p->individuals + i, error[GR_TURNED_ROWS];
        GR_TURNS_AT_ONCE(8)
        for (uint32_t n = 0; n < GR_TURNED_ROWS; n++)
            error[n] = own[gr_min_u32(row + n, p->lexicase_rows - 1)];
        GR_TURNS_AT_ONCE(8)
        for (uint32_t n = 0; n < GR_TURNED_ROWS; n++)
            if (row + n < p->lexicase_rows)
                turned[(size_t)n * p->individuals] = error[n];
    }
}

#endif
