/* SQL Server's log sequence number: ten bytes, VLF sequence (4), block offset (4), slot (2). No allocation, any thread. */
#ifndef SW_POSITION_SQLSERVER_LSN_H
#define SW_POSITION_SQLSERVER_LSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

/* "0000002a:00000758:0003" (1 to 8, 8 and 4 hex digits), "0x" and 20 hex digits, or 20 hex digits. Compare with memcmp.
 * False, and `out` untouched, for anything else. */
bool sw_sqlserver_lsn_parse(uint8_t out[10], const uint8_t *at, size_t len);

/* The numeric(25,0) form of msdb and of some tools: VLF sequence, ten digits of block, five of slot (this reading is
 * unconfirmed). 16 to 25 digits, but not 20, which are read as hexadecimal. */
bool sw_sqlserver_lsn_parse_decimal(uint8_t out[10], const uint8_t *at, size_t len);

/* The next LSN, as sys.fn_cdc_increment_lsn gives it: +1 on the 80-bit number. False if there is none. */
bool sw_sqlserver_lsn_increment(uint8_t lsn[10]);

/* "0000002a:00000758:0003" */
void sw_sqlserver_lsn_print(struct sw_buffer *out, const uint8_t lsn[10]);

struct sw_position;
/* The commit LSN of a sqlserver position, and whether it names a change inside that transaction. */
const uint8_t *sw_sqlserver_lsn_of(const struct sw_position *position);
bool sw_sqlserver_has_change(const struct sw_position *position);

#endif
