#include "host/base/text.h"
#include "host/settings/table.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const gr_setting gr_setting_table[GR_KEY_COUNT] = {
#define GR_SETTING(kind, key, field, initial, min, max, words, group, help)                        \
    {GR_KIND_##kind, key, initial, words, group, help, min, max, offsetof(gr_settings, field)},
#include "host/settings/settings.def"
};

static void *field_of(const gr_settings *settings, const gr_setting *setting) {
    return (char *)(uintptr_t)settings + setting->offset;
}

static bool is_text(const gr_setting *setting) {
    return setting->kind == GR_KIND_TEXT || setting->kind == GR_KIND_PATH;
}

gr_key gr_setting_find(const char *key, size_t length) {
    uint32_t i = 0;
    while (i < GR_KEY_COUNT && (strlen(gr_setting_table[i].key) != length ||
                                memcmp(gr_setting_table[i].key, key, length) != 0))
        i++;
    return (gr_key)i;
}

/* The number of `word` among "a|b|c", "auto" not counted; -1 when it is not there. */
static int64_t word_number(const char *words, const char *word) {
    int64_t number = 0;
    size_t length = strlen(word);
    for (const char *w = words; *w;) {
        size_t n = strcspn(w, "|");
        int is_auto = n == 4 && memcmp(w, "auto", 4) == 0;
        if (n == length && strncasecmp(w, word, n) == 0)
            return is_auto ? GR_AUTO : number;
        number += !is_auto;
        w += n + (w[n] == '|');
    }
    return -1;
}

static bool parse_bool(const char *value, bool *out) {
    static const char *const words[2][3] = {{"false", "no", "off"}, {"true", "yes", "on"}};
    for (int i = 0; i < 6; i++)
        if (strcasecmp(value, words[i / 3][i % 3]) == 0) {
            *out = i / 3;
            return true;
        }
    return false;
}

static bool parse_whole(const char *value, uint64_t *out) {
    char *end;
    if (*value < '0' || *value > '9') /* strtoull would take a sign */
        return false;
    errno = 0;
    *out = strtoull(value, &end, 10);
    return *end == '\0' && errno == 0;
}

static bool parse_real(const char *value, double *out) {
    char *end;
    if (strspn(value, "0123456789.eE+-") != strlen(value)) /* no nan, inf, hexadecimal */
        return false;
    *out = gr_text_double(value, &end);
    return end != value && *end == '\0' && isfinite(*out);
}

/* Stores a number or word; false when it is not one that the setting takes. */
static bool store_plain(gr_settings *settings, const gr_setting *setting, const char *value) {
    void *field = field_of(settings, setting);
    int64_t word = word_number(setting->words, value);
    uint64_t whole;
    double real;
    switch (setting->kind) {
    case GR_KIND_BOOL:
        return parse_bool(value, field);
    case GR_KIND_ENUM:
        if (word >= 0)
            *(uint32_t *)field = (uint32_t)word;
        return word >= 0;
    case GR_KIND_REAL:
        if (word >= 0)
            real = NAN;
        else if (!parse_real(value, &real) || real < setting->min || real > setting->max)
            return false;
        *(double *)field = real;
        return true;
    default:
        if (word >= 0)
            whole = GR_AUTO;
        else if (!parse_whole(value, &whole))
            return false;
        else if (setting->kind == GR_KIND_U32 &&
                 ((double)whole < setting->min || (double)whole > setting->max))
            return false;
        if (setting->kind == GR_KIND_U64)
            *(uint64_t *)field = whole;
        else
            *(uint32_t *)field = (uint32_t)whole;
        return true;
    }
}

/* "name" in the folder of "folder/run.yaml". malloc'ed. */
static char *beside(const char *file, const char *name) {
    const char *slash = strrchr(file, '/');
    size_t folder = slash ? (size_t)(slash - file) + 1 : 0;
    char *path = malloc(folder + strlen(name) + 1);
    if (path) {
        memcpy(path, file, folder);
        strcpy(path + folder, name);
    }
    return path;
}

/* The file that a value was read from, or NULL. */
static const char *file_of(const gr_settings *settings, const gr_origin *origin) {
    return origin->file ? origin->file : settings->file;
}

static gr_status store_text(gr_settings *settings, const gr_setting *setting, const char *value,
                            gr_origin origin, gr_error *error) {
    char **field = field_of(settings, setting);
    bool relative = setting->kind == GR_KIND_PATH && origin.from == GR_FROM_FILE && *value &&
                    *value != '/' && file_of(settings, &origin);
    char *text = relative ? beside(file_of(settings, &origin), value) : strdup(value);
    if (!text)
        return gr_fail(error, GR_NO_MEMORY, "out of memory while reading settings");
    free(*field);
    *field = text;
    return GR_OK;
}

void gr_setting_expected(const gr_setting *setting, char *out, size_t size) {
    const char * or = *setting->words ? " or " : "";
    char min[32], max[32];
    gr_text_print_double(setting->min, min);
    gr_text_print_double(setting->max, max);
    switch (setting->kind) {
    case GR_KIND_U32:
        snprintf(out, size, "a whole number from %.0f to %.0f%s%s", setting->min, setting->max, or,
                 setting->words);
        break;
    case GR_KIND_U64:
        snprintf(out, size, "a whole number from 0 to %llu", (unsigned long long)UINT64_MAX);
        break;
    case GR_KIND_REAL:
        snprintf(out, size, "a number from %s to %s%s%s", min, max, or, setting->words);
        break;
    case GR_KIND_BOOL:
        snprintf(out, size, "true or false");
        break;
    case GR_KIND_ENUM:
        snprintf(out, size, "one of %s", setting->words);
        break;
    default:
        snprintf(out, size, "text without control characters");
    }
}

/* Of a value what stands for it. To a path all its blanks belong, but the ends of lines that a file
 * has behind it; blanks alone are none. Anything else stands between blanks. */
static char *without_blanks(gr_key key, char *value) {
    bool is_path = gr_setting_table[key].kind == GR_KIND_PATH || key == GR_KEY_output;
    size_t length = strlen(value);
    if (!is_path || strspn(value, " \t\r\n") == length)
        return gr_text_trim(value);
    while (value[length - 1] == '\n' || value[length - 1] == '\r')
        value[--length] = '\0';
    return value;
}

gr_status gr_setting_store(gr_settings *settings, gr_key key, const char *value, gr_origin origin,
                           gr_error *error) {
    const gr_setting *setting = &gr_setting_table[key];
    char *copy = strdup(value), *trimmed;
    if (!copy)
        return gr_fail(error, GR_NO_MEMORY, "out of memory while reading settings");
    bool good = gr_text_is_clean(copy, strlen(copy));
    trimmed = good ? without_blanks(key, copy) : copy;
    gr_status status = GR_OK;
    gr_origin before = settings->origin[key];
    settings->origin[key] = origin; /* a message names the position of the value it refuses */
    if (good && is_text(setting))
        status = store_text(settings, setting, trimmed, origin, error);
    else if (!good || !store_plain(settings, setting, trimmed)) {
        char expected[256];
        gr_setting_expected(setting, expected, sizeof expected);
        if (*trimmed)
            status =
                gr_settings_fail(settings, key, error, "%s is '%.*s'; expected %s", setting->key,
                                 GR_CUT(good ? trimmed : "(not text)", 80), expected);
        else
            status = gr_settings_fail(settings, key, error, "%s has no value; expected %s",
                                      setting->key, expected);
    }
    if (status != GR_OK)
        settings->origin[key] = before;
    free(copy);
    return status;
}

gr_status gr_settings_init(gr_settings *settings, gr_error *error) {
    static const gr_origin unset = {GR_FROM_DEFAULT, 0, 0, NULL};
    *settings = (gr_settings){0};
    for (uint32_t key = 0; key < GR_KEY_COUNT; key++) {
        gr_status status =
            gr_setting_store(settings, (gr_key)key, gr_setting_table[key].initial, unset, error);
        if (status != GR_OK) {
            gr_settings_free(settings);
            return status;
        }
    }
    return GR_OK;
}

void gr_settings_free(gr_settings *settings) {
    for (uint32_t key = 0; key < GR_KEY_COUNT; key++)
        if (is_text(&gr_setting_table[key])) {
            char **field = field_of(settings, &gr_setting_table[key]);
            free(*field);
            *field = NULL;
        }
    free(settings->file);
    settings->file = NULL;
}

void gr_setting_suggest(const char *word, const char *const *more, const char *dashes, char *out,
                        size_t size) {
    gr_nearest nearest = {0};
    for (uint32_t key = 0; key < GR_KEY_COUNT; key++)
        gr_nearest_try(&nearest, word, gr_setting_table[key].key);
    for (; more && *more; more++)
        gr_nearest_try(&nearest, word, *more);
    if (nearest.best)
        snprintf(out, size, "; did you mean '%s%s'?", dashes, nearest.best);
    else
        snprintf(out, size, "; expected one of the %s",
                 *dashes ? "options in --help" : "keys in --help");
}

gr_status gr_settings_set(gr_settings *settings, const char *key, const char *value,
                          gr_error *error) {
    static const gr_origin caller = {GR_FROM_CALLER, 0, 0, NULL};
    gr_key found = gr_setting_find(key, strlen(key));
    char hint[128];
    if (found != GR_KEY_COUNT)
        return gr_setting_store(settings, found, value, caller, error);
    gr_setting_suggest(key, NULL, "", hint, sizeof hint);
    return gr_fail(error, GR_BAD_INPUT, "unknown key '%.*s'%s", GR_CUT(key, 80), hint);
}

/* Copies word `number` of "auto|a|b" to out. */
static void word_of(const char *words, uint32_t number, char out[32]) {
    const char *w = words;
    if (number != GR_AUTO) {
        w += strncmp(w, "auto|", 5) == 0 ? 5 : 0;
        for (; number && strchr(w, '|'); number--)
            w = strchr(w, '|') + 1;
    }
    snprintf(out, 32, "%.*s", (int)strcspn(w, "|"), w);
}

const char *gr_settings_text(const gr_settings *settings, gr_key key, char out[32]) {
    const gr_setting *setting = &gr_setting_table[key];
    const void *field = field_of(settings, setting);
    if (is_text(setting))
        return *(char *const *)field;
    if (setting->kind == GR_KIND_BOOL)
        snprintf(out, 32, "%s", *(const bool *)field ? "true" : "false");
    else if (setting->kind == GR_KIND_U64)
        snprintf(out, 32, "%llu", (unsigned long long)*(const uint64_t *)field);
    else if (setting->kind == GR_KIND_ENUM)
        word_of(setting->words, *(const uint32_t *)field, out);
    else if (setting->kind == GR_KIND_REAL && isnan(*(const double *)field))
        word_of(setting->words, 0, out);
    else if (setting->kind == GR_KIND_REAL)
        gr_text_print_double(*(const double *)field, out);
    else if (*(const uint32_t *)field == GR_AUTO)
        word_of(setting->words, 0, out);
    else
        snprintf(out, 32, "%lu", (unsigned long)*(const uint32_t *)field);
    return out;
}

char *gr_settings_get(const gr_settings *settings, gr_key key) {
    char out[32];
    return strdup(gr_settings_text(settings, key, out));
}

gr_status gr_settings_fail(const gr_settings *settings, gr_key key, gr_error *error,
                           const char *format, ...) {
    char text[768];
    const gr_origin *origin = &settings->origin[key];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (origin->from == GR_FROM_FILE)
        return gr_fail(error, GR_BAD_INPUT, "%s:%lu:%lu: %s", file_of(settings, origin),
                       (unsigned long)origin->line, (unsigned long)origin->column, text);
    const char *name = gr_setting_table[key].key;
    size_t length = strlen(name); /* a text that begins with the key only gets its dashes */
    if (origin->from == GR_FROM_OPTION && strncmp(text, name, length) == 0 && text[length] == ' ')
        return gr_fail(error, GR_BAD_INPUT, "--%s", text);
    if (origin->from == GR_FROM_OPTION)
        return gr_fail(error, GR_BAD_INPUT, "--%s: %s", name, text);
    if (origin->from == GR_FROM_CALLER && !strstr(text, name)) /* no place tells which it is */
        return gr_fail(error, GR_BAD_INPUT, "%s: %s", name, text);
    if (origin->from == GR_FROM_DEFAULT && settings->file)
        return gr_fail(error, GR_BAD_INPUT, "%s: %s", settings->file, text);
    return gr_fail(error, GR_BAD_INPUT, "%s", text);
}
