/* Pictures, drawn by gnuplot from a script that holds the figures. */
#include "host/bench/bench.h"

#include "host/base/text.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>

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

gr_status gr_bench_check_picture(const char *picture, gr_error *error) {
    return terminal_of(picture) ? GR_OK
                                : gr_fail(error, GR_BAD_INPUT,
                                          "--picture is '%.*s'; expected a name in .svg or .png",
                                          GR_CUT(picture, 200));
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
    FILE *out = length < (int)sizeof script ? fopen(script, "w") : NULL;
    if (out) {
        fprintf(out, "set terminal %s\nset output ", terminal_of(picture));
        gr_write_quoted(out, picture);
        fprintf(out, "\n");
        write(context, out);
    }
    if (!out || ferror(out) || fclose(out))
        return gr_fail(error, GR_FAILED, "%.*s: cannot be written", GR_CUT(script, 200));
    if (!run_gnuplot(script, &code))
        return gr_fail(error, GR_FAILED,
                       "gnuplot is not here; %.*s holds the rates, and gnuplot draws %.*s from "
                       "it",
                       GR_CUT(script, 200), GR_CUT(picture, 200));
    return code == 0 ? GR_OK
                     : gr_fail(error, GR_FAILED, "%.*s: gnuplot did not draw it (exit code %d)",
                               GR_CUT(picture, 200), code);
}
