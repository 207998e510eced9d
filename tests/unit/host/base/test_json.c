/* host/base/json.h: numbers read back as the float they were, whole ones with all their digits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "host/base/json.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The text of {"a": ...} made by one of the functions. */
static void check(cJSON *object, const char *expected) {
    char *text = cJSON_PrintUnformatted(object);
    assert_string_equal(text, expected);
    cJSON_free(text);
    cJSON_Delete(object);
}

static cJSON *with_float(double value) {
    cJSON *object = cJSON_CreateObject();
    gr_json_add_float(object, "a", value);
    return object;
}

static cJSON *with_whole(unsigned long long value) {
    cJSON *object = cJSON_CreateObject();
    gr_json_add_whole(object, "a", value);
    return object;
}

static void test_floats(void **state) {
    (void)state;
    check(with_float(1.0), "{\"a\":1}");
    check(with_float((double)0.1f), "{\"a\":0.100000001}");
    check(with_float(-2.5e-30), "{\"a\":-2.5e-30}");
    check(with_float((double)INFINITY), "{\"a\":\"inf\"}");
    check(with_float(-(double)INFINITY), "{\"a\":\"-inf\"}");
    check(with_float((double)NAN), "{\"a\":null}"); /* no such value */
    cJSON *nan = gr_json_float((double)NAN);        /* but an output of a program is one */
    assert_string_equal(nan->valuestring, "nan");
    cJSON_Delete(nan);
    uint32_t bits = 1;
    for (int i = 0; i < 20000; i++) {
        float value, back;
        bits = bits * 1664525u + 1013904223u;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        cJSON *item = gr_json_float((double)value);
        char *text = cJSON_PrintUnformatted(item);
        back = strtof(text, NULL);
        assert_memory_equal(&back, &value, sizeof value);
        cJSON_free(text);
        cJSON_Delete(item);
    }
}

static void test_whole_numbers(void **state) {
    (void)state;
    check(with_whole(0), "{\"a\":0}");
    check(with_whole(9007199254740993ull), "{\"a\":9007199254740993}"); /* no double */
    check(with_whole(UINT64_MAX), "{\"a\":18446744073709551615}");
}

/* An array of one text; none, and the largest. */
static void test_words(void **state) {
    (void)state;
    const uint32_t words[] = {0, 4294967295u, 70};
    cJSON *object = cJSON_CreateObject();
    gr_json_add_words(object, "genome", words, 3);
    gr_json_add_words(object, "nothing", words, 0);
    char *text = cJSON_PrintUnformatted(object);
    assert_string_equal(text, "{\"genome\":[0, 4294967295, 70],\"nothing\":[]}");
    cJSON_free(text);
    cJSON_Delete(object);
}

static void test_texts(void **state) {
    (void)state;
    cJSON *object = cJSON_CreateObject();
    gr_json_add_text(object, "a", "say \"x\"\n");
    gr_json_add_text(object, "b", NULL);
    gr_json_add_text(object, "c", "");
    check(object, "{\"a\":\"say \\\"x\\\"\\n\",\"b\":null,\"c\":\"\"}");
}

static void test_write(void **state) {
    (void)state;
    char *text = NULL;
    size_t size;
    gr_error error = {GR_OK, ""};
    cJSON *object = with_whole(3);
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(gr_json_write(object, 0, out, "somewhere", &error), GR_OK);
    assert_int_equal(gr_json_write(object, 1, out, "somewhere", &error), GR_OK);
    fclose(out);
    assert_string_equal(text, "{\"a\":3}\n{\n\t\"a\":\t3\n}\n");
    free(text);
    out = fopen("/dev/full", "w");
    if (out) {
        setvbuf(out, NULL, _IONBF, 0);
        assert_int_equal(gr_json_write(object, 0, out, "somewhere", &error), GR_FAILED);
        assert_string_equal(error.text, "somewhere: No space left on device");
        fclose(out);
    }
    assert_int_equal(gr_json_write(NULL, 0, stdout, "somewhere", &error), GR_NO_MEMORY);
    cJSON_Delete(object);
}

/* Once cJSON has had no memory, nothing is written: what is missing cannot be told. */
static void test_lost(void **state) {
    (void)state;
    gr_error error = {GR_OK, ""};
    gr_json_watch_memory();
    cJSON *object = cJSON_CreateObject();
    gr_json_add_text(object, "a", "b");
    assert_false(gr_json_lost());
    char *text = NULL;
    size_t size;
    gr_json_lose(); /* as an allocation that fails does, which tests/e2e/out_of_memory.py tries */
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(gr_json_write(object, 0, out, "somewhere", &error), GR_NO_MEMORY);
    assert_string_equal(error.text, "somewhere: out of memory while writing");
    fclose(out);
    assert_int_equal(size, 0);
    free(text);
    cJSON_Delete(object);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_floats),
        cmocka_unit_test(test_whole_numbers),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_write),
        cmocka_unit_test(test_lost), /* last: what is lost stays so */
    };
    return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
