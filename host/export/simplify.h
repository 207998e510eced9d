/* Programs made simpler without a change of value.
 *
 * Wherever the original gives a number or an infinity the simpler program gives the same, bit for
 * bit but for the sign of a zero that it returns. Where the original gives no number (a NaN) the
 * simpler one may give one: x - x becomes 0, which x = infinity had no value for.
 *
 * Rules that change rounding, as a * b + a * c = a * (b + c), are none. Of programs over doubles
 * constants are not folded: what becomes of them need not be a float, which constants are. */
#ifndef GRAMPUS_SIMPLIFY_H
#define GRAMPUS_SIMPLIFY_H

#include "gpu/backend/error.h"
#include "gpu/core/program/node.h"

/* nodes[0, count), over doubles or not, made simpler, malloc'ed. */
gr_status gr_simplify(const gr_node *nodes, uint32_t count, int doubles, gr_node **simpler,
                      uint32_t *simpler_count, gr_error *error);

#endif
