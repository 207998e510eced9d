/* Engines that have some islands each of the same runs, and what they exchange: how their islands
 * stand, and migrants. Or engines that breed the same individuals and evaluate each of them on some
 * of the training cases: they exchange what the chunks' cases add up to. Or engines that evaluate
 * some of the individuals each, and exchange their sums; on the CPU they breed no others, and
 * exchange these as well. All of them come by the same generations, and to every exchange in the
 * same order. */
#ifndef GRAMPUS_PEERS_H
#define GRAMPUS_PEERS_H

#include "gpu/backend/engine.h"
#include "gpu/core/state/state.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes from one engine to another; both list it. */
typedef struct gr_transfer {
    void *at; /* in the memory of the engine that lists it */
    size_t bytes;
    uint32_t from, to;
} gr_transfer;

enum { GR_PEERS_KEY = 128 };

typedef struct gr_peers {
    uint32_t members, member; /* how many, and which of them this engine is */
    /* [members + 1] a run's islands first[m] .. first[m + 1] - 1 are m's; with `cases` everybody
     * has all islands, and m these chunks of the training cases (of a sample: as large a part);
     * with `individuals` too, and m evaluates these of them */
    const uint32_t *first;
    uint32_t cases, individuals;
    /* with `individuals`, devices: memory of them all in one range of addresses, in which a member
     * has its own rows of the population alone, breeds these and reads those of the others; NULL:
     * every device has memory for all and breeds them all */
    struct gr_common *common;
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
    uint32_t count, capacity;
    int failed; /* no memory */
} gr_transfers;

/* Lists that of all standings. */
void gr_list_standings(const gr_peers *peers, const gr_state *state, gr_transfers *transfers);
/* Lists those of migrants that islands on other engines take behind the generation: whole islands'
 * emigrants, those of neighbours together. */
void gr_list_migrants(const gr_peers *peers, const gr_state *state, uint32_t generation,
                      gr_transfers *transfers);
void gr_transfers_free(gr_transfers *transfers);

/* ---- training cases that engines have shares of ---- */

typedef struct gr_chunks {
    uint32_t first, count;
} gr_chunks;
/* Which of `chunks` chunks of training cases a member evaluates. All where cases are not shared;
 * peers may be NULL. */
gr_chunks gr_share_of_chunks(const gr_peers *peers, uint32_t member, uint32_t chunks);
/* Those whose tiles a job brings. All of them where something else looks at training cases. */
gr_chunks gr_chunks_of_job(const gr_job *job);
/* The parameters, and the state, with which an evaluation of all training cases is that of this
 * engine's. */
gr_params gr_params_of_share(const gr_params *p, const gr_peers *peers);
gr_state gr_state_of_share(const gr_state *state, const gr_peers *peers);
/* Lists what everybody's chunks have added up to: the sums, which everybody then has as if it had
 * evaluated all; or with fitted classes the counts, those of others into arrived[members - 1][n]
 * (gr_bin_counts each), to be added (devices have NCCL add them). */
void gr_list_sums(const gr_peers *peers, const gr_state *state, uint32_t *arrived,
                  gr_transfers *transfers);

/* ---- individuals that engines have shares of ---- */

typedef struct gr_individuals {
    uint32_t first, count;
} gr_individuals;
/* Which of all a member evaluates, on the CPU breeds too; peers may be NULL. */
gr_individuals gr_share_of_individuals(const gr_peers *peers, uint32_t member, const gr_params *p);
/* Of the pages of an array with a row for every individual, in common memory, the first that stands
 * with a member or one behind it. */
size_t gr_page_of_member(const gr_peers *peers, uint32_t member, size_t pages);
/* Lists everybody's individuals of a generation as breeding and evaluation on the CPU leave them:
 * genotypes, programs and sums, fitted thresholds, and expressions whose constants are to be
 * fitted. */
void gr_list_individuals(const gr_peers *peers, const gr_state *state, uint32_t generation,
                         gr_transfers *transfers);

/* Adds everybody's part of an array of a row for every individual (NULL: the run has none). */
void gr_add_rows(const gr_peers *peers, const gr_params *p, void *at, size_t bytes,
                 gr_transfers *transfers);

/* What they have to exchange behind a generation: how they stand, where that decides whether the
 * run goes on, and migrants. */
enum { GR_PEERS_SETTLE = 1, GR_PEERS_MIGRATE = 2 };
uint32_t gr_peers_meet(const gr_params *p, uint32_t generation);

#ifdef __cplusplus
}
#endif

#endif
