/* Parameters of PonyGE2 as they were read: what the file, the flags and storing them share. */
#ifndef GRAMPUS_PARAMETERS_INTERNAL_H
#define GRAMPUS_PARAMETERS_INTERNAL_H

#include "host/ponyge2/parameters.h"
#include "host/settings/table.h"

enum { LONGEST_PATH = 4096 };

/* A line of parameters.def. */
typedef struct gr_ponyge2_parameter_kind {
    const char *name;
    int kind;
    const char *initial, *key;
} gr_ponyge2_parameter_kind;
enum { VALUE, OPERATOR, SPECIAL, NOTHING, ONLY, SWITCH, QUIET };
enum {
    PARAMETERS = 0
#define GR_PONYGE2_PARAMETER(name, kind, initial, key) +1
#include "host/ponyge2/parameters.def"
};
extern const gr_ponyge2_parameter_kind gr_ponyge2_parameter_table[PARAMETERS];

typedef struct parameter {
    char *value; /* NULL: the default */
    gr_origin origin;
} parameter;

struct gr_ponyge2_parameters {
    char *path; /* as it was found */
    parameter at[PARAMETERS];
    char **notes;
    uint32_t count, capacity;
};

/* The index of a parameter, -1: there is none of that name. */
int gr_ponyge2_parameter_find(const char *name);
/* What was given, or the default. */
const char *gr_ponyge2_parameter_value(const gr_ponyge2_parameters *p, const char *name);
int gr_ponyge2_parameter_is_file(const char *path);
/* Whether parameter i is True or False. */
int gr_ponyge2_parameter_is_truth(int i);
/* A copy of `value` in place of what parameter i had. */
gr_status gr_parameter_set(gr_ponyge2_parameters *p, int i, const char *value, gr_origin origin,
                           gr_error *error);
/* Whether the value is an operator that parameter i can be. */
int gr_ponyge2_parameter_names_operator(int i, const char *value);

/* Where parameter i was given: "FILE:LINE:COLUMN" or "--flag"; of a default the file. */
void gr_ponyge2_parameter_place(const gr_ponyge2_parameters *p, int i, char *out, size_t size);
/* An error at the position where parameter i was given. */
gr_status gr_ponyge2_parameter_fail(const gr_ponyge2_parameters *p, int i, gr_error *error,
                                    const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Where parameters go. */
typedef struct gr_ponyge2_target {
    gr_ponyge2_parameters *p;
    gr_settings *settings;
    gr_error *error;
} gr_ponyge2_target;
/* Stores a value of parameter i under a setting's key. */
gr_status gr_ponyge2_put(const gr_ponyge2_target *t, int i, const char *key, const char *value);
/* The last part of a dotted name; whether a value is None. */
const char *gr_ponyge2_last_part(const char *value);
int gr_ponyge2_is_none(const char *value);
/* The metric, and the problem of a fitness function that makes its own; *made: whether it does. */
gr_status gr_ponyge2_put_fitness(const gr_ponyge2_target *t, int *made);

/* A line for the user, once. */
gr_status gr_ponyge2_parameter_note(gr_ponyge2_parameters *p, gr_error *error, const char *format,
                                    ...) __attribute__((format(printf, 3, 4)));

#endif
