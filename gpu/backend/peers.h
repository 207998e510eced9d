/* Engines that have some islands each of the same runs, and what they exchange: how their islands
 * stand, and migrants. All of them select and breed the same generations, and come to every
 * exchange in the same order. */
#ifndef GRAMPUS_PEERS_H
#define GRAMPUS_PEERS_H

#include "gpu/backend/error.h"
#include "gpu/core/state/state.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes at the same place of an array of both engines, from one to the other. */
typedef struct gr_transfer {
    void *at; /* in the memory of the engine that lists it */
    size_t bytes;
    uint32_t from, to;
} gr_transfer;

enum { GR_PEERS_KEY = 128 };

typedef struct gr_peers {
    uint32_t members, member; /* how many, and which of them this engine is */
    const uint32_t *first; /* [members + 1] a run's islands first[m] .. first[m + 1] - 1 are m's */
    /* Engines with host memory: all transfers of the list are done when it returns. */
    gr_status (*exchange)(void *context, const gr_transfer *list, uint32_t count, gr_error *error);
    void *context;
    /* Devices: what their communicator is made with. */
    unsigned char key[GR_PEERS_KEY];
    /* Set by any thread: another engine has failed, and nobody may wait for it any more. */
    volatile int *broken;
} gr_peers;

/* Transfers of one exchange that this engine has a part in, in an order on which any two engines
 * agree. */
typedef struct gr_transfers {
    gr_transfer *list;
    uint32_t count, room;
    int failed; /* no memory */
} gr_transfers;

/* Lists that of all standings. */
void gr_list_standings(const gr_peers *peers, const gr_state *state, gr_transfers *transfers);
/* Lists those of migrants that islands on other engines take behind the generation: whole islands'
 * emigrants, those of neighbours together. */
void gr_list_migrants(const gr_peers *peers, const gr_state *state, uint32_t generation,
                      gr_transfers *transfers);
void gr_transfers_free(gr_transfers *transfers);

/* What they have to exchange behind a generation: how they stand, where that decides whether the
 * run goes on, and migrants. */
enum { GR_PEERS_SETTLE = 1, GR_PEERS_MIGRATE = 2 };
uint32_t gr_peers_meet(const gr_params *p, uint32_t generation);

#ifdef __cplusplus
}
#endif

#endif
