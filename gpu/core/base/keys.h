/* Hashes of 64 bits, and words that everybody writes to at once. */
#ifndef GR_KEYS_H
#define GR_KEYS_H

#include "gpu/core/base/portable.h"

GR_FN uint64_t gr_mixed(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
    return hash ^ hash >> 29;
}
/* Hash of a word at its place, to be added up in any order. Nothing linear comes last: where only
 * differences of sums count, it would be as if it were not there, and errors of 0 and 2 in other
 * rows gave the same sum. */
GR_FN uint64_t gr_hash_at(uint64_t word, uint64_t place) {
    word = (word ^ (place + 1) * 0x9e3779b97f4a7c15ull) * 0xbf58476d1ce4e5b9ull;
    word = (word ^ word >> 29) * 0x94d049bb133111ebull;
    return word ^ word >> 32;
}
/* The same of an error's bits in a row, for the sum over all rows of an individual. It may be
 * linear, since every row has a number of its own, drawn at random and odd, which a kernel that has
 * many individuals' errors in a row draws once. Bits are stirred first: those of most errors end
 * with zeros, which products, and differences of sums, would end with, too; of usual errors no two
 * differ by more than eight now. */
GR_FN uint64_t gr_row_number_drawn(uint64_t row) {
    return gr_hash_at(row, row) | 1;
}
GR_FN uint64_t gr_hash_of_error(uint32_t bits, uint64_t drawn) {
    bits *= 0x9e3779b1u;
    return (uint64_t)(bits ^ bits >> 22) * drawn;
}
/* Spreads a hash over all bits; never 0. */
GR_FN uint64_t gr_key_of_hash(uint64_t hash) {
    hash = (hash ^ hash >> 30) * 0xbf58476d1ce4e5b9ull;
    hash = (hash ^ hash >> 27) * 0x94d049bb133111ebull;
    hash ^= hash >> 31;
    return hash ? hash : 1;
}

/* ---- words that everybody writes to; the same in any order ---- */

GR_FN void gr_add_count(uint32_t *count, uint32_t number) {
#ifdef __CUDA_ARCH__
    if (number)
        atomicAdd(count, number);
#else
    if (number)
        __atomic_fetch_add(count, number, __ATOMIC_RELAXED);
#endif
}
/* The same; what stood there. */
GR_FN uint32_t gr_take_some(uint32_t *count, uint32_t number) {
#ifdef __CUDA_ARCH__
    return atomicAdd(count, number);
#else
    return __atomic_fetch_add(count, number, __ATOMIC_RELAXED);
#endif
}
GR_FN uint32_t gr_take_next(uint32_t *count) {
    return gr_take_some(count, 1);
}
GR_FN void gr_add_bits(uint32_t *word, uint32_t bits) {
#ifdef __CUDA_ARCH__
    atomicOr(word, bits);
#else
    __atomic_fetch_or(word, bits, __ATOMIC_RELAXED);
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
/* Lowers a word to a value. */
GR_FN void gr_lower(uint32_t *word, uint32_t value) {
#ifdef __CUDA_ARCH__
    atomicMin(word, value);
#else
    uint32_t found = __atomic_load_n(word, __ATOMIC_RELAXED);
    while (found > value &&
           !__atomic_compare_exchange_n(word, &found, value, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
#endif
}
/* Raises a word to a value. Where words begin as 0, the least of something is kept as its
 * complement. */
GR_FN void gr_raise(uint64_t *word, uint64_t value) {
#ifdef __CUDA_ARCH__
    atomicMax((unsigned long long *)word, (unsigned long long)value);
#else
    uint64_t found = __atomic_load_n(word, __ATOMIC_RELAXED);
    while (found < value &&
           !__atomic_compare_exchange_n(word, &found, value, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
#endif
}
/* Writes a key where 0 is; what stood there. */
GR_FN uint64_t gr_fill_empty(uint64_t *word, uint64_t key) {
    uint64_t found = 0;
#ifdef __CUDA_ARCH__
    found = atomicCAS((unsigned long long *)word, 0ull, (unsigned long long)key);
#else
    __atomic_compare_exchange_n(word, &found, key, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
#endif
    return found;
}

#endif
