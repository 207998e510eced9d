/* Is it the law? Programs whose constants are fitted and rounded in double, and held to the cases.
 */
#ifndef GRAMPUS_LAW_H
#define GRAMPUS_LAW_H

#include "host/data/dataset.h"
#include "host/expression/reader.h"

enum { GR_LAW_CONSTANTS = 16, GR_LAW_INPUTS = 256 };

/* Cases in double: those that constants are fitted to, and fresh ones. */
typedef struct gr_law_cases {
    double *x[2], *y[2]; /* [inputs][cases], [cases]: training and test */
    uint64_t cases[2];
    uint32_t inputs;
    double deviation[2]; /* of the targets */
    uint64_t outside;    /* test cases with an input beyond those of the training cases */
} gr_law_cases;

/* A program as the test of laws has it: constants apart, subtrees without inputs folded. */
typedef struct gr_law_form {
    uint8_t *op;
    uint32_t *operand; /* of an input its number, of a constant its place in value[] */
    uint32_t count;
    double value[GR_LAW_CONSTANTS];
    uint8_t fixed[GR_LAW_CONSTANTS];
    char text[GR_LAW_CONSTANTS][48]; /* of those that are fixed, */
    double cost[GR_LAW_CONSTANTS];   /* and how far from 1 they are to write: gr_nice */
    uint32_t constants;
} gr_law_form;
/* intercept + slope * program, subtrees that are the same on all training cases folded; *fits: 0
 * where it has too many constants. */
gr_status gr_form_make(const gr_law_cases *cases, const gr_node *nodes, uint32_t count,
                       double intercept, double slope, gr_law_form *form, int *fits,
                       gr_error *error);
void gr_form_free(gr_law_form *form);

/* Root of the mean squared error over every `step`-th training case (which: 0) or test case (1),
 * and the largest error; infinite where a value is none. */
double gr_form_error(const gr_law_form *form, const gr_law_cases *cases, int which, uint64_t step,
                     double *largest);
/* Fits the constants that are not fixed, by Levenberg and Marquardt, until the error is `enough`;
 * the error left. */
double gr_form_fit(gr_law_form *form, const gr_law_cases *cases, uint64_t step, double enough);

/* How long a description of the training target by a form is that errs by `error` on `cases` of
 * them, in nats: n / 2 log(error^2) + k log(q) for k nodes of q different operations and inputs +
 * log(n) / 2 for every constant that is free (Rissanen), the log of its `cost` for one that is
 * rounded. Errors count as `least` where they are below it. Only differences between forms of one
 * set of cases have a meaning. */
double gr_form_length(const gr_law_form *form, double error, double least, uint64_t cases);

/* Replaces every subtree whose variation is of no account, the error being at most `limit` with its
 * mean instead, by that as one more constant. */
gr_status gr_form_prune(gr_law_form *form, const gr_law_cases *cases, uint64_t step, double limit,
                        gr_error *error);
/* Of the values over the training cases that fits look at. */
double gr_form_mean(const gr_law_form *form, const gr_law_cases *cases, uint64_t step);

/* Numbers that people write, near a value and the simplest first: whole numbers, fractions,
 * multiples of pi and of some roots, short decimals. */
typedef struct gr_nice {
    double value, cost;
    char text[48];
} gr_nice;
enum { GR_NICE = 6 };
uint32_t gr_nice_near(double value, double tolerance, gr_nice nice[GR_NICE]);

/* What became of a program. */
typedef struct gr_law {
    char *text;     /* NULL: nothing was found */
    uint32_t nodes; /* of the program that is printed */
    int rounded;    /* all its constants are numbers that people write */
    int exact;      /* and it is right to within rounding, on training and test cases */
    double length;  /* of a description of the training target by it, in nats: gr_form_length */
    double rmse[2], largest[2];
    uint64_t cases[2], outside;
    double deviation[2];
} gr_law;

/* A program as it came to the test: what it does there can be done again. */
typedef struct gr_law_source {
    char *text; /* NULL: none */
    double scaling[2];
} gr_law_source;

/* Programs that are tried one after the other, while a run goes on and at its end. */
enum { GR_LAW_KEPT = 24 };
typedef struct gr_law_kept {
    gr_law_form form; /* fitted */
    double error, length;
    gr_law_source of;
} gr_law_kept;
typedef struct gr_law_search {
    gr_law_cases cases;
    gr_law best;                    /* so far, */
    gr_law_source best_of;          /* where it came without being settled */
    gr_law_kept keeps[GR_LAW_KEPT]; /* of those that are not exact, by length */
    uint32_t kept;
    uint64_t *seen; /* hashes of what was tried */
    uint32_t seen_count, seen_room;
} gr_law_search;
gr_status gr_law_search_open(const gr_dataset *train, const gr_dataset *test,
                             gr_law_search **search, gr_error *error);
void gr_law_search_close(gr_law_search *search); /* NULL: nothing */
/* Fits the constants of a program (intercept and slope in scaling), rounds them where it comes near
 * enough to be exact, and keeps it if it is better. One that was tried before, or is no smaller
 * than a law that is exact, is passed over. */
gr_status gr_law_try(gr_law_search *search, const gr_vocabulary *vocabulary, const char *text,
                     const double scaling[2], gr_error *error);
/* What is kept so far as lines of text, malloc'ed, and a new search brought there by them: what was
 * tried beside them would be turned down once more. */
gr_status gr_law_search_save(const gr_law_search *search, char **lines, gr_error *error);
gr_status gr_law_search_restore(gr_law_search *search, const gr_vocabulary *vocabulary,
                                const char *lines, gr_error *error);
/* Where none is exact: rounds the constants of the best of the others, as far as they may be. */
gr_status gr_law_settle(gr_law_search *search, const gr_vocabulary *vocabulary, gr_error *error);
void gr_law_free(gr_law *law);
/* Keeps the better one in *best, and frees the other: exact before not, the simpler one of two
 * that are exact, what describes the cases more briefly of others. */
void gr_law_keep(gr_law *best, gr_law *law);

#endif
