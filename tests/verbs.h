/* Calls verbs as main does: words in, exit code, standard output and error out. */
#ifndef GRAMPUS_TESTS_VERBS_H
#define GRAMPUS_TESTS_VERBS_H

#include "host/cli/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char verb_output[1 << 16]; /* of the last call; "" where it wrote nothing */
static gr_error verb_error;

/* What stands in a temporary file. */
__attribute__((unused)) static void verb_read(FILE *file) {
    rewind(file);
    size_t length = fread(verb_output, 1, sizeof verb_output - 1, file);
    verb_output[length] = '\0';
    fclose(file);
}

/* words: the verb, its arguments and NULL. */
__attribute__((unused)) static gr_status call_verb(gr_command *command, const char *const *words) {
    char *argv[32] = {0};
    int argc = 0, before = dup(STDOUT_FILENO);
    FILE *file = tmpfile();
    for (; words[argc] && argc < 31; argc++)
        argv[argc] = strdup(words[argc]);
    char *given[32];
    memcpy(given, argv, sizeof given); /* a verb may change its words */
    verb_error = (gr_error){GR_OK, ""};
    fflush(stdout);
    dup2(fileno(file), STDOUT_FILENO);
    gr_status status = command(argc, argv, &verb_error);
    fflush(stdout);
    dup2(before, STDOUT_FILENO);
    close(before);
    verb_read(file);
    for (int i = 0; i < argc; i++)
        free(given[i]);
    return status;
}
#define CALL(name, ...)                                                                            \
    call_verb(gr_command_##name, (const char *const[]){#name, ##__VA_ARGS__, NULL})

/* A temporary file of this text; its path, which the caller unlinks and frees. */
__attribute__((unused)) static char *verb_file(const char *text) {
    char *path = strdup("/tmp/grampus-verb-XXXXXX");
    int file = mkstemp(path);
    if (file < 0 || write(file, text, strlen(text)) != (ssize_t)strlen(text))
        abort();
    close(file);
    return path;
}
__attribute__((unused)) static void verb_file_end(char *path) {
    unlink(path);
    free(path);
}

/* A folder of their own for the tests of a verb. */
__attribute__((unused)) static char verb_folder[] = "/tmp/grampus-verb-XXXXXX";
__attribute__((unused)) static int open_verb_folder(void **state) {
    (void)state;
    return mkdtemp(verb_folder) ? 0 : 1;
}
__attribute__((unused)) static int remove_verb_folder(void **state) {
    (void)state;
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", verb_folder);
    return system(command);
}

#endif
