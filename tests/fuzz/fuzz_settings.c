/* Any text as a run file: it is read or refused with one line, and what was read can be written and
 * read again. */
#include "host/settings/settings.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A run file's values survive being printed and stored again. */
static void store_again(const gr_settings *settings) {
    gr_settings again;
    gr_error error;
    if (gr_settings_init(&again, &error) != GR_OK)
        abort();
    static const char *const keys[] = {
#define GR_SETTING(kind, key, field, initial, min, max, words, group, help) key,
#include "host/settings/settings.def"
    };
    for (uint32_t key = 0; key < GR_KEY_COUNT; key++) {
        char *text = gr_settings_get(settings, (gr_key)key), *back;
        if (gr_settings_set(&again, keys[key], text, &error) != GR_OK)
            abort();
        back = gr_settings_get(&again, (gr_key)key);
        if (strcmp(text, back) != 0)
            abort();
        free(text);
        free(back);
    }
    gr_settings_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    gr_settings settings;
    gr_error error = {0};
    if (gr_settings_init(&settings, &error) != GR_OK)
        abort();
    gr_status status = gr_settings_parse(&settings, (const char *)data, size, "run.yaml", &error);
    if (status == GR_OK) {
        store_again(&settings);
        status = gr_settings_resolve(&settings, &error);
    }
    if (status != GR_OK && (status != GR_BAD_INPUT || !error.text[0] || strchr(error.text, '\n')))
        abort();
    gr_settings_free(&settings);
    return 0;
}
