/* The spread backend's engine, for its own files. */
#ifndef GRAMPUS_SPREAD_INTERNAL_H
#define GRAMPUS_SPREAD_INTERNAL_H

#include "host/cpu/team.h"
#include "host/spread/board.h"
#include "host/spread/crew.h"
#include "host/spread/shares.h"
#include "host/spread/spread.h"

#include <stdatomic.h>

struct gr_engine {
    gr_spread spread;
    gr_job job; /* of all; its arrays are whoever opened it's, and stay while the engine is open */
    gr_shares shares;
    gr_member *members;       /* [spread.members] */
    gr_board *board;          /* members on threads without devices */
    struct gr_common *common; /* memory of devices that share the population's; NULL: none */
    volatile int broken;
    gr_record *records; /* [epoch][demes] of the last epoch's generations */
    uint32_t generations;
    gr_team *team;         /* NULL: not needed so far */
    uint32_t most;         /* generations of the next epoch, at most */
    uint32_t done;         /* generations selected */
    uint32_t *selected;    /* [members] by each */
    int restored, repeats; /* from a snapshot; whose last generation is the first selected */
    /* [demes] best so far and since when, by the records */
    float *best;
    uint32_t *since;
    atomic_int stop;
    double seconds, open_seconds;
    char lost[128]; /* cards that were lost on the way; "" */
    /* snapshots: put together, and parts on their way to members */
    gr_snapshot snapshot;
    char *memory;
    size_t room;
};

/* Calls of one kind by all members. */
gr_status gr_spread_call(gr_engine *e, gr_call_kind kind, gr_error *error);
/* How many members, from the first, have parts of the results: one where all have the same. */
uint32_t gr_spread_tellers(const gr_engine *e);
/* Calls of one kind by these. */
gr_status gr_spread_ask(gr_engine *e, gr_call_kind kind, gr_error *error);

/* As gr_backend has them. */
gr_status gr_spread_read(gr_engine *e, gr_section section, void *to, size_t size, gr_error *error);
gr_status gr_spread_read_at(gr_engine *e, gr_section section, size_t offset, void *to, size_t size,
                            gr_error *error);
gr_status gr_spread_snapshot(gr_engine *e, gr_snapshot *snapshot, gr_error *error);
gr_status gr_spread_await_snapshot(gr_engine *e, gr_error *error);
gr_status gr_spread_restore(gr_engine *e, const gr_snapshot *snapshot, gr_error *error);

#endif
