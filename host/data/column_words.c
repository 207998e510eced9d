#include "host/data/column_words.h"

#include <stdlib.h>
#include <string.h>

static int compare(const char *text, const char *at, size_t n) {
    int order = strncmp(text, at, n);
    return order ? order : text[n] != '\0';
}

/* The first entry that is not before [at, end). */
static uint32_t lower_bound(const gr_column_words *words, const char *at, const char *end) {
    uint32_t low = 0, high = words->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (compare(words->entry[middle].text, at, (size_t)(end - at)) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static gr_column_word *entry_of(const gr_column_words *words, const char *at, const char *end,
                                uint32_t *at_entry) {
    *at_entry = lower_bound(words, at, end);
    gr_column_word *entry = words->entry + *at_entry;
    return *at_entry < words->count && compare(entry->text, at, (size_t)(end - at)) == 0 ? entry
                                                                                         : NULL;
}

int gr_column_words_add(gr_column_words *words, const char *at, const char *end) {
    uint32_t at_entry;
    gr_column_word *entry = entry_of(words, at, end, &at_entry);
    if (entry) {
        entry->times++;
        return 1;
    }
    if (words->count == GR_MOST_WORDS)
        return 0;
    gr_column_word *more = realloc(words->entry, (words->count + 1) * sizeof *more);
    char *text = strndup(at, (size_t)(end - at));
    words->entry = more ? more : words->entry;
    if (!more || !text) {
        free(text);
        return 0;
    }
    memmove(more + at_entry + 1, more + at_entry, (words->count - at_entry) * sizeof *more);
    more[at_entry] = (gr_column_word){text, 1, 0};
    words->count++;
    return 1;
}

void gr_column_words_number(gr_column_words *words) {
    for (uint32_t i = 0; i < words->count; i++) {
        uint32_t before = 0; /* few words: count those that come first */
        for (uint32_t k = 0; k < words->count; k++)
            before += words->entry[k].times > words->entry[i].times ||
                      (words->entry[k].times == words->entry[i].times && k < i);
        words->entry[i].number = before;
    }
}

int64_t gr_column_words_find(const gr_column_words *words, const char *at, const char *end) {
    uint32_t at_entry;
    const gr_column_word *entry = entry_of(words, at, end, &at_entry);
    return entry ? (int64_t)entry->number : -1;
}

void gr_column_words_free(gr_column_words *words) {
    for (uint32_t i = 0; i < words->count; i++)
        free(words->entry[i].text);
    free(words->entry);
    *words = (gr_column_words){0};
}
