/* PonyGE2's parameter files and flags as settings of a run. */
#ifndef GRAMPUS_PARAMETERS_H
#define GRAMPUS_PARAMETERS_H

#include "host/settings/settings.h"

typedef struct gr_ponyge2_parameters gr_ponyge2_parameters;

/* Starts with PonyGE2's defaults. `path` is the file as the user wrote it, looked for there and in
 * parameters/ below and beside the current folder, as PonyGE2 in src/ has it; grammars and data are
 * looked for in the folders grammars/ and datasets/ beside the folder that holds it, then below and
 * beside the current one. */
gr_status gr_ponyge2_parameters_read(const char *path, gr_ponyge2_parameters **parameters,
                                     gr_error *error);
/* The same from memory. */
gr_status gr_ponyge2_parameters_parse(const char *text, size_t length, const char *path,
                                      gr_ponyge2_parameters **parameters, gr_error *error);
/* Whether the first line of a file that is no comment sets a parameter of PonyGE2. */
int gr_ponyge2_parameters_are_in(const char *path);
/* If argv[0] is a flag of PonyGE2 (--population_size 100, or an unambiguous beginning of it), takes
 * it; *used as gr_settings_option. */
gr_status gr_ponyge2_parameters_flag(gr_ponyge2_parameters *parameters, int argc, char *const *argv,
                                     int *used, gr_error *error);
/* Stores what the parameters say into settings that hold defaults so far. */
gr_status gr_ponyge2_parameters_store(gr_ponyge2_parameters *parameters, gr_settings *settings,
                                      gr_error *error);
/* What the user should know: unknown keys, what has no effect or another one here. */
uint32_t gr_ponyge2_parameters_notes(const gr_ponyge2_parameters *parameters);
const char *gr_ponyge2_parameters_note(const gr_ponyge2_parameters *parameters, uint32_t i);
void gr_ponyge2_parameters_free(gr_ponyge2_parameters *parameters);

#endif
