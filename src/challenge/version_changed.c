/* The version of a reference row changed, and its value kept. */
#include "challenge/mutation.h"

static bool make(struct sw_mutant *out, size_t index, size_t variant)
{
    const struct sw_subject *subject = &out->subjects->at[index];
    if (variant || !sw_subject_equal(subject) || !sw_counts_as_row(out->subjects->rules, subject->expected) || !(subject->expected->flags & SW_RECORD_VERSION) ||
        !subject->newest || !(subject->newest->flags & SW_RECORD_VERSION))
        return false;
    if (!sw_subjects_other_version(&out->made[0], out->subjects, subject->newest, false, &out->dice)) /* whatever stands there now: a wrong one */
        return false;
    sw_mutant_copy(out, 0, index);
    struct sw_record *row = sw_mutant_find(out, subject->expected);
    row->space = subject->newest->space;
    row->version = sw_buffer_view(&out->made[0]);
    return true;
}

const struct sw_mutation sw_mutation_version_changed = {
    .name = "version-changed",
    .title = "a version changed, the value equal",
    .why = "A row of the reference has the right values and another version: an older write that happens to look alike. Its key must differ.",
    .none = "no equal key of the sample has a version on both sides",
    .list = SW_MUST_BE_CAUGHT,
    .make = make,
};
