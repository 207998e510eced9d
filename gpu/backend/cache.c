#include "gpu/backend/cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Files that are ours carry it in their names; those being written have more behind it. */
#define ENDING ".cubin"

/* ---- names ---- */

/* Makes a folder and those it stands in. */
static void make_folders(char *path) {
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(path, 0755);
        *slash = '/';
    }
    mkdir(path, 0755);
}

int gr_cache_path(const char *key, const char *text, char *path, size_t size) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME"), *part[2] = {key, text};
    uint64_t hash[2] = {14695981039346656037ull, 1099511628211ull}; /* FNV-1a, two starts */
    for (int p = 0; p < 2; p++)
        for (const char *c = part[p]; *c; c++)
            for (uint64_t h = 0; h < 2; h++)
                hash[h] = (hash[h] ^ (unsigned char)*c) * (1099511628211ull + 2 * h);
    int n = cache && *cache == '/' ? snprintf(path, size, "%s/grampus", cache)
            : home                 ? snprintf(path, size, "%s/.cache/grampus", home)
                                   : -1;
    if (n < 0 || (size_t)n + 48 > size)
        return 0;
    make_folders(path);
    snprintf(path + n, size - (size_t)n, "/%016llx%016llx" ENDING, (unsigned long long)hash[0],
             (unsigned long long)hash[1]);
    return 1;
}

/* ---- reading ---- */

void *gr_cache_read(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    void *bytes = NULL;
    long length = 0;
    if (file && fseek(file, 0, SEEK_END) == 0 && (length = ftell(file)) > 0) {
        rewind(file);
        bytes = malloc((size_t)length);
        if (bytes && fread(bytes, 1, (size_t)length, file) != (size_t)length) {
            free(bytes);
            bytes = NULL;
        }
    }
    if (file)
        fclose(file);
    if (bytes)
        utimensat(AT_FDCWD, path, NULL, 0); /* used now */
    *size = (size_t)length;
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
        snprintf(k->name, sizeof k->name, "%s", entry->d_name);
        k->used = facts.st_mtim;
        k->size = (size_t)facts.st_size;
    }
    return files;
}

/* Removes what is beyond the limits from the folder a file lies in. */
static void prune(const char *path) {
    char name[1024];
    const char *slash = strrchr(path, '/');
    snprintf(name, sizeof name, "%.*s", slash ? (int)(slash - path) : 0, path);
    DIR *folder = opendir(name);
    if (!folder)
        return;
    size_t count, bytes = 0;
    kept *files = list(folder, &count);
    if (files)
        qsort(files, count, sizeof *files, compare_kept);
    for (size_t k = 0; k < count; k++) {
        bytes += files[k].size;
        if (k >= GR_CACHE_FILES || bytes > GR_CACHE_BYTES)
            unlinkat(dirfd(folder), files[k].name, 0);
    }
    free(files);
    closedir(folder);
}

void gr_cache_write(const char *path, const void *bytes, size_t size) {
    char beside[1100];
    snprintf(beside, sizeof beside, "%s.%ld", path, (long)getpid());
    FILE *file = fopen(beside, "wb");
    if (!file)
        return;
    int good = fwrite(bytes, 1, size, file) == size;
    if (fclose(file) || !good || rename(beside, path))
        remove(beside);
    else
        prune(path);
}
