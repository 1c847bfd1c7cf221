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
    SW_RECORD_UNREADABLE = 32,  /* stands for a bad record of this key: blocks it, has no image */
    SW_RECORD_READ = 64,        /* a snapshot or backfill row among events */
    SW_RECORD_PARTIAL = 128     /* columns that it lacks keep what they were */
};

/* The role of a record that follows from another one (the removal of the old key where a key changes, a truncate seen by a key): it is folded as
 * an event is, and counted nowhere, since the record that was read is. */
#define SW_RECORD_ROLE_FOLLOWING 3

/* An identity is a list of values in their tagged form. One that begins with `true` names the event among those of its key and position only, so
 * that nothing has to be held against the identities of other keys. */
static inline bool sw_identity_in_key(struct sw_bytes identity) { return identity.len && identity.at[0] == SW_ANY_TRUE; }

/* A record taken apart. Views point into the bytes. */
struct sw_record {
    uint8_t role;                  /* enum sw_role */
    uint8_t flags;
    uint32_t table, space, set;
    uint32_t input;                /* of all inputs of the run: those of the baseline first, then events, then expected */
    uint64_t block, line;          /* place: block of the input, line (or element) in the block, from 0 */
    struct sw_bytes key, version, identity;
    struct sw_bytes values;
    struct sw_bytes bytes;         /* all of it */
};

/* The exact number of bytes that sw_record_put writes. */
static inline size_t sw_record_size(const struct sw_record *record)
{
    size_t size = 2 + (record->flags & SW_RECORD_TABLE ? sw_varint_size(record->table) : 0) + sw_varint_size(record->key.len) + record->key.len +
                  sw_varint_size(record->input) + sw_varint_size(record->block) + sw_varint_size(record->line) + sw_varint_size(record->set) + record->values.len;
    if (record->flags & SW_RECORD_VERSION)
        size += sw_varint_size(record->space) + 1 + record->version.len;
    if (record->flags & SW_RECORD_IDENTITY)
        size += sw_varint_size(record->identity.len) + record->identity.len;
    return size;
}

/* Writes a record. The order of the parts: role and flags, table, key, place, version, identity, set, values. Returns the byte after it. */
static inline uint8_t *sw_record_put(uint8_t *to, const struct sw_record *record)
{
    *to++ = record->role;
    *to++ = record->flags;
    if (record->flags & SW_RECORD_TABLE)
        to = sw_varint_put(to, record->table);
    to = sw_varint_put(to, record->key.len);
    sw_bytes_copy(to, record->key);
    to += record->key.len;
    to = sw_varint_put(to, record->input);
    to = sw_varint_put(to, record->block);
    to = sw_varint_put(to, record->line);
    if (record->flags & SW_RECORD_VERSION) {
        to = sw_varint_put(to, record->space);
        *to++ = (uint8_t)record->version.len;
        sw_bytes_copy(to, record->version);
        to += record->version.len;
    }
    if (record->flags & SW_RECORD_IDENTITY) {
        to = sw_varint_put(to, record->identity.len);
        sw_bytes_copy(to, record->identity);
        to += record->identity.len;
    }
    to = sw_varint_put(to, record->set);
    sw_bytes_copy(to, record->values);
    return to + record->values.len;
}

/* The table and key alone, and where the rest begins. */
static inline const uint8_t *sw_record_read_key(struct sw_record *out, struct sw_bytes bytes)
{
    const uint8_t *at = bytes.at;
    out->role = *at++;
    out->flags = *at++;
    out->table = out->flags & SW_RECORD_TABLE ? (uint32_t)sw_varint_get(&at) : 0;
    out->key.len = sw_varint_get(&at);
    out->key.at = at;
    return at + out->key.len;
}

static inline void sw_record_read(struct sw_record *out, struct sw_bytes bytes)
{
    const uint8_t *at = sw_record_read_key(out, bytes);
    out->input = (uint32_t)sw_varint_get(&at);
    out->block = sw_varint_get(&at);
    out->line = sw_varint_get(&at);
    out->version = out->identity = (struct sw_bytes){0};
    out->space = 0;
    if (out->flags & SW_RECORD_VERSION) {
        out->space = (uint32_t)sw_varint_get(&at);
        out->version.len = *at++;
        out->version.at = at;
        at += out->version.len;
    }
    if (out->flags & SW_RECORD_IDENTITY) {
        out->identity.len = sw_varint_get(&at);
        out->identity.at = at;
        at += out->identity.len;
    }
    out->set = (uint32_t)sw_varint_get(&at);
    out->values = sw_bytes_of(at, (size_t)(bytes.at + bytes.len - at));
    out->bytes = bytes;
}

#endif
