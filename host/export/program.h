/* What is exported: a program with the names of its inputs, and what surrounds it. */
#ifndef GRAMPUS_PROGRAM_H
#define GRAMPUS_PROGRAM_H

#include "host/expression/reader.h"

typedef struct gr_exported {
    gr_node *nodes; /* [count], postfix */
    uint32_t count;
    gr_node *simpler; /* [simpler_count]; NULL: not asked for */
    uint32_t simpler_count;
    double intercept, slope; /* of linear scaling; 0 and 1 without */
} gr_exported;

/* Programs over the same inputs. */
typedef struct gr_export {
    gr_vocabulary vocabulary; /* of the inputs; names may be NULL */
    const gr_exported *program;
    uint32_t programs;
    uint32_t outputs; /* of several targets: so many of `program`, one behind the other, are one */
    const char *const *target; /* [outputs] their names; NULL where they are not known */
    int scaled;                /* intercepts and slopes mean something */
    int doubles;               /* they were found in doubles: functions are over these */
    const char *name;          /* of functions; of several, a number stands behind it */
    const char *origin;        /* where they are from, for a comment */
} gr_export;

#endif
