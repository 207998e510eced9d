#include "gpu/backend/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* Files that are ours carry it in their names; those being written have more behind it. */
#define ENDING ".cubin"

/* What every file begins with. */
typedef struct head {
    char magic[8];
    uint64_t size;    /* of what follows */
    uint64_t hash[2]; /* of the name and of what follows */
} head;
static const char magic[8] = "GRcache1";

/* FNV-1a, two starts. */
static void add_to_hash(uint64_t hash[2], const void *bytes, size_t size) {
    const unsigned char *byte = bytes;
    for (size_t k = 0; k < size; k++)
        for (uint64_t h = 0; h < 2; h++)
            hash[h] = (hash[h] ^ byte[k]) * (1099511628211ull + 2 * h);
}
static void start_hash(uint64_t hash[2]) {
    hash[0] = 14695981039346656037ull;
    hash[1] = 1099511628211ull;
}

static head head_of(const char *name, const void *bytes, size_t size) {
    head h = {.size = size};
    memcpy(h.magic, magic, sizeof magic);
    start_hash(h.hash);
    add_to_hash(h.hash, name, strlen(name));
    add_to_hash(h.hash, bytes, size);
    return h;
}

/* ---- the folder ---- */

/* Makes a folder and those it stands in, for this user alone. */
static void make_folders(char *path) {
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(path, 0700);
        *slash = '/';
    }
    mkdir(path, 0700);
}

/* Why the open folder cannot be trusted; NULL: it can. One of ours that others can only read, as
 * earlier versions made it, is closed to them. */
static const char *distrust(int folder) {
    struct stat facts;
    if (fstat(folder, &facts))
        return "its folder cannot be looked at";
    if (facts.st_uid != geteuid())
        return "its folder belongs to another user";
    if (facts.st_mode & 022)
        return "others can write to its folder";
    if (facts.st_mode & 077 && fchmod(folder, 0700))
        return "others can look into its folder";
    return NULL;
}

void gr_cache_open(const char *key, const char *text, gr_cache *cache) {
    const char *place = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char path[1024];
    uint64_t hash[2];
    int n = place && *place == '/' ? snprintf(path, sizeof path, "%s/grampus", place)
            : home                 ? snprintf(path, sizeof path, "%s/.cache/grampus", home)
                                   : -1;
    *cache = (gr_cache){.folder = -1};
    if (n < 0 || (size_t)n >= sizeof path)
        return;
    make_folders(path);
    cache->folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (cache->folder < 0) {
        cache->refused = errno == ELOOP || errno == ENOTDIR ? "its folder is none" : NULL;
        return;
    }
    cache->refused = distrust(cache->folder);
    if (cache->refused)
        gr_cache_close(cache);
    start_hash(hash);
    add_to_hash(hash, key, strlen(key));
    add_to_hash(hash, text, strlen(text));
    snprintf(cache->name, sizeof cache->name, "%016llx%016llx" ENDING, (unsigned long long)hash[0],
             (unsigned long long)hash[1]);
}

void gr_cache_close(gr_cache *cache) {
    if (cache->folder >= 0)
        close(cache->folder);
    cache->folder = -1;
}

/* ---- reading ---- */

static int read_all(int file, void *to, size_t size) {
    for (size_t done = 0; done < size;) {
        ssize_t got = read(file, (char *)to + done, size - done);
        if (got <= 0 && !(got < 0 && errno == EINTR))
            return 0;
        done += got > 0 ? (size_t)got : 0;
    }
    return 1;
}

/* What stands in an open file of that name, if it is all there and as it was written. */
static void *read_checked(int file, const char *name, size_t *size) {
    struct stat facts;
    head h;
    if (fstat(file, &facts) || !S_ISREG(facts.st_mode) || facts.st_uid != geteuid() ||
        facts.st_mode & 022 || facts.st_size <= (off_t)sizeof h || facts.st_size > GR_CACHE_BYTES ||
        !read_all(file, &h, sizeof h) || h.size != (uint64_t)facts.st_size - sizeof h)
        return NULL;
    void *bytes = malloc(h.size);
    if (bytes && read_all(file, bytes, h.size)) {
        head expected = head_of(name, bytes, h.size);
        *size = h.size;
        if (memcmp(&h, &expected, sizeof h) == 0)
            return bytes;
    }
    free(bytes);
    return NULL;
}

void *gr_cache_read(const gr_cache *cache, size_t *size) {
    *size = 0;
    int file = cache->folder < 0 ? -1
                                 : openat(cache->folder, cache->name,
                                          O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return NULL;
    void *bytes = read_checked(file, cache->name, size);
    if (bytes)
        futimens(file, NULL); /* used now */
    close(file);
    return bytes;
}

/* ---- writing ---- */

typedef struct kept {
    char name[96];
    struct timespec used;
    size_t size;
} kept;

/* Used last first; of equals, by name. */
static int compare_kept(const void *a, const void *b) {
    const kept *x = a, *y = b;
    if (x->used.tv_sec != y->used.tv_sec)
        return x->used.tv_sec < y->used.tv_sec ? 1 : -1;
    if (x->used.tv_nsec != y->used.tv_nsec)
        return x->used.tv_nsec < y->used.tv_nsec ? 1 : -1;
    return strcmp(x->name, y->name);
}

/* Our files in an open folder; the caller frees them. */
static kept *list(DIR *folder, size_t *count) {
    kept *files = NULL;
    size_t capacity = 0;
    *count = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        struct stat facts;
        if (!strstr(entry->d_name, ENDING) || strlen(entry->d_name) >= sizeof files->name ||
            fstatat(dirfd(folder), entry->d_name, &facts, AT_SYMLINK_NOFOLLOW) ||
            !S_ISREG(facts.st_mode))
            continue;
        if (*count == capacity) {
            kept *more = realloc(files, (capacity = 2 * capacity + 64) * sizeof *files);
            if (!more)
                break;
            files = more;
        }
        kept *k = &files[(*count)++];
        memcpy(k->name, entry->d_name, strlen(entry->d_name) + 1);
        k->used = facts.st_mtim;
        k->size = (size_t)facts.st_size;
    }
    return files;
}

/* Removes what is beyond the limits from an open folder. */
static void prune(int at) {
    int again = openat(at, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = again < 0 ? NULL : fdopendir(again);
    if (!folder) {
        if (again >= 0)
            close(again);
        return;
    }
    size_t count, bytes = 0;
    kept *files = list(folder, &count);
    if (files)
        qsort(files, count, sizeof *files, compare_kept);
    for (size_t k = 0; k < count; k++) {
        bytes += files[k].size;
        if (k >= GR_CACHE_FILES || bytes > GR_CACHE_BYTES)
            unlinkat(at, files[k].name, 0);
    }
    free(files);
    closedir(folder);
}

static int write_all(int file, const void *from, size_t size) {
    for (size_t done = 0; done < size;) {
        ssize_t put = write(file, (const char *)from + done, size - done);
        if (put <= 0 && !(put < 0 && errno == EINTR))
            return 0;
        done += put > 0 ? (size_t)put : 0;
    }
    return 1;
}

void gr_cache_write(const gr_cache *cache, const void *bytes, size_t size) {
    char beside[80];
    uint64_t any;
    if (cache->folder < 0 || !size || size > GR_CACHE_BYTES - sizeof(head) ||
        getrandom(&any, sizeof any, 0) != sizeof any)
        return;
    snprintf(beside, sizeof beside, "%s.%016llx", cache->name, (unsigned long long)any);
    int file =
        openat(cache->folder, beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
        return;
    const head h = head_of(cache->name, bytes, size);
    int good = write_all(file, &h, sizeof h) && write_all(file, bytes, size);
    if (close(file) || !good || renameat(cache->folder, beside, cache->folder, cache->name))
        unlinkat(cache->folder, beside, 0);
    else
        prune(cache->folder);
}
