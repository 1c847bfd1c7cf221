/* The bytes of an integer version. */
#ifndef SW_ORDER_INTEGER_H
#define SW_ORDER_INTEGER_H

#include "base/word.h"

/* One byte of length, then the number big-endian without leading zeros: memcmp orders by size, and no version is a prefix of another. Numbers
 * of more than 64 bits (src/order/integer.c) have the same form. Returns the bytes of the version, at most 9; nine are written in any case. */
static inline unsigned sw_integer_version_put(uint8_t *to, uint64_t number)
{
    unsigned len = number ? (unsigned)(71 - __builtin_clzll(number)) / 8 : 0;
    to[0] = (uint8_t)len;
    sw_word_store(to + 1, sw_word_big_endian(len ? number << (64 - 8 * len) : 0));
    return 1 + len;
}

#endif
