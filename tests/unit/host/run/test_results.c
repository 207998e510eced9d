/* host/run/results.h: the folder of a run and the files in it; statistics.tsv read by the names of
 * its columns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "host/run/results.h"
#include "tests/records.h"

#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/grampus-results-XXXXXX";

static int make_folder(void **state) {
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

/* A run whose results go below the folder. */
static gr_run *open_run(const char *more, gr_settings *settings) {
    char text[1024];
    snprintf(text, sizeof text, "generations: 0\nname: some\noutput: %s/deep\nseed: 5\n%s", folder,
             more);
    gr_run *run = records_run(text, settings);
    script.generations = 1;
    return run;
}

static char *read_file(const gr_results *results, const char *name) {
    char path[512], *text = NULL;
    size_t capacity = 0;
    snprintf(path, sizeof path, "%s/%s", gr_results_folder(results), name);
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("no %s", path);
    if (getdelim(&text, &capacity, '\0', file) < 0)
        fail_msg("nothing in %s", path);
    fclose(file);
    return text;
}

/* The field of a row under a column's name. */
static double field(const char *text, uint32_t row, const char *name) {
    const char *line = text, *head = text;
    uint32_t column = 0;
    for (size_t n = strlen(name); strncmp(head, name, n) != 0 || !strchr("\t\n", head[n]);
         column++) {
        if (head[strcspn(head, "\t\n")] != '\t')
            fail_msg("no column %s", name);
        head += strcspn(head, "\t") + 1;
    }
    for (; row < UINT32_MAX; row--)
        line = strchr(line, '\n') + 1;
    for (; column; column--)
        line += strcspn(line, "\t\n") + 1;
    return strtod(line, NULL);
}

/* Rows that the results take, and then tells them that an epoch is over. */
static void add(gr_results *results, const gr_generation *g, uint32_t count) {
    gr_error error = {GR_OK, ""};
    gr_rows *rows = malloc(sizeof *rows + count * sizeof *g);
    assert_non_null(rows);
    rows->count = count;
    memcpy(rows->row, g, count * sizeof *g);
    gr_results_rows(results, rows);
    assert_int_equal(gr_results_epoch(results, &error), GR_OK);
    assert_int_equal(gr_results_wait(results, &error), GR_OK);
}

/* ---- statistics.tsv ---- */

/* A generation in which every number is another one. */
static gr_generation generation(void) {
    gr_generation g = {.run = 41, .generation = 42};
    g.best = 1.5;
    g.mean = 2.5;
    g.best_ever = 0.5;
    g.test = 3.5;
    g.individuals = 100;
    for (uint32_t k = 0; k < GR_VALIDITY_COUNT; k++)
        g.by_validity[k] = 10 + k;
    g.nonfinite = 6;
    g.draws_again = 5000000000u;
    g.parents_kept = 6000000000u;
    for (int k = 0; k < GR_SIZE_KINDS; k++)
        g.size[k] = (gr_min_mean_max){100 + k, 200.25 + k, 300 + k};
    g.best_nodes = 51;
    g.best_depth = 52;
    g.executed = 12345678901.0;
    g.seconds = 0.25;
    return g;
}

static void check_row(const char *text, uint32_t row) {
    static const char *const sizes[GR_SIZE_KINDS] = {
        [GR_SIZE_LENGTH] = "genome_length",
        [GR_SIZE_USED] = "used_codons",
        [GR_SIZE_DEPTH] = "tree_depth",
        [GR_SIZE_NODES] = "tree_nodes",
        [GR_SIZE_DERIVATION] = "derivation_nodes",
    };
    const struct {
        const char *name;
        double value;
    } columns[] = {
        {"run", 41},          {"gen", 42},          {"best_fitness", 1.5},
        {"ave_fitness", 2.5}, {"best_ever", 0.5},   {"test_fitness", 3.5},
        {"valid", 10},        {"invalids", 90},     {"out_of_codons", 11},
        {"too_deep", 12},     {"too_large", 13},    {"no_expression", 14},
        {"nonfinite", 6},     {"draws_again", 5e9}, {"parents_kept", 6e9},
        {"best_nodes", 51},   {"best_depth", 52},   {"nodes_executed", 12345678901.0},
        {"time", 0.25},
    };
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (field(text, row, columns[i].name) != columns[i].value)
            fail_msg("%s is %.9g", columns[i].name, field(text, row, columns[i].name));
    for (int k = 0; k < GR_SIZE_KINDS; k++) {
        const double value[3] = {100 + k, 200.25 + k, 300 + k};
        static const char *const of[3] = {"min", "ave", "max"};
        for (int m = 0; m < 3; m++) {
            char name[64];
            snprintf(name, sizeof name, "%s_%s", of[m], sizes[k]);
            if (field(text, row, name) != value[m])
                fail_msg("%s is %.9g", name, field(text, row, name));
        }
    }
}

/* Every field stands under its name; as many fields as names, and the time, which differs, last. */
static void test_statistics(void **state) {
    (void)state;
    gr_settings settings;
    gr_results *results;
    gr_error error = {GR_OK, ""};
    records_begin();
    gr_run *run = open_run("", &settings);
    if (gr_results_create(&settings, run, &results, &error))
        fail_msg("%s", error.text);
    gr_generation g[2] = {generation(), generation()};
    g[1].mean = g[1].test = (double)NAN;
    g[1].best = (double)INFINITY;
    add(results, g, 2);
    char *text = read_file(results, "statistics.tsv");
    check_row(text, 0);
    assert_true(isnan(field(text, 1, "ave_fitness")) && isnan(field(text, 1, "test_fitness")));
    assert_true(isinf(field(text, 1, "best_fitness")));
    uint32_t tabs[3] = {0};
    const char *at = text;
    for (int line = 0; line < 3; line++)
        for (; *at && *at++ != '\n';)
            tabs[line] += *at == '\t';
    assert_int_equal(tabs[0], 19 + 3 * GR_SIZE_KINDS - 1);
    assert_true(tabs[1] == tabs[0] && tabs[2] == tabs[0] && !*at);
    assert_non_null(strstr(text, "\ttime\n41\t42\t1.5\t"));
    free(text);
    gr_results_close(results);
    gr_run_close(run);
    gr_settings_free(&settings);
}

/* ---- the folder ---- */

/* Folders are made, none is written to twice, and the settings in them are those of the run. */
static void test_folders(void **state) {
    (void)state;
    gr_settings settings, again;
    gr_results *results[3];
    gr_error error = {GR_OK, ""};
    char path[512], parent[128];
    records_begin();
    gr_run *run = open_run("", &settings);
    snprintf(parent, sizeof parent, "%s/deep/some/", folder);
    for (int k = 0; k < 3; k++) {
        if (gr_results_create(&settings, run, &results[k], &error))
            fail_msg("%s", error.text);
        const char *name = gr_results_folder(results[k]);
        assert_memory_equal(name, parent, strlen(parent));
        assert_non_null(strstr(name, "_seed5"));
        for (int j = 0; j < k; j++)
            assert_string_not_equal(name, gr_results_folder(results[j]));
    }
    snprintf(path, sizeof path, "%s/run.yaml", gr_results_folder(results[0]));
    assert_int_equal(gr_settings_init(&again, &error), GR_OK);
    assert_int_equal(gr_settings_load(&again, path, &error), GR_OK);
    assert_true(again.seed == 5 && again.population == 10 && again.max_nodes == 8);
    assert_string_equal(again.target_expression, "0 * x");
    char *text = read_file(results[0], "run.yaml");
    assert_non_null(strstr(text, "# device by hand (device: cpu was asked for)\n"));
    free(text);
    for (int k = 0; k < 3; k++)
        gr_results_close(results[k]);
    gr_settings_free(&again);
    gr_run_close(run);
    gr_settings_free(&settings);
}

static void test_no_folder(void **state) {
    (void)state;
    gr_settings settings;
    gr_results *results;
    gr_error error = {GR_OK, ""};
    records_begin();
    gr_run *run = open_run("", &settings);
    assert_int_equal(gr_settings_set(&settings, "output", "/proc/none", &error), GR_OK);
    assert_int_equal(gr_results_create(&settings, run, &results, &error), GR_FAILED);
    assert_null(results);
    assert_non_null(strstr(error.text, "cannot make the folder /proc/none: "));
    gr_results_close(NULL);
    gr_run_close(run);
    gr_settings_free(&settings);
}

/* ---- the best, and PonyGE2's file ---- */

static void test_best_files(void **state) {
    (void)state;
    gr_settings settings;
    gr_results *results;
    gr_outcome outcome;
    gr_error error = {GR_OK, ""};
    records_begin();
    records_constant(0, 3.0f, 9.0f);
    gr_run *run = open_run("ponyge2-statistics: true\nelites: 4\n", &settings);
    if (gr_results_create(&settings, run, &results, &error))
        fail_msg("%s", error.text);
    records_play(run, NULL);
    gr_generation g = generation();
    add(results, &g, 1);
    if (gr_outcome_collect(run, &outcome, &error) || gr_results_finish(results, &outcome, &error))
        fail_msg("%s", error.text);
    char *text = read_file(results, "best.txt");
    assert_non_null(strstr(text, "best        3\nmse         9\n"));
    free(text);
    text = read_file(results, "best.json");
    cJSON *json = cJSON_Parse(text);
    assert_string_equal(cJSON_GetObjectItem(json, "infix")->valuestring, "3");
    assert_string_equal(cJSON_GetObjectItem(json, "results")->valuestring,
                        gr_results_folder(results));
    cJSON_Delete(json);
    free(text);
    text = read_file(results, "stats.tsv");
    assert_true(field(text, 0, "gen") == 42 && field(text, 0, "invalids") == 90);
    assert_true(field(text, 0, "total_inds") == 100); /* elites count again, as in PonyGE2 */
    free(text);
    gr_outcome_free(&outcome);
    gr_results_close(results);
    gr_run_close(run);
    gr_settings_free(&settings);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_statistics),
        cmocka_unit_test(test_folders),
        cmocka_unit_test(test_no_folder),
        cmocka_unit_test(test_best_files),
    };
    return cmocka_run_group_tests_name("results", tests, make_folder, remove_folder);
}
