/* <GECodonValue...>, as libGE and GEVA have it: a terminal whose text is a number read off the
 * codon that its expansion takes.
 *
 * All of it is decimal and whole: a value is n x 10^-decimals, so that device, host and the printed
 * phenotype hold the same digits. Forms (host/grammar/codon.c reads them):
 *   <GECodonValue>          the codon itself
 *   <GECodonValue-2+5>      low + codon mod (high - low + 1); libGE
 *   <GECodonValue[-10,5)>   the same with brackets that take an end or leave it out; GEVA
 *   <GECodonValue[0.0,1.0]> low + (high - low) codon / codon size; GEVA
 * A set {a,b,c} becomes ordinary productions. In the tables a value is a terminal of three tokens:
 *   GR_T_CODON | decimals    low
 *   GR_T_CODON_SPAN          whole: how many values (0: 2^32); scaled: high - low
 *   GR_T_CODON_SCALE | ends  0: whole; otherwise the codon size. ends: 1 low left out, 2 high */
#ifndef GR_CODON_VALUE_H
#define GR_CODON_VALUE_H

#include "gpu/core/mapping/grammar.h"
#include "gpu/core/program/expression.h"

enum { GR_T_CODON = GR_T_END + 1, GR_T_CODON_SPAN, GR_T_CODON_SCALE };
enum { GR_CODON_TOKENS = 3, GR_CODON_DECIMALS = 6, GR_CODON_LOW_OPEN = 1, GR_CODON_HIGH_OPEN = 2 };

typedef struct gr_codon_value {
    int32_t low; /* in units of the last decimal */
    uint32_t span, scale, decimals, ends;
} gr_codon_value;

/* The number a codon stands for, in units of the last decimal. */
GR_FN int64_t gr_codon_number(gr_codon_value v, uint32_t codon) {
    if (!v.scale)
        return (int64_t)v.low + (v.span ? codon % v.span : codon);
    uint64_t step = codon % (v.scale + 1ull) + (v.ends & GR_CODON_LOW_OPEN);
    uint64_t steps =
        v.scale + (uint64_t)(v.ends & GR_CODON_LOW_OPEN) + (v.ends & GR_CODON_HIGH_OPEN) / 2;
    return (int64_t)v.low + (int64_t)((v.span * step + steps / 2) / steps);
}

GR_FN gr_codon_value gr_read_codon_value(const uint32_t *g, uint32_t token) {
    gr_codon_value v;
    v.decimals = GR_TOKEN_COUNT(gr_token_word(g, token, 0));
    v.low = (int32_t)gr_token_word(g, token, 1);
    v.span = gr_token_word(g, token + 1, 1);
    v.ends = GR_TOKEN_COUNT(gr_token_word(g, token + 2, 0));
    v.scale = gr_token_word(g, token + 2, 1);
    return v;
}

/* The text of a codon's value at the end of `text`; where it begins. */
enum { GR_NUMBER_BYTES = 24 };
GR_FN uint32_t gr_write_codon(gr_codon_value v, uint32_t codon, uint8_t text[GR_NUMBER_BYTES]) {
    int64_t number = gr_codon_number(v, codon);
    uint64_t rest = (uint64_t)(number < 0 ? -number : number);
    uint32_t at = GR_NUMBER_BYTES;
    for (uint32_t digit = 0; digit <= v.decimals || rest; digit++, rest /= 10u) {
        if (v.decimals && digit == v.decimals)
            text[--at] = '.';
        text[--at] = (uint8_t)('0' + rest % 10u);
    }
    if (number < 0)
        text[--at] = '-';
    return at;
}

/* A number below 10^9 as `count` decimal digits; 0: as many as it has. */
GR_FN void gr_feed_digits(gr_parser *p, uint32_t number, uint32_t count) {
    uint32_t digits = 1;
    for (uint32_t rest = number / 10u; rest; rest /= 10u)
        digits++;
    gr_parse_token(p, GR_TOKEN(GR_T_DIGITS, count ? count : digits), number);
}

/* Feeds the tokens of the number's text: what reading the printed phenotype would feed. */
GR_FN void gr_feed_codon(gr_parser *p, gr_codon_value v, uint32_t codon) {
    int64_t number = gr_codon_number(v, codon);
    uint64_t magnitude = (uint64_t)(number < 0 ? -number : number), unit = 1;
    for (uint32_t i = 0; i < v.decimals; i++)
        unit *= 10u;
    if (number < 0)
        gr_parse_token(p, GR_TOKEN(GR_T_OPERATOR, 0),
                       GR_OPERATOR(GR_SUB, GR_NEG, GR_P_SUM, GR_P_SIGN, 0));
    uint64_t whole = magnitude / unit; /* at most 2^31 + 2^32: ten digits */
    uint32_t high = (uint32_t)(whole / 1000000000u);
    if (high)
        gr_feed_digits(p, high, 0);
    gr_feed_digits(p, (uint32_t)(whole % 1000000000u), high ? 9 : 0);
    if (!v.decimals)
        return;
    gr_parse_token(p, GR_TOKEN(GR_T_DOT, 0), 0);
    gr_feed_digits(p, (uint32_t)(magnitude % unit), v.decimals);
}

#endif
