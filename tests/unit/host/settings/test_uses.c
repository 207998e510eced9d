/* Settings that are named and not read: who is told of, by whom they were named, and what stays out
 * of the run file that repeats a run. That the lines of uses.def are true tests/e2e/unused.py
 * shows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/settings/table.h"
#include "host/settings/uses.h"
#include "tests/settings.h"

#include <stdlib.h>
#include <unistd.h>

/* What is said of resolved settings. */
static char *unused(const gr_settings *s) {
    char *text = NULL;
    size_t size;
    const char *what[GR_KEY_COUNT];
    FILE *out = open_memstream(&text, &size);
    gr_settings_unused(s, what);
    gr_print_unused(what, out);
    fclose(out);
    return text;
}

static void test_lines(void **state) {
    static const struct {
        const char *text, *unused;
    } rows[] = {
        {"data: a\n", ""},
        {"data: a\ngrammar: g\nfunctions: sin\nrank-pressure: 1.5\nconstant-min: -2\n",
         "functions, constant-min: for genotype tree; rank-pressure: for selection rank"},
        {"data: a\ngenotype: tree\nmax-wraps: 1\ngenome-length: 9\n",
         "max-wraps: for genotype grammar or structured; genome-length: for genotype grammar"},
        {"data: a\ngenotype: tree\nconstants: 1, 2\nconstant-probability: 0.5\nconstant-min: -2\n",
         "constant-min: for constants that are drawn from a range"},
        {"data: a\ngenotype: tree\nconstants: 1, ephemeral\nconstant-probability: 0.5\n"
         "constant-min: -2\n",
         ""},
        /* what a preset gives nobody named */
        {"data: a\npreset: regression\nconstants: 1, 2\n", ""},
        {"data: a\npreset: regression\nmetric: mae\noptimise-share: 0.5\n",
         "optimise-share: for optimise-constants share"},
        {"data: a\ngenotype: tree\nmetric: mae\nobjectives: error, hits\ntolerance: 1\n", ""},
        {"data: a\ngenotype: tree\ntest-fraction: 0.5\ndata-seed: 3\n",
         "data-seed: for cases that are drawn at random"},
        {"data: a\ngenotype: tree\ntest-fraction: 0.5\nsplit: random\ndata-seed: 3\n", ""},
        {"boolean: random-4\ngenotype: tree\ndata-seed: 3\n", ""},
        {"boolean: parity-4\ngenotype: tree\ndata-seed: 3\n",
         "data-seed: for cases that are drawn at random"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gr_settings s;
        gr_error error;
        assert_string_equal(parse(&s, rows[i].text, true, &error), "");
        char *text = unused(&s);
        assert_string_equal(text, rows[i].unused);
        free(text);
        gr_settings_free(&s);
    }
}

static void test_callers(void **state) {
    gr_settings s = fresh();
    gr_error error;
    int used;
    char *option[] = {"--max-wraps=3", NULL};
    (void)state;
    assert_int_equal(gr_settings_set(&s, "boolean", "parity-3", &error), GR_OK);
    assert_int_equal(gr_settings_set(&s, "genotype", "tree", &error), GR_OK);
    assert_int_equal(gr_settings_set(&s, "codon-size", "255", &error), GR_OK);
    assert_int_equal(gr_settings_option(&s, 1, option, &used, &error), GR_OK);
    assert_int_equal(gr_settings_resolve(&s, &error), GR_OK);
    char *text = unused(&s);
    assert_string_equal(text, "max-wraps, codon-size: for genotype grammar or structured");
    free(text);
    gr_settings_free(&s);
}

/* The file has what was named and what is read, so that reading it tells of the same. */
static void test_saved(void **state) {
    char path[] = "/tmp/grampus_uses_XXXXXX";
    gr_settings s, again = fresh();
    gr_error error;
    (void)state;
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    assert_string_equal(
        parse(&s, "boolean: parity-3\ngenotype: tree\nmax-wraps: 3\n", true, &error), "");
    assert_int_equal(gr_settings_save(&s, path, NULL, &error), GR_OK);
    assert_int_equal(gr_settings_load(&again, path, &error), GR_OK);
    assert_int_equal(again.origin[GR_KEY_max_wraps].from, GR_FROM_FILE);
    assert_int_equal(again.origin[GR_KEY_population].from, GR_FROM_FILE);
    assert_int_equal(again.origin[GR_KEY_codon_size].from, GR_FROM_DEFAULT);
    assert_int_equal(again.origin[GR_KEY_genome_length].from, GR_FROM_DEFAULT);
    assert_int_equal(gr_settings_resolve(&again, &error), GR_OK);
    for (uint32_t key = 0; key < GR_KEY_COUNT; key++) {
        char *before = gr_settings_get(&s, (gr_key)key);
        char *behind = gr_settings_get(&again, (gr_key)key);
        assert_string_equal(before, behind);
        free(before);
        free(behind);
    }
    char *text = unused(&again);
    assert_string_equal(text, "max-wraps: for genotype grammar or structured");
    free(text);
    unlink(path);
    gr_settings_free(&again);
    gr_settings_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_callers),
        cmocka_unit_test(test_saved),
    };
    return cmocka_run_group_tests_name("uses", tests, NULL, NULL);
}
