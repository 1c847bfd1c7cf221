/* The tagged form of values under `any`, and its two hottest encoders, for callers that write to raw memory.
 *
 * Each value delimits itself and begins with a tag, so that memcmp orders null, false, true, numbers by size, text by bytes,
 * arrays and objects, in this order. The same number form is the canonical form of `integer` and `decimal`.
 *
 *     null, false, true   the tag
 *     number              tag (sign and size), for very large and very small ones 3 bytes of exponent, then the digits in base 100,
 *                         first pair first, the decimal point between two pairs: each byte is 2 × pair + 1, the last 2 × pair (no
 *                         number ends in a pair 00). Below zero every byte after the tag is inverted. 0, infinities, NaN: the tag.
 *     text                tag, bytes with each NUL written as 00 FF, 00 00
 *     array               tag, elements, 00
 *     object              tag, for each member (sorted by name) its name as text and its value, 00
 *
 * A number is 0.PPPP… × 100^E; for E from -8 to 24 the tag says E. Nothing here allocates or fails but as said. Any thread. */
#ifndef SW_MODEL_VALUE_ANY_H
#define SW_MODEL_VALUE_ANY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/buffer.h"
#include "text/token.h"

enum sw_any_tag {
    SW_ANY_END = 0x00,
    SW_ANY_NULL = 0x02, /* inside arrays and objects, and JSON text `null` under json; a column that is NULL has no canonical bytes */
    SW_ANY_FALSE = 0x04,
    SW_ANY_TRUE = 0x06,
    SW_ANY_NUMBER_FIRST = 0x16,
    SW_ANY_ZERO = 0x48,
    SW_ANY_TINY = 0x4a,        /* E below -8; 3 bytes of E + SW_ANY_EXPONENT_BIAS follow, high byte first */
    SW_ANY_NUMBER = 0x58,      /* + E, for E from SW_ANY_E_MIN to SW_ANY_E_MAX */
    SW_ANY_HUGE = 0x78,        /* E above 24; as SW_ANY_TINY */
    SW_ANY_INFINITY = 0x7a,
    SW_ANY_NAN = 0x7c,
    SW_ANY_NUMBER_LAST = 0x7c,
    SW_ANY_TEXT = 0x90,
    SW_ANY_ARRAY = 0xa0,
    SW_ANY_OBJECT = 0xb0
};

#define SW_ANY_NEGATIVE(tag) (2 * SW_ANY_ZERO - (tag)) /* the tag of -x from that of x, and back; not for NaN */
#define SW_ANY_E_MIN (-8)
#define SW_ANY_E_MAX 24
#define SW_ANY_EXPONENT_BIAS 0x800000

/* The most that sw_any_text_encode writes for `len` bytes of text. */
#define SW_ANY_TEXT_MAX(len) (2 * (size_t)(len) + 3)
/* The most that sw_any_integer_encode writes, in any case. */
#define SW_ANY_INTEGER_MAX 16

/* The most digits of a number that sw_any_scaled_encode takes where some of them stand behind the point. */
#define SW_ANY_SCALED_DIGITS_MAX 18

/* Is one of the eight bytes NUL? */
#define SW_ANY__ONES UINT64_C(0x0101010101010101)
#define SW_ANY__HIGHS UINT64_C(0x8080808080808080)
static inline uint64_t sw_any__has_nul(uint64_t word) { return (word - SW_ANY__ONES) & ~word & SW_ANY__HIGHS; }

/* The slow way of sw_any_text_encode: NULs are escaped one by one. */
static inline size_t sw_any__text_with_nuls(uint8_t *out, struct sw_bytes text)
{
    uint8_t *at = out;
    *at++ = SW_ANY_TEXT;
    for (size_t i = 0; i < text.len; i++) {
        *at++ = text.at[i];
        if (text.at[i] == 0)
            *at++ = 0xff;
    }
    *at++ = 0;
    *at++ = 0;
    return (size_t)(at - out);
}

/* Writes text (escapes resolved) under `any` to `out`, where SW_ANY_TEXT_MAX(text.len) bytes are free. Returns the bytes written. */
static inline size_t sw_any_text_encode(uint8_t *out, struct sw_bytes text)
{
    uint64_t word;
    if (text.len < 8) {
        for (size_t i = 0; i < text.len; i++) {
            if (text.at[i] == 0)
                return sw_any__text_with_nuls(out, text);
            out[1 + i] = text.at[i];
        }
    } else {
        uint64_t nuls = 0;
        for (size_t i = 0; i + 8 < text.len; i += 8) {
            memcpy(&word, text.at + i, 8);
            nuls |= sw_any__has_nul(word);
            memcpy(out + 1 + i, &word, 8);
        }
        memcpy(&word, text.at + text.len - 8, 8); /* the last eight overlap those before them */
        nuls |= sw_any__has_nul(word);
        memcpy(out + 1 + text.len - 8, &word, 8);
        if (nuls)
            return sw_any__text_with_nuls(out, text);
    }
    out[0] = SW_ANY_TEXT;
    out[text.len + 1] = 0;
    out[text.len + 2] = 0;
    return text.len + 3;
}

/* Writes a plain integer under `any`, `integer` or `decimal` to `out`, where SW_ANY_INTEGER_MAX bytes are free: an optional '-',
 * then 1 to 18 decimal digits without leading zeros. Returns the bytes written, or 0 if `digits` is anything else (such a
 * number takes sw_value_encode); what stands in `out` then has no meaning. */
static inline size_t sw_any_integer_encode(uint8_t *out, struct sw_bytes digits)
{
    const uint8_t *at = digits.at;
    size_t len = digits.len;
    uint8_t invert = 0;
    if (len && *at == '-') {
        invert = 0xff;
        at++;
        len--;
    }
    if (len - 1 >= 18)
        return 0;
    if (*at == '0') {
        out[0] = SW_ANY_ZERO;
        return len == 1;
    }
    size_t pairs = (len + 1) / 2, left = len / 2;
    while (left && at[len - 1] == '0' && at[len - 2] == '0') { /* no number ends in a pair 00 */
        len -= 2;
        left--;
    }
    uint8_t *to = out + 1;
    unsigned bad = 0, pair = 0;
    if (len & 1) {
        pair = (unsigned)*at++ - '0';
        bad = pair > 9;
        *to++ = (uint8_t)((2 * pair + 1) ^ invert);
    }
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    for (; left >= 4; left -= 4, at += 8, to += 4) { /* eight digits become four pairs in one go */
        uint64_t word;
        memcpy(&word, at, 8);
        word ^= UINT64_C(0x3030303030303030);
        bad |= ((word | (word + UINT64_C(0x7676767676767676))) & UINT64_C(0x8080808080808080)) != 0;
        word = (word * 10 + (word >> 8)) & UINT64_C(0x00ff00ff00ff00ff); /* a pair in each 16 bits */
        pair = (unsigned)(word >> 48);
        word = 2 * word + UINT64_C(0x0001000100010001);
        word = (word | word >> 8) & UINT64_C(0x0000ffff0000ffff);
        uint32_t packed = (uint32_t)(word | word >> 16) ^ (invert ? UINT32_MAX : 0);
        memcpy(to, &packed, 4);
    }
#endif
    for (; left; left--, at += 2) {
        unsigned high = (unsigned)at[0] - '0', low = (unsigned)at[1] - '0';
        bad |= (high > 9) | (low > 9);
        pair = high * 10 + low;
        *to++ = (uint8_t)((2 * pair + 1) ^ invert);
    }
    if (bad)
        return 0;
    to[-1] = (uint8_t)((2 * pair) ^ invert);
    out[0] = (uint8_t)(invert ? SW_ANY_NEGATIVE(SW_ANY_NUMBER + (int)pairs) : SW_ANY_NUMBER + (int)pairs);
    return (size_t)(to - out);
}

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
/* A number below 10^8 as four pairs of 0 to 99, the first in the lowest byte. */
static inline uint32_t sw_any__pairs_of(uint32_t number)
{
    uint32_t high = number / 10000, low = number - high * 10000;
    uint64_t both = high | (uint64_t)low << 32, tens = both * 5243 >> 19 & UINT64_C(0x0000007f0000007f); /* a hundredth, exact below 10,000 */
    both = tens | (both - tens * 100) << 8;
    return (uint32_t)((both & 0xffff) | both >> 16);
}
#endif

/* Writes ± magnitude × 10^-scale under `any`, `integer` or `decimal` to `out`, where SW_ANY_INTEGER_MAX bytes are free. `scale` is 0 to SW_ANY_SCALED_DIGITS_MAX, and where it is
 * not 0 the magnitude has no more digits than that. Returns the bytes written. */
static inline size_t sw_any_scaled_encode(uint8_t *out, bool negative, uint64_t magnitude, unsigned scale)
{
    uint8_t pairs[10], *to = out + 1;
    int count = 0, first = 0, behind = (int)(scale + 1) / 2;
    if (magnitude == 0) {
        *out = SW_ANY_ZERO;
        return 1;
    }
    magnitude *= scale & 1 ? 10 : 1; /* the point stands between two pairs */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (magnitude < UINT64_C(10000000000000000)) { /* as sw_any_padded_integer_encode ends */
        uint64_t top = magnitude / 100000000, all = sw_any__pairs_of((uint32_t)top) | (uint64_t)sw_any__pairs_of((uint32_t)(magnitude - top * 100000000)) << 32;
        size_t all_count = 8 - (size_t)__builtin_ctzll(all) / 8, kept = all_count - (size_t)__builtin_clzll(all) / 8;
        uint64_t bytes = (2 * all + UINT64_C(0x0101010101010101)) >> (64 - 8 * all_count);
        bytes = (bytes ^ UINT64_C(1) << (8 * kept - 8)) ^ (0 - (uint64_t)negative);
        memcpy(out + 1, &bytes, sizeof bytes);
        int short_tag = SW_ANY_NUMBER + (int)all_count - behind;
        *out = (uint8_t)(negative ? SW_ANY_NEGATIVE(short_tag) : short_tag);
        return kept + 1;
    }
#endif
    for (; magnitude >= 100; magnitude /= 100)
        pairs[count++] = (uint8_t)(magnitude % 100);
    pairs[count++] = (uint8_t)magnitude;
    while (pairs[first] == 0) /* no number ends in a pair 00 */
        first++;
    uint8_t invert = negative ? 0xff : 0;
    int tag = SW_ANY_NUMBER + count - behind;
    *out = (uint8_t)(negative ? SW_ANY_NEGATIVE(tag) : tag);
    for (int i = count - 1; i >= first; i--)
        *to++ = (uint8_t)((2 * pairs[i] + 1) ^ invert);
    to[-1] ^= 1;
    return (size_t)(to - out);
}

/* The number of an INT64, UINT64 or DECIMAL token as ± magnitude × 10^-scale; false for all other tokens. */
static inline bool sw_any_scaled_of(bool *negative, uint64_t *magnitude, unsigned *scale, struct sw_token token)
{
    int64_t value, digits = 0;
    if (token.kind != SW_TOKEN_DECIMAL && token.kind != SW_TOKEN_INT64 && token.kind != SW_TOKEN_UINT64)
        return false;
    memcpy(&value, token.at, sizeof value);
    if (token.kind == SW_TOKEN_DECIMAL)
        memcpy(&digits, token.at + sizeof value, sizeof digits);
    *scale = (unsigned)digits;
    *negative = value < 0 && token.kind != SW_TOKEN_UINT64;
    *magnitude = *negative ? 0 - (uint64_t)value : (uint64_t)value;
    return true;
}

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
/* Eight digits of 0 to 9, the first in the lowest byte, as four pairs of 0 to 99, the first in the lowest byte. */
static inline uint32_t sw_any__pairs(uint64_t digits)
{
    digits = (digits * 10 + (digits >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
    digits = (digits | digits >> 8) & UINT64_C(0x0000ffff0000ffff);
    return (uint32_t)(digits | digits >> 16);
}
#endif

/* The same for digits that are followed by 16 readable bytes, as those in a block are: as good as without branches, for signs and lengths that no
 * processor can foresee. */
static inline size_t sw_any_padded_integer_encode(uint8_t *out, struct sw_bytes digits)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const uint64_t zeros = UINT64_C(0x3030303030303030), nines = UINT64_C(0x7676767676767676), high = UINT64_C(0x8080808080808080);
    size_t minus = *digits.at == '-', len = digits.len - minus;
    const uint8_t *at = digits.at + minus;
    if (len - 1 >= 16 || *at == '0')
        return sw_any_integer_encode(out, digits);
    /* sixteen digits, those that the number lacks in front being 0: what stands behind it is pushed out by them */
    uint64_t first, last;
    memcpy(&first, at, 8);
    memcpy(&last, at + 8, 8);
    first ^= zeros;
    last ^= zeros;
    if (len <= 8) {
        last = first << (64 - 8 * len);
        first = 0;
    } else if (len < 16) {
        last = last << (128 - 8 * len) | first >> (8 * len - 64);
        first <<= 128 - 8 * len;
    }
    if (((first | (first + nines)) | (last | (last + nines))) & high)
        return 0;
    size_t pairs = (len + 1) / 2;
    uint64_t all = sw_any__pairs(first) | (uint64_t)sw_any__pairs(last) << 32; /* the last pair in the highest byte */
    size_t kept = pairs - (size_t)__builtin_clzll(all) / 8;                    /* no number ends in a pair 00 */
    uint64_t bytes = (2 * all + UINT64_C(0x0101010101010101)) >> (64 - 8 * pairs);
    bytes = (bytes ^ UINT64_C(1) << (8 * kept - 8)) ^ (0 - (uint64_t)minus);
    memcpy(out + 1, &bytes, 8);
    uint8_t tag = (uint8_t)(SW_ANY_NUMBER + (int)pairs);
    out[0] = minus ? (uint8_t)SW_ANY_NEGATIVE(tag) : tag;
    return kept + 1;
#else
    return sw_any_integer_encode(out, digits);
#endif
}

#endif
