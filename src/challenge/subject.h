/* The sampled keys as a challenge sees them: how each ended in the run, which of its records is the newest by the declared order alone, and what
 * other keys could lend it. */
#ifndef SW_CHALLENGE_SUBJECT_H
#define SW_CHALLENGE_SUBJECT_H

#include "challenge/trial.h"
#include "reconcile/sample.h"

struct sw_subject {
    const struct sw_sample_key *sample;
    enum sw_reason base;                 /* how the key ends, unchanged */
    uint64_t contradictions;             /* of its history */
    size_t finding_at, finding_len;      /* its finding without places, in sw_subjects.findings */
    const struct sw_record *expected;    /* its only row in the reference, or NULL */
    /* By the order policy, not by the fold. NULL where that cannot be told: several spaces, records without a position, half a change of key. */
    const struct sw_record *newest;
    const struct sw_record *older;       /* the newest of what is older, or the baseline row without a version; NULL: none */
    bool whole;                          /* no image leaves anything out: what is written in them is the row */
};

struct sw_subjects {
    const struct sw_fold_rules *rules;
    const struct sw_sample *sample;
    struct sw_subject *at;
    size_t count;
    struct sw_buffer findings;
    const struct sw_record **images, **versions; /* whole live rows by table and column set; positioned records by space; each in the order of the sample */
    size_t image_count, version_count;
};

/* Numbers that depend on nothing but a seed. */
struct sw_dice { uint64_t state; };
uint64_t sw_dice_roll(struct sw_dice *dice, uint64_t below);

/* Folds every key of the sample as it is. SW_ERR_MEMORY. */
enum sw_code sw_subjects_open(struct sw_subjects *out, const struct sw_sample *sample, const struct sw_fold_rules *rules, struct sw_trial *trial, struct sw_error *error);
void sw_subjects_free(struct sw_subjects *subjects);
static inline struct sw_bytes sw_subject_finding(const struct sw_subjects *subjects, const struct sw_subject *subject)
{
    return sw_bytes_of(subjects->findings.at + subject->finding_at, subject->finding_len);
}

/* Does the fold end as it did, with as many contradictions on the way? */
static inline bool sw_subject_same(const struct sw_subjects *subjects, const struct sw_subject *subject, const struct sw_outcome *outcome)
{
    return subject->base == outcome->reason && subject->contradictions == outcome->contradictions && sw_bytes_equal(sw_subject_finding(subjects, subject), outcome->finding);
}
/* Can both sides' rows be held against each other, as the run did? */
static inline bool sw_subject_equal(const struct sw_subject *subject) { return subject->base == SW_REASON_NONE; }
/* Does a row of the reference count as one, given how it shows deletes? */
static inline bool sw_counts_as_row(const struct sw_fold_rules *rules, const struct sw_record *row)
{
    return row && (rules->deletes == SW_DELETES_TOMBSTONE || !(row->flags & SW_RECORD_DELETED));
}
static inline bool sw_is_live(const struct sw_record *record) { return record && !(record->flags & SW_RECORD_DELETED); }
/* Is there a truncate of the table? It is no record of a key, and would stand behind what is taken from one. */
bool sw_subjects_truncated(const struct sw_subjects *subjects, uint32_t table);

/* Another row of the same table with the same columns and other values, or NULL. */
const struct sw_record *sw_subjects_other_row(const struct sw_subjects *subjects, const struct sw_record *row, struct sw_dice *dice);
/* A row for a key that ends with a delete: as it was before, or that of another key of its table; NULL if there is none. */
const struct sw_record *sw_subjects_row_for(const struct sw_subjects *subjects, const struct sw_subject *subject, struct sw_dice *dice);
/* A version of the same space that is later (`later`), or just another one, of another record or made up; written to `out`. False if none can be had. */
bool sw_subjects_other_version(struct sw_buffer *out, const struct sw_subjects *subjects, const struct sw_record *record, bool later, struct sw_dice *dice);

#endif
