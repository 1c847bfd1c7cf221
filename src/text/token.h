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
    SW_TOKEN_OBJECT  /* the same */
};

/* `at` points into the block that was read and lives as long as the block. UTF-8 is already checked. */
struct sw_token {
    const uint8_t *at;
    uint32_t len;
    uint8_t kind; /* enum sw_token_kind */
    bool escaped; /* TEXT only: JSON escapes still stand in it */
};

#endif
