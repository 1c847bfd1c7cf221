/* Bytes eight at a time: words loaded from text, and decimal digits in them. For bytes that are followed by at least eight readable ones. */
#ifndef SW_BASE_WORD_H
#define SW_BASE_WORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t sw_word_load(const uint8_t *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

static inline void sw_word_store(uint8_t *to, uint64_t word) { memcpy(to, &word, sizeof word); }

/* All ones where the first `len` bytes of a word stand; `len` from 0 to 8. */
static inline uint64_t sw_word_mask(size_t len)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return len ? UINT64_MAX >> (64 - 8 * len) : 0;
#else
    return len ? UINT64_MAX << (64 - 8 * len) : 0;
#endif
}

static inline uint64_t sw_word_big_endian(uint64_t word)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return __builtin_bswap64(word);
#else
    return word;
#endif
}

static inline uint32_t sw_word__half(const uint8_t *at)
{
    uint32_t half;
    memcpy(&half, at, sizeof half);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    half = __builtin_bswap32(half);
#endif
    return half;
}

/* memcmp for what is mostly 4 to 16 bytes long: without a call there. Nothing is read beyond `len`: the two halves overlap, and what they share is equal
 * where it comes to count twice. */
static inline int sw_word_compare(const uint8_t *a, const uint8_t *b, size_t len)
{
    uint64_t left, right;
    if (len - 4 <= 4) {
        left = (uint64_t)sw_word__half(a) << 32 | sw_word__half(a + len - 4);
        right = (uint64_t)sw_word__half(b) << 32 | sw_word__half(b + len - 4);
    } else if (len - 8 <= 8) {
        left = sw_word_big_endian(sw_word_load(a));
        right = sw_word_big_endian(sw_word_load(b));
        if (left == right) {
            left = sw_word_big_endian(sw_word_load(a + len - 8));
            right = sw_word_big_endian(sw_word_load(b + len - 8));
        }
    } else {
        return len ? memcmp(a, b, len) : 0;
    }
    return (left > right) - (left < right);
}

static inline bool sw_word__eight_digits(uint64_t *out, const uint8_t *at, size_t len)
{
    /* the last digit in the lowest byte: what the number lacks in front reads as zeros */
    uint64_t word = (sw_word_big_endian(sw_word_load(at)) ^ UINT64_C(0x3030303030303030)) >> (64 - 8 * len);
    uint64_t bad = (word | (word + UINT64_C(0x7676767676767676))) & UINT64_C(0x8080808080808080); /* above 9 carries into the high bit */
    word = (word & UINT64_C(0x000f000f000f000f)) + (word >> 8 & UINT64_C(0x000f000f000f000f)) * 10;
    word = (word & UINT64_C(0x000000ff000000ff)) + (word >> 16 & UINT64_C(0x000000ff000000ff)) * 100;
    *out = (word & 0xffff) + (word >> 32) * 10000;
    return bad == 0;
}

/* The number that 1 to 16 decimal digits make; false if there are more or fewer bytes, or one is no digit. */
static inline bool sw_word_digits(uint64_t *out, const uint8_t *at, size_t len)
{
    uint64_t number, rest;
    if (len - 1 >= 16)
        return false;
    if (len <= 8)
        return sw_word__eight_digits(out, at, len);
    static const uint64_t scale[9] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
    bool first = sw_word__eight_digits(&number, at, 8), second = sw_word__eight_digits(&rest, at + 8, len - 8);
    *out = number * scale[len - 8] + rest;
    return first && second;
}

/* The number that 1 to 8 hexadecimal digits make, of either case; false if there are more or fewer bytes, or one is no digit. */
static inline bool sw_word_hex(uint64_t *out, const uint8_t *at, size_t len)
{
    const uint64_t highs = UINT64_C(0x8080808080808080);
    if (len - 1 >= 8)
        return false;
    /* the last digit in the lowest byte, and zeros in front */
    uint64_t word = sw_word_big_endian(sw_word_load(at)), zeros = UINT64_C(0x3030303030303030);
    if (len < 8)
        word = word >> (64 - 8 * len) | zeros << 8 * len;
    uint64_t small = word | UINT64_C(0x2020202020202020);
    uint64_t digits = ~((word ^ zeros) + UINT64_C(0x7676767676767676)); /* without the high bit: above 9 carries into it */
    uint64_t letters = (small + UINT64_C(0x1f1f1f1f1f1f1f1f)) & ~(small + UINT64_C(0x1919191919191919)); /* at least 'a', and not above 'f' */
    bool good = !(word & highs) && ((digits | letters) & highs) == highs;
    word = (word & UINT64_C(0x0f0f0f0f0f0f0f0f)) + (word >> 6 & UINT64_C(0x0101010101010101)) * 9;
    word = (word | word >> 4) & UINT64_C(0x00ff00ff00ff00ff);
    word = (word | word >> 8) & UINT64_C(0x0000ffff0000ffff);
    *out = (word | word >> 16) & UINT32_MAX;
    return good;
}

/* How many of the next 16 bytes are decimal digits, up to the first that is none. */
static inline size_t sw_word_digit_count(const uint8_t *at)
{
    for (size_t count = 0; count < 16; count += 8) {
        uint64_t word = sw_word_load(at + count) ^ UINT64_C(0x3030303030303030);
        uint64_t others = (((word & UINT64_C(0x7f7f7f7f7f7f7f7f)) + UINT64_C(0x7676767676767676)) | word) & UINT64_C(0x8080808080808080);
        if (others)
            return count + (size_t)__builtin_clzll(sw_word_big_endian(others)) / 8;
    }
    return 16;
}

#endif
