/* A cursor over a position's text. Every step checks the end; nothing allocates. */
#ifndef SW_POSITION_SCAN_H
#define SW_POSITION_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/character.h"

struct sw_scan {
    const uint8_t *at, *end;
};

static inline struct sw_scan sw_scan_of(struct sw_bytes text) { return (struct sw_scan){text.at, text.at ? text.at + text.len : text.at}; }
static inline bool sw_scan_done(const struct sw_scan *scan) { return scan->at == scan->end; }
static inline struct sw_bytes sw_scan_rest(const struct sw_scan *scan) { return (struct sw_bytes){scan->at, (size_t)(scan->end - scan->at)}; }

static inline void sw_scan_blanks(struct sw_scan *scan)
{
    while (scan->at < scan->end && sw_is_blank(*scan->at))
        scan->at++;
}
static inline bool sw_scan_peek(const struct sw_scan *scan, uint8_t byte) { return scan->at < scan->end && *scan->at == byte; }
static inline bool sw_scan_byte(struct sw_scan *scan, uint8_t byte)
{
    if (!sw_scan_peek(scan, byte))
        return false;
    scan->at++;
    return true;
}
/* After blanks. */
static inline bool sw_scan_token(struct sw_scan *scan, uint8_t byte)
{
    sw_scan_blanks(scan);
    return sw_scan_byte(scan, byte);
}
static inline bool sw_scan_word(struct sw_scan *scan, const char *word)
{
    size_t len = strlen(word);
    if ((size_t)(scan->end - scan->at) < len || memcmp(scan->at, word, len) != 0)
        return false;
    scan->at += len;
    return true;
}

/* Decimal digits, at least one; false, and the cursor stays, without a digit or above 2^64-1. */
static inline bool sw_scan_u64(struct sw_scan *scan, uint64_t *out)
{
    const uint8_t *at = scan->at;
    uint64_t value = 0;
    for (; at < scan->end && sw_is_digit(*at); at++)
        if (__builtin_mul_overflow(value, 10u, &value) || __builtin_add_overflow(value, (uint64_t)(*at - '0'), &value))
            return false;
    if (at == scan->at)
        return false;
    scan->at = at;
    *out = value;
    return true;
}

/* 1 to `most` (at most 16) hex digits; false, and the cursor stays, if there are none or more. */
static inline bool sw_scan_hex(struct sw_scan *scan, unsigned most, uint64_t *out)
{
    const uint8_t *at = scan->at;
    uint64_t value = 0;
    for (; at < scan->end && sw_hex_value(*at) >= 0; at++) {
        if ((size_t)(at - scan->at) == most)
            return false;
        value = value << 4 | (uint64_t)sw_hex_value(*at);
    }
    if (at == scan->at)
        return false;
    scan->at = at;
    *out = value;
    return true;
}

/* The whole of a text as one decimal number. */
static inline bool sw_scan_whole_u64(struct sw_bytes text, uint64_t *out)
{
    struct sw_scan scan = sw_scan_of(text);
    return sw_scan_u64(&scan, out) && sw_scan_done(&scan);
}

/* 8-4-4-4-12 hex digits; false, and the cursor stays, otherwise. */
static inline bool sw_scan_uuid(struct sw_scan *scan, uint8_t out[16])
{
    const uint8_t *at = scan->at;
    if (scan->end - at < 36)
        return false;
    for (size_t i = 0, n = 0; i < 36;) {
        if (i == 8 || i == 13 || i == 18 || i == 23) {
            if (at[i++] != '-')
                return false;
            continue;
        }
        int high = sw_hex_value(at[i]), low = sw_hex_value(at[i + 1]);
        if (high < 0 || low < 0)
            return false;
        out[n++] = (uint8_t)(high << 4 | low);
        i += 2;
    }
    scan->at = at + 36;
    return true;
}

/* Writes 36 characters and no terminator. */
static inline void sw_uuid_print(char out[36], const uint8_t uuid[16])
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0, n = 0; n < 16; n++) {
        if (i == 8 || i == 13 || i == 18 || i == 23)
            out[i++] = '-';
        out[i++] = digits[uuid[n] >> 4];
        out[i++] = digits[uuid[n] & 15];
    }
}

#endif
