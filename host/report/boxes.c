/* Pictures with a place for every cell, its name below: fitness at the end, time. */
#include "host/base/text.h"
#include "host/report/axes.h"
#include "host/report/drawing.h"
#include "host/report/pictures.h"

#include <math.h>
#include <string.h>

/* ---- final fitness ---- */

/* Runs of a cell whose fitness can be drawn beside that of the first one. */
static uint32_t finite_ends(const gr_report *r, uint32_t cell) {
    const gr_ends *e = &r->cell[cell].end[GR_END_FITNESS];
    uint32_t count = 0;
    for (uint32_t i = 0; gr_same_metric(r, cell) && i < e->count; i++)
        count += isfinite(e->value[i]) != 0;
    return count;
}

int gr_can_draw_ends(const gr_report *r) {
    for (uint32_t k = 0; k < r->cells && k < GR_BOXED_CELLS; k++)
        if (finite_ends(r, k) > 4)
            return 1;
    return 0;
}

/* The cells that have boxes. */
static uint32_t boxed(const gr_report *r, uint32_t cell[GR_BOXED_CELLS]) {
    uint32_t count = 0;
    for (uint32_t k = 0; k < r->cells && k < GR_BOXED_CELLS; k++)
        if (finite_ends(r, k))
            cell[count++] = k;
    return count;
}

static void range_of_ends(const gr_report *r, const uint32_t *cell, uint32_t count,
                          double range[2]) {
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (uint32_t k = 0; k < count; k++) {
        const gr_ends *e = &r->cell[cell[k]].end[GR_END_FITNESS];
        for (uint32_t i = 0; i < e->count; i++)
            if (isfinite(e->value[i])) {
                range[0] = fmin(range[0], e->value[i]);
                range[1] = fmax(range[1], e->value[i]);
            }
    }
}

/* Names below the boxes, aslant where they are long; where they have no room the numbers of the
 * cells in the page's table. */
static void write_names(const gr_report *r, const uint32_t *cell, uint32_t count, uint32_t from,
                        FILE *out) {
    size_t longest = 0;
    for (uint32_t k = 0; k < count; k++) {
        size_t n = gr_text_characters(r->cell[cell[k]].label, strlen(r->cell[cell[k]].label));
        longest = n > longest ? n : longest;
    }
    int numbers = longest > 30 || (count > 10 && longest > 6);
    size_t width = numbers ? 3 * (size_t)count : longest * count; /* all, in characters */
    const char *font = width > 78 ? "font ',9' " : "";
    fputs("set xtics (", out);
    for (uint32_t k = 0; k < count; k++) {
        char number[16];
        snprintf(number, sizeof number, "%u", cell[k] + 1);
        fputs(k ? ", " : "", out);
        gr_write_tic(out, numbers ? number : r->cell[cell[k]].label);
        fprintf(out, " %u", from + k);
    }
    fprintf(out, ") %s%snoenhanced\n%s", font, width > 118 ? "rotate by -25 left " : "",
            numbers ? "set xlabel 'cell (number in the table)'\n" : "");
}

/* Letters above the boxes, upright where they have no room beside each other. */
static void write_letters(const gr_report *r, const uint32_t *cell, uint32_t count, FILE *out) {
    enum { ROOM = 70 }; /* characters */
    size_t longest = 0;
    for (uint32_t k = 0; k < count; k++) {
        size_t n = strlen(r->cell[cell[k]].letters);
        longest = n > longest ? n : longest;
    }
    int upright = longest * count > ROOM;
    fprintf(out, "set tmargin %.3g\n", upright ? 1.5 + 0.5 * (double)longest : 2.5);
    for (uint32_t k = 0; k < count; k++)
        if (*r->cell[cell[k]].letters)
            fprintf(out, "set label %u '%s' at first %u, graph %s\n", k + 1,
                    r->cell[cell[k]].letters, k + 1,
                    upright ? "1.02 left rotate by 90 font ',9'" : "1.04 center font ',12'");
}

/* Runs that are drawn as points in all; of more every second, third, ... */
enum { GR_DRAWN_RUNS = 2000 };

/* Points over boxes: runs of a cell side by side by a rule of thumb (the golden section), so that
 * equal ones do not hide one another and none leaves its cell. Letters stand above. */
void gr_draw_ends(const gr_report *r, FILE *out) {
    uint32_t cell[GR_BOXED_CELLS], count = boxed(r, cell), runs = 0;
    double range[2];
    int first = 1;
    range_of_ends(r, cell, count, range);
    gr_write_scale(out, range[0], range[1]);
    gr_write_fitness_label(out, r, "fitness at the end");
    fprintf(out,
            "unset key\nset boxwidth 0.5\nset style fill solid 0.25 border lt -1\n"
            "set grid noxtics\nset xrange [0.4:%u.6]\n",
            count);
    write_names(r, cell, count, 1, out);
    write_letters(r, cell, count, out);
    for (uint32_t k = 0; k < r->cells; k++)
        runs += r->cell[k].end[GR_END_FITNESS].count;
    for (uint32_t k = 0; k < count; k++) /* whiskers and quartiles, then a line at the median */
        fprintf(out,
                "%s$boxes using ($1 == %u ? %u : NaN):3:2:6:5 with candlesticks whiskerbars 0.25 "
                "lc rgb '%s', $boxes using ($1 == %u ? %u : NaN):4:4:4:4 with candlesticks lt -1",
                gr_joint(&first), cell[k] + 1, k + 1, gr_colour_of(cell[k]), cell[k] + 1, k + 1);
    for (uint32_t k = 0; k < count; k++)
        fprintf(out,
                "%s$ends every %u using (%u + 0.4 * ($0 * 0.618034 - floor($0 * 0.618034) - 0.5)):"
                "($1 == %u ? $2 : NaN) with points pt 7 ps 0.2 lc rgb '%s'",
                gr_joint(&first), 1 + runs / GR_DRAWN_RUNS, k + 1, cell[k] + 1,
                gr_colour_of(cell[k]));
    fputs("\n", out);
}

/* ---- time ---- */

int gr_can_draw_phases(const gr_report *r) {
    for (uint32_t k = 0; k < r->cells && k < GR_BOXED_CELLS; k++)
        if (r->cell[k].phase[2] > 0.0)
            return 1;
    return 0;
}

void gr_draw_phases(const gr_report *r, FILE *out) {
    static const char *const names[] = {"selection", "breeding", "evaluation", "all else"};
    uint32_t cells = r->cells < GR_BOXED_CELLS ? r->cells : GR_BOXED_CELLS;
    fputs("$phases << EOD\n", out);
    for (uint32_t k = 0; k < cells; k++) {
        const gr_report_cell *c = &r->cell[k];
        double known = 0.0;
        for (int p = 0; p < 3; p++) {
            known += isnan(c->phase[p]) ? 0.0 : c->phase[p];
            fprintf(out, "%.9g ", isnan(c->phase[p]) ? 0.0 : c->phase[p]);
        }
        fprintf(out, "%.9g ", fmax(0.0, isnan(c->seconds) ? 0.0 : c->seconds - known));
        gr_write_label(out, c->label);
        fputc('\n', out);
    }
    fprintf(out,
            "EOD\nset datafile separator ' '\nset ylabel 'seconds'\nset style data histograms\n"
            "set style histogram rowstacked\nset boxwidth 0.6\nset style fill solid 0.85 noborder\n"
            "set grid noxtics\nset offsets 0, 0, graph 0.05, 0\nset yrange [0:*]\n"
            "set xrange [-0.6:%u.6]\n",
            cells - 1);
    uint32_t all[GR_BOXED_CELLS];
    for (uint32_t k = 0; k < cells; k++)
        all[k] = k;
    write_names(r, all, cells, 0, out);
    int first = 1;
    for (int p = 0; p < 4; p++)
        fprintf(out, "%s$phases using %d lc rgb '%s' title '%s'", gr_joint(&first), p + 1,
                gr_colours[p == 3 ? 5 : p], names[p]);
    fputs("\n", out);
}
