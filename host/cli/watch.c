#define NCURSES_WIDECHAR 1
#include "host/cli/watch.h"
#include "host/base/text.h"
#include "host/problem/shown_fitness.h"

#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <ncurses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

enum { POINTS = 512, PROGRAMS = 6 };

/* A program that led, with what it was worth. */
typedef struct leader {
    uint32_t generation, run;
    double fitness;
    char *infix;
} leader;

struct gr_screen {
    gr_run *run;
    SCREEN *terminal;
    int braille; /* the terminal shows dots of a quarter of a character's height */
    uint32_t metric, generations, runs;
    char title[160], metric_name[32];
    /* Best fitness so far of all runs, a point for every `step` generations. */
    uint32_t step, points;
    double best[POINTS];
    leader leader[PROGRAMS]; /* the newest first */
    uint32_t leaders;
};

gr_screen *gr_screen_open(const gr_settings *settings, gr_run *run) {
    const gr_params *p = &gr_run_problem(run)->job.params;
    gr_screen *s = isatty(STDERR_FILENO) ? calloc(1, sizeof *s) : NULL;
    char word[32];
    if (!s)
        return NULL;
    setlocale(LC_CTYPE, ""); /* numbers stay as they are */
    s->terminal = newterm(NULL, stderr, stdin);
    if (!s->terminal) {
        free(s);
        return NULL;
    }
    s->braille = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    s->run = run;
    s->metric = p->metric;
    s->generations = gr_run_generations(p);
    s->runs = p->runs;
    s->step = s->generations / POINTS + 1;
    snprintf(s->title, sizeof s->title, "grampus  %.*s", GR_CUT(settings->name, 120));
    snprintf(s->metric_name, sizeof s->metric_name, "%s",
             gr_settings_text(settings, GR_KEY_metric, word));
    curs_set(0);
    noecho();
    if (has_colors()) {
        start_color();
        use_default_colors();
        init_pair(1, COLOR_CYAN, -1);
        init_pair(2, COLOR_YELLOW, -1);
    }
    return s;
}

/* Generations of an epoch that goes on come twice. */
void gr_screen_generation(gr_screen *s, const gr_generation *g) {
    uint32_t at = s ? g->generation / s->step : 0;
    if (!s || at >= POINTS || isnan(g->best_ever))
        return;
    while (s->points <= at)
        s->best[s->points++] = (double)NAN;
    if (isnan(s->best[at]) || gr_is_better(s->metric, g->best_ever, s->best[at]))
        s->best[at] = g->best_ever;
}

void gr_screen_best(gr_screen *s) {
    gr_best leading, best;
    gr_error unread;
    if (!s || gr_run_leader(s->run, &leading, &unread) || leading.validity != GR_VALID)
        return;
    if (s->leaders && s->leader[0].run == leading.run &&
        s->leader[0].generation == leading.generation)
        return;
    if (gr_run_best(s->run, leading.run, &best, &unread))
        return;
    if (s->leaders == PROGRAMS)
        free(s->leader[--s->leaders].infix);
    memmove(s->leader + 1, s->leader, s->leaders * sizeof *s->leader);
    s->leader[0] = (leader){best.generation, best.run, best.train, best.infix};
    s->leaders++;
    best.infix = NULL;
    gr_best_free(&best);
}

/* ---- the plot ---- */

/* Where values stand on the axis: logarithmic over more than a factor of 30. */
typedef struct scale {
    double least, most;
    int logarithmic;
} scale;

static scale scale_of(const gr_screen *s) {
    scale c = {INFINITY, -INFINITY, 0};
    for (uint32_t i = 0; i < s->points; i++)
        if (isfinite(s->best[i])) {
            c.least = fmin(c.least, s->best[i]);
            c.most = fmax(c.most, s->best[i]);
        }
    c.logarithmic = c.least > 0.0 && c.most > 30.0 * c.least;
    if (!(c.least < c.most)) { /* a line in the middle */
        c.most = c.least + fmax(fabs(c.least), 1e-30);
        c.least -= fmax(fabs(c.least), 1e-30);
    }
    return c;
}

/* 0 at the bottom, 1 at the top. */
static double height_of(const scale *c, double value) {
    return c->logarithmic ? log(value / c->least) / log(c->most / c->least)
                          : (value - c->least) / (c->most - c->least);
}

static double value_at(const scale *c, double height) {
    return c->logarithmic ? c->least * pow(c->most / c->least, height)
                          : c->least + height * (c->most - c->least);
}

/* A dot of the plot: x in half characters from the left, y in quarters from the bottom. */
static void put_dot(unsigned char *cells, int width, int rows, int x, int y) {
    static const unsigned char bit[4][2] = {{0x40, 0x80}, {0x04, 0x20}, {0x02, 0x10}, {0x01, 0x08}};
    int row = rows - 1 - y / 4, column = x / 2;
    if (row >= 0 && row < rows && column >= 0 && column < width)
        cells[row * width + column] |= bit[y % 4][x % 2];
}

static void plot(const gr_screen *s, int top, int rows, int left, int width) {
    unsigned char *cells = calloc((size_t)rows * (size_t)width, 1);
    scale c = scale_of(s);
    int before = -1;
    for (int x = 0; cells && x < 2 * width; x++) {
        double generation = (double)x / (2 * width - 1) * s->generations;
        uint32_t i = (uint32_t)(generation / s->step);
        if (i >= s->points || !isfinite(s->best[i]))
            continue;
        int y = (int)(height_of(&c, s->best[i]) * (4 * rows - 1) + 0.5);
        for (int k = before < 0 ? y : before; k != y; k += k < y ? 1 : -1)
            put_dot(cells, width, rows, x, k);
        put_dot(cells, width, rows, x, y);
        before = y;
    }
    for (int row = 0; row < rows; row++) {
        if (row == 0 || row == rows / 2 || row == rows - 1)
            mvprintw(top + row, 0, "%9.3g", value_at(&c, 1.0 - (double)row / (rows - 1)));
        mvaddch(top + row, left - 2, ACS_VLINE);
        attron(COLOR_PAIR(1) | A_BOLD);
        for (int x = 0; cells && x < width; x++) {
            unsigned char dots = cells[row * width + x];
            wchar_t shown[2] = {(wchar_t)(0x2800 + dots), 0};
            if (dots && s->braille)
                mvaddwstr(top + row, left + x, shown);
            else if (dots)
                mvaddch(top + row, left + x, '*');
        }
        attroff(COLOR_PAIR(1) | A_BOLD);
    }
    mvaddch(top + rows, left - 2, ACS_LLCORNER);
    mvhline(top + rows, left - 1, ACS_HLINE, width + 1);
    mvprintw(top + rows + 1, left, "0");
    mvprintw(top + rows + 1, left + width - 24, "%24u", s->generations);
    mvprintw(top + rows + 1, left + width / 2 - 5, "generation");
    free(cells);
}

/* The newest programs, as much of each as a line holds. */
static void list_programs(const gr_screen *s, int top, int rows, int width) {
    for (uint32_t k = 0; k < s->leaders && (int)k < rows; k++) {
        const leader *l = &s->leader[k];
        char line[1024];
        snprintf(line, sizeof line, "%9.5g  gen %-6u %.*s", l->fitness, l->generation,
                 GR_CUT(l->infix ? l->infix : "", 900));
        if (k == 0)
            attron(COLOR_PAIR(2));
        mvaddnstr(top + (int)k, 0, line, width);
        attroff(COLOR_PAIR(2));
    }
}

void gr_screen_show(gr_screen *s, const char *line) {
    struct winsize window = {0};
    if (!s)
        return;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_row > 0 &&
        is_term_resized(window.ws_row, window.ws_col))
        resizeterm(window.ws_row, window.ws_col);
    int height, width, list = PROGRAMS;
    getmaxyx(stdscr, height, width);
    erase();
    attron(A_BOLD);
    mvaddnstr(0, 0, s->title, width);
    attroff(A_BOLD);
    mvaddnstr(1, 0, line, width);
    list = height < 20 ? height / 5 : list;
    int rows = height - list - 8;
    if (rows >= 3 && width >= 40 && s->points) {
        mvprintw(3, 0, "best %s", s->metric_name);
        plot(s, 4, rows, 12, width - 14);
    }
    if (s->leaders && height > 6)
        list_programs(s, height - list, list, width);
    refresh();
}

void gr_screen_close(gr_screen *s) {
    if (!s)
        return;
    endwin();
    delscreen(s->terminal);
    for (uint32_t k = 0; k < s->leaders; k++)
        free(s->leader[k].infix);
    free(s);
}
