#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* tdestroy */
#endif
#include "host/data/dataset.h"

#include "host/base/text.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_reserved(const char *name) {
    static const char *const words[] = {"and", "or", "not", "nand", "nor", "xor", "True", "False"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(name, words[i]) == 0)
            return true;
    return false;
}

bool gr_dataset_is_name(const char *name) {
    size_t length = strlen(name);
    return length && gr_text_name(name, length) == length && !is_reserved(name);
}

/* The nearest identifier: other characters become '_'. malloc'ed. */
static char *make_identifier(const char *name, uint32_t column) {
    size_t n = 0, size = strlen(name) + 32;
    char *out = malloc(size);
    if (!out)
        return NULL;
    if (!*name)
        snprintf(out, size, "column_%lu", (unsigned long)column + 1);
    else {
        if (*name >= '0' && *name <= '9')
            out[n++] = '_';
        for (size_t left = strlen(name), bytes; left; name += bytes, left -= bytes) {
            bytes = gr_text_name_character(name, left, false);
            memcpy(out + n, name, bytes);
            n += bytes;
            if (!bytes && ((unsigned char)*name & 0xc0) != 0x80)
                out[n++] = '_'; /* one for a character of several bytes */
            bytes += !bytes;
        }
        out[n] = '\0';
        if (is_reserved(out))
            strcpy(out + n, "_");
    }
    return out;
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Whether a name stands twice; sorting keeps wide tables fast. */
static bool has_twins(char *const *names, uint32_t count) {
    char **sorted = malloc((count + 1) * sizeof *sorted);
    bool twins = !sorted; /* then the slow way decides */
    if (sorted) {
        memcpy(sorted, names, count * sizeof *sorted);
        qsort(sorted, count, sizeof *sorted, compare_names);
    }
    for (uint32_t i = 1; sorted && i < count; i++)
        twins = twins || strcmp(sorted[i - 1], sorted[i]) == 0;
    free(sorted);
    return twins;
}

static int compare_texts(const void *a, const void *b) {
    return strcmp(a, b);
}

static void keep_text(void *text) {
    (void)text;
}

/* Another name for names[i], which is none of `all`: its own with a number behind it. */
static char *another_name(const char *name, uint32_t number, void *const *all) {
    size_t size = strlen(name) + 16;
    char *other = malloc(size);
    if (other)
        do
            snprintf(other, size, "%s_%lu", name, (unsigned long)number++);
        while (tfind(other, all, compare_texts));
    return other;
}

/* Whose name is as it was given keeps it: of 'a b' and a_b the second is a_b to a grammar. */
static bool keep_own_names(char **names, uint32_t count, const char *const *given,
                           const uint32_t *column, void **kept) {
    bool good = true;
    for (uint32_t i = 0; i < count && good; i++)
        if (strcmp(given[column ? column[i] : i], names[i]) == 0)
            good = tsearch(names[i], kept, compare_texts) != NULL;
    return good;
}

/* a, a, a becomes a, a_2, a_3: the number of the input, or the next free one. */
static bool separate_twins(char **names, uint32_t count, const char *const *given,
                           const uint32_t *column) {
    void *all = NULL, *kept = NULL; /* trees of search.h; who is in both is so by the same text */
    bool good = keep_own_names(names, count, given, column, &all) &&
                keep_own_names(names, count, given, column, &kept);
    for (uint32_t i = 0; i < count && good; i++)
        good = tsearch(names[i], &all, compare_texts) != NULL;
    for (uint32_t i = 0; i < count && good; i++) {
        char *const *owner = tsearch(names[i], &kept, compare_texts);
        good = owner != NULL;
        if (!good || *owner == names[i])
            continue;
        char *name = another_name(names[i], i + 1, &all);
        good = name && tsearch(name, &all, compare_texts) && tsearch(name, &kept, compare_texts);
        if (name) { /* the old one is a twin, which no tree has */
            free(names[i]);
            names[i] = name;
        }
    }
    tdestroy(all, keep_text);
    tdestroy(kept, keep_text);
    return good;
}

bool gr_dataset_name_inputs(gr_dataset *set, const char *const *names, const uint32_t *column) {
    for (uint32_t i = 0; i < set->inputs; i++) {
        char plain[24];
        uint32_t k = column ? column[i] : i;
        snprintf(plain, sizeof plain, "x%lu", (unsigned long)i);
        set->names[i] = names ? make_identifier(names[k], k) : strdup(plain);
        if (!set->names[i])
            return false;
    }
    return !names || !has_twins(set->names, set->inputs) ||
           separate_twins(set->names, set->inputs, names, column);
}
