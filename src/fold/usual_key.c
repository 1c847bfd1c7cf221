#include "base/word.h"
#include "fold/step.h"

/* More versions than this, and the whole fold is as good. */
#define VERSIONS_MAX 8

/* The evidence of one key, if it is of the usual kind. */
struct usual {
    const struct sw_record *versions[VERSIONS_MAX];
    size_t version_count;
    uint8_t claims;
    const struct sw_record *newest, *baseline, *expected;
};

static bool add_version(struct usual *usual, const struct sw_order *order, const struct sw_record *record)
{
    if (usual->version_count == VERSIONS_MAX)
        return false;
    for (size_t i = 0; i < usual->version_count; i++) {
        const struct sw_record *other = usual->versions[i];
        if (other->space != record->space)
            return false;
        switch (sw_version_compare(order, other->version, record->version)) {
        case SW_VERSION_BEFORE:
            if (other == usual->newest)
                usual->newest = record;
            break;
        case SW_VERSION_AFTER:
            break;
        case SW_VERSION_EQUAL:     /* a repeat, or a conflict */
        case SW_VERSION_UNORDERED:
            return false;
        }
    }
    if (!usual->newest)
        usual->newest = record;
    usual->versions[usual->version_count++] = record;
    return true;
}

static bool collect(struct usual *usual, const struct sw_order *order, const struct sw_record *records, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct sw_record *record = &records[i];
        if ((record->flags & (SW_RECORD_UNREADABLE | SW_RECORD_READ | SW_RECORD_GAPS | SW_RECORD_PARTIAL)) || record->role == SW_RECORD_ROLE_FOLLOWING)
            return false;
        if (record->role == SW_ROLE_EXPECTED) {
            if (usual->expected)
                return false;
            usual->expected = record;
        } else if (record->flags & SW_RECORD_VERSION) {
            if (!add_version(usual, order, record))
                return false;
            usual->claims |= record->claim;
        } else {
            if (usual->baseline || record->role != SW_ROLE_BASELINE)
                return false;
            usual->baseline = record;
        }
    }
    return true;
}

/* What the events say of the rows before them, if none of it contradicts. */
static bool claims_agree(struct sw_fold_worker *worker, const struct usual *usual)
{
    const struct sw_record *records[VERSIONS_MAX + 1];
    size_t from = usual->baseline != NULL, count = from;
    records[0] = usual->baseline;
    for (size_t i = 0; i < usual->version_count; i++, count++) {
        size_t at = count;
        for (; at > from && sw_bytes_compare(usual->versions[i]->version, records[at - 1]->version) < 0; at--)
            records[at] = records[at - 1];
        records[at] = usual->versions[i];
    }
    const struct sw_claim_evidence evidence = {.records = records, .count = count, .versions_from = from};
    return sw_claims_agree(worker, &evidence);
}

/* A delete after a write of its transaction that found the key free, or was a change of key: which came first is for the whole fold to say (step.h). */
static bool may_be_step(const struct usual *usual, const struct sw_order *order)
{
    for (size_t i = 0; i < usual->version_count; i++)
        if (usual->versions[i] != usual->newest && sw_fold_is_put(usual->versions[i]) && sw_fold_one_transaction(order, usual->versions[i], usual->newest))
            return true;
    return false;
}

static bool same_bytes(struct sw_bytes a, struct sw_bytes b) { return a.len == b.len && sw_word_compare(a.at, b.at, a.len) == 0; }

static bool rows_equal(const struct sw_fold_rules *rules, const struct sw_record *state, const struct sw_record *expected)
{
    bool tombstones = rules->deletes == SW_DELETES_TOMBSTONE;
    bool state_row = state && (tombstones || !(state->flags & SW_RECORD_DELETED)), expected_row = expected && (tombstones || !(expected->flags & SW_RECORD_DELETED));
    if (!state_row && !expected_row)
        return state != NULL;
    if (!state_row || !expected_row || ((state->flags ^ expected->flags) & SW_RECORD_DELETED))
        return false;
    if (rules->compare_versions && (!(state->flags & expected->flags & SW_RECORD_VERSION) || state->space != expected->space || !same_bytes(state->version, expected->version)))
        return false;
    return (state->flags & SW_RECORD_DELETED) || (state->set == expected->set && same_bytes(state->values, expected->values));
}

static __attribute__((noinline)) enum sw_code send_state(struct sw_fold_worker *worker, const struct sw_record *record, struct sw_error *error)
{
    const struct sw_draft_image image = sw_fold_image_of(record);
    return worker->sink.state(record->table, record->key, &image, worker->sink.ctx, error);
}

bool sw_fold_usual_key(enum sw_code *code, struct sw_fold_worker *worker, const struct sw_record *records, size_t count, enum sw_scope_place place, struct sw_error *error)
{
    const struct sw_fold_rules *rules = worker->rules;
    uint32_t table = records[0].table;
    struct usual usual;
    usual.version_count = 0;
    usual.claims = 0;
    usual.newest = usual.baseline = usual.expected = NULL;
    if (rules->cut_count || rules->covered_count || rules->open_count || rules->reused || rules->truncate_count || sw_fold_sends_records(worker) || table >= worker->table_count)
        return false;
    if (!collect(&usual, rules->order, records, count))
        return false;
    if (usual.version_count > 1 && (usual.newest->flags & SW_RECORD_DELETED) && may_be_step(&usual, rules->order))
        return false;
    const struct sw_record *state = usual.newest ? usual.newest : usual.baseline;
    *code = SW_OK;
    if (place == SW_SCOPE_OUTSIDE) {
        if (usual.claims && !claims_agree(worker, &usual))
            return false;
        worker->counts.dispositions[SW_DISPOSITION_OUT_OF_SCOPE] += count;
        worker->counts.outside++;
        worker->tables[table].outside++;
        return true;
    }
    bool fits = rules->reference_given ? rows_equal(rules, state, usual.expected) : state && !usual.expected;
    if (!fits || (usual.claims && !claims_agree(worker, &usual)))
        return false;
    if (worker->sink.state && (*code = send_state(worker, state, error)) < 0)
        return true;
    struct sw_fold_counts *counts = &worker->counts;
    counts->dispositions[SW_DISPOSITION_APPLIED]++;
    counts->dispositions[SW_DISPOSITION_SUPERSEDED] += usual.version_count + (usual.baseline != NULL) - 1;
    counts->dispositions[SW_DISPOSITION_REFERENCE] += usual.expected != NULL;
    counts->states++;
    counts->tombstones += (state->flags & SW_RECORD_DELETED) != 0;
    if (rules->reference_given)
        sw_fold_count_class(counts, &worker->tables[table], SW_CLASS_EQUAL, SW_REASON_NONE);
    else
        sw_fold_count_class(counts, &worker->tables[table], sw_reason_class(SW_REASON_NOT_COMPARABLE), SW_REASON_NOT_COMPARABLE);
    return true;
}
