/* Lexicase selection as a warp of the device does it, on the host (tests/warp.h): first pools,
 * their lists and parents of random errors, against a plain walk over lists, which is what lexicase
 * selection means. Parents are found at once and in two steps, and once more by a lane alone.
 *
 *   warp_lexicase [--rounds N] [--seed S]     (default 72 rounds of two demes each, seed 1) */
#include "tests/warp.h"

#include "gpu/core/lexicase/lexicase.h"
#include "tests/core.h"
#include "tests/lexicase_walk.h"

#ifdef __SANITIZE_ADDRESS__ /* ten times as slow */
enum { ROUNDS = 16 };
#else
enum { ROUNDS = 72 };
#endif

enum {
    GENERATION = 4,
    DEMES = 2,
    MOST_ERRORS = 200000, /* of a deme */
    SMALL = 1500,         /* individuals of one, at most */
    MOST = 8300,          /* or, in some rounds, so many that rows are sampled */
    PARENTS = 80          /* that are looked at in a round */
};

static core c;
static core_dice dice = {1};
static uint32_t rows;
static uint32_t counts[GR_CREW_WORDS];
static walk_of walk;                                 /* over c */
static uint32_t *wanted;                             /* parents, by the walk */
static uint32_t pool[(MOST + 127) / 128 * 4], *list; /* by fours, as gr_set_words */
static gr_rest rest;

typedef struct tally {
    uint32_t rounds, parents, steps, wrong;
} tally;

/* ---- errors ---- */

typedef enum style {
    STYLE_MANY,      /* values, all different */
    STYLE_TWO,       /* 0 and 1 */
    STYLE_INFINITE,  /* few, infinity among them */
    STYLE_RARE,      /* 1 among many 0 */
    STYLE_CONVERGED, /* two of five nearly equal and the best, but for a row that some fail */
    STYLE_HUGE,      /* bars beyond the largest float */
    STYLE_DENORMAL,
    STYLE_INFINITE_OR_HUGE,
    STYLE_LAST_PLACE, /* differences of one unit in the last place */
    STYLE_MEDIAN,     /* nearly all the same, not the least */
    STYLE_ROWS,       /* that part nobody, one of three */
    STYLE_FIRST,      /* three individuals the best always */
    STYLES
} style;

static float rolled_error(style of, uint32_t i, uint32_t row) {
    uint32_t x = core_roll(&dice, 1000000);
    switch (of) {
    case STYLE_TWO:
        return (float)(x % 2);
    case STYLE_INFINITE:
        return x % 4 == 3 ? GR_INFINITY : (float)(x % 4);
    case STYLE_RARE:
        return x % 50 == 0 ? 1.0f : 0.0f;
    case STYLE_CONVERGED:
        if (i % 5 < 2)
            return row % 8 == 0 && i / 5 % rows == row ? 200.0f : 1.0f + (float)x * 1e-9f;
        return 2.0f + (float)x * 1e-3f;
    case STYLE_HUGE:
        return x % 3 == 0   ? 0x1.fffffep127f
               : x % 3 == 1 ? 0x1p127f * (1.0f + (float)(x % 7) / 8.0f)
                            : (float)x;
    case STYLE_DENORMAL:
        return gr_bits_float(x % 100);
    case STYLE_INFINITE_OR_HUGE:
        return x % 2 ? GR_INFINITY : 0x1p100f;
    case STYLE_LAST_PLACE:
        return 1.0f + (float)(x % 3) * 0x1p-23f;
    case STYLE_MEDIAN:
        return x % 97 ? 0.5f : (float)(x % 11);
    case STYLE_ROWS:
        return row % 3 ? (float)(x >> 10) * 1e-3f : 0.0f;
    case STYLE_FIRST:
        return i % 97 < 3 ? 0.0f : 1.0f;
    default:
        return (float)x * 0.125f;
    }
}

/* Errors of individual i, or of one in `clones` of four those of one before, in all rows or all but
 * one; what gr_write_errors leaves of them. */
static void roll_errors(style of, uint32_t i, uint32_t clones) {
    size_t individuals = c.s.p.individuals, from = core_roll(&dice, i + 1);
    uint32_t is_clone = i && core_roll(&dice, 4) < clones,
             but = core_roll(&dice, 3) ? rows : core_roll(&dice, rows);
    for (uint32_t row = 0; row < rows; row++) {
        float error = rolled_error(of, i, row);
        if (is_clone && row != but)
            error = c.s.own_errors[from * rows + row];
        c.s.own_errors[(size_t)i * rows + row] = error;
        c.s.case_errors[row * individuals + i] = error;
        c.s.behaviours[i] += gr_hash_of_error(gr_float_bits(error), gr_row_number_drawn(row));
    }
}

/* A generation of two demes, with random settings. */
static void open_round(uint32_t number) {
    static const uint32_t populations[] = {1,  2,  3,  15,  16,  17,  31,  32,   33,
                                           40, 64, 65, 100, 160, 300, 700, SMALL},
                          row_counts[] = {1, 2, 3, 31, 32, 33, 40, 65, 130, 300, 1100};
    gr_params p = core_params(GR_TREE);
    style of = (style)core_roll(&dice, STYLES);
    uint32_t clones = core_roll(&dice, 4);
    p.population = populations[core_roll(&dice, sizeof populations / sizeof *populations)];
    rows = row_counts[core_roll(&dice, sizeof row_counts / sizeof *row_counts)];
    if (number / 4 % 6 == 5)
        p.population = MOST;
    if (p.population * rows > MOST_ERRORS)
        rows = p.population == MOST ? 20 : 40;
    p.runs = DEMES;
    p.individuals = DEMES * p.population;
    p.epsilon = number % 4;
    p.selection = GR_SELECT_LEXICASE;
    p.elites = core_roll(&dice, 3) ? 0 : core_roll(&dice, p.population + 1);
    p.one_child = core_roll(&dice, 2);
    p.invalid = core_roll(&dice, 3) ? GR_INVALID_WORST : GR_INVALID_EXCLUDED;
    p.lexicase_cases = p.lexicase_rows = rows;
    p.lexicase_batch = 1;
    c = core_open(&p, NULL, 0);
    for (uint32_t i = 0; i < p.individuals; i++) {
        uint32_t valid = core_roll(&dice, 5) > 0;
        c.s.individuals[GENERATION & 1][i].validity = valid ? GR_VALID : GR_VALID + 1;
        c.s.records[i / p.population].statistics.validity[GR_VALID] += valid;
        roll_errors(of, i, clones);
    }
    walk = (walk_of){.c = &c, .generation = GENERATION, .rows = rows};
    walk_find_same(&walk);
    snprintf(warp.about, sizeof warp.about,
             "round %u: population %u, %u rows, epsilon %u, style %d, clones %u, elites %u, "
             "invalid %u",
             number, p.population, rows, p.epsilon, (int)of, clones, p.elites, p.invalid);
}

/* ---- the work of a warp ---- */

static void prepare(const void *with, gr_lane_group w) {
    const gr_params *p = &c.s.p;
    uint32_t words = gr_pool_words(p), row_words = gr_failed_words(p);
    (void)with;
    for (uint32_t k = 0; k < DEMES * words; k++)
        gr_find_different(&c.s, GENERATION, k / words, k % words, w);
    gr_sync(w); /* kernels come one after the other */
    for (uint32_t k = 0; k < DEMES * rows; k++)
        gr_find_first_pool(&c.s, k % DEMES, k / DEMES, counts, gr_alone(w));
    gr_sync(w);
    for (uint32_t k = 0; k < DEMES * words * row_words; k++)
        gr_find_failed(&c.s, k / row_words / words, k / row_words % words, k % row_words, w);
    gr_sync(w);
    for (uint32_t k = 0; k < DEMES * rows; k++)
        gr_list_first_pool(&c.s, k % DEMES, k / DEMES, counts, gr_alone(w));
}

typedef struct parent {
    uint32_t deme, k;
} parent;

static void find_parent(const void *with, gr_lane_group w) {
    const parent *of = with;
    gr_find_parent(&c.s, GENERATION, of->deme, of->k, c.s.ways, counts, w);
}

static void pass_pools(const void *with, gr_lane_group w) {
    const parent *of = with;
    gr_pass_pools(&c.s, GENERATION, of->deme, of->k, pool, c.s.ways, &rest, list, counts, w);
}

static void pass_lists(const void *with, gr_lane_group w) {
    const parent *of = with;
    gr_pass_lists(&c.s, GENERATION, of->deme, of->k, &rest, list, c.s.ways, counts, w);
}

/* ---- one against the other ---- */

static void check_one(const char *way, const char *how, const parent *of, tally *seen) {
    uint32_t at = of->deme * gr_lexicase_parents(&c.s.p) + of->k, *found = &c.s.parents[at];
    if (*found != wanted[at] && seen->wrong++ < 3)
        printf("FAIL %s %s: parent %u of deme %u is %u, by a walk %u; %s\n", way, how, of->k,
               of->deme, *found, wanted[at], warp.about);
    *found = 0xffffffffu;
}

/* Every so many of both demes' parents, at once and, where that is done, in two steps. */
static void check_parents(const char *way, uint32_t step, void (*run)(warp_work *, const void *),
                          tally *seen) {
    uint32_t all = gr_lexicase_parents(&c.s.p);
    for (uint32_t k = 0; k < DEMES * all; k += step) {
        const parent of = {k / all, k % all};
        run(find_parent, &of);
        check_one(way, "at once", &of, seen);
        seen->parents++;
        if (!gr_pools_meet(&c.s.p))
            continue;
        run(pass_pools, &of);
        run(pass_lists, &of);
        check_one(way, "in two steps", &of, seen);
        seen->steps++;
    }
}

/* ---- sets of more words than a warp has at a time ---- */

enum { MOST_WORDS = 3128 };

static struct { uint32_t own[MOST_WORDS], other[MOST_WORDS], left[MOST_WORDS], words, count; } sets;

static void meet(const void *with, gr_lane_group w) {
    (void)with;
    uint32_t count =
        gr_meet_pools(sets.own, sets.other, gr_read_words(sets.other, 0, sets.words, w), sets.left,
                      sets.words, w);
    if (w.lane == 0)
        sets.count = count;
}

/* Words from `from` on have some in common; what is left where nobody is stays as it was. */
static uint32_t meets_wrongly(uint32_t words, uint32_t from) {
    uint32_t wanted_count = 0, wrong = 0;
    sets.words = words;
    for (uint32_t k = 0; k < words; k++) {
        sets.own[k] = core_roll(&dice, 0xffffffffu) & core_roll(&dice, 0xffffffffu);
        sets.other[k] = k < from ? ~sets.own[k] : core_roll(&dice, 0xffffffffu);
        sets.left[k] = 0xdeadu;
        wanted_count += gr_count_bits(sets.own[k] & sets.other[k]);
    }
    warp_run(meet, NULL);
    for (uint32_t k = 0; k < words; k++)
        wrong += sets.left[k] != (wanted_count ? sets.own[k] & sets.other[k] : 0xdeadu);
    return wrong + (sets.count != wanted_count);
}

static uint32_t check_sets(void) {
    static const uint32_t sizes[] = {4, 128, 512, 636, 640, 644, 1280, 1500, MOST_WORDS};
    uint32_t wrong = 0;
    for (uint32_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
        wrong += meets_wrongly(sizes[n], 0);            /* everywhere */
        wrong += meets_wrongly(sizes[n], sizes[n] - 2); /* at the end, so that more is looked at */
        wrong += meets_wrongly(sizes[n], sizes[n]);     /* nowhere */
    }
    return wrong;
}

static void run_alone(warp_work *work, const void *with) {
    work(with, core_group);
}

/* ---- lists of sets ---- */

static uint32_t listed[32 * MOST_WORDS + 1];

static void list_set(const void *which, gr_lane_group w) {
    uint32_t count =
        gr_list_pool(sets.own, sets.other, *(const uint32_t *)which, sets.words, listed, w);
    if (w.lane == 0)
        sets.count = count;
}

/* Everybody who should be is listed, once, and nothing behind the last is written. */
static uint32_t lists_wrongly(uint32_t which, void (*run)(warp_work *, const void *)) {
    static uint32_t seen[MOST_WORDS];
    uint32_t all = 0, wrong = 0;
    memset(seen, 0, sizeof seen);
    memset(listed, 0xff, sizeof listed);
    run(list_set, &which);
    for (uint32_t k = 0; k < sets.words; k++)
        all += gr_count_bits(sets.left[k]);
    for (uint32_t k = 0; k < all; k++)
        if (listed[k] < 32 * sets.words)
            seen[listed[k] / 32] |= 1u << listed[k] % 32;
    for (uint32_t k = 0; k < sets.words; k++)
        wrong += seen[k] != sets.left[k];
    return wrong + (sets.count != all) + (listed[all] != 0xffffffffu);
}

/* Sets with few, some and all: each as a whole, what is in another, too, and what is not. */
static uint32_t check_lists(void) {
    static const uint32_t sizes[] = {4, 128, 1020, 1024, 1028, 2500, MOST_WORDS};
    uint32_t wrong = 0;
    for (uint32_t n = 0; n < 3 * sizeof sizes / sizeof *sizes; n++) {
        sets.words = sizes[n / 3];
        for (uint32_t k = 0; k < sets.words; k++) {
            sets.own[k] = n % 3 == 2 ? 0xffffffffu : core_roll(&dice, 0xffffffffu);
            if (n % 3 == 0 && core_roll(&dice, 8))
                sets.own[k] = 0;
            sets.other[k] = core_roll(&dice, 0xffffffffu);
        }
        for (uint32_t which = GR_ALL_OF_POOL; which <= GR_REST_OF_POOL; which++) {
            for (uint32_t k = 0; k < sets.words; k++)
                sets.left[k] = which == GR_ALL_OF_POOL   ? sets.own[k]
                               : which == GR_MET_OF_POOL ? sets.own[k] & sets.other[k]
                                                         : sets.own[k] & ~sets.other[k];
            wrong += lists_wrongly(which, warp_run) + lists_wrongly(which, run_alone);
        }
    }
    return wrong;
}

static void check_round(uint32_t number, tally *seen) {
    open_round(number);
    uint32_t all = gr_lexicase_parents(&c.s.p), step = 1 + DEMES * all / PARENTS;
    walk.deviations = malloc(sizeof *walk.deviations * rows * DEMES);
    wanted = malloc(sizeof *wanted * DEMES * all);
    list = calloc(gr_listed_most(&c.s.p) + 1, sizeof *list);
    if (!walk.deviations || !wanted || !list)
        abort();
    for (uint32_t k = 0; k < rows * DEMES; k++)
        walk.deviations[k] = -1.0f;
    for (uint32_t k = 0; k < DEMES * all; k += step)
        wanted[k] = walk_parent(&walk, k / all, k % all);
    warp_run(prepare, NULL);
    check_parents("a warp", step, warp_run, seen);
    run_alone(prepare, NULL);
    check_parents("a lane alone", step, run_alone, seen);
    seen->rounds++;
    free(walk.deviations);
    free(wanted);
    free(list);
    core_close(&c);
}

int main(int argc, char **argv) {
    static const char *const epsilons[] = {
        [GR_EPSILON_NONE] = "no epsilon",
        [GR_EPSILON_STATIC] = "static epsilon",
        [GR_EPSILON_SEMI_DYNAMIC] = "semi-dynamic epsilon",
        [GR_EPSILON_DYNAMIC] = "dynamic epsilon",
    };
    uint32_t rounds = ROUNDS;
    tally seen[4] = {{0}};
    int passed = 0, failed = 0;
    if (!warp_options(argc, argv, &rounds, &dice.state))
        return 2;
    for (uint32_t round = 0; round < rounds; round++)
        check_round(round, &seen[round % 4]);
    for (uint32_t e = 0; e < 4; e++) {
        int meets = e == GR_EPSILON_STATIC || e == GR_EPSILON_SEMI_DYNAMIC,
            good = !seen[e].wrong && seen[e].parents && (!meets || seen[e].steps);
        printf("%-4s %s: %u rounds, %u parents, %u of them in two steps too, %u wrong\n",
               good ? "ok" : "FAIL", epsilons[e], seen[e].rounds, seen[e].parents, seen[e].steps,
               seen[e].wrong);
        good ? passed++ : failed++;
    }
    uint32_t wrong = check_sets();
    printf("%-4s sets that meet: %u wrong\n", wrong ? "FAIL" : "ok", wrong);
    wrong ? failed++ : passed++;
    wrong = check_lists();
    printf("%-4s sets that are listed: %u wrong\n", wrong ? "FAIL" : "ok", wrong);
    wrong ? failed++ : passed++;
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
