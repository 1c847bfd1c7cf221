/* What the files of values share: one pair of functions (encode, write) a family of types. Internal to src/model.
 *
 * Encoders append to `out` and return a status; on anything but SW_VALUE_OK the caller takes `out->len` back. */
#ifndef SW_MODEL_VALUE_H
#define SW_MODEL_VALUE_H

#include "model/type.h"
#include "model/value_any.h"

/* The text of a TEXT token with its escapes resolved: the token's own bytes, or scratch->text. SW_VALUE_INVALID if an escape is none. */
enum sw_value_status sw_value__text(struct sw_bytes *out, struct sw_token token, struct sw_value_scratch *scratch);
/* The text of a TEXT or NUMBER token; SW_VALUE_INVALID (with `expected`) for other kinds. */
enum sw_value_status sw_value__scalar(struct sw_bytes *out, const char *expected, struct sw_token token, struct sw_value_scratch *scratch);
/* Fills scratch->problem with "expected …, found …" and returns SW_VALUE_INVALID. */
enum sw_value_status sw_value__invalid(struct sw_value_scratch *scratch, const char *expected, struct sw_token token);
/* True if `text` is `word` (lower case) in any mixture of cases. */
bool sw_value__is_word(struct sw_bytes text, const char *word);

/* Text that says infinity or that something is not a number, in any mixture of cases: inf, infinity (both with an optional sign), nan. */
enum sw_special { SW_SPECIAL_NONE, SW_SPECIAL_INFINITY, SW_SPECIAL_NEGATIVE_INFINITY, SW_SPECIAL_NAN };
enum sw_special sw_value__special(struct sw_bytes text);

/* A finite decimal number as written: ± 0.D1 D2 … × 10^point, D1 and the last digit not 0. Zero has no digits. The digits are
 * borrowed from the text, in two runs, since a point may stand between them. */
struct sw_number {
    bool negative;
    const uint8_t *first, *second;
    size_t first_len, second_len;
    int64_t point;
};

enum sw_number_status { SW_NUMBER_OK, SW_NUMBER_NONE, SW_NUMBER_FAR };
/* Reads a whole text. `json`: by JSON's grammar; else a leading '+', leading zeros, "1." and ".5" are numbers too.
 * SW_NUMBER_FAR if the first digit is more than SW_VALUE_EXPONENT_MAX places from the point. */
enum sw_number_status sw_number__parse(struct sw_number *out, struct sw_bytes text, bool json);
static inline size_t sw_number__digit_count(const struct sw_number *n) { return n->first_len + n->second_len; }
static inline uint8_t sw_number__digit(const struct sw_number *n, size_t i)
{
    return (uint8_t)((i < n->first_len ? n->first[i] : n->second[i - n->first_len]) - '0');
}
/* Appends the tagged form (model/value_any.h). False if memory ran out. */
bool sw_number__encode(struct sw_buffer *out, const struct sw_number *number);
/* Bytes of the tagged number at the front of `bytes`; 0 if there is none, or it is cut. */
size_t sw_number__length(struct sw_bytes bytes);
/* Appends a tagged number as JSON: a number, or "NaN", "Infinity", "-Infinity". */
void sw_number__write(struct sw_buffer *out, struct sw_bytes tagged);
/* The same for naturals of up to 20 digits, as most numbers are, if `tagged` is nothing but that; else false, and nothing is written. */
bool sw_number__write_natural(struct sw_buffer *out, struct sw_bytes tagged);
/* Writes ± digits (values 0 to 9, `count` of them) with the point after `point` of them, plainly or as d.dde±x. Room for
 * count + SW_NUMBER_LAYOUT_MORE bytes if `plain` adds no more than 40 zeros. Returns the bytes written. */
#define SW_NUMBER_LAYOUT_MORE 64
size_t sw_number__layout(uint8_t *out, bool negative, const uint8_t *digits, size_t count, int64_t point, bool plain);

/* One pair a family. `text` writers append JSON. */
enum sw_value_status sw_number__encode_exact(struct sw_buffer *out, const struct sw_type *type, struct sw_token token, struct sw_value_scratch *scratch);
enum sw_value_status sw_integer__encode(struct sw_buffer *out, const struct sw_type *type, struct sw_token token, struct sw_value_scratch *scratch);
void sw_integer__write(struct sw_buffer *out, const struct sw_type *type, struct sw_bytes canonical);
enum sw_value_status sw_float__encode(struct sw_buffer *out, const struct sw_type *type, struct sw_token token, struct sw_value_scratch *scratch);
void sw_float__write(struct sw_buffer *out, const struct sw_type *type, struct sw_bytes canonical);
enum sw_value_status sw_boolean__encode(struct sw_buffer *out, struct sw_token token, struct sw_value_scratch *scratch);
enum sw_value_status sw_text__encode(struct sw_buffer *out, const struct sw_type *type, struct sw_token token, struct sw_value_scratch *scratch);
enum sw_value_status sw_bytes__encode(struct sw_buffer *out, const struct sw_type *type, struct sw_token token, struct sw_value_scratch *scratch);
void sw_bytes__write(struct sw_buffer *out, const struct sw_type *type, struct sw_bytes canonical);
enum sw_value_status sw_uuid__encode(struct sw_buffer *out, struct sw_token token, struct sw_value_scratch *scratch);
void sw_uuid__write(struct sw_buffer *out, struct sw_bytes canonical);
enum sw_value_status sw_interval__encode(struct sw_buffer *out, struct sw_token token, struct sw_value_scratch *scratch);
void sw_interval__write(struct sw_buffer *out, struct sw_bytes canonical);
enum sw_value_status sw_time__encode(struct sw_buffer *out, const struct sw_type *type, struct sw_token token, struct sw_value_scratch *scratch);
void sw_time__write(struct sw_buffer *out, const struct sw_type *type, struct sw_bytes canonical);
bool sw_time__comparable(const struct sw_type *type, struct sw_bytes a, struct sw_bytes b);
enum sw_value_status sw_any__encode(struct sw_buffer *out, const struct sw_type *type, struct sw_token token, struct sw_value_scratch *scratch);
enum sw_value_status sw_array__encode(struct sw_buffer *out, const struct sw_type *type, struct sw_token token, struct sw_value_scratch *scratch);
/* What an object of MongoDB's Extended JSON means, in place of the object itself, whose encoded form stands in `out` from `before` on; nothing if it is none of its
 * wrappers. SW_VALUE_INVALID for a wrapper whose content is not what it must be. Does not touch scratch->members. */
enum sw_value_status sw_extended__rewrite(struct sw_buffer *out, size_t before, struct sw_bytes object, struct sw_value_scratch *scratch);
void sw_any__write(struct sw_buffer *out, const struct sw_type *type, struct sw_bytes canonical);
/* Native tokens (text/token.h): directly where the type has their form, else as the text or number that says the same. */
enum sw_value_status sw_native__encode(struct sw_buffer *out, const struct sw_type *type, struct sw_token token, struct sw_value_scratch *scratch);
/* Appends ± a finite or other float as sw_float__write does, but NaN and the infinities without quotes. False: it is not a number in JSON's sense. */
bool sw_float__spell(struct sw_buffer *out, double value, bool single);
void sw_float__add(struct sw_buffer *out, double value, bool single);
/* `units` are days of a date, microseconds of a time or timestamp; the kinds of `token` and type are those of each other. False: out of range. */
bool sw_time__add_native(struct sw_buffer *out, const struct sw_type *type, enum sw_token_kind kind, int64_t units);
/* ISO 8601, as the type's own parser reads it. */
void sw_time__spell(struct sw_buffer *out, enum sw_token_kind kind, int64_t units);

/* Bytes of the tagged value at the front of `bytes`; 0 if it is cut or malformed. */
size_t sw_any__length(struct sw_bytes bytes);
/* Bytes of the canonical value under types of fixed size, else 0. */
size_t sw_value__fixed_size(enum sw_type_kind kind);

/* An offset from UTC as it stands at the end of a time: Z, UTC, +HH, +HHMM, +HH:MM, +HH:MM:SS. False if `text` is anything else. */
bool sw_zone__parse(int32_t *seconds, struct sw_bytes text);

/* Case folding and normalisation, where the build has libunistring. Appends to `out`. */
bool sw_fold__available(void);
enum sw_value_status sw_fold__text(struct sw_buffer *out, struct sw_bytes text, bool fold, bool nfc);

#endif
