#include "tools/ladder/population.h"

#include "gpu/core/genotype/growth.h"
#include "gpu/core/state/state.h"

#include <stdlib.h>
#include <string.h>

/* ---- runs ---- */

typedef struct evolution {
    const gr_params *p;
    const gr_backend *backend;
    gr_engine *engine;
    gr_node *nodes; /* [individuals][max_nodes] of a generation */
    gr_individual *individuals;
    ladder_programs *programs;
} evolution;

/* Takes the evolved population's share of a generation: program k comes from generation k (G + 1) /
 * programs. Its index is spread by a prime, for neighbours may be kin. */
static void draw(const evolution *e, uint32_t generation) {
    ladder_population *to = &e->programs->population[LADDER_EVOLVED];
    for (uint32_t k = 0; k < to->programs; k++) {
        uint32_t from = (uint32_t)((uint64_t)k * (e->p->generations + 1) / to->programs);
        uint32_t index = (uint32_t)((uint64_t)k * 7919 % to->programs);
        if (from != generation)
            continue;
        to->length[k] = e->individuals[index].length;
        memcpy(to->nodes + (size_t)k * to->max_nodes, e->nodes + (size_t)index * to->max_nodes,
               to->length[k] * sizeof(gr_node));
        to->total += to->length[k];
    }
}

static void visit(const evolution *e, uint32_t generation) {
    for (uint32_t i = 0; i < e->p->individuals; i++)
        ladder_count_levels(&e->programs->levels, e->nodes + (size_t)i * e->p->max_nodes,
                            e->individuals[i].length);
    draw(e, generation);
}

static uint32_t random_tree(const gr_params *p, uint32_t run, uint32_t index, gr_node *nodes) {
    uint32_t levels[GR_MAX_HEIGHT + 1];
    gr_scratch scratch = {.locations = {levels, 1}};
    return gr_draw_first_tree(p, run, index, 0, (gr_nodes){nodes, 1}, scratch);
}

static void first_generation(const evolution *e) {
    ladder_population *to = &e->programs->population[LADDER_INITIAL];
    for (uint32_t i = 0; i < e->p->individuals; i++) {
        e->individuals[i].length = random_tree(e->p, i / e->p->population, i % e->p->population,
                                               e->nodes + (size_t)i * e->p->max_nodes);
    }
    memcpy(to->nodes, e->nodes, (size_t)to->programs * to->max_nodes * sizeof(gr_node));
    for (uint32_t i = 0; i < to->programs; i++)
        to->total += to->length[i] = e->individuals[i].length;
    visit(e, 0);
}

static gr_status evolve(evolution *e, gr_error *error) {
    const gr_record *records;
    uint32_t generations;
    int finished = 0;
    size_t n = e->p->individuals;
    first_generation(e);
    for (uint32_t g = 1; g <= e->p->generations && !finished; g++) {
        gr_status status =
            e->backend->advance(e->engine, NULL, NULL, &records, &generations, &finished, error);
        if (!status)
            status = e->backend->read(e->engine, GR_SECTION_GENOTYPES, e->nodes,
                                      n * e->p->max_nodes * sizeof *e->nodes, error);
        if (!status)
            status = e->backend->read(e->engine, GR_SECTION_INDIVIDUALS, e->individuals,
                                      n * sizeof *e->individuals, error);
        if (status)
            return status;
        visit(e, g);
    }
    return GR_OK;
}

static gr_status make_population(ladder_population *population, const char *name,
                                 const gr_params *p) {
    *population =
        (ladder_population){.name = name, .programs = p->population, .max_nodes = p->max_nodes};
    population->nodes = calloc((size_t)p->population * p->max_nodes, sizeof *population->nodes);
    population->length = calloc(p->population, sizeof *population->length);
    return population->nodes && population->length ? GR_OK : GR_NO_MEMORY;
}

gr_status ladder_evolve(const ladder_problem *problem, uint32_t runs, const gr_backend *backend,
                        ladder_programs *programs, gr_error *error) {
    gr_job job = problem->made.job;
    gr_params *p = &job.params;
    p->runs = runs;
    p->individuals = runs * p->population;
    job.epoch = 1;
    job.graph = 0; /* a visit after every generation leaves a graph nothing to do */
    job.fast = 0;
    *programs = (ladder_programs){0};
    evolution e = {.p = p, .backend = backend, .programs = programs};
    e.nodes = malloc((size_t)p->individuals * p->max_nodes * sizeof *e.nodes);
    e.individuals = malloc(p->individuals * sizeof *e.individuals);
    gr_status status = GR_OK;
    if (make_population(&programs->population[LADDER_INITIAL], "initial", p) ||
        make_population(&programs->population[LADDER_EVOLVED], "evolved", p) || !e.nodes ||
        !e.individuals)
        status = gr_fail(error, GR_NO_MEMORY, "no memory for %u programs", p->individuals);
    if (!status)
        status = backend->open(&job, &e.engine, error);
    if (!status)
        status = evolve(&e, error);
    if (e.engine)
        backend->close(e.engine);
    free(e.nodes);
    free(e.individuals);
    if (status)
        ladder_programs_free(programs);
    return status;
}

gr_status ladder_random_programs(const gr_params *p, uint32_t run, ladder_population *population,
                                 gr_error *error) {
    uint64_t total = 0;
    gr_status status = make_population(population, "initial", p);
    if (status) {
        ladder_population_free(population);
        return gr_fail(error, status, "no memory for %u programs", p->population);
    }
#pragma omp parallel for schedule(static) reduction(+ : total)
    for (uint32_t i = 0; i < p->population; i++)
        total += population->length[i] =
            random_tree(p, run, i, population->nodes + (size_t)i * p->max_nodes);
    population->total = total;
    return GR_OK;
}

void ladder_population_free(ladder_population *population) {
    free(population->nodes);
    free(population->length);
    *population = (ladder_population){0};
}

void ladder_programs_free(ladder_programs *programs) {
    for (int i = 0; i < LADDER_POPULATIONS; i++)
        ladder_population_free(&programs->population[i]);
    *programs = (ladder_programs){0};
}

static uint32_t write_copied(gr_node *nodes) {
    uint32_t n = 0;
#define INPUT(k) nodes[n++] = gr_make_node(GR_INPUT, 0, 0, k);
#define CONSTANT(x) nodes[n++] = gr_make_node(GR_CONSTANT, 0, 0, gr_float_bits(x));
#define OPERATION(id) nodes[n++] = gr_make_node(GR_##id, 0, 0, 0);
    LADDER_COPIED(INPUT, CONSTANT, OPERATION)
#undef INPUT
#undef CONSTANT
#undef OPERATION
    gr_annotate((gr_nodes){nodes, 1}, n);
    return n;
}

void ladder_copy_one(ladder_programs *programs) {
    for (int k = 0; k < LADDER_POPULATIONS; k++) {
        ladder_population *to = &programs->population[k];
        for (uint32_t i = 0; i < to->programs; i++)
            to->length[i] = write_copied(to->nodes + (size_t)i * to->max_nodes);
        to->total = (uint64_t)to->programs * to->length[0];
    }
}

/* ---- codes ---- */

static void encode_in_rows(const ladder_population *from, ladder_code *to,
                           uint32_t (*encode)(const gr_node *, uint32_t, uint32_t *)) {
    for (uint32_t i = 0; i < from->programs; i++) {
        uint32_t words = encode(from->nodes + (size_t)i * from->max_nodes, from->length[i],
                                to->words + to->count);
        to->first[i] = (uint32_t)to->count;
        to->longest = gr_max_u32(to->longest, words);
        to->count += words;
    }
    to->first[from->programs] = (uint32_t)to->count;
}

/* Interleaved, so that the threads of a warp read neighbours; lengths in `first`. */
static void encode_interleaved(const ladder_population *from, ladder_code *to) {
    for (uint32_t i = 0; i < from->programs; i++)
        for (uint32_t k = 0; k < to->longest; k++) {
            gr_node node = from->nodes[(size_t)i * from->max_nodes + k];
            uint32_t op = GR_NODE_OP(node), end = k >= from->length[i];
            uint32_t *word = to->words + 2 * ((size_t)k * from->programs + i);
            word[0] = end ? LADDER_END : op | gr_arity(op) << 8;
            word[1] = end || op > GR_INPUT ? 0 : node.operand;
            to->first[i] = from->length[i];
        }
    to->count = 2 * (size_t)to->longest * from->programs;
}

static uint32_t *make_words(size_t count, gr_status *status) {
    uint32_t *words = calloc(count, sizeof *words);
    if (!words)
        *status = GR_NO_MEMORY;
    return words;
}

gr_status ladder_encode(const ladder_population *population, ladder_codes *codes, gr_error *error) {
    gr_status status = GR_OK;
    size_t n = population->programs;
    *codes = (ladder_codes){0};
    for (uint32_t i = 0; i < n; i++)
        codes->langdon.longest = gr_max_u32(codes->langdon.longest, population->length[i]);
    if (population->max_nodes < LADDER_PADDED)
        codes->langdon.longest =
            population->max_nodes; /* no-operations up to the limit, as he has */
    codes->rpn.words = make_words(LADDER_WORDS(population->total + n), &status);
    codes->linear.words = make_words(LADDER_WORDS(population->total + n), &status);
    codes->langdon.words = make_words(2 * n * codes->langdon.longest, &status);
    codes->rpn.first = make_words(n + 1, &status);
    codes->linear.first = make_words(n + 1, &status);
    codes->langdon.first = make_words(n + 1, &status);
    if (status) {
        ladder_codes_free(codes);
        return gr_fail(error, status, "no memory for %zu programs", n);
    }
    encode_in_rows(population, &codes->rpn, ladder_encode_rpn);
    encode_in_rows(population, &codes->linear, ladder_encode_linear);
    encode_interleaved(population, &codes->langdon);
    return GR_OK;
}

void ladder_codes_free(ladder_codes *codes) {
    ladder_code *all[] = {&codes->rpn, &codes->linear, &codes->langdon};
    for (int i = 0; i < 3; i++) {
        free(all[i]->words);
        free(all[i]->first);
        *all[i] = (ladder_code){0};
    }
}
