/* Are all events of a transaction in evidence? Streams such as Debezium's with provide.transaction.metadata number the events of a transaction and
 * count them at its end, and the counts may come in another file than the events: so each event and each mark leaves one small entry in a partition
 * of its transaction, and when all is read each partition is settled alone.
 *
 * Events that were delivered twice count once, by their number. A table of which no event at all is in evidence was not captured into these files:
 * what a transaction did there is not missed, but told apart (`elsewhere`). */
#ifndef SW_FOLD_MEMBERSHIP_H
#define SW_FOLD_MEMBERSHIP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/hash.h"
#include "fold/partition.h"

enum sw_member_kind {
    SW_MEMBER_EVENT,
    SW_MEMBER_BEGIN,
    SW_MEMBER_END,          /* `number` events in all; UINT64_MAX: it does not say */
    SW_MEMBER_TABLE         /* `number` events of a table, as the mark of the end says */
};

struct sw_member {
    uint64_t transaction[2];/* two hashes of its id */
    uint64_t number;        /* of an event: its place in the transaction; 0: not told */
    uint64_t more;          /* events of the table that follow it without a hole, by each of the two places that is told; of those without a place, just further ones */
    uint32_t table_number;  /* of an event: its place among those of its table; 0: not told */
    uint32_t table;         /* hash of the table's name (sw_member_table) */
    uint32_t input, block, line, kind; /* place, and an enum sw_member_kind */
};

/* The transaction of an id (of PostgreSQL's TXID:LSN its TXID, which one cluster uses again after four billion), and the table of a name: its last two parts, since marks and events do not always name the database. */
void sw_member_transaction(uint64_t out[2], struct sw_bytes id);
uint32_t sw_member_table(struct sw_bytes name);
static inline uint32_t sw_member_partition(const struct sw_member *member, uint32_t partitions) { return (uint32_t)(member->transaction[0] >> 32) % partitions; }

enum sw_member_verdict {
    SW_MEMBERS_COMPLETE,    /* the end is there, and so is every event that it counts */
    SW_MEMBERS_ELSEWHERE,   /* the end is there; what is not is of tables of which nothing is in evidence */
    SW_MEMBERS_NO_END,      /* no end is in evidence, and no number is missing among the events that are */
    SW_MEMBERS_MISSING,     /* events are missing: the end counts more, or a number between two others is not there */
    SW_MEMBERS_SURPLUS,     /* more events than the end counts: the id was used twice, or the mark is of another stream */
    SW_MEMBERS_VERDICTS
};

/* One transaction. */
struct sw_member_transaction {
    enum sw_member_verdict verdict;
    uint64_t events, counted; /* distinct ones in evidence; by its end, or, without one, the highest number that is there */
    uint32_t input, block, line; /* the first of its records */
};

/* Tables of which an event is in evidence: hashes, ascending. */
struct sw_member_tables { const uint32_t *at; size_t count; };

/* Who takes a transaction: what was found, and the entries that it rests on, made one where they go on from another. */
typedef enum sw_code (*sw_members_take_fn)(const struct sw_member_transaction *transaction, const struct sw_member *members, size_t count, void *ctx, struct sw_error *error);
/* Calls `take` for each transaction of a partition, in no order that means anything. SW_ERR_MEMORY; what `take` gives. */
enum sw_code sw_members_settle(struct sw_partition_load *room, struct sw_partition_store *store, uint32_t partition, struct sw_member_tables tables, sw_members_take_fn take, void *ctx,
                               struct sw_error *error);

#endif
