#include "fold/fold_partition.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/word.h"
#include "fold/fold_late.h"
#include "fold/truncates.h"

/* One record of the partition. */
struct sw_fold_entry {
    const uint8_t *at;
    uint32_t len;
    uint32_t hash; /* of its table and key */
};

/* Records of a bucket, on average: so few that each can be held against all others of it. */
#define BUCKET_ENTRIES 8

/* Records lie where they were read to, keys are met in another order: without a hint each record would be waited for. So many records ahead. */
#define AHEAD 24

void sw_fold_room_free(struct sw_fold_room *room)
{
    sw_partition_load_free(&room->load);
    sw_free(room->entries);
    sw_free(room->buckets);
    sw_free(room->records);
    *room = (struct sw_fold_room){0};
}

static bool reserve(struct sw_fold_room *room, size_t count, size_t buckets)
{
    if (count > room->entry_capacity) {
        sw_free(room->entries);
        room->entry_capacity = 0;
        size_t capacity = count + count / 4;
        room->entries = sw_realloc_array(NULL, 2 * capacity, sizeof *room->entries);
        if (!room->entries)
            return false;
        room->entry_capacity = capacity;
    }
    room->spread = room->entries + room->entry_capacity;
    if (buckets + 1 > room->bucket_capacity) {
        sw_free(room->buckets);
        room->bucket_capacity = 0;
        room->buckets = sw_realloc_array(NULL, buckets + 1, sizeof *room->buckets);
        if (!room->buckets)
            return false;
        room->bucket_capacity = buckets + 1;
    }
    return true;
}

static size_t bucket_of(const struct sw_fold_entry *entry, size_t buckets) { return (size_t)(((uint64_t)entry->hash * buckets) >> 32); }

/* Entries are found one behind another, so that each would be waited for: all of a run is asked for, so many bytes ahead, and the first ones of the run behind it. */
#define READ_AHEAD 1024
#define LINE 64

static void fetch(const uint8_t *from, const uint8_t *to)
{
    for (; from < to; from += LINE)
        __builtin_prefetch(from);
}

/* Takes the loaded runs apart; *count is how many records stay here. */
static enum sw_code read_entries(struct sw_fold_room *room, size_t *count, struct sw_fold_worker *worker, uint64_t seed, struct sw_error *error)
{
    size_t filled = 0;
    for (size_t i = 0; i < room->load.run_count; i++) {
        struct sw_bytes run = room->load.runs[i], bytes;
        const uint8_t *end = run.at + run.len, *fetched = run.at + (i ? READ_AHEAD : 0);
        if (i + 1 < room->load.run_count)
            fetch(room->load.runs[i + 1].at, room->load.runs[i + 1].at + READ_AHEAD);
        while (sw_partition_next(&bytes, &run)) {
            for (; fetched < bytes.at + READ_AHEAD && fetched < end; fetched += LINE)
                __builtin_prefetch(fetched);
            struct sw_record record;
            bool taken;
            enum sw_code code = sw_fold_set_aside(&taken, worker, bytes, error);
            if (code < 0)
                return code;
            if (taken)
                continue;
            sw_record_read_key(&record, bytes);
            room->entries[filled++] = (struct sw_fold_entry){bytes.at, (uint32_t)bytes.len, (uint32_t)sw_hash(record.key.at, record.key.len, seed + record.table)};
        }
    }
    *count = filled;
    return SW_OK;
}

/* Brings the entries of each bucket together. */
static void spread_entries(struct sw_fold_room *room, size_t count, size_t buckets)
{
    memset(room->buckets, 0, (buckets + 1) * sizeof *room->buckets);
    for (size_t i = 0; i < count; i++)
        room->buckets[bucket_of(&room->entries[i], buckets)]++;
    uint32_t end = 0;
    for (size_t bucket = 0; bucket <= buckets; bucket++) {
        end += room->buckets[bucket];
        room->buckets[bucket] = end;
    }
    for (size_t i = count; i-- > 0;) /* from the ends to the beginnings: those stand there when all is done */
        room->spread[--room->buckets[bucket_of(&room->entries[i], buckets)]] = room->entries[i];
}

static bool same_key(const struct sw_fold_entry *a, const struct sw_fold_entry *b)
{
    struct sw_record left, right;
    if (a->hash != b->hash)
        return false;
    sw_record_read_key(&left, sw_bytes_of(a->at, a->len));
    sw_record_read_key(&right, sw_bytes_of(b->at, b->len));
    return left.table == right.table && left.key.len == right.key.len && sw_word_compare(left.key.at, right.key.at, left.key.len) == 0;
}

static enum sw_code fold_records(struct sw_fold_room *room, struct sw_fold_worker *worker, const struct sw_fold_entry *entries, size_t count, struct sw_error *error)
{
    const struct sw_fold_rules *rules = sw_fold_worker_rules(worker);
    size_t all = count + (rules->truncate_count ? sw_fold_truncates_max(rules, count) : 0);
    if (all > room->record_capacity) {
        size_t capacity = all * 2 + 64;
        struct sw_record *grown = sw_realloc_array(room->records, capacity, sizeof *grown);
        if (!grown)
            return sw_fail_memory(error, "the records of a key", capacity * sizeof *grown);
        room->records = grown;
        room->record_capacity = capacity;
    }
    for (size_t i = 0; i < count; i++)
        sw_record_read(&room->records[i], sw_bytes_of(entries[i].at, entries[i].len));
    if (rules->truncate_count)
        sw_fold_add_truncates(room->records, &count, rules);
    return sw_fold_key(worker, room->records, count, NULL, error);
}

/* Folds the keys of one bucket: the first entry that is left, and all others of its key. */
static enum sw_code fold_bucket(struct sw_fold_room *room, struct sw_fold_worker *worker, struct sw_fold_entry *entries, size_t count, struct sw_error *error)
{
    enum sw_code code = SW_OK;
    while (count && code == SW_OK) {
        size_t same = 1;
        for (size_t i = 1; i < count; i++)
            if (same_key(&entries[0], &entries[i])) {
                struct sw_fold_entry swap = entries[same];
                entries[same++] = entries[i];
                entries[i] = swap;
            }
        code = fold_records(room, worker, entries, same, error);
        entries += same;
        count -= same;
    }
    return code;
}

enum sw_code sw_fold_partition(struct sw_fold_room *room, struct sw_fold_worker *worker, struct sw_partition_store *store, uint32_t partition, uint64_t seed,
                               struct sw_error *error)
{
    size_t count = (size_t)sw_partition_entries(store, partition), buckets = count / BUCKET_ENTRIES + 1;
    enum sw_code code = sw_partition_load(&room->load, store, partition, error);
    if (code < 0 || count == 0)
        return code;
    if (!reserve(room, count, buckets))
        return sw_fail_memory(error, "the records of a partition", count * sizeof *room->entries);
    code = read_entries(room, &count, worker, seed, error);
    if (code < 0)
        return code;
    spread_entries(room, count, buckets);
    size_t fetched = 0;
    for (size_t bucket = 0; bucket < buckets && code == SW_OK; bucket++) {
        size_t begin = room->buckets[bucket], end = room->buckets[bucket + 1];
        for (; fetched < count && fetched < end + AHEAD; fetched++)
            __builtin_prefetch(room->spread[fetched].at);
        code = fold_bucket(room, worker, room->spread + begin, end - begin, error);
    }
    return code;
}
