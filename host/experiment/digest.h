/* Digests of settings: which cells are the same, and which have the same problem. Files count by
 * what they hold, so that they may lie elsewhere. */
#ifndef GRAMPUS_EXPERIMENT_DIGEST_H
#define GRAMPUS_EXPERIMENT_DIGEST_H

#include "host/settings/settings.h"

enum { GR_DIGEST = 17 }; /* 16 digits and a zero */

/* Files that were read once; start with {0}. */
typedef struct gr_known_files {
    uint32_t count;
    struct gr_known_file {
        char *path;
        uint32_t sum;
    } * file;
} gr_known_files;

void gr_known_files_free(gr_known_files *files);

/* Whether results depend on a setting. */
int gr_is_in_digest(gr_key key);

/* Of resolved settings: `digest` of all that results depend on, `problem` of what is to be solved.
 * A file that cannot be read counts by its path. */
gr_status gr_settings_digests(const gr_settings *settings, gr_known_files *files,
                              char digest[GR_DIGEST], char problem[GR_DIGEST], gr_error *error);

#endif
