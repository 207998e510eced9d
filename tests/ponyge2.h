/* A checkout of PonyGE2 in a folder of its own, and settings from its parameters, for the tests of
 * host/ponyge2. */
#ifndef GRAMPUS_TESTS_PONYGE2_H
#define GRAMPUS_TESTS_PONYGE2_H

#include "gpu/core/base/params.h"
#include "host/ponyge2/parameters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/grampus_parameters_XXXXXX", before[4096];

static inline void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* A checkout of PonyGE2 as far as it matters, and the way into it. */
static inline int make_checkout(void **state) {
    (void)state;
    if (!getcwd(before, sizeof before) || !mkdtemp(folder) || chdir(folder))
        return -1;
    mkdir("parameters", 0777);
    mkdir("grammars", 0777);
    mkdir("grammars/supervised_learning", 0777);
    mkdir("datasets", 0777);
    mkdir("datasets/Vladislavleva4", 0777);
    write_file("grammars/supervised_learning/Vladislavleva4.bnf", "<e> ::= x[:, 0] | 1\n");
    write_file("grammars/other.bnf", "<e> ::= x[:, 0] | 1\n");
    write_file("datasets/Vladislavleva4/Train.txt", "# x y\n1 2\n3 4\n");
    write_file("datasets/Test.csv", "x,y\n1,2\n3,4\n");
    return 0;
}

static inline int leave_checkout(void **state) {
    (void)state;
    char command[sizeof folder + 16];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return chdir(before) | system(command);
}

static inline gr_status store(const char *text, gr_settings *s, gr_ponyge2_parameters **p,
                              gr_error *error) {
    gr_status status =
        gr_ponyge2_parameters_parse(text, strlen(text), "parameters/p.txt", p, error);
    assert_int_equal(gr_settings_init(s, error), GR_OK);
    return status ? status : gr_ponyge2_parameters_store(*p, s, error);
}

/* The settings of a text, resolved. */
static inline gr_settings settings_of(const char *text) {
    gr_settings s;
    gr_ponyge2_parameters *p = NULL;
    gr_error error = {GR_OK, ""};
    if (store(text, &s, &p, &error) || gr_settings_resolve(&s, &error))
        fail_msg("%s", error.text);
    assert_int_equal(gr_ponyge2_parameters_notes(p), 0);
    gr_ponyge2_parameters_free(p);
    return s;
}

static inline int ends(const char *text, const char *with) {
    size_t n = strlen(text), m = strlen(with);
    return n >= m && strcmp(text + n - m, with) == 0;
}

static inline void check_refused(const char *text, const char *expected) {
    gr_settings s;
    gr_ponyge2_parameters *p = NULL;
    gr_error error = {GR_OK, ""};
    gr_status status = store(text, &s, &p, &error);
    if (!status)
        status = gr_settings_resolve(&s, &error);
    assert_int_equal(status, GR_BAD_INPUT);
    if (strncmp(error.text, expected, strlen(expected)) != 0 || !strstr(error.text, "; expected "))
        fail_msg("got \"%s\", expected \"%s\"", error.text, expected);
    gr_settings_free(&s);
    gr_ponyge2_parameters_free(p);
}

#endif
