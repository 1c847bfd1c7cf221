/* Where a CSV record ends, byte by byte: the rule that the cutting of blocks and the reading of records must share, also
 * in records that break RFC 4180, or a bad record would end elsewhere with another block size.
 *
 * A quote opens a quoted field only as the first byte of a field. Inside, two quotes are one and a single one closes it;
 * quotes anywhere else are text. A record ends at a newline outside quoted fields.
 *
 * Where an escape is declared there are no quotes at all: the byte behind an escape is data, a newline too. */
#ifndef SW_TEXT_CSV_RULE_H
#define SW_TEXT_CSV_RULE_H

#include <stdbool.h>
#include <stdint.h>

/* Where a byte stands. A record begins at SW_CSV_FIELD_BEGIN. */
enum sw_csv_place {
    SW_CSV_FIELD_BEGIN,  /* the next byte is the first of a field */
    SW_CSV_FIELD_PLAIN,
    SW_CSV_FIELD_QUOTED, /* inside quotes */
    SW_CSV_FIELD_QUOTE,  /* after a quote inside quotes: the end of them, or the first half of a doubled one */
    SW_CSV_FIELD_ESCAPED /* after an escape */
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

/* The same where an escape is declared. */
static inline bool sw_csv_step_escaped(enum sw_csv_place *place, uint8_t byte, uint8_t escape, uint8_t delimiter)
{
    bool data = *place == SW_CSV_FIELD_ESCAPED;
    if (!data && byte == escape) {
        *place = SW_CSV_FIELD_ESCAPED;
        return false;
    }
    data |= byte != '\n' && byte != delimiter;
    *place = data ? SW_CSV_FIELD_PLAIN : SW_CSV_FIELD_BEGIN;
    return !data && byte == '\n';
}

#endif
