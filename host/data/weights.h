/* Weights of cases: which of them floats bear, and what a set of cases keeps of them. */
#ifndef GRAMPUS_WEIGHTS_H
#define GRAMPUS_WEIGHTS_H

#include "host/data/columns.h"
#include "host/data/dataset.h"

/* Whether floats bear what cases of such weights add to a fitness, by the largest of them (0: there
 * are none): sums of 1024 squares of errors up to 5e8 times it are finite, and those of 1e-10 are
 * not 0. Beyond that every fitness would be infinite, or perfect, and nobody would know why. */
int gr_bears_weights(float largest);
#define GR_WEIGHTS_BORNE "it from 1e-18 to 1e18 (all times one number are the same to a mean)"
/* Says in text[size] what is wrong with the weights of a set, which floats bear or not; 0: nothing.
 * what: "training", "test"; NULL: there is one set. */
int gr_find_bad_weights(const gr_dataset *set, const char *what, char *text, size_t size);
/* Leaves out cases of weight 0, and weights that are all 1; the settings' line where they are bad.
 * what: as above. */
gr_status gr_settle_weights(const gr_settings *settings, const char *what, gr_dataset *set,
                            gr_error *error);
/* Of weights that were read of rows from `from` on: refuses one below 0 by its place; and
 * set->heaviest, the largest one as the table has it, where floats have none above 0. */
gr_status gr_check_weights(const gr_table *table, const gr_columns *use, uint64_t from,
                           gr_dataset *set, gr_error *error);

#endif
