#include "fold/truncates.h"

#include "base/memory.h"
#include "fold/key_order.h"

enum class { COUNTS, BEYOND_CUT, OPEN, CLASSES };
#define NONE UINT32_MAX

/* Those of one table and space, or of one table and without a version: they stand together. */
struct group {
    uint32_t table, from, to;
};

struct sw_truncate_index {
    struct group *groups;
    uint32_t group_count;
    bool all;                           /* a key sees all of them */
    uint32_t *next[CLASSES], *last[CLASSES]; /* by truncate: the next one of a class from it on, in its group; the last one up to it */
};

static bool same_group(const struct sw_record *a, const struct sw_record *b)
{
    return a->table == b->table && a->space == b->space && !((a->flags ^ b->flags) & SW_RECORD_VERSION);
}

static enum class class_of(const struct sw_fold_rules *rules, const struct sw_record *record)
{
    return sw_fold_is_open(rules, record) ? OPEN : sw_fold_beyond_cut(rules, record) ? BEYOND_CUT : COUNTS;
}

/* Of those at one version, under several names, the first stands for all. */
static void find_neighbours(struct sw_truncate_index *index, const struct sw_fold_rules *rules, const struct group *group)
{
    const struct sw_record *truncates = rules->truncates;
    for (int c = 0; c < CLASSES; c++) {
        uint32_t last = NONE, next = NONE;
        for (uint32_t i = group->from; i < group->to; i++) {
            bool first = class_of(rules, &truncates[i]) == (enum class)c && (last == NONE || !sw_bytes_equal(truncates[last].version, truncates[i].version));
            index->last[c][i] = last = first ? i : last;
        }
        for (uint32_t i = group->to; i-- > group->from;)
            index->next[c][i] = next = index->last[c][i] == i ? i : next;
    }
}

void sw_truncate_index_free(struct sw_truncate_index **pointer)
{
    struct sw_truncate_index *index = *pointer;
    *pointer = NULL;
    if (!index)
        return;
    for (int c = 0; c < CLASSES; c++) {
        sw_free(index->next[c]);
        sw_free(index->last[c]);
    }
    sw_free(index->groups);
    sw_free(index);
}

enum sw_code sw_truncate_index_new(struct sw_truncate_index **out, const struct sw_fold_rules *rules, struct sw_error *error)
{
    uint32_t count = rules->truncate_count, groups = count != 0;
    *out = NULL;
    if (count == 0)
        return SW_OK;
    for (uint32_t i = 1; i < count; i++)
        groups += !same_group(&rules->truncates[i - 1], &rules->truncates[i]);
    struct sw_truncate_index *index = sw_calloc(1, sizeof *index);
    bool complete = index && (index->groups = sw_calloc(groups, sizeof *index->groups)) != NULL;
    for (int c = 0; c < CLASSES && complete; c++) {
        index->next[c] = sw_realloc_array(NULL, count, sizeof *index->next[c]);
        index->last[c] = sw_realloc_array(NULL, count, sizeof *index->last[c]);
        complete = index->next[c] && index->last[c];
    }
    if (!complete) {
        sw_truncate_index_free(&index);
        return sw_fail_memory(error, "truncates", (size_t)count * 2 * CLASSES * sizeof(uint32_t));
    }
    for (uint32_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && same_group(&rules->truncates[from], &rules->truncates[to]);)
            to++;
        index->groups[index->group_count] = (struct group){rules->truncates[from].table, from, to};
        find_neighbours(index, rules, &index->groups[index->group_count++]);
    }
    index->all = rules->order && (rules->order->compare || rules->order->split_slots);
    *out = index;
    return SW_OK;
}

size_t sw_fold_truncates_max(const struct sw_fold_rules *rules, size_t record_count)
{
    const struct sw_truncate_index *index = rules->truncate_index;
    size_t some = index && !index->all ? 2 * CLASSES * (record_count + index->group_count) : SIZE_MAX, all = rules->truncate_count + 2 * (size_t)CLASSES;
    return some < all ? some : all;
}

static void add(struct sw_record *records, size_t *count, const struct sw_fold_rules *rules, uint32_t at)
{
    records[*count] = rules->truncates[at];
    records[(*count)++].key = records[0].key;
}

/* The first and the last of each class of a run without a record of the key in it. */
static void add_run(struct sw_record *records, size_t *count, const struct sw_fold_rules *rules, uint32_t from, uint32_t to)
{
    const struct sw_truncate_index *index = rules->truncate_index;
    for (int c = 0; c < CLASSES && from < to; c++) {
        uint32_t first = index->next[c][from], last = index->last[c][to - 1];
        if (first == NONE || first >= to)
            continue;
        add(records, count, rules, first);
        if (last != first)
            add(records, count, rules, last);
    }
}

/* The first truncate of [from, to) that is not before the record. */
static uint32_t find(const struct sw_fold_rules *rules, uint32_t from, uint32_t to, const struct sw_record *record)
{
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (sw_bytes_compare(rules->truncates[middle].version, record->version) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* The destination may show the tombstone of a truncate, with its version. */
static void add_at(struct sw_record *records, size_t *count, const struct sw_fold_rules *rules, const struct group *group, const struct sw_record *expected)
{
    uint32_t from = find(rules, group->from, group->to, expected), to = from;
    while (to < group->to && sw_bytes_equal(rules->truncates[to].version, expected->version)) /* under several names */
        to++;
    add_run(records, count, rules, from, to);
}

/* The first group of a table, or where it would be. */
static uint32_t groups_of(const struct sw_truncate_index *index, uint32_t table)
{
    uint32_t low = 0, high = index->group_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (index->groups[middle].table < table)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool sw_fold_is_truncated_at(const struct sw_fold_rules *rules, const struct sw_record *record)
{
    const struct sw_truncate_index *index = rules->truncate_index;
    for (uint32_t g = index ? groups_of(index, record->table) : 0; index && g < index->group_count && index->groups[g].table == record->table; g++) {
        const struct group *group = &index->groups[g];
        const struct sw_record *first = &rules->truncates[group->from];
        if (!(first->flags & SW_RECORD_VERSION) || first->space != record->space)
            continue;
        uint32_t at = find(rules, group->from, group->to, record);
        return at < group->to && sw_bytes_equal(rules->truncates[at].version, record->version);
    }
    return false;
}

void sw_fold_add_truncates(struct sw_record *records, size_t *count, const struct sw_fold_rules *rules)
{
    const struct sw_truncate_index *index = rules->truncate_index;
    size_t own = *count;
    if (!index || index->all) {
        for (uint32_t i = 0; i < rules->truncate_count; i++)
            if (rules->truncates[i].table == records[0].table)
                add(records, count, rules, i);
        sw_fold_sort_records(rules, records, *count);
        return;
    }
    uint32_t low = groups_of(index, records[0].table);
    sw_fold_sort_records(rules, records, own);
    size_t expected = 0; /* a second row of the destination blocks the key */
    while (expected < own && (records[expected].role != SW_ROLE_EXPECTED || (records[expected].flags & SW_RECORD_UNREADABLE)))
        expected++;
    for (; low < index->group_count && index->groups[low].table == records[0].table; low++) {
        const struct group *group = &index->groups[low];
        const struct sw_record *first = &rules->truncates[group->from];
        uint32_t from = group->from;
        for (size_t i = 0; i < own && (first->flags & SW_RECORD_VERSION) && from < group->to; i++) {
            if (sw_fold_group_of(&records[i]) != SW_FOLD_GROUP_VERSION || records[i].space != first->space)
                continue;
            uint32_t to = find(rules, from, group->to, &records[i]);
            add_run(records, count, rules, from, to);
            from = to;
        }
        add_run(records, count, rules, from, group->to);
        if (expected < own && (first->flags & records[expected].flags & SW_RECORD_VERSION) && records[expected].space == first->space)
            add_at(records, count, rules, group, &records[expected]);
    }
    sw_fold_sort_records(rules, records, *count);
}
