#include "host/cpu/snapshot.h"

#include "gpu/core/fitness/sample.h"
#include "host/cpu/stages.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 256 };

/* Rows of a part on their way out of the state or back, by blocks of them. */
typedef struct rows {
    char *state, *copy;
    gr_snapshot_part part;
    gr_section section;
    gr_snapshot_sizes sizes;
    size_t element; /* 0: rows are whole */
    size_t *first;  /* where a block begins in a packed copy; NULL: all is one block */
    int back;
} rows;

static rows rows_of(const gr_state *s, const gr_snapshot *snapshot, int k,
                    gr_snapshot_sizes sizes) {
    gr_section section = (gr_section)k;
    return (rows){.state = gr_snapshot_place(snapshot, s, section),
                  .copy = gr_snapshot_rows(snapshot, section),
                  .part = snapshot->part[k],
                  .section = section,
                  .sizes = sizes,
                  .element = gr_snapshot_element(&s->p, section)};
}

static size_t block_of(const rows *r) {
    return r->part.packed && !r->first ? r->part.rows + 1 : BLOCK;
}

static size_t used_of(const rows *r, size_t i) {
    return r->element ? r->element * gr_snapshot_used(&r->sizes, r->section, i, 0) : r->part.width;
}

static void copy_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const rows *r = context;
    size_t block = block_of(r);
    (void)thread;
    for (uint64_t b = first; b < last; b++) {
        char *in_copy = r->copy;
        in_copy += r->part.packed ? (r->first ? r->first[b] : 0) : b * block * r->part.width;
        for (size_t i = b * block; i < r->part.rows && i < (b + 1) * block; i++) {
            char *in_state = r->state + i * r->part.stride;
            size_t used = used_of(r, i);
            memcpy(r->back ? in_state : in_copy, r->back ? in_copy : in_state, used);
            in_copy += r->part.packed ? used : r->part.width;
        }
    }
}

static void copy_part(rows *r, gr_team *team) {
    size_t block = block_of(r);
    gr_team_loop(team, (r->part.rows + block - 1) / block, 1, copy_some, r);
}

/* Where blocks of a packed part begin, if anybody asks; all its bytes. */
static size_t find_blocks(const rows *r) {
    size_t at = 0;
    for (size_t i = 0; i < r->part.rows; i++) {
        if (r->first && i % BLOCK == 0)
            r->first[i / BLOCK] = at;
        at += used_of(r, i);
    }
    return at;
}

/* Rows that need not be whole are packed: of a million individuals the longest is many times as
 * long as most, and what takes the time is memory that nobody has touched yet. */
static void plan_packed(gr_snapshot *taken, const gr_state *s, gr_snapshot_sizes sizes) {
    size_t at = 0;
    for (int k = 0; k < GR_SECTION_COUNT; k++) {
        gr_snapshot_part *part = &taken->part[k];
        rows r = rows_of(s, taken, k, sizes);
        part->packed = r.element != 0;
        part->bytes = part->packed ? find_blocks(&r) : part->bytes;
        part->offset = at;
        at = (at + part->bytes + 255) & ~(size_t)255;
    }
    taken->bytes = at;
}

static void copy_out(const gr_state *s, gr_team *team, const gr_snapshot *taken,
                     gr_snapshot_sizes sizes) {
    for (int k = 0; k < GR_SECTION_COUNT; k++) {
        rows r = rows_of(s, taken, k, sizes);
        r.first = r.part.packed ? malloc((r.part.rows / BLOCK + 1) * sizeof *r.first) : NULL;
        if (r.first)
            find_blocks(&r);
        copy_part(&r, team);
        free(r.first);
    }
}

gr_status gr_cpu_take_snapshot(const gr_state *s, gr_team *team, gr_cpu_staging *staging,
                               gr_snapshot *snapshot, gr_error *error) {
    gr_snapshot taken = {.generation = s->loop->next - 1, .ended = s->loop->finished};
    if (s->loop->next < 2 - taken.ended)
        return gr_fail(error, GR_FAILED, "no generation has been selected yet");
    const gr_snapshot_sizes sizes = {s->individuals[taken.generation & 1],
                                     gr_snapshot_place(&taken, s, GR_SECTION_NICHE_INDIVIDUALS),
                                     s->demes};
    gr_snapshot_plan(&taken, s, gr_snapshot_longest(&s->p, sizes.individuals, s->demes));
    plan_packed(&taken, s, sizes);
    if (staging->capacity < taken.bytes) {
        size_t room = gr_snapshot_room(s, taken.bytes);
        free(staging->memory);
        staging->memory = malloc(room);
        staging->capacity = staging->memory ? room : 0;
    }
    taken.memory = staging->memory;
    if (!taken.memory)
        return gr_fail(error, GR_NO_MEMORY, "no memory for %.1f MB", (double)taken.bytes / 1e6);
    copy_out(s, team, &taken, sizes);
    *snapshot = taken;
    return GR_OK;
}

void gr_cpu_put_back(const gr_state *s, gr_team *team, const gr_snapshot *snapshot) {
    gr_snapshot_forget_spared(snapshot, s);
    for (int k = 0; k < GR_SECTION_COUNT; k++) {
        rows r = rows_of(s, snapshot, k, gr_snapshot_own_sizes(snapshot));
        r.back = 1;
        copy_part(&r, team);
    }
    s->loop->next = snapshot->generation + 1;
    s->loop->finished = !gr_snapshot_goes_on(snapshot, &s->p);
    if (s->p.sampling && !s->loop->finished)
        gr_cpu_sample(s, gr_sample_since(&s->p, snapshot->generation), team);
}
