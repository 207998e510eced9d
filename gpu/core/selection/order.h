/* What selection goes by when that is not the plain cost: parsimony pressure, and the order of a
 * deme. Done behind the statistics in runs that need it; every stage is spread over individuals. */
#ifndef GR_ORDER_H
#define GR_ORDER_H

#include "gpu/core/base/rng.h"
#include "gpu/core/fitness/cost.h"

/* Of individuals with a finite cost: sums, and squares and products about their means. The latter
 * are never differences of large sums: where sizes or costs are all but equal nothing would be left
 * of them (Chan, Golub and LeVeque 1979). */
typedef struct gr_moments {
    double cost, size, size_squared, product, count;
} gr_moments;

/* Parsimony in a deme: cost that a node is worth, and the mean size. */
typedef struct gr_pressure {
    double slope, mean;
} gr_pressure;

/* Whether a run has selection costs beside the plain ones. */
GR_BOTH uint32_t gr_has_selection_cost(const gr_params *p) {
    return (p->selection != GR_SELECT_TOURNAMENT && !p->lexicase_rows && !p->objectives) ||
           p->parsimony != GR_PARSIMONY_NONE;
}

GR_FN gr_moments gr_moments_merge(gr_moments a, gr_moments b) {
    if (!(a.count > 0.0 && b.count > 0.0))
        return a.count > 0.0 ? a : b;
    double weight = a.count * b.count / (a.count + b.count);
    double size = b.size / b.count - a.size / a.count, cost = b.cost / b.count - a.cost / a.count;
    a.size_squared += b.size_squared + weight * size * size;
    a.product += b.product + weight * size * cost;
    a.cost += b.cost;
    a.size += b.size;
    a.count += b.count;
    return a;
}

/* The share of one lane of 32 in a segment, whose costs are known; also writes them as selection
 * costs. */
GR_FN gr_moments gr_moments_segment(const gr_state *s, uint32_t generation, uint32_t deme,
                                    uint32_t segment, uint32_t lane) {
    gr_moments m = {0, 0, 0, 0, 0};
    uint32_t end = gr_min_u32((segment + 1) * GR_SEGMENT, s->p.population);
    for (uint32_t index = segment * GR_SEGMENT + lane; index < end; index += GR_LANES) {
        uint32_t i = deme * s->p.population + index;
        double size = (double)s->individuals[generation & 1][i].nodes;
        float cost = s->cost[i];
        s->selection_cost[i] = cost;
        if (cost == GR_INFINITY)
            continue;
        gr_moments one = {(double)cost, size, 0.0, 0.0, 1.0};
        m = gr_moments_merge(m, one);
    }
    return m;
}

/* The share of one lane of 32 in the segments of a deme. */
GR_FN gr_moments gr_moments_deme(const gr_state *s, uint32_t deme, uint32_t lane) {
    gr_moments m = {0, 0, 0, 0, 0};
    uint32_t count = gr_segments(&s->p);
    for (uint32_t segment = lane; segment < count; segment += GR_LANES)
        m = gr_moments_merge(m, s->moments[(size_t)deme * count + segment]);
    return m;
}

/* Covariant parsimony (Poli and McPhee 2008): the slope Cov(size, cost) / Var(size), against which
 * the mean size stays as it is. */
GR_FN gr_pressure gr_pressure_of(const gr_params *p, gr_moments m) {
    gr_pressure pressure = {(double)p->parsimony_strength, 0.0};
    if (m.count > 0.0)
        pressure.mean = m.size / m.count;
    if (p->parsimony == GR_PARSIMONY_COVARIANT)
        pressure.slope = m.size_squared > 0.0 ? m.product / m.size_squared : 0.0;
    return pressure;
}

/* Turns the cost in selection_cost[i] into what selection goes by, and into the key that orders the
 * deme. */
GR_FN void gr_weigh_selection_cost(const gr_state *s, uint32_t generation, uint32_t i) {
    const gr_params *p = &s->p;
    uint32_t deme = i / p->population, index = i % p->population;
    double size = (double)s->individuals[generation & 1][i].nodes;
    float selection_cost = s->selection_cost[i];
    gr_pressure pressure = s->pressures[deme];
    if (p->parsimony == GR_PARSIMONY_COEFFICIENT)
        selection_cost = (float)((double)selection_cost + pressure.slope * size);
    else if (p->parsimony == GR_PARSIMONY_COVARIANT)
        selection_cost = (float)((double)selection_cost - pressure.slope * (size - pressure.mean));
    else if (p->parsimony == GR_PARSIMONY_TARPEIAN && size > pressure.mean) {
        gr_random r = gr_stream(p, GR_PURPOSE_PARSIMONY, generation, deme, index);
        if (gr_chance(&r, p->parsimony_strength)) /* Tarpeian: given the worst cost (Poli 2003) */
            selection_cost = GR_INFINITY;
    }
    selection_cost = selection_cost - selection_cost == 0.0f ? selection_cost : GR_INFINITY;
    s->selection_cost[i] = selection_cost;
    if (p->ordered)
        s->keys[0][i] = gr_rank_key(selection_cost, index);
}

/* ---- order ---- */

GR_BOTH uint32_t gr_order_passes(const gr_params *p) {
    uint32_t passes = 0;
    while (1u << passes < p->population)
        passes++;
    return passes;
}

/* Where key number `at` of n goes when sorted stretches of 2^bits keys are merged in pairs: to its
 * own rank plus its rank in the other stretch. */
GR_FN uint32_t gr_merged_position(const uint64_t *from, uint32_t n, uint32_t bits, uint32_t at) {
    uint32_t stretch = at >> bits, begin = gr_min_u32((stretch ^ 1u) << bits, n), low = begin,
             high = gr_min_u32(begin + (1u << bits), n);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (from[middle] < from[at])
            low = middle + 1;
        else
            high = middle;
    }
    return (stretch >> 1 << (bits + 1)) + at - (stretch << bits) + low - begin;
}

/* Individual i's key in one pass of a merge sort inside its deme. */
GR_FN void gr_merge_key(const gr_state *s, uint32_t pass, uint32_t i) {
    uint32_t n = s->p.population, deme = i / n, at = i % n;
    const uint64_t *from = s->keys[pass & 1] + (size_t)deme * n;
    uint32_t to = gr_merged_position(from, n, pass, at);
    s->keys[(pass + 1) & 1][(size_t)deme * n + to] = from[at];
}

/* The index of the individual with a rank, 0 the best. */
GR_FN uint32_t gr_ranked(const gr_state *s, uint32_t deme, uint32_t rank) {
    return (uint32_t)s->keys[gr_order_passes(&s->p) & 1][(size_t)deme * s->p.population + rank];
}

#endif
