/* 32 bytes at a time: AVX2. */
#include <immintrin.h>

#include "text/json_usual.h"
#include "text/kernel_set.h"

#define KERNEL sw_kernel_avx2
#define KERNEL_NAME "avx2"

static bool supported(void) { return __builtin_cpu_supports("avx2") > 0; }

static inline __m256i load(const uint8_t *at) { return _mm256_loadu_si256((const __m256i *)(const void *)at); }

/* A bit for each of the next 32 bytes that is not plain. */
static inline unsigned special(const uint8_t *at)
{
    /* by the lower four bits of a byte: the only one that ends a text and has them, or one that has others */
    const __m256i ends = _mm256_broadcastsi128_si256(_mm_setr_epi8('"', '"', '"', '"', '"', '"', '"', '"', '"', '"', '"', '"', '\\', '"', '"', '"'));
    const __m256i control = _mm256_set1_epi8(0x1f);
    __m256i bytes = load(at);
    return (unsigned)_mm256_movemask_epi8(_mm256_or_si256(_mm256_cmpeq_epi8(bytes, _mm256_shuffle_epi8(ends, bytes)), _mm256_cmpeq_epi8(_mm256_min_epu8(bytes, control), bytes)));
}

/* A bit for each of the next 32 bytes that is no digit. */
static inline unsigned no_digits(const uint8_t *at)
{
    const __m256i zero = _mm256_set1_epi8('0'), nine = _mm256_set1_epi8(9);
    __m256i digits = _mm256_sub_epi8(load(at), zero);
    return ~(unsigned)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_min_epu8(digits, nine), digits));
}

/* The first such byte among the next 32, or the byte behind them. */
static inline const uint8_t *string_end_near(const uint8_t *at) { return at + __builtin_ctzll(special(at) | UINT64_C(1) << 32); }
static inline const uint8_t *digits_end_near(const uint8_t *at) { return at + __builtin_ctzll(no_digits(at) | UINT64_C(1) << 32); }

static const uint8_t *string_end(const uint8_t *at, const uint8_t *end)
{
    for (; at < end; at += 32) {
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
    for (; at < end; at += 32) {
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
    const __m256i quote = _mm256_set1_epi8('"'), comma = _mm256_set1_epi8((char)delimiter), line = _mm256_set1_epi8('\n'), cr = _mm256_set1_epi8('\r');
    for (; at < end; at += 32) {
        __m256i bytes = load(at);
        __m256i hit = _mm256_or_si256(_mm256_or_si256(_mm256_cmpeq_epi8(bytes, quote), _mm256_cmpeq_epi8(bytes, comma)),
                                   _mm256_or_si256(_mm256_cmpeq_epi8(bytes, line), _mm256_cmpeq_epi8(bytes, cr)));
        unsigned mask = (unsigned)_mm256_movemask_epi8(hit);
        if (mask) {
            at += __builtin_ctz(mask);
            return at < end ? at : end;
        }
    }
    return end;
}

static bool is_ascii(const uint8_t *at, const uint8_t *end)
{
    __m256i seen = _mm256_setzero_si256();
    for (; end - at >= 128; at += 128)
        seen = _mm256_or_si256(_mm256_or_si256(_mm256_or_si256(seen, load(at)), load(at + 32)), _mm256_or_si256(load(at + 64), load(at + 96)));
    uint8_t rest = 0;
    while (at < end)
        rest |= *at++;
    return _mm256_movemask_epi8(seen) == 0 && rest < 0x80;
}

/* Not 0 where a byte is above `low` by more than `range`. */
static inline __m256i outside(const uint8_t *at, const uint8_t *low, const uint8_t *range) { return _mm256_subs_epu8(_mm256_sub_epi8(load(at), load(low)), load(range)); }

static bool fits_far(const uint8_t *at, const struct sw_json_run *run, __m256i seen)
{
    const __m256i quote = _mm256_set1_epi8('"'), backslash = _mm256_set1_epi8('\\'), plain = _mm256_set1_epi8(SW_JSON_PLAIN_LOW);
    for (size_t i = SW_JSON_NEAR; i < run->len; i += 32)
        seen = _mm256_or_si256(seen, outside(at + i, run->low + i, run->range + i));
    for (size_t i = 0; run->plain && i < run->len; i += 32) {
        __m256i bytes = load(at + i), ends = _mm256_or_si256(_mm256_cmpeq_epi8(bytes, quote), _mm256_cmpeq_epi8(bytes, backslash));
        seen = _mm256_or_si256(seen, _mm256_and_si256(ends, _mm256_cmpeq_epi8(load(run->low + i), plain)));
    }
    return _mm256_testz_si256(seen, seen);
}

/* Lies each of the next `run->len` bytes within its bounds? They are followed by 64 readable ones. */
static inline bool fits(const uint8_t *at, const struct sw_json_run *run)
{
    __m256i seen = outside(at, run->near_low, run->near_range);
    if (run->near)
        return _mm256_testz_si256(seen, seen);
    return fits_far(at, run, seen);
}

/* The tokens of a run that begins at `at`, two at a time. */
static inline void put_places(struct sw_token *tokens, const struct sw_json_run *run, const uint8_t *at)
{
    const __m256i base = _mm256_set_epi64x(0, (long long)(uintptr_t)at, 0, (long long)(uintptr_t)at);
    const struct sw_json_place *place = run->places;
    for (struct sw_token *end = tokens + run->place_count; tokens < end; tokens += 2, place += 2)
        _mm256_storeu_si256((__m256i *)(void *)tokens, _mm256_add_epi64(base, _mm256_loadu_si256((const __m256i *)(const void *)place)));
}

#include "text/kernel_body.h"
