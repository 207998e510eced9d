/* How the seconds of a generation grow with what it works on: a sweep over population, runs, cases,
 * inputs, nodes a tree, productions of the grammar, threads. */
#include "gpu/core/selection/once.h"
#include "host/bench/bench.h"

#include "gpu/backend/clock.h"
#include "gpu/backend/memory.h"
#include "host/base/json.h"
#include "host/base/sort.h"
#include "host/base/text.h"
#include "host/cpu/processors.h"
#include "host/device/choose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_SIZES = 9, MOST_REPEATS = 5 };

typedef enum gr_sweep {
    POPULATION,
    RUNS,
    CASES,
    INPUTS,
    NODES,
    PRODUCTIONS,
    THREADS,
    SWEEPS
} gr_sweep;

#define TREE "genotype: tree\nfunctions: \"+, -, *\"\nmetric: mae\ntournament: 7\n"
#define SIZED(nodes)                                                                               \
    "initialisation: ptc2\ninit-min-nodes: " #nodes "\ninit-max-nodes: " #nodes "\n"
#define SMALL SIZED(31) "max-nodes: 40\n"
#define TARGET "target-expression: x*x*x*x*x*x - 2*x*x*x*x + x*x\nvariables: x = uniform(-1, 1)\n"

/* `settings` hold all but the size itself, whose key is `key`; set_size knows the rest. */
static const struct {
    const char *row, *what, *key, *settings;
    uint32_t sizes[MOST_SIZES]; /* 0 ends them */
    const char *shape;
} sweeps[SWEEPS] = {
    [POPULATION] = {"scale-population",
                    "individuals",
                    "population",
                    TREE SMALL TARGET "train-cases: 128\n",
                    {1000, 10000, 100000, 1000000, 10000000, 100000000},
                    "trees of 31 nodes, 128 cases, 1 % elites"},
    [RUNS] = {"scale-runs",
              "runs",
              "runs",
              "initialisation: uniform\ngenome-length: 128\nmax-genome-length: 128\n"
              "codon-size: 255\ncrossover: fixed-onepoint\npopulation: 32\nelites: 1\n"
              "tournament: 3\nmetric: sae\n"
              "target-expression: x0 + x0*x0 + x0*x0*x0 + x0*x0*x0*x0\n"
              "variables: x0 = linspace(0, 10, 128)\n",
              {1, 10, 100, 1000, 10000, 100000, 1000000},
              "of 32 genomes of 128 codons, 128 cases"},
    [CASES] = {"scale-cases",
               "cases",
               "train-cases",
               TREE SMALL TARGET "population: 64\nelites: 1\n",
               {100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000},
               "64 trees of 31 nodes"},
    [INPUTS] = {"scale-inputs",
                "inputs",
                NULL,
                TREE SMALL "population: 2000\n",
                {1, 10, 100, 1000, 10000},
                "2000 trees of 31 nodes, 256 cases"},
    [NODES] = {"scale-nodes",
               "nodes a tree",
               NULL,
               TREE TARGET "train-cases: 1024\npopulation: 1000\nmax-depth: 254\n",
               {3, 10, 30, 100, 300, 1000, 3000, 10000},
               "1000 trees, 1024 cases"},
    [PRODUCTIONS] = {"scale-grammar",
                     "productions",
                     NULL,
                     TARGET "train-cases: 128\npopulation: 10000\nmetric: mae\n",
                     {10, 100, 1000, 10000, 60000},
                     "10 000 genomes, 128 cases"},
    [THREADS] = {"scale-threads",
                 "threads",
                 "threads",
                 TREE SMALL TARGET "train-cases: 10000\npopulation: 1000\n",
                 {1, 2, 4, 8, 16, 32, 64, 128, 256},
                 "on the CPU, 1000 trees of 31 nodes, 10 000 cases"},
};

const char *gr_scale_row(int index) {
    return index >= 0 && index < SWEEPS ? sweeps[index].row : NULL;
}

/* A size that was measured. */
typedef struct point {
    uint32_t size;
    double load, open;          /* seconds: problem, engine */
    double least, median, most; /* seconds of a generation */
    double nodes;               /* mean of a program of the last generation */
    double phase[GR_PHASES];    /* of all generations, seconds */
    uint32_t generations;       /* timed */
} point;

/* How a size is measured: generations of an epoch, epochs that are timed. */
typedef struct plan {
    uint32_t epoch, repeats;
} plan;

/* A sweep as it is measured. */
typedef struct scale {
    const gr_bench_options *options;
    gr_sweep sweep;
    const gr_backend *backend;
    double budget, spent; /* seconds, of the sweep */
    point points[MOST_SIZES];
    int count;
    double exponent; /* NaN: too few points */
    char left_out[256];
    char device[128];
} scale;

/* ---- problems ---- */

/* A file with text from `write`, whose name goes to `path`, a template. */
static gr_status write_file(char *path, void (*write_to)(FILE *out, uint32_t size), uint32_t size,
                            gr_error *error) {
    int file = mkstemps(path, 4);
    FILE *out = file >= 0 ? fdopen(file, "w") : NULL;
    if (out)
        write_to(out, size);
    int bad = !out || ferror(out);
    if ((out && fclose(out)) || bad)
        return gr_fail(error, GR_FAILED, "%s: cannot be written", path);
    return GR_OK;
}

/* Numbers that look random, a target behind them. */
static void write_table(FILE *out, uint32_t inputs) {
    uint32_t word = 1;
    for (int row = 0; row < 256; row++)
        for (uint32_t k = 0; k <= inputs; k++) {
            word = word * 1664525u + 1013904223u;
            fprintf(out, "0.%u%c", word >> 22, k < inputs ? ',' : '\n');
        }
}

/* As many productions: seven, and numbers. */
static void write_grammar(FILE *out, uint32_t productions) {
    fprintf(out, "<e> ::= (<e> <o> <e>) | <v> | <v>\n<o> ::= + | - | *\n<v> ::= x");
    for (uint32_t k = 7; k < productions; k++)
        fprintf(out, " | 0.%u", k);
    fprintf(out, "\n");
}

static void write_quartic(FILE *out, uint32_t size) {
    (void)size;
    fputs(gr_quartic_grammar, out);
}

static gr_status set_whole(gr_settings *s, const char *key, uint32_t value, gr_error *error) {
    char text[16];
    snprintf(text, sizeof text, "%u", value);
    return gr_settings_set(s, key, text, error);
}

/* What a size is set by; a file it takes is named by `path`, "" without. */
static gr_status set_size(gr_settings *s, gr_sweep sweep, uint32_t size, char path[64],
                          gr_error *error) {
    gr_status status = GR_OK;
    if (sweeps[sweep].key)
        status = set_whole(s, sweeps[sweep].key, size, error);
    if (status || (sweeps[sweep].key && sweep != RUNS))
        return status;
    if (sweep == NODES) {
        status = set_whole(s, "init-min-nodes", size, error);
        if (!status)
            status = set_whole(s, "init-max-nodes", size, error);
        if (!status)
            status = gr_settings_set(s, "initialisation", "ptc2", error);
        return status ? status : set_whole(s, "max-nodes", size + size / 4 + 2, error);
    }
    int table = sweep == INPUTS;
    strcpy(path, table ? "/tmp/grampus-scale-XXXXXX.csv" : "/tmp/grampus-scale-XXXXXX.bnf");
    status = write_file(path,
                        table           ? write_table
                        : sweep == RUNS ? write_quartic
                                        : write_grammar,
                        size, error);
    return status ? status : gr_settings_set(s, table ? "data" : "grammar", path, error);
}

static gr_status make_problem(const scale *s, uint32_t size, const plan *p, gr_problem *problem,
                              gr_error *error) {
    gr_settings settings;
    char path[64] = "";
    const char *text = sweeps[s->sweep].settings;
    gr_status status = gr_settings_init(&settings, error);
    if (!status)
        status = gr_settings_parse(&settings, text, strlen(text), sweeps[s->sweep].row, error);
    settings.threads = s->options->threads;
    settings.epoch = p->epoch;
    settings.generations = p->epoch * (p->repeats + 1);
    if (!status)
        status = set_size(&settings, s->sweep, size, path, error);
    if (!status)
        status = gr_settings_resolve(&settings, error);
    if (!status)
        status = gr_problem_make(&settings, problem, error);
    if (problem->job.params.once == GR_ONCE_AUTO) /* a generation of all programs */
        problem->job.params.once = GR_ONCE_OFF;
    if (*path)
        unlink(path);
    gr_settings_free(&settings);
    return status;
}

/* ---- measuring ---- */

static double nodes_of(const gr_record *records, uint32_t generations, uint32_t demes) {
    double nodes = 0.0, programs = 0.0;
    for (size_t k = (size_t)(generations - 1) * demes; k < (size_t)generations * demes; k++) {
        nodes += (double)records[k].statistics.sum[GR_SIZE_NODES];
        programs += records[k].statistics.validity[GR_VALID];
    }
    return programs > 0.0 ? nodes / programs : 0.0;
}

/* The first epoch, which grows the first generation, is not counted. */
static gr_status time_epochs(const scale *s, gr_engine *engine, uint32_t demes, uint32_t repeats,
                             point *p, gr_error *error) {
    double seconds[MOST_REPEATS + 1] = {0.0};
    uint32_t done = 0;
    for (int finished = 0; !finished && done <= repeats; done++) {
        const gr_record *records;
        uint32_t generations;
        double start = gr_seconds_now();
        gr_status status =
            s->backend->advance(engine, NULL, NULL, &records, &generations, &finished, error);
        if (status)
            return status;
        seconds[done] = (gr_seconds_now() - start) / (generations ? generations : 1);
        if (generations)
            p->nodes = nodes_of(records, generations, demes);
        p->generations += done ? generations : 0;
    }
    gr_sort_doubles(seconds + 1, done - 1);
    p->least = seconds[1];
    p->median = 0.5 * (seconds[1 + (done - 2) / 2] + seconds[1 + (done - 1) / 2]);
    p->most = seconds[done - 1];
    return GR_OK;
}

static gr_status measure(scale *s, uint32_t size, const plan *how, gr_error *error) {
    point *p = &s->points[s->count];
    gr_problem problem;
    gr_engine *engine = NULL;
    gr_engine_report report;
    gr_traffic traffic;
    *p = (point){.size = size};
    double start = gr_seconds_now();
    gr_status status = make_problem(s, size, how, &problem, error);
    if (status)
        return status;
    p->load = gr_seconds_now() - start;
    status = s->backend->open(&problem.job, &engine, error);
    p->open = gr_seconds_now() - start - p->load;
    if (!status)
        status = time_epochs(s, engine, gr_demes(&problem.job.params), how->repeats, p, error);
    if (!status) {
        s->backend->report(engine, &report, &traffic);
        memcpy(p->phase, traffic.phase, sizeof p->phase);
        snprintf(s->device, sizeof s->device, "%s", report.device);
        s->count++;
    }
    if (engine)
        s->backend->close(engine);
    gr_problem_free(&problem);
    s->spent += gr_seconds_now() - start;
    return status;
}

/* What host memory the cases take, laid out, and copied by the CPU's engine. */
static double bytes_of(const scale *s, uint32_t size) {
    int copies = s->backend == &gr_backend_cpu ? 2 : 1;
    return s->sweep == CASES ? size * (8.0 * copies + 4.0) : 0.0;
}

static void leave_out(scale *s, int from, const char *why) {
    char *text = s->left_out;
    size_t size = sizeof s->left_out;
    int n = 0;
    for (int k = from; k < MOST_SIZES && sweeps[s->sweep].sizes[k] && n < 100; k++)
        n += snprintf(text + n, size - (size_t)n, "%s%u", n ? ", " : "", sweeps[s->sweep].sizes[k]);
    if (n)
        snprintf(text + n, size - (size_t)n, " (%.*s)", GR_CUT(why, 120));
}

/* Generations of an epoch: enough for a quarter of a second, if one takes `expected`. */
static uint32_t choose_epoch(const scale *s, double expected) {
    double epoch = (s->options->quick ? 0.02 : 0.25) / expected;
    return epoch < 1.0 ? 1 : epoch > 50.0 ? 50 : (uint32_t)epoch;
}

/* Whether a size can be measured in the time and memory that are left, and how; if not, why. */
static int can_measure(const scale *s, int k, plan *p, char why[64]) {
    const uint32_t *sizes = sweeps[s->sweep].sizes;
    const point *last = s->count ? &s->points[s->count - 1] : NULL;
    double growth = k && s->sweep != THREADS ? (double)sizes[k] / sizes[k - 1] : 1.0;
    double each = last ? last->median * growth : 1e-3;
    double before = last ? (last->load + last->open) * growth : 0.0, expected;
    p->epoch = choose_epoch(s, each);
    p->repeats = s->options->repeats < MOST_REPEATS ? s->options->repeats : MOST_REPEATS;
    while (expected = before + (p->repeats + 1.5) * p->epoch * each,
           p->repeats > 1 && s->spent + expected > s->budget)
        p->repeats--;
    double bytes = bytes_of(s, sizes[k]);
    if (s->sweep == THREADS && sizes[k] > gr_processors())
        snprintf(why, 64, "there are no more processors");
    else if (last && s->spent + expected > s->budget)
        snprintf(why, 64, "about %.0f s more", expected);
    else if (bytes > 0.9 * (double)gr_memory_available())
        snprintf(why, 64, "%.1f GB of host memory", bytes * 1e-9);
    else
        return 1;
    return 0;
}

/* The first size has none before it that would tell how long it takes. */
static gr_status try_first(scale *s, plan *p, gr_error *error) {
    const plan once = {1, 1};
    gr_status status = measure(s, sweeps[s->sweep].sizes[0], &once, error);
    if (status)
        return status;
    p->epoch = choose_epoch(s, s->points[0].median);
    s->count = 0;
    return GR_OK;
}

/* From the smallest size on, until memory or time run out. */
static gr_status measure_sizes(scale *s, gr_error *error) {
    const uint32_t *sizes = sweeps[s->sweep].sizes;
    for (int k = 0; k < MOST_SIZES && sizes[k]; k++) {
        gr_error cause = {GR_OK, ""};
        char why[64];
        plan p;
        if (!can_measure(s, k, &p, why)) {
            leave_out(s, k, why);
            return GR_OK;
        }
        gr_status status = k ? GR_OK : try_first(s, &p, &cause);
        if (!status)
            status = measure(s, sizes[k], &p, &cause);
        if (status == GR_NO_MEMORY) {
            leave_out(s, k, cause.text);
            return GR_OK;
        }
        if (status)
            return gr_fail(error, status, "%s, %u: %.*s", sweeps[s->sweep].row, sizes[k],
                           GR_CUT(cause.text, 900));
    }
    return GR_OK;
}

/* ---- growth ---- */

double gr_growth(const double *size, const double *seconds, int count) {
    double n = count, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
    for (int k = 0; k < count; k++) {
        double u = log(size[k]), v = log(seconds[k]);
        x += u, y += v, xx += u * u, xy += u * v;
    }
    return count < 2 ? (double)NAN : (n * xy - x * y) / (n * xx - x * x);
}

/* Over the upper half of the sizes, at least two. */
static int upper_half(const scale *s) {
    int half = s->count / 2;
    return s->count - half < 2 && half ? half - 1 : half;
}

static double growth_from(const scale *s, int first, int end) {
    double size[MOST_SIZES], seconds[MOST_SIZES];
    for (int k = first; k < end; k++) {
        size[k - first] = s->points[k].size;
        seconds[k - first] = s->points[k].median;
    }
    return gr_growth(size, seconds, end - first);
}

/* ---- reporting ---- */

static void print_sweep(const scale *s) {
    printf("\n%s: %s (%s)\n%12s %14s %7s %7s %8s %8s %8s %8s %8s %8s\n", sweeps[s->sweep].row,
           sweeps[s->sweep].shape, s->device, sweeps[s->sweep].what, "s/generation", "spread",
           "growth", "nodes", "load s", "open s", "select", "breed", "evaluate");
    for (int k = 0; k < s->count; k++) {
        const point *p = &s->points[k];
        double all =
            p->phase[GR_PHASE_SELECT] + p->phase[GR_PHASE_BREED] + p->phase[GR_PHASE_EVALUATE];
        double part = all > 0.0 ? 100.0 / all : 0.0;
        printf("%12u %14.4g %5.0f %% ", p->size, p->median,
               100.0 * (p->most - p->least) / p->median);
        if (k)
            printf("%7.2f", growth_from(s, k - 1, k + 1));
        else
            printf("%7s", "");
        printf(" %8.1f %8.3f %8.3f %6.0f %% %6.0f %% %6.0f %%\n", p->nodes, p->load, p->open,
               part * p->phase[GR_PHASE_SELECT], part * p->phase[GR_PHASE_BREED],
               part * p->phase[GR_PHASE_EVALUATE]);
    }
    if (s->count > 1)
        printf("    exponent %.2f over %u to %u\n", s->exponent, s->points[upper_half(s)].size,
               s->points[s->count - 1].size);
    if (*s->left_out)
        printf("    left out: %s\n", s->left_out);
    fflush(stdout);
}

static cJSON *point_json(const scale *s, const point *p) {
    static const char *const phases[GR_PHASES] = {"select", "breed", "evaluate", "fit", "rank"};
    cJSON *object = cJSON_CreateObject();
    gr_json_add_text(object, "suite", gr_suite_names[GR_SUITE_SCALE]);
    gr_json_add_text(object, "name", sweeps[s->sweep].row);
    gr_json_add_text(object, "device", s->device);
    gr_json_add_text(object, "what", sweeps[s->sweep].what);
    gr_json_add_whole(object, "size", p->size);
    gr_json_add_whole(object, "generations", p->generations);
    cJSON *seconds = cJSON_AddObjectToObject(object, "seconds"); /* of a generation */
    cJSON_AddNumberToObject(seconds, "median", p->median);
    cJSON_AddNumberToObject(seconds, "least", p->least);
    cJSON_AddNumberToObject(seconds, "most", p->most);
    cJSON_AddNumberToObject(object, "load_seconds", p->load);
    cJSON_AddNumberToObject(object, "opening_seconds", p->open);
    cJSON_AddNumberToObject(object, "nodes_mean", p->nodes);
    cJSON *split = cJSON_AddObjectToObject(object, "phases"); /* of the whole run */
    for (int k = 0; k < GR_PHASES; k++)
        cJSON_AddNumberToObject(split, phases[k], p->phase[k]);
    if (s->count > 1)
        cJSON_AddNumberToObject(object, "exponent", s->exponent);
    else
        cJSON_AddNullToObject(object, "exponent");
    gr_json_add_text(object, "left_out", *s->left_out ? s->left_out : NULL);
    return object;
}

static void write_script(const void *context, FILE *out) {
    const scale *all = context;
    const char *device = "";
    for (int i = 0; i < SWEEPS; i++) {
        fprintf(out, "$sweep%d << EOD\n", i);
        for (int k = 0; k < all[i].count; k++)
            fprintf(out, "%u %g\n", all[i].points[k].size, all[i].points[k].median);
        fprintf(out, "EOD\n");
        device = i != THREADS && all[i].count ? all[i].device : device;
    }
    fprintf(out, "set title ");
    gr_write_quoted(out, device);
    fprintf(out, " noenhanced\nset logscale xy\nset xlabel 'size'\n"
                 "set ylabel 'seconds a generation'\nset format x '10^{%%T}'\n"
                 "set format y '10^{%%T}'\nset grid\nset key left top\nplot ");
    for (int i = 0, any = 0; i < SWEEPS; i++) {
        if (!all[i].count)
            continue;
        char growth[32] = ""; /* none of too few points */
        if (!isnan(all[i].exponent))
            snprintf(growth, sizeof growth, " (%.2f)", all[i].exponent);
        fprintf(out, "%s$sweep%d using 1:2 with linespoints lw 2 title '%s%s' noenhanced",
                any++ ? ", " : "", i, sweeps[i].what, growth);
    }
    fprintf(out, "\n");
}

/* ---- all sweeps ---- */

/* NULL: not to be measured. */
static const gr_backend *backend_for(const gr_bench_options *options, gr_sweep sweep,
                                     const gr_backend *chosen) {
    if (options->row && strcmp(options->row, sweeps[sweep].row) != 0)
        return NULL;
    if (sweep != THREADS)
        return chosen;
    return options->device == GR_DEVICE_CUDA ? NULL : &gr_backend_cpu;
}

gr_status gr_bench_scale(const gr_bench_options *options, const char *picture, cJSON *rows,
                         gr_error *error) {
    scale *all = calloc(SWEEPS, sizeof *all);
    const gr_backend *chosen;
    char why[256];
    int any = 0;
    gr_status status =
        all ? gr_choose_backend(options->device, NULL, &chosen, why, sizeof why, error)
            : gr_fail(error, GR_NO_MEMORY, "no memory for sweeps");
    for (int i = 0; i < SWEEPS && !status; i++) {
        scale *s = &all[i];
        s->options = options;
        s->sweep = (gr_sweep)i;
        s->budget = options->quick ? 0.5 : 45.0;
        if (!(s->backend = backend_for(options, s->sweep, chosen)))
            continue;
        status = measure_sizes(s, error);
        s->exponent = growth_from(s, upper_half(s), s->count);
        any |= s->count > 0;
        for (int k = 0; k < s->count; k++)
            cJSON_AddItemToArray(rows, point_json(s, &s->points[k]));
        if (!options->json)
            print_sweep(s);
    }
    if (!status && picture && !any)
        status = gr_fail(error, GR_FAILED, "%.*s: there is nothing to draw", GR_CUT(picture, 200));
    if (!status && picture)
        status = gr_bench_draw(picture, write_script, all, error);
    free(all);
    return status;
}
