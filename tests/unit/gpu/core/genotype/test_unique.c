/* gpu/core/genotype/unique.h on genomes: first generations of different expressions, of valid
 * individuals, and of given sentences. Trees: test_growth.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/core/genotype/unique.h"
#include "host/cpu/stages.h"
#include "host/derivation/phenotype.h"
#include "host/grammar/grammar.h"
#include "host/problem/job.h"
#include "tests/core.h"

enum { POPULATION = 250, CAPACITY = 120, NODES = 128, TEXT = 1024 };

static const char ARITHMETIC[] = "<e> ::= (<e><o><e>) | <f>(<e>) | <v> | <v>\n<o> ::= + | -\n"
                                 "<f> ::= sin | exp\n<v> ::= x | y\n";

static gr_grammar *grammar;

static core open_state(gr_params *p) {
    const gr_grammar_context context = {.n_vars = 2};
    const char *names[] = {"x", "y"};
    gr_vocabulary vocabulary = {names, 2, 0, 0, 0, 0};
    gr_error error;
    uint32_t words;
    p->runs = 2;
    p->population = POPULATION;
    p->individuals = 2 * POPULATION;
    p->genome_capacity = CAPACITY;
    p->init_length = 30;
    p->max_nodes = NODES;
    p->inputs = 2;
    if (!grammar &&
        (gr_grammar_parse(ARITHMETIC, sizeof ARITHMETIC - 1, "test", &context, &grammar, &error) ||
         gr_grammar_tokenise(grammar, &vocabulary, &error)))
        fail_msg("%s", error.text);
    const uint32_t *tables = gr_grammar_tables(grammar, &words);
    core c = core_open(p, tables, words);
    c.s.p.individuals = p->individuals;
    if (c.s.attempts)
        gr_cpu_unique(&c.s, NULL);
    for (uint32_t i = 0; i < p->individuals; i++)
        gr_breed_child(&c.s, 0, i, core_scratch(&c), NULL, core_group);
    return c;
}

/* The sentence of a genome of generation 0, by its terminals; out: TEXT bytes. */
static char *sentence_of(const core *c, const gr_grammar *of, uint32_t i, char *out) {
    gr_derivation d;
    gr_derive_start(&d, c->s.grammar, gr_genome(&c->s, 0, i), c->s.individuals[0][i].length, 0,
                    c->s.p.max_depth, core_scratch(c).path);
    *out = '\0';
    for (uint32_t t; (t = gr_derive_next(&d)) != GR_DERIVED;) {
        size_t length, at = strlen(out);
        const char *word = gr_grammar_terminal(of, t, &length);
        assert_true(at + length < TEXT);
        memcpy(out + at, word, length);
        out[at + length] = '\0';
    }
    return out;
}

/* Pairs of a run with the same sentence. */
static uint32_t count_twins(const core *c, uint32_t run) {
    static char text[POPULATION][TEXT];
    uint32_t twins = 0;
    for (uint32_t i = 0; i < POPULATION; i++) {
        uint32_t all = run * POPULATION + i;
        sentence_of(c, grammar, all, text[i]);
        for (uint32_t j = 0; j < i; j++)
            twins += c->s.individuals[0][all].validity == GR_VALID && !strcmp(text[i], text[j]);
    }
    return twins;
}

static uint32_t count_invalids(const core *c) {
    uint32_t invalids = 0;
    for (uint32_t i = 0; i < c->s.p.individuals; i++)
        invalids += c->s.individuals[0][i].validity != GR_VALID;
    return invalids;
}

static void test_all_differ(void **state) {
    (void)state;
    static const uint32_t kinds[] = {GR_INIT_UNIFORM, GR_INIT_RAMPED, GR_INIT_PI_GROW};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        gr_params p = core_params(GR_GRAMMATICAL);
        p.initialisation = kinds[k];
        p.init_min_depth = k == 2 ? 5 : 6; /* enough sentences for everybody */
        p.init_max_depth = k == 2 ? 6 : 9;
        p.tries = 200;
        core plain = open_state(&p);
        uint32_t twins = count_twins(&plain, 0), changed = 0, retries = 0;
        assert_true(twins > 10);
        assert_true(k > 0 || count_invalids(&plain) > 20);
        p.unique = 1;
        core c = open_state(&p);
        assert_int_equal(count_twins(&c, 0) + count_twins(&c, 1), 0);
        assert_int_equal(count_invalids(&c), 0);
        for (uint32_t i = 0; i < p.individuals; i++) {
            uint32_t length = plain.s.individuals[0][i].length;
            int same = c.s.individuals[0][i].length == length &&
                       memcmp(gr_genome(&c.s, 0, i), gr_genome(&plain.s, 0, i),
                              length * sizeof(uint32_t)) == 0;
            assert_int_equal(GR_RETRIES_DRAWS(c.s.individuals[0][i].retries), c.s.attempts[i]);
            assert_true(same == (c.s.attempts[i] == 0)); /* the others are as they were */
            changed += !same;
            retries += c.s.attempts[i];
        }
        assert_true(changed > 10 && retries >= changed);
        core_close(&plain);
        core_close(&c);
    }
}

/* Redrawn: until valid, the same twice as it comes. */
static void test_all_valid(void **state) {
    (void)state;
    gr_params p = core_params(GR_GRAMMATICAL);
    p.initialisation = GR_INIT_UNIFORM;
    p.invalid = GR_INVALID_REDRAWN;
    p.tries = 40;
    core c = open_state(&p);
    assert_int_equal(count_invalids(&c), 0);
    assert_true(count_twins(&c, 0) > 100);
    core_close(&c);
    p.tries = 1; /* as many draws as tries: the second may be invalid again */
    c = open_state(&p);
    uint32_t invalids = count_invalids(&c), drawn = 0;
    for (uint32_t i = 0; i < p.individuals; i++)
        drawn += c.s.attempts[i];
    assert_true(invalids > 0 && invalids < drawn);
    core_close(&c);
}

/* Sentences of a file become the first individuals of every run. */
static void test_sentences(void **state) {
    (void)state;
    static const char text[] =
        "target-expression: x*y\nvariables: x, y = uniform(-1, 1)\ntrain-cases: 40\nruns: 2\n"
        "grammar: grammars/nguyen-2.bnf\npopulation: 20\nseeds: sentences.txt\n";
    static const char *const given[] = {"(x0 * x1)", "sin((x0 - 1.0))", "x1"};
    gr_error error = {GR_OK, ""};
    gr_settings s;
    gr_problem problem;
    char path[] = "/tmp/sentencesXXXXXX";
    int descriptor = mkstemp(path);
    FILE *file = fdopen(descriptor, "w");
    fprintf(file, "# three\n%s  \n\n  %s\n%s\n", given[0], given[1], given[2]);
    fclose(file);
    if (gr_settings_init(&s, &error) ||
        gr_settings_parse(&s, text, sizeof text - 1, "run.yaml", &error) ||
        gr_settings_set(&s, "seeds", path, &error) || gr_settings_resolve(&s, &error) ||
        gr_problem_make(&s, &problem, &error))
        fail_msg("%s", error.text);
    gr_params *p = &problem.job.params;
    assert_int_equal(p->seeds, 3);
    core c = core_open(p, problem.job.grammar, problem.job.grammar_words);
    memcpy((void *)(uintptr_t)c.s.seeds, problem.seeds, p->seed_nodes * sizeof(gr_node));
    memcpy((void *)(uintptr_t)c.s.seed_first, problem.seed_first, 4 * sizeof(uint32_t));
    for (uint32_t i = 0; i < 40; i++) {
        uint32_t index = i % 20;
        char sentence[TEXT];
        gr_breed_child(&c.s, 0, i, core_scratch(&c), NULL, core_group);
        gr_individual individual = c.s.individuals[0][i];
        if (index < 3) {
            assert_string_equal(sentence_of(&c, problem.grammar, i, sentence), given[index]);
            assert_int_equal(individual.validity, GR_VALID);
            assert_int_equal(individual.length, individual.used); /* as PonyGE2: no tail */
        }
    }
    core_close(&c);
    gr_problem_free(&problem);
    file = fopen(path, "w");
    fputs("x0\n(x0 * x7)\n", file);
    fclose(file);
    assert_int_equal(gr_problem_make(&s, &problem, &error), GR_BAD_INPUT);
    assert_non_null(strstr(error.text, ":2:7: not a sentence of the grammar; expected one"));
    gr_settings_free(&s);
    remove(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_differ),
        cmocka_unit_test(test_all_valid),
        cmocka_unit_test(test_sentences),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    gr_grammar_free(grammar);
    return failed;
}
