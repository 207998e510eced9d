/* host/run/population.h: samples with their own positives, archives without programs that behave
 * alike, and the generation selected last where islands begin anew. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/runs.h"

#include "gpu/core/state/state.h"
#include "host/problem/shown_fitness.h"
#include "host/run/population.h"

#include <math.h>
#include <stdlib.h>

static const char common[] = "genotype: tree\ndevice: cpu\nthreads: 1\npopulation: 60\n"
                             "functions: \"+, *, -\"\n";

static void advance(gr_run *run, int *finished) {
    gr_error error = {GR_OK, ""};
    if (gr_run_advance(run, NULL, finished, &error))
        fail_msg("%s", error.text);
}

static void drop(gr_run *run, gr_settings *settings) {
    gr_run_close(run);
    gr_settings_free(settings);
}

/* ---- samples ---- */

/* x is right of every case, so that its balanced accuracy is 1 by the positives of the same sample
 * alone; those of samples differ from each other. */
static void test_positives_of_a_sample(void **state) {
    (void)state;
    gr_settings settings;
    gr_error error = {GR_OK, ""};
    gr_run *run =
        open_run_of(common,
                    "target-expression: x > 0\nvariables: x = uniform(-1, 1)\n"
                    "train-cases: 3000\nmetric: balanced-accuracy\ncase-sampling: random\n"
                    "sample-cases: 100\n",
                    &settings);
    const gr_problem *problem = gr_run_problem(run);
    uint32_t least = UINT32_MAX, most = 0;
    for (uint32_t generation = 0; generation < 8; generation++) {
        gr_drawn sample;
        float cost[2];
        assert_int_equal(gr_take_sample(problem, generation, &sample, &error), GR_OK);
        const gr_measured to = {.cost = cost, .train_only = 1, .sample = &sample};
        assert_int_equal(gr_measure_text(problem, "x", &to, &error), GR_OK);
        assert_true(gr_fitness_of(problem->job.params.metric, (double)cost[0]) == 1.0);
        least = gr_min_u32(least, sample.positives);
        most = gr_max_u32(most, sample.positives);
        free(sample.tiles);
    }
    assert_true(least < most);
    drop(run, &settings);
}

/* ---- archives ---- */

static int are_apart(const gr_applicant *a, const gr_applicant *b) {
    return a->niche != b->niche && a->key != b->key;
}

/* Of different niches that behave alike, which islands have, one is chosen: the better, of equals
 * the first. */
static void test_archive_apart(void **state) {
    (void)state;
    gr_settings settings;
    gr_error error = {GR_OK, ""};
    gr_population archive;
    enum { ALL = 4 * 64 };
    uint32_t place[ALL], found, alike = 0;
    int finished = 0;
    gr_run *run = open_run_of(common,
                              "target-expression: x * x\nvariables: x = grid(1, 20, 1)\n"
                              "islands: 4\narchive: niches\nniches: 64\ngenerations: 3\n"
                              "migration-every: 0\n",
                              &settings);
    while (!finished)
        advance(run, &finished);
    assert_int_equal(gr_archive_read(run, 0, ALL, &archive, place, &found, &error), GR_OK);
    gr_applicant *all = malloc(ALL * sizeof *all);
    assert_int_equal(archive.count, ALL);
    assert_int_equal(gr_run_read_at(run, GR_SECTION_NICHES, 0, all, ALL * sizeof *all, &error),
                     GR_OK);
    for (uint32_t k = 0; k < found; k++)
        for (uint32_t j = 0; j < k; j++)
            assert_true(are_apart(&all[place[k]], &all[place[j]]));
    for (uint32_t k = 0; k < ALL; k++) {
        uint32_t j = 0;
        while (all[k].key && j < found && are_apart(&all[k], &all[place[j]]))
            j++;
        assert_true(!all[k].key || j < found); /* who is not chosen is like somebody who is */
        if (all[k].key && all[place[j]].niche != all[k].niche)
            alike++;
    }
    assert_true(alike > 0);
    free(all);
    gr_population_free(&archive);
    drop(run, &settings);
}

/* ---- the generation selected last ---- */

/* The costs are those of the programs that are shown. */
static void check_costs(gr_run *run, const gr_population *population) {
    const gr_problem *problem = gr_run_problem(run);
    gr_error error = {GR_OK, ""};
    for (uint32_t i = 0; i < population->count; i++) {
        gr_best shown;
        float cost[2];
        assert_int_equal(gr_population_show(run, population, &i, 1, &shown, &error), GR_OK);
        const gr_measured to = {.cost = cost, .train_only = 1};
        assert_int_equal(gr_measure_text(problem, shown.infix, &to, &error), GR_OK);
        assert_true(cost[0] == population->cost[i]);
        gr_best_free(&shown);
    }
}

/* An island that begins anew is drawn in place of those selected last: after every epoch there are
 * individuals with their own costs all the same. */
static void test_selected_where_islands_begin_anew(void **state) {
    (void)state;
    for (int anew = 0; anew < 2; anew++) {
        gr_settings settings;
        gr_error error = {GR_OK, ""};
        gr_population population;
        uint32_t parents = 0, looked = 0;
        gr_run *run = open_run_of(common,
                                  anew ? "restart-after: 2\ntarget-expression: x * x * x + 1\n"
                                         "variables: x = grid(1, 20, 1)\ngenerations: 12\n"
                                         "islands: 2\nepoch: 1\n"
                                       : "target-expression: x * x * x + 1\n"
                                         "variables: x = grid(1, 20, 1)\ngenerations: 12\n"
                                         "islands: 2\nepoch: 1\n",
                                  &settings);
        for (int finished = 0; !finished; looked++) {
            advance(run, &finished);
            assert_int_equal(gr_population_read_selected(run, 0, &population, &error), GR_OK);
            parents += (uint32_t)population.parents;
            check_costs(run, &population);
            gr_population_free(&population);
        }
        assert_true(anew ? parents == 0 : parents == looked - 1);
        drop(run, &settings);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_positives_of_a_sample),
        cmocka_unit_test(test_archive_apart),
        cmocka_unit_test(test_selected_where_islands_begin_anew),
    };
    return cmocka_run_group_tests_name("population", tests, NULL, NULL);
}
