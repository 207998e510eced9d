#include "host/table/column_words.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

static int compare_texts(const void *a, const void *b) {
    const gr_column_word *x = a, *y = b;
    int order = memcmp(x->text, y->text, x->length < y->length ? x->length : y->length);
    return order ? order : (x->length > y->length) - (x->length < y->length);
}

static gr_column_word *entry_of(const gr_column_words *words, const char *at, const char *end) {
    const gr_column_word key = {0, 0, at, (size_t)(end - at)};
    gr_column_word *const *found = tfind(&key, &words->tree, compare_texts);
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

int gr_column_words_add(gr_column_words *words, const char *at, const char *end) {
    gr_column_word *entry = entry_of(words, at, end);
    size_t length = (size_t)(end - at);
    if (entry) {
        entry->times++;
        return 1;
    }
    if (words->count == GR_MOST_WORDS || !make_room(words) ||
        !(entry = malloc(sizeof *entry + length + 1)))
        return 0;
    char *text = (char *)(entry + 1);
    if (length)
        memcpy(text, at, length);
    text[length] = '\0';
    *entry = (gr_column_word){1, 0, text, length};
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

int64_t gr_column_words_find(const gr_column_words *words, const char *at, const char *end) {
    const gr_column_word *entry = entry_of(words, at, end);
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
