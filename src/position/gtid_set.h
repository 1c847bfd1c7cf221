/* MySQL's global transaction identifiers: one (uuid, tag, number), and sets of them.
 *
 * A set is a sorted list of sources (uuid and tag), each with sorted, disjoint intervals that do not touch, so two sets
 * are equal exactly if their lists are. All operations are one merge over both lists: linear. */
#ifndef SW_POSITION_GTID_SET_H
#define SW_POSITION_GTID_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "position/position.h"

#define SW_GTID_TAG_MAX 32
#define SW_GTID_NUMBER_MAX ((uint64_t)INT64_MAX)
#define SW_GTID_INTERVALS_MAX ((size_t)1 << 22)

/* One transaction. The tag is folded to lower case; tag_len 0 = untagged. */
struct sw_gtid {
    uint8_t uuid[16];
    uint8_t tag_len;
    char tag[SW_GTID_TAG_MAX];
    uint64_t number; /* 1 to 2^63-1 */
};

/* "UUID:NUMBER" or "UUID:TAG:NUMBER", without blanks. False, and *out untouched, for anything else. No allocation. */
bool sw_gtid_parse(struct sw_gtid *out, const uint8_t *at, size_t len);

struct sw_gtid_interval {
    uint64_t first, last; /* closed */
};

struct sw_gtid_source {
    uint8_t uuid[16];
    uint8_t tag_len;
    char tag[SW_GTID_TAG_MAX];
    size_t begin, count; /* its intervals; count > 0 */
};

/* Zero-initialised: the empty set. */
struct sw_gtid_set {
    struct sw_gtid_source *sources;
    size_t source_count, source_capacity;
    struct sw_gtid_interval *intervals;
    size_t interval_count, interval_capacity;
};

/* Reads the grammar of MySQL 8.3 and later, as leniently as older servers do: blanks and line breaks anywhere between
 * tokens, empty items, a UUID without intervals, intervals in any order, overlapping, or empty (5-3). Sets bits of
 * *notes (may be NULL) for what a reader should know. On failure *out is the empty set. */
enum sw_code sw_gtid_set_parse(struct sw_gtid_set *out, struct sw_bytes text, uint32_t *notes, struct sw_error *error);
void sw_gtid_set_free(struct sw_gtid_set *set);
void sw_gtid_set_print(struct sw_buffer *out, const struct sw_gtid_set *set);
/* At most `most` intervals, then "and N more". */
void sw_gtid_set_print_some(struct sw_buffer *out, const struct sw_gtid_set *set, size_t most);

/* `out` is another object than `a` and `b`; on failure it is the empty set. */
enum sw_code sw_gtid_set_unite(struct sw_gtid_set *out, const struct sw_gtid_set *a, const struct sw_gtid_set *b, struct sw_error *error);
enum sw_code sw_gtid_set_subtract(struct sw_gtid_set *out, const struct sw_gtid_set *a, const struct sw_gtid_set *b, struct sw_error *error);
enum sw_code sw_gtid_set_intersect(struct sw_gtid_set *out, const struct sw_gtid_set *a, const struct sw_gtid_set *b, struct sw_error *error);
/* The part of `set` whose UUIDs are (or, if `exclude`, are not) among `uuids`. */
enum sw_code sw_gtid_set_restrict(struct sw_gtid_set *out, const struct sw_gtid_set *set, const uint8_t (*uuids)[16], size_t count, bool exclude, struct sw_error *error);

bool sw_gtid_set_contains(const struct sw_gtid_set *a, const struct sw_gtid_set *b);
bool sw_gtid_set_has(const struct sw_gtid_set *set, const struct sw_gtid *gtid);
/* Transactions in the set; UINT64_MAX if there are more. */
uint64_t sw_gtid_set_count(const struct sw_gtid_set *set);
void sw_gtid_set_compare(struct sw_position_comparison *out, const struct sw_gtid_set *a, const struct sw_gtid_set *b);

/* The set of a mysql-gtid position. */
const struct sw_gtid_set *sw_gtid_set_of(const struct sw_position *position);

#endif
