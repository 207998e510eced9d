/* The settings of a run: defaults, run file, command line, and back to a run file. All of it from
 * settings.def.
 *
 *     gr_settings_init(&settings, error);                     defaults
 *     gr_settings_load(&settings, "run.yaml", error);         the run file
 *     gr_settings_option(&settings, argc - i, argv + i, &used, error);  the command line wins
 *     gr_settings_resolve(&settings, error);                  every "auto" filled, all checked
 *     gr_settings_free(&settings); */
#ifndef GRAMPUS_SETTINGS_H
#define GRAMPUS_SETTINGS_H

#include "gpu/backend/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* "auto" in a U32 or ENUM field; a REAL field is NaN then. After gr_settings_resolve only `device`,
 * `delimiter`, `header` and `units_depth` (the host looks), `codon_mutation` (the core looks),
 * `target_fitness` (NaN: none), `function_points` (NaN: uniform), `deme_width` and `deme_height`
 * (no torus) may still be so. */
#define GR_AUTO UINT32_MAX

/* ENUM fields of gpu/core/base/params.h hold gr_genotype, gr_initialisation, gr_crossover,
 * gr_metric, gr_class_rule, gr_selection, gr_parsimony, gr_sampling, gr_invalid, gr_routes,
 * gr_emigrants, gr_replaced, gr_epsilon_kind (less 1); the others these, or GR_AUTO. */
enum gr_statistics_choice { GR_STATISTICS_ALL, GR_STATISTICS_SUMMARY, GR_STATISTICS_NONE };
enum gr_device_choice { GR_DEVICE_CPU, GR_DEVICE_CUDA };
enum gr_math_choice { GR_MATH_EXACT, GR_MATH_FAST };
enum gr_precision { GR_PRECISION_SINGLE, GR_PRECISION_DOUBLE };
enum gr_spread_choice { GR_SPREAD_CASES, GR_SPREAD_POPULATION, GR_SPREAD_MEMORY };
enum gr_once_choice { GR_ONCE_ALWAYS, GR_ONCE_NEVER };
enum gr_delimiter {
    GR_DELIMITER_COMMA,
    GR_DELIMITER_TAB,
    GR_DELIMITER_SPACE,
    GR_DELIMITER_SEMICOLON,
    GR_DELIMITER_COLON
};
enum gr_generate { GR_GENERATE_NONE, GR_GENERATE_MACKEY_GLASS, GR_GENERATE_PROTEINS };
enum gr_target_scaling { GR_SCALE_DEVIATION, GR_SCALE_NONE };
enum gr_split { GR_SPLIT_LAST, GR_SPLIT_RANDOM };
enum gr_topology { GR_TOPOLOGY_PANMICTIC, GR_TOPOLOGY_TORUS };
enum gr_children { GR_CHILDREN_PAIR, GR_CHILDREN_ONE };
enum gr_replacement { GR_REPLACE_ALL, GR_REPLACE_WORST, GR_REPLACE_BY_RANK };
enum gr_front_choice {
    GR_CHOICE_ERROR,
    GR_CHOICE_KNEE,
    GR_CHOICE_MDL,
    GR_CHOICE_BIC
}; /* or GR_AUTO */
enum gr_archive { GR_ARCHIVE_NONE, GR_ARCHIVE_NICHES };
enum gr_growth { GR_GROWTH_GROW, GR_GROWTH_RAMPED };
enum gr_creep { GR_CREEP_TABLE, GR_CREEP_GAUSSIAN };
enum gr_consumption_choice { GR_CONSUMPTION_EAGER, GR_CONSUMPTION_LAZY };
enum gr_wrap_choice {
    GR_WRAPS_CODONS,
    GR_WRAPS_PONYGE_LINEAR,
    GR_WRAPS_LIBGE, /* counts as codons do */
    GR_WRAPS_GEVA
};
enum gr_mapping_choice { GR_MAPPING_DEPTH_FIRST, GR_MAPPING_PI };
enum gr_genotype_choice { GR_GENOTYPE_STRUCTURED = 2 }; /* behind those of gr_genotype */
enum gr_header_choice { GR_HEADER_NO, GR_HEADER_YES };

/* Up to so many runs of a batch are told of one by one, wherever there is a choice. */
enum { GR_FEW_RUNS = 1000 };

/* GR_KEY_population, ...: numbers of the settings. */
typedef enum gr_key {
#define GR_SETTING(kind, key, field, initial, min, max, words, group, help) GR_KEY_##field,
#include "host/settings/settings.def"
    GR_KEY_COUNT
} gr_key;

/* Where a setting got its value. OTHERS: from words that are not its own, which messages tell of by
 * themselves. */
typedef struct gr_origin {
    enum { GR_FROM_DEFAULT, GR_FROM_FILE, GR_FROM_OPTION, GR_FROM_CALLER, GR_FROM_OTHERS } from;
    uint32_t line, column; /* GR_FROM_FILE: of the value, in gr_settings.file */
    const char *file;      /* or, where this is not NULL, in this one; borrowed */
} gr_origin;

typedef uint32_t gr_setting_U32;
typedef uint64_t gr_setting_U64;
typedef double gr_setting_REAL;
typedef bool gr_setting_BOOL;
typedef uint32_t gr_setting_ENUM;
typedef char *gr_setting_TEXT; /* never NULL; "" is not given */
typedef char *gr_setting_PATH;

typedef struct gr_settings {
#define GR_SETTING(kind, key, field, initial, min, max, words, group, help) gr_setting_##kind field;
#include "host/settings/settings.def"
    gr_origin origin[GR_KEY_COUNT];
    char *file; /* the run file, or NULL */
    /* Cases and grammar of a caller (host/data/dataset.h), borrowed; which of both there are. */
    const struct gr_given *given;
    int given_cases, given_grammar;
} gr_settings;

gr_status gr_settings_init(gr_settings *settings, gr_error *error); /* defaults */
void gr_settings_free(gr_settings *settings);

/* Reads a run file over the settings that are there; `path` "-" is standard input. */
gr_status gr_settings_load(gr_settings *settings, const char *path, gr_error *error);
gr_status gr_settings_parse(gr_settings *settings, const char *text, size_t length,
                            const char *path, gr_error *error);

/* If argv[0] is an option of a setting (--key value, --key=value, --key, --no-key), takes it and
 * sets *used to the number of arguments taken, 1 or 2. *used = 0: not a setting's option, nothing
 * done. */
gr_status gr_settings_option(gr_settings *settings, int argc, char *const *argv, int *used,
                             gr_error *error);
/* The error for an option nobody knows, with the nearest name among the settings and `more`
 * (NULL-terminated names without dashes, the verb's own options; may be NULL). Always returns
 * GR_BAD_INPUT. */
gr_status gr_settings_unknown_option(const char *option, const char *const *more, gr_error *error);

/* Sets one value from text, as a caller of the library; key as in a run file. */
gr_status gr_settings_set(gr_settings *settings, const char *key, const char *value,
                          gr_error *error);
/* The value as a user would write it. malloc'ed; NULL when memory is short. */
char *gr_settings_get(const gr_settings *settings, gr_key key);
/* The same where it stands, or in `out`. */
const char *gr_settings_text(const gr_settings *settings, gr_key key, char out[32]);

/* Fills every auto, checks that the settings fit each other. Errors name where the setting came
 * from. */
gr_status gr_settings_resolve(gr_settings *settings, gr_error *error);

/* The part of it that is about how a genome is read; a tree is not. */
gr_status gr_check_conventions(const gr_settings *settings, gr_error *error);
/* And the part about depths and lengths; none of them auto. */
gr_status gr_check_limits(const gr_settings *settings, gr_error *error);

/* The operations of `functions`, sorted by arity, in function[] (at least GR_OP_COUNT long).
 * Boolean problems: word operations. */
gr_status gr_settings_functions(const gr_settings *settings, uint8_t *function, uint32_t *count,
                                gr_error *error);
/* The numbers of `thresholds` in threshold[GR_MAX_THRESHOLDS]. */
gr_status gr_settings_thresholds(const gr_settings *settings, float *threshold, uint32_t *count,
                                 gr_error *error);

/* The rows [*from, *to) of train-rows or test-rows ("100:", ":50" and "" leave ends open: 0 and
 * UINT64_MAX). */
gr_status gr_settings_rows(const gr_settings *settings, gr_key key, uint64_t *from, uint64_t *to,
                           gr_error *error);

/* The next number of a list like `devices`' ("0,2,3"), from **at, which goes behind it. False where
 * there is none: *at is the text's end then, or what is wrong. */
bool gr_settings_next_card(const char **at, unsigned long *card);

/* Fails with GR_BAD_INPUT and "where the setting came from: message". */
gr_status gr_settings_fail(const gr_settings *settings, gr_key key, gr_error *error,
                           const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Writes the settings as a run file, all but those that nobody named and nothing reads (uses.h);
 * `comment` (may be NULL) goes in front, a '#' before each of its lines. Paths become absolute, so
 * that the file can be run from anywhere. A file that is there is replaced as a whole. */
gr_status gr_settings_save(const gr_settings *settings, const char *path, const char *comment,
                           gr_error *error);

/* --help by groups with defaults; the table in problems/README.md. */
void gr_settings_help(FILE *out);
void gr_settings_markdown(FILE *out);
/* The tables of the catalogues behind it, which the former ends with. */
void gr_catalogues_markdown(FILE *out);

#endif
