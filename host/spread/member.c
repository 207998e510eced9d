#include "host/spread/member.h"

#include "gpu/backend/cards.h"

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
    m->backend->limit(m->engine, c->most);
    m->backend->advance(m->engine, c->tick, c->context, &c->records, &c->generations, &c->finished,
                        &c->error);
}

/* On another card: the same, as always. */
static void serve_again(gr_member *m, gr_call *c) {
    const gr_backend *b = m->backend;
    b->close(m->engine);
    m->engine = NULL;
    gr_status status = b->open(&m->job, &m->engine, &c->error);
    c->finished = 0;
    for (uint32_t done = 0; !status && !c->finished && done < c->done; done += c->generations) {
        b->limit(m->engine, c->done - done);
        status = b->advance(m->engine, NULL, NULL, &c->records, &c->generations, &c->finished,
                            &c->error);
    }
    c->tick = NULL;
    if (!status)
        serve_advance(m, c);
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
