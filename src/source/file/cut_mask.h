/* 64 bytes as masks with a bit a byte: bit 0 is the first byte. */
#ifndef SW_SOURCE_FILE_CUT_MASK_H
#define SW_SOURCE_FILE_CUT_MASK_H

#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>

struct sw_word {
    __m128i part[4];
};

static inline struct sw_word sw_word_load(const uint8_t *at)
{
    struct sw_word word;
    for (int i = 0; i < 4; i++)
        word.part[i] = _mm_loadu_si128((const __m128i *)(const void *)(at + 16 * i));
    return word;
}

static inline uint64_t sw_word_equal(struct sw_word word, uint8_t byte)
{
    __m128i wanted = _mm_set1_epi8((char)byte);
    uint64_t mask = 0;
    for (int i = 0; i < 4; i++)
        mask |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(word.part[i], wanted)) << (16 * i);
    return mask;
}

/* Each byte with `bits` set: with 0x20, '[' becomes '{' and ']' becomes '}'. */
static inline struct sw_word sw_word_or(struct sw_word word, uint8_t bits)
{
    for (int i = 0; i < 4; i++)
        word.part[i] = _mm_or_si128(word.part[i], _mm_set1_epi8((char)bits));
    return word;
}
#else
struct sw_word {
    uint8_t part[64];
};

static inline struct sw_word sw_word_load(const uint8_t *at)
{
    struct sw_word word;
    memcpy(word.part, at, 64);
    return word;
}

static inline uint64_t sw_word_equal(struct sw_word word, uint8_t byte)
{
    uint64_t mask = 0;
    for (int i = 0; i < 64; i++)
        mask |= (uint64_t)(word.part[i] == byte) << i;
    return mask;
}

static inline struct sw_word sw_word_or(struct sw_word word, uint8_t bits)
{
    for (int i = 0; i < 64; i++)
        word.part[i] |= bits;
    return word;
}
#endif

/* Bits 0 … count-1; count from 0 to 64. */
static inline uint64_t sw_mask_below(unsigned count) { return count < 64 ? ((uint64_t)1 << count) - 1 : ~(uint64_t)0; }

/* Bit i is the parity of the bits 0 … i: between an opening quote, counted, and its closing one, not counted, it is 1. */
static inline uint64_t sw_mask_parity(uint64_t mask)
{
    for (int shift = 1; shift < 64; shift *= 2)
        mask ^= mask << shift;
    return mask;
}

#endif
