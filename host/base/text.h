/* Small helpers for text that people write: numbers in the C locale whatever the program's is, and
 * near misses. */
#ifndef GRAMPUS_TEXT_H
#define GRAMPUS_TEXT_H

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>

/* For uselocale, where a thread prints numbers. */
locale_t gr_text_c_locale(void);
/* strtod and strtof with a decimal point in every locale. */
double gr_text_double(const char *text, char **end);
float gr_text_float(const char *text, char **end);
/* At most so many digits, as %.*g has it, but a NaN is `nan`: its sign is the processor's, and not
 * everybody reads `-nan`. */
void gr_text_print_digits(double value, int digits, char out[32]);
/* The shortest decimal that reads back as the same double. */
void gr_text_print_double(double value, char out[32]);
/* The shortest decimal that reads back as the same float. */
void gr_text_print_float(float value, char out[32]);

/* Bytes of the byte order mark that a text begins with as editors of Windows write it: 3, or 0. */
size_t gr_text_mark(const char *text, size_t length);
/* UTF-8 without control characters other than white space. */
bool gr_text_is_clean(const char *text, size_t length);
/* Cuts white space at both ends, turns the rest of it into blanks; returns the first character
 * left. */
char *gr_text_trim(char *text);

/* Lists with commas. Where the item that begins here ends: at a comma, or the end of the text. In
 * double quotes an item may hold commas, and "" in it is a quote. */
const char *gr_text_item_end(const char *item);
/* Cuts the next item out of the list, trimmed and without its quotes; NULL: there is none. *rest
 * moves behind it. */
char *gr_text_next_item(char **rest);
/* An item as it is typed in such a list: in quotes where it would be read as another. One that has
 * no room is cut. */
void gr_text_print_item(const char *item, char *out, size_t size);

/* Bytes of the character at text[0, left) if it may stand in a name, otherwise 0: letters of every
 * script, '_' and, but as the first one, digits. No signs: those beyond ASCII, as a minus, a degree
 * or a superscript, are none either. */
size_t gr_text_name_character(const char *text, size_t left, bool first);
/* Bytes of the name that text[0, left) begins with; 0: there is none. */
size_t gr_text_name(const char *text, size_t left);

/* Characters that begin in so many bytes of UTF-8: columns in messages count them. */
size_t gr_text_characters(const char *text, size_t bytes);
/* How many of the first `most` bytes are whole characters of UTF-8: the precision of a "%.*s". */
int gr_text_room(const char *text, int most);
/* The same of a text of so many bytes that no NUL need end. */
static inline int gr_text_fits(const char *text, size_t bytes, int most) {
    return bytes <= (size_t)most ? (int)bytes : gr_text_room(text, most);
}
/* The two arguments of a "%.*s": text of a user in a message, of which no character is cut in two.
 */
#define GR_CUT(text, most) gr_text_room(text, most), (text)
enum { GR_PATH_SHOWN = 700 }; /* bytes of a path, which leave room for what is wrong with it */
/* "results/rates.0.5.yaml" to "rates.0.5", what a run of that file is called: without folders and
 * the last ending, .gz not counted. Empty where that leaves no text, as of ".yaml" and of names
 * that are not UTF-8; one that has no room ends with a whole character. */
void gr_text_stem(const char *path, char *out, size_t size);
/* The ending of a noun behind its count: "1 run", "2 runs". */
static inline const char *gr_s(unsigned long long count) {
    return count == 1 ? "" : "s";
}
/* "a, b or c" of n words. */
void gr_text_list(const char *const *words, size_t n, char *out, size_t size);

/* The nearest of several candidates to a word somebody mistyped. Start with {0}; `best` stays NULL
 * when nothing is near. */
typedef struct gr_nearest {
    const char *best;
    size_t distance;
} gr_nearest;
void gr_nearest_try(gr_nearest *nearest, const char *word, const char *candidate);

#endif
