/* Measuring one row: its problem, its population, the repeats, and whether the answers are right.
 */
#include "host/bench/bench.h"

#include "gpu/core/selection/once.h"

#include "gpu/backend/clock.h"
#include "host/base/sort.h"
#include "host/base/text.h"
#include "host/cpu/processors.h"
#include "host/device/choose.h"

#include <stdlib.h>
#include <unistd.h>

/* A row being measured. */
typedef struct bench {
    const gr_bench_row *row;
    const gr_bench_options *options;
    gr_bench_result *result;
    gr_settings settings;
    gr_problem problem;
    const gr_backend *backend;
    gr_engine *engine;
    gr_node *trees; /* RANDOM: [individuals][max_nodes] and [individuals] */
    uint32_t *lengths;
    gr_individual *individuals; /* of the generation whose costs are known */
    float *costs;
    double *seconds, *opened; /* [repeats + 1], the first to warm up */
    char table[40];           /* of row->table: its file */
} bench;

/* ---- sizes ---- */

/* Node evaluations that a CPU thread, or a GPU in a hurry, may take for a repeat. */
static double budget_of(const bench *b) {
    uint32_t threads = b->settings.threads ? b->settings.threads : gr_processors();
    if (b->options->sizes > 0.0)
        return b->options->sizes;
    if (!b->result->on_cpu)
        return b->options->quick ? 2e11 : (double)INFINITY;
    return (b->options->quick ? 2e7 : 3e9) * threads;
}

/* What a repeat costs, in node evaluations. Breeding an individual is worth some thousands; a
 * population evolves only once. */
static double work_of(const bench *b) {
    const gr_settings *s = &b->settings;
    double generations = b->row->work == GR_BENCH_RUN       ? s->generations + 1.0
                         : b->row->work == GR_BENCH_EVOLVED ? 0.25 * s->generations
                                                            : 1.0;
    double words = *s->boolean ? 0x1p15 : b->row->work == GR_BENCH_BREED ? 1e4 : s->train_cases;
    double nodes = b->row->most ? 0.5 * (b->row->least + b->row->most) : 40.0;
    if (b->row->grammar) /* short programs on few cases: breeding takes as long */
        nodes = b->row->work == GR_BENCH_BREED ? 1.0 : 20.0, words = words > 0.0 ? words : 1e3;
    return nodes * words * s->population * s->runs * generations;
}

/* Divides *size as far as needed to save a factor, but not below `least`. */
static void reduce(double *excess, uint32_t *size, uint32_t least) {
    if (*excess <= 1.0 || *size <= least)
        return;
    double wanted = (double)*size / *excess;
    uint32_t reduced = wanted < least ? least : (uint32_t)wanted;
    *excess *= (double)reduced / *size;
    *size = reduced;
}

static gr_bench_sizes sizes_of(const gr_settings *s) {
    gr_bench_sizes sizes = {s->runs, s->population, s->train_cases, s->generations};
    return sizes;
}

/* Runs first, then programs, cases and generations, so that the shape stays what it is as long as
 * possible. */
static void fit_sizes(bench *b) {
    gr_settings *s = &b->settings;
    double excess = work_of(b) / budget_of(b);
    b->result->asked = sizes_of(s);
    reduce(&excess, &s->runs, 10);
    reduce(&excess, &s->population, 256);
    if (s->train_cases)
        reduce(&excess, &s->train_cases, 1024);
    if (b->row->work == GR_BENCH_RUN)
        reduce(&excess, &s->generations, 5);
    reduce(&excess, &s->population, 32);
    b->result->sizes = sizes_of(s);
}

/* ---- the problem ---- */

/* A row's grammar as a file that the settings can name. */
static gr_status write_grammar(const char *text, char *path, gr_error *error) {
    size_t length = strlen(text);
    int file = mkstemps(path, 4);
    int good = file >= 0 && write(file, text, length) == (ssize_t)length;
    if (file >= 0)
        close(file);
    return good ? GR_OK : gr_fail(error, GR_FAILED, "%s: cannot be written", path);
}

/* Cases of SEXTIC as a table of 17 digits, so that doubles are what they are. */
static gr_status write_table(bench *b, uint32_t cases, gr_error *error) {
    FILE *file = fopen(b->table, "w");
    gr_params p = {.seed = {1, 0}, .islands = 1};
    gr_random random = gr_stream(&p, GR_PURPOSE_INIT, 1, 0, 0);
    int good = file != NULL && fprintf(file, "x,y\n") > 0;
    for (uint32_t i = 0; good && i < cases; i++) {
        double x = 2.0 * gr_below(&random, 1u << 30) / 0x1p30 - 1.0, s = x * x;
        good = fprintf(file, "%.17g,%.17g\n", x, s * s * s - 2.0 * s * s + s) > 0;
    }
    good = (file && fclose(file) == 0) && good;
    return good ? gr_settings_set(&b->settings, "data", b->table, error)
                : gr_fail(error, GR_FAILED, "%s: cannot be written", b->table);
}

static gr_status read_settings(bench *b, gr_error *error) {
    gr_settings *s = &b->settings;
    const gr_bench_options *o = b->options;
    gr_status status =
        gr_settings_parse(s, b->row->settings, strlen(b->row->settings), b->row->name, error);
    if (status)
        return status;
    s->device = b->result->on_cpu ? GR_DEVICE_CPU : GR_DEVICE_CUDA;
    s->threads = b->row->suite == GR_SUITE_CPU ? 1 : o->threads;
    if (s->specialise == GR_AUTO) /* rates are those of long runs */
        s->specialise = GR_SPECIALISE_ALWAYS - 1;
    if (o->population)
        s->population = o->population;
    uint32_t unset = s->train_cases;
    s->train_cases = b->row->table ? b->row->table : unset;
    if (o->cases)
        s->train_cases = o->cases;
    fit_sizes(b);
    if (b->row->table) {
        status = write_table(b, s->train_cases, error);
        s->train_cases = unset;
    }
    return status ? status : gr_settings_resolve(s, error);
}

static gr_status make_problem(bench *b, gr_error *error) {
    char path[] = "/tmp/grampus-bench-XXXXXX.bnf";
    gr_status status = GR_OK;
    if (b->row->table) {
        int file = mkstemps(b->table, 4);
        if (file < 0)
            return gr_fail(error, GR_FAILED, "%s: cannot be written", b->table);
        close(file);
    }
    if (b->row->grammar) {
        status = write_grammar(b->row->grammar, path, error);
        if (!status)
            status = gr_settings_set(&b->settings, "grammar", path, error);
    }
    if (!status)
        status = read_settings(b, error);
    if (!status)
        status = gr_problem_make(&b->settings, &b->problem, error);
    if (b->problem.job.params.once == GR_ONCE_AUTO) /* rows are of what all programs take */
        b->problem.job.params.once = GR_ONCE_OFF;
    if (b->row->grammar)
        unlink(path);
    if (b->row->table)
        unlink(b->table);
    return status;
}

static uint32_t inputs_of(const bench *b) {
    return b->problem.job.params.inputs;
}

static void describe(bench *b) {
    gr_bench_result *r = b->result;
    const gr_params *p = &b->problem.job.params;
    char math[32];
    snprintf(r->math, sizeof r->math, "%s", gr_settings_text(&b->settings, GR_KEY_math, math));
    snprintf(r->functions, sizeof r->functions, "%s",
             b->row->grammar ? "+, -, *" : b->settings.functions);
    r->inputs = inputs_of(b);
    r->packed = p->packed;
    if (!r->asked.cases) /* a truth table, or points on a line */
        r->asked.cases = r->sizes.cases = p->train_cases;
    /* The CPU has only exact arithmetic. */
    r->tolerance = r->on_cpu || b->settings.math == GR_MATH_EXACT ? 0.0 : 1e-3;
}

/* ---- answers ---- */

/* Reads what is needed of the generation whose costs the engine has. */
static gr_status read_generation(bench *b, gr_error *error) {
    size_t n = b->problem.job.params.individuals;
    b->individuals = malloc(n * sizeof *b->individuals);
    b->costs = malloc(n * sizeof *b->costs);
    if (!b->individuals || !b->costs)
        return gr_fail(error, GR_NO_MEMORY, "no memory for %zu individual%s", n, gr_s(n));
    gr_status status = b->backend->read(b->engine, GR_SECTION_INDIVIDUALS, b->individuals,
                                        n * sizeof *b->individuals, error);
    return status ? status
                  : b->backend->read(b->engine, GR_SECTION_COSTS, b->costs, n * sizeof *b->costs,
                                     error);
}

/* Trees that were loaded are held to what was loaded, not to what became of it. */
static gr_status check_answers(bench *b, gr_error *error) {
    const gr_params *p = &b->problem.job.params;
    void *genotypes = NULL;
    gr_status status = GR_OK;
    size_t size = p->individuals * (p->genotype == GR_TREE ? p->max_nodes * sizeof(gr_node)
                                                           : p->genome_capacity * sizeof(uint32_t));
    if (!b->trees) {
        if (!(genotypes = malloc(size)))
            return gr_fail(error, GR_NO_MEMORY, "no memory for %u genotype%s", p->individuals,
                           gr_s(p->individuals));
        status = b->backend->read(b->engine, GR_SECTION_GENOTYPES, genotypes, size, error);
    }
    for (uint32_t i = 0; b->trees && i < p->individuals && !status; i++)
        if (b->individuals[i].nodes != b->lengths[i])
            status = gr_fail(error, GR_FAILED, "tree %u was loaded with %u nodes and has %u", i,
                             b->lengths[i], b->individuals[i].nodes);
    gr_bench_population population = {&b->problem, b->individuals, b->trees ? b->trees : genotypes,
                                      b->costs};
    int quick = b->options->quick || b->row->suite == GR_SUITE_SURFACE; /* of many cells each */
    double effort = (quick ? 1e7 : 1e8) * gr_processors();
    if (!status)
        status = gr_bench_check(&population, effort, b->result, error);
    free(genotypes);
    return status;
}

/* ---- times ---- */

/* Median of times[1 .. repeats]; sorts them. */
static double median_of(double *times, uint32_t repeats) {
    gr_sort_doubles(times + 1, repeats);
    return 0.5 * (times[1 + (repeats - 1) / 2] + times[1 + repeats / 2]);
}

static void note_times(bench *b) {
    gr_bench_result *r = b->result;
    r->median = median_of(b->seconds, r->repeats);
    r->least = b->seconds[1];
    r->most = b->seconds[r->repeats];
}

/* Energy of one repeat of a phase: as many as take more than half a second, since the counter moves
 * in steps of some 0.1 s. */
static gr_status note_energy(bench *b, gr_phase phase, gr_error *error) {
    gr_bench_result *r = b->result;
    if (r->on_cpu || b->options->quick || b->row->suite == GR_SUITE_SURFACE || isnan(gr_energy()))
        return GR_OK;
    double wanted = 0.6 / r->median;
    uint32_t repeats = wanted < 3.0 ? 3 : wanted > 1e6 ? 1000000 : (uint32_t)wanted;
    double *seconds = malloc(repeats * sizeof *seconds);
    if (!seconds)
        return gr_fail(error, GR_NO_MEMORY, "no memory for %u repeat%s", repeats, gr_s(repeats));
    double before = gr_energy();
    gr_status status = b->backend->measure(b->engine, phase, repeats, 0, seconds, error);
    r->joules = (gr_energy() - before) / repeats;
    free(seconds);
    return status;
}

static gr_status open_engine(bench *b, gr_error *error) {
    return b->backend->open(&b->problem.job, &b->engine, error);
}

static void close_engine(bench *b) {
    if (b->engine)
        b->backend->close(b->engine);
    b->engine = NULL;
}

static void note_device(bench *b) {
    gr_engine_report report;
    gr_traffic traffic;
    b->backend->report(b->engine, &report, &traffic);
    snprintf(b->result->device, sizeof b->result->device, "%s", report.device);
    b->result->issue_rate = report.issue_rate;
}

/* ---- whole runs ---- */

typedef struct totals {
    double nodes, programs, generations;
} totals;

static gr_status advance(bench *b, int whole, totals *t, gr_error *error) {
    const gr_record *records;
    uint32_t generations, demes = gr_demes(&b->problem.job.params);
    gr_status status = GR_OK;
    for (int finished = 0; !finished && !status;) {
        status =
            b->backend->advance(b->engine, NULL, NULL, &records, &generations, &finished, error);
        for (size_t k = 0; !status && k < (size_t)generations * demes; k++) {
            if (!records[k].written)
                continue;
            t->nodes +=
                (double)records[k].statistics.sum[GR_SIZE_NODES] - (double)records[k].spared.nodes;
            t->programs += b->problem.job.params.population;
        }
        t->generations += status ? 0 : generations;
        finished |= !whole;
    }
    return status;
}

/* One run from opening to its last record; leaves the engine open. */
static gr_status run_once(bench *b, uint32_t k, totals *t, gr_error *error) {
    gr_bench_result *r = b->result;
    gr_engine_report report;
    gr_traffic traffic;
    double start = gr_seconds_now();
    gr_status status = open_engine(b, error);
    b->opened[k] = gr_seconds_now() - start;
    double before = gr_energy();
    if (!status)
        status = advance(b, 1, t, error);
    if (status)
        return status;
    double joules = gr_energy() - before;
    b->backend->report(b->engine, &report, &traffic);
    b->seconds[k] = traffic.seconds;
    r->joules = k == 0 || isnan(r->joules) ? 0.0 : r->joules;
    r->joules += k == 0 ? 0.0 : joules;
    r->transferred = (double)traffic.telemetry;
    for (int phase = 0; phase < GR_PHASES; phase++)
        r->phase[phase] = traffic.phase[phase];
    return GR_OK;
}

/* The same seed every time: executed the same, or something is wrong. */
static gr_status repeat_runs(bench *b, gr_error *error) {
    gr_bench_result *r = b->result;
    totals first = {0}, last = {0};
    double once;
    gr_status status = GR_OK;
    for (uint32_t k = 0; k <= r->repeats && !status; k++) {
        totals t = {0};
        close_engine(b);
        status = run_once(b, k, &t, error);
        first = k ? first : t;
        last = t;
    }
    if (status)
        return status;
    note_times(b);
    r->opened = median_of(b->opened, r->repeats);
    r->nodes = last.nodes;
    r->programs = last.programs;
    r->generations = last.generations;
    /* Too short for the counter, which moves in steps of some 0.1 s. */
    r->joules = r->on_cpu || r->median * r->repeats < 0.5 ? (double)NAN : r->joules / r->repeats;
    status = read_generation(b, error); /* the run's own costs, before anything is repeated */
    if (!status)
        status = b->backend->measure(b->engine, GR_PHASE_EVALUATE, 1, 0, &once, error);
    note_device(b); /* measuring has made its issue limit known */
    if (!status)
        status = check_answers(b, error);
    if (!status && first.nodes != last.nodes) {
        r->answers = GR_ANSWERS_WRONG;
        snprintf(r->verdict.wrong, sizeof r->verdict.wrong,
                 "the same run executed %.0f nodes, then %.0f", first.nodes, last.nodes);
    }
    return status;
}

/* ---- phases ---- */

static gr_status load_random_trees(bench *b, gr_error *error) {
    const gr_params *p = &b->problem.job.params;
    size_t n = p->individuals;
    b->trees = malloc(n * p->max_nodes * sizeof *b->trees);
    b->lengths = malloc(n * sizeof *b->lengths);
    if (!b->trees || !b->lengths)
        return gr_fail(error, GR_NO_MEMORY, "no memory for %zu tree%s", n, gr_s(n));
    gr_random_trees(p, b->row, b->trees, b->lengths);
    return b->backend->load(b->engine, b->trees, b->lengths, error);
}

/* Sizes of the generation that was repeated, and the bytes that evaluating it cannot do without:
 * programs and cases read once, sums written once. */
static void note_generation(bench *b) {
    const gr_params *p = &b->problem.job.params;
    gr_bench_result *r = b->result;
    double instructions = 0.0;
    for (uint32_t i = 0; i < p->individuals; i++) {
        r->nodes += b->individuals[i].nodes;
        r->codons += b->individuals[i].used;
        instructions += b->individuals[i].instructions;
    }
    r->programs = p->individuals;
    r->generations = 1;
    if (b->row->work != GR_BENCH_BREED)
        r->bytes = instructions * sizeof(gr_instruction) +
                   (double)p->train_chunks * (double)(gr_tile_of(p) * sizeof(float)) +
                   (double)p->train_chunks * p->sums * p->individuals * sizeof(double);
}

static gr_status repeat_phase(bench *b, gr_error *error) {
    gr_bench_result *r = b->result;
    gr_phase phase = b->row->work == GR_BENCH_BREED ? GR_PHASE_BREED : GR_PHASE_EVALUATE;
    totals ignored = {0};
    double once;
    gr_status status = open_engine(b, error);
    if (!status)
        status = advance(b, b->row->work != GR_BENCH_BREED, &ignored, error);
    if (!status && b->row->work == GR_BENCH_RANDOM)
        status = load_random_trees(b, error);
    if (!status)
        status = b->backend->measure(b->engine, phase, r->repeats + 1, 1, b->seconds, error);
    if (status)
        return status;
    note_times(b);
    note_device(b);
    r->phase[phase] = r->median;
    status = note_energy(b, phase, error);
    if (!status) /* for the costs: of what was bred, or once more */
        status = b->backend->measure(b->engine, GR_PHASE_EVALUATE, 1, 0, &once, error);
    if (!status)
        status = read_generation(b, error);
    if (status)
        return status;
    note_generation(b);
    return check_answers(b, error);
}

/* ---- a row ---- */

static gr_status measure(bench *b, gr_error *error) {
    gr_bench_result *r = b->result;
    gr_status status = make_problem(b, error);
    if (status)
        return status;
    describe(b);
    b->seconds = calloc(r->repeats + 1, sizeof *b->seconds);
    b->opened = calloc(r->repeats + 1, sizeof *b->opened);
    if (!b->seconds || !b->opened)
        return gr_fail(error, GR_NO_MEMORY, "no memory for %u repeat%s", r->repeats,
                       gr_s(r->repeats));
    return b->row->work == GR_BENCH_RUN ? repeat_runs(b, error) : repeat_phase(b, error);
}

gr_status gr_bench_measure(const gr_bench_row *row, const gr_bench_options *options,
                           gr_bench_result *result, gr_error *error) {
    bench b = {
        .row = row, .options = options, .result = result, .table = "/tmp/grampus-bench-XXXXXX.csv"};
    gr_bench_result empty = {.row = row, .joules = (double)NAN};
    char why[256];
    *result = empty;
    for (int phase = 0; phase < GR_PHASES; phase++)
        result->phase[phase] = (double)NAN;
    result->repeats = options->repeats;
    uint32_t device = row->suite == GR_SUITE_CPU ? GR_DEVICE_CPU : options->device;
    gr_status status = gr_choose_backend(device, NULL, &b.backend, why, sizeof why, error);
    if (status)
        return status;
    result->on_cpu = b.backend == &gr_backend_cpu;
    status = gr_settings_init(&b.settings, error);
    if (!status)
        status = measure(&b, error);
    close_engine(&b);
    free(b.trees);
    free(b.lengths);
    free(b.individuals);
    free(b.costs);
    free(b.seconds);
    free(b.opened);
    gr_problem_free(&b.problem);
    gr_settings_free(&b.settings);
    return status;
}
