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

bool gr_text_is_clean(const char *text, size_t length) {
    for (size_t i = 0, n; i < length; i += n) {
        unsigned char c = (unsigned char)text[i];
        n = gr_utf8_length(text + i, length - i);
        if (n == 0 || (c < 0x20 && c != '\t' && c != '\n' && c != '\r'))
            return false;
    }
    return true;
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
}

void gr_text_list(const char *const *words, size_t n, char *out, size_t size) {
    size_t at = 0;
    *out = '\0';
    for (size_t k = 0; k < n && at < size; k++) {
        const char *between = k == 0 ? "" : k + 1 < n ? ", " : " or ";
        at += (size_t)snprintf(out + at, size - at, "%s%s", between, words[k]);
    }
}
