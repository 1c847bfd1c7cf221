#include <stdio.h>
#include <string.h>

#include "order/order.h"

/* One byte of length, then the number big-endian without leading zeros: memcmp orders by size, and no version is a prefix of another. */
static void put(struct sw_order_key *out, uint64_t number)
{
    unsigned len = number ? (unsigned)(71 - __builtin_clzll(number)) / 8 : 0;
    out->version[0] = (uint8_t)len;
    for (unsigned i = 0; i < len; i++)
        out->version[1 + i] = (uint8_t)(number >> (8 * (len - 1 - i)));
    out->version_len = (uint16_t)(1 + len);
    out->space_len = 0;
}

static enum sw_order_status invalid(struct sw_order_key *out, const uint8_t *at, size_t len)
{
    snprintf(out->problem, sizeof out->problem, "a version is an integer from 0 to 18446744073709551615; found %.*s%s", (int)(len < 40 ? len : 40),
             (const char *)at, len > 40 ? "…" : "");
    return SW_ORDER_INVALID;
}

static enum sw_order_status read_digits(struct sw_order_key *out, const uint8_t *at, size_t len)
{
    uint64_t number = 0;
    size_t i = 0;
    if (len == 0 || len > 20)
        return invalid(out, at, len);
    for (; i < len && i < 19; i++) {
        if ((uint8_t)(at[i] - '0') > 9)
            return invalid(out, at, len);
        number = number * 10 + (uint64_t)(at[i] - '0');
    }
    if (i < len) { /* the twentieth digit may overflow */
        if ((uint8_t)(at[i] - '0') > 9 || __builtin_mul_overflow(number, 10u, &number) || __builtin_add_overflow(number, (uint64_t)(at[i] - '0'), &number))
            return invalid(out, at, len);
    }
    put(out, number);
    return SW_ORDER_OK;
}

static enum sw_order_status encode(struct sw_order_key *out, const struct sw_token *fields)
{
    switch (fields[0].kind) {
    case SW_TOKEN_ABSENT:
    case SW_TOKEN_NULL:
        return SW_ORDER_NO_POSITION;
    case SW_TOKEN_NUMBER:
    case SW_TOKEN_TEXT:
        return read_digits(out, fields[0].at, fields[0].len);
    default:
        return invalid(out, fields[0].at, fields[0].len);
    }
}

static enum sw_order_status parse(struct sw_order_key *out, struct sw_bytes text) { return read_digits(out, text.at, text.len); }

static void print(struct sw_buffer *out, struct sw_bytes version)
{
    uint64_t number = 0;
    for (size_t i = 1; i < version.len; i++)
        number = number << 8 | version.at[i];
    sw_buffer_printf(out, "%llu", (unsigned long long)number);
}

static const struct sw_order_field fields[] = {{"version", "an integer from 0 to 18446744073709551615", true}};

const struct sw_order sw_order_integer = {
    .name = "integer",
    .summary = "one integer a record, larger is newer",
    .rule = "Every record carries one integer from 0 to 2^64-1; of the records of a key the one with the largest integer is the newest. All records share one space.",
    .tie = "equal integers with different contents are a conflict, which blocks the key even if a larger integer exists",
    .source = "ours: the rule of the bounded lab, widened to 64 bits",
    .not_promised = "that the integer comes from the source's log, or that none is missing: nothing numbers the events one by one",
    .fields = fields,
    .field_count = 1,
    .encode = encode,
    .parse = parse,
    .print = print,
};
