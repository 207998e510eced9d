/* Files that a later run may find again, named by a hash of what they were made from, in
 * $XDG_CACHE_HOME/grampus or ~/.cache/grampus. Nothing depends on them: a cache that cannot be read
 * or written is done without. */
#ifndef GRAMPUS_CACHE_H
#define GRAMPUS_CACHE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is kept when something is written: the files used last, up to either limit. */
enum { GR_CACHE_FILES = 256, GR_CACHE_BYTES = 64 << 20 };

/* Where the file made from both texts lies, its folder made if need be; 0 when there is no place
 * for it. */
int gr_cache_path(const char *key, const char *text, char *path, size_t size);
/* The file's bytes, which the caller frees, and notes that it was used; NULL without it. */
void *gr_cache_read(const char *path, size_t *size);
/* Writes it beside and renames it, so that nobody reads half of it; then removes what was not used
 * for longest. */
void gr_cache_write(const char *path, const void *bytes, size_t size);

#ifdef __cplusplus
}
#endif

#endif
