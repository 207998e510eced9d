/* Inputs made of the inputs: differences and ratios of like quantities, dimensionless products,
 * scalar products and distances of vectors. */
#ifndef GRAMPUS_PREPARED_H
#define GRAMPUS_PREPARED_H

#include "host/data/dataset.h"
#include "host/units/units.h"

enum { GR_MOST_PREPARED = 64 };

/* How many there are, and their units where those of the inputs are known. */
typedef struct gr_prepared {
    gr_dimension dimension[GR_MOST_PREPARED];
    uint32_t count;
} gr_prepared;

/* Adds those that `prepare` asks for behind the inputs of both sets, which have no tiles behind it.
 * They are called by what they are, "(a - b)", and printed so: texts speak of the inputs that were
 * given alone. */
gr_status gr_prepare_inputs(const gr_settings *settings, gr_dataset *train, gr_dataset *test,
                            gr_prepared *prepared, gr_error *error);

#endif
