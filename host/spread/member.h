/* A member of a crew: an engine that has a share of a run, and what it is to do. */
#ifndef GRAMPUS_MEMBER_H
#define GRAMPUS_MEMBER_H

#include "gpu/backend/engine.h"
#include "gpu/backend/peers.h"
#include "gpu/backend/snapshot.h"
#include "host/spread/transport.h"

#include <pthread.h>

typedef enum gr_call_kind {
    GR_CALL_SPEED,
    GR_CALL_OPEN,
    GR_CALL_ADVANCE,
    GR_CALL_RANK,
    GR_CALL_READ,
    GR_CALL_SNAPSHOT,
    GR_CALL_AWAIT,
    GR_CALL_RESTORE,
    GR_CALL_AGAIN,
    GR_CALL_CLOSE,
    GR_CALL_LEAVE
} gr_call_kind;

/* What a member is to do, and what came of it. */
typedef struct gr_call {
    gr_call_kind kind;
    /* ADVANCE: whether the run is to end with the next generation; how many the epoch has, at most;
     * who is told how far it is */
    int stop;
    uint32_t most;
    void (*tick)(void *context, uint32_t generations);
    void *context;
    uint32_t done;      /* AGAIN: opened anew, it does as many generations as all had done first */
    gr_section section; /* READ */
    size_t size;
    void *data;           /* READ: [size], the caller's */
    gr_snapshot snapshot; /* RESTORE, and what SNAPSHOT gives */
    /* what came of it */
    gr_error error; /* .status GR_OK: nothing went wrong */
    const gr_record *records;
    uint32_t generations;
    int finished;
    int asked; /* ADVANCE: a signal asked its process to stop */
    double speed;
    gr_engine_report report; /* as of the last call that does something */
    gr_traffic traffic;
} gr_call;

typedef struct gr_member {
    gr_job job; /* its share */
    gr_params validating, other;
    gr_peers peers;
    const gr_backend *backend;
    gr_engine *engine;
    int rank; /* of the process it lives in, or -1: this one */
    const gr_transport *transport;
    gr_call call;
    /* of a thread */
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int threaded, busy, quits;
    /* of another process: what its answers are kept in */
    void *answer, *copy;
    size_t answer_room, copy_room;
} gr_member;

/* Does member->call by its engine, here. */
void gr_member_serve(gr_member *member);

#endif
