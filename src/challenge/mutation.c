#include "challenge/mutation.h"

#include "base/memory.h"

const struct sw_mutation *const *sw_mutations(void)
{
    static const struct sw_mutation *const all[] = {
        &sw_mutation_swapped_values, &sw_mutation_row_removed, &sw_mutation_row_added, &sw_mutation_row_twice, &sw_mutation_deleted_row_shown, &sw_mutation_version_changed,
        &sw_mutation_tombstone_removed, &sw_mutation_newest_dropped, &sw_mutation_twin_below, &sw_mutation_twin_newest, &sw_mutation_late_revival,
        &sw_mutation_identity_reused, &sw_mutation_superseded_dropped, &sw_mutation_invisible_dropped, &sw_mutation_both_sides, NULL};
    return all;
}

static bool reserve(struct sw_mutant *mutant, unsigned which, size_t count)
{
    if (count <= mutant->capacity[which])
        return true;
    size_t capacity = count * 2 + 16;
    struct sw_record *grown = sw_realloc_array(mutant->records[which], capacity, sizeof *grown);
    if (!grown) {
        mutant->failed = true;
        return false;
    }
    mutant->records[which] = grown;
    mutant->capacity[which] = capacity;
    return true;
}

void sw_mutant_copy(struct sw_mutant *mutant, unsigned which, size_t subject)
{
    const struct sw_sample_key *key = mutant->subjects->at[subject].sample;
    mutant->subject[which] = subject;
    mutant->count[which] = 0;
    if (which == 0) {
        mutant->touched = 1;
        mutant->column = NULL;
    } else {
        mutant->touched = 2;
    }
    if (!reserve(mutant, which, key->count))
        return;
    memcpy(mutant->records[which], key->records, key->count * sizeof *key->records);
    mutant->count[which] = key->count;
}

void sw_mutant_add(struct sw_mutant *mutant, unsigned which, const struct sw_record *record)
{
    struct sw_record copy = *record; /* it may stand in the array that grows */
    if (reserve(mutant, which, mutant->count[which] + 1))
        mutant->records[which][mutant->count[which]++] = copy;
}

static void keep_if(struct sw_mutant *mutant, const struct sw_record *like, bool (*keep)(const struct sw_record *record, const struct sw_record *like))
{
    size_t kept = 0;
    for (size_t i = 0; i < mutant->count[0]; i++)
        if (keep(&mutant->records[0][i], like))
            mutant->records[0][kept++] = mutant->records[0][i];
    mutant->count[0] = kept;
}

static bool stands_elsewhere(const struct sw_record *record, const struct sw_record *like)
{
    if (record->role == SW_ROLE_EXPECTED || (record->flags & SW_RECORD_UNREADABLE))
        return true;
    if ((record->flags ^ like->flags) & SW_RECORD_VERSION)
        return true;
    return (like->flags & SW_RECORD_VERSION) && (record->space != like->space || !sw_bytes_equal(record->version, like->version));
}

static bool is_evidence(const struct sw_record *record, const struct sw_record *like)
{
    (void)like;
    return record->role != SW_ROLE_EXPECTED;
}

static bool is_reference(const struct sw_record *record, const struct sw_record *like)
{
    (void)like;
    return record->role == SW_ROLE_EXPECTED;
}

void sw_mutant_drop_version(struct sw_mutant *mutant, const struct sw_record *like) { keep_if(mutant, like, stands_elsewhere); }
void sw_mutant_drop_reference(struct sw_mutant *mutant) { keep_if(mutant, NULL, is_evidence); }
void sw_mutant_drop_evidence(struct sw_mutant *mutant) { keep_if(mutant, NULL, is_reference); }

struct sw_record *sw_mutant_find(struct sw_mutant *mutant, const struct sw_record *row)
{
    for (size_t i = 0; i < mutant->count[0]; i++)
        if (mutant->records[0][i].bytes.at == row->bytes.at)
            return &mutant->records[0][i];
    return NULL;
}

void sw_mutant_free(struct sw_mutant *mutant)
{
    for (unsigned i = 0; i < 2; i++) {
        sw_free(mutant->records[i]);
        sw_buffer_free(&mutant->made[i]);
    }
    sw_free(mutant->partners);
    *mutant = (struct sw_mutant){0};
}
