/* Pictures, drawn by gnuplot from a script that holds the figures. */
#include "host/bench/bench.h"

#include "host/base/output.h"
#include "host/base/text.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Runs gnuplot on a script; *code is its exit code. 0: there is no gnuplot. */
static int run_gnuplot(char *script, int *code) {
    char *const arguments[] = {"gnuplot", script, NULL};
    pid_t child;
    int status;
    if (posix_spawnp(&child, "gnuplot", NULL, NULL, arguments, environ))
        return 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return 0;
    *code = WIFEXITED(status) ? WEXITSTATUS(status) : 127;
    return *code != 127; /* what a shell, or an older libc, says of a missing program */
}

static const char *terminal_of(const char *picture) {
    const char *dot = strrchr(picture, '.');
    return dot && strcmp(dot, ".svg") == 0   ? "svg size 900,640 background '#ffffff'"
           : dot && strcmp(dot, ".png") == 0 ? "pngcairo size 900,640"
                                             : NULL;
}

/* Before minutes of measuring: the folder must be there, and take files. */
gr_status gr_bench_check_picture(const char *picture, gr_error *error) {
    const char *slash = strrchr(picture, '/');
    if (!terminal_of(picture))
        return gr_fail(error, GR_BAD_INPUT, "--picture is '%.*s'; expected a name in .svg or .png",
                       GR_CUT(picture, 200));
    char *folder = slash ? strndup(picture, (size_t)(slash - picture) + 1) : strdup(".");
    gr_status status = !folder ? gr_fail(error, GR_NO_MEMORY, "no memory for a path")
                       : access(folder, W_OK | X_OK) == 0
                           ? GR_OK
                           : gr_fail(error, GR_BAD_INPUT,
                                     "--picture: %.*s: %s; expected a folder that can be written",
                                     GR_CUT(folder, GR_PATH_SHOWN), strerror(errno));
    free(folder);
    return status;
}

/* Single quotes, doubled inside. */
void gr_write_quoted(FILE *out, const char *text) {
    fputc('\'', out);
    for (; *text; text++) {
        if (*text == '\'')
            fputc('\'', out);
        fputc(*text, out);
    }
    fputc('\'', out);
}

/* The script with the rates stays beside the picture: it draws it again, or elsewhere. */
gr_status gr_bench_draw(const char *picture, gr_write_script *write, const void *context,
                        gr_error *error) {
    char script[1024];
    int code = 0, length = snprintf(script, sizeof script, "%.*s.gp", (int)strlen(picture) - 4,
                                    picture); /* its ending has four letters */
    errno = ENAMETOOLONG;
    FILE *out = length < (int)sizeof script ? fopen(script, "w") : NULL;
    if (!out)
        return gr_output_fail(script, error);
    fprintf(out, "set terminal %s\nset output ", terminal_of(picture));
    gr_write_quoted(out, picture);
    fprintf(out, "\n");
    write(context, out);
    gr_status status = gr_close_checked(out, script, GR_OK, error);
    if (status)
        return status;
    if (!run_gnuplot(script, &code))
        return gr_fail(error, GR_FAILED,
                       "gnuplot is not here; %.*s holds the rates, and gnuplot draws %.*s from "
                       "it",
                       GR_CUT(script, 200), GR_CUT(picture, 200));
    return code == 0 ? GR_OK
                     : gr_fail(error, GR_FAILED, "%.*s: gnuplot did not draw it (exit code %d)",
                               GR_CUT(picture, 200), code);
}
