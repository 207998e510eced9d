/* Given programs: the setting `seeds`. */
#ifndef GRAMPUS_SEEDS_H
#define GRAMPUS_SEEDS_H

#include "host/problem/problem.h"

/* Reads them into a problem whose data, functions and limits are there: a file of expressions
 * (grammar: sentences), one a line, or a folder of PonyGE2's, an individual in each NAME.txt with
 * its genome under "Genotype:", its phenotype under "Phenotype:", or nothing but a phenotype. */
gr_status gr_read_seeds(const gr_settings *settings, gr_problem *problem, gr_error *error);

#endif
