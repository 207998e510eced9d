#include "host/derivation/positions.h"

#include "host/grammar/internal.h"

#include <stdlib.h>

static uint32_t *slot_of(const gr_positions *s, uint32_t key, uint32_t row, uint32_t number) {
    uint64_t h = ((uint64_t)key * 0x9e3779b97f4a7c15u) ^
                 (((uint64_t)row << 32 | number) * 0xbf58476d1ce4e5b9u);
    uint32_t at = (uint32_t)(h ^ h >> 29 ^ h >> 47) & (s->slots - 1);
    for (;; at = (at + 1) & (s->slots - 1)) {
        const gr_position_word *w = s->table[at] == GR_NONE ? NULL : &s->word[s->table[at]];
        if (!w || (w->key == key && w->row == row && w->number == number))
            return &s->table[at];
    }
}

/* Room for a word more. */
static int grow(gr_positions *s) {
    gr_position_word *word = gr_grown(s->word, s->count, &s->capacity, sizeof *word);
    s->word = word ? word : s->word;
    if (!word || 2 * s->count < s->slots)
        return word != NULL;
    if (!gr_slots_grown(&s->table, &s->slots, 256))
        return 0;
    for (uint32_t i = 0; i < s->count; i++)
        *slot_of(s, word[i].key, word[i].row, word[i].number) = i;
    return 1;
}

int gr_positions_add(gr_positions *s, uint32_t key, uint32_t row, uint32_t position,
                     uint32_t *list) {
    if (!grow(s))
        return 0;
    uint32_t *slot = slot_of(s, key, row, position / 64);
    if (*slot == GR_NONE) {
        *slot = s->count++;
        s->word[*slot] = (gr_position_word){0, key, row, position / 64, list ? *list : GR_NONE};
        if (list)
            *list = *slot;
    }
    s->word[*slot].bits |= (uint64_t)1 << position % 64;
    return 1;
}

uint64_t gr_positions_bits(const gr_positions *s, uint32_t key, uint32_t row, uint32_t number) {
    uint32_t at = s->slots ? *slot_of(s, key, row, number) : GR_NONE;
    return at == GR_NONE ? 0 : s->word[at].bits;
}

void gr_positions_free(gr_positions *s) {
    free(s->word);
    free(s->table);
    *s = (gr_positions){0};
}
