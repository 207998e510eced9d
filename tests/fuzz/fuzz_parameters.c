/* Any bytes as a parameter file of PonyGE2, and its first line as a flag: settings or one line of
 * error. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "host/ponyge2/parameters.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(gr_status status, const gr_error *error) {
    if (status && (status != GR_BAD_INPUT || !error->text[0] || strchr(error->text, '\n')))
        abort();
}

static void try_flag(gr_ponyge2_parameters *parameters, const uint8_t *data, size_t size) {
    char flag[64] = "--", value[] = "7", *argv[] = {flag, value};
    gr_error error = {GR_OK, ""};
    size_t n = 0;
    int used;
    for (; n < size && n < 60 && data[n] > ' ' && data[n] < 127; n++)
        flag[2 + n] = (char)data[n];
    check(gr_ponyge2_parameters_flag(parameters, 2, argv, &used, &error), &error);
    if (used < 0 || used > 2)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    gr_ponyge2_parameters *parameters;
    gr_settings settings;
    gr_error error = {GR_OK, ""};
    gr_status status =
        gr_ponyge2_parameters_parse((const char *)data, size, "p.txt", &parameters, &error);
    check(status, &error);
    if (status)
        return 0;
    try_flag(parameters, data, size);
    if (gr_settings_init(&settings, &error) != GR_OK)
        abort();
    status = gr_ponyge2_parameters_store(parameters, &settings, &error);
    check(status, &error);
    if (!status)
        check(gr_settings_resolve(&settings, &error), &error);
    for (uint32_t i = 0; i < gr_ponyge2_parameters_notes(parameters); i++)
        if (strchr(gr_ponyge2_parameters_note(parameters, i), '\n'))
            abort();
    gr_settings_free(&settings);
    gr_ponyge2_parameters_free(parameters);
    return 0;
}
