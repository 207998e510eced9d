/* host/base/output.h: all of it or an error, and files that are replaced as a whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/base/output.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

static char folder[] = "/tmp/grampus-output-XXXXXX";
static char path[64];

static int make_folder(void **state) {
    (void)state;
    snprintf(path, sizeof path, "%s/file", mkdtemp(folder));
    return 0;
}

static int remove_folder(void **state) {
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static void check_file(const char *expected) {
    char text[256];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, expected);
}

static void limit(rlim_t bytes) {
    struct rlimit now;
    getrlimit(RLIMIT_FSIZE, &now);
    now.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &now);
    signal(SIGXFSZ, SIG_IGN);
}

/* The system writes five bytes of eight, then no more: they are cut off again. */
static void test_short_then_failed(void **state) {
    (void)state;
    gr_output output;
    gr_error error = {GR_OK, ""};
    char expected[128];
    assert_int_equal(gr_output_open(&output, path, &error), GR_OK);
    assert_int_equal(gr_output_write(&output, "one\n", 4, &error), GR_OK);
    limit(9);
    assert_int_equal(gr_output_write(&output, "two\nthr\n", 8, &error), GR_FAILED);
    limit(RLIM_INFINITY);
    snprintf(expected, sizeof expected, "%s: File too large", path);
    assert_string_equal(error.text, expected);
    check_file("one\n");
    assert_int_equal(gr_output_close(&output, &error), GR_OK);
}

/* A pipe that is read slowly, and signals: writes are cut short and interrupted. */
enum { BYTES = 1 << 20 };

static void *read_slowly(void *argument) {
    const int *descriptor = argument;
    unsigned char buffer[5000];
    uint64_t *sum = calloc(2, sizeof *sum);
    for (ssize_t got; (got = read(*descriptor, buffer, sizeof buffer)) > 0;) {
        for (ssize_t i = 0; i < got; i++)
            sum[0] = sum[0] * 31 + buffer[i];
        sum[1] += (uint64_t)got;
        usleep(200);
    }
    return sum;
}

static volatile sig_atomic_t signals;
static void count_signal(int number) {
    (void)number;
    signals++;
}

static void test_short_writes(void **state) {
    (void)state;
    int ends[2];
    pthread_t reader;
    sigset_t alarms;
    void *result;
    gr_error error = {GR_OK, ""};
    unsigned char *bytes = malloc(BYTES);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < BYTES; i++)
        sum = sum * 31 + (bytes[i] = (unsigned char)(i * 2654435761u >> 24));
    assert_int_equal(pipe(ends), 0);
    struct sigaction action = {.sa_handler = count_signal}; /* no SA_RESTART */
    sigaction(SIGALRM, &action, NULL);
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &alarms, NULL); /* for the reader */
    assert_int_equal(pthread_create(&reader, NULL, read_slowly, &ends[0]), 0);
    pthread_sigmask(SIG_UNBLOCK, &alarms, NULL);
    struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &often, NULL);
    gr_output output = {.descriptor = ends[1], .path = "pipe"};
    assert_int_equal(gr_output_write(&output, bytes, BYTES, &error), GR_OK);
    setitimer(ITIMER_REAL, &never, NULL);
    assert_int_equal(gr_output_close(&output, &error), GR_OK);
    pthread_join(reader, &result);
    assert_true(signals > 0);
    assert_true(((uint64_t *)result)[1] == BYTES && ((uint64_t *)result)[0] == sum);
    free(result);
    free(bytes);
    close(ends[0]);
}

static void test_replace(void **state) {
    (void)state;
    gr_error error = {GR_OK, ""};
    char beside[80], expected[128];
    snprintf(beside, sizeof beside, "%s.new", path);
    assert_int_equal(gr_replace_file(path, "first", 5, 1, &error), GR_OK);
    check_file("first");
    limit(3); /* what is there stays */
    assert_int_equal(gr_replace_file(path, "second", 6, 1, &error), GR_FAILED);
    limit(RLIM_INFINITY);
    snprintf(expected, sizeof expected, "%s: File too large", path);
    assert_string_equal(error.text, expected);
    check_file("first");
    assert_int_equal(access(beside, F_OK), -1);
    assert_int_equal(gr_replace_file(path, "second", 6, 0, &error), GR_OK);
    check_file("second");
    assert_int_equal(access(beside, F_OK), -1);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0777), 0); /* cannot be renamed over */
    assert_int_equal(gr_replace_file(path, "third", 5, 1, &error), GR_FAILED);
    assert_non_null(strstr(error.text, "/file: Is a directory"));
    assert_int_equal(access(beside, F_OK), -1);
    assert_int_equal(gr_replace_file("/proc/none/x", "a", 1, 1, &error), GR_FAILED);
    assert_string_equal(error.text, "/proc/none/x: No such file or directory");
}

/* Bit by bit; what was there goes only when all is written. */
static void test_fresh(void **state) {
    (void)state;
    gr_error error = {GR_OK, ""};
    char beside[80], expected[128];
    const char *name = strrchr(path, '/') + 1;
    snprintf(beside, sizeof beside, "%s.new", path);
    rmdir(path);
    const char *const text[] = {"first", "", "second", "third"};
    for (int k = 0; k < 4; k++) { /* all is well, a full disk, another failure, all is well */
        gr_fresh fresh;
        assert_int_equal(gr_fresh_open(&fresh, folder, name, &error), GR_OK);
        limit(k == 1 ? 3 : RLIM_INFINITY);
        assert_true(fputs(k == 1 ? "too long" : text[k], fresh.file) >= 0);
        if (k)
            check_file("first");
        gr_status status = k == 2 ? GR_NO_MEMORY : GR_OK;
        assert_int_equal(gr_fresh_close(&fresh, status, &error), k == 1 ? GR_FAILED : status);
        limit(RLIM_INFINITY);
        check_file(k == 3 ? "third" : "first");
        assert_int_equal(access(beside, F_OK), -1);
    }
    snprintf(expected, sizeof expected, "%s: File too large", path);
    assert_string_equal(error.text, expected);
    gr_fresh fresh;
    gr_status status = gr_fresh_open(&fresh, "/proc/none", "x", &error);
    assert_int_equal(gr_fresh_close(&fresh, status, &error), GR_FAILED);
    assert_string_equal(error.text, "/proc/none/x: No such file or directory");
}

static void test_reasons(void **state) {
    (void)state;
    gr_error error;
    errno = ENOMEM;
    assert_int_equal(gr_output_fail("f", &error), GR_NO_MEMORY);
    assert_string_equal(error.text, "f: out of memory while writing");
    errno = ENOSPC;
    assert_int_equal(gr_output_fail("f", &error), GR_FAILED);
    assert_string_equal(error.text, "f: No space left on device");
}

/* ---- files that are made once, and that go on ---- */

static void test_make(void **state) {
    (void)state;
    gr_error error;
    struct stat facts;
    char link[80];
    unlink(path);
    snprintf(link, sizeof link, "%s/link", folder);
    mode_t mask = umask(0);
    assert_int_equal(gr_make_file(path, "abc", 3, &error), GR_OK);
    umask(mask);
    check_file("abc");
    assert_int_equal(stat(path, &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0644);                      /* whatever the umask */
    assert_int_equal(gr_make_file(path, "xyz", 3, &error), GR_FAILED); /* never over another */
    assert_non_null(strstr(error.text, "File exists"));
    check_file("abc");
    assert_int_equal(symlink("elsewhere", link), 0);
    assert_int_equal(gr_make_file(link, "xyz", 3, &error), GR_FAILED); /* nor through a link */
    assert_int_equal(gr_sync_path(path, &error), GR_OK);
    assert_int_equal(gr_sync_path(folder, &error), GR_OK);
    assert_int_equal(gr_sync_path("/no/such/file", &error), GR_FAILED);
    assert_int_equal(gr_rename_file(path, link, folder, &error), GR_OK);
    assert_int_equal(gr_rename_file(path, link, folder, &error), GR_FAILED);
    assert_int_equal(gr_copy_file(link, path, 2, &error), GR_OK);
    check_file("ab");
    assert_int_equal(gr_copy_file(link, path, 4, &error), GR_FAILED); /* it has three */
    unlink(link);
}

/* A file goes on behind what is kept of it. */
static void test_reopen(void **state) {
    (void)state;
    gr_error error;
    gr_output output;
    unlink(path);
    assert_int_equal(gr_output_reopen(&output, path, 2, &error), GR_FAILED);
    assert_int_equal(gr_make_file(path, "abcdef", 6, &error), GR_OK);
    assert_int_equal(gr_output_reopen(&output, path, 2, &error), GR_OK);
    check_file("ab");
    assert_int_equal(gr_output_write(&output, "xyz", 3, &error), GR_OK);
    assert_int_equal(output.length, 5);
    assert_int_equal(gr_output_close(&output, &error), GR_OK);
    check_file("abxyz");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_make),
        cmocka_unit_test(test_reopen),
        cmocka_unit_test(test_short_then_failed),
        cmocka_unit_test(test_short_writes),
        cmocka_unit_test(test_reasons),
        cmocka_unit_test(test_replace),
        cmocka_unit_test(test_fresh),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
