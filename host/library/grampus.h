/* Grampus as a C library: evolve programs on the GPU, or on the CPU where there is none, with the
 * same result.
 *
 * Handles are opaque. Every function that can fail returns a grampus_status and writes the reason,
 * one line, into the grampus_error it is given (NULL: not wanted). Nothing a caller can see is
 * shared between handles: different ones may be used by different threads at once, one handle by
 * one thread at a time (grampus_run_stop excepted). Nothing is printed and nothing exits. Sizes are
 * counted in elements unless they say bytes, times in seconds. Text is UTF-8 and ends with a NUL;
 * numbers in it have a decimal point whatever the locale is.
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

/* ---- fitness cases in arrays ---- */

typedef enum grampus_type { GRAMPUS_FLOAT, GRAMPUS_DOUBLE } grampus_type;

/* A column of numbers: value i is `stride` bytes behind value i - 1. Strides may be negative, or 0
 * for one value throughout; values need no alignment. */
typedef struct grampus_column {
    const void *values;
    ptrdiff_t stride;
    grampus_type type;
} grampus_column;

/* Fitness cases of a caller. Everything is read during the call that is given them, once, straight
 * to where the cases stand, and nothing of it is kept: it may be freed or changed behind. They
 * stand as floats, to which doubles are rounded; with the setting `precision: double` as doubles,
 * which hold either type as it is. Names that are no identifiers, or stand twice, are changed
 * (grampus_run_input). */
typedef struct grampus_cases {
    uint64_t cases; /* at most 2^30 */
    uint32_t inputs;
    const char *const *names;      /* [inputs]; NULL: x0, x1, ... */
    const grampus_column *columns; /* [inputs] */
    /* With the setting targets ("u, v") the last columns are the targets, of these names in their
     * order, and this one is any of them. The best is targets(...) of an expression for each. */
    grampus_column target;
    /* [cases] or NULL, all 1; 0 or more, the largest from 1e-18 to 1e18. A case of weight w counts
     * w times in every mean and sum of the fitness, as w equal cases would; 0 leaves it out. With
     * `precision: double` weights are 0 and 1. */
    const double *weights;
} grampus_cases;

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

/* How classes are read from outputs. */
typedef enum grampus_class_rule {
    GRAMPUS_NO_CLASSES, /* the metric is about numbers */
    GRAMPUS_NEAREST,    /* the nearest whole number from class_min to class_max */
    GRAMPUS_SIGN,       /* class_max from 0 on, class_min below */
    GRAMPUS_THRESHOLDS, /* class_min, and 1 more at every threshold that is reached */
    GRAMPUS_POSITIVES   /* class_max from the one threshold on, otherwise class_min, where the
                           output is no number too; with the others that is of no class */
} grampus_class_rule;
enum { GRAMPUS_MOST_THRESHOLDS = 32 };

/* An individual: the best of one run, or another of its population. The pointers belong to it until
 * grampus_best_free. */
typedef struct grampus_best {
    uint32_t run, generation; /* found in this generation; where front-choice or the ranking of
                                 case-sampling chose another than the best so far, the one whose
                                 front or population it was chosen from (the last, of a linear
                                 model, too); of a population: bred for it */
    uint64_t seed;            /* of this run alone */
    double train, test;       /* fitness; test is NaN without test cases */
    int solved; /* target-fitness was set and reached; once the run is finished, also by `train` and
                   `test` computed again in double from the outputs of the expression */
    uint32_t nodes, depth;
    grampus_type precision;  /* what its run evaluated it over: doubles with `precision: double` */
    double intercept, slope; /* of linear scaling: intercept + slope * output; otherwise 0 and 1 */
    const char *infix;       /* the expression; NULL when no individual was ever valid */
    const char *phenotype;   /* grammars: the sentence; trees: as infix */
    const uint32_t *genome;  /* [genome_length] codons; NULL for trees */
    uint32_t genome_length, used_codons;
    grampus_class_rule rule; /* thresholds of class-rule fitted are those fitted to its outputs */
    float class_min, class_max;
    uint32_t thresholds;
    float threshold[GRAMPUS_MOST_THRESHOLDS]; /* rising */
} grampus_best;

/* An individual of a population, without its texts. */
typedef struct grampus_individual {
    double train; /* fitness, on all training cases; the worst, an infinity, when invalid */
    uint32_t valid;
    uint32_t nodes, depth;               /* of the expression; of the derivation, or the tree */
    uint32_t genome_length, used_codons; /* trees: nodes, 0 */
} grampus_individual;

/* Where a run stands. */
typedef struct grampus_progress {
    uint32_t generation, generations; /* selected last; asked for */
    double seconds;                   /* since grampus_run_open */
    double best_ever;   /* training fitness of run 0, as of the last epoch; NaN before the first */
    int epoch_finished; /* called at the end of an epoch: what reads the run may be called */
} grampus_progress;

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
    /* What ended it, of a batch the runs that went on for longest, as "stop_reason" of best.json:
     * the setting (target-fitness, stagnation, max-evaluations, generations, time-limit, law-every)
     * or "request", that of grampus_run_stop; "none": it goes on. */
    char stop_reason[32];
} grampus_info;

/* Called inside grampus_run_advance, in rising order of generation and run. The generation is only
 * valid during the call; calling grampus_run_stop is all that may be done with the run in there. */
typedef void grampus_on_generation(void *context, const grampus_generation *generation);

/* Called inside grampus_run_advance. */
typedef void grampus_on_progress(void *context, const grampus_progress *progress);

/* Reads and checks everything the settings name, plans the memory and uploads the data; the initial
 * population is made by the first grampus_run_advance. The settings are copied and may be freed or
 * changed afterwards. GRAMPUS_BAD_INPUT: a setting or a file is wrong; GRAMPUS_NO_MEMORY: the run
 * does not fit; GRAMPUS_DEVICE_FAILED: the device asked for cannot be used. *run is NULL then. */
GRAMPUS_API grampus_status grampus_run_open(const grampus_settings *settings, grampus_run **run,
                                            grampus_error *error);
/* The same on cases in arrays (NULL: those of the settings; test: NULL, none, and not without
 * train), and with the text of a grammar (NULL: that of the settings). The settings then name no
 * problem (data, boolean, ...), or no grammar. GRAMPUS_BAD_INPUT also: a value that is not finite
 * as it is kept (beyond 3.4e38 as a float), a training target of doubles that are one number as
 * floats, weights out of bounds, or others than 0 and 1 with `precision: double`, several targets
 * with it, inputs without values, test inputs that are not as many. */
GRAMPUS_API grampus_status grampus_run_open_on(const grampus_settings *settings,
                                               const grampus_cases *train,
                                               const grampus_cases *test, const char *grammar,
                                               grampus_run **run, grampus_error *error);
/* The name of an input in expressions, as long as the run is open; NULL: there are not so many.
 * Inputs that `prepare` makes stand there as what they are made of. */
GRAMPUS_API const char *grampus_run_input(const grampus_run *run, uint32_t input);
/* The settings that were set (grammar: or given as text) and that nothing of this run reads, and
 * what they are for, as "functions, constant-min: for genotype tree"; "" without any. As long as
 * the run is open. */
GRAMPUS_API const char *grampus_run_unused(const grampus_run *run);
/* From now on `callback` (NULL: none) is called in grampus_run_advance at the end of every epoch
 * and, where an epoch is longer, at the end of a generation `every` seconds after the last call. */
GRAMPUS_API void grampus_run_watch(grampus_run *run, grampus_on_progress *callback, void *context,
                                   double every);
/* Keeps a row for every generation and run; call it before the first grampus_run_advance. */
GRAMPUS_API void grampus_run_keep_history(grampus_run *run);
/* The rows so far, in rising order of generation and run; they are valid until the next call of
 * grampus_run_advance. Without grampus_run_keep_history *count is 0. */
GRAMPUS_API const grampus_generation *grampus_run_history(const grampus_run *run, size_t *count);
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
/* The run that leads, the one whose best grampus run tells of: its best is the best of all, as they
 * are told, on the training cases, with validation-fraction on those set aside, with front-choice
 * bic by that criterion, and of equal ones the first. */
GRAMPUS_API grampus_status grampus_run_leader(grampus_run *run, uint32_t *index,
                                              grampus_error *error);
GRAMPUS_API void grampus_best_free(grampus_best *best); /* one of all zeros is fine */

/* Individuals of the population of one run (of all its islands), and codons that a genome has room
 * for (0: trees have none). */
GRAMPUS_API void grampus_run_shape(const grampus_run *run, uint32_t *population,
                                   uint32_t *capacity);
/* The population of a run, after any epoch: the generation that a run which goes on selects from
 * next, or of one that is finished the last. individuals[size], by place. Of a run that goes
 * on the fitness is computed here, on the CPU, which takes as long as a generation.
 * GRAMPUS_FAILED: of a batch, a run that stopped before the others has no population any more. */
GRAMPUS_API grampus_status grampus_run_population(grampus_run *run, uint32_t index,
                                                  grampus_individual *individuals, uint32_t size,
                                                  grampus_error *error);
/* The individuals at place[count] with texts and genomes; the caller frees each of individuals[]
 * by grampus_best_free. On failure there are none. */
GRAMPUS_API grampus_status grampus_run_individuals(grampus_run *run, uint32_t index,
                                                   const uint32_t *place, uint32_t count,
                                                   grampus_best *individuals, grampus_error *error);
/* The phenotypes alone of the individuals at place[count], a line each, an empty one where it is
 * invalid: *lines, freed by grampus_text_free. Takes a fraction of grampus_run_individuals, which
 * measures each anew. GRAMPUS_BAD_INPUT: a place beyond the population; *lines is NULL then. */
GRAMPUS_API grampus_status grampus_run_phenotypes(grampus_run *run, uint32_t index,
                                                  const uint32_t *place, uint32_t count,
                                                  char **lines, grampus_error *error);
/* The genomes of the population, genomes[population][capacity], zeros behind the end of each (its
 * length: grampus_individual). GRAMPUS_BAD_INPUT: trees have none, or `capacity` is not that of
 * grampus_run_shape. */
GRAMPUS_API grampus_status grampus_run_genomes(grampus_run *run, uint32_t index, uint32_t *genomes,
                                               uint32_t capacity, grampus_error *error);
/* The Pareto front of fitness and size: of the population, and the best so far, those that no other
 * is at least as good and as small as; by rising size, the best on the training cases last. Of a
 * run with `objectives` the front of these, by rising size; grampus_run_best is who front-choice
 * says. (*front)[*count], freed by grampus_front_free. */
GRAMPUS_API grampus_status grampus_run_front(grampus_run *run, uint32_t index, grampus_best **front,
                                             uint32_t *count, grampus_error *error);
GRAMPUS_API void grampus_front_free(grampus_best *front, uint32_t count); /* NULL is fine */
/* What `find-law` found: a program whose constants were fitted in double and rounded. */
typedef struct grampus_law {
    const char *infix; /* scaling and all, 3/2 as people write it; NULL: no program came near the
                          target. Until the next call for it, or the run is closed. */
    uint32_t nodes;
    int exact;                  /* right to within rounding, on training and test cases */
    int rounded;                /* all its constants are numbers that people write */
    double rmse[2], largest[2]; /* errors on training and test cases; NaN without */
} grampus_law;
/* The law of a run that has ended, as grampus run tells of it. GRAMPUS_BAD_INPUT: a run without
 * find-law. */
GRAMPUS_API grampus_status grampus_run_law(grampus_run *run, grampus_law *law,
                                           grampus_error *error);
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

/* What stands in for GE_RANGE:dataset_n_vars, _n_is and _n_os (0: not given, an error where the
 * grammar asks for it), and the largest codon, for <GECodonValue[0.0,1.0]> (0: 100000). */
typedef struct grampus_symbols {
    uint32_t n_vars, n_is, n_os, codon_size;
} grampus_symbols;

/* Any BNF grammar in PonyGE2's dialect, from a file or from text; symbols NULL: all zeros. */
GRAMPUS_API grampus_status grampus_grammar_load(const char *path, const grampus_symbols *symbols,
                                                grampus_grammar **grammar, grampus_error *error);
GRAMPUS_API grampus_status grampus_grammar_parse(const char *text, const grampus_symbols *symbols,
                                                 grampus_grammar **grammar, grampus_error *error);
GRAMPUS_API void grampus_grammar_free(grampus_grammar *grammar); /* NULL is fine */
/* From now on genomes are read as a run with these settings reads them: mapping,
 * codon-consumption, wrap-rule, genotype structured, max-depth, max-wraps and max-genome-length.
 * Before, depth first, with the defaults of grammars. Not while another thread uses the grammar. */
GRAMPUS_API grampus_status grampus_grammar_read_as(grampus_grammar *grammar,
                                                   const grampus_settings *settings,
                                                   grampus_error *error);
/* The genome as text. GRAMPUS_BAD_INPUT: a structured one of fewer genes than the lists have. */
GRAMPUS_API grampus_status grampus_grammar_map(const grampus_grammar *grammar,
                                               const uint32_t *genome, uint32_t length,
                                               grampus_phenotype *phenotype, grampus_error *error);
/* The same with limits of its own, depth first: at most length x (max_wraps + 1) codons are read,
 * the derivation tree is at most max_depth deep (1 to 65535; GRAMPUS_BAD_INPUT beyond). */
GRAMPUS_API grampus_status grampus_map(const grampus_grammar *grammar, const uint32_t *genome,
                                       uint32_t length, uint32_t max_wraps, uint32_t max_depth,
                                       grampus_phenotype *phenotype, grampus_error *error);
GRAMPUS_API void grampus_phenotype_free(grampus_phenotype *phenotype);

/* A genome that maps to a text, with a derivation of least depth. GRAMPUS_BAD_INPUT: that one is
 * deeper than max-depth, as grampus_grammar_read_as has it (before: 90). */
typedef struct grampus_derivation {
    int found;        /* 0: the text is no sentence of the grammar, and genome NULL */
    size_t reached;   /* then: bytes of the text that some derivation agrees with */
    uint32_t *genome; /* [length], belongs to it until grampus_derivation_free */
    uint32_t length, depth, nodes;
} grampus_derivation;
GRAMPUS_API grampus_status grampus_grammar_derive(const grampus_grammar *grammar, const char *text,
                                                  grampus_derivation *derivation,
                                                  grampus_error *error);
GRAMPUS_API void grampus_derivation_free(grampus_derivation *derivation);

/* What can be said of a grammar. */
typedef struct grampus_grammar_facts {
    uint32_t rules, productions, terminals, symbols;
    uint32_t recursive_rules, unreached_rules, repeated_productions;
    uint32_t most_productions; /* of a rule */
    uint32_t least_depth;      /* of a derivation */
} grampus_grammar_facts;
GRAMPUS_API grampus_status grampus_grammar_describe(const grampus_grammar *grammar,
                                                    grampus_grammar_facts *facts,
                                                    grampus_error *error);
/* How many derivations there are of at most each depth: the logarithm to base 10 in
 * log10_count[depth], by depth from 0; -infinity: none. depth is at most 1000. */
GRAMPUS_API grampus_status grampus_grammar_count(const grampus_grammar *grammar, uint32_t depth,
                                                 double *log10_count, grampus_error *error);
/* The rules as they were understood, as text that reads back as the same grammar; the caller frees
 * it by grampus_text_free. */
GRAMPUS_API grampus_status grampus_grammar_text(const grampus_grammar *grammar, char **text,
                                                grampus_error *error);
GRAMPUS_API void grampus_text_free(char *text);

/* ---- expressions ---- */

/* What grampus_predict writes. */
typedef enum grampus_output {
    GRAMPUS_OUTPUT, /* of the expression */
    GRAMPUS_SCALED, /* intercept + slope x output */
    GRAMPUS_LABEL   /* the class, by `rule`; NaN where the output is none */
} grampus_output;

/* Applies an individual to cases (their target and weights are not looked at; of the names of a
 * run's cases or those of grampus_run_input either will do), with the bits every
 * device gives in `math: exact`, on as many threads as the work is worth: output[cases] of `type`.
 * It is computed over numbers of best->precision: of a run with `precision: double` over the
 * doubles of the cases, to doubles that a `type` of GRAMPUS_DOUBLE keeps as they are. Of `best`
 * its infix, precision, intercept, slope and classes are used, so that it may be filled by the
 * caller (all zeros first: over floats). GRAMPUS_BAD_INPUT: an input is not finite as a number of
 * best->precision (the text has its case and column), or has no values, or the expression cannot be
 * read. */
GRAMPUS_API grampus_status grampus_predict(const grampus_best *best, const grampus_cases *cases,
                                           grampus_output what, grampus_type type, void *output,
                                           grampus_error *error);

/* The same of an individual of a run with several targets, targets(...) of an expression for each,
 * computed over floats: output[targets][cases] of `type`, a column for every target in the order of
 * the setting. `targets` is how many it names; GRAMPUS_BAD_INPUT also where the individual has
 * another number of them. */
GRAMPUS_API grampus_status grampus_predict_targets(const grampus_best *best,
                                                   const grampus_cases *cases, uint32_t targets,
                                                   grampus_type type, void *output,
                                                   grampus_error *error);

/* Evaluates an expression on columns[inputs][cases] into output[cases], on the CPU, with the bits
 * every device gives in `math: exact`. names[inputs] may be NULL: the inputs are x0, x1, ... then.
 * At most 2^30 cases. GRAMPUS_BAD_INPUT names the column of what cannot be read, and is given for
 * an input that is used and has no values (NULL). */
GRAMPUS_API grampus_status grampus_evaluate(const char *expression, const char *const *names,
                                            uint32_t inputs, const float *const *columns,
                                            uint64_t cases, float *output, grampus_error *error);
/* The same over doubles, as runs with `precision: double` evaluate it. Constants are floats in
 * every program and become doubles where they are used: 0.1 is 0.100000001490116. */
GRAMPUS_API grampus_status grampus_evaluate_doubles(const char *expression,
                                                    const char *const *names, uint32_t inputs,
                                                    const double *const *columns, uint64_t cases,
                                                    double *output, grampus_error *error);
/* An expression with its operations written out as a tree, in postfix order: for every node its
 * text, and how many operands it takes. Constants are printed to read back as the same float.
 * Written as lines "arity text"; the caller frees it by grampus_text_free. */
GRAMPUS_API grampus_status grampus_expression_postfix(const char *expression,
                                                      const char *const *names, uint32_t inputs,
                                                      char **text, grampus_error *error);

#ifdef __cplusplus
}
#endif

#endif
