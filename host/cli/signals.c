#include "host/cli/signals.h"

#include "host/spread/processes.h"

#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* What a handler can reach: who is told. */
static void (*volatile told)(void *context);
static void *volatile told_with;
static volatile sig_atomic_t started, interrupted, signalled;
static struct timespec first;

/* timeout(1) signals the process and then its group, a terminal that is closed and the shell in it
 * do the same: the second signal within this time is the first one once more. */
enum { ECHO_MILLISECONDS = 100 };

static int is_echo(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (now.tv_sec - first.tv_sec) * 1000 + (now.tv_nsec - first.tv_nsec) / 1000000 <
           ECHO_MILLISECONDS;
}

/* As if nobody had listened. */
static void end_at_once(int number) {
    signal(number, SIG_DFL);
    raise(number); /* comes when the handler returns */
}

static void tell(void) {
    int before = interrupted;
    interrupted = 1; /* first: who starts meanwhile, on another thread, asks for it */
    if (!before && started && told)
        told(told_with);
}

/* What another process was asked comes as a signal of this one to itself. It is no first signal, of
 * which the next would be the second: whoever signals all processes of a run does so once. */
void gr_signals_pass_on(void) {
    kill(getpid(), SIGTERM);
}

static void on_signal(int number, siginfo_t *info, void *context) {
    static const char line[] = "stopped before the first generation; nothing was written\n";
    (void)context;
    if (info->si_code == SI_USER && info->si_pid == getpid()) {
        tell();
        return;
    }
    if (!started) {
        ssize_t written = write(STDERR_FILENO, line, sizeof line - 1);
        (void)written;
        _exit(GR_STOPPED);
    }
    if (signalled) {
        if (!is_echo())
            end_at_once(number);
        return;
    }
    clock_gettime(CLOCK_MONOTONIC, &first);
    signalled = 1;
    tell();
}

void gr_signals_watch(void) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_RESTART | SA_SIGINFO},
                     before;
    sigemptyset(&action.sa_mask);
    for (int k = 0; k < 3; k++)
        sigaddset(&action.sa_mask, numbers[k]);
    for (int k = 0; k < 3; k++)
        if (numbers[k] != SIGHUP || sigaction(SIGHUP, NULL, &before) ||
            before.sa_handler != SIG_IGN) /* nohup */
            sigaction(numbers[k], &action, NULL);
    signal(SIGPIPE, SIG_IGN); /* who read along is gone (`| head`): the results are in files */
    gr_processes_listen(gr_signals_pass_on);
}

void gr_signals_call(void (*stop)(void *context), void *context) {
    told = NULL;
    told_with = context;
    told = stop;
    started = 1;
    if (stop && interrupted)
        stop(context);
}

static void stop_run(void *run) {
    gr_run_stop(run);
}

void gr_signals_lead_to(gr_run *run) {
    gr_signals_call(run ? stop_run : NULL, run);
}

static volatile int noted;

static void note(void *context) {
    (void)context;
    noted = 1;
    gr_processes_tell(); /* it may have nothing to do, and nothing to answer */
}

volatile int *gr_signals_note(void) {
    gr_signals_call(note, NULL);
    gr_signals_watch();
    return &noted;
}
