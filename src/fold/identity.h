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
#include "fold/partition.h"
#include "model/record.h"
#include "model/schema.h"

struct sw_identity_entry {
    uint64_t identity, content;
};

/* The content that an identity must always have: table, key, operation, space, version, columns, values; not its place. */
uint64_t sw_identity_content_hash(const struct sw_record *record, uint64_t seed);

/* Scans one loaded identity partition: appends candidates (uint64_t hashes) to `candidates`, and adds to *repeats how often an identity that is no
 * candidate came again. `table` is reused room. False if memory ran out. */
bool sw_identity_scan(struct sw_buffer *candidates, uint64_t *repeats, struct sw_partition_load *load, struct sw_buffer *table);

/* The identities that were proven to be used for different contents. Built by one thread, then read by all. */
struct sw_identity_reuse;
struct sw_identity_reuse *sw_identity_reuse_new(void);
void sw_identity_reuse_free(struct sw_identity_reuse **reuse);
/* From all records that carry a candidate, in any order: finds the identities with more than one content, and sets *repeats to how often the
 * others (which only shared a hash) came again. False if memory ran out. */
bool sw_identity_reuse_find(struct sw_identity_reuse *reuse, uint64_t *repeats, struct sw_record *records, size_t count, const struct sw_schema *schema);
uint64_t sw_identity_reuse_count(const struct sw_identity_reuse *reuse);
/* Is it one of them? False if `reuse` is NULL. */
bool sw_identity_reused(const struct sw_identity_reuse *reuse, struct sw_bytes identity);

#endif
