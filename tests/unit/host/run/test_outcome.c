/* host/run/outcome.h: leader, successes and summaries of runs whose best programs and fitness are
 * written by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "host/run/outcome.h"
#include "tests/records.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

/* Runs that end with what the script says of their demes. */
typedef struct ended {
    gr_settings settings;
    gr_run *run;
    gr_outcome outcome;
} ended;

static ended collect(const char *more) {
    ended e;
    gr_error error = {GR_OK, ""};
    e.run = records_run(more, &e.settings);
    script.generations = 1;
    script.handed = 0;
    records_play(e.run, NULL);
    if (gr_outcome_collect(e.run, &e.outcome, &error))
        fail_msg("%s", error.text);
    return e;
}

static void end(ended *e) {
    gr_outcome_free(&e->outcome);
    gr_run_close(e->run);
    gr_settings_free(&e->settings);
}

/* Run d ends with the constant c, whose squared error on a target of 0 is c * c. */
static void constant(uint32_t d, float c) {
    records_constant(d, c, c * c);
}

/* Run d ends with x / 0, whose error is no number's. */
static void infinite(uint32_t d) {
    records_constant(d, 0.0f, (float)INFINITY);
    script.best[d][1] = script.best[d][0];
    script.best[d][0] = gr_make_node(GR_INPUT, 1, 1, 0);
    script.best[d][2] = gr_make_node(GR_DIV, 2, 3, 0);
    script.deme[d].best.nodes = script.deme[d].best.length = 3;
    script.deme[d].best.depth = 2;
}

/* ---- genomes: a run under a grammar of two sentences ---- */

static char grammar[] = "/tmp/grampus-outcome-XXXXXX";

static int write_grammar(void **state) {
    static const char text[] = "<e> ::= x | x / 0 | <e>\n";
    int file = mkstemp(grammar);
    (void)state;
    return file < 0 || write(file, text, strlen(text)) < 0 || close(file);
}

static int remove_grammar(void **state) {
    (void)state;
    return unlink(grammar);
}

/* Run d ends with the genome of one codon, which chooses a production. */
static void genome(uint32_t d, uint32_t codon) {
    gr_deme *deme = &script.deme[d];
    memset(deme, 0, sizeof *deme);
    deme->best_cost = deme->test_cost = (float)INFINITY;
    deme->best.length = deme->best.used = 1;
    deme->best.validity = codon == 2 ? GR_OUT_OF_CODONS : GR_VALID;
    deme->best.nodes = codon == 2 ? 0 : codon == 1 ? 3 : 1;
    memcpy(&script.best[d][0], &codon, sizeof codon);
}

/* The settings of `runs` such runs. */
static const char *genomes(uint32_t runs) {
    static char text[512];
    snprintf(text, sizeof text,
             "generations: 0\nruns: %u\ngenotype: grammar\ngrammar: %s\nmax-genome-length: %u\n",
             runs, grammar, 2 * RECORDS_NODES);
    return text;
}

/* ---- the leader ---- */

/* Also of the best so far, as it is written during a run. */
static void check_leader(const char *more, uint32_t leader) {
    ended e = collect(more);
    gr_best so_far;
    gr_error error;
    assert_int_equal(e.outcome.leader, leader);
    assert_int_equal(gr_run_leader(e.run, &so_far, &error), GR_OK);
    assert_int_equal(so_far.run, leader);
    end(&e);
}

/* The best of all; among equals the first. */
static void test_leader(void **state) {
    (void)state;
    records_begin();
    for (uint32_t d = 0; d < 6; d++)
        constant(d, d == 2 || d == 4 ? 1.0f : 2.0f);
    check_leader("generations: 0\nruns: 6\n", 2);
    records_begin();
    for (uint32_t d = 0; d < 3; d++)
        constant(d, 1.0f);
    check_leader("generations: 0\nruns: 3\n", 0);
}

/* Hits are costs below 0: most of them lead. */
static void test_leader_of_a_maximised_metric(void **state) {
    (void)state;
    records_begin();
    records_constant(0, 9.0f, 0.0f);
    records_constant(1, 0.0f, -5.0f);
    records_constant(2, 0.0f, -5.0f);
    check_leader("generations: 0\nruns: 3\nmetric: hits\n", 1);
}

/* One that is valid leads those that are not, though the fitness of neither is a number. */
static void test_valid_leads(void **state) {
    (void)state;
    records_begin();
    genome(0, 2);
    genome(1, 1);
    genome(2, 1);
    check_leader(genomes(3), 1);
    records_begin();
    genome(0, 1);
    genome(1, 2);
    check_leader(genomes(2), 0);
}

/* ---- the summary ---- */

static void check_summary(const gr_spread *s, double least, double lower, double median,
                          double upper, double most, double mean) {
    assert_true(s->least == least && s->most == most && s->mean == mean);
    assert_true(s->quartile[0] == lower && s->quartile[1] == median && s->quartile[2] == upper);
}

/* Quartiles lie between neighbours in proportion, as numpy's: of 1, 4, 9, 25 at 3.25, 6.5 and 13.
 */
static void test_quartiles(void **state) {
    (void)state;
    static const float program[4] = {3, 1, 5, 2};
    records_begin();
    for (uint32_t d = 0; d < 4; d++) {
        constant(d, program[d]);
        script.deme[d].test_cost = script.deme[d].best_cost;
    }
    ended e = collect("generations: 0\nruns: 4\ntest-variables: x = grid(1, 2, 1)\n");
    check_summary(&e.outcome.train, 1, 3.25, 6.5, 13, 25, 9.75);
    check_summary(&e.outcome.test, 1, 3.25, 6.5, 13, 25, 9.75);
    check_summary(&e.outcome.nodes, 1, 1, 1, 1, 1, 1);
    assert_int_equal(e.outcome.differing, 0);
    end(&e);
    e = collect("generations: 0\nruns: 3\n"); /* 1, 9, 25: the median is one of them */
    check_summary(&e.outcome.train, 1, 5, 9, 17, 25, 35.0 / 3.0);
    assert_true(isnan(e.outcome.test.quartile[1]) && isnan(e.outcome.test.least));
    end(&e);
}

/* Quantiles beside runs without a finite fitness are those runs' or the others', never NaN: an
 * infinity has no proportions. */
static void check_infinities(uint32_t runs, uint32_t finite, int maximised) {
    char more[256];
    snprintf(more, sizeof more, "generations: 0\nruns: %u\n%s", runs,
             maximised ? "metric: r2\ntarget-expression: x\n" : "");
    records_begin();
    for (uint32_t d = 0; d < runs; d++)
        if (d >= finite)
            infinite(d);
        else
            records_constant(d, 2.0f, maximised ? -4.0f : 4.0f);
    ended e = collect(more);
    for (uint32_t q = 0; q < 3; q++) {
        double quartile = e.outcome.train.quartile[q], rank = 0.25 * (q + 1) * (runs - 1);
        uint32_t first = maximised ? runs - finite : 0, last = maximised ? runs : finite;
        if (rank >= first && rank + 1 <= last) /* both neighbours are finite */
            assert_true(quartile == 4.0);
        else if (rank + 1 <= first || rank >= last)
            assert_true(isinf(quartile) && (quartile < 0) == maximised);
        else
            assert_true(quartile == 4.0 || (isinf(quartile) && (quartile < 0) == maximised));
    }
    end(&e);
}

static void test_quartiles_beside_infinities(void **state) {
    (void)state;
    for (uint32_t runs = 8; runs <= 10; runs++)
        for (uint32_t finite = 0; finite <= runs; finite++)
            for (int maximised = 0; maximised < 2; maximised++)
                check_infinities(runs, finite, maximised);
}

/* ---- successes ---- */

/* A run has solved its problem when its program reaches the target, not when its record says so. */
static void test_successes(void **state) {
    (void)state;
    records_begin();
    constant(0, 0.5f);
    constant(1, 2.0f);
    records_constant(2, 3.0f, 0.0f); /* the program's error is 9 */
    constant(3, 1.0f);               /* on the border */
    ended e = collect("generations: 0\nruns: 4\ntarget-fitness: 1\n");
    assert_int_equal(e.outcome.solved, 2);
    assert_int_equal(e.outcome.differing, 1);
    assert_true(e.outcome.best[2].differs && !e.outcome.best[2].solved);
    assert_true(e.outcome.best[2].recomputed[0] == 9.0);
    end(&e);
}

/* ---- for readers ---- */

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

static char *text_of(const char *more, int whole) {
    char *text = NULL;
    size_t size;
    ended e = collect(more);
    FILE *out = open_memstream(&text, &size);
    gr_outcome_print(&e.settings, e.run, &e.outcome, whole, out);
    fclose(out);
    end(&e);
    return text;
}

static void assert_holds(const char *text, const char *piece) {
    if (!strstr(text, piece))
        fail_msg("no \"%s\" in\n%s", piece, text);
}

static void three_runs(void) {
    records_begin();
    constant(0, 3.0f);
    constant(1, 1.5f);
    constant(2, 2.0f);
    for (uint32_t d = 0; d < 3; d++) {
        script.deme[d].best_generation = 10 + d;
        script.deme[d].test_cost = script.deme[d].best_cost;
    }
}

static const char three[] = "generations: 0\nruns: 3\nseed: 7\ntarget-fitness: 3\n"
                            "test-variables: x = grid(1, 2, 1)\n";

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

static void test_text(void **state) {
    (void)state;
    three_runs();
    char *text = text_of(three, 1);
    assert_holds(text,
                 "best        1.5\nmse         2.25, test 2.25\nsize        1 nodes, depth 1\n"
                 "found       in generation 11 with seed 8\n");
    assert_holds(text, "\n3 runs\nsuccesses   1 of 3 (33.3 %)\nfitness     median 4, quartiles "
                       "3.125 and 6.5, mean 5.08333, from 2.25 to 9\n");
    assert_holds(text, "\nrun\tseed\tgeneration\tfitness\ttest\tsize\tdepth\tbest\n"
                       "0\t7\t10\t9\t9\t1\t1\t3\n1\t8\t11\t2.25\t2.25\t1\t1\t1.5\n"
                       "2\t9\t12\t4\t4\t1\t1\t2\n");
    free(text);
    three_runs();
    text = text_of(three, 0);
    assert_null(strstr(text, "\nrun\tseed"));
    free(text);
    records_begin();
    genome(0, 2);
    text = text_of(genomes(1), 1);
    assert_holds(text, "best        none (out_of_codons)\nmse         inf\n");
    assert_holds(text, "genome      [2]\n            1 codons, 1 used\n");
    assert_null(strstr(text, "size"));
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_leader),
        cmocka_unit_test(test_leader_of_a_maximised_metric),
        cmocka_unit_test(test_valid_leads),
        cmocka_unit_test(test_quartiles),
        cmocka_unit_test(test_quartiles_beside_infinities),
        cmocka_unit_test(test_successes),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_text),
    };
    return cmocka_run_group_tests_name("outcome", tests, write_grammar, remove_grammar);
}
