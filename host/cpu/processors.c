#define _GNU_SOURCE /* CPU_ALLOC */
#include "host/cpu/processors.h"

#include "host/cpu/copies.h"
#include "host/cpu/once.h"

#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 4096 };

/* What affinity allows, or the machine has. */
static uint32_t allowed(void) {
    cpu_set_t *set = CPU_ALLOC(MOST);
    size_t size = CPU_ALLOC_SIZE(MOST);
    long count = 0;
    if (set && sched_getaffinity(0, size, set) == 0)
        count = CPU_COUNT_S(size, set);
    CPU_FREE(set);
    if (count < 1)
        count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : (uint32_t)count;
}

/* Up to two numbers from a file in root/group; how many there are. */
static int read_numbers(const char *root, const char *group, const char *file, double number[2]) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s%s/%s", root, group, file);
    FILE *in = fopen(path, "r");
    int count = in ? fscanf(in, "%lf %lf", &number[0], &number[1]) : 0;
    if (in)
        fclose(in);
    return count;
}

static uint32_t lesser_quota(uint32_t least, double quota, double period) {
    double count = quota > 0.0 && period > 0.0 ? quota / period : (double)MOST;
    uint32_t whole = count < MOST ? (uint32_t)count + ((double)(uint32_t)count < count) : 0;
    return !whole || (least && least < whole) ? least : whole;
}

/* Version 2: the group's own quota, "200000 100000" or "max 100000", and those above it. */
static uint32_t quota_of_groups(const char *root, char *group) {
    uint32_t least = 0;
    for (char *end = group + strlen(group); end; end = strrchr(group, '/')) {
        double number[2];
        *end = '\0';
        if (read_numbers(root, group, "cpu.max", number) == 2)
            least = lesser_quota(least, number[0], number[1]);
    }
    return least;
}

uint32_t gr_processor_quota(const char *root, const char *membership) {
    char line[PATH_MAX];
    double quota[2], period[2];
    uint32_t least = 0;
    FILE *in = fopen(membership, "r");
    while (in && fgets(line, sizeof line, in)) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "0::/", 4) == 0)
            least = quota_of_groups(root, line + 3);
    }
    if (in)
        fclose(in);
    /* Version 1, as a container sees it. */
    if (read_numbers(root, "/cpu", "cpu.cfs_quota_us", quota) == 1 &&
        read_numbers(root, "/cpu", "cpu.cfs_period_us", period) == 1)
        least = lesser_quota(least, quota[0], period[0]);
    return least;
}

uint32_t gr_processors(void) {
    const char *wish = getenv("OMP_NUM_THREADS");
    long wanted = wish ? strtol(wish, NULL, 10) : 0;
    if (wanted > 0)
        return wanted < MOST ? (uint32_t)wanted : MOST;
    uint32_t most = allowed(), quota = gr_processor_quota("/sys/fs/cgroup", "/proc/self/cgroup");
    return quota && quota < most ? quota : most;
}

/* Seconds that one thread takes for a generation, about. Measured on one core with AVX-512: 0.3 to
 * 1.6 us to breed and count an individual, 0.03 to 0.3 ns to evaluate a node on a case, of which a
 * program has some 30. An elite that is copied takes 0.45 us (copies.h). */
static double generation_time(const gr_job *job) {
    const gr_params *p = &job->params;
    double cases = p->packed ? p->train_cases / 32.0 : p->train_cases;
    double copied = gr_cpu_copies_elites(job) ? gr_cpu_most_elites(p) : 0.0;
    return (p->individuals - copied) * 1e-6 + copied * 0.45e-6 +
           (p->individuals - gr_cpu_kept_errors(p)) * 3e-9 * cases;
}

/* Below 250 us a second thread gains less in a run than it takes to begin; beyond, a thread has
 * something to do that is worth waking it, 30 us: 16 on 16 cores are still faster than 8 where a
 * generation takes one thread 600 us. */
uint32_t gr_threads_for(const gr_job *job) {
    double work = generation_time(job);
    uint32_t most = gr_processors();
    if (job->threads)
        return job->threads;
    if (work < 250e-6)
        return 1;
    return work < 30e-6 * most ? (uint32_t)(work / 30e-6) : most;
}

/* A chunk takes some 5 us, a thread some 100 to begin. */
uint32_t gr_threads_for_chunks(uint32_t wanted, uint64_t chunks) {
    uint64_t worth = chunks / 64;
    if (!worth)
        return 1;
    uint32_t most = wanted ? wanted : gr_processors();
    return worth < most ? (uint32_t)worth : most;
}
