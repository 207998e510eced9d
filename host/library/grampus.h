/* Grampus as a C library: evolve programs on the GPU, or on the CPU where there is none, with the
 * same result.
 *
 * Handles are opaque. Every function that can fail returns a grampus_status and writes the reason,
 * one line, into the grampus_error it is given (NULL: not wanted). Nothing a caller can see is
 * shared between handles: different ones may be used by different threads at once, one handle by
 * one thread at a time (grampus_run_stop excepted). Nothing is printed and nothing exits. Sizes are
 * counted in elements unless they say bytes, times in seconds. Text is UTF-8 and ends with a NUL.
 * (Inside, the GPU's constant memory belongs to the whole process: the first run that is open has
 * its grammar there, others read theirs from global memory. No result depends on it.)
 *
 *     grampus_error error;
 *     grampus_settings *settings = NULL;
 *     grampus_run *run = NULL;
 *     grampus_best best = {0};
 *     int finished = 0;
 *     int bad = grampus_settings_new(&settings, &error) ||
 *               grampus_settings_load(settings, "problems/nguyen-1.yaml", &error) ||
 *               grampus_settings_set(settings, "population", "500", &error) ||
 *               grampus_run_open(settings, &run, &error);
 *     while (!bad && !finished) // an epoch a call
 *         bad = grampus_run_advance(run, NULL, NULL, &finished, &error);
 *     bad = bad || grampus_run_best(run, 0, &best, &error);
 *     puts(bad ? error.text : best.infix ? best.infix : "no individual was valid");
 *     grampus_best_free(&best);
 *     grampus_run_close(run);
 *     grampus_settings_free(settings);
 */
#ifndef GRAMPUS_H
#define GRAMPUS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GRAMPUS_VERSION "0.1.0"
#define GRAMPUS_API __attribute__((visibility("default")))

/* Also the exit codes of the program. */
typedef enum grampus_status {
    GRAMPUS_OK = 0,
    GRAMPUS_FAILED = 1,       /* run-time failure */
    GRAMPUS_BAD_INPUT = 2,    /* wrong use or bad input */
    GRAMPUS_STOPPED = 3,      /* stopped on request */
    GRAMPUS_NO_MEMORY = 4,    /* does not fit; the text has the numbers */
    GRAMPUS_DEVICE_FAILED = 5 /* no device, or it failed */
} grampus_status;

/* The last error of a call it was given to. The caller owns it; a call that succeeds leaves it as
 * it is. */
typedef struct grampus_error {
    grampus_status status;
    char text[1024];
} grampus_error;

/* The version of the library that is linked, GRAMPUS_VERSION when it was compiled. */
GRAMPUS_API const char *grampus_version(void);

/* ---- settings ---- */

/* The settings of a run, by the keys of run files (grampus run --help lists them). */
typedef struct grampus_settings grampus_settings;

/* Defaults. GRAMPUS_NO_MEMORY leaves *settings NULL. */
GRAMPUS_API grampus_status grampus_settings_new(grampus_settings **settings, grampus_error *error);
/* Reads a run file over the settings that are there. Paths in it are relative to its folder.
 * GRAMPUS_BAD_INPUT names file, line and column of what is wrong. */
GRAMPUS_API grampus_status grampus_settings_load(grampus_settings *settings, const char *path,
                                                 grampus_error *error);
/* Sets one value from text, written as in a run file. GRAMPUS_BAD_INPUT: no such key, or no value
 * of it. Whether the settings fit each other is checked by grampus_run_open. */
GRAMPUS_API grampus_status grampus_settings_set(grampus_settings *settings, const char *key,
                                                const char *value, grampus_error *error);
/* Copies a value as text into value[size]; GRAMPUS_FAILED when it does not fit. */
GRAMPUS_API grampus_status grampus_settings_get(const grampus_settings *settings, const char *key,
                                                char *value, size_t size, grampus_error *error);
GRAMPUS_API void grampus_settings_free(grampus_settings *settings); /* NULL is fine */

/* ---- runs ---- */

typedef struct grampus_run grampus_run;

/* One generation of one run of the batch. Fitness has the metric's own unit and direction; the
 * worst fitness is an infinity; NaN is no value (no test cases, no valid individual). */
typedef struct grampus_generation {
    uint32_t run;        /* 0 .. runs - 1 */
    uint32_t generation; /* 0: the initial population */
    double best, mean;   /* training fitness in this generation; the mean over finite ones */
    double best_ever;    /* training fitness of the best so far, */
    double test;         /* its test fitness */
    uint32_t individuals, valid;
    double mean_length, mean_nodes, mean_depth; /* codons or nodes; expression nodes; depth */
    uint32_t best_nodes, best_depth;            /* of this generation's best */
    double executed;                            /* nodes x fitness cases it took to evaluate it */
    double seconds;                             /* since grampus_run_open */
} grampus_generation;

/* The best individual of one run. The pointers belong to it until grampus_best_free. */
typedef struct grampus_best {
    uint32_t run, generation; /* found in this generation */
    uint64_t seed;            /* of this run alone */
    double train, test;       /* fitness; test is NaN without test cases */
    int solved; /* target-fitness was set and reached; once the run is finished, also by `train` and
                   `test` computed again in double from the outputs of the expression */
    uint32_t nodes, depth;
    double intercept, slope; /* of linear scaling: intercept + slope * output; otherwise 0 and 1 */
    const char *infix;       /* the expression; NULL when no individual was ever valid */
    const char *phenotype;   /* grammars: the sentence; trees: as infix */
    const uint32_t *genome;  /* [genome_length] codons; NULL for trees */
    uint32_t genome_length, used_codons;
} grampus_best;

typedef struct grampus_info {
    char device[128];  /* "NVIDIA H200", "CPU, 8 threads, AVX2" */
    char why[256];     /* why this device */
    char memory[1024]; /* the memory plan, one line */
    size_t memory_bytes;
    uint32_t runs, generation;                /* generation selected last */
    double executed;                          /* nodes x fitness cases, all generations */
    double seconds;                           /* spent evolving */
    uint64_t uploaded, telemetry, downloaded; /* bytes between host and device */
    int stopped;                              /* ended by grampus_run_stop before it was done */
} grampus_info;

/* Called inside grampus_run_advance, in rising order of generation and run. The generation is only
 * valid during the call; calling grampus_run_stop is all that may be done with the run in there. */
typedef void grampus_on_generation(void *context, const grampus_generation *generation);

/* Reads and checks everything the settings name, plans the memory and uploads the data; the initial
 * population is made by the first grampus_run_advance. The settings are copied and may be freed or
 * changed afterwards. GRAMPUS_BAD_INPUT: a setting or a file is wrong; GRAMPUS_NO_MEMORY: the run
 * does not fit; GRAMPUS_DEVICE_FAILED: the device asked for cannot be used. *run is NULL then. */
GRAMPUS_API grampus_status grampus_run_open(const grampus_settings *settings, grampus_run **run,
                                            grampus_error *error);
/* Evolves for one epoch (setting `epoch`, in generations). *finished becomes 1 when nothing is left
 * to do; do not call it again then. callback may be NULL. GRAMPUS_DEVICE_FAILED when the device
 * fails: the run can then only be closed. */
GRAMPUS_API grampus_status grampus_run_advance(grampus_run *run, grampus_on_generation *callback,
                                               void *context, int *finished, grampus_error *error);
/* Ends the run: on the CPU with the last complete generation, on a GPU with the next one. Before
 * the first one is complete there is no best. May be called from any thread and from a signal
 * handler.
 */
GRAMPUS_API void grampus_run_stop(grampus_run *run);
/* The best of run `index` so far, 0 .. runs - 1, after at least one epoch. The caller frees it. */
GRAMPUS_API grampus_status grampus_run_best(grampus_run *run, uint32_t index, grampus_best *best,
                                            grampus_error *error);
GRAMPUS_API void grampus_best_free(grampus_best *best); /* one of all zeros is fine */
/* How the run stands, between two calls of grampus_run_advance. */
GRAMPUS_API void grampus_run_info(const grampus_run *run, grampus_info *info);
GRAMPUS_API void grampus_run_close(grampus_run *run); /* NULL is fine */

/* ---- genomes to phenotypes ---- */

typedef struct grampus_grammar grampus_grammar;

/* What a genome maps to. An invalid genome is not an error: valid is 0 and text NULL then. */
typedef struct grampus_phenotype {
    int valid;
    uint32_t used_codons, depth, nodes; /* of the derivation tree */
    const char *text;                   /* belongs to it until grampus_phenotype_free */
} grampus_phenotype;

/* Any BNF grammar in PonyGE2's dialect; n_vars stands in for GE_RANGE:dataset_n_vars (0: not
 * given). */
GRAMPUS_API grampus_status grampus_grammar_load(const char *path, uint32_t n_vars,
                                                grampus_grammar **grammar, grampus_error *error);
GRAMPUS_API void grampus_grammar_free(grampus_grammar *grammar); /* NULL is fine */
/* Derives genome[0, length): at most length x (max_wraps + 1) codons are read, the derivation tree
 * is at most max_depth deep (1 to 65535; GRAMPUS_BAD_INPUT beyond). */
GRAMPUS_API grampus_status grampus_map(const grampus_grammar *grammar, const uint32_t *genome,
                                       uint32_t length, uint32_t max_wraps, uint32_t max_depth,
                                       grampus_phenotype *phenotype, grampus_error *error);
GRAMPUS_API void grampus_phenotype_free(grampus_phenotype *phenotype);

/* ---- expressions ---- */

/* Evaluates an expression on columns[inputs][cases] into output[cases], on the CPU, with the bits
 * every device gives in `math: exact`. names[inputs] may be NULL: the inputs are x0, x1, ... then.
 * At most 2^30 cases. GRAMPUS_BAD_INPUT names the column of what cannot be read. */
GRAMPUS_API grampus_status grampus_evaluate(const char *expression, const char *const *names,
                                            uint32_t inputs, const float *const *columns,
                                            uint64_t cases, float *output, grampus_error *error);

#ifdef __cplusplus
}
#endif

#endif
