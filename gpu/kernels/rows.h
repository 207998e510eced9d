/* Arrays of a row for every individual of which only the first words are in use: they travel
 * without the rest from one device to another that share a population. */
#ifndef GR_ROWS_H
#define GR_ROWS_H

#include "gpu/kernels/kernels.h"

enum {
    GR_ROWS_TILE = 1024, /* individuals that a block packs; a member's end with one of their own */
    GR_ROWS_KINDS = 2    /* genotypes, programs */
};

/* Individuals of a member, and the number of their first tile. */
typedef struct gr_row_range {
    uint32_t first, count, tile;
} gr_row_range;

uint32_t gr_row_tiles(uint32_t individuals);
size_t gr_packed_bytes(const gr_params *p); /* at most, of a kind */

/* Notes in words[kind][tiles + 1] how many the rows of a tile have. */
cudaError_t gr_launch_count_rows(const gr_state *state, uint32_t buffer, gr_row_range range,
                                 uint64_t *words, uint32_t tiles, cudaStream_t stream);
/* Makes of that where each tile begins; behind the last: where all end. */
cudaError_t gr_launch_place_rows(uint64_t *words, uint32_t tiles, cudaStream_t stream);
/* Rows of a kind to `packed`, or back. begins: of this kind. */
cudaError_t gr_launch_pack_rows(const gr_state *state, uint32_t buffer, uint32_t kind,
                                gr_row_range range, const uint64_t *begins, uint32_t *packed,
                                int back, cudaStream_t stream);

#endif
