/* The table of the pictures, and what all of them have. */
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
