/* grampus run --watch: the convergence as a plot in the terminal, and the best programs so far.
 *
 * By ncurses: it is on every machine, small, and knows all terminals; notcurses, which could show
 * pictures, is on few. */
#ifndef GRAMPUS_WATCH_H
#define GRAMPUS_WATCH_H

#include "host/run/run.h"

typedef struct gr_screen gr_screen;

/* Takes the terminal behind standard error; NULL: there is none, or no memory. Every function takes
 * NULL. */
gr_screen *gr_screen_open(const gr_settings *settings, gr_run *run);
void gr_screen_generation(gr_screen *screen, const gr_generation *generation);
/* Between epochs: takes the leading program where it is a new one. */
void gr_screen_best(gr_screen *screen);
/* Draws, with a line of figures above. */
void gr_screen_show(gr_screen *screen, const char *line);
/* Gives the terminal back as it was. */
void gr_screen_close(gr_screen *screen);

#endif
