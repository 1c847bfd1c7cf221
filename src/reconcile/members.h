/* Events and marks of transactions on their way to sw_members_settle, and what that found. */
#ifndef SW_RECONCILE_MEMBERS_H
#define SW_RECONCILE_MEMBERS_H

#include "fold/membership.h"
#include "format/encode.h"

struct sw_watched;

/* One thread's. */
struct sw_member_writer {
    struct sw_partition_writer *writer;
    uint32_t partitions;
    uint64_t events, ends;              /* noted so far */
    struct sw_buffer tables;            /* uint32_t: those of which an event was noted, as sw_member_table has them */
};

/* Adds to the tables of a writer those of another list. False if memory ran out. */
bool sw_member_add_tables(struct sw_buffer *to, struct sw_bytes tables);

/* Notes what a record says of its transaction; most say nothing. */
enum sw_code sw_member_note(struct sw_member_writer *writer, const struct sw_watched *seen, struct sw_error *error);

#define SW_MEMBERS_LISTED 20u
#define SW_MEMBER_PARTITIONS 64u        /* of a reconciliation; a scan has as many as for records */

struct sw_member_totals {
    uint64_t verdicts[SW_MEMBERS_VERDICTS], missing_events;
    struct sw_member_transaction listed[SW_MEMBERS_LISTED]; uint32_t listed_count; /* those with events too few or too many, by place */
};

/* Adds one to the totals: what sw_members_settle calls, with them as its context. */
enum sw_code sw_member_count(const struct sw_member_transaction *transaction, void *totals, struct sw_error *error);
/* Settles all partitions of a store. `tables`: of which an event is in evidence; sorted here. */
enum sw_code sw_member_settle_all(struct sw_member_totals *totals, struct sw_partition_store *store, uint32_t partitions, struct sw_buffer *tables, struct sw_error *error);

#endif
