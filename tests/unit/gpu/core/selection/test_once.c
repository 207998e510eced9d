/* gpu/core/selection/once.h over generations of drawn programs, in any order of work: everybody has
 * the sums that evaluating its own program on the cases of its generation gives, whatever was
 * spared; equal programs are evaluated once; what is told adds up. The evaluation is a hash here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/core/selection/once.h"
#include "tests/core.h"

enum { MOST = 200, GENERATIONS = 120, KINDS = 24, LONGEST = 5, CHUNKS = 2 };

typedef struct program {
    gr_instruction code[LONGEST];
    uint32_t length;
} program;

/* A run, and what is known of it without the core. */
typedef struct model {
    core c;
    core_dice dice;
    program kind[KINDS]; /* that are drawn from */
    program now[MOST];   /* of every individual */
    uint32_t spared[MOST];
    uint64_t shared, kept, remembered;
} model;

/* Some programs are others but for an operand, a code, or what follows. */
static void draw_kinds(model *m) {
    for (uint32_t k = 0; k < KINDS; k++) {
        program *x = &m->kind[k];
        if (k % 3)
            *x = m->kind[k - 1];
        else
            x->length = 1 + core_roll(&m->dice, LONGEST);
        for (uint32_t n = 0; n < LONGEST && k % 3 == 0; n++)
            x->code[n] = (gr_instruction){core_roll(&m->dice, 99), core_roll(&m->dice, 0)};
        if (k % 3 == 1)
            x->code[x->length - 1].operand++;
        if (k % 3 == 2 && x->length < LONGEST)
            x->length++;
        else if (k % 3 == 2)
            x->code[0].code++;
    }
}

static int same(const program *a, const program *b) {
    int is = a->length == b->length;
    for (uint32_t n = 0; is && n < a->length; n++)
        is = a->code[n].code == b->code[n].code && a->code[n].operand == b->code[n].operand;
    return is;
}

/* What an evaluation leaves in a row: it follows from program and cases. */
static double sum_of(const program *x, uint32_t sample, uint32_t row) {
    uint64_t hash = 1000 * sample + row;
    for (uint32_t n = 0; n < x->length; n++)
        hash = (hash * 31 + x->code[n].code) * 0x9e3779b97f4a7c15ull + x->code[n].operand;
    return (double)(hash >> 12);
}

static uint32_t sample_of(const gr_params *p, uint32_t generation) {
    return p->sampling ? generation / p->sample_every : 0;
}

/* An order of work. */
static void shuffle(model *m, uint32_t *order, uint32_t n) {
    for (uint32_t k = 0; k < n; k++) {
        uint32_t at = core_roll(&m->dice, k + 1);
        order[k] = order[at];
        order[at] = k;
    }
}

/* Whether what is left of the last generation is what parents there had. */
static int is_as_it_was(const gr_params *p, uint32_t generation, int anew) {
    uint32_t before = generation - 1;
    if (p->sampling && sample_of(p, generation) != sample_of(p, before))
        return 0;
    return !anew && !(p->migrants && before && before % p->migration_every == 0);
}

/* Draws a generation: elites are copies of parents, unless islands have changed since. */
static void draw_generation(model *m, uint32_t generation) {
    const gr_params *p = &m->c.s.p;
    program parent[MOST];
    memcpy(parent, m->now, sizeof parent);
    for (uint32_t i = 0; i < p->individuals; i++) {
        uint32_t deme = i / p->population, elite = generation && i % p->population < p->elites;
        int anew = p->restart_after && generation && (generation + deme) % p->restart_after == 0;
        uint32_t from = deme * p->population + core_roll(&m->dice, p->population);
        m->c.s.demes[deme].stretch_generation = anew ? generation : 0;
        m->c.s.plans[i] = gr_copy_plan(from, 1, elite);
        m->now[i] = m->kind[core_roll(&m->dice, KINDS)];
        if (core_roll(&m->dice, 8) == 0)
            m->now[i].length = 0;
        if (elite && is_as_it_was(p, generation, anew))
            m->now[i] = parent[from];
        else
            elite = 0;
        m->spared[i] = elite && m->now[i].length;
        m->c.s.individuals[generation & 1][i] =
            (gr_individual){.instructions = m->now[i].length, .nodes = m->now[i].length * 3};
        memcpy(gr_program(&m->c.s, i), m->now[i].code, m->now[i].length * sizeof *m->now[i].code);
    }
}

/* The steps, and an evaluation between them that leaves nothing of what was there. */
static gr_spared evaluate(model *m, uint32_t generation) {
    gr_state *s = &m->c.s;
    gr_spared told = {0, 0, 0, 0, 0};
    uint32_t order[MOST], n = s->p.individuals, instructions;
    shuffle(m, order, n);
    for (uint32_t k = 0; k < n; k++)
        gr_once_find(s, generation, order[k], core_group);
    shuffle(m, order, n);
    for (uint32_t k = 0; k < n; k++)
        gr_add_spared(&told, gr_once_settle(s, generation, order[k], &instructions, core_group));
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t row = 0; row < CHUNKS; row++)
            s->sums[(size_t)row * n + i] =
                s->once[i].instructions ? sum_of(&m->now[i], sample_of(&s->p, generation), row)
                                        : -1.0;
    shuffle(m, order, n);
    for (uint32_t k = 0; k < n; k++)
        gr_once_hand_over(s, generation, order[k], core_group);
    return told;
}

static void check_generation(model *m, uint32_t generation, gr_spared told) {
    const gr_state *s = &m->c.s;
    uint32_t n = s->p.individuals, evaluated = 0, kept = 0, programs = 0, nodes = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t own = s->once[i].instructions;
        programs += m->now[i].length != 0;
        evaluated += own != 0;
        kept += m->spared[i];
        assert_false(own && m->spared[i]);
        assert_true(own == 0 || own == m->now[i].length);
        nodes += own ? 0 : 3 * m->now[i].length;
        for (uint32_t row = 0; m->now[i].length && row < CHUNKS; row++)
            assert_true(s->sums[(size_t)row * n + i] ==
                        sum_of(&m->now[i], sample_of(&s->p, generation), row));
        for (uint32_t k = 0; own && k < i; k++)
            assert_false(s->once[k].instructions && same(&m->now[i], &m->now[k]));
    }
    assert_int_equal(told.kept, kept);
    assert_int_equal(told.nodes, nodes);
    assert_int_equal(evaluated + told.shared + told.kept + told.remembered, programs);
    for (size_t k = 0; k < gr_once_entries(&s->p); k++)
        assert_true(!s->entries[k].key && !s->entries[k].first);
    m->shared += told.shared;
    m->kept += told.kept;
    m->remembered += told.remembered;
}

static gr_params params_of(uint32_t population, uint32_t islands, uint32_t elites,
                           uint32_t memory) {
    gr_params p = core_params(GR_TREE);
    p.runs = 2;
    p.islands = islands;
    p.population = population;
    p.elites = elites;
    p.once = GR_ONCE_ON;
    p.memory = memory;
    p.max_nodes = 8;
    p.train_chunks = CHUNKS;
    return p;
}

/* A run of this kind; what it spared. */
static model live(const gr_params *p) {
    model m = {.c = core_open(p, NULL, 0), .dice = {p->population + 8 * p->memory}};
    draw_kinds(&m);
    assert_true(m.c.s.p.individuals <= MOST);
    for (uint32_t generation = 0; generation < GENERATIONS; generation++) {
        draw_generation(&m, generation);
        check_generation(&m, generation, evaluate(&m, generation));
    }
    core_close(&m.c);
    return m;
}

static void test_elites_and_equals(void **state) {
    (void)state;
    for (uint32_t population = 1; population <= 33; population += population < 3 ? 1 : 15) {
        gr_params p = params_of(population, 1, population / 3, 0);
        model m = live(&p);
        assert_true(m.shared > 0);
        assert_true(p.elites ? m.kept > 0 : !m.kept);
        assert_int_equal(m.remembered, 0);
    }
}

/* Few slots, which many want, one, and more than there are programs. */
static void test_memory(void **state) {
    (void)state;
    for (uint32_t slots = 1; slots <= 128; slots += slots < 4 ? 1 : 31) {
        gr_params p = params_of(13, 1, 2, slots);
        assert_true(live(&p).remembered > 0);
    }
}

/* Sums of other cases are nobody's. */
static void test_samples(void **state) {
    (void)state;
    for (uint32_t every = 1; every <= 4; every++) {
        gr_params p = params_of(13, 1, 2, 32);
        p.sampling = GR_SAMPLING_RANDOM;
        p.sample_every = every;
        model m = live(&p);
        assert_true(every == 1 ? !m.remembered && !m.kept : m.remembered && m.kept);
    }
}

static void test_islands(void **state) {
    (void)state;
    gr_params p = params_of(9, 3, 2, 16);
    p.migrants = 1;
    p.migration_every = 3;
    assert_true(live(&p).kept > 0);
    p.restart_after = 5;
    assert_true(live(&p).kept > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elites_and_equals),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_samples),
        cmocka_unit_test(test_islands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
