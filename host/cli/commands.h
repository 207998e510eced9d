/* The verbs of the program, one file each. A verb returns the exit code; what went wrong stands in
 * *error, and main prints it. */
#ifndef GRAMPUS_COMMANDS_H
#define GRAMPUS_COMMANDS_H

#include "gpu/backend/error.h"
#include "host/grammar/grammar.h"

#include <stddef.h>
#include <stdint.h>

/* argv[0] is the verb. */
typedef gr_status gr_command(int argc, char **argv, gr_error *error);
#define GR_VERB(name, help) gr_command gr_command_##name;
#include "host/cli/verbs.def"

struct gr_settings;
/* What a run leaves and shows besides: results.sqlite (of a run from its start), progress as
 * gr_progress_form has it. */
typedef struct gr_showing {
    int sqlite, progress;
} gr_showing;
/* Evolves as resolved settings say, from report to exit code; `from`: the results of a run to go on
 * with, or NULL. */
gr_status gr_evolve(const struct gr_settings *settings, const char *from, const gr_showing *showing,
                    gr_error *error);

/* ---- reading a verb's own options ---- */

/* An option that takes a value (flag NULL) or none (value NULL). */
typedef struct gr_option {
    const char *name; /* without dashes */
    const char **value;
    int *flag;
} gr_option;

/* Takes every argument: options of the list (ended by a NULL name), --key value or --key=value.
 * Anything else is an error with the nearest name. */
gr_status gr_options_read(int argc, char **argv, const gr_option *options, gr_error *error);
/* The same, where up to `most` other arguments are files: files[most], as many as there are. */
gr_status gr_options_and_files(int argc, char **argv, const gr_option *options, const char **files,
                               int most, gr_error *error);
/* A whole number from `least` to `most`. NULL text leaves *value as it is. */
gr_status gr_option_whole(const char *name, const char *text, uint32_t least, uint32_t most,
                          uint32_t *value, gr_error *error);
/* Whether a folder, where one is given, has a name: NAME would be /NAME without. */
gr_status gr_option_folder(const char *name, const char *text, gr_error *error);
/* What stands for GE_RANGE:dataset_n_vars, _n_is and _n_os; NULL where not given. */
typedef struct gr_range_options {
    const char *n_vars, *n_is, *n_os;
} gr_range_options;
gr_status gr_option_ranges(const gr_range_options *options, gr_grammar_context *context,
                           gr_error *error);
/* Options of a verb that has only --json, *json: whether it is given. *done: the usage was asked
 * for, and is printed. */
gr_status gr_options_json(int argc, char **argv, const char *usage, int *json, int *done,
                          gr_error *error);
/* Options of a verb of which all are settings but --help, which comes first. */
int gr_asks_for_help(int argc, char **argv);
gr_status gr_options_settings(int argc, char **argv, struct gr_settings *settings, gr_error *error);
/* "; did you mean 'x'?" among a NULL-terminated list, or "". */
void gr_nearest_hint(const char *word, const char *const *among, const char *dashes, char *out,
                     size_t size);

/* grampus grammar measure; argv[0] is the verb, what follows its options. path NULL: there is none.
 */
gr_status gr_measure_grammar(const char *path, int argc, char **argv, gr_error *error);
/* grampus grammar units, likewise. */
gr_status gr_grammar_from_units(const char *path, int argc, char **argv, gr_error *error);
/* grampus grammar make, likewise. */
gr_status gr_grammar_make(const char *path, int argc, char **argv, gr_error *error);

/* Warnings of a grammar to the standard error, the first ones if there are many. */
void gr_print_warnings(const gr_grammar *grammar);

/* ---- reading lines ---- */

/* A line of the file that messages call `path`, numbered from 1. */
typedef gr_status gr_line_reader(void *context, const char *path, const char *line, size_t length,
                                 unsigned long number, gr_error *error);
/* Lines that hold nothing to work with: each is told of, the last by main, and the rest gone on
 * with. */
typedef struct gr_bad_lines {
    int any;
    gr_error last;
} gr_bad_lines;
/* The status that reading goes on with behind a line that gave `status`. */
gr_status gr_line_fails(gr_bad_lines *bad, gr_status status, const gr_error *error);
/* The verb's status behind the last line. */
gr_status gr_lines_end(const gr_bad_lines *bad, gr_status status, gr_error *error);
/* Hands every line of a file, "-" for the standard input, to `read`, until one fails. `expected`:
 * what the file should hold, for the message. */
gr_status gr_each_line(const char *path, const char *expected, gr_line_reader *read, void *context,
                       gr_error *error);

#endif
