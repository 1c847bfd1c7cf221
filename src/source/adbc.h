/* Rows of Arrow batches: what the parts of the ADBC source share. */
#ifndef SW_SOURCE_ADBC_H
#define SW_SOURCE_ADBC_H

#include "client/arrow.h"
#include "model/type.h"
#include "source/connector.h"

/* How the values of a column, or of a field in a nested one, are stored. */
enum sw_arrow_kind {
    SW_ARROW_NULL, SW_ARROW_BOOLEAN, SW_ARROW_BOOL8, SW_ARROW_SIGNED, SW_ARROW_UNSIGNED, SW_ARROW_HALF, SW_ARROW_FLOAT, SW_ARROW_DOUBLE, SW_ARROW_DECIMAL,
    SW_ARROW_TEXT, SW_ARROW_BYTES,          /* `width` 4 or 8: size of the offsets; 0: views; of BYTES with `fixed`: so many bytes each */
    SW_ARROW_INTERVAL,                      /* of `width` bytes: 4 months; 8 days and milliseconds; 16 months, days and nanoseconds */
    SW_ARROW_BITS, SW_ARROW_TIME_TZ,        /* as DuckDB stores its BIT, `width` as of TEXT, and its TIME WITH TIME ZONE */
    SW_ARROW_DATE, SW_ARROW_TIME, SW_ARROW_TIMESTAMP, SW_ARROW_TIMESTAMPTZ, /* whole numbers of `width` bytes, `unit` of them a second (of a day for DATE: 1) */
    SW_ARROW_LIST, SW_ARROW_LIST_VIEW, SW_ARROW_FIXED_LIST, SW_ARROW_STRUCT, SW_ARROW_MAP, SW_ARROW_UNION
};

struct sw_arrow_field {
    enum sw_arrow_kind kind;
    uint8_t width;             /* bytes of a number or an offset */
    bool fixed, dense, json, uuid, unsigned_wide; /* unsigned_wide: a DECIMAL without a sign */
    bool whole;                /* a DECIMAL that is an integer */
    int32_t scale;             /* of DECIMAL */
    int64_t unit;              /* of times: units a second; of DATE: units a day. Of fixed bytes and lists: their size */
    const char *name;          /* of the schema */
    int8_t *members;           /* UNION: the type id of each child */
    struct sw_arrow_field *children;
    uint32_t child_count;
    struct sw_arrow_field *values; /* dictionary-encoded: what the numbers stand for */
};

/* Reads a field's description. SW_ERR_USAGE: a type that has no counterpart here (the text says what to do); SW_ERR_REMOTE: a description that contradicts itself. SW_ERR_MEMORY. */
enum sw_code sw_arrow_field_read(struct sw_arrow_field *out, const struct ArrowSchema *schema, unsigned depth, struct sw_error *error);
void sw_arrow_field_free(struct sw_arrow_field *field);
/* The type under which its values are compared; false: none (a column of nulls). */
bool sw_arrow_field_type(struct sw_type *out, const struct sw_arrow_field *field);

/* Does an array have what its field says: buffers, children, lengths? What is inside the buffers cannot be checked: a driver runs in this process anyway. SW_ERR_REMOTE. */
enum sw_code sw_arrow_array_check(const struct ArrowArray *array, const struct sw_arrow_field *field, int64_t length, struct sw_error *error);

/* About how many bytes the buffers of a checked array take: what a view points to, and unused ends, are not known. */
uint64_t sw_arrow_array_bytes(const struct ArrowArray *array, const struct sw_arrow_field *field);

/* The value at `row` as a token. What has no bytes in the array stands in *slot (a number), or is appended to `text`: then the token has no place yet, *in_text is
 * set and *slot is where it begins (the buffer may still move). False: memory ran out. */
bool sw_arrow_value(struct sw_token *out, struct sw_row_slot *slot, bool *in_text, struct sw_buffer *text, const struct ArrowArray *array, const struct sw_arrow_field *field, int64_t row);

#endif
