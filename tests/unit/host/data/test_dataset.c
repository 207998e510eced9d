/* host/data/dataset.h: which columns of tables become cases, by which numbers, and under which
 * names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu/core/base/ops.h"
#include "tests/table_files.h"

#include <math.h>

static void header_and_columns(void **state) {
    gr_dataset train, test;
    assert_string_equal(load(*state, "a,b,y\n1,2,3\n4.5,-5e-1,+6\n", NULL, NULL, &train, &test),
                        "");
    assert_int_equal(train.inputs, 2);
    assert_int_equal(train.cases, 2);
    assert_int_equal(test.cases, 0);
    assert_string_equal(train.names[0], "a");
    assert_string_equal(train.names[1], "b");
    assert_string_equal(train.target_name, "y");
    assert_floats(train.x, 4, 1.0, 4.5, 2.0, -0.5);
    assert_floats(train.y, 2, 3.0, 6.0);
    assert_null(train.notes);
    free_both(&train, &test);
}

static void no_header(void **state) {
    gr_dataset train, test;
    assert_string_equal(load(*state, "1 2 3\n4 5 6\n", NULL, OPTIONS("target", "1"), &train, &test),
                        "");
    assert_string_equal(train.names[0], "x0");
    assert_string_equal(train.names[1], "x1");
    assert_floats(train.x, 4, 2.0, 5.0, 3.0, 6.0);
    assert_floats(train.y, 2, 1.0, 4.0);
    free_both(&train, &test);
}

static void chosen_columns(void **state) {
    gr_dataset train, test;
    const char *text = "id,a,y,b\nfirst,1,2,3\nsecond,4,5,6\n"; /* text where nobody looks */
    assert_string_equal(
        load(*state, text, NULL, OPTIONS("target", "y", "inputs", "b, 2"), &train, &test), "");
    assert_string_equal(train.names[0], "b");
    assert_string_equal(train.names[1], "a");
    assert_floats(train.x, 4, 3.0, 6.0, 1.0, 4.0);
    assert_floats(train.y, 2, 2.0, 5.0);
    free_both(&train, &test);
}

/* A name with a comma stands in quotes in a list, as it does in the header, and so does a hint. */
static void quoted_names(void **state) {
    gr_dataset train, test;
    const char *text = "\"a,1\",\" b\",3\" pipe,y\n1,2,3,4\n";
    assert_string_equal(
        load(*state, text, NULL, OPTIONS("inputs", "3\" pipe, \"a,1\" ,\" b\""), &train, &test),
        "");
    assert_floats(train.x, 3, 3.0, 1.0, 2.0);
    free_both(&train, &test);
    assert_string_equal(load(*state, text, NULL, OPTIONS("targets", "\"a,1\", y"), &train, &test),
                        "");
    assert_floats(train.x, 4, 2.0, 3.0, 1.0, 4.0); /* the targets are the last */
    free_both(&train, &test);
    assert_string_equal(load(*state, text, NULL, OPTIONS("target", "a,1"), &train, &test), "");
    assert_floats(train.y, 1, 1.0);
    free_both(&train, &test);
    static const char *const hints[][2] = {{"inputs", "did you mean '\"a,1\"'?"},
                                           {"targets", "did you mean '\"a,1\"'?"},
                                           {"target", "did you mean 'a,1'?"}};
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        assert_non_null(strstr(load(*state, text, NULL, OPTIONS(hints[i][0], "a_1"), &train, &test),
                               hints[i][1]));
}

static void usable_names(void **state) {
    gr_dataset train, test;
    assert_string_equal(load(*state,
                             "width (cm),2nd,and,a,a,\xc3\xa9t\xc3\xa9,,\xc2\xb0"
                             "C \xe9,y\n1,2,3,4,5,6,7,8,9\n",
                             NULL, NULL, &train, &test),
                        "");
    /* a letter stays, a sign does not, nor what is no UTF-8 */
    static const char *const names[] = {"width__cm_",        "_2nd",     "and_", "a", "a_5",
                                        "\xc3\xa9t\xc3\xa9", "column_7", "_C__"};
    for (uint32_t i = 0; i < 8; i++)
        assert_string_equal(train.names[i], names[i]);
    assert_non_null(strstr(train.notes, "column 1 'width (cm)' is input width__cm_\n"));
    assert_non_null(strstr(train.notes, "column 5 'a' is input a_5\n"));
    assert_null(strstr(train.notes, "column 4 "));
    free_both(&train, &test);
    assert_string_equal(load(*state, "m (kg),y 1,y 2\n1,2,3\n4,5,7\n", NULL,
                             OPTIONS("targets", "2, 3"), &train, &test),
                        "");
    assert_string_equal(train.notes, "column 1 'm (kg)' is input m__kg_\n"
                                     "column 2 'y 1' is target y_1\n"
                                     "column 3 'y 2' is target y_2\n");
    free_both(&train, &test);
}

/* A column without a name that counts the rows is often the index of a table that was written with
 * it: nobody had told of more than of its name. */
static void counted_rows(void **state) {
    static const char told[] = "column 1 '' is input column_1, which counts the rows: if it is an "
                               "index, name the others as inputs\n";
    static const struct {
        const char *text, *notes;
    } rows[] = {{",a,y\n0,5,1\n1,5,2\n2,7,3\n", told},
                {",a,y\n7,5,1\n8,5,2\n9,7,3\n", told},
                {",a,y\n0,5,1\n1,5,2\n3,7,3\n", "column 1 '' is input column_1\n"},
                {",a,y\n0,5,1\n1,5,2\n", "column 1 '' is input column_1\n"},
                {"n,a,y\n0,5,1\n1,5,2\n2,7,3\n", NULL}};
    gr_dataset train, test;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int doubles = 0; doubles < 2; doubles++) {
            assert_string_equal(load(*state, rows[i].text, NULL,
                                     OPTIONS("precision", doubles ? "double" : "single"), &train,
                                     &test),
                                "");
            if (rows[i].notes)
                assert_string_equal(train.notes, rows[i].notes);
            else
                assert_null(train.notes);
            free_both(&train, &test);
        }
    /* no target is an index, and who names inputs knows what they are */
    assert_string_equal(
        load(*state, ",a,\n0,5,1\n1,5,2\n2,7,3\n", NULL, OPTIONS("targets", "a, 3"), &train, &test),
        "");
    char *note = strstr(train.notes, "column 3 '' is target column_3\n");
    assert_non_null(note);
    free_both(&train, &test);
    assert_string_equal(load(*state, ",a,y\n0,5,1\n1,5,2\n2,7,3\n", NULL,
                             OPTIONS("inputs", "1", "target", "y"), &train, &test),
                        "");
    assert_string_equal(train.notes, "column 1 '' is input column_1\n");
    free_both(&train, &test);
}

static void forced_choices(void **state) {
    gr_dataset train, test;
    assert_string_equal(load(*state, "1,2\n3,4\n", NULL, OPTIONS("header", "yes"), &train, &test),
                        "");
    assert_int_equal(train.cases, 1);
    assert_string_equal(train.names[0], "_1");
    free_both(&train, &test);
    assert_string_equal(
        load(*state, "a,b;y\n1,1;2\n", NULL, OPTIONS("delimiter", "comma"), &train, &test),
        "train.csv:2:3: text '1;2' in column 'b;y'; expected a number");
    assert_string_equal(load(*state, "a,y\n1,2\n", NULL, OPTIONS("header", "no"), &train, &test),
                        "train.csv:1:1: text 'a' in column 1; expected a number");
}

/* A first line of words and numbers is names, or data with a slip in it: that is said. */
static void doubtful_names(void **state) {
    static const char note[] =
        ".csv:1: taken for names, though some are numbers; header: no makes it data\n";
    const char *slip = "1,2x,3\n4,5,6\n7,8,9\n", *fine = "1,2,3\n4,5,6\n";
    gr_dataset train, test;
    assert_string_equal(load(*state, slip, NULL, OPTIONS("header", "auto"), &train, &test), "");
    assert_true(train.cases == 2 && strstr(train.notes, note));
    gr_dataset_free(&train);
    assert_string_equal(load(*state, fine, slip, OPTIONS("header", "auto"), &train, &test), "");
    assert_true(test.cases == 2 && strstr(test.notes, note) && !train.notes);
    free_both(&train, &test);
    assert_string_equal(load(*state, slip, NULL, OPTIONS("header", "yes"), &train, &test), "");
    assert_null(strstr(train.notes, note));
    gr_dataset_free(&train);
    assert_string_equal(
        load(*state, "# 1,2x,3\n4,5,6\n", NULL, OPTIONS("header", "auto"), &train, &test),
        ""); /* no row is lost */
    assert_null(strstr(train.notes, note));
    gr_dataset_free(&train);
}

/* "# a b" may be names or a remark of two words: that is said, but not where commas part them. */
static void names_in_a_comment(void **state) {
    static const char note[] =
        ".csv:1: a comment, taken for the names of the columns; header: no leaves it one\n";
    static const struct {
        const char *text, *header, *input;
        bool said;
    } cases[] = {{"# a comment\n1 2\n2 4\n", "auto", "a", true},
                 {"# a comment\n1 2\n2 4\n", "yes", "a", false},
                 {"# a comment\n1 2\n2 4\n", "no", "x0", false},
                 {"# a long comment\n1 2\n2 4\n", "auto", "x0", false},
                 {"# a,y\n1,2\n2,4\n", "auto", "a", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gr_dataset train, test;
        assert_string_equal(
            load(*state, cases[i].text, NULL, OPTIONS("header", cases[i].header), &train, &test),
            "");
        assert_int_equal(train.cases, 2);
        assert_string_equal(train.names[0], cases[i].input);
        assert_int_equal(train.notes && strstr(train.notes, note), cases[i].said);
        free_both(&train, &test);
    }
}

/* Words by falling frequency, then by alphabet; numbers stay numbers. */
static void words(void **state) {
    const char *text = "udp,1,ok\ntcp,2,bad\ntcp,3,ok\nicmp,4,ok\n\"tcp\",5,odd\n";
    gr_dataset train, test;
    assert_string_equal(
        load(*state, text, NULL, OPTIONS("categories", "true", "header", "no"), &train, &test), "");
    static const float x[10] = {2, 0, 0, 1, 0, 1, 2, 3, 4, 5}, y[5] = {0, 1, 0, 0, 2};
    assert_memory_equal(train.x, x, sizeof x);
    assert_memory_equal(train.y, y, sizeof y);
    assert_int_equal(train.label_count, 3);
    assert_string_equal(train.labels[0], "ok");
    assert_string_equal(train.labels[1], "bad");
    assert_string_equal(train.labels[2], "odd");
    assert_non_null(strstr(train.notes, "column 1 has 3 words"));
    gr_dataset_free(&train);
    assert_non_null(
        strstr(load(*state, text, NULL, OPTIONS("header", "no"), &train, &test), "text 'udp'"));
}

/* Rows of weight 0 are left out: they bring no words and make none more frequent. */
static void words_of_no_weight(void **state) {
    const char *text = "a,y,w\nudp,ok,2\ntcp,bad,1\nsctp,none,0\nicmp,ok,0\nicmp,ok,0\nudp,ok,1\n"
                       "icmp,bad,1\nicmp,bad,0.0\n";
    gr_dataset train, test;
    assert_string_equal(load(*state, text, "a,y,w\nsctp,bad,1\n",
                             OPTIONS("categories", "true", "weights", "w"), &train, &test),
                        "");
    static const float x[4] = {0, 2, 0, 1}, y[4] = {1, 0, 1, 0}; /* udp, icmp, tcp; bad, ok */
    assert_int_equal(train.cases, 4);
    assert_memory_equal(train.x, x, sizeof x);
    assert_memory_equal(train.y, y, sizeof y);
    assert_int_equal(train.label_count, 2);
    assert_float_equal(test.x[0], -1, 0);
    free_both(&train, &test);
}

/* A word is what it says, whether it stands in quotes or not. */
static void words_with_quotes(void **state) {
    const char *text = "size,y\n\"3\"\" pipe\",\"a \"\"b\"\"\"\n\"3\"\" pipe\",c\n4 pipe,c\n";
    const char *other = "size,y\n4 pipe,c\n3\" pipe,c\n";
    gr_dataset train, test;
    assert_string_equal(load(*state, text, other, OPTIONS("categories", "true"), &train, &test),
                        "");
    assert_true(test.x[0] == 1.0f && test.x[1] == 0.0f);
    assert_null(test.notes);
    assert_string_equal(train.labels[1], "a \"b\"");
    free_both(&train, &test);
}

/* Words of test cases that training has not have no number, and that is said. */
static void new_words(void **state) {
    folder *f = *state;
    const char *text = "a,b,y\nred,1,yes\nblue,2,no\nred,3,yes\n";
    const char *other = "y,b,a\nmaybe,1,red\nno,-1,pink\nyes,3,\n";
    const char *const categories[] = {"categories", "true", "precision", "single", NULL};
    const char *const exact[] = {"categories", "true", "precision", "double", NULL};
    gr_dataset train, test;
    for (int k = 0; k < 2; k++) {
        assert_string_equal(load(f, text, other, k ? exact : categories, &train, &test), "");
        assert_non_null(
            strstr(test.notes, ": words of column 3 that training has not, in 2 rows, are -1\n"));
        assert_non_null(
            strstr(test.notes, ": words of column 1 that training has not, in 1 row, are -1\n"));
        assert_null(strstr(test.notes, "column 2"));
        free_both(&train, &test);
    }
    assert_string_equal(load(f, text, "y,b,a\nno,1,red\n", categories, &train, &test), "");
    assert_null(test.notes);
    free_both(&train, &test);
}

/* Each column has its own. */
static void new_words_of_an_input(void **state) {
    static const char *const precision[] = {"single", "double"};
    for (int k = 0; k < 2; k++) {
        gr_dataset train, test;
        assert_string_equal(load(*state, "a,b,y\nred,cat,1\nblue,dog,2\n",
                                 "a,b,y\nred,fox,1\nblue,cat,2\npink,dog,3\nred,ox,4\n",
                                 OPTIONS("categories", "true", "precision", precision[k]), &train,
                                 &test),
                            "");
        assert_non_null(
            strstr(test.notes, ": words of column 1 that training has not, in 1 row, are -1\n"));
        assert_non_null(
            strstr(test.notes, ": words of column 2 that training has not, in 2 rows, are -1\n"));
        free_both(&train, &test);
    }
}

/* What stands in a table does nothing to a terminal. */
static void control_characters(void **state) {
    const char *text = "a\x1b[2J,b,y\n1,2,\x1b]0;x\a\n3,4,\xc3\xa9\n";
    gr_dataset train, test;
    assert_string_equal(load(*state, text, NULL, OPTIONS("categories", "true"), &train, &test), "");
    assert_non_null(strstr(train.notes, "column 1 'a\\x1b[2J' is input a__2J\n"));
    assert_string_equal(train.labels[0], "\\x1b]0;x\\x07");
    assert_string_equal(train.labels[1], "\xc3\xa9");
    gr_dataset_free(&train);
    assert_non_null(strstr(load(*state, text, NULL, OPTIONS("header", "yes"), &train, &test),
                           ":2:5: text '\\x1b]0;x\\x07' in column 'y'"));
}

static void test_file(void **state) {
    gr_dataset train, test;
    assert_string_equal(
        load(*state, "a,b,y\n1,2,3\n", "y,b,c,a\n30,20,0,10\n", NULL, &train, &test), "");
    assert_floats(test.x, 2, 10.0, 20.0); /* by name, in the order of the training data */
    assert_floats(test.y, 1, 30.0);
    free_both(&train, &test);
    assert_string_equal(load(*state, "a,b,y\n1,2,3\n", "10 20 30\n", NULL, &train, &test), "");
    assert_floats(test.x, 2, 10.0, 20.0);
    free_both(&train, &test);
    const char *text = load(*state, "a,b,y\n1,2,3\n", "a,y\n1,2\n", NULL, &train, &test);
    assert_non_null(strstr(text, "no column 'b'; expected the columns of "));
    text = load(*state, "1,2,3\n", "1,2\n", NULL, &train, &test);
    assert_non_null(strstr(text, "2 columns; expected 3, as in "));
}

/* Rows to predict for: a table without names has all columns, or the inputs alone, wherever the
 * targets and the weights were. */
static void inputs_alone(void **state) {
    static const struct {
        const char *key, *value, *weights;
        float x[2]; /* of the training columns 1 to 4 */
    } cases[] = {{"targets", "1, 3", "", {2, 4}},
                 {"targets", "3, 2", "", {1, 4}},
                 {"targets", "1, 3", "4", {2, 0}},
                 {"target", "2", "1", {3, 4}}};
    folder *f = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int whole = 0; whole < 2; whole++) {
            gr_error error = {GR_OK, ""};
            gr_settings s;
            gr_dataset set;
            float second = cases[i].x[1];
            char text[64];
            snprintf(text, sizeof text, second > 0 ? "%g,%g\n" : "%g\n", (double)cases[i].x[0],
                     (double)second);
            write_text(f->file[0], "1,2,3,4\n");
            write_text(f->file[1], whole ? "1,2,3,4\n" : text);
            assert_int_equal(gr_settings_init(&s, &error), GR_OK);
            assert_int_equal(gr_settings_set(&s, "data", f->file[0], &error), GR_OK);
            assert_int_equal(gr_settings_set(&s, cases[i].key, cases[i].value, &error), GR_OK);
            assert_int_equal(gr_settings_set(&s, "weights", cases[i].weights, &error), GR_OK);
            if (gr_dataset_read_alike(&s, f->file[1], &set, &error))
                fail_msg("case %zu: %s", i, error.text);
            assert_true(set.x[0] == cases[i].x[0] && (second == 0.0f || set.x[1] == second));
            assert_int_equal(set.y != NULL, whole);
            gr_dataset_free(&set);
            gr_settings_free(&s);
        }
}

/* Weights that floats lose are told of by the largest, wherever it stands. */
static void lost_weights(void **state) {
    gr_dataset train, test;
    const char *message = load(*state, "a,y,w\n1,2,1e-60\n2,1,1e-50\n3,1,1e-55\n", NULL,
                               OPTIONS("weights", "w"), &train, &test);
    assert_non_null(
        strstr(message, "the largest weight of 3 training cases is 1e-50; expected it from"));
}

/* Columns of one name are matched in their order; with fewer or more of them nobody knows which. */
static void test_file_of_twins(void **state) {
    gr_dataset train, test;
    const char *text = "a,a,b,y\n1,2,3,4\n";
    assert_string_equal(load(*state, text, "b,a,y,a\n30,10,40,20\n", NULL, &train, &test), "");
    assert_floats(test.x, 3, 10.0, 20.0, 30.0);
    assert_floats(test.y, 1, 40.0);
    free_both(&train, &test);
    assert_string_equal(load(*state, "a b,a_b,a_b,y\n1,2,3,4\n", NULL, NULL, &train, &test), "");
    assert_string_equal(train.notes, "column 1 'a b' is input a_b_1\n" /* a grammar's a_b */
                                     "column 3 'a_b' is input a_b_3\n");
    free_both(&train, &test);
    assert_non_null(strstr(load(*state, text, "a,b,y\n1,2,3\n", NULL, &train, &test),
                           ".csv:1:1: 1 column 'a'; expected 2, as in "));
    assert_non_null(
        strstr(load(*state, "a,b,y\n1,2,3\n", "a,b,y,a\n1,2,3,4\n", NULL, &train, &test),
               ".csv:1:1: 2 columns 'a'; expected 1, as in "));
}

static void errors_of_choice(void **state) {
    gr_dataset train, test;
    assert_string_equal(load(*state, "1\n2\n", NULL, NULL, &train, &test),
                        "train.csv:1:1: one column; expected at least one input and the target");
    assert_null(train.x);
    assert_null(train.names);
    const char *text = "alpha,beta,y\n1,2,3\n";
    const char *message = load(*state, text, NULL, OPTIONS("target", "bets"), &train, &test);
    assert_non_null(strstr(message, "; did you mean 'beta'?"));
    message = load(*state, text, NULL, OPTIONS("target", "4"), &train, &test);
    assert_non_null(strstr(message, "; expected a name of its header or a number from 1 to 3"));
    message = load(*state, text, NULL, OPTIONS("inputs", "alpha,y"), &train, &test);
    assert_string_equal(message, "inputs has the target column 'y'; expected others");
    message = load(*state, text, NULL, OPTIONS("inputs", "alpha,1"), &train, &test);
    assert_string_equal(message, "inputs has column '1' twice; expected it once");
    message = load(*state, text, NULL, OPTIONS("targets", "3, beta, y"), &train, &test);
    assert_string_equal(message, "targets has column 'y' twice; expected it once");
    const char *twins = "alpha,y,alpha,y\n1,2,3,4\n"; /* which one nobody can know */
    const char *const named[][2] = {{"target", "y"}, {"inputs", "alpha"}, {"targets", "2,alpha"}};
    for (int i = 0; i < 3; i++) {
        message = load(*state, twins, NULL, OPTIONS(named[i][0], named[i][1]), &train, &test);
        assert_non_null(strstr(message, i ? "train.csv has several columns 'alpha'; expected a "
                                          : "train.csv has several columns 'y'; expected a "));
    }
    message = load(*state, twins, NULL, OPTIONS("target", "2", "inputs", "3"), &train, &test);
    assert_string_equal(message, "");
    assert_true(train.y[0] == 2.0f && train.inputs == 1 && train.x[0] == 3.0f);
    free_both(&train, &test);
    message = load(*state, text, NULL, OPTIONS("test-fraction", "0.5"), &train, &test);
    assert_non_null(strstr(message, "leaves none to train on"));
    message = load(*state, text, NULL, OPTIONS("test-rows", "0:1"), &train, &test);
    assert_string_equal(message, "test-rows without train-rows; expected both");
}

/* Columns that floats leave too few values of are told of, and no others. */
static void rounded_columns(void **state) {
    gr_dataset train, test;
    const char *text = "time,id,even,flat,y\n"
                       "1700000001,1,1700000000,0.1,10000000.25\n"
                       "1700000403,2,1700000128,0.1,10000000.5\n"
                       "1700000909,9,1700000256,0.1,10000001.5\n";
    assert_string_equal(load(*state, text, NULL, NULL, &train, &test), "");
    assert_string_equal(train.notes,
                        "column 1 'time' is rounded by up to 19 in a range of 9.1e+02; precision: "
                        "double keeps its digits\n"
                        "column 5 'y' is rounded by up to 0.5 in a range of 1.2; precision: double "
                        "keeps its digits\n");
    free_both(&train, &test);
    load(*state, text, NULL, OPTIONS("precision", "double"), &train, &test);
    assert_null(train.notes);
    free_both(&train, &test);
    load(*state, text, NULL, OPTIONS("inputs", "even,flat", "target", "id"), &train, &test);
    assert_null(train.notes);
    free_both(&train, &test);
    load(*state, "100000001 1 3\n100000002 2 4\n", NULL, OPTIONS("split", "random"), &train, &test);
    assert_string_equal(train.notes, "column 1 is rounded by up to 2 in a range of 1; precision: "
                                     "double keeps its digits\n");
    free_both(&train, &test);
}

/* A target whose range floats lose whole: with one that is told right any program would have no
 * error. */
static void lost_target(void **state) {
    gr_dataset train, test;
    static const char tiny[] = "a,y\n1,1e-300\n2,3e-300\n3,2e-300\n";
    const char *message = load(*state, tiny, NULL, NULL, &train, &test);
    assert_non_null(strstr(
        message, "train.csv: column 2 'y' is one number in single precision, the target of a "
                 "range of 2e-300; expected precision: double, or other units"));
    message = load(*state, "1 1700000001\n2 1700000009\n3 1700000005\n", NULL, NULL, &train, &test);
    assert_non_null(strstr(message, "train.csv: column 2 is one number in single precision"));
    load(*state, tiny, NULL, OPTIONS("precision", "double"), &train, &test);
    assert_true(train.cases == 3 && !train.notes);
    free_both(&train, &test);
    /* an input may be; so may a target that has one value in the table */
    assert_string_equal(load(*state, "a,y\n1e-300,0.1\n2e-300,0.1\n", NULL, NULL, &train, &test),
                        "");
    assert_non_null(strstr(train.notes, "column 1 'a' is rounded by up to 2e-300"));
    free_both(&train, &test);
}

/* grampus eval: every column is an input. */
static void whole_table(void **state) {
    folder *f = *state;
    gr_dataset set;
    gr_error error;
    write_text(f->file[0], "a,b,c\n1,2,3\n4,5,6\n");
    assert_int_equal(gr_dataset_read(f->file[0], NULL, NULL, 0, &set, &error), GR_OK);
    assert_int_equal(set.inputs, 3);
    assert_null(set.y);
    assert_floats(set.x, 6, 1.0, 4.0, 2.0, 5.0, 3.0, 6.0);
    gr_dataset_free(&set);
    assert_int_equal(gr_dataset_read(f->file[0], "b", NULL, 0, &set, &error), GR_OK);
    assert_floats(set.y, 2, 2.0, 5.0);
    assert_string_equal(set.target_name, "b");
    gr_dataset_free(&set);
    assert_int_equal(gr_dataset_read(f->file[0], "b", NULL, 1, &set, &error), GR_OK);
    assert_true(set.dx[2] == 2.0 && set.dx[3] == 5.0 && set.dy[1] == 5.0 && set.y[1] == 5.0f);
    gr_dataset_free(&set);
    write_text(f->file[1], "a,a\n1,2\n");
    assert_int_equal(gr_dataset_read(f->file[1], "a", NULL, 0, &set, &error), GR_BAD_INPUT);
    assert_non_null(strstr(error.text, ": several columns 'a'; expected a number from 1 to 2"));
    assert_int_equal(gr_dataset_read(f->file[0], NULL, NULL, 1, &set, &error), GR_OK);
    assert_true(set.dx && !set.x && !set.y && !set.dy);
    gr_dataset_free(&set);
    assert_int_equal(gr_dataset_read(f->file[0], "d", NULL, 0, &set, &error), GR_BAD_INPUT);
    assert_int_equal(gr_dataset_read(f->file[0], "b", "d", 0, &set, &error), GR_BAD_INPUT);
    assert_int_equal(gr_dataset_read(f->file[0], "b", "c", 0, &set, &error), GR_OK);
    assert_int_equal(set.inputs, 3);
    assert_floats(set.w, 2, 3.0, 6.0);
    gr_dataset_free(&set);
}

/* Columns as tiles, by any number of threads, and back; a target or none, floats or words. */
static void tiles(void **state) {
    (void)state;
    enum { CASES = 200 * GR_CHUNK + 17, INPUTS = 3 };
    for (int k = 0; k < 4; k++) {
        gr_dataset set;
        gr_error error;
        int packed = k == 3;
        assert_int_equal(
            gr_dataset_allocate(&set, INPUTS, packed ? 32 * CASES - 5 : CASES, packed, &error),
            GR_OK);
        uint32_t *x = packed ? set.wx : (uint32_t *)set.x;
        uint32_t *y = packed ? set.wy : (uint32_t *)set.y;
        for (uint32_t i = 0; i < INPUTS * CASES; i++)
            x[i] = i + 1;
        for (uint32_t i = 0; i < CASES; i++)
            y[i] = 0x1000000 + i;
        if (k == 2) {
            free(set.y);
            set.y = NULL;
        }
        assert_int_equal(gr_dataset_tile(&set, (uint32_t)k, &error), GR_OK);
        assert_true(!set.x && !set.wx && gr_dataset_chunks(&set) == 201);
        const uint32_t *word = (const uint32_t *)set.tiles;
        for (uint32_t c = 0; c < 201 * GR_CHUNK; c++)
            for (uint32_t i = 0; i <= INPUTS; i++) {
                uint32_t target = k == 2 ? 0 : 0x1000000 + c;
                uint32_t expected = c >= CASES ? 0 : i < INPUTS ? i * CASES + c + 1 : target;
                if (word[(c / GR_CHUNK * (INPUTS + 1) + i) * GR_CHUNK + c % GR_CHUNK] != expected)
                    fail_msg("case %u, column %u", c, i);
            }
        float *back = gr_dataset_columns(&set);
        for (uint32_t i = 0; i < INPUTS * CASES; i++)
            assert_true(((const uint32_t *)back)[i] == i + 1);
        free(back);
        gr_dataset_free(&set);
    }
}

/* precision: double: numbers as they were read, through splits, tiles and back. */
static void doubles(void **state) {
    enum { ROWS = 1100 };
    static char text[ROWS * 48 + 8];
    gr_dataset train, test;
    gr_error error;
    size_t at = (size_t)sprintf(text, "a,b,y\n");
    for (int i = 0; i < ROWS; i++)
        at += (size_t)sprintf(text + at, "%d.1,1e%d,%d.5\n", 100000000 + i, i % 300, 1 << 28 | i);
    const char *message = load(
        *state, text, NULL,
        OPTIONS("precision", "double", "test-fraction", "0.02", "split", "random"), &train, &test);
    assert_string_equal(message, "");
    assert_true(train.doubles && test.doubles && !train.x && train.dx && test.cases == 22);
    assert_int_equal(gr_dataset_tile(&train, 2, &error), GR_OK);
    assert_true(!train.dx && gr_dataset_tile_words(&train) == 6 * GR_CHUNK);
    uint32_t seen = 0, row = 0;
    for (uint64_t i = 0; i < train.cases; i++, row++) {
        const double *tile =
            (const double *)(const void *)train.tiles + i / GR_CHUNK * 3 * GR_CHUNK;
        char number[32];
        double a = tile[i % GR_CHUNK], b = tile[GR_CHUNK + i % GR_CHUNK];
        for (uint32_t k = 0; k < test.cases; k++) /* in order */
            if (seen < test.cases && test.dy[seen] == (double)(1 << 28 | row) + 0.5)
                seen++, row++;
        sprintf(number, "%u.1", 100000000 + row);
        assert_true(a == strtod(number, NULL));
        sprintf(number, "1e%u", row % 300);
        assert_true(b == strtod(number, NULL));
        assert_true(train.dy[i] == (double)(1 << 28 | row) + 0.5);
        assert_true(tile[2 * GR_CHUNK + i % GR_CHUNK] == train.dy[i]);
        assert_true(gr_dataset_target(&train, i) == train.dy[i] &&
                    train.y[i] == (float)train.dy[i]);
    }
    float *rounded = gr_dataset_columns(&train);
    const double *tiles_of = (const double *)(const void *)train.tiles;
    assert_true(rounded[7] == (float)tiles_of[7]);
    free(rounded);
    /* a split of what is laid out */
    gr_dataset held;
    uint64_t cases = train.cases;
    double last = train.dy[cases - 1];
    assert_int_equal(gr_dataset_hold_out(&train, 1, 0, 1, &held, &error), GR_OK);
    assert_true(train.cases == cases - 1 && held.cases == 1 && held.doubles);
    assert_true(train.dy[cases - 2] == last || held.dy[0] == last);
    assert_true(floor(train.dx[0]) == floor(train.dy[0]) - (1 << 28) + 100000000);
    gr_dataset_free(&held);
    gr_dataset_free(&train);
    gr_dataset_free(&test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiles),
        TEST(header_and_columns),
        TEST(no_header),
        TEST(chosen_columns),
        TEST(usable_names),
        TEST(doubtful_names),
        TEST(names_in_a_comment),
        TEST(quoted_names),
        TEST(forced_choices),
        TEST(words),
        TEST(words_of_no_weight),
        TEST(words_with_quotes),
        TEST(new_words),
        TEST(new_words_of_an_input),
        TEST(control_characters),
        TEST(test_file),
        TEST(test_file_of_twins),
        TEST(inputs_alone),
        TEST(counted_rows),
        TEST(lost_weights),
        TEST(errors_of_choice),
        TEST(rounded_columns),
        TEST(lost_target),
        TEST(whole_table),
        TEST(doubles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
