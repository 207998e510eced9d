/* A CPU backend that breeds nothing: it hands out records and best programs that a test wrote by
 * hand, so that what a reader must see is known beforehand. It stands in place of host/cpu/engine.c
 * in programs that include this. */
#ifndef GRAMPUS_TESTS_RECORDS_H
#define GRAMPUS_TESTS_RECORDS_H

#include "tests/runs.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RECORDS_MOST = 64, RECORDS_DEMES = 12, RECORDS_NODES = 8 };

/* What the backend knows; records_begin empties it. */
typedef struct records {
    uint32_t islands;               /* of a run; 0: as the settings have it */
    gr_record record[RECORDS_MOST]; /* [generations][demes] */
    uint32_t generations, handed;   /* handed: by the calls of advance so far */
    uint32_t most;                  /* generations of an epoch, as the run limits it */
    uint32_t early;                 /* generations an epoch tells of a while before it ends */
    gr_deme deme[RECORDS_DEMES];    /* as they are read at the end */
    gr_node best[RECORDS_DEMES][RECORDS_NODES];
    const gr_job *job;
} records;

static records script;

static int records_available(char *line, size_t size) {
    snprintf(line, size, "records written by hand");
    return 1;
}

static gr_status records_open(const gr_job *job, gr_engine **engine, gr_error *error) {
    (void)error;
    if (script.islands)
        ((gr_job *)(uintptr_t)job)->params.islands = script.islands;
    script.job = job;
    *engine = (gr_engine *)&script;
    return GR_OK;
}

/* An epoch of what is left. */
static gr_status records_advance(gr_engine *engine, void (*tick)(void *, uint32_t), void *context,
                                 const gr_record **record, uint32_t *generations, int *finished,
                                 gr_error *error) {
    uint32_t left = script.generations - script.handed,
             epoch = gr_min_u32(script.most, script.job->epoch);
    (void)engine;
    (void)error;
    *record = script.record + (size_t)script.handed * gr_demes(&script.job->params);
    if (script.early) {
        const struct timespec while_it_goes_on = {0, 120000000};
        nanosleep(&while_it_goes_on, NULL);
        tick(context, script.early);
    }
    *generations = left < epoch ? left : epoch;
    script.handed += *generations;
    *finished = script.handed == script.generations;
    if (tick)
        tick(context, *generations);
    return GR_OK;
}

static void records_limit(gr_engine *engine, uint32_t generations) {
    (void)engine;
    script.most = generations;
}

static gr_status records_rank(gr_engine *engine, gr_error *error) {
    (void)engine;
    (void)error;
    return GR_OK;
}

static void records_stop(gr_engine *engine) {
    (void)engine;
}

static gr_status records_read(gr_engine *engine, gr_section section, void *to, size_t size,
                              gr_error *error) {
    const void *from = section == GR_SECTION_DEMES          ? (const void *)script.deme
                       : section == GR_SECTION_BEST_GENOMES ? (const void *)script.best
                                                            : NULL;
    size_t most = section == GR_SECTION_DEMES ? sizeof script.deme : sizeof script.best;
    (void)engine;
    if (!from || size > most)
        return gr_fail(error, GR_FAILED, "section %d has no %zu bytes", (int)section, size);
    memcpy(to, from, size);
    return GR_OK;
}

static gr_status records_load(gr_engine *engine, const gr_node *trees, const uint32_t *lengths,
                              gr_error *error) {
    (void)engine;
    (void)trees;
    (void)lengths;
    return gr_fail(error, GR_FAILED, "nothing is loaded here");
}

static gr_status records_measure(gr_engine *engine, gr_phase phase, uint32_t repeats, int flush,
                                 double *seconds, gr_error *error) {
    (void)engine;
    (void)phase;
    (void)repeats;
    (void)flush;
    (void)seconds;
    return gr_fail(error, GR_FAILED, "nothing is measured here");
}

static void records_report(const gr_engine *engine, gr_engine_report *report, gr_traffic *traffic) {
    (void)engine;
    memset(report, 0, sizeof *report);
    memset(traffic, 0, sizeof *traffic);
    snprintf(report->device, sizeof report->device, "by hand");
    snprintf(report->memory, sizeof report->memory, "none");
    traffic->seconds = 2.0;
}

static void records_close(gr_engine *engine) {
    (void)engine;
}

const gr_backend gr_backend_cpu = {
    .name = "cpu",
    .available = records_available,
    .open = records_open,
    .advance = records_advance,
    .limit = records_limit,
    .rank = records_rank,
    .stop = records_stop,
    .read = records_read,
    .load = records_load,
    .measure = records_measure,
    .report = records_report,
    .close = records_close,
    .behind = 1,
};

/* ---- runs over them ---- */

/* A run of trees whose settings are common ones and those of `more`; nothing is in the script yet
 * but what the settings say. */
static gr_run *records_run(const char *more, gr_settings *settings) {
    static const char common[] =
        "genotype: tree\ndevice: cpu\ntarget-expression: 0 * x\nvariables: x = grid(1, 5, 1)\n"
        "max-nodes: 8\nmetric: mse\npopulation: 10\nfunctions: \"+, -, *, /\"\n";
    return open_run_of(common, more, settings);
}

static inline void records_begin(void) {
    memset(&script, 0, sizeof script);
}

/* Deme d ends with the program `c`, a constant, whose cost was `cost` when it was found. */
static inline void records_constant(uint32_t d, float c, float cost) {
    gr_deme *deme = &script.deme[d];
    memset(deme, 0, sizeof *deme);
    deme->best_cost = cost;
    deme->test_cost = cost;
    deme->best.nodes = deme->best.length = deme->best.depth = deme->best.instructions = 1;
    script.best[d][0] = gr_make_node(GR_CONSTANT, 1, 1, gr_float_bits(c));
}

/* All that is handed out. */
static inline void records_play(gr_run *run, const gr_watch *watch) {
    gr_error error = {GR_OK, ""};
    for (int finished = 0; !finished;)
        if (gr_run_advance(run, watch, &finished, &error))
            fail_msg("%s", error.text);
}

#endif
