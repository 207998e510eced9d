/* What the pictures are drawn from, as data blocks of gnuplot. */
#include "host/report/pictures.h"

#include <math.h>

static void write_number(FILE *out, double value) {
    if (isfinite(value))
        fprintf(out, " %.9g", value);
    else
        fputs(" NaN", out);
}

static void write_rows(FILE *out, const char *name, uint32_t cell, const double *at, uint32_t rows,
                       uint32_t columns) {
    fprintf(out, "$%s_%u << EOD\n", name, cell);
    for (uint32_t i = 0; i < rows; i++) {
        for (uint32_t k = 0; k < columns; k++)
            write_number(out, at[(size_t)i * columns + k]);
        fputc('\n', out);
    }
    fputs("EOD\n", out);
}

static void write_lines(FILE *out, const gr_report_cell *c, uint32_t cell) {
    fprintf(out, "$runs_%u << EOD\n", cell);
    for (uint32_t k = 0; k < c->lines; k++) {
        for (uint32_t i = 0; i < c->line[k].count; i++) {
            write_number(out, c->line[k].at[2 * i]);
            write_number(out, c->line[k].at[2 * i + 1]);
            fputc('\n', out);
        }
        fputs("\n", out); /* a gap in the line */
    }
    fputs("EOD\n", out);
}

static void write_ends(FILE *out, const gr_report *r) {
    fputs("$ends << EOD\n", out);
    for (uint32_t cell = 0; cell < r->cells && cell < GR_BOXED_CELLS; cell++) {
        const gr_ends *e = &r->cell[cell].end[GR_END_FITNESS];
        for (uint32_t i = 0; i < e->count; i++)
            if (isfinite(e->value[i]))
                fprintf(out, "%u %.9g\n", cell + 1, e->value[i]);
    }
    fputs("EOD\n", out);
}

static void write_surface(FILE *out, const gr_rates *s, uint32_t k) {
    write_rows(out, "rates", k, s->at, s->count, 3);
}

void gr_write_data(const gr_report *r, FILE *out) {
    for (uint32_t cell = 0; cell < gr_drawn_cells(r); cell++) {
        const gr_report_cell *c = &r->cell[cell];
        for (uint32_t k = 0; k < c->curves; k++)
            write_rows(out, c->curve[k].name, cell, c->curve[k].at, c->curve[k].count, GR_CURVE);
        if (c->success)
            write_rows(out, "success", cell, c->success, c->successes, GR_SUCCESS);
        if (c->lines)
            write_lines(out, c, cell);
        if (c->front)
            write_rows(out, "front", cell, c->front, c->fronts, 2);
        if (c->sample)
            write_rows(out, "sample", cell, c->sample, c->samples, 2);
    }
    write_ends(out, r);
    for (uint32_t k = 0; k < r->surfaces; k++)
        write_surface(out, &r->rates[k], k);
    gr_write_fits(r, out);
}
