/* The same wrong value on both sides. */
#include "challenge/mutation.h"

static bool make(struct sw_mutant *out, size_t index, size_t variant)
{
    const struct sw_subject *subject = &out->subjects->at[index];
    if (variant || !sw_subject_equal(subject) || !subject->newest || !subject->whole || !sw_is_live(subject->newest) || !sw_is_live(subject->expected) ||
        subject->newest->set != subject->expected->set)
        return false;
    const struct sw_record *other = sw_subjects_other_row(out->subjects, subject->expected, &out->dice);
    if (!other)
        return false;
    sw_mutant_copy(out, 0, index);
    for (size_t i = 0; i < out->count[0]; i++) {
        struct sw_record *record = &out->records[0][i];
        bool newest = record->role != SW_ROLE_EXPECTED && !(record->flags & SW_RECORD_DELETED) && !((record->flags ^ subject->newest->flags) & SW_RECORD_VERSION) &&
                      record->space == subject->newest->space && sw_bytes_equal(record->version, subject->newest->version);
        if (newest || record->role == SW_ROLE_EXPECTED)
            record->values = other->values;
    }
    return true;
}

const struct sw_mutation sw_mutation_both_sides = {
    .name = "wrong-on-both-sides",
    .title = "the same wrong value on both sides",
    .why = "A value that was wrong before it reached both the stream and the reference looks right on both: the reference is declared, not verified.",
    .none = "no equal key of the sample has a row that could be exchanged on both sides",
    .list = SW_CANNOT_BE_CAUGHT,
    .make = make,
};
