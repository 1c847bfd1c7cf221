/* A record on its way through the fold: one image of one key, as compact bytes.
 *
 * Written once when it is read, then moved, spilled and compared as bytes. The form is private to a run. */
#ifndef SW_MODEL_RECORD_H
#define SW_MODEL_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "model/value_any.h"
#include "model/varint.h"

enum sw_record_flag {
    SW_RECORD_VERSION = 1,      /* has a space and a version */
    SW_RECORD_IDENTITY = 2,
    SW_RECORD_TABLE = 4,        /* the table is not table 0 */
    SW_RECORD_DELETED = 8,      /* a tombstone, a delete, or a row flagged as deleted: no values */
    SW_RECORD_GAPS = 16,        /* some value is unavailable or unknown: equal bytes do not prove equal rows */
    SW_RECORD_UNREADABLE = 32,  /* stands for a bad record of this key: blocks it, has no image. With SW_CLAIM_LATER for one that is sound, and covered by the baseline against its own time */
    SW_RECORD_READ = 64,        /* a snapshot or backfill row among events */
    SW_RECORD_PARTIAL = 128     /* columns that it lacks keep what they were */
};

/* The role of a record that follows from another one (the removal of the old key where a key changes, a truncate seen by a key): it is folded as
 * an event is, and counted nowhere, since the record that was read is. */
#define SW_RECORD_ROLE_FOLLOWING 3

/* What an event says of the row that it replaces. It is no part of the event's content, and costs nothing where it says nothing. */
enum sw_record_claim {
    SW_CLAIM_ABSENT = 1,        /* there was no row: an insert */
    SW_CLAIM_LIVE = 2,          /* there was one: an update, or a delete */
    SW_CLAIM_IMAGE = 4,         /* and it showed these values (sw_claim_image) */
    SW_CLAIM_MOVED = 8,         /* the row had another key before (sw_claim_moved_from): what the image lacks is as it was there */
    SW_CLAIM_STEP = 16,         /* one half of a change of key, and which transaction it is of (sw_claim_step) */
    SW_CLAIM_HELD = 32,         /* what it says was held already (fold_large.c): of a row that a snapshot read, which has no claim to drop */
    SW_CLAIM_LATER = SW_CLAIM_LIVE /* of SW_RECORD_UNREADABLE alone, which claims nothing else */
};
#define SW_CLAIM_EXTRA (SW_CLAIM_IMAGE | SW_CLAIM_MOVED | SW_CLAIM_STEP)

/* An identity is a list of values in their tagged form. One that begins with `true` names the event among those of its key and position only, so
 * that nothing has to be held against the identities of other keys. */
static inline bool sw_identity_in_key(struct sw_bytes identity) { return identity.len && identity.at[0] == SW_ANY_TRUE; }

/* A record taken apart. Views point into the bytes. */
struct sw_record {
    uint8_t role;                  /* enum sw_role */
    uint8_t flags;
    uint8_t claim;                 /* enum sw_record_claim */
    uint32_t table, space, set;
    uint32_t input;                /* of all inputs of the run: those of the baseline first, then events, then expected */
    uint64_t block, line;          /* place: block of the input, line (or element) in the block, from 0 */
    struct sw_bytes key, version, identity;
    struct sw_bytes values;
    struct sw_bytes claimed;       /* of SW_CLAIM_EXTRA: see sw_claim_put */
    struct sw_bytes bytes;         /* all of it */
};

/* The form: a head of three bytes, table, key, place; then what makes two deliveries of one event the same: version, identity, values.
 *
 *     bits of the head    8 flags, 2 role, 3 input, 2 claim, 2 space, 3 set, 4 length of the version
 *     head                [table] key-length key [input] block line [claim claimed-length claimed]
 *     content             [space] [version-length] [set] version [identity-length identity] values
 *
 * Most records have few inputs, spaces and sets and a short version: a field of the head that is all ones says that the number stands, as a varint,
 * at its place in brackets. A table stands there if SW_RECORD_TABLE says so. What is no version has space 0 and length 0. */
enum sw_record_head {
    SW_RECORD_HEAD_BYTES = 3,
    SW_RECORD_ROLE_SHIFT = 8,
    SW_RECORD_INPUT_SHIFT = 10,
    SW_RECORD_CLAIM_SHIFT = 13,
    SW_RECORD_SPACE_SHIFT = 15,
    SW_RECORD_SET_SHIFT = 17,
    SW_RECORD_VERSION_SHIFT = 20,
    SW_RECORD_SMALL_MAX = 7,       /* all ones in a field of three bits */
    SW_RECORD_SPACE_MAX = 3,
    SW_RECORD_VERSION_MAX = 15,
    SW_RECORD_CLAIM_MORE = 3,      /* the claim stands behind the place */
    SW_RECORD_HEAD_CONTENT = 0xff80ff /* without role, input and claim: the part that belongs to the content */
};

static inline uint32_t sw_record__small(uint64_t number) { return number < SW_RECORD_SMALL_MAX ? (uint32_t)number : SW_RECORD_SMALL_MAX; }
static inline uint32_t sw_record__claim(uint8_t claim) { return claim < SW_RECORD_CLAIM_MORE ? claim : SW_RECORD_CLAIM_MORE; }

static inline uint32_t sw_record_head(const struct sw_record *record)
{
    size_t version = record->flags & SW_RECORD_VERSION ? record->version.len : 0;
    return record->flags | (uint32_t)record->role << SW_RECORD_ROLE_SHIFT | sw_record__small(record->input) << SW_RECORD_INPUT_SHIFT |
           sw_record__claim(record->claim) << SW_RECORD_CLAIM_SHIFT |
           (record->flags & SW_RECORD_VERSION ? (record->space < SW_RECORD_SPACE_MAX ? record->space : SW_RECORD_SPACE_MAX) << SW_RECORD_SPACE_SHIFT : 0) | sw_record__small(record->set) << SW_RECORD_SET_SHIFT |
           (uint32_t)(version < SW_RECORD_VERSION_MAX ? version : SW_RECORD_VERSION_MAX) << SW_RECORD_VERSION_SHIFT;
}

static inline uint8_t *sw_record_head_put(uint8_t *to, uint32_t head)
{
    to[0] = (uint8_t)head;
    to[1] = (uint8_t)(head >> 8);
    to[2] = (uint8_t)(head >> 16);
    return to + SW_RECORD_HEAD_BYTES;
}

static inline uint32_t sw_record_head_get(const uint8_t *at) { return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16; }

/* The exact number of bytes that sw_record_put writes. */
static inline size_t sw_record_size(const struct sw_record *record)
{
    size_t size = SW_RECORD_HEAD_BYTES + (record->flags & SW_RECORD_TABLE ? sw_varint_size(record->table) : 0) + sw_varint_size(record->key.len) + record->key.len +
                  (record->input < SW_RECORD_SMALL_MAX ? 0 : sw_varint_size(record->input)) + sw_varint_size(record->block) + sw_varint_size(record->line) +
                  (record->set < SW_RECORD_SMALL_MAX ? 0 : sw_varint_size(record->set)) + record->values.len;
    if (record->flags & SW_RECORD_VERSION)
        size += (record->space < SW_RECORD_SPACE_MAX ? 0 : sw_varint_size(record->space)) +
                (record->version.len < SW_RECORD_VERSION_MAX ? 0 : sw_varint_size(record->version.len)) + record->version.len;
    if (record->flags & SW_RECORD_IDENTITY)
        size += sw_varint_size(record->identity.len) + record->identity.len;
    if (record->claim >= SW_RECORD_CLAIM_MORE)
        size += 1 + sw_varint_size(record->claimed.len) + record->claimed.len;
    return size;
}

/* Writes a record. Returns the byte after it. */
static inline uint8_t *sw_record_put(uint8_t *to, const struct sw_record *record)
{
    to = sw_record_head_put(to, sw_record_head(record));
    if (record->flags & SW_RECORD_TABLE)
        to = sw_varint_put(to, record->table);
    to = sw_varint_put(to, record->key.len);
    sw_bytes_copy(to, record->key);
    to += record->key.len;
    if (record->input >= SW_RECORD_SMALL_MAX)
        to = sw_varint_put(to, record->input);
    to = sw_varint_put(to, record->block);
    to = sw_varint_put(to, record->line);
    if (record->claim >= SW_RECORD_CLAIM_MORE) {
        *to++ = record->claim;
        to = sw_varint_put(to, record->claimed.len);
        sw_bytes_copy(to, record->claimed);
        to += record->claimed.len;
    }
    if (record->flags & SW_RECORD_VERSION) {
        if (record->space >= SW_RECORD_SPACE_MAX)
            to = sw_varint_put(to, record->space);
        if (record->version.len >= SW_RECORD_VERSION_MAX)
            to = sw_varint_put(to, record->version.len);
    }
    if (record->set >= SW_RECORD_SMALL_MAX)
        to = sw_varint_put(to, record->set);
    if (record->flags & SW_RECORD_VERSION) {
        sw_bytes_copy(to, record->version);
        to += record->version.len;
    }
    if (record->flags & SW_RECORD_IDENTITY) {
        to = sw_varint_put(to, record->identity.len);
        sw_bytes_copy(to, record->identity);
        to += record->identity.len;
    }
    sw_bytes_copy(to, record->values);
    return to + record->values.len;
}

/* The table and key alone, and where the rest begins. */
static inline const uint8_t *sw_record_read_key(struct sw_record *out, struct sw_bytes bytes)
{
    const uint8_t *at = bytes.at;
    uint32_t head = sw_record_head_get(at);
    at += SW_RECORD_HEAD_BYTES;
    out->flags = (uint8_t)head;
    out->role = head >> SW_RECORD_ROLE_SHIFT & 3;
    out->claim = head >> SW_RECORD_CLAIM_SHIFT & SW_RECORD_CLAIM_MORE;
    out->table = head & SW_RECORD_TABLE ? (uint32_t)sw_varint_get(&at) : 0;
    out->key.len = sw_varint_get(&at);
    out->key.at = at;
    return at + out->key.len;
}

/* A number of the head, or the one that stands behind it. */
static inline uint32_t sw_record__number(uint32_t head, unsigned shift, uint32_t all_ones, const uint8_t **at)
{
    uint32_t number = head >> shift & all_ones;
    return __builtin_expect(number == all_ones, 0) ? (uint32_t)sw_varint_get(at) : number;
}

/* What the event says of the row before it. out->claim is what the head says of it. */
static inline void sw_record__read_claim(struct sw_record *out, const uint8_t **at)
{
    out->claimed = (struct sw_bytes){0};
    if (__builtin_expect(out->claim != SW_RECORD_CLAIM_MORE, 1))
        return;
    out->claim = *(*at)++;
    out->claimed.len = sw_varint_get(at);
    out->claimed.at = *at;
    *at += out->claimed.len;
}

/* The content of a record, as bytes. */
static inline struct sw_bytes sw_record_content(struct sw_bytes bytes)
{
    struct sw_record record;
    const uint8_t *at = sw_record_read_key(&record, bytes);
    (void)sw_record__number(sw_record_head_get(bytes.at), SW_RECORD_INPUT_SHIFT, SW_RECORD_SMALL_MAX, &at);
    (void)sw_varint_get(&at);
    (void)sw_varint_get(&at);
    sw_record__read_claim(&record, &at);
    return sw_bytes_of(at, (size_t)(bytes.at + bytes.len - at));
}

static inline void sw_record_read(struct sw_record *out, struct sw_bytes bytes)
{
    const uint8_t *at = sw_record_read_key(out, bytes);
    uint32_t head = sw_record_head_get(bytes.at);
    out->input = sw_record__number(head, SW_RECORD_INPUT_SHIFT, SW_RECORD_SMALL_MAX, &at);
    out->block = sw_varint_get(&at);
    out->line = sw_varint_get(&at);
    sw_record__read_claim(out, &at);
    out->space = sw_record__number(head, SW_RECORD_SPACE_SHIFT, SW_RECORD_SPACE_MAX, &at);
    out->version.len = sw_record__number(head, SW_RECORD_VERSION_SHIFT, SW_RECORD_VERSION_MAX, &at);
    out->set = sw_record__number(head, SW_RECORD_SET_SHIFT, SW_RECORD_SMALL_MAX, &at);
    out->version.at = at; /* nothing, if there is none */
    at += out->version.len;
    out->identity = (struct sw_bytes){0};
    if (head & SW_RECORD_IDENTITY) {
        out->identity.len = sw_varint_get(&at);
        out->identity.at = at;
        at += out->identity.len;
    }
    out->values = sw_bytes_of(at, (size_t)(bytes.at + bytes.len - at));
    out->bytes = bytes;
}

/* Appends to what is claimed: the image before (column set and values), the name of the transaction, and the key that the row had, in this order. */
static inline void sw_claim_put_image(struct sw_buffer *out, uint32_t set, struct sw_bytes values)
{
    if (!sw_buffer_reserve(out, 2 * SW_VARINT_MAX + values.len))
        return; /* the buffer remembers it */
    uint8_t *to = sw_varint_put(out->at + out->len, set);
    to = sw_varint_put(to, values.len);
    sw_bytes_copy(to, values);
    out->len = (size_t)(to + values.len - out->at);
}

static inline void sw_claim_put_step(struct sw_buffer *out, struct sw_bytes transaction)
{
    if (!sw_buffer_reserve(out, SW_VARINT_MAX + transaction.len))
        return;
    uint8_t *to = sw_varint_put(out->at + out->len, transaction.len);
    sw_bytes_copy(to, transaction);
    out->len = (size_t)(to + transaction.len - out->at);
}

static inline void sw_claim_put_moved_from(struct sw_buffer *out, struct sw_bytes key) { sw_buffer_add_bytes(out, key); }

/* The image that is claimed; where what is behind it begins. */
static inline const uint8_t *sw_claim_image(uint32_t *set, struct sw_bytes *values, const struct sw_record *record)
{
    const uint8_t *at = record->claimed.at;
    *set = 0;
    *values = (struct sw_bytes){0};
    if (!(record->claim & SW_CLAIM_IMAGE))
        return at;
    *set = (uint32_t)sw_varint_get(&at);
    values->len = sw_varint_get(&at);
    values->at = at;
    return at + values->len;
}

/* The transaction, empty without SW_CLAIM_STEP; where what is behind it begins. */
static inline const uint8_t *sw_claim_read_step(struct sw_bytes *out, const struct sw_record *record)
{
    uint32_t set;
    struct sw_bytes values;
    const uint8_t *at = sw_claim_image(&set, &values, record);
    *out = (struct sw_bytes){0};
    if (!(record->claim & SW_CLAIM_STEP))
        return at;
    out->len = sw_varint_get(&at);
    out->at = at;
    return at + out->len;
}

static inline struct sw_bytes sw_claim_step(const struct sw_record *record)
{
    struct sw_bytes transaction = {0};
    if (record->claim & SW_CLAIM_STEP)
        (void)sw_claim_read_step(&transaction, record);
    return transaction;
}

/* Of SW_CLAIM_MOVED: the key that the row had. */
static inline struct sw_bytes sw_claim_moved_from(const struct sw_record *record)
{
    struct sw_bytes transaction;
    const uint8_t *at = sw_claim_read_step(&transaction, record);
    return sw_bytes_of(at, (size_t)(record->claimed.at + record->claimed.len - at));
}

#endif
