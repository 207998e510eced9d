/* Files that a later run may find again, named by a hash of what they were made from, in
 * $XDG_CACHE_HOME/grampus or ~/.cache/grampus. Nothing depends on them: a cache that cannot be read
 * or written is done without.
 *
 * What is read becomes machine code, so the folder is this user's alone (0700) or is not used, no
 * symbolic link is followed, and every file begins with its length and a checksum of its name and
 * content. */
#ifndef GRAMPUS_CACHE_H
#define GRAMPUS_CACHE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is kept when something is written: the files used last, up to either limit. */
enum { GR_CACHE_FILES = 256, GR_CACHE_BYTES = 64 << 20 };

/* The place of one file. */
typedef struct gr_cache {
    int folder; /* open; -1: there is none, nothing is read or written */
    char name[48];
    const char *refused; /* why a folder that is there is not used; NULL otherwise */
} gr_cache;

/* The place of the file made from both texts; makes the folder if need be. Close it. */
void gr_cache_open(const char *key, const char *text, gr_cache *cache);
/* The file's bytes, which the caller frees, and notes that it was used; NULL where there is none,
 * or not the one that was written. */
void *gr_cache_read(const gr_cache *cache, size_t *size);
/* Writes it beside and renames it, so that nobody reads half of it; then removes what was not used
 * for longest. */
void gr_cache_write(const gr_cache *cache, const void *bytes, size_t size);
void gr_cache_close(gr_cache *cache);

#ifdef __cplusplus
}
#endif

#endif
