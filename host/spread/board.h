/* Exchanges between engines on threads of one process, which are there at the same time: each posts
 * the transfers of its list, and takes its own from the others' memory. */
#ifndef GRAMPUS_BOARD_H
#define GRAMPUS_BOARD_H

#include "gpu/backend/peers.h"

typedef struct gr_board gr_board;

gr_board *gr_board_open(uint32_t members); /* NULL: no memory */
void gr_board_close(gr_board *board);
/* The `context` of a member's gr_peers, whose `exchange` is gr_board_exchange. */
void *gr_board_seat(gr_board *board, uint32_t member);
gr_status gr_board_exchange(void *seat, const gr_transfer *list, uint32_t count, gr_error *error);

#endif
