/* Populations and fronts of runs on arrays, and looking on, seen through grampus.h alone. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/arrays.h"

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

/* Phenotypes in any order are those of the individuals, and none where there is nobody. */
static void test_phenotypes(void **state) {
    static const char *const genotype[] = {"grammar", "tree"};
    grampus_error error;
    grampus_cases cases = float_cases();
    (void)state;
    for (int k = 0; k < 2; k++) {
        grampus_settings *s = settings_of(genotype[k]);
        grampus_run *run = evolve(s, &cases, &cases, k ? NULL : grammar_text);
        uint32_t places[POPULATION], valid = 0;
        grampus_best shown[POPULATION];
        char *lines, *line;
        for (uint32_t i = 0; i < POPULATION; i++)
            places[i] = POPULATION - 1 - i;
        check_ok(grampus_run_individuals(run, 0, places, POPULATION, shown, &error), &error);
        check_ok(grampus_run_phenotypes(run, 0, places, POPULATION, &lines, &error), &error);
        line = lines;
        for (uint32_t i = 0; i < POPULATION; i++) {
            char *end = strchr(line, '\n');
            assert_non_null(end);
            *end = '\0';
            assert_string_equal(line, shown[i].infix ? shown[i].phenotype : "");
            valid += *line != '\0';
            line = end + 1;
            grampus_best_free(&shown[i]);
        }
        assert_true(!*line && valid > 10 && (k || valid < POPULATION));
        grampus_text_free(lines);
        check_ok(grampus_run_phenotypes(run, 0, places, 0, &lines, &error), &error);
        assert_string_equal(lines, "");
        grampus_text_free(lines);
        places[0] = POPULATION;
        assert_int_equal(grampus_run_phenotypes(run, 0, places, 1, &lines, &error),
                         GRAMPUS_BAD_INPUT);
        assert_null(lines);
        grampus_run_close(run);
        grampus_settings_free(s);
    }
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_population), cmocka_unit_test(test_genomes),
        cmocka_unit_test(test_phenotypes), cmocka_unit_test(test_front),
        cmocka_unit_test(test_islands),    cmocka_unit_test(test_stopped_early),
        cmocka_unit_test(test_progress),
    };
    make_cases();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
