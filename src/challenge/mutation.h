/* Faults that are planted in the records of a key, or two: one kind a file, all of them in a registry. */
#ifndef SW_CHALLENGE_MUTATION_H
#define SW_CHALLENGE_MUTATION_H

#include "challenge/subject.h"

/* A planted fault: for one key, or two, all records that it then has. Records are copies; what they point to is the sample's, or stands in `made`. */
struct sw_mutant {
    const struct sw_subjects *subjects;
    struct sw_dice dice;
    size_t subject[2];                   /* indexes of the keys that are touched */
    struct sw_record *records[2];
    size_t count[2], capacity[2];
    unsigned touched;                    /* 1 or 2 */
    const struct sw_column *column;      /* of a fault in one column; else NULL */
    struct sw_buffer made[2];            /* versions and values that no record has */
    size_t *partners;                    /* swapped values: with which key each is paired; SIZE_MAX: with none */
    bool failed;                         /* memory ran out */
};

enum sw_mutation_list {
    SW_MUST_BE_CAUGHT,
    SW_CANNOT_BE_CAUGHT
};

struct sw_mutation {
    const char *name;          /* stable, for programs */
    const char *title;         /* for a table: short */
    const char *why;           /* one sentence: what is done, and what it must lead to (or why it cannot) */
    const char *none;          /* what the sample lacks where it cannot be tried */
    enum sw_mutation_list list;
    bool identities;           /* whether an identity was used twice is to be found out anew */
    /* Plants the `variant`-th fault (from 0) of this kind in key `subject`: true, with all of the mutant's records set. False: there are no more. The first
     * variant that is false ends those of the key. */
    bool (*make)(struct sw_mutant *out, size_t subject, size_t variant);
};

/* All of them, NULL-terminated, in the order they are tried and told. */
const struct sw_mutation *const *sw_mutations(void);

extern const struct sw_mutation sw_mutation_swapped_values, sw_mutation_row_removed, sw_mutation_row_added, sw_mutation_row_twice, sw_mutation_deleted_row_shown,
    sw_mutation_version_changed, sw_mutation_tombstone_removed, sw_mutation_newest_dropped, sw_mutation_twin_below, sw_mutation_twin_newest,
    sw_mutation_late_revival, sw_mutation_identity_reused, sw_mutation_superseded_dropped, sw_mutation_invisible_dropped, sw_mutation_both_sides;

/* Pairs keys whose reference rows have the same columns, for sw_mutation_swapped_values. False if memory ran out. */
bool sw_mutant_pair(struct sw_mutant *mutant);
/* Begins with the records of a key as they are. */
void sw_mutant_copy(struct sw_mutant *mutant, unsigned which, size_t subject);
/* Adds a record; its views must outlive the mutant. */
void sw_mutant_add(struct sw_mutant *mutant, unsigned which, const struct sw_record *record);
/* Takes out the records of the evidence that stand at the version of `like` (of a baseline row without one: all of those). */
void sw_mutant_drop_version(struct sw_mutant *mutant, const struct sw_record *like);
/* Takes out the rows of one side. */
void sw_mutant_drop_reference(struct sw_mutant *mutant);
void sw_mutant_drop_evidence(struct sw_mutant *mutant);
/* Gives the row of a side the values of another: the copy of `row` among the records of key 0. */
struct sw_record *sw_mutant_find(struct sw_mutant *mutant, const struct sw_record *row);
void sw_mutant_free(struct sw_mutant *mutant);

#endif
