#include "source/file/cut.h"
#include "source/file/cut_mask.h"

/* A word in which a quote stands where none may open or close a field: parity does not hold there. */
static uint64_t ends_byte_by_byte(struct sw_cut *cut, const uint8_t *at, unsigned count)
{
    uint64_t ends = 0;
    for (unsigned i = 0; i < count; i++)
        ends |= (uint64_t)sw_cut_byte(cut, at[i]) << i;
    return ends;
}

static uint64_t plain_ends(struct sw_cut *cut, struct sw_word word, const uint8_t *at, unsigned count)
{
    uint8_t last = at[count - 1];
    cut->place = last == '\n' || last == cut->delimiter ? SW_CSV_FIELD_BEGIN : SW_CSV_FIELD_PLAIN;
    return sw_word_equal(word, '\n') & sw_mask_below(count);
}

/* The record ends among the `count` bytes at `at`, and the state behind them. */
static uint64_t ends_of(struct sw_cut *cut, const uint8_t *at, unsigned count)
{
    struct sw_word word = sw_word_load(at);
    if (cut->escape) /* escapes are rare: a word without one is seen at once */
        return cut->place == SW_CSV_FIELD_ESCAPED || (sw_word_equal(word, cut->escape) & sw_mask_below(count)) ? ends_byte_by_byte(cut, at, count) : plain_ends(cut, word, at, count);
    uint64_t here = sw_mask_below(count), quotes = sw_word_equal(word, cut->quote) & here, newlines = sw_word_equal(word, '\n') & here;
    bool inside = cut->place == SW_CSV_FIELD_QUOTED;
    if (!quotes && inside)
        return 0;
    if (quotes) {
        uint64_t quoted = sw_mask_parity(quotes) ^ (inside ? ~(uint64_t)0 : 0);
        uint64_t opening = quotes & quoted, closing = quotes & ~quoted;
        uint64_t breaks = newlines | (sw_word_equal(word, cut->delimiter) & here);
        /* a quote opens at the begin of a field, or again right after it closed: then the two are one quote */
        uint64_t may_open = (breaks | closing) << 1 | (cut->place == SW_CSV_FIELD_BEGIN || cut->place == SW_CSV_FIELD_QUOTE);
        if (opening & ~may_open)
            return ends_byte_by_byte(cut, at, count);
        newlines &= ~quoted;
        if (quoted >> (count - 1) & 1) {
            cut->place = SW_CSV_FIELD_QUOTED;
            return newlines;
        }
        if (closing >> (count - 1) & 1) {
            cut->place = SW_CSV_FIELD_QUOTE;
            return newlines;
        }
    }
    uint8_t last = at[count - 1];
    cut->place = last == '\n' || last == cut->delimiter ? SW_CSV_FIELD_BEGIN : SW_CSV_FIELD_PLAIN;
    return newlines;
}

size_t sw_cut_scan_csv(struct sw_cut *cut, const uint8_t *at, size_t from, size_t len, bool first)
{
    size_t end = 0;
    while (from < len) {
        unsigned count = len - from < 64 ? (unsigned)(len - from) : 64;
        uint64_t ends = ends_of(cut, at + from, count);
        if (ends && first) {
            cut->place = SW_CSV_FIELD_BEGIN;
            return from + (unsigned)__builtin_ctzll(ends) + 1;
        }
        if (ends)
            end = from + 64 - (unsigned)__builtin_clzll(ends);
        from += count;
    }
    return end;
}
