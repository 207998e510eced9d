/* Pictures of curves over generations: fitness, single runs, success, measures of the population.
 */
#include "host/report/axes.h"
#include "host/report/drawing.h"
#include "host/report/pictures.h"

#include <math.h>

/* ---- curves ---- */

static int any_curve(const gr_report *r, const char *name) {
    for (uint32_t k = 0; k < gr_drawn_cells(r); k++)
        if (gr_curve_numbers(gr_find_curve(&r->cell[k], name)) > 1)
            return 1;
    return 0;
}

/* Between the quartiles, where both are finite: with one alone gnuplot fills what is on the other
 * side of it. */
static void plot_band(FILE *out, const gr_report *r, uint32_t cell, const char *name, int *first) {
    if (r->cell[cell].runs > 1)
        fprintf(out,
                "%s$%s_%u using 1:($4 == $4 ? $2 : NaN):4 with filledcurves lc rgb '%s' notitle",
                gr_joint(first), name, cell, gr_colour_of(cell));
}

/* `title` NULL: the cell's name. */
static void plot_curve(FILE *out, const gr_report *r, uint32_t cell, const char *name,
                       const char *dash, const char *title, int *first) {
    if (!gr_curve_numbers(gr_find_curve(&r->cell[cell], name)))
        return;
    fprintf(out, "%s$%s_%u using 1:3 with lines lw 2 dt %s lc rgb '%s' title ", gr_joint(first),
            name, cell, dash, gr_colour_of(cell));
    if (title)
        gr_write_label(out, title);
    else
        gr_write_name(r, cell, GR_KEY_ROOM, out);
}

/* The axis of generations, of all cells or of those with the first one's metric. There is none
 * between two: of few gnuplot by itself has tics there. */
static void write_generations(const gr_report *r, int same_metric, FILE *out) {
    uint32_t last = gr_last_generation(r, same_metric);
    fprintf(out, "set xlabel 'generation'\n%s", last < 5 ? "set xtics 1\n" : "");
}

/* ---- convergence ---- */

/* A curve of the first cell's metric: others are not drawn. */
int gr_can_draw_convergence(const gr_report *r) {
    for (uint32_t k = 0; k < gr_drawn_cells(r); k++)
        if (gr_same_metric(r, k) && gr_curve_numbers(gr_find_curve(&r->cell[k], "best_ever")) > 1)
            return 1;
    return 0;
}

/* A single run has its best and its mean, several cells one curve each. */
void gr_draw_convergence(const gr_report *r, FILE *out) {
    double range[2], more[2];
    int first = 1, alone = r->cells == 1 && r->cell[0].runs == 1;
    gr_range_of_curves(r, "best_ever", range);
    if (alone && gr_range_of_curves(r, "test_fitness", more)) {
        range[0] = fmin(range[0], more[0]);
        range[1] = fmax(range[1], more[1]);
    }
    gr_write_scale(out, range[0], range[1]);
    write_generations(r, 1, out);
    gr_write_fitness_label(out, r, "best fitness so far");
    for (uint32_t k = 0; k < gr_drawn_cells(r); k++)
        if (gr_same_metric(r, k) && gr_curve_numbers(gr_find_curve(&r->cell[k], "best_ever")))
            plot_band(out, r, k, "best_ever", &first);
    for (uint32_t k = 0; k < gr_drawn_cells(r); k++)
        if (gr_same_metric(r, k))
            plot_curve(out, r, k, "best_ever", "solid", alone ? "training" : NULL, &first);
    const gr_curve *test = alone ? gr_find_curve(&r->cell[0], "test_fitness") : NULL;
    if (test && gr_range_of_curves(r, "test_fitness", more)) {
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
    return numbers && c->lines > 1 && gr_same_metric(r, cell);
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

/* The share of the picture that the numbers at the left and the axis' name take, as long as they
 * may get; gnuplot sets it by itself, but not where panels are as wide as each other. */
static double room_at_left(const double range[2]) {
    double size = fmax(fabs(range[0]), fabs(range[1]));
    if (range[0] > 0.0 && range[1] > 30.0 * range[0])
        return 0.12; /* powers of ten */
    int digits = gr_digits_of_tics(range[0], range[1]), letters = digits > 6 ? digits + 1 : 5;
    if (size > 0.0 && (size < 1e-3 || size >= 1e5))
        letters += 4;
    return fmax(0.12, 0.06 + 0.0135 * letters);
}

/* A panel for every cell, on axes that are the same: numbers stand at the left and below. */
void gr_draw_runs(const gr_report *r, FILE *out) {
    double range[2], generations;
    uint32_t panels = measure_lines(r, range, &generations), panel = 0;
    uint32_t columns = panels < 6 ? panels : panels == 6 ? 3 : 4;
    gr_write_scale(out, range[0], range[1]);
    fprintf(out, "unset key\nset xrange [0:%.9g]\nset xtics %.9g\n", generations,
            fmax(1.0, gr_nice_step(generations, columns > 2 ? 3.0 : 5.0)));
    if (range[0] < range[1] && !(range[0] > 0.0 && range[1] > 30.0 * range[0]))
        fprintf(out, "set yrange [%.9g:%.9g]\nset offsets 0, 0, 0, 0\n", range[0], range[1]);
    fprintf(out, "set multiplot layout %u,%u margins %.3f,0.97,0.16,0.92 spacing %s,0.14\n",
            (panels + columns - 1) / columns, columns, room_at_left(range),
            columns > 2 ? "0.055" : "0.035");
    for (uint32_t k = 0; k < gr_drawn_cells(r); k++) {
        if (!has_panel(r, k))
            continue;
        int left = panel % columns == 0, below = panel + columns >= panels;
        panel++;
        if (left)
            gr_write_fitness_label(out, r, "best so far");
        char format[16] = "";
        if (left && range[1] >= 3e3 * range[0] && range[0] > 0.0)
            snprintf(format, sizeof format, "10^{%%T}");
        else if (left)
            snprintf(format, sizeof format, "%%.%dg", gr_digits_of_tics(range[0], range[1]));
        fprintf(out, "%sset ytics format '%s'\nset xlabel '%s'\nset title ",
                left ? "" : "unset ylabel\n", format, below ? "generation" : "");
        gr_write_name(r, k, 110 / columns, out);
        fprintf(out,
                " noenhanced font ',10'\nplot $runs_%u using 1:2 with lines lw 0.5 lc rgb '#a0%s'",
                k, gr_colour_of(k) + 1);
        if (gr_curve_numbers(gr_find_curve(&r->cell[k], "best_ever")))
            fprintf(out, ", $best_ever_%u using 1:3 with lines lw 2.5 lc rgb '%s'", k,
                    gr_colour_of(k));
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
    write_generations(r, 0, out);
    fputs("set ylabel 'runs at the target (%)'\nset yrange [0:*<100]\nset offsets 0, 0, 0, 0\n",
          out);
    for (uint32_t k = 0; k < gr_drawn_cells(r); k++)
        if (r->cell[k].successes)
            fprintf(
                out,
                "%s$interval_%u using 1:(100*$2):(100*$3) with filledcurves lc rgb '%s' notitle",
                gr_joint(&first), k, gr_colour_of(k));
    for (uint32_t k = 0; k < gr_drawn_cells(r); k++)
        if (r->cell[k].successes) {
            fprintf(out, "%s$success_%u using 1:(100*$2) with steps lw 2 lc rgb '%s' title ",
                    gr_joint(&first), k, gr_colour_of(k));
            gr_write_name(r, k, GR_KEY_ROOM, out);
        }
    fputs("\n", out);
}

/* ---- two measures of the population ---- */

static int any_of(const gr_report *r, const char *const *names) {
    for (; *names; names++)
        if (any_curve(r, *names))
            return 1;
    return 0;
}

/* The axis of numbers of something, of which there are none below 0. */
static void begin_at_zero(FILE *out) {
    fputs("set yrange [0:*]\nset offsets 0, 0, graph 0.05, 0\n", out);
}

/* Curves of several measures: of one cell a colour each, of several cells a dash each, which grey
 * lines in the key tell. */
static void draw_measures(const gr_report *r, FILE *out, const char *const *names,
                          const char *const *titles) {
    static const char *const dashes[] = {"solid", "2", "3", "4", "5"};
    int first = 1, alone = r->cells == 1, measures = 0;
    write_generations(r, 0, out);
    for (int m = 0; names[m]; m++) {
        uint32_t drawn = 0;
        for (uint32_t k = 0; k < gr_drawn_cells(r); k++) {
            if (!gr_curve_numbers(gr_find_curve(&r->cell[k], names[m])))
                continue;
            fprintf(out, "%s$%s_%u using 1:3 with lines lw %s dt %s lc rgb '%s' ", gr_joint(&first),
                    names[m], k, m ? "1.5" : "2", alone ? "solid" : dashes[m % 5],
                    alone ? gr_colours[m % GR_COLOURS] : gr_colour_of(k));
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
    begin_at_zero(out);
    draw_measures(r, out, node_names, mean_and_best);
}

int gr_can_draw_depth(const gr_report *r) {
    return any_of(r, depth_names);
}
void gr_draw_depth(const gr_report *r, FILE *out) {
    fputs("set ylabel 'depth (levels)'\n", out);
    begin_at_zero(out);
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
    fputs("set ylabel 'codons'\n", out);
    begin_at_zero(out);
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
        if (gr_range_of_curves(r, kinds[k], range) && range[1] > 0.0) {
            names[count] = kinds[k];
            titles[count++] = kind_titles[k];
        }
    }
    fprintf(out, "set ylabel '%sindividuals'\n", count > 1 ? "" : "valid ");
    begin_at_zero(out);
    draw_measures(r, out, names, titles);
}

static const char *const different[] = {"genotypes", "phenotypes", "fitnesses", NULL};

int gr_can_draw_diversity(const gr_report *r) {
    return any_of(r, different);
}
void gr_draw_diversity(const gr_report *r, FILE *out) {
    fputs("set ylabel 'different ones in the population'\n", out);
    begin_at_zero(out);
    draw_measures(r, out, different, different);
}
