/* The public interface, seen through grampus.h alone. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/comma.h"
#include "tests/library.h"

/* A small tree problem on the CPU. */
static grampus_settings *small_problem(void) {
    grampus_error error;
    grampus_settings *s;
    check_ok(grampus_settings_new(&s, &error), &error);
    set(s, "genotype", "tree");
    set(s, "device", "cpu");
    set(s, "target-expression", "x * x + x");
    set(s, "variables", "x = uniform(-1, 1)");
    set(s, "train-cases", "50");
    set(s, "population", "80");
    set(s, "generations", "10");
    set(s, "max-nodes", "80");
    set(s, "epoch", "4");
    return s;
}

/* What a callback saw. */
typedef struct seen {
    uint32_t calls, last;
    double best, executed;
    grampus_run *stop; /* to be stopped in generation 2 */
} seen;

static void watch(void *context, const grampus_generation *g) {
    seen *s = context;
    if (g->run == 0)
        assert_int_equal(g->generation, s->calls ? s->last + 1 : 0);
    assert_true(g->valid <= g->individuals);
    s->calls += g->run == 0;
    s->last = g->generation;
    s->best = g->best_ever;
    s->executed += g->executed;
    if (s->stop && g->generation == 2)
        grampus_run_stop(s->stop);
}

static void evolve(grampus_run *run, seen *s) {
    grampus_error error;
    for (int finished = 0; !finished;)
        check_ok(grampus_run_advance(run, watch, s, &finished, &error), &error);
}

/* ---- settings ---- */

/* What was set in vain is told of by name. */
static void test_unused(void **state) {
    grampus_error error;
    grampus_run *run;
    grampus_settings *s = small_problem();
    (void)state;
    check_ok(grampus_run_open(s, &run, &error), &error);
    assert_string_equal(grampus_run_unused(run), "");
    grampus_run_close(run);
    set(s, "max-wraps", "2");
    set(s, "thresholds", "0.5");
    check_ok(grampus_run_open(s, &run, &error), &error);
    assert_string_equal(grampus_run_unused(run),
                        "max-wraps: for genotype grammar or structured; thresholds: for metric "
                        "misclassified or balanced-accuracy");
    grampus_run_close(run);
    grampus_settings_free(s);
    s = small_problem(); /* trees, which read no grammar */
    check_ok(grampus_run_open_on(s, NULL, NULL, "<e> ::= x", &run, &error), &error);
    assert_string_equal(grampus_run_unused(run), "grammar: for genotype grammar or structured");
    grampus_run_close(run);
    grampus_settings_free(s);
}

static void test_settings(void **state) {
    grampus_error error;
    grampus_settings *s;
    char value[32], small[2];
    (void)state;
    check_ok(grampus_settings_new(&s, &error), &error);
    check_ok(grampus_settings_get(s, "population", value, sizeof value, &error), &error);
    assert_string_equal(value, "500");
    set(s, "population", "1234");
    check_ok(grampus_settings_get(s, "population", value, sizeof value, &error), &error);
    assert_string_equal(value, "1234");
    assert_int_equal(grampus_settings_get(s, "population", small, sizeof small, &error),
                     GRAMPUS_FAILED);
    assert_int_equal(grampus_settings_set(s, "populaton", "3", &error), GRAMPUS_BAD_INPUT);
    assert_non_null(strstr(error.text, "'population'"));
    assert_int_equal(grampus_settings_set(s, "population", "many", &error), GRAMPUS_BAD_INPUT);
    assert_int_equal(error.status, GRAMPUS_BAD_INPUT);
    assert_int_equal(grampus_settings_set(s, "nonsense", "3", NULL), GRAMPUS_BAD_INPUT);
    assert_int_equal(grampus_settings_get(s, "nonsense", value, sizeof value, NULL),
                     GRAMPUS_BAD_INPUT);
    assert_int_equal(grampus_settings_load(s, "/nonexistent.yaml", &error), GRAMPUS_BAD_INPUT);
    grampus_settings_free(s);
    grampus_settings_free(NULL);
}

/* ---- runs ---- */

static void test_run(void **state) {
    grampus_error error;
    grampus_settings *s = small_problem();
    grampus_run *run;
    grampus_best best, none;
    grampus_info info;
    seen saw = {0};
    (void)state;
    check_ok(grampus_run_open(s, &run, &error), &error);
    grampus_settings_free(s);
    grampus_run_info(run, &info);
    assert_string_equal(info.stop_reason, "none");
    evolve(run, &saw);
    assert_int_equal(saw.calls, 11);
    check_ok(grampus_run_best(run, 0, &best, &error), &error);
    assert_true(best.train == saw.best);
    assert_true(isnan(best.test));
    assert_non_null(best.infix);
    assert_null(best.genome);
    assert_int_equal(best.seed, 1);
    assert_int_equal(grampus_run_best(run, 1, &none, NULL), GRAMPUS_BAD_INPUT);
    grampus_run_info(run, &info);
    assert_int_equal(info.generation, 10);
    assert_true(info.executed == saw.executed);
    assert_false(info.stopped);
    assert_string_equal(info.stop_reason, "generations");
    assert_true(strlen(info.device) > 0 && strlen(info.memory) > 0);
    grampus_best_free(&best);
    grampus_run_close(run);
    grampus_run_close(NULL);
}

/* The best's own text has the fitness that was reported. */
static void test_best_evaluates(void **state) {
    grampus_error error;
    grampus_settings *s = small_problem();
    grampus_run *run;
    grampus_best best;
    seen saw = {0};
    float x[3] = {-0.5f, 0.25f, 1.0f}, y[3];
    const float *columns[] = {x};
    const char *names[] = {"x"};
    (void)state;
    set(s, "target-fitness", "1e-6");
    set(s, "population", "400");
    set(s, "generations", "60");
    check_ok(grampus_run_open(s, &run, &error), &error);
    evolve(run, &saw);
    check_ok(grampus_run_best(run, 0, &best, &error), &error);
    assert_true(best.solved);
    check_ok(grampus_evaluate(best.infix, names, 1, columns, 3, y, &error), &error);
    for (int i = 0; i < 3; i++)
        assert_true(fabsf(y[i] - (x[i] * x[i] + x[i])) < 1e-4f);
    grampus_best_free(&best);
    grampus_run_close(run);
    grampus_settings_free(s);
}

/* One handle of settings serves many runs; autos are filled anew for each. */
static void test_settings_are_copied(void **state) {
    grampus_error error;
    grampus_settings *s = small_problem();
    char value[32];
    (void)state;
    for (int i = 0; i < 2; i++) {
        grampus_run *run;
        seen saw = {0};
        set(s, "population", i ? "30" : "600");
        check_ok(grampus_run_open(s, &run, &error), &error);
        evolve(run, &saw);
        grampus_run_close(run);
    }
    check_ok(grampus_settings_get(s, "elites", value, sizeof value, &error), &error);
    assert_string_equal(value, "auto");
    grampus_settings_free(s);
}

static void test_batch(void **state) {
    grampus_error error;
    grampus_settings *s = small_problem();
    grampus_run *run;
    seen saw = {0};
    (void)state;
    set(s, "runs", "3");
    set(s, "seed", "10");
    check_ok(grampus_run_open(s, &run, &error), &error);
    evolve(run, &saw);
    for (uint32_t r = 0; r < 3; r++) {
        grampus_best best;
        check_ok(grampus_run_best(run, r, &best, &error), &error);
        assert_int_equal(best.run, r);
        assert_int_equal(best.seed, 10 + r);
        grampus_best_free(&best);
    }
    grampus_run_close(run);
    grampus_settings_free(s);
}

/* The leader of a batch, and the first run with the least training error. */
static void find_leaders(grampus_settings *s, uint32_t *leader, uint32_t *least) {
    grampus_error error;
    grampus_run *run;
    seen saw = {0};
    double lowest = (double)INFINITY;
    check_ok(grampus_run_open(s, &run, &error), &error);
    evolve(run, &saw);
    check_ok(grampus_run_leader(run, leader, &error), &error);
    for (uint32_t r = 0; r < 6; r++) {
        grampus_best best;
        check_ok(grampus_run_best(run, r, &best, &error), &error);
        *least = best.train < lowest ? r : *least;
        lowest = best.train < lowest ? best.train : lowest;
        grampus_best_free(&best);
    }
    grampus_run_close(run);
}

/* By the training cases, or by those set aside, which now and then say another. */
static void test_leader(void **state) {
    static const char *const aside[] = {"0", "0.4"};
    (void)state;
    for (int k = 0; k < 2; k++) {
        uint32_t leader = 0, least = 0, others = 0;
        for (unsigned seed = 1; seed < 50; seed += 6) {
            grampus_settings *s = small_problem();
            char number[12];
            snprintf(number, sizeof number, "%u", seed);
            set(s, "seed", number);
            set(s, "target-expression", "sin(5 * x)");
            set(s, "runs", "6");
            set(s, "generations", "3");
            set(s, "population", "12");
            set(s, "validation-fraction", aside[k]);
            find_leaders(s, &leader, &least);
            others += leader != least;
            grampus_settings_free(s);
        }
        assert_int_equal(others > 0, k);
    }
}

static void test_stop(void **state) {
    grampus_error error;
    grampus_settings *s = small_problem();
    grampus_run *run;
    grampus_info info;
    grampus_best best;
    seen saw = {0};
    (void)state;
    set(s, "generations", "1000000");
    check_ok(grampus_run_open(s, &run, &error), &error);
    saw.stop = run;
    evolve(run, &saw);
    grampus_run_info(run, &info);
    assert_true(info.stopped);
    assert_string_equal(info.stop_reason, "request");
    assert_true(info.generation < 20);
    check_ok(grampus_run_best(run, 0, &best, &error), &error);
    assert_non_null(best.infix);
    grampus_best_free(&best);
    grampus_run_close(run);
    check_ok(grampus_run_open(s, &run, &error), &error);
    grampus_run_stop(run); /* before the first generation */
    saw = (seen){0};
    evolve(run, &saw);
    grampus_run_info(run, &info);
    assert_true(info.stopped && info.generation == 0 && saw.calls == 0);
    assert_string_equal(info.stop_reason, "request");
    grampus_run_close(run);
    grampus_settings_free(s);
}

/* What a callback of a program that prints with commas prints. */
static void print_half(void *context, const grampus_generation *g) {
    (void)g;
    snprintf(context, 8, "%.1f", 0.5);
}

/* Numbers in texts have a point whatever the locale is, which stays the caller's. */
static void test_locale(void **state) {
    grampus_error error;
    grampus_settings *s = small_problem();
    grampus_run *run;
    grampus_info info;
    grampus_law law;
    char *text, half[8];
    (void)state;
    if (!use_comma())
        skip();
    set(s, "target-expression", "x * 0.37012");
    set(s, "seed-program", "x * 0.5");
    set(s, "linear-scaling", "true");
    set(s, "find-law", "true");
    set(s, "generations", "0");
    check_ok(grampus_run_open(s, &run, &error), &error);
    int finished;
    check_ok(grampus_run_advance(run, print_half, half, &finished, &error), &error);
    assert_string_equal(half, "0,5");
    grampus_run_info(run, &info);
    assert_non_null(strstr(info.memory, "data 0.0, "));
    check_ok(grampus_run_law(run, &law, &error), &error);
    assert_true(strstr(law.infix, "0.37") && !strchr(law.infix, ','));
    check_ok(grampus_expression_postfix("1.5", NULL, 0, &text, &error), &error);
    assert_string_equal(text, "0 1.5\n");
    grampus_text_free(text);
    grampus_run_close(run);
    set(s, "population", "100000000");
    set(s, "max-nodes", "60000");
    assert_int_equal(grampus_run_open(s, &run, &error), GRAMPUS_NO_MEMORY);
    assert_non_null(strstr(error.text, " MB: data 0.0, population "));
    snprintf(half, sizeof half, "%.1f", 0.5);
    assert_string_equal(half, "0,5");
    setlocale(LC_NUMERIC, "C");
    grampus_settings_free(s);
}

static void test_bad_runs(void **state) {
    grampus_error error;
    grampus_settings *s = small_problem();
    grampus_run *run;
    grampus_best best;
    (void)state;
    set(s, "elites", "81");
    assert_int_equal(grampus_run_open(s, &run, &error), GRAMPUS_BAD_INPUT);
    assert_null(run);
    assert_non_null(strstr(error.text, "elites"));
    set(s, "elites", "2");
    set(s, "population", "100000000");
    assert_int_equal(grampus_run_open(s, &run, &error), GRAMPUS_NO_MEMORY);
    set(s, "population", "50");
    check_ok(grampus_run_open(s, &run, &error), &error);
    assert_int_equal(grampus_run_best(run, 0, &best, &error), GRAMPUS_BAD_INPUT); /* too early */
    uint32_t leader;
    assert_int_equal(grampus_run_leader(run, &leader, &error), GRAMPUS_BAD_INPUT);
    grampus_best_free(&best);
    grampus_run_close(run);
    grampus_settings_free(s);
}

/* ---- mapping and expressions ---- */

static void write_text(char *path, const char *text) {
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
}

static void test_map(void **state) {
    grampus_error error;
    grampus_grammar *grammar;
    grampus_phenotype p;
    char path[] = "/tmp/grampus-test-XXXXXX";
    const uint32_t good[] = {0, 1, 0, 1, 1}, bad[] = {0, 0, 0};
    (void)state;
    write_text(path, "<e> ::= <e>+<e> | <v>\n<v> ::= a | b\n");
    check_ok(grampus_grammar_load(path, NULL, &grammar, &error), &error);
    check_ok(grampus_map(grammar, good, 5, 0, 90, &p, &error), &error);
    assert_true(p.valid);
    assert_string_equal(p.text, "a+b");
    assert_int_equal(p.used_codons, 5);
    assert_int_equal(p.depth, 4);
    grampus_phenotype_free(&p);
    check_ok(grampus_map(grammar, bad, 3, 5, 90, &p, &error), &error);
    assert_false(p.valid);
    assert_null(p.text);
    assert_int_equal(grampus_map(grammar, good, 5, 0, 0, &p, &error), GRAMPUS_BAD_INPUT);
    grampus_grammar_free(grammar);
    grampus_grammar_free(NULL);
    unlink(path);
    assert_int_equal(grampus_grammar_load("/nonexistent.bnf", NULL, &grammar, &error),
                     GRAMPUS_BAD_INPUT);
}

static void test_evaluate(void **state) {
    enum { CASES = 3000 }; /* more than a chunk */
    grampus_error error;
    static float a[CASES], b[CASES], out[CASES];
    const float *columns[] = {a, b};
    const char *names[] = {"a", "b"};
    (void)state;
    for (int i = 0; i < CASES; i++) {
        a[i] = (float)i;
        b[i] = (float)(i % 7) - 3.0f;
    }
    check_ok(grampus_evaluate("a * b + 0.5", names, 2, columns, CASES, out, &error), &error);
    for (int i = 0; i < CASES; i++)
        assert_true(out[i] == a[i] * b[i] + 0.5f);
    check_ok(grampus_evaluate("x0 / x1", NULL, 2, columns, 4, out, &error), &error);
    assert_true(isinf(out[3]));
    check_ok(grampus_evaluate("2 + 1", NULL, 0, NULL, 2, out, &error), &error);
    assert_true(out[1] == 3.0f);
    check_ok(grampus_evaluate("x0", NULL, 2, columns, 0, out, &error), &error);
    assert_int_equal(grampus_evaluate("a + c", names, 2, columns, 4, out, &error),
                     GRAMPUS_BAD_INPUT);
    assert_non_null(strstr(error.text, "'c'"));
}

static void test_version(void **state) {
    (void)state;
    assert_string_equal(grampus_version(), GRAMPUS_VERSION);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_version),        cmocka_unit_test(test_settings),
        cmocka_unit_test(test_unused),         cmocka_unit_test(test_run),
        cmocka_unit_test(test_best_evaluates), cmocka_unit_test(test_settings_are_copied),
        cmocka_unit_test(test_batch),          cmocka_unit_test(test_leader),
        cmocka_unit_test(test_stop),           cmocka_unit_test(test_locale),
        cmocka_unit_test(test_bad_runs),       cmocka_unit_test(test_map),
        cmocka_unit_test(test_evaluate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
