/* Classification in the results: confusion matrix, F1, ROC area and fitted thresholds against plain
 * counting. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu/core/fitness/class_bins.h"
#include "host/run/classes.h"
#include "tests/core.h"

enum { CASES = 300 };

typedef struct made {
    gr_dataset set;
    float y[CASES], output[CASES];
} made;

/* Labels 1..classes; outputs near them, with ties and a few that are no numbers. */
static void make(made *m, core_dice *dice, uint32_t classes) {
    *m = (made){0};
    m->set.cases = CASES;
    m->set.y = m->y;
    for (uint32_t i = 0; i < CASES; i++) {
        m->y[i] = (float)(1 + core_roll(dice, classes));
        m->output[i] = m->y[i] + (float)((double)core_roll(dice, 17) * 0.25 - 2.0);
        if (core_roll(dice, 40) == 0)
            m->output[i] = GR_NAN;
    }
}

static gr_params class_params(void) {
    gr_params p = {0};
    p.metric = GR_METRIC_MISCLASSIFIED;
    p.class_min = 1.0f;
    p.class_max = 4.0f;
    return p;
}

static void test_counts(void **state) {
    (void)state;
    core_dice dice = {3};
    gr_params p = class_params();
    const gr_dataset none = {0};
    made m;
    gr_classes c;
    make(&m, &dice, 4);
    assert_int_equal(gr_classes_make(&p, &m.set, &none, m.output, &c, NULL), GR_OK);
    assert_int_equal(c.count, 4);
    double right = 0, f1 = 0;
    for (uint32_t k = 0; k < 4; k++) {
        uint64_t seen[5] = {0}, cases = 0, predicted = 0;
        for (uint32_t i = 0; i < CASES; i++) {
            float class = gr_class_of(&p, m.output[i]);
            uint32_t column = class == class ? (uint32_t) class - 1 : 4;
            cases += m.y[i] == (float)(k + 1);
            predicted += column == k;
            if (m.y[i] == (float)(k + 1))
                seen[column]++;
        }
        assert_memory_equal(seen, c.confusion + (size_t)k * 5, sizeof seen);
        assert_true(c.class[k].cases == cases && c.class[k].predicted == predicted);
        assert_true(c.class[k].label == (float)(k + 1));
        right += (double)seen[k];
        f1 += 2.0 * (double)seen[k] / (double)(cases + predicted) / 4.0;
    }
    assert_true(fabs(c.accuracy - right / CASES) < 1e-12 && fabs(c.f1 - f1) < 1e-12);
    gr_classes_free(&c);
}

/* Of all pairs of a case of the class and another, how often the first scores higher. */
static double area(const made *m, uint32_t k, uint32_t classes) {
    double wins = 0, pairs = 0;
    for (uint32_t i = 0; i < CASES; i++)
        for (uint32_t j = 0; j < CASES; j++) {
            if (m->y[i] != (float)(k + 1) || m->y[j] == (float)(k + 1))
                continue;
            float s[2] = {m->output[i], m->output[j]};
            for (int n = 0; n < 2; n++)
                s[n] = isnan(s[n])    ? -GR_INFINITY
                       : classes == 2 ? (k ? s[n] : -s[n])
                                      : -fabsf(s[n] - (float)(k + 1));
            wins += s[0] > s[1] ? 1.0 : s[0] == s[1] ? 0.5 : 0.0;
            pairs += 1.0;
        }
    return wins / pairs;
}

static void test_roc(void **state) {
    (void)state;
    core_dice dice = {8};
    gr_params p = class_params();
    const gr_dataset none = {0};
    for (uint32_t classes = 2; classes <= 5; classes++) {
        made m;
        gr_classes c;
        double mean = 0;
        make(&m, &dice, classes);
        assert_int_equal(gr_classes_make(&p, &m.set, &none, m.output, &c, NULL), GR_OK);
        for (uint32_t k = 0; k < classes; k++) {
            double expected = area(&m, k, classes);
            assert_true(fabs(c.class[k].roc_area - expected) < 1e-9);
            mean += expected / classes;
        }
        assert_true(fabs(c.roc_area - mean) < 1e-9);
        gr_classes_free(&c);
    }
}

/* argmax gives the number of a class, from 0 on, which thresholds between them part: nearness to
 * the number, whatever the lowest label is. */
static void test_roc_of_numbers(void **state) {
    (void)state;
    core_dice dice = {9};
    gr_params p = class_params();
    const gr_dataset none = {0};
    made m;
    gr_classes c;
    make(&m, &dice, 4);
    for (uint32_t i = 0; i < CASES; i++)
        if (!isnan(m.output[i])) /* labels, often those of the cases */
            m.output[i] = fminf(fmaxf(rintf(m.output[i]), 1.0f), 4.0f);
    double expected[4];
    for (uint32_t k = 0; k < 4; k++)
        expected[k] = area(&m, k, 4);
    p.class_rule = GR_CLASS_THRESHOLDS;
    p.thresholds = 3;
    for (uint32_t k = 0; k < 3; k++)
        p.threshold[k] = (float)k + 0.5f;
    for (uint32_t i = 0; i < CASES; i++)
        m.output[i] -= 1.0f;
    assert_int_equal(gr_classes_make(&p, &m.set, &none, m.output, &c, NULL), GR_OK);
    for (uint32_t k = 0; k < 4; k++)
        assert_true(fabs(c.class[k].roc_area - expected[k]) < 1e-9);
    gr_classes_free(&c);
}

/* Thresholds may lie anywhere: what speaks for a class is how near an output is to the middle
 * between its own two, not to the label; for the first and the last how low or high it is. */
static void test_roc_between_thresholds(void **state) {
    (void)state;
    gr_params p = class_params();
    const gr_dataset none = {0};
    float y[] = {1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4};
    float output[] = {-900, -20, 10, 11, 15, 19, 21, 29, 40, 45, 99, GR_INFINITY};
    gr_dataset set = {.cases = 12, .y = y};
    gr_classes c;
    p.class_rule = GR_CLASS_THRESHOLDS;
    p.thresholds = 3;
    p.threshold[0] = 10.5f;
    p.threshold[1] = 20.0f;
    p.threshold[2] = 42.0f;
    assert_int_equal(gr_classes_make(&p, &set, &none, output, &c, NULL), GR_OK);
    for (uint32_t k = 0; k < 4; k++) /* the middle's own are nearer to it than all others */
        assert_true(c.class[k].recall == 1.0 && c.class[k].roc_area == 1.0);
    gr_classes_free(&c);
    p.threshold[0] = -GR_INFINITY; /* no output is of the first class, and none of the last */
    p.threshold[2] = GR_INFINITY;
    assert_int_equal(gr_classes_make(&p, &set, &none, output, &c, NULL), GR_OK);
    assert_true(c.class[0].roc_area == 1.0 && c.class[3].roc_area == 1.0);
    gr_classes_free(&c);
}

/* Thresholds may be those between the numbers of argmax, too: how low or high an output is still
 * speaks for the first and the last class. */
static void test_roc_between_halves(void **state) {
    (void)state;
    gr_params p = class_params();
    const gr_dataset none = {0};
    float y[] = {1, 1, 1, 2, 2, 2, 3, 3, 3}, output[] = {-9, -2, 0.4f, 0.5f, 1, 1.4f, 1.5f, 3, 9};
    gr_dataset set = {.cases = 9, .y = y};
    gr_classes c;
    p.class_max = 3.0f;
    p.class_rule = GR_CLASS_THRESHOLDS;
    p.thresholds = 2;
    p.threshold[0] = 0.5f;
    p.threshold[1] = 1.5f;
    assert_int_equal(gr_classes_make(&p, &set, &none, output, &c, NULL), GR_OK);
    assert_true(c.accuracy == 1.0 && c.class[0].roc_area == 1.0 && c.class[2].roc_area == 1.0);
    gr_classes_free(&c);
}

/* Outputs far from a label are no ties where their distances to it would be as floats or doubles,
 * on either side of it; what is as far exactly is one. */
static void test_roc_of_small_outputs(void **state) {
    (void)state;
    gr_params p = class_params();
    const gr_dataset none = {0};
    float y[] = {0, 0, 0, 1, 1, 1, 2, 2}, output[] = {1, 2, 3, 4, 5, 6, 3, 4};
    gr_dataset set = {.cases = 8, .y = y};
    gr_classes c;
    p.class_min = 0.0f;
    p.class_max = 2.0f;
    for (int power = 9; power <= 30; power += 21) {
        for (int i = 0; i < 6; i++)
            output[i] = (float)((i + 1) * pow(10.0, -power));
        assert_int_equal(gr_classes_make(&p, &set, &none, output, &c, NULL), GR_OK);
        assert_true(c.class[1].roc_area == 1.0);
        gr_classes_free(&c);
    }
    /* about the label 1: one below it as far as one above, a little farther, a little nearer */
    float beside[3][2] = {{0.5f, 1.5f}, {-1e-30f, 2.0f}, {1e-30f, 2.0f}};
    const double area[3] = {0.5, 0.0, 1.0};
    float of[] = {1, 0, 2};
    set = (gr_dataset){.cases = 3, .y = of};
    for (int k = 0; k < 3;
         k++) { /* the one below is of class 1; behind both is one without a number */
        float at[] = {beside[k][0], beside[k][1], GR_NAN};
        assert_int_equal(gr_classes_make(&p, &set, &none, at, &c, NULL), GR_OK);
        assert_true(c.class[1].roc_area == (area[k] + 1.0) / 2.0);
        gr_classes_free(&c);
    }
}

/* One class alone has no ROC area; what is printed of that has no sign. */
static void test_one_class(void **state) {
    (void)state;
    gr_params p = class_params();
    const gr_dataset none = {0};
    float y[] = {2, 2}, output[] = {2, GR_NAN};
    gr_dataset set = {.cases = 2, .y = y};
    gr_classes c;
    assert_int_equal(gr_classes_make(&p, &set, &none, output, &c, NULL), GR_OK);
    assert_true(isnan(c.roc_area) && !signbit(c.roc_area));
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    gr_classes_print(&c, &set, out);
    fclose(out);
    assert_string_equal(text, "actual \\ predicted\t2\tnone\tprecision\trecall\tF1\tROC area\n"
                              "2\t1\t1\t1.0000\t0.5000\t0.6667\tnan\n");
    free(text);
    gr_classes_free(&c);
}

/* Share of the cases whose class is how many thresholds their output reaches. */
static double accuracy_by(const made *m, const float threshold[2]) {
    double right = 0;
    for (uint32_t i = 0; i < CASES; i++) {
        int reached = (m->output[i] >= threshold[0]) + (m->output[i] >= threshold[1]);
        right += !isnan(m->output[i]) && m->y[i] == (float)(1 + reached);
    }
    return right / CASES;
}

/* No two thresholds out of the outputs do better. */
static void test_thresholds(void **state) {
    (void)state;
    core_dice dice = {21};
    gr_params p = class_params();
    const gr_dataset none = {0};
    for (uint32_t round = 0; round < 20; round++) {
        made m;
        gr_classes c;
        float fitted[3], trial[3] = {0};
        double best = 0;
        make(&m, &dice, 3);
        if (round == 0) /* a class behind all outputs, and one before them */
            for (uint32_t i = 0; i < CASES; i++)
                m.y[i] = 2.0f;
        m.y[0] = 1.0f, m.y[1] = 3.0f;
        assert_int_equal(gr_classes_make(&p, &m.set, &none, m.output, &c, NULL), GR_OK);
        assert_int_equal(gr_fit_thresholds(&c, &p, &m.set, m.output, fitted, NULL), GR_OK);
        assert_true(fitted[0] <= fitted[1]);
        for (float a = -4.0f; a <= 8.0f; a += 0.25f)
            for (float b = a; b <= 8.0f; b += 0.25f) {
                trial[0] = a, trial[1] = b;
                double now = accuracy_by(&m, trial);
                assert_true(gr_threshold_accuracy(&c, &p, &m.set, m.output, trial) == now);
                best = now > best ? now : best;
            }
        assert_true(accuracy_by(&m, fitted) == best && best > 0.3 && best < 1.0);
        assert_true(gr_threshold_accuracy(&c, &p, &m.set, m.output, fitted) == best);
        gr_classes_free(&c);
    }
}

/* Infinite outputs are parted from finite ones, or lie below the threshold of a class that is not
 * used. */
static void test_infinite_outputs(void **state) {
    (void)state;
    gr_params p = class_params();
    const gr_dataset none = {0};
    float y[] = {1, 1, 2}, output[] = {GR_INFINITY, GR_INFINITY, 0}, fitted[2];
    gr_dataset set = {.cases = 3, .y = y};
    for (uint32_t turned = 0; turned < 2; turned++) {
        gr_classes c;
        assert_int_equal(gr_classes_make(&p, &set, &none, output, &c, NULL), GR_OK);
        assert_int_equal(gr_fit_thresholds(&c, &p, &set, output, fitted, NULL), GR_OK);
        double share = turned ? 1.0 : 2.0 / 3.0;
        assert_true(gr_threshold_accuracy(&c, &p, &set, output, fitted) == share);
        gr_classes_free(&c);
        output[0] = output[1] = -GR_INFINITY;
    }
}

/* Balanced accuracy: two classes, whatever the labels. */
static void test_two_classes(void **state) {
    (void)state;
    gr_params p = class_params();
    p.metric = GR_METRIC_BALANCED;
    p.threshold[0] = 0.5f;
    float y[4] = {-3, 0, 2, 5}, output[4] = {0.4f, 0.5f, 0.6f, GR_NAN};
    gr_dataset set = {.cases = 4, .y = y}, none = {0};
    gr_classes c;
    assert_int_equal(gr_classes_make(&p, &set, &none, output, &c, NULL), GR_OK);
    assert_int_equal(c.count, 2);
    const uint64_t expected[6] = {1, 1, 0, 1, 1, 0};
    assert_memory_equal(c.confusion, expected, sizeof expected);
    gr_classes_free(&c);
}

/* Ties count half: all outputs are equal, or one of each class are. */
static void test_ties(void **state) {
    (void)state;
    gr_params p = class_params();
    p.class_max = 2.0f;
    float y[5] = {1, 1, 2, 2, 2}, same[5] = {3, 3, 3, 3, 3}, some[5] = {1, 2, 2, 3, 0};
    gr_dataset set = {.cases = 5, .y = y}, none = {0};
    gr_classes c;
    assert_int_equal(gr_classes_make(&p, &set, &none, same, &c, NULL), GR_OK);
    assert_true(c.roc_area == 0.5 && c.class[0].roc_area == 0.5 && c.class[1].roc_area == 0.5);
    gr_classes_free(&c);
    assert_int_equal(gr_classes_make(&p, &set, &none, some, &c, NULL), GR_OK);
    /* of six pairs three are won (2 over 1, 3 over both) and one is a tie */
    assert_true(fabs(c.class[1].roc_area - 3.5 / 6) < 1e-12);
    assert_true(fabs(c.class[0].roc_area - 3.5 / 6) < 1e-12);
    gr_classes_free(&c);
}

static double number(const cJSON *object, const char *name) {
    const cJSON *found = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsNumber(found) ? found->valuedouble : (double)NAN;
}

/* The measures under their names, classes by their words. */
static void test_for_readers(void **state) {
    (void)state;
    gr_params p = class_params();
    p.class_min = 0.0f;
    p.class_max = 1.0f;
    char *labels[2] = {"no", "yes"}, *text = NULL;
    float y[6] = {0, 0, 0, 0, 1, 1}, output[6] = {0, 0, 0, 1, 1, GR_NAN};
    gr_dataset set = {.cases = 6, .y = y, .labels = labels, .label_count = 2}, none = {0};
    gr_classes c;
    size_t size;
    assert_int_equal(gr_classes_make(&p, &set, &none, output, &c, NULL), GR_OK);
    cJSON *whole = gr_classes_json(&c, &set);
    char *printed = cJSON_Print(whole);
    cJSON *json = cJSON_Parse(printed), *list = cJSON_GetObjectItem(json, "classes");
    const cJSON *no = cJSON_GetArrayItem(list, 0), *yes = cJSON_GetArrayItem(list, 1);
    assert_true(fabs(number(json, "accuracy") - 4.0 / 6) < 1e-8);
    assert_true(fabs(number(json, "macro_f1") - (6.0 / 7 + 0.5) / 2) < 1e-8);
    assert_string_equal(cJSON_GetObjectItem(no, "label")->valuestring, "no");
    assert_string_equal(cJSON_GetObjectItem(yes, "label")->valuestring, "yes");
    assert_true(number(no, "cases") == 4 && number(yes, "cases") == 2);
    assert_true(number(no, "precision") == 1 && number(no, "recall") == 0.75);
    assert_true(number(yes, "precision") == 0.5 && number(yes, "recall") == 0.5);
    assert_true(number(yes, "f1") == 0.5);
    /* pairs of a yes and a no: 3.5 of 4 for the first, none for the one without an output */
    assert_true(number(yes, "roc_area") == 3.5 / 8);
    assert_int_equal(cJSON_GetArrayItem(cJSON_GetObjectItem(yes, "predicted"), 2)->valuedouble, 1);
    FILE *out = open_memstream(&text, &size);
    gr_classes_print(&c, &set, out);
    fclose(out);
    assert_string_equal(text, "actual \\ predicted\tno\tyes\tnone\tprecision\trecall\tF1\tROC "
                              "area\nno\t3\t1\t0\t1.0000\t0.7500\t0.8571\t0.9375\n"
                              "yes\t0\t1\t1\t0.5000\t0.5000\t0.5000\t0.4375\n");
    free(text);
    cJSON_Delete(json);
    cJSON_free(printed);
    cJSON_Delete(whole);
    gr_classes_free(&c);
}

/* Beyond GR_SHOWN_CLASSES no matrix, all else as below; the work of thresholds has its bound. */
static void test_many_classes(void **state) {
    (void)state;
    enum { MOST = GR_SHOWN_CLASSES + 1 };
    gr_params p = class_params();
    float y[MOST], output[MOST];
    p.class_min = 0.0f;
    p.class_max = MOST - 1;
    for (uint32_t k = 0; k < MOST; k++) {
        y[k] = (float)k;
        output[k] = (float)(k / 2 * 2); /* even ones are right */
    }
    for (uint32_t n = MOST - 1; n <= MOST; n++) {
        gr_dataset set = {.cases = n, .y = y}, none = {0};
        gr_classes c;
        assert_int_equal(gr_classes_make(&p, &set, &none, output, &c, NULL), GR_OK);
        assert_int_equal(c.count, n);
        assert_true((c.confusion != NULL) == (n <= GR_SHOWN_CLASSES));
        assert_true(c.accuracy == (double)((n + 1) / 2) / n);
        assert_true(c.class[4].precision == 0.5 && c.class[4].recall == 1 &&
                    c.class[5].recall == 0);
        assert_true(c.class[4].cases == 1 && c.class[4].predicted == 2 && c.class[4].right == 1);
        cJSON *json = gr_classes_json(&c, &set);
        const cJSON *row = cJSON_GetObjectItem(
            cJSON_GetArrayItem(cJSON_GetObjectItem(json, "classes"), 3), "predicted");
        assert_int_equal(cJSON_IsNull(row), n > GR_SHOWN_CLASSES);
        cJSON_Delete(json);
        char *text = NULL;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        gr_classes_print(&c, &set, out);
        fclose(out);
        static const char head[] = "actual\tcases\tright\tprecision\trecall\tF1\tROC area\n"
                                   "0\t1\t1\t0.5000\t1.0000\t0.6667\t";
        assert_true(n <= GR_SHOWN_CLASSES || strncmp(text, head, strlen(head)) == 0);
        free(text);
        gr_dataset large = {.cases = (1u << 27) / n};
        assert_true(gr_can_fit_thresholds(&c, &large));
        large.cases++;
        assert_false(gr_can_fit_thresholds(&c, &large));
        gr_classes_free(&c);
    }
}

/* Thresholds of class rule "fitted" are those of the run: a case of weight k as k equal ones. */
static void test_weights(void **state) {
    (void)state;
    core_dice dice = {11};
    int moved = 0;
    for (int round = 0; round < 50; round++) {
        made m;
        float w[CASES], y[3 * CASES], output[3 * CASES];
        gr_dataset copies = {.y = y};
        gr_params given = class_params(), fitted[3];
        make(&m, &dice, 4);
        for (uint32_t i = 0; i < CASES; i++) {
            w[i] = (float)(1 + core_roll(&dice, 3));
            for (uint32_t k = 0; k < (uint32_t)w[i]; k++, copies.cases++) {
                y[copies.cases] = m.y[i];
                output[copies.cases] = m.output[i];
            }
        }
        given.class_rule = GR_CLASS_FITTED;
        given.thresholds = 3;
        for (int k = 0; k < 3; k++)
            fitted[k] = given;
        fitted[0].case_weights = 1;
        fitted[0].bin_scale = gr_bin_scale((double)copies.cases);
        m.set.w = w;
        assert_int_equal(gr_fix_thresholds(&fitted[0], &m.set, m.output, NULL), GR_OK);
        assert_int_equal(gr_fix_thresholds(&fitted[1], &copies, output, NULL), GR_OK);
        assert_int_equal(gr_fix_thresholds(&fitted[2], &m.set, m.output, NULL), GR_OK);
        size_t size = 3 * sizeof *given.threshold;
        assert_memory_equal(fitted[0].threshold, fitted[1].threshold, size);
        moved |= memcmp(fitted[0].threshold, fitted[2].threshold, size) != 0;
    }
    assert_true(moved);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_roc),
        cmocka_unit_test(test_thresholds),
        cmocka_unit_test(test_infinite_outputs),
        cmocka_unit_test(test_two_classes),
        cmocka_unit_test(test_ties),
        cmocka_unit_test(test_many_classes),
        cmocka_unit_test(test_for_readers),
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_roc_of_numbers),
        cmocka_unit_test(test_roc_between_thresholds),
        cmocka_unit_test(test_roc_between_halves),
        cmocka_unit_test(test_roc_of_small_outputs),
        cmocka_unit_test(test_one_class),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
