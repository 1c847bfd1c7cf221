/* One value as a scanner found it: a kind and a borrowed run of bytes. Nothing is decoded yet. */
#ifndef SW_TEXT_TOKEN_H
#define SW_TEXT_TOKEN_H

#include <stdbool.h>
#include <stdint.h>

enum sw_token_kind {
    SW_TOKEN_ABSENT, /* the record has no such member */
    SW_TOKEN_NULL,
    SW_TOKEN_FALSE,
    SW_TOKEN_TRUE,
    SW_TOKEN_NUMBER, /* a number by JSON's grammar, as written */
    SW_TOKEN_TEXT,   /* the inside of a JSON string (escapes still in it if `escaped`), or a CSV field with its quotes resolved */
    SW_TOKEN_ARRAY,  /* raw JSON with its brackets; syntax, depth and duplicate names already checked */
    SW_TOKEN_OBJECT, /* the same */
    /* Native values: what a database or a column format hands out, without a detour through text. Numbers stand in host order and need not be aligned. */
    SW_TOKEN_INT64,       /* 8 bytes */
    SW_TOKEN_UINT64,      /* 8 bytes */
    SW_TOKEN_DECIMAL,     /* 16 bytes: an int64 of at most 18 digits, and an int64: how many of them stand behind the point, 0 to 18; the number keeps its trailing zeros */
    SW_TOKEN_FLOAT32,     /* 4 bytes, IEEE 754 */
    SW_TOKEN_FLOAT64,     /* 8 bytes, IEEE 754 */
    SW_TOKEN_BYTES,       /* the bytes themselves */
    SW_TOKEN_DATE,        /* int64: days since 1970-01-01; INT64_MIN and INT64_MAX are the infinities */
    SW_TOKEN_TIME,        /* int64: microseconds since midnight, or of a span of hours as MySQL has it, which may be below 0 */
    SW_TOKEN_TIMESTAMP,   /* int64: microseconds since 1970-01-01 00:00:00, without a zone; infinities as of DATE */
    SW_TOKEN_TIMESTAMPTZ, /* the same, of UTC */
    SW_TOKEN_UUID         /* 16 bytes */
};

#define SW_TOKEN_NATIVE SW_TOKEN_INT64 /* the first of them */

/* `at` points into the block that was read and lives as long as the block. UTF-8 is already checked. */
struct sw_token {
    const uint8_t *at;
    uint32_t len;
    uint8_t kind; /* enum sw_token_kind */
    bool escaped; /* TEXT only: JSON escapes still stand in it */
};

#endif
