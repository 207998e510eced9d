/* Settings that are a list or a range, taken apart: rows, functions, thresholds. */
#include "gpu/core/fitness/fitness.h"
#include "host/base/text.h"
#include "host/expression/reader.h"
#include "host/settings/table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row number up to `stop`; an empty one leaves *row as it is. */
static bool parse_row(const char **text, char stop, uint64_t *row) {
    char *end = (char *)(uintptr_t)*text;
    errno = 0;
    if (*end >= '0' && *end <= '9')
        *row = strtoull(end, &end, 10);
    bool good = *end == stop && errno == 0;
    *text = end + (*end != '\0');
    return good;
}

gr_status gr_settings_rows(const gr_settings *s, gr_key key, uint64_t *from, uint64_t *to,
                           gr_error *error) {
    const char *text = key == GR_KEY_train_rows ? s->train_rows : s->test_rows, *at = text;
    *from = 0;
    *to = UINT64_MAX;
    if (!*text)
        return GR_OK;
    if (!parse_row(&at, ':', from) || !parse_row(&at, '\0', to) || *from >= *to)
        return gr_settings_fail(s, key, error,
                                "%s is '%.*s'; expected FROM:TO with FROM below TO, as in 0:500",
                                gr_setting_table[key].key, GR_CUT(text, 80));
    return GR_OK;
}

/* The next item of a comma list, trimmed; 0 at its end. */
static bool next_item(const char **list, char item[64]) {
    const char *at = *list;
    if (!at)
        return false;
    size_t n = strcspn(at, ",");
    *list = at[n] ? at + n + 1 : NULL;
    while (n && *at == ' ')
        at++, n--;
    while (n && at[n - 1] == ' ')
        n--;
    snprintf(item, 64, "%.*s", gr_text_fits(at, n, 63), at);
    return true;
}

static int find_function(const char *item, int packed) {
    int op = gr_find_symbol(item, strlen(item), packed);
    return op >= 0 ? op : gr_find_operation(item, strlen(item), packed);
}

/* Of numbers, where it would be taken for a power. */
static int is_caret(const char *item, int packed) {
    return !packed && strcmp(item, "^") == 0;
}

static gr_status unknown_function(const gr_settings *s, const char *item, gr_error *error) {
    int packed = *s->boolean != '\0';
    if (is_caret(item, packed))
        return gr_settings_fail(s, GR_KEY_functions, error,
                                "functions has '^', which is no power; expected ** or pow, or xor "
                                "for an exclusive or");
    if (packed && find_function(item, 0) >= 0)
        return gr_settings_fail(s, GR_KEY_functions, error,
                                "functions has '%s', which works on numbers, but this problem is "
                                "Boolean; expected operations, as in \"and, or, not\"",
                                item);
    return gr_settings_fail(s, GR_KEY_functions, error,
                            "functions has '%s'; expected operations, as in \"%s\"", item,
                            packed ? "and, or, not" : "+, -, sin");
}

gr_status gr_settings_functions(const gr_settings *s, uint8_t *function, uint32_t *count,
                                gr_error *error) {
    const char *list = s->functions;
    char item[64];
    *count = 0;
    while (next_item(&list, item)) {
        int op = find_function(item, *s->boolean != '\0');
        if (op < 0 || gr_is_ranking((uint32_t)op) || is_caret(item, *s->boolean != '\0'))
            return unknown_function(s, item, error);
        uint32_t at = *count;
        for (uint32_t i = 0; i < *count; i++)
            if (function[i] == op)
                return gr_settings_fail(s, GR_KEY_functions, error,
                                        "functions has '%s' twice; expected each operation once",
                                        item);
        for (; at && gr_arity(function[at - 1]) > gr_arity((uint32_t)op); at--)
            function[at] = function[at - 1];
        function[at] = (uint8_t)op;
        ++*count;
    }
    return GR_OK;
}

gr_status gr_settings_thresholds(const gr_settings *s, float *threshold, uint32_t *count,
                                 gr_error *error) {
    const char *list = *s->thresholds ? s->thresholds : NULL;
    char item[64], *end;
    *count = 0;
    while (next_item(&list, item)) {
        float value = gr_text_float(item, &end);
        if (strpbrk(item, "0123456789") && !*end && isinf(value))
            return gr_settings_fail(s, GR_KEY_thresholds, error,
                                    "thresholds has '%s' beyond single precision; expected at most "
                                    "3.4e38",
                                    item);
        if (end == item || *end || !isfinite(value))
            return gr_settings_fail(s, GR_KEY_thresholds, error,
                                    "thresholds has '%s'; expected numbers, as in \"0.5, 1.5\"",
                                    item);
        if (*count && !(value > threshold[*count - 1]))
            return gr_settings_fail(s, GR_KEY_thresholds, error,
                                    "thresholds do not rise at '%s'; expected each larger than "
                                    "the one before",
                                    item);
        if (*count == GR_MAX_THRESHOLDS)
            return gr_settings_fail(s, GR_KEY_thresholds, error,
                                    "more than %d thresholds; expected at most that many",
                                    GR_MAX_THRESHOLDS);
        threshold[(*count)++] = value;
    }
    return GR_OK;
}
