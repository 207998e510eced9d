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

/* The words of the catalogues, "auto|sae|..." or "tournament|...". */
extern const char gr_metric_words[];

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
