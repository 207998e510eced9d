/* gpu/interpreter/interpreter.c and gpu/interpreter/tuner.c without a device: the generated text is
 * whole, every instruction has a handler of its own, and what the tuner chooses fits. Running it is
 * tests/gpu's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#ifdef GRAMPUS_CUDA
#include "gpu/core/program/linear.h"
#include "gpu/interpreter/tuner.h"

#include <stdlib.h>
#include <string.h>

/* ---- the generator ---- */

static uint32_t count(const char *text, const char *word) {
    uint32_t n = 0;
    for (; (text = strstr(text, word)); text += strlen(word))
        n++;
    return n;
}

/* Notes that handlers [first, first + many) belong to one form; they must be nobody else's. */
static void claim(char *taken, const gr_code *code, uint32_t first, uint32_t many) {
    assert_true(first > 0 && first + many <= code->handlers);
    for (uint32_t k = first; k < first + many; k++) {
        assert_false(taken[k]);
        taken[k] = 1;
    }
}

static void check_machine(const gr_machine *m) {
    static gr_code code;
    char *text = gr_interpreter_ptx(m, &code), *taken, label[32];
    uint32_t inputs = m->register_inputs ? m->register_inputs : 1;
    assert_non_null(text);
    assert_int_equal(count(text, "GRAMPUS_"), 0); /* every mark of evaluate.cu was replaced */
    /* The same in every build: the text is the key of the disk's cache. */
    assert_int_equal(count(text, "_INTERNAL_"), count(text, "_INTERNAL_00000000_"));
    assert_int_equal(count(text, ".entry " GR_INTERPRETER_KERNEL "("), 1);
    assert_int_equal(count(text, ".branchtargets"), 1 + (strstr(text, "TAILS: ") != NULL));
    for (uint32_t k = 0; k < code.handlers; k++) {
        snprintf(label, sizeof label, "\nH%u:\n", k);
        assert_int_equal(count(text, label), 1);
    }
    taken = calloc(code.handlers + 1, 1);
    for (uint32_t op = GR_INPUT + 1; op < GR_OP_COUNT; op++) {
        uint32_t handler = gr_first_handler(op), arity = gr_arity(op);
        uint32_t forms = arity == 2 ? gr_is_commutative(op) ? 3 : 6 : 1;
        for (uint32_t f = 0; f < forms; f++) {
            gr_translation t = code.single[handler + f];
            if (!m->uses[op]) { /* 0 would end the program */
                assert_int_equal(t.handler, 0);
                continue;
            }
            uint32_t input = arity == 2 && f % 3 == 0, order = arity == 3;
            claim(taken, &code, t.handler, t.levels * (input ? inputs : order ? 6 : 1));
        }
    }
    free(taken);
    free(text);
}

static void test_generator(void **state) {
    (void)state;
    for (uint32_t number = 0; number < 6; number++) {
        gr_machine m;
        gr_general_machine(number / 2, number % 2, &m);
        check_machine(&m);
        for (uint32_t width = 4; width <= 32; width *= 2)
            for (uint32_t k = 0; k < 6; k++) {
                m.width = width;
                m.accumulator = k % 2;
                m.levels = 2 + k / 2;
                m.register_inputs = k / 2;
                memset(m.uses, 0, sizeof m.uses);
                if (m.values == GR_WORDS)
                    m.uses[GR_WAND] = m.uses[GR_WNOT] = 1;
                else
                    m.uses[GR_ADD] = m.uses[GR_DIV] = m.uses[GR_SIN] = m.uses[GR_IF] = 1;
                check_machine(&m);
            }
    }
}

/* ---- the tuner ---- */

static void test_tuner_fits(void **state) {
    (void)state;
    const gr_device devices[] = {{132, 2048, 232448, 233472},
                                 {108, 2048, 166912, 167936},
                                 {128, 1536, 101376, 102400},
                                 {40, 1024, 65536, 65536}};
    for (size_t d = 0; d < sizeof devices / sizeof *devices; d++)
        for (uint32_t inputs = 1; inputs < 3000; inputs = inputs * 5 / 4 + 1)
            for (uint32_t tile = 0; tile < 80; tile += 7) {
                static const uint32_t warps[] = {0, 4, 8, 16, 32};
                gr_job job = {.tile = tile, .fast = inputs & 1, .warps = warps[tile % 5]};
                gr_machine m;
                gr_min_mean_max s;
                job.params.genotype = GR_TREE;
                job.params.individuals = 1u << (inputs % 22);
                job.params.train_cases = 5000000;
                job.params.train_chunks = (job.params.train_cases + GR_CHUNK - 1) / GR_CHUNK;
                job.params.inputs = inputs;
                job.params.functions = 2;
                job.params.function[0] = GR_ADD;
                job.params.function[1] = GR_SIN;
                gr_choose_machine(&job, &devices[d], &m);
                gr_choose_work_split(&job, &devices[d], &m, &s);
                assert_true(s.shared + 64 <= devices[d].shared_block);
                gr_general_machine(GR_FAST, 0, &m);
                m.shared = gr_tile_fits(&job, &devices[d], &m);
                gr_choose_work_split(&job, &devices[d], &m, &s);
                assert_true(s.shared + 64 <= devices[d].shared_block);
                gr_choose_machine(&job, &devices[d], &m);
                gr_choose_work_split(&job, &devices[d], &m, &s);
                assert_true(s.chunks >= 1 && s.programs >= 1);
                assert_true(m.blocks == 1 || m.blocks * m.threads <= devices[d].threads);
                assert_true(m.width % 4 == 0 && m.threads % (GR_GROUP_WARPS * GR_LANES) == 0);
                assert_int_equal(m.uses[GR_ADD] + m.uses[GR_SIN] + m.uses[GR_MUL], 2);
                if (m.shared) /* the tile is in it */
                    assert_true(s.shared > (size_t)s.chunks * (inputs + 1) * GR_INPUT_BYTES);
                if (m.chunks == 1)
                    assert_int_equal(s.chunks, 1);
            }
}

static void test_long_runs_are_specialised(void **state) {
    (void)state;
    gr_job job = {0};
    job.params.genotype = GR_TREE;
    job.params.functions = 2;
    job.params.function[0] = GR_ADD;
    job.params.function[1] = GR_MUL;
    job.params.individuals = 1000;
    job.params.train_cases = 1000;
    job.params.generations = 50;
    job.params.max_nodes = 200;
    assert_false(gr_specialising_pays(&job));
    job.params.individuals = 100000;
    job.params.train_cases = 100000;
    assert_true(gr_specialising_pays(&job));
    job.params.generations = 24; /* 7.5e12 evaluations: enough without elementary functions */
    assert_true(gr_specialising_pays(&job));
    job.fast = 1;
    job.params.function[1] = GR_SIN;
    assert_false(gr_specialising_pays(&job));
    job.params.packed = 1; /* 32 cases a word */
    job.params.generations = 2;
    assert_false(gr_specialising_pays(&job));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_generator),
                                       cmocka_unit_test(test_tuner_fits),
                                       cmocka_unit_test(test_long_runs_are_specialised)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void) {
    puts("# built without CUDA: no interpreter to generate");
    return 0;
}
#endif
