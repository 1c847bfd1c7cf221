/* What a folding thread has. For the files of the fold only. */
#ifndef SW_FOLD_WORKER_H
#define SW_FOLD_WORKER_H

#include "fold/carry.h"
#include "fold/fold.h"

/* Records of a key on their way into a saved state. */
struct sw_sender {
    struct sw_buffer before;                  /* the record before */
    struct sw_buffer committed;               /* of those that are equal to it, one that is committed; empty: none yet */
    struct sw_buffer waiting, waiting_bytes;  /* and one of each transaction that is open */
    bool marked;                              /* a mark of a bad record was sent on */
};
void sw_sender_free(struct sw_sender *sender);

struct sw_fold_worker {
    const struct sw_fold_rules *rules;
    struct sw_fold_sink sink;
    struct sw_fold_counts counts;
    struct sw_partition_writer *late;         /* NULL: no key is set aside */
    struct sw_fold_table_counts *tables;
    uint32_t table_capacity, table_count;
    struct sw_comparison comparison;
    struct sw_scope_room scope_room;
    struct sw_carry carry, carry_later;       /* of the state, and of one beyond the cut */
    const struct sw_record **distinct;        /* one record for each distinct content of each version */
    size_t distinct_capacity;
    const struct sw_record **settled;         /* those of them that are committed and not beyond the cut */
    uint8_t *settled_untold;                  /* what `untold` says of them */
    size_t settled_capacity;
    uint8_t *untold;                          /* by record of one key: no order is known between it and its neighbours (step.h) */
    size_t untold_capacity;
    struct sw_sender sender;
};

static inline struct sw_draft_image sw_fold_image_of(const struct sw_record *record)
{
    return (struct sw_draft_image){
        .present = true, .deleted = record->flags & SW_RECORD_DELETED, .has_version = record->flags & SW_RECORD_VERSION,
        .space = record->space, .set = record->set, .version = record->version, .values = record->values};
}

/* Counts a key of the table that `of_table` is about. */
static inline void sw_fold_count_class(struct sw_fold_counts *counts, struct sw_fold_table_counts *of_table, enum sw_class class, enum sw_reason reason)
{
    counts->classes[class]++;
    counts->reasons[reason]++;
    of_table->classes[class]++;
    of_table->reasons[reason]++;
}

/* The short way for the usual key: a few records that all differ in their versions, and a reference row that is equal to the newest, or no reference at all.
 * Does exactly what the whole fold would do, sets *code and returns true, or does nothing and returns false. `place` is INSIDE or OUTSIDE. */
bool sw_fold_usual_key(enum sw_code *code, struct sw_fold_worker *worker, const struct sw_record *records, size_t count, enum sw_scope_place place, struct sw_error *error);

#endif
