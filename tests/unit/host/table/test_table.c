/* host/table/table.h: delimiters, headers, quotes and numbers of text tables, and the position of
 * every error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/settings/settings.h"
#include "host/table/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { COLUMNS = 8, ROWS = 20000 };

static float value[COLUMNS][ROWS];

/* All numbers of a table in memory, column by column into `value`; the error's text, "" when there
 * is none. The table is to be freed in that case. */
static const char *read_table(const char *text, uint32_t delimiter, uint32_t header,
                              gr_table *table) {
    static gr_error error;
    uint32_t column[COLUMNS] = {0};
    float *to[COLUMNS];
    error.text[0] = '\0';
    gr_status status =
        gr_table_parse(text, strlen(text), "train.csv", delimiter, header, table, &error);
    for (uint32_t c = 0; c < COLUMNS; c++) {
        column[c] = c;
        to[c] = value[c];
    }
    if (!status) {
        assert_true(table->columns <= COLUMNS && table->rows <= ROWS);
        status = gr_table_numbers(table, column, table->columns, 0, table->rows, to, &error);
        if (status)
            gr_table_free(table);
    }
    assert_int_equal(status, error.text[0] ? GR_BAD_INPUT : GR_OK);
    return error.text;
}

static void test_spellings(void **state) {
    (void)state;
    static const char *const texts[] = {
        "a,b,y\n1,2,3\n4,5,6\n",
        "a\tb\ty\n1\t2\t3\n4\t5\t6",
        "a;b;y\r\n1;2;3\r\n4;5;6\r\n",
        "a:b:y\n1:2:3\n\n4:5:6\n\n",
        "  a  b \t y \n 1   2 3  \n4 5 6\n",
        "# made by hand\n# twice\na , b , y\n1 , 2 , 3\n# inside\n4,5,6\n",
        "# a b y\n1 2 3\n4 5 6\n",
        "#a,b,y\n1,2,3\n4,5,6\n",
        "\xef\xbb\xbf\"a\",\"b\",\"y\"\n\"1\",2,\"3\" \n4,5,6\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        gr_table t;
        static const char *const names[3] = {"a", "b", "y"};
        static const float expected[3][2] = {{1, 4}, {2, 5}, {3, 6}};
        assert_string_equal(read_table(texts[i], GR_AUTO, GR_AUTO, &t), "");
        assert_int_equal(t.columns, 3);
        assert_int_equal(t.rows, 2);
        for (uint32_t c = 0; c < 3; c++) {
            assert_string_equal(t.names[c], names[c]);
            assert_memory_equal(value[c], expected[c], sizeof expected[c]);
        }
        gr_table_free(&t);
        assert_null(t.text);
    }
}

/* What is said of delimiter and header counts, whatever the text looks like. */
static void test_said(void **state) {
    (void)state;
    gr_table t;
    assert_string_equal(read_table("1,2\n3,4\n", GR_AUTO, GR_HEADER_YES, &t), "");
    assert_true(t.rows == 1 && t.columns == 2 && value[0][0] == 3.0f);
    assert_string_equal(t.names[0], "1");
    assert_int_equal(t.header_line, 1);
    gr_table_free(&t);
    assert_int_equal(gr_table_parse("1,2\n3,4\n", 8, "t", GR_DELIMITER_SPACE, GR_AUTO, &t, NULL),
                     GR_OK);
    assert_int_equal(t.columns, 1);
    assert_string_equal(t.names[0], "1,2"); /* no number, so a name */
    gr_table_free(&t);
    assert_string_equal(read_table("a,b;y\n1,1;2\n", GR_DELIMITER_COMMA, GR_AUTO, &t),
                        "train.csv:2:3: text '1;2' in column 'b;y'; expected a number");
    assert_string_equal(read_table("a,y\n1,2\n", GR_AUTO, GR_HEADER_NO, &t),
                        "train.csv:1:1: text 'a' in column 1; expected a number");
}

/* Of several signs the delimiter is one that stands in the first two lines, outside quotes. */
static void test_delimiters(void **state) {
    (void)state;
    static const struct {
        const char *text;
        char delimiter;
        uint32_t columns;
    } cases[] = {
        {"a;b\n1,5;2\n", ';', 2},         {"a,b;c\n1;2\n", ';', 2},
        {"\"a,b\";c\n1;2\n", ';', 2},     {"a\tb c\n1\t2\n", '\t', 2},
        {"a, b\n1, 2\n", ',', 2},         {"7:30 4\n8 5\n", ' ', 2},
        {"a,b\n3\" pipe,1\n", ',', 2},    {"a;b\n\"3\"\";4\";1,5\n", ';', 2},
        {"a b\n\"1;2\" \",\"\n", ' ', 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gr_table t;
        gr_error error;
        if (gr_table_parse(cases[i].text, strlen(cases[i].text), "t", GR_AUTO, GR_AUTO, &t, &error))
            fail_msg("%s", error.text);
        assert_int_equal(t.delimiter, cases[i].delimiter);
        assert_int_equal(t.columns, cases[i].columns);
        gr_table_free(&t);
    }
}

static void test_quotes(void **state) {
    (void)state;
    gr_table t;
    assert_string_equal(
        read_table("\"a \"\"b\"\"\",\"c,d\",e\n\"1\" , 2,\"3\"\n", GR_AUTO, GR_AUTO, &t), "");
    assert_string_equal(t.names[0], "a \"b\"");
    assert_string_equal(t.names[1], "c,d");
    assert_true(value[0][0] == 1.0f && value[1][0] == 2.0f && value[2][0] == 3.0f);
    gr_table_free(&t);
    assert_string_equal(read_table("a\"\"b,\"\"\"\",e\n1,2,3\n", GR_AUTO, GR_AUTO, &t), "");
    assert_string_equal(t.names[0], "a\"\"b"); /* not in quotes */
    assert_string_equal(t.names[1], "\"");
    gr_table_free(&t);
}

static void test_columns(void **state) {
    (void)state;
    gr_table t;
    assert_string_equal(read_table("b,2,b\n4,5,6\n", GR_AUTO, GR_AUTO, &t), "");
    assert_int_equal(gr_table_column(&t, "b"), GR_TWIN_COLUMNS); /* nobody knows which */
    assert_int_equal(gr_table_column(&t, "2"), 1);               /* a name before a number */
    assert_int_equal(gr_table_column(&t, "3"), 2);
    assert_int_equal(gr_table_column(&t, "4"), -1);
    assert_int_equal(gr_table_column(&t, "0"), -1);
    assert_int_equal(gr_table_column(&t, "1x"), -1);
    assert_int_equal(gr_table_column(&t, "B"), -1);
    gr_table_free(&t);
}

/* Some rows of some columns, in any order of them. */
static void test_parts(void **state) {
    (void)state;
    const char *text = "a b c\n1 2 3\n4 5 6\n\n7 8 9\n10 11 x\n";
    static const uint32_t columns[2] = {2, 0};
    float c[2], a[2], *const to[2] = {c, a};
    gr_table t;
    gr_error error;
    assert_int_equal(gr_table_parse(text, strlen(text), "t", GR_AUTO, GR_AUTO, &t, &error), GR_OK);
    assert_int_equal(t.rows, 4);
    assert_int_equal(gr_table_numbers(&t, columns, 2, 1, 3, to, &error), GR_OK);
    assert_true(a[0] == 4.0f && a[1] == 7.0f && c[0] == 6.0f && c[1] == 9.0f);
    assert_int_equal(gr_table_numbers(&t, columns, 2, 3, 4, to, &error), GR_BAD_INPUT);
    assert_string_equal(error.text, "t:6:7: text 'x' in column 'c'; expected a number");
    gr_table_free(&t);
}

/* Words of one table mean the same numbers in another; new ones are none of them. */
static void test_words(void **state) {
    (void)state;
    const char *text = "tcp 1\nudp 2\nudp 3\n", *other = "5 tcp\n6 udp\n7 icmp\n";
    static const uint32_t columns[2] = {0, 1}, as[2] = {0, 1}, there[2] = {1, 0};
    float word[3], plain[3], *const to[2] = {word, plain};
    gr_table t, u;
    gr_error error;
    assert_int_equal(gr_table_parse(text, strlen(text), "t", GR_AUTO, GR_HEADER_NO, &t, &error),
                     GR_OK);
    assert_int_equal(gr_table_find_words(&t, columns, 2, GR_NO_COLUMN, &error), GR_OK);
    assert_int_equal(t.words[1].count, 0); /* numbers stay numbers */
    assert_int_equal(gr_table_numbers(&t, columns, 2, 0, 3, to, &error), GR_OK);
    assert_true(word[0] == 1.0f && word[1] == 0.0f && word[2] == 0.0f && plain[2] == 3.0f);
    assert_int_equal(gr_table_parse(other, strlen(other), "u", GR_AUTO, GR_HEADER_NO, &u, &error),
                     GR_OK);
    assert_int_equal(gr_table_share_words(&u, there, &t, as, 2, &error), GR_OK);
    assert_int_equal(gr_table_numbers(&u, there, 2, 0, 3, to, &error), GR_OK);
    assert_true(word[0] == 1.0f && word[1] == 0.0f && word[2] == -1.0f && plain[0] == 5.0f);
    gr_table_free(&u);
    gr_table_free(&t);
}

static void test_errors(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "train.csv:1:1: no data; expected rows of numbers"},
        {"\n# nothing\n\n", "train.csv:1:1: no data; expected rows of numbers"},
        {"a,y\n", "train.csv:1:1: names and no data; expected rows of numbers behind the header"},
        {"a,b,y\n1,2,3\n4,5\n", "train.csv:3:4: a row of 2 fields; expected 3, as in line 1"},
        {"\u00e9,b,y\n1,2,3\n\u00e9\u20ac,5\n",
         "train.csv:3:5: a row of 2 fields; expected 3, as in line 1"},
        {"1,2\n# c\n3,4,5\n", "train.csv:3:5: a row of 3 fields; expected 2, as in line 1"},
        {"a,y\n1,2\n1,two\n", "train.csv:3:3: text 'two' in column 'y'; expected a number"},
        {"a,y\n1, 0x1p3\n", "train.csv:2:4: text '0x1p3' in column 'y'; expected a number"},
        {"a,y\n1,1e\n", "train.csv:2:3: text '1e' in column 'y'; expected a number"},
        {"a,y\n1,2\nNaN,2\n", "train.csv:3:1: value 'NaN' in column 'a'; expected a finite number"},
        {"a,y\n-inf,2\n", "train.csv:2:1: value '-inf' in column 'a'; expected a finite number"},
        {"a,y\n1,1e39\n", "train.csv:2:3: value '1e39' in column 'y' is beyond single precision; "
                          "expected at most 3.4e38, or precision: double"},
        {"a,y\n1,1e399\n", "train.csv:2:3: value '1e399' in column 'y'; expected a finite number"},
        {"a,b,y\n1,,3\n", "train.csv:2:3: a missing value in column 'b'; expected a number"},
        {"a,y,\n1,2,\n", "train.csv:2:5: a missing value in column 3; expected a number, or no "
                         "delimiter at the end of lines"},
        {"\xef\xbb\xbf"
         "1,inf\n",
         "train.csv:1:3: value 'inf' in column 2; expected a finite number"},
        {"a,y\n1,"
         "x\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4"
         "\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\n",
         "train.csv:2:3: text "
         "'x\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4"
         "\u00e4\u00e4\u00e4\u00e4\u00e4' in column 'y'; expected a number"},
        {"a,y\n1,NA\n", "train.csv:2:3: a missing value in column 'y'; expected a number"},
        {"nan,1\n1,2\n", "train.csv:1:1: value 'nan' in column 1; expected a finite number"},
        {"a,y\n\"1,2\n",
         "train.csv:2:2: a quote that is not closed; expected '\"' on the same line"},
        {"a,y\n\"1\"2,2\n", "train.csv:2:2: text behind a quoted field; expected a delimiter"},
        {"\xff\xfe"
         "a",
         "train.csv:1:1: text in UTF-16; expected UTF-8"},
        {"\xfe\xff", "train.csv:1:1: text in UTF-16; expected UTF-8"},
        {"a,y\r1,2\r3,4\r",
         "train.csv:1:4: a carriage return without a line feed; expected line feeds"},
        {"a,y\r\r", "train.csv:1:1: names and no data; expected rows of numbers behind the header"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gr_table t;
        assert_string_equal(read_table(cases[i].text, GR_AUTO, GR_AUTO, &t), cases[i].message);
        assert_null(t.text);
        assert_null(t.names);
    }
}

/* One word more than there may be, where it stands. */
static void test_many_words(void **state) {
    (void)state;
    const uint32_t column[] = {1};
    char *text;
    size_t size;
    gr_table t;
    gr_error error;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    for (int i = 0; i <= GR_MOST_WORDS; i++)
        fprintf(out, "%d, w%d\n", i, i);
    fclose(out);
    assert_int_equal(gr_table_parse(text, size, "w.csv", GR_AUTO, GR_HEADER_NO, &t, &error), GR_OK);
    assert_int_equal(gr_table_find_words(&t, column, 1, GR_NO_COLUMN, &error), GR_BAD_INPUT);
    assert_string_equal(error.text, "w.csv:65536:8: column 2 has more than 65535 different words; "
                                    "expected fewer");
    gr_table_free(&t);
    free(text);
}

/* A table that several threads read, with comments and blank lines in between: every hundredth row
 * from `at` on ends in `tail`. *line is where row `at` stands. */
enum { LONG = 60000 };
static char *write_long(int at, const char *tail, size_t *line) {
    char *text;
    size_t size, written = 2;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    fprintf(out, "# a table\na,b\n");
    for (int i = 0; i < LONG; i++) {
        if (i % 7 == 3) {
            fprintf(out, i % 2 ? "\n" : "  # and more, and more\n");
            written++;
        }
        fprintf(out, "%d.25,%d%s\n", i, -i, i >= at && i % 100 == 0 ? tail : "");
        written++;
        *line = i == at ? written : *line;
    }
    fclose(out);
    return text;
}

static gr_status read_long(const char *text, uint64_t from, uint64_t to, float *const value_of[2],
                           gr_error *error) {
    const uint32_t column[2] = {0, 1};
    gr_table table;
    gr_status status = gr_table_parse(text, strlen(text), "t.csv", GR_AUTO, GR_AUTO, &table, error);
    if (status)
        return status;
    assert_true(table.rows == LONG && table.piece_count > 3);
    status = gr_table_numbers(&table, column, 2, from, to, value_of, error);
    gr_table_free(&table);
    return status;
}

/* Rows, the first error and its line are those that one thread would find. */
static void test_pieces(void **state) {
    (void)state;
    static float all[2][LONG];
    float *const to[2] = {all[0], all[1]};
    gr_error error;
    size_t line = 0;
    char *text = write_long(LONG, "", &line);
    assert_int_equal(read_long(text, 0, LONG, to, &error), GR_OK);
    for (int i = 0; i < LONG; i++)
        assert_true(all[0][i] == (float)i + 0.25f && all[1][i] == (float)-i);
    assert_int_equal(read_long(text, 23457, 51234, to, &error), GR_OK);
    for (int i = 0; i < 51234 - 23457; i++)
        assert_true(all[1][i] == (float)(-i - 23457));
    free(text);
    static const char *const tails[] = {",9", "x", ",\"", " 7"};
    for (int k = 0; k < 12; k++) {
        char expected[64];
        text = write_long(20000 + 100 * k * k, tails[k % 4], &line);
        snprintf(expected, sizeof expected, "t.csv:%zu:", line);
        assert_int_equal(read_long(text, 0, LONG, to, &error), GR_BAD_INPUT);
        if (strncmp(error.text, expected, strlen(expected)) != 0)
            fail_msg("%s; expected %s", error.text, expected);
        free(text);
    }
}

static void test_files(void **state) {
    (void)state;
    char path[] = "/tmp/grampus-table-XXXXXX", plain[64];
    int file = mkstemp(path);
    gr_table t;
    gr_error error;
    assert_true(file >= 0 && write(file, "1 2\n", 4) == 4);
    close(file);
    assert_int_equal(gr_table_open("/nonexistent.csv", GR_AUTO, GR_AUTO, &t, &error), GR_BAD_INPUT);
    assert_string_equal(error.text,
                        "/nonexistent.csv: No such file or directory; expected a table");
    assert_int_equal(gr_table_open("/tmp", GR_AUTO, GR_AUTO, &t, &error), GR_BAD_INPUT);
    assert_int_equal(gr_table_open(path, GR_AUTO, GR_AUTO, &t, &error), GR_OK);
    assert_true(t.rows == 1 && t.columns == 2);
    gr_table_free(&t);
    gzFile packed = gzopen(path, "wb");
    for (int i = 0; i < 100000; i++) /* more than is read at once */
        gzprintf(packed, "%d,%d\n", i, i % 7);
    gzclose(packed);
    assert_int_equal(gr_table_open(path, GR_AUTO, GR_AUTO, &t, &error), GR_OK);
    assert_true(t.rows == 100000 && t.columns == 2);
    snprintf(plain, sizeof plain, "%.40s", t.text + t.length - 10);
    assert_string_equal(plain, "3\n99999,4\n");
    gr_table_free(&t);
    assert_int_equal(truncate(path, 20000), 0);
    assert_int_equal(gr_table_open(path, GR_AUTO, GR_AUTO, &t, &error), GR_BAD_INPUT);
    assert_true(strncmp(error.text, path, strlen(path)) == 0); /* once */
    assert_string_equal(error.text + strlen(path), ": unexpected end of file; expected a table");
    unlink(path);
}

/* The short way to a float agrees with strtof on every spelling of it. */
static void test_numbers(void **state) {
    (void)state;
    static const char format[][8] = {"%.0f", "%.1f", "%.3f", "%.7f", "%.9g", "%e"};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    uint64_t random = 1;
    for (int i = 0; i < ROWS; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        double number = (double)(int32_t)(random >> 32) / (double)(1u << (random >> 27 & 31));
        fprintf(out, format[i % 6], number);
        fputs(",0\n", out);
    }
    fclose(out);
    gr_table t;
    assert_string_equal(read_table(text, GR_AUTO, GR_AUTO, &t), "");
    assert_int_equal(t.rows, ROWS);
    const char *line = text;
    for (uint64_t i = 0; i < ROWS; i++, line = strchr(line, '\n') + 1) {
        float wanted = strtof(line, NULL);
        assert_memory_equal(&value[0][i], &wanted, sizeof wanted);
    }
    gr_table_free(&t);
    free(text);
}

static void test_many_columns(void **state) {
    (void)state;
    enum { MOST = 1 << 20 };
    char *text = malloc(2 * MOST + 4);
    gr_table table;
    gr_error error;
    for (uint32_t k = 0; k <= MOST; k++)
        text[2 * k] = '1', text[2 * k + 1] = ',';
    assert_int_equal(gr_table_parse(text, 2 * MOST - 1, "d", GR_AUTO, GR_AUTO, &table, &error),
                     GR_OK);
    assert_int_equal(table.columns, MOST);
    gr_table_free(&table);
    assert_int_equal(gr_table_parse(text, 2 * MOST + 1, "d", GR_AUTO, GR_AUTO, &table, &error),
                     GR_BAD_INPUT);
    assert_string_equal(error.text, "d:1:1: more than 1048576 columns; expected fewer");
    free(text);
}

static void test_nul(void **state) {
    (void)state;
    static const char text[] = "a,b\n1,2\n3,\0 4\n";
    gr_table table;
    gr_error error;
    assert_int_equal(
        gr_table_parse(text, sizeof text - 1, "d.csv", GR_AUTO, GR_AUTO, &table, &error),
        GR_BAD_INPUT);
    assert_string_equal(error.text, "d.csv:3:3: a NUL character; expected text");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spellings),  cmocka_unit_test(test_said),
        cmocka_unit_test(test_delimiters), cmocka_unit_test(test_quotes),
        cmocka_unit_test(test_columns),    cmocka_unit_test(test_parts),
        cmocka_unit_test(test_words),      cmocka_unit_test(test_errors),
        cmocka_unit_test(test_pieces),     cmocka_unit_test(test_files),
        cmocka_unit_test(test_nul),        cmocka_unit_test(test_many_columns),
        cmocka_unit_test(test_numbers),    cmocka_unit_test(test_many_words),
    };
    return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
