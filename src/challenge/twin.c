/* A twin: a second event at a version that a key has already, with other contents. */
#include "challenge/mutation.h"

/* Does the key have this content at this version already? */
static bool is_there(const struct sw_mutant *out, const struct sw_subject *subject, const struct sw_record *twin)
{
    for (size_t i = 0; i < subject->sample->count; i++) {
        const struct sw_record *record = &subject->sample->records[i];
        if (record->role != SW_ROLE_EXPECTED && (record->flags & SW_RECORD_VERSION) && record->space == twin->space && sw_bytes_equal(record->version, twin->version) &&
            sw_content_compare(out->subjects->rules->schema, record, twin) == 0)
            return true;
    }
    return false;
}

static bool plant(struct sw_mutant *out, size_t index, const struct sw_record *original)
{
    const struct sw_subject *subject = &out->subjects->at[index];
    if (!sw_subject_equal(subject) || !original || !(original->flags & SW_RECORD_VERSION) || sw_order_is_weak(out->subjects->rules->order, original->version))
        return false;
    struct sw_record twin = *original;
    const struct sw_record *other = NULL;
    if (sw_is_live(original) && !(original->flags & (SW_RECORD_GAPS | SW_RECORD_PARTIAL)))
        other = sw_subjects_other_row(out->subjects, original, &out->dice);
    twin.role = SW_ROLE_EVENTS;
    twin.flags = (uint8_t)(original->flags & ~SW_RECORD_IDENTITY);
    twin.identity = twin.claimed = (struct sw_bytes){0};
    twin.claim = 0;
    if (other)
        twin.values = other->values;
    else
        twin.flags ^= SW_RECORD_DELETED; /* a delete of the row that was written, or the other way round */
    if (!(twin.flags & SW_RECORD_DELETED) && !sw_is_live(original)) {
        const struct sw_record *row = sw_is_live(subject->older) ? subject->older : sw_is_live(subject->expected) ? subject->expected : NULL;
        if (!row)
            return false;
        twin.set = row->set;
        twin.values = row->values;
        twin.flags |= row->flags & (SW_RECORD_GAPS | SW_RECORD_PARTIAL);
    }
    if (is_there(out, subject, &twin))
        return false;
    sw_mutant_copy(out, 0, index);
    sw_mutant_add(out, 0, &twin);
    return true;
}

static bool make_below(struct sw_mutant *out, size_t index, size_t variant) { return variant == 0 && plant(out, index, out->subjects->at[index].older); }
static bool make_newest(struct sw_mutant *out, size_t index, size_t variant) { return variant == 0 && plant(out, index, out->subjects->at[index].newest); }

const struct sw_mutation sw_mutation_twin_below = {
    .name = "twin-below",
    .title = "a twin with other contents below the newest",
    .why = "A second event, with other contents, is added at a version that a newer one has superseded: the key must be in conflict, whatever is newer.",
    .none = "no equal key of the sample has a version below its newest one",
    .list = SW_MUST_BE_CAUGHT,
    .make = make_below,
};

const struct sw_mutation sw_mutation_twin_newest = {
    .name = "twin-newest",
    .title = "a twin with other contents at the newest",
    .why = "A second event, with other contents, is added at the newest version of a key: nobody may choose one of the two.",
    .none = "no equal key of the sample has a version",
    .list = SW_MUST_BE_CAUGHT,
    .make = make_newest,
};
