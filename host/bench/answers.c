/* Whether the costs of a population are the reference's: which individuals to look at, and their
 * programs. */
#include "gpu/core/base/math.h"
#include "gpu/core/fitness/fitness.h"
#include "host/bench/bench.h"

#include "host/derivation/phenotype.h"

#include <stdlib.h>

/* Individuals to look at: all of few, otherwise evenly spread. */
enum { CANDIDATES = 512, FEWEST = 4, MOST_CHECKED = 256 };

typedef struct sample {
    gr_suspect suspect[CANDIDATES];
    gr_node *own[CANDIDATES]; /* nodes that are no population's, or NULL */
    uint32_t index[CANDIDATES];
    uint32_t count;
} sample;

/* Appends the program of individual i. */
static gr_status find_program(const gr_bench_population *b, uint32_t i, sample *s,
                              gr_error *error) {
    const gr_params *p = &b->problem->job.params;
    const gr_individual *individual = &b->individuals[i];
    gr_suspect *suspect = &s->suspect[s->count];
    gr_node **own = &s->own[s->count];
    gr_status status = GR_OK;
    *own = NULL;
    suspect->count = individual->nodes;
    suspect->nodes = (const gr_node *)b->genotypes + (size_t)i * p->max_nodes;
    if (p->genotype != GR_TREE) {
        const uint32_t *genome = (const uint32_t *)b->genotypes + (size_t)i * p->genome_capacity;
        status = gr_map_genome(p, b->problem->job.grammar, genome, individual->length, own,
                               &suspect->count, error);
        suspect->nodes = *own;
        suspect->count = *own ? suspect->count : 0;
    }
    s->index[s->count++] = i;
    return status;
}

/* How many of them can be followed over all cases. */
static uint32_t affordable(const gr_params *p, const sample *s, double effort, int shake) {
    double words = p->packed ? (p->train_cases + 31.0) / 32.0 : p->train_cases, nodes = 0.0;
    for (uint32_t k = 0; k < s->count; k++)
        nodes += s->suspect[k].count;
    double fits = effort / (nodes / s->count * words * (shake ? 1 + GR_SHAKES : 1) + 1.0);
    uint32_t most = fits > MOST_CHECKED ? MOST_CHECKED : fits < FEWEST ? FEWEST : (uint32_t)fits;
    return most < s->count ? most : s->count;
}

static void swap(sample *s, uint32_t a, uint32_t b) {
    gr_suspect suspect = s->suspect[a];
    gr_node *own = s->own[a];
    uint32_t index = s->index[a];
    s->suspect[a] = s->suspect[b];
    s->own[a] = s->own[b];
    s->index[a] = s->index[b];
    s->suspect[b] = suspect;
    s->own[b] = own;
    s->index[b] = index;
}

/* Programs whose cost says most come first: by the reference, on the first cases, it is finite,
 * steady and not 0. Most random programs over logarithms have no such cost. Looks at no answer of
 * the device. */
static gr_status put_telling_first(const gr_bench_population *b, sample *s, double tolerance,
                                   gr_error *error) {
    uint32_t front = 0;
    gr_params p = b->problem->job.params;
    p.train_cases = gr_min_u32(p.train_cases, p.packed ? 32 * 256 : 256);
    p.train_chunks = 1;
    p.last_share[0] = gr_last_share(p.train_cases);
    gr_status status =
        gr_reference_costs(&p, b->problem->job.train, tolerance > 0.0, s->suspect, s->count, error);
    for (uint32_t k = 0; !status && k < s->count; k++)
        if (s->suspect[k].cost < GR_INFINITY && s->suspect[k].cost != 0.0f &&
            gr_is_steady(&s->suspect[k], tolerance))
            swap(s, front++, k);
    return status;
}

/* Sizes count in the rates, so they have to be right too. */
static void compare(const gr_bench_population *b, const sample *s, uint32_t count,
                    gr_bench_result *r) {
    uint32_t metric = b->problem->job.params.metric;
    int counts = metric == GR_METRIC_HITS || metric == GR_METRIC_MISCLASSIFIED;
    for (uint32_t k = 0; k < count; k++)
        gr_compare_cost(&s->suspect[k], s->index[k], b->costs[s->index[k]], r->tolerance, counts,
                        &r->verdict);
    r->answers = gr_judge(&r->verdict, r->tolerance);
    for (uint32_t k = 0; k < s->count && r->answers != GR_ANSWERS_WRONG; k++) {
        uint32_t nodes = b->individuals[s->index[k]].nodes;
        if (nodes == s->suspect[k].count)
            continue;
        r->answers = GR_ANSWERS_WRONG;
        snprintf(r->verdict.wrong, sizeof r->verdict.wrong,
                 "individual %u has %u nodes, by the reference %u", s->index[k], nodes,
                 s->suspect[k].count);
    }
}

static gr_status check_sample(const gr_bench_population *b, sample *s, double effort,
                              gr_bench_result *r, gr_error *error) {
    const gr_job *job = &b->problem->job;
    uint32_t n = job->params.individuals, wanted = n < CANDIDATES ? n : CANDIDATES;
    int shake = r->tolerance > 0.0;
    gr_status status = GR_OK;
    while (s->count < wanted && !status)
        status = find_program(b, (uint32_t)((uint64_t)s->count * n / wanted), s, error);
    if (!status)
        status = put_telling_first(b, s, r->tolerance, error);
    uint32_t count = status ? 0 : affordable(&job->params, s, effort, shake);
    if (!status)
        status = gr_reference_costs(&job->params, job->train, shake, s->suspect, count, error);
    if (!status)
        compare(b, s, count, r);
    return status;
}

gr_status gr_bench_check(const gr_bench_population *population, double effort,
                         gr_bench_result *result, gr_error *error) {
    sample *s = calloc(1, sizeof *s);
    if (!s)
        return gr_fail(error, GR_NO_MEMORY, "no memory for a sample");
    gr_status status = check_sample(population, s, effort, result, error);
    for (uint32_t k = 0; k < s->count; k++)
        free(s->own[k]);
    free(s);
    return status;
}
