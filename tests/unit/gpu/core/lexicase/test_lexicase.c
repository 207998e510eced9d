/* gpu/core/lexicase/lexicase.h: parents against a plain walk over lists, epsilon against sorting,
 * distances against their meaning. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/core/lexicase/lexicase.h"
#include "tests/lexicase_walk.h"

enum { ROWS = 40, OWNED = 9, MOST = 4500, LARGE = 9000, MOST_SAMPLED = 60000, GENERATION = 4 };
enum { WORDS = (MOST + 127) / 128 * 4 }; /* of a set: by fours, as gr_set_words has them */
#ifdef __SANITIZE_ADDRESS__              /* ten times as slow; the code is the same */
enum { SPARSE_STEP = 9, IN_TRIPLES = 60, IN_PAIRS = 300 };
#else
enum { SPARSE_STEP = 3, IN_TRIPLES = 200, IN_PAIRS = 1500 };
#endif

static uint32_t counts[GR_CREW_WORDS];

static walk_of walk(const core *c) {
    return (walk_of){.c = c, .generation = GENERATION, .rows = ROWS};
}

/* What gr_write_errors leaves besides errors, and the first pools. */
static void note_errors(const core *c) {
    const gr_params *p = &c->s.p;
    for (uint32_t i = 0; i < p->individuals; i++) {
        c->s.behaviours[i] = 0;
        for (uint32_t row = 0; row < ROWS; row++)
            c->s.behaviours[i] += gr_hash_of_error(gr_float_bits(c->s.own_errors[i * ROWS + row]),
                                                   gr_row_number_drawn(row));
    }
    for (uint32_t i = 0; i < p->individuals; i += GR_TURNED)
        for (uint32_t k = 0; k < gr_error_pieces(p); k++)
            gr_turn_errors(&c->s, i, k, core_group);
    const walk_of w = walk(c);
    walk_find_same(&w);
    for (uint32_t k = 0; k < gr_demes(p) * gr_pool_words(p); k++)
        gr_find_different(&c->s, GENERATION, k / gr_pool_words(p), k % gr_pool_words(p),
                          core_group);
    for (uint32_t d = 0; d < gr_demes(p); d++)
        for (uint32_t row = 0; row < ROWS; row++)
            gr_find_first_pool(&c->s, d, row, counts, gr_alone(core_group));
    for (uint32_t d = 0; d < gr_demes(p); d++)
        for (uint32_t k = 0; k < gr_pool_words(p) * gr_failed_words(p); k++)
            gr_find_failed(&c->s, d, k / gr_failed_words(p), k % gr_failed_words(p), core_group);
    for (uint32_t d = 0; d < gr_demes(p); d++)
        for (uint32_t row = 0; row < ROWS; row++)
            gr_list_first_pool(&c->s, d, row, counts, gr_alone(core_group));
}

/* Styles: many values, few, and infinite ones among these, and each error as that of the seventh
 * individual before, in all rows or all but one; two of five nearly equal and the best, but for a
 * row that some of these fail: few rows part them. Of GRID many meet a bar exactly. */
enum { CLONES = 3, NEARLY, CONVERGED, STYLES, GRID };

static float rolled(uint32_t style, uint32_t i, uint32_t row, uint32_t roll) {
    if (style == GRID)
        return (float)(roll % 97) * 0.125f;
    if (style == CONVERGED && i % 5 < 2)
        return row % 8 == 0 && i / 5 % ROWS == row ? 200.0f : 1.0f + (float)roll * 1e-9f;
    if (style == CONVERGED)
        return 2.0f + (float)roll * 1e-3f;
    return roll == 3 && style == 2 ? GR_INFINITY : (float)roll * 0.125f;
}

static core open_errors(gr_params *p, uint32_t population, uint32_t epsilon, uint32_t style) {
    core_dice dice = {population + 7 * style};
    p->runs = 2;
    p->population = population;
    p->individuals = 2 * population;
    p->epsilon = epsilon;
    p->selection = GR_SELECT_LEXICASE;
    p->lexicase_cases = p->lexicase_rows = ROWS;
    p->lexicase_batch = 1;
    core c = core_open(p, NULL, 0);
    for (uint32_t row = 0; row < ROWS; row++)
        for (uint32_t i = 0; i < p->individuals; i++) {
            uint32_t roll =
                core_roll(&dice, style && style != CONVERGED && style != GRID ? 4 : 1000000);
            c.s.own_errors[i * ROWS + row] =
                i >= 7 && (style == CLONES || (style == NEARLY && row != 4))
                    ? c.s.own_errors[(i - 7) * ROWS + row]
                    : rolled(style, i, row, roll);
        }
    note_errors(&c);
    return c;
}

/* And by pools elsewhere, then lists. */
static uint32_t in_two_steps(const core *c, uint32_t deme, uint32_t k) {
    static uint32_t pool[WORDS], list[MOST];
    gr_rest rest;
    uint32_t *parent = &c->s.parents[deme * gr_lexicase_parents(&c->s.p) + k];
    *parent = 0xffffffff;
    gr_pass_pools(&c->s, GENERATION, deme, k, pool, c->s.ways, &rest, list, counts, core_group);
    gr_pass_lists(&c->s, GENERATION, deme, k, &rest, list, c->s.ways, counts, core_group);
    return *parent;
}

static void test_parents(void **state) {
    (void)state;
    static const uint32_t populations[] = {1, 2, 31, 32, 33, 100, 1500, 4500};
    for (uint32_t a = 0; a < 8;
         a++) /* of the last two, which begin as sets of bits, a few parents */
        for (uint32_t epsilon = 0; epsilon < 4; epsilon++)
            for (uint32_t style = 0; style < STYLES; style++) {
                gr_params p = core_params(GR_TREE);
                core c = open_errors(&p, populations[a], epsilon, style);
                const walk_of w = walk(&c);
                uint32_t step = populations[a] > 4096 ? 1499 : populations[a] > 1000 ? 97 : 1;
                for (uint32_t d = 0; d < 2; d++)
                    for (uint32_t k = step > 1 ? d : 0; k < gr_lexicase_parents(&p); k += step) {
                        gr_find_parent(&c.s, GENERATION, d, k, c.s.ways, counts, core_group);
                        uint32_t found = c.s.parents[d * gr_lexicase_parents(&p) + k];
                        assert_int_equal(found, walk_parent(&w, d, k));
                        if (gr_pools_meet(&p))
                            assert_int_equal(in_two_steps(&c, d, k), found);
                        gr_random r = gr_stream(&p, GR_PURPOSE_SELECT, GENERATION + 1, d, k / 2);
                        assert_int_equal(
                            gr_select_parent(&c.s, GENERATION, d, r,
                                             k % 2 ? GR_PURPOSE_SELECT_SECOND : GR_PURPOSE_SELECT),
                            found);
                    }
                core_close(&c);
            }
}

/* Whether who passes a row of a pool by what is known of the row are those who pass it by their
 * errors; how many of them do not pass it first. */
static uint32_t check_known(const core *c, uint32_t row, const uint32_t *pool, const uint32_t *to,
                            uint32_t count) {
    const gr_params *p = &c->s.p;
    const float *error = c->s.case_errors + row * p->individuals;
    uint32_t list[MOST], n = 0, passed = 0, above = 0;
    for (uint32_t i = 0; i < p->population; i++)
        if (gr_in_pool(pool, i))
            list[n++] = i;
    float bar = c->s.case_bars[row * gr_demes(p)];
    if (p->epsilon == GR_EPSILON_SEMI_DYNAMIC)
        bar += walk_least(error, list, n);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t passes = error[list[k]] <= bar;
        assert_int_equal(gr_in_pool(to, list[k]), passes);
        passed += passes;
        above += passes && !gr_in_pool(gr_first_pool(&c->s, row, 0), list[k]);
    }
    assert_int_equal(passed, count);
    return above;
}

/* Sets of bits and a few errors tell who passes a row of a pool, and which rows all of it pass. */
static void test_known(void **state) {
    (void)state;
    for (uint32_t epsilon = GR_EPSILON_STATIC; epsilon <= GR_EPSILON_SEMI_DYNAMIC; epsilon++)
        for (uint32_t sparse = 2; sparse < 60; sparse += SPARSE_STEP) {
            gr_params p = core_params(GR_TREE);
            core c = open_errors(&p, 3000, epsilon, sparse % 2 ? 0 : CONVERGED);
            core_dice dice = {sparse};
            uint32_t pool[WORDS] = {0}, to[WORDS], list[MOST], rows[ROWS], n = 0, scratch[MOST],
                     known = 0, above = 0, failed[ROWS] = {0}, left = 0;
            for (uint32_t i = 0; i < p.population; i++)
                if (core_roll(&dice, sparse) == 0 && gr_in_pool(gr_different(&c.s, 0), i)) {
                    pool[i / 32] |= 1u << i % 32;
                    list[n++] = i;
                }
            for (uint32_t row = 0; row < ROWS; row++) {
                uint32_t count =
                    gr_pass_known(&c.s, 0, row, pool, n, to, counts, scratch, core_group);
                known += count > 0;
                if (count)
                    above += check_known(&c, row, pool, to, count);
                uint32_t passed = 0;
                for (uint32_t k = 0; k < n; k++)
                    passed += gr_in_pool(gr_first_pool(&c.s, row, 0), list[k]);
                failed[row] = passed < n && (passed || epsilon != GR_EPSILON_STATIC);
            }
            assert_true(known > ROWS / 2);
            assert_true(epsilon == GR_EPSILON_STATIC || sparse < 20 || sparse % 2 == 0 || above);
            uint32_t found = gr_list_failed_rows(&c.s, 0, list, n, rows, counts, core_group);
            for (uint32_t row = 0; row < ROWS; row++)
                if (failed[row])
                    assert_int_equal(rows[left++], row);
            assert_int_equal(left, found);
            core_close(&c);
        }
}

/* The same of pools of those whose errors in the row are no less than some border: the higher it
 * is, the further above the first bar are those who pass, until what is kept does not tell. */
static void test_known_above(void **state) {
    (void)state;
    for (uint32_t style = 0; style <= GRID; style += GRID) {
        gr_params p = core_params(GR_TREE);
        core c = open_errors(&p, 3000, GR_EPSILON_SEMI_DYNAMIC, style);
        core_dice dice = {style};
        uint32_t known = 0, above = 0;
        for (uint32_t row = 0; row < ROWS; row++)
            for (uint32_t step = 1; step < 60; step++) {
                const float *error = c.s.case_errors + row * p.individuals;
                uint32_t pool[WORDS] = {0}, to[WORDS], scratch[MOST], n = 0;
                float epsilon = c.s.case_bars[row * gr_demes(&p)],
                      border = style ? (float)step * 0.125f : (float)step / 60.0f * epsilon;
                for (uint32_t i = 0; i < p.population; i++)
                    if (error[i] >= border && core_roll(&dice, 3) &&
                        gr_in_pool(gr_different(&c.s, 0), i)) {
                        pool[i / 32] |= 1u << i % 32;
                        n++;
                    }
                uint32_t count =
                    gr_pass_known(&c.s, 0, row, pool, n, to, counts, scratch, core_group);
                known += count > 0;
                if (count)
                    above += check_known(&c, row, pool, to, count);
            }
        assert_true(known > ROWS * 20 && above > ROWS * 20);
        core_close(&c);
    }
}

/* Whether a row parts candidates is what passing it says, also where bars round. */
static void test_parts(void **state) {
    (void)state;
    core_dice dice = {4};
    gr_params p = core_params(GR_TREE);
    uint32_t parted = 0, rounds = 200000;
    p.selection = GR_SELECT_EPSILON_LEXICASE;
    p.epsilon = GR_EPSILON_SEMI_DYNAMIC;
    for (uint32_t k = 0; k < rounds; k++) {
        float least = (float)core_roll(&dice, 0) * 0x1p-32f,
              epsilon = (float)core_roll(&dice, 0) * 0x1p-34f, bar = least + epsilon;
        for (uint32_t side = 0; side < 3; side++) { /* the next floats below and above, too */
            float most = side == 0   ? nextafterf(bar, 0.0f)
                         : side == 1 ? bar
                                     : nextafterf(bar, 9.0f);
            if (most < least)
                continue;
            assert_int_equal(gr_parts(&p, least, most, epsilon) != 0, most > bar);
            parted += most > bar;
        }
    }
    assert_true(parted == rounds);
}

/* One of a list by its number, and no word behind those that are kept for it is written. */
static void test_same_of_list(void **state) {
    (void)state;
    enum { GUARDS = 16 };
    gr_params p = core_params(GR_TREE);
    core c = open_errors(&p, 200, GR_EPSILON_NONE, 0);
    uint32_t list[200], kept[GR_DIGITS + GUARDS];
    for (uint32_t count = 1; count <= 200; count += count < 80 || count > 90 ? 7 : 1) {
        for (uint32_t k = 0; k < count; k++)
            list[k] = 199 - k;
        for (uint32_t chosen = 0; chosen < count; chosen += 5) {
            memset(kept, 0xa5, sizeof kept);
            uint32_t found = gr_same_of_list(&c.s, 1, list, count, chosen, kept, core_group);
            assert_int_equal(found, 200 - count + (count == 1 ? 0 : chosen));
            for (uint32_t n = 0; n < GUARDS; n++)
                assert_int_equal(kept[GR_DIGITS + n], 0xa5a5a5a5);
        }
    }
    core_close(&c);
}

/* Of a row and a kind, who of the different individuals is kept: all that are off by less than its
 * digits say, and nobody else; or where too many are next to the least, some of these. Returns how
 * many. */
static uint32_t check_marks(const core *c, uint32_t deme, uint32_t row, uint32_t kind) {
    static uint32_t kept[LARGE];
    const gr_params *p = &c->s.p;
    const gr_marks *marks = &c->s.case_marks[gr_at_row(&c->s, row, deme)];
    const gr_marked *marked = gr_marked_in(&c->s, row, deme, kind);
    float epsilon = c->s.case_bars[gr_at_row(&c->s, row, deme)], bar = marks->least + epsilon;
    uint32_t digits = marks->digits[kind], some = !digits && kind == GR_NEXT_TO_LEAST, all = 0;
    assert_in_range(marks->count[kind], 0, gr_near_most(p));
    memset(kept, 0, sizeof kept);
    for (uint32_t n = 0; n < marks->count[kind]; n++)
        assert_int_equal(kept[marked[n].index]++, 0);
    for (uint32_t k = 0; k < p->population; k++) {
        float error = c->s.own_errors[(deme * p->population + k) * ROWS + row],
              off = error - (kind == GR_NEXT_TO_BAR ? bar : marks->least);
        uint32_t near = gr_in_pool(gr_different(&c->s, deme), k) &&
                        (error > bar) == (kind == GR_NEXT_TO_BAR) &&
                        gr_near_digit(off, epsilon) < gr_max_u32(some, digits);
        assert_true(some ? near || !kept[k] : near == kept[k]);
        assert_true(error >= marks->least || !gr_in_pool(gr_different(&c->s, deme), k));
        all += near;
    }
    assert_true(!some || all > gr_near_most(p));
    for (uint32_t n = 0; n < marks->count[kind]; n++)
        assert_true(marked[n].error ==
                    c->s.own_errors[(deme * p->population + marked[n].index) * ROWS + row]);
    return marks->count[kind];
}

/* What is kept next to the least of a row, and next to its bar, in demes that are sampled and not;
 * of errors that are all different no less than half of what there is place for. */
static void test_marks(void **state) {
    (void)state;
    static const uint32_t populations[] = {1500, LARGE};
    for (uint32_t a = 0; a < 2; a++)
        for (uint32_t style = 0; style < STYLES; style++) {
            gr_params p = core_params(GR_TREE);
            core c = open_errors(&p, populations[a], GR_EPSILON_SEMI_DYNAMIC, style);
            uint32_t seen = 0;
            for (uint32_t d = 0; d < 2; d++)
                for (uint32_t row = 0; row < ROWS; row++)
                    for (uint32_t kind = 0; kind < GR_NEAR_KINDS; kind++) {
                        if (!(c.s.case_bars[gr_at_row(&c.s, row, d)] > 0.0f))
                            continue;
                        uint32_t count = check_marks(&c, d, row, kind);
                        assert_true(style || count >= gr_near_most(&p) / 2);
                        seen++;
                    }
            assert_true(seen);
            core_close(&c);
        }
}

/* Medians of many, by a sample of them: the same as by sorting; only where very many are equal, but
 * not all around the median, they are found another way. */
static void test_median(void **state) {
    (void)state;
    static float error[MOST_SAMPLED], chosen[MOST_SAMPLED];
    static uint32_t pool[MOST_SAMPLED / 32], words[GR_CREW_WORDS];
    for (uint32_t round = 0; round < 40; round++) {
        core_dice dice = {round};
        uint32_t size = round % 2 ? MOST_SAMPLED : GR_MANY_CANDIDATES + 33 * round, count = 0;
        uint32_t equal = round % 5 == 3 ? 3 : round % 5 == 4 ? 7 : 0;
        float found, least, lowest = GR_INFINITY, middle = round % 3 ? 0.0f : 0.4f;
        memset(pool, 0, sizeof pool);
        for (uint32_t k = 0; k < size; k++) {
            uint32_t in = round % 4 == 0 || core_roll(&dice, 4) > 0;
            error[k] = equal && core_roll(&dice, 10) < equal
                           ? 0.5f
                           : expf(-1e-5f * (float)core_roll(&dice, 1000000));
            pool[k / 32] |= in << k % 32;
            if (!in)
                continue;
            chosen[count++] = fabsf(error[k] - middle);
            lowest = fminf(lowest, error[k]);
        }
        gr_candidates c = {error, 1, pool, 0, size, NULL};
        const gr_crew alone = gr_alone(core_group);
        uint32_t sampled = gr_sample_errors(c, words, alone);
        uint32_t all = gr_find_median(c, middle, count, sampled, &found, &least, words, alone);
        float wanted = walk_median(chosen, count);
        assert_true(all || equal == 3);
        assert_true(!all || (found == wanted && least == lowest));
        assert_true(gr_median_of_many(c, middle, count, sampled, &least, words, alone) == wanted);
        assert_true(gr_middle_distance(c, middle, count, 0, GR_NO_PREFIX, words, alone) == wanted);
        assert_true(gr_epsilon_of_many(c, count, &least, &sampled, words, alone) ==
                    gr_epsilon(c, count, words, alone));
        assert_true(least == lowest && gr_least_error(c, words, alone) == lowest);
    }
}

/* Where the sample says least of the median: all that is not in it is far below, or far above; the
 * numbers of both are such that the median moves over the borders of what is looked at once more.
 */
static void test_median_at_border(void **state) {
    (void)state;
    static float error[GR_MANY_CANDIDATES], sorted[GR_MANY_CANDIDATES];
    static uint32_t words[GR_CREW_WORDS];
    const gr_crew alone = gr_alone(core_group);
    uint32_t apart = GR_MANY_CANDIDATES / GR_SAMPLED, by_sample = 0, otherwise = 0;
    for (uint32_t below = 2700; below < 3500; below++) {
        uint32_t left = below;
        float found, least;
        for (uint32_t k = 0; k < GR_MANY_CANDIDATES; k++)
            if (k % apart == 0)
                error[k] = 1.0f + (float)(k / apart * 1021 % GR_SAMPLED);
            else
                error[k] = left ? left--, 0.5f : 1e6f;
        memcpy(sorted, error, sizeof error);
        gr_candidates c = {error, 1, NULL, 0, GR_MANY_CANDIDATES, NULL};
        uint32_t sampled = gr_sample_errors(c, words, alone);
        float wanted = walk_median(sorted, GR_MANY_CANDIDATES);
        uint32_t is = gr_find_median(c, 0.0f, c.size, sampled, &found, &least, words, alone);
        assert_true(!is || found == wanted);
        by_sample += is;
        otherwise += !is;
        assert_true(gr_median_of_many(c, 0.0f, c.size, sampled, &least, words, alone) == wanted);
    }
    assert_true(by_sample > 50 && otherwise > 50);
}

/* On one lane, which takes the errors along: of few and of as many as it takes, all equal, some
 * equal, in halves apart, some or most infinite, of a pool and of a list; the same as by sorting.
 */
static void test_epsilon_alone(void **state) {
    (void)state;
    static float error[GR_TAKEN_ALONG], chosen[GR_TAKEN_ALONG];
    static uint32_t pool[GR_TAKEN_ALONG / 32], list[GR_TAKEN_ALONG];
    for (uint32_t round = 0; round < 400; round++) {
        core_dice dice = {round};
        uint32_t size = round < 80       ? round + 1
                        : round % 9 == 0 ? GR_TAKEN_ALONG
                                         : core_roll(&dice, GR_TAKEN_ALONG) + 1,
                 kind = round % 6, listed = round / 6 % 2, count = 0;
        memset(pool, 0, sizeof pool);
        for (uint32_t k = 0; k < size; k++) {
            uint32_t x = core_roll(&dice, 1000000);
            error[k] = kind == 0   ? 0.25f
                       : kind == 1 ? (float)(x % 4)
                       : kind == 2 ? (x % 2 ? 1e-30f : 1e30f)
                       : kind == 3 ? expf(-1e-5f * (float)x)
                       : kind == 4 ? (x % 5 ? (float)x : GR_INFINITY)
                                   : (x % 5 ? GR_INFINITY : (float)x);
            if (listed || x % 3) {
                pool[k / 32] |= 1u << k % 32;
                list[count] = k;
                chosen[count++] = error[k];
            }
        }
        gr_candidates c = {error, 1, listed ? list : pool, listed, listed ? count : size, NULL};
        float middle = count ? walk_median(chosen, count) : GR_INFINITY, wanted = 0.0f;
        for (uint32_t k = 0; k < count; k++)
            chosen[k] = fabsf(chosen[k] - middle);
        if (middle < GR_INFINITY)
            wanted = walk_median(chosen, count);
        wanted = wanted < GR_INFINITY ? wanted : 0.0f;
        assert_true(gr_epsilon_alone(c) == wanted);
        assert_true(gr_epsilon(c, count, counts, gr_alone(core_group)) == wanted);
    }
}

/* One that is best on a single case is a parent; one that never is, is not. */
static void test_specialists(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    core c = open_errors(&p, 64, GR_EPSILON_NONE, 0);
    uint32_t chosen[64] = {0};
    for (uint32_t row = 0; row < ROWS; row++)
        for (uint32_t i = 0; i < 64; i++) /* row k belongs to individual 5 k, 50 is second always */
            c.s.own_errors[i * ROWS + row] = row >= OWNED   ? 1.0f
                                             : i == 5 * row ? 0.0f
                                             : i == 50      ? 1.0f
                                                            : 2.0f;
    note_errors(&c);
    for (uint32_t k = 0; k < gr_lexicase_parents(&p); k++) {
        gr_find_parent(&c.s, GENERATION, 0, k, c.s.ways, counts, core_group);
        chosen[c.s.parents[k]]++;
    }
    for (uint32_t i = 0; i < 64; i++)
        assert_int_equal(chosen[i] > 0, i % 5 == 0 && i < 5 * OWNED);
    core_close(&c);
}

/* Those with the same errors in all rows need no further row: none is read. */
static void test_alike(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    core c = open_errors(&p, 64, GR_EPSILON_NONE, 0);
    for (uint32_t row = 0; row < ROWS; row++)
        for (uint32_t i = 0; i < 64; i++)
            c.s.own_errors[i * ROWS + row] = i % 8 == 3 ? 0.5f : 1.0f;
    note_errors(&c);
    for (uint32_t row = 0; row < ROWS; row++)
        for (uint32_t i = 0; i < 64; i++) /* 3 alone would be left */
            c.s.own_errors[i * ROWS + row] = i == 3 ? 0.5f : 1.0f;
    uint32_t others = 0;
    for (uint32_t k = 0; k < gr_lexicase_parents(&p); k++) {
        gr_find_parent(&c.s, GENERATION, 0, k, c.s.ways, counts, core_group);
        assert_int_equal(c.s.parents[k] % 8, 3);
        others += c.s.parents[k] != 3;
    }
    assert_true(others > 0);
    core_close(&c);
}

static void test_distance(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    p.metric = GR_METRIC_RMSE;
    assert_true(gr_distance(&p, 1.0f, 3.5f) == 2.5f);
    assert_true(gr_distance(&p, GR_NAN, 3.5f) == GR_INFINITY);
    assert_true(gr_distance(&p, GR_INFINITY, 3.5f) == GR_INFINITY);
    p.metric = GR_METRIC_HITS;
    p.tolerance = 1.0f;
    assert_true(gr_distance(&p, 1.0f, 1.5f) == 0.0f && gr_distance(&p, 1.0f, 2.5f) == 1.0f);
    p.metric = GR_METRIC_BALANCED;
    assert_true(gr_distance(&p, 1.0f, 1.0f) == 0.0f && gr_distance(&p, 1.0f, -1.0f) == 1.0f);
    assert_true(gr_distance(&p, -1.0f, -1.0f) == 0.0f && gr_distance(&p, -1.0f, 1.0f) == 1.0f);
}

/* Where kernels need not ask by which metric, it is the same distance; nowhere else do they not. */
static void test_plain_distance(void **state) {
    const float values[] = {0.0f,    -0.0f,    1.0f,        -2.5f,        1e-40f,
                            3.4e38f, -3.4e38f, GR_INFINITY, -GR_INFINITY, GR_NAN};
    enum { VALUES = sizeof values / sizeof *values };
    (void)state;
    gr_params p = core_params(GR_TREE);
    p.metric = GR_METRIC_RMSE;
    assert_true(gr_plain_distance(1.0f, 3.5f) == 2.5f && gr_plain_distance(2.0f, -1.0f) == 3.0f);
    for (uint32_t a = 0; a < VALUES; a++)
        for (uint32_t b = 0; b < VALUES; b++)
            assert_true(core_same(gr_plain_distance(values[a], values[b]),
                                  gr_distance(&p, values[a], values[b])));
    for (uint32_t metric = 0; metric < GR_METRICS; metric++) {
        uint32_t squared =
            metric == GR_METRIC_MSE || metric == GR_METRIC_RMSE || metric == GR_METRIC_R2;
        p.metric = metric;
        p.case_weights = 0;
        assert_int_equal(gr_is_plain_distance(&p), squared);
        p.case_weights = 1;
        assert_int_equal(gr_is_plain_distance(&p), 0);
    }
}

static int by_sum(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Individuals that fail different rows, by errors that differ from 0 in few bits, have different
 * sums of hashes: nothing else tells them apart. All triples of 200 rows and all pairs of 1500. */
static void test_hashes(void **state) {
    (void)state;
    enum {
        TRIPLES = IN_TRIPLES * (IN_TRIPLES - 1) * (IN_TRIPLES - 2) / 6,
        PAIRS = IN_PAIRS * (IN_PAIRS - 1) / 2
    };
    static const float errors[] = {1.0f, 2.0f};
    static uint64_t by[IN_PAIRS], sums[TRIPLES > PAIRS ? TRIPLES : PAIRS];
    for (size_t e = 0; e < sizeof errors / sizeof *errors; e++)
        for (uint32_t pairs = 0; pairs < 2; pairs++) {
            uint32_t n = 0, rows = pairs ? IN_PAIRS : IN_TRIPLES;
            for (uint32_t row = 0; row < rows; row++)
                by[row] = gr_hash_of_error(gr_float_bits(errors[e]), gr_row_number_drawn(row)) -
                          gr_hash_of_error(0, gr_row_number_drawn(row));
            for (uint32_t i = 0; i < rows; i++)
                for (uint32_t j = 0; j < i; j++)
                    for (uint32_t k = 0; k < (pairs ? 1 : j); k++)
                        sums[n++] = by[i] + by[j] + (pairs ? 0 : by[k]);
            assert_int_equal(n, pairs ? PAIRS : TRIPLES);
            qsort(sums, n, sizeof *sums, by_sum);
            for (uint32_t i = 1; i < n; i++)
                assert_true(sums[i] != sums[i - 1]);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parents),       cmocka_unit_test(test_known),
        cmocka_unit_test(test_known_above),   cmocka_unit_test(test_parts),
        cmocka_unit_test(test_same_of_list),  cmocka_unit_test(test_median_at_border),
        cmocka_unit_test(test_marks),         cmocka_unit_test(test_median),
        cmocka_unit_test(test_specialists),   cmocka_unit_test(test_alike),
        cmocka_unit_test(test_epsilon_alone), cmocka_unit_test(test_hashes),
        cmocka_unit_test(test_distance),      cmocka_unit_test(test_plain_distance)};
    return cmocka_run_group_tests_name("lexicase", tests, NULL, NULL);
}
