/* Computed problems: grids, uniform samples, targets in the core's arithmetic, truth tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu/core/base/rng.h"
#include "gpu/core/program/evaluate.h"
#include "host/expression/reader.h"
#include "tests/datasets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void free_both(gr_dataset *train, gr_dataset *test) {
    gr_dataset_free(train);
    gr_dataset_free(test);
}

/* Values do not depend on the threads, nor on how many cases there are; targets are what programs
 * are evaluated to, bit by bit. */
static void threads(void **state) {
    (void)state;
    static const char expression[] = "sin(x) * exp(y) / (x - 2 * y) + pow(abs(x), 0.3) - tanh(y)";
    gr_dataset one, other, few, test;
    assert_string_equal(
        make(OPTIONS("target-expression", expression, "variables", "x, y = uniform(-3, 5)",
                     "train-cases", "300001", "threads", "1"),
             &one, &test),
        "");
    assert_string_equal(
        make(OPTIONS("target-expression", expression, "variables", "x, y = uniform(-3, 5)",
                     "train-cases", "300001", "threads", "3"),
             &other, &test),
        "");
    assert_memory_equal(one.x, other.x, 2 * one.cases * sizeof *one.x);
    assert_memory_equal(one.y, other.y, one.cases * sizeof *one.y);
    assert_memory_equal(one.tiles, other.tiles, 293 * 3 * GR_CHUNK * sizeof *one.tiles);
    assert_string_equal(make(OPTIONS("target-expression", expression, "variables",
                                     "x, y = uniform(-3, 5)", "train-cases", "1027"),
                             &few, &test),
                        "");
    assert_memory_equal(one.y, few.y, few.cases * sizeof *one.y);
    gr_vocabulary vocabulary = {(const char *const *)one.names, one.inputs, 0, 0, 0, 0};
    gr_node *nodes;
    uint32_t count;
    gr_error error;
    float stack[64];
    assert_int_equal(gr_read_expression(expression, "e", &vocabulary, &nodes, &count, &error),
                     GR_OK);
    for (uint64_t c = 0; c < one.cases; c += c < 3000 ? 1 : 997) {
        float x[2] = {one.x[c], one.x[one.cases + c]};
        float y = gr_evaluate_case(nodes, count, x, stack);
        assert_memory_equal(&one.y[c], &y, sizeof y);
    }
    free(nodes);
    gr_dataset_free(&one);
    gr_dataset_free(&other);
    gr_dataset_free(&few);
}

/* Of many targets that are not finite the first is told, whoever finds his first. */
static void first_wrong(void **state) {
    (void)state;
    gr_dataset train, test;
    for (int k = 0; k < 5; k++)
        assert_string_equal(
            make(OPTIONS("target-expression", "1 / (x - x * (x > 1000))", "variables",
                         "x = linspace(0.5, 400000.5, 400001)", "threads", k % 2 ? "1" : "4"),
                 &train, &test),
            "target-expression is inf where x = 1000.5; expected finite values");
    assert_string_equal(make(OPTIONS("target-expression", "(x - x) / (x - x)", "variables",
                                     "x = linspace(1, 2, 2)"),
                             &train, &test),
                        "target-expression is nan where x = 1; expected finite values");
}

/* Pospichal's 128 points 10 i / 127. */
static void linspace(void **state) {
    (void)state;
    gr_dataset train, test;
    assert_string_equal(
        make(OPTIONS("target-expression", "x0 + x0*x0", "variables", "x0 = linspace(0, 10, 128)"),
             &train, &test),
        "");
    assert_int_equal(train.inputs, 1);
    assert_int_equal(train.cases, 128);
    assert_int_equal(test.cases, 0);
    assert_string_equal(train.names[0], "x0");
    for (uint32_t i = 0; i < 128; i++) {
        float x = (float)(10.0 * i / 127.0), product = x * x, y = x + product;
        assert_memory_equal(&train.x[i], &x, sizeof x);
        assert_memory_equal(&train.y[i], &y, sizeof y);
    }
    free_both(&train, &test);
}

/* Pagie-1: 26 x 26 points, the last variable fastest; 100 x 100 test points. */
static void grids(void **state) {
    (void)state;
    gr_dataset train, test;
    assert_string_equal(make(OPTIONS("target-expression", "x - y", "variables",
                                     " x=grid(-5, 5, 0.4) ; y = grid( -5,5 , 0.4);",
                                     "test-variables", "x, y = grid(-5, 4.9, 0.1)"),
                             &train, &test),
                        "");
    assert_int_equal(train.cases, 676);
    assert_int_equal(test.cases, 10000);
    for (uint32_t i = 0; i < 676; i++) {
        float x = (float)(-5.0 + i / 26 * 0.4), y = (float)(-5.0 + i % 26 * 0.4);
        assert_memory_equal(&train.x[i], &x, sizeof x);
        assert_memory_equal(&train.x[676 + i], &y, sizeof y);
    }
    assert_true(train.x[675] == 5.0f);
    free_both(&train, &test);
}

static void uniform(void **state) {
    (void)state;
    gr_dataset train, test, again;
    const char *const *options =
        OPTIONS("target-expression", "a*b", "variables", "a, b = uniform(-3, 1)", "train-cases",
                "1001", "test-cases", "7", "data-seed", "4294967303");
    assert_string_equal(make(options, &train, &test), "");
    assert_int_equal(train.cases, 1001);
    assert_int_equal(test.cases, 7);
    double sum = 0;
    for (uint32_t i = 0; i < 2002; i++) {
        assert_true(train.x[i] >= -3 && train.x[i] <= 1);
        sum += (double)train.x[i];
    }
    assert_true(fabs(sum / 2002 + 1) < 0.1);
    /* a draw belongs to seed, set, variable and case */
    gr_block block = gr_philox(1, 1, 0, GR_PURPOSE_DATA, 7, 1);
    float wanted = (float)(-3 + 4 * (block.word[2] * 0x1p-32));
    assert_memory_equal(&train.x[1001 + 6], &wanted, sizeof wanted);
    assert_memory_not_equal(train.x, test.x, 7 * sizeof(float));
    gr_dataset_free(&test);
    assert_string_equal(make(options, &again, &test), "");
    assert_memory_equal(train.x, again.x, 2002 * sizeof(float));
    assert_memory_equal(train.y, again.y, 1001 * sizeof(float));
    gr_dataset_free(&again);
    free_both(&train, &test);
}

static void bad_variables(void **state) {
    (void)state;
    static const struct {
        const char *variables, *message;
    } cases[] = {
        {"x", "cannot read variables at character 2, ''; expected '='"},
        {"x = normal(0, 1)", "cannot read variables at character 5, 'normal(0, 1)'; expected "
                             "uniform(a, b), grid(a, b, step) or linspace(a, b, n)"},
        {"x = uniform(0)", "cannot read variables at character 14, ')'; expected ','"},
        {"x = uniform(0, nan)", "cannot read variables at character 16, 'nan)'; expected a number"},
        {"x = uniform(1, 0)", "cannot read variables at character 17, ')'; expected a range that "
                              "does not fall"},
        {"x = grid(0, 1, 0)", "cannot read variables at character 17, ')'; expected a step that "
                              "gives 1 to 1000000000 points"},
        {"x = linspace(0, 1, 2.5)", "cannot read variables at character 23, ')'; expected a number "
                                    "of points from 1 to 1000000000"},
        {"x = grid(0, 1, 1); x = grid(0, 1, 1)", "cannot read variables at character 20, "
                                                 "'x = grid(0, 1, 1)'; expected a name that is "
                                                 "not taken"},
        {"and = grid(0, 1, 1)", "cannot read variables at character 1, 'and = grid(0, 1, 1)'; "
                                "expected the name of a variable"},
        {"x = grid(0, 1, 1) y", "cannot read variables at character 19, 'y'; expected ';' or the "
                                "end"},
        {"x = uniform(0, 1)", "uniform variables without train-cases; expected their number"},
        {"x = uniform(0, 1); y = grid(0, 1, 1)",
         "uniform and grid variables together; expected one kind"},
        {"x, y = grid(0, 1, 0.00001)",
         "variables: a grid of more than 1000000000 cases; expected fewer"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gr_dataset train, test;
        assert_string_equal(
            make(OPTIONS("target-expression", "x", "variables", cases[i].variables), &train, &test),
            cases[i].message);
        assert_null(train.x);
    }
}

static void bad_targets(void **state) {
    (void)state;
    gr_dataset train, test;
    const char *variables = "x = grid(-1, 1, 1)";
    const char *text =
        make(OPTIONS("target-expression", "x +", "variables", variables), &train, &test);
    assert_non_null(strstr(text, "target-expression:1:"));
    text = make(OPTIONS("target-expression", "log(x)", "variables", variables), &train, &test);
    assert_non_null(strstr(text, "where x = -1; expected finite values"));
    text = make(OPTIONS("target-expression", "x", "variables", variables, "train-cases", "5"),
                &train, &test);
    assert_string_equal(text,
                        "train-cases for a grid of 3 cases; expected it for uniform variables");
    text = make(OPTIONS("target-expression", "x", "variables", variables, "test-cases", "5"),
                &train, &test);
    assert_string_equal(text, "test-cases for a grid; expected test-variables");
    text = make(OPTIONS("target-expression", "x", "variables", variables, "test-variables",
                        "y = grid(0, 1, 1)"),
                &train, &test);
    assert_string_equal(text,
                        "test-variables differ from variables; expected the same names in the "
                        "same order");
}

static uint32_t bit(const uint32_t *words, uint64_t c) {
    return words[c / 32] >> (c % 32) & 1;
}

static void multiplexers(void **state) {
    (void)state;
    static const struct {
        const char *name;
        uint32_t inputs, address;
    } cases[] = {{"multiplexer-3", 3, 1},
                 {"multiplexer-6", 6, 2},
                 {"multiplexer-11", 11, 3},
                 {"multiplexer-20", 20, 4}};
    for (size_t k = 0; k < 4; k++) {
        gr_dataset train, test;
        assert_string_equal(make(OPTIONS("boolean", cases[k].name), &train, &test), "");
        assert_int_equal(train.inputs, cases[k].inputs);
        assert_int_equal(train.cases, 1u << cases[k].inputs);
        assert_int_equal(train.words, (train.cases + 31) / 32);
        assert_true(train.packed);
        assert_null(train.x);
        assert_string_equal(train.names[0], "A0");
        assert_string_equal(train.names[cases[k].address], "D0");
        uint64_t wrong = 0;
        for (uint64_t c = 0; c < train.cases; c++) {
            uint64_t address = c & ((1u << cases[k].address) - 1);
            wrong += bit(train.wy, c) != (c >> (cases[k].address + address) & 1);
            for (uint32_t i = 0; i < train.inputs; i++)
                wrong += bit(train.wx + i * train.words, c) != (c >> i & 1);
        }
        assert_int_equal(wrong, 0);
        free_both(&train, &test);
    }
}

static void parities(void **state) {
    (void)state;
    for (uint32_t n = 1; n <= 20; n++)
        for (uint32_t odd = 0; odd < 2; odd++) {
            gr_dataset train, test;
            char name[32];
            snprintf(name, sizeof name, "%sparity-%lu", odd ? "odd-" : "", (unsigned long)n);
            assert_string_equal(make(OPTIONS("boolean", name), &train, &test), "");
            uint64_t wrong = 0;
            for (uint64_t c = 0; c < train.cases; c++)
                wrong += bit(train.wy, c) != ((uint32_t)__builtin_parityll(c) == odd);
            assert_int_equal(wrong, 0);
            assert_string_equal(train.names[0], "x0");
            if (n < 5) /* bits past the last case */
                assert_int_equal(train.wy[0] >> (1u << n) | train.wx[0] >> (1u << n), 0);
            free_both(&train, &test);
        }
}

/* PonyGE2's other functions. */
static void comparators(void **state) {
    (void)state;
    gr_dataset train, test, again;
    for (uint32_t n = 2; n <= 12; n += 2) {
        char name[32];
        snprintf(name, sizeof name, "comparator-%lu", (unsigned long)n);
        assert_string_equal(make(OPTIONS("boolean", name), &train, &test), "");
        uint64_t wrong = 0;
        for (uint64_t c = 0; c < train.cases; c++) {
            uint32_t a = 0, b = 0; /* the first input of a half is its highest bit */
            for (uint32_t i = 0; i < n / 2; i++) {
                a = 2 * a + (uint32_t)(c >> i & 1);
                b = 2 * b + (uint32_t)(c >> (n / 2 + i) & 1);
            }
            wrong += bit(train.wy, c) != (a < b);
        }
        assert_int_equal(wrong, 0);
        free_both(&train, &test);
    }
    assert_string_equal(make(OPTIONS("boolean", "true-3"), &train, &test), "");
    assert_int_equal(train.wy[0], 0xff);
    free_both(&train, &test);
    assert_string_equal(make(OPTIONS("boolean", "random-8", "data-seed", "5"), &train, &test), "");
    assert_string_equal(make(OPTIONS("boolean", "random-8", "data-seed", "6"), &again, &test), "");
    uint32_t ones = 0;
    for (uint32_t w = 0; w < 8; w++)
        ones += (uint32_t)__builtin_popcount(train.wy[w]);
    assert_true(ones > 90 && ones < 166);
    assert_int_not_equal(memcmp(train.wy, again.wy, 32), 0);
    free_both(&train, &test);
    free_both(&again, &test);
}

static void bad_booleans(void **state) {
    (void)state;
    static const char *const names[] = {
        "multiplexer-4", "multiplexer-", "parity-0",       "parity-x",
        "comparator-3",  "xor",          "multiplexer-6x", "-3"};
    gr_dataset train, test;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_non_null(
            strstr(make(OPTIONS("boolean", names[i]), &train, &test),
                   "'; expected multiplexer-3, -6, -11 or -20, parity-N, odd-parity-N, "));
    assert_string_equal(make(OPTIONS("boolean", "parity-21"), &train, &test),
                        "boolean: parity-21 has 2^21 cases; expected at most 20 inputs");
    assert_string_equal(make(OPTIONS("boolean", "multiplexer-37"), &train, &test),
                        "boolean: multiplexer-37 has 2^37 cases; expected at most 20 inputs");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linspace),     cmocka_unit_test(grids),
        cmocka_unit_test(uniform),      cmocka_unit_test(bad_variables),
        cmocka_unit_test(threads),      cmocka_unit_test(first_wrong),
        cmocka_unit_test(bad_targets),  cmocka_unit_test(multiplexers),
        cmocka_unit_test(comparators),  cmocka_unit_test(parities),
        cmocka_unit_test(bad_booleans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
