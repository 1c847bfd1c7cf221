/* What events say of the row that they replace, held against the row that the evidence has there.
 *
 * An event is held against the version right before it, if that is known to be right before it: of the same space, ordered, and neither of the two with
 * several contents. A baseline row without a version is known to be older only where --baseline-position was declared. Where no earlier state is known,
 * nothing follows. Columns that one of the two images does not show, or shows as unavailable or unknown, never contradict. */
#ifndef SW_FOLD_CLAIMS_H
#define SW_FOLD_CLAIMS_H

#include "fold/worker.h"

enum sw_claim_result {
    SW_CLAIM_NONE,          /* the record says nothing of the row before it */
    SW_CLAIM_UNSEEN,        /* an update or a delete, and nothing older of the key is in evidence */
    SW_CLAIM_UNHELD,        /* what is older is not known to be what the event replaced */
    SW_CLAIM_HOLDS,
    SW_CLAIM_ROW_DIFFERS,   /* contradictions: the row showed something else; */
    SW_CLAIM_ROW_WAS_THERE, /* an insert over a row; */
    SW_CLAIM_ROW_WAS_GONE,  /* a change of a row that was deleted */
    SW_CLAIM_READ_DIFFERS,  /* a snapshot read another row than was there right before; */
    SW_CLAIM_READ_WAS_GONE, /* or one that was deleted */
    SW_CLAIM_NO_MEMORY
};
static inline bool sw_claim_contradicts(enum sw_claim_result result) { return result >= SW_CLAIM_ROW_DIFFERS && result <= SW_CLAIM_READ_WAS_GONE; }
static inline bool sw_claim_of_read(enum sw_claim_result result) { return result == SW_CLAIM_READ_DIFFERS || result == SW_CLAIM_READ_WAS_GONE; }

/* A row that a snapshot read at a position: what it shows is what the log had left there. It says so without a claim of its own. */
static inline bool sw_claim_is_read(const struct sw_record *record)
{
    return (record->flags & SW_RECORD_READ) && (record->flags & SW_RECORD_VERSION) && !(record->flags & (SW_RECORD_DELETED | SW_RECORD_UNREADABLE)) &&
           !(record->claim & (SW_CLAIM_ABSENT | SW_CLAIM_LIVE | SW_CLAIM_HELD));
}

/* records: of one key, in the order of the fold, one for each content of each version; those from `versions_from` on have versions. */
struct sw_claim_evidence {
    const struct sw_record *const *records;
    size_t count, versions_from;
    const uint8_t *untold; /* by record: no order is known between it and its neighbours (step.h); NULL: of none */
};

/* How the row that a removal shows to have been removed stands to a state of the key. */
enum sw_claim_match {
    SW_CLAIM_MATCH_SAME,    /* they share columns, and none differs */
    SW_CLAIM_MATCH_DIFFERS,
    SW_CLAIM_MATCH_UNSEEN,  /* nothing is shown that could tell */
    SW_CLAIM_MATCH_NO_MEMORY
};
enum sw_claim_match sw_claim_match(struct sw_fold_worker *worker, const struct sw_claim_evidence *evidence, size_t state, size_t removal);

/* Holds records[at] against what is before it. Columns that differ: worker->comparison. *before is the index of the earlier state. */
enum sw_claim_result sw_claim_hold(size_t *before, struct sw_fold_worker *worker, const struct sw_claim_evidence *evidence, size_t at);
/* Counts the result of records[at], and sends a contradiction on. */
enum sw_code sw_claim_note(struct sw_fold_worker *worker, const struct sw_claim_evidence *evidence, size_t at, enum sw_claim_result result, size_t before, struct sw_error *error);
/* All of them, once each, but for what lies beyond the cut or in open transactions. *refuted: the newest record removes a row that showed something
 * else, which *inconsistent says. It borrows from the worker and the records. */
enum sw_code sw_claims_hold_all(bool *refuted, struct sw_draft *inconsistent, struct sw_fold_worker *worker, const struct sw_claim_evidence *evidence, struct sw_error *error);
/* The same for records that all differ in their versions, if none contradicts. False: nothing was counted. */
bool sw_claims_agree(struct sw_fold_worker *worker, const struct sw_claim_evidence *evidence);

#endif
