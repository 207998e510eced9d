/* host/device/choose.c: which backend ends first, and that a GPU is asked for only where it may. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/device/choose.h"
#include "host/settings/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A GPU that notes whether it was looked for. */
static int there, asked;
static int fake_available(char *line, size_t size) {
    asked++;
    snprintf(line, size, there ? "a fake" : "no CUDA device: none");
    return there;
}
static const gr_backend fake = {.name = "fake", .available = fake_available};

static gr_job job_of(uint32_t individuals, uint32_t generations, uint32_t cases) {
    gr_job job = {.params = {.individuals = individuals,
                             .generations = generations,
                             .train_cases = cases,
                             .max_nodes = 500,
                             .genotype = GR_TREE,
                             .functions = 2,
                             .function = {GR_ADD, GR_SIN}},
                  .threads = 1};
    return job;
}

static int by_gpu(uint32_t individuals, uint32_t generations, uint32_t cases, uint32_t threads) {
    gr_job job = job_of(individuals, generations, cases);
    gr_work work = gr_work_of(&job);
    char why[256];
    return gr_gpu_ends_first(&work, &gr_first_rates, threads, why, sizeof why);
}

/* Far from the border it is as it was measured: nguyen-1 takes 0.02 s on a CPU and 0.34 on a GPU,
 * 50 generations of 1000 trees on 100 000 cases 60 s on two threads and 0.4 on a GPU. */
static void test_estimate(void **state) {
    (void)state;
    assert_int_equal(by_gpu(1000, 50, 20, 1), 0);
    assert_int_equal(by_gpu(1000, 50, 20, 16), 0);
    assert_int_equal(by_gpu(1, 0, 1, 1), 0);
    assert_int_equal(by_gpu(1000, 50, 100000, 16), 1);
    assert_int_equal(by_gpu(1000000, 20, 128, 16), 1);
    assert_int_equal(by_gpu(1000, 500, 1000, 1), 1);
    assert_int_equal(by_gpu(1000, 500, 1000, 64), 0);
}

/* What was learned decides: a GPU that starts at once takes more, a slow one less. */
static void test_learned(void **state) {
    (void)state;
    gr_job job = job_of(1000, 50, 100);
    gr_work work = gr_work_of(&job);
    gr_known_rates rates = gr_first_rates;
    char why[256];
    assert_int_equal(gr_gpu_ends_first(&work, &rates, 1, why, sizeof why), 0);
    rates.gpu.start = 0.02;
    assert_int_equal(gr_gpu_ends_first(&work, &rates, 1, why, sizeof why), 1);
    rates.gpu.generation = 0.005;
    assert_int_equal(gr_gpu_ends_first(&work, &rates, 1, why, sizeof why), 0);
    assert_string_equal(why, "device: auto, estimated 0.11 s on the CPU, 0.28 s on a GPU");
}

static const gr_backend *choose(uint32_t device, const gr_job *job, const gr_backend *cuda,
                                char why[256]) {
    const gr_candidates candidates = {device, job, cuda};
    const gr_backend *backend = NULL;
    gr_error error = {GR_OK, ""};
    gr_status status = gr_choose(&candidates, &backend, why, 256, &error);
    if (status)
        snprintf(why, 256, "%d %.200s", (int)status, error.text);
    return status ? NULL : backend;
}

static void test_candidates(void **state) {
    (void)state;
    gr_job small = job_of(1000, 50, 20), large = job_of(100000, 50, 100000);
    char why[256];
    there = 1;
    asked = 0;
    assert_ptr_equal(choose(GR_DEVICE_CPU, &large, &fake, why), &gr_backend_cpu);
    assert_string_equal(why, "device: cpu was asked for");
    assert_ptr_equal(choose(GR_AUTO, &small, &fake, why), &gr_backend_cpu);
    assert_int_equal(strncmp(why, "device: auto, estimated 0.", 26), 0);
    assert_int_equal(asked, 0); /* loading CUDA would take longer than the run */
    assert_ptr_equal(choose(GR_AUTO, &large, &fake, why), &fake);
    assert_int_equal(strncmp(why, "device: auto, estimated ", 24), 0);
    assert_int_equal(asked, 1);
    assert_ptr_equal(choose(GR_DEVICE_CUDA, &small, &fake, why), &fake);
    assert_string_equal(why, "device: cuda was asked for");
    assert_ptr_equal(choose(GR_AUTO, NULL, &fake, why), &fake); /* math: fast, benchmarks */
    assert_string_equal(why, "a CUDA device is usable");
    gr_job typed = large;
    typed.params.niches = 512;
    typed.type_words = 1;
    assert_ptr_equal(choose(GR_AUTO, &typed, &fake, why), &fake);
    gr_job doubles = large;
    doubles.params.doubles = 1;
    assert_ptr_equal(choose(GR_AUTO, &doubles, &fake, why), &fake);
    doubles = small;
    doubles.params.doubles = 1;
    assert_ptr_equal(choose(GR_AUTO, &doubles, &fake, why), &gr_backend_cpu);
    there = 0;
    assert_ptr_equal(choose(GR_AUTO, &large, &fake, why), &gr_backend_cpu);
    assert_string_equal(why, "no CUDA: no CUDA device: none");
    assert_null(choose(GR_DEVICE_CUDA, &small, &fake, why));
    assert_string_equal(why, "5 device cuda: no CUDA device: none; expected a usable CUDA device, "
                             "or device cpu or auto");
}

static void test_built_without(void **state) {
    (void)state;
    gr_job small = job_of(1000, 50, 20);
    char why[256];
    assert_ptr_equal(choose(GR_AUTO, &small, NULL, why), &gr_backend_cpu);
    assert_string_equal(why, "no CUDA: this grampus was built without CUDA");
    assert_null(choose(GR_DEVICE_CUDA, &small, NULL, why));
    assert_string_equal(why, "5 device cuda: this grampus was built without CUDA; expected a "
                             "usable CUDA device, or device cpu or auto");
#ifndef GRAMPUS_CUDA
    const gr_backend *backend = NULL;
    gr_error error;
    assert_int_equal(gr_choose_backend(GR_AUTO, &small, &backend, why, sizeof why, &error), GR_OK);
    assert_ptr_equal(backend, &gr_backend_cpu);
#endif
}

static int set_up(void **state) {
    (void)state;
    return setenv("XDG_CACHE_HOME", "/dev/null", 1); /* nothing learned */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_estimate), cmocka_unit_test(test_learned),
        cmocka_unit_test(test_candidates), cmocka_unit_test(test_built_without)};
    return cmocka_run_group_tests_name("choose", tests, set_up, NULL);
}
