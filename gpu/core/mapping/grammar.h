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
 *   choice         [rules]            two words each: first production | productions << 16, the
 *                                     reciprocal of their number
 *   body           [productions]      two words each: first step of its skeleton | derivation nodes
 *                                     << 16, first step of its mapping
 *   step           [steps]            two words each, see below
 * Every production has at least one symbol: an explicit empty terminal is a terminal without
 * tokens. A grammar whose sentences are no expressions has the tokens of codons' values alone
 * (codon_value.h), from which their texts are written; it can be derived but not evaluated. */
#ifndef GR_GRAMMAR_H
#define GR_GRAMMAR_H

#include "gpu/core/base/portable.h"

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
    GR_G_CHOICE,
    GR_G_BODY,
    GR_G_STEP,
    GR_G_WORDS, /* length of the whole array */
    GR_G_STEPS, /* 0: too large a grammar for 16-bit numbers; the three tables before are empty */
    GR_G_MAPS,  /* gr_maps */
    GR_G_FIRST_VALUE, /* the rules from here on are codons' values */
    GR_G_LISTS,       /* structured genotypes: list_first [rules + 1], see gene_lists.h; else 0 */
    GR_G_EXPANSIONS,  /* most of a derivation that is not read depth first, see depth_first.h */
    GR_G_HEADER = 20
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

/* Steps: what a lane that maps a genome does, one after another, without asking what came before.
 *
 * The skeleton of a production is its non-terminals alone: enough to find the codons a genome uses.
 * Its mapping also says what the reader of expressions (expression.h) does with its terminals,
 * wherever that is the same in every sentence: the host reads each production once and leaves
 * actions of the reader behind. The last step of a production carries GR_STEP_LAST. */
#define GR_STEP_LAST 0x40000000u
/* What a step does, in this order. Where pending operators as strong as the limit are left it only
 * writes one of them and is done again. */
#define GR_STEP_REDUCES 0x10u
#define GR_STEP_COMPARES 0x20u /* a comparison: none may be pending */
#define GR_STEP_POPS 0x40u     /* removes the reader's top entry */
#define GR_STEP_WRITES 0x80u   /* writes its operation */
#define GR_STEP_LEAF 0x01000000u
#define GR_STEP_PUSHES 0x02000000u
#define GR_STEP_LIMIT(word) (((word) >> 8) & 0xffu)
#define GR_STEP_MORE(word) (((word) >> 16) & 0xffu) /* leaf: its operation; digits: how many */
#define GR_STEP_ACTION(word) ((word)&0xfu)
/* What steps do beside derivations: map, of which those that no numbers are read by are quicker. */
typedef enum gr_maps { GR_MAPS_NOTHING, GR_MAPS_NUMBERS, GR_MAPS_NO_NUMBERS } gr_maps;
#define GR_NO_SKELETON 0xffffu /* a production without non-terminals */
typedef enum gr_action {
    GR_A_NOTHING,
    GR_A_ITEM,   /* the second operand of a prefix list begins */
    GR_A_NUMBER, /* a number in pieces begins; operand: gr_number */
    GR_A_DIGITS, /* operand: their value */
    GR_A_DOT,
    GR_A_EXPONENT,
    GR_A_NUMBER_END
} gr_action;
typedef struct gr_pair {
    uint32_t word, operand;
} __attribute__((aligned(8))) gr_pair; /* read at once */

/* A word of the tables. On the device a grammar that fits stands in constant memory, and g is NULL.
 */
enum { GR_CONSTANT_GRAMMAR = 12288 };
#ifdef __CUDACC__
static __constant__ __align__(8) uint32_t gr_constant_grammar[GR_CONSTANT_GRAMMAR];
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
/* The tables as an array, for loops that look often. */
GR_FN const uint32_t *gr_grammar_at(const uint32_t *g) {
#ifdef __CUDA_ARCH__
    return g ? g : gr_constant_grammar;
#else
    return g;
#endif
}
/* codon mod count by the reciprocal floor((2^32 - 1) / count), which finds a quotient at most one
 * too small. */
GR_FN uint32_t gr_remainder(uint32_t codon, uint32_t count, uint32_t reciprocal) {
    uint32_t r = codon - gr_mulhi(codon, reciprocal) * count;
    return gr_min_u32(r, r - count);
}
/* Word 0 or 1 of a token. */
GR_FN uint32_t gr_token_word(const uint32_t *g, uint32_t token, uint32_t word) {
    return gr_grammar_word(g, gr_grammar_word(g, GR_G_TOKEN) + 2 * token + word);
}

#endif
