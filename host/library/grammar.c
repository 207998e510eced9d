/* Grammars: genomes to sentences and back, and what can be said of them. */
#include "gpu/core/genotype/depth_first.h"
#include "host/derivation/derive_back.h"
#include "host/grammar/facts.h"
#include "host/library/internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gr_grammar_context context_of(const grampus_symbols *symbols) {
    gr_grammar_context context = {0};
    if (symbols)
        context = (gr_grammar_context){symbols->n_vars, symbols->n_is, symbols->n_os,
                                       symbols->codon_size};
    return context;
}

/* From `text`, or the file at `path`. */
static grampus_status make(const char *path, const char *text, const grampus_symbols *symbols,
                           grampus_grammar **grammar, grampus_error *error) {
    gr_error inner;
    gr_grammar_context context = context_of(symbols);
    grampus_grammar *g = *grammar = calloc(1, sizeof **grammar);
    if (!g)
        return gr_refuse(error, GR_NO_MEMORY, "no memory for a grammar");
    g->reading = (gr_reading){0, 0, 90, 500};
    gr_status status =
        text ? gr_grammar_parse(text, strlen(text), "grammar", &context, &g->grammar, &inner)
             : gr_grammar_load(path, &context, &g->grammar, &inner);
    if (status) {
        free(g);
        *grammar = NULL;
    }
    return gr_pass(status, &inner, error);
}

grampus_status grampus_grammar_load(const char *path, const grampus_symbols *symbols,
                                    grampus_grammar **grammar, grampus_error *error) {
    return make(path, NULL, symbols, grammar, error);
}

grampus_status grampus_grammar_parse(const char *text, const grampus_symbols *symbols,
                                     grampus_grammar **grammar, grampus_error *error) {
    return make(NULL, text, symbols, grammar, error);
}

void grampus_grammar_free(grampus_grammar *grammar) {
    if (!grammar)
        return;
    gr_grammar_free(grammar->grammar);
    free(grammar);
}

/* ---- mapping ---- */

grampus_status grampus_grammar_read_as(grampus_grammar *grammar, const grampus_settings *settings,
                                       grampus_error *error) {
    gr_error inner;
    const gr_settings *s = &settings->settings;
    gr_reading reading = {gr_convention_for(s), s->max_wraps,
                          s->max_depth == GR_AUTO ? 90 : s->max_depth, s->max_genome_length};
    gr_status status = gr_check_conventions(s, &inner);
    if (!status && gr_is_non_depth_first(reading.convention))
        status =
            gr_grammar_plan_non_depth_first(grammar->grammar, reading.convention, reading.max_depth,
                                            reading.max_wraps, reading.max_genome_length, &inner);
    else if (!status && reading.convention & GR_LAZY)
        status = gr_grammar_check_lazy(grammar->grammar, &inner);
    if (!status)
        grammar->reading = reading;
    return gr_pass(status, &inner, error);
}

/* Hands a phenotype over. */
static grampus_status hand_over(gr_status status, const gr_error *inner, const gr_phenotype *from,
                                grampus_phenotype *to, grampus_error *error) {
    *to = (grampus_phenotype){0};
    to->valid = !status && from->validity == GR_VALID;
    if (to->valid) {
        to->used_codons = from->used;
        to->depth = from->depth;
        to->nodes = from->nodes;
        to->text = from->text;
    }
    return gr_pass(status, inner, error);
}

grampus_status grampus_grammar_map(const grampus_grammar *grammar, const uint32_t *genome,
                                   uint32_t length, grampus_phenotype *phenotype,
                                   grampus_error *error) {
    gr_error inner;
    gr_phenotype p;
    gr_status status =
        gr_derive_phenotype_by(grammar->grammar, &grammar->reading, genome, length, &p, &inner);
    return hand_over(status, &inner, &p, phenotype, error);
}

grampus_status grampus_map(const grampus_grammar *grammar, const uint32_t *genome, uint32_t length,
                           uint32_t max_wraps, uint32_t max_depth, grampus_phenotype *phenotype,
                           grampus_error *error) {
    gr_error inner;
    gr_phenotype p;
    *phenotype = (grampus_phenotype){0};
    if (max_depth < 1 || max_depth > 65535)
        return gr_refuse(error, GR_BAD_INPUT, "max_depth out of range; expected 1 to 65535");
    gr_status status =
        gr_derive_phenotype(grammar->grammar, genome, length, max_wraps, max_depth, &p, &inner);
    return hand_over(status, &inner, &p, phenotype, error);
}

void grampus_phenotype_free(grampus_phenotype *phenotype) {
    grampus_phenotype empty = {0};
    free((void *)(uintptr_t)phenotype->text);
    *phenotype = empty;
}

grampus_status grampus_grammar_derive(const grampus_grammar *grammar, const char *text,
                                      grampus_derivation *derivation, grampus_error *error) {
    gr_error inner;
    gr_derived_back d = {0};
    gr_status status =
        gr_derive_back_by(grammar->grammar, &grammar->reading, text, strlen(text), &d, &inner);
    *derivation = (grampus_derivation){0};
    if (!status) {
        derivation->found = d.found;
        derivation->reached = d.reached;
        derivation->genome = d.found ? d.genome : NULL;
        derivation->length = d.length;
        derivation->depth = d.depth;
        derivation->nodes = d.nodes;
    }
    return gr_pass(status, &inner, error);
}

void grampus_derivation_free(grampus_derivation *derivation) {
    free(derivation->genome);
    *derivation = (grampus_derivation){0};
}

/* ---- facts ---- */

grampus_status grampus_grammar_describe(const grampus_grammar *grammar,
                                        grampus_grammar_facts *facts, grampus_error *error) {
    gr_error inner;
    gr_grammar_facts f;
    *facts = (grampus_grammar_facts){0};
    gr_status status = gr_grammar_find_facts(grammar->grammar, &f, &inner);
    if (status)
        return gr_pass(status, &inner, error);
    facts->rules = f.rules;
    facts->productions = f.productions;
    facts->terminals = f.terminals;
    facts->symbols = f.symbols;
    facts->recursive_rules = f.recursive_rules;
    facts->unreached_rules = f.unreached_rules;
    facts->repeated_productions = f.repeated;
    facts->most_productions = f.most_productions;
    facts->least_depth = f.rule[0].least_depth;
    gr_grammar_facts_free(&f);
    return GRAMPUS_OK;
}

grampus_status grampus_grammar_count(const grampus_grammar *grammar, uint32_t depth,
                                     double *log10_count, grampus_error *error) {
    gr_error inner;
    if (depth > 1000)
        return gr_refuse(error, GR_BAD_INPUT, "depth out of range; expected 0 to 1000");
    gr_count *count = calloc(depth + 1ull, sizeof *count);
    gr_status status = count ? gr_count_derivations(grammar->grammar, depth, 0, count, &inner)
                             : gr_fail(&inner, GR_NO_MEMORY, "no memory to count derivations");
    for (uint32_t d = 0; !status && d <= depth; d++)
        log10_count[d] = count[d].is_exact ? log10((double)count[d].exact) : count[d].log10;
    free(count);
    return gr_pass(status, &inner, error);
}

grampus_status grampus_grammar_text(const grampus_grammar *grammar, char **text,
                                    grampus_error *error) {
    size_t size;
    *text = NULL;
    FILE *out = open_memstream(text, &size);
    if (out)
        gr_print_grammar(grammar->grammar, out);
    if (out && fclose(out) == 0)
        return GRAMPUS_OK;
    free(*text);
    *text = NULL;
    return gr_refuse(error, GR_NO_MEMORY, "no memory to write a grammar");
}
