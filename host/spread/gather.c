/* Parts of the members' states as those of one engine, and back. */
#include "gpu/backend/arena.h"
#include "host/spread/internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- sections ---- */

/* Bytes of a whole section of an engine with these parameters. */
static size_t section_bytes(const gr_params *p, gr_section section) {
    gr_state state = {.p = *p};
    const void *nowhere;
    return gr_arena_section(&state, section, 0, &nowhere);
}

/* Records of a member that ended before others are none of the last generation. */
static void mark_ended(const gr_engine *e, uint32_t member, gr_record *records) {
    uint32_t demes = gr_demes(&e->members[member].job.params);
    for (uint32_t d = 0; d < demes; d++) {
        records[d].deme = gr_share_deme(&e->shares, &e->job.params, member, d);
        if (e->selected[member] < e->done)
            records[d].written = 0;
    }
}

/* A member that has ended bred nothing from the generation selected last. */
static gr_section where_it_ended(gr_section section) {
    switch (section) {
    case GR_SECTION_SELECTED_INDIVIDUALS:
        return GR_SECTION_INDIVIDUALS;
    case GR_SECTION_SELECTED_GENOTYPES:
        return GR_SECTION_GENOTYPES;
    case GR_SECTION_SELECTED_CONSTANTS:
        return GR_SECTION_CONSTANTS;
    default:
        return section;
    }
}

/* Nor has it individuals then, as one engine has none of runs that have ended; of several
 * objectives it keeps them. With the generation that is selected once more, as a restored run does
 * first, those that had ended with it are there. */
static void drop_ended(const gr_engine *e, uint32_t member, gr_section section, gr_call *c) {
    int individuals =
        section == GR_SECTION_INDIVIDUALS || section == GR_SECTION_SELECTED_INDIVIDUALS;
    int before = e->selected[member] < e->done && !(e->repeats && e->done == 1);
    if (individuals && !e->job.params.objectives && before)
        memset(c->data, 0, c->size);
}

gr_status gr_spread_read(gr_engine *e, gr_section section, void *to, size_t size, gr_error *error) {
    const gr_params *p = &e->job.params;
    uint32_t members = gr_spread_tellers(e);
    size_t all = section_bytes(p, section), deme = all / gr_demes(p);
    gr_status status = GR_OK;
    if (size > all)
        return gr_fail(error, GR_FAILED, "section %d has %zu bytes, less than %zu", (int)section,
                       all, size);
    for (uint32_t m = 0; m < members; m++) {
        gr_call *c = &e->members[m].call;
        c->section = c->finished ? where_it_ended(section) : section;
        c->size = section_bytes(&e->members[m].job.params, section);
        c->data = malloc(c->size + 1);
        if (!c->data)
            status = gr_fail(error, GR_NO_MEMORY, "no memory for %.1f MB", (double)c->size / 1e6);
    }
    if (!status)
        status = gr_spread_ask(e, GR_CALL_READ, error);
    for (uint32_t m = 0; m < members; m++) {
        gr_call *c = &e->members[m].call;
        if (!status && section == GR_SECTION_RECORDS)
            mark_ended(e, m, c->data);
        if (!status)
            drop_ended(e, m, section, c);
        if (!status)
            gr_share_copy(&e->shares, p, m,
                          &(gr_share_rows){.all = to, .part = c->data, deme, size, 0});
        free(c->data);
        c->data = NULL;
    }
    return status;
}

gr_status gr_spread_read_at(gr_engine *e, gr_section section, size_t offset, void *to, size_t size,
                            gr_error *error) {
    char *all = malloc(offset + size + 1);
    gr_status status =
        all ? gr_spread_read(e, section, all, offset + size, error)
            : gr_fail(error, GR_NO_MEMORY, "no memory for %.1f MB", (double)(offset + size) / 1e6);
    if (!status)
        memcpy(to, all + offset, size);
    free(all);
    return status;
}

/* ---- snapshots ---- */

/* Sets the parts of the snapshot of all: rows of all members, as wide as any has them. */
static void plan_snapshot(gr_engine *e, gr_snapshot *all) {
    size_t at = 0;
    *all = e->members[0].call.snapshot;
    for (uint32_t m = 1; m < gr_spread_tellers(e); m++) {
        const gr_snapshot *s = &e->members[m].call.snapshot;
        all->generation = s->generation > all->generation ? s->generation : all->generation;
        all->ended &= s->ended;
    }
    for (int k = 0; k < GR_SECTION_COUNT; k++) {
        gr_snapshot_part *part = &all->part[k];
        int everywhere = 1;
        part->rows = part->width = 0;
        for (uint32_t m = 0; m < gr_spread_tellers(e); m++) {
            const gr_snapshot_part *of = &e->members[m].call.snapshot.part[k];
            everywhere &= of->rows > 0;
            part->rows += of->rows;
            part->width = of->width > part->width ? of->width : part->width;
        }
        part->rows = everywhere ? part->rows : 0;
        part->offset = at;
        part->bytes = part->rows * part->width;
        part->packed = 0;
        at = (at + part->bytes + 255) & ~(size_t)255;
    }
    all->bytes = at;
}

/* Copies a member's rows of a part to the snapshot of all, or back. */
static void copy_part(const gr_engine *e, uint32_t member, int section, const gr_snapshot *all,
                      const gr_snapshot *one, int back) {
    const gr_params *p = &e->job.params;
    const gr_snapshot_part *whole = &all->part[section], *part = &one->part[section];
    uint32_t demes = gr_demes(&e->members[member].job.params);
    size_t width = part->width < whole->width ? part->width : whole->width;
    size_t element = part->packed ? gr_snapshot_element(p, (gr_section)section) : 0;
    gr_snapshot_sizes sizes = gr_snapshot_own_sizes(one);
    char *here = one->memory + part->offset;
    for (size_t row = 0; whole->rows && row < part->rows; row++) {
        size_t deme = row * demes / part->rows, first = (deme * part->rows + demes - 1) / demes;
        size_t in_all =
            gr_share_deme(&e->shares, p, member, (uint32_t)deme) * whole->rows / gr_demes(p) + row -
            first;
        char *there = all->memory + whole->offset + in_all * whole->width;
        size_t used =
            element ? element * gr_snapshot_used(&sizes, (gr_section)section, row, 0) : width;
        memcpy(back ? here : there, back ? there : here, used);
        here += element ? used : part->width;
    }
}

/* A member that ended before others has individuals and records of an earlier generation: one
 * engine has none of these in its snapshot, as of several objectives it has. */
static void forget_ended(const gr_engine *e, uint32_t member) {
    gr_snapshot *one = &e->members[member].call.snapshot;
    const gr_snapshot_part *individuals = &one->part[GR_SECTION_INDIVIDUALS];
    gr_record *records = gr_snapshot_rows(one, GR_SECTION_RECORDS);
    if (one->generation == e->snapshot.generation || e->job.params.objectives)
        return;
    memset(gr_snapshot_rows(one, GR_SECTION_INDIVIDUALS), 0,
           individuals->rows * individuals->width);
    for (size_t d = 0; d < one->part[GR_SECTION_RECORDS].rows; d++)
        records[d].written = 0;
}

gr_status gr_spread_snapshot(gr_engine *e, gr_snapshot *snapshot, gr_error *error) {
    gr_status status = gr_spread_ask(e, GR_CALL_SNAPSHOT, error);
    if (status)
        return status;
    plan_snapshot(e, &e->snapshot);
    if (e->room < e->snapshot.bytes) {
        free(e->memory);
        e->memory = malloc(e->snapshot.bytes);
        e->room = e->memory ? e->snapshot.bytes : 0;
    }
    if (!e->memory)
        return gr_fail(error, GR_NO_MEMORY, "no memory for %.1f MB",
                       (double)e->snapshot.bytes / 1e6);
    e->snapshot.memory = e->memory;
    *snapshot = e->snapshot;
    return GR_OK;
}

/* Members elsewhere have sent theirs already. */
gr_status gr_spread_await_snapshot(gr_engine *e, gr_error *error) {
    gr_status status = GR_OK;
    for (uint32_t m = 0; !status && m < gr_spread_tellers(e); m++) {
        const gr_member *member = &e->members[m];
        if (member->rank < 0)
            status = member->backend->await_snapshot(member->engine, error);
        if (!status)
            forget_ended(e, m);
        for (int k = 0; !status && k < GR_SECTION_COUNT; k++)
            copy_part(e, m, k, &e->snapshot, &member->call.snapshot, 0);
    }
    return status;
}

/* The member's part of a snapshot of all, in memory of its own. */
static gr_status cut_snapshot(const gr_engine *e, uint32_t member, const gr_snapshot *all,
                              gr_error *error) {
    const gr_params *p = &e->job.params, *own = &e->members[member].job.params;
    gr_snapshot *one = &e->members[member].call.snapshot;
    size_t at = 0;
    *one = *all;
    for (int k = 0; k < GR_SECTION_COUNT; k++) {
        one->part[k].rows = all->part[k].rows * gr_demes(own) / gr_demes(p);
        one->part[k].offset = at;
        one->part[k].bytes = one->part[k].rows * one->part[k].width;
        at = (at + one->part[k].bytes + 255) & ~(size_t)255;
    }
    one->bytes = at;
    one->memory = malloc(at);
    if (!one->memory)
        return gr_fail(error, GR_NO_MEMORY, "no memory for %.1f MB", (double)at / 1e6);
    for (int k = 0; k < GR_SECTION_COUNT; k++)
        copy_part(e, member, k, all, one, 1);
    return GR_OK;
}

gr_status gr_spread_restore(gr_engine *e, const gr_snapshot *snapshot, gr_error *error) {
    const gr_deme *demes = gr_snapshot_rows(snapshot, GR_SECTION_DEMES);
    gr_status status = GR_OK;
    for (uint32_t m = 0; m < e->spread.members; m++)
        e->members[m].call.snapshot.memory = NULL;
    for (uint32_t m = 0; !status && m < e->spread.members; m++)
        status = cut_snapshot(e, m, snapshot, error);
    if (!status)
        status = gr_spread_call(e, GR_CALL_RESTORE, error);
    for (uint32_t m = 0; m < e->spread.members; m++)
        free(e->members[m].call.snapshot.memory);
    for (uint32_t d = 0; d < gr_demes(&e->job.params); d++) {
        e->best[d] = demes[d].best_cost;
        e->since[d] = demes[d].best_generation;
    }
    e->restored = 1;
    e->repeats = snapshot->ended != 0;
    return status;
}
