/* host/bench/report.c: figures in the units of their rows, targets, the table and its JSON. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/bench/bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static gr_bench_row row = {.name = "some", .suite = GR_SUITE_EVAL, .work = GR_BENCH_RANDOM};

/* 2000 programs of 60000 nodes in all over 1000 cases, in half a second. */
static gr_bench_result result(void) {
    gr_bench_result r = {.row = &row, .device = "a device", .math = "exact", .functions = "+, -"};
    r.inputs = 3;
    r.asked = r.sizes = (gr_bench_sizes){2, 1000, 1000, 50};
    r.repeats = 5;
    r.median = 0.5;
    r.least = 0.4;
    r.most = 0.7;
    r.generations = 25;
    r.nodes = 60000;
    r.programs = 2000;
    r.codons = 5e6;
    r.issue_rate = 24e9;
    r.joules = 3;
    for (int k = 0; k < GR_PHASES; k++)
        r.phase[k] = (double)NAN;
    r.verdict = (gr_verdict){.compared = 256, .agreed = 256, .finite = 200};
    r.answers = GR_ANSWERS_RIGHT;
    return r;
}

static int near(double a, double b) {
    return fabs(a - b) <= 1e-9 * fabs(b);
}

static void test_figures(void **state) {
    (void)state;
    gr_bench_result r = result();
    row = (gr_bench_row){.name = "some", .work = GR_BENCH_RANDOM, .unit = GR_UNIT_GPOPS};
    assert_true(near(gr_bench_gpops(&r), 0.12) && near(gr_bench_figure(&r), 0.12));
    assert_true(near(gr_bench_issue(&r), 0.5)); /* percent of 24 10^9 a second */
    r.packed = 1;                               /* 32 cases an instruction */
    assert_true(near(gr_bench_issue(&r), 0.5 / 32));
    r.issue_rate = 0;
    assert_true(gr_bench_issue(&r) == 0.0);
    row.unit = GR_UNIT_GENERATION;
    assert_true(near(gr_bench_figure(&r), 0.02));
    assert_true(gr_bench_reaches(&r, 0.03) && !gr_bench_reaches(&r, 0.01)); /* less is better */
    row.unit = GR_UNIT_SECONDS;
    assert_true(near(gr_bench_figure(&r), 0.5) && gr_bench_reaches(&r, 0.5));
    row.unit = GR_UNIT_INDIVIDUALS;
    row.work = GR_BENCH_BREED;
    assert_true(near(gr_bench_figure(&r), 4000) && gr_bench_gpops(&r) == 0.0);
    assert_true(gr_bench_reaches(&r, 3000) && !gr_bench_reaches(&r, 5000));
}

static double number(const cJSON *object, const char *name) {
    const cJSON *found = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsNumber(found) ? found->valuedouble : (double)NAN;
}

/* As a reader gets it. */
static cJSON *json_of(const gr_bench_result *r) {
    cJSON *made = gr_bench_json(r);
    char *text = cJSON_Print(made);
    cJSON *read = cJSON_Parse(text);
    cJSON_free(text);
    cJSON_Delete(made);
    return read;
}

static void test_json(void **state) {
    (void)state;
    gr_bench_result r = result();
    row = (gr_bench_row){.name = "some",
                         .work = GR_BENCH_RUN,
                         .unit = GR_UNIT_GPOPS,
                         .at_least = 0.1,
                         .beyond = 0.2,
                         .paper = 0.01,
                         .source = "who"};
    r.phase[GR_PHASE_SELECT] = 0.1, r.phase[GR_PHASE_BREED] = 0.15,
    r.phase[GR_PHASE_EVALUATE] = 0.25, r.phase[GR_PHASE_FIT] = 0.05, r.phase[GR_PHASE_RANK] = 0;
    cJSON *j = json_of(&r);
    const cJSON *seconds = cJSON_GetObjectItem(j, "seconds"),
                *phases = cJSON_GetObjectItem(j, "phases");
    const cJSON *target = cJSON_GetObjectItem(j, "target"),
                *answers = cJSON_GetObjectItem(j, "answers");
    assert_string_equal(cJSON_GetObjectItem(j, "suite")->valuestring, "eval");
    assert_true(number(j, "runs") == 2 && number(j, "population") == 1000 &&
                number(j, "generations") == 50);
    assert_true(number(j, "nodes_mean") == 30 && number(j, "nodes_total") == 60000 &&
                number(j, "repeats") == 5);
    assert_true(number(seconds, "median") == 0.5 && number(seconds, "least") == 0.4 &&
                number(seconds, "most") == 0.7);
    assert_true(near(number(j, "gpops"), 0.12) && near(number(j, "issue_percent"), 0.5));
    assert_true(near(number(j, "joules_per_gigagpop"), 50)); /* 3 J for 0.06 10^9 */
    assert_true(number(phases, "select") == 0.1 && number(phases, "breed") == 0.15);
    assert_true(number(phases, "evaluate") == 0.25 && number(phases, "fit") == 0.05 &&
                number(phases, "rank") == 0);
    assert_true(near(number(j, "figure"), 0.12) && number(target, "at_least") == 0.1 &&
                number(target, "beyond") == 0.2);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(target, "reached")));
    const cJSON *paper = cJSON_GetObjectItem(j, "paper");
    assert_true(number(paper, "figure") == 0.01);
    assert_string_equal(cJSON_GetObjectItem(paper, "source")->valuestring, r.row->source);
    assert_true(number(answers, "compared") == 256 && number(answers, "finite") == 200);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(j, "verified")) &&
                cJSON_IsNull(cJSON_GetObjectItem(j, "reduced_from")));
    cJSON_Delete(j);
    r.answers = GR_ANSWERS_WRONG; /* no figure of wrong answers */
    r.sizes.cases = 500;
    j = json_of(&r);
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(j, "gpops")) &&
                cJSON_IsNull(cJSON_GetObjectItem(j, "figure")));
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(cJSON_GetObjectItem(j, "target"), "reached")));
    assert_true(cJSON_IsFalse(cJSON_GetObjectItem(j, "verified")));
    assert_true(number(cJSON_GetObjectItem(j, "reduced_from"), "cases") == 1000 &&
                number(j, "cases") == 500);
    cJSON_Delete(j);
}

static void check_text(const gr_bench_result *r, const char *expected) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    gr_bench_print(r, out);
    fclose(out);
    assert_string_equal(text, expected);
    free(text);
}

static void test_table(void **state) {
    (void)state;
    gr_bench_result r = result();
    row = (gr_bench_row){.name = "some",
                         .work = GR_BENCH_RANDOM,
                         .unit = GR_UNIT_GPOPS,
                         .at_least = 0.1,
                         .beyond = 0.2};
    check_text(&r, "some                         3     1000      2000   30.0      0.120  60.0 % "
                   "0.500 %    50.0  ok, 256 of 256 the "
                   "same bits\n    target 0.100 GPop/s, beyond 0.200 GPop/s: reached\n");
    r.sizes.population = 100;
    r.answers = GR_ANSWERS_WRONG;
    strcpy(r.verdict.wrong, "individual 3 costs more");
    r.verdict.agreed = 255;
    check_text(&r, "some                         3     1000       200   30.0          -       -    "
                   "   -       -  WRONG, 255 of 256 "
                   "the same bits\n    individual 3 costs more\n    reduced for --quick: "
                   "population 100 of 1000\n");
    r = result();
    r.sizes = (gr_bench_sizes){1, 1000, 500, 25};
    check_text(&r, "some                         3      500      1000   30.0     0.0600  60.0 % "
                   "0.250 %     100  ok, 256 of 256 the same bits\n    reduced for --quick: runs 1 "
                   "of 2, cases 500 of 1000, generations 25 of 50\n");
    r = result();
    row = (gr_bench_row){.name = "bred",
                         .suite = GR_SUITE_BREED,
                         .work = GR_BENCH_BREED,
                         .unit = GR_UNIT_INDIVIDUALS,
                         .paper = 1000,
                         .source = "who"};
    r.joules = (double)NAN;
    check_text(&r, "bred                         3     1000      2000   30.0          -  60.0 %    "
                   "   -       -  ok, 256 of 256 the "
                   "same bits\n    0.00400 M individuals/s, 10.0 M mapped codons/s\n    paper: "
                   "0.001000 M individuals/s (who); "
                   "0.250 times as fast\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_figures), cmocka_unit_test(test_json),
                                       cmocka_unit_test(test_table)};
    return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
