/* Loaded before the program (LD_PRELOAD): its allocation number FAIL_AT, from main() on, fails,
 * with FAIL_ON=1 all that follow too. Without FAIL_AT it prints at the end how many there were. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *at, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static atomic_ulong calls;
static unsigned long fail_at;
static int from_then_on, begun;

static int (*program_main)(int, char **, char **);
static int counted_main(int argc, char **argv, char **environment) {
    const char *at = getenv("FAIL_AT"), *on = getenv("FAIL_ON");
    fail_at = at ? strtoul(at, NULL, 10) : 0;
    from_then_on = on && *on == '1';
    begun = 1;
    return program_main(argc, argv, environment);
}

/* Counts from main() on: what libraries allocate before is theirs. */
int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end) {
    __typeof__(__libc_start_main) *real =
        (__typeof__(__libc_start_main) *)dlsym(RTLD_NEXT, "__libc_start_main");
    program_main = main;
    return real(counted_main, argc, argv, init, fini, rtld_fini, stack_end);
}

__attribute__((destructor)) static void end(void) {
    char line[64];
    if (fail_at)
        return;
    int n = snprintf(line, sizeof line, "allocations: %lu\n", (unsigned long)calls);
    if (write(2, line, (size_t)n) < 0)
        _exit(99);
}

/* How a program that has a driver loaded ends. */
void _exit(int status) {
    end();
    syscall(SYS_exit_group, status);
    abort();
}

static int fails(void) {
    if (!begun)
        return 0;
    unsigned long call = atomic_fetch_add(&calls, 1) + 1;
    if (!fail_at || call < fail_at || (call > fail_at && !from_then_on))
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size) {
    return fails() ? NULL : __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
    return fails() ? NULL : __libc_calloc(count, size);
}
void *realloc(void *at, size_t size) {
    return fails() ? NULL : __libc_realloc(at, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
    return fails() ? NULL : __libc_memalign(alignment, size);
}
