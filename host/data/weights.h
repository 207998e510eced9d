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
/* Says in text[size] what is wrong with a set's weights; 0: nothing. */
int gr_find_bad_weights(const gr_dataset *set, char *text, size_t size);
/* Leaves out cases of weight 0, and weights that are all 1; the settings' line where they are bad.
 */
gr_status gr_settle_weights(const gr_settings *settings, gr_dataset *set, gr_error *error);
/* set->heaviest: the largest weight as the table has it, of rows from `from` on, where floats have
 * none above 0. */
gr_status gr_find_heaviest(const gr_table *table, const gr_columns *use, uint64_t from,
                           gr_dataset *set, gr_error *error);

#endif
