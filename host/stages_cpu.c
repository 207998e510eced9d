#include "stages_cpu.h"

#include "../gpu/core/order.h"
#include "../gpu/core/slots.h"
#include "../gpu/core/unique.h"

static gr_moments butterfly(gr_moments lane[GR_LANES]) {
    for (uint32_t x = GR_LANES / 2; x; x /= 2)
        for (uint32_t l = 0; l < x; l++)
            lane[l] = gr_moments_merge(lane[l], lane[l + x]);
    return lane[0];
}

void gr_cpu_order(const gr_state *s, uint32_t generation, int threads) {
    const gr_params *p = &s->p;
    uint32_t demes = gr_demes(p), segments = gr_segments(p), passes = gr_order_passes(p);
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(dynamic, 4) collapse(2)
        for (uint32_t deme = 0; deme < demes; deme++)
            for (uint32_t segment = 0; segment < segments; segment++) {
                gr_moments lane[GR_LANES];
                for (uint32_t l = 0; l < GR_LANES; l++)
                    lane[l] = gr_moments_segment(s, generation, deme, segment, l);
                s->moments[(size_t)deme * segments + segment] = butterfly(lane);
            }
#pragma omp for schedule(dynamic, 4)
        for (uint32_t deme = 0; deme < demes; deme++) {
            gr_moments lane[GR_LANES];
            for (uint32_t l = 0; l < GR_LANES; l++)
                lane[l] = gr_moments_deme(s, deme, l);
            s->pressures[deme] = gr_pressure_of(p, butterfly(lane));
        }
#pragma omp for schedule(dynamic, 256)
        for (uint32_t i = 0; i < p->individuals; i++)
            gr_weigh(s, generation, i);
        for (uint32_t pass = 0; p->ordered && pass < passes; pass++) {
#pragma omp for schedule(dynamic, 256)
            for (uint32_t i = 0; i < p->individuals; i++)
                gr_merge_key(s, pass, i);
        }
    }
}

void gr_cpu_sample(const gr_state *s, uint32_t generation, int threads) {
    uint32_t places = s->p.train_chunks * GR_CHUNK, positives = 0;
    if (!gr_sample_is_new(&s->p, generation))
        return;
#pragma omp parallel for schedule(dynamic, 64) num_threads(threads) reduction(+ : positives)
    for (uint32_t k = 0; k < places; k++)
        positives += gr_take_case(s, generation, k);
    s->sample_positives[gr_positives_place(&s->p, generation)] = positives;
}

void gr_cpu_fit(const gr_state *s, uint32_t generation, int threads) {
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads)
    for (uint32_t i = 0; i < s->p.individuals; i++)
        gr_fit_individual(s, generation, i);
}

void gr_cpu_unique(const gr_state *s) {
    const gr_params *p = &s->p;
    gr_scratch scratch = gr_worker_scratch(s, 0, 1);
    memset(s->claims, 0xff, (size_t)gr_demes(p) * gr_claim_places(p) * sizeof *s->claims);
    for (uint32_t round = 0; round < gr_claim_rounds(p); round++)
        for (uint32_t settles = 0; settles < 2; settles++)
            for (uint32_t i = 0; i < p->individuals; i++)
                gr_claim_or_settle(s, i, round, settles, scratch, gr_straight_room(s, 0));
}
