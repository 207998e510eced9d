/* Fitness cases in arrays, populations and fronts, seen through grampus.h alone. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/library.h"

enum { CASES = 1500, POPULATION = 60 }; /* more cases than a chunk has */

/* The CPU, or what tests/gpu/arrays.sh asks for. */
static const char *device(void) {
    const char *asked = getenv("GRAMPUS_TEST_DEVICE");
    return asked ? asked : "cpu";
}

static grampus_settings *settings_of(const char *genotype) {
    grampus_error error;
    grampus_settings *s;
    char population[16];
    snprintf(population, sizeof population, "%d", POPULATION);
    check_ok(grampus_settings_new(&s, &error), &error);
    set(s, "genotype", genotype);
    set(s, "device", device());
    set(s, "population", population);
    set(s, "generations", "6");
    set(s, "max-nodes", "60");
    set(s, "epoch", "2");
    return s;
}

/* The same cases as a matrix of doubles, row by row with the target in the middle, and as columns
 * of floats. */
static double matrix[CASES][3];
static float column[2][CASES], target[CASES], label[CASES];

static void make_cases(void) {
    for (int i = 0; i < CASES; i++) {
        column[0][i] = (float)(matrix[i][0] = (float)(i % 37) / 8.0f - 2.0f);
        column[1][i] = (float)(matrix[i][2] = (float)(i % 11) / 4.0f);
        target[i] = column[0][i] * column[1][i] + column[0][i] * column[0][i];
        matrix[i][1] = (double)target[i];
        label[i] = target[i] > 1.0f ? 2.0f : target[i] > 0.0f ? 1.0f : 0.0f;
    }
}

static const char *const names[] = {"a", "b"};
static const grampus_column floats[] = {{column[0], sizeof(float), GRAMPUS_FLOAT},
                                        {column[1], sizeof(float), GRAMPUS_FLOAT}};
static const grampus_column rows[] = {{&matrix[0][0], sizeof matrix[0], GRAMPUS_DOUBLE},
                                      {&matrix[0][2], sizeof matrix[0], GRAMPUS_DOUBLE}};

static grampus_cases float_cases(void) {
    return (grampus_cases){CASES, 2, names, floats, {target, sizeof(float), GRAMPUS_FLOAT}, NULL};
}

/* Runs to the end. */
static grampus_run *evolve(const grampus_settings *s, const grampus_cases *train,
                           const grampus_cases *test, const char *grammar) {
    grampus_error error;
    grampus_run *run;
    check_ok(grampus_run_open_on(s, train, test, grammar, &run, &error), &error);
    grampus_run_keep_history(run);
    for (int finished = 0; !finished;)
        check_ok(grampus_run_advance(run, NULL, NULL, &finished, &error), &error);
    return run;
}

static grampus_best best_of(grampus_run *run) {
    grampus_error error;
    grampus_best best;
    check_ok(grampus_run_best(run, 0, &best, &error), &error);
    return best;
}

static void same_history(const grampus_run *a, const grampus_run *b) {
    size_t n, m;
    const grampus_generation *x = grampus_run_history(a, &n), *y = grampus_run_history(b, &m);
    assert_int_equal(n, m);
    assert_true(n > 1);
    for (size_t i = 0; i < n; i++) {
        assert_true(x[i].best == y[i].best && x[i].mean == y[i].mean);
        assert_int_equal(x[i].valid, y[i].valid);
    }
}

/* ---- the cases ---- */

/* Columns of floats, rows of doubles read backwards, and a file give the same run. */
static void test_layouts(void **state) {
    grampus_error error;
    char path[] = "/tmp/grampus-arrays-XXXXXX";
    grampus_settings *s = settings_of("tree");
    grampus_cases by_column = float_cases(), by_row = by_column;
    (void)state;
    by_row.columns = rows;
    by_row.target = (grampus_column){&matrix[0][1], sizeof matrix[0], GRAMPUS_DOUBLE};
    grampus_run *a = evolve(s, &by_column, NULL, NULL), *b = evolve(s, &by_row, NULL, NULL), *c;
    int file = mkstemp(path);
    FILE *out = fdopen(file, "w");
    fprintf(out, "a,b,y\n");
    for (int i = 0; i < CASES; i++)
        fprintf(out, "%.9g,%.9g,%.9g\n", (double)column[0][i], (double)column[1][i],
                (double)target[i]);
    fclose(out);
    set(s, "data", path);
    check_ok(grampus_run_open(s, &c, &error), &error);
    grampus_run_keep_history(c);
    for (int finished = 0; !finished;)
        check_ok(grampus_run_advance(c, NULL, NULL, &finished, &error), &error);
    same_history(a, b);
    same_history(a, c);
    assert_string_equal(grampus_run_input(a, 1), "b");
    assert_null(grampus_run_input(a, 2));
    unlink(path);
    grampus_run_close(a);
    grampus_run_close(b);
    grampus_run_close(c);
    grampus_settings_free(s);
}

static void refused(const grampus_settings *s, const grampus_cases *train,
                    const grampus_cases *test, const char *says) {
    grampus_error error;
    grampus_run *run;
    assert_int_equal(grampus_run_open_on(s, train, test, NULL, &run, &error), GRAMPUS_BAD_INPUT);
    assert_null(run);
    if (!strstr(error.text, says))
        fail_msg("'%s' does not say '%s'", error.text, says);
}

static void test_refusals(void **state) {
    grampus_settings *s = settings_of("tree");
    grampus_cases cases = float_cases(), other = cases;
    static double weight[CASES];
    (void)state;
    column[1][1200] = NAN;
    refused(s, &cases, NULL, "training case 1200: b is not finite");
    refused(s, &cases, &cases, "training case");
    column[1][1200] = 0.5f;
    matrix[7][1] = 1e39; /* too large for a float */
    other.target = (grampus_column){&matrix[0][1], sizeof matrix[0], GRAMPUS_DOUBLE};
    refused(s, &cases, &other, "test case 7: the target is not finite");
    matrix[7][1] = (double)target[7];
    weight[3] = 0.5;
    other = cases;
    other.weights = weight;
    weight[5] = -1.0;
    refused(s, &other, NULL, "case 5 has the weight -1; expected 0 or more");
    weight[5] = NAN;
    refused(s, &other, NULL, "case 5 has the weight nan");
    weight[5] = 1e30; /* its part of a sum of squares of errors would be infinite */
    refused(s, &other, NULL, "the largest weight of the training cases is 1e+30; expected it from");
    weight[3] = weight[5] = 1e-40; /* and here 0 */
    refused(s, &other, NULL, "the largest weight of the training cases is 1e-40");
    weight[3] = weight[5] = 1e-46; /* 0 as a float */
    refused(s, &other, NULL, "the largest weight of the training cases is 1e-46; expected it from");
    weight[3] = weight[5] = 0.0;
    refused(s, &other, NULL, "training cases have the weight 0; expected some above it");
    other = cases;
    other.inputs = 1;
    refused(s, &cases, &other, "1 inputs of test cases; expected 2");
    other = cases;
    other.target.values = NULL;
    refused(s, &other, NULL, "training cases without a target; expected one");
    refused(s, &cases, &other, "test cases without a target; expected one");
    other.cases = 0;
    refused(s, &other, NULL, "no training cases");
    set(s, "boolean", "parity-3");
    refused(s, &cases, NULL, "beside cases in arrays");
    grampus_settings_free(s);
}

/* Names that expressions cannot have are changed. */
static void test_names(void **state) {
    const char *const odd[] = {"not", "not"};
    grampus_settings *s = settings_of("tree");
    grampus_cases cases = float_cases();
    (void)state;
    cases.names = odd;
    grampus_run *run = evolve(s, &cases, NULL, NULL);
    assert_string_equal(grampus_run_input(run, 0), "not_");
    assert_string_equal(grampus_run_input(run, 1), "not__2");
    grampus_run_close(run);
    set(s, "prepare", "differences"); /* made of the others, whose names expressions have */
    run = evolve(s, &cases, NULL, NULL);
    assert_string_equal(grampus_run_input(run, 1), "not__2");
    assert_null(grampus_run_input(run, 2));
    grampus_run_close(run);
    grampus_settings_free(s);
}

/* The smallest: one case, one input, and a name for all of it. */
static void test_one_case(void **state) {
    const double one = 3.0;
    const grampus_column x = {&one, 0, GRAMPUS_DOUBLE};
    const grampus_cases cases = {1, 1, NULL, &x, x, NULL};
    grampus_settings *s = settings_of("tree");
    (void)state;
    grampus_run *run = evolve(s, &cases, &cases, NULL);
    grampus_best best = best_of(run);
    assert_true(best.train == 0.0 && best.test == 0.0);
    assert_string_equal(grampus_run_input(run, 0), "x0");
    grampus_best_free(&best);
    grampus_run_close(run);
    grampus_settings_free(s);
}

/* ---- predictions ---- */

static double rmse(const double *output) {
    double sum = 0.0;
    for (int i = 0; i < CASES; i++)
        sum += (output[i] - (double)target[i]) * (output[i] - (double)target[i]);
    return sqrt(sum / CASES);
}

static void test_scaled(void **state) {
    grampus_error error;
    static double output[CASES], raw[CASES];
    static float single[CASES];
    grampus_settings *s = settings_of("tree");
    grampus_cases cases = float_cases();
    (void)state;
    set(s, "linear-scaling", "true");
    set(s, "generations", "0");
    set(s, "functions", "+, -"); /* no way to the target itself */
    grampus_run *run = evolve(s, &cases, NULL, NULL);
    grampus_best best = best_of(run);
    cases.columns = rows;
    check_ok(grampus_predict(&best, &cases, GRAMPUS_SCALED, GRAMPUS_DOUBLE, output, &error),
             &error);
    check_ok(grampus_predict(&best, &cases, GRAMPUS_OUTPUT, GRAMPUS_DOUBLE, raw, &error), &error);
    check_ok(grampus_predict(&best, &cases, GRAMPUS_OUTPUT, GRAMPUS_FLOAT, single, &error), &error);
    assert_true(fabs(rmse(output) - best.train) < 1e-4 * best.train);
    assert_true(rmse(raw) > 1.001 * best.train); /* it was fitted */
    for (int i = 0; i < CASES; i++) {
        assert_true(output[i] == best.intercept + best.slope * raw[i]);
        assert_true((double)single[i] == raw[i]);
    }
    assert_int_equal(grampus_predict(&best, &cases, GRAMPUS_LABEL, GRAMPUS_FLOAT, single, &error),
                     GRAMPUS_BAD_INPUT);
    matrix[1100][2] = HUGE_VAL;
    assert_int_equal(grampus_predict(&best, &cases, GRAMPUS_OUTPUT, GRAMPUS_FLOAT, single, &error),
                     GRAMPUS_BAD_INPUT);
    assert_non_null(strstr(error.text, "case 1100: b is not finite"));
    matrix[1100][2] = (double)column[1][1100];
    grampus_best_free(&best);
    grampus_run_close(run);
    grampus_settings_free(s);
}

/* Labels of the best and of others are wrong in as many cases as their fitness says. */
static void check_labels(const grampus_best *best, const grampus_cases *cases) {
    grampus_error error;
    static float output[CASES];
    double wrong = 0.0;
    check_ok(grampus_predict(best, cases, GRAMPUS_LABEL, GRAMPUS_FLOAT, output, &error), &error);
    for (int i = 0; i < CASES; i++) {
        wrong += output[i] != label[i];
        assert_false(signbit(output[i])); /* 0, not the -0 that is nearest to -0.3 */
    }
    assert_true(wrong == best->train);
}

static void test_labels(void **state) {
    static const char *const rules[] = {"nearest", "thresholds", "fitted"};
    grampus_error error;
    (void)state;
    for (int k = 0; k < 3; k++) {
        grampus_settings *s = settings_of("tree");
        grampus_cases cases = float_cases();
        grampus_best *front;
        uint32_t count;
        cases.target.values = label;
        set(s, "metric", "misclassified");
        set(s, "class-rule", rules[k]);
        if (k == 1)
            set(s, "thresholds", "0.25, 1.5");
        grampus_run *run = evolve(s, &cases, NULL, NULL);
        grampus_best best = best_of(run);
        assert_int_equal(best.rule, k ? GRAMPUS_THRESHOLDS : GRAMPUS_NEAREST);
        assert_int_equal(best.thresholds, k ? 2 : 0);
        check_labels(&best, &cases);
        check_ok(grampus_run_front(run, 0, &front, &count, &error), &error);
        assert_true(count > 0 && front[count - 1].train == best.train);
        for (uint32_t i = 0; i < count; i++)
            check_labels(&front[i], &cases);
        grampus_front_free(front, count);
        grampus_best_free(&best);
        grampus_run_close(run);
        grampus_settings_free(s);
    }
}

/* To the metrics of positives no number is not positive, but to hinge it is nothing. */
static void test_labels_without_numbers(void **state) {
    static const char *const metrics[] = {"balanced-accuracy", "f1", "hinge"};
    grampus_error error;
    (void)state;
    for (int k = 0; k < 3; k++) {
        static float output[CASES];
        grampus_settings *s = settings_of("tree");
        grampus_cases cases = float_cases();
        cases.target.values = label;
        set(s, "metric", metrics[k]);
        grampus_run *run = evolve(s, &cases, NULL, NULL);
        grampus_best best = best_of(run), none = best;
        none.infix = "sqrt(0 - 1 - a * a)";
        check_ok(grampus_predict(&none, &cases, GRAMPUS_LABEL, GRAMPUS_FLOAT, output, &error),
                 &error);
        for (int i = 0; i < CASES; i++)
            assert_true(k < 2 ? output[i] == 0.0f : isnan(output[i]));
        grampus_best_free(&best);
        grampus_run_close(run);
        grampus_settings_free(s);
    }
}

/* ---- populations ---- */

static const char grammar_text[] = "<e> ::= (<e> <o> <e>) | <v> | <v>\n<o> ::= + | - | *\n"
                                   "<v> ::= a | b | 0.5\n";

/* What is read of a population between epochs is what the next generation's statistics are of. */
static void check_population(grampus_run *run, const grampus_cases *cases, double *least) {
    grampus_error error;
    grampus_individual all[POPULATION];
    static float output[CASES];
    *least = INFINITY;
    check_ok(grampus_run_population(run, 0, all, POPULATION, &error), &error);
    for (uint32_t i = 0; i < POPULATION; i++)
        *least = all[i].train < *least ? all[i].train : *least;
    const uint32_t places[] = {POPULATION - 1, 0, 7};
    grampus_best three[3];
    check_ok(grampus_run_individuals(run, 0, places, 3, three, &error), &error);
    for (int k = 0; k < 3; k++) {
        const grampus_individual *i = &all[places[k]];
        assert_int_equal(three[k].nodes, i->nodes);
        assert_true(three[k].train == i->train);
        assert_int_equal(three[k].infix != NULL, i->valid);
        if (!i->valid) {
            grampus_best_free(&three[k]);
            continue;
        }
        double sum = 0.0;
        check_ok(grampus_predict(&three[k], cases, GRAMPUS_OUTPUT, GRAMPUS_FLOAT, output, &error),
                 &error);
        for (int c = 0; c < CASES; c++)
            sum +=
                ((double)output[c] - (double)target[c]) * ((double)output[c] - (double)target[c]);
        assert_true(fabs(sqrt(sum / CASES) - i->train) <= 1e-4 * i->train);
        grampus_best_free(&three[k]);
    }
}

static void test_population(void **state) {
    grampus_error error;
    grampus_settings *s = settings_of("grammar");
    grampus_cases cases = float_cases();
    grampus_run *run;
    double least = NAN;
    size_t rows_before = 0, count;
    (void)state;
    check_ok(grampus_run_open_on(s, &cases, &cases, grammar_text, &run, &error), &error);
    grampus_run_keep_history(run);
    grampus_individual none[POPULATION];
    assert_int_equal(grampus_run_population(run, 0, none, POPULATION, NULL), GRAMPUS_BAD_INPUT);
    for (int finished = 0; !finished;) {
        check_ok(grampus_run_advance(run, NULL, NULL, &finished, &error), &error);
        const grampus_generation *row = grampus_run_history(run, &count);
        if (rows_before)
            assert_true(row[rows_before].best == least);
        check_population(run, &cases, &least);
        rows_before = count;
        if (finished)
            assert_true(row[count - 1].best == least);
    }
    assert_int_equal(count, 7);
    assert_int_equal(grampus_run_population(run, 1, none, POPULATION, NULL), GRAMPUS_BAD_INPUT);
    assert_int_equal(grampus_run_population(run, 0, none, 1, NULL), GRAMPUS_BAD_INPUT);
    grampus_best one;
    assert_int_equal(grampus_run_individuals(run, 0, (uint32_t[]){POPULATION}, 1, &one, NULL),
                     GRAMPUS_BAD_INPUT);
    grampus_run_close(run);
    grampus_settings_free(s);
}

/* Genomes map to the phenotypes, by the grammar alone. */
static void test_genomes(void **state) {
    grampus_error error;
    grampus_settings *s = settings_of("grammar");
    grampus_cases cases = float_cases();
    grampus_run *run = evolve(s, &cases, NULL, grammar_text);
    static uint32_t genomes[POPULATION][500];
    grampus_individual all[POPULATION];
    grampus_grammar *grammar;
    uint32_t places[POPULATION], valid = 0;
    grampus_best shown[POPULATION];
    (void)state;
    for (uint32_t i = 0; i < POPULATION; i++)
        places[i] = i;
    uint32_t population, capacity;
    grampus_run_shape(run, &population, &capacity);
    assert_int_equal(population, POPULATION);
    assert_int_equal(capacity, 500);
    check_ok(grampus_grammar_parse(grammar_text, NULL, &grammar, &error), &error);
    check_ok(grampus_run_genomes(run, 0, genomes[0], 500, &error), &error);
    check_ok(grampus_run_population(run, 0, all, POPULATION, &error), &error);
    check_ok(grampus_run_individuals(run, 0, places, POPULATION, shown, &error), &error);
    for (uint32_t i = 0; i < POPULATION; i++) {
        grampus_phenotype p;
        check_ok(grampus_grammar_map(grammar, genomes[i], all[i].genome_length, &p, &error),
                 &error);
        assert_int_equal(shown[i].genome_length, all[i].genome_length);
        assert_memory_equal(shown[i].genome, genomes[i], all[i].genome_length * sizeof(uint32_t));
        valid += all[i].valid;
        if (all[i].valid) {
            assert_string_equal(p.text, shown[i].phenotype);
            assert_int_equal(p.used_codons, all[i].used_codons);
        }
        grampus_phenotype_free(&p);
        grampus_best_free(&shown[i]);
    }
    assert_true(valid > 10);
    assert_int_equal(grampus_run_genomes(run, 0, genomes[0], 499, &error), GRAMPUS_BAD_INPUT);
    assert_non_null(strstr(error.text, "expected 500"));
    grampus_grammar_free(grammar);
    grampus_run_close(run);
    grampus_settings_free(s);
}

/* No member is as good and as small as another, and nobody in the population is. */
static void test_front(void **state) {
    grampus_error error;
    grampus_settings *s = settings_of("tree");
    grampus_cases cases = float_cases();
    grampus_individual all[POPULATION];
    grampus_best *front;
    uint32_t count;
    (void)state;
    set(s, "seed", "4");
    set(s, "elites", "0"); /* the best so far need not be in the population */
    grampus_run *run = evolve(s, &cases, &cases, NULL);
    grampus_best best = best_of(run);
    check_ok(grampus_run_front(run, 0, &front, &count, &error), &error);
    check_ok(grampus_run_population(run, 0, all, POPULATION, &error), &error);
    assert_true(count > 1);
    for (uint32_t k = 1; k < count; k++)
        assert_true(front[k].nodes > front[k - 1].nodes && front[k].train < front[k - 1].train);
    assert_true(front[count - 1].train == best.train);
    for (uint32_t i = 0; i < POPULATION; i++) {
        int covered = !all[i].valid || !isfinite(all[i].train);
        for (uint32_t k = 0; k < count; k++)
            covered |= front[k].nodes <= all[i].nodes && front[k].train <= all[i].train;
        assert_true(covered);
    }
    for (uint32_t k = 0; k < count; k++)
        assert_true(front[k].test == front[k].train);
    grampus_front_free(front, count);
    grampus_best_free(&best);
    grampus_run_close(run);
    grampus_settings_free(s);
}

/* The population of a run with islands is that of all of them. */
static void test_islands(void **state) {
    grampus_error error;
    grampus_settings *s = settings_of("tree");
    grampus_cases cases = float_cases();
    grampus_run *run;
    grampus_individual all[3 * POPULATION];
    uint32_t population, capacity;
    double least = INFINITY;
    size_t count;
    (void)state;
    set(s, "islands", "3");
    set(s, "migration-every", "2");
    set(s, "epoch", "1");
    check_ok(grampus_run_open_on(s, &cases, NULL, NULL, &run, &error), &error);
    grampus_run_keep_history(run);
    grampus_run_shape(run, &population, &capacity);
    assert_int_equal(population, 3 * POPULATION);
    assert_int_equal(capacity, 0);
    for (int finished = 0; !finished;) {
        check_ok(grampus_run_advance(run, NULL, NULL, &finished, &error), &error);
        const grampus_generation *row = grampus_run_history(run, &count);
        assert_true(count == 1 || row[count - 1].best == least);
        check_ok(grampus_run_population(run, 0, all, population, &error), &error);
        least = INFINITY;
        for (uint32_t i = 0; i < population; i++)
            least = all[i].train < least ? all[i].train : least;
    }
    assert_int_equal(count, 7);
    grampus_run_close(run);
    grampus_settings_free(s);
}

/* Of a batch, a run that stopped early has no population. */
static void test_stopped_early(void **state) {
    grampus_error error;
    grampus_settings *s = settings_of("tree");
    grampus_cases cases = float_cases();
    grampus_individual all[POPULATION];
    uint32_t stopped = 0, going = 0;
    (void)state;
    set(s, "runs", "20");
    set(s, "generations", "20");
    set(s, "target-fitness", "1.5");
    grampus_run *run = evolve(s, &cases, NULL, NULL);
    for (uint32_t r = 0; r < 20; r++) {
        grampus_best best;
        check_ok(grampus_run_best(run, r, &best, &error), &error);
        grampus_status status = grampus_run_population(run, r, all, POPULATION, &error);
        stopped += status == GRAMPUS_FAILED;
        going += status == GRAMPUS_OK;
        for (uint32_t i = 0; status == GRAMPUS_OK && i < POPULATION; i++)
            assert_true(all[i].train >= best.train);
        if (status == GRAMPUS_FAILED)
            assert_true(best.solved);
        grampus_best_free(&best);
    }
    assert_true(stopped > 0 && going > 0 && stopped + going == 20);
    grampus_run_close(run);
    grampus_settings_free(s);
}

/* ---- looking on ---- */

typedef struct looking {
    uint32_t calls, epochs, last;
    double best;
    grampus_run *run;
} looking;

static void look(void *context, const grampus_progress *progress) {
    looking *l = context;
    grampus_info info;
    l->calls++;
    l->epochs += (uint32_t)(progress->epoch_finished != 0);
    assert_true(progress->generation >= l->last);
    assert_int_equal(progress->generations, 6);
    l->last = progress->generation;
    l->best = progress->best_ever;
    if (progress->epoch_finished) {
        grampus_run_info(l->run, &info);
        assert_int_equal(info.generation, progress->generation);
    }
}

static void test_progress(void **state) {
    grampus_error error;
    grampus_settings *s = settings_of("tree");
    grampus_cases cases = float_cases();
    (void)state;
    for (int often = 0; often < 2; often++) {
        looking l = {0};
        check_ok(grampus_run_open_on(s, &cases, NULL, NULL, &l.run, &error), &error);
        grampus_run_watch(l.run, look, &l, often ? 0.0 : 1000.0);
        for (int finished = 0; !finished;)
            check_ok(grampus_run_advance(l.run, NULL, NULL, &finished, &error), &error);
        grampus_best best = best_of(l.run);
        assert_int_equal(l.epochs, 4);              /* of 2, 2, 2 and 1 generations */
        if (strcmp(device(), "cpu") == 0 || !often) /* a GPU is looked at now and then */
            assert_int_equal(l.calls, often ? 11 : 4);
        assert_int_equal(l.last, 6);
        assert_true(l.best == best.train);
        grampus_best_free(&best);
        grampus_run_close(l.run);
    }
    grampus_settings_free(s);
}

static void test_postfix(void **state) {
    grampus_error error;
    char *text;
    (void)state;
    check_ok(grampus_expression_postfix("a * sin(b) - 2.5", names, 2, &text, &error), &error);
    assert_string_equal(text, "0 a\n0 b\n1 sin\n2 mul\n0 2.5\n2 sub\n");
    grampus_text_free(text);
    assert_int_equal(grampus_expression_postfix("a + c", names, 2, &text, &error),
                     GRAMPUS_BAD_INPUT);
    assert_null(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layouts),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_one_case),
        cmocka_unit_test(test_scaled),
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_labels_without_numbers),
        cmocka_unit_test(test_population),
        cmocka_unit_test(test_genomes),
        cmocka_unit_test(test_front),
        cmocka_unit_test(test_islands),
        cmocka_unit_test(test_stopped_early),
        cmocka_unit_test(test_progress),
        cmocka_unit_test(test_postfix),
    };
    make_cases();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
