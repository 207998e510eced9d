/* Settings as they are before anything is said, and those of a text, for the tests of
 * host/settings. */
#ifndef GRAMPUS_TESTS_SETTINGS_H
#define GRAMPUS_TESTS_SETTINGS_H

#include "gpu/core/base/params.h"
#include "host/settings/settings.h"

#include <string.h>

static inline gr_settings fresh(void) {
    gr_settings s;
    assert_int_equal(gr_settings_init(&s, NULL), GR_OK);
    return s;
}

/* Parses `text` as folder/run.yaml and resolves if asked; the error's text, "" when there is none.
 */
static inline const char *parse(gr_settings *s, const char *text, bool resolve, gr_error *error) {
    *s = fresh();
    memset(error, 0, sizeof *error);
    gr_status status = gr_settings_parse(s, text, strlen(text), "folder/run.yaml", error);
    if (status == GR_OK && resolve)
        status = gr_settings_resolve(s, error);
    assert_int_equal(status, error->status);
    assert_true(status == GR_OK || status == GR_BAD_INPUT);
    return error->text;
}

#endif
