#include "gpu/backend/memory.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static size_t lesser(size_t a, size_t b) {
    return a < b ? a : b;
}

/* The number behind `name` in a file of lines "NAME NUMBER", or without a name the number that is
 * the file; SIZE_MAX when there is none ("max"). */
static size_t number_in(const char *path, const char *name) {
    unsigned long long value;
    size_t found = SIZE_MAX, length = name ? strlen(name) : 0;
    char line[256];
    FILE *in = fopen(path, "r");
    while (in && found == SIZE_MAX && fgets(line, sizeof line, in))
        if ((!name || strncmp(line, name, length) == 0) &&
            sscanf(line + length, " %llu", &value) == 1)
            found = (size_t)value;
    if (in)
        fclose(in);
    return found;
}

static size_t number_of(const char *group, const char *file, const char *name) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%.3900s/%s", group, file);
    return number_in(path, name);
}

/* What files tell of a group's memory. */
typedef struct control {
    const char *limit, *usage, *reclaimable;
} control;
static const control versions[2] = {
    {"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"},
    {"memory.max", "memory.current", "inactive_file"}};

/* What a group leaves: pages of files that nobody needs do not count. */
static size_t left_in(const char *group, const control *c) {
    size_t limit = number_of(group, c->limit, NULL), usage = number_of(group, c->usage, NULL),
           file = number_of(group, "memory.stat", c->reclaimable);
    if (limit == SIZE_MAX || usage == SIZE_MAX)
        return SIZE_MAX;
    usage -= file == SIZE_MAX ? 0 : lesser(file, usage);
    return limit > usage ? limit - usage : 0;
}

/* The least that a group and those above it leave; `group` is a path below root. A container may
 * see its own group as the root. */
static size_t left_in_groups(const char *root, char *group, const control *c) {
    size_t least = SIZE_MAX;
    for (char *end = group + strlen(group); end; end = strrchr(group, '/')) {
        char path[PATH_MAX];
        *end = '\0';
        snprintf(path, sizeof path, "%.1800s%.1800s", root, group);
        least = lesser(least, left_in(path, c));
    }
    return least;
}

/* A line "0::/GROUP" of version 2 or "4:memory:/GROUP" of version 1. */
static size_t left_by(const char *root, char *line) {
    char mount[PATH_MAX], *controllers = strchr(line, ':'), *group;
    if (!controllers || !(group = strchr(++controllers, ':')))
        return SIZE_MAX;
    *group++ = '\0';
    if (!*controllers)
        return left_in_groups(root, group, &versions[1]);
    if (strcmp(controllers, "memory") != 0)
        return SIZE_MAX;
    snprintf(mount, sizeof mount, "%.3900s/memory", root);
    return left_in_groups(mount, group, &versions[0]);
}

size_t gr_memory_read(const char *meminfo, const char *root, const char *membership) {
    char line[PATH_MAX];
    size_t kilobytes = number_in(meminfo, "MemAvailable:"), least;
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    FILE *in = fopen(membership, "r");
    least = kilobytes < SIZE_MAX / 1024 ? kilobytes * 1024
            : pages > 0 && page > 0     ? (size_t)pages * (size_t)page
                                        : SIZE_MAX;
    while (in && fgets(line, sizeof line, in)) {
        line[strcspn(line, "\n")] = '\0';
        least = lesser(least, left_by(root, line));
    }
    if (in)
        fclose(in);
    return least;
}

size_t gr_memory_available(void) {
    return gr_memory_read("/proc/meminfo", "/sys/fs/cgroup", "/proc/self/cgroup");
}

gr_status gr_memory_check(double bytes, const char *what, gr_error *error) {
    size_t available = gr_memory_available();
    if (bytes <= (double)available)
        return GR_OK;
    return gr_fail(error, GR_NO_MEMORY, "%s: %.1f MB needed; this machine has %.1f MB free", what,
                   bytes / 1e6, (double)available / 1e6);
}
