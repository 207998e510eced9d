#include "host/data/proteins.h"

#include "gpu/core/base/rng.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { ACIDS = 20 };
static const char letters[ACIDS + 1] = "ACDEFGHIKLMNPQRSTVWY";

static gr_status name_acids(gr_dataset *set, gr_error *error) {
    for (uint32_t i = 0; i < ACIDS; i++) {
        char name[2] = {letters[i], '\0'};
        set->names[i] = strdup(name);
        if (!set->names[i])
            return gr_fail(error, GR_NO_MEMORY, "no memory for proteins");
    }
    set->target_name = strdup("positive");
    return set->target_name ? GR_OK : gr_fail(error, GR_NO_MEMORY, "no memory for proteins");
}

/* ---- FASTA ---- */

/* Adds one letter of a sequence. B is D or N, Z is E or Q: half of each (Langdon 2007). X and signs
 * for gaps say nothing. 0: no letter of a sequence. */
static int count_letter(char c, float count[ACIDS]) {
    char upper = c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
    const char *at = strchr(letters, upper), *pair = upper == 'B' ? "DN" : upper == 'Z' ? "EQ" : "";
    if (upper == '\0' || strchr("XUO*-. \t\r\n", upper))
        return upper != '\0';
    for (; *pair; pair++)
        count[strchr(letters, *pair) - letters] += 0.5f;
    if (at)
        count[at - letters] += 1.0f;
    return at || upper == 'B' || upper == 'Z';
}

/* Proteins in the order of the file: rows of counts, the label last. */
typedef struct proteins {
    float (*row)[ACIDS + 1];
    uint64_t count, capacity;
} proteins;

static gr_status add_protein(proteins *all, float label, const char *path, gr_error *error) {
    if (all->count == all->capacity) {
        uint64_t capacity = all->capacity ? 2 * all->capacity : 1024;
        void *more = realloc(all->row, capacity * sizeof *all->row);
        if (!more)
            return gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", path);
        all->row = more;
        all->capacity = capacity;
    }
    memset(all->row[all->count], 0, sizeof *all->row);
    all->row[all->count++][ACIDS] = label;
    return GR_OK;
}

static gr_status read_line(const char *line, const char *path, uint64_t number, const char *word,
                           proteins *all, gr_error *error) {
    if (*line == '>')
        return add_protein(all, strstr(line, word) ? 1.0f : 0.0f, path, error);
    for (const char *c = line; *c; c++)
        if (!all->count || !count_letter(*c, all->row[all->count - 1])) {
            if (strchr(" \t\r\n", *c))
                continue;
            return gr_fail(error, GR_BAD_INPUT, "%s:%llu:%zu: '%c'; expected %s", path,
                           (unsigned long long)number, (size_t)(c - line) + 1, *c,
                           all->count ? "letters of amino acids" : "'>' and a header");
        }
    return GR_OK;
}

static gr_status read_fasta(const char *path, const char *word, gr_dataset *set, gr_error *error) {
    enum { LONGEST = 1 << 20 };
    gzFile file = gzopen(path, "r");
    char *line = malloc(LONGEST);
    proteins all = {0};
    gr_status status = GR_OK;
    if (!file)
        status = gr_fail(error, GR_BAD_INPUT, "cannot open %s: %s", path, strerror(errno));
    else if (!line)
        status = gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", path);
    for (uint64_t number = 1; !status && gzgets(file, line, LONGEST); number++)
        status = read_line(line, path, number, word, &all, error);
    if (!status && !all.count)
        status =
            gr_fail(error, GR_BAD_INPUT, "%s: no sequence; expected FASTA, '>' and a header", path);
    if (!status)
        status = gr_dataset_allocate(set, ACIDS, all.count, 0, error);
    if (!status)
        status = name_acids(set, error);
    for (uint64_t c = 0; !status && c < all.count; c++) {
        for (uint32_t i = 0; i < ACIDS; i++)
            set->x[i * all.count + c] = all.row[c][i];
        set->y[c] = all.row[c][ACIDS];
    }
    free(all.row);
    free(line);
    if (file)
        gzclose(file);
    return status;
}

/* ---- look-alikes ---- */

/* Mean shares of the amino acids in proteins at large, per mille, and how much more or less of each
 * the positive class has: nuclear proteins are rich in K, R, S and poor in hydrophobic ones. */
static const double usual[ACIDS] = {83, 14, 54, 67, 39, 71, 23, 59, 58, 97,
                                    24, 41, 47, 39, 55, 66, 53, 69, 11, 29};
static const double extra[ACIDS] = {-4, 1, 1, 5, -5, -7, 2,  -9,  9,  -7,
                                    0,  3, 6, 6, 6,  13, -1, -12, -2, -5};

typedef struct dice {
    gr_block block;
    uint32_t drawn, which, index, seed[2];
} dice;

static double uniform(dice *d) {
    if (d->drawn % 4 == 0)
        d->block = gr_philox(d->drawn / 4, d->index, 16 + d->which,
                             gr_purpose_word(GR_PURPOSE_DATA, 0), d->seed[0], d->seed[1]);
    return ((double)d->block.word[d->drawn++ % 4] + 0.5) * 0x1p-32;
}

static double normal(dice *d) {
    double u = uniform(d), v = uniform(d);
    return sqrt(-2.0 * log(u)) * cos(2.0 * M_PI * v);
}

/* One protein: its length log-normal about 350, its shares spread about those of its class, its
 * counts whole. */
static float make_protein(dice *d, float count[ACIDS]) {
    int positive = uniform(d) < 0.45;
    double length = exp(5.8 + 0.6 * normal(d)), share[ACIDS], sum = 0.0;
    length = length < 40 ? 40 : length > 3000 ? 3000 : floor(length);
    for (uint32_t i = 0; i < ACIDS; i++) {
        double mean = usual[i] + (positive ? 0.5 : -0.5) * extra[i];
        share[i] = mean * exp(0.3 * normal(d));
        sum += share[i];
    }
    for (uint32_t i = 0; i < ACIDS; i++)
        count[i] = (float)floor(length * share[i] / sum + uniform(d));
    return positive ? 1.0f : 0.0f;
}

static gr_status make_set(const gr_settings *s, uint32_t which, uint64_t cases, gr_dataset *set,
                          gr_error *error) {
    gr_status status = gr_dataset_allocate(set, ACIDS, cases, 0, error);
    if (!status)
        status = name_acids(set, error);
    for (uint64_t c = 0; !status && c < cases; c++) {
        float count[ACIDS];
        dice d = {.which = which, .index = (uint32_t)c};
        d.seed[0] = (uint32_t)s->data_seed;
        d.seed[1] = (uint32_t)(s->data_seed >> 32);
        set->y[c] = make_protein(&d, count);
        for (uint32_t i = 0; i < ACIDS; i++)
            set->x[i * cases + c] = count[i];
    }
    return status;
}

gr_status gr_make_proteins(const gr_settings *s, gr_dataset *train, gr_dataset *test,
                           gr_error *error) {
    gr_status status;
    *train = *test = (gr_dataset){0};
    if (*s->sequences) {
        status = read_fasta(s->sequences, s->positive, train, error);
        if (!status && *s->test_sequences)
            status = read_fasta(s->test_sequences, s->positive, test, error);
    } else {
        status = make_set(s, 0, s->train_cases ? s->train_cases : 1213, train, error);
        if (!status && s->test_cases)
            status = make_set(s, 1, s->test_cases, test, error);
    }
    if (status) {
        gr_dataset_free(train);
        gr_dataset_free(test);
    }
    return status;
}
