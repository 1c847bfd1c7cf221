/* Types of columns: how a value as written becomes canonical bytes, and back.
 *
 * A value is made canonical once, at the edge, under the declared type of its column; from then on two
 * values of one column are equal if and only if their canonical bytes are equal (design, section 6), and
 * memcmp over canonical bytes orders them as the type does: numbers by size, times by time, text by bytes.
 * Nothing here looks at other values, and no number passes through a double unless its type is a float.
 *
 *     struct sw_type type;
 *     sw_type_parse(&type, sw_bytes_text("decimal"), &error);
 *     status = sw_value_encode(&out, &type, token, &scratch);
 */
#ifndef SW_MODEL_TYPE_H
#define SW_MODEL_TYPE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "text/token.h"

enum sw_type_kind {
    SW_TYPE_ANY,         /* what the JSON says: numbers as exact decimals, text, booleans, arrays, objects; a CSV field is text */
    SW_TYPE_TEXT,        /* exact bytes, NUL allowed */
    SW_TYPE_INTEGER,     /* any size */
    SW_TYPE_INT8, SW_TYPE_INT16, SW_TYPE_INT32, SW_TYPE_INT64,
    SW_TYPE_UINT8, SW_TYPE_UINT16, SW_TYPE_UINT32, SW_TYPE_UINT64,
    SW_TYPE_DECIMAL,     /* exact, any scale: 1.10 = 1.1 = 11e-1; NaN and infinities as text */
    SW_TYPE_FLOAT32, SW_TYPE_FLOAT64, /* nearest double or float; -0 = 0, NaN = NaN */
    SW_TYPE_BOOLEAN,
    SW_TYPE_BYTES,       /* how text carries them: `encoding` */
    SW_TYPE_DATE, SW_TYPE_TIME, SW_TYPE_TIMESTAMP, SW_TYPE_TIMESTAMPTZ,
    SW_TYPE_UUID,
    SW_TYPE_JSON,        /* as any; text is parsed as JSON first; member order and spaces are no data */
    SW_TYPE_ARRAY        /* a JSON array; elements as any */
};

enum sw_bytes_encoding { SW_BYTES_HEX, SW_BYTES_BASE64, SW_BYTES_BASE64URL };

/* A declared type. Plain data, copied freely. Written `KIND`, `KIND(PRECISION)`, then optional declared
 * policies, each of which the report names: `timestamptz(3)`, `timestamptz zone=+08:00`, `uint32 wrap`,
 * `text trim fold nfc`, `bytes base64`, `date zero=null`. */
struct sw_type {
    enum sw_type_kind kind;
    int8_t precision;        /* digits of a second that count (0 to 9); -1 = all that are written. A cut, never a rounding */
    bool wrap;               /* unsigned: -1 is read as two's complement */
    bool has_zone;           /* timestamps without a zone are taken in `zone_minutes` */
    int16_t zone_minutes;    /* east of UTC */
    bool trim, fold, nfc;    /* text only: trailing blanks cut; case folded; normalised to NFC */
    bool zero_null;          /* date, timestamp: 0000-00-00 is NULL */
    enum sw_bytes_encoding encoding;
};

enum sw_value_status {
    SW_VALUE_OK,
    SW_VALUE_NULL,           /* a null, by JSON or by a declared rule: nothing was appended */
    SW_VALUE_INVALID,        /* not a value of the type: nothing was appended, `problem` says why */
    SW_VALUE_NO_MEMORY
};

/* Room that encoding needs: reused from value to value, owned by the caller, zero-initialised. One per thread. */
struct sw_value_scratch {
    struct sw_buffer text;     /* unescaped text and the like */
    char problem[256];         /* after SW_VALUE_INVALID: what was expected and found, escaped and cut */
};

/* Reads a type as it is written above. SW_ERR_USAGE with the known names on anything else. */
enum sw_code sw_type_parse(struct sw_type *out, struct sw_bytes text, struct sw_error *error);
/* Appends the canonical spelling: sw_type_parse of it gives an equal type. */
void sw_type_print(struct sw_buffer *out, const struct sw_type *type);
bool sw_type_equal(const struct sw_type *a, const struct sw_type *b);
/* The name of a kind alone, "timestamptz". Static. */
const char *sw_type_kind_name(enum sw_type_kind kind);

/* Appends the canonical bytes of `token` to `out`. On any status but SW_VALUE_OK `out->len` is unchanged. */
enum sw_value_status sw_value_encode(struct sw_buffer *out, const struct sw_type *type, struct sw_token token, struct sw_value_scratch *scratch);

/* Appends the value as JSON text. What is printed reads back (sw_value_encode of it) to equal bytes. Control characters, bidirectional
 * marks and lone surrogates are escaped. `canonical` must come from sw_value_encode under the same type. */
void sw_value_write_json(struct sw_buffer *out, const struct sw_type *type, struct sw_bytes canonical);

/* A timestamptz that was written without a zone, under a type that declares none, cannot be compared with one that has a zone. */
bool sw_value_comparable(const struct sw_type *type, struct sw_bytes a, struct sw_bytes b);

/* Key columns: appends a self-delimiting form of the canonical value (or of NULL, if `is_null`), so that memcmp over the
 * concatenation of all key columns orders keys column by column, NULL first. sw_key_column_read undoes it: it takes one column
 * from the front of `key` (advancing it) and appends the canonical value to `out`; SW_VALUE_NULL for NULL, SW_VALUE_INVALID if cut. */
void sw_key_column_add(struct sw_buffer *key, const struct sw_type *type, bool is_null, struct sw_bytes canonical);
enum sw_value_status sw_key_column_read(struct sw_buffer *out, const struct sw_type *type, struct sw_bytes *key);

#endif
