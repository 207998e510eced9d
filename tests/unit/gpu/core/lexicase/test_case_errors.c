/* gpu/core/lexicase/case_errors.h: errors in rows of cases that are drawn, or of all, against a
 * program that is run on one case after the other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/core/lexicase/case_errors.h"
#include "tests/core.h"

enum { CASES = 2 * GR_CHUNK + 77, CHUNKS = 3, RUNS = 2, OF_RUN = 6, GENERATION = 4 };

static const struct {
    uint32_t cases, batch, weighted;
} kinds[] = {{CASES, 1, 0}, {CASES, 1, 1}, {CASES, 7, 0}, {100, 1, 0}, {100, 3, 0},
             {31, 31, 0},   {100, 7, 1},   {5, 2, 0},     {1, 1, 0}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static core open_cases(gr_params *p, uint32_t kind) {
    core_dice dice = {kind + 1};
    p->runs = RUNS;
    p->population = OF_RUN;
    p->individuals = RUNS * OF_RUN;
    p->metric = GR_METRIC_MAE;
    p->sums = gr_sums_of(p);
    p->selection = GR_SELECT_LEXICASE;
    p->train_cases = CASES;
    p->train_chunks = CHUNKS;
    p->case_weights = kinds[kind].weighted;
    p->lexicase_cases = kinds[kind].cases;
    p->lexicase_batch = kinds[kind].batch;
    p->lexicase_rows = (kinds[kind].cases + kinds[kind].batch - 1) / kinds[kind].batch;
    core c = core_open(p, NULL, 0);
    float *train = (float *)(uintptr_t)c.s.train;
    for (size_t n = 0; n < CHUNKS * gr_tile_of(p); n++)
        train[n] = (float)((double)core_roll(&dice, 0) * 0x1p-30 - 2.0);
    for (size_t n = 0; p->case_weights && n < CHUNKS * GR_CHUNK; n++) /* behind targets */
        train[n / GR_CHUNK * gr_tile_of(p) + (p->inputs + 1) * GR_CHUNK + n % GR_CHUNK] =
            (float)(1 + core_roll(&dice, 40)) / 8.0f;
    for (uint32_t i = 0; i < p->individuals; i++) {
        gr_nodes tree = gr_tree(&c.s, GENERATION & 1, i);
        gr_random r = gr_stream(p, GR_PURPOSE_INIT, kind, 0, i);
        uint32_t count = gr_random_tree(p, &r, 5, 1, 1, tree, p->max_nodes);
        assert_true(count > 0);
        c.s.individuals[GENERATION & 1][i].instructions =
            gr_compile(tree, count, core_scratch(&c).locations, gr_program(&c.s, i), core_group);
    }
    c.s.individuals[GENERATION & 1][3].instructions = 0; /* an invalid one */
    for (size_t k = 0; k < gr_drawn_cases(p); k++)
        gr_draw_case(&c.s, GENERATION, k);
    return c;
}

static float output_on(const core *c, uint32_t i, uint32_t number) {
    const float *tile = c->s.train + number / GR_CHUNK * gr_tile_of(&c->s.p) + number % GR_CHUNK;
    return gr_execute(&c->s.p, gr_program(&c->s, i),
                      c->s.individuals[GENERATION & 1][i].instructions, tile);
}

/* The mean of a row's distances, in the order in which they were drawn. */
static float wanted_error(const core *c, uint32_t i, uint32_t row) {
    const gr_params *p = &c->s.p;
    const uint32_t *drawn = c->s.case_drawn + (size_t)(i / OF_RUN) * p->lexicase_cases;
    uint32_t first = row * p->lexicase_batch,
             last = gr_min_u32(first + p->lexicase_batch, p->lexicase_cases);
    float sum = 0.0f;
    for (uint32_t k = first; k < last; k++) {
        uint32_t number = gr_draws_cases(p) ? drawn[k] : k;
        const float *tile = c->s.train + number / GR_CHUNK * gr_tile_of(p) + number % GR_CHUNK;
        float distance = fabsf(output_on(c, i, number) - tile[p->inputs * GR_CHUNK]);
        distance = distance - distance == 0.0f ? distance : GR_INFINITY;
        sum += p->case_weights ? distance * tile[(p->inputs + 1) * GR_CHUNK] : distance;
    }
    return last - first > 1 ? sum / (float)(last - first) : sum;
}

static void assert_errors(const core *c, uint32_t i) {
    uint32_t rows = c->s.p.lexicase_rows,
             valid = c->s.individuals[GENERATION & 1][i].instructions != 0;
    uint64_t hash = 0;
    for (uint32_t row = 0; row < rows; row++) {
        float wanted = valid ? wanted_error(c, i, row) : GR_INFINITY;
        assert_true(core_same(c->s.own_errors[(size_t)i * rows + row], wanted));
        hash += gr_hash_of_error(gr_float_bits(wanted), gr_row_number_drawn(row));
    }
    assert_true(c->s.behaviours[i] == hash);
}

/* By outputs that are known, and by running the program. */
static void test_errors(void **state) {
    (void)state;
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        gr_params p = core_params(GR_TREE);
        core c = open_cases(&p, kind);
        for (uint32_t i = 0; i < p.individuals; i++) {
            static float outputs[CASES];
            for (uint32_t k = 0; k < CASES; k++)
                outputs[k] = output_on(&c, i, k);
            for (int known = 0; known < 2; known++) {
                gr_write_errors(&c.s, GENERATION, i, known ? outputs : NULL, gr_draws_cases(&p),
                                core_group);
                assert_errors(&c, i);
                memset(c.s.own_errors, 0xa5, p.individuals * p.lexicase_rows * sizeof(float));
            }
        }
        core_close(&c);
    }
}

/* Different ones of all, and others in every run. */
static void test_drawn(void **state) {
    (void)state;
    for (uint32_t kind = 2; kind < KINDS - 1; kind++) {
        gr_params p = core_params(GR_TREE);
        core c = open_cases(&p, kind);
        for (uint32_t run = 0; run < RUNS; run++) {
            uint8_t seen[CASES] = {0};
            for (uint32_t k = 0; k < p.lexicase_cases; k++) {
                uint32_t number = c.s.case_drawn[run * p.lexicase_cases + k];
                assert_true(number < CASES);
                assert_int_equal(seen[number]++, 0);
            }
        }
        assert_memory_not_equal(c.s.case_drawn, c.s.case_drawn + p.lexicase_cases,
                                p.lexicase_cases * sizeof(uint32_t));
        core_close(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_errors), cmocka_unit_test(test_drawn)};
    return cmocka_run_group_tests_name("case errors", tests, NULL, NULL);
}
