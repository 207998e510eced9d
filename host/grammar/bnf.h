/* A grammar's text on its way in: what parse.c (rules and productions) and terminals.c
 * (the text of a terminal) share. */
#ifndef GRAMPUS_GRAMMAR_BNF_H
#define GRAMPUS_GRAMMAR_BNF_H

#include "host/grammar/internal.h"

/* A grammar on its way in. */
typedef struct gr_bnf {
    gr_grammar *grammar;
    const char *text;
    uint32_t length, at;
    const gr_grammar_context *context;
    gr_error *error;
    uint32_t *lines; /* [line_count] where each line starts */
    uint32_t line_count, line_capacity;
    uint32_t counted_at, counted;  /* of the line there: the characters before */
    void *names, *terminals;       /* search trees over the grammar's lists */
    uint32_t name_from, name_stop; /* the last run of name characters looked at */
    char *piece;                   /* the terminal being collected */
    uint32_t piece_length, piece_capacity, piece_at;
    int piece_open;
} gr_bnf;

/* Line and column of a position. */
gr_text_position gr_bnf_position(gr_bnf *b, uint32_t at);
/* Text [from, to), quoted or not, joins the terminal being collected; opens one if need be. Escapes
 * are replaced; text outside ASCII stays as it is. */
gr_status gr_bnf_put_text(gr_bnf *b, uint32_t from, uint32_t to);
gr_status gr_bnf_put_byte(gr_bnf *b, unsigned byte);

#endif
