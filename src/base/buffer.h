/* Byte views, and a buffer that grows. Text that comes from outside is always a view with a length: NUL is data. */
#ifndef SW_BASE_BUFFER_H
#define SW_BASE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "slackwater/export.h"

/* A borrowed run of bytes. `at` may be NULL only if `len` is 0. */
struct sw_bytes {
    const uint8_t *at;
    size_t len;
};

#define SW_BYTES_LITERAL(text) ((struct sw_bytes){(const uint8_t *)(text), sizeof(text) - 1})

static inline struct sw_bytes sw_bytes_of(const void *at, size_t len) { return (struct sw_bytes){at, len}; }
static inline struct sw_bytes sw_bytes_text(const char *text) { return (struct sw_bytes){(const uint8_t *)text, strlen(text)}; }
static inline bool sw_bytes_equal(struct sw_bytes a, struct sw_bytes b) { return a.len == b.len && (a.len == 0 || memcmp(a.at, b.at, a.len) == 0); }
static inline bool sw_bytes_is(struct sw_bytes a, const char *text) { return sw_bytes_equal(a, sw_bytes_text(text)); }
static inline bool sw_bytes_begin(struct sw_bytes a, struct sw_bytes with) { return a.len >= with.len && (with.len == 0 || memcmp(a.at, with.at, with.len) == 0); }
static inline bool sw_bytes_begin_text(struct sw_bytes a, const char *with) { return sw_bytes_begin(a, sw_bytes_text(with)); }
static inline bool sw_bytes_end_text(struct sw_bytes a, const char *with)
{
    size_t len = strlen(with);
    return a.len >= len && (len == 0 || memcmp(a.at + (a.len - len), with, len) == 0);
}
/* What stands behind the last `byte`; all of it if there is none. */
static inline struct sw_bytes sw_bytes_behind_last(struct sw_bytes a, uint8_t byte)
{
    for (size_t i = a.len; i > 0; i--)
        if (a.at[i - 1] == byte)
            return sw_bytes_of(a.at + i, a.len - i);
    return a;
}
/* Orders like memcmp over the common part, then by length. */
static inline int sw_bytes_compare(struct sw_bytes a, struct sw_bytes b)
{
    size_t common = a.len < b.len ? a.len : b.len;
    int order = common ? memcmp(a.at, b.at, common) : 0;
    return order ? order : (a.len > b.len) - (a.len < b.len);
}

/* memcpy for what is mostly a handful of bytes: up to 64 without a call. */
static inline void sw_bytes_copy(uint8_t *to, struct sw_bytes from)
{
    uint64_t head[4], tail[4];
    if (from.len > 64) {
        memcpy(to, from.at, from.len);
    } else if (from.len >= 32) { /* the two halves may overlap */
        memcpy(head, from.at, 32);
        memcpy(tail, from.at + from.len - 32, 32);
        memcpy(to, head, 32);
        memcpy(to + from.len - 32, tail, 32);
    } else if (from.len >= 16) {
        memcpy(head, from.at, 16);
        memcpy(tail, from.at + from.len - 16, 16);
        memcpy(to, head, 16);
        memcpy(to + from.len - 16, tail, 16);
    } else if (from.len >= 8) {
        memcpy(head, from.at, 8);
        memcpy(tail, from.at + from.len - 8, 8);
        memcpy(to, head, 8);
        memcpy(to + from.len - 8, tail, 8);
    } else if (from.len >= 4) {
        uint32_t first, last;
        memcpy(&first, from.at, 4);
        memcpy(&last, from.at + from.len - 4, 4);
        memcpy(to, &first, 4);
        memcpy(to + from.len - 4, &last, 4);
    } else if (from.len) {
        to[0] = from.at[0];
        to[from.len / 2] = from.at[from.len / 2];
        to[from.len - 1] = from.at[from.len - 1];
    }
}

/* A growing buffer. Zero-initialise; sw_buffer_free releases. Growth that fails sets `failed`, drops the
 * write and leaves the contents as they were, so that a writer may check once at its end. One thread at a time. */
struct sw_buffer {
    uint8_t *at;
    size_t len, capacity;
    bool failed;
};

/* Makes room for `more` further bytes. False (and `failed` set) if memory ran out. */
bool sw_buffer_grow(struct sw_buffer *buffer, size_t more);
void sw_buffer_free(struct sw_buffer *buffer);

static inline bool sw_buffer_reserve(struct sw_buffer *buffer, size_t more)
{
    return buffer->capacity - buffer->len >= more || sw_buffer_grow(buffer, more);
}
static inline void sw_buffer_clear(struct sw_buffer *buffer) { buffer->len = 0; }
static inline struct sw_bytes sw_buffer_view(const struct sw_buffer *buffer) { return (struct sw_bytes){buffer->at, buffer->len}; }
static inline void sw_buffer_add(struct sw_buffer *buffer, const void *at, size_t len)
{
    if (len && sw_buffer_reserve(buffer, len)) {
        memcpy(buffer->at + buffer->len, at, len);
        buffer->len += len;
    }
}
static inline void sw_buffer_add_byte(struct sw_buffer *buffer, uint8_t byte)
{
    if (sw_buffer_reserve(buffer, 1))
        buffer->at[buffer->len++] = byte;
}
static inline void sw_buffer_add_bytes(struct sw_buffer *buffer, struct sw_bytes bytes) { sw_buffer_add(buffer, bytes.at, bytes.len); }
static inline void sw_buffer_add_text(struct sw_buffer *buffer, const char *text) { sw_buffer_add(buffer, text, strlen(text)); }
/* printf into the buffer; numbers and short texts only, since the result is formatted in one go. */
void sw_buffer_printf(struct sw_buffer *buffer, const char *format, ...) SW_PRINTF(2, 3);
/* A number in digits, decimal without leading zeros or, of base 16, with capital letters. */
void sw_buffer_add_decimal(struct sw_buffer *buffer, uint64_t number);
void sw_buffer_add_hex(struct sw_buffer *buffer, uint64_t number);
/* Appends a NUL that is not counted, and returns the text; NULL if any growth failed: a write that was dropped would make it another text. */
char *sw_buffer_text(struct sw_buffer *buffer);

#endif
