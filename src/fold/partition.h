/* Partitions: records on their way from reading to folding, spread by the hash of their key.
 *
 * Each thread appends to chunks of its own, so that writing takes no lock. Chunks live in memory while the store's share of
 * the budget lasts; from then on full chunks go, compressed, to the spill file and their memory is used again. A partition is
 * later loaded whole by the one thread that folds it. */
#ifndef SW_FOLD_PARTITION_H
#define SW_FOLD_PARTITION_H

#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/spill_file.h"
#include "model/record.h"

struct sw_partition_store;
struct sw_partition_writer;

struct sw_partition_options {
    uint32_t partitions;
    uint32_t writers;            /* threads that append */
    uint64_t memory_bytes;       /* what chunks may take before they spill; small values are raised to what open chunks need */
    struct sw_budget *budget;    /* where it is accounted */
    struct sw_spill_file *spill; /* borrowed; shared by all stores of a run */
};

enum sw_code sw_partition_store_new(struct sw_partition_store **out, const struct sw_partition_options *options, struct sw_error *error);
void sw_partition_store_free(struct sw_partition_store **store);

/* The writer of thread `index`; owned by the store. */
struct sw_partition_writer *sw_partition_writer_at(struct sw_partition_store *store, uint32_t index);

/* Where a partition goes on: what every append touches, kept apart and small. */
struct sw_partition_tail {
    uint8_t *at;                 /* the next free byte of the chunk being filled; NULL: none is open */
    uint32_t left;               /* bytes free in it; 0 if there is none */
    uint32_t entries;            /* of the whole partition */
};

/* Those of all partitions of a writer; they stay where they are. */
struct sw_partition_tail *sw_partition_tails(struct sw_partition_writer *writer);

/* Room for one entry of exactly `len` bytes in a partition; the caller fills it before its next call. NULL: the failure is in
 * `error`. Entries are read back in the same length. */
uint8_t *sw_partition_append(struct sw_partition_writer *writer, uint32_t partition, size_t len, struct sw_error *error);

/* By the time that a partition gets its next entry, hundreds of others have got one: the lines behind this entry are asked for while it is written, so that the
 * next one need not wait for them. */
#define SW_PARTITION_LINE 64

/* The same, with a short way for entries whose length takes one byte or two. */
static inline uint8_t *sw_partition_append_short(struct sw_partition_writer *writer, struct sw_partition_tail *tails, uint32_t partition, size_t len, struct sw_error *error)
{
    struct sw_partition_tail *tail = &tails[partition];
    if (__builtin_expect(len >= 0x4000 || len + 1 >= tail->left, 0))
        return sw_partition_append(writer, partition, len, error);
    uint8_t *to = tail->at;
    size_t head = 1 + (len >= 0x80), total = head + len;
    tail->at += total;
    tail->left -= (uint32_t)total;
    tail->entries++;
    for (size_t ahead = 0; ahead < total; ahead += SW_PARTITION_LINE) /* an entry like this one */
        __builtin_prefetch(tail->at + SW_PARTITION_LINE + ahead, 1);
    *to = (uint8_t)(len | (len >= 0x80) << 7); /* a varint */
    if (len >= 0x80)
        to[1] = (uint8_t)(len >> 7);
    return to + head;
}

/* Bytes and number of a partition's entries, spilled ones included. */
uint64_t sw_partition_bytes(const struct sw_partition_store *store, uint32_t partition);
uint64_t sw_partition_entries(const struct sw_partition_store *store, uint32_t partition);

/* A loaded partition: runs of entries, each entry a varint length and its bytes. Zero-initialise; reuse; sw_partition_load_free. */
struct sw_partition_load {
    struct sw_bytes *runs;
    size_t run_count, run_capacity;
    uint8_t *read_back;          /* what came from disk */
    size_t read_back_capacity;
    struct sw_buffer packed;
};
/* Once no writer is active any more. */
enum sw_code sw_partition_load(struct sw_partition_load *out, struct sw_partition_store *store, uint32_t partition, struct sw_error *error);
/* The same entries a chunk at a time, for partitions that are too large to load: calls take(run, ctx, error) for each run of entries, which is
 * valid during the call only. Stops at the first failure of `take` and gives it. `room` is reused as in sw_partition_load. */
enum sw_code sw_partition_each(struct sw_partition_load *room, struct sw_partition_store *store, uint32_t partition,
                               enum sw_code (*take)(struct sw_bytes run, void *ctx, struct sw_error *error), void *ctx, struct sw_error *error);
void sw_partition_load_free(struct sw_partition_load *load);
/* Forgets a partition that is done with. */
void sw_partition_drop(struct sw_partition_store *store, uint32_t partition);

/* Takes the next entry from the front of a run. False at its end. */
static inline bool sw_partition_next(struct sw_bytes *entry, struct sw_bytes *run)
{
    if (run->len == 0)
        return false;
    const uint8_t *at = run->at;
    entry->len = sw_varint_get(&at);
    entry->at = at;
    run->len -= (size_t)(at + entry->len - run->at);
    run->at = at + entry->len;
    return true;
}

#endif
