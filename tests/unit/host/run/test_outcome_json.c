/* host/run/outcome_json.c: what best.json says, as a reader has it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/outcomes.h"

static cJSON *item(const cJSON *object, const char *name) {
    cJSON *found = cJSON_GetObjectItemCaseSensitive(object, name);
    if (!found)
        fail_msg("no %s", name);
    return found;
}

static double number(const cJSON *object, const char *name) { /* raw texts are numbers, too */
    const cJSON *found = item(object, name);
    return cJSON_IsNumber(found) ? found->valuedouble : (double)NAN;
}

static void test_json(void **state) {
    (void)state;
    three_runs();
    ended e = collect(three);
    cJSON *made = gr_outcome_json(&e.settings, e.run, &e.outcome, "some/folder");
    char *text = cJSON_Print(made);
    cJSON *json = cJSON_Parse(text); /* as a reader has it */
    assert_true(number(json, "run") == 1 && number(json, "seed") == 8);
    assert_true(number(json, "generation") == 11 && number(json, "fitness") == 2.25);
    assert_true(number(json, "test_fitness") == 2.25);
    assert_true(number(json, "recomputed_fitness") == 2.25);
    assert_true(number(json, "size") == 1 && number(json, "depth") == 1);
    assert_string_equal(item(json, "infix")->valuestring, "1.5");
    assert_string_equal(item(json, "metric")->valuestring, "mse");
    assert_string_equal(item(json, "results")->valuestring, "some/folder");
    assert_string_equal(item(json, "validity")->valuestring, "valid");
    assert_true(cJSON_IsTrue(item(json, "solved")) && cJSON_IsFalse(item(json, "maximised")));
    const cJSON *summary = item(json, "summary"), *fitness = item(summary, "fitness");
    assert_true(number(summary, "runs") == 3 && number(summary, "successes") == 1);
    assert_true(number(fitness, "min") == 2.25 && number(fitness, "max") == 9.0);
    assert_true(number(fitness, "median") == 4.0 && number(fitness, "lower_quartile") == 3.125);
    assert_true(number(fitness, "upper_quartile") == 6.5);
    assert_true(fabs(number(fitness, "mean") - 15.25 / 3.0) < 1e-8);
    const cJSON *runs = item(json, "runs"), *third = cJSON_GetArrayItem(runs, 2);
    assert_int_equal(cJSON_GetArraySize(runs), 3);
    assert_true(number(third, "seed") == 9 && number(third, "fitness") == 4.0);
    assert_true(cJSON_IsFalse(item(third, "solved")));
    cJSON_Delete(json);
    cJSON_free(text);
    cJSON_Delete(made);
    end(&e);
}

/* Whether the best so far, or at the end, of a run is said to be of a sample. */
static int on_sample(const char *more, int finished) {
    records_begin();
    constant(0, 2.0f);
    ended e = {.run = records_run(more, &e.settings)};
    gr_error error;
    int done = 0;
    script.generations = 2;
    assert_int_equal(gr_run_advance(e.run, NULL, &done, &error), GR_OK);
    if (finished)
        assert_int_equal(gr_run_advance(e.run, NULL, &done, &error), GR_OK);
    assert_int_equal(done, finished);
    assert_int_equal(finished ? gr_outcome_collect(e.run, &e.outcome, &error)
                              : gr_outcome_so_far(e.run, 0, &e.outcome, &error),
                     GR_OK);
    cJSON *json = gr_outcome_json(&e.settings, e.run, &e.outcome, NULL);
    int found = cJSON_HasObjectItem(json, "fitness_on_sample");
    cJSON_Delete(json);
    end(&e);
    return found;
}

static void test_on_sample(void **state) {
    static const char all[] = "generations: 1\nepoch: 1\n";
    static const char some[] = "generations: 1\nepoch: 1\ncase-sampling: random\nsample-cases: 2\n";
    (void)state;
    assert_true(on_sample(some, 0) && !on_sample(some, 1));
    assert_true(!on_sample(all, 0) && !on_sample(all, 1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_on_sample),
    };
    return cmocka_run_group_tests_name("outcome_json", tests, NULL, NULL);
}
