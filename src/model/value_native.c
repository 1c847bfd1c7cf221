/* Native tokens: values as a database hands them out. A number is what the same number in a record would be, a time what the same time as text would be; where a
 * type has the native form itself, no text is made. */
#include "model/value.h"

#include <stdio.h>

#include "text/json_write.h"

static int64_t signed_of(struct sw_token token)
{
    int64_t value;
    memcpy(&value, token.at, sizeof value);
    return value;
}

/* With as many digits behind the point as it says, and one at least before it. */
static void spell_decimal(struct sw_buffer *out, struct sw_token token)
{
    char digits[SW_ANY_SCALED_DIGITS_MAX + 4];
    bool negative = false;
    uint64_t magnitude = 0;
    unsigned scale = 0, at = sizeof digits;
    (void)sw_any_scaled_of(&negative, &magnitude, &scale, token);
    for (unsigned done = 0; magnitude || done <= scale; magnitude /= 10, done++) {
        if (scale && done == scale)
            digits[--at] = '.';
        digits[--at] = (char)('0' + magnitude % 10);
    }
    if (negative)
        digits[--at] = '-';
    sw_buffer_add(out, digits + at, sizeof digits - at);
}

static double float_of(struct sw_token token)
{
    double value;
    float narrow;
    if (token.kind == SW_TOKEN_FLOAT64) {
        memcpy(&value, token.at, sizeof value);
        return value;
    }
    memcpy(&narrow, token.at, sizeof narrow);
    return (double)narrow;
}

static void spell_hex(struct sw_buffer *out, struct sw_token token)
{
    static const char hex[] = "0123456789abcdef";
    if (!sw_buffer_reserve(out, 2 * (size_t)token.len + 4))
        return;
    for (uint32_t i = 0; i < token.len; i++) {
        if (token.kind == SW_TOKEN_UUID && (i == 4 || i == 6 || i == 8 || i == 10))
            out->at[out->len++] = '-';
        out->at[out->len++] = (uint8_t)hex[token.at[i] >> 4];
        out->at[out->len++] = (uint8_t)hex[token.at[i] & 15];
    }
}

/* Appends a native token as text; what kind of token that text is: NUMBER, or TEXT. */
static enum sw_token_kind spell(struct sw_buffer *out, struct sw_token token)
{
    uint64_t number;
    switch (token.kind) {
    case SW_TOKEN_INT64:
        sw_json_write_number_i64(out, signed_of(token));
        return SW_TOKEN_NUMBER;
    case SW_TOKEN_UINT64:
        memcpy(&number, token.at, sizeof number);
        sw_json_write_number_u64(out, number);
        return SW_TOKEN_NUMBER;
    case SW_TOKEN_DECIMAL:
        spell_decimal(out, token);
        return SW_TOKEN_NUMBER;
    case SW_TOKEN_FLOAT32:
    case SW_TOKEN_FLOAT64:
        return sw_float__spell(out, float_of(token), token.kind == SW_TOKEN_FLOAT32) ? SW_TOKEN_NUMBER : SW_TOKEN_TEXT;
    case SW_TOKEN_DATE:
    case SW_TOKEN_TIME:
    case SW_TOKEN_TIMESTAMP:
    case SW_TOKEN_TIMESTAMPTZ:
        sw_time__spell(out, (enum sw_token_kind)token.kind, signed_of(token));
        return SW_TOKEN_TEXT;
    default:
        spell_hex(out, token);
        return SW_TOKEN_TEXT;
    }
}

struct sw_token sw_value_spell(struct sw_buffer *out, struct sw_token token)
{
    if (token.kind < SW_TOKEN_NATIVE)
        return token;
    size_t before = out->len;
    enum sw_token_kind kind = spell(out, token);
    return (struct sw_token){out->len > before ? out->at + before : (const uint8_t *)"", (uint32_t)(out->len - before), (uint8_t)kind, false};
}

/* Does the type keep what the token is, as it is? */
static bool direct(const struct sw_type *type, enum sw_token_kind kind)
{
    bool number = type->kind == SW_TYPE_DECIMAL || type->kind == SW_TYPE_ANY || type->kind == SW_TYPE_JSON;
    switch (kind) {
    case SW_TOKEN_INT64:
    case SW_TOKEN_UINT64: return number || type->kind == SW_TYPE_INTEGER;
    case SW_TOKEN_DECIMAL: return number;
    case SW_TOKEN_FLOAT64: return type->kind == SW_TYPE_FLOAT64;
    case SW_TOKEN_FLOAT32: return type->kind == SW_TYPE_FLOAT32;
    case SW_TOKEN_BYTES: return type->kind == SW_TYPE_BYTES;
    case SW_TOKEN_UUID: return type->kind == SW_TYPE_UUID || type->kind == SW_TYPE_BYTES;
    case SW_TOKEN_DATE: return type->kind == SW_TYPE_DATE;
    case SW_TOKEN_TIME: return type->kind == SW_TYPE_TIME;
    case SW_TOKEN_TIMESTAMP:
    case SW_TOKEN_TIMESTAMPTZ: return type->kind == SW_TYPE_TIMESTAMP || type->kind == SW_TYPE_TIMESTAMPTZ;
    default: return false;
    }
}

static enum sw_value_status encode_direct(struct sw_buffer *out, const struct sw_type *type, struct sw_token token, struct sw_value_scratch *scratch)
{
    bool negative;
    uint64_t magnitude;
    unsigned scale;
    if (sw_any_scaled_of(&negative, &magnitude, &scale, token)) {
        if (!sw_buffer_reserve(out, SW_ANY_INTEGER_MAX))
            return SW_VALUE_NO_MEMORY;
        out->len += sw_any_scaled_encode(out->at + out->len, negative, magnitude, scale);
        return SW_VALUE_OK;
    }
    switch (token.kind) {
    case SW_TOKEN_FLOAT32:
    case SW_TOKEN_FLOAT64:
        sw_float__add(out, float_of(token), token.kind == SW_TOKEN_FLOAT32);
        return SW_VALUE_OK;
    case SW_TOKEN_BYTES:
    case SW_TOKEN_UUID:
        sw_buffer_add(out, token.at, token.len);
        return SW_VALUE_OK;
    default:
        if (sw_time__add_native(out, type, (enum sw_token_kind)token.kind, signed_of(token)))
            return SW_VALUE_OK;
        return sw_value__invalid(scratch, "a date or time from 4714-11-24 BC on", token);
    }
}

enum sw_value_status sw_native__encode(struct sw_buffer *out, const struct sw_type *type, struct sw_token token, struct sw_value_scratch *scratch)
{
    if (direct(type, (enum sw_token_kind)token.kind))
        return encode_direct(out, type, token, scratch);
    if (token.kind == SW_TOKEN_BYTES && type->kind == SW_TYPE_UUID && token.len == 16) {
        sw_buffer_add(out, token.at, token.len);
        return SW_VALUE_OK;
    }
    if (token.kind == SW_TOKEN_BYTES) { /* bytes as text would be equal to a text that spells them */
        char expected[96];
        snprintf(expected, sizeof expected, "%s (--type COLUMN=bytes compares bytes)", sw_type_kind_name(type->kind));
        return sw_value__invalid(scratch, expected, token);
    }
    uint8_t room[192];
    struct sw_buffer text = {.at = room, .capacity = sizeof room}; /* no spelling but that of bytes is longer */
    struct sw_token spelled = sw_value_spell(&text, token);
    return sw_value_encode(out, type, spelled, scratch);
}
