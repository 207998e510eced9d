/* host/statistics/writer.h: bytes in the order in which rows were given, whatever waits and helps;
 * failures told at the next epoch. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/statistics/rows.h"
#include "host/statistics/writer.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/grampus-writer-XXXXXX";
static char table[64], ponyge2[64], best[64];

static int make_folder(void **state) {
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(table, sizeof table, "%s/table", folder);
    snprintf(ponyge2, sizeof ponyge2, "%s/stats", folder);
    snprintf(best, sizeof best, "%s/best", folder);
    return 0;
}

static int remove_folder(void **state) {
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static char *read_file(const char *path) {
    char *text = NULL;
    size_t capacity = 0;
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("no %s", path);
    if (getdelim(&text, &capacity, '\0', file) < 0)
        fail_msg("nothing in %s", path);
    fclose(file);
    return text;
}

static gr_generation row(uint32_t run, uint32_t generation) {
    gr_generation g = {.run = run, .generation = generation};
    g.best = g.best_ever = (double)(run * 7919u % 1000u) / 3.0;
    g.mean = run % 5 ? (double)run / 7.0 : (double)NAN;
    g.test = (double)NAN;
    g.individuals = g.by_validity[GR_VALID] = 10;
    g.executed = 2.0;
    g.seconds = 0.25 * generation;
    return g;
}

static gr_rows *block(uint32_t run, uint32_t generation, uint32_t count) {
    gr_rows *rows = malloc(sizeof *rows + count * sizeof *rows->row);
    assert_non_null(rows);
    rows->count = count;
    for (uint32_t i = 0; i < count; i++)
        rows->row[i] = row(run + i, generation);
    return rows;
}

static gr_writer *open_writer(const gr_writer_plan *plan) {
    gr_writer *writer;
    gr_error error = {GR_OK, ""};
    if (gr_writer_open(plan, &writer, &error))
        fail_msg("%s", error.text);
    return writer;
}

static void finish(gr_writer *writer) {
    gr_error error = {GR_OK, ""};
    if (gr_writer_finish(writer, &error))
        fail_msg("%s", error.text);
    gr_writer_close(writer);
}

/* More blocks than the queue holds, of any length, by one thread and by four. */
static void test_order(void **state) {
    (void)state;
    enum { BLOCKS = 700 };
    gr_error error = {GR_OK, ""};
    for (uint32_t threads = 1; threads <= 4; threads += 3) {
        const gr_writer_plan plan = {.statistics = table, .runs = 1 << 20, .threads = threads};
        gr_writer *writer = open_writer(&plan);
        uint32_t run = 0;
        for (uint32_t k = 0; k < BLOCKS; k++) {
            uint32_t count = 1 + k * 37 % 150;
            gr_writer_rows(writer, block(run, 3, count));
            run += count;
            if (k % 100 == 50)
                assert_int_equal(gr_writer_epoch(writer, &error), GR_OK);
        }
        finish(writer);
        char *text = read_file(table), *at = text, expected[GR_ROW_BYTES];
        size_t head = (size_t)(gr_put_head(expected, 0, 0) - expected);
        assert_memory_equal(at, expected, head);
        at += head;
        for (uint32_t r = 0; r < run; r++) {
            gr_generation g = row(r, 3);
            size_t length = (size_t)(gr_put_row(expected, &g) - expected);
            if (strncmp(at, expected, length) != 0)
                fail_msg("row %u of %u: %.*s", r, run, (int)strcspn(at, "\n"), at);
            at += length;
        }
        assert_int_equal(*at, '\0');
        free(text);
    }
}

/* What an epoch gave is in the files soon, before anything else is given. */
static void test_epoch_by_epoch(void **state) {
    (void)state;
    const gr_writer_plan plan = {.statistics = table, .ponyge2 = ponyge2, .runs = 1, .best = best};
    gr_error error = {GR_OK, ""};
    gr_writer *writer = open_writer(&plan);
    gr_writer_rows(writer, block(0, 0, 1));
    gr_writer_best(writer, strdup("so far"));
    assert_int_equal(gr_writer_epoch(writer, &error), GR_OK);
    for (int tries = 0; tries < 1000 && access(best, F_OK) != 0; tries++)
        usleep(10000);
    char *text = read_file(best);
    assert_string_equal(text, "so far");
    free(text);
    text = read_file(table);
    assert_non_null(strstr(text, "\n0\t0\t"));
    free(text);
    gr_writer_best(writer, strdup("later"));
    finish(writer);
    text = read_file(best);
    assert_string_equal(text, "later");
    free(text);
    text = read_file(ponyge2);
    assert_non_null(strstr(text, "\t\n"));
    free(text);
}

/* Runs that end keep their last value; spreads are over all runs that have a number. */
static void test_summary(void **state) {
    (void)state;
    const gr_writer_plan plan = {
        .summary = table, .runs = 5, .target = 100.0, .threads = 2, .in_steps = 1};
    gr_writer *writer = open_writer(&plan);
    gr_writer_rows(writer, block(0, 0, 3)); /* a generation in two blocks */
    gr_writer_rows(writer, block(3, 0, 2));
    gr_rows *later = block(2, 1, 2);
    later->row[0].best = later->row[0].best_ever = 50.0; /* reaches the target, rmse or the like */
    gr_writer_rows(writer, later);
    finish(writer);
    /* best: 0, 919/3, 838/3, 757/3, 676/3; then 50 in the place of 838/3. mean: none, 1/7, 2/7, ...
     */
    static const char *const expected[2] = {
        "0\t5\t1\t0\t225.333333\t252.333333\t279.333333\t306.333333\t212.666667\t"
        "0.142857143\t0.25\t0.357142857\t0.464285714\t0.571428571\t0.357142857\t",
        "1\t2\t2\t0\t50\t225.333333\t252.333333\t306.333333\t166.8\t",
    };
    char *text = read_file(table), *at = text;
    for (int k = 0; k < 2; k++) {
        at = strchr(at, '\n') + 1;
        if (strncmp(at, expected[k], strlen(expected[k])) != 0)
            fail_msg("generation %d: %.200s", k, at);
    }
    assert_non_null(strstr(text, "\t10\t0.000000\n1\t"));
    assert_string_equal(strrchr(text, '\t'), "\t0.250000\n");
    free(text);
}

/* Three generations of four runs, the second cut in the middle; kept after `epochs` of them,
 * spoilt, and taken up by another writer, which gives the others: the files are those of one
 * writer. */
static void play(const gr_writer_plan *plan, uint32_t from, uint32_t to, gr_writer_state *state) {
    static const struct {
        uint32_t run, generation, count;
    } blocks[] = {{0, 0, 4}, {0, 1, 2}, {2, 1, 2}, {0, 2, 4}};
    gr_error error = {GR_OK, ""};
    gr_writer *writer = open_writer(plan);
    for (uint32_t k = from; k < to; k++)
        gr_writer_rows(writer, block(blocks[k].run, blocks[k].generation, blocks[k].count));
    if (state) {
        assert_int_equal(gr_writer_rest(writer, state, &error), GR_OK);
        gr_writer_rows(writer, block(0, 7, 3)); /* what a crash may leave behind it */
    }
    finish(writer);
}

static void test_resume(void **state) {
    (void)state;
    double last[20 * 4]; /* as many measures as there are, or more */
    uint8_t solved[4];
    gr_writer_state kept = {.summary = {.last = last, .solved = solved}};
    for (int summary = 0; summary < 2; summary++) {
        gr_writer_plan plan = {.runs = 4, .target = 300.0, .in_steps = 1};
        if (summary)
            plan.summary = table;
        else {
            plan.statistics = table;
            plan.ponyge2 = ponyge2;
        }
        play(&plan, 0, 4, NULL);
        char *whole = read_file(table), *stats = summary ? NULL : read_file(ponyge2);
        for (uint32_t cut = 0; cut <= 4; cut++) {
            plan.from = NULL;
            play(&plan, 0, cut, &kept);
            plan.from = &kept;
            play(&plan, cut, 4, NULL);
            char *parts = read_file(table);
            assert_string_equal(parts, whole);
            free(parts);
            if (!stats)
                continue;
            parts = read_file(ponyge2);
            assert_string_equal(parts, stats);
            free(parts);
        }
        free(whole);
        free(stats);
    }
}

/* The file fills within the second epoch: the third is told, and what stands there are whole rows.
 */
static void test_failure(void **state) {
    (void)state;
    const gr_writer_plan plan = {.statistics = table, .runs = 1, .best = best};
    gr_error error = {GR_OK, ""};
    char expected[128];
    struct rlimit limit;
    struct stat facts;
    gr_writer *writer = open_writer(&plan);
    gr_writer_rows(writer, block(0, 0, 2));
    assert_int_equal(gr_writer_epoch(writer, &error), GR_OK);
    unlink(best);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = 2048;
    setrlimit(RLIMIT_FSIZE, &limit);
    gr_writer_rows(writer, block(0, 1, 100));
    gr_status status = gr_writer_epoch(writer, &error);
    for (int tries = 0; !status && tries < 1000; tries++) {
        usleep(1000);
        gr_writer_rows(writer, block(0, 2, 1));
        status = gr_writer_epoch(writer, &error);
    }
    limit.rlim_cur = RLIM_INFINITY;
    setrlimit(RLIMIT_FSIZE, &limit);
    assert_int_equal(status, GR_FAILED);
    snprintf(expected, sizeof expected, "%s: File too large", table);
    assert_string_equal(error.text, expected);
    gr_writer_rows(writer, block(0, 3, 1)); /* nothing comes after it */
    gr_writer_best(writer, strdup("more"));
    memset(&error, 0, sizeof error);
    assert_int_equal(gr_writer_finish(writer, &error), GR_FAILED);
    assert_string_equal(error.text, expected);
    gr_writer_close(writer);
    assert_int_equal(access(best, F_OK), -1);
    char *text = read_file(table);
    assert_int_equal(stat(table, &facts), 0);
    uint32_t lines = 0;
    for (const char *at = text; *at; at++)
        lines += *at == '\n';
    assert_true(lines == 3 && text[facts.st_size - 1] == '\n');
    free(text);
}

static void test_no_file(void **state) {
    (void)state;
    const gr_writer_plan plan = {.statistics = "/proc/none/statistics.tsv", .runs = 1};
    gr_error error = {GR_OK, ""};
    gr_writer *writer;
    assert_int_equal(gr_writer_open(&plan, &writer, &error), GR_FAILED);
    assert_null(writer);
    assert_string_equal(error.text, "/proc/none/statistics.tsv: No such file or directory");
    gr_writer_close(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),   cmocka_unit_test(test_epoch_by_epoch),
        cmocka_unit_test(test_summary), cmocka_unit_test(test_failure),
        cmocka_unit_test(test_no_file), cmocka_unit_test(test_resume),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
