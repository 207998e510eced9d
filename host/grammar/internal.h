/* What grammar.c (the object), helpers.c, parse.c (text to rules), tables.c
 * (rules to tables) codon.c (<GECodonValue>) and sentences.c (tokens, check of the
 * sentences) share.
 */
#ifndef GRAMPUS_GRAMMAR_INTERNAL_H
#define GRAMPUS_GRAMMAR_INTERNAL_H

#include "gpu/core/mapping/codon_value.h"
#include "host/expression/tokens.h"
#include "host/grammar/grammar.h"

#include <stddef.h>

enum {
    GR_MAX_PRODUCTIONS = 65535,  /* depth has 16 bits of a production's word */
    GR_MAX_NONTERMINALS = 32767, /* of one production: 15 bits of its word */
    GR_MAX_GRAMMAR_BYTES = 1 << 26,
    GR_SHOWN = 96 /* capacity of a text shown in a message */
};
#define GR_NONE 0xffffffffu
#define GR_CODON_NAME "GECodonValue"

typedef struct gr_text_position {
    uint32_t line, column; /* from 1, in characters */
} gr_text_position;

/* A distinct name of a rule or text of a terminal. */
typedef struct gr_grammar_text {
    char *text; /* NUL-terminated; a terminal may hold NULs itself */
    size_t length;
    uint32_t number;           /* in order of appearance */
    uint32_t rule;             /* a name's rule or GR_NONE */
    gr_text_position position; /* first appearance */
    int is_value;              /* a terminal whose text is a number read off a codon */
    gr_codon_value value;
} gr_grammar_text;

typedef struct gr_grammar_texts {
    gr_grammar_text **at;
    uint32_t count, capacity;
} gr_grammar_texts;

typedef struct gr_rule {
    const gr_grammar_text *name;
    gr_text_position position;
    uint32_t first;            /* production */
    gr_text_position left_out; /* an empty alternative, line 0: there is none */
} gr_rule;

typedef struct gr_bnf_production {
    uint32_t rule, first; /* first symbol */
    gr_text_position position;
    uint32_t from, to; /* its text in source */
} gr_bnf_production;

struct gr_grammar {
    char *path, *source; /* source: line ends are \n */
    uint32_t length;     /* of source */
    gr_grammar_texts names, terminals;
    gr_rule *rules;
    gr_bnf_production *productions;
    uint32_t *symbols; /* as in the tables; while parsing GR_NONTERMINAL | number of a name */
    uint32_t rule_count, rule_capacity, production_count, production_capacity;
    uint32_t symbol_count, symbol_capacity;
    uint32_t first_value; /* rules from here on are codons' values */

    /* from gr_grammar_analyse */
    uint32_t *owner;      /* [symbols] production */
    uint32_t *depth;      /* [productions] minimum depth below, 1 for terminals only */
    uint32_t *rule_depth; /* [rules] the smallest of its productions */
    uint32_t *by_depth;   /* [rules] in rising rule_depth */
    uint8_t *endless;     /* [rules] a derivation from here may go on for ever */
    uint32_t
        *reached; /* [reached_count] rules a derivation can reach, start first, breadth first */
    uint32_t
        *reached_by; /* [rules] the symbol that reached it; GR_NONE: start rule or not reached */
    uint32_t reached_count;

    uint32_t *words; /* the tables */
    uint32_t word_count;
    char **warnings;
    uint32_t warning_count, warning_capacity;
};

/* Capacity for one element more than count: the array, moved or not, or NULL (the old one
 * stays). */
void *gr_grown(void *array, uint32_t count, uint32_t *capacity, size_t size);
/* Slots of a hash, indices with GR_NONE for nobody, in place of half as many, or `first` in place
 * of none; all are empty. 0: no memory (the old ones stay). */
int gr_slots_grown(uint32_t **table, uint32_t *slots, uint32_t first);
gr_status gr_no_memory(gr_error *error);
/* path:line:column: message, as an error and as a warning. */
gr_status gr_fail_at(const gr_grammar *grammar, gr_text_position position, gr_error *error,
                     const char *format, ...) __attribute__((format(printf, 4, 5)));
gr_status gr_warn_at(gr_grammar *grammar, gr_text_position position, gr_error *error,
                     const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Text for a message: one printable line, shortened. Returns out. */
const char *gr_show(char out[GR_SHOWN], const char *text, size_t length);

/* First symbol behind a production, first production behind a rule. */
uint32_t gr_symbols_end(const gr_grammar *grammar, uint32_t production);
uint32_t gr_productions_end(const gr_grammar *grammar, uint32_t rule);

/* A word with this text, new at the end of the list; NULL when memory is short. */
gr_grammar_text *gr_append_text(gr_grammar_texts *list, const char *text, size_t length);

/* Text to rules, productions and symbols. */
gr_status gr_grammar_read(gr_grammar *grammar, const char *text, size_t length,
                          const gr_grammar_context *context, gr_error *error);
/* Rules for the names <GECodonValue...> that have none. */
gr_status gr_grammar_codon_values(gr_grammar *grammar, const gr_grammar_context *context,
                                  gr_error *error);
/* A codon's value as tokens, see gpu/core/mapping/codon_value.h. */
gr_status gr_add_value_tokens(gr_token_list *tokens, const gr_codon_value *value, gr_error *error);
/* Names resolved, depths, recursion, reachability; then the tables, whose tokens are those of
 * codons' values alone. */
gr_status gr_grammar_analyse(gr_grammar *grammar, gr_error *error);
/* Where each rule is used: occurrence [first[r], first[r + 1]) are the symbols that stand for rule
 * r. GR_NO_MEMORY without a text. */
typedef struct gr_uses {
    uint32_t *first, *symbol;
} gr_uses;
gr_status gr_grammar_find_uses(const gr_grammar *grammar, gr_uses *uses);
void gr_grammar_free_uses(gr_uses *uses);
/* Steps of the productions; body: two words a production. */
typedef struct gr_steps {
    uint32_t *body, *word; /* word: two a step */
    uint32_t count, capacity;
    uint32_t maps; /* gr_maps */
    uint32_t lost; /* there was no memory for one */
} gr_steps;
gr_status gr_grammar_make_steps(const gr_grammar *grammar, const uint32_t *token,
                                const uint32_t *first, uint32_t packed, gr_steps *steps,
                                gr_error *error);
void gr_grammar_free_steps(gr_steps *steps);
/* The tables; token: two words each, first[t] .. first[t + 1] those of terminal t. */
gr_status gr_grammar_pack(gr_grammar *grammar, const uint32_t *token, const uint32_t *first,
                          uint32_t packed, gr_error *error);

#endif
