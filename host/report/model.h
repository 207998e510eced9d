/* What a report is about: cells, each some runs of one setting, wherever they were read from. */
#ifndef GRAMPUS_REPORT_MODEL_H
#define GRAMPUS_REPORT_MODEL_H

#include "host/data/dataset.h"
#include "host/run/classes.h"

/* A column of statistics.tsv over the generations: quartiles over the runs, of a single run its
 * values. Where no run has a number NaN stands, which is a gap in what is drawn. */
typedef struct gr_curve {
    char name[40];
    uint32_t count;
    double *at; /* [count][GR_CURVE]: generation, lower quartile, median, upper quartile */
} gr_curve;
enum { GR_CURVE_GEN, GR_CURVE_LOW, GR_CURVE_MEDIAN, GR_CURVE_HIGH, GR_CURVE };

/* Success by generation: rate and its interval, 0 to 1. */
enum { GR_SUCCESS_GEN, GR_SUCCESS_RATE, GR_SUCCESS_LOW, GR_SUCCESS_HIGH, GR_SUCCESS };

/* Best fitness so far of one run. */
typedef struct gr_line {
    uint32_t count;
    double *at; /* [count][2]: generation, value */
} gr_line;

/* What runs came to. */
typedef struct gr_ends {
    uint32_t count;
    double *value; /* [count] */
} gr_ends;
enum { GR_END_FITNESS, GR_END_TEST, GR_END_NODES, GR_ENDS };

enum { GR_MOST_CURVES = 64, GR_MOST_LINES = 60 };

enum { GR_MOST_SAMPLES = 8192 };

typedef struct gr_report_cell {
    char *label, *metric, *source; /* source: the folder or file */
    int name;                      /* bytes of a run's name, which the label begins with; its time
                                    * stands behind it */
    int maximised, has_target;
    double target;
    uint32_t runs, solved, last_generation;
    double rate[3]; /* of success: itself, low, high */
    uint32_t curves;
    gr_curve curve[GR_MOST_CURVES];
    uint32_t successes;
    double *success; /* [successes][GR_SUCCESS] */
    uint32_t lines;
    gr_line line[GR_MOST_LINES]; /* of the first runs */
    gr_ends end[GR_ENDS];
    char letters[64];         /* of fitness; "" : no tests */
    double seconds, phase[3]; /* selection, breeding, evaluation; NaN: not known */
    /* the best program */
    char *expression;
    double fitness, test_fitness, intercept, slope;
    int scaled;
    uint32_t found;
    gr_settings settings; /* of the runs, and their cases; only where `settled` */
    int settled;
    gr_dataset set[2]; /* training and test cases, with tiles */
    float *output[2];  /* of the best program on them */
    gr_classes classes[2];
    /* front.tsv: the front of several objectives */
    char front_name[2][64];
    uint32_t fronts;
    double *front; /* [fronts][2] */
    /* programs.tsv of a run on samples: fitness on the sample and on the test cases */
    uint32_t samples;
    double *sample; /* [samples][2] */
} gr_report_cell;

/* Rates of `grampus bench --json`, by population and cases. */
typedef struct gr_rates {
    char *device, *source;
    uint32_t count;
    double *at; /* [count][3]: cases, population, GPop/s */
} gr_rates;

/* A table for the page: head and rows, all text. */
typedef struct gr_text_table {
    char *title, *note;
    uint32_t columns, rows;
    char **text; /* [rows + 1][columns] */
} gr_text_table;

typedef struct gr_report {
    uint32_t sources; /* folders or files that it is of */
    uint32_t cells;
    gr_report_cell *cell;
    uint32_t failed, unfinished; /* cells of experiments that are not here */
    uint32_t undone;             /* folders of runs that run, or were stopped or killed */
    uint32_t changed;            /* those whose data are not what they were (host/run/finished.h) */
    uint32_t surfaces;
    gr_rates *rates;
    uint32_t tables;
    gr_text_table *table;
    char *title;
} gr_report;

/* What could not be drawn, and which cells are not there: a line each, for the user; "" where all
 * is.
 */
typedef struct gr_report_notes {
    char pictures[512], trees[512], cells[256];
    unsigned drawn; /* pictures */
    int has_tree;   /* one of them */
} gr_report_notes;

void gr_report_free(gr_report *report);

/* A new cell or surface at the end; NULL: no memory. */
gr_report_cell *gr_report_add_cell(gr_report *report);
gr_rates *gr_report_add_rates(gr_report *report);
/* A table of so many columns, and a row of it; 0: no memory. */
gr_text_table *gr_report_add_table(gr_report *report, const char *title, const char *note,
                                   uint32_t columns);
int gr_table_row(gr_text_table *table, const char *const *text);

/* The curve of this name, or NULL; and one that is made, with room for `count` points. */
const gr_curve *gr_find_curve(const gr_report_cell *cell, const char *name);
gr_curve *gr_add_curve(gr_report_cell *cell, const char *name, uint32_t count);
/* Points of a curve (NULL: none) that are numbers. */
uint32_t gr_curve_numbers(const gr_curve *curve);

#endif
