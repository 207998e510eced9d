/* host/table/column_words.h: the most frequent word is 0, equally frequent ones follow their
 * alphabet, whatever the order they come in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "host/table/column_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add(gr_column_words *words, const char *word) {
    assert_true(gr_column_words_add(words, word, word + strlen(word), false));
}

static int64_t find(const gr_column_words *words, const char *word) {
    return gr_column_words_find(words, word, word + strlen(word), false);
}

static void test_numbers(void **state) {
    (void)state;
    gr_column_words words = {0};
    static const char *const texts[] = {"pear", "fig", "apple", "fig",     "quince",
                                        "pear", "fig", "ap",    "\xc3\xa9"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        add(&words, texts[i]);
    assert_true(gr_column_words_number(&words));
    assert_int_equal(words.count, 6);
    assert_int_equal(find(&words, "fig"), 0);  /* three times */
    assert_int_equal(find(&words, "pear"), 1); /* twice */
    assert_int_equal(find(&words, "ap"), 2);   /* a part comes before the whole */
    assert_int_equal(find(&words, "apple"), 3);
    assert_int_equal(find(&words, "quince"), 4);
    assert_int_equal(find(&words, "\xc3\xa9"), 5);
    assert_int_equal(find(&words, "appl"), -1);
    assert_int_equal(find(&words, "apples"), -1);
    assert_int_equal(find(&words, ""), -1);
    gr_column_words_free(&words);
    assert_true(!words.entry && !words.count);
    assert_int_equal(find(&words, "fig"), -1);
}

/* A word is a part of a text, not NUL-terminated; the empty one is one too. */
static void test_parts(void **state) {
    (void)state;
    gr_column_words words = {0};
    const char *text = "tcp,udp";
    assert_true(gr_column_words_add(&words, text, text + 3, false));
    assert_true(gr_column_words_add(&words, text + 4, text + 7, false));
    assert_true(gr_column_words_add(&words, text, text, false));
    assert_true(gr_column_words_number(&words));
    assert_int_equal(words.count, 3);
    assert_int_equal(gr_column_words_find(&words, text + 3, text + 3, false), 0);
    assert_int_equal(find(&words, "tcp"), 1);
    assert_int_equal(find(&words, "udp"), 2);
    gr_column_words_free(&words);
}

/* Two quotes are one in a field that stood in quotes, and two elsewhere: one word, however it is
 * written. */
static void test_doubled(void **state) {
    (void)state;
    gr_column_words words = {0};
    const char *size = "3\"\" pipe", *two = "\"\"";
    assert_true(gr_column_words_add(&words, size, size + 8, true));
    add(&words, "3\" pipe");
    add(&words, "3\"");
    add(&words, size);
    assert_true(gr_column_words_add(&words, two, two + 2, true));
    assert_true(gr_column_words_number(&words));
    assert_int_equal(words.count, 4);
    assert_string_equal(words.entry[0]->text, "3\" pipe");
    assert_int_equal(words.entry[0]->times, 2);
    assert_int_equal(find(&words, "\""), 1);
    assert_int_equal(find(&words, "3\""), 2);
    assert_int_equal(gr_column_words_find(&words, size, size + 3, true), 2);
    assert_int_equal(gr_column_words_find(&words, size, size + 8, true), 0);
    assert_int_equal(find(&words, size), 3);
    assert_int_equal(find(&words, two), -1);
    gr_column_words_free(&words);
}

/* Against plain counting. */
static void test_random(void **state) {
    (void)state;
    enum { WORDS = 60 };
    uint32_t random = 5, times[WORDS] = {0};
    gr_column_words words = {0};
    char word[8];
    for (int i = 0; i < 400; i++) {
        random = random * 1664525u + 1013904223u;
        uint32_t k = (random >> 16) % WORDS;
        snprintf(word, sizeof word, "w%02u", k);
        add(&words, word);
        times[k]++;
    }
    assert_true(gr_column_words_number(&words));
    for (uint32_t k = 0; k < WORDS; k++) {
        uint32_t before = 0;
        for (uint32_t j = 0; j < WORDS; j++)
            before += times[j] > times[k] || (times[j] == times[k] && j < k);
        snprintf(word, sizeof word, "w%02u", k);
        assert_int_equal(find(&words, word), times[k] ? (int64_t)before : -1);
    }
    gr_column_words_free(&words);
}

/* One more different word than there may be; known ones are still counted. */
static void test_most(void **state) {
    (void)state;
    gr_column_words words = {0};
    char word[16];
    for (uint32_t k = 0; k < GR_MOST_WORDS; k++) {
        snprintf(word, sizeof word, "%05u", k);
        add(&words, word);
    }
    assert_false(gr_column_words_add(&words, word, word + 3, false)); /* "655" */
    add(&words, "00007");
    assert_int_equal(words.count, GR_MOST_WORDS);
    assert_int_equal(words.entry[7]->times, 2);
    gr_column_words_free(&words);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers), cmocka_unit_test(test_parts),
        cmocka_unit_test(test_doubled), cmocka_unit_test(test_random),
        cmocka_unit_test(test_most),
    };
    return cmocka_run_group_tests_name("column words", tests, NULL, NULL);
}
