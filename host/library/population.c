/* The individuals of a run, and its Pareto front. */
#include "host/run/population.h"
#include "host/base/text.h"
#include "host/library/internal.h"
#include "host/problem/shown_fitness.h"
#include "host/run/front.h"

#include <stdlib.h>
#include <string.h>

void grampus_run_shape(const grampus_run *run, uint32_t *population, uint32_t *capacity) {
    const gr_params *p = &gr_run_problem(run->run)->job.params;
    *population = p->islands * p->population;
    *capacity = p->genotype == GR_TREE ? 0 : p->genome_capacity;
}

grampus_status grampus_run_population(grampus_run *run, uint32_t index,
                                      grampus_individual *individuals, uint32_t size,
                                      grampus_error *error) {
    gr_error inner;
    gr_population t;
    const gr_params *p = &gr_run_problem(run->run)->job.params;
    if (size != p->islands * p->population)
        return gr_refuse(error, GR_BAD_INPUT,
                         "room for another number of individuals; expected the population");
    gr_status status = gr_population_read(run->run, index, &t, &inner);
    for (uint32_t i = 0; !status && i < t.count; i++) {
        const gr_individual *from = &t.individual[i];
        grampus_individual to = {.train = gr_fitness_of(p->metric, (double)t.cost[i])};
        to.valid = from->validity == GR_VALID;
        to.nodes = from->nodes;
        to.depth = from->depth;
        to.genome_length = from->length;
        to.used_codons = from->used;
        individuals[i] = to;
    }
    if (!status)
        gr_population_free(&t);
    return gr_pass(status, &inner, error);
}

grampus_status grampus_run_genomes(grampus_run *run, uint32_t index, uint32_t *genomes,
                                   uint32_t capacity, grampus_error *error) {
    gr_error inner;
    gr_population t;
    uint32_t *all = NULL;
    const gr_params *p = &gr_run_problem(run->run)->job.params;
    if (p->genotype == GR_TREE)
        return gr_refuse(error, GR_BAD_INPUT, "trees have no genomes; expected genotype grammar");
    if (capacity != p->genome_capacity) {
        gr_status refused =
            gr_fail(&inner, GR_BAD_INPUT, "room for genomes of %u codon%s; expected %u", capacity,
                    gr_s(capacity), p->genome_capacity);
        return gr_pass(refused, &inner, error);
    }
    gr_status status = gr_population_read(run->run, index, &t, &inner);
    if (status)
        return gr_pass(status, &inner, error);
    status = gr_population_genotypes(run->run, &t, &all, &inner);
    for (uint32_t i = 0; !status && i < t.count; i++) {
        size_t length = t.individual[i].length, row = (size_t)i * capacity;
        memcpy(genomes + row, all + row, length * sizeof *genomes);
        memset(genomes + row + length, 0, (capacity - length) * sizeof *genomes);
    }
    free(all);
    gr_population_free(&t);
    return gr_pass(status, &inner, error);
}

/* Individuals at place[count] of a population that has been read. */
static gr_status show(grampus_run *run, const gr_population *t, const uint32_t *place,
                      uint32_t count, grampus_best *out, gr_error *error) {
    const gr_problem *problem = gr_run_problem(run->run);
    gr_best *shown = calloc(count + 1ull, sizeof *shown);
    if (!shown)
        return gr_fail(error, GR_NO_MEMORY, "no memory for %u individual%s", count, gr_s(count));
    gr_status status = gr_population_show(run->run, t, place, count, shown, error);
    uint32_t done = 0;
    for (; !status && done < count; done++) {
        float threshold[GR_MAX_THRESHOLDS];
        status = gr_best_thresholds(problem, &shown[done], threshold, error);
        out[done] = gr_show_best(problem, &shown[done], threshold);
    }
    if (status && done) { /* the last one's thresholds failed: what is shown goes */
        for (uint32_t i = 0; i < done; i++)
            grampus_best_free(&out[i]);
        for (uint32_t i = done; i < count; i++)
            gr_best_free(&shown[i]);
    }
    free(shown);
    return status;
}

grampus_status grampus_run_individuals(grampus_run *run, uint32_t index, const uint32_t *place,
                                       uint32_t count, grampus_best *individuals,
                                       grampus_error *error) {
    gr_error inner;
    gr_population t;
    for (uint32_t i = 0; i < count; i++)
        individuals[i] = (grampus_best){0};
    gr_status status = gr_population_read(run->run, index, &t, &inner);
    if (!status)
        status = show(run, &t, place, count, individuals, &inner);
    if (t.memory)
        gr_population_free(&t);
    return gr_pass(status, &inner, error);
}

grampus_status grampus_run_phenotypes(grampus_run *run, uint32_t index, const uint32_t *place,
                                      uint32_t count, char **lines, grampus_error *error) {
    gr_error inner;
    gr_population t;
    size_t size;
    *lines = NULL;
    gr_status status = gr_population_read(run->run, index, &t, &inner);
    if (status)
        return gr_pass(status, &inner, error);
    FILE *out = open_memstream(lines, &size);
    if (out)
        status = gr_population_phenotypes(run->run, &t, place, count, out, &inner);
    int good = out && !ferror(out);
    good = out && fclose(out) == 0 && good;
    if (!status && !good)
        status = gr_fail(&inner, GR_NO_MEMORY, "no memory for %u phenotype%s", count, gr_s(count));
    if (status) {
        free(*lines);
        *lines = NULL;
    }
    gr_population_free(&t);
    return gr_pass(status, &inner, error);
}

/* ---- the front ---- */

/* Puts the best so far in, at the end of members that are worse and before those that it beats. */
static gr_status add_best(grampus_run *run, uint32_t index, grampus_best *front, uint32_t *count,
                          gr_error *error) {
    uint32_t metric = gr_run_problem(run->run)->job.params.metric, at = *count;
    grampus_best best;
    gr_status status = gr_library_best(run, index, 0, &best, error);
    if (status)
        return status;
    int needed = best.infix != NULL;
    for (uint32_t i = 0; i < *count; i++)
        needed &=
            !(front[i].nodes <= best.nodes && !gr_is_better(metric, best.train, front[i].train));
    if (!needed) {
        grampus_best_free(&best);
        return GR_OK;
    }
    while (at > 0 && front[at - 1].nodes >= best.nodes)
        at--;
    for (uint32_t i = at; i < *count; i++) /* as large or larger, and not better */
        if (!gr_is_better(metric, front[i].train, best.train))
            grampus_best_free(&front[i]);
    uint32_t kept = at;
    for (uint32_t i = at; i < *count; i++)
        if (front[i].infix)
            front[kept++] = front[i];
    memmove(front + at + 1, front + at, (kept - at) * sizeof *front);
    front[at] = best;
    *count = kept + 1;
    return GR_OK;
}

/* That of a run with several objectives. */
static gr_status whole_front(grampus_run *run, uint32_t index, grampus_best **front,
                             uint32_t *count, gr_error *error) {
    const gr_problem *problem = gr_run_problem(run->run);
    gr_front f;
    gr_status status = gr_front_read(run->run, index, &f, error);
    *front = status ? NULL : calloc(f.count + 1ull, sizeof **front);
    if (!status && !*front)
        status = gr_fail(error, GR_NO_MEMORY, "no memory for the front");
    for (uint32_t i = 0; !status && i < f.count; i++) {
        float threshold[GR_MAX_THRESHOLDS];
        status = gr_best_thresholds(problem, &f.member[i], threshold, error);
        if (!status) {
            (*front)[(*count)++] = gr_show_best(problem, &f.member[i], threshold);
            f.member[i] = (gr_best){0};
        }
    }
    gr_front_free(&f);
    return status;
}

grampus_status grampus_run_front(grampus_run *run, uint32_t index, grampus_best **front,
                                 uint32_t *count, grampus_error *error) {
    gr_error inner;
    gr_population t;
    uint32_t *place = NULL;
    *front = NULL;
    *count = 0;
    gr_status status = gr_population_read(run->run, index, &t, &inner);
    if (status)
        return gr_pass(status, &inner, error);
    if (gr_has_front(run->run)) {
        gr_population_free(&t);
        status = whole_front(run, index, front, count, &inner);
        if (status) {
            grampus_front_free(*front, *count);
            *front = NULL;
            *count = 0;
        }
        return gr_pass(status, &inner, error);
    }
    place = malloc((t.count + 1ull) * sizeof *place);
    status = place ? gr_population_front(&t, place, count, &inner)
                   : gr_fail(&inner, GR_NO_MEMORY, "no memory for the front");
    if (!status && !(*front = calloc(*count + 1ull, sizeof **front)))
        status = gr_fail(&inner, GR_NO_MEMORY, "no memory for the front");
    if (!status)
        status = show(run, &t, place, *count, *front, &inner);
    if (status)
        *count = 0;
    else
        status = add_best(run, index, *front, count, &inner);
    if (status) {
        grampus_front_free(*front, *count);
        *front = NULL;
        *count = 0;
    }
    free(place);
    gr_population_free(&t);
    return gr_pass(status, &inner, error);
}

void grampus_front_free(grampus_best *front, uint32_t count) {
    for (uint32_t i = 0; front && i < count; i++)
        grampus_best_free(&front[i]);
    free(front);
}
