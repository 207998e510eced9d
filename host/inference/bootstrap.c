/* The bootstrap of a median in closed form.
 *
 * A sample of n draws from n values, with replacement, has its k-th lowest at most at the i-th
 * lowest value if at least k draws fall on the first i: a binomial tail. Of an even n the median
 * lies between the m-th and the next, m = n / 2. Those are values i and j > i if m draws fall on
 * the first i, not all before i, and the other m behind j - 1, not all behind j. */
#include "host/inference/inference.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <stdlib.h>

static const double tails[2] = {0.025, 0.975};

typedef struct pair {
    uint32_t i, j;
    double weight;
} pair;

typedef struct weighted {
    double value, weight;
} weighted;

struct gr_bootstrap {
    uint32_t n;
    int paired;     /* of an even n: between two values */
    uint32_t at[2]; /* otherwise the places of the interval */
    size_t pairs;
    pair *pair;
    weighted *room; /* [pairs] */
    double sum;     /* of weights that are kept */
};

/* ---- weights ---- */

/* log of ((x / n)^m - ((x - 1) / n)^m): of m draws among the first x of n one at least is x. */
static double log_reaches(double x, double n, double m) {
    double all = m * log(x / n);
    return x > 1.0 ? all + log(-expm1(m * log((x - 1.0) / x))) : all;
}

static int add_pair(gr_bootstrap *b, size_t *room, pair one) {
    const double negligible = 1e-12;
    if (one.weight < negligible)
        return 1;
    if (b->pairs == *room) {
        *room = *room ? 2 * *room : 256;
        pair *more = realloc(b->pair, *room * sizeof *more);
        if (!more)
            return 0;
        b->pair = more;
    }
    b->pair[b->pairs++] = one;
    b->sum += one.weight;
    return 1;
}

static int make_pairs(gr_bootstrap *b) {
    double n = b->n, m = n / 2.0, ways = gsl_sf_lnchoose(b->n, b->n / 2);
    size_t room = 0;
    int good = 1;
    for (uint32_t i = 1; good && i <= b->n; i++) {
        double from = ways + log_reaches(i, n, m), rest = n - (double)i;
        double at_most = gsl_cdf_binomial_Q(b->n / 2 - 1, (double)i / n, b->n);
        double before = i > 1 ? gsl_cdf_binomial_Q(b->n / 2 - 1, ((double)i - 1.0) / n, b->n) : 0.0;
        double apart = rest > 0.0 ? exp(from + m * log(rest / n)) : 0.0;
        good = add_pair(b, &room, (pair){i - 1, i - 1, at_most - before - apart});
        for (uint32_t j = i + 1; good && j <= b->n; j++) {
            double weight = exp(from + log_reaches(n - (double)j + 1.0, n, m));
            if (weight < 1e-12 && j > i + 1)
                break; /* they fall */
            good = add_pair(b, &room, (pair){i - 1, j - 1, weight});
        }
    }
    return good && (b->room = malloc((b->pairs + 1) * sizeof *b->room));
}

/* The place of the value that the m-th of n draws is at most, with this probability. */
static uint32_t place_of(uint32_t n, uint32_t m, double want) {
    uint32_t low = 0, high = n - 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (gsl_cdf_binomial_Q(m - 1, (middle + 1.0) / (double)n, n) < want)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Of many values the lower one of the middle two will do. */
enum { MOST_PAIRED = 4096 };

gr_bootstrap *gr_bootstrap_open(uint32_t n) {
    gr_bootstrap *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    b->n = n;
    b->paired = n % 2 == 0 && n <= MOST_PAIRED;
    for (int k = 0; !b->paired && k < 2; k++)
        b->at[k] = place_of(n, (n + 1) / 2, tails[k]);
    if (b->paired && !make_pairs(b)) {
        gr_bootstrap_close(b);
        return NULL;
    }
    return b;
}

void gr_bootstrap_close(gr_bootstrap *b) {
    if (!b)
        return;
    free(b->pair);
    free(b->room);
    free(b);
}

/* ---- intervals ---- */

/* The lowest value whose weight and that of lower ones come to `want`: halves around a pivot. */
static double quantile(weighted *w, size_t count, double want) {
    size_t first = 0, end = count;
    while (end - first > 1) {
        double pivot = w[first + (end - first) / 2].value, below = 0.0, equal = 0.0;
        size_t lower = first, at = first, higher = end;
        while (at < higher) {
            weighted one = w[at];
            if (one.value < pivot) {
                w[at++] = w[lower];
                w[lower++] = one;
                below += one.weight;
            } else if (one.value > pivot) {
                w[at] = w[--higher];
                w[higher] = one;
            } else {
                at++;
                equal += one.weight;
            }
        }
        if (want <= below && lower > first)
            end = lower;
        else if (want <= below + equal || higher == end)
            return pivot;
        else {
            want -= below + equal;
            first = higher;
        }
    }
    return w[first].value;
}

gr_interval gr_bootstrap_median(gr_bootstrap *b, const double *sorted) {
    double end[2];
    if (!b->paired)
        return (gr_interval){sorted[b->at[0]], sorted[b->at[1]]};
    for (int k = 0; k < 2; k++) {
        for (size_t p = 0; p < b->pairs; p++) {
            double x = sorted[b->pair[p].i], y = sorted[b->pair[p].j];
            b->room[p] = (weighted){y > x ? x + (y - x) / 2.0 : x, b->pair[p].weight};
        }
        end[k] = quantile(b->room, b->pairs, tails[k] * b->sum);
    }
    return (gr_interval){end[0], end[1]};
}
