/* Any bytes as a FASTA file. What is read is what a second reader finds, line by line. */
#include "tests/fuzz/files.h"

#include "host/data/proteins.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition) {
    if (!condition)
        abort();
}

/* ---- the second reader ---- */

static const char acids[] = "ACDEFGHIKLMNPQRSTVWY";

static void count_line(const char *line, size_t length, float count[20]) {
    for (size_t k = 0; k < length; k++) {
        char c = line[k] >= 'a' && line[k] <= 'z' ? (char)(line[k] - 32) : line[k];
        const char *halves = c == 'B' ? "DN" : c == 'Z' ? "EQ" : "";
        for (int i = 0; i < 20; i++)
            count[i] += acids[i] == c ? 1.0f : strchr(halves, acids[i]) && *halves ? 0.5f : 0.0f;
    }
}

/* Of a word: ASCII letters and digits, _, and every byte of another script. */
static int is_of_word(char c) {
    return c && (strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", c) ||
                 (unsigned char)c >= 128);
}

/* Whether a word stands in a line by itself. */
static int stands_in(const char *line, size_t length, const char *word) {
    size_t own = strlen(word);
    for (size_t at = 0; at + own <= length; at++)
        if (memcmp(line + at, word, own) == 0 && !(at && is_of_word(line[at - 1])) &&
            !(at + own < length && is_of_word(line[at + own])))
            return 1;
    return 0;
}

/* Holds the set to the text. */
static void compare(const gr_dataset *set, const char *text, size_t size, const char *word) {
    uint64_t cases = 0;
    float(*count)[20] = calloc(set->cases + 1, sizeof *count), *label = calloc(set->cases + 1, 4);
    for (const char *line = text; line < text + size;) {
        const char *end = memchr(line, '\n', (size_t)(text + size - line));
        end = end ? end : text + size;
        if (*line == '>') {
            require(cases < set->cases);
            label[cases++] = stands_in(line, (size_t)(end - line), word) ? 1.0f : 0.0f;
        } else if (cases)
            count_line(line, (size_t)(end - line), count[cases - 1]);
        line = end + 1;
    }
    require(cases == set->cases);
    for (uint64_t c = 0; c < cases; c++) {
        require(set->y[c] == label[c]);
        for (int i = 0; i < 20; i++)
            require(set->x[(uint64_t)i * cases + c] == count[c][i]);
    }
    free(count);
    free(label);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    gr_settings settings;
    gr_dataset train, test;
    gr_error error = {GR_OK, ""};
    char path[64];
    int file = make_file(data, size, path);
    require(gr_settings_init(&settings, &error) == GR_OK);
    require(gr_settings_set(&settings, "sequences", path, &error) == GR_OK);
    require(gr_settings_set(&settings, "positive", "nuclear", &error) == GR_OK);
    gr_status status = gr_make_proteins(&settings, &train, &test, &error);
    require(status == GR_OK || (status == GR_BAD_INPUT && error.text[0]));
    require(!strchr(error.text, '\n'));
    if (!status && (size < 2 || data[0] != 0x1f || data[1] != 0x8b))
        compare(&train, (const char *)data, size, "nuclear");
    gr_dataset_free(&train);
    gr_dataset_free(&test);
    gr_settings_free(&settings);
    close(file);
    return 0;
}
