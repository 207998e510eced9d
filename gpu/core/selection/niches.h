/* An archive that keeps the best of each niche, beside the population of a deme.
 *
 * A niche is a size class and a fingerprint of the operations that a program has; p.niches of them
 * are a grid, GR_NICHE_SIZES classes by the rest. Behind the evaluation of a generation its
 * individuals of finite cost and those in the archive, the applicants, are put into it anew:
 *
 * - of applicants that behave alike one counts: of the fewest nodes that of least cost, of these
 *   one that is in the archive, then the one of lowest index;
 * - of those that count every niche keeps the one of least cost; of equals, as before.
 *
 * Alike are those whose outputs on GR_BEHAVIOUR_CASES of the training cases round to the same, to a
 * GR_BEHAVIOUR_STEPS-th of the largest one or half of that; where outputs are scaled, the scaled
 * ones.
 *
 * Whoever is kept stands behind all individuals, in the buffer of the generation, at the place of
 * its niche, so that it can be a parent as they are. Steps that all applicants pass before any
 * passes the next, each in any order: gr_enter_applicant, gr_compare_alike, gr_contest_niche, then
 * gr_settle_niche of all niches, and gr_clear_alike. */
#ifndef GR_NICHES_H
#define GR_NICHES_H

#include "gpu/core/base/keys.h"
#include "gpu/core/base/rng.h"
#include "gpu/core/fitness/cost.h"

enum { GR_BEHAVIOUR_CASES = 16, GR_BEHAVIOUR_STEPS = 4096 };

/* ---- where a program belongs ---- */

/* Up to 15 nodes two sizes are a class, beyond that a quarter or a third of the size; 192 nodes and
 * more are the last class. */
GR_FN uint32_t gr_niche_size(uint32_t nodes) {
    uint32_t doublings = 0;
    if (nodes < 16)
        return nodes / 2;
    while (nodes >> (doublings + 5))
        doublings++;
    return gr_min_u32(8 + 2 * doublings + (nodes >> (doublings + 3) & 1u), GR_NICHE_SIZES - 1);
}

/* A bit for the operation of an instruction; leaves have none. */
GR_FN uint64_t gr_operation_bit(uint32_t handler) {
    GR_CONST uint8_t all[GR_HANDLER_COUNT] = {
        0,
        0,
        0,
        0,
#define GR_OP1(id, names, class, exact, fast) GR_##id,
#define GR_OP2(id, names, symbol, class, exact, fast)                                              \
    GR_##id, GR_##id, GR_##id, GR_##id, GR_##id, GR_##id,
#define GR_OP2C(id, names, symbol, class, exact, fast) GR_##id, GR_##id, GR_##id,
#define GR_OP3(id, names, class, exact, fast) GR_##id,
#define GR_WORD1(id, names, symbol, expression) GR_##id,
#define GR_WORD2C(id, names, symbol, expression) GR_##id, GR_##id, GR_##id,
#include "gpu/core/base/ops.def"
    };
    return all[handler] ? (uint64_t)1 << all[handler] : 0;
}
typedef char gr_operations_fit_a_word[GR_OP_COUNT <= 64 ? 1 : -1];

/* The niche of a program. Sets of operations are spread over what there is for them. */
GR_FN uint32_t gr_niche_of(const gr_params *p, const gr_instruction *program, uint32_t length,
                           uint32_t nodes) {
    uint64_t set = 0;
    for (uint32_t k = 0; k < length; k++)
        set |= gr_operation_bit(GR_HANDLER(program[k]));
    uint32_t fingerprints = p->niches / GR_NICHE_SIZES;
    uint32_t hash = (uint32_t)(gr_key_of_hash(set) >> 32);
    return gr_niche_size(nodes) * fingerprints + gr_scale(hash, fingerprints);
}

/* ---- behaviour ---- */

GR_BOTH uint32_t gr_training_units(const gr_params *p) { /* cases, or words of 32 */
    return p->packed ? (p->train_cases + 31) / 32 : p->train_cases;
}
/* The cases that behaviour is looked at on: how many, and number k of them. */
GR_BOTH uint32_t gr_behaviour_cases(const gr_params *p) {
    return gr_min_u32(gr_training_units(p), GR_BEHAVIOUR_CASES);
}
GR_BOTH uint32_t gr_behaviour_case(const gr_params *p, uint32_t k) {
    return (uint32_t)((uint64_t)gr_training_units(p) * k / gr_behaviour_cases(p));
}

/* Gathers them, once: to a tile of its own from those of all training cases. */
GR_BOTH void gr_gather_behaviour_cases(const gr_params *p, const float *train, float *tile) {
    for (uint32_t k = 0; k < gr_behaviour_cases(p); k++) {
        uint32_t c = gr_behaviour_case(p, k);
        const float *from = train + c / GR_CHUNK * gr_tile_of(p) + c % GR_CHUNK;
        for (uint32_t row = 0; row < p->inputs; row++)
            tile[(size_t)row * GR_CHUNK + k] = from[(size_t)row * GR_CHUNK];
    }
}

/* A value in steps; what is no number has a word of its own. */
GR_FN uint32_t gr_in_steps(float value, float step) {
    float steps = value / step;
    if (!(value - value == 0.0f))
        return value != value ? 0x80000000u : value > 0.0f ? 0x7fffffffu : 0x80000001u;
    return (uint32_t)(int32_t)(steps < 0.0f ? steps - 0.5f : steps + 0.5f);
}

/* The key of outputs on those cases; fit: of linear scaling. Never 0. */
GR_FN uint64_t gr_behaviour_key(const gr_params *p, const float *outputs, const double *fit) {
    float value[GR_BEHAVIOUR_CASES], largest = 0.0f;
    uint32_t count = gr_behaviour_cases(p);
    uint64_t hash = count;
    for (uint32_t k = 0; k < count; k++) {
        value[k] = p->linear_scaling ? (float)(fit[0] + fit[1] * (double)outputs[k]) : outputs[k];
        float size = value[k] < 0.0f ? -value[k] : value[k];
        if (size > largest && size < GR_INFINITY)
            largest = size;
    }
    /* a power of two, so that dividing by it rounds nothing */
    float step = gr_bits_float(gr_float_bits(largest) & 0x7f800000u) * (1.0f / GR_BEHAVIOUR_STEPS);
    step = step > 0x1p-120f ? step : 1.0f;
    for (uint32_t k = 0; k < count; k++)
        hash = gr_mixed(hash, p->packed ? gr_float_bits(outputs[k]) : gr_in_steps(value[k], step));
    return gr_key_of_hash(hash);
}

/* ---- applicants ---- */

/* Those of a deme: in the archive, by niche, then individuals, by index. */
GR_BOTH uint32_t gr_applicants(const gr_params *p) {
    return p->niches + p->population;
}
GR_FN gr_applicant *gr_applicant_of(const gr_state *s, uint32_t deme, uint32_t number) {
    const gr_params *p = &s->p;
    return number < p->niches ? &s->niches[(size_t)deme * p->niches + number]
                              : &s->applicants[(size_t)deme * p->population + number - p->niches];
}

/* Makes individual i of an evaluated generation one, from its outputs on the cases of behaviour. */
GR_FN void gr_make_applicant(const gr_state *s, uint32_t generation, uint32_t i, float cost,
                             const double *fit, const float *outputs) {
    gr_applicant none = {0, 0.0f, 0, 0, 0}, *c = &s->applicants[i];
    gr_individual individual = s->individuals[generation & 1][i];
    *c = none;
    if (!individual.instructions || !(cost < GR_INFINITY))
        return;
    c->key = gr_behaviour_key(&s->p, outputs, fit);
    c->cost = cost;
    c->nodes = individual.nodes;
    c->niche = gr_niche_of(&s->p, gr_program(s, i), individual.instructions, individual.nodes);
}

/* ---- who counts ---- */

/* Entries of the table of behaviours of a deme; a power of two. */
GR_BOTH size_t gr_alike_entries(const gr_params *p) {
    size_t entries = 64;
    while (p->niches && entries < 2 * (size_t)gr_applicants(p))
        entries *= 2;
    return p->niches ? entries : 0;
}

/* Fewest nodes, then least cost. */
GR_FN uint64_t gr_alike_rank(const gr_applicant *c) {
    return (uint64_t)c->nodes << 32 | gr_rank_key(c->cost, 0) >> 32;
}

/* Enters an applicant under its behaviour. */
GR_FN void gr_enter_applicant(const gr_state *s, uint32_t deme, uint32_t number) {
    gr_applicant *c = gr_applicant_of(s, deme, number);
    uint32_t mask = (uint32_t)(gr_alike_entries(&s->p) - 1), at = (uint32_t)(c->key >> 32) & mask;
    gr_alike *table = s->alike + deme * gr_alike_entries(&s->p);
    if (!c->key || !s->demes[deme].active)
        return;
    for (;; at = (at + 1) & mask) {
        uint64_t found = gr_fill_empty(&table[at].key, c->key);
        if (!found || found == c->key)
            break;
    }
    gr_raise(&table[at].rank, ~gr_alike_rank(c));
    c->entry = at;
}

/* Of those alike that rank first, who comes first. */
GR_FN void gr_compare_alike(const gr_state *s, uint32_t deme, uint32_t number) {
    const gr_applicant *c = gr_applicant_of(s, deme, number);
    gr_alike *entry = s->alike + deme * gr_alike_entries(&s->p) + c->entry;
    if (c->key && s->demes[deme].active && ~entry->rank == gr_alike_rank(c))
        gr_raise(&entry->first, ~(uint64_t)number);
}

/* One that counts is for its niche. */
GR_FN void gr_contest_niche(const gr_state *s, uint32_t deme, uint32_t number) {
    const gr_applicant *c = gr_applicant_of(s, deme, number);
    const gr_alike *entry = s->alike + deme * gr_alike_entries(&s->p) + c->entry;
    if (c->key && s->demes[deme].active && ~entry->first == number)
        gr_raise(&s->niche_best[(size_t)deme * s->p.niches + c->niche],
                 ~gr_rank_key(c->cost, number));
}

/* ---- the archive ---- */

/* Where whoever is in a niche stands, counted as individuals are; and so many of them. */
GR_BOTH size_t gr_archived(const gr_params *p) {
    return (size_t)gr_demes(p) * p->niches;
}
GR_FN uint32_t gr_archive_row(const gr_params *p, uint32_t deme, uint32_t niche) {
    return p->individuals + deme * p->niches + niche;
}

/* Copies an individual from a row of a buffer to the row of a niche in the buffer of the
 * generation. */
GR_FN void gr_keep_in_niche(const gr_state *s, uint32_t generation, uint32_t from_buffer,
                            uint32_t from, uint32_t row, gr_lane_group w) {
    const gr_params *p = &s->p;
    uint32_t buffer = generation & 1, branches = gr_branch_words(p);
    gr_individual individual = s->individuals[from_buffer][from];
    const uint32_t *words = gr_genotype_of(s, from_buffer, from);
    uint32_t *to = gr_genotype_of(s, buffer, row);
    for (uint32_t n = w.lane; n < gr_words_of(p, individual); n += w.width)
        to[n] = words[n];
    for (uint32_t n = w.lane; n < branches; n += w.width)
        s->branches[buffer][(size_t)row * branches + n] =
            s->branches[from_buffer][(size_t)from * branches + n];
    for (uint32_t n = w.lane; n < gr_heritage_words(p); n += w.width)
        *gr_heritage(s, buffer, row, n) = *gr_heritage(s, from_buffer, from, n);
    if (w.lane == 0)
        s->individuals[buffer][row] = individual;
}

/* The niche of a deme as it is behind this generation. */
GR_FN void gr_settle_niche(const gr_state *s, uint32_t generation, uint32_t deme, uint32_t niche,
                           gr_lane_group w) {
    const gr_params *p = &s->p;
    const gr_applicant none = {0, 0.0f, 0, 0, 0};
    const gr_individual nobody = {0};
    size_t at = (size_t)deme * p->niches + niche;
    uint64_t best = s->niche_best[at];
    uint32_t row = gr_archive_row(p, deme, niche), buffer = generation & 1,
             number = (uint32_t)~best, filled = best != 0;
    if (!s->demes[deme].active) /* who was there when it stopped stays, in this buffer too */
        number = niche, filled = s->niches[at].key != 0;
    if (filled && number < p->niches)
        gr_keep_in_niche(s, generation, buffer ^ 1, row, row, w);
    else if (filled)
        gr_keep_in_niche(s, generation, buffer, deme * p->population + number - p->niches, row, w);
    else if (w.lane == 0)
        s->individuals[buffer][row] = nobody;
    gr_sync(w);
    if (w.lane == 0) {
        s->niches[at] = filled ? *gr_applicant_of(s, deme, number) : none;
        s->niches[at].entry = 0;
        s->niche_best[at] = 0;
    }
}

/* Empties entry k of all tables of behaviours. */
GR_FN void gr_clear_alike(const gr_state *s, size_t k) {
    const gr_alike none = {0, 0, 0};
    s->alike[k] = none;
}

/* An island that begins anew begins with no archive. */
GR_FN void gr_empty_niches(const gr_state *s, uint32_t deme) {
    const gr_applicant none = {0, 0.0f, 0, 0, 0};
    for (uint32_t niche = 0; niche < s->p.niches; niche++)
        s->niches[(size_t)deme * s->p.niches + niche] = none;
}

/* ---- parents ---- */

/* Lists the niches that are filled, rising; their number comes first. */
GR_FN void gr_list_niches(const gr_state *s, uint32_t deme, gr_lane_group w) {
    uint32_t niches = s->p.niches, count = 0, before;
    const gr_applicant *archive = s->niches + (size_t)deme * niches;
    uint32_t *list = s->niche_list + (size_t)deme * (niches + 1);
    for (uint32_t from = 0; from < niches; from += w.width) {
        uint32_t niche = from + w.lane, filled = niche < niches && archive[niche].key != 0;
        uint32_t more = gr_count_before(w, filled, &before);
        if (filled)
            list[1 + count + before] = niche;
        count += more;
    }
    if (w.lane == 0)
        list[0] = count;
}

/* Whether the parent that r draws is to come from a niche. */
GR_FN uint32_t gr_parent_from_niche(const gr_state *s, uint32_t deme, gr_random *r) {
    return gr_chance(r, s->p.niche_share) && s->niche_list[(size_t)deme * (s->p.niches + 1)];
}
/* Who it is: its place less that of the deme's first individual, modulo 2^32. */
GR_FN uint32_t gr_niche_parent(const gr_state *s, uint32_t deme, gr_random *r) {
    const uint32_t *list = s->niche_list + (size_t)deme * (s->p.niches + 1);
    uint32_t niche = list[1 + gr_below(r, list[0])];
    return gr_archive_row(&s->p, deme, niche) - deme * s->p.population;
}

#endif
