/* host/base/text.h: numbers whatever the locale, text that is clean, and near misses against the
 * distance between two words as it is defined. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/base/text.h"
#include "tests/comma.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- lists ---- */

/* What a list is cut into, and that its items printed in a row are the same list. */
static void test_items(void **state) {
    (void)state;
    static const struct {
        const char *list, *item[3];
    } cases[] = {
        {" a,b c ,3", {"a", "b c", "3"}},
        {"\"a,1\" , \" b\",c", {"a,1", " b", "c"}},
        {"\"say \"\"a, b\"\"\",\"\",\"\"\"\"", {"say \"a, b\"", "", "\""}},
        {"3\" pipe,\"a,\"b\"c", {"3\" pipe", "\"a", "\"b\"c"}}, /* quotes of no meaning */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char list[64], printed[64] = "", *rest = list, *item;
        strcpy(list, cases[i].list);
        for (int k = 0; k < 3; k++) {
            assert_non_null(item = gr_text_next_item(&rest));
            assert_string_equal(item, cases[i].item[k]);
            size_t at = strlen(printed);
            at += (size_t)snprintf(printed + at, sizeof printed - at, "%s", k ? "," : "");
            gr_text_print_item(item, printed + at, sizeof printed - at);
        }
        assert_null(gr_text_next_item(&rest));
        rest = printed;
        for (int k = 0; k < 3; k++)
            assert_string_equal(gr_text_next_item(&rest), cases[i].item[k]);
    }
    char small[6];
    gr_text_print_item("a,\"bcdef", small, sizeof small);
    assert_string_equal(small, "\"a,\"\"");
    gr_text_print_item("abcdefg", small, sizeof small);
    assert_string_equal(small, "abcde");
}

/* ---- numbers ---- */

static void check_numbers(void) {
    char *end, out[32];
    const char *text = "1.5x", *comma = "1,5";
    assert_true(gr_text_double(text, &end) == 1.5 && *end == 'x');
    assert_true(gr_text_float(text, &end) == 1.5f && *end == 'x');
    assert_true(gr_text_double(comma, &end) == 1.0 && *end == ',');
    assert_true(gr_text_double("none", &end) == 0.0 && *end == 'n');
    gr_text_print_double(1.25, out);
    assert_string_equal(out, "1.25");
}

static void test_numbers(void **state) {
    (void)state;
    check_numbers();
    if (use_comma())
        check_numbers();
    setlocale(LC_NUMERIC, "C");
}

/* Reads back as the same double, and one digit less does not. */
static void test_shortest(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *text;
    } known[] = {{0.1, "0.1"},       {1.0 / 3, "0.3333333333333333"},
                 {1e300, "1e+300"},  {-0.0, "-0"},
                 {123456, "123456"}, {9007199254740993.0, "9007199254740992"}};
    char out[32], less[400];
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        gr_text_print_double(known[i].value, out);
        assert_string_equal(out, known[i].text);
    }
    uint64_t bits = 1;
    for (int i = 0; i < 20000; i++) {
        double value;
        bits = bits * 6364136223846793005u + 1442695040888963407u;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        gr_text_print_double(value, out);
        assert_true(strtod(out, NULL) == value);
        int digits = 0;
        for (const char *c = out; *c && *c != 'e'; c++)
            digits += *c >= '0' && *c <= '9' && (digits || *c != '0');
        if (digits > 6) {
            snprintf(less, sizeof less, "%.*g", digits - 1, value);
            assert_true(strtod(less, NULL) != value);
        }
    }
}

/* ---- clean text ---- */

static void check_clean(const char *text, size_t length, int clean) {
    if (gr_text_is_clean(text, length) != clean)
        fail_msg("\"%s\" is %sclean", text, clean ? "not " : "");
}

static void test_clean(void **state) {
    (void)state;
    static const char *const clean[] = {"",
                                        "plain\ttext\r\n",
                                        "\xc3\xa9",
                                        "\xe2\x82\xac",
                                        "\xf0\x9f\x98\x80",
                                        "\xed\x9f\xbf",
                                        "\xee\x80\x80",
                                        "\xf4\x8f\xbf\xbf",
                                        "\xc2\xa0"};
    static const char *const dirty[] = {"\x01",
                                        "\x1b[0m",
                                        "\x7f",
                                        "\xc3",
                                        "\xc3(",
                                        "\x80",
                                        "\xff",
                                        "\xc0\xaf",
                                        "\xe0\x80\xaf",
                                        "\xf0\x80\x80\xaf",
                                        "\xed\xa0\x80" /* surrogate */,
                                        "\xf4\x90\x80\x80",
                                        "\xf5\x80\x80\x80",
                                        "\xe2\x82",
                                        "\xc2\x85" /* a control character */,
                                        "\xef\xbf\xbf"};
    for (size_t i = 0; i < sizeof clean / sizeof *clean; i++)
        check_clean(clean[i], strlen(clean[i]), 1);
    for (size_t i = 0; i < sizeof dirty / sizeof *dirty; i++)
        check_clean(dirty[i], strlen(dirty[i]), 0);
    check_clean("a\0b", 3, 0);
    check_clean("\xc3\xa9", 1, 0); /* cut in two */
}

static void test_room(void **state) {
    static const char text[] = "a\xc3\xbc\xe2\x82\xac\xf0\x9f\x90\xac"; /* of 1 to 4 bytes */
    static const int room[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10};
    (void)state;
    for (int most = 0; most < 12; most++)
        assert_int_equal(gr_text_room(text, most), room[most]);
}

static void test_characters(void **state) {
    static const char text[] = "a\u00e9\u20ac\U0001f600b";
    (void)state;
    assert_int_equal(gr_text_characters(text, strlen(text)), 5);
    assert_int_equal(gr_text_characters(text, 3), 2);
    assert_int_equal(gr_text_characters(text, 0), 0);
}

static void test_stem(void **state) {
    static const char *const stems[][2] = {
        {"results/x/shuttle.yaml", "shuttle"},
        {"rates.0.5.yaml", "rates.0.5"},
        {"shuttle.trn.gz", "shuttle"},
        {"a.b/c", "c"},
        {"gr\u00f6\u00dfe v1.2.csv", "gr\u00f6\u00dfe v1.2"},
        {".yaml", ""},
        {"..", ""},
        {".gz", ""},
        {"", ""},
        {"a/", ""},
        {"gr\xf6\xdf.yaml", ""},
        {" two\n\tlines .csv", "two  lines"},
        {"\n.csv", ""},
        {"1234567890123456789.yaml", "1234567890123456789"},
        {"a234567890123456789\u00f6.yaml", "a234567890123456789"},
        {"1234567890123456789012345.yaml", "12345678901234567890"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof stems / sizeof *stems; k++) {
        char stem[21];
        gr_text_stem(stems[k][0], stem, sizeof stem);
        assert_string_equal(stem, stems[k][1]);
    }
}

/* Names are letters of every script, and digits behind one; no signs, no blanks, no broken text. */
static void test_names(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t length;
    } cases[] = {
        {"a_1 + b", 3},
        {"1a", 0},
        {"größe + 1", 7},
        {"Δt₀", 6},
        {"µ", 2},
        {"長さ(", 6},
        {"e\xcc\x81t", 4}, /* a mark above the e */
        {"a·b", 1},
        {"°C", 0},
        {"x²", 1},
        {"a−b", 1},
        {"a\xc2\xa0z", 1}, /* a blank that breaks no line */
        {"a\xe3\x80\x80z", 1},
        {"b\xef\xbb\xbf", 1},
        {"c\xf6", 1},
        {"d\xc3", 1},
        {"f😀", 1},
        {"", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(gr_text_name(cases[i].text, strlen(cases[i].text)), cases[i].length);
    assert_int_equal(gr_text_name("größe", 3), 2); /* a character that is cut off */
    assert_int_equal(gr_text_name_character("7", 1, true), 0);
    assert_int_equal(gr_text_name_character("7", 1, false), 1);
    assert_int_equal(gr_text_name_character("ö", 2, true), 2);
}

static void test_trim(void **state) {
    (void)state;
    char text[] = " \t a\tb\n c \r\n", blank[] = " \t\n", none[] = "";
    assert_string_equal(gr_text_trim(text), "a b  c");
    assert_string_equal(gr_text_trim(blank), "");
    assert_string_equal(gr_text_trim(none), "");
}

/* ---- near misses ---- */

static const char *nearest(const char *word, const char *const *candidates) {
    gr_nearest n = {0};
    for (; *candidates; candidates++)
        gr_nearest_try(&n, word, *candidates);
    return n.best ? n.best : "";
}

static void test_nearest(void **state) {
    (void)state;
    static const char *const even[] = {"abcd", "abce", NULL};
    assert_string_equal(nearest("abcx", even), "abcd"); /* the first of two as near */
    static const char *const keys[] = {"population",     "generations", "max-depth", "max-nodes",
                                       "init-max-depth", "seed",        "seeds",     NULL};
    assert_string_equal(nearest("populaton", keys), "population");
    assert_string_equal(nearest("POPULATION", keys), "population");
    assert_string_equal(nearest("max_depth", keys), "max-depth");
    assert_string_equal(nearest("max-dpeth", keys), "max-depth");
    assert_string_equal(nearest("gen", keys), "generations"); /* cut short */
    assert_string_equal(nearest("ge", keys), "");             /* of too little */
    assert_string_equal(nearest("seed", keys), "seed");       /* itself, not a longer one */
    assert_string_equal(nearest("sead", keys), "seed");
    assert_string_equal(nearest("horse", keys), "");
    assert_string_equal(nearest("", keys), "");
    assert_string_equal(
        nearest("max-dpethmax-dpethmax-dpethmax-dpethmax-dpethmax-dpethmax-dpeth", keys), "");
}

/* The distance by its recursive definition. */
static size_t distance(const char *a, const char *b) {
    if (!*a || !*b)
        return strlen(a) + strlen(b);
    size_t replaced = distance(a + 1, b + 1) + (*a != *b), removed = distance(a + 1, b) + 1,
           added = distance(a, b + 1) + 1;
    size_t least = removed < added ? removed : added;
    return replaced < least ? replaced : least;
}

static void test_distance(void **state) {
    (void)state;
    uint32_t random = 7;
    int near = 0;
    for (int i = 0; i < 3000; i++) {
        char a[8], b[8];
        for (int k = 0; k < 2; k++) {
            char *word = k ? b : a;
            random = random * 1664525u + 1013904223u;
            uint32_t n = 3 + (random >> 16) % 4;
            for (uint32_t c = 0; c < n; c++) {
                random = random * 1664525u + 1013904223u;
                word[c] = (char)('a' + (random >> 16) % 3);
            }
            word[n] = '\0';
        }
        gr_nearest n = {0};
        gr_nearest_try(&n, a, b);
        size_t wanted = distance(a, b);
        wanted = wanted > 1 && strncmp(a, b, strlen(a)) == 0 ? 1 : wanted;
        assert_int_equal(n.best != NULL, wanted <= (strlen(a) + 1) / 3);
        if (n.best)
            assert_int_equal(n.distance, wanted);
        near += n.best != NULL;
    }
    assert_in_range(near, 100, 2900);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),    cmocka_unit_test(test_shortest),
        cmocka_unit_test(test_clean),      cmocka_unit_test(test_room),
        cmocka_unit_test(test_characters), cmocka_unit_test(test_stem),
        cmocka_unit_test(test_trim),       cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_items),      cmocka_unit_test(test_distance),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
