/* Sets of positions in a text, one for every pair (key, row): words of 64 positions, of which those
 * that have any stand in a hash. Two sets are compared 64 positions at a time. */
#ifndef GRAMPUS_POSITIONS_H
#define GRAMPUS_POSITIONS_H

#include <stdint.h>

typedef struct gr_position_word {
    uint64_t bits;
    uint32_t key, row, number; /* positions 64 * number, ... */
    uint32_t next;             /* word of a list, or GR_NONE */
} gr_position_word;

/* All zeros: no set has anything. */
typedef struct gr_positions {
    gr_position_word *word;
    uint32_t count, capacity;
    uint32_t *table; /* hash to word */
    uint32_t slots;
} gr_positions;

/* A word that is new is put before *list, if there is one. 0: no memory. */
int gr_positions_add(gr_positions *sets, uint32_t key, uint32_t row, uint32_t position,
                     uint32_t *list);
uint64_t gr_positions_bits(const gr_positions *sets, uint32_t key, uint32_t row, uint32_t number);
void gr_positions_free(gr_positions *sets);

#endif
