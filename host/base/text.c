#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* strtod_l */
#endif
#include "host/base/text.h"

#include "gpu/backend/error.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_WORD = 63 };

/* glibc keeps this locale as a constant: nothing is allocated and nothing has to be freed. */
locale_t gr_text_c_locale(void) {
    return newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

double gr_text_double(const char *text, char **end) {
    return strtod_l(text, end, gr_text_c_locale());
}

float gr_text_float(const char *text, char **end) {
    return strtof_l(text, end, gr_text_c_locale());
}

void gr_text_print_digits(double value, int digits, char out[32]) {
    snprintf(out, 32, "%.*g", digits, isnan(value) ? (double)NAN : value);
}

void gr_text_print_double(double value, char out[32]) {
    locale_t before = uselocale(gr_text_c_locale());
    for (int digits = 6; digits <= 17; digits++) {
        gr_text_print_digits(value, digits, out);
        if (strtod(out, NULL) == value)
            break;
    }
    uselocale(before);
}

void gr_text_print_float(float value, char out[32]) {
    locale_t before = uselocale(gr_text_c_locale());
    for (int digits = 1; digits <= 9; digits++) {
        snprintf(out, 32, "%.*g", digits, (double)value);
        if (strtof(out, NULL) == value)
            break;
    }
    uselocale(before);
}

size_t gr_text_mark(const char *text, size_t length) {
    return length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

bool gr_text_is_clean(const char *text, size_t length) {
    for (size_t i = 0, n; i < length; i += n) {
        unsigned char c = (unsigned char)text[i];
        n = gr_utf8_length(text + i, length - i);
        if (n == 0 || (c < 0x20 && c != '\t' && c != '\n' && c != '\r'))
            return false;
    }
    return true;
}

/* Whether a character beyond ASCII is a letter, or a mark of one. A table, since what iswalpha
 * knows depends on the machine. */
static bool is_letter(uint32_t code) {
    static const struct {
        uint32_t from, to;
    } others[] = {
        {0x80, 0xa9},       {0xab, 0xb4},
        {0xb6, 0xb9},       {0xbb, 0xbf}, /* of Latin-1 */
        {0xd7, 0xd7},       {0xf7, 0xf7},
        {0x1680, 0x1680},   {0x2000, 0x207f}, /* blanks, dashes */
        {0x208a, 0x208e},   {0x20a0, 0x20cf},
        {0x2190, 0x2bff},   {0x2e00, 0x2e7f}, /* currencies, */
        {0x3000, 0x3004},   {0x3008, 0x3020},
        {0x3030, 0x3030},   {0xe000, 0xf8ff}, /* arrows, signs */
        {0xfe00, 0xfe1f},   {0xfe30, 0xfe6f},
        {0xfeff, 0xfeff},   {0xff00, 0xff0f}, /* wide ones of */
        {0xff1a, 0xff20},   {0xff3b, 0xff40},
        {0xff5b, 0xff65},   {0xffe0, 0xffff}, /* ASCII */
        {0x1f000, 0x1faff}, {0xe0000, 0x10ffff},
    };
    size_t i = 0, n = sizeof others / sizeof *others;
    while (i < n && code > others[i].to)
        i++;
    return i == n || code < others[i].from;
}

size_t gr_text_name_character(const char *text, size_t left, bool first) {
    char c = left ? *text : '\0';
    if ((unsigned char)c < 0x80)
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
               (!first && c >= '0' && c <= '9');
    size_t n = gr_utf8_length(text, left);
    uint32_t code = n ? (uint32_t)(unsigned char)c & (0x7fu >> n) : 0;
    for (size_t i = 1; i < n; i++)
        code = code << 6 | (text[i] & 0x3f);
    return is_letter(code) ? n : 0;
}

size_t gr_text_name(const char *text, size_t left) {
    size_t length = 0, n;
    while ((n = gr_text_name_character(text + length, left - length, !length)))
        length += n;
    return length;
}

char *gr_text_trim(char *text) {
    size_t n = strlen(text);
    for (size_t i = 0; i < n; i++)
        if (text[i] == '\t' || text[i] == '\n' || text[i] == '\r')
            text[i] = ' ';
    while (n && text[n - 1] == ' ')
        text[--n] = '\0';
    while (*text == ' ')
        text++;
    return text;
}

static const char BLANKS[] = " \t\r\n";

/* Where an item in quotes ends, the blanks behind it included; NULL: it is none, and quotes in it
 * mean nothing, as in 3" pipe. */
static const char *quoted_end(const char *at) {
    if (*at != '"')
        return NULL;
    for (at++; *at && (*at != '"' || at[1] == '"'); at++)
        at += *at == '"';
    if (!*at)
        return NULL;
    at += 1 + strspn(at + 1, BLANKS);
    return *at && *at != ',' ? NULL : at;
}

const char *gr_text_item_end(const char *item) {
    const char *end = quoted_end(item + strspn(item, BLANKS));
    return end ? end : item + strcspn(item, ",");
}

char *gr_text_next_item(char **rest) {
    char *item = *rest, *at, *out;
    if (!item)
        return NULL;
    bool quoted = quoted_end(item + strspn(item, BLANKS)) != NULL;
    char *end = item + (gr_text_item_end(item) - item);
    *rest = *end ? end + 1 : NULL;
    *end = '\0';
    if (!quoted)
        return gr_text_trim(item);
    item += strspn(item, BLANKS) + 1;
    for (at = out = item; *at != '"' || at[1] == '"'; *out++ = *at++)
        at += *at == '"';
    *out = '\0';
    return item;
}

void gr_text_print_item(const char *item, char *out, size_t size) {
    size_t n = strlen(item), at = 0;
    bool plain =
        n && *item != '"' && !strpbrk(item, ",\t\r\n") && *item != ' ' && item[n - 1] != ' ';
    if (plain) {
        snprintf(out, size, "%s", item);
        return;
    }
    for (size_t i = 0; i < n + 2 && at + 2 < size; i++) {
        bool inside = i && i <= n;
        out[at++] = inside ? item[i - 1] : '"';
        if (inside && item[i - 1] == '"')
            out[at++] = '"';
    }
    out[at] = '\0';
}

/* Levenshtein distance, case ignored, '_' the same as '-'. */
static size_t edit_distance(const char *a, const char *b) {
    size_t row[LONGEST_WORD + 1], n = strlen(b);
    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 0; a[i]; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < n; j++) {
            int x = a[i] == '_' ? '-' : tolower((unsigned char)a[i]);
            size_t replaced = diagonal + (x != tolower((unsigned char)b[j]));
            diagonal = row[j + 1];
            size_t shorter = (row[j] < row[j + 1] ? row[j] : row[j + 1]) + 1;
            row[j + 1] = replaced < shorter ? replaced : shorter;
        }
    }
    return row[n];
}

void gr_nearest_try(gr_nearest *nearest, const char *word, const char *candidate) {
    size_t n = strlen(word);
    if (n == 0 || n > LONGEST_WORD || strlen(candidate) > LONGEST_WORD)
        return;
    size_t distance = edit_distance(word, candidate);
    if (distance > 1 && n >= 3 && strncmp(word, candidate, n) == 0) /* cut short */
        distance = 1;
    if (distance <= (n + 1) / 3 && (!nearest->best || distance < nearest->distance)) {
        nearest->best = candidate;
        nearest->distance = distance;
    }
}

size_t gr_text_characters(const char *text, size_t bytes) {
    size_t count = 0;
    for (size_t i = 0; i < bytes; i++)
        count += ((unsigned char)text[i] & 0xc0) != 0x80;
    return count;
}

int gr_text_room(const char *text, int most) {
    int n = (int)strnlen(text, (size_t)most + 1);
    if (n <= most)
        return n;
    for (n = most; n && ((unsigned char)text[n] & 0xc0) == 0x80;)
        n--; /* it goes on a character */
    return n;
}

/* Where the last ending begins, or the end. */
static size_t ending_of(const char *name, size_t length) {
    for (size_t k = length; k--;)
        if (name[k] == '.')
            return k;
    return length;
}

void gr_text_stem(const char *path, char *out, size_t size) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t length = strlen(name);
    if (length > 3 && strcmp(name + length - 3, ".gz") == 0)
        length -= 3;
    length = *name == '.' ? 0 : ending_of(name, length);
    if (length >= size)
        length = (size_t)gr_text_room(name, (int)size - 1);
    snprintf(out, size, "%.*s", gr_text_is_clean(name, length) ? (int)length : 0, name);
    name = gr_text_trim(out); /* as it is read again from a run file */
    memmove(out, name, strlen(name) + 1);
}

void gr_text_list(const char *const *words, size_t n, char *out, size_t size) {
    size_t at = 0;
    *out = '\0';
    for (size_t k = 0; k < n && at < size; k++) {
        const char *between = k == 0 ? "" : k + 1 < n ? ", " : " or ";
        at += (size_t)snprintf(out + at, size - at, "%s%s", between, words[k]);
    }
}
