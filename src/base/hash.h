/* 64-bit hashing, for partitions, tables and candidates only: nothing is ever called equal because hashes are. */
#ifndef SW_BASE_HASH_H
#define SW_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define XXH_INLINE_ALL
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wcast-qual"
#pragma GCC diagnostic ignored "-Wpragmas"
#include <xxhash.h>
#pragma GCC diagnostic pop

static inline uint64_t sw_hash(const void *at, size_t len, uint64_t seed) { return XXH3_64bits_withSeed(at, len, seed); }

/* Mixes two words into one. */
static inline uint64_t sw_hash_mix(uint64_t a, uint64_t b)
{
    a = (a ^ (b * 0x9e3779b97f4a7c15u)) * 0xbf58476d1ce4e5b9u;
    return a ^ a >> 29;
}

#endif
