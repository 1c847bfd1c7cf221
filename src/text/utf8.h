/* UTF-8 by RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF. */
#ifndef SW_TEXT_UTF8_H
#define SW_TEXT_UTF8_H

#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

/* The number of leading bytes that are valid UTF-8: `len` if all are. */
size_t sw_utf8_valid(const uint8_t *at, size_t len);

#define SW_UTF8_STRAY UINT32_MAX
/* The character at `at` < text.len, and its length in bytes; SW_UTF8_STRAY and 1 for bytes that are not UTF-8. */
uint32_t sw_utf8_decode(size_t *len, struct sw_bytes text, size_t at);

#endif
