/* grampus bench: rates of this machine, each with its answers checked. */
#include "host/bench/bench.h"
#include "host/base/json.h"
#include "host/base/text.h"
#include "host/cli/commands.h"
#include "host/device/choose.h"

#include <stdlib.h>
#include <string.h>

/* ---- arguments ---- */

/* Rows of all suites, by one number; NULL behind the last. */
static const char *row_name(int index, gr_suite *suite) {
    const char *name;
    if (index < gr_bench_row_count) {
        *suite = gr_bench_rows[index].suite;
        return gr_bench_rows[index].name;
    }
    index -= gr_bench_row_count;
    *suite = GR_SUITE_WALL;
    for (int k = 0; (name = gr_wall_row(k)); k++)
        if (index-- == 0)
            return name;
    *suite = GR_SUITE_SCALE;
    return gr_scale_row(index);
}

static void print_help(void) {
    printf(
        "usage: grampus bench [SUITE ...] [--option value ...]\n\n"
        "Measures and prints rates. The answers behind every figure are compared with the "
        "reference first:\nexact math must give the same bits, fast math the same costs within "
        "0.001 where the program is not\ntoo sensitive to tell; a figure that fails is not "
        "printed, and the exit code is 1.\n\n"
        "  --device WORD     auto|cpu|cuda [auto]\n"
        "  --repeats N       timed repeats of a row, 1 to 1000 [7; --quick: 3]\n"
        "  --row NAME        only this row\n"
        "  --threads N       CPU threads, 0: as many as the work is worth [0]\n"
        "  --quick           smaller sizes: is everything there, and right?\n"
        "  --picture FILE    also the suite surface, or scale where it is named, drawn to FILE\n"
        "                    (.svg or .png) by gnuplot, from a script with the rates that stays\n"
        "                    beside it (.gp)\n"
        "  --json            one object: rows\n"
        "  -h, --help        this text\n\n"
        "GPop/s are executed nodes x fitness cases a second, in 10^9; issue their share of the "
        "device's\nmeasured issue limit; J/10^9 the energy of 10^9 of them; spread is (most - "
        "least) / median of the repeats.\nOn the CPU sizes are reduced, which is said.\n\n"
        "Suites, without one all before surface:\n");
    for (int suite = 0; suite < GR_SUITES; suite++) {
        static const char *const what[GR_SUITES] = {"evaluation only",
                                                    "whole runs",
                                                    "crossover, mutation and mapping",
                                                    "one CPU core",
                                                    "the shapes of papers",
                                                    "what parts of the search cost",
                                                    "rate over population x cases",
                                                    "whole processes, from command to prompt",
                                                    "a generation, over what makes it long"};
        gr_suite of;
        const char *name;
        printf("  %-11s %s", gr_suite_names[suite], what[suite]);
        for (int i = 0, column = 100; (name = row_name(i, &of)); i++) {
            if (of != (gr_suite)suite)
                continue;
            if (column > 80)
                column = printf("\n             ");
            column += printf(" %s", name);
        }
        printf("\n");
    }
}

/* What was asked for. */
typedef struct request {
    gr_bench_options options;
    int suite[GR_SUITES];
    const char *picture;
} request;

static gr_status take_suite(const char *word, request *q, gr_error *error) {
    char hint[128], all[128];
    for (int suite = 0; suite < GR_SUITES; suite++)
        if (strcmp(word, gr_suite_names[suite]) == 0) {
            q->suite[suite] = 1;
            return GR_OK;
        }
    gr_nearest_hint(word, gr_suite_names, "", hint, sizeof hint);
    gr_text_list(gr_suite_names, GR_SUITES, all, sizeof all);
    return gr_fail(error, GR_BAD_INPUT, "%.*s: unknown suite%s%s", GR_CUT(word, 80),
                   *hint ? hint : "; expected ", *hint ? "" : all);
}

/* Words that are neither options nor their values go to `words`; the others stay, this many. */
static int part_arguments(int argc, char **argv, const gr_option *options, char **words) {
    int kept = 1, count = 0;
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] != '-') {
            words[count++] = argv[i];
            continue;
        }
        argv[kept++] = argv[i];
        for (const gr_option *o = options; o->name; o++)
            if (o->value && strncmp(argv[i], "--", 2) == 0 && strcmp(argv[i] + 2, o->name) == 0 &&
                i + 1 < argc) {
                argv[kept++] = argv[++i];
                break;
            }
    }
    words[count] = NULL;
    return kept;
}

/* Options first: what stands behind an unknown one is not a suite. */
static gr_status take_arguments(int argc, char **argv, const gr_option *options, request *q,
                                gr_error *error) {
    char **words = calloc((size_t)argc + 1, sizeof *words);
    if (!words)
        return gr_fail(error, GR_NO_MEMORY, "no memory for %d argument%s", argc,
                       gr_s((unsigned long long)argc));
    int kept = part_arguments(argc, argv, options, words);
    gr_status status = gr_options_read(kept, argv, options, error);
    for (char **word = words; *word && !status; word++)
        status = take_suite(*word, q, error);
    free(words);
    return status;
}

static gr_status take_device(const char *word, uint32_t *device, gr_error *error) {
    *device = GR_AUTO;
    if (!word || strcmp(word, "auto") == 0)
        return GR_OK;
    *device = strcmp(word, "cuda") == 0 ? GR_DEVICE_CUDA : GR_DEVICE_CPU;
    if (*device == GR_DEVICE_CPU && strcmp(word, "cpu") != 0)
        return gr_fail(error, GR_BAD_INPUT, "--device is '%.*s'; expected auto, cpu or cuda",
                       GR_CUT(word, 80));
    return GR_OK;
}

/* The row must exist, and in the suites asked for; where none was, it is in the one that is. */
static gr_status check_row(request *q, int any_suite, gr_error *error) {
    enum { MOST = 96 };
    const char *names[MOST + 1] = {0}, *wanted = q->options.row;
    char hint[128];
    gr_suite suite;
    for (int i = 0; i < MOST && (names[i] = row_name(i, &suite)); i++) {
        if (strcmp(names[i], wanted) != 0)
            continue;
        if (any_suite && !q->suite[suite])
            return gr_fail(error, GR_BAD_INPUT,
                           "--row %s is in the suite %s, which was not asked for", wanted,
                           gr_suite_names[suite]);
        memset(q->suite, 0, sizeof q->suite);
        q->suite[suite] = 1;
        return GR_OK;
    }
    gr_nearest_hint(wanted, names, "", hint, sizeof hint);
    return gr_fail(error, GR_BAD_INPUT, "--row %.*s: unknown row%s", GR_CUT(wanted, 80),
                   *hint ? hint : "; expected one of those in grampus bench --help");
}

/* Without a word the suites of rows. A picture is of the suite that was named, or of surface. */
static gr_status take_suites(request *q, gr_error *error) {
    int any = 0;
    for (int suite = 0; suite < GR_SUITES; suite++)
        any |= q->suite[suite];
    if (q->picture && q->options.row)
        return gr_fail(error, GR_BAD_INPUT,
                       "--picture draws a whole suite, surface or scale; expected no --row");
    if (q->picture && q->suite[GR_SUITE_SURFACE] && q->suite[GR_SUITE_SCALE])
        return gr_fail(error, GR_BAD_INPUT,
                       "--picture for surface and scale; expected one of them");
    if (q->options.row)
        return check_row(q, any, error);
    for (int suite = 0; suite < GR_SUITE_SURFACE && !any; suite++)
        q->suite[suite] = 1;
    q->suite[GR_SUITE_SURFACE] |= q->picture && !q->suite[GR_SUITE_SCALE];
    return q->picture ? gr_bench_check_picture(q->picture, error) : GR_OK;
}

static gr_status read_request(int argc, char **argv, request *q, int *help, gr_error *error) {
    const char *device = NULL, *repeats = NULL, *threads = NULL;
    gr_bench_options *o = &q->options;
    const gr_option options[] = {
        {"device", &device, NULL},      {"repeats", &repeats, NULL}, {"row", &o->row, NULL},
        {"threads", &threads, NULL},    {"quick", NULL, &o->quick},  {"json", NULL, &o->json},
        {"picture", &q->picture, NULL}, {"help", NULL, help},        {NULL, NULL, NULL}};
    gr_status status = take_arguments(argc, argv, options, q, error);
    o->repeats = o->quick ? 3 : 7;
    if (!status)
        status = take_device(device, &o->device, error);
    if (!status)
        status = gr_option_whole("repeats", repeats, 1, 1000, &o->repeats, error);
    if (!status)
        status = gr_option_whole("threads", threads, 0, 4096, &o->threads, error);
    if (!status && !*help)
        status = take_suites(q, error);
    return status;
}

/* ---- measuring ---- */

static gr_status measure_rows(const request *q, cJSON *rows, int *wrong, gr_error *error) {
    int headed = -1;
    gr_status unfit = GR_OK;
    for (int i = 0; i < gr_bench_row_count; i++) {
        const gr_bench_row *row = &gr_bench_rows[i];
        gr_bench_result result;
        if (!q->suite[row->suite] || (q->options.row && strcmp(q->options.row, row->name) != 0))
            continue;
        gr_error cause = {GR_OK, ""};
        gr_status status = gr_bench_measure(row, &q->options, &result, &cause);
        if (status && (!unfit || status != GR_NO_MEMORY))
            gr_fail(error, status, "%s: %.*s", row->name, GR_CUT(cause.text, 900));
        if (status && status != GR_NO_MEMORY)
            return status;
        if (status) { /* told at the end: others may fit */
            unfit = status;
            continue;
        }
        *wrong += result.answers != GR_ANSWERS_RIGHT;
        cJSON_AddItemToArray(rows, gr_bench_json(&result));
        if (q->options.json)
            continue;
        if (headed != (int)row->suite)
            gr_bench_print_head(row->suite, stdout);
        headed = (int)row->suite;
        gr_bench_print(&result, stdout);
    }
    return unfit;
}

static gr_status print_device(const request *q, cJSON *object, gr_error *error) {
    const gr_backend *backend;
    char why[256], line[256] = "";
    gr_status status = gr_choose_backend(q->options.device, NULL, &backend, why, sizeof why, error);
    if (status)
        return status;
    backend->available(line, sizeof line);
    gr_json_add_text(object, "device", line);
    if (!q->options.json)
        printf("device %s (%s); median of %u repeat%s\n", line, why, q->options.repeats,
               gr_s(q->options.repeats));
    return GR_OK;
}

static gr_status measure_all(const request *q, gr_error *error) {
    int wrong = 0;
    cJSON *object = cJSON_CreateObject();
    gr_status status = print_device(q, object, error);
    cJSON *rows = cJSON_AddArrayToObject(object, "rows");
    if (!status)
        status = measure_rows(q, rows, &wrong, error);
    if (!status && q->suite[GR_SUITE_SURFACE])
        status = gr_bench_surface(&q->options, q->picture, rows, &wrong, error);
    if (!status && q->suite[GR_SUITE_WALL])
        status = gr_bench_wall(&q->options, rows, &wrong, error);
    if (!status && q->suite[GR_SUITE_SCALE])
        status = gr_bench_scale(&q->options, q->suite[GR_SUITE_SURFACE] ? NULL : q->picture, rows,
                                error);
    gr_energy_close();
    if ((!status || status == GR_NO_MEMORY) && q->options.json) {
        gr_error later;
        gr_status written =
            gr_json_write(object, 0, stdout, "standard output", status ? &later : error);
        status = status ? status : written;
    }
    cJSON_Delete(object);
    if (!status && wrong)
        status = gr_fail(error, GR_FAILED, "%d row%s whose answers could not be confirmed", wrong,
                         gr_s((unsigned long long)wrong));
    return status;
}

gr_status gr_command_bench(int argc, char **argv, gr_error *error) {
    request q = {0};
    int help = 0;
    gr_status status = read_request(argc, argv, &q, &help, error);
    if (status)
        return status;
    if (help) {
        print_help();
        return GR_OK;
    }
    return measure_all(&q, error);
}
