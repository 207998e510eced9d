#include "host/spread/crew.h"

#include "gpu/backend/cards.h"
#include "host/spread/remote.h"

#include <stdlib.h>
#include <string.h>

static double speed_of(const gr_member *m) {
#ifdef GRAMPUS_CUDA
    if (m->backend == &gr_backend_cuda)
        return gr_cuda_speed(m->job.card);
#endif
    (void)m;
    return 1.0;
}

static void serve_advance(gr_member *m, gr_call *c) {
    if (c->stop)
        m->backend->stop(m->engine);
    m->backend->advance(m->engine, c->tick, c->context, &c->records, &c->generations, &c->finished,
                        &c->error);
}

/* On another card: the same, as always. */
static void serve_again(gr_member *m, gr_call *c) {
    const gr_backend *b = m->backend;
    b->close(m->engine);
    m->engine = NULL;
    gr_status status = b->open(&m->job, &m->engine, &c->error);
    for (uint32_t k = 0; !status && k <= c->epochs; k++) {
        if (k == c->epochs && c->stop)
            b->stop(m->engine);
        status = b->advance(m->engine, NULL, NULL, &c->records, &c->generations, &c->finished,
                            &c->error);
    }
}

void gr_member_serve(gr_member *m) {
    const gr_backend *b = m->backend;
    gr_call *c = &m->call;
    c->error = (gr_error){GR_OK, ""};
    switch (c->kind) {
    case GR_CALL_SPEED:
        c->speed = speed_of(m);
        break;
    case GR_CALL_OPEN:
        b->open(&m->job, &m->engine, &c->error);
        break;
    case GR_CALL_ADVANCE:
        serve_advance(m, c);
        break;
    case GR_CALL_RANK:
        b->rank(m->engine, &c->error);
        break;
    case GR_CALL_READ:
        b->read(m->engine, c->section, c->data, c->size, &c->error);
        break;
    case GR_CALL_SNAPSHOT:
        b->snapshot(m->engine, &c->snapshot, &c->error);
        break;
    case GR_CALL_AWAIT:
        b->await_snapshot(m->engine, &c->error);
        break;
    case GR_CALL_RESTORE:
        b->restore(m->engine, &c->snapshot, &c->error);
        break;
    case GR_CALL_AGAIN:
        serve_again(m, c);
        break;
    case GR_CALL_CLOSE:
        if (m->engine)
            b->close(m->engine);
        m->engine = NULL;
        break;
    case GR_CALL_LEAVE:
        break;
    }
    if (!c->error.status && m->engine && c->kind != GR_CALL_AWAIT)
        b->report(m->engine, &c->report, &c->traffic);
    if (c->error.status && m->peers.broken) /* nobody waits for this one any more */
        *m->peers.broken = 1;
}

static void *work(void *context) {
    gr_member *m = context;
    pthread_mutex_lock(&m->mutex);
    for (;;) {
        while (!m->busy && !m->quits)
            pthread_cond_wait(&m->changed, &m->mutex);
        if (m->quits)
            break;
        pthread_mutex_unlock(&m->mutex);
        gr_member_serve(m);
        pthread_mutex_lock(&m->mutex);
        m->busy = 0;
        pthread_cond_broadcast(&m->changed);
    }
    pthread_mutex_unlock(&m->mutex);
    return NULL;
}

gr_status gr_crew_start(gr_member *members, uint32_t count, gr_error *error) {
    for (uint32_t i = 1; i < count; i++) {
        gr_member *m = &members[i];
        if (m->rank >= 0)
            continue;
        pthread_mutex_init(&m->mutex, NULL);
        pthread_cond_init(&m->changed, NULL);
        if (pthread_create(&m->thread, NULL, work, m) != 0)
            return gr_fail(error, GR_FAILED, "no thread for device %u", m->job.card);
        m->threaded = 1;
    }
    return GR_OK;
}

void gr_crew_end(gr_member *members, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        gr_member *m = &members[i];
        if (m->threaded) {
            pthread_mutex_lock(&m->mutex);
            m->quits = 1;
            pthread_cond_broadcast(&m->changed);
            pthread_mutex_unlock(&m->mutex);
            pthread_join(m->thread, NULL);
            pthread_cond_destroy(&m->changed);
            pthread_mutex_destroy(&m->mutex);
            m->threaded = 0;
        }
        free(m->answer);
        free(m->copy);
        m->answer = m->copy = NULL;
    }
}

static void begin(gr_member *m) {
    pthread_mutex_lock(&m->mutex);
    m->busy = 1;
    pthread_cond_broadcast(&m->changed);
    pthread_mutex_unlock(&m->mutex);
}

static void wait_for(gr_member *m) {
    pthread_mutex_lock(&m->mutex);
    while (m->busy)
        pthread_cond_wait(&m->changed, &m->mutex);
    pthread_mutex_unlock(&m->mutex);
}

gr_status gr_crew_call(gr_member *members, uint32_t count, gr_error *error) {
    const gr_call *failed = NULL;
    for (uint32_t i = 0; i < count; i++)
        if (members[i].rank >= 0)
            gr_remote_post(&members[i]);
        else if (members[i].threaded)
            begin(&members[i]);
    for (uint32_t i = 0; i < count; i++)
        if (members[i].rank < 0 && !members[i].threaded)
            gr_member_serve(&members[i]);
    for (uint32_t i = 0; i < count; i++)
        if (members[i].rank >= 0)
            gr_remote_collect(&members[i]);
        else if (members[i].threaded)
            wait_for(&members[i]);
    /* of several failures the first that is not about another's */
    for (uint32_t i = 0; i < count; i++) {
        const gr_call *c = &members[i].call;
        if (c->error.status && (!failed || (strstr(failed->error.text, "another device") &&
                                            !strstr(c->error.text, "another device"))))
            failed = c;
    }
    if (failed && error)
        *error = failed->error;
    return failed ? failed->error.status : GR_OK;
}
