#include "host/data/proteins.h"

#include "gpu/backend/memory.h"
#include "gpu/core/base/rng.h"
#include "host/base/unpack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
        gr_status status =
            gr_memory_check((double)((capacity - all->count) * sizeof *all->row), path, error);
        void *more = status ? NULL : realloc(all->row, capacity * sizeof *all->row);
        if (status)
            return status;
        if (!more)
            return gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", path);
        all->row = more;
        all->capacity = capacity;
    }
    memset(all->row[all->count], 0, sizeof *all->row);
    all->row[all->count++][ACIDS] = label;
    return GR_OK;
}

enum { LONGEST_HEADER = 1 << 16 };

/* A file on its way to proteins. */
typedef struct fasta {
    const char *path, *word; /* of positive headers */
    proteins all;
    uint64_t line;
    size_t column, length;           /* length of the header so far, 0: it is none */
    char header[LONGEST_HEADER + 1]; /* '>' included */
} fasta;

/* Letters of any script, digits and _ go on with a word. */
static int goes_on(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
           (c & 0x80);
}

/* Whether a word stands in a text by itself: "nuclear" is not in "extranuclear". */
static int has_word(const char *text, const char *word) {
    size_t length = strlen(word);
    for (const char *at = text; length && (at = strstr(at, word)); at++) {
        int before = at > text && goes_on(at[-1]) && goes_on(*word);
        int behind = goes_on(at[length]) && goes_on(word[length - 1]);
        if (!before && !behind)
            return 1;
    }
    return 0;
}

static void end_header(fasta *f) {
    f->header[f->length] = '\0';
    if (f->length && has_word(f->header, f->word))
        f->all.row[f->all.count - 1][ACIDS] = 1.0f;
    f->length = 0;
}

static gr_status unexpected(const fasta *f, char c, gr_error *error) {
    char what[32] = "a NUL character";
    if (c)
        snprintf(what, sizeof what, "'%c'", c);
    return gr_fail(error, GR_BAD_INPUT, "%s:%llu:%zu: %s; expected %s", f->path,
                   (unsigned long long)f->line, f->column, what,
                   f->all.count ? "letters of amino acids" : "'>' and a header");
}

static gr_status take_byte(fasta *f, char c, gr_error *error) {
    f->column++;
    if (c == '\n') {
        end_header(f);
        f->line++;
        f->column = 0;
        return GR_OK;
    }
    if (f->column == 1 && c == '>') {
        f->header[f->length++] = c;
        return add_protein(&f->all, 0.0f, f->path, error);
    }
    if (f->length == LONGEST_HEADER)
        return gr_fail(error, GR_BAD_INPUT,
                       "%s:%llu:%zu: a header of more than %d bytes; expected a shorter one",
                       f->path, (unsigned long long)f->line, f->column, LONGEST_HEADER);
    if (f->length && f->header[f->length - 1] == '\r' &&
        c != '\r') /* all of the file would be a header */
        return gr_fail(error, GR_BAD_INPUT,
                       "%s:%llu:%zu: a carriage return without a line feed; expected line feeds",
                       f->path, (unsigned long long)f->line, f->column - 1);
    if (f->length && c) {
        f->header[f->length++] = c;
        return GR_OK;
    }
    if (!f->length && f->all.count && count_letter(c, f->all.row[f->all.count - 1]))
        return GR_OK;
    return c && strchr(" \t\r", c) ? GR_OK : unexpected(f, c, error);
}

/* All bytes of the file, plain or gzip. */
static gr_status read_file(fasta *f, gr_error *error) {
    char bytes[1 << 14];
    size_t got = 0;
    gr_unpacker *from;
    gr_status status = gr_unpack_open(f->path, "FASTA", &from, error);
    do {
        if (!status)
            status = gr_unpack_read(from, bytes, sizeof bytes, &got, error);
        for (size_t k = 0; !status && k < got; k++)
            status = take_byte(f, bytes[k], error);
    } while (!status && got);
    gr_unpack_close(from);
    if (!status && !f->all.count)
        return gr_fail(error, GR_BAD_INPUT, "%s: no sequence; expected FASTA, '>' and a header",
                       f->path);
    end_header(f);
    return status;
}

static gr_status read_fasta(const char *path, const char *word, gr_dataset *set, gr_error *error) {
    fasta *f = calloc(1, sizeof *f);
    if (!f)
        return gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", path);
    f->path = path;
    f->word = word;
    f->line = 1;
    gr_status status = read_file(f, error);
    const proteins *all = &f->all;
    if (!status)
        status = gr_dataset_allocate(set, ACIDS, all->count, 0, error);
    if (!status)
        status = name_acids(set, error);
    for (uint64_t c = 0; !status && c < all->count; c++) {
        for (uint32_t i = 0; i < ACIDS; i++)
            set->x[i * all->count + c] = all->row[c][i];
        set->y[c] = all->row[c][ACIDS];
    }
    free(f->all.row);
    free(f);
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
