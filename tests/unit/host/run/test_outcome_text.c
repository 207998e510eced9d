/* host/run/outcome_text.c: what a run came to, for readers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/outcomes.h"

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

static void test_text(void **state) {
    (void)state;
    three_runs();
    char *text = text_of(three, 1);
    assert_holds(text, "best        1.5\nmse         2.25, test 2.25\nsize        1 node, depth 1\n"
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
    assert_holds(text, "genome      [2]\n            1 codon, 1 used\n");
    assert_null(strstr(text, "size"));
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
    };
    return cmocka_run_group_tests_name("outcome_text", tests, write_grammar, remove_grammar);
}
