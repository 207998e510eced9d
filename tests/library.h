/* What tests of grampus.h share. */
#ifndef GRAMPUS_TESTS_LIBRARY_H
#define GRAMPUS_TESTS_LIBRARY_H

#include "host/library/grampus.h"

static inline void check_ok(grampus_status status, const grampus_error *error) {
    if (status != GRAMPUS_OK)
        fail_msg("status %d: %s", (int)status, error->text);
}

static inline void set(grampus_settings *settings, const char *key, const char *value) {
    grampus_error error;
    check_ok(grampus_settings_set(settings, key, value, &error), &error);
}

#endif
