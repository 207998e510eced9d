/* statistics.tsv: a row for every run and generation. */
#ifndef GRAMPUS_STATISTICS_ROWS_H
#define GRAMPUS_STATISTICS_ROWS_H

#include "host/statistics/generation.h"

enum { GR_HEAD_BYTES = 1024, GR_ROW_BYTES = 1440 }; /* at most */

/* Both return the end of what they wrote; there is no zero behind it. A head may have the columns
 * of diversity, and of fronts. */
char *gr_put_head(char *to, int diversity, int fronts);
char *gr_put_row(char *to, const gr_generation *generation);

/* Entropy of the fitness values, in bits; NaN: there is none. */
double gr_fitness_entropy(const gr_diversity *diversity);

/* "genome_length", ... */
extern const char *const gr_size_names[GR_SIZE_KINDS];

/* The columns of diversity, by name, and their values; NaN: there is none. */
enum { GR_DIVERSITY_COLUMNS = 6 };
extern const char *const gr_diversity_names[GR_DIVERSITY_COLUMNS];
void gr_diversity_values(const gr_generation *generation, double value[GR_DIVERSITY_COLUMNS]);

#endif
