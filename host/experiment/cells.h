/* The cells of an experiment: every combination of what varies, with its settings, resolved. */
#ifndef GRAMPUS_EXPERIMENT_CELLS_H
#define GRAMPUS_EXPERIMENT_CELLS_H

#include "host/experiment/definition.h"
#include "host/experiment/digest.h"

typedef struct gr_cell {
    gr_settings settings;
    char *label;
    char digest[GR_DIGEST];  /* of all settings that results depend on, files by what they hold */
    char problem[GR_DIGEST]; /* of those that say what is to be solved */
    char *treatment;         /* label without `blocks`, and */
    char *block;             /* of them alone; both NULL without `blocks` */
    uint32_t point;          /* which of all combinations, those that are drawn twice counted */
} gr_cell;

typedef struct gr_cells {
    uint32_t count;
    gr_cell *cell;
    uint8_t varied[GR_KEY_COUNT]; /* 1: not the same in all cells */
} gr_cells;

/* Fails where a value is refused, with its position and the cell. The definition outlives the
 * cells. */
gr_status gr_cells_make(const gr_definition *definition, gr_cells *cells, gr_error *error);
void gr_cells_free(gr_cells *cells);

#endif
