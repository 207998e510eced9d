/* The rate over population and cases, as GPOCL's surfaces (Augusto and Barbosa 2013): its
 * regression set, 10 inputs, trees of 50 nodes. */
#include "host/bench/bench.h"

#include "host/base/text.h"
#include "host/cpu/processors.h"
#include "host/device/choose.h"

#include <math.h>
#include <string.h>

static const uint32_t populations[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
static const uint32_t cases[] = {16, 128, 1024, 8192, 65536, 524288, 4194304, 16777216};
enum {
    ROWS = sizeof populations / sizeof *populations,
    COLUMNS = sizeof cases / sizeof *cases,
    NODES = 50
};

/* GPop/s by population and cases; 0: beyond memory or time. */
typedef struct surface {
    double rate[ROWS][COLUMNS];
    char device[128];
} surface;

/* ---- measuring ---- */

/* Node evaluations a cell may take a repeat: about a second, in a hurry a tenth or less of it. */
static double largest_cell(const gr_bench_options *o, int on_cpu) {
    uint32_t threads = o->threads ? o->threads : gr_processors();
    if (on_cpu)
        return (o->quick ? 1e7 : 1e9) * threads;
    return o->quick ? 1e11 : 5e11;
}

static gr_status measure_cell(const gr_bench_options *options, int r, int c, surface *s,
                              cJSON *rows, int *wrong, gr_error *error) {
    char name[64];
    gr_bench_row row = {
        .name = name,
        .suite = GR_SUITE_SURFACE,
        .work = GR_BENCH_RANDOM,
        .least = NODES,
        .most = NODES,
        .settings = "genotype: tree\nmax-depth: 100\nelites: 0\ntournament: 1\ngenerations: 0\n"
                    "init-max-depth: 2\nmax-nodes: 52\nmath: fast\nmetric: sae\n"
                    "functions: \"+, -, *, /, neg, sin, cos\"\nconstant-probability: 0.2\n"
                    "target-expression: a0 * a1 + a2 - a9\ntrain-cases: 1\n"
                    "variables: a0, a1, a2, a3, a4, a5, a6, a7, a8, a9 = uniform(-1, 1)\n"};
    gr_bench_options cell = *options;
    gr_bench_result result;
    cell.repeats = options->repeats < 3 ? options->repeats : 3; /* there are some fifty cells */
    cell.population = populations[r];
    cell.cases = cases[c];
    cell.sizes = (double)INFINITY; /* a cell that does not fit is left out, not reduced */
    snprintf(name, sizeof name, "surface-%ux%u", populations[r], cases[c]);
    gr_status status = gr_bench_measure(&row, &cell, &result, error);
    if (status == GR_NO_MEMORY)
        return GR_OK;
    if (status)
        return status;
    s->rate[r][c] = result.answers == GR_ANSWERS_RIGHT   ? gr_bench_gpops(&result)
                    : result.answers == GR_ANSWERS_WRONG ? (double)INFINITY
                                                         : (double)NAN;
    *wrong += result.answers == GR_ANSWERS_WRONG;
    snprintf(s->device, sizeof s->device, "%s", result.device);
    if (rows)
        cJSON_AddItemToArray(rows, gr_bench_json(&result));
    return GR_OK;
}

static void print_cell(double rate) {
    if (rate == 0.0)
        printf(" %9s", "-");
    else if (isnan(rate))
        printf(" %9s", "UNCHECKED");
    else if (isinf(rate))
        printf(" %9s", "WRONG");
    else
        printf(" %9.*f", rate < 10.0 ? 2 : rate < 1000.0 ? 1 : 0, rate);
    fflush(stdout);
}

static void print_columns(void) {
    printf("\nsurface: GPop/s by population (down) and cases (across); {+, -, *, /, neg, sin, "
           "cos}, fast, 10 inputs, trees of %d nodes\n%10s",
           NODES, "");
    for (int c = 0; c < COLUMNS; c++)
        printf(" %9u", cases[c]);
    printf("\n");
}

/* ---- the picture ---- */

static void write_script(const void *context, FILE *out) {
    const surface *s = context;
    fprintf(out, "$rate << EOD\n");
    for (int r = 0; r < ROWS; r++) {
        for (int c = 0; c < COLUMNS; c++) {
            double rate = s->rate[r][c];
            if (rate > 0.0 && isfinite(rate))
                fprintf(out, "%u %u %g\n", cases[c], populations[r], rate);
            else
                fprintf(out, "%u %u NaN\n", cases[c], populations[r]);
        }
        fprintf(out, "\n");
    }
    fprintf(out, "EOD\nset title ");
    gr_write_quoted(out, s->device);
    fprintf(out, " noenhanced\nset logscale xyz\nset logscale cb\n"
                 "set xlabel 'fitness cases'\nset ylabel 'population'\n"
                 "set zlabel 'GPop/s' rotate parallel\nset cblabel 'GPop/s'\n"
                 "set format x '10^{%%T}'\nset format y '10^{%%T}'\nset format z '10^{%%T}'\n"
                 "set format cb '10^{%%T}'\nset grid\nset view 55, 315\nset xyplane 0\n"
                 "set pm3d depthorder border lc '#404040' lw 0.5\nunset key\n"
                 "splot $rate using 1:2:3 with pm3d\n");
}

/* ---- all cells ---- */

gr_status gr_bench_surface(const gr_bench_options *options, const char *picture, cJSON *rows,
                           int *wrong, gr_error *error) {
    surface s = {0};
    const gr_backend *backend;
    char why[256];
    int any = 0;
    gr_status status = gr_choose_backend(options->device, NULL, &backend, why, sizeof why, error);
    if (status)
        return status;
    double most = largest_cell(options, backend == &gr_backend_cpu);
    if (!options->json)
        print_columns();
    for (int r = 0; r < ROWS && !status; r++) {
        if (!options->json)
            printf("%10u", populations[r]);
        for (int c = 0; c < COLUMNS && !status; c++) {
            if ((double)populations[r] * cases[c] * NODES <= most)
                status = measure_cell(options, r, c, &s, rows, wrong, error);
            any |= s.rate[r][c] > 0.0 && isfinite(s.rate[r][c]);
            if (!options->json)
                print_cell(s.rate[r][c]);
        }
        if (!options->json)
            printf("\n");
    }
    if (!status && picture && !any)
        status = gr_fail(error, GR_FAILED, "%.*s: there is no rate to draw", GR_CUT(picture, 200));
    return status || !picture ? status : gr_bench_draw(picture, write_script, &s, error);
}
