#include "reconcile/rounding.h"

#include <string.h>

#define DIGITS_MAX 80u

/* A number times 10^6, as digits without a point; what it has behind those. */
struct scaled {
    bool negative;
    size_t fraction;               /* digits behind the point, without zeros at the end */
    size_t count;
    uint8_t digits[DIGITS_MAX];    /* all of them, padded so that there are at least SW_ROUNDING_DIGITS - 1 behind the point */
};

static bool scale(struct scaled *out, struct sw_bytes text)
{
    size_t at = 0, whole;
    *out = (struct scaled){.negative = text.len && text.at[0] == '-'};
    at += out->negative;
    for (; at < text.len && text.at[at] >= '0' && text.at[at] <= '9'; at++) {
        if (out->count == DIGITS_MAX / 2)
            return false;
        out->digits[out->count++] = (uint8_t)(text.at[at] - '0');
    }
    whole = out->count;
    if (!whole)
        return false;
    if (at < text.len && text.at[at] == '.')
        for (at++; at < text.len && text.at[at] >= '0' && text.at[at] <= '9'; at++) {
            if (out->count == DIGITS_MAX - SW_ROUNDING_DIGITS)
                return false;
            out->digits[out->count++] = (uint8_t)(text.at[at] - '0');
        }
    while (out->count > whole && out->digits[out->count - 1] == 0)
        out->count--;
    out->fraction = out->count - whole;
    while (out->count < whole + SW_ROUNDING_DIGITS - 1)
        out->digits[out->count++] = 0;
    return at == text.len;
}

/* Adds one to the last of `count` digits. False: it does not fit. */
static bool add_one(uint8_t *digits, size_t count)
{
    while (count > 0 && digits[count - 1] == 9)
        digits[--count] = 0;
    if (!count)
        return false;
    digits[count - 1]++;
    return true;
}

/* Are the first `a_count` digits those of b, but for zeros in front? */
static bool same(const uint8_t *a, size_t a_count, const uint8_t *b, size_t b_count)
{
    for (; a_count && *a == 0; a++)
        a_count--;
    for (; b_count && *b == 0; b++)
        b_count--;
    return a_count == b_count && memcmp(a, b, a_count) == 0;
}

uint32_t sw_rounding_find(struct sw_bytes a, struct sw_bytes b)
{
    struct scaled from, to;
    uint32_t found = 0;
    if (!scale(&from, a) || !scale(&to, b) || from.negative != to.negative)
        return 0;
    size_t from_behind = from.fraction > SW_ROUNDING_DIGITS - 1 ? from.fraction : SW_ROUNDING_DIGITS - 1;
    size_t to_behind = to.fraction > SW_ROUNDING_DIGITS - 1 ? to.fraction : SW_ROUNDING_DIGITS - 1;
    for (size_t digits = 0; digits < SW_ROUNDING_DIGITS && digits < from.fraction; digits++) {
        uint8_t rounded[DIGITS_MAX + 1] = {0};
        size_t from_count = from.count - from_behind + digits, to_count = to.count - to_behind + digits;
        if (to.fraction > digits)
            continue;
        memcpy(rounded + 1, from.digits, from_count);
        found |= same(rounded, from_count + 1, to.digits, to_count) ? 1u << (digits + 16) : 0;
        if (from.digits[from_count] < 5 || add_one(rounded, from_count + 1))
            found |= same(rounded, from_count + 1, to.digits, to_count) ? 1u << digits : 0;
    }
    return found;
}
