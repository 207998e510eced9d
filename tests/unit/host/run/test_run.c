/* host/run/run.h: what becomes of an engine's records, here written by hand, on their way to a
 * reader. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/records.h"

#include <math.h>

enum { ROWS = 16 };

/* What a watcher saw. */
typedef struct seen {
    gr_generation row[ROWS];
    uint32_t rows, ticks, last_tick;
} seen;

static void see(void *context, const gr_generation *g) {
    seen *s = context;
    assert_true(s->rows < ROWS);
    s->row[s->rows++] = *g;
}

static void see_tick(void *context, uint32_t generation) {
    seen *s = context;
    s->ticks++;
    s->last_tick = generation;
}

/* The settings' run over the script, played to its end. */
static gr_run *play(const char *more, seen *s, gr_settings *settings) {
    gr_run *run = records_run(more, settings);
    const gr_watch watch = {.generation = see, .tick = see_tick, .context = s};
    memset(s, 0, sizeof *s);
    records_play(run, &watch);
    return run;
}

static void close_run(gr_run *run, gr_settings *settings) {
    gr_run_close(run);
    gr_settings_free(settings);
}

/* A record of some generation and deme in which every number is another one. */
static gr_record record_of(uint32_t generation, uint32_t deme) {
    gr_record r = {.generation = generation, .deme = deme, .written = 1, .improved = 1};
    r.best_cost = 3.5f;
    r.best_ever_cost = 1.25f;
    r.test_cost = 7.75f;
    r.best_index = 2;
    r.best.nodes = 21;
    r.best.depth = 6;
    r.statistics = (gr_statistics){
        .cost_sum = 30.0,
        .sum = {100, 64, 24, 48, 80},
        .least = {11, 12, 13, 14, 15},
        .most = {31, 32, 33, 34, 35},
        .finite = 3,
        .draws_again = 17,
        .parents_kept = 19,
        .validity = {4, 1, 2, 3, 0},
    };
    return r;
}

static void check_size(gr_min_mean_max got, double least, double mean, double most) {
    assert_true(got.min == least && got.mean == mean && got.max == most);
}

/* ---- one record ---- */

/* Means of sizes are over those that have the size: lengths of all, the others of the valid ones.
 */
static void test_every_field(void **state) {
    (void)state;
    gr_settings settings;
    seen s;
    records_begin();
    script.record[0] = record_of(0, 0);
    script.generations = 1;
    gr_run *run = play("generations: 0\ntest-variables: x = grid(1, 2, 1)\n", &s, &settings);
    assert_int_equal(s.rows, 1);
    const gr_generation *g = s.row;
    assert_true(g->run == 0 && g->generation == 0 && g->improved);
    assert_true(g->best == 3.5 && g->mean == 10.0 && g->best_ever == 1.25 && g->test == 7.75);
    assert_int_equal(g->individuals, 10);
    static const uint32_t validity[GR_VALIDITY_COUNT] = {4, 1, 2, 3, 0};
    assert_memory_equal(g->by_validity, validity, sizeof validity);
    assert_int_equal(g->nonfinite, 1);
    assert_int_equal(g->draws_again, 17);
    assert_int_equal(g->parents_kept, 19);
    check_size(g->size[GR_SIZE_LENGTH], 11, 10.0, 31);
    check_size(g->size[GR_SIZE_USED], 12, 16.0, 32);
    check_size(g->size[GR_SIZE_DEPTH], 13, 6.0, 33);
    check_size(g->size[GR_SIZE_NODES], 14, 12.0, 34);
    check_size(g->size[GR_SIZE_DERIVATION], 15, 20.0, 35);
    assert_true(g->best_nodes == 21 && g->best_depth == 6);
    assert_true(g->executed == 48.0 * 5.0); /* cases */
    assert_true(g->seconds >= 0.0 && g->seconds < 600.0);
    gr_run_report report;
    gr_run_look(run, &report);
    assert_true(report.executed == 240.0 && report.generation == 0 && report.finished);
    assert_true(gr_run_gpops(&report) == 240.0 / 2.0 * 1e-9);
    close_run(run, &settings);
}

/* Of a metric that grows with fitness the sign is turned back, and 0 has none. */
static void test_maximised(void **state) {
    (void)state;
    gr_settings settings;
    seen s;
    records_begin();
    script.record[0] = record_of(0, 0);
    script.record[0].best_cost = -4.0f;
    script.record[0].best_ever_cost = 0.0f;
    script.record[0].statistics.cost_sum = -6.0;
    script.generations = 1;
    gr_run *run = play("generations: 0\nmetric: hits\n", &s, &settings);
    assert_true(s.row->best == 4.0 && s.row->mean == 2.0);
    assert_true(s.row->best_ever == 0.0 && !signbit(s.row->best_ever));
    assert_true(isnan(s.row->test)); /* no test cases */
    close_run(run, &settings);
}

static void test_nothing_valid(void **state) {
    (void)state;
    gr_settings settings;
    seen s;
    records_begin();
    script.record[0] = record_of(0, 0);
    script.record[0].best_cost = script.record[0].best_ever_cost = (float)INFINITY;
    script.record[0].statistics.validity[GR_VALID] = script.record[0].statistics.finite = 0;
    script.generations = 1;
    gr_run *run = play("generations: 0\n", &s, &settings);
    assert_true(isnan(s.row->mean) && isinf(s.row->best) && s.row->nonfinite == 0);
    assert_true(isnan(s.row->size[GR_SIZE_NODES].min) && isnan(s.row->size[GR_SIZE_NODES].mean) &&
                isnan(s.row->size[GR_SIZE_NODES].max));
    check_size(s.row->size[GR_SIZE_LENGTH], 11, 100.0 / 6.0, 31);
    close_run(run, &settings);
}

/* ---- several demes ---- */

/* Islands of a run are one row: sums are added, extremes kept, each best with what belongs to it.
 */
static void test_islands(void **state) {
    (void)state;
    gr_settings settings;
    seen s;
    records_begin();
    script.islands = 3;
    for (uint32_t d = 0; d < 3; d++)
        script.record[d] = record_of(0, d);
    gr_record *second = &script.record[1];
    second->best_cost = 2.0f; /* the best of this generation */
    second->best.nodes = 9;
    second->improved = 0;
    second->statistics.least[GR_SIZE_NODES] = 5;
    script.record[2].written = GR_WRITTEN_LEADING; /* it has the best so far */
    script.record[2].best_ever_cost = 0.5f;
    script.record[2].test_cost = 0.75f;
    script.record[2].best_cost = 2.0f; /* as good, and later */
    script.record[2].best.nodes = 8;
    script.record[2].statistics.most[GR_SIZE_NODES] = 90;
    script.generations = 1;
    gr_run *run = play("generations: 0\ntest-variables: x = grid(1, 2, 1)\n", &s, &settings);
    assert_int_equal(s.rows, 1);
    const gr_generation *g = s.row;
    assert_true(g->run == 0 && g->improved && g->best == 2.0 && g->best_nodes == 9);
    assert_true(g->best_ever == 0.5 && g->test == 0.75 && g->mean == 10.0);
    assert_int_equal(g->individuals, 30);
    assert_int_equal(g->nonfinite, 3);
    assert_int_equal(g->draws_again, 51);
    check_size(g->size[GR_SIZE_NODES], 5, 12.0, 90);
    assert_true(g->executed == 3 * 240.0);
    close_run(run, &settings);
}

/* Rows in the order of generations, then of runs; a run that is done has none. */
static void test_order(void **state) {
    (void)state;
    gr_settings settings;
    seen s;
    records_begin();
    for (uint32_t k = 0; k < 6; k++)
        script.record[k] = record_of(k / 2, k % 2);
    script.record[3].written = script.record[5].written = 0;
    script.generations = 3;
    gr_run *run = play("generations: 2\nruns: 2\nepoch: 2\n", &s, &settings);
    static const uint32_t rows[4][2] = {{0, 0}, {0, 1}, {1, 0}, {2, 0}};
    assert_int_equal(s.rows, 4);
    for (int k = 0; k < 4; k++) {
        assert_int_equal(s.row[k].generation, rows[k][0]);
        assert_int_equal(s.row[k].run, rows[k][1]);
    }
    assert_true(s.ticks >= 2 && s.last_tick == 2);
    close_run(run, &settings);
}

/* ---- steady states ---- */

/* Five steps are a generation: one row for them, with what all of them cost. */
static void test_steps(void **state) {
    (void)state;
    gr_settings settings;
    seen s;
    records_begin();
    for (uint32_t k = 0; k < 11; k++) {
        script.record[k] = record_of(k, 0);
        script.record[k].improved = k == 7;
    }
    script.generations = 11;
    gr_run *run = play("generations: 2\nreplacement: steady-state\nepoch: 1\n", &s, &settings);
    assert_int_equal(s.rows, 3);
    for (uint32_t g = 0; g < 3; g++) {
        uint32_t steps = g ? 5 : 1;
        assert_int_equal(s.row[g].generation, g);
        assert_int_equal(s.row[g].draws_again, 17 * steps);
        assert_int_equal(s.row[g].parents_kept, 19 * steps);
        assert_true(s.row[g].executed == 240.0 * steps);
        assert_int_equal(s.row[g].improved, g == 2);
    }
    gr_run_report report;
    gr_run_look(run, &report);
    assert_int_equal(report.generation, 2);
    assert_int_equal(gr_run_generations(&gr_run_problem(run)->job.params), 2);
    close_run(run, &settings);
}

/* Solved in the second step of the second generation: the row is there, and its generation is the
 * one in which the step lies. */
static void test_solved_midway(void **state) {
    (void)state;
    gr_settings settings;
    gr_best best;
    gr_error error;
    seen s;
    records_begin();
    for (uint32_t k = 0; k < 8; k++)
        script.record[k] = record_of(k, 0);
    script.record[7].best_ever_cost = 0.01f;
    script.generations = 8;
    records_constant(0, 0.1f, 0.01f);
    script.deme[0].best_generation = 7;
    gr_run *run =
        play("generations: 4\nreplacement: steady-state\ntarget-fitness: 0.02\n", &s, &settings);
    assert_int_equal(s.rows, 3);
    assert_int_equal(s.row[2].generation, 2);
    assert_int_equal(s.row[2].draws_again, 2 * 17);
    assert_true(s.row[2].executed == 2 * 240.0);
    assert_int_equal(gr_run_best(run, 0, &best, &error), GR_OK);
    assert_true(best.solved && best.generation == 2);
    gr_best_free(&best);
    gr_run_report report;
    gr_run_look(run, &report);
    assert_int_equal(report.generation, 2);
    close_run(run, &settings);
}

/* ---- ends ---- */

/* "Stopped" is said of a run that had more to do. */
static void test_stopped(void **state) {
    (void)state;
    for (uint32_t last = 1; last <= 3; last++) { /* solved in 2, otherwise to be ended in 3 */
        gr_settings settings;
        gr_run_report report;
        int finished = 0;
        gr_error error;
        records_begin();
        for (uint32_t k = 0; k <= last; k++)
            script.record[k] = record_of(k, 0);
        script.record[2].best_ever_cost = 0.5f;
        script.generations = last + 1;
        gr_run *run = records_run(
            last == 2 ? "generations: 3\ntarget-fitness: 1\n" : "generations: 3\n", &settings);
        gr_run_stop(run);
        assert_int_equal(gr_run_advance(run, NULL, &finished, &error), GR_OK);
        gr_run_look(run, &report);
        assert_int_equal(report.stopped, last == 1);
        assert_int_equal(report.generation, last);
        close_run(run, &settings);
    }
}

/* What ended a run; of a batch what ended the runs that went on for longest. */
static void test_reasons(void **state) {
    (void)state;
    static const struct {
        const char *settings;
        uint32_t generations, solved_in, improved_in;
        gr_reason reason;
    } cases[] = {
        {"generations: 3\n", 3, 99, 0, GR_REACHED_GENERATIONS},
        {"generations: 3\ntarget-fitness: 1\n", 2, 2, 2, GR_REACHED_TARGET},
        {"generations: 3\ntarget-fitness: 1\n", 3, 3, 3, GR_REACHED_GENERATIONS},
        {"generations: 9\nmax-evaluations: 20\n", 2, 99, 0, GR_REACHED_EVALUATIONS},
        {"generations: 9\nstagnation: 3\n", 4, 99, 1, GR_REACHED_STAGNATION},
        {"generations: 9\nstagnation: 3\ntarget-fitness: 1\n", 4, 4, 4, GR_REACHED_TARGET},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        gr_settings settings;
        gr_run_report report;
        int finished = 0;
        gr_error error;
        records_begin();
        for (uint32_t g = 0; g <= cases[k].generations; g++) {
            script.record[g] = record_of(g, 0);
            script.record[g].best_ever_cost = g >= cases[k].solved_in ? 0.5f : 2.0f;
        }
        script.deme[0].best_generation = cases[k].improved_in;
        script.deme[0].best_cost = script.record[cases[k].generations].best_ever_cost;
        script.generations = cases[k].generations + 1;
        gr_run *run = records_run(cases[k].settings, &settings);
        assert_int_equal(gr_run_advance(run, NULL, &finished, &error), GR_OK);
        gr_run_look(run, &report);
        assert_string_equal(gr_reason_name(report.reason), gr_reason_name(cases[k].reason));
        assert_false(report.stopped);
        close_run(run, &settings);
    }
}

typedef struct early_ones {
    uint32_t early, all, last;
} early_ones;

static void count_early(void *context, const gr_generation *g) {
    early_ones *ones = context;
    assert_int_equal(ones->all, 0); /* before the epoch ends */
    assert_int_equal(g->generation, ones->early++);
}

static void count_all(void *context, const gr_generation *g) {
    early_ones *ones = context;
    ones->last = g->generation;
    ones->all++;
}

/* Of four generations that an epoch tells of, the backend's records of the last are on their way.
 */
static void test_early(void **state) {
    gr_settings settings;
    early_ones ones = {0};
    const gr_watch watch = {.generation = count_all, .early = count_early, .context = &ones};
    (void)state;
    records_begin();
    for (uint32_t k = 0; k < 6; k++)
        script.record[k] = record_of(k, 0);
    script.generations = 6;
    script.early = 4;
    gr_run *run = records_run("generations: 5\nepoch: 10\n", &settings);
    records_play(run, &watch);
    assert_int_equal(ones.early, 3);
    assert_int_equal(ones.all, 6);
    assert_int_equal(ones.last, 5);
    gr_run_close(run);
    gr_settings_free(&settings);
}

/* Who waits for checkpoints. */
typedef struct waiting {
    double due; /* seconds */
    uint32_t seen, borders, at[ROWS];
} waiting;

static double tell_due(void *context) {
    return ((waiting *)context)->due;
}

static void count_seen(void *context, const gr_generation *g) {
    ((waiting *)context)->seen = g->generation + 1;
}

static void count_border(void *context, int ended) {
    waiting *w = context;
    (void)ended;
    w->at[w->borders++] = w->seen;
}

/* Where six generations have the ends of epochs, which have room for ten. */
static waiting borders_of(const char *more, double due, uint32_t slow) {
    gr_settings settings;
    char text[128];
    waiting w = {.due = due};
    const gr_watch watch = {
        .generation = count_seen, .border = count_border, .due = tell_due, .context = &w};
    records_begin();
    for (uint32_t k = 0; k < 6; k++)
        script.record[k] = record_of(k, 0);
    script.generations = 6;
    script.early = slow;
    snprintf(text, sizeof text, "generations: 5\nepoch: 10\n%s", more);
    gr_run *run = records_run(text, &settings);
    records_play(run, &watch);
    close_run(run, &settings);
    return w;
}

/* An epoch is one generation until it is known what that takes, then ends before a checkpoint is
 * due, with its next generation at the latest, and where laws are tested. */
static void test_due(void **state) {
    (void)state;
    waiting w = borders_of("", INFINITY, 0);
    assert_int_equal(w.borders, 1);
    w = borders_of("", 1e9, 0);
    assert_int_equal(w.borders, 2);
    assert_int_equal(w.at[0], 1);
    w = borders_of("", 0.0, 1); /* each takes a while */
    assert_int_equal(w.borders, 6);
    w = borders_of("find-law: true\nlaw-every: 3\n", 1e9, 0);
    assert_int_equal(w.borders, 3);
    assert_int_equal(w.at[1], 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_field),   cmocka_unit_test(test_maximised),
        cmocka_unit_test(test_nothing_valid), cmocka_unit_test(test_islands),
        cmocka_unit_test(test_order),         cmocka_unit_test(test_steps),
        cmocka_unit_test(test_solved_midway), cmocka_unit_test(test_stopped),
        cmocka_unit_test(test_reasons),       cmocka_unit_test(test_early),
        cmocka_unit_test(test_due),
    };
    return cmocka_run_group_tests_name("run", tests, NULL, NULL);
}
