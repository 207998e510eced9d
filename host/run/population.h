/* The individuals of a run between epochs: the generation bred last, which a run that goes on
 * selects from next. */
#ifndef GRAMPUS_POPULATION_H
#define GRAMPUS_POPULATION_H

#include "host/run/run.h"

#include <stdio.h>

/* The sample that a generation of a run on samples trained on. */
typedef struct gr_drawn {
    float *tiles; /* malloc'ed */
    uint32_t positives;
} gr_drawn;

gr_status gr_take_sample(const gr_problem *problem, uint32_t generation, gr_drawn *sample,
                         gr_error *error);

/* Programs measured on the host, on all training cases (or a sample) and the test cases. */
typedef struct gr_measured {
    float *cost;      /* [count][2] on the training and, where there are any, the test cases */
    double *fit;      /* [count][2] of linear scaling; NULL: not wanted */
    float *threshold; /* [count][GR_MAX_THRESHOLDS] of fitted classes; NULL: not wanted */
    int train_only;
    const gr_drawn *sample; /* in the place of all training cases; or NULL */
} gr_measured;

/* length[i] instructions of program[i][stride]; 0: nothing to evaluate. */
gr_status gr_measure_programs(const gr_problem *problem, const gr_instruction *program,
                              size_t stride, const uint32_t *length, uint32_t count,
                              const gr_measured *to, gr_error *error);

/* The same of an expression in words; it is compiled first. */
gr_status gr_measure_text(const gr_problem *problem, const char *infix, const gr_measured *to,
                          gr_error *error);

/* All of one run, in the order of their places. */
typedef struct gr_population {
    uint32_t count, run;
    uint32_t generation;       /* they were bred for it */
    gr_individual *individual; /* [count] */
    float *cost;               /* [count] training cost */
    void *memory;              /* what both stand in */
    int parents;  /* they are the generation selected last, and another has been bred */
    int archived; /* they are an archive of niches, by islands; nobody in a niche: an infinite cost
                   */
} gr_population;

/* GR_FAILED: the run stopped before the others of its batch, and its generation is gone. */
gr_status gr_population_read(gr_run *run, uint32_t index, gr_population *population,
                             gr_error *error);
/* The generation selected last, whose costs are there: no program is evaluated, but those of
 * genomes with constants beside them, of which the engine has only the generation bred last. */
gr_status gr_population_read_selected(gr_run *run, uint32_t index, gr_population *population,
                                      gr_error *error);
/* The archive of niches of one run; and the places of up to `most` of it, place[most], the least
 * cost first, of a niche and of programs that behave alike one. A run without one has nobody. */
gr_status gr_archive_read(gr_run *run, uint32_t index, uint32_t most, gr_population *archive,
                          uint32_t *place, uint32_t *found, gr_error *error);
void gr_population_free(gr_population *population);
/* Genotypes of all, [count][gr_genotype_words], malloc'ed. */
gr_status gr_population_genotypes(gr_run *run, const gr_population *population,
                                  uint32_t **genotypes, gr_error *error);
/* Individuals at place[0, count) with texts and genomes, as gr_run_best has the best; measured on
 * all cases. The caller frees each with gr_best_free; on failure there are none. */
gr_status gr_population_show(gr_run *run, const gr_population *population, const uint32_t *place,
                             uint32_t count, gr_best *individuals, gr_error *error);
/* Phenotypes of individuals at place[0, count), a line each, an empty one where it is invalid.
 * Nothing is measured. */
gr_status gr_population_phenotypes(gr_run *run, const gr_population *population,
                                   const uint32_t *place, uint32_t count, FILE *out,
                                   gr_error *error);
/* Fitness, test fitness and scaling of an expression in words that no population has. */
gr_status gr_best_measure(const gr_problem *problem, gr_best *best, gr_error *error);
/* The places of those that no other is at least as good and as small as, by rising size:
 * place[count of the population], *front of them. */
gr_status gr_population_front(const gr_population *population, uint32_t *place, uint32_t *front,
                              gr_error *error);

/* The thresholds of an individual's classes, threshold[GR_MAX_THRESHOLDS]: those of the settings,
 * or fitted to its training outputs. */
gr_status gr_best_thresholds(const gr_problem *problem, const gr_best *best, float *threshold,
                             gr_error *error);

#endif
