/* Exact numbers: integer, intN, uintN, decimal, and the numbers inside `any`. The tagged form is described in model/value_any.h. */
#include "model/value.h"

#include <endian.h>

#include "text/json_write.h"

#define EXPONENT_SATURATED INT64_C(1000000000000) /* larger than any exponent that a text of 4 GiB could balance */
#define ZEROS_PLAIN_MAX 40                        /* a number that would need more zeros is written with an exponent */

static size_t digit_run(struct sw_bytes text, size_t from)
{
    size_t at = from;
    while (at < text.len && (unsigned)text.at[at] - '0' <= 9)
        at++;
    return at - from;
}

enum sw_number_status sw_number__parse(struct sw_number *out, struct sw_bytes text, bool json)
{
    size_t at = 0;
    *out = (struct sw_number){0};
    if (at < text.len && (text.at[at] == '-' || (!json && text.at[at] == '+')))
        out->negative = text.at[at++] == '-';
    out->first = text.at + at;
    out->first_len = digit_run(text, at);
    at += out->first_len;
    if (json && (out->first_len == 0 || (out->first_len > 1 && out->first[0] == '0')))
        return SW_NUMBER_NONE;
    out->second = text.at + at;
    if (at < text.len && text.at[at] == '.') {
        at++;
        out->second = text.at + at;
        out->second_len = digit_run(text, at);
        at += out->second_len;
        if (json && out->second_len == 0)
            return SW_NUMBER_NONE;
    }
    if (out->first_len + out->second_len == 0)
        return SW_NUMBER_NONE;
    int64_t exponent = 0;
    if (at < text.len && (text.at[at] | 0x20) == 'e') {
        at++;
        bool below = at < text.len && text.at[at] == '-';
        at += at < text.len && (text.at[at] == '-' || text.at[at] == '+');
        size_t digits = digit_run(text, at);
        if (digits == 0)
            return SW_NUMBER_NONE;
        for (size_t end = at + digits; at < end; at++)
            if (exponent < EXPONENT_SATURATED)
                exponent = exponent * 10 + (text.at[at] - '0');
        if (below)
            exponent = -exponent;
    }
    if (at != text.len)
        return SW_NUMBER_NONE;

    while (out->first_len && *out->first == '0')
        out->first++, out->first_len--;
    int64_t point = (int64_t)out->first_len;
    while (out->second_len && out->second[out->second_len - 1] == '0')
        out->second_len--;
    if (out->first_len == 0)
        for (; out->second_len && *out->second == '0'; point--)
            out->second++, out->second_len--;
    if (out->second_len == 0)
        while (out->first_len && out->first[out->first_len - 1] == '0')
            out->first_len--;
    if (out->first_len + out->second_len == 0) {
        out->negative = false;
        return SW_NUMBER_OK;
    }
    out->point = point + exponent;
    return out->point - 1 > SW_VALUE_EXPONENT_MAX || out->point - 1 < -SW_VALUE_EXPONENT_MAX ? SW_NUMBER_FAR : SW_NUMBER_OK;
}

bool sw_number__encode(struct sw_buffer *out, const struct sw_number *number)
{
    size_t count = sw_number__digit_count(number);
    size_t half = (size_t)(number->point & 1); /* an odd point leaves the first pair half empty */
    int64_t exponent = (number->point + (int64_t)half) / 2;
    size_t pairs = (count + half + 1) / 2;
    if (!sw_buffer_reserve(out, pairs + 4))
        return false;
    uint8_t *start = out->at + out->len, *at = start;
    if (count == 0) {
        *at = SW_ANY_ZERO;
        out->len++;
        return true;
    }
    int tag = SW_ANY_NUMBER + (int)exponent;
    *at++ = 0;
    if (exponent < SW_ANY_E_MIN || exponent > SW_ANY_E_MAX) {
        tag = exponent < 0 ? SW_ANY_TINY : SW_ANY_HUGE;
        uint32_t biased = (uint32_t)(exponent + SW_ANY_EXPONENT_BIAS);
        *at++ = (uint8_t)(biased >> 16);
        *at++ = (uint8_t)(biased >> 8);
        *at++ = (uint8_t)biased;
    }
    size_t digit = 0;
    for (size_t i = 0; i < pairs; i++) {
        unsigned high = i == 0 && half ? 0 : sw_number__digit(number, digit++);
        unsigned low = digit < count ? sw_number__digit(number, digit++) : 0;
        *at++ = (uint8_t)(2 * (high * 10 + low) + 1);
    }
    at[-1] ^= 1;
    if (number->negative) {
        tag = SW_ANY_NEGATIVE(tag);
        for (uint8_t *byte = start + 1; byte < at; byte++)
            *byte = (uint8_t)~*byte;
    }
    *start = (uint8_t)tag;
    out->len += (size_t)(at - start);
    return true;
}

/* What a tagged number says before its digits. False if `bytes` does not begin with a number. `head` counts tag and exponent. */
static bool read_head(struct sw_bytes bytes, bool *negative, int64_t *exponent, size_t *head, bool *digits)
{
    if (bytes.len == 0 || bytes.at[0] < SW_ANY_NUMBER_FIRST || bytes.at[0] > SW_ANY_NUMBER_LAST)
        return false;
    *negative = bytes.at[0] < SW_ANY_ZERO;
    int tag = *negative ? SW_ANY_NEGATIVE(bytes.at[0]) : bytes.at[0];
    *head = 1;
    *exponent = 0;
    *digits = false;
    if (tag == SW_ANY_ZERO || tag == SW_ANY_INFINITY || tag == SW_ANY_NAN)
        return !(tag == SW_ANY_NAN && *negative);
    *digits = true;
    if (tag >= SW_ANY_NUMBER + SW_ANY_E_MIN && tag <= SW_ANY_NUMBER + SW_ANY_E_MAX) {
        *exponent = tag - SW_ANY_NUMBER;
        return true;
    }
    if ((tag != SW_ANY_TINY && tag != SW_ANY_HUGE) || bytes.len < 4)
        return false;
    uint32_t invert = *negative ? 0xffffff : 0;
    *exponent = (int64_t)(((uint32_t)bytes.at[1] << 16 | (uint32_t)bytes.at[2] << 8 | bytes.at[3]) ^ invert) - SW_ANY_EXPONENT_BIAS;
    *head = 4;
    return true;
}

size_t sw_number__length(struct sw_bytes bytes)
{
    bool negative, digits;
    int64_t exponent;
    size_t at;
    if (!read_head(bytes, &negative, &exponent, &at, &digits))
        return 0;
    if (!digits)
        return at;
    uint8_t last = negative; /* the low bit of the last pair */
    for (; at < bytes.len; at++) {
        if ((bytes.at[at] ^ (negative ? 0xffu : 0u)) >= 200)
            return 0;
        if ((bytes.at[at] & 1) == last)
            return at + 1;
    }
    return 0;
}

static uint8_t *put_digits(uint8_t *at, const uint8_t *digits, size_t count)
{
    for (size_t i = 0; i < count; i++)
        *at++ = (uint8_t)('0' + digits[i]);
    return at;
}

static uint8_t *put_zeros(uint8_t *at, int64_t count)
{
    for (; count > 0; count--)
        *at++ = '0';
    return at;
}

size_t sw_number__layout(uint8_t *out, bool negative, const uint8_t *digits, size_t count, int64_t point, bool plain)
{
    uint8_t *at = out;
    if (negative)
        *at++ = '-';
    if (!plain) {
        at = put_digits(at, digits, 1);
        if (count > 1) {
            *at++ = '.';
            at = put_digits(at, digits + 1, count - 1);
        }
        int64_t exponent = point - 1;
        *at++ = 'e';
        if (exponent < 0)
            *at++ = '-';
        uint8_t reversed[20];
        size_t len = 0;
        for (uint64_t left = (uint64_t)(exponent < 0 ? -exponent : exponent); left || len == 0; left /= 10)
            reversed[len++] = (uint8_t)('0' + left % 10);
        while (len)
            *at++ = reversed[--len];
    } else if (point <= 0) {
        *at++ = '0';
        *at++ = '.';
        at = put_zeros(at, -point);
        at = put_digits(at, digits, count);
    } else if ((uint64_t)point >= count) {
        at = put_digits(at, digits, count);
        at = put_zeros(at, point - (int64_t)count);
    } else {
        at = put_digits(at, digits, (size_t)point);
        *at++ = '.';
        at = put_digits(at, digits + point, count - (size_t)point);
    }
    return (size_t)(at - out);
}

bool sw_number__write_natural(struct sw_buffer *out, struct sw_bytes tagged)
{
    enum { PAIRS_MAX = 10 };
    if (tagged.len < 2 || tagged.at[0] <= SW_ANY_NUMBER || tagged.at[0] > SW_ANY_NUMBER + PAIRS_MAX)
        return false;
    size_t pairs = (size_t)tagged.at[0] - SW_ANY_NUMBER, stored = tagged.len - 1;
    if (stored > pairs || !sw_buffer_reserve(out, 2 * PAIRS_MAX))
        return false;
    uint8_t *begin = out->at + out->len, *to = begin;
    for (size_t i = 1; i <= stored; i++) {
        unsigned byte = tagged.at[i], pair = byte / 2;
        if (byte >= 200 || (byte & 1) != (i < stored)) /* the low bit: more follow */
            return false;
        *to = (uint8_t)('0' + pair / 10);
        to += i > 1 || pair >= 10; /* no zero in front */
        *to++ = (uint8_t)('0' + pair % 10);
    }
    to = put_zeros(to, 2 * (int64_t)(pairs - stored));
    out->len += (size_t)(to - begin);
    return true;
}

void sw_number__write(struct sw_buffer *out, struct sw_bytes tagged)
{
    if (sw_number__write_natural(out, tagged))
        return;
    bool negative, has_digits;
    int64_t exponent;
    size_t head;
    size_t len = sw_number__length(tagged);
    if (len == 0 || !read_head(tagged, &negative, &exponent, &head, &has_digits))
        return;
    if (!has_digits) {
        sw_buffer_add_text(out, tagged.at[0] == SW_ANY_ZERO ? "0" : tagged.at[0] == SW_ANY_NAN ? "\"NaN\"" : negative ? "\"-Infinity\"" : "\"Infinity\"");
        return;
    }
    /* The digits wait behind the place where the text will end: one buffer, however many they are. */
    size_t room = 2 * (len - head) + SW_NUMBER_LAYOUT_MORE;
    if (!sw_buffer_reserve(out, 2 * room))
        return;
    uint8_t *digits = out->at + out->len + room;
    size_t count = 0;
    for (size_t i = head; i < len; i++) {
        unsigned pair = (tagged.at[i] ^ (negative ? 0xffu : 0u)) >> 1;
        digits[count++] = (uint8_t)(pair / 10);
        digits[count++] = (uint8_t)(pair % 10);
    }
    int64_t point = 2 * exponent;
    if (digits[0] == 0) {
        digits++;
        count--;
        point--;
    }
    if (count > 1 && digits[count - 1] == 0)
        count--;
    int64_t zeros = point <= 0 ? -point : point > (int64_t)count ? point - (int64_t)count : 0;
    out->len += sw_number__layout(out->at + out->len, negative, digits, count, point, zeros <= ZEROS_PLAIN_MAX);
}

static bool whole(const struct sw_number *number) { return number->point >= (int64_t)sw_number__digit_count(number); }

enum sw_value_status sw_number__encode_exact(struct sw_buffer *out, const struct sw_type *type, struct sw_token token, struct sw_value_scratch *scratch)
{
    bool integer = type->kind == SW_TYPE_INTEGER;
    bool truth = token.kind == SW_TOKEN_TRUE || token.kind == SW_TOKEN_FALSE;
    const char *expected = integer && truth ? "an integer (--type 'COLUMN=boolean' takes 1 and 0 for true and false)" : integer ? "an integer" : "a decimal number, NaN or an infinity";
    struct sw_bytes text;
    enum sw_value_status status = sw_value__scalar(&text, expected, token, scratch);
    if (status != SW_VALUE_OK)
        return status;
    if (!sw_buffer_reserve(out, SW_ANY_INTEGER_MAX))
        return SW_VALUE_NO_MEMORY;
    size_t len = sw_any_integer_encode(out->at + out->len, text);
    if (len) {
        out->len += len;
        return SW_VALUE_OK;
    }
    struct sw_number number;
    switch (sw_number__parse(&number, text, false)) {
    case SW_NUMBER_FAR: return sw_value__invalid(scratch, "a number of at most 1000000 places on either side of the point", token);
    case SW_NUMBER_OK:
        if (integer && !whole(&number))
            return sw_value__invalid(scratch, expected, token);
        return sw_number__encode(out, &number) ? SW_VALUE_OK : SW_VALUE_NO_MEMORY;
    case SW_NUMBER_NONE: break;
    }
    if (!integer && token.kind == SW_TOKEN_TEXT)
        switch (sw_value__special(text)) {
        case SW_SPECIAL_NONE: break;
        case SW_SPECIAL_NAN: sw_buffer_add_byte(out, SW_ANY_NAN); return SW_VALUE_OK;
        case SW_SPECIAL_INFINITY: sw_buffer_add_byte(out, SW_ANY_INFINITY); return SW_VALUE_OK;
        case SW_SPECIAL_NEGATIVE_INFINITY: sw_buffer_add_byte(out, SW_ANY_NEGATIVE(SW_ANY_INFINITY)); return SW_VALUE_OK;
        }
    return sw_value__invalid(scratch, expected, token);
}

struct integer_kind {
    unsigned bits;
    bool is_signed;
    const char *expected;
};

static struct integer_kind integer_kind(enum sw_type_kind kind)
{
    switch (kind) {
    case SW_TYPE_INT8: return (struct integer_kind){8, true, "int8 (-128 to 127)"};
    case SW_TYPE_INT16: return (struct integer_kind){16, true, "int16 (-32768 to 32767)"};
    case SW_TYPE_INT32: return (struct integer_kind){32, true, "int32 (-2147483648 to 2147483647)"};
    case SW_TYPE_UINT8: return (struct integer_kind){8, false, "uint8 (0 to 255)"};
    case SW_TYPE_UINT16: return (struct integer_kind){16, false, "uint16 (0 to 65535)"};
    case SW_TYPE_UINT32: return (struct integer_kind){32, false, "uint32 (0 to 4294967295)"};
    case SW_TYPE_UINT64: return (struct integer_kind){64, false, "uint64 (0 to 18446744073709551615)"};
    default: return (struct integer_kind){64, true, "int64 (-9223372036854775808 to 9223372036854775807)"};
    }
}

/* Reads -?[0-9]{1,18} at once; anything else goes the long way. */
static bool short_integer(struct sw_bytes text, bool *negative, uint64_t *magnitude)
{
    *negative = text.len && text.at[0] == '-';
    size_t at = *negative;
    if (text.len - at - 1 >= 18) /* none, or more than 18 */
        return false;
    uint64_t value = 0;
    for (; at < text.len; at++) {
        unsigned digit = (unsigned)text.at[at] - '0';
        if (digit > 9)
            return false;
        value = value * 10 + digit;
    }
    *magnitude = value;
    return true;
}

static bool long_integer(struct sw_bytes text, bool *negative, uint64_t *magnitude)
{
    struct sw_number number;
    if (sw_number__parse(&number, text, false) != SW_NUMBER_OK || !whole(&number) || number.point > 20)
        return false;
    uint64_t value = 0;
    size_t count = sw_number__digit_count(&number);
    for (size_t i = 0; i < (size_t)number.point; i++)
        if (__builtin_mul_overflow(value, 10u, &value) || __builtin_add_overflow(value, i < count ? sw_number__digit(&number, i) : 0u, &value))
            return false;
    *negative = number.negative;
    *magnitude = value;
    return true;
}

enum sw_value_status sw_integer__encode(struct sw_buffer *out, const struct sw_type *type, struct sw_token token, struct sw_value_scratch *scratch)
{
    struct integer_kind kind = integer_kind(type->kind);
    struct sw_bytes text;
    enum sw_value_status status = sw_value__scalar(&text, kind.expected, token, scratch);
    if (status != SW_VALUE_OK)
        return status;
    bool negative;
    uint64_t magnitude;
    if (!short_integer(text, &negative, &magnitude) && !long_integer(text, &negative, &magnitude))
        return sw_value__invalid(scratch, kind.expected, token);
    uint64_t half = UINT64_C(1) << (kind.bits - 1); /* the size of the lowest signed value, and the sign bit */
    bool fits = negative ? magnitude == 0 || ((kind.is_signed || type->wrap) && magnitude <= half)
                         : magnitude <= (kind.is_signed ? half - 1 : half - 1 + half);
    if (!fits)
        return sw_value__invalid(scratch, kind.expected, token);
    uint64_t bits = (negative ? 0 - magnitude : magnitude) ^ (kind.is_signed ? half : 0);
    if (!sw_buffer_reserve(out, 8))
        return SW_VALUE_NO_MEMORY;
    uint64_t big_endian = htobe64(bits << (64 - kind.bits));
    memcpy(out->at + out->len, &big_endian, 8);
    out->len += kind.bits / 8;
    return SW_VALUE_OK;
}

void sw_integer__write(struct sw_buffer *out, const struct sw_type *type, struct sw_bytes canonical)
{
    struct integer_kind kind = integer_kind(type->kind);
    if (canonical.len != kind.bits / 8)
        return;
    uint64_t bits = 0;
    for (size_t i = 0; i < canonical.len; i++)
        bits = bits << 8 | canonical.at[i];
    uint64_t half = UINT64_C(1) << (kind.bits - 1);
    if (!kind.is_signed)
        sw_json_write_number_u64(out, bits);
    else if (bits >= half)
        sw_json_write_number_u64(out, bits - half);
    else
        sw_json_write_number_i64(out, -1 - (int64_t)(half - 1 - bits));
}
