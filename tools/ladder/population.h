/* The programs that are timed, and the stack that all programs of the runs would take. */
#ifndef LADDER_POPULATION_H
#define LADDER_POPULATION_H

#include "gpu/backend/engine.h"
#include "tools/ladder/encode.h"
#include "tools/ladder/problem.h"

enum { LADDER_INITIAL, LADDER_EVOLVED, LADDER_POPULATIONS };

typedef struct ladder_programs {
    /* INITIAL: generation 0 of the first run. EVOLVED: as many programs, drawn evenly from all
     * generations of it, which is what a figure over a whole run averages over. */
    ladder_population population[LADDER_POPULATIONS];
    ladder_levels levels; /* of every program of every generation of all runs */
} ladder_programs;

gr_status ladder_evolve(const ladder_problem *problem, uint32_t runs, const gr_backend *backend,
                        ladder_programs *programs, gr_error *error);
/* All programs are LADDER_COPIED from now on. */
void ladder_copy_one(ladder_programs *programs);

/* Generation 0 of run `run`: population->programs random trees. Freed with
 * ladder_population_free. */
gr_status ladder_random_programs(const gr_params *p, uint32_t run, ladder_population *population,
                                 gr_error *error);
void ladder_population_free(ladder_population *population);
void ladder_programs_free(ladder_programs *programs);

/* The programs of a population in the interpreters' codes. */
typedef struct ladder_codes {
    ladder_code rpn, linear, langdon;
} ladder_codes;

gr_status ladder_encode(const ladder_population *population, ladder_codes *codes, gr_error *error);
void ladder_codes_free(ladder_codes *codes);

#endif
