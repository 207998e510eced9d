/* The problem of a run file, for the tests of host/problem. */
#ifndef GRAMPUS_TESTS_PROBLEMS_H
#define GRAMPUS_TESTS_PROBLEMS_H

#include "host/problem/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes it; the error's text, "" when there is none. */
static inline const char *make_problem(const char *text, gr_problem *problem) {
    static gr_error error;
    gr_settings s;
    error.text[0] = '\0';
    assert_int_equal(gr_settings_init(&s, &error), GR_OK);
    gr_status status = gr_settings_parse(&s, text, strlen(text), "run.yaml", &error);
    if (!status)
        status = gr_settings_resolve(&s, &error);
    if (!status)
        status = gr_problem_make(&s, problem, &error);
    assert_int_equal(status != GR_OK, error.text[0] != '\0');
    gr_settings_free(&s);
    return error.text;
}

/* The same of a grammar's text, which is written to `path`, and inputs 1 to 5. */
static inline const char *make_problem_of_grammar(const char *path, const char *grammar,
                                                  const char *more, gr_problem *problem) {
    char text[512];
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(grammar, file);
    fclose(file);
    snprintf(text, sizeof text,
             "target-expression: x\nvariables: x = grid(1, 5, 1)\ngrammar: %s\n%s", path, more);
    return make_problem(text, problem);
}

/* The same over a product of two uniform variables, 3000 cases. */
static inline const char *make(const char *more, gr_problem *problem) {
    char text[2048];
    snprintf(text, sizeof text,
             "genotype: tree\ntarget-expression: x * y\nvariables: x, y = uniform(-1, 1)\n"
             "train-cases: 3000\n%s",
             more);
    return make_problem(text, problem);
}

#endif
