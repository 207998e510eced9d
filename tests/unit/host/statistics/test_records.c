/* host/statistics/records.h: every record of every run and generation comes out once and in order,
 * whatever the number of runs, generations and threads. (What a record means: test_run.c.) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/statistics/records.h"

#include <stdlib.h>

/* Run r ends with this generation. */
static uint32_t last_of(uint32_t run, uint32_t generations) {
    return run % 3 == 0 ? generations - 1 : run * 7 % generations;
}

typedef struct expected {
    uint32_t runs, generations, run, generation;
    uint64_t rows;
} expected;

static void see(void *context, gr_rows *rows) {
    expected *e = context;
    assert_true(rows->count > 0 && rows->count <= GR_ROWS);
    for (uint32_t i = 0; i < rows->count; i++) {
        while (e->generation > last_of(e->run, e->generations)) /* it has ended */
            if (++e->run == e->runs) {
                e->run = 0;
                e->generation++;
            }
        const gr_generation *g = &rows->row[i];
        if (g->run != e->run || g->generation != e->generation)
            fail_msg("run %u, generation %u instead of %u, %u", g->run, g->generation, e->run,
                     e->generation);
        assert_true(g->best == (double)(e->run + e->generation));
        assert_true(g->seconds == 0.5 * e->generation && g->executed == 3.0 * e->run);
        e->rows++;
        if (++e->run == e->runs) {
            e->run = 0;
            e->generation++;
        }
    }
    free(rows);
}

static void play(uint32_t runs, uint32_t generations, gr_team *team) {
    gr_params p = {.runs = runs, .islands = 1, .steps = 1, .train_cases = 3};
    p.generations = generations - 1;
    gr_record *record = calloc((size_t)runs * generations, sizeof *record);
    double *seconds = calloc(generations, sizeof *seconds), executed = 0.0;
    gr_generation *steps = calloc(runs, sizeof *steps);
    uint64_t rows = 0;
    for (uint32_t g = 0; g < generations; g++) {
        seconds[g] = 0.5 * g;
        for (uint32_t r = 0; r < runs; r++) {
            gr_record *it = &record[(size_t)g * runs + r];
            it->written = g <= last_of(r, generations);
            it->deme = r;
            it->generation = g;
            it->best_cost = (float)(r + g);
            it->statistics.sum[GR_SIZE_NODES] = r;
            rows += it->written;
            executed += it->written ? 3.0 * r : 0.0;
        }
    }
    const gr_records records = {&p, record, generations, seconds, steps};
    expected e = {.runs = runs, .generations = generations};
    gr_records_sum sum;
    assert_true(gr_records_read(&records, team, see, &e, &sum));
    assert_true(e.rows == rows && sum.executed == executed && !sum.active);
    p.generations++; /* some are not at their end then */
    assert_true(gr_records_read(&records, team, NULL, NULL, &sum));
    assert_true(sum.executed == executed && sum.active);
    free(record);
    free(seconds);
    free(steps);
}

static void test_order(void **state) {
    (void)state;
    gr_team *team = gr_team_open(3);
    const uint32_t sizes[][2] = {{1, 1},    {1, 1024},  {1, 3000},   {3, 700},     {341, 4},
                                 {1023, 3}, {1024, 2},  {1025, 2},   {2048, 3},    {5000, 17},
                                 {7, 146},  {512, 131}, {100000, 2}, {GR_ROWS, 70}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        play(sizes[i][0], sizes[i][1], NULL);
        play(sizes[i][0], sizes[i][1], team);
    }
    gr_team_close(team);
}

static void keep_row(void *context, gr_rows *rows) {
    assert_int_equal(rows->count, 1);
    *(gr_generation *)context = rows->row[0];
    free(rows);
}

/* Of the islands of a run members of first fronts and what was mutated again add up; it has as many
 * fronts as the one with most. */
static void test_islands(void **state) {
    (void)state;
    static const uint32_t fronts[3] = {3, 7, 4};
    gr_params p = {.runs = 1, .islands = 3, .steps = 1, .train_cases = 2, .objectives = 2};
    p.mutate_duplicates = 1;
    gr_record record[3] = {{.written = 0}};
    gr_generation steps = {0}, g;
    double seconds = 1.0;
    for (uint32_t d = 0; d < 3; d++) {
        record[d].written = d == 1 ? GR_WRITTEN_LEADING : 1;
        record[d].deme = d;
        record[d].replaced_by = (gr_replaced_by){10 + d, 5 + d, fronts[d]};
        record[d].mutated_again = 100 + d;
        record[d].best_ever_cost = (float)d;
    }
    const gr_records records = {&p, record, 1, &seconds, &steps};
    gr_records_sum sum;
    assert_true(gr_records_read(&records, NULL, keep_row, &g, &sum));
    assert_true(g.has_fronts && g.first_front == 5 + 6 + 7 && g.fronts == 7);
    assert_true(g.mutates_duplicates && g.mutated_again == 303);
    assert_true(g.executed == 2.0 * 33.0 && g.best_ever == 1.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_order),
                                       cmocka_unit_test(test_islands)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
