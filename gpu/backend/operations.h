/* The operations of a job: how its programs are run, and what that costs, hangs on them. */
#ifndef GRAMPUS_OPERATIONS_H
#define GRAMPUS_OPERATIONS_H

#include "gpu/backend/engine.h"
#include "gpu/core/base/ops.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Marks those that a run can meet: a tree's function set, or what the grammar's tokens name. uses:
 * 0 in all places. */
void gr_find_operations(const gr_job *job, uint8_t uses[GR_OP_COUNT]);
/* How many are marked; *cost: the dearest class among them, see gr_cost_class. */
uint32_t gr_count_operations(const uint8_t uses[GR_OP_COUNT], uint32_t *cost);

#ifdef __cplusplus
}
#endif

#endif
