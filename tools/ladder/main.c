/* The ladder: the strategies of the papers and ours on the same programs, cases and card, each
 * verified before its figure is printed; the paper's tables beside ours. */
#include "host/base/json.h"
#include "host/cli/commands.h"
#include "tools/ladder/grid/grid.h"
#include "tools/ladder/measure.h"
#include "tools/ladder/ours.h"
#include "tools/ladder/pospichal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct arguments {
    const char *data, *problem, *strategy, *table;
    uint32_t repeats, runs, population, mapping, converging, grid;
    int json, launches, energy, copies;
    FILE *out;                                        /* table, or NULL */
    uint8_t problems[LADDER_SETS], rows[LADDER_ROWS]; /* asked for */
} arguments;

static const char *row_name(uint32_t row) {
    return row == LADDER_OURS             ? "ours"
           : row == LADDER_OURS_RUN       ? "ours-run"
           : row == LADDER_CPU_SEQUENTIAL ? "cpu-sequential"
           : row == LADDER_CPU_PARALLEL   ? "cpu-parallel"
                                          : ladder_strategies[row].name;
}
static const char *row_title(uint32_t row) {
    return row == LADDER_OURS             ? "Grampus, evaluation"
           : row == LADDER_OURS_RUN       ? "Grampus, whole run"
           : row >= LADDER_CPU_SEQUENTIAL ? ""
                                          : ladder_strategies[row].title;
}
static const char *problem_name(uint32_t set) {
    return ladder_problem_names[set];
}

/* ---- options ---- */

static void print_names(const char *(*name)(uint32_t), uint32_t count) {
    int column = 80;
    for (uint32_t i = 0; i < count; i++) {
        const char *text = name(i);
        if (column + (int)strlen(text) > 76)
            column = printf("\n     ") - 1;
        column += printf(" %s%s", text, i + 1 < count ? "," : "\n");
    }
}

static void print_help(void) {
    printf(
        "usage: ladder [options]\n\n"
        "The interpreters of Langdon & Banzhaf 2008, Augusto & Barbosa 2013 and Chitty 2017 and\n"
        "Grampus's own on Chitty's problems and Langdon's: rates, and the stack that programs "
        "take.\n\n"
        "  --data DIR         folder of shuttle.*.gz and kddcup.data_10_percent.gz\n"
        "                     (../shared/data); without them their problems are skipped\n"
        "  --problem A,B      some problems only (all)\n"
        "  --strategy A,B     some strategies only (all)\n"
        "  --repeats N        timed repeats, 3 to 1000 (7)\n"
        "  --runs N           runs whose programs are counted in Tables 5 and 6, 1 to 100 (25)\n"
        "  --population N     programs, 100 to 204800 (1000)\n"
        "  --json             one JSON object instead of tables\n"
        "  --table FILE       the figures as a table too, tab-separated\n"
        "  --copies           all programs are one of 13 nodes (Langdon 2007, section 6.2; "
        "mackey-glass)\n"
        "  --launches         with --table: Chitty's strategies at every size of a block and "
        "preference\n"
        "                     of on-chip memory, on programs of all generations, and nothing else\n"
        "  --mapping N        with --table: Pospichal's two kernels on the 24 combinations of his "
        "Table "
        "2,\n"
        "                     N runs of each, 1 to 100, and nothing else\n"
        "  --convergence N    with --table: N runs of his convergence test, 1 to 100000, and "
        "nothing else\n"
        "  --grid N           with --table: GPOCL's six populations x six data sets, programs of N "
        "seeds,\n"
        "                     1 to 100, by its strategies and ours, and nothing else\n"
        "  --energy           with --table: joules of the same by NVML and RAPL, and nothing else\n"
        "  -h, --help         this\n\nproblems:");
    print_names(problem_name, LADDER_SETS);
    printf("strategies:");
    print_names(row_name, LADDER_ROWS);
}

/* Marks the names of a list, or all without one. */
static gr_status mark_names(const char *option, const char *list, const char *(*name)(uint32_t),
                            uint32_t count, uint8_t *marks, gr_error *error) {
    memset(marks, !list, count);
    for (const char *c = list; c; c = strchr(c, ',') ? strchr(c, ',') + 1 : NULL) {
        size_t length = strcspn(c, ",");
        uint32_t i = 0;
        while (i < count && (strlen(name(i)) != length || memcmp(name(i), c, length) != 0))
            i++;
        if (i == count) {
            const char *names[LADDER_ROWS + 1] = {0};
            char word[64], hint[128];
            for (uint32_t k = 0; k < count; k++)
                names[k] = name(k);
            snprintf(word, sizeof word, "%.*s", (int)length, c);
            gr_nearest_hint(word, names, "", hint, sizeof hint);
            return gr_fail(error, GR_BAD_INPUT, "--%s: unknown '%s'%s", option, word,
                           *hint ? hint : "; expected names of ladder --help");
        }
        marks[i] = 1;
    }
    return GR_OK;
}

/* gr_options_read would send those who mistype to grampus. */
static gr_status check_names(int argc, char **argv, const gr_option *options, gr_error *error) {
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i] + (strncmp(argv[i], "--", 2) == 0 ? 2 : 0);
        size_t length = strcspn(word, "=");
        const gr_option *o = options;
        while (o->name && (strlen(o->name) != length || memcmp(o->name, word, length) != 0))
            o++;
        if (strcmp(argv[i], "-h") != 0 && (word == argv[i] || !o->name))
            return gr_fail(error, GR_BAD_INPUT,
                           "%.80s: unknown option; expected one of those in ladder --help",
                           argv[i]);
        i += o->name && o->value && !word[length]; /* its value */
    }
    return GR_OK;
}

static gr_status read_arguments(int argc, char **argv, arguments *a, int *help, gr_error *error) {
    const char *repeats = NULL, *runs = NULL, *population = NULL, *mapping = NULL,
               *convergence = NULL, *grid = NULL;
    const gr_option options[] = {{"data", &a->data, NULL},
                                 {"problem", &a->problem, NULL},
                                 {"strategy", &a->strategy, NULL},
                                 {"repeats", &repeats, NULL},
                                 {"runs", &runs, NULL},
                                 {"population", &population, NULL},
                                 {"table", &a->table, NULL},
                                 {"mapping", &mapping, NULL},
                                 {"convergence", &convergence, NULL},
                                 {"grid", &grid, NULL},
                                 {"energy", NULL, &a->energy},
                                 {"copies", NULL, &a->copies},
                                 {"launches", NULL, &a->launches},
                                 {"json", NULL, &a->json},
                                 {"help", NULL, help},
                                 {NULL, NULL, NULL}};
    gr_status status = check_names(argc, argv, options, error);
    if (!status)
        status = gr_options_read(argc, argv, options, error);
    if (!status)
        status = gr_option_whole("repeats", repeats, 3, 1000, &a->repeats, error);
    if (!status)
        status = gr_option_whole("runs", runs, 1, 100, &a->runs, error);
    if (!status)
        status = gr_option_whole("population", population, 100, 204800, &a->population, error);
    if (!status)
        status = gr_option_whole("mapping", mapping, 1, 100, &a->mapping, error);
    if (!status)
        status = gr_option_whole("convergence", convergence, 1, 100000, &a->converging, error);
    if (!status)
        status = gr_option_whole("grid", grid, 1, 100, &a->grid, error);
    if (!status && (mapping || convergence || a->launches || grid || a->energy) && !a->table)
        status = gr_fail(
            error, GR_BAD_INPUT,
            "--mapping, --convergence, --grid, --energy and --launches want a --table FILE");
    if (!status)
        status = mark_names("problem", a->problem, problem_name, LADDER_SETS, a->problems, error);
    if (!status && a->copies && (!a->problem || strcmp(a->problem, "mackey-glass") != 0))
        status = gr_fail(error, GR_BAD_INPUT, "--copies wants --problem mackey-glass");
    return status ? status
                  : mark_names("strategy", a->strategy, row_name, LADDER_ROWS, a->rows, error);
}

/* ---- a problem ---- */

static gr_status measure_ours(const ladder_bench *b, ladder_figure *figure, gr_error *error) {
    ladder_verdict verdict = {0, figure->why, sizeof figure->why};
    gr_status status = ladder_ours_evaluate(b->problem, b->population, b->reference, b->repeats,
                                            b->seconds, &verdict, error);
    figure->state = verdict.verified ? LADDER_VERIFIED : LADDER_FAILED;
    ladder_summarise(b->seconds, b->repeats,
                     (double)b->population->total * b->problem->all.cases *
                         b->problem->cases_of_a_float,
                     figure);
    return status;
}

static gr_status measure_our_run(const ladder_bench *b, ladder_figure *figure, gr_error *error) {
    ladder_verdict verdict = {0, figure->why, sizeof figure->why};
    double executed;
    gr_status status =
        ladder_ours_run(b->problem, b->repeats, b->seconds, &executed, &verdict, error);
    figure->state = verdict.verified ? LADDER_VERIFIED : LADDER_FAILED;
    ladder_summarise(b->seconds, b->repeats, executed, figure);
    return status;
}

/* Only the table of launches. */
static gr_status climb_launches(ladder_bench *b, const ladder_results *results, FILE *out,
                                gr_error *error) {
    gr_status status = GR_OK;
    for (uint32_t i = 0; !status && i < results->count; i++)
        if (results->rows[i].number < LADDER_STRATEGIES)
            status = ladder_measure_launches(b, results->rows[i].number, out, error);
    return status;
}

/* All strategies asked for on one population; which: LADDER_INITIAL or LADDER_EVOLVED. */
static gr_status climb(ladder_bench *b, int which, ladder_results *results, FILE *launches,
                       gr_error *error) {
    ladder_reference reference = {0};
    ladder_codes codes = {0};
    gr_status status = ladder_encode(b->population, &codes, error);
    if (!status)
        status = ladder_reference_make(b->problem, b->population, &reference, error);
    if (!status)
        status = ladder_device_load(b->device, b->population->programs, &codes.rpn, &codes.linear,
                                    &codes.langdon, error);
    b->reference = &reference;
    if (!status && launches)
        status = climb_launches(b, results, launches, error);
    for (uint32_t i = 0; !status && !launches && i < results->count; i++) {
        ladder_figure *figure = &results->rows[i].figure[which];
        uint32_t row = results->rows[i].number;
        if (row < LADDER_STRATEGIES)
            status = ladder_measure(b, row, figure, error);
        else if (row == LADDER_OURS)
            status = measure_ours(b, figure, error);
        else if (which == LADDER_EVOLVED)
            status = measure_our_run(b, figure, error);
    }
    ladder_reference_free(&reference);
    ladder_codes_free(&codes);
    return status;
}

static void choose_rows(const arguments *a, ladder_set set, ladder_results *results) {
    for (uint32_t row = 0; row < LADDER_ROWS; row++) {
        const ladder_strategy *s = row < LADDER_STRATEGIES ? &ladder_strategies[row] : NULL;
        int gpocl = set == LADDER_REGRESSION || set == LADDER_CLASSIFICATION;
        if (!a->rows[row] || row >= LADDER_CPU_SEQUENTIAL ||
            (s && s->family == LADDER_ROTATED && set != LADDER_MACKEY) ||
            (s && s->native && !gpocl) || (row == LADDER_SPECIAL && !a->copies))
            continue;
        ladder_row *to = &results->rows[results->count++];
        *to = (ladder_row){.number = row, .name = row_name(row), .title = row_title(row)};
        if (row < LADDER_STRATEGIES) {
            to->paper = ladder_strategies[row].paper[set];
            to->card = ladder_strategies[row].card;
        }
    }
}

static gr_status climb_problem(const arguments *a, const ladder_problem *problem,
                               const ladder_programs *programs, ladder_results *results,
                               ladder_card *card, gr_error *error) {
    ladder_bench bench = {.problem = problem, .repeats = a->repeats};
    bench.seconds = malloc(a->repeats * sizeof *bench.seconds);
    bench.sums = malloc(a->population * sizeof *bench.sums);
    bench.outputs = malloc((size_t)a->population * problem->sample.cases * sizeof *bench.outputs);
    gr_status status = GR_OK;
    if (!bench.seconds || !bench.sums || !bench.outputs)
        status = gr_fail(error, GR_NO_MEMORY, "no memory for %u programs", a->population);
    if (!status)
        status = ladder_device_open(problem->set, &problem->made.job.params, &problem->all,
                                    &problem->sample, card, &bench.device, error);
    int first = a->launches ? LADDER_EVOLVED : LADDER_INITIAL;
    for (int which = first; !status && which < LADDER_POPULATIONS; which++) {
        bench.population = &programs->population[which];
        status = climb(&bench, which, results, a->launches ? a->out : NULL, error);
    }
    ladder_device_close(bench.device);
    free(bench.seconds);
    free(bench.sums);
    free(bench.outputs);
    return status;
}

static int any_failed(const ladder_results *results) {
    for (uint32_t i = 0; i < results->count; i++)
        for (int k = 0; k < LADDER_POPULATIONS; k++)
            if (results->rows[i].figure[k].state == LADDER_FAILED)
                return 1;
    return 0;
}

/* Everything about one problem; *failed: a strategy's answers are wrong. `json` NULL: printed. */
static gr_status do_problem(const arguments *a, ladder_set set, cJSON *json, int *headed,
                            int *failed, gr_error *error) {
    ladder_problem problem;
    ladder_programs programs;
    ladder_card card;
    ladder_row rows[LADDER_ROWS] = {0};
    ladder_results results = {.problem = &problem, .programs = &programs, .rows = rows};
    gr_status status =
        ladder_problem_make(set, a->data, &(ladder_size){a->population, 0}, &problem, error);
    if (status)
        return status;
    status = ladder_evolve(&problem, a->runs, &gr_backend_cuda, &programs, error);
    if (status) {
        ladder_problem_free(&problem);
        return status;
    }
    if (a->copies)
        ladder_copy_one(&programs);
    choose_rows(a, set, &results);
    status = climb_problem(a, &problem, &programs, &results, &card, error);
    if (!status && json)
        cJSON_AddItemToArray(json, ladder_results_json(&results));
    if (!status && a->out && !a->launches)
        ladder_write_rates(&results, a->out);
    if (!status && !json && !a->launches) {
        if (!*headed)
            ladder_print_head(&card, a->repeats);
        *headed = 1;
        ladder_print_rates(&results);
        ladder_print_levels(&problem, &programs.levels, a->runs);
        fflush(stdout);
    }
    *failed |= any_failed(&results);
    ladder_programs_free(&programs);
    ladder_problem_free(&problem);
    return status;
}

static gr_status do_grids(const arguments *a, gr_error *error) {
    gr_status status = GR_OK;
    fputs(a->energy ? LADDER_ENERGY_HEAD : LADDER_GRID_HEAD, a->out);
    for (int set = LADDER_REGRESSION; !status && set <= LADDER_CLASSIFICATION; set++) {
        ladder_grid grid = {(ladder_set)set, a->grid ? a->grid : 1, a->energy, a->rows, row_name,
                            a->out};
        if (a->problems[set])
            status = ladder_grid_run(&grid, error);
    }
    return status;
}

/* The table's file with its head; Pospichal's and GPOCL's, which are tables of their own. */
static gr_status open_table(arguments *a, gr_error *error) {
    if (!a->table)
        return GR_OK;
    a->out = fopen(a->table, "w");
    if (!a->out)
        return gr_fail(error, GR_FAILED, "cannot write %s", a->table);
    setvbuf(a->out, NULL, _IOLBF, BUFSIZ); /* rows stay where a later one is given up */
    if (a->mapping || a->converging) {
        memset(a->problems, 0, sizeof a->problems);
        return ladder_ge_table(a->mapping ? a->mapping : a->converging, !a->mapping, a->out, error);
    }
    if (a->grid || a->energy) {
        gr_status status = do_grids(a, error);
        memset(a->problems, 0, sizeof a->problems);
        return status;
    }
    fputs(a->launches ? "problem\tstrategy\tthreads\tshared\tgpops\tspread\tverified\n"
                      : LADDER_RATES_HEAD,
          a->out);
    return GR_OK;
}

static gr_status close_table(const arguments *a, gr_status status, gr_error *error) {
    if (a->out && fclose(a->out) && !status)
        return gr_fail(error, GR_FAILED, "cannot write %s", a->table);
    return status;
}

/* Only GPOCL's strategies on the CPU need none. */
static int wants_card(const arguments *a) {
    int card = !(a->grid || a->energy);
    for (uint32_t row = 0; row < LADDER_CPU_SEQUENTIAL; row++)
        card |= a->rows[row];
    return card;
}

int main(int argc, char **argv) {
    arguments a = {.data = "../shared/data", .repeats = 7, .runs = 25, .population = 1000};
    gr_error error = {0};
    char device[256];
    int help = 0, headed = 0, failed = 0;
    gr_status status = read_arguments(argc, argv, &a, &help, &error);
    if (!status && help) {
        print_help();
        return 0;
    }
    if (!status && wants_card(&a) && !gr_backend_cuda.available(device, sizeof device))
        status = gr_fail(&error, GR_DEVICE_FAILED, "%s", device);
    if (!status)
        status = open_table(&a, &error);
    cJSON *json = a.json && !status ? cJSON_CreateObject() : NULL, *list = NULL;
    if (json) {
        gr_json_add_text(json, "device", device);
        gr_json_add_whole(json, "repeats", a.repeats);
        list = cJSON_AddArrayToObject(json, "problems");
    }
    for (int set = 0; !status && set < LADDER_SETS; set++) {
        if (!a.problems[set])
            continue;
        status = do_problem(&a, (ladder_set)set, list, &headed, &failed, &error);
        if (status == GR_STOPPED) {
            fprintf(stderr, "ladder: %s skipped: %s\n", ladder_problem_names[set], error.text);
            status = GR_OK;
        }
    }
    if (!status && json)
        status = gr_json_write(json, 1, stdout, "standard output", &error);
    cJSON_Delete(json);
    status = close_table(&a, status, &error);
    if (status)
        fprintf(stderr, "ladder: %s\n", error.text);
    return status ? (int)status : failed;
}
