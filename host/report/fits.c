/* Pictures of what the best program gives on its cases. */
#include "host/base/text.h"
#include "host/report/drawing.h"
#include "host/report/pictures.h"

#include <math.h>
#include <string.h>

/* Points that are drawn of a set; of more every second, third, ... */
enum { MOST_POINTS = 4000 };

static int is_numeric(const gr_report_cell *c) {
    return c->output[0] && !c->classes[0].count && c->set[0].y;
}

static double predicted(const gr_report_cell *c, int which, uint64_t i) {
    double output = (double)c->output[which][i];
    return c->scaled ? c->intercept + c->slope * output : output;
}

/* The points of a set, to `out` (NULL: they are counted alone); how many. */
static uint64_t put_points(const gr_report_cell *c, int which, FILE *out) {
    uint64_t cases = c->output[which] ? c->set[which].cases : 0, step = cases / MOST_POINTS + 1;
    uint64_t points = 0;
    for (uint64_t i = 0; i < cases; i += step) {
        if (!isfinite(predicted(c, which, i)) || !isfinite((double)c->set[which].y[i]))
            continue;
        points++;
        if (out)
            fprintf(out, "%.9g %.9g\n", (double)c->set[which].y[i], predicted(c, which, i));
    }
    return points;
}

static void write_points(const gr_report_cell *c, int which, FILE *out) {
    fprintf(out, "$fit_%d << EOD\n", which);
    put_points(c, which, out);
    fputs("EOD\n", out);
}

/* Rows from the last class down, so that the first one stands above. */
static void write_matrix(const gr_report_cell *c, FILE *out) {
    int which = c->classes[1].count > 0;
    const gr_classes *k = &c->classes[which];
    fputs("$confusion << EOD\n", out);
    for (uint32_t i = 0; k->confusion && i < k->count; i++)
        for (uint32_t j = 0; j <= k->count; j++) {
            double cases = k->class[i].cases ? (double)k->class[i].cases : 1.0;
            uint64_t n = k->confusion[(size_t)i * (k->count + 1) + j];
            fprintf(out, "%u %u %llu %.4g\n", j, i, (unsigned long long)n,
                    100.0 * (double)n / cases);
        }
    fputs("EOD\n", out);
}

void gr_write_fits(const gr_report *r, FILE *out) {
    if (!r->cells)
        return;
    const gr_report_cell *c = &r->cell[gr_best_cell(r)];
    if (is_numeric(c))
        for (int which = 0; which < 2; which++)
            write_points(c, which, out);
    if (c->classes[0].count)
        write_matrix(c, out);
}

int gr_can_draw_fit(const gr_report *r) {
    const gr_report_cell *c = r->cells ? &r->cell[gr_best_cell(r)] : NULL;
    return c && is_numeric(c) && put_points(c, 0, NULL) + put_points(c, 1, NULL) > 0;
}

/* The axis of true values, to a little beyond them. Around a target that is the same in all cases
 * gnuplot by itself has tics that lie on one another. */
static void write_true_values(double least, double most, FILE *out) {
    double beyond = least < most ? 0.04 * (most - least) : fmax(0.5, 0.1 * fabs(least));
    least -= beyond;
    most += beyond;
    if (isfinite(most - least)) {
        fprintf(out, "set xrange [%.9g:%.9g]\n", least, most);
        gr_write_tics_below(least, most, 4.0, out);
    }
}

/* Two panels: against the target with the line of equality, and the residuals. */
void gr_draw_fit(const gr_report *r, FILE *out) {
    const gr_report_cell *c = &r->cell[gr_best_cell(r)];
    int tested = c->output[1] != NULL && c->set[1].cases;
    double least = INFINITY, most = -INFINITY;
    for (int which = 0; which <= tested; which++)
        for (uint64_t i = 0; i < c->set[which].cases; i++) {
            least = fmin(least, (double)c->set[which].y[i]);
            most = fmax(most, (double)c->set[which].y[i]);
        }
    write_true_values(least, most, out);
    fprintf(out,
            "set multiplot layout 1,2\nset offsets 0, 0, graph 0.05, graph 0.05\n"
            "set key top left inside vertical Left reverse\nset pointsize %s\n"
            "set xlabel 'true value'\nset ylabel 'predicted value'\n"
            "plot x with lines lw 1 dt 2 lc rgb '#808080' notitle, "
            "$fit_0 using 1:2 with points pt 6 lc rgb '%s' title 'training'",
            c->set[0].cases < 60 ? "0.8" : "0.45", gr_colours[0]);
    if (tested)
        fprintf(out, ", $fit_1 using 1:2 with points pt 4 lc rgb '%s' title 'test'", gr_colours[1]);
    fprintf(out,
            "\nunset key\nset ylabel 'residual: predicted less true'\n"
            "plot 0 with lines lw 1 dt 2 lc rgb '#808080' notitle, "
            "$fit_0 using 1:($2 - $1) with points pt 6 lc rgb '%s'",
            gr_colours[0]);
    if (tested)
        fprintf(out, ", $fit_1 using 1:($2 - $1) with points pt 4 lc rgb '%s'", gr_colours[1]);
    fputs("\nunset multiplot\n", out);
}

int gr_can_draw_confusion(const gr_report *r) {
    if (!r->cells)
        return 0;
    const gr_classes *k = r->cell[gr_best_cell(r)].classes;
    return k->count > 1 && k->count <= 40 && k->confusion;
}

enum { FEW_CLASSES = 12, ASLANT_CLASSES = 8 };

/* The size of names and counts of so many classes that a row each has room for. */
static uint32_t size_of_classes(uint32_t count) {
    uint32_t size = 190 / count;
    return size > 9 ? 9 : size;
}

/* For upright names of so many characters times their size: gnuplot takes those for larger ones,
 * and leaves little of the picture. */
static void leave_room_below(double extent, FILE *out) {
    fprintf(out,
            "set bmargin at screen %.3f\nunset xlabel\n"
            "set label 'class given' at screen 0.5, screen 0.04 center\n",
            (0.65 * extent + 40.0) / 430.0);
}

/* Names of classes; below, where they have no room beside each other, aslant, of many upright. */
static void write_class_tics(const gr_report_cell *c, const gr_classes *k, const char *axis,
                             FILE *out) {
    enum { ROOM = 50 }; /* characters */
    size_t longest = 0;
    fprintf(out, "set %stics (", axis);
    for (uint32_t i = 0; i < k->count; i++) {
        char name[64];
        float label = k->class[i].label;
        const char *word = label >= 0.0f && label < (float)c->set[0].label_count
                               ? c->set[0].labels[(uint32_t)label]
                               : NULL;
        if (word)
            snprintf(name, sizeof name, "%.*s", gr_text_room(word, 30), word);
        else
            snprintf(name, sizeof name, "%.6g", (double)label);
        size_t n = gr_text_characters(name, strlen(name));
        longest = n > longest ? n : longest;
        fputs(i ? ", " : "", out);
        gr_write_tic(out, name);
        fprintf(out, " %u", i);
    }
    int below = *axis == 'x', turned = below && longest * k->count > ROOM;
    if (below)
        fprintf(out, ", 'none' %u", k->count);
    fputs(") scale 0 ", out);
    if (turned || k->count > FEW_CLASSES)
        fprintf(out, "font ',%u' ", size_of_classes(k->count));
    if (turned)
        fprintf(out, "rotate by %s ", k->count > ASLANT_CLASSES ? "90 right" : "-25 left");
    fputs("noenhanced\n", out);
    if (turned && k->count > ASLANT_CLASSES)
        leave_room_below((double)longest * size_of_classes(k->count), out);
}

void gr_draw_confusion(const gr_report *r, FILE *out) {
    const gr_report_cell *c = &r->cell[gr_best_cell(r)];
    int which = c->classes[1].count > 0;
    const gr_classes *k = &c->classes[which];
    fputs("set xlabel 'class given'\n", out);
    write_class_tics(c, k, "x", out);
    write_class_tics(c, k, "y", out);
    fprintf(out,
            "set xrange [-0.5:%u.5]\nset yrange [%u.5:-0.5]\nset offsets 0, 0, 0, 0\nunset key\n"
            "unset grid\nset style fill solid 1.0 noborder\nset ylabel 'class (%s cases)'\n"
            "set cbrange [0:100]\nset cblabel 'cases of the class (%%)'\n"
            "set palette defined (0 '#ffffff', 100 '%s')\n"
            "plot $confusion using 1:2:4 with image, $confusion using 1:2:(sprintf('%%d', $3)):"
            "($4 > 55 ? 0xffffff : 0x000000) with labels tc rgb variable font ',%u'\n",
            k->count, k->count - 1, which ? "test" : "training", gr_colours[0],
            k->count > FEW_CLASSES ? gr_min_u32(8, size_of_classes(k->count)) : 12);
}
