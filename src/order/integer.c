#include "order/integer.h"

#include <stdio.h>
#include <string.h>

#include "order/order.h"

static void put(struct sw_order_key *out, uint64_t number)
{
    out->version_len = (uint16_t)sw_integer_version_put(out->version, number);
    out->space_len = out->base_len = 0;
    out->named = false;
}

#define DIGITS_MAX 77 /* 10^77 is less than 2^256 */
#define LIMBS 8
#define VERSION_FORM "an integer from 0 on, of up to 77 digits"

static enum sw_order_status invalid(struct sw_order_key *out, const uint8_t *at, size_t len)
{
    const char *quote = !len || memchr(at, ' ', len) ? "\"" : ""; /* nothing, or a blank, is seen in quotes alone */
    snprintf(out->problem, sizeof out->problem, "a version is " VERSION_FORM "; found %s%.*s%s%s", quote, (int)(len < 40 ? len : 40),
             (const char *)at, len > 40 ? "…" : "", quote);
    return SW_ORDER_INVALID;
}

/* Numbers of more than 64 bits: AR_H_CHANGE_SEQ of AWS DMS and Qlik Replicate has 35 digits, a sequence number of Kinesis 56. */
static enum sw_order_status read_wide(struct sw_order_key *out, const uint8_t *at, size_t len)
{
    uint32_t limbs[LIMBS] = {0}; /* the lowest first */
    if (len > DIGITS_MAX)
        return invalid(out, at, len);
    for (size_t i = 0; i < len; i++) {
        uint64_t carry = (unsigned)at[i] - '0';
        if (carry > 9)
            return invalid(out, at, len);
        for (size_t limb = 0; limb < LIMBS; limb++) {
            carry += (uint64_t)limbs[limb] * 10;
            limbs[limb] = (uint32_t)carry;
            carry >>= 32;
        }
    }
    put(out, 0);
    for (size_t byte = 4 * LIMBS; byte-- > 0;) {
        uint8_t value = (uint8_t)(limbs[byte / 4] >> 8 * (byte % 4));
        if (value || out->version[0])
            out->version[1 + out->version[0]++] = value;
    }
    out->version_len = (uint16_t)(1 + out->version[0]);
    return SW_ORDER_OK;
}

static enum sw_order_status read_digits(struct sw_order_key *out, const uint8_t *at, size_t len)
{
    uint64_t number = 0;
    unsigned bad = 0;
    while (len > 20 && *at == '0') /* GoldenGate fills up to 23 digits */
        at++, len--;
    if (len == 0)
        return invalid(out, at, len);
    if (len > 20)
        return read_wide(out, at, len);
    size_t i = 0;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    for (; len - i >= 4 && i < 16; i += 4) { /* four digits in one go: pairs, then the pair of pairs */
        uint32_t word;
        memcpy(&word, at + i, 4);
        word ^= 0x30303030u;
        bad |= (word | (word + 0x76767676u)) & 0x80808080u;
        word = (word * 10 + (word >> 8)) & 0x00ff00ffu;
        number = number * 10000 + ((word & 0xffu) * 100 + (word >> 16));
    }
#endif
    for (; i < len && i < 19; i++) {
        unsigned digit = (unsigned)at[i] - '0';
        bad |= digit > 9;
        number = number * 10 + digit;
    }
    if (bad)
        return invalid(out, at, len);
    if (len == 20) { /* the twentieth digit may overflow */
        unsigned digit = (unsigned)at[19] - '0';
        if (digit > 9)
            return invalid(out, at, len);
        if (__builtin_mul_overflow(number, 10u, &number) || __builtin_add_overflow(number, digit, &number))
            return read_wide(out, at, len);
    }
    put(out, number);
    return SW_ORDER_OK;
}

static enum sw_order_status encode(struct sw_order_key *out, const struct sw_order_record *record)
{
    const struct sw_token *fields = record->fields;
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

static void print_wide(struct sw_buffer *out, struct sw_bytes version)
{
    uint32_t limbs[LIMBS] = {0};
    char digits[DIGITS_MAX + 1];
    size_t at = sizeof digits;
    for (size_t i = version.len - 1, byte = 0; i >= 1 && byte < 4 * LIMBS; i--, byte++)
        limbs[byte / 4] |= (uint32_t)version.at[i] << 8 * (byte % 4);
    for (size_t left = LIMBS; left && at;) {
        uint64_t rest = 0;
        for (size_t limb = left; limb-- > 0;) {
            rest = rest << 32 | limbs[limb];
            limbs[limb] = (uint32_t)(rest / 10);
            rest %= 10;
        }
        digits[--at] = (char)('0' + rest);
        while (left && !limbs[left - 1])
            left--;
    }
    sw_buffer_add(out, digits + at, sizeof digits - at);
}

static void print(struct sw_buffer *out, struct sw_bytes version, struct sw_bytes space)
{
    (void)space;
    uint64_t number = 0;
    if (version.len > 1 + sizeof number) {
        print_wide(out, version);
        return;
    }
    for (size_t i = 1; i < version.len; i++)
        number = number << 8 | version.at[i];
    sw_buffer_add_decimal(out, number);
}

static const struct sw_order_field fields[] = {{"version", VERSION_FORM, SW_ORDER_REQUIRED}};

const struct sw_order sw_order_integer = {
    .name = "integer",
    .summary = "one integer a record, larger is newer",
    .rule = "Every record carries one integer from 0 on, of up to 77 digits (AR_H_CHANGE_SEQ of AWS DMS has 35, a sequence number of Kinesis 56); of the records of a key the one with the largest integer is the newest. All records share one space.",
    .tie = "equal integers with different contents are a conflict, which blocks the key even if a larger integer exists",
    .source = "ours: the rule of the bounded lab, widened to what pipelines number their changes with",
    .not_promised = "that the integer comes from the source's log, or that none is missing: nothing numbers the events one by one",
    .position = "an integer",
    .fields = fields,
    .field_count = 1,
    .encode = encode,
    .parse = parse,
    .print = print,
};
