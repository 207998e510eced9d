/* Fitness cases in memory: columns of floats, or words of 32 Boolean cases. */
#ifndef GRAMPUS_DATASET_H
#define GRAMPUS_DATASET_H

#include "host/settings/settings.h"
#include "host/table/table.h"

/* The words of a column, by number. */
enum { GR_MOST_KNOWN_WORDS = 1000 };
typedef struct gr_known_words {
    char **word; /* [count], as they are printed */
    uint32_t count;
} gr_known_words;

typedef struct gr_dataset {
    uint32_t inputs;
    uint64_t cases; /* 0: no such set (no test data) */
    char **names;   /* [inputs], identifiers, all different */
    char *target_name;
    char **labels; /* [label_count] words of the target, by number; NULL: it has none */
    uint32_t label_count;
    /* [knowing] of the first inputs, of training cases; of one that has more than
     * GR_MOST_KNOWN_WORDS none; NULL: they are not read as words */
    gr_known_words *known;
    uint32_t knowing;
    /* CRC-32 of the text of `data` where numbers of words or classes depend on all of it; 0: not
     * taken */
    uint32_t checksum;
    float *x;        /* [inputs][cases]; NULL where the tiles hold them */
    float *y;        /* [cases]; NULL without a target */
    float *w;        /* [cases] weights of the cases, above 0; NULL: they have none */
    double heaviest; /* the largest weight of a file, where all of them are 0 as floats */
    /* precision: double: the numbers as they were read, dx in place of x, dy beside y */
    int doubles;
    double *dx, *dy;
    /* The same as a backend takes it, [chunks][inputs + 1][GR_CHUNK], words when packed, the target
     * last (zeros without one), then the weights where there are some, zeros behind the last case;
     * doubles where there are these; NULL: not laid out yet. */
    float *tiles;
    int packed;
    uint64_t words;    /* packed: (cases + 31) / 32; bits past the last case are 0 */
    uint32_t *wx, *wy; /* packed: [inputs][words], [words]; x and y are NULL then; wx as x */
    size_t most;       /* bytes of memory that were taken at a time while it was read, and what was
                        * read with it; 0: no more than it takes now */
    char *notes; /* what the user should know (renamed columns), one line each; NULL: nothing */
} gr_dataset;

enum { GR_MOST_CASES = 1 << 30 };

void gr_dataset_free(gr_dataset *set);

/* Allocates `inputs` columns (names NULL) and a target, zeroed, if there is memory for them and for
 * tiles of them. */
gr_status gr_dataset_allocate(gr_dataset *set, uint32_t inputs, uint64_t cases, int packed,
                              gr_error *error);
/* The same with dx and dy, too, and no x. */
gr_status gr_dataset_allocate_doubles(gr_dataset *set, uint32_t inputs, uint64_t cases,
                                      gr_error *error);
/* The same with tiles in place of columns: of floats, with weights where `weighed`, or of doubles,
 * beside which there are none. The threads that fill them touch them first. */
gr_status gr_dataset_allocate_tiles(gr_dataset *set, uint32_t inputs, uint64_t cases, int weighed,
                                    gr_error *error);
gr_status gr_dataset_allocate_double_tiles(gr_dataset *set, uint32_t inputs, uint64_t cases,
                                           gr_error *error);
/* Adds weights of 1; tiles, in which they have no place, become columns again. */
gr_status gr_dataset_weigh(gr_dataset *set, gr_error *error);
/* Bytes of memory that columns and target take, and those of the tiles, there or not. */
size_t gr_dataset_bytes(const gr_dataset *set);
size_t gr_dataset_tile_bytes(const gr_dataset *set);
/* Words of a tile of the set. */
size_t gr_dataset_tile_words(const gr_dataset *set);
/* Chunks of a set. */
uint32_t gr_dataset_chunks(const gr_dataset *set);
/* Lays columns out as tiles, which then stand in their place, on at most `threads` (0: as many as
 * it is worth). */
gr_status gr_dataset_tile(gr_dataset *set, uint32_t threads, gr_error *error);
/* How many of all cases a fraction of the settings sets aside: one at least, and all are refused.
 * name: of the key; case_word: what one of them is called. */
gr_status gr_count_held_out(const gr_settings *settings, gr_key key, double fraction,
                            const char *name, uint64_t all, const char *case_word, uint64_t *count,
                            gr_error *error);
/* Moves `count` random cases of *all to *held, both in their order: those of permutation `which` of
 * a seed. Behind it both have columns. */
gr_status gr_dataset_hold_out(gr_dataset *all, uint64_t seed, uint32_t which, uint64_t count,
                              gr_dataset *held, gr_error *error);
/* The columns, [inputs][cases] or words of them, malloc'ed; NULL: no memory. */
float *gr_dataset_columns(const gr_dataset *set);
/* Columns in place of tiles. */
gr_status gr_dataset_bring_columns(gr_dataset *set, gr_error *error);
/* A number of a case as it stands in the tiles, not packed: column `inputs` is the target, the one
 * behind it the weight. */
double gr_dataset_value(const gr_dataset *set, uint32_t column, uint64_t i);
/* The target of a case. */
static inline double gr_dataset_target(const gr_dataset *set, uint64_t i) {
    return set->dy ? set->dy[i] : (double)set->y[i];
}

/* What a caller of the library hands over instead of files; the settings point at it. */
typedef struct gr_given {
    gr_dataset *train, *test; /* with tiles; taken, and empty behind; NULL: as the settings say */
    const char *grammar;      /* text of a grammar; NULL: as the settings say */
} gr_given;

/* Names the inputs: names[column[i]] of input i (column NULL: names[i]) made identifiers, all
 * different; x0, x1, ... where there are no names. False: no memory. */
bool gr_dataset_name_inputs(gr_dataset *set, const char *const *names, const uint32_t *column);

/* An identifier that the expression language does not keep for itself. */
bool gr_dataset_is_name(const char *name);

/* The tables `data` and `test-data`, split as the settings say. */
gr_status gr_dataset_load(const gr_settings *settings, gr_dataset *train, gr_dataset *test,
                          gr_error *error);

/* Another table by the columns, and the numbers of words, of the `data` of the settings; y is NULL
 * where it lacks the target. */
gr_status gr_dataset_read_alike(const gr_settings *settings, const char *path, gr_dataset *set,
                                gr_error *error);

/* One table whole (grampus eval): every column is an input; `target` (name, number or NULL) is read
 * into y as well, and `weights`, beside floats, into w, as they stand there. Without a header the
 * columns are x0, x1, ... */
gr_status gr_dataset_read(const char *path, const char *target, const char *weights, int doubles,
                          gr_dataset *set, gr_error *error);
/* The same, of inputs alone, of which some have words: known[k] those of the one called name[k]. */
gr_status gr_dataset_read_by_words(const char *path, int doubles, const char *const *name,
                                   const gr_known_words *known, uint32_t count, gr_dataset *set,
                                   gr_error *error);

#endif
