/* Which columns of a table are inputs and target. */
#ifndef GRAMPUS_COLUMNS_H
#define GRAMPUS_COLUMNS_H

#include "host/settings/settings.h"
#include "host/table/table.h"

typedef struct gr_columns {
    /* [inputs + 1 or 2]: the inputs in order, the target, the weights; the caller frees */
    uint32_t *column;
    uint32_t inputs;
    uint32_t targets; /* of several, that many: the last inputs; the target is the first of them */
    int weighed;      /* a column is the cases' weights */
    int no_target;    /* the table has none, or not all; what stands behind the inputs means nothing
                         then */
    int doubles;      /* precision: double */
} gr_columns;

/* What `target`, `weights` and `inputs` say. */
gr_status gr_select_columns(const gr_settings *s, const gr_table *table, gr_columns *use,
                            gr_error *error);
/* How many of them are read, from the first on, the weights aside: all, or the inputs alone. */
uint32_t gr_columns_read(const gr_columns *use);
/* The same columns, selected of `train`, in another table: by name where both have a header, else
 * by number. unlabelled: it need not have the targets. */
gr_status gr_match_columns(const gr_table *train, const gr_table *test, gr_columns *use,
                           int unlabelled, gr_error *error);

#endif
