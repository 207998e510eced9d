#include "host/inference/inference.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- rates ---- */

gr_interval gr_wilson(uint64_t successes, uint64_t n) {
    double z = gsl_cdf_ugaussian_Pinv(0.975), count = (double)n, p = (double)successes / count;
    double scale = 1.0 + z * z / count, middle = (p + z * z / (2.0 * count)) / scale;
    double half = z / scale * sqrt(p * (1.0 - p) / count + z * z / (4.0 * count * count));
    gr_interval i = {successes ? middle - half : 0.0, successes < n ? middle + half : 1.0};
    return i;
}

uint64_t gr_koza_runs(uint64_t successes, uint64_t n, double z) {
    if (!successes)
        return 0;
    if (successes >= n)
        return 1;
    return (uint64_t)fmax(1.0, ceil(log1p(-z) / log1p(-(double)successes / (double)n)));
}

/* Sums of probabilities that are at most this one's, give or take rounding. */
double gr_fisher_test(uint64_t solved_a, uint64_t n_a, uint64_t solved_b, uint64_t n_b,
                      double *odds_ratio) {
    uint64_t solved = solved_a + solved_b, least = solved > n_b ? solved - n_b : 0;
    uint64_t most = solved < n_a ? solved : n_a;
    double hits = (double)solved_a * (double)(n_b - solved_b);
    double misses = (double)(n_a - solved_a) * (double)solved_b;
    double sum = 0.0;
    *odds_ratio = misses > 0.0 ? hits / misses : hits > 0.0 ? (double)INFINITY : (double)NAN;
    double this = gsl_ran_hypergeometric_pdf((unsigned)solved_a, (unsigned)n_a, (unsigned)n_b,
                                             (unsigned)solved);
    for (uint64_t k = least; k <= most; k++) {
        double p =
            gsl_ran_hypergeometric_pdf((unsigned)k, (unsigned)n_a, (unsigned)n_b, (unsigned)solved);
        sum += p <= this * (1.0 + 1e-7) ? p : 0.0;
    }
    return fmin(sum, 1.0);
}

/* ---- ranks ---- */

typedef struct ranked {
    double value, rank;
    uint32_t place;
} ranked;

static int compare_values(const void *a, const void *b) {
    double x = ((const ranked *)a)->value, y = ((const ranked *)b)->value;
    return (x > y) - (x < y);
}

/* Ranks from 1, equal ones share theirs; the sum of t^3 - t over ties of t. The order is changed.
 */
static double rank_all(ranked *r, uint32_t count) {
    double ties = 0.0;
    qsort(r, count, sizeof *r, compare_values);
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && !(r[end].value > r[i].value); end++)
            ;
        double t = (double)(end - i);
        ties += t * t * t - t;
        for (uint32_t k = i; k < end; k++)
            r[k].rank = ((double)i + 1.0 + (double)end) / 2.0;
    }
    return ties;
}

/* The probability that U is at least `u` if the groups are the same, without ties: shares of the
 * orders of m and n values that give each U, built up from fewer values of the larger group. */
static double exact_tail(double u, uint32_t m, uint32_t n, int *memory) {
    size_t size = (size_t)m * n + 1;
    double *share = calloc((m + (size_t)1) * size, sizeof *share), tail = 0.0;
    *memory = share != NULL;
    for (uint32_t i = 0; share && i <= m; i++)
        share[i * size] = 1.0; /* of i values and none */
    for (uint32_t j = 1; share && j <= n; j++)
        for (uint32_t i = 1; i <= m; i++) { /* the highest of all is one of the i, or of the j */
            double of_i = (double)i / (double)(i + j);
            for (size_t k = (size_t)i * j + 1; k--;)
                share[i * size + k] = (k >= j ? of_i * share[(i - 1) * size + k - j] : 0.0) +
                                      (1.0 - of_i) * share[i * size + k];
        }
    for (size_t k = (size_t)u; share && k < size; k++)
        tail += share[m * size + k];
    free(share);
    return tail;
}

static double normal_tail(double u, double n_a, double n_b, double ties) {
    double n = n_a + n_b;
    double deviation = sqrt(n_a * n_b / 12.0 * (n + 1.0 - ties / (n * (n - 1.0))));
    return deviation > 0.0 ? gsl_cdf_ugaussian_Q((u - n_a * n_b / 2.0 - 0.5) / deviation) : 0.5;
}

int gr_mann_whitney_test(const double *a, uint32_t n_a, const double *b, uint32_t n_b,
                         gr_mann_whitney *test) {
    enum { FEW = 8, EXACT = 80000 }; /* pairs: beyond, it would take seconds, and change nothing */
    uint32_t n = n_a + n_b, fewer = n_a < n_b ? n_a : n_b, more = n - fewer;
    ranked *r = malloc(n * sizeof *r);
    double sum = 0.0, pairs = (double)n_a * (double)n_b;
    int memory = 1;
    if (!r)
        return 0;
    for (uint32_t i = 0; i < n; i++)
        r[i] = (ranked){i < n_a ? a[i] : b[i - n_a], 0.0, i};
    double ties = rank_all(r, n);
    for (uint32_t i = 0; i < n; i++)
        sum += r[i].place < n_a ? r[i].rank : 0.0;
    free(r);
    test->u = sum - (double)n_a * ((double)n_a + 1.0) / 2.0;
    test->lower = 1.0 - test->u / pairs;
    double higher = fmax(test->u, pairs - test->u);
    double tail = fewer <= FEW && ties <= 0.0 && pairs <= EXACT
                      ? exact_tail(higher, fewer, more, &memory)
                      : normal_tail(higher, n_a, n_b, ties);
    test->p = fmin(2.0 * tail, 1.0);
    return memory;
}

/* The chance that n blocks agree in all ranks, these, which may be tied: Conover's p where F has no
 * denominator. */
static double agreement(const ranked *sorted, uint32_t k, uint32_t n) {
    double orders = lgamma(k + 1.0); /* logarithm of how many there are */
    for (uint32_t i = 0, end; i < k; i = end) {
        for (end = i; end < k && !(sorted[end].rank > sorted[i].rank);)
            end++;
        orders -= lgamma(end - i + 1.0);
    }
    return exp(-(n - 1.0) * orders);
}

int gr_friedman_test(const double *value, uint32_t n, uint32_t k, double *mean_rank,
                     gr_friedman *test) {
    ranked *r = malloc(k * sizeof *r);
    double ties = 0.0, squares = 0.0, blocks = n, treatments = k, by_chance;
    if (!r)
        return 0;
    memset(mean_rank, 0, k * sizeof *mean_rank);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < k; j++)
            r[j] = (ranked){value[(size_t)i * k + j], 0.0, j};
        ties += rank_all(r, k);
        for (uint32_t j = 0; j < k; j++)
            mean_rank[r[j].place] += r[j].rank;
    }
    by_chance = agreement(r, k, n);
    free(r);
    for (uint32_t j = 0; j < k; j++) {
        squares += mean_rank[j] * mean_rank[j];
        mean_rank[j] /= blocks;
    }
    double apart = 1.0 - ties / (blocks * treatments * (treatments * treatments - 1.0));
    double chi2 = 12.0 / (blocks * treatments * (treatments + 1.0)) * squares -
                  3.0 * blocks * (treatments + 1.0);
    test->chi2 = apart > 1e-12 ? fmax(chi2 / apart, 0.0) : 0.0;
    test->p = gsl_cdf_chisq_Q(test->chi2, treatments - 1.0);
    double rest = blocks * (treatments - 1.0) - test->chi2;
    int agree = !(rest > 1e-9 * test->chi2); /* but for rounding */
    test->f = agree ? (double)INFINITY : (blocks - 1.0) * test->chi2 / rest;
    test->p_f =
        agree   ? by_chance
        : n > 1 ? gsl_cdf_fdist_Q(test->f, treatments - 1.0, (treatments - 1.0) * (blocks - 1.0))
                : 1.0;
    return 1;
}

double gr_rank_z(double rank_a, double rank_b, uint32_t n, uint32_t k, double *p) {
    double z = (rank_a - rank_b) / sqrt((double)k * ((double)k + 1.0) / (6.0 * (double)n));
    *p = fmin(2.0 * gsl_cdf_ugaussian_Q(fabs(z)), 1.0);
    return z;
}

/* ---- many tests ---- */

/* times[i]: what the i-th lowest p is taken times. */
static int correct(const double *p, uint32_t count, const uint32_t *times, double *corrected) {
    ranked *r = malloc((count + (size_t)1) * sizeof *r);
    double least = 0.0;
    if (!r)
        return 0;
    for (uint32_t i = 0; i < count; i++)
        r[i] = (ranked){p[i], 0.0, i};
    qsort(r, count, sizeof *r, compare_values);
    for (uint32_t i = 0; i < count; i++) {
        least = fmin(fmax(least, r[i].value * (double)times[i]), 1.0);
        corrected[r[i].place] = least;
    }
    free(r);
    return 1;
}

int gr_holm(const double *p, uint32_t count, double *corrected) {
    uint32_t *times = malloc((count + (size_t)1) * sizeof *times);
    for (uint32_t i = 0; times && i < count; i++)
        times[i] = count - i;
    int good = times && correct(p, count, times, corrected);
    free(times);
    return good;
}

/* can[s]: of all pairs of k treatments, s may be equal at once, which are those within groups:
 * a group of j, and what can be of the k - j others. */
static void possible_numbers(uint32_t k, uint8_t *can, size_t size) {
    memset(can, 0, (k + (size_t)1) * size);
    can[0] = can[size] = 1; /* none and one: 0 pairs */
    for (uint32_t all = 2; all <= k; all++)
        for (uint32_t j = 1; j <= all; j++)
            for (size_t s = 0, within = (size_t)j * (j - 1) / 2; s + within < size; s++)
                can[all * size + s + within] |= can[(all - j) * size + s];
}

int gr_shaffer(const double *p, uint32_t k, double *corrected) {
    uint32_t count = k * (k - 1) / 2;
    size_t size = count + (size_t)1;
    uint8_t *can = malloc((k + (size_t)1) * size);
    uint32_t *times = malloc(size * sizeof *times);
    int good = can && times;
    if (good)
        possible_numbers(k, can, size);
    for (uint32_t i = 0; good && i < count; i++) {
        times[i] = count - i;
        while (!can[k * size + times[i]])
            times[i]--;
        times[i] += !times[i];
    }
    good = good && correct(p, count, times, corrected);
    free(can);
    free(times);
    return good;
}

/* Takes out the sets that lie within others. */
static uint32_t absorb(uint64_t *set, uint32_t sets) {
    for (uint32_t i = 0; i < sets;) {
        int within = 0;
        for (uint32_t j = 0; j < sets && !within; j++)
            within = i != j && (set[i] & ~set[j]) == 0 && (set[i] != set[j] || j < i);
        if (within)
            set[i] = set[--sets];
        else
            i++;
    }
    return sets;
}

/* Those of the first groups come first. */
static int compare_sets(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b, first = (x ^ y) & -(x ^ y);
    return first ? (x & first ? -1 : 1) : 0;
}

/* Sets of groups of which no two differ, split at every pair that does (Piepho 2004). */
int gr_letters(const uint8_t *differs, uint32_t k, char (*letters)[GR_LETTERS]) {
    enum { MOST = 4096 };
    uint64_t *set = malloc(MOST * sizeof *set);
    uint32_t sets = 1;
    int good = set && k && k <= GR_LETTERED;
    if (good)
        set[0] = k < 64 ? ((uint64_t)1 << k) - 1 : UINT64_MAX;
    for (uint32_t a = 0; good && a < k; a++)
        for (uint32_t b = a + 1; good && b < k; b++) {
            uint64_t both = (uint64_t)1 << a | (uint64_t)1 << b;
            if (!differs[a * k + b])
                continue;
            for (uint32_t i = 0, before = sets; good && i < before; i++)
                if ((set[i] & both) == both && (good = sets < MOST)) {
                    set[sets++] = set[i] & ~((uint64_t)1 << a);
                    set[i] &= ~((uint64_t)1 << b);
                }
            sets = absorb(set, sets);
        }
    good = good && sets < GR_LETTERS;
    if (good)
        qsort(set, sets, sizeof *set, compare_sets);
    for (uint32_t g = 0; good && g < k; g++) {
        char *to = letters[g];
        for (uint32_t i = 0; i < sets; i++)
            if (set[i] >> g & 1)
                *to++ = (char)(i < 26 ? 'a' + i : 'A' + i - 26);
        *to = '\0';
    }
    free(set);
    return good;
}
