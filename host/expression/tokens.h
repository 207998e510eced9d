/* Text to tokens of the expression language (gpu/core/program/expression.h). */
#ifndef GRAMPUS_TOKENS_H
#define GRAMPUS_TOKENS_H

#include "host/expression/vocabulary.h"

/* A growing array of tokens, two words each; column[i] is the 1-based column of token i in its
 * text. Starts as all zeros. */
typedef struct gr_token_list {
    uint32_t *words;
    uint32_t *columns;
    uint32_t count, capacity;
} gr_token_list;

/* Appends the tokens of text[0, length). A text may be a piece: a terminal of a grammar that
 * becomes a number, a call or an index only together with its neighbours. On failure the error
 * names the column in `where`:`line`; with where == NULL it holds the reason alone.
 *
 * Where a piece by itself could mean two things:
 *   and, or, nand, nor, xor   a function when "(" touches the word and no operand stands before it
 *                             in the piece, otherwise an infix operator; a piece that begins with
 *                             white space is infix
 *   if                        infix (a if c else b) behind an operand, or where a piece begins with
 *                             white space; otherwise a function. Behind an operand "if(" is a
 *                             function when no else follows its brackets
 *   e5, E5, E-5               at the start of a piece an exponent; e-5 is the constant e minus 5
 *   x                         an input of that name, otherwise the start of x0, x1, ... */
gr_status gr_tokenise(const char *text, size_t length, const char *where, unsigned line,
                      const gr_vocabulary *vocabulary, gr_token_list *tokens, gr_error *error);
/* Appends one token as it is. */
gr_status gr_token_add(gr_token_list *tokens, uint32_t word, uint32_t operand, gr_error *error);
void gr_token_list_free(gr_token_list *tokens);

/* Binding strength (GR_P_*) of an infix sign or word; 0 when it is none. */
uint32_t gr_operator_strength(const char *sign, size_t length);

#endif
