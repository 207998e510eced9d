/* Counts the memory that the library asks for, and what of it is given back. A test with it stands
 * in COUNTED of the Makefile: ld puts these functions in the place of the real ones (--wrap) for
 * all that is linked into it; what the C library and threads take for themselves is not counted. */
#ifndef GRAMPUS_TEST_COUNTED_H
#define GRAMPUS_TEST_COUNTED_H

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
void __real_free(void *at);
void *__real_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset);
int __real_munmap(void *at, size_t bytes);

enum { COUNTED_BLOCKS = 1 << 18 };
static struct counted_block {
    void *at;
    size_t bytes;
} counted_block[COUNTED_BLOCKS];
static pthread_mutex_t counted_lock = PTHREAD_MUTEX_INITIALIZER;
/* Bytes now and at most; only blocks of at least so many count. */
static size_t counted_now, counted_peak, counted_least;

static struct counted_block *counted_find(const void *at) {
    size_t k = ((uintptr_t)at >> 4) * 0x9e3779b97f4a7c15u >> 46;
    while (counted_block[k].at && counted_block[k].at != at)
        k = (k + 1) % COUNTED_BLOCKS;
    return &counted_block[k];
}

static void *counted_take(void *at, size_t bytes) {
    if (!at || at == MAP_FAILED)
        return at;
    pthread_mutex_lock(&counted_lock);
    struct counted_block *b = counted_find(at); /* entries stay, for those behind them */
    b->at = at;
    b->bytes = bytes >= counted_least ? bytes : 0;
    counted_now += b->bytes;
    counted_peak = counted_now > counted_peak ? counted_now : counted_peak;
    pthread_mutex_unlock(&counted_lock);
    return at;
}

static void counted_give(void *at) {
    pthread_mutex_lock(&counted_lock);
    struct counted_block *b = counted_find(at);
    if (at && b->at) {
        counted_now -= b->bytes;
        b->bytes = 0;
    }
    pthread_mutex_unlock(&counted_lock);
}

void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
void __wrap_free(void *at);
void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset);
int __wrap_munmap(void *at, size_t bytes);

void *__wrap_malloc(size_t bytes) {
    return counted_take(__real_malloc(bytes), bytes);
}
void *__wrap_calloc(size_t count, size_t size) {
    return counted_take(__real_calloc(count, size), count * size);
}
void *__wrap_aligned_alloc(size_t alignment, size_t bytes) {
    return counted_take(__real_aligned_alloc(alignment, bytes), bytes);
}
/* As if it grew in its place. */
void *__wrap_realloc(void *old, size_t bytes) {
    counted_give(old);
    return counted_take(__real_realloc(old, bytes), bytes);
}
void __wrap_free(void *at) {
    counted_give(at);
    __real_free(at);
}
void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset) {
    return counted_take(__real_mmap(at, bytes, protection, flags, file, offset), bytes);
}
int __wrap_munmap(void *at, size_t bytes) {
    counted_give(at);
    return __real_munmap(at, bytes);
}

#endif
