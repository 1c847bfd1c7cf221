/* Events that never arrived: the newest of a key, which shows in the state, and others, which need not. */
#include "challenge/mutation.h"

/* Would the row that is left look the same under what is compared? */
static bool looks_alike(const struct sw_fold_rules *rules, const struct sw_subject *subject)
{
    const struct sw_record *newest = subject->newest, *older = subject->older;
    if (rules->compare_versions && subject->expected && (subject->expected->flags & SW_RECORD_VERSION))
        return false; /* the versions differ */
    bool now = sw_is_live(newest), then = sw_is_live(older);
    if (!now || !then)
        return !now && !then && (rules->deletes != SW_DELETES_TOMBSTONE || !older == !newest);
    return newest->set == older->set && sw_bytes_equal(newest->values, older->values);
}

static bool is_candidate(const struct sw_subjects *subjects, const struct sw_subject *subject)
{
    return sw_subject_equal(subject) && subject->newest && subject->whole && !sw_subjects_truncated(subjects, subject->sample->table);
}

static bool make_newest(struct sw_mutant *out, size_t index, size_t variant)
{
    const struct sw_subjects *subjects = out->subjects;
    const struct sw_subject *subject = &subjects->at[index];
    if (variant || !is_candidate(subjects, subject) || looks_alike(subjects->rules, subject))
        return false;
    sw_mutant_copy(out, 0, index);
    sw_mutant_drop_version(out, subject->newest);
    return true;
}

const struct sw_mutation sw_mutation_newest_dropped = {
    .name = "newest-dropped",
    .title = "the newest event of a key dropped",
    .why = "Every delivery of the event on which a key's state rests is taken out: the older state must differ from the reference.",
    .none = "no equal key of the sample would look different without its newest event",
    .list = SW_MUST_BE_CAUGHT,
    .make = make_newest,
};

static bool make_invisible(struct sw_mutant *out, size_t index, size_t variant)
{
    const struct sw_subjects *subjects = out->subjects;
    const struct sw_subject *subject = &subjects->at[index];
    if (variant || !is_candidate(subjects, subject) || !subject->older || !looks_alike(subjects->rules, subject))
        return false;
    sw_mutant_copy(out, 0, index);
    sw_mutant_drop_version(out, subject->newest);
    return true;
}

const struct sw_mutation sw_mutation_invisible_dropped = {
    .name = "invisible-event-dropped",
    .title = "a newest event that changed nothing dropped",
    .why = "An event that leaves the compared columns as they were leaves no trace in the state; only versions on both sides would show that it is missing.",
    .none = "every newest event in the sample changes what is compared",
    .list = SW_CANNOT_BE_CAUGHT,
    .make = make_invisible,
};

static bool make_superseded(struct sw_mutant *out, size_t index, size_t variant)
{
    const struct sw_subject *subject = &out->subjects->at[index];
    if (variant || !is_candidate(out->subjects, subject) || !subject->older || subject->older->role == SW_ROLE_BASELINE)
        return false;
    sw_mutant_copy(out, 0, index);
    sw_mutant_drop_version(out, subject->older);
    return true;
}

const struct sw_mutation sw_mutation_superseded_dropped = {
    .name = "superseded-dropped",
    .title = "a superseded event dropped",
    .why = "An event below the newest version shows in no state. Only a stream that numbers its events (GTIDs, offsets, counts per transaction) can show that one is missing: an equal state is no complete history.",
    .none = "no equal key of the sample has a superseded event",
    .list = SW_CANNOT_BE_CAUGHT,
    .make = make_superseded,
};
