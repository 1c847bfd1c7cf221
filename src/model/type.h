/* Types of columns: how a value as written becomes canonical bytes, and back.
 *
 * A value is made canonical once, at the edge, under the declared type of its column; from then on two
 * values of one column are equal if and only if their canonical bytes are equal (design, section 6), and
 * memcmp over canonical bytes orders them as the type does: numbers by size, times by time, text by bytes.
 * Nothing here looks at other values, and no number passes through a double unless its type is a float.
 *
 * What each type accepts, its canonical bytes and its policies: docs/types.md.
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
    SW_TYPE_INTEGER,     /* any size; 1.0 and 1e3 are integers, 1.5 is not */
    SW_TYPE_INT8, SW_TYPE_INT16, SW_TYPE_INT32, SW_TYPE_INT64,
    SW_TYPE_UINT8, SW_TYPE_UINT16, SW_TYPE_UINT32, SW_TYPE_UINT64,
    SW_TYPE_DECIMAL,     /* exact, any scale: 1.10 = 1.1 = 11e-1; NaN and infinities as text */
    SW_TYPE_FLOAT32, SW_TYPE_FLOAT64, /* nearest double or float; -0 = 0, NaN = NaN */
    SW_TYPE_BOOLEAN,
    SW_TYPE_BYTES,       /* how text carries them: `encoding` */
    SW_TYPE_DATE, SW_TYPE_TIME, SW_TYPE_TIMESTAMP, SW_TYPE_TIMESTAMPTZ,
    SW_TYPE_UUID,
    SW_TYPE_INTERVAL,    /* months, days and a time, each for itself: a month is not 30 days */
    SW_TYPE_JSON,        /* as any; text is JSON text and is parsed first (a JSON string is "\"x\""), but see `json_text`; member order and spaces are no data */
    SW_TYPE_ARRAY        /* a JSON array, or its JSON text; elements as any. `array of KIND`: elements of that type, and PostgreSQL's text of an array is known, too */
};

#define SW_TYPE_KIND_COUNT (SW_TYPE_ARRAY + 1)

enum sw_bytes_encoding { SW_BYTES_HEX, SW_BYTES_BASE64, SW_BYTES_BASE64URL, SW_BYTES_ESCAPE };

/* What a bare number means under a type of date or time: how many since 1970-01-01 (since midnight, for `time`). */
enum sw_time_unit { SW_UNIT_NONE, SW_UNIT_SECONDS, SW_UNIT_MILLISECONDS, SW_UNIT_MICROSECONDS, SW_UNIT_NANOSECONDS, SW_UNIT_DAYS };

/* What a text in a JSON record is under `json`, where the record's format does not say it: a record may hold JSON as text, or as it is, and then "1" is a string. */
enum sw_json_text { SW_JSON_TEXT_UNTOLD, SW_JSON_TEXT_PARSED, SW_JSON_TEXT_BARE };

/* A declared type. Plain data, copied freely. Written `KIND`, `KIND(PRECISION)`, then optional declared
 * policies, each of which the report names: `timestamptz(3)`, `timestamptz zone=+08:00`, `uint32 wrap`,
 * `text trim fold nfc`, `bytes base64`, `date zero=null unit=days`. `array of` before it makes an array whose elements are of it. */
struct sw_type {
    enum sw_type_kind kind;
    enum sw_type_kind element; /* array: what its elements are, SW_TYPE_ANY what the JSON says; precision and policies are theirs. SW_TYPE_ANY for all other kinds */
    int8_t precision;        /* digits of a second that count (0 to 9); -1 = all that are written. A cut, never a rounding */
    bool wrap;               /* unsigned: -1 is read as two's complement */
    bool has_zone;           /* timestamptz: values without a zone are taken in `zone_minutes`; time, timestamp: values with one become local there */
    int16_t zone_minutes;    /* east of UTC */
    enum sw_time_unit unit;  /* date and time types: a bare number is so many of these; SW_UNIT_NONE = a number is invalid */
    bool trim, fold, nfc;    /* text only: trailing blanks cut; case folded; normalised to NFC */
    bool extended;           /* any, json: objects that MongoDB's Extended JSON makes of values are those values: {"$numberLong":"5"} is 5 */
    enum sw_json_text json_text; /* json: of texts in JSON records (sw_value_scratch.bare_texts); untold: what would be a number, a boolean or null is invalid */
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
    struct sw_buffer members;  /* members of JSON objects, to be sorted */
    struct sw_buffer array, leaf, element, written; /* of an array whose elements have a type: its text, and an element as text, canonical and as JSON */
    bool bare_texts;           /* set by the caller: the tokens are of a JSON record in which text under `json` may be a JSON string, not JSON text */
    char problem[256];         /* after SW_VALUE_INVALID: what was expected and found, escaped and cut */
};

/* Frees the room inside; `scratch` may be used again. */
void sw_value_scratch_free(struct sw_value_scratch *scratch);

/* Reads a type as it is written above. SW_ERR_USAGE with the known names on anything else;
 * SW_ERR_UNSUPPORTED for `fold` and `nfc` in a build without libunistring. */
enum sw_code sw_type_parse(struct sw_type *out, struct sw_bytes text, struct sw_error *error);
/* Appends the canonical spelling: sw_type_parse of it gives an equal type. */
void sw_type_print(struct sw_buffer *out, const struct sw_type *type);
bool sw_type_equal(const struct sw_type *a, const struct sw_type *b);
/* The name of a kind alone, "timestamptz". Static. */
const char *sw_type_kind_name(enum sw_type_kind kind);

/* Numbers whose first digit stands more than this many places from the decimal point are SW_VALUE_INVALID, and so is JSON nested deeper. */
#define SW_VALUE_EXPONENT_MAX 1000000
#define SW_VALUE_DEPTH_MAX 512

/* Appends the canonical bytes of `token` to `out`. On any status but SW_VALUE_OK `out->len` is unchanged. An absent token is
 * SW_VALUE_INVALID: whether a column is there at all is decided before. Any thread, one scratch each. No allocation but in the buffers. */
enum sw_value_status sw_value_encode(struct sw_buffer *out, const struct sw_type *type, struct sw_token token, struct sw_value_scratch *scratch);

/* A native token as the text or number that says the same, appended to `out` (which must not move while the token is used); other tokens as they are. For
 * what reads no values: versions, operations, flags. */
struct sw_token sw_value_spell(struct sw_buffer *out, struct sw_token token);

/* Are values that were read under `a` and under `b` comparable byte by byte? Types may differ in how they read (the unit of bare numbers, the encoding of bytes, integer or
 * decimal), not in what they keep. */
bool sw_type_same_form(const struct sw_type *a, const struct sw_type *b);

/* Appends the value as JSON text. What is printed reads back (sw_value_encode of it) to equal bytes. Control characters, bidirectional
 * marks and lone surrogates are escaped. `canonical` must come from sw_value_encode under the same type. */
void sw_value_write_json(struct sw_buffer *out, const struct sw_type *type, struct sw_bytes canonical);

/* A time or timestamp that was written without a zone, under a type that declares none, cannot be compared with one that has a zone.
 * True for everything else. */
bool sw_value_comparable(const struct sw_type *type, struct sw_bytes a, struct sw_bytes b);

/* Key columns: appends a self-delimiting form of the canonical value (or of NULL, if `is_null`), so that memcmp over the
 * concatenation of all key columns orders keys column by column, NULL first. NULL is one 0 byte. Under any, json, array, integer
 * and decimal the canonical bytes stand as they are (they delimit themselves and never begin with 0); under the other types a
 * byte 1 and then the canonical bytes, those of text and bytes with each NUL as 00 FF and 00 00 at the end.
 * A text at the end of a key needs no 00 00, since the key ends there: sw_key_end takes it away from the column that begins at `from`. The order
 * stays, for what has ended comes first either way. All that makes keys or identities calls it for their last column.
 * sw_key_column_read undoes both: it takes one column from the front of `key` (advancing it) and appends the canonical value to
 * `out`; SW_VALUE_NULL for NULL, SW_VALUE_INVALID if cut or malformed (`key` and `out` unchanged). */
void sw_key_column_add(struct sw_buffer *key, const struct sw_type *type, bool is_null, struct sw_bytes canonical);
void sw_key_end(struct sw_buffer *key, const struct sw_type *type, size_t from);
enum sw_value_status sw_key_column_read(struct sw_buffer *out, const struct sw_type *type, struct sw_bytes *key);
/* The same without a copy, where the canonical value stands in the key as it is. False, and nothing is taken: it is for sw_key_column_read to say. */
bool sw_key_column_view(struct sw_bytes *canonical, const struct sw_type *type, struct sw_bytes *key);

#endif
