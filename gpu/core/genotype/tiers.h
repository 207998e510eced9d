/* Words in a row, some of which wait (GR_WAITS), in an array without room to spare: the one that
 * waits behind so many others is found, and words are put in and taken out anywhere, in far fewer
 * steps than there are words.
 *
 * The array is cut into blocks, each a ring that begins anywhere in it; all but the last are full.
 * What is put into one pushes its last word to the front of the next, and so on, a word a block. A
 * block has two words in `blocks`: where its ring begins, and how many of its words wait. */
#ifndef GR_TIERS_H
#define GR_TIERS_H

#include "gpu/core/base/portable.h"
#include "gpu/core/program/node.h"

#define GR_WAITS 0x80000000u
enum { GR_LEAST_TIER = 16 };

typedef struct gr_tiers {
    uint32_t *words;
    gr_words blocks;
    uint32_t capacity, size; /* of the array; of a block */
    uint32_t count, waiting; /* words; those of them that wait */
} gr_tiers;

/* A place: word `offset` of the ring of a block. */
typedef struct gr_spot {
    uint32_t block, offset;
} gr_spot;

/* No words yet. Blocks as long as there are of them take the fewest steps; `most` may be. */
GR_FN gr_tiers gr_tiers_start(uint32_t *words, uint32_t capacity, gr_words blocks, uint32_t most) {
    gr_tiers t = {words, blocks, capacity, GR_LEAST_TIER, 0, 0};
    while (t.size < capacity / t.size)
        t.size *= 2;
    t.size = gr_max_u32(t.size, (capacity + most - 1) / most);
    for (uint32_t b = 0; b * t.size < capacity; b++)
        GR_AT(blocks, 2 * b) = GR_AT(blocks, 2 * b + 1) = 0;
    return t;
}

GR_FN uint32_t gr_ring_size(const gr_tiers *t, uint32_t block) {
    return gr_min_u32(t->size, t->capacity - block * t->size);
}
GR_FN uint32_t *gr_tier_word(const gr_tiers *t, gr_spot at) {
    uint32_t ring = gr_ring_size(t, at.block), k = GR_AT(t->blocks, 2 * at.block) + at.offset;
    return &t->words[at.block * t->size + (k < ring ? k : k - ring)];
}
GR_FN void gr_set_tier_word(gr_tiers *t, gr_spot at, uint32_t word) {
    uint32_t *old = gr_tier_word(t, at);
    uint32_t more = (word >> 31) - (*old >> 31); /* one, none, or one less */
    GR_AT(t->blocks, 2 * at.block + 1) += more;
    t->waiting += more;
    *old = word;
}

/* Where the word is that waits behind so many others that do. There is one. */
GR_FN gr_spot gr_waiting_spot(const gr_tiers *t, uint32_t others) {
    gr_spot at = {0, 0};
    for (uint32_t here; others >= (here = GR_AT(t->blocks, 2 * at.block + 1)); at.block++)
        others -= here;
    while (!(*gr_tier_word(t, at) & GR_WAITS) || others-- > 0)
        at.offset++;
    return at;
}

GR_FN gr_spot gr_next_spot(const gr_tiers *t, gr_spot at) {
    at.offset++;
    if (at.offset == t->size) {
        at.block++;
        at.offset = 0;
    }
    return at;
}

/* Puts a word in; the one that stood there and all behind it move up. There is room. */
GR_FN void gr_put_in(gr_tiers *t, gr_spot at, uint32_t word) {
    uint32_t last = t->count / t->size, carried = word;
    uint32_t end = at.block < last ? t->size : t->count % t->size + 1;
    GR_AT(t->blocks, 2 * at.block + 1) += word >> 31;
    t->waiting += word >> 31;
    for (gr_spot k = at; k.offset < end; k.offset++) {
        uint32_t *here = gr_tier_word(t, k), moved = *here;
        *here = carried;
        carried = moved;
    }
    for (uint32_t b = at.block; b < last; b++) { /* the last slot of a ring becomes its first */
        uint32_t *ring = &GR_AT(t->blocks, 2 * (b + 1));
        *ring = (*ring ? *ring : gr_ring_size(t, b + 1)) - 1;
        GR_AT(t->blocks, 2 * b + 1) -= carried >> 31;
        GR_AT(t->blocks, 2 * b + 3) += carried >> 31;
        uint32_t *front = &t->words[(b + 1) * t->size + *ring], moved = *front;
        *front = carried;
        carried = moved;
    }
    t->count++;
}

/* Takes a word out, all behind it move down. */
GR_FN void gr_take_out(gr_tiers *t, gr_spot at) {
    uint32_t last = --t->count / t->size, carried = 0;
    gr_set_tier_word(t, at, 0);
    for (uint32_t b = last; b > at.block; b--) { /* the first slot of a ring becomes its last */
        uint32_t *ring = &GR_AT(t->blocks, 2 * b), *front = &t->words[b * t->size + *ring];
        uint32_t moved = *front;
        *front = carried;
        *ring = *ring + 1 == gr_ring_size(t, b) ? 0 : *ring + 1;
        GR_AT(t->blocks, 2 * b + 1) -= moved >> 31;
        GR_AT(t->blocks, 2 * b - 1) += moved >> 31;
        carried = moved;
    }
    uint32_t end = at.block < last ? t->size : t->count % t->size + 1;
    for (gr_spot k = {at.block, end}; k.offset-- > at.offset;) {
        uint32_t *here = gr_tier_word(t, k), moved = *here;
        *here = carried;
        carried = moved;
    }
}

GR_FN void gr_turn_round(uint32_t *words, uint32_t first, uint32_t behind) {
    for (; first + 1 < behind; first++) {
        uint32_t word = words[first];
        words[first] = words[--behind];
        words[behind] = word;
    }
}

/* All words in a row from the array's first on; they can be put in and taken out no more. */
GR_FN void gr_tiers_end(const gr_tiers *t) {
    for (uint32_t b = 0; b * t->size < t->count; b++) {
        uint32_t *words = &t->words[b * t->size], ring = gr_ring_size(t, b);
        gr_turn_round(words, 0, GR_AT(t->blocks, 2 * b));
        gr_turn_round(words, GR_AT(t->blocks, 2 * b), ring);
        gr_turn_round(words, 0, ring);
    }
}

#endif
