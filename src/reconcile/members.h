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
    struct sw_buffer tables;            /* a set of those of which an event was noted, as sw_member_table has them (sw_member_add_table) */
};

/* Adds a table to a set, and those of another set. False if memory ran out. */
bool sw_member_add_table(struct sw_buffer *set, uint32_t table);
bool sw_member_add_tables(struct sw_buffer *set, const struct sw_buffer *tables);
/* Gives an entry to the partition of its transaction. */
enum sw_code sw_member_put(struct sw_member_writer *writer, const struct sw_member *member, struct sw_error *error);

/* Notes what a record says of its transaction; most say nothing. */
enum sw_code sw_member_note(struct sw_member_writer *writer, const struct sw_watched *seen, struct sw_error *error);

#define SW_MEMBERS_LISTED 20u
#define SW_MEMBER_PARTITIONS 64u        /* of a reconciliation; a scan has as many as for records */

struct sw_member_totals {
    uint64_t verdicts[SW_MEMBERS_VERDICTS], missing_events;
    struct sw_member_transaction listed[SW_MEMBERS_LISTED]; uint32_t listed_count; /* those with events too few or too many, by place */
    /* Who keeps the entries of each transaction; NULL: nobody. */
    enum sw_code (*keep)(const struct sw_member *members, size_t count, void *ctx, struct sw_error *error);
    void *keep_ctx;
};

/* Adds one to the totals: what sw_members_settle calls, with them as its context. */
enum sw_code sw_member_count(const struct sw_member_transaction *transaction, const struct sw_member *members, size_t count, void *totals, struct sw_error *error);
/* Settles all partitions of a store. `tables`: the set of those of which an event is in evidence. */
enum sw_code sw_member_settle_all(struct sw_member_totals *totals, struct sw_partition_store *store, uint32_t partitions, const struct sw_buffer *tables, struct sw_error *error);

#endif
