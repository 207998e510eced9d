/* grampus resume: goes on with a run from its last checkpoint. */
#include "host/base/output.h"
#include "host/base/text.h"
#include "host/checkpoint/contents.h"
#include "host/cli/commands.h"
#include "host/cli/signals.h"
#include "host/settings/table.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void print_help(void) {
    printf("usage: grampus resume FOLDER [--key value ...]\n\n"
           "Goes on with the run whose results are in FOLDER from the newest checkpoint there. Its "
           "results are\nthose of the run as if it had never ended. Settings that may change, all "
           "others are as they were:\n\n");
    for (uint32_t key = 0; key < GR_KEY_COUNT; key++)
        if (gr_may_change((gr_key)key))
            printf("  --%-20s %s\n", gr_setting_table[key].key, gr_setting_table[key].help);
    printf("\nWith --output the folder stays as it is, and all results go to a new one. Files may "
           "lie elsewhere, but must hold the same.\n");
}

/* The folder, and options over its settings. */
static gr_status take_arguments(int argc, char **argv, gr_settings *settings, const char **folder,
                                gr_error *error) {
    static const char *const more[] = {"help", NULL};
    *folder = NULL;
    for (int i = 1, used; i < argc; i += used) {
        gr_status status = gr_settings_option(settings, argc - i, argv + i, &used, error);
        if (status)
            return status;
        if (used)
            continue;
        used = 1;
        if (argv[i][0] == '-')
            return gr_settings_unknown_option(argv[i], more, error);
        if (*folder)
            return gr_fail(error, GR_BAD_INPUT, "%.*s: a second folder; expected one",
                           GR_CUT(argv[i], 80));
        *folder = argv[i];
    }
    return *folder
               ? GR_OK
               : gr_fail(error, GR_BAD_INPUT, "no folder; expected the folder of a run's results");
}

/* Options that would make another run of it. */
static gr_status check_options(const gr_settings *settings, gr_error *error) {
    for (uint32_t key = 0; key < GR_KEY_COUNT; key++)
        if (settings->origin[key].from == GR_FROM_OPTION && !gr_may_change((gr_key)key))
            return gr_fail(error, GR_BAD_INPUT,
                           "--%s: a resumed run keeps it; expected one of the options in grampus "
                           "resume --help",
                           gr_setting_table[key].key);
    return GR_OK;
}

/* The settings of the run, then the options; resolved. */
static gr_status read_settings(int argc, char **argv, gr_settings *settings, const char **folder,
                               gr_error *error) {
    gr_status status = take_arguments(argc, argv, settings, folder, error);
    if (status)
        return status;
    struct stat facts;
    char *path = gr_path_join(*folder, "run.yaml");
    gr_settings_free(settings);
    status = gr_settings_init(settings, error);
    if (!status && !path)
        status = gr_fail(error, GR_NO_MEMORY, "no memory for a path");
    if (!status && (stat(path, &facts) != 0 || !S_ISREG(facts.st_mode)))
        status = gr_fail(error, GR_BAD_INPUT,
                         "%s: no run.yaml there; expected the folder of a run's results", *folder);
    if (!status)
        status = gr_settings_load(settings, path, error);
    if (!status)
        status = take_arguments(argc, argv, settings, folder, error);
    if (!status)
        status = check_options(settings, error);
    if (!status)
        status = gr_settings_resolve(settings, error);
    free(path);
    return status;
}

gr_status gr_command_resume(int argc, char **argv, gr_error *error) {
    gr_settings settings;
    const char *folder;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            print_help();
            return GR_OK;
        }
    gr_signals_watch();
    gr_status status = gr_settings_init(&settings, error);
    if (status)
        return status;
    status = read_settings(argc, argv, &settings, &folder, error);
    if (!status)
        status = gr_evolve(&settings, folder, &(gr_showing){0}, error);
    gr_settings_free(&settings);
    return status;
}
