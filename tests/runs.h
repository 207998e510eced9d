/* An open run from settings in two texts. */
#ifndef GRAMPUS_TESTS_RUNS_H
#define GRAMPUS_TESTS_RUNS_H

#include "host/run/run.h"

#include <string.h>

static inline gr_run *open_run_of(const char *common, const char *more, gr_settings *settings) {
    gr_error error = {GR_OK, ""};
    gr_run *run;
    if (gr_settings_init(settings, &error) ||
        gr_settings_parse(settings, common, strlen(common), "common.yaml", &error) ||
        gr_settings_parse(settings, more, strlen(more), "more.yaml", &error) ||
        gr_settings_resolve(settings, &error) || gr_run_open(settings, &run, &error))
        fail_msg("%s", error.text);
    return run;
}

#endif
