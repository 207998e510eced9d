/* The text of a terminal while a grammar is read: bytes, characters, Python string escapes. */
#include "host/base/text.h"
#include "host/grammar/bnf.h"

#include <string.h>

/* Characters between the start of a line and a position on it. Positions that are asked for lie
 * near each other, lines may be of megabytes: counting goes on from the one before. */
static uint32_t count_characters(gr_bnf *b, uint32_t line, uint32_t at) {
    uint32_t from = b->counted_at, count = b->counted;
    if (from < line || (from > at && from - at > at - line))
        from = line, count = 0;
    if (from <= at)
        count += (uint32_t)gr_text_characters(b->text + from, at - from);
    else
        count -= (uint32_t)gr_text_characters(b->text + at, from - at);
    b->counted_at = at;
    b->counted = count;
    return count;
}

gr_text_position gr_bnf_position(gr_bnf *b, uint32_t at) {
    uint32_t low = 0, high = b->line_count; /* line low starts at or before at, line high behind */
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (b->lines[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    return (gr_text_position){low + 1, count_characters(b, b->lines[low], at) + 1};
}

gr_status gr_bnf_put_byte(gr_bnf *b, unsigned byte) {
    char *piece = gr_grown(b->piece, b->piece_length, &b->piece_capacity, 1);
    if (!piece)
        return gr_no_memory(b->error);
    b->piece = piece;
    b->piece[b->piece_length++] = (char)byte;
    return GR_OK;
}

/* A character as UTF-8. */
static gr_status put_character(gr_bnf *b, uint32_t c) {
    gr_status status = GR_OK;
    if (c < 0x80)
        return gr_bnf_put_byte(b, c);
    uint32_t bytes = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    uint32_t lead = bytes == 2 ? 0xc0 : bytes == 3 ? 0xe0 : 0xf0;
    for (uint32_t i = bytes; i-- && status == GR_OK;) {
        uint32_t bits = c >> (6 * i);
        status = gr_bnf_put_byte(b, i + 1 == bytes ? lead | bits : 0x80 | (bits & 0x3f));
    }
    return status;
}

/* What the escape whose backslash stands at `at` says. NUL would end sentences where they are
 * printed, compared, and read as JSON. */
static gr_status put_coded(gr_bnf *b, uint32_t c, uint32_t at) {
    return c ? put_character(b, c)
             : gr_fail_at(b->grammar, gr_bnf_position(b, at), b->error,
                          "an escape of the character NUL; expected one that a sentence can hold");
}

static int hex_value(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* \xHH, \uHHHH, \UHHHHHHHH; *at stands on the letter. */
static gr_status put_hex(gr_bnf *b, uint32_t *at, uint32_t end) {
    char kind = b->text[*at];
    uint32_t digits = kind == 'x' ? 2 : kind == 'u' ? 4 : 8, value = 0, i = *at + 1;
    for (; i <= *at + digits; i++) {
        int digit = i < end ? hex_value(b->text[i]) : -1;
        if (digit < 0)
            return gr_fail_at(b->grammar, gr_bnf_position(b, *at - 1), b->error,
                              "escape \\%c is cut short; expected %u hexadecimal digits", kind,
                              digits);
        value = 16 * value + (uint32_t)digit;
    }
    if (value > 0x10ffff || (value >= 0xd800 && value < 0xe000))
        return gr_fail_at(b->grammar, gr_bnf_position(b, *at - 1), b->error,
                          "escape \\%c%0*x is no character; expected a Unicode character", kind,
                          (int)digits, value);
    uint32_t backslash = *at - 1;
    *at = i;
    return put_coded(b, value, backslash);
}

/* A Python string escape; *at stands behind the backslash and moves behind the escape. */
static gr_status put_escape(gr_bnf *b, uint32_t *at, uint32_t end) {
    static const char letters[] = "\\'\"abfnrtv", values[] = "\\'\"\a\b\f\n\r\t\v";
    if (*at == end)
        return gr_fail_at(b->grammar, gr_bnf_position(b, *at - 1), b->error,
                          "a backslash ends the text; expected \\\\ for a backslash");
    char c = b->text[*at];
    const char *known = memchr(letters, c, sizeof letters - 1);
    if (known) {
        ++*at;
        return gr_bnf_put_byte(b, (unsigned char)values[known - letters]);
    }
    if (c == 'x' || c == 'u' || c == 'U')
        return put_hex(b, at, end);
    if (c == 'N')
        return gr_fail_at(b->grammar, gr_bnf_position(b, *at - 1), b->error,
                          "escape \\N is not supported; expected \\uHHHH");
    if (c < '0' || c > '7')
        return gr_bnf_put_byte(b, '\\'); /* an unknown escape stays as it is */
    uint32_t value = 0, backslash = *at - 1;
    for (int i = 0; i < 3 && *at < end && b->text[*at] >= '0' && b->text[*at] <= '7'; i++)
        value = 8 * value + (uint32_t)(b->text[(*at)++] - '0');
    return put_coded(b, value, backslash);
}

gr_status gr_bnf_put_text(gr_bnf *b, uint32_t from, uint32_t to) {
    gr_status status = GR_OK;
    if (!b->piece_open)
        b->piece_at = from;
    b->piece_open = 1;
    for (uint32_t i = from; i < to && status == GR_OK;) {
        unsigned char c = (unsigned char)b->text[i++];
        status = c == '\\' ? put_escape(b, &i, to) : gr_bnf_put_byte(b, c);
    }
    return status;
}
