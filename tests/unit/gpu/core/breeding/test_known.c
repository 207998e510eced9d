/* gpu/core/breeding/known.h: no phenotype comes twice while the table remembers it, the table holds
 * what was there and is emptied before it is half full. Whole runs of it are held against a plain
 * model by tests/e2e/model.py. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/core/breeding/known.h"
#include "host/derivation/phenotype.h"
#include "host/problem/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POPULATION = 4, GENERATIONS = 600, CODONS = 60, MOST = POPULATION * (GENERATIONS + 1) };

typedef struct view {
    gr_problem problem;
    gr_engine *engine;
    const gr_record *records;
    gr_known known;
    gr_individual individuals[POPULATION];
    uint32_t genomes[POPULATION][CODONS];
    int finished;
} view;

static void view_open(view *v, const char *more) {
    gr_error error = {GR_OK, ""};
    gr_settings s;
    char text[1024];
    snprintf(text, sizeof text,
             "target-expression: x * x - x\nvariables: x = uniform(-2, 2); y = uniform(0, "
             "1)\ntrain-cases: 20\n"
             "grammar: grammars/nguyen-2.bnf\npopulation: %d\nmax-genome-length: %d\n"
             "genome-length: %d\nmetric: mse\ndevice: cpu\ngenerations: %d\nthreads: 2\n"
             "elites: 1\nmax-depth: 40\ncodon-mutation: 0.1\nmutate-duplicates: true\n"
             "crossover: none\ninitialisation: uniform\n%s",
             POPULATION, CODONS, CODONS, GENERATIONS, more);
    if (gr_settings_init(&s, &error) ||
        gr_settings_parse(&s, text, strlen(text), "run.yaml", &error) ||
        gr_settings_resolve(&s, &error) || gr_problem_make(&s, &v->problem, &error))
        fail_msg("%s", error.text);
    gr_settings_free(&s);
    v->problem.job.epoch = 1;
    if (gr_backend_cpu.open(&v->problem.job, &v->engine, &error))
        fail_msg("%s", error.text);
    v->finished = 0;
}

static void view_read(view *v, gr_section individuals, gr_section genotypes) {
    gr_error error = {GR_OK, ""};
    if (gr_backend_cpu.read(v->engine, individuals, v->individuals, sizeof v->individuals,
                            &error) ||
        gr_backend_cpu.read(v->engine, genotypes, v->genomes, sizeof v->genomes, &error))
        fail_msg("%s", error.text);
}

/* The next generation, bred. */
static void view_step(view *v) {
    gr_error error = {GR_OK, ""};
    uint32_t generations;
    if (gr_backend_cpu.advance(v->engine, NULL, NULL, &v->records, &generations, &v->finished,
                               &error) ||
        gr_backend_cpu.read(v->engine, GR_SECTION_KNOWN, &v->known, sizeof v->known, &error))
        fail_msg("%s", error.text);
    view_read(v, GR_SECTION_INDIVIDUALS, GR_SECTION_GENOTYPES);
}

static void view_close(view *v) {
    gr_backend_cpu.close(v->engine);
    gr_problem_free(&v->problem);
}

static char *phenotype_of(const view *v, uint32_t i) {
    const gr_params *p = &v->problem.job.params;
    gr_error error;
    gr_phenotype phenotype;
    if (v->individuals[i].validity != GR_VALID)
        return NULL;
    if (gr_derive_phenotype(v->problem.grammar, v->genomes[i], v->individuals[i].length,
                            p->max_wraps, p->max_depth, &phenotype, &error))
        fail_msg("%s", error.text);
    return phenotype.text;
}

static uint32_t find(char *const *texts, uint32_t count, const char *text) {
    uint32_t k = 0;
    while (k < count && strcmp(texts[k], text) != 0)
        k++;
    return k;
}

/* Adds the phenotypes of a generation; those that were there, but for the elite's, individual 0. */
static uint32_t add_phenotypes(const view *v, char **texts, uint32_t *count) {
    uint32_t twice = 0;
    for (uint32_t i = 0; i < POPULATION; i++) {
        char *text = phenotype_of(v, i);
        if (text && find(texts, *count, text) == *count)
            texts[(*count)++] = text;
        else {
            twice += text && i;
            free(text);
        }
    }
    return twice;
}

static void test_new_ones(void **state) {
    (void)state;
    static view v;
    static char *texts[MOST];
    uint32_t count = 0, forgotten = 0, twice = 0;
    view_open(&v, "tries: 200\nmutation-within-used: false\n");
    uint32_t half = gr_known_entries(&v.problem.job.params) / 2;
    assert_int_equal(half, POPULATION * 256);
    view_step(&v); /* breeds two */
    view_read(&v, GR_SECTION_SELECTED_INDIVIDUALS, GR_SECTION_SELECTED_GENOTYPES);
    add_phenotypes(&v, texts, &count);
    view_read(&v, GR_SECTION_INDIVIDUALS, GR_SECTION_GENOTYPES);
    twice += add_phenotypes(&v, texts, &count);
    assert_int_equal(v.known.entered, count);
    for (uint32_t g = 2; g < GENERATIONS; g++) {
        uint64_t before = v.known.mutated;
        view_step(&v);
        if (count + POPULATION > half) { /* what was there is forgotten */
            while (count)
                free(texts[--count]);
            forgotten++;
        }
        twice += add_phenotypes(&v, texts, &count);
        assert_int_equal(v.known.entered, count);
        assert_true(v.known.mutated >= before);
    }
    assert_true(forgotten >= 1);
    assert_int_equal(twice, 0);
    assert_true(v.known.mutated > 0);
    while (count)
        free(texts[--count]);
    view_close(&v);
}

/* Where invalid children are drawn again, none is invalid that was not when it was bred; elsewhere
 * mutated duplicates are, of this grammar. */
static void test_valid_ones(void **state) {
    (void)state;
    static view v;
    uint32_t invalid[2] = {0, 0};
    for (uint32_t redrawn = 0; redrawn < 2; redrawn++) {
        view_open(&v, redrawn ? "tries: 3\ninvalid: redrawn\n" : "tries: 3\n");
        for (uint32_t g = 0; g < 200; g++) {
            view_step(&v);
            for (uint32_t i = 0; g > 10 && i < POPULATION; i++)
                invalid[redrawn] += v.individuals[i].validity != GR_VALID;
        }
        view_close(&v);
    }
    assert_true(invalid[0] > 0);
    assert_int_equal(invalid[1], 0);
}

/* Numbers of repeated draws stay below 1024, whatever is asked for. */
static void test_rounds(void **state) {
    (void)state;
    gr_params p = {.population = 100, .tries = 1000};
    assert_int_equal(gr_known_rounds(&p), 1000);
    p.redrawn = 1;
    assert_int_equal(gr_known_first_draw(&p) + gr_known_rounds(&p), 1023);
    p.tries = 10;
    assert_int_equal(gr_known_first_draw(&p), 11);
    assert_int_equal(gr_known_rounds(&p), 10);
}

/* A power of two: 512 entries an individual where those of all demes are 2^25 at most, and four an
 * individual however many there are. */
static void test_entries(void **state) {
    (void)state;
    const struct {
        uint32_t population, runs, islands, entries;
    } rows[] = {{1, 1, 1, 512},
                {4, 1, 1, 2048},
                {1000, 4, 2, 1u << 19},
                {1000, 8, 16, 262144},
                {1000, 1024, 16, 4096},
                {1000, 1u << 20, 1, 4096},
                {1024, 1u << 20, 1, 4096},
                {1025, 1u << 20, 1, 8192},
                {100, 1u << 20, 1, 512}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        gr_params p = {.population = rows[k].population,
                       .runs = rows[k].runs,
                       .islands = rows[k].islands,
                       .mutate_duplicates = 1};
        assert_int_equal(gr_known_entries(&p), rows[k].entries);
        p.mutate_duplicates = 0;
        assert_int_equal(gr_known_entries(&p), 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_new_ones), cmocka_unit_test(test_valid_ones),
        cmocka_unit_test(test_rounds), cmocka_unit_test(test_entries)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
