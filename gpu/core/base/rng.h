/* Random numbers: Philox4x32-10, counter based, nothing stored.
 *
 * key = seed of the run; counter = (block of four draws, individual, generation, purpose | island
 * << 8). A draw depends on these alone, never on thread, launch shape or the order of work. The
 * device uses cuRAND's Philox, the host Random123's; a test holds both to the published vectors. */
#ifndef GR_RNG_H
#define GR_RNG_H

#include "gpu/core/base/params.h"

#ifdef __CUDACC__
#include <curand_philox4x32_x.h>
#else
#include "gpu/core/base/philox_vector.h"
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#include <Random123/philox.h>
#pragma GCC diagnostic pop
#endif

/* What is drawn for, each from a stream of its own: the counter's purpose, and a part of it. Parts
 * take the two highest bits of the individual's number, which is below 2^30. SAMPLE, whose counters
 * belong to no individual, has the highest bit of the purpose's word: neither DATA nor SAMPLE is
 * ever repeated (gr_repeated). */
#define GR_PURPOSES(PURPOSE)                                                                       \
    PURPOSE(INIT, 1, 0)            /* derivations and trees of the first generation */             \
    PURPOSE(INIT_GENES, 1, 1)      /* codons of genotypes that are not read depth first */         \
    PURPOSE(INIT_TAIL, 1, 2)       /* codons behind a derivation, by position */                   \
    PURPOSE(SELECT, 2, 0)          /* a pair's parents: contestants, or all for the first one */   \
    PURPOSE(SELECT_SECOND, 2, 2)   /* all for the second one */                                    \
    PURPOSE(CROSSOVER, 3, 0)       /* of a pair */                                                 \
    PURPOSE(CROSSOVER_MIX, 3, 1)   /* which codons or lists a pair exchanges */                    \
    PURPOSE(CROSSOVER_AGAIN, 3, 2) /* of a child alone, that is drawn again */                     \
    PURPOSE(MUTATION, 4, 0)                                                                        \
    PURPOSE(MUTATION_BRANCH, 4, 1)      /* new branches of a derivation */                         \
    PURPOSE(MUTATION_DUPLICATION, 4, 2) /* duplication and deletion of codons */                   \
    PURPOSE(MUTATION_GENES, 4, 3)       /* genes drawn where a list ends */                        \
    PURPOSE(DATA, 5, 0)                 /* fitness cases that are made up */                       \
    PURPOSE(SAMPLE, 5, 4)               /* which cases a sample takes */                           \
    PURPOSE(PARSIMONY, 6, 0)                                                                       \
    PURPOSE(FITTING, 6, 1)    /* whose constants are fitted */                                     \
    PURPOSE(EMIGRANTS, 7, 0)  /* of an island */                                                   \
    PURPOSE(IMMIGRANTS, 7, 1) /* whose places they take */                                         \
    PURPOSE(ROUTES, 7, 2)     /* between the islands of a run */                                   \
    PURPOSE(LEXICASE, 8, 0)   /* a parent's order of cases, of a pair the first one's */           \
    PURPOSE(LEXICASE_SECOND, 8, 1)                                                                 \
    PURPOSE(LEXICASE_CASES, 8, 2) /* which cases it looks at */
#define GR_PURPOSE_PART(purpose) ((uint32_t)(purpose) >> 8)
typedef enum gr_purpose {
#define GR_PURPOSE(name, number, part) GR_PURPOSE_##name = number | part << 8,
    GR_PURPOSES(GR_PURPOSE)
#undef GR_PURPOSE
} gr_purpose;

/* The words of the counter that hold them. */
GR_FN uint32_t gr_purpose_word(gr_purpose purpose, uint32_t island) {
    return ((uint32_t)purpose & 0xffu) | island << 8 | GR_PURPOSE_PART(purpose) >> 2 << 31;
}
GR_FN uint32_t gr_individual_word(gr_purpose purpose, uint32_t individual) {
    return individual | GR_PURPOSE_PART(purpose) << 30;
}

typedef struct gr_block {
    uint32_t word[4];
} gr_block;

GR_FN gr_block gr_philox(uint32_t c0, uint32_t c1, uint32_t c2, uint32_t c3, uint32_t k0,
                         uint32_t k1) {
    gr_block out;
#ifdef __CUDACC__
    uint4 r = curand_Philox4x32_10(make_uint4(c0, c1, c2, c3), make_uint2(k0, k1));
    out.word[0] = r.x, out.word[1] = r.y, out.word[2] = r.z, out.word[3] = r.w;
#else
    philox4x32_ctr_t counter = {{c0, c1, c2, c3}};
    philox4x32_key_t key = {{k0, k1}};
    philox4x32_ctr_t r = philox4x32(counter, key);
    for (int i = 0; i < 4; i++)
        out.word[i] = r.v[i];
#endif
    return out;
}

/* The draws of one individual for one purpose: by block for lanes that share them, or one after
 * another. */
typedef struct gr_random {
    uint32_t key[2], individual, generation, purpose;
    uint32_t drawn; /* words taken by gr_next */
    gr_block block;
    /* A warp whose lanes all draw the same has a word a lane, from number `first` on; 0 lanes:
     * everybody draws for himself. */
    uint32_t lanes, first, word;
} gr_random;

/* `individual` counts inside its deme (run and island), so that a run draws the same alone and
 * inside a batch. */
GR_FN gr_random gr_stream(const gr_params *p, gr_purpose purpose, uint32_t generation,
                          uint32_t deme, uint32_t individual) {
    gr_random r;
    uint64_t seed = ((uint64_t)p->seed[1] << 32 | p->seed[0]) + deme / p->islands;
    r.key[0] = (uint32_t)seed;
    r.key[1] = (uint32_t)(seed >> 32);
    r.individual = gr_individual_word(purpose, individual);
    r.generation = generation;
    r.purpose = gr_purpose_word(purpose, p->first_island + deme % p->islands);
    r.drawn = r.lanes = 0;
    return r;
}

/* Draws that all islands of a run have in common. */
GR_FN gr_random gr_run_stream(const gr_params *p, gr_purpose purpose, uint32_t generation,
                              uint32_t run) {
    gr_random r = gr_stream(p, purpose, generation, run * p->islands, 0);
    r.purpose = gr_purpose_word(purpose, 0);
    return r;
}

/* The stream of a draw's repetition, below 1024; islands are fewer than 2^14. */
GR_FN gr_random gr_repeated(gr_random r, uint32_t attempt) {
    r.purpose |= attempt << 22;
    return r;
}

/* One copy in a kernel for the many places that draw now and then: warps that do different things
 * share the instruction cache. */
GR_CALL gr_block gr_next_block(uint32_t block, uint32_t individual, uint32_t generation,
                               uint32_t purpose, uint32_t key0, uint32_t key1) {
    return gr_philox(block, individual, generation, purpose, key0, key1);
}

GR_FN gr_block gr_draw_block(const gr_random *r, uint32_t block) {
#ifdef GR_PLAIN_TREES /* little code */
    return gr_next_block(block, r->individual, r->generation, r->purpose, r->key[0], r->key[1]);
#else
    return gr_philox(block, r->individual, r->generation, r->purpose, r->key[0], r->key[1]);
#endif
}

/* Blocks that a loop draws at once, from number `first` on. By SSE2, which every processor of
 * x86-64 has, they take half the time of as many one after another, by AVX2 a quarter. */
#if defined(__SSE2__) && !defined(__CUDACC__)
enum { GR_BLOCKS = 8 };
GR_FN void gr_draw_blocks(const gr_random *r, uint32_t first, gr_block block[GR_BLOCKS]) {
    if (__builtin_cpu_supports("avx2")) {
        gr_philox_eight(first, r->individual, r->generation, r->purpose, r->key, block);
        return;
    }
    gr_philox_four(first, r->individual, r->generation, r->purpose, r->key, block);
    gr_philox_four(first + 4, r->individual, r->generation, r->purpose, r->key, block + 4);
}
#else
enum { GR_BLOCKS = 1 };
GR_FN void gr_draw_blocks(const gr_random *r, uint32_t first, gr_block block[GR_BLOCKS]) {
    block[0] = gr_draw_block(r, first);
}
#endif

/* The next word of a stream that a warp draws from. */
GR_FN uint32_t gr_next_of_warp(gr_random *r) {
#ifdef GR_HAS_WARPS
    if (r->drawn - r->first >= GR_LANES) {
        uint32_t number = r->drawn + threadIdx.x % GR_LANES, k = number & 3u;
        gr_block block = gr_next_block(number >> 2, r->individual, r->generation, r->purpose,
                                       r->key[0], r->key[1]);
        r->first = r->drawn;
        r->word = k == 0   ? block.word[0]
                  : k == 1 ? block.word[1]
                  : k == 2 ? block.word[2]
                           : block.word[3];
    }
    return __shfl_sync(0xffffffffu, r->word, (int)(r->drawn++ - r->first));
#else
    (void)r;
    return 0;
#endif
}

GR_FN uint32_t gr_next(gr_random *r) {
    uint32_t i = r->drawn & 3u;
    if (r->lanes)
        return gr_next_of_warp(r);
    if (i == 0)
        r->block = gr_next_block(r->drawn >> 2, r->individual, r->generation, r->purpose, r->key[0],
                                 r->key[1]);
    r->drawn++;
    return i == 0   ? r->block.word[0]
           : i == 1 ? r->block.word[1]
           : i == 2 ? r->block.word[2]
                    : r->block.word[3];
}

/* The stream of the first lane, for all lanes of the group to draw from together. */
GR_FN gr_random gr_shared_stream(const gr_random *of, gr_lane_group w) {
    gr_random r = *of;
    if (w.width == 1)
        return r;
    r.drawn = gr_from_first(w, r.drawn);
    r.lanes = w.width;
    r.first = r.drawn - GR_LANES; /* none yet */
    return r;
}

/* The same for whoever draws on by himself. */
GR_FN gr_random gr_own_stream(gr_random r) {
    if (r.lanes && r.drawn & 3u)
        r.block =
            gr_next_block(r.drawn >> 2, r.individual, r.generation, r.purpose, r.key[0], r.key[1]);
    r.lanes = 0;
    return r;
}

/* A word scaled to [0, n): the high half of the product. Uneven by less than n / 2^32. */
GR_FN uint32_t gr_scale(uint32_t word, uint32_t n) {
    return gr_mulhi(word, n);
}
GR_FN uint32_t gr_below(gr_random *r, uint32_t n) {
    return gr_scale(gr_next(r), n);
}

/* [0, 1) in steps of 2^-24, exact. */
GR_FN float gr_unit(uint32_t word) {
    return (float)(word >> 8) * 0x1p-24f;
}
/* How many of the 2^24 values of gr_unit are below a probability above 0: `word >> 8` below that is
 * a chance without arithmetic in floats, for loops that take many. */
GR_FN uint32_t gr_units_below(float probability) {
    float scaled = (probability < 1.0f ? probability : 1.0f) * 0x1p24f;
    uint32_t below = (uint32_t)scaled;
    return below + ((float)below < scaled);
}
GR_FN uint32_t gr_chance(gr_random *r, float probability) {
    return gr_unit(gr_next(r)) < probability;
}

/* One of the permutations of 0..n-1, that of a stream, at x, or where it has x (`back`): a Feistel
 * network of four rounds over the next power of four, walked until it lands inside. Needs no memory
 * and no order of work. */
GR_FN uint32_t gr_permuted_by(const gr_random *r, uint32_t n, uint32_t x, uint32_t back) {
    uint32_t half = 1;
    while (half < 16 && (uint64_t)1 << (2 * half) < n)
        half++;
    uint32_t mask = (1u << half) - 1;
    do {
        uint32_t left = x >> half, right = x & mask;
        for (uint32_t turn = 0; turn < 4; turn++) {
            uint32_t kept = back ? left : right, round = back ? 3 - turn : turn;
            gr_block block = gr_philox(kept, r->individual | round, r->generation, r->purpose,
                                       r->key[0], r->key[1]);
            uint32_t other = (back ? right : left) ^ (block.word[0] & mask);
            left = back ? other : kept;
            right = back ? kept : other;
        }
        x = left << half | right;
    } while (x >= n);
    return x;
}

#endif
