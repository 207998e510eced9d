/* Inside the library: what stands behind the handles, and errors on their way out. */
#ifndef GRAMPUS_LIBRARY_INTERNAL_H
#define GRAMPUS_LIBRARY_INTERNAL_H

#include "host/derivation/phenotype.h"
#include "host/law/law.h"
#include "host/library/grampus.h"
#include "host/run/run.h"

#include <locale.h>

struct grampus_settings {
    gr_settings settings;
};

struct grampus_run {
    gr_run *run;
    grampus_on_generation *callback;
    void *context;
    grampus_on_progress *progress;
    void *progress_context;
    locale_t callers;   /* of the thread that is in grampus_run_advance, for what it calls */
    double every, told; /* seconds; when progress was told of last, since the start */
    double started, best_ever;
    int keeps;                   /* history */
    grampus_generation *history; /* [rows] */
    size_t rows, capacity;
    int lost;     /* rows that there was no memory for */
    char *unused; /* what was set and is not read */
    gr_law law;   /* as of the last call for it, */
    int looked;   /* which is no longer ago than the last epoch */
};

struct grampus_grammar {
    gr_grammar *grammar;
    gr_reading reading;
};

/* Hands an inner error on; returns its status. */
grampus_status gr_pass(gr_status status, const gr_error *inner, grampus_error *error);
grampus_status gr_refuse(grampus_error *error, gr_status status, const char *text);

/* Numbers that the library prints have a point, whatever the caller's locale is: this one is from
 * now on the thread's. Returns the caller's, for uselocale at the end. */
locale_t gr_library_locale(void);

/* Whether any case has a weight other than 0, which leaves it out, and 1. */
int gr_has_weights(const grampus_cases *cases);
/* How cases are kept: as which numbers, and with their weights or without; doubles have none. */
typedef struct gr_taking {
    grampus_type as;
    int weighed;
} gr_taking;
/* Whether every input has values and, where any has one, a name; `what` begins messages. */
gr_status gr_check_inputs(const grampus_cases *cases, const char *what, gr_error *error);
/* Reads cases into a set with tiles; `what` begins messages. */
gr_status gr_take_cases(const grampus_cases *cases, const char *what, gr_taking taking,
                        gr_dataset *set, gr_error *error);
/* Of cases that were read: refuses a target of which floats leave one number, for any program that
 * gives it had no error. As host/data/rounded.h has it of tables. */
gr_status gr_check_target_digits(const grampus_cases *cases, const gr_dataset *set,
                                 gr_error *error);
/* Values [first, first + count) of a column to `to`, numbers `as` given, of case at[i] where `at`
 * is; false: one is not finite as such, *bad of them. */
int gr_take_column(const grampus_column *column, const uint32_t *at, uint64_t first, uint32_t count,
                   grampus_type as, void *to, uint32_t *bad);
/* What is said of that one: "is not finite ..."; and bytes of a number. */
const char *gr_not_finite(grampus_type as);
size_t gr_type_size(grampus_type type);

/* A best or another individual as a caller gets it; takes its texts. */
/* The best of a run: the one that is chosen (front-choice), or by error alone. */
gr_status gr_library_best(grampus_run *run, uint32_t index, int chosen, grampus_best *best,
                          gr_error *error);
grampus_best gr_show_best(const gr_problem *problem, gr_best *best, const float *threshold);

#endif
