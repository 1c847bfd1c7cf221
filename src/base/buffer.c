#include "base/buffer.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/memory.h"
#include "base/word.h"

bool sw_buffer_grow(struct sw_buffer *buffer, size_t more)
{
    size_t wanted;
    if (__builtin_add_overflow(buffer->len, more, &wanted) || wanted > SIZE_MAX / 2) {
        buffer->failed = true;
        return false;
    }
    size_t capacity = buffer->capacity ? buffer->capacity : 64;
    while (capacity < wanted)
        capacity *= 2;
    uint8_t *at = sw_realloc(buffer->at, capacity);
    if (!at) {
        buffer->failed = true;
        return false;
    }
    buffer->at = at;
    buffer->capacity = capacity;
    return true;
}

void sw_buffer_free(struct sw_buffer *buffer)
{
    sw_free(buffer->at);
    *buffer = (struct sw_buffer){0};
}

void sw_buffer_printf(struct sw_buffer *buffer, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (len > 0 && sw_buffer_reserve(buffer, (size_t)len + 1)) {
        vsnprintf((char *)buffer->at + buffer->len, (size_t)len + 1, format, again);
        buffer->len += (size_t)len;
    }
    va_end(again);
}

void sw_buffer_add_decimal(struct sw_buffer *buffer, uint64_t number)
{
    char digits[20];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + number % 10);
    while (number /= 10);
    sw_buffer_add(buffer, digits + at, sizeof digits - at);
}

/* At least so many digits of 32 bits, all at once. There is room for eight. */
static void add_hex_half(struct sw_buffer *buffer, uint32_t number, unsigned least)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    unsigned count = number ? 8 - (unsigned)__builtin_clz(number) / 4 : 0;
    count = count < least ? least : count;
    uint64_t digits = ((uint64_t)number << 16 | number) & UINT64_C(0x0000ffff0000ffff);
    digits = (digits << 8 | digits) & UINT64_C(0x00ff00ff00ff00ff);
    digits = (digits << 4 | digits) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    uint64_t letters = (digits + 6 * ones) >> 4 & ones;
    digits += '0' * ones + letters * ('A' - '0' - 10);
    sw_word_store(buffer->at + buffer->len, sw_word_big_endian(digits << (64 - 8 * count)));
    buffer->len += count;
}

void sw_buffer_add_hex(struct sw_buffer *buffer, uint64_t number)
{
    if (!sw_buffer_reserve(buffer, 2 * sizeof number))
        return;
    if (number >> 32)
        add_hex_half(buffer, (uint32_t)(number >> 32), 1);
    add_hex_half(buffer, (uint32_t)number, number >> 32 ? 8 : 1);
}

char *sw_buffer_text(struct sw_buffer *buffer)
{
    if (!sw_buffer_reserve(buffer, 1) || buffer->failed) /* what was dropped before makes it another text */
        return NULL;
    buffer->at[buffer->len] = '\0';
    return (char *)buffer->at;
}
