/* Pictures, drawn by gnuplot from one script and by Graphviz. What is drawn goes to them as files
 * and arguments of their own: no shell reads it. */
#ifndef GRAMPUS_REPORT_DRAWING_H
#define GRAMPUS_REPORT_DRAWING_H

#include "gpu/backend/error.h"

#include <stdio.h>

/* A terminal that a picture is drawn on. */
typedef struct gr_terminal {
    const char *ending;
    const char *set; /* `set terminal` of a width and a height in points */
} gr_terminal;
enum { GR_TERMINALS = 3 };
extern const gr_terminal gr_terminals[GR_TERMINALS];

/* Colours by Okabe and Ito, which all can tell apart. */
enum { GR_COLOURS = 7 };
extern const char *const gr_colours[GR_COLOURS];

/* A program that draws ended well; it is not there; it failed. */
typedef enum gr_drawn { GR_DRAWN, GR_NOT_THERE, GR_NOT_DRAWN } gr_drawn;

/* Runs a program in a folder, which its arguments name files of; what it says goes to `log`. */
gr_drawn gr_run_in(const char *folder, const char *const *arguments, const char *log);

/* Text between single quotes for gnuplot: of one line, quotes doubled. */
void gr_write_label(FILE *script, const char *text);
/* The same where gnuplot takes it for a format, as the names at an axis: each % is doubled. */
void gr_write_tic(FILE *script, const char *text);

#endif
