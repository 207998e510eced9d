/* host/cpu/pareto.c and gpu/core/selection/pareto.h: ranks, crowding and order against a model that
 * compares every member with every other; survivors against a plain list; large demes against what
 * any order has to keep. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "host/cpu/pareto.h"

#include "gpu/core/selection/pareto.h"
#include "tests/core.h"

enum { GENERATION = 3 };

/* Objectives of two demes: few different values, or many, or in a chain, or all the same; some are
 * no numbers. */
enum { FEW, MANY, CHAIN, SAME, OPPOSED, STYLES };

static float value_of(core_dice *dice, uint32_t style, uint32_t k, uint32_t i) {
    switch (style) {
    case FEW:
        return (float)core_roll(dice, 4) - 1.0f;
    case MANY:
        return (float)core_roll(dice, 1000) * 0.125f - 60.0f;
    case CHAIN:
        return (float)(i / 3) + (core_roll(dice, 9) == 0 ? 2.0f : 0.0f);
    case OPPOSED:
        return k ? -(float)(i / 2) : (float)(i / 2);
    default:
        return k ? 0.0f : -0.0f;
    }
}

static core open_members(uint32_t population, uint32_t objectives, uint32_t style) {
    gr_params p = core_params(GR_TREE);
    core_dice dice = {population + 7 * style + 100 * objectives};
    p.runs = 2;
    p.population = population;
    p.individuals = 2 * population;
    p.objectives = objectives;
    p.other_shares = 1;
    core c = core_open(&p, NULL, 0);
    for (uint32_t which = 0; which < 2; which++)
        for (uint32_t i = 0; i < p.individuals; i++) {
            int worst = style == FEW && core_roll(&dice, 8) == 0;
            for (uint32_t k = 0; k < objectives; k++)
                c.s.objectives[which][i * objectives + k] =
                    worst ? GR_INFINITY : value_of(&dice, style, k, i);
        }
    return c;
}

/* ---- the model ---- */

typedef struct model {
    uint32_t n, m;
    float f[700][3];
    uint32_t rank[700], order[700];
    float crowding[700];
} model;

static int dominates(const model *x, uint32_t a, uint32_t b) {
    int better = 0;
    for (uint32_t k = 0; k < x->m; k++) {
        if (x->f[a][k] > x->f[b][k])
            return 0;
        better |= x->f[a][k] < x->f[b][k];
    }
    return better;
}

static int is_copy(const model *x, uint32_t a) {
    for (uint32_t b = 0; b < a; b++)
        if (!dominates(x, a, b) && !dominates(x, b, a)) {
            int equal = 1;
            for (uint32_t k = 0; k < x->m; k++)
                equal &= x->f[a][k] == x->f[b][k];
            if (equal)
                return 1;
        }
    return 0;
}

/* Front after front is taken off; copies come last. */
static void rank_model(model *x) {
    uint32_t left = 0, front = 0;
    char copy[700];
    for (uint32_t a = 0; a < x->n; a++) {
        copy[a] = (char)is_copy(x, a);
        x->rank[a] = GR_STAYS;
        left += !copy[a];
    }
    for (; left; front++) {
        for (uint32_t a = 0; a < x->n; a++) {
            int beaten = copy[a] || x->rank[a] < front;
            for (uint32_t b = 0; b < x->n && !beaten; b++)
                beaten = !copy[b] && x->rank[b] >= front && dominates(x, b, a);
            if (!beaten) {
                x->rank[a] = front;
                left--;
            }
        }
    }
    for (uint32_t a = 0; a < x->n; a++)
        if (copy[a])
            x->rank[a] = front;
}

static model *by;
static uint32_t by_objective;
/* By one objective, then the others from the first on, then the number. */
static int in_line(const void *p, const void *q) {
    uint32_t a = *(const uint32_t *)p, b = *(const uint32_t *)q;
    float u = by->f[a][by_objective], v = by->f[b][by_objective];
    for (uint32_t k = 0; u == v && k < by->m; k++) {
        u = by->f[a][k];
        v = by->f[b][k];
    }
    return u == v ? (a > b) - (a < b) : (u > v) - (u < v);
}
static int in_order(const void *p, const void *q) {
    uint32_t a = *(const uint32_t *)p, b = *(const uint32_t *)q;
    if (by->rank[a] != by->rank[b])
        return by->rank[a] < by->rank[b] ? -1 : 1;
    if (by->crowding[a] != by->crowding[b])
        return by->crowding[a] > by->crowding[b] ? -1 : 1;
    return (a > b) - (a < b);
}

static void crowd_model(model *x) {
    uint32_t last = 0, line[700];
    by = x;
    for (uint32_t a = 0; a < x->n; a++) {
        x->crowding[a] = 0.0f;
        last = gr_max_u32(last, x->rank[a]);
    }
    for (uint32_t k = 0; k < x->m; k++)
        for (uint32_t front = 0; front <= last; front++) {
            uint32_t here = 0;
            for (uint32_t a = 0; a < x->n; a++)
                if (x->rank[a] == front && !is_copy(x, a))
                    line[here++] = a;
            by_objective = k;
            qsort(line, here, sizeof *line, in_line);
            float low = here ? x->f[line[0]][k] : 0.0f,
                  high = here ? x->f[line[here - 1]][k] : 0.0f;
            for (uint32_t at = 0; at < here; at++) {
                int end = at == 0 || at + 1 == here;
                if (here == 1 || (low < high && end))
                    x->crowding[line[at]] = GR_INFINITY;
                else if (low < high)
                    x->crowding[line[at]] +=
                        (float)(((double)x->f[line[at + 1]][k] - (double)x->f[line[at - 1]][k]) /
                                ((double)high - (double)low));
            }
        }
    for (uint32_t a = 0; a < x->n; a++)
        x->order[a] = a;
    qsort(x->order, x->n, sizeof *x->order, in_order);
}

static model model_of(const core *c, uint32_t deme, uint32_t members) {
    model x = {.n = members, .m = c->s.p.objectives};
    for (uint32_t a = 0; a < members; a++)
        for (uint32_t k = 0; k < x.m; k++)
            x.f[a][k] = gr_objectives_of(&c->s, deme, a)[k];
    rank_model(&x);
    crowd_model(&x);
    return x;
}

/* ---- tests ---- */

static void check_deme(const core *c, uint32_t generation, uint32_t deme) {
    uint32_t members = gr_pareto_members(&c->s.p, generation);
    model x = model_of(c, deme, members);
    gr_cpu_rank_members(&c->s, generation, deme);
    const uint32_t *rank = gr_pareto_row_of(&c->s, GR_PARETO_RANK, deme),
                   *place = gr_pareto_row_of(&c->s, GR_PARETO_PLACE, deme);
    const float *crowding = (const float *)gr_pareto_row_of(&c->s, GR_PARETO_CROWDING, deme);
    for (uint32_t a = 0; a < members; a++) {
        assert_int_equal(rank[a], x.rank[a]);
        assert_true(crowding[a] == x.crowding[a]);
        assert_int_equal(place[x.order[a]], a);
    }
}

static void test_ranks(void **state) {
    (void)state;
    static const uint32_t populations[] = {1, 2, 3, 31, 64, 200};
    for (uint32_t a = 0; a < sizeof populations / sizeof *populations; a++)
        for (uint32_t objectives = 2; objectives <= 3; objectives++)
            for (uint32_t style = 0; style < STYLES; style++) {
                core c = open_members(populations[a], objectives, style);
                for (uint32_t deme = 0; deme < 2; deme++) {
                    check_deme(&c, 0, deme);
                    check_deme(&c, GENERATION, deme);
                }
                core_close(&c);
            }
}

/* A hundred thousand: everybody but copies is dominated by somebody of the rank before, and by
 * nobody of their own; the order is one. */
static void check_large(uint32_t objectives, uint32_t style) {
    enum { MANY_OF_THEM = 100000 };
    core c = open_members(MANY_OF_THEM / 2, objectives, style);
    uint32_t members = MANY_OF_THEM, *at = calloc(members, sizeof *at), last = 0;
    gr_cpu_rank_members(&c.s, GENERATION, 1);
    const uint32_t *rank = gr_pareto_row_of(&c.s, GR_PARETO_RANK, 1),
                   *place = gr_pareto_row_of(&c.s, GR_PARETO_PLACE, 1);
    for (uint32_t a = 0; a < members; a++) {
        at[place[a]]++;
        last = gr_max_u32(last, rank[a]);
    }
    core_dice dice = {5};
    for (uint32_t turn = 0; turn < 300; turn++) {
        uint32_t a = core_roll(&dice, members), above = 0;
        const float *u = gr_objectives_of(&c.s, 1, a);
        for (uint32_t b = 0; b < members && rank[a] < last; b++) {
            const float *v = gr_objectives_of(&c.s, 1, b);
            uint32_t covers = 1, better = 0;
            for (uint32_t k = 0; k < objectives; k++) {
                covers &= v[k] <= u[k];
                better |= v[k] < u[k];
            }
            if (covers && better && rank[b] < last) {
                assert_true(rank[b] < rank[a]);
                above |= rank[b] + 1 == rank[a];
            }
        }
        assert_true(above || rank[a] == 0 || rank[a] == last);
    }
    for (uint32_t a = 0; a < members; a++)
        assert_int_equal(at[a], 1);
    free(at);
    core_close(&c);
}

static void test_large(void **state) {
    (void)state;
    check_large(2, MANY);
    check_large(2, CHAIN);
    check_large(3, MANY);
}

/* The first `population` of the order are there afterwards, with all that belongs to them. */
static void test_survivors(void **state) {
    (void)state;
    for (uint32_t style = 0; style < STYLES; style++) {
        core c = open_members(60, 2, style);
        const gr_state *s = &c.s;
        uint32_t n = s->p.population, buffer = GENERATION & 1;
        gr_team *team = gr_team_open(2);
        for (uint32_t i = 0; i < 2 * n; i++) { /* a program of i + 1 words tells who one is */
            s->individuals[buffer][i] = (gr_individual){.length = 1, .instructions = 1, .nodes = 1};
            s->individuals[buffer ^ 1][i] = s->individuals[buffer][i];
            s->trees[buffer][(size_t)i * s->p.max_nodes].operand = 1000 + i;
            s->trees[buffer ^ 1][(size_t)i * s->p.max_nodes].operand = 5000 + i;
            gr_program(s, i)->operand = 1000 + i;
            s->kept_programs[(size_t)i * s->p.max_nodes].operand = 5000 + i;
            s->sums[i] = 1000.0 + i;
            s->kept_sums[i] = 5000.0 + i;
        }
        s->demes[1].active = 0; /* its parents stay */
        model x = model_of(&c, 0, 2 * n);
        gr_cpu_replace_ranked(s, GENERATION, team);
        uint32_t found[120] = {0};
        for (uint32_t i = 0; i < n; i++) {
            uint32_t who = s->trees[buffer][(size_t)i * s->p.max_nodes].operand;
            uint32_t member = who >= 5000 ? n + who - 5000 : who - 1000;
            found[member]++;
            assert_int_equal(x.order[s->standing[i]], member);
            assert_int_equal(gr_program(s, i)->operand, who);
            assert_int_equal(s->kept_programs[(size_t)i * s->p.max_nodes].operand, who);
            assert_true(s->sums[i] == (double)who && s->kept_sums[i] == (double)who);
            assert_true(who < 5000 || s->plans[i].kind == GR_PLAN_ELITE);
            assert_true(s->objectives[1][2 * i] == x.f[member][0]);
        }
        for (uint32_t place = 0; place < 2 * n; place++)
            assert_int_equal(found[x.order[place]], place < n);
        for (uint32_t i = n; i < 2 * n; i++)
            assert_int_equal(s->trees[buffer][(size_t)i * s->p.max_nodes].operand, 5000 + i);
        assert_int_equal(s->replaced_by[0].nodes, n);
        gr_team_close(team);
        core_close(&c);
    }
}

/* Weighted complexity: leaves and cheap operations 1, divisions and roots 2, sin and the like 4. */
static void test_complexity(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    p.objectives = 2;
    p.other_shares = 1;
    core c = core_open(&p, NULL, 0);
    const gr_node tree[] = {{GR_INPUT, 0}, {GR_INPUT, 1},    {GR_ADD, 0},
                            {GR_INPUT, 2}, {GR_SIN, 0},      {GR_DIV, 0},
                            {GR_SQRT, 0},  {GR_CONSTANT, 0}, {GR_MUL, 0}};
    gr_nodes own = gr_tree(&c.s, 0, 0);
    memcpy(own.at, tree, sizeof tree);
    gr_annotate(own, 9);
    uint32_t length =
        gr_compile(own, 9, core_scratch(&c).locations, gr_program(&c.s, 0), core_group);
    c.s.individuals[0][0] = gr_tree_individual(GR_AT(own, 8));
    assert_int_equal(c.s.individuals[0][0].instructions, length);
    assert_int_equal(gr_complexity(&c.s, 0, 0), 4 * 1 + 1 + 4 + 2 + 2 + 1);
    core_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ranks), cmocka_unit_test(test_large),
                                       cmocka_unit_test(test_survivors),
                                       cmocka_unit_test(test_complexity)};
    return cmocka_run_group_tests_name("several objectives", tests, NULL, NULL);
}
