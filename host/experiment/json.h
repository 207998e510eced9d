/* What the tables say at the end, as JSON: for scripts that go on from there. */
#ifndef GRAMPUS_EXPERIMENT_JSON_H
#define GRAMPUS_EXPERIMENT_JSON_H

#include "host/base/json.h"
#include "host/experiment/tables.h"

/* Adds an array for each of cells, outcomes, success, comparisons, ranks, rank_tests and
 * rank_comparisons: an object a row, in the order of the table's key, with the names of
 * host/experiment/schema.sql. NULL is null, infinities are "inf" and "-inf". Tables of single runs
 * and generations are left out: they may be gigabytes. */
gr_status gr_tables_json(gr_tables *tables, cJSON *object, gr_error *error);

#endif
