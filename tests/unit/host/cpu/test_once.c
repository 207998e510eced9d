/* gpu/core/selection/once.h and host/cpu/once.c: what is spared is what a plain search for equal
 * programs finds, the memory has what a plain one of the same size would, and every cost is that of
 * a run that evaluates everybody. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/core/selection/once.h"
#include "host/problem/job.h"

#include <stdlib.h>
#include <string.h>

enum { POPULATION = 300, NODES = 30, GENERATIONS = 8 };

typedef struct view {
    gr_problem problem;
    gr_engine *engine;
    const gr_record *records;
    gr_instruction programs[POPULATION][NODES];
    gr_individual individuals[POPULATION];
    gr_plan plans[POPULATION];
    float costs[POPULATION];
    int finished;
} view;

static void view_open(view *v, const char *more) {
    gr_error error = {GR_OK, ""};
    gr_settings s;
    char text[1024];
    snprintf(text, sizeof text,
             "target-expression: x * x - y\nvariables: x = uniform(-2, 2); y = uniform(0, 3)\n"
             "train-cases: 1100\ngenotype: tree\nconstant-probability: 0\nfunctions: +, -, *\n"
             "max-nodes: %d\nmetric: mse\ndevice: cpu\ngenerations: %d\nthreads: 2\n"
             "init-max-depth: 3\nmax-depth: 5\n%s",
             NODES, GENERATIONS, more);
    if (gr_settings_init(&s, &error) ||
        gr_settings_parse(&s, text, strlen(text), "run.yaml", &error) ||
        gr_settings_resolve(&s, &error) || gr_problem_make(&s, &v->problem, &error))
        fail_msg("%s", error.text);
    gr_settings_free(&s);
    v->problem.job.epoch = 1;
    if (gr_backend_cpu.open(&v->problem.job, &v->engine, &error))
        fail_msg("%s", error.text);
    v->finished = 0;
}

/* Selects from a generation and breeds the next, whose programs are read. */
static void view_step(view *v) {
    gr_error error = {GR_OK, ""};
    uint32_t generations, n = v->problem.job.params.individuals;
    if (gr_backend_cpu.advance(v->engine, NULL, NULL, &v->records, &generations, &v->finished,
                               &error) ||
        gr_backend_cpu.read(v->engine, GR_SECTION_PROGRAMS, v->programs, n * sizeof *v->programs,
                            &error) ||
        gr_backend_cpu.read(v->engine, GR_SECTION_INDIVIDUALS, v->individuals,
                            n * sizeof *v->individuals, &error) ||
        gr_backend_cpu.read(v->engine, GR_SECTION_PLANS, v->plans, n * sizeof *v->plans, &error) ||
        gr_backend_cpu.read(v->engine, GR_SECTION_COSTS, v->costs, n * sizeof *v->costs, &error))
        fail_msg("%s", error.text);
}

static void view_close(view *v) {
    gr_backend_cpu.close(v->engine);
    gr_problem_free(&v->problem);
}

static int same(const view *v, uint32_t i, uint32_t k) {
    uint32_t length = v->individuals[i].instructions;
    return v->individuals[k].instructions == length &&
           memcmp(v->programs[i], v->programs[k], length * sizeof(gr_instruction)) == 0;
}

/* The plain memory: the program of each slot. */
typedef struct plain_slot {
    uint32_t length;
    gr_instruction program[NODES];
} plain_slot;

static int remembers(const plain_slot *slot, const view *v, uint32_t i) {
    uint32_t length = v->individuals[i].instructions;
    return slot->length == length &&
           memcmp(slot->program, v->programs[i], length * sizeof(gr_instruction)) == 0;
}

static uint32_t slot_of(const view *v, uint32_t i) {
    const gr_lane_group alone = {0, 1};
    return gr_memory_slot_of(&v->problem.job.params,
                             gr_program_key(v->programs[i], v->individuals[i].instructions, alone));
}

/* Every new program takes its slot, the lowest of a generation, unless the slot was read. */
static void remember_all(plain_slot *memory, const view *v, const char *where, uint32_t n) {
    static char taken[POPULATION * 4];
    memset(taken, 0, sizeof taken);
    for (uint32_t i = 0; i < n; i++)
        taken[slot_of(v, i)] |= where[i] == 'm';
    for (uint32_t i = 0; i < n; i++) {
        plain_slot *slot = &memory[slot_of(v, i)];
        if (where[i] != 'e' || taken[slot_of(v, i)])
            continue;
        taken[slot_of(v, i)] = 1;
        slot->length = v->individuals[i].instructions;
        memcpy(slot->program, v->programs[i], sizeof slot->program);
    }
}

/* Looks for every program where the engine should: what is spared of the generation just bred. */
static gr_spared plain_search(const view *v, plain_slot *memory, uint32_t keeps) {
    gr_spared spared = {0, 0, 0, 0, 0};
    uint32_t n = v->problem.job.params.individuals;
    static char where[POPULATION];
    for (uint32_t i = 0; i < n; i++) {
        uint32_t length = v->individuals[i].instructions, first = i;
        where[i] = 'e';
        if (!length)
            continue;
        if (keeps && v->plans[i].kind == GR_PLAN_ELITE)
            where[i] = 'k', spared.kept++;
        else if (memory && remembers(&memory[slot_of(v, i)], v, i))
            where[i] = 'm', spared.remembered++;
        for (uint32_t k = 0; where[i] == 'e' && k < i && first == i; k++)
            first = where[k] != 'm' && same(v, i, k) ? k : i;
        if (first != i)
            where[i] = 's', spared.shared++;
        spared.nodes += where[i] == 'e' ? 0 : v->individuals[i].nodes;
    }
    if (memory)
        remember_all(memory, v, where, n);
    return spared;
}

/* A run of both sides; another sample every `every` generations, 0: all cases. The memory, if there
 * is one, is empty then, and what is in it known from there on. */
static void check_against_plain(const char *off, const char *on, uint32_t every) {
    static view plain, once;
    static plain_slot slots[POPULATION * 4];
    gr_spared expected = {0, 0, 0, 0, 0}, all = expected;
    view_open(&plain, off);
    view_open(&once, on);
    for (uint32_t g = 0; !once.finished; g++) {
        view_step(&plain);
        view_step(&once);
        const gr_spared *spared = &once.records[0].spared;
        if (g && g >= every) {
            assert_int_equal(spared->shared, expected.shared);
            assert_int_equal(spared->kept, expected.kept);
            assert_int_equal(spared->remembered, expected.remembered);
            assert_int_equal(spared->nodes, expected.nodes);
        } else if (!g)
            assert_true(spared->shared > 20 && spared->kept == 0);
        gr_add_spared(&all, *spared);
        assert_memory_equal(plain.costs, once.costs, sizeof plain.costs);
        assert_memory_equal(plain.programs, once.programs, sizeof plain.programs);
        assert_int_equal(plain.records[0].spared.nodes, 0);
        if (every && (g + 1) % every == 0)
            memset(slots, 0, sizeof slots);
        expected = plain_search(&once, every ? slots : NULL, !every || (g + 1) % every);
    }
    assert_true(all.shared > 100 && all.kept == 3 * (GENERATIONS - (every ? 1 : 0)));
    assert_true(every ? all.remembered > 300 : all.remembered == 0);
    view_close(&plain);
    view_close(&once);
}

static void test_plain(void **state) {
    (void)state;
    check_against_plain("population: 300\nevaluate-once: off\n",
                        "population: 300\nevaluate-once: on\n", 0);
}

/* Few slots, so that programs lose them. */
static void test_memory(void **state) {
    (void)state;
    const char *samples = "population: 300\ncase-sampling: random\nsample-cases: 1050\n"
                          "sample-every: 5\n";
    char off[256], on[256];
    for (uint32_t slots = 60; slots < 1000; slots += 840) {
        snprintf(off, sizeof off, "%sevaluate-once: off\n", samples);
        snprintf(on, sizeof on, "%sfitness-memory: %u\n", samples, slots);
        check_against_plain(off, on, 5);
    }
}

/* Two different programs under one key: nobody follows, and a third that is equal to the first
 * does. */
static void test_equal_keys(void **state) {
    (void)state;
    const gr_lane_group alone = {0, 1};
    gr_individual individuals[3] = {{.instructions = 1, .nodes = 1, .length = 1},
                                    {.instructions = 1, .nodes = 1, .length = 1},
                                    {.instructions = 1, .nodes = 1, .length = 1}};
    gr_instruction programs[3] = {{1, 2}, {1, 3}, {1, 2}};
    gr_once once[3];
    gr_once_entry entries[64] = {{0, 0, 0}};
    gr_once_course course = {0, 0, 0, 0, 0};
    gr_state s = {.programs = programs, .once = once, .entries = entries, .course = &course};
    uint32_t instructions;
    s.individuals[0] = individuals;
    s.p.individuals = s.p.population = 3;
    s.p.max_nodes = 1;
    s.p.once = GR_ONCE_ON;
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(gr_once_find(&s, 0, i, alone), 1);
        once[i].entry = once[0].entry;
    }
    entries[once[0].entry].first = ~0u;
    assert_int_equal(gr_once_settle(&s, 0, 0, &instructions, alone).shared, 0);
    assert_int_equal(gr_once_settle(&s, 0, 1, &instructions, alone).shared, 0);
    assert_int_equal(instructions, 0);
    assert_int_equal(gr_once_settle(&s, 0, 2, &instructions, alone).shared, 1);
    assert_int_equal(instructions, 1);
    assert_int_equal(once[1].instructions, 1);
    assert_int_equal(once[2].instructions, 0);
    assert_int_equal(once[2].source, GR_ONCE_SOURCE(GR_ONCE_SHARED, 0));
}

/* Looks that do not pay are taken more and more seldom, at most every 65 generations; one that pays
 * is followed by the next. */
static void test_rests(void **state) {
    (void)state;
    gr_once_course course = {0, 0, 0, 0, 0};
    gr_state s = {.course = &course};
    const uint32_t next[] = {5, 18, 47, 108, 173};
    s.p.train_cases = 1000;
    for (uint32_t k = 0; k < 5; k++) {
        uint32_t at = course.from;
        course.looked = 100, course.instructions = 1000, course.spared = 0;
        gr_once_decide(&s, at);
        assert_int_equal(course.from, next[k]);
        gr_once_decide(&s, at + 1);
        assert_int_equal(course.from, next[k]);
    }
    course.looked = 100, course.instructions = 1000, course.spared = 450;
    gr_once_decide(&s, 173);
    assert_int_equal(course.from, 174);
}

/* A steady state evaluates its children alone, however few they are. */
static void test_steady_state(void **state) {
    (void)state;
    static view plain, once;
    const char *steady = "population: 60\nreplacement: steady-state\nchildren-per-step: 2\n";
    char off[256], on[256];
    uint32_t steps = 0;
    snprintf(off, sizeof off, "%sevaluate-once: off\nelites: auto\n", steady);
    snprintf(on, sizeof on, "%selites: auto\n", steady);
    view_open(&plain, off);
    view_open(&once, on);
    for (; !once.finished; steps++) {
        view_step(&plain);
        view_step(&once);
        if (steps)
            assert_int_equal(once.records[0].spared.kept, 58);
        assert_memory_equal(plain.costs, once.costs, 60 * sizeof *plain.costs);
    }
    assert_int_equal(steps, GENERATIONS * 30 + 1);
    view_close(&plain);
    view_close(&once);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_plain), cmocka_unit_test(test_memory),
                                       cmocka_unit_test(test_equal_keys),
                                       cmocka_unit_test(test_rests),
                                       cmocka_unit_test(test_steady_state)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
