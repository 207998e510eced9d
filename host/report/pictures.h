/* The pictures of pictures.def: which can be drawn, and gnuplot's script of them. */
#ifndef GRAMPUS_REPORT_PICTURES_H
#define GRAMPUS_REPORT_PICTURES_H

#include "host/report/model.h"

#include <stdio.h>

typedef struct gr_picture {
    const char *name, *title, *caption;
    int width, height;
    int (*can)(const gr_report *report);                 /* whether there is something to draw */
    void (*draw)(const gr_report *report, FILE *script); /* with the data of gr_write_data */
} gr_picture;
enum {
    GR_PICTURES = 0
#define GR_PICTURE(id, title, width, height, caption) +1
#include "host/report/pictures.def"
};
extern const gr_picture gr_pictures[GR_PICTURES];
#define GR_PICTURE(id, title, width, height, caption)                                              \
    int gr_can_draw_##id(const gr_report *report);                                                 \
    void gr_draw_##id(const gr_report *report, FILE *script);
#include "host/report/pictures.def"

/* Cells that curves are drawn of, and those in one picture of boxes. */
enum { GR_DRAWN_CELLS = 7, GR_BOXED_CELLS = 40 };
uint32_t gr_drawn_cells(const gr_report *report);
/* The cell with the best program: the one that programs and predictions are shown of first. */
uint32_t gr_best_cell(const gr_report *report);

/* Names of files and blocks of data that draw() plots from. */
gr_status gr_write_data(const gr_report *report, FILE *script, gr_error *error);
/* The same of predictions and classes. */
void gr_write_fits(const gr_report *report, FILE *script);
/* What joins the parts of one plot command; `first` is 1 before the first of them. */
const char *gr_joint(int *first);
/* A step of tics, 1, 2 or 5 times a power of ten, so that there are about so many over a range. */
double gr_nice_step(double range, double tics);
/* Such tics at the axis below: where their numbers are long half as many, and room for the last
 * one. */
void gr_write_tics_below(double least, double most, double tics, FILE *script);
/* The name of a cell for a picture. One of more characters than there is room for loses its
 * beginning to the number of the cell in the page's table. */
enum { GR_KEY_ROOM = 75, GR_SMALL_KEY_ROOM = 55 }; /* of a line of the key; in a narrow picture */
void gr_write_name(const gr_report *report, uint32_t cell, size_t room, FILE *script);

/* Axes, grid, key: as all pictures have them. */
void gr_write_style(FILE *script);

#endif
