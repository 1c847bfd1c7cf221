/* The order in which the records of one key are folded: never that of their arrival, never by ids that differ from run to run. */
#ifndef SW_FOLD_KEY_ORDER_H
#define SW_FOLD_KEY_ORDER_H

#include "fold/fold.h"

/* What tells a row that was written from one that a snapshot read, or that a part of one was written: no part of the content. */
#define SW_FOLD_OPERATION_FLAGS (SW_RECORD_READ | SW_RECORD_PARTIAL)

/* Groups in the order in which they can be folded. */
enum sw_fold_group { SW_FOLD_GROUP_BASELINE, SW_FOLD_GROUP_READ, SW_FOLD_GROUP_UNPOSITIONED, SW_FOLD_GROUP_VERSION, SW_FOLD_GROUP_EXPECTED };

static inline enum sw_fold_group sw_fold_group_of(const struct sw_record *record)
{
    if (record->role == SW_ROLE_EXPECTED)
        return SW_FOLD_GROUP_EXPECTED;
    if (record->flags & SW_RECORD_VERSION)
        return SW_FOLD_GROUP_VERSION;
    if (record->role == SW_ROLE_BASELINE)
        return SW_FOLD_GROUP_BASELINE;
    return record->flags & SW_RECORD_READ ? SW_FOLD_GROUP_READ : SW_FOLD_GROUP_UNPOSITIONED;
}

/* Without events a baseline is a table, and two equal rows of one input are not one row: chunks that were exported apart may overlap, a table does not.
 * Both are baseline rows without a version, one behind the other in the order of the fold. */
static inline bool sw_fold_repeat_counts(const struct sw_fold_rules *rules, const struct sw_record *first, const struct sw_record *second)
{
    return !rules->events_given && first->input == second->input && sw_fold_group_of(second) == SW_FOLD_GROUP_BASELINE && !(second->flags & SW_RECORD_UNREADABLE);
}

/* By space and version, which both have: those of spaces that are not ordered stand in any fixed order. */
int sw_fold_compare_positions(const struct sw_fold_rules *rules, const struct sw_record *a, const struct sw_record *b);
/* By input, block, line and role: which of two equal records is the one to name. */
int sw_fold_compare_places(const struct sw_record *a, const struct sw_record *b);
/* Orders what was read before what follows from records, and those by the row that they show to be removed, which is no part of their content. */
int sw_fold_compare_following(const struct sw_schema *schema, const struct sw_record *a, const struct sw_record *b);
/* Orders records by what they say of the row before them, which is no part of their content either: of equal ones, which one stands for all must not depend on arrival. */
int sw_fold_compare_claims(const struct sw_schema *schema, const struct sw_record *a, const struct sw_record *b);
/* Sorts by group, space, version, content, the removed row, identity, operation, claims and place. */
void sw_fold_sort_records(const struct sw_fold_rules *rules, struct sw_record *records, size_t count);

#endif
