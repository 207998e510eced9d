/* Thresholds between classes fitted to a program's own outputs ("class-rule: fitted"). After the
 * slotted dynamic class boundaries of Zhang and Smart (EvoWorkshops 2004): the training outputs are
 * counted by class in bins. Here a bin is an eighth of a power of two, and the classes stand in the
 * order of their labels, parted where the fewest cases are wrong. Counts are whole numbers, so
 * neither the order of work nor the device shows in them: weights of cases are counted in units, so
 * small that all come to some 2^30 (p->bin_scale, a power of two). */
#ifndef GR_CLASS_BINS_H
#define GR_CLASS_BINS_H

#include "gpu/core/fitness/fitness.h"
#include "gpu/core/state/state.h"

/* Bins of magnitudes of one sign: the first below 2^-6, the last from 2^9.75 on. */
enum { GR_BIN_HALF = GR_CLASS_BINS / 2, GR_BIN_BASE = ((127 - 6) << 3) - 1 };

/* The bin of an output, rising with it; GR_CLASS_BINS: NaN. */
GR_FN uint32_t gr_bin_of(float output) {
    uint32_t step = (gr_float_bits(output) & 0x7fffffffu) >> 20;
    uint32_t size = step > GR_BIN_BASE ? step - GR_BIN_BASE : 0;
    size = gr_min_u32(size, GR_BIN_HALF - 1);
    if (!(output == output))
        return GR_CLASS_BINS;
    return output < 0.0f ? GR_BIN_HALF - 1 - size : GR_BIN_HALF + size;
}

/* The smallest output of a bin. */
GR_FN float gr_bin_edge(uint32_t bin) {
    if (bin == 0)
        return -GR_INFINITY;
    if (bin < GR_BIN_HALF) /* the largest magnitude of its size */
        return -gr_bits_float(((GR_BIN_BASE + GR_BIN_HALF - bin) << 20) - 1);
    return bin == GR_BIN_HALF ? 0.0f : gr_bits_float((GR_BIN_BASE + bin - GR_BIN_HALF) << 20);
}

/* Counts of a program, [bin][class] and a word for each bin that fitting works in, and where a case
 * is counted. */
GR_BOTH size_t gr_bin_counts(const gr_params *p) {
    return (size_t)GR_CLASS_BINS * (p->thresholds + 2);
}
GR_FN uint32_t gr_bin_index(const gr_params *p, uint32_t bin, float target) {
    return bin * (p->thresholds + 1) + (uint32_t)(target - p->class_min);
}

/* What a case with this weight is counted as. */
GR_BOTH uint32_t gr_bin_weight(float scale, float weight) {
    return (uint32_t)(int32_t)rintf(weight * scale);
}
/* How many units of the sum of all weights there are. */
GR_BOTH float gr_bin_scale(double sum) {
    float scale = 0x1p30f;
    for (double unit = 1.0; unit < sum && scale > 0x1p-90f; unit *= 2.0)
        scale *= 0.5f;
    for (double unit = 0.5; unit >= sum && scale < 0x1p90f; unit *= 0.5)
        scale *= 2.0f;
    return scale;
}
/* Errors where `right` cases (units of their weights) are right. */
GR_FN double gr_bin_errors(const gr_params *p, uint32_t right) {
    if (p->case_weights)
        return (double)(p->bin_total - right) / (double)p->bin_scale;
    return (double)(p->train_cases - right);
}

/* The threshold of a class that begins at `bin`: in the middle of the empty bins before it. */
GR_FN float gr_bin_border(const uint32_t *count, uint32_t classes, uint32_t bin) {
    uint32_t low = bin, cases = 0;
    while (low > 0 && !cases) {
        for (uint32_t k = 0; k < classes; k++)
            cases += count[(low - 1) * classes + k];
        low -= !cases;
    }
    return gr_bin_edge(low ? low + (bin - low + 1) / 2 : 0);
}

/* The thresholds [classes - 1] with the fewest errors; returns how many cases they get right.
 * most[k] is the number of right ones in the bins so far when the last is of class k at most. */
GR_FN uint32_t gr_fit_bins(uint32_t *count, uint32_t classes, float *threshold) {
    uint32_t most[GR_MAX_THRESHOLDS + 1];
    uint32_t *lower = count + GR_CLASS_BINS * classes; /* bit k - 1: class k is not the best */
    for (uint32_t k = 0; k < classes; k++)
        most[k] = 0;
    for (uint32_t bin = 0; bin < GR_CLASS_BINS; bin++) {
        most[0] += count[bin * classes];
        lower[bin] = 0;
        for (uint32_t k = 1; k < classes; k++) {
            uint32_t taken = most[k] + count[bin * classes + k];
            lower[bin] |= (uint32_t)(most[k - 1] >= taken) << (k - 1);
            most[k] = gr_max_u32(most[k - 1], taken);
        }
    }
    uint32_t k = classes - 1;
    for (uint32_t bin = GR_CLASS_BINS; bin-- > 0;)
        for (; k > 0 && lower[bin] >> (k - 1) & 1u; k--)
            threshold[k - 1] =
                bin + 1 < GR_CLASS_BINS ? gr_bin_border(count, classes, bin + 1) : GR_INFINITY;
    while (k-- > 0) /* classes below all outputs */
        threshold[k] = -GR_INFINITY;
    return most[classes - 1];
}

/* Fits the thresholds of individual i to what was counted of its outputs, puts its errors where its
 * sums stand, and clears the counts. */
GR_FN void gr_fit_individual(const gr_state *s, uint32_t generation, uint32_t i) {
    const gr_params *p = &s->p;
    uint32_t *count = s->class_bins + i * gr_bin_counts(p);
    if (!s->individuals[generation & 1][i].instructions)
        return;
    uint32_t right = gr_fit_bins(count, p->thresholds + 1, s->fitted + (size_t)i * p->thresholds);
    for (uint32_t chunk = 0; chunk < p->train_chunks; chunk++)
        s->sums[(size_t)chunk * p->individuals + i] = chunk ? 0.0 : gr_bin_errors(p, right);
    for (size_t k = 0; k < gr_bin_counts(p); k++)
        count[k] = 0;
}

#endif
