/* UTF-8 by RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF. */
#ifndef SW_TEXT_UTF8_H
#define SW_TEXT_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* The number of leading bytes that are valid UTF-8: `len` if all are. */
size_t sw_utf8_valid(const uint8_t *at, size_t len);

#endif
