#include "host/report/axes.h"

#include "host/base/text.h"
#include "host/report/drawing.h"
#include "host/report/pictures.h"

#include <math.h>
#include <string.h>

int gr_same_metric(const gr_report *r, uint32_t cell) {
    return strcmp(r->cell[cell].metric, r->cell[0].metric) == 0;
}

int gr_range_of_curves(const gr_report *r, const char *name, double range[2]) {
    range[0] = INFINITY;
    range[1] = -INFINITY;
    int fitness = strcmp(name, "best_ever") == 0;
    for (uint32_t k = 0; k < gr_drawn_cells(r); k++) {
        const gr_curve *c = gr_find_curve(&r->cell[k], name);
        if (fitness && !gr_same_metric(r, k))
            continue;
        for (uint32_t i = 0; c && i < c->count; i++)
            for (int which = GR_CURVE_LOW; which <= GR_CURVE_HIGH; which++) {
                double value = c->at[(size_t)i * GR_CURVE + (size_t)which];
                if (isfinite(value)) {
                    range[0] = fmin(range[0], value);
                    range[1] = fmax(range[1], value);
                }
            }
    }
    return range[0] <= range[1];
}

/* Tics at 1, 2 and 5 times the powers of ten, of an axis of few of them. */
static void write_fine_tics(FILE *out, double least, double most) {
    const char *before = "";
    fputs("set ytics (", out);
    for (int power = (int)floor(log10(least)); pow(10.0, power) <= most; power++)
        for (int k = 0; k < 3; k++) {
            double tic = (k == 0 ? 1.0 : k == 1 ? 2.0 : 5.0) * pow(10.0, power);
            if (tic >= least && tic <= most) {
                fprintf(out, "%s%.9g", before, tic);
                before = ", ";
            }
        }
    fputs(")\n", out);
}

int gr_digits_of_tics(double least, double most) {
    double size = fmax(fabs(least), fabs(most)), range = most - least;
    if (!(range > 0.0 && range < 1e-4 * size))
        return 6;
    return (int)fmin(9.0, 2.0 + ceil(log10(size / range)));
}

uint32_t gr_last_generation(const gr_report *r, int same_metric) {
    uint32_t last = 0;
    for (uint32_t k = 0; k < gr_drawn_cells(r); k++)
        if (!same_metric || gr_same_metric(r, k))
            last = gr_max_u32(last, r->cell[k].last_generation);
    return last;
}

/* Values over more than so many magnitudes are drawn on a logarithmic axis. Where the least is 0 or
 * near it the axis begins at 0: what gnuplot leaves below would be a tic of numbers below 0, which
 * no error has. */
void gr_write_scale(FILE *out, double least, double most) {
    if (!(least > 0.0 && most > 30.0 * least)) {
        if (least >= 0.0 && least <= 0.05 * most)
            fputs("set yrange [0:*]\n", out);
        if (gr_digits_of_tics(least, most) > 6)
            fprintf(out, "set format y '%%.%dg'\n", gr_digits_of_tics(least, most));
        return;
    }
    double bottom = least * pow(least / most, 0.04), top = most * pow(most / least, 0.06);
    fprintf(out, "set logscale y\nset mytics 10\nset offsets 0, 0, 0, 0\nset yrange [%.9g:%.9g]\n",
            bottom, top);
    if (most < 3e3 * least)
        write_fine_tics(out, bottom, top);
    else
        fputs("set format y '10^{%T}'\n", out);
}

const char *gr_colour_of(uint32_t cell) {
    return gr_colours[cell % GR_COLOURS];
}

void gr_write_fitness_label(FILE *out, const gr_report *r, const char *what) {
    char label[160];
    snprintf(label, sizeof label, "%s (%.*s%s)", what, GR_CUT(r->cell[0].metric, 60),
             r->cell[0].maximised ? ", higher is better" : "");
    fputs("set ylabel ", out);
    gr_write_label(out, label);
    fputs(" noenhanced\n", out);
}
