/* BNF grammars in PonyGE2's dialect: parsing, analysis and compilation to the tables of
 * gpu/core/mapping/grammar.h. */
#ifndef GRAMPUS_GRAMMAR_H
#define GRAMPUS_GRAMMAR_H

#include "gpu/backend/error.h"
#include "gpu/core/mapping/grammar.h"
#include "host/expression/reader.h"

/* What GE_RANGE:dataset_n_vars, _n_is and _n_os stand for; 0: not given, an error where a grammar
 * asks for it. codon_size: the largest codon, to which <GECodonValue[0.0,1.0]> scales; 0: 100000.
 */
typedef struct gr_grammar_context {
    uint32_t n_vars, n_is, n_os, codon_size;
} gr_grammar_context;

typedef struct gr_grammar gr_grammar;

/* Parse, check (undefined or duplicate rules, rules without a terminating derivation, empty rules)
 * and build the tables, whose only tokens are those of codons' values. `path` appears in messages
 * as path:line:column. */
gr_status gr_grammar_load(const char *path, const gr_grammar_context *context, gr_grammar **grammar,
                          gr_error *error);
gr_status gr_grammar_parse(const char *text, size_t length, const char *path,
                           const gr_grammar_context *context, gr_grammar **grammar,
                           gr_error *error);
/* Adds the token tables. Refuses a grammar whose sentences are not in the expression language: for
 * every production that a derivation can reach, a shortest sentence through it is read by
 * gpu/core/program/expression.h; the error names the production and the text. */
gr_status gr_grammar_tokenise(gr_grammar *grammar, const gr_vocabulary *vocabulary,
                              gr_error *error);
void gr_grammar_free(gr_grammar *grammar);
/* Prepares the tables for a convention that is not read depth first
 * (gpu/core/genotype/depth_first.h), under these limits; `capacity`: codons or genes a genome may
 * have. Of GR_LISTS the lists: each as long as any derivation within max_depth can need, the
 * longest cut to one length when `capacity` is less than their sum. After gr_grammar_tokenise, if
 * at all. */
gr_status gr_grammar_plan_non_depth_first(gr_grammar *grammar, uint32_t convention,
                                          uint32_t max_depth, uint32_t max_wraps, uint32_t capacity,
                                          gr_error *error);
/* For lazy consumption, read depth first: refuses a grammar of which rules without a choice alone
 * make more of a derivation than can be gone through. */
gr_status gr_grammar_check_lazy(const gr_grammar *grammar, gr_error *error);
uint32_t gr_grammar_genes(const gr_grammar *grammar); /* of all lists; 0: no plan for lists */

/* The compiled tables; *words of them. Owned by the grammar, valid until it is freed or tokenised.
 */
const uint32_t *gr_grammar_tables(const gr_grammar *grammar, uint32_t *words);
/* Text of a terminal; of one that is a codon's value its name. */
const char *gr_grammar_terminal(const gr_grammar *grammar, uint32_t terminal, size_t *length);
/* Whether a terminal is a codon's value; then its text for a codon. */
int gr_grammar_codon_text(const gr_grammar *grammar, uint32_t terminal, uint32_t codon,
                          char out[32]);
const char *gr_grammar_rule_name(const gr_grammar *grammar, uint32_t rule); /* without < > */
const char *gr_grammar_path(const gr_grammar *grammar);
/* Whether it is called NAME.pybnf, whose sentences are Python with blocks in {: and :}. */
int gr_grammar_is_python(const gr_grammar *grammar);
/* Warnings found while parsing (single-production rules, unreachable rules): one line each, count
 * of them. */
uint32_t gr_grammar_warnings(const gr_grammar *grammar);
const char *gr_grammar_warning(const gr_grammar *grammar, uint32_t i);

#endif
