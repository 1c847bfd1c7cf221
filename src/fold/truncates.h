/* Truncates, which hold for every key of their table: which of them a key has to see.
 *
 * A stream may have a million of them and a table a million keys. Between two records of a key, a run of truncates is one tombstone: the first and the last of it
 * say all that the fold asks (what stood there before the next record, where the cut was passed, which place to name), each of those that count, that lie
 * beyond the cut and that are of open transactions; and the one that the destination's row has the version of. Where versions of one space need not be ordered, a key sees all of them. */
#ifndef SW_FOLD_TRUNCATES_H
#define SW_FOLD_TRUNCATES_H

#include "fold/fold.h"

/* Of rules->truncates, which are sorted by table, space, version and identity; rules->order, cuts and open are known. *out stays NULL if there are none.
 * SW_ERR_MEMORY. */
enum sw_code sw_truncate_index_new(struct sw_truncate_index **out, const struct sw_fold_rules *rules, struct sw_error *error);
/* Accepts NULL. */
void sw_truncate_index_free(struct sw_truncate_index **index);
/* How many truncates a key of so many records sees at most. */
size_t sw_fold_truncates_max(const struct sw_fold_rules *rules, size_t record_count);
/* Appends to records[*count …] the truncates that the key of records[0] has seen, and sorts; room for sw_fold_truncates_max more must be there. */
void sw_fold_add_truncates(struct sw_record *records, size_t *count, const struct sw_fold_rules *rules);
/* Does a truncate of its table stand at the record's version? The index is there. */
bool sw_fold_is_truncated_at(const struct sw_fold_rules *rules, const struct sw_record *record);
/* Is it one that was added? */
static inline bool sw_fold_is_truncate(const struct sw_fold_rules *rules, const struct sw_record *record)
{
    return record->role == SW_RECORD_ROLE_FOLLOWING && rules->truncate_count && (uintptr_t)record->bytes.at - (uintptr_t)rules->truncate_bytes.at < rules->truncate_bytes.len;
}

#endif
