/* Where records end. The rules are those of source/source.h; all that is carried from block to block stands in struct sw_cut.
 *
 * Bytes are looked at once, 64 at a time, in masks with a bit a byte. sw_cut_byte says the same rules byte by byte: it is
 * the reference the tests compare with, and takes the few words in which CSV breaks its own rules. */
#ifndef SW_SOURCE_FILE_CUT_H
#define SW_SOURCE_FILE_CUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/source.h"
#include "text/csv_rule.h"

/* Initialise with sw_cut_begin, at the first byte of the first record: after the '[' of an array. */
struct sw_cut {
    enum sw_framing framing;
    uint8_t quote, delimiter;     /* CSV */
    uint8_t escape;               /* CSV: 0 = none; else there are no quotes. Set after sw_cut_begin */
    enum sw_csv_place place;      /* CSV */
    bool in_string, escaped;      /* JSON */
    uint64_t depth;               /* JSON: open brackets; the array's own is not one of them */
    uint64_t records;             /* JSON: record ends so far */
    bool closed;                  /* ARRAY: its ']' was seen … */
    size_t after_array;           /* … and this is the index after it, in the buffer of that call */
};

void sw_cut_begin(struct sw_cut *cut, enum sw_framing framing, char quote, char delimiter);

/* Looks at at[from … len), which follows what was looked at before; at[0] is the first byte of a record. SW_BLOCK_PADDING bytes after the end
 * must be readable. Returns the index after the last record end that it finds, 0 for none. ARRAY and VALUES are rewritten in place.
 * With `first`, it stops at the first record end, so that the bytes after it count as not looked at; and at[0] may be the middle of a record. */
size_t sw_cut_scan(struct sw_cut *cut, uint8_t *at, size_t from, size_t len, bool first);

/* Whether an input that ends here is not finished: in quotes, in brackets, or before the ']' of the array. */
bool sw_cut_unfinished(const struct sw_cut *cut);

/* The rules for one byte. True if a record ends with it. (Of an array, a comma or ']' after no element is not told from one after an element.) */
bool sw_cut_byte(struct sw_cut *cut, uint8_t byte);

/* Of each framing that needs more than newlines. */
size_t sw_cut_scan_csv(struct sw_cut *cut, const uint8_t *at, size_t from, size_t len, bool first);
size_t sw_cut_scan_json(struct sw_cut *cut, uint8_t *at, size_t from, size_t len, bool first);

#endif
