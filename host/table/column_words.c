#include "host/table/column_words.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

/* How far it is to the next character. */
static size_t step_of(const gr_column_word *word, size_t at) {
    return word->doubled && word->text[at] == '"' ? 2 : 1;
}

static int compare_doubled(const gr_column_word *x, const gr_column_word *y) {
    size_t i = 0, j = 0;
    for (; i < x->length && j < y->length; i += step_of(x, i), j += step_of(y, j))
        if (x->text[i] != y->text[j])
            return (unsigned char)x->text[i] < (unsigned char)y->text[j] ? -1 : 1;
    return (i < x->length) - (j < y->length);
}

static int compare_texts(const void *a, const void *b) {
    const gr_column_word *x = a, *y = b;
    if (x->doubled || y->doubled)
        return compare_doubled(x, y);
    int order = memcmp(x->text, y->text, x->length < y->length ? x->length : y->length);
    return order ? order : (x->length > y->length) - (x->length < y->length);
}

static gr_column_word *entry_of(const gr_column_words *words, const gr_column_word *key) {
    gr_column_word *const *found = tfind(key, &words->tree, compare_texts);
    return found ? *found : NULL;
}

static int make_room(gr_column_words *words) {
    uint32_t capacity = 2 * words->capacity + 16;
    if (words->count < words->capacity)
        return 1;
    void *more = realloc(words->entry, capacity * sizeof *words->entry);
    if (!more)
        return 0;
    words->entry = more;
    words->capacity = capacity;
    return 1;
}

int gr_column_words_add(gr_column_words *words, const char *at, const char *end, bool doubled) {
    const gr_column_word key = {0, 0, at, (size_t)(end - at), doubled};
    gr_column_word *entry = entry_of(words, &key);
    size_t length = 0;
    if (entry) {
        entry->times++;
        return 1;
    }
    if (words->count == GR_MOST_WORDS || !make_room(words) ||
        !(entry = malloc(sizeof *entry + key.length + 1)))
        return 0;
    char *text = (char *)(entry + 1);
    for (size_t k = 0; k < key.length; k += step_of(&key, k))
        text[length++] = at[k];
    text[length] = '\0';
    *entry = (gr_column_word){1, 0, text, length, false};
    if (!tsearch(entry, &words->tree, compare_texts)) {
        free(entry);
        return 0;
    }
    words->entry[words->count++] = entry;
    return 1;
}

static int compare_times(const void *a, const void *b) {
    const gr_column_word *x = *(gr_column_word *const *)a, *y = *(gr_column_word *const *)b;
    return x->times == y->times ? compare_texts(x, y) : x->times < y->times ? 1 : -1;
}

int gr_column_words_number(gr_column_words *words) {
    gr_column_word **sorted = malloc((words->count + 1) * sizeof *sorted);
    if (!sorted)
        return 0;
    if (words->count)
        memcpy(sorted, words->entry, words->count * sizeof *sorted);
    qsort(sorted, words->count, sizeof *sorted, compare_times);
    for (uint32_t k = 0; k < words->count; k++)
        sorted[k]->number = k;
    free(sorted);
    return 1;
}

int64_t gr_column_words_find(const gr_column_words *words, const char *at, const char *end,
                             bool doubled) {
    const gr_column_word key = {0, 0, at, (size_t)(end - at), doubled};
    const gr_column_word *entry = entry_of(words, &key);
    return entry ? (int64_t)entry->number : -1;
}

void gr_column_words_free(gr_column_words *words) {
    for (uint32_t i = 0; i < words->count; i++) {
        tdelete(words->entry[i], &words->tree, compare_texts);
        free(words->entry[i]);
    }
    free(words->entry);
    *words = (gr_column_words){0};
}
