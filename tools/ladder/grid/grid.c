#include "tools/ladder/grid/grid.h"

#include "host/base/sort.h"
#include "host/bench/bench.h"
#include "tools/ladder/ours.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES = 6, MOST_SEEDS = 100, FEW_SEEDS = 3, VERIFIED_PROGRAMS = 1000 };
static const uint32_t sizes[SIZES] = {100, 1000, 5000, 10000, 25000, 50000}; /* Table 3 */
/* A cell that has taken so long has no more than FEW_SEEDS. */
static const double long_cell = 0.05;
/* Node evaluations of a measurement where the rate is the same on a part: of the cases that a
 * thread runs one after another, and on a CPU of the programs too. */
static const double element_work = 1e9, sequential_work = 2.5e6, parallel_work = 4e7;

typedef struct cell {
    double rate[MOST_SEEDS], kernel[MOST_SEEDS];
    double spent;
    uint32_t seeds, cases_run;
} cell;

typedef struct bench {
    const ladder_grid *grid;
    ladder_problem problem;
    ladder_population *population; /* [seeds] */
    ladder_device *device;         /* NULL: the CPU alone */
    ladder_cpu_cases cpu;
    double *sums;
    cell (*cells)[SIZES][SIZES]; /* [row][population][cases] */
    double near[LADDER_ROWS];
} bench;

static int on_cpu(uint32_t row) {
    return row == LADDER_CPU_SEQUENTIAL || row == LADDER_CPU_PARALLEL;
}

static int asked(const bench *b, uint32_t row) {
    int gpocl = row < LADDER_STRATEGIES && ladder_strategies[row].family >= LADDER_FITNESS &&
                ladder_strategies[row].family <= LADDER_UNIT;
    return b->grid->rows[row] && (gpocl || row == LADDER_OURS || on_cpu(row));
}

typedef struct extent {
    uint32_t programs, cases;
} extent;

/* What is run of so many programs and cases. */
static extent part_of(uint32_t row, uint32_t programs, uint32_t cases) {
    extent part = {programs, cases};
    if (on_cpu(row)) {
        double work = row == LADDER_CPU_PARALLEL ? parallel_work : sequential_work;
        part.cases = gr_min_u32(cases, 1000);
        part.programs = (uint32_t)fmin(programs, work / (50.0 * part.cases));
    } else if (row < LADDER_STRATEGIES && ladder_strategies[row].family == LADDER_ELEMENT)
        part.cases = (uint32_t)fmin(cases, fmax(100.0, element_work / (50.0 * programs)));
    return part;
}

static double nodes_of(const ladder_population *population, uint32_t programs) {
    double nodes = 0.0;
    for (uint32_t i = 0; i < programs; i++)
        nodes += population->length[i];
    return nodes;
}

static int wanted(const cell *c) {
    return c->seeds < FEW_SEEDS || c->spent < long_cell;
}

static void keep(cell *c, double work, double seconds, double transfer, uint32_t cases_run) {
    c->rate[c->seeds] = 1e-9 * work / (seconds + transfer);
    c->kernel[c->seeds++] = 1e-9 * work / seconds;
    c->spent += seconds + transfer;
    c->cases_run = cases_run;
}

/* ---- strategies of the card and of the CPU ---- */

static gr_status time_row(bench *b, uint32_t row, const ladder_code *rpn, extent part,
                          double *seconds, gr_error *error) {
    if (on_cpu(row)) {
        int threads = row == LADDER_CPU_PARALLEL ? omp_get_max_threads() : 1;
        *seconds =
            ladder_cpu_run(b->grid->set, rpn, part.programs, &b->cpu, part.cases, threads, b->sums);
        return GR_OK;
    }
    ladder_launch launch = {row, 0, 1, part.cases, 0, LADDER_NO_PREFERENCE};
    return ladder_device_run(b->device, &launch, 1, seconds, b->sums, NULL, error);
}

static gr_status measure_programs(bench *b, uint32_t seed, const ladder_code *rpn, uint32_t size,
                                  gr_error *error) {
    uint32_t programs = sizes[size];
    double transfer = 0.0, seconds;
    gr_status status = GR_OK;
    if (b->device) {
        ladder_device_limit(b->device, programs);
        status = ladder_device_transfer(b->device, rpn, &transfer, error);
    }
    for (uint32_t row = 0; !status && row < LADDER_ROWS; row++)
        for (uint32_t k = 0; asked(b, row) && row != LADDER_OURS && !status && k < SIZES; k++) {
            cell *c = &b->cells[row][size][k];
            extent part = part_of(row, programs, sizes[k]);
            if (!wanted(c))
                continue;
            status = time_row(b, row, rpn, part, &seconds, error);
            /* fewer cases: the copies' share stays that of all */
            double share = on_cpu(row) ? 0.0 : (double)part.cases / sizes[k];
            if (!status)
                keep(c, nodes_of(&b->population[seed], part.programs) * part.cases, seconds,
                     transfer * share, part.cases);
        }
    return status;
}

/* The first programs of the first seed by every strategy, against the reference. */
static gr_status verify(bench *b, const ladder_codes *codes, gr_error *error) {
    ladder_population first = b->population[0];
    ladder_reference reference;
    double seconds[3];
    first.programs = VERIFIED_PROGRAMS;
    first.total = (uint64_t)nodes_of(&first, first.programs);
    gr_status status = ladder_reference_make(&b->problem, &first, &reference, error);
    float *outputs = malloc((size_t)first.programs * b->problem.sample.cases * sizeof *outputs);
    ladder_bench one = {&b->problem, &first, &reference, b->device, 3, seconds, b->sums, outputs};
    if (b->device)
        ladder_device_limit(b->device, first.programs);
    for (uint32_t row = 0; outputs && !status && row < LADDER_ROWS; row++) {
        ladder_figure figure = {.state = LADDER_VERIFIED};
        extent part = {first.programs, b->problem.all.cases};
        if (!asked(b, row) || row == LADDER_OURS)
            continue;
        b->near[row] = NAN;
        if (row == LADDER_CPU_SEQUENTIAL) /* the parallel one's interpreter, and slow */
            continue;
        if (row < LADDER_STRATEGIES && !ladder_strategies[row].native)
            status = ladder_measure(&one, row, &figure, error);
        else
            status = time_row(b, row, &codes->rpn, part, seconds, error);
        b->near[row] = ladder_near_sums(&reference, b->sums);
        if (!status && figure.state != LADDER_VERIFIED)
            status = gr_fail(error, GR_DIFFERS, "%s: %s", b->grid->name(row), figure.why);
    }
    free(outputs);
    ladder_reference_free(&reference);
    return status;
}

static gr_status measure_seed(bench *b, uint32_t seed, gr_error *error) {
    ladder_codes codes = {0};
    gr_status status =
        ladder_random_programs(&b->problem.made.job.params, seed, &b->population[seed], error);
    if (!status)
        status = ladder_encode(&b->population[seed], &codes, error);
    if (!status && b->device)
        status = ladder_device_load(b->device, sizes[SIZES - 1], &codes.rpn, &codes.linear,
                                    &codes.langdon, error);
    if (!status && seed == 0)
        status = verify(b, &codes, error);
    for (uint32_t size = 0; !status && size < SIZES; size++)
        status = measure_programs(b, seed, &codes.rpn, size, error);
    ladder_codes_free(&codes);
    return status;
}

/* ---- Grampus ---- */

static gr_status measure_ours(bench *b, uint32_t size, uint32_t k, gr_error *error) {
    ladder_problem problem;
    gr_engine *engine = NULL;
    cell *c = &b->cells[LADDER_OURS][size][k];
    double seconds;
    gr_status status = ladder_problem_make(b->grid->set, "", &(ladder_size){sizes[size], sizes[k]},
                                           &problem, error);
    if (status)
        return status;
    status = ladder_ours_open(&problem, &engine, error);
    for (uint32_t seed = 0; !status && seed < b->grid->seeds && wanted(c); seed++) {
        status = ladder_ours_time(engine, &b->population[seed], 1, &seconds, error);
        if (!status)
            keep(c, nodes_of(&b->population[seed], sizes[size]) * sizes[k], seconds, 0.0, sizes[k]);
    }
    ladder_ours_close(engine);
    ladder_problem_free(&problem);
    return status;
}

static gr_status measure_all(bench *b, gr_error *error) {
    gr_status status = GR_OK;
    for (uint32_t seed = 0; !status && seed < b->grid->seeds; seed++)
        status = measure_seed(b, seed, error);
    for (uint32_t i = 0; asked(b, LADDER_OURS) && !status && i < SIZES * SIZES; i++)
        status = measure_ours(b, i / SIZES, i % SIZES, error);
    return status;
}

/* ---- energy ---- */

enum { ENERGY_SIZE = 2 }; /* 5000 programs, and all cases */
static const double energy_seconds = 1.0;

static gr_status repeat_for(bench *b, uint32_t row, const ladder_code *rpn, gr_engine *engine,
                            double seconds, double *work, double *busy, gr_error *error) {
    extent part = part_of(row, sizes[ENERGY_SIZE], b->problem.all.cases);
    double one, start = omp_get_wtime();
    gr_status status = GR_OK;
    for (*work = *busy = 0.0; !status && omp_get_wtime() - start < seconds;) {
        status = row == LADDER_OURS ? ladder_ours_time(engine, &b->population[0], 1, &one, error)
                                    : time_row(b, row, rpn, part, &one, error);
        *work += nodes_of(&b->population[0], part.programs) * part.cases;
        *busy += one;
    }
    return status;
}

static gr_status energy_row(bench *b, uint32_t row, const ladder_code *rpn, gr_engine *engine,
                            gr_error *error) {
    double (*meter)(void) = on_cpu(row) ? ladder_rapl : gr_energy;
    double work, busy, joules, seconds;
    gr_status status =
        repeat_for(b, row, rpn, engine, 0.5 * energy_seconds, &work, &busy, error); /* warm */
    double start = omp_get_wtime(), before = meter();
    if (!status)
        status = repeat_for(b, row, rpn, engine, energy_seconds, &work, &busy, error);
    joules = meter() - before;
    seconds = omp_get_wtime() - start;
    const char *name = on_cpu(row) ? "RAPL" : "NVML";
    if (!status)
        fprintf(b->grid->table, "%s\t%s\t%.6g\t%.6g\t%.6g\t%.3g\t%s\n", b->problem.name,
                b->grid->name(row), 1e-9 * work / busy, joules / seconds, 1e-9 * work / joules,
                seconds, isnan(joules) ? "none" : name);
    return status;
}

static gr_status measure_energy(bench *b, gr_error *error) {
    ladder_codes codes = {0};
    ladder_problem problem;
    gr_engine *engine = NULL;
    ladder_size size = {sizes[ENERGY_SIZE], 0};
    gr_status status = ladder_problem_make(b->grid->set, "", &size, &problem, error);
    if (status)
        return status;
    status = ladder_random_programs(&problem.made.job.params, 0, &b->population[0], error);
    if (!status)
        status = ladder_encode(&b->population[0], &codes, error);
    if (!status && b->device)
        status = ladder_device_load(b->device, size.population, &codes.rpn, &codes.linear,
                                    &codes.langdon, error);
    if (!status && asked(b, LADDER_OURS))
        status = ladder_ours_open(&problem, &engine, error);
    for (uint32_t row = 0; !status && row < LADDER_ROWS; row++)
        if (asked(b, row))
            status = energy_row(b, row, &codes.rpn, engine, error);
    ladder_ours_close(engine);
    ladder_codes_free(&codes);
    ladder_problem_free(&problem);
    return status;
}

/* ---- table ---- */

static double median(double *values, uint32_t count) {
    gr_sort_doubles(values, count);
    return 0.5 * (values[(count - 1) / 2] + values[count / 2]);
}

static void write_cell(const bench *b, uint32_t row, uint32_t size, uint32_t k) {
    cell *c = &b->cells[row][size][k];
    double rate = median(c->rate, c->seeds);
    fprintf(b->grid->table, "%s\t%s\t%u\t%u\t%u\t%.6g\t%.6g\t%.6g\t%.6g\t%u\t", b->problem.name,
            b->grid->name(row), sizes[size], sizes[k], c->seeds, rate, median(c->kernel, c->seeds),
            c->rate[0], c->rate[c->seeds - 1], c->cases_run);
    if (row != LADDER_OURS && !isnan(b->near[row]))
        fprintf(b->grid->table, "%.4f", b->near[row]);
    fputc('\n', b->grid->table);
}

static void write_table(const bench *b) {
    for (uint32_t row = 0; row < LADDER_ROWS; row++)
        for (uint32_t i = 0; asked(b, row) && i < SIZES * SIZES; i++)
            write_cell(b, row, i / SIZES, i % SIZES);
}

static gr_status open_bench(bench *b, gr_error *error) {
    int gpu = 0;
    ladder_card card;
    for (uint32_t row = 0; row < LADDER_ROWS; row++)
        gpu |= asked(b, row) && !on_cpu(row);
    gr_status status = ladder_cpu_cases_make(&b->problem.all, &b->cpu, error);
    if (!status && gpu)
        status = ladder_device_open(b->grid->set, &b->problem.made.job.params, &b->problem.all,
                                    &b->problem.sample, &card, &b->device, error);
    b->population = calloc(b->grid->seeds, sizeof *b->population);
    b->cells = calloc(LADDER_ROWS, sizeof *b->cells);
    b->sums = malloc(sizes[SIZES - 1] * sizeof *b->sums);
    if (!status && (!b->population || !b->cells || !b->sums))
        status = gr_fail(error, GR_NO_MEMORY, "no memory for a grid");
    return status;
}

gr_status ladder_grid_run(const ladder_grid *grid, gr_error *error) {
    bench b = {.grid = grid};
    ladder_size all = {sizes[SIZES - 1], sizes[SIZES - 1]};
    gr_status status = ladder_problem_make(grid->set, "", &all, &b.problem, error);
    if (status)
        return status;
    status = open_bench(&b, error);
    if (!status)
        status = grid->energy ? measure_energy(&b, error) : measure_all(&b, error);
    if (!status && !grid->energy)
        write_table(&b);
    for (uint32_t seed = 0; b.population && seed < grid->seeds; seed++)
        ladder_population_free(&b.population[seed]);
    ladder_device_close(b.device);
    ladder_cpu_cases_free(&b.cpu);
    ladder_problem_free(&b.problem);
    free(b.population);
    free(b.cells);
    free(b.sums);
    return status;
}
