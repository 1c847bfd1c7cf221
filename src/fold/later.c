#include "fold/later.h"

bool sw_later_hold_against(struct sw_fold_worker *worker, const struct sw_draft_image *expected)
{
    return !expected->present || expected->deleted || sw_carry_hold_against(&worker->carry_later, worker->rules, expected);
}

bool sw_later_is_shown(bool *fine, struct sw_fold_worker *worker, const struct sw_record *const *records, size_t at, const struct sw_draft_image *expected)
{
    const struct sw_fold_rules *rules = worker->rules;
    const struct sw_record *record = records[at];
    bool deleted = record->flags & SW_RECORD_DELETED, tombstones = rules->deletes == SW_DELETES_TOMBSTONE;
    bool row = tombstones || !deleted, expected_row = expected->present && (tombstones || !expected->deleted);
    if (!row || !expected_row)
        return row == expected_row;
    bool versions_differ = rules->compare_versions && expected->has_version && (record->flags & SW_RECORD_VERSION) &&
                           (record->space != expected->space || !sw_bytes_equal(record->version, expected->version));
    if (deleted != expected->deleted || versions_differ)
        return false;
    if (deleted)
        return true;
    *fine = sw_carry_to(&worker->carry_later, rules->schema, records, at);
    return *fine && sw_carry_equals(&worker->carry_later);
}
