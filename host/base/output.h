/* Files that are written, with every failure told.
 *
 * A file that others read when the program is gone is there whole or not at all: it is written
 * beside its place, as NAME.new, and renamed. */
#ifndef GRAMPUS_OUTPUT_H
#define GRAMPUS_OUTPUT_H

#include "gpu/backend/error.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* "folder/name", malloc'ed; NULL when memory is short. */
char *gr_path_join(const char *folder, const char *name);

/* The error in errno, of a file to be written: GR_NO_MEMORY for ENOMEM, otherwise GR_FAILED. */
gr_status gr_output_fail(const char *path, gr_error *error);

/* Makes every folder of a path that is not there yet. */
gr_status gr_make_folders(const char *path, gr_error *error);

/* A file that grows. */
typedef struct gr_output {
    int descriptor;
    const char *path; /* borrowed */
    uint64_t length;
} gr_output;

/* Makes the file, empty. */
gr_status gr_output_open(gr_output *output, const char *path, gr_error *error);
/* Opens one that goes on after its first `length` bytes; what stands behind them is cut off. */
gr_status gr_output_reopen(gr_output *output, const char *path, uint64_t length, gr_error *error);
/* All of it: after a failure the file ends where it did before, as far as the system lets it. */
gr_status gr_output_write(gr_output *output, const void *bytes, size_t count, gr_error *error);
gr_status gr_output_close(gr_output *output, gr_error *error);

/* Puts these bytes in place of a file; `to_disk`: they are there before the name is, so that a
 * machine that fails leaves the old ones or these. */
gr_status gr_replace_file(const char *path, const void *bytes, size_t count, int to_disk,
                          gr_error *error);

/* The same of a file that is written bit by bit, and not forced to the disk. */
typedef struct gr_fresh {
    FILE *file;
    char *path, *beside; /* beside: where it is until it is closed */
} gr_fresh;

gr_status gr_fresh_open(gr_fresh *fresh, const char *folder, const char *name, gr_error *error);
/* What failed while it was written: `status`, with its error. Then, or if something failed that was
 * not noticed, what had the name before keeps it. Also of one that could not be opened. */
gr_status gr_fresh_close(gr_fresh *fresh, gr_status status, gr_error *error);

/* Makes a file that is not there, with these bytes, which are on the disk afterwards; nobody but
 * its owner may write to it. */
gr_status gr_make_file(const char *path, const void *bytes, size_t count, gr_error *error);
/* Waits until what was written to a file, or the names in a folder, are on the disk. */
gr_status gr_sync_path(const char *path, gr_error *error);
/* The complete file `from` gets the name `to`, in place of what had it; both in `folder`, whose
 * names are on the disk afterwards. */
gr_status gr_rename_file(const char *from, const char *to, const char *folder, gr_error *error);
/* Copies the first `length` bytes of a file to one that is made. */
gr_status gr_copy_file(const char *from, const char *to, uint64_t length, gr_error *error);

/* Closes a file that was opened for writing; "PATH: why" if anything of it failed. */
gr_status gr_close_checked(FILE *file, const char *path, gr_status status, gr_error *error);

#endif
