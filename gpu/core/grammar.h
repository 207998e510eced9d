/* A compiled grammar: one array of 32-bit words that fits constant memory for ordinary grammars (12
 * 288 words).
 *
 * Layout, offsets in words from the start:
 *   [0] GR_G_HEADER words: the numbers below
 *   rule_first     [rules + 1]        first production of each rule; rule 0 is the start rule
 *   production     [productions]      per production: GR_PRODUCTION_* fields packed into one word
 *   symbol_first   [productions + 1]  first symbol of each production
 *   symbol         [symbols]          GR_NONTERMINAL | rule, or the number of a terminal
 *   token_first    [terminals + 1]    first token of each terminal
 *   token          [tokens]           two words each: kind | flags, operand (expression.h)
 * Every production has at least one symbol: an explicit empty terminal is a terminal without
 * tokens. A grammar whose sentences are no expressions has tokens == 0; it can be derived but not
 * evaluated. */
#ifndef GR_GRAMMAR_H
#define GR_GRAMMAR_H

#include "portable.h"

enum {
    GR_G_RULES,
    GR_G_PRODUCTIONS,
    GR_G_SYMBOLS,
    GR_G_TERMINALS,
    GR_G_TOKENS,
    GR_G_RULE_FIRST, /* offsets of the tables */
    GR_G_PRODUCTION,
    GR_G_SYMBOL_FIRST,
    GR_G_SYMBOL,
    GR_G_TOKEN_FIRST,
    GR_G_TOKEN,
    GR_G_WORDS,       /* length of the whole array */
    GR_G_FIRST_VALUE, /* the rules from here on are codons' values */
    GR_G_HEADER = 16
};

#define GR_NONTERMINAL 0x80000000u

/* A production's word: minimum depth of a complete derivation below it (the production's own
 * symbols are at depth 1, so a production of terminals only has 1), number of non-terminals,
 * recursive or not. */
#define GR_PRODUCTION_DEPTH(word) ((word)&0xffffu)
#define GR_PRODUCTION_NONTERMINALS(word) (((word) >> 16) & 0x7fffu)
#define GR_PRODUCTION_RECURSIVE(word) ((word) >> 31)
#define GR_PRODUCTION_WORD(depth, nonterminals, recursive)                                         \
    ((uint32_t)(depth) | (uint32_t)(nonterminals) << 16 | (uint32_t)(recursive) << 31)

/* A word of the tables. On the device a grammar that fits stands in constant memory, and g is NULL.
 */
enum { GR_CONSTANT_GRAMMAR = 12288 };
#ifdef __CUDACC__
static __constant__ uint32_t gr_constant_grammar[GR_CONSTANT_GRAMMAR];
#endif
GR_FN uint32_t gr_grammar_word(const uint32_t *g, uint32_t i) {
#ifdef __CUDA_ARCH__
    return g ? g[i] : gr_constant_grammar[i];
#else
    return g[i];
#endif
}

GR_FN uint32_t gr_rule_first(const uint32_t *g, uint32_t rule) {
    return gr_grammar_word(g, gr_grammar_word(g, GR_G_RULE_FIRST) + rule);
}
GR_FN uint32_t gr_production(const uint32_t *g, uint32_t production) {
    return gr_grammar_word(g, gr_grammar_word(g, GR_G_PRODUCTION) + production);
}
GR_FN uint32_t gr_symbol_first(const uint32_t *g, uint32_t production) {
    return gr_grammar_word(g, gr_grammar_word(g, GR_G_SYMBOL_FIRST) + production);
}
GR_FN uint32_t gr_symbol(const uint32_t *g, uint32_t symbol) {
    return gr_grammar_word(g, gr_grammar_word(g, GR_G_SYMBOL) + symbol);
}
GR_FN uint32_t gr_token_first(const uint32_t *g, uint32_t terminal) {
    return gr_grammar_word(g, gr_grammar_word(g, GR_G_TOKEN_FIRST) + terminal);
}
/* Word 0 or 1 of a token. */
GR_FN uint32_t gr_token_word(const uint32_t *g, uint32_t token, uint32_t word) {
    return gr_grammar_word(g, gr_grammar_word(g, GR_G_TOKEN) + 2 * token + word);
}

#endif
