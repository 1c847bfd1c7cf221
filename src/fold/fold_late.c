#include "fold/fold_late.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fold/carry.h"
#include "fold/key_order.h"
#include "fold/step.h"
#include "fold/truncates.h"
#include "fold/worker.h"

enum sw_code sw_fold_set_aside(bool *taken, struct sw_fold_worker *worker, struct sw_bytes bytes, struct sw_error *error)
{
    struct sw_record record;
    uint32_t group;
    *taken = false;
    if (!worker->rules->links || !worker->late)
        return SW_OK;
    sw_record_read_key(&record, bytes);
    if (!sw_fold_links_find(&group, worker->rules->links, record.table, record.key))
        return SW_OK;
    *taken = true;
    uint8_t *to = sw_partition_append(worker->late, group % SW_FOLD_LATE_PARTITIONS, bytes.len, error);
    if (!to)
        return error->code;
    memcpy(to, bytes.at, bytes.len);
    return SW_OK;
}

struct late_record {
    struct sw_record record;
    uint32_t group;
};

/* What a key had before the moves that were followed so far, one record for each content of each version: moves are followed in the order of their positions. */
struct late_past {
    struct sw_buffer records;       /* const struct sw_record * */
    struct sw_buffer spaces;        /* uint32_t: of those that have versions, one after the other */
    const struct sw_record *last;   /* that was looked at */
    size_t next;                    /* in the key's order */
    bool unreadable;                /* one of them could not be read */
};

/* The records of one key, in the order of the fold: evidence first, and how many of those there are. */
struct late_key {
    struct sw_record *records;
    size_t count, evidence;
    struct sw_buffer seen;          /* struct sw_record: the evidence with the truncates that it saw; of use are those alone */
    struct sw_buffer order;         /* struct sw_record *: the evidence itself, and they. Made when a row moved away that lacks columns */
    struct late_past past[2];       /* without and with what lies beyond the cut or in open transactions */
};

struct late {
    const struct sw_fold_large *large;
    const struct sw_fold_rules *rules;
    struct sw_buffer all;           /* struct late_record */
    struct sw_buffer records;       /* struct sw_record: of one group, key by key */
    struct sw_buffer keys;          /* struct late_key */
    struct sw_buffer moves;         /* struct sw_record *: of one group */
    struct sw_buffer folded;        /* struct sw_record: of one key, with truncates */
    struct sw_buffer columns;       /* const struct sw_column *: of one image */
    struct sw_buffer *patched;      /* values that were put together, one a move of the group */
    size_t patched_count;
    struct sw_carry carry;
};

static void forget_keys(struct late *late)
{
    struct late_key *keys = (struct late_key *)(void *)late->keys.at;
    for (size_t i = 0; i < late->keys.len / sizeof *keys; i++) {
        sw_buffer_free(&keys[i].seen);
        sw_buffer_free(&keys[i].order);
        for (int v = 0; v < 2; v++) {
            sw_buffer_free(&keys[i].past[v].records);
            sw_buffer_free(&keys[i].past[v].spaces);
        }
    }
    late->keys.len = 0;
}

static void forget_patches(struct late *late)
{
    for (size_t i = 0; i < late->patched_count; i++)
        sw_buffer_free(&late->patched[i]);
    sw_free(late->patched);
    late->patched = NULL;
    late->patched_count = 0;
}

static void late_free(struct late *late)
{
    struct sw_buffer *buffers[] = {&late->all, &late->records, &late->keys, &late->moves, &late->folded, &late->columns};
    forget_keys(late);
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        sw_buffer_free(buffers[i]);
    forget_patches(late);
    sw_carry_free(&late->carry);
}

static int compare_keys(const struct sw_record *a, const struct sw_record *b)
{
    if (a->table != b->table)
        return a->table < b->table ? -1 : 1;
    return sw_bytes_compare(a->key, b->key);
}

static int by_group(const void *a, const void *b)
{
    const struct late_record *left = a, *right = b;
    if (left->group != right->group)
        return left->group < right->group ? -1 : 1;
    int order = compare_keys(&left->record, &right->record);
    return order ? order : sw_fold_compare_places(&left->record, &right->record);
}

static bool is_move(const struct sw_record *record)
{
    return (record->claim & SW_CLAIM_MOVED) && (record->flags & SW_RECORD_VERSION) && (record->flags & (SW_RECORD_PARTIAL | SW_RECORD_GAPS)) &&
           !(record->flags & (SW_RECORD_UNREADABLE | SW_RECORD_DELETED));
}

static bool same_version(const struct sw_record *a, const struct sw_record *b) { return a->space == b->space && sw_bytes_equal(a->version, b->version); }

static struct late_key *find_key(const struct late *late, const struct sw_record *named)
{
    struct late_key *keys = (struct late_key *)(void *)late->keys.at;
    size_t low = 0, high = late->keys.len / sizeof *keys;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare_keys(&keys[middle].records[0], named);
        if (order == 0)
            return &keys[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* The key's evidence and the truncates that it saw, in order. False if memory ran out. */
static bool find_order(struct late_key *key, const struct sw_fold_rules *rules)
{
    size_t count = key->evidence, own = 0;
    if (rules->truncate_count && count) {
        sw_buffer_add(&key->seen, key->records, count * sizeof *key->records);
        if (!sw_buffer_reserve(&key->seen, sw_fold_truncates_max(rules, count) * sizeof(struct sw_record)) || key->seen.failed)
            return false;
        sw_fold_add_truncates((struct sw_record *)(void *)key->seen.at, &count, rules);
    }
    struct sw_record *seen = (struct sw_record *)(void *)key->seen.at;
    for (size_t i = 0; i < count; i++) { /* those that are put together later are seen as they are then */
        struct sw_record *record = seen && sw_fold_is_truncate(rules, &seen[i]) ? &seen[i] : &key->records[own++];
        sw_buffer_add(&key->order, &record, sizeof record);
    }
    return !key->order.failed;
}

/* What the key had before the move. False if memory ran out. */
static bool find_past(struct late_past **out, struct late_key *key, const struct sw_fold_rules *rules, const struct sw_record *move)
{
    bool aside = sw_fold_is_aside(rules, move);
    struct late_past *past = *out = &key->past[aside];
    if (!key->order.len && !find_order(key, rules))
        return false;
    struct sw_record *const *order = (struct sw_record *const *)(const void *)key->order.at;
    for (; past->next < key->order.len / sizeof *order; past->next++) {
        const struct sw_record *record = order[past->next], *before = past->last;
        bool versioned = sw_fold_group_of(record) == SW_FOLD_GROUP_VERSION;
        if (versioned && sw_fold_compare_positions(rules, record, move) >= 0)
            break;
        if (!aside && sw_fold_is_aside(rules, record))
            continue;
        bool same = before && sw_fold_group_of(before) == sw_fold_group_of(record) && same_version(before, record) && !((before->flags | record->flags) & SW_RECORD_UNREADABLE) &&
                    sw_content_compare(rules->schema, before, record) == 0;
        if (!same)
            sw_buffer_add(&past->records, &record, sizeof record);
        if (versioned && !(before && sw_fold_group_of(before) == SW_FOLD_GROUP_VERSION && before->space == record->space))
            sw_buffer_add(&past->spaces, &record->space, sizeof record->space);
        past->unreadable |= record->flags & SW_RECORD_UNREADABLE;
        past->last = record;
    }
    return !past->records.failed && !past->spaces.failed;
}

/* Is past[count - 1], and it alone, what the key had when the row moved? */
static bool is_known(const struct sw_fold_rules *rules, const struct late_past *before, const struct sw_record *move)
{
    const struct sw_record *const *past = (const struct sw_record *const *)(const void *)before->records.at;
    const uint32_t *spaces = (const uint32_t *)(const void *)before->spaces.at;
    size_t count = before->records.len / sizeof *past;
    if (count == 0 || (past[count - 1]->flags & SW_RECORD_DELETED) || before->unreadable) /* what a record that cannot be read did is not known; */
        return false;
    const struct sw_record *last = past[count - 1], *earlier = count > 1 ? past[count - 2] : NULL;
    uint32_t own = sw_spaces_rank(rules->spaces, move->space);
    for (size_t i = 0; i < before->spaces.len / sizeof *spaces; i++) { /* neither is what comes first of spaces without an order */
        uint32_t rank = sw_spaces_rank(rules->spaces, spaces[i]);
        if (spaces[i] != move->space && (rank == UINT32_MAX || own == UINT32_MAX || rank == own))
            return false;
    }
    switch (sw_fold_group_of(last)) {
    case SW_FOLD_GROUP_VERSION:
        return !(earlier && sw_fold_group_of(earlier) == SW_FOLD_GROUP_VERSION && same_version(earlier, last)) &&
               (last->space != move->space || sw_version_compare(rules->order, last->version, move->version) == SW_VERSION_BEFORE);
    case SW_FOLD_GROUP_READ: return !(earlier && sw_fold_group_of(earlier) == SW_FOLD_GROUP_READ);
    case SW_FOLD_GROUP_BASELINE: return !earlier && (rules->covered_count == 0 || sw_fold_follows_baseline(rules, move->space));
    default: return false;
    }
}

/* One image while it is read column by column; columns stand in the order of their names. */
struct columns {
    const struct sw_column_set *set;
    struct sw_bytes values;
    uint32_t at;
};

static const struct sw_column *column_of(const struct columns *columns) { return columns->at < columns->set->count ? columns->set->columns[columns->at] : NULL; }

static struct sw_value take_value(struct columns *columns)
{
    columns->at++;
    return sw_value_next(&columns->values);
}

/* The moved row takes what it does not show from the row as it was under its old key. */
static enum sw_code patch(struct late *late, struct sw_record *move, const struct sw_draft_image *state, struct sw_error *error)
{
    struct sw_schema *schema = late->rules->schema;
    struct columns own = {sw_schema_set_at(schema, move->set), move->values, 0}, old = {sw_schema_set_at(schema, state->set), state->values, 0};
    if ((late->patched_count & (late->patched_count - 1)) == 0) { /* at each power of two room for as many again */
        struct sw_buffer *grown = sw_realloc_array(late->patched, late->patched_count * 2 + 1, sizeof *grown);
        if (!grown)
            return sw_fail_memory(error, "a row that changed its key", sizeof *grown);
        late->patched = grown;
    }
    struct sw_buffer *values = &late->patched[late->patched_count++];
    *values = (struct sw_buffer){0};
    late->columns.len = 0;
    bool gaps = false;
    while (column_of(&own) || column_of(&old)) {
        const struct sw_column *left = column_of(&own), *right = column_of(&old), *column;
        int order = !left ? 1 : !right ? -1 : sw_bytes_compare(left->name, right->name);
        struct sw_value value;
        if (order > 0) {
            column = right;
            value = take_value(&old);
            if (!(move->flags & SW_RECORD_PARTIAL))
                continue; /* the image is whole: the column is none of the row's any more */
        } else {
            column = left;
            value = take_value(&own);
            struct sw_value before = order == 0 ? take_value(&old) : value;
            if (value.state == SW_STATE_UNAVAILABLE)
                value = before;
        }
        gaps |= value.state == SW_STATE_UNAVAILABLE || value.state == SW_STATE_UNKNOWN;
        sw_buffer_add(&late->columns, &column, sizeof column);
        sw_value_append(values, value);
    }
    if (late->columns.failed || values->failed)
        return sw_fail_memory(error, "a row that changed its key", values->len);
    const struct sw_column_set *set = sw_schema_set(schema, (const struct sw_column *const *)(void *)late->columns.at, (uint32_t)(late->columns.len / sizeof(void *)));
    if (!set)
        return sw_schema_no_set(schema, error);
    move->set = set->id;
    move->values = sw_buffer_view(values);
    move->flags = (uint8_t)((move->flags & ~(SW_RECORD_PARTIAL | SW_RECORD_GAPS)) | (gaps ? SW_RECORD_GAPS : 0));
    return SW_OK;
}

static enum sw_code follow_move(struct late *late, struct sw_record *move, struct sw_error *error)
{
    const struct sw_record named = {.table = move->table, .key = sw_claim_moved_from(move)};
    struct late_key *key = find_key(late, &named);
    struct late_past *before;
    if (!key)
        return SW_OK;
    if (!find_past(&before, key, late->rules, move))
        return sw_fail_memory(error, "the versions of a key", key->order.len);
    const struct sw_record *const *past = (const struct sw_record *const *)(const void *)before->records.at;
    size_t count = before->records.len / sizeof *past;
    if (!is_known(late->rules, before, move) || !sw_step_is_told(late->rules, past, count, move))
        return SW_OK;
    const struct sw_record *last = past[count - 1];
    struct sw_draft_image state = {.set = last->set, .values = last->values};
    sw_carry_forget(&late->carry);
    if ((last->flags & (SW_RECORD_GAPS | SW_RECORD_PARTIAL)) && !sw_carry_forward(&state, &late->carry, late->rules->schema, past, count - 1))
        return sw_fail_memory(error, "a row carried forward", 0);
    return patch(late, move, &state, error);
}

static int by_position(const void *a, const void *b, void *ctx)
{
    const struct sw_record *left = *(const struct sw_record *const *)a, *right = *(const struct sw_record *const *)b;
    int order = sw_fold_compare_positions(ctx, left, right);
    return order ? order : sw_fold_compare_places(left, right);
}

/* late->records holds the records of one group, key by key. */
static enum sw_code fold_group(struct late *late, struct sw_error *error)
{
    struct sw_record *records = (struct sw_record *)(void *)late->records.at;
    struct sw_fold_worker *worker = late->large->worker;
    size_t count = late->records.len / sizeof *records;
    enum sw_code code = SW_OK;
    forget_keys(late);
    late->moves.len = 0;
    for (size_t from = 0, to; from < count && code == SW_OK; from = to) {
        struct late_key key = {.records = records + from};
        for (to = from; to < count && compare_keys(&records[from], &records[to]) == 0;)
            to++;
        key.count = to - from;
        sw_fold_sort_records(late->rules, key.records, key.count);
        while (key.evidence < key.count && key.records[key.evidence].role != SW_ROLE_EXPECTED)
            key.evidence++;
        sw_buffer_add(&late->keys, &key, sizeof key);
        if (sw_fold_sends_records(worker))
            code = sw_fold_send_key(worker, key.records, key.evidence, error);
    }
    for (size_t i = 0; i < count; i++) {
        struct sw_record *move = &records[i];
        if (is_move(move))
            sw_buffer_add(&late->moves, &move, sizeof move);
    }
    if (code == SW_OK && (late->keys.failed || late->moves.failed))
        code = sw_fail_memory(error, "keys that rows moved between", late->keys.len);
    struct sw_record **moves = (struct sw_record **)(void *)late->moves.at;
    size_t move_count = late->moves.len / sizeof *moves, key_count = late->keys.len / sizeof(struct late_key);
    if (code == SW_OK && move_count)
        qsort_r(moves, move_count, sizeof *moves, by_position, (void *)(uintptr_t)late->rules);
    for (size_t i = 0; i < move_count && code == SW_OK; i++)
        code = follow_move(late, moves[i], error);
    for (size_t i = 0; i < key_count && code == SW_OK; i++) {
        const struct late_key *key = (const struct late_key *)(const void *)late->keys.at + i;
        static const struct sw_fold_unlisted none; /* that it is there says that the records were sent on */
        size_t all = key->count;
        late->folded.len = 0;
        sw_buffer_add(&late->folded, key->records, key->count * sizeof *key->records);
        if (!sw_buffer_reserve(&late->folded, sw_fold_truncates_max(late->rules, key->count) * sizeof *key->records) || late->folded.failed)
            return sw_fail_memory(error, "the records of a key", late->folded.len);
        if (late->rules->truncate_count)
            sw_fold_add_truncates((struct sw_record *)(void *)late->folded.at, &all, late->rules);
        code = sw_fold_key(worker, (struct sw_record *)(void *)late->folded.at, all, &none, error);
    }
    forget_patches(late);
    return code;
}

static enum sw_code fold_loaded(struct late *late, struct sw_error *error)
{
    const struct sw_partition_load *load = &late->large->room->load;
    enum sw_code code = SW_OK;
    for (size_t i = 0; i < load->run_count; i++) {
        struct sw_bytes run = load->runs[i], bytes;
        while (sw_partition_next(&bytes, &run)) {
            struct late_record one = {.group = 0};
            sw_record_read(&one.record, bytes);
            (void)sw_fold_links_find(&one.group, late->rules->links, one.record.table, one.record.key);
            sw_buffer_add(&late->all, &one, sizeof one);
        }
    }
    if (late->all.failed)
        return sw_fail_memory(error, "keys that rows moved between", late->all.len);
    struct late_record *all = (struct late_record *)(void *)late->all.at;
    size_t count = late->all.len / sizeof *all;
    if (count)
        qsort(all, count, sizeof *all, by_group);
    for (size_t from = 0, to; from < count && code == SW_OK; from = to) {
        late->records.len = 0;
        for (to = from; to < count && all[to].group == all[from].group; to++)
            sw_buffer_add(&late->records, &all[to].record, sizeof all[to].record);
        code = late->records.failed ? sw_fail_memory(error, "keys that rows moved between", late->records.len) : fold_group(late, error);
    }
    return code;
}

enum sw_code sw_fold_late_partition(bool *unlinked, const struct sw_fold_large *large, struct sw_error *error)
{
    struct late late = {.large = large, .rules = large->rules};
    /* a record taken apart stands in three places at once, at most */
    uint64_t cost = sw_partition_bytes(large->store, large->partition) + sw_partition_entries(large->store, large->partition) * 3 * sizeof(struct late_record);
    *unlinked = cost > large->memory_bytes;
    if (*unlinked)
        return sw_fold_large_partition(large, error);
    enum sw_code code = sw_partition_load(&large->room->load, large->store, large->partition, error);
    if (code == SW_OK)
        code = fold_loaded(&late, error);
    late_free(&late);
    return code;
}
