/* Reading bytes that a server sent: never past their end. A read that would is 0 and sets `cut`, which the caller looks at once, before it uses anything. */
#ifndef SW_SOURCE_MARIADB_BYTES_H
#define SW_SOURCE_MARIADB_BYTES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"

struct sw_binlog_bytes {
    const uint8_t *at, *end;
    bool cut;
};

static inline struct sw_binlog_bytes sw_binlog_bytes(struct sw_bytes bytes) { return (struct sw_binlog_bytes){bytes.at, bytes.at ? bytes.at + bytes.len : NULL, false}; }
static inline size_t sw_binlog_left(const struct sw_binlog_bytes *from) { return (size_t)(from->end - from->at); }

static inline struct sw_bytes sw_binlog_take_bytes(struct sw_binlog_bytes *from, uint64_t len)
{
    if (sw_binlog_left(from) < len) {
        from->cut = true;
        from->at = from->end;
        return (struct sw_bytes){0};
    }
    struct sw_bytes taken = {from->at, (size_t)len};
    from->at += (size_t)len;
    return taken;
}

/* A number of up to 8 bytes, the lowest first. */
static inline uint64_t sw_binlog_take_number(struct sw_binlog_bytes *from, unsigned bytes)
{
    struct sw_bytes taken = sw_binlog_take_bytes(from, bytes);
    uint64_t value = 0;
    for (size_t i = taken.len; i-- > 0;)
        value = value << 8 | taken.at[i];
    return value;
}

/* The same, the highest first. */
static inline uint64_t sw_binlog_number_high_first(struct sw_bytes bytes)
{
    uint64_t value = 0;
    for (size_t i = 0; i < bytes.len && i < 8; i++)
        value = value << 8 | bytes.at[i];
    return value;
}

/* A number as the protocol packs it: below 251 one byte, else 252, 253 or 254 and 2, 3 or 8 bytes. */
static inline uint64_t sw_binlog_take_packed(struct sw_binlog_bytes *from)
{
    uint64_t first = sw_binlog_take_number(from, 1);
    if (first < 251)
        return first;
    if (first == 252)
        return sw_binlog_take_number(from, 2);
    if (first == 253)
        return sw_binlog_take_number(from, 3);
    if (first == 254)
        return sw_binlog_take_number(from, 8);
    from->cut = true;
    return 0;
}

#endif
