/* The best of a run by Schwarz's criterion instead of by its error alone (front-choice: bic). */
#ifndef GRAMPUS_CHOICE_H
#define GRAMPUS_CHOICE_H

#include "host/run/run.h"

/* Parameters that a node counts as, where so many programs were tried, and after what a run has
 * tried so far. */
double gr_parameters_of_a_node(double tried);
double gr_parameters_in_run(const gr_run *run);

/* n log(s) + p k log(n), for n training cases, a mean squared error s and k nodes, each of which
 * counts as p = `each` parameters (after Schwarz 1978): the less the better. Infinite where there
 * are more nodes than cases (more than n - 2 parameters where next to nothing of the variance is
 * left), or the error is not finite. fitness is one of a metric that adds squares. Of exact
 * programs the smallest has the least. */
double gr_schwarz(const gr_problem *problem, double fitness, uint32_t nodes, double each);

/* The run whose best [runs] has the best fitness as it is told, the first of equal ones. */
uint32_t gr_told_best(const gr_best *best, uint32_t runs, uint32_t metric);

/* gr_choose_by_size for the best of every run, as gr_run_all_best gives them. That run leads then
 * whose choice the criterion makes least: who fitted its noise best had led. */
gr_status gr_choose_all_by_size(gr_run *run, gr_best *best, uint32_t *leader, gr_error *error);

/* The run of a batch that leads: what gr_run_leader tells, or whose choice by size the criterion
 * makes least. */
gr_status gr_chosen_leader(gr_run *run, uint32_t *leader, gr_error *error);

/* Memory that the choice of one run takes. */
size_t gr_choice_bytes(const gr_problem *problem);

/* Where the problem asks for it, and has no objectives: puts the program that the criterion makes
 * least, with what it does between the cases (between.h), in place of the best of its run, as it
 * was told so far. They are that one, the best of every size and island in the generation
 * selected last and in its archives of niches, and the linear model of the inputs
 * (linear_model.h). Where none of these is better than the linear model, or the mean of the target
 * where that is no better, by more than chance would make it among as many, that is put there. A
 * run whose generation is gone keeps its best. */
gr_status gr_choose_by_size(gr_run *run, uint32_t index, gr_best *best, gr_error *error);

#endif
