/* The tables. */
#ifndef LADDER_REPORT_H
#define LADDER_REPORT_H

#include "tools/ladder/population.h"

#include <cjson/cJSON.h>
#include <stdio.h>

/* A strategy on a population. */
typedef struct ladder_figure {
    enum { LADDER_SKIPPED, LADDER_VERIFIED, LADDER_FAILED } state;
    double rate, spread; /* node evaluations a second: median; half of the range over the median */
    ladder_launch launch;
    char why[256]; /* FAILED */
} ladder_figure;

typedef struct ladder_row {
    uint32_t number; /* strategy, or one of ours */
    const char *name, *title, *card;
    double paper; /* in units of 10^9; 0: none */
    ladder_figure figure[LADDER_POPULATIONS];
} ladder_row;

typedef struct ladder_results {
    const ladder_problem *problem;
    const ladder_programs *programs;
    ladder_row *rows;
    uint32_t count;
} ladder_results;

void ladder_print_head(const ladder_card *card, uint32_t repeats);
/* A row for every figure that was verified, by the columns of the head. */
#define LADDER_RATES_HEAD                                                                          \
    "problem\tstrategy\tpopulation\tprograms\tnodes\tcases\tthreads\tslices\tgpops\tspread\n"
void ladder_write_rates(const ladder_results *results, FILE *out);
void ladder_print_rates(const ladder_results *results);
/* Tables 5 and 6 of the paper, and our third form beside them. */
void ladder_print_levels(const ladder_problem *problem, const ladder_levels *levels, uint32_t runs);
/* The same as a table: a row for every form and limit. */
#define LADDER_LEVELS_HEAD "problem\tform\tlevels\tshare\tpaper\tprograms\n"
void ladder_write_levels(const ladder_problem *problem, const ladder_levels *levels, FILE *out);
cJSON *ladder_results_json(const ladder_results *results);

#endif
