#include "host/report/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void free_cell(gr_report_cell *c) {
    free(c->label);
    free(c->metric);
    free(c->source);
    for (uint32_t k = 0; k < c->curves; k++)
        free(c->curve[k].at);
    free(c->success);
    for (uint32_t k = 0; k < c->lines; k++)
        free(c->line[k].at);
    for (int k = 0; k < GR_ENDS; k++)
        free(c->end[k].value);
    free(c->expression);
    if (c->settled)
        gr_settings_free(&c->settings);
    for (int k = 0; k < 2; k++) {
        gr_dataset_free(&c->set[k]);
        free(c->output[k]);
        gr_classes_free(&c->classes[k]);
    }
    free(c->front);
    free(c->sample);
}

void gr_report_free(gr_report *r) {
    for (uint32_t k = 0; k < r->cells; k++)
        free_cell(&r->cell[k]);
    for (uint32_t k = 0; k < r->surfaces; k++) {
        free(r->rates[k].device);
        free(r->rates[k].source);
        free(r->rates[k].at);
    }
    for (uint32_t t = 0; t < r->tables; t++) {
        for (uint32_t k = 0; k < (r->table[t].rows + 1) * r->table[t].columns; k++)
            free(r->table[t].text[k]);
        free(r->table[t].text);
        free(r->table[t].title);
        free(r->table[t].note);
    }
    free(r->cell);
    free(r->rates);
    free(r->table);
    free(r->title);
    *r = (gr_report){0};
}

/* The array with a zeroed element more, or NULL. */
static void *grow(void *array, uint32_t count, size_t size) {
    char *more = realloc(array, (count + 1ull) * size);
    if (more)
        memset(more + count * size, 0, size);
    return more;
}

gr_report_cell *gr_report_add_cell(gr_report *r) {
    gr_report_cell *more = grow(r->cell, r->cells, sizeof *more);
    if (!more)
        return NULL;
    r->cell = more;
    gr_report_cell *c = &more[r->cells++];
    c->target = c->fitness = c->test_fitness = (double)NAN;
    c->rate[0] = c->rate[1] = c->rate[2] = (double)NAN;
    c->seconds = c->phase[0] = c->phase[1] = c->phase[2] = (double)NAN;
    c->slope = 1.0;
    return c;
}

gr_rates *gr_report_add_rates(gr_report *r) {
    gr_rates *more = grow(r->rates, r->surfaces, sizeof *more);
    if (!more)
        return NULL;
    r->rates = more;
    return &more[r->surfaces++];
}

gr_text_table *gr_report_add_table(gr_report *r, const char *title, const char *note,
                                   uint32_t columns) {
    gr_text_table *more = grow(r->table, r->tables, sizeof *more);
    if (!more)
        return NULL;
    r->table = more;
    gr_text_table *t = &more[r->tables++];
    t->columns = columns;
    t->title = strdup(title);
    t->note = strdup(note);
    t->text = calloc(columns, sizeof *t->text);
    if (!t->title || !t->note || !t->text) {
        t->columns = t->text ? columns : 0;
        return NULL;
    }
    return t;
}

/* The first row is the head. */
int gr_table_row(gr_text_table *t, const char *const *text) {
    uint32_t row = t->text[0] ? t->rows + 1 : 0;
    char **more = realloc(t->text, (size_t)(row + 1) * t->columns * sizeof *more);
    if (!more)
        return 0;
    t->text = more;
    t->rows = row;
    int good = 1;
    for (uint32_t k = 0; k < t->columns; k++)
        good &= (more[(size_t)row * t->columns + k] = strdup(text[k])) != NULL;
    return good;
}

const gr_curve *gr_find_curve(const gr_report_cell *cell, const char *name) {
    for (uint32_t k = 0; k < cell->curves; k++)
        if (strcmp(cell->curve[k].name, name) == 0)
            return &cell->curve[k];
    return NULL;
}

gr_curve *gr_add_curve(gr_report_cell *cell, const char *name, uint32_t count) {
    double *at = malloc(((size_t)count * GR_CURVE + 1) * sizeof *at);
    if (!at || cell->curves == GR_MOST_CURVES || strlen(name) >= sizeof cell->curve->name) {
        free(at);
        return NULL;
    }
    gr_curve *c = &cell->curve[cell->curves++];
    strcpy(c->name, name);
    c->at = at;
    c->count = 0;
    return c;
}

uint32_t gr_curve_numbers(const gr_curve *curve) {
    uint32_t numbers = 0;
    for (uint32_t i = 0; curve && i < curve->count; i++)
        numbers += isfinite(curve->at[(size_t)i * GR_CURVE + GR_CURVE_MEDIAN]) != 0;
    return numbers;
}
