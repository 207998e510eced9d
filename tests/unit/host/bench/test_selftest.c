/* host/bench/selftest.c: the known answers are those of this build, and a backend that gives others
 * is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu/core/state/state.h"
#include "host/bench/selftest.h"
#include "host/cpu/evaluate.h"

#include <stdio.h>
#include <string.h>

static void test_answers(void **state) {
    (void)state;
    for (int i = 0; i < gr_check_count; i++) {
        char wrong[512] = "";
        if (!gr_checks[i].check(&gr_backend_cpu, wrong, sizeof wrong))
            fail_msg("%s: %s", gr_checks[i].name, wrong);
    }
}

/* The CPU, but for one bit of one record. */
static uint32_t generation, flip;

static gr_status advance(gr_engine *engine, void (*tick)(void *, uint32_t), void *context,
                         const gr_record **records, uint32_t *generations, int *finished,
                         gr_error *error) {
    gr_status status =
        gr_backend_cpu.advance(engine, tick, context, records, generations, finished, error);
    uint32_t bits;
    for (uint32_t k = 0; !status && k < *generations; k++, generation++)
        if (generation == flip) {
            float *cost = &((gr_record *)(uintptr_t)*records)[k].best_cost;
            memcpy(&bits, cost, sizeof bits);
            bits ^= 1;
            memcpy(cost, &bits, sizeof bits);
        }
    return status;
}

static void test_wrong_backend(void **state) {
    (void)state;
    gr_backend other = gr_backend_cpu;
    other.advance = advance;
    uint32_t told = 0, runs = 0;
    for (int i = 0; i < gr_check_count; i++) {
        char wrong[512] = "";
        if (!gr_checks[i].on_backend)
            continue;
        generation = 0;
        flip = UINT32_MAX; /* nothing is changed: right */
        assert_true(gr_checks[i].check(&other, wrong, sizeof wrong));
        assert_true(generation > 1);
        flip = generation - 1;
        generation = 0;
        told += !gr_checks[i].check(&other, wrong, sizeof wrong) && *wrong && !strchr(wrong, '\n');
        runs++;
    }
    assert_true(runs >= 3 && told == runs);
}

/* An interpreter with one wrong bit in its last output (ld --wrap). */
const gr_cpu_interpreter *__real_gr_cpu_best_interpreter(void);
const gr_cpu_interpreter *__wrap_gr_cpu_best_interpreter(void);
static int spoils;

static void predict(const gr_instruction *program, uint32_t length, const float *tile,
                    uint32_t cases, gr_cpu_registers *registers, float *output) {
    uint32_t bits;
    __real_gr_cpu_best_interpreter()->predict(program, length, tile, cases, registers, output);
    memcpy(&bits, &output[cases - 1], sizeof bits);
    bits ^= 1;
    memcpy(&output[cases - 1], &bits, sizeof bits);
}

const gr_cpu_interpreter *__wrap_gr_cpu_best_interpreter(void) {
    static gr_cpu_interpreter spoiled;
    spoiled = *__real_gr_cpu_best_interpreter();
    spoiled.predict = predict;
    return spoils ? &spoiled : __real_gr_cpu_best_interpreter();
}

static void test_wrong_interpreter(void **state) {
    (void)state;
    int told = 0;
    spoils = 1;
    for (int i = 0; i < gr_check_count; i++) {
        char wrong[512] = "";
        unsigned nodes, is, instead;
        if (gr_checks[i].check(&gr_backend_cpu, wrong, sizeof wrong))
            continue;
        told += sscanf(wrong, "a tree of %u nodes gives %x instead of %x", &nodes, &is, &instead) ==
                    3 &&
                (is ^ instead) == 1;
    }
    spoils = 0;
    assert_int_equal(told, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_answers),
                                       cmocka_unit_test(test_wrong_backend),
                                       cmocka_unit_test(test_wrong_interpreter)};
    return cmocka_run_group_tests_name("self-test", tests, NULL, NULL);
}
