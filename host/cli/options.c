/* Options of the verbs that are no settings of a run. */
#include "host/base/text.h"
#include "host/cli/commands.h"
#include "host/settings/settings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void gr_nearest_hint(const char *word, const char *const *among, const char *dashes, char *out,
                     size_t size) {
    gr_nearest nearest = {0};
    for (; *among; among++)
        gr_nearest_try(&nearest, word, *among);
    *out = '\0';
    if (nearest.best)
        snprintf(out, size, "; did you mean '%s%s'?", dashes, nearest.best);
}

static gr_status unknown_option(const char *verb, const char *argument, const gr_option *options,
                                gr_error *error) {
    enum { MOST = 32 };
    const char *names[MOST + 1] = {0};
    char name[64], hint[128];
    for (int i = 0; i < MOST && options[i].name; i++)
        names[i] = options[i].name;
    const char *start = argument + strspn(argument, "-");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(start, "="), start);
    gr_nearest_hint(name, names, "--", hint, sizeof hint);
    if (!*hint)
        snprintf(hint, sizeof hint, "; expected one of the options in grampus %.*s --help",
                 GR_CUT(verb, 20));
    return gr_fail(error, GR_BAD_INPUT, "%.*s: unknown %s%s", GR_CUT(argument, 80),
                   *argument == '-' ? "option" : "argument", hint);
}

gr_status gr_options_read(int argc, char **argv, const gr_option *options, gr_error *error) {
    return gr_options_and_files(argc, argv, options, NULL, 0, error);
}

gr_status gr_options_and_files(int argc, char **argv, const gr_option *options, const char **files,
                               int most, gr_error *error) {
    int taken = 0;
    for (int i = 1; i < argc; i++) {
        const char *argument = strcmp(argv[i], "-h") == 0 ? "--help" : argv[i];
        size_t length = strcspn(argument, "=");
        const gr_option *o = options;
        while (o->name && (strncmp(argument, "--", 2) != 0 || length != strlen(o->name) + 2 ||
                           memcmp(argument + 2, o->name, length - 2) != 0))
            o++;
        if (!o->name && taken < most && (*argument != '-' || !argument[1])) {
            files[taken++] = argument;
            continue;
        }
        if (!o->name && most && *argument != '-')
            return gr_fail(error, GR_BAD_INPUT, "%.*s: one argument too many; expected %s%d",
                           GR_CUT(argument, 80), most > 1 ? "at most " : "", most);
        if (!o->name)
            return unknown_option(argv[0], argument, options, error);
        if (o->flag && argument[length])
            return gr_fail(error, GR_BAD_INPUT, "--%s takes no value; found '%.*s'", o->name,
                           GR_CUT(argument + length + 1, 80));
        if (o->flag)
            *o->flag = 1;
        else if (argument[length])
            *o->value = argument + length + 1;
        else if (i + 1 < argc && strncmp(argv[i + 1], "--", 2) != 0)
            *o->value = argv[++i];
        else
            return gr_fail(error, GR_BAD_INPUT, "--%s: no value; expected one", o->name);
    }
    return GR_OK;
}

gr_status gr_option_whole(const char *name, const char *text, uint32_t least, uint32_t most,
                          uint32_t *value, gr_error *error) {
    char *end;
    if (!text)
        return GR_OK;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || number < least || number > most)
        return gr_fail(error, GR_BAD_INPUT, "--%s is '%.*s'; expected a whole number from %u to %u",
                       name, GR_CUT(text, 80), least, most);
    *value = (uint32_t)number;
    return GR_OK;
}

gr_status gr_option_folder(const char *name, const char *text, gr_error *error) {
    return !text || *text ? GR_OK
                          : gr_fail(error, GR_BAD_INPUT,
                                    "--%s has no value; expected a folder, as in results", name);
}

gr_status gr_option_ranges(const gr_range_options *o, gr_grammar_context *context,
                           gr_error *error) {
    enum { MOST = 1000000 };
    gr_status status = gr_option_whole("n-vars", o->n_vars, 1, MOST, &context->n_vars, error);
    if (!status)
        status = gr_option_whole("n-is", o->n_is, 1, MOST, &context->n_is, error);
    return status ? status : gr_option_whole("n-os", o->n_os, 1, MOST, &context->n_os, error);
}

gr_status gr_options_json(int argc, char **argv, const char *usage, int *json, int *done,
                          gr_error *error) {
    const gr_option options[] = {{"json", NULL, json}, {"help", NULL, done}, {NULL, NULL, NULL}};
    *json = *done = 0;
    gr_status status = gr_options_read(argc, argv, options, error);
    if (!status && *done)
        fputs(usage, stdout);
    return status;
}

int gr_asks_for_help(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return 1;
    return 0;
}

gr_status gr_options_settings(int argc, char **argv, gr_settings *settings, gr_error *error) {
    gr_status status = GR_OK;
    for (int i = 1, used; !status && i < argc; i += used) {
        status = gr_settings_option(settings, argc - i, argv + i, &used, error);
        if (!status && !used)
            return gr_settings_unknown_option(argv[i], NULL, error);
    }
    return status;
}
