#include "host/problem/cases.h"

#include "host/base/text.h"
#include "host/data/generator.h"
#include "host/data/proteins.h"
#include "host/data/series.h"

/* A word that is in no header, as one that is mistyped, leaves nothing to tell apart. */
static gr_status make_proteins(const gr_settings *settings, gr_dataset *train, gr_dataset *test,
                               gr_error *error) {
    gr_status status = gr_make_proteins(settings, train, test, error);
    uint64_t at = 0;
    while (!status && at < train->cases && train->y[at] <= 0.0f)
        at++;
    if (status || at < train->cases || !*settings->sequences)
        return status;
    gr_dataset_free(train);
    gr_dataset_free(test);
    return gr_settings_fail(settings, GR_KEY_positive, error,
                            "positive is '%.*s', which no header of %s has; expected a word that "
                            "some have",
                            GR_CUT(settings->positive, 80), settings->sequences);
}

gr_status gr_dataset_make(const gr_settings *settings, gr_dataset *train, gr_dataset *test,
                          gr_error *error) {
    *train = *test = (gr_dataset){0};
    if (settings->given && settings->given->train) {
        *train = *settings->given->train;
        *test = *settings->given->test;
        *settings->given->train = *settings->given->test = (gr_dataset){0};
        return GR_OK;
    }
    if (*settings->boolean)
        return gr_generate_boolean(settings, train, error);
    if (*settings->target_expression)
        return gr_generate_expression(settings, train, test, error);
    if (*settings->series || settings->generate == GR_GENERATE_MACKEY_GLASS)
        return gr_make_series(settings, train, test, error);
    if (*settings->sequences || settings->generate == GR_GENERATE_PROTEINS)
        return make_proteins(settings, train, test, error);
    return gr_dataset_load(settings, train, test, error);
}
