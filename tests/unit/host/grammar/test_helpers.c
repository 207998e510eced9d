/* host/grammar/helpers.c: growing arrays, texts in messages, ends of rules and productions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/grammar/internal.h"
#include "tests/bnf.h"

static void test_grown(void **state) {
    (void)state;
    uint32_t *array = NULL, capacity = 0, moved = 0;
    for (uint32_t count = 0; count < 1000; count++) {
        uint32_t before = capacity;
        array = gr_grown(array, count, &capacity, sizeof *array);
        assert_true(capacity > count && capacity <= 2 * count + 16);
        moved += capacity != before;
        array[count] = count;
    }
    for (uint32_t k = 0; k < 1000; k++)
        assert_int_equal(array[k], k);
    assert_true(moved < 10); /* it doubles */
    free(array);
    capacity = UINT32_MAX;
    assert_null(gr_grown(NULL, UINT32_MAX, &capacity, 1));
}

/* One line that can be printed, cut where it is long. */
static void test_show(void **state) {
    (void)state;
    char out[GR_SHOWN], text[200];
    assert_string_equal(gr_show(out, "a\nb\t\xc3\x7f~", 7), "a b???~");
    assert_string_equal(gr_show(out, "abc", 2), "ab");
    memset(text, 'x', sizeof text);
    gr_show(out, text, GR_SHOWN - 4);
    assert_int_equal(strlen(out), GR_SHOWN - 4);
    assert_null(strstr(out, "..."));
    gr_show(out, text, GR_SHOWN - 3);
    assert_int_equal(strlen(out), GR_SHOWN - 1);
    assert_string_equal(out + GR_SHOWN - 5, "x...");
}

static void test_messages(void **state) {
    (void)state;
    gr_grammar *grammar = parse("<a> ::= x | y");
    gr_error error;
    assert_int_equal(gr_fail_at(grammar, (gr_text_position){3, 14}, &error, "%d is odd", 3),
                     GR_BAD_INPUT);
    assert_string_equal(error.text, "g.bnf:3:14: 3 is odd");
    for (uint32_t k = 0; k < 40; k++)
        assert_int_equal(gr_warn_at(grammar, (gr_text_position){k, 2}, &error, "w%u", k), GR_OK);
    assert_int_equal(gr_grammar_warnings(grammar), 40);
    assert_string_equal(gr_grammar_warning(grammar, 39), "g.bnf:39:2: w39");
    gr_grammar_free(grammar);
}

static void test_ends(void **state) {
    (void)state;
    gr_grammar *g = parse("<a> ::= <b>x<b> | y\n<b> ::= z | ''w<b> | u");
    static const uint32_t symbols_end[] = {3, 4, 5, 7, 8}, productions_end[] = {2, 5};
    assert_int_equal(g->production_count, 5);
    for (uint32_t p = 0; p < 5; p++)
        assert_int_equal(gr_symbols_end(g, p), symbols_end[p]);
    for (uint32_t r = 0; r < 2; r++)
        assert_int_equal(gr_productions_end(g, r), productions_end[r]);
    gr_grammar_free(g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grown),
        cmocka_unit_test(test_show),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_ends),
    };
    return cmocka_run_group_tests_name("grammar helpers", tests, NULL, NULL);
}
