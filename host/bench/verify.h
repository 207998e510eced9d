/* Costs that a backend computed against the reference of gpu/core/program/evaluate.h: every node,
 * one case after another, added in the canonical order.
 *
 * Exact arithmetic has one answer: the bits must be the same. Fast arithmetic rounds otherwise, and
 * a program may amplify that without limit (the sine of a large number, a difference of nearly
 * equal ones), so that its cost says nothing about who computed it. The reference finds such
 * programs itself, without looking at the backend: it evaluates them again with operands and
 * results of divisions and elementary functions shaken by about what fast arithmetic may be off.
 * Where that moves the cost by more than a quarter of the tolerance, nothing is compared; elsewhere
 * the cost must lie within the tolerance, and a cost that is infinite however it is shaken must be
 * infinite.
 */
#ifndef GRAMPUS_VERIFY_H
#define GRAMPUS_VERIFY_H

#include "gpu/backend/error.h"
#include "gpu/core/base/params.h"
#include "gpu/core/program/node.h"

#include <stddef.h>

enum { GR_SHAKES = 4 };

/* A program whose cost is wanted; nodes in postfix order, count 0: it has none and costs infinity.
 */
typedef struct gr_suspect {
    const gr_node *nodes;
    uint32_t count;
    float cost;        /* reference */
    float least, most; /* with the shaken ones */
} gr_suspect;

/* Fills in the costs of suspects [0, n) over the training tiles; shaken too if `shake`, otherwise
 * least = most = cost. */
gr_status gr_reference_costs(const gr_params *p, const float *tiles, int shake,
                             gr_suspect *suspects, uint32_t n, gr_error *error);

/* Over doubles: the sum of the `here` cases of a tile; stack: a value a node. */
double gr_reference_sum(const gr_params *p, const gr_suspect *suspect, const double *tile,
                        uint32_t here, double *stack);

/* What comparing came to. */
typedef struct gr_verdict {
    uint32_t compared, agreed, finite; /* finite: of the compared, by the reference */
    uint32_t skipped;                  /* too sensitive to be compared */
    double worst;                      /* largest relative difference among the agreed */
    char wrong[128];                   /* the first that did not agree; "" */
} gr_verdict;

/* Whether a cost can be held to the reference. */
int gr_is_steady(const gr_suspect *suspect, double tolerance);
/* Enters one cost of individual `index`. tolerance 0: the same bits. Otherwise, where `counts`
 * says that the metric counts cases, one case on the border does not matter. */
void gr_compare_cost(const gr_suspect *suspect, uint32_t index, float cost, double tolerance,
                     int counts, gr_verdict *verdict);

typedef enum gr_answers { GR_ANSWERS_UNCHECKED, GR_ANSWERS_RIGHT, GR_ANSWERS_WRONG } gr_answers;

/* Exact: all agree. Fast: at least 49 of 50 do (the borders of what hardware functions can do, such
 * as quotients by more than 2^126, are not worth a model of their own). Unchecked when there was
 * nothing finite to compare. */
gr_answers gr_judge(const gr_verdict *verdict, double tolerance);

#endif
