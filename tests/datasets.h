/* Data sets made from settings, for the tests of host/data. */
#ifndef GRAMPUS_TESTS_DATASETS_H
#define GRAMPUS_TESTS_DATASETS_H

#include "host/data/generator.h"
#include "host/problem/cases.h"

/* Makes the sets of settings given as key, value, ..., NULL; the error's text, "" when there is
 * none. */
static const char *make(const char *const *options, gr_dataset *train, gr_dataset *test) {
    static gr_error error;
    gr_settings s;
    error.text[0] = '\0';
    assert_int_equal(gr_settings_init(&s, &error), GR_OK);
    for (; *options; options += 2)
        assert_int_equal(gr_settings_set(&s, options[0], options[1], &error), GR_OK);
    gr_status status = gr_dataset_make(&s, train, test, &error);
    assert_true(status == GR_OK ? !error.text[0] : status != GR_FAILED);
    gr_dataset *sets[2] = {train, test};
    for (int i = 0; i < 2; i++) /* what is generated has tiles alone */
        if (sets[i]->tiles && !sets[i]->x && !sets[i]->packed)
            sets[i]->x = gr_dataset_columns(sets[i]);
    gr_settings_free(&s);
    return error.text;
}

#endif
