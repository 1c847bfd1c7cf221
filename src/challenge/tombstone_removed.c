/* A tombstone removed too early: what it deleted comes back. */
#include "challenge/mutation.h"

static bool make(struct sw_mutant *out, size_t index, size_t variant)
{
    const struct sw_subjects *subjects = out->subjects;
    const struct sw_subject *subject = &subjects->at[index];
    enum sw_class class = sw_reason_class(subject->base);
    if (variant || (class != SW_CLASS_EQUAL && class != SW_CLASS_DIFFERENT)) /* a blocked key shows no state that could change */
        return false;
    if (!subject->newest || sw_is_live(subject->newest) || sw_subjects_truncated(subjects, subject->sample->table))
        return false;
    if (!sw_is_live(subject->older) && !(subjects->rules->deletes == SW_DELETES_TOMBSTONE && subject->expected && !subject->older))
        return false;
    sw_mutant_copy(out, 0, index);
    sw_mutant_drop_version(out, subject->newest);
    return true;
}

const struct sw_mutation sw_mutation_tombstone_removed = {
    .name = "tombstone-removed",
    .title = "a tombstone removed",
    .why = "The delete that ends a key is taken out of the evidence, as where tombstones are cleaned up too early: an older row comes back, and the key must change.",
    .none = "no key of the sample ends with a delete after a row",
    .list = SW_MUST_BE_CAUGHT,
    .make = make,
};
