/* Values of Arrow arrays. Source: Apache Arrow, "Arrow Columnar Format", "Physical Memory Layout". */
#include "source/adbc.h"

#include <stdio.h>
#include <string.h>

#include "model/value_any.h"
#include "text/json_write.h"

#define VIEW_BYTES 16u
#define VIEW_INLINE 12

/* ---- shape ---- */

static int64_t buffers_of(const struct sw_arrow_field *field)
{
    switch (field->kind) {
    case SW_ARROW_NULL: return 0;
    case SW_ARROW_FIXED_LIST:
    case SW_ARROW_STRUCT: return 1;
    case SW_ARROW_TEXT:
    case SW_ARROW_BYTES: return field->fixed ? 2 : 3;
    case SW_ARROW_BITS:
    case SW_ARROW_LIST_VIEW: return 3;
    case SW_ARROW_UNION: return field->dense ? 2 : 1;
    default: return 2;
    }
}

static bool is_view(const struct sw_arrow_field *field) { return (field->kind == SW_ARROW_TEXT || field->kind == SW_ARROW_BYTES) && !field->fixed && field->width == 0; }

enum sw_code sw_arrow_array_check(const struct ArrowArray *array, const struct sw_arrow_field *field, int64_t length, struct sw_error *error)
{
    int64_t wanted = field->values ? 2 : buffers_of(field);
    bool fits = array && array->length >= length && array->offset >= 0 && array->length >= 0 && (is_view(field) ? array->n_buffers >= wanted : array->n_buffers == wanted) &&
                (!wanted || array->buffers) && (field->values ? array->dictionary != NULL : array->n_children == field->child_count) && (!array->n_children || array->children);
    for (int64_t i = 1; fits && i < wanted && array->length && !is_view(field); i++)
        fits = array->buffers[i] != NULL || (i == 2 && field->kind != SW_ARROW_LIST_VIEW); /* no bytes at all: no buffer */
    if (!fits)
        return sw_fail(error, SW_ERR_REMOTE, "the driver hands out column %.100s in a form that contradicts its description: nothing is claimed", field->name);
    if (field->values)
        return sw_arrow_array_check(array->dictionary, field->values, 0, error);
    enum sw_code code = SW_OK;
    bool beside = field->kind == SW_ARROW_STRUCT || (field->kind == SW_ARROW_UNION && !field->dense);
    for (uint32_t i = 0; i < field->child_count && code == SW_OK; i++)
        code = sw_arrow_array_check(array->children[i], &field->children[i], beside ? array->offset + array->length : 0, error);
    return code;
}

static int64_t number_at(const void *numbers, unsigned width, bool with_sign, int64_t at)
{
    const uint8_t *from = (const uint8_t *)numbers + (size_t)at * width;
    int64_t wide = 0;
    memcpy(&wide, from, width);
    unsigned shift = (8 - width) * 8;
    return with_sign && shift ? (int64_t)((uint64_t)wide << shift) >> shift : wide;
}

uint64_t sw_arrow_array_bytes(const struct ArrowArray *array, const struct sw_arrow_field *field)
{
    uint64_t length = (uint64_t)(array->offset + array->length), bytes = length / 8;
    if (field->values)
        return bytes + length * field->width + sw_arrow_array_bytes(array->dictionary, field->values);
    if ((field->kind == SW_ARROW_TEXT || field->kind == SW_ARROW_BYTES) && !field->fixed) {
        bytes += length * (field->width ? field->width : VIEW_BYTES);
        if (field->width && length) /* the last offset is their end */
            bytes += (uint64_t)number_at(array->buffers[1], field->width, true, (int64_t)length);
    } else {
        bytes += length * (field->fixed ? (uint64_t)field->unit : field->width);
    }
    for (uint32_t i = 0; i < field->child_count; i++)
        bytes += sw_arrow_array_bytes(array->children[i], &field->children[i]);
    return bytes;
}

/* ---- numbers ---- */

static bool is_null(const struct ArrowArray *array, const struct sw_arrow_field *field, int64_t at)
{
    if (field->kind == SW_ARROW_NULL)
        return true;
    if (field->kind == SW_ARROW_UNION || array->null_count == 0 || !array->buffers[0])
        return false;
    const uint8_t *valid = array->buffers[0];
    return !(valid[at / 8] >> (at % 8) & 1);
}

/* IEEE 754 binary16. */
static float half(uint16_t bits)
{
    uint32_t sign = (uint32_t)(bits & 0x8000) << 16, exponent = bits >> 10 & 31, fraction = bits & 1023, wide;
    float value;
    if (exponent == 31) {
        wide = sign | 0x7f800000 | fraction << 13;
    } else if (exponent) {
        wide = sign | (exponent + 112) << 23 | fraction << 13;
    } else {
        value = (float)fraction / 16777216.0f;
        return sign ? -value : value;
    }
    memcpy(&value, &wide, sizeof value);
    return value;
}

/* Appends a number of `width` bytes, a two's complement if it has a sign, with `scale` digits behind the point. */
static void add_decimal(struct sw_buffer *out, const uint8_t *bytes, unsigned width, int32_t scale, bool without_sign)
{
    uint32_t limbs[8] = {0};
    char digits[96];
    size_t count = 0, limb_count = (width + 3) / 4;
    bool negative = !without_sign && bytes[width - 1] >> 7;
    for (unsigned i = 0; i < width; i++)
        limbs[i / 4] |= (uint32_t)(negative ? (uint8_t)~bytes[i] : bytes[i]) << (i % 4 * 8);
    for (size_t i = 0, carry = negative; i < limb_count && carry; i++)
        carry = ++limbs[i] == 0;
    for (bool left = true; left || count == 0;) {
        uint64_t rest = 0;
        left = false;
        for (size_t i = limb_count; i-- > 0;) {
            rest = rest << 32 | limbs[i];
            limbs[i] = (uint32_t)(rest / 10);
            rest %= 10;
            left |= limbs[i] != 0;
        }
        digits[count++] = (char)('0' + rest);
    }
    if (negative)
        sw_buffer_add_byte(out, '-');
    if (scale <= 0) {
        while (count)
            sw_buffer_add_byte(out, (uint8_t)digits[--count]);
        if (scale < 0)
            sw_buffer_printf(out, "e%d", -scale);
        return;
    }
    size_t behind = (size_t)scale;
    if (count <= behind)
        sw_buffer_add_text(out, "0.");
    for (size_t i = count; i < behind; i++)
        sw_buffer_add_byte(out, '0');
    while (count) {
        sw_buffer_add_byte(out, (uint8_t)digits[--count]);
        if (count == behind)
            sw_buffer_add_byte(out, '.');
    }
}

/* ---- times ---- */

static int64_t floor_divide(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0)); }

/* Nanoseconds are finer than a native token: written as text. Days since 1970 to a date: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms". */
static void add_nanoseconds(struct sw_buffer *out, const struct sw_arrow_field *field, int64_t value)
{
    int64_t seconds = floor_divide(value, field->unit), nanos = value - seconds * field->unit, days = floor_divide(seconds, 86400), rest = seconds - days * 86400;
    if (field->kind != SW_ARROW_TIME) {
        int64_t z = days + 719468, era = floor_divide(z, 146097), doe = z - era * 146097, yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365, doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
        int64_t mp = (5 * doy + 2) / 153, day = doy - (153 * mp + 2) / 5 + 1, month = mp < 10 ? mp + 3 : mp - 9, year = yoe + era * 400 + (month <= 2);
        sw_buffer_printf(out, "%04lld-%02lld-%02lldT", (long long)year, (long long)month, (long long)day);
    }
    sw_buffer_printf(out, "%02lld:%02lld:%02lld.%09lld%s", (long long)(rest / 3600), (long long)(rest / 60 % 60), (long long)(rest % 60), (long long)nanos,
                     field->kind == SW_ARROW_TIMESTAMPTZ ? "Z" : "");
}

/* Seconds, milliseconds and microseconds become microseconds; false where they do not fit, or are finer. */
static bool to_microseconds(int64_t *out, int64_t value, int64_t unit)
{
    if (unit > 1000000) {
        int64_t step = unit / 1000000;
        *out = value / step;
        return value % step == 0;
    }
    return !__builtin_mul_overflow(value, 1000000 / unit, out);
}

/* DuckDB's TIME WITH TIME ZONE: microseconds above 24 bits, in which the zone stands as seconds below the most that there are, so that numbers sort as instants do. */
static void add_time_tz(struct sw_buffer *out, uint64_t value)
{
    int64_t micros = (int64_t)(value >> 24), zone = 16 * 3600 - 1 - (int64_t)(value & 0xffffff), east = zone < 0 ? -zone : zone;
    sw_buffer_printf(out, "%02lld:%02lld:%02lld.%06lld%c%02lld:%02lld:%02lld", (long long)(micros / 3600000000), (long long)(micros / 60000000 % 60), (long long)(micros / 1000000 % 60), (long long)(micros % 1000000),
                     zone < 0 ? '-' : '+', (long long)(east / 3600), (long long)(east / 60 % 60), (long long)(east % 60));
}

/* DuckDB's BIT: how many bits of the next byte are padding, then the bits. */
static void add_bits(struct sw_buffer *out, struct sw_bytes stored)
{
    for (size_t i = 8 + (stored.len ? stored.at[0] : 0u); i < 8 * stored.len; i++)
        sw_buffer_add_byte(out, (uint8_t)('0' + (stored.at[i / 8] >> (7 - i % 8) & 1)));
}

/* ISO 8601 with designators: no part is carried into another one. */
static void add_interval(struct sw_buffer *out, const uint8_t *at, unsigned width)
{
    int32_t months = 0, days = 0, millis = 0;
    int64_t nanos = 0;
    if (width != 8)
        memcpy(&months, at, sizeof months);
    if (width != 4)
        memcpy(&days, at + (width == 16 ? 4 : 0), sizeof days);
    if (width == 16)
        memcpy(&nanos, at + 8, sizeof nanos);
    if (width == 8) {
        memcpy(&millis, at + 4, sizeof millis);
        nanos = INT64_C(1000000) * millis;
    }
    int64_t seconds = nanos / 1000000000, rest = nanos % 1000000000;
    sw_buffer_printf(out, "P%dM%dDT%s%lld.%09lldS", (int)months, (int)days, nanos < 0 ? "-" : "", (long long)(seconds < 0 ? -seconds : seconds), (long long)(rest < 0 ? -rest : rest));
}

/* ---- texts ---- */

/* *padded: enough bytes stand behind it in the same buffer. */
static struct sw_bytes bytes_at(bool *padded, const struct ArrowArray *array, const struct sw_arrow_field *field, int64_t at)
{
    const uint8_t *data = array->buffers[1];
    *padded = false;
    if (field->fixed)
        return sw_bytes_of(data + (size_t)at * (size_t)field->unit, (size_t)field->unit);
    if (field->width) {
        int64_t from = number_at(data, field->width, true, at), to = number_at(data, field->width, true, at + 1);
        *padded = number_at(data, field->width, true, array->offset + array->length) - SW_BLOCK_PADDING >= to;
        return sw_bytes_of((const uint8_t *)array->buffers[2] + from, to > from ? (size_t)(to - from) : 0);
    }
    const uint8_t *view = data + (size_t)at * VIEW_BYTES;
    int32_t len, place[2];
    memcpy(&len, view, sizeof len);
    if (len <= VIEW_INLINE)
        return sw_bytes_of(view + 4, len > 0 ? (size_t)len : 0);
    memcpy(place, view + 8, sizeof place);
    return sw_bytes_of((const uint8_t *)array->buffers[2 + place[0]] + place[1], (size_t)len);
}

/* ---- nested values, as JSON ---- */

static void write_json(struct sw_buffer *out, const struct ArrowArray *array, const struct sw_arrow_field *field, int64_t row);

/* Where the elements of a list stand in its child. */
static void list_range(int64_t *from, int64_t *to, const struct ArrowArray *array, const struct sw_arrow_field *field, int64_t at)
{
    if (field->kind == SW_ARROW_FIXED_LIST) {
        *from = at * field->unit;
        *to = *from + field->unit;
        return;
    }
    *from = number_at(array->buffers[1], field->width, true, at);
    *to = field->kind == SW_ARROW_LIST_VIEW ? *from + number_at(array->buffers[2], field->width, true, at) : number_at(array->buffers[1], field->width, true, at + 1);
}

static void write_list(struct sw_buffer *out, const struct ArrowArray *array, const struct sw_arrow_field *field, int64_t at)
{
    int64_t from, to;
    list_range(&from, &to, array, field, at);
    sw_buffer_add_byte(out, '[');
    for (int64_t i = from; i < to; i++) {
        if (i > from)
            sw_buffer_add_byte(out, ',');
        write_json(out, array->children[0], &field->children[0], i);
    }
    sw_buffer_add_byte(out, ']');
}

static void write_struct(struct sw_buffer *out, const struct ArrowArray *array, const struct sw_arrow_field *field, int64_t at)
{
    sw_buffer_add_byte(out, '{');
    for (uint32_t i = 0; i < field->child_count; i++) {
        if (i)
            sw_buffer_add_byte(out, ',');
        sw_json_write_text(out, sw_bytes_text(field->children[i].name));
        sw_buffer_add_byte(out, ':');
        write_json(out, array->children[i], &field->children[i], at);
    }
    sw_buffer_add_byte(out, '}');
}

/* An object, whose names are the keys: those that are no texts, as JSON spells them. */
static void write_map(struct sw_buffer *out, const struct ArrowArray *array, const struct sw_arrow_field *field, int64_t at)
{
    int64_t from, to;
    struct sw_buffer name = {0};
    const struct ArrowArray *entries = array->children[0];
    const struct sw_arrow_field *entry = &field->children[0];
    list_range(&from, &to, array, field, at);
    sw_buffer_add_byte(out, '{');
    for (int64_t i = from; i < to && entry->child_count == 2; i++) {
        int64_t within = entries->offset + i;
        sw_buffer_clear(&name);
        write_json(&name, entries->children[0], &entry->children[0], within);
        sw_buffer_add_text(out, i > from ? "," : "");
        if (name.len && name.at[0] == '"')
            sw_buffer_add_bytes(out, sw_buffer_view(&name));
        else
            sw_json_write_text(out, sw_buffer_view(&name));
        sw_buffer_add_byte(out, ':');
        write_json(out, entries->children[1], &entry->children[1], within);
    }
    sw_buffer_add_byte(out, '}');
    out->failed |= name.failed;
    sw_buffer_free(&name);
}

/* A value inside another one is compared as JSON, which has neither times nor bytes: both are spelled as PostgreSQL's to_json does, so that its arrays compare. */
static struct sw_token spell_nested(struct sw_buffer *out, struct sw_token token)
{
    bool is_time = token.kind == SW_TOKEN_TIME || token.kind == SW_TOKEN_TIMESTAMP || token.kind == SW_TOKEN_TIMESTAMPTZ;
    if (token.kind == SW_TOKEN_BYTES)
        sw_buffer_add_text(out, "\\x");
    struct sw_token said = sw_value_spell(out, token);
    if (token.kind == SW_TOKEN_BYTES) {
        said = (struct sw_token){out->at, (uint32_t)out->len, SW_TOKEN_TEXT, false};
    } else if (is_time && said.len && memchr(said.at, '.', said.len)) {
        out->len -= token.kind == SW_TOKEN_TIMESTAMPTZ; /* Z */
        while (out->len && out->at[out->len - 1] == '0')
            out->len--;
        out->len -= out->len && out->at[out->len - 1] == '.';
        sw_buffer_add_text(out, token.kind == SW_TOKEN_TIMESTAMPTZ ? "+00:00" : "");
        said = (struct sw_token){out->at, (uint32_t)out->len, SW_TOKEN_TEXT, false};
    }
    return said;
}

static void write_json(struct sw_buffer *out, const struct ArrowArray *array, const struct sw_arrow_field *field, int64_t row)
{
    struct sw_token token;
    struct sw_buffer text = {0}, spelled = {0};
    struct sw_row_slot slot;
    bool in_text = false;
    if (!sw_arrow_value(&token, &slot, &in_text, &text, array, field, row)) {
        out->failed = true;
    } else {
        if (in_text)
            token.at = text.at + slot.value;
        struct sw_token said = spell_nested(&spelled, token);
        switch (said.kind) {
        case SW_TOKEN_ABSENT:
        case SW_TOKEN_NULL: sw_buffer_add_text(out, "null"); break;
        case SW_TOKEN_TRUE: sw_buffer_add_text(out, "true"); break;
        case SW_TOKEN_FALSE: sw_buffer_add_text(out, "false"); break;
        case SW_TOKEN_TEXT: sw_json_write_text(out, sw_bytes_of(said.at, said.len)); break;
        default: sw_buffer_add(out, said.at, said.len); break;
        }
    }
    out->failed |= text.failed || spelled.failed;
    sw_buffer_free(&text);
    sw_buffer_free(&spelled);
}

/* ---- one value ---- */

static struct sw_token native(struct sw_row_slot *slot, const void *value, uint32_t len, enum sw_token_kind kind)
{
    memcpy(&slot->value, value, len);
    return (struct sw_token){(const uint8_t *)&slot->value, len, (uint8_t)kind, false};
}

/* What is written to `text` is the token. */
static struct sw_token written_token(struct sw_row_slot *slot, bool *in_text, const struct sw_buffer *text, size_t begin, enum sw_token_kind kind)
{
    slot->value = (int64_t)begin;
    *in_text = true;
    return text->len - begin > UINT32_MAX ? (struct sw_token){.kind = SW_TOKEN_ABSENT} : (struct sw_token){NULL, (uint32_t)(text->len - begin), (uint8_t)kind, false};
}

static struct sw_token text_token(struct sw_row_slot *slot, bool *in_text, struct sw_buffer *text, const struct ArrowArray *array, const struct sw_arrow_field *field, int64_t at)
{
    bool padded;
    enum sw_token_kind kind = field->kind == SW_ARROW_TEXT ? SW_TOKEN_TEXT : field->uuid ? SW_TOKEN_UUID : SW_TOKEN_BYTES;
    struct sw_bytes bytes = bytes_at(&padded, array, field, at);
    if (bytes.len > UINT32_MAX) /* no value that could be compared: it stands as one that no type reads */
        return (struct sw_token){.kind = SW_TOKEN_ABSENT};
    if (padded || kind != SW_TOKEN_TEXT) /* what reads texts may read beyond them */
        return (struct sw_token){bytes.at ? bytes.at : (const uint8_t *)"", (uint32_t)bytes.len, (uint8_t)kind, false};
    size_t begin = text->len;
    sw_buffer_add_bytes(text, bytes);
    return written_token(slot, in_text, text, begin, kind);
}

static struct sw_token time_token(struct sw_row_slot *slot, bool *in_text, struct sw_buffer *text, const struct sw_arrow_field *field, int64_t value)
{
    static const enum sw_token_kind kinds[] = {SW_TOKEN_TIME, SW_TOKEN_TIMESTAMP, SW_TOKEN_TIMESTAMPTZ};
    int64_t micros;
    if (field->unit <= 1000000 && field->kind != SW_ARROW_TIME && (value == INT64_MAX || value == -INT64_MAX)) { /* DuckDB's infinities; in nanoseconds the number is one of the year 2262 */
        micros = value > 0 ? INT64_MAX : INT64_MIN;
        return native(slot, &micros, sizeof micros, kinds[field->kind - SW_ARROW_TIME]);
    }
    if (to_microseconds(&micros, value, field->unit))
        return native(slot, &micros, sizeof micros, kinds[field->kind - SW_ARROW_TIME]);
    if (field->unit < 1000000000)
        return (struct sw_token){.kind = SW_TOKEN_ABSENT}; /* beyond what any calendar here reaches */
    size_t begin = text->len;
    add_nanoseconds(text, field, value);
    return written_token(slot, in_text, text, begin, SW_TOKEN_TEXT);
}

/* A decimal of at most 18 digits, as most are, is a native value. */
static bool short_decimal(struct sw_token *out, struct sw_row_slot *slot, const uint8_t *bytes, unsigned width, int32_t scale)
{
    static const int64_t limit = INT64_C(1000000000000000000);
    int64_t low, high = 0;
    if (scale < 0 || scale > SW_ANY_SCALED_DIGITS_MAX || (width != 8 && width != 16))
        return false;
    memcpy(&low, bytes, sizeof low);
    if (width == 16)
        memcpy(&high, bytes + 8, sizeof high);
    if (low <= -limit || low >= limit || (width == 16 && high != (low < 0 ? -1 : 0)))
        return false;
    *slot = (struct sw_row_slot){low, scale};
    *out = (struct sw_token){(const uint8_t *)slot, sizeof *slot, SW_TOKEN_DECIMAL, false};
    return true;
}

static struct sw_token nested_token(struct sw_row_slot *slot, bool *in_text, struct sw_buffer *text, const struct ArrowArray *array, const struct sw_arrow_field *field, int64_t at)
{
    size_t begin = text->len;
    enum sw_token_kind kind = SW_TOKEN_ARRAY;
    struct sw_token number;
    if (field->kind == SW_ARROW_DECIMAL && !field->unsigned_wide && short_decimal(&number, slot, (const uint8_t *)array->buffers[1] + (size_t)at * field->width, field->width, field->scale))
        return number;
    if (field->kind == SW_ARROW_DECIMAL) {
        add_decimal(text, (const uint8_t *)array->buffers[1] + (size_t)at * field->width, field->width, field->scale, field->unsigned_wide);
        kind = SW_TOKEN_NUMBER;
    } else if (field->kind == SW_ARROW_STRUCT) {
        write_struct(text, array, field, at);
        kind = SW_TOKEN_OBJECT;
    } else if (field->kind == SW_ARROW_MAP) {
        write_map(text, array, field, at);
        kind = SW_TOKEN_OBJECT;
    } else {
        write_list(text, array, field, at);
    }
    return written_token(slot, in_text, text, begin, kind);
}

/* What has no native token, as text. */
static struct sw_token spelled_token(struct sw_row_slot *slot, bool *in_text, struct sw_buffer *text, const struct ArrowArray *array, const struct sw_arrow_field *field, int64_t at)
{
    size_t begin = text->len;
    bool padded;
    if (field->kind == SW_ARROW_BITS)
        add_bits(text, bytes_at(&padded, array, field, at));
    else if (field->kind == SW_ARROW_TIME_TZ)
        add_time_tz(text, (uint64_t)number_at(array->buffers[1], field->width, false, at));
    else
        add_interval(text, (const uint8_t *)array->buffers[1] + (size_t)at * field->width, field->width);
    return written_token(slot, in_text, text, begin, SW_TOKEN_TEXT);
}

/* The value of a union is that of the member it has. */
static bool union_value(struct sw_token *out, struct sw_row_slot *slot, bool *in_text, struct sw_buffer *text, const struct ArrowArray *array, const struct sw_arrow_field *field, int64_t at)
{
    int8_t member = ((const int8_t *)array->buffers[0])[at];
    int64_t row = field->dense ? number_at(array->buffers[1], 4, true, at) : at;
    for (uint32_t i = 0; i < field->child_count; i++)
        if (field->members[i] == member)
            return sw_arrow_value(out, slot, in_text, text, array->children[i], &field->children[i], row);
    *out = (struct sw_token){.kind = SW_TOKEN_NULL};
    return true;
}

bool sw_arrow_value(struct sw_token *out, struct sw_row_slot *slot, bool *in_text, struct sw_buffer *text, const struct ArrowArray *array, const struct sw_arrow_field *field, int64_t row)
{
    int64_t at = array->offset + row, number;
    *in_text = false;
    if (is_null(array, field, at)) {
        *out = (struct sw_token){.kind = SW_TOKEN_NULL};
        return true;
    }
    if (field->values)
        return sw_arrow_value(out, slot, in_text, text, array->dictionary, field->values, number_at(array->buffers[1], field->width, field->kind == SW_ARROW_SIGNED, at));
    float single;
    uint16_t bits;
    switch (field->kind) {
    case SW_ARROW_NULL: break;
    case SW_ARROW_BOOLEAN: *out = (struct sw_token){.kind = ((const uint8_t *)array->buffers[1])[at / 8] >> (at % 8) & 1 ? SW_TOKEN_TRUE : SW_TOKEN_FALSE}; break;
    case SW_ARROW_BOOL8: *out = (struct sw_token){.kind = ((const uint8_t *)array->buffers[1])[at] ? SW_TOKEN_TRUE : SW_TOKEN_FALSE}; break;
    case SW_ARROW_SIGNED:
        number = number_at(array->buffers[1], field->width, true, at);
        *out = native(slot, &number, sizeof number, SW_TOKEN_INT64);
        break;
    case SW_ARROW_UNSIGNED:
        number = number_at(array->buffers[1], field->width, false, at);
        *out = native(slot, &number, sizeof number, SW_TOKEN_UINT64);
        break;
    case SW_ARROW_HALF:
        memcpy(&bits, (const uint8_t *)array->buffers[1] + at * 2, sizeof bits);
        single = half(bits);
        *out = native(slot, &single, sizeof single, SW_TOKEN_FLOAT32);
        break;
    case SW_ARROW_FLOAT: *out = native(slot, (const uint8_t *)array->buffers[1] + at * 4, 4, SW_TOKEN_FLOAT32); break;
    case SW_ARROW_DOUBLE: *out = native(slot, (const uint8_t *)array->buffers[1] + at * 8, 8, SW_TOKEN_FLOAT64); break;
    case SW_ARROW_TEXT:
    case SW_ARROW_BYTES: *out = text_token(slot, in_text, text, array, field, at); break;
    case SW_ARROW_DATE:
        number = floor_divide(number_at(array->buffers[1], field->width, true, at), field->unit);
        if (field->width == 4 && (number == INT32_MAX || number == -INT32_MAX)) /* beyond every calendar: DuckDB's infinities */
            number = number > 0 ? INT64_MAX : INT64_MIN;
        *out = native(slot, &number, sizeof number, SW_TOKEN_DATE);
        break;
    case SW_ARROW_TIME:
    case SW_ARROW_TIMESTAMP:
    case SW_ARROW_TIMESTAMPTZ: *out = time_token(slot, in_text, text, field, number_at(array->buffers[1], field->width, true, at)); break;
    case SW_ARROW_BITS:
    case SW_ARROW_TIME_TZ:
    case SW_ARROW_INTERVAL: *out = spelled_token(slot, in_text, text, array, field, at); break;
    case SW_ARROW_UNION: return union_value(out, slot, in_text, text, array, field, at);
    default: *out = nested_token(slot, in_text, text, array, field, at); break;
    }
    return !text->failed;
}
