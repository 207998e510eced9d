/* Pictures of a plane: fronts of two objectives, rates over population and cases. */
#include "host/report/drawing.h"
#include "host/report/pictures.h"

#include <math.h>

/* ---- Pareto front ---- */

int gr_can_draw_front(const gr_report *r) {
    for (uint32_t k = 0; k < gr_drawn_cells(r); k++)
        if (r->cell[k].fronts)
            return 1;
    return 0;
}

/* Logarithmic where all values are above 0 and go over more than a factor of 30: then to a little
 * beyond them, for gnuplot by itself goes on to whole magnitudes. From 0 where they begin there. */
static void scale_axis(char axis, double least, double most, FILE *out) {
    if (least > 0.0 && most > 30.0 * least) {
        double beyond = pow(most / least, 0.06);
        fprintf(out, "set logscale %c\nset m%ctics 10\nset %crange [%.9g:%.9g]\n", axis, axis, axis,
                least / beyond, most * beyond);
        return;
    }
    if (least >= 0.0 && least <= 0.05 * most)
        fprintf(out, "set %crange [0:*]\n", axis);
    if (axis == 'x' && least < most)
        gr_write_tics_below(least, most, 8.0, out);
}

/* Widens a range to the values of one column of pairs. */
static void widen(const double *pair, uint32_t count, uint32_t column, double range[2]) {
    for (uint32_t i = 0; i < count; i++) {
        range[0] = fmin(range[0], pair[2 * i + column]);
        range[1] = fmax(range[1], pair[2 * i + column]);
    }
}

void gr_draw_front(const gr_report *r, FILE *out) {
    int first = 1;
    for (uint32_t axis = 0; axis < 2; axis++) {
        double range[2] = {INFINITY, -INFINITY};
        for (uint32_t k = 0; k < gr_drawn_cells(r); k++)
            widen(r->cell[k].front, r->cell[k].fronts, axis, range);
        scale_axis(axis ? 'y' : 'x', range[0], range[1], out);
    }
    for (uint32_t k = gr_drawn_cells(r); k-- > 0;)
        if (r->cell[k].fronts)
            for (int axis = 0; axis < 2; axis++) {
                fprintf(out, "set %clabel ", axis ? 'y' : 'x');
                gr_write_label(out, r->cell[k].front_name[axis]);
                fputs(" noenhanced\n", out);
            }
    fputs("set offsets graph 0.02, graph 0.02, graph 0.04, graph 0.02\n", out);
    for (uint32_t k = 0; k < gr_drawn_cells(r); k++)
        if (r->cell[k].fronts) {
            fprintf(out, "%s$front_%u using 1:2 smooth unique with steps lw 1 lc rgb '%s' notitle",
                    gr_joint(&first), k, gr_colours[k % GR_COLOURS]);
            fprintf(out, "%s$front_%u using 1:2 with points pt 7 ps 0.7 lc rgb '%s' title ",
                    gr_joint(&first), k, gr_colours[k % GR_COLOURS]);
            gr_write_name(r, k, GR_KEY_ROOM, out);
        }
    fputs("\n", out);
}

/* ---- samples ---- */

int gr_can_draw_sample(const gr_report *r) {
    for (uint32_t k = 0; k < gr_drawn_cells(r); k++)
        if (r->cell[k].samples)
            return 1;
    return 0;
}

/* One scale for both axes: they have one unit, and programs that do as well on either stand on the
 * line. */
void gr_draw_sample(const gr_report *r, FILE *out) {
    double range[2] = {INFINITY, -INFINITY};
    int first = 1;
    for (uint32_t k = 0; k < gr_drawn_cells(r); k++)
        for (uint32_t column = 0; column < 2; column++)
            widen(r->cell[k].sample, r->cell[k].samples, column, range);
    scale_axis('x', range[0], range[1], out);
    scale_axis('y', range[0], range[1], out);
    if (range[0] < range[1])
        fprintf(out, "set xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\n", range[0], range[1],
                range[0], range[1]);
    fputs("set xlabel 'fitness on the sample'\nset ylabel 'fitness on the test cases'\n"
          "set size ratio 1\n",
          out);
    for (uint32_t k = 0; k < gr_drawn_cells(r); k++)
        if (r->cell[k].samples) {
            fprintf(out, "%s$sample_%u using 1:2 with points pt 7 ps 0.3 lc rgb '%s' title ",
                    gr_joint(&first), k, gr_colours[k % GR_COLOURS]);
            gr_write_name(r, k, GR_SMALL_KEY_ROOM, out);
        }
    fprintf(out, "%sx with lines lw 1 lc rgb '#888888' notitle\n", gr_joint(&first));
}

/* ---- rates ---- */

int gr_can_draw_surface(const gr_report *r) {
    return r->surfaces > 0;
}

/* Tiles side by side: populations and cases rise by factors. */
void gr_draw_surface(const gr_report *r, FILE *out) {
    uint32_t panels = r->surfaces < 4 ? r->surfaces : 4;
    fprintf(out,
            "set logscale xycb\nset format x '10^{%%T}'\nset format y '10^{%%T}'\n"
            "set format cb '%%g'\nset xlabel 'fitness cases'\nset ylabel 'population'\n"
            "set cblabel 'GPop/s'\nunset key\nunset grid\nset style fill solid 1.0 noborder\n"
            "set palette defined (0 '#440154', 1 '#3b528b', 2 '#21918c', 3 '#5ec962', 4 "
            "'#fde725')\nset offsets 0, 0, 0, 0\nset multiplot layout %u,%u\n",
            panels > 2 ? 2 : 1, panels > 1 ? 2 : 1);
    for (uint32_t k = 0; k < panels; k++) {
        const gr_rates *s = &r->rates[k];
        double least[3] = {INFINITY, INFINITY, INFINITY}, most[3] = {0.0, 0.0, 0.0};
        for (uint32_t i = 0; i < 3 * s->count; i++) {
            least[i % 3] = fmin(least[i % 3], s->at[i]);
            most[i % 3] = fmax(most[i % 3], s->at[i]);
        }
        fprintf(out, "set xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\nset cbrange [%.9g:%.9g]\n",
                least[0] / 2.83, most[0] * 2.83, least[1] / 3.16, most[1] * 3.16, least[2] * 0.99,
                most[2] * 1.01);
        fputs("set title ", out);
        gr_write_label(out, s->device ? s->device : s->source);
        fprintf(out,
                " noenhanced font ',11'\nplot $rates_%u using 1:2:($1/2.83):($1*2.83):($2/3.16):"
                "($2*3.16):3 with boxxyerror lc palette, '' using 1:2:(sprintf($3 < 10 ? '%%.2g' : "
                "'%%.0f', $3)):($3 > %.9g ? 0x000000 : 0xffffff) with labels font ',9' "
                "tc rgb variable\n",
                k, least[2] * pow(most[2] / least[2], 0.65));
    }
    fputs("unset multiplot\n", out);
}
