/* 16 bytes at a time: SSE2, which every x86-64 machine has. */
#include <emmintrin.h>

#include "text/json_usual.h"
#include "text/kernel_set.h"

#define KERNEL sw_kernel_sse2
#define KERNEL_NAME "sse2"

static bool supported(void) { return true; }

static inline __m128i load(const uint8_t *at) { return _mm_loadu_si128((const __m128i *)(const void *)at); }

/* A bit for each of the next 16 bytes that is not plain. */
static inline unsigned special(const uint8_t *at)
{
    const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\'), control = _mm_set1_epi8(0x1f);
    __m128i bytes = load(at);
    return (unsigned)_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash)),
                                                    _mm_cmpeq_epi8(_mm_min_epu8(bytes, control), bytes)));
}

/* A bit for each of the next 16 bytes that is no digit. */
static inline unsigned no_digits(const uint8_t *at)
{
    const __m128i zero = _mm_set1_epi8('0'), nine = _mm_set1_epi8(9);
    __m128i digits = _mm_sub_epi8(load(at), zero);
    return ~(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(digits, nine), digits)) & 0xffff;
}

/* The first such byte among the next 16, or the byte behind them. */
static inline const uint8_t *string_end_near(const uint8_t *at) { return at + __builtin_ctz(special(at) | 1u << 16); }
static inline const uint8_t *digits_end_near(const uint8_t *at) { return at + __builtin_ctz(no_digits(at) | 1u << 16); }

static const uint8_t *string_end(const uint8_t *at, const uint8_t *end)
{
    for (; at < end; at += 16) {
        unsigned mask = special(at);
        if (mask) {
            at += __builtin_ctz(mask);
            return at < end ? at : end;
        }
    }
    return end;
}

static inline const uint8_t *digits_end(const uint8_t *at, const uint8_t *end)
{
    for (; at < end; at += 16) {
        unsigned others = no_digits(at);
        if (others) {
            at += __builtin_ctz(others);
            return at < end ? at : end;
        }
    }
    return end;
}

static const uint8_t *csv_end(const uint8_t *at, const uint8_t *end, uint8_t delimiter)
{
    const __m128i quote = _mm_set1_epi8('"'), comma = _mm_set1_epi8((char)delimiter), line = _mm_set1_epi8('\n'), cr = _mm_set1_epi8('\r');
    for (; at < end; at += 16) {
        __m128i bytes = load(at);
        __m128i hit = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, comma)),
                                   _mm_or_si128(_mm_cmpeq_epi8(bytes, line), _mm_cmpeq_epi8(bytes, cr)));
        unsigned mask = (unsigned)_mm_movemask_epi8(hit);
        if (mask) {
            at += __builtin_ctz(mask);
            return at < end ? at : end;
        }
    }
    return end;
}

static bool is_ascii(const uint8_t *at, const uint8_t *end)
{
    __m128i seen = _mm_setzero_si128();
    for (; end - at >= 64; at += 64)
        seen = _mm_or_si128(_mm_or_si128(_mm_or_si128(seen, load(at)), load(at + 16)), _mm_or_si128(load(at + 32), load(at + 48)));
    uint8_t rest = 0;
    while (at < end)
        rest |= *at++;
    return _mm_movemask_epi8(seen) == 0 && rest < 0x80;
}

/* Lies each of the next `run->len` bytes within its bounds? Both sides are followed by 64 readable ones. */
static inline bool fits(const uint8_t *at, const struct sw_json_run *run)
{
    const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\'), plain = _mm_set1_epi8(SW_JSON_PLAIN_LOW);
    __m128i outside = _mm_setzero_si128();
    for (size_t i = 0; i < run->len; i += 16) /* above low by more than the range */
        outside = _mm_or_si128(outside, _mm_subs_epu8(_mm_sub_epi8(load(at + i), load(run->low + i)), load(run->range + i)));
    for (size_t i = 0; run->plain && i < run->len; i += 16) {
        __m128i bytes = load(at + i), ends = _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash));
        outside = _mm_or_si128(outside, _mm_and_si128(ends, _mm_cmpeq_epi8(load(run->low + i), plain)));
    }
    return _mm_movemask_epi8(_mm_cmpeq_epi8(outside, _mm_setzero_si128())) == 0xffff;
}

/* The tokens of a run that begins at `at`. */
static inline void put_places(struct sw_token *tokens, const struct sw_json_run *run, const uint8_t *at)
{
    const __m128i base = _mm_set_epi64x(0, (long long)(uintptr_t)at);
    const struct sw_json_place *place = run->places;
    for (struct sw_token *end = tokens + run->place_count; tokens < end; tokens++, place++)
        _mm_storeu_si128((__m128i *)(void *)tokens, _mm_add_epi64(base, _mm_loadu_si128((const __m128i *)(const void *)place)));
}

#include "text/kernel_body.h"
