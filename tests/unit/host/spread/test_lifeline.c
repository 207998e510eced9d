/* The lines between processes: nobody is taken for dead because another was slow to begin, who dies
 * is noticed, and the leading process is told of who was asked to end. The processes are forked
 * here, and their transport is pipes. Sleeps nearly all of its time: tests/run.sh has it beside the
 * others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu/backend/error.h"
#include "host/spread/lifeline.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROCESSES = 3 };
static int pipes[PROCESSES][2]; /* to each, from the leading one */
static int slow;                /* seconds before the leading one's word reaches the last */

static int send_by_pipe(const void *data, size_t bytes, int to) {
    if (to == PROCESSES - 1)
        sleep((unsigned)slow);
    return write(pipes[to][1], data, bytes) == (ssize_t)bytes;
}
static int receive_by_pipe(void *data, size_t bytes, int from) {
    (void)from;
    int me = atoi(getenv("RANK"));
    return read(pipes[me][0], data, bytes) == (ssize_t)bytes;
}

static volatile int times_told;
static void note(void) {
    times_told++;
}

/* A process: tied, at work for a while, and gone as a run is; process `dies` does not come so far,
 * and all others tell the leading one that they were asked, unless one dies. */
static void be_process(int rank, int dies) {
    char number[8] = {(char)('0' + rank), 0};
    setenv("RANK", number, 1);
    gr_transport t = {
        .size = PROCESSES, .rank = rank, .send = send_by_pipe, .receive = receive_by_pipe};
    alarm(60);
    gr_lifeline_tie(&t, note);
    if (rank == dies)
        _exit(9);
    if (dies < 0) /* the leading one has nobody to tell */
        gr_lifeline_tell();
    sleep(dies < 0 ? (unsigned)slow + 2 : 50);
    gr_lifeline_loosen();
    sleep(1); /* all are loose before the first line ends */
    gr_lifeline_untie();
    _exit(dies < 0 && times_told != (rank ? 0 : PROCESSES - 1) ? 7 : 0);
}

/* Their exit codes. */
static void run_processes(int dies, int codes[PROCESSES]) {
    pid_t process[PROCESSES];
    for (int rank = 0; rank < PROCESSES; rank++)
        assert_int_equal(pipe(pipes[rank]), 0);
    for (int rank = 0; rank < PROCESSES; rank++) {
        process[rank] = fork();
        assert_true(process[rank] >= 0);
        if (!process[rank])
            be_process(rank, dies);
    }
    for (int rank = 0; rank < PROCESSES; rank++) {
        int status;
        assert_int_equal(waitpid(process[rank], &status, 0), process[rank]);
        codes[rank] = WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
        close(pipes[rank][0]);
        close(pipes[rank][1]);
    }
}

static void test_slow_start(void **state) {
    int codes[PROCESSES];
    (void)state;
    slow = 5;
    run_processes(-1, codes);
    for (int rank = 0; rank < PROCESSES; rank++)
        assert_int_equal(codes[rank], 0);
}

static void test_death(void **state) {
    int codes[PROCESSES];
    (void)state;
    slow = 0;
    for (int dies = 0; dies < PROCESSES; dies++) {
        run_processes(dies, codes);
        for (int rank = 0; rank < PROCESSES; rank++)
            assert_int_equal(codes[rank], rank == dies ? 9 : GR_DEVICE_FAILED);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slow_start),
        cmocka_unit_test(test_death),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
