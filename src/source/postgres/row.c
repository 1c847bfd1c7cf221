/* Rows of a binary COPY: a count of fields in 2 bytes, then for each field its length in 4 bytes (-1: NULL) and its bytes, all numbers high byte first. */
#include "source/postgres/postgres.h"

#include <endian.h>
#include <stdio.h>
#include <string.h>

#include "model/value_any.h"

#define HEADER_BYTES 19u
static const uint8_t signature[] = {'P', 'G', 'C', 'O', 'P', 'Y', '\n', 0xff, '\r', '\n', 0};

#define DAYS_TO_2000 10957
#define US_TO_2000 ((int64_t)DAYS_TO_2000 * 86400 * 1000000)

static uint16_t get16(const uint8_t *at)
{
    uint16_t value;
    memcpy(&value, at, sizeof value);
    return be16toh(value);
}

static uint32_t get32(const uint8_t *at)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return be32toh(value);
}

static uint64_t get64(const uint8_t *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return be64toh(value);
}

static enum sw_code add(struct sw_block *block, const void *at, size_t len, struct sw_budget *budget, struct sw_error *error)
{
    if (block->capacity < block->len + len + SW_BLOCK_PADDING) {
        enum sw_code code = sw_source_room(block, (block->len + len) * 2, true, budget, error);
        if (code != SW_OK)
            return code;
    }
    memcpy(block->data + block->len, at, len);
    block->len += len;
    return SW_OK;
}

enum sw_code sw_postgres_take_chunk(struct sw_block *block, struct sw_postgres_copying *copying, struct sw_bytes chunk, uint32_t columns, size_t record_bytes_max, struct sw_budget *budget,
                                    struct sw_error *error)
{
    if (!copying->begun) {
        if (chunk.len < HEADER_BYTES || memcmp(chunk.at, signature, sizeof signature) != 0 || get32(chunk.at + 11) & 0xffff0000u)
            return sw_fail(error, SW_ERR_REMOTE, "the server's answer does not begin as a binary COPY does");
        uint32_t extension = get32(chunk.at + 15);
        if (extension > chunk.len - HEADER_BYTES)
            return sw_fail(error, SW_ERR_REMOTE, "the server's answer is cut in the header of its COPY");
        chunk = sw_bytes_of(chunk.at + HEADER_BYTES + extension, chunk.len - HEADER_BYTES - extension);
        copying->begun = true;
    }
    if (chunk.len == 0)
        return SW_OK;
    if (chunk.len == 2 && get16(chunk.at) == UINT16_MAX) {
        copying->ended = true;
        return SW_OK;
    }
    /* the server sends one row a message; whether it is whole is seen when it is taken apart */
    if (copying->ended || chunk.len < 2 || get16(chunk.at) != columns)
        return sw_fail(error, SW_ERR_REMOTE, "the server's answer holds something else than rows of %u columns", columns);
    bool too_long = chunk.len > record_bytes_max;
    uint64_t size = chunk.len;
    uint32_t len = too_long ? UINT32_MAX : (uint32_t)chunk.len;
    enum sw_code code = add(block, &len, sizeof len, budget, error);
    if (code == SW_OK)
        code = too_long ? add(block, &size, sizeof size, budget, error) : add(block, chunk.at, chunk.len, budget, error);
    block->rows += code == SW_OK;
    return code;
}

/* Appends up to four digits. */
static void add_group(struct sw_buffer *out, unsigned group, unsigned from, unsigned count)
{
    const char digits[4] = {(char)('0' + group / 1000 % 10), (char)('0' + group / 100 % 10), (char)('0' + group / 10 % 10), (char)('0' + group % 10)};
    sw_buffer_add(out, digits + from, count);
}

/* A numeric of at most 16 digits as the native token that it is: no text is made. False: it takes add_numeric. */
static bool short_numeric(struct sw_token *token, struct sw_row_slot *slot, struct sw_bytes value)
{
    static const int64_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000, 100000000000, 1000000000000, 10000000000000, 100000000000000,
                                     1000000000000000, 10000000000000000, 100000000000000000, 1000000000000000000};
    if (value.len < 8)
        return false;
    unsigned count = get16(value.at), sign = get16(value.at + 4), scale = get16(value.at + 6);
    int shift = 4 * ((int16_t)get16(value.at + 2) - (int)count + 1) + (int)scale; /* from the last group to the last digit that is shown */
    if (count - 1 >= 4 || value.len != 8 + 2 * (size_t)count || (sign != 0 && sign != 0x4000) || scale > SW_ANY_SCALED_DIGITS_MAX || shift < -3 || shift > SW_ANY_SCALED_DIGITS_MAX)
        return false;
    int64_t digits = 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned group = get16(value.at + 8 + 2 * i);
        if (group > 9999)
            return false;
        digits = digits * 10000 + group;
    }
    if (shift >= 0 && digits >= powers[SW_ANY_SCALED_DIGITS_MAX - shift])
        return false;
    digits = shift < 0 ? digits / powers[-shift] : digits * powers[shift];
    if (digits == 0)
        return false;
    *slot = (struct sw_row_slot){sign ? -digits : digits, scale};
    *token = (struct sw_token){(const uint8_t *)slot, sizeof *slot, SW_TOKEN_DECIMAL, false};
    return true;
}

#define PLAIN_GROUPS 16 /* on either side of the point: else an exponent is written */

/* numeric: groups of four digits, the weight of the first, sign, and how many digits of the fraction are shown. False if it is none. There is room in `out`. */
static bool add_numeric(struct sw_token *token, struct sw_buffer *out, struct sw_bytes value)
{
    if (value.len < 8)
        return false;
    unsigned count = get16(value.at), sign = get16(value.at + 4), scale = get16(value.at + 6);
    int weight = (int16_t)get16(value.at + 2);
    size_t from = out->len;
    token->kind = SW_TOKEN_TEXT;
    if (sign == 0xc000 || sign == 0xd000 || sign == 0xf000) {
        sw_buffer_add_text(out, sign == 0xc000 ? "NaN" : sign == 0xd000 ? "Infinity" : "-Infinity");
        goto done;
    }
    if (value.len != 8 + 2 * (size_t)count || (sign != 0 && sign != 0x4000))
        return false;
    for (unsigned i = 0; i < count; i++)
        if (get16(value.at + 8 + 2 * i) > 9999)
            return false;
    token->kind = SW_TOKEN_NUMBER;
    if (sign)
        sw_buffer_add_byte(out, '-');
    const uint8_t *groups = value.at + 8;
    if (count == 0) {
        sw_buffer_add_byte(out, '0');
    } else if (weight < PLAIN_GROUPS && weight >= -PLAIN_GROUPS && count <= 2 * PLAIN_GROUPS && scale <= 4 * 2 * PLAIN_GROUPS) {
        for (int i = 0; i <= weight; i++) {
            unsigned group = (unsigned)i < count ? get16(groups + 2 * i) : 0;
            unsigned skip = i ? 0 : group > 999 ? 0 : group > 99 ? 1 : group > 9 ? 2 : 3;
            add_group(out, group, skip, 4 - skip);
        }
        if (weight < 0)
            sw_buffer_add_byte(out, '0');
        if (scale)
            sw_buffer_add_byte(out, '.');
        for (unsigned shown = 0; shown < scale; shown += 4) {
            int i = weight + 1 + (int)(shown / 4);
            add_group(out, i >= 0 && (unsigned)i < count ? get16(groups + 2 * i) : 0, 0, scale - shown < 4 ? scale - shown : 4);
        }
    } else {
        unsigned first = get16(groups), skip = first > 999 ? 0 : first > 99 ? 1 : first > 9 ? 2 : 3;
        add_group(out, first, skip, 4 - skip);
        for (unsigned i = 1; i < count; i++)
            add_group(out, get16(groups + 2 * i), 0, 4);
        sw_buffer_printf(out, "e%d", 4 * (weight - (int)count + 1));
    }
done:
    token->at = out->at + from;
    token->len = (uint32_t)(out->len - from);
    return true;
}

static struct sw_token number(struct sw_row_slot *slot, int64_t value, enum sw_token_kind kind)
{
    slot->value = value;
    return (struct sw_token){(const uint8_t *)&slot->value, sizeof slot->value, (uint8_t)kind, false};
}

/* A time since 2000 as one since 1970. Beyond what microseconds since then hold (the year 294247), as text; there is room in `out`. */
static struct sw_token moment(struct sw_row_slot *slot, struct sw_buffer *out, int64_t since_2000, enum sw_token_kind kind)
{
    int64_t value = since_2000;
    if (value == INT64_MIN || value == INT64_MAX || !__builtin_add_overflow(since_2000, US_TO_2000, &value))
        return number(slot, value, kind);
    size_t from = out->len;
    int64_t day = INT64_C(86400000000), rest = since_2000 % day / 1000000, us = since_2000 % 1000000;
    (void)sw_value_spell(out, number(slot, since_2000 / day + DAYS_TO_2000, SW_TOKEN_DATE));
    sw_buffer_printf(out, "T%02d:%02d:%02d.%06d%s", (int)(rest / 3600), (int)(rest / 60 % 60), (int)(rest % 60), (int)us, kind == SW_TOKEN_TIMESTAMPTZ ? "Z" : "");
    return (struct sw_token){out->at + from, (uint32_t)(out->len - from), SW_TOKEN_TEXT, false};
}

/* False: the bytes are none of the type. */
static bool decode(struct sw_token *token, struct sw_row_slot *slot, struct sw_buffer *text, enum sw_postgres_decoder decoder, struct sw_bytes value)
{
    static const uint8_t sizes[] = {[SW_POSTGRES_BOOL] = 1, [SW_POSTGRES_INT2] = 2, [SW_POSTGRES_INT4] = 4, [SW_POSTGRES_INT8] = 8, [SW_POSTGRES_OID] = 4, [SW_POSTGRES_FLOAT4] = 4,
                                    [SW_POSTGRES_FLOAT8] = 8, [SW_POSTGRES_UUID] = 16, [SW_POSTGRES_DATE] = 4, [SW_POSTGRES_TIME] = 8, [SW_POSTGRES_TIMESTAMP] = 8,
                                    [SW_POSTGRES_TIMESTAMPTZ] = 8, [SW_POSTGRES_JSONB] = 0};
    if (sizes[decoder] && value.len != sizes[decoder])
        return false;
    *token = (struct sw_token){value.at, (uint32_t)value.len, SW_TOKEN_TEXT, false};
    switch (decoder) {
    case SW_POSTGRES_TEXT:
    case SW_POSTGRES_CAST:
    case SW_POSTGRES_ARRAY: return true;
    case SW_POSTGRES_BOOL: token->kind = *value.at ? SW_TOKEN_TRUE : SW_TOKEN_FALSE; return *value.at <= 1;
    case SW_POSTGRES_INT2: *token = number(slot, (int16_t)get16(value.at), SW_TOKEN_INT64); return true;
    case SW_POSTGRES_INT4: *token = number(slot, (int32_t)get32(value.at), SW_TOKEN_INT64); return true;
    case SW_POSTGRES_INT8: *token = number(slot, (int64_t)get64(value.at), SW_TOKEN_INT64); return true;
    case SW_POSTGRES_OID: *token = number(slot, get32(value.at), SW_TOKEN_INT64); return true;
    case SW_POSTGRES_FLOAT8: *token = number(slot, (int64_t)get64(value.at), SW_TOKEN_FLOAT64); return true;
    case SW_POSTGRES_FLOAT4: {
        uint32_t bits = get32(value.at);
        memcpy(&slot->value, &bits, sizeof bits);
        *token = (struct sw_token){(const uint8_t *)&slot->value, sizeof bits, SW_TOKEN_FLOAT32, false};
        return true;
    }
    case SW_POSTGRES_NUMERIC: return short_numeric(token, slot, value) || add_numeric(token, text, value);
    case SW_POSTGRES_BYTES: token->kind = SW_TOKEN_BYTES; return true;
    case SW_POSTGRES_UUID: token->kind = SW_TOKEN_UUID; return true;
    case SW_POSTGRES_DATE: {
        int32_t days = (int32_t)get32(value.at);
        *token = number(slot, days == INT32_MAX ? INT64_MAX : days == INT32_MIN ? INT64_MIN : (int64_t)days + DAYS_TO_2000, SW_TOKEN_DATE);
        return true;
    }
    case SW_POSTGRES_TIME: *token = number(slot, (int64_t)get64(value.at), SW_TOKEN_TIME); return true;
    case SW_POSTGRES_TIMESTAMP: *token = moment(slot, text, (int64_t)get64(value.at), SW_TOKEN_TIMESTAMP); return true;
    case SW_POSTGRES_TIMESTAMPTZ: *token = moment(slot, text, (int64_t)get64(value.at), SW_TOKEN_TIMESTAMPTZ); return true;
    case SW_POSTGRES_JSONB: /* one byte of version before the text */
        if (value.len < 1 || *value.at != 1)
            return false;
        token->at++;
        token->len--;
        return true;
    }
    return false;
}

bool sw_postgres_row_next(struct sw_token *tokens, struct sw_row_cursor *cursor, const void *ctx)
{
    const struct sw_postgres_shape *shape = ctx;
    const uint8_t *at = cursor->at;
    uint32_t len;
    memcpy(&len, at, sizeof len);
    at += sizeof len;
    cursor->row++;
    if (len == UINT32_MAX) {
        uint64_t size;
        memcpy(&size, at, sizeof size);
        cursor->at = at + sizeof size;
        snprintf(cursor->problem, sizeof cursor->problem, "a row of %llu bytes is longer than a record may be; --record-max raises it", (unsigned long long)size);
        return false;
    }
    const uint8_t *end = at + len;
    cursor->at = end;
    cursor->text.len = 0;
    /* numbers as text: two bytes a digit group become four digits, and what else a number takes; it must not move */
    if (!sw_buffer_reserve(&cursor->text, 2 * (size_t)len + (size_t)shape->columns.count * (16 * PLAIN_GROUPS + 32) + SW_BLOCK_PADDING))
        return false;
    at += 2;
    for (uint32_t i = 0; i < shape->columns.count; i++) {
        uint32_t field = end - at >= 4 ? get32(at) : 0;
        if (end - at < 4 || (field != UINT32_MAX && field > (size_t)(end - at) - 4)) {
            snprintf(cursor->problem, sizeof cursor->problem, "the row that the server sent is cut at the column %.80s", shape->columns.names[i]);
            return false;
        }
        at += 4;
        if (field == UINT32_MAX) {
            tokens[i + 1] = (struct sw_token){.kind = SW_TOKEN_NULL};
            continue;
        }
        if (!decode(&tokens[i + 1], &cursor->slots[i], &cursor->text, (enum sw_postgres_decoder)shape->decoders[i], sw_bytes_of(at, field))) {
            snprintf(cursor->problem, sizeof cursor->problem, "the %u bytes of the column %.80s have not the form of its type", field, shape->columns.names[i]);
            return false;
        }
        at += field;
    }
    if (at != end) {
        snprintf(cursor->problem, sizeof cursor->problem, "the row that the server sent is longer than its columns");
        return false;
    }
    return true;
}
