/* The program's face: finds the verb, prints what went wrong, exits. */
#include "host/base/json.h"
#include "host/base/text.h"
#include "host/cli/commands.h"
#include "host/cli/signals.h"
#include "host/cli/visible.h"
#include "host/library/grampus.h"
#include "host/spread/processes.h"
#include "host/spread/remote.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *name;
    gr_command *command;
    const char *help;
} verbs[] = {
#define GR_VERB(name, help) {#name, gr_command_##name, help},
#include "host/cli/verbs.def"
};
enum { VERBS = sizeof verbs / sizeof *verbs };

static void print_help(void) {
    printf("usage: grampus VERB [--option value ...]\n\n");
    for (int i = 0; i < VERBS; i++)
        printf("  %-10s %s\n", verbs[i].name, verbs[i].help);
    printf(
        "\ngrampus VERB --help, or help VERB, shows the options of a verb, grampus --version the "
        "version.\n"
        "Exit codes: 0 done, 1 run-time failure, 2 wrong use or bad input, 3 stopped on "
        "request,\n4 out of memory, 5 device failure or failed self-test, 6 a repeated run "
        "differs,\n7 a grammar whose sentences are no expressions.\n");
}

static const char *list_verbs(char out[256]) {
    const char *names[VERBS];
    for (int i = 0; i < VERBS; i++)
        names[i] = verbs[i].name;
    gr_text_list(names, VERBS, out, 256);
    return out;
}

static gr_status unknown_verb(const char *word, gr_error *error) {
    const char *names[VERBS + 1] = {0};
    char hint[64], all[256];
    for (int i = 0; i < VERBS; i++)
        names[i] = verbs[i].name;
    gr_nearest_hint(word, names, "", hint, sizeof hint);
    return gr_fail(error, GR_BAD_INPUT, "%.*s: unknown %s%s%s", GR_CUT(word, 80),
                   *word == '-' ? "option" : "verb", *hint ? hint : "; expected ",
                   *hint ? "" : list_verbs(all));
}

static gr_status dispatch(int argc, char **argv, gr_error *error) {
    for (int i = 0; i < VERBS; i++)
        if (strcmp(argv[0], verbs[i].name) == 0)
            return verbs[i].command(argc, argv, error);
    return unknown_verb(argv[0], error);
}

static gr_status call(int argc, char **argv, gr_error *error) {
    char all[256], asks[] = "--help";
    if (argc < 2)
        return gr_fail(error, GR_BAD_INPUT, "no verb; expected %s (grampus --help)",
                       list_verbs(all));
    if (argc == 3 && strcmp(argv[1], "help") == 0)
        return dispatch(2, (char *[]){argv[2], asks, NULL}, error);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_help();
        return GR_OK;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("grampus %s (%s)\n", grampus_version(),
#ifdef GRAMPUS_CUDA
               "with CUDA"
#else
               "without CUDA"
#endif
        );
        return GR_OK;
    }
    return dispatch(argc - 1, argv + 1, error);
}

/* Runs say which GPUs they want when their settings are read. */
static void see_devices(const gr_transport *others, const char *verb) {
    if (others)
        gr_see_own_device(others->local);
    else if (strcmp(verb, "run") != 0 && strcmp(verb, "resume") != 0 &&
             strcmp(verb, "devices") != 0)
        gr_see_first_device();
}

/* What another process is asked comes to verbs that listen to signals as one; others end by it. */
static void hear_others(const gr_transport *others, const char *verb) {
    int listens =
        strcmp(verb, "run") == 0 || strcmp(verb, "resume") == 0 || strcmp(verb, "experiment") == 0;
    if (others && others->rank == 0 && !listens)
        gr_processes_listen(gr_signals_pass_on);
}

/* A standard stream that is closed becomes /dev/null, lest the next file that is opened takes its
 * number and what is printed. 0: that is not possible. */
static int keep_standard_streams(void) {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd)
            return 0;
    return 1;
}

/* What process 0 asks for, where several were started together. */
static gr_status serve(void) {
    int code = gr_remote_serve(gr_processes(), gr_signals_note());
    gr_processes_leave(code);
    return (gr_status)code;
}

/* Ends the process with everything written. With the driver loaded at once: what exit() would give
 * back piece by piece the system takes back with the process. */
static int leave(gr_status status) {
#ifdef GRAMPUS_CUDA
    fflush(stderr);
    _exit((int)status);
#endif
    return (int)status;
}

int main(int argc, char **argv) {
    gr_error error = {GR_OK, ""};
    if (!keep_standard_streams())
        return GR_FAILED;
    gr_json_watch_memory();
    signal(SIGXFSZ, SIG_IGN); /* a limit on the size of files is told of as a full disk is */
    setenv("CUDA_MODULE_LOADING", "LAZY", 0); /* before the driver is loaded */
    gr_status status = gr_processes_join(&error);
    if (!status) {
        const gr_transport *others = gr_processes();
        see_devices(others, argc > 1 ? argv[1] : "");
        hear_others(others, argc > 1 ? argv[1] : "");
        status = others && others->rank > 0 ? serve() : call(argc, argv, &error);
    }
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout)) { /* a full disk behind a redirection */
        if (status == GR_OK || status == GR_STOPPED)
            status = gr_fail(&error, GR_FAILED, "standard output: %s",
                             errno ? strerror(errno) : "write error");
    }
    if (*error.text)
        fprintf(stderr, "%s\n", error.text);
    gr_processes_leave((int)status);
    return leave(status);
}
