/* Planting faults in the sample, one by one, and looking whether each is noticed. */
#include "base/memory.h"
#include "challenge/challenge.h"
#include "fold/identity.h"

/* Faults in identities: which were used twice is found out from the key's own records. */
struct identities {
    struct sw_fold_rules rules;
    struct sw_trial trial;
    struct sw_buffer records;
};

static enum sw_code find_reuse(struct identities *identities, const struct sw_mutant *mutant, struct sw_error *error)
{
    struct sw_identity_reuse *reuse = sw_identity_reuse_new();
    uint64_t repeats = 0;
    size_t count = 0;
    identities->records.len = 0;
    for (size_t i = 0; i < mutant->count[0]; i++)
        if ((mutant->records[0][i].flags & SW_RECORD_IDENTITY) && !sw_identity_in_key(mutant->records[0][i].identity)) {
            sw_buffer_add(&identities->records, &mutant->records[0][i], sizeof mutant->records[0][i]);
            count++;
        }
    bool found = reuse && !identities->records.failed && sw_identity_reuse_find(reuse, &repeats, (struct sw_record *)(void *)identities->records.at, count, identities->rules.schema);
    if (!found) {
        sw_identity_reuse_free(&reuse);
        return sw_fail_memory(error, "identities used twice", identities->records.len);
    }
    identities->rules.reused = reuse;
    return SW_OK;
}

/* Does each key that is touched end otherwise; and if it must, one that was equal as not equal? What cannot be caught may show in the history alone. */
static enum sw_code is_noticed(bool *noticed, bool must, struct sw_trial *trial, const struct sw_mutant *mutant, struct sw_error *error)
{
    const struct sw_subjects *subjects = mutant->subjects;
    *noticed = true;
    for (unsigned i = 0; i < mutant->touched; i++) {
        const struct sw_subject *subject = &subjects->at[mutant->subject[i]];
        struct sw_outcome outcome;
        enum sw_code code = sw_trial_fold(&outcome, trial, mutant->records[i], mutant->count[i], error);
        if (code < 0)
            return code;
        bool other = sw_subject_equal(subject) && must ? outcome.reason != SW_REASON_NONE : !sw_subject_same(subjects, subject, &outcome);
        *noticed &= other;
    }
    return SW_OK;
}

static enum sw_code plant_one(struct sw_challenge *challenge, struct sw_challenge_row *row, const struct sw_mutation *mutation, const struct sw_mutant *mutant,
                              struct identities *identities, struct sw_error *error)
{
    bool noticed = false;
    enum sw_code code = SW_OK;
    if (mutation->identities) {
        code = find_reuse(identities, mutant, error);
        if (code == SW_OK)
            code = is_noticed(&noticed, true, &identities->trial, mutant, error);
        struct sw_identity_reuse *reuse = (struct sw_identity_reuse *)(uintptr_t)identities->rules.reused;
        sw_identity_reuse_free(&reuse);
        identities->rules.reused = NULL;
    } else {
        code = is_noticed(&noticed, mutation->list == SW_MUST_BE_CAUGHT, &challenge->trial, mutant, error);
    }
    row->tried++;
    row->passed += noticed;
    if (code < 0 || noticed || mutation->list == SW_CANNOT_BE_CAUGHT)
        return code;
    struct sw_survivor survivor = {.touched = mutant->touched, .column = mutant->column ? mutant->column->name : (struct sw_bytes){0}};
    for (unsigned i = 0; i < mutant->touched; i++)
        survivor.keys[i] = mutant->subjects->at[mutant->subject[i]].sample;
    code = sw_challenge_find_hiding(&survivor.hidden, challenge, mutant, error);
    row->hidden[survivor.hidden]++;
    return code < 0 ? code : sw_challenge_keep(challenge, row, &survivor, error);
}

/* An ignored column is not even read: whatever stands in it gets through. */
static enum sw_code plant_in_ignored(struct sw_challenge *challenge, struct sw_error *error)
{
    const struct sw_mapping *mapping = &challenge->run->mapping;
    struct sw_challenge_row *row = NULL;
    enum sw_code code = SW_OK;
    for (size_t i = 0; i < mapping->column_count && code == SW_OK; i++) {
        if (!mapping->columns[i].ignored)
            continue;
        if (!row)
            row = sw_challenge_row(challenge, SW_LIST_MUST_BE_CAUGHT, "ignored-column", "a wrong value in an ignored column",
                                   "A column that is declared ignored is not read at all: a wrong value in it, in any row, cannot be told from a right one.");
        row->tried++;
        row->hidden[SW_HIDDEN_BY_IGNORE]++;
        code = sw_challenge_keep(challenge, row, &(struct sw_survivor){.hidden = SW_HIDDEN_BY_IGNORE, .column = sw_bytes_text(mapping->columns[i].column)}, error);
    }
    return code;
}

enum sw_code sw_challenge_plant(struct sw_challenge *challenge, struct sw_error *error)
{
    struct sw_mutant mutant = {.subjects = &challenge->subjects, .dice = {challenge->seed ^ 0x5aa5}};
    struct identities identities = {.rules = challenge->run->rules};
    identities.trial.rules = &identities.rules;
    identities.rules.reused = NULL;
    enum sw_code code = sw_mutant_pair(&mutant) ? SW_OK : sw_fail_memory(error, "the sample", 0);
    for (const struct sw_mutation *const *at = sw_mutations(); *at && code == SW_OK; at++) {
        const struct sw_mutation *mutation = *at;
        struct sw_challenge_row *row = sw_challenge_row(challenge, mutation->list == SW_MUST_BE_CAUGHT ? SW_LIST_MUST_BE_CAUGHT : SW_LIST_CANNOT_BE_CAUGHT, mutation->name,
                                                        mutation->title, mutation->why);
        for (size_t i = 0; i < challenge->subjects.count && code == SW_OK; i++)
            for (size_t variant = 0; code == SW_OK && mutation->make(&mutant, i, variant) && !mutant.failed; variant++)
                code = plant_one(challenge, row, mutation, &mutant, &identities, error);
        if (mutant.failed && code == SW_OK)
            code = sw_fail_memory(error, "a planted fault", 0);
        if (row->tried == 0)
            row->not_tried = mutation->none;
    }
    if (code == SW_OK)
        code = plant_in_ignored(challenge, error);
    sw_mutant_free(&mutant);
    sw_trial_free(&identities.trial);
    sw_buffer_free(&identities.records);
    return code;
}
