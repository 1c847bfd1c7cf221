/* A late event that writes a deleted key again. */
#include "challenge/mutation.h"

static bool make(struct sw_mutant *out, size_t index, size_t variant)
{
    const struct sw_subjects *subjects = out->subjects;
    const struct sw_subject *subject = &subjects->at[index];
    if (variant || !sw_subject_equal(subject) || !subject->newest || sw_is_live(subject->newest) || !(subject->newest->flags & SW_RECORD_VERSION) ||
        sw_subjects_truncated(subjects, subject->sample->table))
        return false;
    const struct sw_record *row = sw_subjects_row_for(subjects, subject, &out->dice);
    if (!row || !sw_subjects_other_version(&out->made[0], subjects, subject->newest, true, &out->dice))
        return false;
    struct sw_record late = *subject->newest; /* its place: it is in no open transaction */
    late.role = SW_ROLE_EVENTS;
    late.flags &= SW_RECORD_TABLE | SW_RECORD_VERSION;
    late.version = sw_buffer_view(&out->made[0]);
    late.identity = late.claimed = (struct sw_bytes){0};
    late.claim = 0;
    late.set = row->set;
    late.values = row->values;
    sw_mutant_copy(out, 0, index);
    sw_mutant_add(out, 0, &late);
    return true;
}

const struct sw_mutation sw_mutation_late_revival = {
    .name = "late-revival",
    .title = "a late event that revives a deleted key",
    .why = "A later version of a deleted key arrives and writes it again: a tombstone does not forbid what comes after it, so the destination must be said to lack the row.",
    .none = "no equal key of the sample ends with a delete that a later version could follow",
    .list = SW_MUST_BE_CAUGHT,
    .make = make,
};
