/* host/derivation/conventions.h: options of verbs that are no run, read as a run would, and
 * grammars made ready. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu/core/mapping/wrapping.h"
#include "host/derivation/conventions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void test_options(void **state) {
    (void)state;
    gr_convention_options none = {0}, some = {.consumption = "lazy",
                                              .wrap_rule = "geva",
                                              .mapping = "pi",
                                              .max_genome_length = "70",
                                              .max_wraps = "3",
                                              .max_depth = "12"};
    gr_reading r;
    gr_error error;
    assert_int_equal(gr_take_conventions(&none, &r, &error), GR_OK);
    assert_true(r.convention == 0 && r.max_wraps == 0 && r.max_depth == 90 &&
                r.max_genome_length == 500);
    assert_int_equal(gr_take_conventions(&some, &r, &error), GR_OK);
    assert_int_equal(r.convention, GR_LAZY | GR_WRAP_GEVA | GR_POSITION_INDEPENDENT);
    assert_true(r.max_wraps == 3 && r.max_depth == 12 && r.max_genome_length == 70);
    some = (gr_convention_options){.genotype = "structured"};
    assert_int_equal(gr_take_conventions(&some, &r, &error), GR_OK);
    assert_int_equal(r.convention, GR_LISTS);
}

static void check_refused(gr_convention_options options, const char *expected) {
    gr_reading r;
    gr_error error;
    assert_int_equal(gr_take_conventions(&options, &r, &error), GR_BAD_INPUT);
    assert_string_equal(error.text, expected);
}

static void test_refused(void **state) {
    (void)state;
    check_refused((gr_convention_options){.genotype = "tree"},
                  "genotype tree has no genomes; expected grammar or structured");
    check_refused((gr_convention_options){.consumption = "greedy"},
                  "--codon-consumption is 'greedy'; expected one of eager|lazy");
    check_refused((gr_convention_options){.max_depth = "0"},
                  "--max-depth is '0'; expected a whole number from 1 to 65535 or auto");
    check_refused((gr_convention_options){.mapping = "pi", .wrap_rule = "ponyge-linear"},
                  "--wrap-rule ponyge-linear reads symbols from left to right, mapping "
                  "pi does not; "
                  "expected codons, libge or geva");
    check_refused((gr_convention_options){.genotype = "structured", .consumption = "lazy"},
                  "--codon-consumption: it works on codons in a row; expected genotype grammar");
}

/* Lists of genes are planned where the reading asks for them, within its limits. */
static void test_load(void **state) {
    (void)state;
    static const char text[] = "<e> ::= <e>+<e> | <v>\n<v> ::= x | y\n";
    char path[] = "/tmp/grampus-conventions-XXXXXX";
    int file = mkstemp(path);
    const gr_grammar_context context = {0};
    gr_reading r = {.max_depth = 5, .max_genome_length = 100};
    gr_grammar *grammar;
    gr_error error;
    assert_true(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
    assert_int_equal(gr_load_for(&r, path, &context, &grammar, &error), GR_OK);
    assert_int_equal(gr_grammar_genes(grammar), 0);
    gr_grammar_free(grammar);
    r.convention = GR_LISTS;
    assert_int_equal(gr_load_for(&r, path, &context, &grammar, &error), GR_OK);
    assert_int_equal(gr_grammar_genes(grammar),
                     11); /* seven of <e> and four of <v> in five levels */
    gr_grammar_free(grammar);
    r.max_genome_length = 1;
    assert_int_equal(gr_load_for(&r, path, &context, &grammar, &error), GR_BAD_INPUT);
    assert_null(grammar);
    unlink(path);
    assert_int_equal(gr_load_for(&r, path, &context, &grammar, &error), GR_BAD_INPUT);
    assert_null(grammar);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_load),
    };
    return cmocka_run_group_tests_name("conventions", tests, NULL, NULL);
}
