/* What befalls values on their way and can be seen from the two that are left: for a remark, never for a result. */
#ifndef SW_RECONCILE_ALTERATION_H
#define SW_RECONCILE_ALTERATION_H

#include "base/buffer.h"

enum sw_alteration {
    SW_ALTERATION_DOUBLE,        /* an integer beyond 2^53 went through a floating-point number */
    SW_ALTERATION_EMPTY_NULL,    /* empty text on one side, NULL on the other */
    SW_ALTERATION_LINE_ENDS,     /* CR LF on one side, LF on the other */
    SW_ALTERATION_ENCODED_TWICE, /* UTF-8 was read as Latin-1 or Windows-1252 and encoded once more */
    SW_ALTERATION_UUID_BYTES,    /* the bytes of a UUID in another order: SQL Server's, or MySQL's UUID_TO_BIN(x, 1) */
    SW_ALTERATION_CUT_TEXT,      /* the destination has the beginning of the evidence's text */
    SW_ALTERATION_PLACEHOLDER,   /* the destination has Debezium's placeholder of a value that did not change */
    SW_ALTERATION_UNSCALED,      /* the evidence has a decimal as Debezium's base64 of its digits, without the scale (debezium_likeness.h) */
    SW_ALTERATION_VARIABLE_DECIMAL, /* the evidence has it as {"scale":…,"value":…} */
    SW_ALTERATION_GEOMETRY,      /* the evidence has {"wkb":…}, the destination the same bytes */
    SW_ALTERATION_COUNT
};

/* Two texts that differ, as JSON writes them, without the quotes: bits of those alterations (of line ends, encodings, UUIDs and cut texts) that make the reference's of the evidence's, or for line ends and
 * encodings the other way round as well. Pure, no allocation. */
uint32_t sw_alteration_find(struct sw_bytes evidence, struct sw_bytes reference);

/* Two numbers as JSON writes them that are one as a float64: is the evidence's an integer of more digits than a double has? */
bool sw_alteration_is_double(struct sw_bytes evidence);

/* Is Debezium's placeholder (its default text, or the base64 or hexadecimal digits of it) in a value as JSON writes it? Source: Debezium's documentation of the PostgreSQL
 * connector, "unavailable.value.placeholder". */
bool sw_alteration_is_placeholder(struct sw_bytes reference);

/* What a remark says behind "all N differences: ". */
const char *sw_alteration_text(enum sw_alteration alteration);

#endif
