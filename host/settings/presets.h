/* Values of settings that are not named, by what is searched for (presets.def). */
#ifndef GRAMPUS_PRESETS_H
#define GRAMPUS_PRESETS_H

#include "host/settings/settings.h"

/* In the order of the words of setting `preset`. */
typedef enum gr_preset {
    GR_PRESET_NONE,
    GR_PRESET_REGRESSION,
    GR_PRESET_CLASSIFICATION,
    GR_PRESET_GE,
    GR_PRESET_BOOLEAN
} gr_preset;

/* The part of gr_settings_resolve before all others: which preset, and its values. */
gr_status gr_fill_preset(gr_settings *settings, gr_error *error);

/* Whether a metric is named that is about classes. */
bool gr_settings_classify(const gr_settings *settings);

/* The preset of trees for this problem, as a word; NULL: what is named goes with none. */
const char *gr_preset_of_trees(const gr_settings *settings);

#endif
