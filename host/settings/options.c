/* The settings on the command line: options, --help, and the table in problems/README.md. */
#include "host/base/text.h"
#include "host/settings/table.h"

#include <string.h>
#include <strings.h>

static bool is_bool_word(const char *word) {
    return strcasecmp(word, "true") == 0 || strcasecmp(word, "false") == 0;
}

/* The setting of "key", "key=value" or "no-key". */
static gr_key option_key(const char *name, bool *negated) {
    size_t length = strcspn(name, "=");
    gr_key key = gr_setting_find(name, length);
    *negated = false;
    if (key != GR_KEY_COUNT || strncmp(name, "no-", 3) != 0 || name[length] == '=')
        return key;
    key = gr_setting_find(name + 3, length - 3);
    if (key == GR_KEY_COUNT || gr_setting_table[key].kind != GR_KIND_BOOL)
        return GR_KEY_COUNT;
    *negated = true;
    return key;
}

gr_status gr_settings_option(gr_settings *settings, int argc, char *const *argv, int *used,
                             gr_error *error) {
    static const gr_origin option = {GR_FROM_OPTION, 0, 0, NULL};
    *used = 0;
    if (argc < 1 || strncmp(argv[0], "--", 2) != 0)
        return GR_OK;
    bool negated;
    gr_key key = option_key(argv[0] + 2, &negated);
    if (key == GR_KEY_COUNT)
        return GR_OK;
    const gr_setting *setting = &gr_setting_table[key];
    const char *equals = strchr(argv[0], '='), *value;
    bool next = argc > 1 && strncmp(argv[1], "--", 2) != 0;
    *used = 1;
    if (equals)
        value = equals + 1;
    else if (setting->kind == GR_KIND_BOOL && (negated || !next || !is_bool_word(argv[1])))
        value = negated ? "false" : "true";
    else if (next) {
        value = argv[1];
        *used = 2;
    } else {
        char expected[256];
        gr_setting_expected(setting, expected, sizeof expected);
        return gr_fail(error, GR_BAD_INPUT, "--%s: no value; expected %s", setting->key, expected);
    }
    return gr_setting_store(settings, key, value, option, error);
}

/* "--no-grap": only switches can be meant. */
static gr_status unknown_negation(const char *option, gr_error *error) {
    gr_nearest nearest = {0};
    for (uint32_t key = 0; key < GR_KEY_COUNT; key++)
        if (gr_setting_table[key].kind == GR_KIND_BOOL)
            gr_nearest_try(&nearest, option + strlen("--no-"), gr_setting_table[key].key);
    if (nearest.best)
        return gr_fail(error, GR_BAD_INPUT, "%.*s: unknown option; did you mean '--no-%s'?",
                       GR_CUT(option, 80), nearest.best);
    return gr_fail(error, GR_BAD_INPUT,
                   "%.*s: no such switch; expected one of the options in --help",
                   GR_CUT(option, 80));
}

gr_status gr_settings_unknown_option(const char *option, const char *const *more, gr_error *error) {
    char name[80], hint[128];
    if (strncmp(option, "--no-", 5) == 0)
        return unknown_negation(option, error);
    const char *start = option + strspn(option, "-");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(start, "="), start);
    gr_setting_suggest(name, more, "--", hint, sizeof hint);
    return gr_fail(error, GR_BAD_INPUT, "%.*s: unknown option%s", GR_CUT(option, 80), hint);
}

/* What stands behind an option: "N", "WORD", ... */
static const char *placeholder(const gr_setting *setting) {
    switch (setting->kind) {
    case GR_KIND_BOOL:
        return "";
    case GR_KIND_ENUM:
        return "WORD";
    case GR_KIND_REAL:
        return "X";
    case GR_KIND_U32:
    case GR_KIND_U64:
        return "N";
    default:
        return setting->words;
    }
}

void gr_settings_help(FILE *out) {
    const char *group = "";
    for (uint32_t key = 0; key < GR_KEY_COUNT; key++) {
        const gr_setting *setting = &gr_setting_table[key];
        char option[64];
        if (strcmp(group, setting->group) != 0)
            fprintf(out, "%s%s:\n", *group ? "\n" : "", setting->group);
        group = setting->group;
        snprintf(option, sizeof option, "--%s%s %s", setting->kind == GR_KIND_BOOL ? "[no-]" : "",
                 setting->key, placeholder(setting));
        fprintf(out, "  %-31s %s", option, setting->help);
        if (*setting->initial)
            fprintf(out, " [%s]", setting->initial);
        if (setting->kind == GR_KIND_ENUM)
            fprintf(out, "\n  %-31s   %s", "", setting->words);
        fputc('\n', out);
    }
}

/* Text inside a table cell. */
static void print_cell(FILE *out, const char *text) {
    for (; *text; text++) {
        if (*text == '|')
            fputc('\\', out);
        fputc(*text, out);
    }
}

static void print_values(FILE *out, const gr_setting *setting) {
    char min[32], max[32];
    gr_text_print_double(setting->min, min);
    gr_text_print_double(setting->max, max);
    if (setting->kind == GR_KIND_BOOL)
        fputs("true, false", out);
    else if (setting->kind == GR_KIND_U64)
        fputs("whole number", out);
    else if (setting->kind == GR_KIND_U32)
        fprintf(out, "%.0f to %.0f", setting->min, setting->max);
    else if (setting->kind == GR_KIND_REAL)
        fprintf(out, "%s to %s", min, max);
    if (setting->kind == GR_KIND_ENUM || setting->kind == GR_KIND_TEXT ||
        setting->kind == GR_KIND_PATH)
        for (const char *word = setting->words; *word; word++)
            *word == '|' ? fputs(", ", out) : fputc(*word, out);
    else if (*setting->words)
        fprintf(out, ", %s", setting->words);
}

void gr_settings_markdown(FILE *out) {
    const char *group = "";
    for (uint32_t key = 0; key < GR_KEY_COUNT; key++) {
        const gr_setting *setting = &gr_setting_table[key];
        if (strcmp(group, setting->group) != 0)
            fprintf(out, "%s**%s**\n\n| key | value | default | meaning |\n|---|---|---|---|\n",
                    *group ? "\n" : "", setting->group);
        group = setting->group;
        fprintf(out, "| `%s` | ", setting->key);
        print_values(out, setting);
        const char *quote = *setting->initial ? "`" : "";
        fprintf(out, " | %s%s%s | ", quote, setting->initial, quote);
        print_cell(out, setting->help);
        fputs(" |\n", out);
    }
    gr_catalogues_markdown(out);
}
