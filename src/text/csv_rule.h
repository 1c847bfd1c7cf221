/* Where a CSV record ends, byte by byte: the rule that the cutting of blocks and the reading of records must share, also
 * in records that break RFC 4180, or a bad record would end elsewhere with another block size.
 *
 * A quote opens a quoted field only as the first byte of a field. Inside, two quotes are one and a single one closes it;
 * quotes anywhere else are text. A record ends at a newline outside quoted fields. */
#ifndef SW_TEXT_CSV_RULE_H
#define SW_TEXT_CSV_RULE_H

#include <stdbool.h>
#include <stdint.h>

/* Where a byte stands. A record begins at SW_CSV_FIELD_BEGIN. */
enum sw_csv_place {
    SW_CSV_FIELD_BEGIN,  /* the next byte is the first of a field */
    SW_CSV_FIELD_PLAIN,
    SW_CSV_FIELD_QUOTED, /* inside quotes */
    SW_CSV_FIELD_QUOTE   /* after a quote inside quotes: the end of them, or the first half of a doubled one */
};

/* Moves `*place` on over one byte. True if the record ends with it. */
static inline bool sw_csv_step(enum sw_csv_place *place, uint8_t byte, uint8_t quote, uint8_t delimiter)
{
    if (*place == SW_CSV_FIELD_QUOTED) {
        if (byte == quote)
            *place = SW_CSV_FIELD_QUOTE;
        return false;
    }
    if (byte == quote && *place != SW_CSV_FIELD_PLAIN) {
        *place = SW_CSV_FIELD_QUOTED;
        return false;
    }
    *place = byte == '\n' || byte == delimiter ? SW_CSV_FIELD_BEGIN : SW_CSV_FIELD_PLAIN;
    return byte == '\n';
}

#endif
