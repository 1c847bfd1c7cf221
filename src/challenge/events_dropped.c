/* Events that never arrived: the newest of a key, which shows in the state, and others, which need not. */
#include "challenge/mutation.h"

/* Do two rows with the same columns differ in one that the reference has? */
static bool rows_differ(const struct sw_fold_rules *rules, const struct sw_record *a, const struct sw_record *b)
{
    const struct sw_column_set *set = sw_schema_set_at(rules->schema, a->set);
    struct sw_bytes left = a->values, right = b->values;
    bool differ = false;
    for (uint32_t c = 0; c < set->count; c++) {
        struct sw_value one = sw_value_next(&left), two = sw_value_next(&right);
        differ |= rules->in_reference[set->columns[c]->id] && (one.state != two.state || !sw_bytes_equal(one.canonical, two.canonical));
    }
    return differ;
}

/* Would what is left look the same under what is compared? */
static bool looks_alike(const struct sw_fold_rules *rules, const struct sw_subject *subject)
{
    const struct sw_record *newest = subject->newest, *older = subject->older;
    bool now = sw_counts_as_row(rules, newest), then = sw_counts_as_row(rules, older);
    if (!now || !then)
        return now == then;
    if (sw_is_live(newest) != sw_is_live(older))
        return false;
    if (rules->compare_versions && subject->expected && (subject->expected->flags & older->flags & SW_RECORD_VERSION))
        return false; /* the versions differ; a baseline row without one has none to differ in */
    return !sw_is_live(newest) || !rows_differ(rules, newest, older);
}

static bool is_candidate(const struct sw_subjects *subjects, const struct sw_subject *subject)
{
    if (sw_is_live(subject->newest) && sw_is_live(subject->older) && subject->newest->set != subject->older->set)
        return false; /* what a column means that one of them lacks is not for this to say */
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
    .why = "An event below the newest version shows in no state. Only events that show the row before them, or a stream that numbers its events (GTIDs, offsets, counts per transaction), can show that one is missing: an equal state is no complete history.",
    .none = "no equal key of the sample has a superseded event",
    .list = SW_CANNOT_BE_CAUGHT,
    .make = make_superseded,
};
