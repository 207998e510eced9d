#include "host/cpu/snapshot.h"

#include "gpu/core/fitness/sample.h"
#include "host/cpu/stages.h"

#include <stdlib.h>
#include <string.h>

/* Rows of a part on their way out of the state or back. */
typedef struct rows {
    char *state, *copy;
    gr_snapshot_part part;
    int back;
} rows;

static void copy_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const rows *r = context;
    (void)thread;
    for (uint64_t i = first; i < last; i++) {
        char *in_state = r->state + i * r->part.stride, *in_copy = r->copy + i * r->part.width;
        memcpy(r->back ? in_state : in_copy, r->back ? in_copy : in_state, r->part.width);
    }
}

static void copy_all(const gr_state *s, gr_team *team, const gr_snapshot *snapshot, int back) {
    for (int k = 0; k < GR_SECTION_COUNT; k++) {
        rows r = {gr_snapshot_place(snapshot, s, (gr_section)k),
                  gr_snapshot_rows(snapshot, (gr_section)k), snapshot->part[k], back};
        gr_team_loop(team, r.part.rows, 256, copy_some, &r);
    }
}

gr_status gr_cpu_take_snapshot(const gr_state *s, gr_team *team, gr_cpu_staging *staging,
                               gr_snapshot *snapshot, gr_error *error) {
    gr_snapshot taken = {.generation = s->loop->next - 1, .ended = s->loop->finished};
    if (s->loop->next < 2 - taken.ended)
        return gr_fail(error, GR_FAILED, "no generation has been selected yet");
    gr_snapshot_plan(&taken, s,
                     gr_snapshot_longest(&s->p, s->individuals[taken.generation & 1], s->demes));
    if (staging->capacity < taken.bytes) {
        size_t room = gr_snapshot_room(s, taken.bytes);
        free(staging->memory);
        staging->memory = malloc(room);
        staging->capacity = staging->memory ? room : 0;
    }
    taken.memory = staging->memory;
    if (!taken.memory)
        return gr_fail(error, GR_NO_MEMORY, "no memory for %.1f MB", (double)taken.bytes / 1e6);
    copy_all(s, team, &taken, 0);
    *snapshot = taken;
    return GR_OK;
}

void gr_cpu_put_back(const gr_state *s, gr_team *team, const gr_snapshot *snapshot) {
    gr_snapshot_forget_spared(snapshot, s);
    copy_all(s, team, snapshot, 1);
    s->loop->next = snapshot->generation + 1;
    s->loop->finished = !gr_snapshot_goes_on(snapshot, &s->p);
    if (s->p.sampling && !s->loop->finished)
        gr_cpu_sample(s, gr_sample_since(&s->p, snapshot->generation), team);
}
