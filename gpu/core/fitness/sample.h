/* Training on some of the cases at a time: which ones, the same for every individual of a
 * generation and every run of a batch, and their copy to where evaluation looks for them. */
#ifndef GR_SAMPLE_H
#define GR_SAMPLE_H

#include "gpu/core/base/math.h"
#include "gpu/core/base/rng.h"
#include "gpu/core/state/state.h"

/* The permutation `which` of the n cases, at x. */
GR_FN uint32_t gr_permuted(const gr_params *p, uint32_t which, uint32_t n, uint32_t x) {
    gr_random r;
    r.key[0] = p->sample_seed[0];
    r.key[1] = p->sample_seed[1];
    r.individual = 0;
    r.generation = which;
    r.purpose = gr_purpose_word(GR_PURPOSE_SAMPLE, 0);
    r.drawn = 0;
    return gr_permuted_by(&r, n, x, 0);
}

/* Samples drawn before the one of this generation. */
GR_FN uint32_t gr_sample_number(const gr_params *p, uint32_t generation) {
    return p->sampling == GR_SAMPLING_FIXED ? 0 : generation / p->sample_every;
}

GR_FN uint32_t gr_sample_is_new(const gr_params *p, uint32_t generation) {
    return p->sampling == GR_SAMPLING_FIXED ? generation == 0 : generation % p->sample_every == 0;
}

/* The generation that drew the sample of this one. */
GR_BOTH uint32_t gr_sample_since(const gr_params *p, uint32_t generation) {
    return p->sampling == GR_SAMPLING_FIXED ? 0 : generation - generation % p->sample_every;
}

/* Units (cases, or words of 32) of the tiles that a sample takes, and all there are to choose
 * from. */
GR_FN uint32_t gr_sample_units(const gr_params *p) {
    return p->train_cases / p->sample_unit;
}
GR_FN uint32_t gr_whole_units(const gr_params *p) {
    return p->whole_cases / p->sample_unit;
}

/* Case k of a generation's sample, by its number among all (truth tables: word k). Rotating batches
 * follow one another in one permutation and begin again at its end. */
GR_FN uint32_t gr_sampled_case(const gr_params *p, uint32_t generation, uint32_t k) {
    uint32_t number = gr_sample_number(p, generation), all = gr_whole_units(p);
    if (p->sampling != GR_SAMPLING_ROTATING)
        return gr_permuted(p, number, all, k);
    uint64_t at = (uint64_t)number * gr_sample_units(p) + k;
    return gr_permuted(p, 0, all, (uint32_t)(at % all));
}

/* Copies unit k of the sample, zeros behind its end; 1 if its target is positive. */
GR_FN uint32_t gr_take_case(const gr_state *s, uint32_t generation, uint32_t k) {
    const gr_params *p = &s->p;
    size_t tile = gr_tile_of(p), positive = 0;
    float *to = s->taken + k / GR_CHUNK * tile + k % GR_CHUNK;
    uint32_t inside = k < gr_sample_units(p), from = inside ? gr_sampled_case(p, generation, k) : 0;
    const float *at = s->whole + from / GR_CHUNK * tile + from % GR_CHUNK;
    for (uint32_t column = 0; column <= p->inputs; column++) {
        float value = inside ? at[(size_t)column * GR_CHUNK] : 0.0f;
        to[(size_t)column * GR_CHUNK] = value;
        positive = inside && column == p->inputs && value > 0.0f;
    }
    return (uint32_t)positive;
}

/* Where the positives of a generation's sample are counted; two counters in turn, the other one
 * being cleared meanwhile. */
GR_FN uint32_t gr_positives_counter(const gr_params *p, uint32_t generation) {
    return gr_sample_number(p, generation) & 1u;
}

/* The state of the ranking on all cases that ends a run on samples: the last generation once more,
 * nothing bred from it. `loop` and `records` are its own. */
GR_BOTH gr_state gr_ranking_state(const gr_state *s, uint32_t generation, gr_loop *loop,
                                  gr_record *records) {
    gr_state all = *s;
    all.p.sampling = 0;
    all.p.train_cases = s->p.whole_cases;
    all.p.train_chunks = s->p.whole_chunks;
    all.p.generations = generation;
    all.train = s->whole;
    all.loop = loop;
    all.records = records;
    return all;
}

/* Lets a deme that went on to the last generation take part in its ranking; the others keep the
 * best they stopped with. */
GR_FN void gr_reopen_deme(const gr_state *s, uint32_t deme) {
    if (!s->records[deme].written)
        return;
    s->demes[deme].active = 1;
    s->demes[deme].best_cost = GR_INFINITY;
}

#endif
