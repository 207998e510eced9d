/* Calls of the system that fail when a test wants them to. It is preloaded (LD_PRELOAD), so that
 * the program under test is the one that users have, and the libraries it calls are under test with
 * it: libhdf5 writes files of its own.
 *
 *     GRAMPUS_FAULT=KIND:N[+][:ERROR]   the Nth call of a kind fails, with + also all later ones
 *     GRAMPUS_FAULT_REPORT=FILE         "KIND CALLS" of that kind at the end
 *
 * Kinds: write (of files; ERROR `short` writes half of it and then goes on), sync, rename, open (to
 * write), close, truncate, folder, thread, memory. ERROR: a word of `words` below. Calls count from
 * main() on. Streams for writing become ones whose writes count, since those of libc cannot be
 * seen. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
    const char *word;
    int code;
} words[] = {{"nospace", ENOSPC}, {"io", EIO},      {"denied", EACCES},
             {"memory", ENOMEM},  {"many", EMFILE}, {"short", 0}};

static char kind[16];
static long nth, code = EIO;
static int lasting, partial;
static atomic_long calls;
static atomic_int counting;

/* Whether this call fails; sets errno. */
static int fails(const char *of) {
    if (!counting || strcmp(of, kind) != 0)
        return 0;
    long call = atomic_fetch_add(&calls, 1) + 1;
    if (!(call == nth || (lasting && call > nth)))
        return 0;
    errno = (int)code;
    return 1;
}

#define REAL(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))

/* ---- files ---- */

static int is_file(int fd) {
    struct stat facts;
    return fd > 2 && fstat(fd, &facts) == 0 && S_ISREG(facts.st_mode);
}

static size_t some(size_t size) {
    return partial && size > 1 ? size / 2 : 0;
}

ssize_t write(int fd, const void *bytes, size_t size) {
    if (is_file(fd) && fails("write"))
        return partial ? REAL(write)(fd, bytes, some(size) ? some(size) : size) : -1;
    return REAL(write)(fd, bytes, size);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) {
    if (is_file(fd) && fails("write"))
        return partial ? REAL(pwrite)(fd, bytes, some(size) ? some(size) : size, at) : -1;
    return REAL(pwrite)(fd, bytes, size, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at) {
    return pwrite(fd, bytes, size, at);
}

int fsync(int fd) {
    return fails("sync") ? -1 : REAL(fsync)(fd);
}

int rename(const char *from, const char *to) {
    return fails("rename") ? -1 : REAL(rename)(from, to);
}

int ftruncate(int fd, off_t size) {
    return fails("truncate") ? -1 : REAL(ftruncate)(fd, size);
}

int ftruncate64(int fd, off64_t size) {
    return fails("truncate") ? -1 : REAL(ftruncate64)(fd, size);
}

int mkdir(const char *path, mode_t mode) {
    return fails("folder") ? -1 : REAL(mkdir)(path, mode);
}

/* What was written may be lost even so. */
int close(int fd) {
    int counts = counting && is_file(fd) && (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY;
    if (!counts || !fails("close"))
        return REAL(close)(fd);
    REAL(close)(fd);
    errno = (int)code;
    return -1;
}

static int opens_to_write(int flags) {
    return (flags & O_ACCMODE) != O_RDONLY && !(flags & O_DIRECTORY);
}

int open(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
    va_end(more);
    return opens_to_write(flags) && strncmp(path, "/dev/", 5) != 0 && fails("open")
               ? -1
               : REAL(open)(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
    va_end(more);
    return open(path, flags, mode);
}

/* ---- streams ---- */

enum { STREAMS = 64 };
static struct {
    FILE *stream;
    int fd;
} opened[STREAMS];

static ssize_t stream_read(void *cookie, char *bytes, size_t size) {
    return read((int)(long)cookie, bytes, size);
}
static ssize_t stream_write(void *cookie, const char *bytes, size_t size) {
    size_t done = 0;
    while (done < size) { /* as libc's own streams */
        ssize_t n = write((int)(long)cookie, bytes + done, size - done);
        if (n < 0)
            return done ? (ssize_t)done : 0;
        done += (size_t)n;
    }
    return (ssize_t)done;
}
static int stream_seek(void *cookie, off64_t *at, int whence) {
    off64_t to = lseek64((int)(long)cookie, *at, whence);
    if (to >= 0)
        *at = to;
    return to < 0 ? -1 : 0;
}
static int stream_close(void *cookie) {
    for (int k = 0; k < STREAMS; k++)
        if (opened[k].stream && opened[k].fd == (int)(long)cookie)
            opened[k].stream = NULL;
    return close((int)(long)cookie);
}

FILE *fopen(const char *path, const char *mode) {
    int flags = *mode == 'w' ? O_CREAT | O_TRUNC : *mode == 'a' ? O_CREAT | O_APPEND : 0;
    flags |= strchr(mode, '+') ? O_RDWR : *mode == 'r' ? O_RDONLY : O_WRONLY;
    if (!counting || !opens_to_write(flags))
        return REAL(fopen)(path, mode);
    cookie_io_functions_t calls_of = {stream_read, stream_write, stream_seek, stream_close};
    int fd = open(path, flags, 0666);
    FILE *stream = fd < 0 ? NULL : fopencookie((void *)(long)fd, mode, calls_of);
    for (int k = 0; stream && k < STREAMS; k++)
        if (!opened[k].stream) {
            opened[k].stream = stream;
            opened[k].fd = fd;
            break;
        }
    return stream;
}

FILE *fopen64(const char *path, const char *mode) {
    return fopen(path, mode);
}

int fileno(FILE *stream) {
    for (int k = 0; k < STREAMS; k++)
        if (stream && opened[k].stream == stream)
            return opened[k].fd;
    return REAL(fileno)(stream);
}

/* ---- memory and threads ---- */

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end);
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);

/* Allocations of the program and of the libraries that it relies on to bear it. libhdf5 does not
 * (1.10 crashes at its start when a small one fails): the program looks beforehand whether there is
 * memory. */
static int allocation_fails(const void *caller) {
    static const char *const callers[] = {"grampus", "yaml", "cjson", "libz.so"};
    Dl_info from;
    if (!counting || strcmp(kind, "memory") != 0 || !dladdr(caller, &from) || !from.dli_fname)
        return 0;
    const char *slash = strrchr(from.dli_fname, '/'), *name = slash ? slash + 1 : from.dli_fname;
    for (size_t k = 0; k < sizeof callers / sizeof *callers; k++)
        if (strstr(name, callers[k]))
            return fails("memory");
    return 0;
}

void *malloc(size_t size) {
    return allocation_fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
    return allocation_fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}
void *realloc(void *memory, size_t size) {
    return allocation_fails(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, size);
}
char *strdup(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = allocation_fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *context) {
    return fails("thread") ? EAGAIN : REAL(pthread_create)(thread, attributes, run, context);
}

/* ---- begin and end ---- */

static void read_wish(void) {
    const char *wish = getenv("GRAMPUS_FAULT"), *at = wish ? strchr(wish, ':') : NULL;
    if (!at || (size_t)(at - wish) >= sizeof kind)
        return;
    memcpy(kind, wish, (size_t)(at - wish));
    nth = strtol(at + 1, (char **)(void *)&at, 10);
    lasting = *at == '+';
    code = strcmp(kind, "memory") == 0 ? ENOMEM : EIO;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strchr(at, ':') && strcmp(strchr(at, ':') + 1, words[k].word) == 0) {
            code = words[k].code;
            partial = code == 0;
        }
}

static void report(void) {
    const char *path = getenv("GRAMPUS_FAULT_REPORT");
    char line[64];
    long all = calls;
    counting = 0;
    int fd = path ? REAL(open)(path, O_CREAT | O_WRONLY | O_TRUNC, 0666) : -1;
    if (fd < 0)
        return;
    int n = snprintf(line, sizeof line, "%s %ld\n", kind, all);
    if (REAL(write)(fd, line, (size_t)n) != n)
        abort();
    REAL(close)(fd);
}

static int (*program_main)(int, char **, char **);
static int counted_main(int argc, char **argv, char **environment) {
    read_wish();
    counting = 1;
    int result = program_main(argc, argv, environment);
    counting = 0;
    report();
    return result;
}

/* How a program that has a driver loaded ends. */
void _exit(int status) {
    if (counting)
        report();
    REAL(_exit)(status);
    abort();
}

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end) {
    program_main = main;
    return REAL(__libc_start_main)(counted_main, argc, argv, init, fini, rtld_fini, stack_end);
}
