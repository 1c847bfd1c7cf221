/* One key, or a few, through the same fold and comparison as a run's. */
#ifndef SW_CHALLENGE_TRIAL_H
#define SW_CHALLENGE_TRIAL_H

#include "fold/fold.h"

/* What a fold said of one key. */
struct sw_outcome {
    bool outside;                 /* the key is not in scope: in no class, and reason says NONE */
    enum sw_reason reason;        /* SW_REASON_NONE: equal, or no record at all */
    uint64_t contradictions;      /* events that replace another row than the evidence has there */
    struct sw_bytes finding;      /* sw_finding_record_write of it; empty if equal. Valid until the trial's next fold */
};

/* Zero-initialise, set `rules` (borrowed); sw_trial_free. */
struct sw_trial {
    const struct sw_fold_rules *rules;
    bool places;                  /* findings with the places of their records, which follow arrival; else without */
    struct sw_fold_worker *worker;
    struct sw_buffer finding;
    enum sw_reason reason;
    struct sw_record *records;    /* the fold sorts what it is given */
    size_t capacity;
};
/* All records of one key; none is a key that is not there. SW_ERR_MEMORY. */
enum sw_code sw_trial_fold(struct sw_outcome *out, struct sw_trial *trial, const struct sw_record *records, size_t count, struct sw_error *error);
/* Records accounted for by all folds so far: each that was folded, but for those that follow from others and marks of bad records. */
uint64_t sw_trial_disposed(const struct sw_trial *trial);
void sw_trial_free(struct sw_trial *trial);

#endif
