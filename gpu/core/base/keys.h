/* Hashes of 64 bits, and counts that everybody adds to. */
#ifndef GR_KEYS_H
#define GR_KEYS_H

#include "gpu/core/base/portable.h"

GR_FN uint64_t gr_mixed(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
    return hash ^ hash >> 29;
}
/* Spreads a hash over all bits; never 0. */
GR_FN uint64_t gr_key_of_hash(uint64_t hash) {
    hash = (hash ^ hash >> 30) * 0xbf58476d1ce4e5b9ull;
    hash = (hash ^ hash >> 27) * 0x94d049bb133111ebull;
    hash ^= hash >> 31;
    return hash ? hash : 1;
}

/* ---- counts ---- */

GR_FN void gr_add_count(uint32_t *count, uint32_t number) {
#ifdef __CUDA_ARCH__
    if (number)
        atomicAdd(count, number);
#else
    if (number)
        __atomic_fetch_add(count, number, __ATOMIC_RELAXED);
#endif
}
GR_FN void gr_add_long(uint64_t *sum, uint64_t number) {
#ifdef __CUDA_ARCH__
    if (number)
        atomicAdd((unsigned long long *)sum, (unsigned long long)number);
#else
    if (number)
        __atomic_fetch_add(sum, number, __ATOMIC_RELAXED);
#endif
}

#endif
