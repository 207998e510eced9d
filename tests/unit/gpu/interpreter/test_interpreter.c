/* gpu/interpreter/interpreter.h and block.h without a device: the generated text is whole, and
 * every instruction has a handler of its own. Running it is tests/gpu's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#ifdef GRAMPUS_CUDA
#include "gpu/core/program/linear.h"
#include "gpu/interpreter/embedded.h"
#include "gpu/interpreter/tuner.h"

#include <stdlib.h>
#include <string.h>

static uint32_t count(const char *text, const char *word) {
    uint32_t n = 0;
    for (; (text = strstr(text, word)); text += strlen(word))
        n++;
    return n;
}

/* The machine stands where warps run their own programs and where they go abreast: one of both is
 * dead, by a literal (evaluate.cu). */
enum { COPIES = 2 };

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
    char *text = gr_interpreter_ptx(m, &code), *taken;
    uint32_t inputs = m->register_inputs ? m->register_inputs : 1;
    assert_non_null(text);
    assert_int_equal(count(text, "GRAMPUS_"), 0); /* every mark of evaluate.cu was replaced */
    /* The same in every build: the text is the key of the disk's cache. */
    assert_int_equal(count(text, "_INTERNAL_"), count(text, "_INTERNAL_00000000_"));
    assert_int_equal(count(text, ".entry " GR_INTERPRETER_KERNEL "("), 1);
    assert_int_equal(count(text, ".branchtargets"),
                     COPIES * (1 + (strstr(text, "TAILS: ") != NULL)));
    taken = calloc(code.handlers + 1, 1);
    for (const char *at = strstr(text, "\nH"); at; at = strstr(at + 1, "\nH")) {
        char *end;
        unsigned long k = strtoul(at + 2, &end, 10);
        if (end > at + 2 && strncmp(end, ":\n", 2) == 0) {
            assert_true(k < code.handlers);
            taken[k]++;
        }
    }
    for (uint32_t k = 0; k < code.handlers; k++) {
        assert_int_equal(taken[k], COPIES);
        taken[k] = 0;
    }
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
    for (uint32_t number = 0; number < GR_GENERALS; number++) {
        gr_machine m;
        gr_general_machine(number, &m);
        assert_int_equal(gr_general_number(&m), number);
        check_machine(&m);
        for (uint32_t width = 4; width <= 32; width *= 2)
            for (uint32_t k = 0; k < 6; k++) {
                m.width = width;
                m.accumulator = k % 2;
                m.levels = 2 + k / 2;
                m.register_inputs = k / 2;
                m.direct = (width + k) % 3;
                memset(m.uses, 0, sizeof m.uses);
                if (m.values == GR_WORDS)
                    m.uses[GR_WAND] = m.uses[GR_WNOT] = 1;
                else
                    m.uses[GR_ADD] = m.uses[GR_DIV] = m.uses[GR_SIN] = m.uses[GR_IF] = 1;
                check_machine(&m);
            }
    }
}

/* Weighted inputs: every load of a lane's four cases is followed by as many products. */
static void test_weights(void **state) {
    (void)state;
    for (uint32_t shared = 0; shared < 2; shared++)
        for (uint32_t accumulator = 0; accumulator < 2; accumulator++) {
            gr_machine m;
            static gr_code code;
            const char *load = shared ? "\nld.shared.v4.f32" : "\nld.global.v4.f32";
            gr_general_machine(2 * GR_EXACT + shared, &m);
            m.accumulator = accumulator;
            m.weighted = 1;
            m.index_mask = 7;
            check_machine(&m);
            char *text = gr_interpreter_ptx(&m, &code), *block = strstr(text, "NEXT:");
            assert_int_equal(count(block, "\nmul.rn.f32"), 4 * count(block, load));
            assert_int_equal(count(block, "and.b32 ga, gc, 7;\nand.b32 gk, gc, 4294967288;"),
                             count(block, load) / (m.width / 4));
            free(text);
        }
}

/* A division has a form without branches for most operands, one for zeros and infinities, and the
 * whole one; a logarithm the first and the last. */
static void test_guarded(void **state) {
    (void)state;
    gr_machine m;
    static gr_code code;
    gr_general_machine(2 * GR_EXACT, &m);
    char *text = gr_interpreter_ptx(&m, &code), label[32];
    const uint32_t guarded[] = {GR_DIV, GR_LOG, GR_SIN};
    for (size_t k = 0; k < sizeof guarded / sizeof *guarded; k++)
        for (const char *form = "BCPR"; *form; form++) {
            snprintf(label, sizeof label, "\n%c%u_0:\n", *form, guarded[k]);
            assert_int_equal(count(text, label), COPIES);
        }
    assert_int_equal(count(text, "div.rn.f32 \tgv, acc_0, u_0"), COPIES);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_generator),
                                       cmocka_unit_test(test_guarded),
                                       cmocka_unit_test(test_weights)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void) {
    puts("# built without CUDA: no interpreter to generate");
    return 0;
}
#endif
