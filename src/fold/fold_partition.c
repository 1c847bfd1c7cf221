#include "fold/fold_partition.h"

#include "base/hash.h"
#include "base/memory.h"
#include "fold/fold_late.h"

/* One record of the partition, and the next one with the same key (UINT32_MAX: none). */
struct sw_fold_entry {
    const uint8_t *at; /* its length, then itself */
    uint32_t next;
    uint32_t hash;
};

#define NONE UINT32_MAX

void sw_fold_room_free(struct sw_fold_room *room)
{
    sw_partition_load_free(&room->load);
    sw_free(room->entries);
    sw_free(room->slots);
    sw_free(room->records);
    *room = (struct sw_fold_room){0};
}

static bool reserve_entries(struct sw_fold_room *room, size_t count)
{
    if (count <= room->entry_capacity)
        return true;
    size_t capacity = room->entry_capacity ? room->entry_capacity : 1024;
    while (capacity < count)
        capacity *= 2;
    struct sw_fold_entry *grown = sw_realloc_array(room->entries, capacity, sizeof *grown);
    if (!grown)
        return false;
    room->entries = grown;
    room->entry_capacity = capacity;
    return true;
}

static bool same_key(const struct sw_record *a, const struct sw_record *b) { return a->table == b->table && sw_bytes_equal(a->key, b->key); }

static void read_entry_key(struct sw_record *out, const uint8_t *at)
{
    struct sw_bytes bytes = {.len = sw_varint_get(&at)};
    bytes.at = at;
    sw_record_read_key(out, bytes);
}

/* Records lie where they were read to, keys are met in another order: without a hint each of them would be waited for. */
#define AHEAD 6u

static void prefetch_chain(const struct sw_fold_room *room, uint32_t first)
{
    for (uint32_t entry = first, seen = 0; entry != NONE && seen < 4; entry = room->entries[entry].next, seen++)
        __builtin_prefetch(room->entries[entry].at);
}

static enum sw_code fold_chain(struct sw_fold_room *room, struct sw_fold_worker *worker, uint32_t first, struct sw_error *error)
{
    size_t count = 0;
    for (uint32_t entry = first; entry != NONE; entry = room->entries[entry].next) {
        if (count + room->truncate_count >= room->record_capacity) {
            size_t capacity = (count + room->truncate_count) * 2 + 64;
            struct sw_record *grown = sw_realloc_array(room->records, capacity, sizeof *grown);
            if (!grown)
                return sw_fail_memory(error, "the records of a key", capacity * sizeof *grown);
            room->records = grown;
            room->record_capacity = capacity;
        }
        const uint8_t *at = room->entries[entry].at;
        struct sw_bytes bytes = {.len = sw_varint_get(&at)};
        bytes.at = at;
        sw_record_read(&room->records[count++], bytes);
    }
    const struct sw_fold_rules *rules = sw_fold_worker_rules(worker);
    if (rules->truncate_count)
        sw_fold_add_truncates(room->records, &count, rules);
    return sw_fold_key(worker, room->records, count, NULL, error);
}

enum sw_code sw_fold_partition(struct sw_fold_room *room, struct sw_fold_worker *worker, struct sw_partition_store *store, uint32_t partition, uint64_t seed,
                               struct sw_error *error)
{
    room->truncate_count = sw_fold_worker_rules(worker)->truncate_count;
    enum sw_code code = sw_partition_load(&room->load, store, partition, error);
    if (code < 0)
        return code;
    size_t count = 0;
    for (size_t i = 0; i < room->load.run_count; i++) {
        struct sw_bytes run = room->load.runs[i], bytes;
        const uint8_t *at = run.at;
        for (; sw_partition_next(&bytes, &run); at = run.at) {
            if (!reserve_entries(room, count + 1))
                return sw_fail_memory(error, "the records of a partition", (count + 1) * sizeof *room->entries);
            struct sw_record record;
            bool taken;
            code = sw_fold_set_aside(&taken, worker, bytes, error);
            if (code < 0)
                return code;
            if (taken)
                continue;
            sw_record_read_key(&record, bytes);
            room->entries[count++] = (struct sw_fold_entry){at, NONE, (uint32_t)sw_hash(record.key.at, record.key.len, seed + record.table)};
        }
    }
    size_t slots = 64;
    while (slots < count)
        slots *= 2;
    if (slots > room->slot_capacity) {
        sw_free(room->slots);
        room->slot_capacity = 0;
        room->slots = sw_realloc_array(NULL, slots, sizeof *room->slots);
        if (!room->slots)
            return sw_fail_memory(error, "a table of keys", slots * sizeof *room->slots);
        room->slot_capacity = slots;
    }
    memset(room->slots, 0xff, slots * sizeof *room->slots);
    for (uint32_t entry = 0; entry < count; entry++) {
        if (entry + 2 * AHEAD < count)
            __builtin_prefetch(&room->slots[room->entries[entry + 2 * AHEAD].hash & (slots - 1)]);
        if (entry + AHEAD < count) {
            uint32_t head = room->slots[room->entries[entry + AHEAD].hash & (slots - 1)];
            if (head != NONE)
                __builtin_prefetch(room->entries[head].at);
        }
        size_t slot = room->entries[entry].hash & (slots - 1);
        struct sw_record mine = {0}, other;
        for (; room->slots[slot] != NONE; slot = (slot + 1) & (slots - 1)) {
            uint32_t head = room->slots[slot];
            if (room->entries[head].hash != room->entries[entry].hash)
                continue;
            if (!mine.key.at)
                read_entry_key(&mine, room->entries[entry].at);
            read_entry_key(&other, room->entries[head].at);
            if (same_key(&mine, &other))
                break;
        }
        room->entries[entry].next = room->slots[slot];
        room->slots[slot] = entry;
    }
    size_t keys = 0; /* the slots move together: what is in use stands at the front, in order */
    for (size_t slot = 0; slot < slots; slot++) {
        room->slots[keys] = room->slots[slot];
        keys += room->slots[slot] != NONE;
    }
    for (size_t key = 0; key < keys && code == SW_OK; key++) {
        if (key + AHEAD < keys)
            prefetch_chain(room, room->slots[key + AHEAD]);
        code = fold_chain(room, worker, room->slots[key], error);
    }
    return code;
}
