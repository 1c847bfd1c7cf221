/* The order of what one transaction does to a key.
 *
 * A change of key is a removal of the old key and a write of the new one. Where rows swap their keys, or move up by one, in one transaction, a key is
 * written before the row that had it is removed, so that the log's order of these two is not that of the rows: what was removed is the earlier row, and
 * the written one stays. The image that the removal shows tells which: the earlier row means that the removal came first, the written one that both happened
 * as they stand. If it shows neither, nobody may choose. An insert over a row of which the same transaction deletes the key is of this kind, too: logs that
 * split a change of key write it so.
 *
 * One transaction: by the name that both halves of a change of key keep (SW_CLAIM_STEP), else by the part of the version that numbers transactions. */
#ifndef SW_FOLD_STEP_H
#define SW_FOLD_STEP_H

#include "fold/claims.h"

/* Are both known to be of one transaction? */
bool sw_fold_one_transaction(const struct sw_order *order, const struct sw_record *a, const struct sw_record *b);

/* Does the write put a row under a key that its transaction need not have found free: a change of key, or an insert? */
static inline bool sw_fold_is_put(const struct sw_record *record)
{
    return !(record->flags & SW_RECORD_DELETED) && (record->claim & (SW_CLAIM_STEP | SW_CLAIM_ABSENT));
}

/* The records of one key, in order, one for each content of each version. */
struct sw_steps {
    const struct sw_record **records;
    size_t count, versions_from;   /* those from versions_from on have versions */
    const uint8_t *untold;         /* by record: no order is known between it and its neighbours; NULL: of none. The worker's, until its next key */
    bool state_untold;             /* are some of them neither beyond the cut nor in open transactions? */
    size_t untold_last;            /* the last one of those, a removal */
    uint64_t superseded;           /* writes that were left out */
};
/* Puts removals that came first before the writes of their transaction, before claims are held (claims.h). False if memory ran out. */
bool sw_steps_settle(struct sw_steps *steps, struct sw_fold_worker *worker);
/* Of a removal and a write at one position leaves what is left of them; after claims were held, since at one position nothing is before the other. */
bool sw_steps_settle_pairs(struct sw_steps *steps, struct sw_fold_worker *worker);

/* Is it told what past[count - 1] is to a change of key of the same transaction that takes the row along: what moves on, and not what came in its place? */
bool sw_step_is_told(const struct sw_fold_rules *rules, const struct sw_record *const *past, size_t count, const struct sw_record *move);

#endif
