/* Problems that are computed, not loaded: sampled target expressions and Boolean truth tables. */
#ifndef GRAMPUS_GENERATOR_H
#define GRAMPUS_GENERATOR_H

#include "host/data/dataset.h"

/* target-expression over variables. Uniform draws depend on data-seed, set, variable and case only.
 */
gr_status gr_generate_expression(const gr_settings *settings, gr_dataset *train, gr_dataset *test,
                                 gr_error *error);
/* boolean: the whole truth table, 32 cases a word: case c is bit c % 32 of word c / 32, and input i
 * of case c is bit i of c. */
gr_status gr_generate_boolean(const gr_settings *settings, gr_dataset *train, gr_error *error);

#endif
