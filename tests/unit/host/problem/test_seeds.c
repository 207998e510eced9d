/* host/problem/seeds.h: given programs, as expressions, sentences and PonyGE2's individuals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/expression/reader.h"
#include "tests/problems.h"

#include <sys/stat.h>
#include <unistd.h>

static void test_seeds(void **state) {
    (void)state;
    char path[] = "/tmp/grampus-seeds-XXXXXX", more[256];
    gr_problem problem;
    FILE *file = fdopen(mkstemp(path), "w");
    assert_non_null(file);
    fputs("# the first\nx + y * 2\n\n-y  # no operation: - is a function here\nx\n", file);
    fclose(file);
    snprintf(more, sizeof more, "functions: +, *, neg\nseeds: %s\n", path);
    assert_string_equal(make(more, &problem), "");
    const gr_params *p = &problem.job.params;
    static const uint32_t first[] = {0, 5, 7, 8};
    assert_true(p->seeds == 3 && p->seed_nodes == 8);
    assert_memory_equal(problem.job.seed_first, first, sizeof first);
    assert_int_equal(GR_NODE_OP(problem.job.seeds[4]), GR_ADD);
    assert_int_equal(GR_NODE_SIZE(problem.job.seeds[4]), 5);
    gr_problem_free(&problem);
    snprintf(more, sizeof more, "functions: +, *, neg\npopulation: 2\nseeds: %s\n", path);
    assert_non_null(strstr(make(more, &problem), "3 given programs for a population of 2"));
    snprintf(more, sizeof more, "functions: +, *, neg\nmax-nodes: 4\nseeds: %s\n", path);
    assert_non_null(strstr(make(more, &problem), "5 nodes in 3 levels"));
    file = fopen(path, "w");
    fwrite("x\nx + \0 y\n", 1, 11, file); /* would be cut there */
    fclose(file);
    assert_non_null(strstr(make(more, &problem), ":2:5: a NUL character; expected text"));
    unlink(path);
    assert_non_null(strstr(make(more, &problem), "cannot open"));
}

/* Weights of inputs come back as what they were written from; other products stay. */
static void test_weights(void **state) {
    static const struct {
        const char *text;
        uint32_t nodes, height;
    } rows[] = {{"1.5 * x", 1, 1},        {"y - -2 * x", 3, 2},     {"2 * (1.5 * x)", 3, 2},
                {"x * 1.5", 3, 2},        {"1.00000012 * x", 3, 2}, /* more digits than it has */
                {"y * (3 * x) * y", 5, 3}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[] = "/tmp/grampus-seeds-XXXXXX", more[256];
        gr_problem problem;
        FILE *file = fdopen(mkstemp(path), "w");
        assert_non_null(file);
        fputs(rows[i].text, file);
        fclose(file);
        snprintf(more, sizeof more,
                 "functions: +, -, *\nseeds: %s\nweighted-inputs: true\noptimise-constants: all\n",
                 path);
        assert_string_equal(make(more, &problem), "");
        const gr_node *root = &problem.job.seeds[rows[i].nodes - 1];
        assert_int_equal(problem.job.params.seed_nodes, rows[i].nodes);
        assert_int_equal(GR_NODE_SIZE(*root), rows[i].nodes);
        assert_int_equal(GR_NODE_HEIGHT(*root), rows[i].height);
        char *text = gr_print_tree(problem.job.seeds, rows[i].nodes, problem.job.params.index_mask,
                                   &problem.vocabulary);
        if (i < 2)
            assert_string_equal(text, rows[i].text);
        free(text);
        gr_problem_free(&problem);
        unlink(path);
    }
}

/* ---- folders of individuals ---- */

static char folder[] = "/tmp/grampus-seeds-XXXXXX";

static int make_folder(void **state) {
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static void write_file(const char *name, const char *text) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static const char *genomes(const char *more, gr_problem *problem) {
    char text[1024];
    snprintf(text, sizeof text,
             "target-expression: x * y\nvariables: x, y = uniform(-1, 1)\ntrain-cases: 30\n"
             "grammar: %s/g.bnf\nmax-genome-length: 40\npopulation: 20\nseeds: %s/individuals\n%s",
             folder, folder, more);
    return make_problem(text, problem);
}

/* A genome is taken as it is, a phenotype by a genome that derives it, in the order of the names of
 * the files; other files are none. */
static void test_individuals(void **state) {
    (void)state;
    gr_problem problem;
    char path[128];
    snprintf(path, sizeof path, "%s/individuals", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    write_file("g.bnf", "<e> ::= <e>+<e> | <v>\n<v> ::= x | y\n");
    write_file("individuals/b.txt", "x+y\n");
    write_file("individuals/a.txt", "Phenotype:\ny\n\nGenotype:\n[7, 5, 99]\n");
    write_file("individuals/c.txt", "Fitness:\n3\nPhenotype:\n  y  \n");
    write_file("individuals/d.text", "nonsense\n");
    assert_string_equal(genomes("", &problem), "");
    static const uint32_t first[] = {0, 3, 8, 10}, codons[] = {7, 5, 99, 0, 1, 0, 1, 1, 1, 1};
    assert_int_equal(problem.job.params.seeds, 3);
    assert_memory_equal(problem.job.seed_first, first, sizeof first);
    for (uint32_t k = 0; k < 10; k++)
        assert_int_equal(problem.job.seeds[k].head, codons[k]);
    gr_problem_free(&problem);
    write_file("individuals/a.txt", "Genotype:\n[7, 5]\nPhenotype:\nx\n");
    assert_non_null(strstr(genomes("", &problem),
                           "the genome derives 'y'; expected the phenotype of the same file, 'x'"));
    write_file("individuals/a.txt", "Genotype:\n[0, 0]\n");
    assert_non_null(strstr(genomes("", &problem), "the genome is invalid (out_of_codons)"));
    write_file("individuals/a.txt", "Genotype:\n[0, -1]\n");
    assert_non_null(
        strstr(genomes("", &problem), "/a.txt:2:1: codon 2 is -1; expected a whole number"));
    write_file("individuals/a.txt", "Genotype:\n[0, 1] x\n");
    assert_non_null(
        strstr(genomes("", &problem), "/a.txt:2:1: no genome; expected a JSON array of codons"));
    write_file("individuals/a.txt", "Genotype:\n[]\n");
    assert_non_null(strstr(genomes("", &problem), "/a.txt:2:1: a genome without codons"));
    write_file("individuals/a.txt", "x+z\n");
    assert_non_null(strstr(genomes("", &problem), "/a.txt:1:3: not a sentence of the grammar"));
    write_file("individuals/a.txt", " \n");
    assert_non_null(strstr(genomes("", &problem), "/a.txt:1:1: empty; expected an individual"));
    char longest[256] = "Genotype:\n[1";
    for (int k = 0; k < 40; k++)
        strcat(longest, ", 1");
    write_file("individuals/a.txt", strcat(longest, "]\n"));
    assert_non_null(strstr(genomes("", &problem),
                           "/a.txt:2:1: 41 codons; expected at most max-genome-length 40"));
}

/* Sentences one a line; the deepest that there may be. */
static void test_sentences(void **state) {
    (void)state;
    gr_problem problem;
    char more[512];
    write_file("g.bnf", "<e> ::= <e>+<e> | <v>\n<v> ::= x | y\n");
    write_file("lines", "# none\ny\n\n x+x # two\n");
    snprintf(
        more, sizeof more,
        "target-expression: x * y\nvariables: x, y = uniform(-1, 1)\ntrain-cases: 30\n"
        "grammar: %s/g.bnf\nmax-genome-length: 40\npopulation: 20\nseeds: %s/lines\nmax-depth: 4\n",
        folder, folder);
    assert_string_equal(make_problem(more, &problem), "");
    assert_true(problem.job.params.seeds == 2 && problem.job.params.seed_nodes == 7);
    gr_problem_free(&problem);
    more[strlen(more) - 2] = '3';
    assert_non_null(strstr(
        make_problem(more, &problem),
        "/lines:4:1: 5 codons and a derivation of depth 4; expected at most max-genome-length 40 "
        "and max-depth 3"));
}

/* What would only be an invalid individual is refused, sentence or genome; so are no programs. */
static void test_limits(void **state) {
    (void)state;
    static const struct {
        const char *lines, *more, *error;
    } cases[] = {
        {"y\nx+x\n", "max-nodes: 3\nmax-derivation-nodes: 7\n", ""},
        {"y\nx+x\n", "max-nodes: 2\n",
         "/lines:2:1: no expression within the limits; expected one "
         "of at most max-nodes 2"},
        {"y\nx+x\n", "max-derivation-nodes: 6\n",
         "/lines:2:1: a derivation of 7 nodes; expected at most max-derivation-nodes 6"},
        {"y\nx+x\n", "max-nodes: 2\nmapping: pi\n", "/lines:2:1: no expression within"},
        {"y\nx+x\n", "max-nodes: 2\ngenotype: structured\nmax-depth: 6\n",
         "/lines:2:1: no expression within"},
        {"# none\n", "", "run.yaml:7:8: no program in "},
        {"y\n", "seed-program: x-x\n",
         "run.yaml:8:15: seed-program at character 2: not a sentence of the grammar"},
    };
    gr_problem problem;
    write_file("g.bnf", "<e> ::= <e>+<e> | <v>\n<v> ::= x | y\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "target-expression: x * y\nvariables: x, y = uniform(-1, 1)\ntrain-cases: 30\n"
                 "grammar: %s/g.bnf\nmax-genome-length: 40\npopulation: 20\nseeds: %s/lines\n%s",
                 folder, folder, cases[i].more);
        write_file("lines", cases[i].lines);
        const char *told = make_problem(text, &problem);
        if (!strstr(told, cases[i].error) || !*told != !*cases[i].error)
            fail_msg("case %zu: %s", i, told);
        if (!*told)
            gr_problem_free(&problem);
    }
    write_file("individuals/a.txt", "Genotype:\n[0, 1, 1, 1, 1]\n");
    assert_non_null(
        strstr(genomes("max-nodes: 2\n", &problem), "/a.txt:2:1: no expression within the limits"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_seeds),       cmocka_unit_test(test_weights),
        cmocka_unit_test(test_individuals), cmocka_unit_test(test_sentences),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests_name("given programs", tests, make_folder, remove_folder);
}
