/* Rows of the reference that are not there, that nothing explains, that stand twice, or that were deleted. */
#include "challenge/mutation.h"

static bool make_removed(struct sw_mutant *out, size_t index, size_t variant)
{
    const struct sw_subject *subject = &out->subjects->at[index];
    if (variant || !sw_subject_equal(subject) || !sw_counts_as_row(out->subjects->rules, subject->expected))
        return false;
    sw_mutant_copy(out, 0, index);
    sw_mutant_drop_reference(out);
    return true;
}

const struct sw_mutation sw_mutation_row_removed = {
    .name = "row-removed",
    .title = "a row of the reference removed",
    .why = "A row is taken out of the reference (where it shows tombstones, those too): the destination must be said to lack it.",
    .none = "no equal key of the sample has a row in the reference",
    .list = SW_MUST_BE_CAUGHT,
    .make = make_removed,
};

static bool make_added(struct sw_mutant *out, size_t index, size_t variant)
{
    const struct sw_subject *subject = &out->subjects->at[index];
    if (variant || !sw_subject_equal(subject) || !sw_is_live(subject->expected))
        return false;
    sw_mutant_copy(out, 0, index);
    sw_mutant_drop_evidence(out);
    return true;
}

const struct sw_mutation sw_mutation_row_added = {
    .name = "row-added",
    .title = "a row of the reference that nothing explains",
    .why = "A row stands in the reference for which there is no record at all: the evidence must be said to lack it.",
    .none = "no equal key of the sample has a row in the reference",
    .list = SW_MUST_BE_CAUGHT,
    .make = make_added,
};

static bool make_twice(struct sw_mutant *out, size_t index, size_t variant)
{
    const struct sw_subject *subject = &out->subjects->at[index];
    if (variant || !sw_subject_equal(subject) || !subject->expected)
        return false;
    sw_mutant_copy(out, 0, index);
    sw_mutant_add(out, 0, subject->expected);
    return true;
}

const struct sw_mutation sw_mutation_row_twice = {
    .name = "row-twice",
    .title = "a row of the reference twice",
    .why = "A row stands twice in the reference, as after a load that ran twice: its key must be in conflict.",
    .none = "no equal key of the sample has a row in the reference",
    .list = SW_MUST_BE_CAUGHT,
    .make = make_twice,
};

static bool make_shown(struct sw_mutant *out, size_t index, size_t variant)
{
    const struct sw_subject *subject = &out->subjects->at[index];
    if (variant || !sw_subject_equal(subject) || !subject->newest || sw_is_live(subject->newest))
        return false;
    const struct sw_record *row = sw_subjects_row_for(out->subjects, subject, &out->dice);
    if (!row)
        return false;
    struct sw_record shown = *row;
    shown.role = SW_ROLE_EXPECTED;
    shown.flags &= SW_RECORD_TABLE;
    shown.key = subject->sample->key;
    shown.identity = shown.claimed = (struct sw_bytes){0};
    shown.claim = 0;
    if (subject->newest->flags & SW_RECORD_VERSION) { /* with the version of the tombstone: not even that tells them apart */
        shown.flags |= SW_RECORD_VERSION;
        shown.space = subject->newest->space;
        shown.version = subject->newest->version;
    }
    sw_mutant_copy(out, 0, index);
    sw_mutant_drop_reference(out);
    sw_mutant_add(out, 0, &shown);
    return true;
}

const struct sw_mutation sw_mutation_deleted_row_shown = {
    .name = "deleted-row-shown",
    .title = "a deleted row still in the reference",
    .why = "The reference shows a row whose newest event is a delete, with the version of that delete: the key must differ.",
    .none = "no equal key of the sample ends with a delete",
    .list = SW_MUST_BE_CAUGHT,
    .make = make_shown,
};
