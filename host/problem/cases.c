#include "host/problem/cases.h"

#include "host/data/generator.h"
#include "host/data/proteins.h"
#include "host/data/series.h"

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
        return gr_make_proteins(settings, train, test, error);
    return gr_dataset_load(settings, train, test, error);
}
