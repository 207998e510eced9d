#define _GNU_SOURCE /* posix_spawn_file_actions_addchdir_np */
#include "host/report/drawing.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

const gr_terminal gr_terminals[GR_TERMINALS] = {
    {"svg", "set terminal svg size %d,%d font 'Helvetica,13' background '#ffffff'"},
    {"pdf", "set terminal pdfcairo size %d/100.,%d/100. font 'Helvetica,11' fontscale 0.9"},
    {"png", "set terminal pngcairo size %d*2,%d*2 font 'Helvetica,13' fontscale 1.8 linewidth 2 "
            "pointscale 2"},
};

const char *const gr_colours[GR_COLOURS] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                            "#e69f00", "#56b4e9", "#000000"};

gr_drawn gr_run_in(const char *folder, const char *const *arguments, const char *log) {
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = 0, failed = posix_spawn_file_actions_init(&actions);
    if (failed)
        return GR_NOT_DRAWN;
    failed |= posix_spawn_file_actions_addchdir_np(&actions, folder);
    failed |= posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    failed |= posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log,
                                               O_WRONLY | O_CREAT | O_TRUNC, 0666);
    failed |= posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    if (!failed)
        failed =
            posix_spawnp(&child, arguments[0], &actions, NULL, (char *const *)arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed)
        return failed == ENOENT ? GR_NOT_THERE : GR_NOT_DRAWN;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return GR_NOT_DRAWN;
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
    return code == 0 ? GR_DRAWN : code == 127 ? GR_NOT_THERE : GR_NOT_DRAWN;
}

static void write_quoted(FILE *script, const char *text, const char *doubled) {
    fputc('\'', script);
    for (; *text; text++) {
        if (strchr(doubled, *text))
            fputc(*text, script);
        fputc((unsigned char)*text < 0x20 || *text == 0x7f ? ' ' : *text, script);
    }
    fputc('\'', script);
}

void gr_write_label(FILE *script, const char *text) {
    write_quoted(script, text, "'");
}

void gr_write_tic(FILE *script, const char *text) {
    write_quoted(script, text, "'%");
}
