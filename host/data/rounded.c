#include "host/data/rounded.h"

#include "host/base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A range of fewer steps between floats than this may lose by them what the column says. */
enum { FEWEST_STEPS = 2048, MOST_NOTES = 20, AT_ONCE = 1 << 18 };

/* What the text of a column has: its range, and by how much floats miss a value at most. */
typedef struct gr_digits {
    uint32_t column; /* of the table */
    bool is_lost;    /* the target, of which floats leave one value: any error from it is none */
    double low, high, missed;
} gr_digits;

/* Whether values lie so close together that floats may not tell them apart; *same: all are one. */
static bool is_narrow(const float *value, uint64_t cases, bool *same) {
    float low = value[0], high = value[0];
    for (uint64_t i = 1; i < cases; i++) {
        low = value[i] < low ? value[i] : low;
        high = value[i] > high ? value[i] : high;
    }
    float most = fmaxf(fabsf(low), fabsf(high));
    double step = (double)nextafterf(most, INFINITY) - (double)most;
    *same = low == high;
    return (double)high - (double)low < FEWEST_STEPS * step;
}

/* The narrow columns of inputs and target. */
static uint32_t list_narrow(const gr_read_floats *f, gr_digits *list) {
    uint32_t count = 0;
    for (uint32_t i = 0; i <= f->inputs; i++) {
        const float *value = i < f->inputs ? f->x + i * f->cases : f->y;
        bool words = f->table->words && f->table->words[f->column[i]].count, same;
        if (!words && is_narrow(value, f->cases, &same))
            list[count++] =
                (gr_digits){f->column[i], same && i == f->inputs, INFINITY, -INFINITY, 0.0};
    }
    return count;
}

static void look_at(gr_digits *d, const double *value, uint64_t cases) {
    for (uint64_t i = 0; i < cases; i++) {
        d->low = fmin(d->low, value[i]);
        d->high = fmax(d->high, value[i]);
        d->missed = fmax(d->missed, fabs(value[i] - (double)(float)value[i]));
    }
}

/* Reads these columns once more, as doubles, some rows at a time. */
static gr_status measure(const gr_read_floats *f, gr_digits *list, uint32_t count,
                         gr_error *error) {
    uint64_t rows = AT_ONCE / count + 1;
    rows = rows < f->to - f->from ? rows : f->to - f->from;
    double *space = malloc(rows * count * sizeof *space), **value = malloc(count * sizeof *value);
    uint32_t *column = malloc(count * sizeof *column);
    gr_status status = GR_OK;
    if (!space || !value || !column)
        status = gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", f->table->path);
    for (uint32_t k = 0; !status && k < count; k++) {
        value[k] = space + k * rows;
        column[k] = list[k].column;
    }
    for (uint64_t end, from = f->from; !status && from < f->to; from = end) {
        end = from + rows < f->to ? from + rows : f->to;
        status = gr_table_doubles(f->table, column, count, from, end, value, error);
        for (uint32_t k = 0; !status && k < count; k++)
            look_at(&list[k], value[k], end - from);
    }
    free(column);
    free(value);
    free(space);
    return status;
}

/* Keeps those of which rounding leaves too little. */
static uint32_t keep_rounded(gr_digits *list, uint32_t count) {
    uint32_t kept = 0;
    for (uint32_t k = 0; k < count; k++) {
        double range = list[k].high - list[k].low;
        if (range > 0.0 && list[k].missed * FEWEST_STEPS > range)
            list[kept++] = list[k];
    }
    return kept;
}

/* A column as messages name it, by its number and, where it has one, its name. */
enum { COLUMN_TEXT = 300 };
static const char *column_text(const gr_table *table, uint32_t column, char text[COLUMN_TEXT]) {
    char name[256] = "";
    if (table->names)
        gr_escape(table->names[column], name, sizeof name);
    snprintf(text, COLUMN_TEXT, table->names ? "column %lu '%s'" : "column %lu%s",
             (unsigned long)column + 1, name);
    return text;
}

/* The notes with a line for each of these columns; NULL: no memory. */
static char *add_notes(const char *notes, const gr_table *table, const gr_digits *list,
                       uint32_t count) {
    char *text = NULL, column[COLUMN_TEXT];
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    fputs(notes ? notes : "", out);
    for (uint32_t k = 0; k < count && k < MOST_NOTES; k++)
        fprintf(out, "%s is rounded by up to %.2g in a range of %.2g%s\n",
                column_text(table, list[k].column, column), list[k].missed,
                list[k].high - list[k].low,
                table->only_floats ? "" : "; precision: double keeps its digits");
    if (count > MOST_NOTES)
        fprintf(out, "and %u column%s more rounded like that\n", count - MOST_NOTES,
                gr_s(count - MOST_NOTES));
    bool good = !ferror(out);
    if (fclose(out) == 0 && good)
        return text;
    free(text);
    return NULL;
}

static gr_status check_lost(const gr_table *table, const gr_digits *list, uint32_t count,
                            gr_error *error) {
    char column[COLUMN_TEXT];
    for (uint32_t k = 0; k < count; k++)
        if (list[k].is_lost)
            return gr_fail(error, GR_BAD_INPUT,
                           "%s: %s is one number in single precision, the target of a range of "
                           "%.2g; expected %sother units",
                           table->path, column_text(table, list[k].column, column),
                           list[k].high - list[k].low,
                           table->only_floats ? "" : "precision: double, or ");
    return GR_OK;
}

gr_status gr_note_rounded(const gr_read_floats *f, char **notes, gr_error *error) {
    gr_digits *list = malloc((f->inputs + 1) * sizeof *list);
    if (!list)
        return gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", f->table->path);
    uint32_t count = f->cases ? list_narrow(f, list) : 0;
    gr_status status = count ? measure(f, list, count, error) : GR_OK;
    count = status ? 0 : keep_rounded(list, count);
    if (!status)
        status = check_lost(f->table, list, count, error);
    count = status ? 0 : count;
    char *more = count ? add_notes(*notes, f->table, list, count) : NULL;
    if (count && !more)
        status = gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", f->table->path);
    if (more) {
        free(*notes);
        *notes = more;
    }
    free(list);
    return status;
}
