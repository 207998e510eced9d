#include "host/inference/measure.h"

#include "host/base/sort.h"

#include <math.h>

static gr_bootstrap *bootstrap_of(gr_medians *m, uint32_t n) {
    for (uint32_t k = 0; k < GR_MEDIANS; k++)
        if (m->n[k] == n)
            return m->bootstrap[k];
    uint32_t k = m->next++ % GR_MEDIANS;
    gr_bootstrap_close(m->bootstrap[k]);
    m->bootstrap[k] = gr_bootstrap_open(n);
    m->n[k] = m->bootstrap[k] ? n : 0;
    return m->bootstrap[k];
}

void gr_medians_free(gr_medians *m) {
    for (uint32_t k = 0; k < GR_MEDIANS; k++)
        gr_bootstrap_close(m->bootstrap[k]);
    *m = (gr_medians){0};
}

/* Of values that are all the same none: their mean is rounded. */
static double deviation_of(const double *value, uint32_t n, const gr_spread *spread) {
    double squares = 0.0;
    if (n > 1 && isfinite(spread->most) && !(spread->least < spread->most))
        return 0.0;
    for (uint32_t i = 0; i < n; i++)
        squares += (value[i] - spread->mean) * (value[i] - spread->mean);
    return n > 1 ? sqrt(squares / (n - 1.0)) : (double)NAN;
}

int gr_measure_of(const double *value, uint32_t count, double *scratch, gr_medians *medians,
                  gr_measure *measure) {
    const gr_interval none = {(double)NAN, (double)NAN};
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        scratch[n] = value[i];
        n += isnan(value[i]) ? 0 : 1;
    }
    *measure = (gr_measure){.n = n, .median = none};
    if (n) {
        gr_bootstrap *b = bootstrap_of(medians, n);
        if (!b)
            return 0;
        gr_sort_doubles(scratch, n);
        measure->median = gr_bootstrap_median(b, scratch);
    }
    measure->spread = gr_spread_of(scratch, n);
    measure->deviation = deviation_of(scratch, n, &measure->spread);
    return 1;
}
