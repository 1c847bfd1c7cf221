/* float64 and float32: the nearest value of the type, in eight or four bytes whose order is that of the numbers.
 *
 * Short numbers are exact by one multiplication or division (Clinger 1990: a mantissa and a power of ten that the type holds
 * exactly give a correctly rounded result); the rest goes through the C library under the C locale. */
#include "model/value.h"

#include <endian.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/c_locale.h"

static bool fast(double *out, const struct sw_number *number, bool single)
{
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD == 0
    static const double power[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    size_t count = sw_number__digit_count(number);
    int64_t exponent = number->point - (int64_t)count;
    int64_t exponent_max = single ? 10 : 22;
    if (count > 16 || exponent > exponent_max || exponent < -exponent_max)
        return false;
    uint64_t mantissa = 0;
    for (size_t i = 0; i < count; i++)
        mantissa = mantissa * 10 + sw_number__digit(number, i);
    if (mantissa > (single ? UINT64_C(1) << 24 : UINT64_C(1) << 53))
        return false;
    if (single) {
        float value = (float)mantissa;
        value = exponent < 0 ? value / (float)power[-exponent] : value * (float)power[exponent];
        *out = (double)value;
    } else {
        double value = (double)mantissa;
        *out = exponent < 0 ? value / power[-exponent] : value * power[exponent];
    }
    if (number->negative)
        *out = -*out;
    return true;
#else
    (void)out, (void)number, (void)single;
    return false;
#endif
}

/* `text` is known to be a number. */
static enum sw_value_status slow(double *out, struct sw_bytes text, bool single, struct sw_value_scratch *scratch)
{
    char room[64];
    char *copy = room;
    if (text.len < sizeof room) {
        memcpy(room, text.at, text.len);
        room[text.len] = '\0';
    } else {
        if (text.at != scratch->text.at) {
            sw_buffer_clear(&scratch->text);
            sw_buffer_add_bytes(&scratch->text, text);
        }
        copy = scratch->text.len == text.len ? sw_buffer_text(&scratch->text) : NULL;
    }
    locale_t locale = sw_c_locale();
    if (!copy || locale == (locale_t)0)
        return SW_VALUE_NO_MEMORY;
    *out = single ? (double)strtof_l(copy, NULL, locale) : strtod_l(copy, NULL, locale);
    return SW_VALUE_OK;
}

void sw_float__add(struct sw_buffer *out, double value, bool single)
{
    uint64_t bits;
    if (value != value) {
        bits = single ? UINT64_C(0xffc00000) << 32 : UINT64_C(0xfff8000000000000); /* above +infinity, whatever its sign and payload were */
    } else {
        value += 0.0; /* -0 becomes 0 */
        float narrow = (float)value;
        uint32_t narrow_bits;
        memcpy(&narrow_bits, &narrow, 4);
        memcpy(&bits, &value, 8);
        if (single)
            bits = (uint64_t)narrow_bits << 32;
        bits = bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
    }
    bits = htobe64(bits);
    sw_buffer_add(out, &bits, single ? 4 : 8);
}

enum sw_value_status sw_float__encode(struct sw_buffer *out, const struct sw_type *type, struct sw_token token, struct sw_value_scratch *scratch)
{
    bool single = type->kind == SW_TYPE_FLOAT32;
    const char *expected = single ? "float32" : "float64";
    struct sw_bytes text;
    enum sw_value_status status = sw_value__scalar(&text, expected, token, scratch);
    if (status != SW_VALUE_OK)
        return status;
    struct sw_number number;
    double value;
    if (sw_number__parse(&number, text, false) == SW_NUMBER_OK) {
        if (!fast(&value, &number, single) && (status = slow(&value, text, single, scratch)) != SW_VALUE_OK)
            return status;
        if (value - value != 0) /* rounds to an infinity that nobody wrote */
            return sw_value__invalid(scratch, single ? "float32 (at most 3.4028235e38)" : "float64 (at most 1.7976931348623157e308)", token);
    } else {
        switch (token.kind == SW_TOKEN_TEXT ? sw_value__special(text) : SW_SPECIAL_NONE) {
        case SW_SPECIAL_NAN: value = (double)__builtin_nanf(""); break;
        case SW_SPECIAL_INFINITY: value = (double)__builtin_inff(); break;
        case SW_SPECIAL_NEGATIVE_INFINITY: value = -(double)__builtin_inff(); break;
        default: return sw_value__invalid(scratch, expected, token);
        }
    }
    sw_float__add(out, value, single);
    return SW_VALUE_OK;
}

/* The fewest digits that read back to `value`, and the place of the point; `value` is finite and above 0. Returns the number of digits. */
static size_t shortest_digits(uint8_t digits[17], int64_t *point, double value, bool single, locale_t locale)
{
    char text[32];
    for (int precision = 0; precision < 17; precision++) {
        locale_t before = uselocale(locale);
        snprintf(text, sizeof text, "%.*e", precision, value);
        uselocale(before);
        if (single ? strtof_l(text, NULL, locale) == (float)value : strtod_l(text, NULL, locale) == value)
            break;
    }
    size_t count = 0;
    const char *at = text;
    for (; *at != 'e'; at++)
        if (*at != '.')
            digits[count++] = (uint8_t)(*at - '0');
    *point = strtol(at + 1, NULL, 10) + 1;
    while (count > 1 && digits[count - 1] == 0)
        count--;
    return count;
}

bool sw_float__spell(struct sw_buffer *out, double value, bool single)
{
    if (value != value) {
        sw_buffer_add_text(out, "NaN");
        return false;
    }
    if (value - value != 0) {
        sw_buffer_add_text(out, value < 0 ? "-Infinity" : "Infinity");
        return false;
    }
    if (value == 0) {
        sw_buffer_add_byte(out, '0');
        return true;
    }
    locale_t locale = sw_c_locale();
    uint8_t digits[17];
    int64_t point;
    if (locale == (locale_t)0 || !sw_buffer_reserve(out, sizeof digits + SW_NUMBER_LAYOUT_MORE)) {
        out->failed = true;
        return true;
    }
    bool negative = value < 0;
    size_t count = shortest_digits(digits, &point, negative ? -value : value, single, locale);
    /* Plain between 1e-7 and 1e21, as ECMAScript prints numbers. */
    out->len += sw_number__layout(out->at + out->len, negative, digits, count, point, point > -6 && point <= 21);
    return true;
}

void sw_float__write(struct sw_buffer *out, const struct sw_type *type, struct sw_bytes canonical)
{
    bool single = type->kind == SW_TYPE_FLOAT32;
    if (canonical.len != (single ? 4u : 8u))
        return;
    uint64_t bits = 0;
    memcpy(&bits, canonical.at, canonical.len);
    bits = be64toh(bits);
    bool negative = !(bits >> 63);
    bits = negative ? ~bits : bits & ~(UINT64_C(1) << 63);
    double value;
    if (single) {
        float narrow;
        uint32_t narrow_bits = (uint32_t)(bits >> 32) & 0x7fffffff;
        memcpy(&narrow, &narrow_bits, 4);
        value = (double)narrow;
    } else {
        bits &= ~(UINT64_C(1) << 63);
        memcpy(&value, &bits, 8);
    }
    if (negative)
        value = -value;
    bool quoted = value != value || value - value != 0;
    if (quoted)
        sw_buffer_add_byte(out, '"');
    sw_float__spell(out, value, single);
    if (quoted)
        sw_buffer_add_byte(out, '"');
}
