/* Unsigned integers in one to ten bytes, seven bits each, the last byte without its high bit. For records of this process only. */
#ifndef SW_MODEL_VARINT_H
#define SW_MODEL_VARINT_H

#include <stdint.h>

#define SW_VARINT_MAX 10

static inline uint8_t *sw_varint_put(uint8_t *to, uint64_t number)
{
    while (__builtin_expect(number >= 0x80, 0)) {
        *to++ = (uint8_t)(number | 0x80);
        number >>= 7;
    }
    *to++ = (uint8_t)number;
    return to;
}

static inline uint64_t sw_varint_get(const uint8_t **at)
{
    const uint8_t *now = *at;
    uint64_t number = *now & 0x7f;
    if (*now++ >= 0x80)
        for (unsigned shift = 7;; shift += 7) {
            number |= (uint64_t)(*now & 0x7f) << shift;
            if (*now++ < 0x80)
                break;
        }
    *at = now;
    return number;
}

static inline unsigned sw_varint_size(uint64_t number)
{
    return number < 0x80 ? 1 : (70 - (unsigned)__builtin_clzll(number)) / 7;
}

#endif
