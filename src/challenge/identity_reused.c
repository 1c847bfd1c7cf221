/* The identity of an event used again for another event of the key. */
#include "challenge/mutation.h"

static bool make(struct sw_mutant *out, size_t index, size_t variant)
{
    const struct sw_subjects *subjects = out->subjects;
    const struct sw_subject *subject = &subjects->at[index];
    const struct sw_record *event = subject->newest;
    if (variant || !sw_subject_equal(subject) || !event || event->role != SW_ROLE_EVENTS || !(event->flags & SW_RECORD_IDENTITY) || !(event->flags & SW_RECORD_VERSION) ||
        sw_identity_in_key(event->identity) || !sw_subjects_other_version(&out->made[0], subjects, event, false, &out->dice))
        return false;
    struct sw_record again = *event;
    again.version = sw_buffer_view(&out->made[0]);
    sw_mutant_copy(out, 0, index);
    sw_mutant_add(out, 0, &again);
    return true;
}

const struct sw_mutation sw_mutation_identity_reused = {
    .name = "identity-reused",
    .title = "an event's identity used for another event",
    .why = "The identity of an event comes again at another version: it is no second delivery, and its key must be in conflict.",
    .none = "no equal key of the sample rests on an event with an identity of its own",
    .list = SW_MUST_BE_CAUGHT,
    .identities = true,
    .make = make,
};
