/* Settings of variation, parents and cases: autos, checks, and the texts among them read. */
#ifndef GRAMPUS_VARIATION_H
#define GRAMPUS_VARIATION_H

#include "gpu/core/base/params.h"
#include "host/settings/settings.h"

/* Parts of gr_settings_resolve. */
void gr_fill_variation(gr_settings *settings);
gr_status gr_check_variation(const gr_settings *settings, gr_error *error);

/* Steps of the engine that make up a generation: 1, or, in a steady state, as many as it takes to
 * breed a population of children. A step keeps all but the worst, as elites. */
uint64_t gr_settings_steps(const gr_settings *settings);

/* Individuals that every island gives and takes; 0: none migrate. */
uint32_t gr_settings_migrants(const gr_settings *settings);
/* Columns of a torus of islands, as near to a square as it gets; 1: they are no product. */
uint32_t gr_settings_columns(uint32_t islands);

/* The table of `constants`: different values, rising. */
typedef struct gr_constants {
    float value[GR_MAX_CONSTANTS];
    uint32_t count, ephemeral; /* ephemeral: a number of the range as well */
    bool full;                 /* there were more */
} gr_constants;
gr_status gr_settings_constants(const gr_settings *settings, gr_constants *constants,
                                gr_error *error);
/* Shares of the operators in `operators`; that of crossover in *crossover. */
gr_status gr_settings_operators(const gr_settings *settings, double share[GR_MUTATIONS],
                                double *crossover, gr_error *error);

#endif
