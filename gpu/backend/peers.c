#include "gpu/backend/peers.h"

#include "gpu/core/fitness/class_bins.h"
#include "gpu/core/fitting/normal.h"
#include "gpu/core/selection/migration.h"

#include <stdlib.h>

uint32_t gr_peers_meet(const gr_params *p, uint32_t generation) {
    uint32_t settle = p->stop_at_target || p->stagnation || p->validation_chunks;
    return (settle ? GR_PEERS_SETTLE : 0) | (gr_migrates(p, generation) ? GR_PEERS_MIGRATE : 0);
}

static void add(gr_transfers *t, void *at, size_t bytes, uint32_t from, uint32_t to) {
    if (!bytes || t->failed)
        return;
    if (t->count == t->capacity) {
        uint32_t capacity = t->capacity ? 2 * t->capacity : 64;
        gr_transfer *list = realloc(t->list, capacity * sizeof *list);
        if (!list) {
            t->failed = 1;
            return;
        }
        t->list = list;
        t->capacity = capacity;
    }
    t->list[t->count++] = (gr_transfer){at, bytes, from, to};
}

void gr_transfers_free(gr_transfers *transfers) {
    free(transfers->list);
    *transfers = (gr_transfers){0};
}

void gr_list_standings(const gr_peers *peers, const gr_state *s, gr_transfers *t) {
    uint32_t all = gr_run_islands(&s->p), me = peers->member;
    t->count = 0;
    for (uint32_t run = 0; run < s->p.runs; run++)
        for (uint32_t from = 0; from < peers->members; from++) {
            uint32_t first = peers->first[from], islands = peers->first[from + 1] - first;
            gr_standing *at = s->standings + (size_t)run * all + first;
            for (uint32_t to = 0; to < peers->members; to++)
                if (from != to && (from == me || to == me))
                    add(t, at, islands * sizeof *at, from, to);
        }
}

/* The emigrants of islands [first, last) of a run. */
static void add_islands(const gr_state *s, gr_transfers *t, uint32_t run, const uint32_t range[2],
                        const uint32_t ends[2]) {
    const gr_params *p = &s->p;
    size_t at = gr_migrant_at(p, run, range[0], 0), words = gr_migrant_words(p),
           count = (size_t)(range[1] - range[0]) * p->migrants;
    add(t, s->migrants + at, count * sizeof *s->migrants, ends[0], ends[1]);
    add(t, s->migrant_words + at * words, count * words * sizeof *s->migrant_words, ends[0],
        ends[1]);
    add(t, s->migrant_errors + at * p->lexicase_rows,
        count * p->lexicase_rows * sizeof *s->migrant_errors, ends[0], ends[1]);
}

/* Emigrants after whose number sources come again. */
static uint32_t period(const gr_params *p) {
    uint32_t n = p->routes == GR_ROUTES_TORUS  ? 4
                 : p->routes == GR_ROUTES_FULL ? gr_run_islands(p) - 1
                                               : 1;
    return gr_min_u32(p->migrants, n);
}

/* Marks the islands of a run whose emigrants come to those of member `to`. */
static void mark_sources(const gr_peers *peers, const gr_params *p, uint32_t generation,
                         uint32_t run, uint32_t to, unsigned char *needed) {
    for (uint32_t island = 0; island < gr_run_islands(p); island++)
        needed[island] = 0;
    for (uint32_t island = peers->first[to]; island < peers->first[to + 1]; island++)
        for (uint32_t k = 0; k < period(p); k++)
            needed[gr_migrant_source(p, generation, run, island, k)] = 1;
}

void gr_list_migrants(const gr_peers *peers, const gr_state *s, uint32_t generation,
                      gr_transfers *t) {
    const gr_params *p = &s->p;
    uint32_t me = peers->member;
    unsigned char *needed = malloc(gr_run_islands(p));
    t->count = 0;
    t->failed |= !needed;
    for (uint32_t run = 0; !t->failed && run < p->runs; run++)
        for (uint32_t to = 0; to < peers->members; to++) {
            mark_sources(peers, p, generation, run, to, needed);
            for (uint32_t from = 0; from < peers->members; from++)
                for (uint32_t first = peers->first[from]; first < peers->first[from + 1];) {
                    uint32_t last = first;
                    while (last < peers->first[from + 1] && needed[last])
                        last++;
                    if (last > first && from != to && (from == me || to == me))
                        add_islands(s, t, run, (uint32_t[]){first, last}, (uint32_t[]){from, to});
                    first = last + 1;
                }
        }
    free(needed);
}

/* ---- training cases ---- */

gr_chunks gr_share_of_chunks(const gr_peers *peers, uint32_t member, uint32_t chunks) {
    gr_chunks all = {0, chunks};
    if (!peers || !peers->cases)
        return all;
    uint64_t of = peers->first[peers->members];
    uint32_t first = (uint32_t)(chunks * (uint64_t)peers->first[member] / of),
             end = (uint32_t)(chunks * (uint64_t)peers->first[member + 1] / of);
    return (gr_chunks){first, end - first};
}

/* Samples are drawn from all cases, and behaviour is looked at on cases of all chunks. */
static int has_all_tiles(const gr_params *p) {
    return p->whole_chunks || p->niches;
}

gr_chunks gr_chunks_of_job(const gr_job *job) {
    const gr_params *p = &job->params;
    uint32_t chunks = p->sampling ? p->whole_chunks : p->train_chunks;
    return has_all_tiles(p)
               ? (gr_chunks){0, chunks}
               : gr_share_of_chunks(job->peers, job->peers ? job->peers->member : 0, chunks);
}

gr_params gr_params_of_share(const gr_params *p, const gr_peers *peers) {
    gr_params share = *p;
    uint32_t unit = p->packed ? 32 * GR_CHUNK : GR_CHUNK;
    if (!peers || !peers->cases)
        return share;
    gr_chunks own = gr_share_of_chunks(peers, peers->member, p->train_chunks);
    share.train_chunks = own.count;
    share.train_cases =
        own.count ? gr_min_u32(p->train_cases - own.first * unit, own.count * unit) : 0;
    share.last_share[0] = gr_last_share(own.count ? share.train_cases : GR_CHUNK);
    return share;
}

gr_state gr_state_of_share(const gr_state *state, const gr_peers *peers) {
    gr_state share = *state;
    const gr_params *p = &state->p;
    if (!peers || !peers->cases)
        return share;
    gr_chunks own = gr_share_of_chunks(peers, peers->member, p->train_chunks);
    share.p = gr_params_of_share(p, peers);
    share.train += has_all_tiles(p) ? own.first * gr_tile_of(p) : 0;
    share.targets += own.first;
    share.sums += (size_t)own.first * p->sums * p->individuals;
    return share;
}

void gr_list_sums(const gr_peers *peers, const gr_state *s, uint32_t *arrived, gr_transfers *t) {
    const gr_params *p = &s->p;
    uint32_t me = peers->member;
    size_t counts = s->class_bins ? p->individuals * gr_bin_counts(p) : 0;
    t->count = 0;
    for (uint32_t from = 0; from < peers->members; from++) {
        gr_chunks chunks = gr_share_of_chunks(peers, from, p->train_chunks);
        size_t row = (size_t)p->sums * p->individuals, others = from - (from > me);
        for (uint32_t to = 0; to < peers->members; to++) {
            if (from == to || (from != me && to != me))
                continue;
            if (counts)
                add(t, from == me ? s->class_bins : arrived + others * counts,
                    counts * sizeof *arrived, from, to);
            else
                add(t, s->sums + chunks.first * row, chunks.count * row * sizeof *s->sums, from,
                    to);
        }
    }
}

/* ---- individuals ---- */

gr_individuals gr_share_of_individuals(const gr_peers *peers, uint32_t member, const gr_params *p) {
    if (!peers || !peers->individuals)
        return (gr_individuals){0, p->individuals};
    return (gr_individuals){peers->first[member], peers->first[member + 1] - peers->first[member]};
}

size_t gr_page_of_member(const gr_peers *peers, uint32_t member, size_t pages) {
    return pages * peers->first[member] / peers->first[peers->members];
}

void gr_add_rows(const gr_peers *peers, const gr_params *p, void *at, size_t bytes,
                 gr_transfers *t) {
    uint32_t me = peers->member;
    for (uint32_t from = 0; at && from < peers->members; from++) {
        gr_individuals own = gr_share_of_individuals(peers, from, p);
        for (uint32_t to = 0; to < peers->members; to++)
            if (from != to && (from == me || to == me))
                add(t, (char *)at + own.first * bytes, own.count * bytes, from, to);
    }
}

void gr_list_individuals(const gr_peers *peers, const gr_state *s, uint32_t generation,
                         gr_transfers *t) {
    const gr_params *p = &s->p;
    uint32_t b = generation & 1, tree = p->genotype == GR_TREE;
    t->count = 0;
    gr_add_rows(peers, p, s->individuals[b], sizeof *s->individuals[b], t);
    gr_add_rows(peers, p, s->branches[b], gr_branch_words(p) * sizeof *s->branches[b], t);
    gr_add_rows(peers, p, s->expressions, p->max_nodes * sizeof *s->expressions, t);
    if (gr_fits_beside(p)) {
        gr_add_rows(peers, p, s->constants[b], GR_FIT_CONSTANTS * sizeof *s->constants[b], t);
        gr_add_rows(peers, p, s->origins[b], GR_FIT_CONSTANTS * sizeof *s->origins[b], t);
    }
    if (tree)
        gr_add_rows(peers, p, s->trees[b], p->max_nodes * sizeof *s->trees[b], t);
    else
        gr_add_rows(peers, p, s->genomes[b], p->genome_capacity * sizeof *s->genomes[b], t);
    gr_add_rows(peers, p, s->programs, p->max_nodes * sizeof *s->programs, t);
    gr_add_rows(peers, p, s->fitted, p->thresholds * sizeof *s->fitted, t);
    for (size_t row = 0; row < (size_t)p->train_chunks * p->sums; row++)
        gr_add_rows(peers, p, s->sums + row * p->individuals, sizeof *s->sums, t);
}
