#include "host/base/spread.h"

#include <math.h>

enum { FEW = 32 }; /* are sorted */

static void swap(double *a, double *b) {
    double kept = *a;
    *a = *b;
    *b = kept;
}

static void sort_few(double *a, size_t n) {
    for (size_t i = 1; i < n; i++)
        for (size_t k = i; k && a[k] < a[k - 1]; k--)
            swap(&a[k], &a[k - 1]);
}

static double middle(double a, double b, double c) {
    double low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c < high ? c : high;
}

/* The median of three medians, from all over the range. */
static double pivot_of(const double *a, size_t n) {
    size_t step = n / 9;
    double of[3];
    for (size_t k = 0; k < 3; k++)
        of[k] = middle(a[3 * k * step], a[(3 * k + 1) * step], a[(3 * k + 2) * step]);
    return middle(of[0], of[1], of[2]);
}

/* Values below the pivot, or those that are not above it, to the front, without a branch that
 * depends on them; how many. */
static size_t part_below(double *a, size_t n, double pivot) {
    size_t front = 0;
    for (size_t i = 0; i < n; i++) {
        double x = a[i];
        a[i] = a[front];
        a[front] = x;
        front += x < pivot;
    }
    return front;
}
static size_t part_up_to(double *a, size_t n, double pivot) {
    size_t front = 0;
    for (size_t i = 0; i < n; i++) {
        double x = a[i];
        a[i] = a[front];
        a[front] = x;
        front += x <= pivot;
    }
    return front;
}

/* Puts the value of rank k where it belongs: none before it is greater, none behind it less. */
static void place(double *a, size_t n, size_t k) {
    while (n > FEW) {
        double pivot = pivot_of(a, n);
        size_t below = part_below(a, n, pivot);
        if (k < below) {
            n = below;
            continue;
        }
        size_t equal = part_up_to(a + below, n - below, pivot);
        if (k < below + equal)
            return;
        a += below + equal;
        n -= below + equal;
        k -= below + equal;
    }
    sort_few(a, n);
}

/* Quantile q of a[0, n), once its neighbours are in their places. */
static double quantile(const double *a, size_t n, double q) {
    double at = q * (double)(n - 1), low = floor(at);
    size_t i = (size_t)low;
    if (at == low || isinf(a[i]) || a[i] == a[i + 1])
        return a[i]; /* an infinity has no proportions */
    return a[i] + (at - low) * (a[i + 1] - a[i]);
}

gr_spread gr_spread_of(double *a, size_t n) {
    gr_spread s = {NAN, NAN, {NAN, NAN, NAN}, NAN};
    double sum = 0.0;
    if (!n)
        return s;
    for (size_t i = 0; i < n; i++)
        sum += a[i];
    s.mean = sum / (double)n;
    if (n <= FEW)
        sort_few(a, n);
    else { /* from the middle outwards: each search is in what the last one left */
        size_t lower = (n - 1) / 4, median = (n - 1) / 2, upper = 3 * (n - 1) / 4;
        place(a, n, median);
        place(a + median + 1, n - median - 1, 0);
        place(a, median, lower);
        place(a + lower + 1, median - lower - 1, 0);
        place(a, lower, 0);
        place(a + median + 1, n - median - 1, upper - median - 1);
        place(a + upper + 1, n - upper - 1, 0);
        place(a + upper + 1, n - upper - 1, n - upper - 2);
    }
    s.least = a[0];
    s.most = a[n - 1];
    for (int k = 0; k < 3; k++)
        s.quartile[k] = quantile(a, n, 0.25 * (double)(k + 1));
    return s;
}
