/* host/base/file.h: files that are whole or not there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "host/base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/grampus-file-XXXXXX";

static int make_folder(void **state) {
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static void test_write(void **state) {
    (void)state;
    gr_error error;
    struct stat facts;
    char text[8] = "";
    char *path = gr_file_join(folder, "a"), *other = gr_file_join(folder, "b");
    mode_t mask = umask(0);
    assert_int_equal(gr_file_write(path, "abc", 3, &error), GR_OK);
    umask(mask);
    assert_int_equal(stat(path, &facts), 0);
    assert_int_equal(facts.st_size, 3);
    assert_int_equal(facts.st_mode & 0777, 0644);                       /* whatever the umask */
    assert_int_equal(gr_file_write(path, "xyz", 3, &error), GR_FAILED); /* never over another */
    assert_non_null(strstr(error.text, "File exists"));
    assert_int_equal(symlink("c", other), 0);
    assert_int_equal(gr_file_write(other, "xyz", 3, &error), GR_FAILED); /* nor through a link */
    assert_int_equal(gr_file_sync(path, &error), GR_OK);
    assert_int_equal(gr_file_sync(folder, &error), GR_OK);
    assert_int_equal(gr_file_rename(path, other, folder, &error), GR_OK);
    FILE *file = fopen(other, "r");
    assert_true(file && fread(text, 1, 8, file) == 3 && memcmp(text, "abc", 3) == 0);
    fclose(file);
    assert_int_equal(gr_file_rename(path, other, folder, &error), GR_FAILED);
    assert_non_null(strstr(error.text, "/a: cannot get the name"));
    assert_int_equal(gr_file_sync(path, &error), GR_FAILED);
    assert_int_equal(gr_file_write("/dev/null/a", "xyz", 3, &error), GR_FAILED);
    free(path);
    free(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_write)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
