#include "host/derivation/measure.h"

#include "gpu/core/genotype/first_genomes.h"
#include "host/cpu/team.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* What a thread works with. */
typedef struct worker {
    uint32_t *genome, *path, *codon_scratch;
    uint64_t *met; /* expansions of each production in a genome, then of each rule */
    gr_expansions *rule, *production;
} worker;

typedef struct measuring {
    const gr_grammar *grammar;
    const gr_params *p;
    const uint32_t *tables;
    gr_reading reading;
    gr_grammar_sample *sample;
    worker *workers;
    atomic_int failed;
} measuring;

/* ---- one genome ---- */

static uint64_t mixed(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
    return hash ^ hash >> 29;
}

/* The hash of a derivation's productions; counts them in met, unless that is NULL. */
static uint64_t derive(const measuring *m, const worker *w, uint32_t length, uint64_t *met) {
    const uint32_t *g = m->tables;
    uint32_t *depth_first, rules = g[GR_G_PRODUCTIONS];
    uint64_t hash = 1;
    gr_derivation d;
    gr_derive_start(&d, g, w->genome, length, m->p->max_wraps, m->p->max_depth,
                    (gr_words){w->path, 1});
    gr_derive_by(&d, m->p->convention, m->p->max_wraps);
    if (gr_is_non_depth_first(m->p->convention)) {
        uint32_t count = gr_to_depth_first(&d, w->codon_scratch, NULL, &depth_first);
        if (d.validity == GR_VALID)
            gr_derive_depth_first(&d, depth_first, count);
    }
    for (uint32_t symbol;
         d.validity == GR_VALID && (symbol = gr_derive_symbol(&d)) != GR_DERIVED;) {
        uint32_t rule = symbol & ~GR_NONTERMINAL, before = d.used;
        if (!(symbol & GR_NONTERMINAL))
            continue;
        gr_derive_expand(&d, rule);
        uint32_t first = gr_rule_first(g, rule), count = gr_rule_first(g, rule + 1) - first;
        uint32_t production = first + (d.used > before ? gr_last_codon(&d) % count : 0);
        hash = mixed(hash,
                     rule >= g[GR_G_FIRST_VALUE] ? (uint64_t)gr_last_codon(&d) << 32 : production);
        if (met && d.validity == GR_VALID) {
            met[production]++;
            met[rules + rule]++;
        }
    }
    return hash;
}

/* A genome's expansions go to the sums. */
static void add_expansions(const measuring *m, worker *w) {
    const uint32_t *g = m->tables;
    uint32_t productions = g[GR_G_PRODUCTIONS];
    for (uint32_t rule = 0; rule < g[GR_G_RULES]; rule++) {
        uint64_t all = w->met[productions + rule];
        if (!all)
            continue;
        w->rule[rule].n += all;
        w->rule[rule].squares += all * all;
        for (uint32_t k = gr_rule_first(g, rule); k < gr_rule_first(g, rule + 1); k++) {
            w->production[k].n += w->met[k];
            w->production[k].squares += w->met[k] * w->met[k];
            w->production[k].products += w->met[k] * all;
        }
    }
    memset(w->met, 0, (productions + g[GR_G_RULES]) * sizeof *w->met);
}

static uint32_t draw(const measuring *m, const worker *w, uint32_t index) {
    const gr_params *p = m->p;
    const gr_lane_group alone = {0, 1};
    gr_scratch scratch = {.grammar = m->tables, .path = {w->path, 1}};
    uint32_t used = gr_is_non_depth_first(p->convention)
                        ? gr_initial_genes(p, scratch, 0, index, 0, w->genome, w->codon_scratch)
                        : gr_drawn_codons(p, gr_genome_form(p, m->tables), 0, index, 0, w->genome,
                                          scratch.path);
    return gr_initial_tail(p, 0, index, 0, w->genome, used, alone);
}

/* How much of the longer of two texts lies between their common beginning and their common end. */
static double change_between(const gr_phenotype *a, const gr_phenotype *b) {
    size_t least = a->length < b->length ? a->length : b->length,
           most = a->length + b->length - least;
    size_t front = 0, back = 0;
    while (front < least && a->text[front] == b->text[front])
        front++;
    while (back < least - front && a->text[a->length - 1 - back] == b->text[b->length - 1 - back])
        back++;
    return most ? (double)(most - front - back) / (double)most : 0.0;
}

/* One codon of the used part is drawn again. */
static gr_status mutate(const measuring *m, const worker *w, uint32_t index, uint32_t length,
                        const gr_phenotype *of, gr_error *error) {
    gr_grammar_sample *s = m->sample;
    gr_random r = gr_stream(m->p, GR_PURPOSE_MUTATION, 1, 0, index);
    uint32_t at = gr_below(&r, gr_min_u32(of->used, length));
    uint64_t before = derive(m, w, length, NULL);
    gr_phenotype mutant;
    w->genome[at] = gr_below(&r, m->p->codon_size + 1);
    gr_status status =
        gr_derive_phenotype_by(m->grammar, &m->reading, w->genome, length, &mutant, error);
    if (status)
        return status;
    int same = mutant.validity == GR_VALID && mutant.length == of->length &&
               memcmp(mutant.text, of->text, of->length) == 0;
    if (mutant.validity != GR_VALID)
        s->mutant[index] = GR_MUTANT_INVALID;
    else if (same)
        s->mutant[index] =
            derive(m, w, length, NULL) == before ? GR_MUTANT_SYNONYMOUS : GR_MUTANT_NEUTRAL;
    else {
        s->mutant[index] = GR_MUTANT_CHANGED;
        s->change[index] = change_between(of, &mutant);
    }
    gr_phenotype_free(&mutant);
    return GR_OK;
}

static gr_status take(const measuring *m, worker *w, uint32_t index, gr_error *error) {
    gr_grammar_sample *s = m->sample;
    uint32_t length = draw(m, w, index);
    uint64_t hash = 5;
    gr_phenotype of;
    gr_status status =
        gr_derive_phenotype_by(m->grammar, &m->reading, w->genome, length, &of, error);
    if (status)
        return status;
    s->validity[index] = (uint8_t)of.validity;
    if (of.validity == GR_VALID) {
        s->used[index] = of.used;
        s->depth[index] = of.depth;
        s->nodes[index] = of.nodes;
        for (size_t k = 0; k < of.length; k++)
            hash = mixed(hash, (unsigned char)of.text[k]);
        s->sentence[index] = hash;
        derive(m, w, length, w->met);
        add_expansions(m, w);
        if (of.used)
            status = mutate(m, w, index, length, &of, error);
    }
    gr_phenotype_free(&of);
    return status;
}

/* ---- all ---- */

static void take_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    measuring *m = context;
    gr_error error;
    for (uint64_t k = first; k < last && !m->failed; k++)
        if (take(m, &m->workers[thread], (uint32_t)k, &error))
            m->failed = 1;
}

static int open_worker(const measuring *m, worker *w) {
    const uint32_t *g = m->tables;
    size_t numbers = (size_t)g[GR_G_PRODUCTIONS] + g[GR_G_RULES];
    w->genome = malloc((m->p->genome_capacity + 1ull) * sizeof *w->genome);
    w->path = malloc(2 * (size_t)m->p->max_depth * sizeof *w->path);
    w->codon_scratch =
        malloc((gr_depth_first_words(g, m->p->convention) + 1ull) * sizeof *w->codon_scratch);
    w->met = calloc(numbers, sizeof *w->met);
    w->production = calloc(numbers, sizeof *w->production);
    w->rule = w->production + g[GR_G_PRODUCTIONS];
    return w->genome && w->path && w->codon_scratch && w->met && w->production;
}

/* Its sums go to the sample. */
static void close_worker(const measuring *m, worker *w) {
    uint32_t numbers = m->tables[GR_G_PRODUCTIONS] + m->tables[GR_G_RULES];
    for (uint32_t k = 0; w->production && k < numbers; k++) {
        m->sample->production[k].n += w->production[k].n;
        m->sample->production[k].squares += w->production[k].squares;
        m->sample->production[k].products += w->production[k].products;
    }
    free(w->genome);
    free(w->path);
    free(w->codon_scratch);
    free(w->met);
    free(w->production);
}

static int open_sample(const measuring *m, gr_grammar_sample *s) {
    size_t n = m->p->population,
           numbers = (size_t)m->tables[GR_G_PRODUCTIONS] + m->tables[GR_G_RULES];
    *s = (gr_grammar_sample){.count = m->p->population};
    s->validity = calloc(n, 1);
    s->mutant = calloc(n, 1);
    s->used = calloc(n, sizeof *s->used);
    s->depth = calloc(n, sizeof *s->depth);
    s->nodes = calloc(n, sizeof *s->nodes);
    s->sentence = calloc(n, sizeof *s->sentence);
    s->change = calloc(n, sizeof *s->change);
    s->production = calloc(numbers, sizeof *s->production);
    s->rule = s->production + m->tables[GR_G_PRODUCTIONS];
    return s->validity && s->mutant && s->used && s->depth && s->nodes && s->sentence &&
           s->change && s->production;
}

gr_status gr_grammar_measure(const gr_grammar *grammar, const gr_params *p, uint32_t threads,
                             gr_grammar_sample *sample, gr_error *error) {
    uint32_t words;
    gr_team *team = gr_team_open(threads);
    measuring m = {.grammar = grammar, .p = p, .sample = sample};
    m.tables = gr_grammar_tables(grammar, &words);
    m.reading = gr_reading_of(p);
    m.workers = calloc(threads, sizeof *m.workers);
    int good = open_sample(&m, sample) && m.workers;
    for (uint32_t t = 0; good && t < threads; t++)
        good = open_worker(&m, &m.workers[t]);
    if (good)
        gr_team_loop(team, p->population, 16, take_some, &m);
    for (uint32_t t = 0; m.workers && sample->production && t < threads; t++)
        close_worker(&m, &m.workers[t]);
    gr_team_close(team);
    free(m.workers);
    good = good && !m.failed;
    if (!good)
        gr_grammar_sample_free(sample);
    return good ? GR_OK : gr_fail(error, GR_NO_MEMORY, "no memory for %u genomes", p->population);
}

void gr_grammar_sample_free(gr_grammar_sample *s) {
    free(s->validity);
    free(s->mutant);
    free(s->used);
    free(s->depth);
    free(s->nodes);
    free(s->sentence);
    free(s->change);
    free(s->production);
    *s = (gr_grammar_sample){0};
}
