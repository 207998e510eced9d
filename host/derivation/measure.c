#include "host/derivation/measure.h"

#include "gpu/backend/genome_sampling.h"
#include "host/base/text.h"
#include "host/cpu/team.h"

#include <stdlib.h>
#include <string.h>

/* What a thread works with. */
typedef struct worker {
    gr_neighbour_scratch scratch;
    uint32_t *words; /* all of it */
    gr_expansions *production;
} worker;

typedef struct measuring {
    gr_neighbour_task task;
    uint32_t numbers; /* productions and rules */
    gr_grammar_sample *sample;
    worker *workers;
} measuring;

/* ---- on the CPU ---- */

/* A genome's expansions go to the sums, if it is `valid`, and are none again. */
static void take_expansions(const measuring *m, worker *w, int valid) {
    const uint32_t *g = m->task.grammar;
    uint32_t productions = g[GR_G_PRODUCTIONS], *met = w->scratch.met;
    for (uint32_t rule = 0; valid && rule < g[GR_G_RULES]; rule++) {
        uint64_t all = met[productions + rule];
        if (!all)
            continue;
        gr_add_expansions(&w->production[productions + rule], all, 0);
        for (uint32_t k = gr_rule_first(g, rule); k < gr_rule_first(g, rule + 1); k++)
            gr_add_expansions(&w->production[k], met[k], all);
    }
    memset(met, 0, m->numbers * sizeof *met);
}

static void take_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const measuring *m = context;
    worker *w = &m->workers[thread];
    for (uint64_t k = first; k < last; k++) {
        gr_neighbours n = gr_look_at_neighbours(&m->task, &w->scratch, (uint32_t)k);
        gr_keep_neighbours(&m->sample->of, k, &n);
        take_expansions(m, w, n.validity == GR_VALID);
    }
}

static int open_worker(const measuring *m, worker *w) {
    w->words = calloc(gr_neighbour_words(m->task.p, m->task.grammar), sizeof *w->words);
    w->production = calloc(m->numbers, sizeof *w->production);
    if (!w->words || !w->production)
        return 0;
    w->scratch = gr_neighbour_scratch_of(m->task.p, m->task.grammar, w->words);
    return 1;
}

/* Its sums go to the sample. */
static void close_worker(const measuring *m, worker *w) {
    for (uint32_t k = 0; w->production && k < m->numbers; k++) {
        gr_expansions *to = &m->sample->of.production[k];
        to->n += w->production[k].n;
        to->squares += w->production[k].squares;
        to->products += w->production[k].products;
    }
    free(w->words);
    free(w->production);
}

static gr_status by_threads(measuring *m, uint32_t threads, gr_error *error) {
    gr_team *team = gr_team_open(threads);
    int good = (m->workers = calloc(threads, sizeof *m->workers)) != NULL;
    for (uint32_t t = 0; good && t < threads; t++)
        good = open_worker(m, &m->workers[t]);
    if (good)
        gr_team_loop(team, m->task.p->population, 16, take_some, m);
    for (uint32_t t = 0; m->workers && t < threads; t++)
        close_worker(m, &m->workers[t]);
    gr_team_close(team);
    free(m->workers);
    return good ? GR_OK
                : gr_fail(error, GR_NO_MEMORY, "no memory for %u genome%s", m->task.p->population,
                          gr_s(m->task.p->population));
}

/* ---- on a GPU ---- */

static gr_status by_gpu(const measuring *m, gr_error *error) {
#ifdef GRAMPUS_CUDA
    return gr_cuda_sample_genomes(&m->task, &m->sample->of, error);
#else
    (void)m;
    return gr_fail(error, GR_DEVICE_FAILED, "this grampus was built without CUDA");
#endif
}

/* ---- all ---- */

/* The texts of all terminals; 0: no memory. The caller frees both. */
static int take_texts(const gr_grammar *grammar, uint32_t count, uint32_t **first,
                      uint8_t **bytes) {
    size_t length, size = 0;
    if (!(*first = calloc(count + 1ull, sizeof **first)))
        return 0;
    for (uint32_t k = 0; k < count; k++) {
        gr_grammar_terminal(grammar, k, &length);
        size += length;
        (*first)[k + 1] = (uint32_t)size;
    }
    if (!(*bytes = malloc(size + 1)))
        return 0;
    for (uint32_t k = 0; k < count; k++) {
        const char *text = gr_grammar_terminal(grammar, k, &length);
        memcpy(*bytes + (*first)[k], text, length);
    }
    return 1;
}

static int open_sample(const measuring *m, gr_grammar_sample *s) {
    size_t n = m->task.p->population;
    gr_genome_sample *of = &s->of;
    *s = (gr_grammar_sample){.count = m->task.p->population};
    of->validity = calloc(n, 1);
    of->mutant = calloc(n, 1);
    of->used = calloc(n, sizeof *of->used);
    of->depth = calloc(n, sizeof *of->depth);
    of->nodes = calloc(n, sizeof *of->nodes);
    of->sentence = calloc(n, sizeof *of->sentence);
    of->change = calloc(n, sizeof *of->change);
    of->production = calloc(m->numbers, sizeof *of->production);
    s->rule = of->production + m->task.grammar[GR_G_PRODUCTIONS];
    return of->validity && of->mutant && of->used && of->depth && of->nodes && of->sentence &&
           of->change && of->production;
}

gr_status gr_grammar_measure(const gr_grammar *grammar, const gr_params *p, uint32_t threads,
                             int on_gpu, gr_grammar_sample *sample, gr_error *error) {
    uint32_t words, *first = NULL, terminals;
    uint8_t *bytes = NULL;
    measuring m = {.task = {.p = p}, .sample = sample};
    m.task.grammar = gr_grammar_tables(grammar, &words);
    m.task.grammar_words = words;
    terminals = m.task.grammar[GR_G_TERMINALS];
    m.numbers = m.task.grammar[GR_G_PRODUCTIONS] + m.task.grammar[GR_G_RULES];
    gr_status status = GR_OK;
    if (!open_sample(&m, sample) || !take_texts(grammar, terminals, &first, &bytes))
        status = gr_fail(error, GR_NO_MEMORY, "no memory for %u genome%s", p->population,
                         gr_s(p->population));
    m.task.texts = (gr_terminal_texts){terminals, first, bytes};
    if (!status)
        status = on_gpu ? by_gpu(&m, error) : by_threads(&m, threads, error);
    free(first);
    free(bytes);
    if (status)
        gr_grammar_sample_free(sample);
    return status;
}

void gr_grammar_sample_free(gr_grammar_sample *s) {
    free(s->of.validity);
    free(s->of.mutant);
    free(s->of.used);
    free(s->of.depth);
    free(s->of.nodes);
    free(s->of.sentence);
    free(s->of.change);
    free(s->of.production);
    *s = (gr_grammar_sample){0};
}
