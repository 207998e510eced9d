/* Tables 5 and 6 of Chitty 2017: the stack that the programs of whole runs take. A GPU is used
 * where there is one, and not needed: both evolve the same programs. */
#include "host/cli/commands.h"
#include "tools/ladder/report.h"

#include <stdio.h>
#include <string.h>

typedef struct arguments {
    const char *data, *problem, *table;
    uint32_t runs, population;
} arguments;

static void print_help(void) {
    printf(
        "usage: ladder-levels [options]\n\n"
        "Tables 5 and 6 of Chitty 2017 by runs on the GPU, or on the CPU without one: the share of "
        "programs\nthat a stack of so many levels can hold.\n\n"
        "  --data DIR       folder of shuttle.*.gz and kddcup.data_10_percent.gz "
        "(../shared/data)\n"
        "  --problem NAME   one problem only: sextic, shuttle, kddcup, multiplexer (all)\n"
        "  --runs N         runs whose programs are counted, 1 to 100 (25)\n"
        "  --population N   programs of a run, 100 to 204800 (1000)\n"
        "  --table FILE     the shares as a table too, tab-separated\n"
        "  -h, --help       this\n");
}

static gr_status read_arguments(int argc, char **argv, arguments *a, int *help, gr_error *error) {
    const char *runs = NULL, *population = NULL;
    const gr_option options[] = {
        {"data", &a->data, NULL}, {"problem", &a->problem, NULL},    {"table", &a->table, NULL},
        {"runs", &runs, NULL},    {"population", &population, NULL}, {"help", NULL, help},
        {NULL, NULL, NULL}};
    gr_status status = gr_options_read(argc, argv, options, error);
    if (!status)
        status = gr_option_whole("runs", runs, 1, 100, &a->runs, error);
    if (!status)
        status = gr_option_whole("population", population, 100, 204800, &a->population, error);
    for (int set = 0; !status && a->problem && set < LADDER_MACKEY; set++)
        if (strcmp(a->problem, ladder_problem_names[set]) == 0)
            return GR_OK;
    return status || !a->problem ? status
                                 : gr_fail(error, GR_BAD_INPUT,
                                           "--problem: unknown '%.40s'; expected sextic, shuttle, "
                                           "kddcup or multiplexer",
                                           a->problem);
}

static const gr_backend *choose_backend(void) {
#ifdef GRAMPUS_CUDA
    char device[256];
    if (gr_backend_cuda.available(device, sizeof device))
        return &gr_backend_cuda;
#endif
    return &gr_backend_cpu;
}

static gr_status do_problem(const arguments *a, ladder_set set, FILE *out, gr_error *error) {
    ladder_problem problem;
    ladder_programs programs;
    gr_status status =
        ladder_problem_make(set, a->data, &(ladder_size){a->population, 0}, &problem, error);
    if (status == GR_STOPPED) {
        fprintf(stderr, "ladder-levels: %s skipped: %s\n", ladder_problem_names[set], error->text);
        return GR_OK;
    }
    if (status)
        return status;
    status = ladder_evolve(&problem, a->runs, choose_backend(), &programs, error);
    if (!status) {
        ladder_print_levels(&problem, &programs.levels, a->runs);
        fflush(stdout);
        if (out)
            ladder_write_levels(&problem, &programs.levels, out);
        ladder_programs_free(&programs);
    }
    ladder_problem_free(&problem);
    return status;
}

int main(int argc, char **argv) {
    arguments a = {.data = "../shared/data", .runs = 25, .population = 1000};
    gr_error error = {0};
    int help = 0;
    gr_status status = read_arguments(argc, argv, &a, &help, &error);
    if (!status && help) {
        print_help();
        return 0;
    }
    FILE *out = !status && a.table ? fopen(a.table, "w") : NULL;
    if (!status && a.table && !out)
        status = gr_fail(&error, GR_FAILED, "cannot write %s", a.table);
    if (out)
        fputs(LADDER_LEVELS_HEAD, out);
    for (int set = 0; !status && set < LADDER_MACKEY; set++)
        if (!a.problem || strcmp(a.problem, ladder_problem_names[set]) == 0)
            status = do_problem(&a, (ladder_set)set, out, &error);
    if (out && fclose(out) && !status)
        status = gr_fail(&error, GR_FAILED, "cannot write %s", a.table);
    if (status)
        fprintf(stderr, "ladder-levels: %s\n", error.text);
    return (int)status;
}
