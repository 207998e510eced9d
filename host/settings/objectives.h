/* Settings of runs with several objectives. */
#ifndef GRAMPUS_OBJECTIVES_SETTINGS_H
#define GRAMPUS_OBJECTIVES_SETTINGS_H

#include "gpu/core/base/params.h"
#include "host/settings/settings.h"

/* Parts of gr_settings_resolve. */
gr_status gr_fill_objectives(gr_settings *settings, gr_error *error);
gr_status gr_check_objectives(const gr_settings *settings, gr_error *error);

/* Those that a run has, in the order given; count 0: it makes one fitness small. */
typedef struct gr_objectives {
    uint32_t count, kind[GR_MAX_OBJECTIVES]; /* gr_objective */
    uint32_t metric;                         /* of GR_OBJECTIVE_METRIC */
} gr_objectives;
gr_status gr_settings_objectives(const gr_settings *settings, gr_objectives *objectives,
                                 gr_error *error);
/* The word of an objective: of errors their metric's. */
const char *gr_objective_word(uint32_t kind, uint32_t metric, uint32_t other_metric);

#endif
