#include "host/spread/remote.h"

#include "gpu/core/fitness/fitness.h"
#include "gpu/core/selection/diversity.h"

#include <stdlib.h>
#include <string.h>

/* Arrays of a job, and their bytes. */
#define GR_JOB_ARRAYS(ARRAY)                                                                       \
    ARRAY(types, job->type_words * sizeof *job->types)                                             \
    ARRAY(grammar, job->grammar_words * sizeof *job->grammar)                                      \
    ARRAY(seeds, p->seeds ? p->seed_nodes * sizeof *job->seeds : 0)                                \
    ARRAY(seed_first, p->seeds ? (p->seeds + 1) * sizeof *job->seed_first : 0)                     \
    ARRAY(terminals, job->terminal_count * sizeof *job->terminals)                                 \
    ARRAY(train, gr_chunks_of_job(job).count *tile)                                                \
    ARRAY(test, p->test_chunks *tile)                                                              \
    ARRAY(targets, p->linear_scaling                                                               \
                       ? (p->train_chunks + (size_t)p->test_chunks) * sizeof *job->targets         \
                       : 0)                                                                        \
    ARRAY(validation, p->validation_chunks *tile)                                                  \
    ARRAY(validation_targets,                                                                      \
          p->linear_scaling ? p->validation_chunks * sizeof *job->validation_targets : 0)

typedef struct request {
    gr_call_kind kind;
    int stop, code;
    uint32_t most;
    gr_section section;
    size_t size;
    gr_snapshot snapshot;
    /* OPEN */
    int cuda;
    gr_job job;
    gr_params validating, other;
    gr_peers peers;
} request;

typedef struct answer {
    gr_error error;
    uint32_t generations;
    int finished, asked;
    size_t bytes; /* that follow */
    gr_snapshot snapshot;
    gr_engine_report report;
    gr_traffic traffic;
    double speed;
} answer;

/* ---- who leads ---- */

static void send_job(const gr_transport *t, const gr_member *m) {
    const gr_job *job = &m->job;
    const gr_params *p = &job->params;
    size_t tile = gr_tile_of(p) * sizeof(float);
    if (m->peers.members)
        t->send(m->peers.first, (m->peers.members + 1) * sizeof *m->peers.first, m->rank);
#define GR_SEND_ARRAY(field, bytes)                                                                \
    if ((bytes) > 0)                                                                               \
        t->send(job->field, bytes, m->rank);
    GR_JOB_ARRAYS(GR_SEND_ARRAY)
}

void gr_remote_post(gr_member *m) {
    const gr_transport *t = m->transport;
    const gr_call *c = &m->call;
    request r = {.kind = c->kind,
                 .stop = c->stop,
                 .most = c->most,
                 .section = c->section,
                 .size = c->size,
                 .snapshot = c->snapshot,
                 .cuda = m->backend != &gr_backend_cpu};
    if (c->kind == GR_CALL_OPEN) {
        r.job = m->job;
        r.validating = m->validating;
        r.other = m->other;
        r.peers = m->peers;
    }
    t->send(&r, sizeof r, m->rank);
    if (c->kind == GR_CALL_OPEN)
        send_job(t, m);
    else if (c->kind == GR_CALL_RESTORE)
        t->send(c->snapshot.memory, c->snapshot.bytes, m->rank);
}

/* Room for an answer of so many bytes; it lasts until the next one. */
static void *room_for(void **memory, size_t *room, size_t bytes) {
    if (*room < bytes) {
        free(*memory);
        *memory = malloc(bytes);
        *room = *memory ? bytes : 0;
    }
    return *memory;
}

/* What follows an answer. */
static void collect_bytes(gr_member *m, size_t bytes) {
    gr_call *c = &m->call;
    void *to = c->kind == GR_CALL_READ       ? c->data
               : c->kind == GR_CALL_SNAPSHOT ? room_for(&m->copy, &m->copy_room, bytes)
                                             : room_for(&m->answer, &m->answer_room, bytes);
    char part[4096];
    for (size_t left = bytes; !to && left;) { /* nowhere to keep it */
        size_t some = left < sizeof part ? left : sizeof part;
        m->transport->receive(part, some, m->rank);
        left -= some;
    }
    if (!to) {
        gr_fail(&c->error, GR_NO_MEMORY, "no memory for %.1f MB of process %d", (double)bytes / 1e6,
                m->rank);
        return;
    }
    m->transport->receive(to, bytes, m->rank);
    if (c->kind == GR_CALL_SNAPSHOT)
        c->snapshot.memory = to;
    else if (c->kind == GR_CALL_ADVANCE)
        c->records = to;
}

void gr_remote_collect(gr_member *m) {
    gr_call *c = &m->call;
    answer a;
    if (!m->transport->receive(&a, sizeof a, m->rank)) {
        gr_fail(&c->error, GR_DEVICE_FAILED, "process %d does not answer", m->rank);
        return;
    }
    c->error = a.error;
    c->generations = a.generations;
    c->finished = a.finished;
    c->asked = a.asked;
    c->speed = a.speed;
    c->report = a.report;
    c->traffic = a.traffic;
    if (c->kind == GR_CALL_SNAPSHOT)
        c->snapshot = a.snapshot;
    if (a.bytes)
        collect_bytes(m, a.bytes);
}

void gr_remote_dismiss(const gr_transport *t, int code) {
    request r = {.kind = GR_CALL_LEAVE, .code = code};
    for (int rank = 1; rank < t->size; rank++)
        t->send(&r, sizeof r, rank);
}

/* ---- the others ---- */

/* The job that follows a request; its arrays are the caller's to free. */
static int receive_job(const gr_transport *t, const request *r, gr_member *m, uint32_t **first) {
    gr_job *job = &m->job;
    m->peers = r->peers;
    m->validating = r->validating;
    m->other = r->other;
    *job = r->job;
    const gr_params *p = &job->params;
    size_t tile = gr_tile_of(p) * sizeof(float);
    int complete = 1;
    job->validating = r->job.validating ? &m->validating : NULL;
    job->other = r->job.other ? &m->other : NULL;
    job->peers = NULL;
    if (m->peers.members) {
        size_t bytes = (m->peers.members + 1) * sizeof **first;
        free(*first);
        *first = malloc(bytes);
        if (!*first || !t->receive(*first, bytes, 0))
            return 0;
        m->peers.first = *first;
        m->peers.exchange = t->exchange;
        m->peers.context = NULL;
        m->peers.broken = NULL;
        job->peers = &m->peers;
    }
#define GR_RECEIVE_ARRAY(field, bytes)                                                             \
    job->field = NULL;                                                                             \
    if ((bytes) > 0) {                                                                             \
        void *memory = malloc(bytes);                                                              \
        complete &= memory && t->receive(memory, bytes, 0);                                        \
        job->field = memory;                                                                       \
    }
    GR_JOB_ARRAYS(GR_RECEIVE_ARRAY)
    return complete;
}

static void free_job(gr_job *job) {
    const gr_params *p = &job->params;
    size_t tile = gr_tile_of(p) * sizeof(float);
#define GR_FREE_ARRAY(field, bytes)                                                                \
    if ((bytes) > 0)                                                                               \
        free((void *)(uintptr_t)job->field);
    GR_JOB_ARRAYS(GR_FREE_ARRAY)
}

static const gr_backend *backend_of(const request *r) {
#ifdef GRAMPUS_CUDA
    if (r->cuda)
        return &gr_backend_cuda;
#endif
    return r->cuda ? NULL : &gr_backend_cpu;
}

/* Does a call; the arrays of a job are needed until the engine is open. */
static int serve(const gr_transport *t, const request *r, gr_member *m, uint32_t **first) {
    gr_call *c = &m->call;
    c->kind = r->kind;
    c->stop = r->stop;
    c->most = r->most;
    c->section = r->section;
    c->size = r->size;
    c->data = NULL;
    c->error = (gr_error){GR_OK, ""};
    m->backend = backend_of(r);
    if (r->kind == GR_CALL_OPEN && !receive_job(t, r, m, first))
        return 0;
    if (!m->backend)
        gr_fail(&c->error, GR_DEVICE_FAILED, "process %d was built without CUDA", t->rank);
    if (r->kind == GR_CALL_RESTORE) {
        c->snapshot = r->snapshot;
        c->snapshot.memory = m->copy = malloc(r->snapshot.bytes);
        if (!m->copy || !t->receive(m->copy, r->snapshot.bytes, 0))
            return 0;
    }
    if (r->kind == GR_CALL_OPEN && m->engine) { /* of a run that was left */
        m->backend->close(m->engine);
        m->engine = NULL;
    }
    if (r->kind == GR_CALL_READ && !(c->data = malloc(r->size)))
        gr_fail(&c->error, GR_NO_MEMORY, "no memory for %.1f MB", (double)r->size / 1e6);
    if (!c->error.status)
        gr_member_serve(m);
    if (r->kind == GR_CALL_SNAPSHOT && !c->error.status)
        m->backend->await_snapshot(m->engine, &c->error);
    if (r->kind == GR_CALL_OPEN)
        free_job(&m->job);
    if (r->kind == GR_CALL_RESTORE) {
        free(m->copy);
        m->copy = NULL;
    }
    return 1;
}

static int give_answer(const gr_transport *t, const gr_member *m, int asked) {
    const gr_call *c = &m->call;
    const void *data = c->kind == GR_CALL_READ       ? c->data
                       : c->kind == GR_CALL_SNAPSHOT ? c->snapshot.memory
                       : c->kind == GR_CALL_ADVANCE  ? (const void *)c->records
                                                     : NULL;
    answer a = {.error = c->error,
                .generations = c->generations,
                .finished = c->finished,
                .asked = asked,
                .snapshot = c->snapshot,
                .report = c->report,
                .traffic = c->traffic,
                .speed = c->speed};
    a.bytes = c->error.status               ? 0
              : c->kind == GR_CALL_READ     ? c->size
              : c->kind == GR_CALL_SNAPSHOT ? c->snapshot.bytes
              : c->kind == GR_CALL_ADVANCE
                  ? c->generations * (size_t)gr_demes(&m->job.params) * sizeof(gr_record)
                  : 0;
    return t->send(&a, sizeof a, 0) && (!a.bytes || t->send(data, a.bytes, 0));
}

int gr_remote_serve(const gr_transport *t, volatile int *asked) {
    gr_member m = {.rank = -1, .backend = &gr_backend_cpu};
    uint32_t *first = NULL;
    request r;
    int code = GR_DEVICE_FAILED, goes_on = 1;
    while (goes_on && t->receive(&r, sizeof r, 0)) {
        if (r.kind == GR_CALL_LEAVE) {
            code = r.code;
            break;
        }
        goes_on = serve(t, &r, &m, &first) && give_answer(t, &m, *asked);
        if (r.kind == GR_CALL_READ)
            free(m.call.data);
    }
    free(first);
    return code;
}
