/* The text of a JSON string: escapes resolved. */
#ifndef SW_TEXT_JSON_UNESCAPE_H
#define SW_TEXT_JSON_UNESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

/* Writes the text of `inside` (a JSON string without its quotes) to `out`, where inside.len bytes are free, and its length to
 * `len`. A surrogate without its partner becomes its three-byte form (ED A0 80 to ED BF BF), so that different texts stay
 * different and sw_json_write_text writes it back. Bytes that are no escape are copied. False, with `len` the offset of the
 * fault in `inside`, on an escape that JSON does not know or that is cut. No allocation. */
bool sw_json_unescape(uint8_t *out, size_t *len, struct sw_bytes inside);

#endif
