#include "host/spread/crew.h"

#include "host/spread/remote.h"

#include <stdlib.h>
#include <string.h>

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
