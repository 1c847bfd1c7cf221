/* Usual values as canonical bytes, written to raw memory: what sw_value_encode gives, or nothing. For straight.c. Tokens are followed by
 * SW_STRAIGHT_TOKEN_PADDING readable bytes, and `to` by as many that may be written beyond the value. */
#ifndef SW_FORMAT_STRAIGHT_VALUE_H
#define SW_FORMAT_STRAIGHT_VALUE_H

#include "base/word.h"
#include "format/straight/plan.h"
#include "model/value_any.h"

#define SW_STRAIGHT_TOKEN_PADDING 32

/* Bytes of a text, 32 at a time: up to 31 more than it has are written. */
static inline uint8_t *sw_straight__copy(uint8_t *to, const uint8_t *from, size_t len)
{
    uint8_t *end = to + len;
    do {
        uint64_t words[4]; /* in registers: `to` and `from` do not overlap, but the compiler cannot know */
        memcpy(words, from, sizeof words);
        memcpy(to, words, sizeof words);
        from += sizeof words;
        to += sizeof words;
    } while (to < end);
    return end;
}

/* The same, eight at a time; NULL if one of them is NUL. */
static inline uint8_t *sw_straight__copy_checked(uint8_t *to, const uint8_t *from, size_t len)
{
    uint64_t nuls = 0;
    for (; len >= 8; len -= 8, from += 8, to += 8) {
        uint64_t word = sw_word_load(from);
        nuls |= (word - SW_ANY__ONES) & ~word;
        sw_word_store(to, word);
    }
    uint64_t word = sw_word_load(from) & sw_word_mask(len), filled = word | ~sw_word_mask(len);
    nuls |= (filled - SW_ANY__ONES) & ~filled;
    sw_word_store(to, word);
    return nuls & SW_ANY__HIGHS ? NULL : to + len;
}

/* Text as under `any`, behind `tag`. */
static inline uint8_t *sw_straight__text(uint8_t *to, struct sw_token token, uint8_t tag, bool nul_free)
{
    *to = tag;
    to = nul_free ? sw_straight__copy(to + 1, token.at, token.len) : sw_straight__copy_checked(to + 1, token.at, token.len);
    if (!to)
        return NULL;
    to[0] = to[1] = 0;
    return to + 2;
}

static inline uint8_t *sw_straight__fixed(uint8_t *to, const struct sw_straight_column *column, struct sw_token token)
{
    bool minus = *token.at == '-';
    uint64_t magnitude, half = UINT64_C(1) << (column->bits - 1);
    if (!sw_word_digits(&magnitude, token.at + minus, (size_t)token.len - minus))
        return NULL;
    if (magnitude > half - 1 + (column->is_signed ? (uint64_t)minus : half) || (minus && !column->is_signed))
        return NULL;
    uint64_t bits = (minus ? 0 - magnitude : magnitude) ^ (column->is_signed ? half : 0);
    sw_word_store(to, sw_word_big_endian(bits << (64 - column->bits)));
    return to + column->bits / 8;
}

/* A number that a database handed out as one. */
static inline uint8_t *sw_straight__native(uint8_t *to, struct sw_token token)
{
    bool negative;
    uint64_t magnitude;
    unsigned scale;
    return sw_any_scaled_of(&negative, &magnitude, &scale, token) ? to + sw_any_scaled_encode(to, negative, magnitude, scale) : NULL;
}

/* Digits with a point among them, as most decimals are written: an optional '-', 1 to 18 digits, one point that is neither first nor last. */
static inline uint8_t *sw_straight__decimal(uint8_t *to, struct sw_token token)
{
    const uint8_t *at = token.at, *end = at + token.len, *point = NULL;
    bool minus = token.len && *at == '-';
    uint64_t number = 0;
    at += minus;
    if (end - at < 3 || end - at > SW_ANY_SCALED_DIGITS_MAX + 1)
        return NULL;
    const uint8_t *first = at;
    for (; at < end; at++) {
        unsigned digit = (unsigned)*at - '0';
        if (digit > 9) {
            if (*at != '.' || point || at == first || at + 1 == end)
                return NULL;
            point = at;
        } else {
            number = number * 10 + digit;
        }
    }
    return point ? to + sw_any_scaled_encode(to, minus, number, (unsigned)(end - point - 1)) : NULL;
}

/* NULL: it is none of those that are usual. Always inline: most callers know the way, and a call for each value is a tenth of what the straight way saves. */
__attribute__((always_inline)) static inline uint8_t *sw_straight__value(uint8_t *to, const struct sw_straight_column *column, struct sw_token token, bool nul_free)
{
    bool text = token.kind == SW_TOKEN_TEXT && !token.escaped, truth = token.kind == SW_TOKEN_TRUE || token.kind == SW_TOKEN_FALSE;
    switch ((enum sw_straight_way)column->way) {
    case SW_STRAIGHT_ANY:
        if (text)
            return sw_straight__text(to, token, SW_ANY_TEXT, nul_free);
        if (truth) {
            *to = token.kind == SW_TOKEN_TRUE ? SW_ANY_TRUE : SW_ANY_FALSE;
            return to + 1;
        }
        if (token.kind != SW_TOKEN_NUMBER)
            return sw_straight__native(to, token);
        break;
    case SW_STRAIGHT_TEXT: return text ? sw_straight__copy(to, token.at, token.len) : NULL;
    case SW_STRAIGHT_INTEGER:
    case SW_STRAIGHT_DECIMAL:
        if (!text && token.kind != SW_TOKEN_NUMBER) /* a decimal may be none that is whole */
            return column->way == SW_STRAIGHT_INTEGER && token.kind == SW_TOKEN_DECIMAL ? NULL : sw_straight__native(to, token);
        break;
    case SW_STRAIGHT_FIXED: return text || token.kind == SW_TOKEN_NUMBER ? sw_straight__fixed(to, column, token) : NULL;
    case SW_STRAIGHT_BOOLEAN:
        *to = token.kind == SW_TOKEN_TRUE;
        return truth ? to + 1 : NULL;
    default: return NULL;
    }
    size_t len = sw_any_padded_integer_encode(to, sw_bytes_of(token.at, token.len));
    return len ? to + len : column->way == SW_STRAIGHT_INTEGER ? NULL : sw_straight__decimal(to, token);
}

/* The same as a column of a key. */
static inline uint8_t *sw_straight__key_value(uint8_t *to, const struct sw_straight_column *column, struct sw_token token, bool nul_free)
{
    enum { MARK_VALUE = 1 };    /* sw_key_column_add */
    switch ((enum sw_straight_way)column->way) {
    case SW_STRAIGHT_TEXT: return token.kind == SW_TOKEN_TEXT && !token.escaped ? sw_straight__text(to, token, MARK_VALUE, nul_free) : NULL;
    case SW_STRAIGHT_FIXED:
    case SW_STRAIGHT_BOOLEAN: *to++ = MARK_VALUE; break;
    default: break;
    }
    return sw_straight__value(to, column, token, nul_free);
}

/* Does the value that begins at `at` end a key with a text, whose end need not be told? (sw_key_end) */
static inline bool sw_straight__ends_with_text(const uint8_t *at, const struct sw_straight_column *column)
{
    return column->way == SW_STRAIGHT_TEXT || (column->way == SW_STRAIGHT_ANY && *at == SW_ANY_TEXT);
}

#endif
