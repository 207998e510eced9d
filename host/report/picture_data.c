/* What the pictures are drawn from, as data blocks of gnuplot. */
#include "host/report/pictures.h"

#include "host/base/spread.h"
#include "host/report/axes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void write_number(FILE *out, double value) {
    if (isfinite(value))
        fprintf(out, " %.9g", value);
    else
        fputs(" NaN", out);
}

static void write_numbers(FILE *out, const double *at, uint32_t rows, uint32_t columns) {
    for (uint32_t i = 0; i < rows; i++) {
        for (uint32_t k = 0; k < columns; k++)
            write_number(out, at[(size_t)i * columns + k]);
        fputc('\n', out);
    }
}

static void write_rows(FILE *out, const char *name, uint32_t cell, const double *at, uint32_t rows,
                       uint32_t columns) {
    fprintf(out, "$%s_%u << EOD\n", name, cell);
    write_numbers(out, at, rows, columns);
    fputs("EOD\n", out);
}

/* Where all runs of a cell are at the target nothing changes any more: its rate and its best go on
 * to the end of the axis. A cell that was there in its first generation would not be seen else. */
static int goes_on(const gr_report_cell *c, uint32_t end) {
    return c->successes && c->last_generation < end &&
           c->success[(size_t)(c->successes - 1) * GR_SUCCESS + GR_SUCCESS_RATE] >= 1.0;
}

/* `at`, with a row more where the cell goes on to the end of its picture's axis; its first column
 * is the generation. */
static void write_to_end(FILE *out, const gr_report *r, int same_metric, const char *name,
                         uint32_t cell, const double *at, uint32_t rows, uint32_t columns) {
    uint32_t end = gr_last_generation(r, same_metric);
    double last[(size_t)GR_CURVE + GR_SUCCESS]; /* room for either */
    fprintf(out, "$%s_%u << EOD\n", name, cell);
    write_numbers(out, at, rows, columns);
    if (rows && goes_on(&r->cell[cell], end)) {
        memcpy(last, at + (size_t)(rows - 1) * columns, columns * sizeof *last);
        last[0] = end;
        write_numbers(out, last, 1, columns);
    }
    fputs("EOD\n", out);
}

static void write_limits(FILE *out, double generation, const double *success) {
    write_number(out, generation);
    write_number(out, success[GR_SUCCESS_LOW]);
    write_number(out, success[GR_SUCCESS_HIGH]);
    fputc('\n', out);
}

/* The interval of success, in steps as the rate itself is drawn. */
static void write_band(FILE *out, const gr_report *r, uint32_t cell) {
    const gr_report_cell *c = &r->cell[cell];
    const double *at = c->success;
    fprintf(out, "$interval_%u << EOD\n", cell);
    for (uint32_t i = 0; i < c->successes; i++, at += GR_SUCCESS) {
        if (i)
            write_limits(out, at[GR_SUCCESS_GEN], at - GR_SUCCESS);
        write_limits(out, at[GR_SUCCESS_GEN], at);
    }
    if (goes_on(c, gr_last_generation(r, 0)))
        write_limits(out, gr_last_generation(r, 0), at - GR_SUCCESS);
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

/* Whiskers end at the last runs within 1.5 times the distance of the quartiles. */
static void write_box(FILE *out, uint32_t cell, double *value, uint32_t count) {
    gr_spread s = gr_spread_of(value, count);
    double far = 1.5 * (s.quartile[2] - s.quartile[0]), low = s.quartile[0], high = s.quartile[2];
    for (uint32_t i = 0; i < count; i++) {
        low = value[i] >= s.quartile[0] - far ? fmin(low, value[i]) : low;
        high = value[i] <= s.quartile[2] + far ? fmax(high, value[i]) : high;
    }
    fprintf(out, "%u %.9g %.9g %.9g %.9g %.9g\n", cell + 1, low, s.quartile[0], s.quartile[1],
            s.quartile[2], high);
}

/* The finite ones of what runs came to; NULL: no memory. */
static double *finite_of(const gr_ends *e, uint32_t *count) {
    double *value = malloc((e->count + 1ull) * sizeof *value);
    *count = 0;
    for (uint32_t i = 0; value && i < e->count; i++)
        if (isfinite(e->value[i]))
            value[(*count)++] = e->value[i];
    return value;
}

/* Runs, or boxes of them: gnuplot's quartiles are others than those of the page's table. */
static gr_status write_ends(FILE *out, const gr_report *r, int boxes, gr_error *error) {
    fputs(boxes ? "$boxes << EOD\n" : "$ends << EOD\n", out);
    for (uint32_t cell = 0; cell < r->cells && cell < GR_BOXED_CELLS; cell++) {
        uint32_t count;
        double *value = finite_of(&r->cell[cell].end[GR_END_FITNESS], &count);
        if (!value)
            return gr_fail(error, GR_NO_MEMORY, "no memory for the runs of a picture");
        for (uint32_t i = 0; !boxes && i < count; i++)
            fprintf(out, "%u %.9g\n", cell + 1, value[i]);
        if (boxes && count)
            write_box(out, cell, value, count);
        free(value);
    }
    fputs("EOD\n", out);
    return GR_OK;
}

static void write_surface(FILE *out, const gr_rates *s, uint32_t k) {
    write_rows(out, "rates", k, s->at, s->count, 3);
}

gr_status gr_write_data(const gr_report *r, FILE *out, gr_error *error) {
    for (uint32_t cell = 0; cell < gr_drawn_cells(r); cell++) {
        const gr_report_cell *c = &r->cell[cell];
        for (uint32_t k = 0; k < c->curves; k++) {
            const gr_curve *curve = &c->curve[k];
            if (!strcmp(curve->name, "best_ever"))
                write_to_end(out, r, 1, curve->name, cell, curve->at, curve->count, GR_CURVE);
            else
                write_rows(out, curve->name, cell, curve->at, curve->count, GR_CURVE);
        }
        if (c->success) {
            write_to_end(out, r, 0, "success", cell, c->success, c->successes, GR_SUCCESS);
            write_band(out, r, cell);
        }
        if (c->lines)
            write_lines(out, c, cell);
        if (c->front)
            write_rows(out, "front", cell, c->front, c->fronts, 2);
        if (c->sample)
            write_rows(out, "sample", cell, c->sample, c->samples, 2);
    }
    for (uint32_t k = 0; k < r->surfaces; k++)
        write_surface(out, &r->rates[k], k);
    gr_write_fits(r, out);
    gr_status status = write_ends(out, r, 0, error);
    return status ? status : write_ends(out, r, 1, error);
}
