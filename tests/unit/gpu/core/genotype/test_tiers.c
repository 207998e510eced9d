/* gpu/core/genotype/tiers.h: words put in and taken out anywhere stand as in a plain array. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/core/genotype/tiers.h"
#include "tests/core.h"

enum { MOST = 1000, GUARD = 0x5ead };

static uint32_t plain[MOST + 1], count; /* what the tiers should hold */

static uint32_t plain_waiting(uint32_t others) {
    uint32_t at = 0;
    while (!(plain[at] & GR_WAITS) || others-- > 0)
        at++;
    return at;
}

static gr_spot place_of(const gr_tiers *t, uint32_t at) {
    const gr_spot place = {at / t->size, at % t->size};
    return place;
}

/* One thing that growing a derivation does, at a word that waits, if any does. */
static void step(gr_tiers *t, core_dice *dice, uint32_t rising) {
    uint32_t word = core_roll(dice, 0) | GR_WAITS;
    if (!t->waiting) {
        uint32_t at = core_roll(dice, count + 1);
        if (count == t->capacity)
            return;
        memmove(plain + at + 1, plain + at, (count++ - at) * sizeof *plain);
        plain[at] = word;
        gr_put_in(t, place_of(t, at), word);
        return;
    }
    uint32_t others = core_roll(dice, t->waiting), at = plain_waiting(others);
    gr_spot place = gr_waiting_spot(t, others);
    assert_int_equal(place.block * t->size + place.offset, at);
    assert_int_equal(*gr_tier_word(t, place), plain[at]);
    if (core_roll(dice, 10) < rising && count < t->capacity) {
        memmove(plain + at + 2, plain + at + 1, (count++ - at - 1) * sizeof *plain);
        plain[at + 1] = word;
        gr_put_in(t, gr_next_spot(t, place), word);
    } else if (core_roll(dice, 3)) {
        plain[at] = word & ~GR_WAITS;
        gr_set_tier_word(t, place, plain[at]);
    } else {
        memmove(plain + at, plain + at + 1, (--count - at) * sizeof *plain);
        gr_take_out(t, place);
    }
}

static void hold(uint32_t capacity, uint32_t blocks, core_dice *dice) {
    uint32_t words[MOST + 1], of_blocks[2 * MOST + 1];
    words[capacity] = of_blocks[2 * blocks] = GUARD;
    const gr_words beside = {of_blocks, 1};
    gr_tiers t = gr_tiers_start(words, capacity, beside, blocks);
    count = 0;
    for (uint32_t k = 0; k < 6 * capacity; k++) {
        uint32_t waiting = 0;
        step(&t, dice, k / (2 * capacity) == 1 ? 2 : 8); /* it fills, gets emptier, fills again */
        for (uint32_t i = 0; i < count; i++)
            waiting += plain[i] >> 31;
        assert_int_equal(t.count, count);
        assert_int_equal(t.waiting, waiting);
    }
    gr_tiers_end(&t);
    assert_memory_equal(words, plain, count * sizeof *words);
    assert_int_equal(words[capacity], GUARD);
    assert_int_equal(of_blocks[2 * blocks], GUARD);
}

static void test_as_a_plain_array(void **state) {
    (void)state;
    core_dice dice = {7};
    for (uint32_t capacity = 1; capacity < 70; capacity++)
        for (uint32_t blocks = 1; blocks < 7; blocks++)
            hold(capacity, blocks, &dice);
    hold(MOST, 90, &dice);
    hold(MOST, 3, &dice);
    hold(MOST - 1, 7, &dice);
}

/* Blocks are as long as there are of them, longer where there may not be so many. */
static void test_sizes(void **state) {
    (void)state;
    uint32_t words[1], of_blocks[2 * MOST];
    const gr_words beside = {of_blocks, 1};
    assert_int_equal(gr_tiers_start(words, 16, beside, 90).size, 16);
    assert_int_equal(gr_tiers_start(words, 500, beside, 90).size, 32);
    assert_int_equal(gr_tiers_start(words, 200000, beside, MOST).size, 512);
    assert_int_equal(gr_tiers_start(words, 200000, beside, 90).size, 2223);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_a_plain_array),
        cmocka_unit_test(test_sizes),
    };
    return cmocka_run_group_tests_name("tiers", tests, NULL, NULL);
}
