/* Statistics of runs: intervals, effort, tests between two and more groups, corrections for many
 * tests. Plain functions of numbers; GSL has the distributions. */
#ifndef GRAMPUS_INFERENCE_H
#define GRAMPUS_INFERENCE_H

#include <stddef.h>
#include <stdint.h>

typedef struct gr_interval {
    double low, high;
} gr_interval;

/* Wilson's interval of a rate, 95 %. n > 0. */
gr_interval gr_wilson(uint64_t successes, uint64_t n);

/* Koza's R(z): independent runs of which one succeeds with probability z, each with successes / n;
 * 0: none ever does. */
uint64_t gr_koza_runs(uint64_t successes, uint64_t n, double z);

/* The bootstrap distribution of the median of n values, without drawing: over all n^n samples, in
 * closed form. One serves all sets of n values, by one thread. */
typedef struct gr_bootstrap gr_bootstrap;
gr_bootstrap *gr_bootstrap_open(uint32_t n); /* n > 0; NULL: no memory */
void gr_bootstrap_close(gr_bootstrap *bootstrap);
/* The percentile interval, 95 %, of values in rising order. */
gr_interval gr_bootstrap_median(gr_bootstrap *bootstrap, const double *sorted);

/* Mann and Whitney's test of two groups. */
typedef struct gr_mann_whitney {
    double u; /* of a: pairs in which a's value is higher, half of those in which they are equal */
    double lower; /* Vargha and Delaney: how probably a value of a is lower than one of b */
    double p;     /* two-sided: exact if a group has at most 8 values and no two of all are equal,
                   * else normal, corrected for ties and continuity */
} gr_mann_whitney;
/* False: no memory. Both groups have values, none of them NaN. */
int gr_mann_whitney_test(const double *a, uint32_t n_a, const double *b, uint32_t n_b,
                         gr_mann_whitney *test);

/* Fisher's exact test of two rates, two-sided: all tables at most as probable. */
double gr_fisher_test(uint64_t solved_a, uint64_t n_a, uint64_t solved_b, uint64_t n_b,
                      double *odds_ratio);

/* Friedman's test of k treatments in n blocks, value[n][k], the lowest the best (rank 1). */
typedef struct gr_friedman {
    double chi2, p; /* corrected for ties; k - 1 degrees of freedom */
    double f, p_f;  /* Iman and Davenport's; infinite where all blocks agree: the chance of that */
} gr_friedman;
/* mean_rank[k]. False: no memory. */
int gr_friedman_test(const double *value, uint32_t n, uint32_t k, double *mean_rank,
                     gr_friedman *test);
/* z of two mean ranks, and its p, two-sided. */
double gr_rank_z(double rank_a, double rank_b, uint32_t n, uint32_t k, double *p);

/* p[count] corrected for all of them, in their order. False: no memory. */
int gr_holm(const double *p, uint32_t count, double *corrected);
/* The same of all pairs of k treatments, which cannot be true in every combination (Shaffer's
 * static procedure); count = k (k - 1) / 2. */
int gr_shaffer(const double *p, uint32_t k, double *corrected);

/* Letters of groups, the first ones for the first groups: two share one exactly if they do not
 * differ. of GR_LETTERS bytes. False: no memory, or more letters than there are. */
enum { GR_LETTERS = 53, GR_LETTERED = 64 };
int gr_letters(const uint8_t *differs, uint32_t k, char (*letters)[GR_LETTERS]);

#endif
