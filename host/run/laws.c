/* Laws: which programs of a run are tested, while it goes on and at its end. */
#include "host/run/laws.h"
#include "host/run/internal.h"
#include "host/run/population.h"

#include <math.h>
#include <stdlib.h>

/* runs that are looked at; so many programs of each run's last generation, and of its archive */
enum { LAW_RUNS = 16, LAW_PROGRAMS = 24, LAW_NICHES = 16, LAW_SHOWN = LAW_PROGRAMS };
typedef char gr_niches_are_shown[(int)LAW_NICHES <= (int)LAW_SHOWN ? 1 : -1];

static gr_status try_program(gr_run *run, const gr_best *b, gr_error *error) {
    double scaling[2] = {b->intercept, b->slope};
    if (b->validity != GR_VALID || !b->infix || !isfinite(b->train))
        return GR_OK;
    return gr_law_try(run->laws, &run->problem.vocabulary, b->infix, scaling, error);
}

/* Those at some places; place[at most LAW_SHOWN]. */
static gr_status try_places(gr_run *run, const gr_population *population, const uint32_t *place,
                            uint32_t count, gr_error *error) {
    gr_best shown[LAW_SHOWN];
    gr_status status =
        count ? gr_population_show(run, population, place, count, shown, error) : GR_OK;
    if (status)
        return status;
    for (uint32_t k = 0; !status && k < count; k++)
        status = try_program(run, &shown[k], error);
    for (uint32_t k = 0; k < count; k++)
        gr_best_free(&shown[k]);
    return status;
}

/* The best of a run's archive of niches: the law may have been found and lost, or be one whose
 * constants are not fitted yet. */
static gr_status try_archive(gr_run *run, uint32_t index, gr_error *error) {
    gr_population archive;
    uint32_t place[LAW_NICHES], found;
    gr_status status = gr_archive_read(run, index, LAW_NICHES, &archive, place, &found, error);
    if (!status)
        status = try_places(run, &archive, place, found, error);
    gr_population_free(&archive);
    return status;
}

/* The best for its size in a run's last generation, the small ones first; one that is gone has
 * none. */
static gr_status try_front(gr_run *run, uint32_t index, gr_error *error) {
    gr_population population;
    uint32_t front = 0, *place = NULL;
    gr_error gone;
    if (gr_population_read(run, index, &population, &gone))
        return GR_OK;
    place = malloc(population.count * sizeof *place);
    gr_status status = place ? gr_population_front(&population, place, &front, error)
                             : gr_fail(error, GR_NO_MEMORY, "no memory for a front of programs");
    uint32_t first = front > LAW_PROGRAMS ? front - LAW_PROGRAMS : 0; /* the better ones */
    if (!status)
        status = try_places(run, &population, place + first, front - first, error);
    free(place);
    gr_population_free(&population);
    return status;
}

static gr_status open_search(gr_run *run, gr_error *error) {
    return run->laws
               ? GR_OK
               : gr_law_search_open(&run->problem.train, &run->problem.test, &run->laws, error);
}

gr_status gr_run_find_law(gr_run *run, const gr_best *best, uint32_t leader, gr_law *law,
                          gr_error *error) {
    uint32_t runs = run->problem.job.params.runs;
    gr_status status = open_search(run, error);
    if (!status)
        status = try_program(run, &best[leader], error);
    for (uint32_t r = 0; !status && r < runs && r < LAW_RUNS; r++)
        status = try_program(run, &best[r], error);
    for (uint32_t r = 0; !status && run->finished && r < runs && r < LAW_RUNS; r++)
        status = try_front(run, r, error);
    for (uint32_t r = 0; !status && !run->laws->best.exact && r < runs && r < LAW_RUNS; r++)
        status = try_archive(run, r, error);
    if (!status)
        status = gr_law_settle(run->laws, &run->problem.vocabulary, error);
    if (!status) {
        *law = run->laws->best;
        run->laws->best = (gr_law){.text = NULL};
    }
    return status;
}

/* The best of every run and of its archive. */
static gr_status look_for_law(gr_run *run, gr_error *error) {
    uint32_t runs = run->problem.job.params.runs, leader;
    gr_best *best = NULL;
    gr_status status = open_search(run, error);
    if (!status)
        status = gr_run_all_best(run, &best, &leader, error);
    for (uint32_t r = 0; !status && r < runs && r < LAW_RUNS; r++)
        status = try_program(run, &best[r], error);
    for (uint32_t r = 0; !status && !run->laws->best.exact && r < runs && r < LAW_RUNS; r++)
        status = try_archive(run, r, error);
    for (uint32_t r = 0; best && r < runs; r++)
        gr_best_free(&best[r]);
    free(best);
    return status;
}

gr_status gr_run_save_laws(const gr_run *run, char **lines, gr_error *error) {
    *lines = NULL;
    return run->laws ? gr_law_search_save(run->laws, lines, error) : GR_OK;
}

gr_status gr_run_restore_laws(gr_run *run, const char *lines, gr_error *error) {
    gr_status status = lines ? open_search(run, error) : GR_OK;
    return status || !lines
               ? status
               : gr_law_search_restore(run->laws, &run->problem.vocabulary, lines, error);
}

static gr_status test_laws(gr_run *run, int *found, gr_error *error) {
    gr_status status = look_for_law(run, error);
    *found = !status && run->laws->best.exact;
    if (*found)
        run->reason = GR_REACHED_LAW;
    return status;
}

gr_status gr_run_advance_to_law(gr_run *run, const gr_watch *watch, int *finished,
                                gr_error *error) {
    run->test_laws = test_laws;
    return gr_run_advance(run, watch, finished, error);
}
