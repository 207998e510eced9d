#include "host/spread/shares.h"

#include "gpu/core/selection/once.h"
#include "gpu/core/state/state.h"

#include <stdlib.h>
#include <string.h>

int gr_shares_alike(gr_sharing of) {
    return of == GR_SHARING_CASES || of == GR_SHARING_POPULATION;
}

uint32_t gr_shares_members(const gr_job *job, uint32_t most, gr_sharing *of) {
    const gr_params *p = &job->params;
    uint32_t of_runs = gr_min_u32(p->runs, most), of_islands = gr_min_u32(p->islands, most);
    if (job->spread_cases) {
        *of = GR_SHARING_CASES;
        return gr_min_u32(p->train_chunks, most);
    }
    if (job->spread_population) {
        *of = GR_SHARING_POPULATION;
        return gr_min_u32(p->individuals, most);
    }
    *of = of_islands > of_runs ? GR_SHARING_ISLANDS : GR_SHARING_RUNS;
    return gr_max_u32(of_islands, of_runs);
}

/* Whether all are as fast, but for what a measurement differs by. */
static int are_equal(const double *speeds, uint32_t members) {
    double least = speeds[0], most = speeds[0];
    for (uint32_t m = 1; m < members; m++) {
        least = speeds[m] < least ? speeds[m] : least;
        most = speeds[m] > most ? speeds[m] : most;
    }
    return !(least > 0.0) || most < 1.05 * least;
}

int gr_shares_make(const gr_params *p, const double *speeds, uint32_t members, gr_sharing of,
                   gr_shares *shares) {
    uint32_t chunks = gr_max_u32(p->train_chunks, p->whole_chunks),
             all = of == GR_SHARING_CASES        ? chunks
                   : of == GR_SHARING_POPULATION ? p->individuals
                   : of == GR_SHARING_ISLANDS    ? p->islands
                                                 : p->runs;
    int equal = are_equal(speeds, members);
    double sum = 0.0, before = 0.0;
    *shares = (gr_shares){members, of, calloc(members + 1, sizeof *shares->first)};
    if (!shares->first)
        return 0;
    for (uint32_t m = 0; m < members; m++)
        sum += equal ? 1.0 : speeds[m];
    for (uint32_t m = 0; m < members; m++) {
        uint32_t least = shares->first[m] + 1, most = all - (members - 1 - m);
        before += equal ? 1.0 : speeds[m];
        uint32_t end = (uint32_t)((double)all * before / sum + 0.5);
        shares->first[m + 1] = end < least ? least : end > most ? most : end;
    }
    return 1;
}

void gr_shares_free(gr_shares *shares) {
    free(shares->first);
    *shares = (gr_shares){0};
}

gr_params gr_share_params(const gr_shares *shares, const gr_params *p, uint32_t member) {
    gr_params part = *p;
    uint32_t first = shares->first[member], count = shares->first[member + 1] - first;
    if (gr_shares_alike(shares->of)) {
        if (shares->of == GR_SHARING_POPULATION) /* others' programs come with their sums */
            part.once = GR_ONCE_OFF;
        return part;
    }
    if (shares->of == GR_SHARING_ISLANDS) {
        part.islands = count;
        part.first_island = first;
        part.other_islands = p->islands - count;
    } else {
        uint64_t seed = ((uint64_t)p->seed[1] << 32 | p->seed[0]) + first;
        part.runs = count;
        part.seed[0] = (uint32_t)seed;
        part.seed[1] = (uint32_t)(seed >> 32);
    }
    part.individuals = gr_demes(&part) * part.population;
    return part;
}

uint32_t gr_share_deme(const gr_shares *shares, const gr_params *p, uint32_t member,
                       uint32_t deme) {
    uint32_t first = shares->first[member], count = shares->first[member + 1] - first;
    if (gr_shares_alike(shares->of))
        return deme;
    return shares->of == GR_SHARING_ISLANDS ? deme / count * p->islands + first + deme % count
                                            : first * p->islands + deme;
}

void gr_share_copy(const gr_shares *shares, const gr_params *p, uint32_t member,
                   const gr_share_rows *rows) {
    gr_params part = gr_share_params(shares, p, member);
    uint32_t demes = gr_demes(&part),
             together = shares->of == GR_SHARING_ISLANDS ? part.islands : demes;
    for (uint32_t deme = 0; deme < demes; deme += together) { /* that follow one another in both */
        size_t at = gr_share_deme(shares, p, member, deme) * rows->bytes,
               bytes = together * rows->bytes, left = rows->limit > at ? rows->limit - at : 0;
        char *all = rows->all + at, *mine = rows->part + deme * rows->bytes;
        bytes = bytes < left ? bytes : left;
        if (bytes)
            memcpy(rows->back ? mine : all, rows->back ? all : mine, bytes);
    }
}
