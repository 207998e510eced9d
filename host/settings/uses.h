/* Which settings a run reads, and who is told that it does not (uses.def). */
#ifndef GRAMPUS_USES_H
#define GRAMPUS_USES_H

#include "host/settings/settings.h"

/* Of resolved settings: what a setting is for that nothing of this run reads, as "genotype tree";
 * NULL where it is read. */
void gr_settings_unread(const gr_settings *settings, const char *what[GR_KEY_COUNT]);
/* Of those the ones that somebody named, in a run file, as an option or as a caller; how many. */
uint32_t gr_settings_unused(const gr_settings *settings, const char *what[GR_KEY_COUNT]);

/* Prints "functions, constant-min: for genotype tree; class-rule: for metric misclassified", or
 * nothing. */
void gr_print_unused(const char *const what[GR_KEY_COUNT], FILE *out);

#endif
