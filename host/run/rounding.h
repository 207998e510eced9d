/* Whether a program's values on the training cases hang on the last places of floats, as those of
 * sin(exp(x)) do where x is large. Evolution finds such noise where it is like the target's: the
 * error is that of the program as Grampus evaluates it, and of no formula. */
#ifndef GRAMPUS_ROUNDING_H
#define GRAMPUS_ROUNDING_H

#include "host/run/run.h"

/* A program in single against double precision, scaled as it is, over the training cases (the first
 * 65 536 of them). A value that only floats have counts as ten ranges off. */
typedef struct gr_rounding {
    double more;  /* by how much its mean squared error is larger in double; 0: by less than the
                   * square of a millionth of the targets' range, or less than in single */
    double apart; /* root of the mean squared difference of the values, in ranges of the targets
                   * (absolute where all are the same) */
} gr_rounding;

/* All 0 for an invalid best, in a run over doubles, over truth tables, or without cases. */
gr_status gr_rounding_look(const gr_problem *problem, const gr_best *best, gr_rounding *rounding,
                           gr_error *error);
/* Whether a reader should know: apart by more than a thousandth. */
int gr_hangs_on_rounding(const gr_rounding *rounding);
/* Memory that it takes. */
size_t gr_rounding_bytes(const gr_problem *problem);

#endif
