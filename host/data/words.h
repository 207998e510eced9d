/* Words of a column as numbers: the most frequent is 0, equally frequent ones in their alphabet. */
#ifndef GRAMPUS_WORDS_H
#define GRAMPUS_WORDS_H

#include <stddef.h>
#include <stdint.h>

typedef struct gr_words_entry {
    char *text;
    uint64_t times;
    uint32_t number;
} gr_words_entry;

typedef struct gr_words_of_column {
    gr_words_entry *entry; /* [count], by text */
    uint32_t count;
} gr_words_of_column;

enum { GR_MOST_WORDS = 65535 };

/* Counts the word [at, end). 0: no memory, or more than GR_MOST_WORDS different ones. */
int gr_words_add(gr_words_of_column *words, const char *at, const char *end);
/* Numbers the words. */
void gr_words_number(gr_words_of_column *words);
/* Number of a word, -1 when it is none of them. */
int64_t gr_words_find(const gr_words_of_column *words, const char *at, const char *end);
void gr_words_free(gr_words_of_column *words);

#endif
