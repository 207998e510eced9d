/* What can be said of a grammar beyond its tables: recursion, and how much it can derive. */
#ifndef GRAMPUS_GRAMMAR_FACTS_H
#define GRAMPUS_GRAMMAR_FACTS_H

#include "host/grammar/grammar.h"

#include <stdio.h>

/* A count that may be beyond any integer: exact below 2^128, otherwise its logarithm alone. */
typedef struct gr_count {
    unsigned __int128 exact; /* where it is */
    int is_exact;
    double log10; /* -infinity: 0 */
} gr_count;

enum { GR_COUNT_TEXT = 64 };
/* All digits, or "about 3.2e57", or "about 10^(1.5e27)". Returns out. */
const char *gr_count_print(gr_count count, char out[GR_COUNT_TEXT]);

typedef struct gr_rule_facts {
    int reached;                       /* a derivation from the start rule can come here */
    int recursive;                     /* it can derive itself */
    int endless;                       /* it can derive a rule that derives itself */
    uint32_t first, productions, uses; /* uses: symbols of the grammar that stand for it */
    uint32_t least_depth;              /* of a derivation below it, its own level counted */
    uint32_t distinct;                 /* productions, equal ones counted once */
} gr_rule_facts;

typedef struct gr_grammar_facts {
    uint32_t rules, productions, symbols, terminals;
    uint32_t recursive_rules, unreached_rules, most_productions, repeated; /* productions */
    uint32_t words;      /* of the tables, as they are now */
    gr_rule_facts *rule; /* [rules] */
} gr_grammar_facts;

gr_status gr_grammar_find_facts(const gr_grammar *grammar, gr_grammar_facts *facts,
                                gr_error *error);
void gr_grammar_facts_free(gr_grammar_facts *facts);

/* Derivations of the start rule of at most each depth: count[d], d = 0 .. depth; the root has depth
 * 1, terminals count, as max-depth does. Productions are told apart also when they are equal,
 * unless `different`: then there are at most so many distinct sentences. */
gr_status gr_count_derivations(const gr_grammar *grammar, uint32_t depth, int different,
                               gr_count *count, gr_error *error);
/* Distinct sentences of at most each depth, found by making them: count[d], UINT64_MAX from where
 * there are too many to make (about 100 000). */
gr_status gr_count_sentences(const gr_grammar *grammar, uint32_t depth, uint64_t *count,
                             gr_error *error);

/* The fewest codons that a derivation takes, read depth first by `convention` (eager, or with
 * GR_LAZY); where that is `enough` or fewer, perhaps more, but no more than `enough`. UINT32_MAX:
 * as many or more. */
gr_status gr_count_least_codons(const gr_grammar *grammar, uint32_t convention, uint32_t enough,
                                uint32_t *least, gr_error *error);
/* The same of the nodes of a derivation; `enough` from 1 on. */
gr_status gr_count_least_nodes(const gr_grammar *grammar, uint32_t enough, uint32_t *least,
                               gr_error *error);

/* A production as text that reads back as the same symbols; the whole grammar as such text. */
void gr_print_production(const gr_grammar *grammar, uint32_t production, FILE *out);
void gr_print_grammar(const gr_grammar *grammar, FILE *out);
/* A picture in Graphviz' language: a box for every rule, its alternatives beside it. */
void gr_print_graph(const gr_grammar *grammar, FILE *out);

#endif
