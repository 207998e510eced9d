/* Pictures of generations, runs and rates. */
#include "host/report/pictures.h"
#include "host/base/text.h"
#include "host/report/drawing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const gr_picture gr_pictures[GR_PICTURES] = {
#define GR_PICTURE(id, title, width, height, caption)                                              \
    {#id, title, caption, width, height, gr_can_draw_##id, gr_draw_##id},
#include "host/report/pictures.def"
};

uint32_t gr_drawn_cells(const gr_report *r) {
    return r->cells < GR_DRAWN_CELLS ? r->cells : GR_DRAWN_CELLS;
}

uint32_t gr_best_cell(const gr_report *r) {
    uint32_t best = 0;
    for (uint32_t k = 1; k < r->cells; k++) {
        const gr_report_cell *a = &r->cell[k], *b = &r->cell[best];
        int better = a->maximised ? a->fitness > b->fitness : a->fitness < b->fitness;
        if (strcmp(a->metric, b->metric) == 0 && (better || isnan(b->fitness)))
            best = k;
    }
    return best;
}

void gr_write_style(FILE *out) {
    fputs("reset\nset encoding utf8\nset border 3 lw 0.8 lc rgb '#404040'\n"
          "set tics nomirror out scale 0.6 textcolor rgb '#202020'\n"
          "set grid back lc rgb '#dddddd' lw 0.6 dt solid\n"
          "set key tmargin center horizontal Left reverse noenhanced samplen 2.5 spacing 1.1 width "
          "1\n"
          "set style fill transparent solid 0.18 noborder\nset format '%g'\n"
          "set offsets graph 0, 0, graph 0.04, graph 0.02\n",
          out);
}

static size_t characters_of(const char *text) {
    return gr_text_characters(text, strlen(text));
}

void gr_write_name(const gr_report *r, uint32_t cell, size_t room, FILE *out) {
    const char *rest = r->cell[cell].label;
    size_t n = characters_of(rest);
    char name[512] = "";
    if (n > room) {
        for (size_t skip = n - room + 6; skip; skip -= (*rest & 0xc0) != 0x80)
            rest++; /* to the first byte of a character */
        snprintf(name, sizeof name, "%u: ..", cell + 1);
    }
    size_t length = strlen(name);
    snprintf(name + length, sizeof name - length, "%.*s", GR_CUT(rest, 490));
    gr_write_label(out, name);
}

/* ---- curves ---- */

/* Fitness of one metric stands on one axis: that of the first cell. */
static int same_metric(const gr_report *r, uint32_t cell) {
    return strcmp(r->cell[cell].metric, r->cell[0].metric) == 0;
}

static int any_curve(const gr_report *r, const char *name) {
    for (uint32_t k = 0; k < gr_drawn_cells(r); k++)
        if (gr_curve_numbers(gr_find_curve(&r->cell[k], name)) > 1)
            return 1;
    return 0;
}

/* The ends of the curves of this name, bands and all; 0: there is none. */
static int range_of(const gr_report *r, const char *name, double range[2]) {
    range[0] = INFINITY;
    range[1] = -INFINITY;
    int fitness = strcmp(name, "best_ever") == 0;
    for (uint32_t k = 0; k < gr_drawn_cells(r); k++) {
        const gr_curve *c = gr_find_curve(&r->cell[k], name);
        if (fitness && !same_metric(r, k))
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

/* Values over more than so many magnitudes are drawn on a logarithmic axis. */
static void write_scale(FILE *out, double least, double most) {
    if (!(least > 0.0 && most > 30.0 * least))
        return;
    double bottom = least * pow(least / most, 0.04), top = most * pow(most / least, 0.06);
    fprintf(out, "set logscale y\nset mytics 10\nset offsets 0, 0, 0, 0\nset yrange [%.9g:%.9g]\n",
            bottom, top);
    if (most < 3e3 * least)
        write_fine_tics(out, bottom, top);
    else
        fputs("set format y '10^{%T}'\n", out);
}

static const char *colour(uint32_t cell) {
    return gr_colours[cell % GR_COLOURS];
}

/* A step of tics, 1, 2 or 5 times a power of ten, so that there are about so many over a range. */
double gr_nice_step(double range, double tics) {
    double raw = range / tics, power = pow(10.0, floor(log10(raw)));
    double times = raw / power;
    return isfinite(power) && power > 0.0 ? power * (times > 5.0   ? 10.0
                                                     : times > 2.0 ? 5.0
                                                     : times > 1.0 ? 2.0
                                                                   : 1.0)
                                          : 1.0;
}

void gr_write_tics_below(double least, double most, double tics, FILE *out) {
    enum { SHORT = 5, MOST_TICS = 50 };
    double step = gr_nice_step(most - least, tics), first = ceil(least / step);
    int longest = 0;
    for (int k = 0; k < MOST_TICS && (first + k) * step <= most + step; k++) {
        int n = snprintf(NULL, 0, "%g", (first + k) * step);
        longest = n > longest ? n : longest;
    }
    if (longest > SHORT)
        fprintf(out, "set rmargin %d\nset xtics %.9g\n", longest / 2 + 1,
                gr_nice_step(most - least, tics / 2.0));
    else
        fprintf(out, "set xtics %.9g\n", step);
}

const char *gr_joint(int *first) {
    const char *text = *first ? "plot " : ", \\\n     ";
    *first = 0;
    return text;
}

/* Between the quartiles, where both are finite: with one alone gnuplot fills what is on the other
 * side of it. */
static void plot_band(FILE *out, const gr_report *r, uint32_t cell, const char *name, int *first) {
    if (r->cell[cell].runs > 1)
        fprintf(out,
                "%s$%s_%u using 1:($4 == $4 ? $2 : NaN):4 with filledcurves lc rgb '%s' notitle",
                gr_joint(first), name, cell, colour(cell));
}

/* `title` NULL: the cell's name. */
static void plot_curve(FILE *out, const gr_report *r, uint32_t cell, const char *name,
                       const char *dash, const char *title, int *first) {
    if (!gr_curve_numbers(gr_find_curve(&r->cell[cell], name)))
        return;
    fprintf(out, "%s$%s_%u using 1:3 with lines lw 2 dt %s lc rgb '%s' title ", gr_joint(first),
            name, cell, dash, colour(cell));
    if (title)
        gr_write_label(out, title);
    else
        gr_write_name(r, cell, GR_KEY_ROOM, out);
}

static void write_fitness_label(FILE *out, const gr_report *r, const char *what) {
    char label[160];
    snprintf(label, sizeof label, "%s (%.*s%s)", what, GR_CUT(r->cell[0].metric, 60),
             r->cell[0].maximised ? ", higher is better" : "");
    fputs("set ylabel ", out);
    gr_write_label(out, label);
    fputs(" noenhanced\n", out);
}

/* The axis of generations. There is none between two: of few gnuplot by itself has tics there. */
static void write_generations(const gr_report *r, FILE *out) {
    uint32_t last = 0;
    for (uint32_t k = 0; k < gr_drawn_cells(r); k++)
        last = gr_max_u32(last, r->cell[k].last_generation);
    fprintf(out, "set xlabel 'generation'\n%s", last < 5 ? "set xtics 1\n" : "");
}

/* ---- convergence ---- */

/* A curve of the first cell's metric: others are not drawn. */
int gr_can_draw_convergence(const gr_report *r) {
    for (uint32_t k = 0; k < gr_drawn_cells(r); k++)
        if (same_metric(r, k) && gr_curve_numbers(gr_find_curve(&r->cell[k], "best_ever")) > 1)
            return 1;
    return 0;
}

/* A single run has its best and its mean, several cells one curve each. */
void gr_draw_convergence(const gr_report *r, FILE *out) {
    double range[2], more[2];
    int first = 1, alone = r->cells == 1 && r->cell[0].runs == 1;
    range_of(r, "best_ever", range);
    if (alone && range_of(r, "test_fitness", more)) {
        range[0] = fmin(range[0], more[0]);
        range[1] = fmax(range[1], more[1]);
    }
    write_scale(out, range[0], range[1]);
    write_generations(r, out);
    write_fitness_label(out, r, "best fitness so far");
    for (uint32_t k = 0; k < gr_drawn_cells(r); k++)
        if (same_metric(r, k) && gr_curve_numbers(gr_find_curve(&r->cell[k], "best_ever")))
            plot_band(out, r, k, "best_ever", &first);
    for (uint32_t k = 0; k < gr_drawn_cells(r); k++)
        if (same_metric(r, k))
            plot_curve(out, r, k, "best_ever", "solid", alone ? "training" : NULL, &first);
    const gr_curve *test = alone ? gr_find_curve(&r->cell[0], "test_fitness") : NULL;
    if (test && range_of(r, "test_fitness", more)) {
        fprintf(out, "%s$test_fitness_0 using 1:3 with lines lw 2 dt 2 lc rgb '%s' title 'test'",
                gr_joint(&first), gr_colours[1]);
    }
    fputs("\n", out);
}

/* gnuplot gives up where it finds no number at all. */
static int has_panel(const gr_report *r, uint32_t cell) {
    const gr_report_cell *c = &r->cell[cell];
    int numbers = 0;
    for (uint32_t n = 0; n < c->lines && !numbers; n++)
        for (uint32_t i = 0; i < c->line[n].count && !numbers; i++)
            numbers = isfinite(c->line[n].at[2 * i + 1]) != 0;
    return numbers && c->lines > 1 && same_metric(r, cell);
}

int gr_can_draw_runs(const gr_report *r) {
    for (uint32_t k = 0; k < gr_drawn_cells(r); k++)
        if (has_panel(r, k))
            return 1;
    return 0;
}

/* The ends of all lines; how many cells have some, and their most generations. */
static uint32_t measure_lines(const gr_report *r, double range[2], double *generations) {
    uint32_t panels = 0;
    range[0] = INFINITY;
    range[1] = -INFINITY;
    *generations = 1.0;
    for (uint32_t k = 0; k < gr_drawn_cells(r); k++) {
        const gr_report_cell *c = &r->cell[k];
        if (!has_panel(r, k))
            continue;
        panels++;
        *generations = fmax(*generations, (double)c->last_generation);
        for (uint32_t n = 0; n < c->lines; n++)
            for (uint32_t i = 0; i < c->line[n].count; i++)
                if (isfinite(c->line[n].at[2 * i + 1])) {
                    range[0] = fmin(range[0], c->line[n].at[2 * i + 1]);
                    range[1] = fmax(range[1], c->line[n].at[2 * i + 1]);
                }
    }
    return panels;
}

/* A panel for every cell, on axes that are the same: numbers stand at the left and below. */
void gr_draw_runs(const gr_report *r, FILE *out) {
    double range[2], generations;
    uint32_t panels = measure_lines(r, range, &generations), panel = 0;
    uint32_t columns = panels < 6 ? panels : panels == 6 ? 3 : 4;
    write_scale(out, range[0], range[1]);
    fprintf(out, "unset key\nset xrange [0:%.9g]\nset xtics %.9g\n", generations,
            fmax(1.0, gr_nice_step(generations, columns > 2 ? 3.0 : 5.0)));
    if (range[0] < range[1] && !(range[0] > 0.0 && range[1] > 30.0 * range[0]))
        fprintf(out, "set yrange [%.9g:%.9g]\nset offsets 0, 0, 0, 0\n", range[0], range[1]);
    fprintf(out, "set multiplot layout %u,%u margins 0.12,0.97,0.16,0.92 spacing %s,0.14\n",
            (panels + columns - 1) / columns, columns, columns > 2 ? "0.055" : "0.035");
    for (uint32_t k = 0; k < gr_drawn_cells(r); k++) {
        if (!has_panel(r, k))
            continue;
        int left = panel % columns == 0, below = panel + columns >= panels;
        panel++;
        if (left)
            write_fitness_label(out, r, "best so far");
        fprintf(out, "%sset ytics format '%s'\nset xlabel '%s'\nset title ",
                left ? "" : "unset ylabel\n",
                !left                                          ? ""
                : range[1] >= 3e3 * range[0] && range[0] > 0.0 ? "10^{%T}"
                                                               : "%g",
                below ? "generation" : "");
        gr_write_name(r, k, 110 / columns, out);
        fprintf(out,
                " noenhanced font ',10'\nplot $runs_%u using 1:2 with lines lw 0.5 lc rgb '#a0%s'",
                k, colour(k) + 1);
        if (gr_curve_numbers(gr_find_curve(&r->cell[k], "best_ever")))
            fprintf(out, ", $best_ever_%u using 1:3 with lines lw 2.5 lc rgb '%s'", k, colour(k));
        fputs("\n", out);
    }
    fputs("unset multiplot\n", out);
}

/* ---- success ---- */

int gr_can_draw_success(const gr_report *r) {
    for (uint32_t k = 0; k < gr_drawn_cells(r); k++)
        if (r->cell[k].successes > 1 && r->cell[k].runs > 1)
            return 1;
    return 0;
}

void gr_draw_success(const gr_report *r, FILE *out) {
    int first = 1;
    write_generations(r, out);
    fputs("set ylabel 'runs at the target (%)'\nset yrange [0:*<100]\nset offsets 0, 0, 0, 0\n",
          out);
    for (uint32_t k = 0; k < gr_drawn_cells(r); k++)
        if (r->cell[k].successes)
            fprintf(
                out,
                "%s$interval_%u using 1:(100*$2):(100*$3) with filledcurves lc rgb '%s' notitle",
                gr_joint(&first), k, colour(k));
    for (uint32_t k = 0; k < gr_drawn_cells(r); k++)
        if (r->cell[k].successes) {
            fprintf(out, "%s$success_%u using 1:(100*$2) with steps lw 2 lc rgb '%s' title ",
                    gr_joint(&first), k, colour(k));
            gr_write_name(r, k, GR_KEY_ROOM, out);
        }
    fputs("\n", out);
}

/* ---- final fitness ---- */

/* Runs of a cell whose fitness can be drawn beside that of the first one. */
static uint32_t finite_ends(const gr_report *r, uint32_t cell) {
    const gr_ends *e = &r->cell[cell].end[GR_END_FITNESS];
    uint32_t count = 0;
    for (uint32_t i = 0; same_metric(r, cell) && i < e->count; i++)
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
        size_t n = characters_of(r->cell[cell[k]].label);
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
    write_scale(out, range[0], range[1]);
    write_fitness_label(out, r, "fitness at the end");
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
                gr_joint(&first), cell[k] + 1, k + 1, colour(cell[k]), cell[k] + 1, k + 1);
    for (uint32_t k = 0; k < count; k++)
        fprintf(out,
                "%s$ends every %u using (%u + 0.4 * ($0 * 0.618034 - floor($0 * 0.618034) - 0.5)):"
                "($1 == %u ? $2 : NaN) with points pt 7 ps 0.2 lc rgb '%s'",
                gr_joint(&first), 1 + runs / GR_DRAWN_RUNS, k + 1, cell[k] + 1, colour(cell[k]));
    fputs("\n", out);
}

/* ---- two measures of the population ---- */

static int any_of(const gr_report *r, const char *const *names) {
    for (; *names; names++)
        if (any_curve(r, *names))
            return 1;
    return 0;
}

/* Curves of several measures: of one cell a colour each, of several cells a dash each, which grey
 * lines in the key tell. */
static void draw_measures(const gr_report *r, FILE *out, const char *const *names,
                          const char *const *titles) {
    static const char *const dashes[] = {"solid", "2", "3", "4", "5"};
    int first = 1, alone = r->cells == 1, measures = 0;
    write_generations(r, out);
    for (int m = 0; names[m]; m++) {
        uint32_t drawn = 0;
        for (uint32_t k = 0; k < gr_drawn_cells(r); k++) {
            if (!gr_curve_numbers(gr_find_curve(&r->cell[k], names[m])))
                continue;
            fprintf(out, "%s$%s_%u using 1:3 with lines lw %s dt %s lc rgb '%s' ", gr_joint(&first),
                    names[m], k, m ? "1.5" : "2", alone ? "solid" : dashes[m % 5],
                    alone ? gr_colours[m % GR_COLOURS] : colour(k));
            if (alone || !measures) {
                fputs("title ", out);
                if (alone)
                    gr_write_label(out, titles[m]);
                else
                    gr_write_name(r, k, GR_KEY_ROOM, out);
            } else
                fputs("notitle", out);
            drawn++;
        }
        measures += drawn > 0;
    }
    for (int m = 0; !alone && measures > 1 && names[m]; m++)
        if (any_curve(r, names[m]))
            fprintf(out, "%sNaN with lines lw 1.5 dt %s lc rgb '#707070' title '%s'",
                    gr_joint(&first), dashes[m % 5], titles[m]);
    fputs("\n", out);
}

static const char *const node_names[] = {"ave_tree_nodes", "best_nodes", NULL};
static const char *const depth_names[] = {"ave_tree_depth", "best_depth", NULL};
static const char *const mean_and_best[] = {"mean", "best"};

int gr_can_draw_nodes(const gr_report *r) {
    return any_of(r, node_names);
}
void gr_draw_nodes(const gr_report *r, FILE *out) {
    fputs("set ylabel 'nodes'\n", out);
    draw_measures(r, out, node_names, mean_and_best);
}

int gr_can_draw_depth(const gr_report *r) {
    return any_of(r, depth_names);
}
void gr_draw_depth(const gr_report *r, FILE *out) {
    fputs("set ylabel 'depth (levels)'\n", out);
    draw_measures(r, out, depth_names, mean_and_best);
}

static const char *const codon_names[] = {"ave_used_codons", "ave_genome_length", NULL};
static const char *const codon_titles[] = {"used", "genome length"};

/* Trees have no codons: what is used of them is all. */
int gr_can_draw_codons(const gr_report *r) {
    if (!any_curve(r, "ave_used_codons"))
        return 0;
    for (uint32_t k = 0; k < gr_drawn_cells(r); k++) {
        const gr_curve *used = gr_find_curve(&r->cell[k], "ave_used_codons");
        const gr_curve *length = gr_find_curve(&r->cell[k], "ave_genome_length");
        for (uint32_t i = 0; used && length && i < used->count && i < length->count; i++)
            if (fabs(used->at[(size_t)i * GR_CURVE + GR_CURVE_MEDIAN] -
                     length->at[(size_t)i * GR_CURVE + GR_CURVE_MEDIAN]) > 0.0)
                return 1;
    }
    return 0;
}
void gr_draw_codons(const gr_report *r, FILE *out) {
    fputs("set ylabel 'codons'\nset yrange [0:*]\nset offsets 0, 0, graph 0.05, 0\n", out);
    draw_measures(r, out, codon_names, codon_titles);
}

static const char *const kinds[] = {"valid",         "out_of_codons", "too_deep", "too_large",
                                    "no_expression", "nonfinite",     NULL};
static const char *const kind_titles[] = {"valid",     "out of codons", "too deep",
                                          "too large", "no expression", "no finite fitness"};

int gr_can_draw_validity(const gr_report *r) {
    return any_curve(r, "valid");
}
/* Of several cells the valid ones alone; of one all kinds that there are. */
void gr_draw_validity(const gr_report *r, FILE *out) {
    const char *names[8] = {"valid"}, *titles[8] = {"valid"};
    int count = 1;
    for (int k = 1; r->cells == 1 && kinds[k]; k++) {
        double range[2];
        if (range_of(r, kinds[k], range) && range[1] > 0.0) {
            names[count] = kinds[k];
            titles[count++] = kind_titles[k];
        }
    }
    fprintf(out, "set ylabel '%sindividuals'\nset yrange [0:*]\nset offsets 0, 0, graph 0.05, 0\n",
            count > 1 ? "" : "valid ");
    draw_measures(r, out, names, titles);
}

static const char *const different[] = {"genotypes", "phenotypes", "fitnesses", NULL};

int gr_can_draw_diversity(const gr_report *r) {
    return any_of(r, different);
}
void gr_draw_diversity(const gr_report *r, FILE *out) {
    fputs("set ylabel 'different ones in the population'\nset yrange [0:*]\nset offsets 0, 0, "
          "graph 0.05, 0\n",
          out);
    draw_measures(r, out, different, different);
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
