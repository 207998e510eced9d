/* gpu/core/selection/diversity.h: hashes that do not see how a text was cut, tables that count
 * different keys, logarithms in whole numbers, and what is counted of trees. What comes of genomes
 * is counted in tests/e2e/diversity.py. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/core/selection/diversity.h"
#include "tests/core.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static gr_text_hash hash_of(const char *text) {
    gr_text_hash hash = gr_no_text();
    for (; *text; text++)
        hash = gr_text_joined(hash, gr_text_of_byte((unsigned char)*text));
    return hash;
}

/* Products against 128 bits. */
static void test_products(void **state) {
    (void)state;
    const uint64_t modulus = (1ull << 61) - 1;
    core_dice dice = {7};
    for (uint32_t k = 0; k < 20000; k++) {
        uint64_t a =
            ((uint64_t)core_roll(&dice, 0x7fffffff) << 31 | core_roll(&dice, 0x7fffffff)) % modulus;
        uint64_t b =
            ((uint64_t)core_roll(&dice, 0x7fffffff) << 31 | core_roll(&dice, 0x7fffffff)) % modulus;
        if (k < 8) /* the ends */
            a = k & 1 ? modulus - 1 : k & 2 ? 0 : a, b = k & 4 ? modulus - 1 : b;
        assert_true(gr_text_multiply(a, b) == (uint64_t)((unsigned __int128)a * b % modulus));
    }
}

static void test_texts(void **state) {
    (void)state;
    gr_text_hash whole = hash_of("pdiv(x0, 1.0)");
    for (size_t cut = 0; cut <= 13; cut++) {
        char first[16] = "", *text = "pdiv(x0, 1.0)";
        memcpy(first, text, cut);
        gr_text_hash joined = gr_text_joined(hash_of(first), hash_of(text + cut));
        assert_true(joined.hash == whole.hash && joined.power == whole.power);
    }
    assert_true(hash_of("ab").hash != hash_of("ba").hash);
    assert_true(hash_of("a").hash != hash_of("aa").hash);
    assert_true(hash_of("").hash == 0);
}

/* Codons' values as the host prints them. */
static void test_codons(void **state) {
    (void)state;
    const struct {
        gr_codon_value v;
        uint32_t codon;
        const char *text;
    } cases[] = {{{.low = 0, .span = 13}, 25, "12"},
                 {{.low = 0, .span = 13}, 0, "0"},
                 {{.low = -12, .span = 20}, 3, "-9"},
                 {{.low = -12, .span = 20}, 12, "0"},
                 {{.low = 5, .span = 0}, 4294967295u, "4294967300"},
                 {{.low = 0, .span = 1000000, .scale = 1000, .decimals = 6}, 7, "0.007000"},
                 {{.low = 0, .span = 100, .scale = 100, .decimals = 2}, 100, "1.00"},
                 {{.low = -100, .span = 200, .scale = 200, .decimals = 2}, 99, "-0.01"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        gr_text_hash hash = gr_text_of_codon(cases[k].v, cases[k].codon);
        assert_true(hash.hash == hash_of(cases[k].text).hash);
        assert_true(hash.power == hash_of(cases[k].text).power);
    }
}

static void test_tables(void **state) {
    (void)state;
    uint64_t table[64] = {0};
    uint32_t new = 0, at, again;
    for (uint64_t key = 1; key <= 32; key++) { /* all at the same place at first */
        new += gr_enter_key(table, 64, key | 5ull << 32, &at);
        assert_false(gr_enter_key(table, 64, key | 5ull << 32, &again));
        assert_int_equal(at, again);
    }
    assert_int_equal(new, 32);
    gr_params p = {.diversity = 1, .runs = 1, .islands = 3, .population = 100};
    assert_int_equal(gr_diversity_entries(&p), 1024); /* at least twice as many */
    assert_int_equal(gr_seen_entries(&p), 1 << 17);   /* 256 * 300 */
    gr_diversity d = {.ever_before = (1 << 16) - 1};
    assert_true(gr_counts_ever(&p, &d));
    d.ever_before++; /* half full: a generation more might not fit */
    assert_false(gr_counts_ever(&p, &d));
    p.runs = 1 << 14;
    assert_int_equal(gr_seen_entries(&p), 1 << 11);
    p.runs = 1 << 15;
    assert_int_equal(gr_seen_entries(&p), 0); /* less than four generations */
    p.diversity = 0;
    assert_int_equal(gr_diversity_entries(&p), 0);
}

static void test_logarithms(void **state) {
    (void)state;
    for (uint32_t n = 1; n; n = n < 5000 ? n + 1 : n > 4000000000u ? 0 : n + n / 3) {
        double log = ldexp((double)gr_log2_whole(n), -GR_LOG2_BITS);
        assert_true(fabs(log - log2(n)) < 1e-7);
    }
    assert_true(gr_log2_whole(1u << 30) == 30ull << GR_LOG2_BITS);
    assert_true(gr_key_of_hash(0) != 0);
}

/* ---- what is counted of trees, against comparing all with all ---- */

enum { RUNS = 2, ISLANDS = 2, OF_RUN = 2 * 30, ALL = RUNS * OF_RUN };

/* One of few trees: a function of two leaves, or a leaf. */
static void draw_tree(const gr_state *s, uint32_t buffer, uint32_t i, core_dice *dice) {
    gr_nodes tree = gr_tree(s, buffer, i);
    uint32_t length = core_roll(dice, 3) ? 3 : 1;
    for (uint32_t k = 0; k < length; k++) {
        uint32_t constant = core_roll(dice, 3) == 0;
        GR_AT(tree, k) = constant ? gr_make_node(GR_CONSTANT, 1, 1, gr_float_bits(2.0f))
                                  : gr_make_node(GR_INPUT, 1, 1, core_roll(dice, 2));
    }
    if (length == 3) /* what stands where a leaf has its number says nothing */
        GR_AT(tree, 2) =
            gr_make_node(core_roll(dice, 2) ? GR_ADD : GR_MUL, 3, 2, core_roll(dice, 9));
    gr_individual tree_of = {.length = length, .nodes = length, .instructions = 1};
    tree_of.validity = core_roll(dice, 9) ? GR_VALID : GR_TOO_DEEP;
    s->individuals[buffer][i] = tree_of;
}

static int same_tree(const gr_state *s, uint32_t x, uint32_t i, uint32_t y, uint32_t k) {
    gr_individual a = s->individuals[x][i], b = s->individuals[y][k];
    for (uint32_t n = 0; a.length == b.length && n < a.length; n++) {
        gr_node p = GR_AT(gr_tree(s, x, i), n), q = GR_AT(gr_tree(s, y, k), n);
        if (GR_NODE_OP(p) != GR_NODE_OP(q) || (GR_NODE_OP(p) <= GR_INPUT && p.operand != q.operand))
            return 0;
    }
    return a.length == b.length;
}

/* What individual i of a run is the first to have, and whether it is a child like a parent. */
static gr_diversity counted(const gr_state *s, uint32_t buffer, uint32_t first, uint32_t i,
                            uint32_t generation) {
    gr_individual own = s->individuals[buffer][i];
    uint32_t valid = own.validity == GR_VALID, finite = valid && s->sums[i] < INFINITY;
    gr_plan plan = s->plans[i];
    gr_diversity d = {.genotypes = 1, .phenotypes = valid, .fitnesses = finite, .finite = finite};
    for (uint32_t k = first; k < i; k++) {
        uint32_t other = s->individuals[buffer][k].validity == GR_VALID;
        int same = same_tree(s, buffer, i, buffer, k);
        d.genotypes &= !same;
        d.phenotypes &= !(same && other);
        d.fitnesses &= !(other && s->sums[k] == s->sums[i]);
    }
    d.children = generation && plan.kind != GR_PLAN_ELITE;
    d.copies = d.children && (same_tree(s, buffer, i, buffer ^ 1, plan.a) ||
                              (plan.b1 && same_tree(s, buffer, i, buffer ^ 1, plan.b)));
    return d;
}

/* n log2(n) over the costs of a run, which are below 12. */
static double sum_of(const gr_state *s, uint32_t buffer, uint32_t first) {
    double sum = 0.0;
    for (uint32_t value = 0; value < 12; value++) {
        uint32_t n = 0;
        for (uint32_t i = first; i < first + OF_RUN; i++)
            n += s->sums[i] == value && s->individuals[buffer][i].validity == GR_VALID;
        sum += n ? n * log2(n) : 0.0;
    }
    return sum;
}

static void draw_generation(const gr_state *s, uint32_t generation, core_dice *dice) {
    for (uint32_t i = 0; i < ALL; i++) {
        uint32_t first = i / OF_RUN * OF_RUN;
        draw_tree(s, generation & 1, i, dice);
        s->sums[i] = core_roll(dice, 9) ? (double)core_roll(dice, 12) : INFINITY;
        s->plans[i] = gr_copy_plan(first + core_roll(dice, OF_RUN), 1, core_roll(dice, 4) == 0);
        s->plans[i].b = first + core_roll(dice, OF_RUN);
        if (core_roll(dice, 2) && s->plans[i].kind != GR_PLAN_ELITE)
            s->plans[i].b1 = 1; /* something of b, too */
    }
}

static void test_counts(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    p.diversity = 1;
    p.runs = RUNS;
    p.islands = ISLANDS;
    p.population = OF_RUN / ISLANDS;
    core c = core_open(&p, NULL, 0);
    core_dice dice = {11};
    uint32_t copies = 0, entries = gr_diversity_entries(&p);
    for (uint32_t generation = 0; generation < 40; generation++) {
        draw_generation(&c.s, generation, &dice);
        for (uint32_t run = 0; run < RUNS; run++) {
            gr_diversity wanted = {0}, got = {0};
            double told = 0.0;
            gr_begin_diversity(gr_diversity_of(&c.s, run));
            for (uint32_t i = run * OF_RUN; i < (run + 1) * OF_RUN; i++) {
                gr_add_diversity(&got,
                                 gr_count_individual(&c.s, generation, i, core_scratch(&c), NULL));
                gr_add_diversity(&wanted,
                                 counted(&c.s, generation & 1, run * OF_RUN, i, generation));
            }
            for (uint64_t k = 0; k < entries; k++)
                told +=
                    ldexp((double)gr_clear_entry(&c.s, (uint64_t)run * entries + k), -GR_LOG2_BITS);
            assert_true(fabs(told - sum_of(&c.s, generation & 1, run * OF_RUN)) < 1e-4);
            got.ever = 0; /* what a run had before: tests/e2e/diversity.py */
            assert_memory_equal(&got, &wanted, sizeof got);
            copies += got.copies;
        }
    }
    assert_true(copies > 100);
    core_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_products),   cmocka_unit_test(test_texts),
        cmocka_unit_test(test_codons),     cmocka_unit_test(test_tables),
        cmocka_unit_test(test_logarithms), cmocka_unit_test(test_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
