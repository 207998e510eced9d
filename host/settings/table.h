/* Inside the settings: the lines of settings.def as a table, and storing one value. */
#ifndef GRAMPUS_SETTINGS_TABLE_H
#define GRAMPUS_SETTINGS_TABLE_H

#include "host/settings/settings.h"

typedef enum gr_setting_kind {
    GR_KIND_U32,
    GR_KIND_U64,
    GR_KIND_REAL,
    GR_KIND_BOOL,
    GR_KIND_ENUM,
    GR_KIND_TEXT,
    GR_KIND_PATH
} gr_setting_kind;

typedef struct gr_setting {
    gr_setting_kind kind;
    const char *key, *initial, *words, *group, *help;
    double min, max;
    size_t offset; /* in gr_settings */
} gr_setting;

/* The words of the catalogues, "auto|sae|..."; selections, which have no auto, begin with the bar.
 */
extern const char gr_metric_words[], gr_initialiser_words[], gr_crossover_words[],
    gr_selection_words[];

/* Catalogues of operators: what settings check and the README shows of them. */
enum { GR_LONGEST_CATALOGUE = 32 };
typedef struct gr_catalogue_row {
    const char *word, *help;
    uint32_t genotypes; /* GR_FOR_GENOMES, ... */
    uint32_t mapping;   /* GR_MAPS_DEPTH_FIRST: of that one alone */
} gr_catalogue_row;
typedef struct gr_catalogue {
    const char *title;
    uint32_t count;
    const gr_catalogue_row *row; /* in the order of the enum */
} gr_catalogue;
/* The catalogue of `initialisation`, `crossover`, `selection` or, for mutations of trees,
 * `operators`, for those of genomes, `codon-mutation`. */
const gr_catalogue *gr_catalogue_of(gr_key key);

extern const gr_setting gr_setting_table[GR_KEY_COUNT];

/* The setting called key[0, length), or GR_KEY_COUNT. */
gr_key gr_setting_find(const char *key, size_t length);
/* Checks and stores a value; says in words what would have been right. */
gr_status gr_setting_store(gr_settings *settings, gr_key key, const char *value, gr_origin origin,
                           gr_error *error);
void gr_setting_expected(const gr_setting *setting, char *out, size_t size);
/* ", did you mean 'population'?" or "". */
void gr_setting_suggest(const char *word, const char *const *more, const char *dashes, char *out,
                        size_t size);

#endif
