/* Runs a fuzz entry without a fuzzer: over the files and directories given as arguments, and over a
 * fixed number of deterministic mutations of each (environment REPLAY_MUTATIONS, default 200). */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LARGEST = 1 << 24, PATH_CAPACITY = 4096 };

typedef struct replay {
    uint64_t random;
    unsigned long mutations, files, runs;
    int failed;
} replay;

/* splitmix64 */
static size_t draw(replay *r, size_t below) {
    uint64_t z = r->random += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return below ? (size_t)((z ^ (z >> 31)) % below) : 0;
}

/* Entries get memory of exactly their size, so that a checker sees the first byte too far. */
static void run(replay *r, const uint8_t *data, size_t size) {
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy)
        return;
    memcpy(copy, data, size);
    (void)LLVMFuzzerTestOneInput(copy, size);
    free(copy);
    r->runs++;
}

/* One small change; data has capacity for one byte in 8 more. Returns the new size. */
static size_t mutate(replay *r, uint8_t *data, size_t size, size_t capacity) {
    static const char pieces[] = "<>|'\"#\\\n\r\t ():=,.x0123456789eE+-*/~^&[]{}\0\xff";
    size_t at = draw(r, size), from = draw(r, size), length = 1 + draw(r, 16);
    switch (draw(r, 5)) {
    case 0: /* a bit */
        if (size)
            data[at] ^= (uint8_t)(1u << draw(r, 8));
        return size;
    case 1: /* a byte that means something */
        if (size)
            data[at] = (uint8_t)pieces[draw(r, sizeof pieces - 1)];
        return size;
    case 2: /* bytes fall out */
        length = length > size - at ? size - at : length;
        memmove(data + at, data + at + length, size - at - length);
        return size - length;
    case 3: /* one byte more */
        if (size + 1 > capacity)
            return size;
        memmove(data + at + 1, data + at, size - at);
        data[at] = (uint8_t)pieces[draw(r, sizeof pieces - 1)];
        return size + 1;
    default: /* a piece again, elsewhere */
        length = length > size - from ? size - from : length;
        if (size + length > capacity)
            return size;
        memmove(data + at + length, data + at, size - at);
        memmove(data + at, data + from, length);
        return size + length;
    }
}

static void replay_bytes(replay *r, const uint8_t *data, size_t size) {
    size_t capacity = size + size / 8 + 64;
    uint8_t *changed = malloc(capacity);
    if (!changed)
        return;
    run(r, data, size);
    for (unsigned long i = 0; i < r->mutations; i++) {
        size_t length = size;
        memcpy(changed, data, size);
        for (size_t n = 1 + draw(r, 4); n; n--)
            length = mutate(r, changed, length, capacity);
        run(r, changed, length);
    }
    free(changed);
}

static void replay_file(replay *r, const char *path) {
    FILE *file = fopen(path, "rb");
    uint8_t *data = malloc(LARGEST);
    if (!file || !data) {
        fprintf(stderr, "%s: cannot be read\n", path);
        r->failed = 1;
    } else {
        size_t size = fread(data, 1, LARGEST, file);
        r->files++;
        replay_bytes(r, data, size);
    }
    if (file)
        fclose(file);
    free(data);
}

static void replay_path(replay *r, const char *path) {
    struct stat info;
    struct dirent **entries;
    if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode)) {
        replay_file(r, path);
        return;
    }
    int n = scandir(path, &entries, NULL, alphasort); /* sorted: the same order everywhere */
    for (int i = 0; i < n; i++) {
        char inner[PATH_CAPACITY];
        if (entries[i]->d_name[0] != '.' &&
            snprintf(inner, sizeof inner, "%s/%s", path, entries[i]->d_name) < PATH_CAPACITY)
            replay_path(r, inner);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
}

int main(int argc, char **argv) {
    const char *mutations = getenv("REPLAY_MUTATIONS");
    replay r = {1, mutations ? strtoul(mutations, NULL, 10) : 200, 0, 0, 0};
    replay_bytes(&r, (const uint8_t *)"", 0);
    for (int i = 1; i < argc; i++)
        replay_path(&r, argv[i]);
    printf("%lu files, %lu runs\n", r.files, r.runs);
    return r.failed;
}
