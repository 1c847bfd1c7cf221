/* Identities: which names of events were used for different contents.
 *
 * While records are read, each event with an identity adds one small entry (hash of the identity, hash of the whole content) to
 * partitions of their own. Afterwards those partitions are scanned: a hash that stands with two different contents is a
 * *candidate*. Only keys that carry a candidate are looked at exactly, byte by byte, before they are folded.
 *
 * That nothing is hidden by a collision is proven by a sum: if every candidate-free identity was repeated only with equal
 * content, the repeats counted by hash are as many as the duplicate deliveries that the fold counts by bytes. */
#ifndef SW_FOLD_IDENTITY_H
#define SW_FOLD_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/hash.h"
#include "fold/partition.h"
#include "fold/runs.h"
#include "model/record.h"
#include "model/schema.h"

struct sw_identity_entry {
    uint64_t identity, content;  /* hashes of 64 bits */
};

/* Identities are spread by the top eight bits of their hash; an entry in a partition is the low 48 bits of both hashes. */
#define SW_IDENTITY_PARTITIONS 256u
#define SW_IDENTITY_ENTRY_BYTES 12u
static inline uint32_t sw_identity_partition(uint64_t identity) { return (uint32_t)(identity >> 56); }
static inline void sw_identity_entry_put(uint8_t *to, struct sw_identity_entry entry)
{
    for (int i = 0; i < 6; i++) {
        to[i] = (uint8_t)(entry.identity >> (8 * i));
        to[6 + i] = (uint8_t)(entry.content >> (8 * i));
    }
}
/* The part of an identity's hash by which candidates are named: its partition and its entry's bits. */
static inline uint64_t sw_identity_name(uint64_t identity) { return (identity >> 56) << 48 | (identity & UINT64_C(0xffffffffffff)); }

/* The content that an identity must always have: table, key, operation, space, version, columns, values; not its place. `head` and `content` are the
 * record's (model/record.h), `key_hash` is the hash of its table and key, which whoever stores the record has. */
static inline uint64_t sw_identity_content_hash(uint32_t head, struct sw_bytes content, uint64_t key_hash)
{
    return sw_hash_mix(key_hash, sw_hash(content.at, content.len, head & SW_RECORD_HEAD_CONTENT));
}

/* Scans one loaded identity partition: appends the names of candidates (uint64_t) to `candidates`, which must be empty, and adds to *repeats how often an identity that is no
 * candidate came again. `table` is reused room. False if memory ran out. */
bool sw_identity_scan(struct sw_buffer *candidates, uint64_t *repeats, uint32_t partition, struct sw_partition_load *load, struct sw_buffer *table);

/* The identities that were proven to be used for different contents. Built by one thread, then read by all. */
struct sw_identity_reuse;
struct sw_identity_reuse *sw_identity_reuse_new(void);
void sw_identity_reuse_free(struct sw_identity_reuse **reuse);
/* From all records that carry a candidate, in any order: finds the identities with more than one content, and sets *repeats to how often the
 * others (which only shared a hash) came again. False if memory ran out. */
bool sw_identity_reuse_find(struct sw_identity_reuse *reuse, uint64_t *repeats, struct sw_record *records, size_t count, const struct sw_schema *schema);
/* The same from a merge of them, with the identity as the key and the record's bytes as the content: no more than one record of each identity is held. */
enum sw_code sw_identity_reuse_merge(struct sw_identity_reuse *reuse, uint64_t *repeats, struct sw_run_merge *merge, const struct sw_schema *schema, struct sw_error *error);
uint64_t sw_identity_reuse_count(const struct sw_identity_reuse *reuse);
/* Is it one of them? False if `reuse` is NULL. */
bool sw_identity_reused(const struct sw_identity_reuse *reuse, struct sw_bytes identity);

#endif
