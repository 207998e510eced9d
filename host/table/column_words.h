/* Words of a column as numbers: the most frequent is 0, equally frequent ones in their alphabet. */
#ifndef GRAMPUS_COLUMN_WORDS_H
#define GRAMPUS_COLUMN_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gr_column_word {
    uint64_t times;
    uint32_t number;
    const char *text; /* a NUL behind it */
    size_t length;
    bool doubled; /* of one that is looked for: "" in it is a quote */
} gr_column_word;

typedef struct gr_column_words {
    gr_column_word **entry; /* [count], in the order they came */
    uint32_t count, capacity;
    void *tree; /* of search.h, by text */
} gr_column_words;

enum { GR_MOST_WORDS = 65535 };

/* Counts the word [at, end), in which "" is a quote if `doubled`. 0: no memory, or more than
 * GR_MOST_WORDS different ones. */
int gr_column_words_add(gr_column_words *words, const char *at, const char *end, bool doubled);
/* Numbers the words. 0: no memory. */
int gr_column_words_number(gr_column_words *words);
/* Number of a word, -1 when it is none of them. */
int64_t gr_column_words_find(const gr_column_words *words, const char *at, const char *end,
                             bool doubled);
void gr_column_words_free(gr_column_words *words);

#endif
