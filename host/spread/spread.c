#include "host/spread/spread.h"

#include "gpu/backend/cards.h"
#include "gpu/backend/clock.h"
#include "gpu/core/selection/select.h"
#include "host/base/text.h"
#include "host/cpu/processors.h"
#include "host/settings/settings.h"
#include "host/spread/internal.h"
#include "host/spread/processes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gr_status call(gr_engine *e, uint32_t members, gr_call_kind kind, gr_error *error) {
    for (uint32_t m = 0; m < members; m++)
        e->members[m].call.kind = kind;
    return gr_crew_call(e->members, members, error);
}

gr_status gr_spread_call(gr_engine *e, gr_call_kind kind, gr_error *error) {
    return call(e, e->spread.members, kind, error);
}

uint32_t gr_spread_tellers(const gr_engine *e) {
    return gr_shares_alike(e->spread.of) ? 1 : e->spread.members;
}

gr_status gr_spread_ask(gr_engine *e, gr_call_kind kind, gr_error *error) {
    return call(e, gr_spread_tellers(e), kind, error);
}

/* ---- planning ---- */

static uint32_t cards_there(const gr_backend *each) {
#ifdef GRAMPUS_CUDA
    if (each != &gr_backend_cpu)
        return gr_cuda_cards();
#endif
    (void)each;
    const char *members = getenv("GRAMPUS_MEMBERS"); /* tests: no result may depend on it */
    int count = members ? atoi(members) : 1;
    return count > 1 && count < GR_MOST_MEMBERS ? (uint32_t)count : 1;
}

/* Numbers of cards, each once. */
static gr_status read_cards(const char *devices, uint32_t there, gr_spread *spread,
                            gr_error *error) {
    const char *at = devices;
    unsigned long card;
    spread->there = 0;
    while (gr_settings_next_card(&at, &card)) {
        int again = 0;
        for (uint32_t k = 0; k < spread->there; k++)
            again |= spread->card[k] == card;
        if (again)
            return gr_fail(error, GR_BAD_INPUT, "devices: %lu stands there twice", card);
        if (card >= there)
            return gr_fail(error, GR_BAD_INPUT,
                           "devices: there is no device %lu; expected numbers below %u", card,
                           there);
        spread->card[spread->there++] = (uint32_t)card;
    }
    return GR_OK; /* other texts were refused with the settings */
}

/* Those of this process that are asked for. */
static gr_status list_cards(const char *devices, gr_spread *spread, gr_error *error) {
    uint32_t there = cards_there(spread->each);
    if (spread->each != &gr_backend_cpu && *devices && strcmp(devices, "all") != 0)
        return read_cards(devices, there, spread, error);
    spread->there = *devices || spread->each == &gr_backend_cpu ? there : 1;
    for (uint32_t k = 0; k < spread->there; k++)
        spread->card[k] = k;
    return GR_OK;
}

gr_status gr_spread_one(const char *devices, const gr_backend *each, uint32_t turn,
                        gr_spread *spread, gr_error *error) {
    gr_spread all = {.each = each};
    gr_status status = list_cards(*devices ? devices : "all", &all, error);
    *spread = (gr_spread){.each = each, .members = 1, .there = all.there};
    if (!status)
        spread->card[0] = all.card[turn % all.there];
    return status;
}

gr_status gr_spread_plan(const char *devices, const gr_backend *each, const gr_job *job,
                         gr_spread *spread, gr_error *error) {
    const gr_transport *t = gr_processes();
    const gr_params *p = &job->params;
    gr_spread plan = {.each = each, .there = 1};
    gr_status status = GR_OK;
    if (t) {
        plan.processes = 1;
        plan.there = (uint32_t)t->size < GR_MOST_MEMBERS ? (uint32_t)t->size : GR_MOST_MEMBERS;
    } else
        status = list_cards(devices, &plan, error);
    plan.members = gr_shares_members(job, plan.there, &plan.of);
    if (!status && plan.members > 1 && plan.of == GR_SHARING_ISLANDS && p->diversity)
        status = gr_fail(error, GR_BAD_INPUT,
                         "diversity: it is counted over all islands of a run, which %u devices "
                         "would have; expected one device, or no diversity",
                         plan.members);
    if (!status && plan.members > 1 && plan.of == GR_SHARING_ISLANDS && p->objectives &&
        p->migrants)
        status = gr_fail(error, GR_BAD_INPUT,
                         "objectives: islands that exchange individuals by rank are together, and "
                         "%u devices would have them; expected one device, or migration-every: 0",
                         plan.members);
    if (!status && plan.members > 1 && plan.processes && job->spread_memory &&
        each != &gr_backend_cpu)
        status = gr_fail(error, GR_BAD_INPUT,
                         "spread memory: processes do not have memory of GPUs together; expected "
                         "one process with --devices, or spread population");
    *spread = plan;
    return status;
}

/* ---- opening ---- */

static gr_status give_shares(gr_engine *e, gr_error *error) {
    uint32_t members = e->spread.members;
    double speeds[GR_MOST_MEMBERS];
    gr_status status = gr_spread_call(e, GR_CALL_SPEED, error);
    for (uint32_t m = 0; m < members; m++)
        speeds[m] = e->members[m].call.speed;
    if (!status && !gr_shares_make(&e->job.params, speeds, members, e->spread.of, &e->shares))
        status = gr_fail(error, GR_NO_MEMORY, "no memory for %u devices", members);
    return status;
}

/* The part of the job that a member has. */
static void give_job(gr_engine *e, uint32_t number, const unsigned char key[GR_PEERS_KEY]) {
    gr_member *m = &e->members[number];
    uint32_t card = m->job.card;
    m->job = e->job;
    m->job.card = card;
    m->job.params = gr_share_params(&e->shares, &e->job.params, number);
    if (e->job.validating) {
        m->validating = gr_share_params(&e->shares, e->job.validating, number);
        m->job.validating = &m->validating;
    }
    if (e->job.other) {
        m->other = gr_share_params(&e->shares, e->job.other, number);
        m->job.other = &m->other;
    }
    if (e->spread.of == GR_SHARING_RUNS)
        return;
    m->peers = (gr_peers){.members = e->spread.members,
                          .member = number,
                          .first = e->shares.first,
                          .cases = e->spread.of == GR_SHARING_CASES,
                          .individuals = e->spread.of == GR_SHARING_POPULATION,
                          .common = e->common,
                          .broken = &e->broken};
    memcpy(m->peers.key, key, GR_PEERS_KEY);
    if (e->board) {
        m->peers.exchange = gr_board_exchange;
        m->peers.context = gr_board_seat(e->board, number);
    } else if (gr_processes())
        m->peers.exchange = gr_processes()->exchange;
    m->job.peers = &m->peers;
    m->job.train += gr_chunks_of_job(&m->job).first * gr_tile_of(&m->job.params);
}

static gr_status give_jobs(gr_engine *e, gr_error *error) {
    unsigned char key[GR_PEERS_KEY] = {0};
    gr_status status = GR_OK;
    int peers = e->spread.of != GR_SHARING_RUNS;
    if (peers && e->spread.each == &gr_backend_cpu && !e->spread.processes &&
        !(e->board = gr_board_open(e->spread.members)))
        return gr_fail(error, GR_NO_MEMORY, "no memory for %u members", e->spread.members);
#ifdef GRAMPUS_CUDA
    if (peers && e->spread.each == &gr_backend_cuda)
        status = gr_cuda_peers_key(key, error);
    if (!status && peers && e->spread.each == &gr_backend_cuda && e->job.spread_memory)
        status = gr_cuda_common_make(e->spread.card, e->spread.members, &e->common, error);
#endif
    for (uint32_t m = 0; !status && m < e->spread.members; m++)
        give_job(e, m, key);
    return status;
}

static gr_status take_memory(gr_engine *e, gr_error *error) {
    const gr_params *p = &e->job.params;
    size_t demes = gr_demes(p);
    e->members = calloc(e->spread.members, sizeof *e->members);
    e->selected = calloc(e->spread.members, sizeof *e->selected);
    e->records = calloc(e->job.epoch * demes, sizeof *e->records);
    e->best = calloc(demes, sizeof *e->best);
    e->since = calloc(demes, sizeof *e->since);
    if (!e->members || !e->selected || !e->records || !e->best || !e->since)
        return gr_fail(error, GR_NO_MEMORY, "no memory for %u devices", e->spread.members);
    for (uint32_t m = 0; m < e->spread.members; m++) {
        e->members[m].backend = e->spread.each;
        e->members[m].job.card = e->spread.processes ? 0 : e->spread.card[m];
        e->members[m].rank = e->spread.processes && m ? (int)m : -1;
        e->members[m].transport = gr_processes();
    }
    return GR_OK;
}

static void spread_close(gr_engine *e) {
    if (!e)
        return;
    if (e->members && e->shares.first)
        gr_spread_call(e, GR_CALL_CLOSE, NULL);
    if (e->members)
        gr_crew_end(e->members, e->spread.members);
    gr_team_close(e->team);
    gr_board_close(e->board);
#ifdef GRAMPUS_CUDA
    gr_cuda_common_free(e->common);
#endif
    gr_shares_free(&e->shares);
    free(e->members);
    free(e->selected);
    free(e->records);
    free(e->best);
    free(e->since);
    free(e->memory);
    free(e);
}

gr_status gr_spread_open(const gr_spread *spread, const gr_job *job, gr_engine **engine,
                         gr_error *error) {
    gr_engine *e = calloc(1, sizeof *e);
    if (!e)
        return gr_fail(error, GR_NO_MEMORY, "no memory");
    e->spread = *spread;
    e->job = *job;
    e->most = job->epoch;
    if (spread->each == &gr_backend_cpu && !spread->processes && !job->threads)
        e->job.threads = 1;
    gr_status status = take_memory(e, error);
    if (!status)
        status = gr_crew_start(e->members, spread->members, error);
    if (!status)
        status = give_shares(e, error);
    if (!status)
        status = give_jobs(e, error);
    if (!status)
        status = gr_spread_call(e, GR_CALL_OPEN, error);
    if (status)
        spread_close(e);
    else
        *engine = e;
    return status;
}

static gr_status open_alone(const gr_job *job, gr_engine **engine, gr_error *error) {
    (void)job;
    (void)engine;
    return gr_fail(error, GR_FAILED, "a run is spread by gr_spread_open");
}

/* ---- running ---- */

/* Records of some demes of a member, by generation, and none of generations before which it had
 * ended. */
typedef struct putting {
    gr_engine *e;
    uint32_t member, demes;
} putting;

static void put_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const putting *put = context;
    gr_engine *e = put->e;
    const gr_params *p = &e->job.params;
    const gr_call *c = &e->members[put->member].call;
    (void)thread;
    for (uint64_t k = first; k < last; k++) {
        uint32_t g = (uint32_t)(k / put->demes), d = (uint32_t)(k % put->demes),
                 deme = gr_share_deme(&e->shares, p, put->member, d);
        gr_record *to = &e->records[(size_t)g * gr_demes(p) + deme];
        if (g < c->generations)
            *to = c->records[k];
        else
            to->written = 0;
        to->deme = deme;
    }
}

/* Records of a batch are many, and the devices wait for them. */
enum { MANY = 8192 };

static void put_records(gr_engine *e, uint32_t member) {
    putting put = {e, member, gr_demes(&e->members[member].job.params)};
    uint64_t count = (uint64_t)e->generations * put.demes;
    if (!e->team && count >= MANY)
        e->team = gr_team_open(gr_processors());
    gr_team_loop(e->team, count, 256, put_some, &put);
}

/* Which island of a run leads is known to all of them only where they have told each other. */
static void mark_leading(gr_engine *e, uint32_t generation, uint32_t run) {
    const gr_params *p = &e->job.params;
    size_t first = (size_t)run * p->islands, leading = first;
    gr_record *records = e->records + (size_t)generation * gr_demes(p);
    for (size_t d = first; d < first + p->islands; d++) {
        if (!records[d].written)
            return;
        records[d].written = 1;
        if (records[d].improved)
            e->since[d] = records[d].generation;
        e->best[d] = records[d].best_ever_cost;
    }
    for (size_t d = first; d < first + p->islands; d++)
        if (e->best[d] < e->best[leading] ||
            (e->best[d] == e->best[leading] && e->since[d] < e->since[leading]))
            leading = d;
    records[leading].written = GR_WRITTEN_LEADING;
}

static uint32_t merge_records(gr_engine *e) {
    const gr_params *p = &e->job.params;
    e->generations = 0;
    for (uint32_t m = 0; m < e->spread.members; m++)
        e->generations = gr_max_u32(e->generations, e->members[m].call.generations);
    for (uint32_t m = 0; m < gr_spread_tellers(e); m++)
        put_records(e, m);
    int settle = e->spread.of == GR_SHARING_ISLANDS && !p->validation_chunks;
    for (uint32_t g = 0; g < e->generations; g++)
        for (uint32_t run = 0; settle && run < p->runs; run++)
            mark_leading(e, g, run);
    return e->generations;
}

/* Opens a batch's member whose card failed on the card of another, and lets it do once more what it
 * had done. */
static gr_status take_over(gr_engine *e, uint32_t lost, uint32_t by, gr_error *error) {
    gr_member *m = &e->members[lost];
    uint32_t card = m->job.card;
    m->job.card = e->members[by].job.card;
    m->call.kind = GR_CALL_AGAIN;
    m->call.done = e->done;
    gr_status status = gr_crew_call(m, 1, error);
    size_t length = strlen(e->lost);
    snprintf(e->lost + length, sizeof e->lost - length, ", card %u was lost, card %u has its runs",
             card, m->job.card);
    return status;
}

/* Runs of a batch do not need each other: those of cards that failed go to one that has not. */
static gr_status mend(gr_engine *e, gr_status failed, gr_error *error) {
    gr_status status;
    uint32_t by = 0;
    while (by < e->spread.members && e->members[by].call.error.status)
        by++;
    if (failed != GR_DEVICE_FAILED || e->spread.of != GR_SHARING_RUNS || e->spread.processes ||
        e->restored || by == e->spread.members)
        return failed;
    for (uint32_t m = 0; m < e->spread.members; m++)
        if (e->members[m].call.error.status && (status = take_over(e, m, by, error)))
            return status;
    return GR_OK;
}

static gr_status spread_advance(gr_engine *e, void (*tick)(void *, uint32_t), void *context,
                                const gr_record **records, uint32_t *generations, int *finished,
                                gr_error *error) {
    double start = gr_seconds_now();
    uint32_t members = e->spread.members;
    int asked = 0;
    for (uint32_t m = 0; m < members; m++) {
        e->members[m].call.stop = e->stop;
        e->members[m].call.most = e->most;
        e->members[m].call.tick = m ? NULL : tick;
        e->members[m].call.context = context;
    }
    gr_status status = gr_spread_call(e, GR_CALL_ADVANCE, error);
    if (status && (status = mend(e, status, error)))
        return status;
    *records = e->records;
    *generations = merge_records(e);
    *finished = 1;
    for (uint32_t m = 0; m < members; m++) {
        const gr_call *c = &e->members[m].call;
        *finished &= c->finished;
        asked |= c->asked;
        if (c->generations)
            e->selected[m] = e->done + c->generations;
    }
    e->done += *generations;
    e->seconds += gr_seconds_now() - start;
    if (asked && !e->stop)
        gr_processes_told();
    return GR_OK;
}

static gr_status spread_rank(gr_engine *e, gr_error *error) {
    double start = gr_seconds_now();
    gr_status status = gr_spread_call(e, GR_CALL_RANK, error);
    e->seconds += gr_seconds_now() - start;
    return status;
}

/* Of the next epoch: all members end it with the same generation. */
static void spread_limit(gr_engine *e, uint32_t generations) {
    e->most = gr_min_u32(generations, e->job.epoch);
}

static void spread_stop(gr_engine *e) {
    e->stop = 1;
}

static gr_status no_load(gr_engine *e, const gr_node *trees, const uint32_t *lengths,
                         gr_error *error) {
    (void)e;
    (void)trees;
    (void)lengths;
    return gr_fail(error, GR_FAILED, "trees are put in on one device");
}

static gr_status no_measure(gr_engine *e, gr_phase phase, uint32_t repeats, int flush,
                            double *seconds, gr_error *error) {
    (void)e;
    (void)phase;
    (void)repeats;
    (void)flush;
    (void)seconds;
    return gr_fail(error, GR_FAILED, "phases are measured on one device");
}

/* ---- what is said of it ---- */

/* Adds what a member takes. */
static void add_report(gr_engine_report *all, const gr_engine_report *one, int cpu) {
    all->bytes += one->bytes;
    all->host += one->host + (cpu ? one->bytes : 0);
    all->staging += one->staging;
    all->staging_device += one->staging_device;
    all->snapshot += one->snapshot;
    for (int k = 0; k < GR_OPENINGS; k++)
        all->opening[k] = one->opening[k] > all->opening[k] ? one->opening[k] : all->opening[k];
}

static void add_traffic(gr_traffic *all, const gr_traffic *one) {
    all->uploaded += one->uploaded;
    all->telemetry += one->telemetry;
    all->downloaded += one->downloaded;
    all->checkpoints += one->checkpoints;
    all->exchanged += one->exchanged;
    for (int k = 0; k < GR_PHASES; k++)
        all->phase[k] = one->phase[k] > all->phase[k] ? one->phase[k] : all->phase[k];
}

static void spread_report(const gr_engine *e, gr_engine_report *report, gr_traffic *traffic) {
    const gr_engine_report *largest = &e->members[0].call.report;
    int cpu = e->spread.each == &gr_backend_cpu;
    gr_engine_report all = *largest;
    gr_traffic sum = {.seconds = e->seconds};
    all.bytes = all.host = all.staging = all.staging_device = all.snapshot = 0;
    for (uint32_t m = 0; m < e->spread.members; m++) {
        const gr_call *c = &e->members[m].call;
        add_report(&all, &c->report, cpu);
        add_traffic(&sum, &c->traffic);
        if (c->report.bytes > largest->bytes)
            largest = &c->report;
    }
    static const char *const by[] = {", by runs", ", by islands", ", by cases", ", by population"};
    const char *how = e->common ? ", by population and memory" : by[e->spread.of];
    snprintf(all.device, sizeof all.device, "%u x %.*s%s%.*s", e->spread.members,
             GR_CUT(e->members[0].call.report.device, 40), how, GR_CUT(e->lost, 56));
    snprintf(all.memory, sizeof all.memory, "at most %.*s, on each of %u",
             GR_CUT(largest->memory, 900), e->spread.members);
    *report = all;
    *traffic = sum;
}

int gr_spread_on_cpu(const gr_engine *e) {
    return e->spread.each == &gr_backend_cpu;
}

const gr_backend gr_backend_spread = {
    .name = "spread",
    .open = open_alone,
    .advance = spread_advance,
    .limit = spread_limit,
    .rank = spread_rank,
    .stop = spread_stop,
    .read = gr_spread_read,
    .read_at = gr_spread_read_at,
    .load = no_load,
    .measure = no_measure,
    .snapshot = gr_spread_snapshot,
    .await_snapshot = gr_spread_await_snapshot,
    .restore = gr_spread_restore,
    .report = spread_report,
    .close = spread_close,
};
