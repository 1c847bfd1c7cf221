/* PostgreSQL's log sequence number: an unsigned 64-bit byte offset in the WAL stream. No allocation, any thread. */
#ifndef SW_POSITION_LSN_H
#define SW_POSITION_LSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

/* "HIGH/LOW": 1 to 8 hex digits each, either case, no blanks and no sign (PostgreSQL's pg_lsn type; from release 19 on
 * the low half is padded to 8 digits, which reads the same). False, and *out untouched, for anything else. */
bool sw_lsn_parse(uint64_t *out, const uint8_t *at, size_t len);

/* The unpadded form, "0/16E9A28". */
void sw_lsn_print(struct sw_buffer *out, uint64_t lsn);

#endif
