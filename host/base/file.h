/* Files that must be whole or not there, whatever happens while they are written. */
#ifndef GRAMPUS_FILE_H
#define GRAMPUS_FILE_H

#include "gpu/backend/error.h"

#include <stddef.h>

/* "folder/name", malloc'ed; NULL when memory is short. */
char *gr_file_join(const char *folder, const char *name);
/* Makes a file that is not there, with all of these bytes, which are on the disk afterwards; nobody
 * but its owner may write to it. */
gr_status gr_file_write(const char *path, const void *bytes, size_t size, gr_error *error);
/* Waits until what was written to a file, or the names in a folder, are on the disk. */
gr_status gr_file_sync(const char *path, gr_error *error);
/* The complete file `from` gets the name `to`, in place of what had it; both in `folder`, whose
 * names are on the disk afterwards. */
gr_status gr_file_rename(const char *from, const char *to, const char *folder, gr_error *error);

#endif
