/* Chitty's four problems with his settings (Table 2), Langdon's and GPOCL's two. */
#ifndef LADDER_PROBLEM_H
#define LADDER_PROBLEM_H

#include "host/problem/job.h"
#include "tools/ladder/ladder.h"

typedef struct ladder_problem {
    ladder_set set;
    const char *name, *title;
    gr_problem made;           /* one run of 1000 programs, 50 generations */
    ladder_columns all;        /* cases in columns */
    ladder_columns sample;     /* some of them, spread over all, on which outputs are compared */
    uint32_t cases_of_a_float; /* 32 when packed */
} ladder_problem;

typedef struct ladder_size {
    uint32_t population, cases; /* cases 0: the problem's own */
} ladder_size;

extern const char *const ladder_problem_names[LADDER_SETS];

/* GR_STOPPED, and the reason in error, when the data are not there. */
gr_status ladder_problem_make(ladder_set set, const char *data, const ladder_size *size,
                              ladder_problem *problem, gr_error *error);
void ladder_problem_free(ladder_problem *problem);

#endif
