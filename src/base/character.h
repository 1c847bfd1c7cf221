/* ASCII, one byte at a time, whatever locale is set. Blanks are those of JSON. */
#ifndef SW_BASE_CHARACTER_H
#define SW_BASE_CHARACTER_H

#include "base/buffer.h"

static inline bool sw_is_blank(uint8_t byte) { return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r'; }
static inline bool sw_is_digit(uint8_t byte) { return byte >= '0' && byte <= '9'; }
static inline int sw_hex_value(uint8_t byte)
{
    if (byte >= '0' && byte <= '9')
        return byte - '0';
    byte |= 0x20;
    return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
}
/* The byte that %XX at `at` stands for, from 0 to 255; -1 if the `len` bytes there do not begin with one. */
static inline int sw_percent_value(const uint8_t *at, size_t len)
{
    int high = len > 2 && *at == '%' ? sw_hex_value(at[1]) : -1, low = high >= 0 ? sw_hex_value(at[2]) : -1;
    return low < 0 ? -1 : high << 4 | low;
}
static inline uint8_t sw_lower(uint8_t byte) { return byte >= 'A' && byte <= 'Z' ? (uint8_t)(byte + 32) : byte; }

/* Without the blanks at both ends. */
static inline struct sw_bytes sw_trim(struct sw_bytes text)
{
    while (text.len && sw_is_blank(text.at[0]))
        text.at++, text.len--;
    while (text.len && sw_is_blank(text.at[text.len - 1]))
        text.len--;
    return text;
}

#endif
