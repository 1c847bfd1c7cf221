#include "fold/key_list.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

struct entry {
    size_t table_at, at;
    uint32_t table_len, len;
    uint64_t hash;
};

struct sw_key_list {
    struct sw_buffer bytes;
    struct entry *entries;
    size_t count, capacity;
    size_t *slots;          /* an index and one; 0: empty. A power of two, at most half full */
    size_t slot_count;
    uint64_t seed;
};

struct sw_key_list *sw_key_list_new(uint64_t seed)
{
    struct sw_key_list *list = sw_calloc(1, sizeof *list);
    if (list)
        list->seed = seed;
    return list;
}

void sw_key_list_free(struct sw_key_list **pointer)
{
    struct sw_key_list *list = *pointer;
    *pointer = NULL;
    if (!list)
        return;
    sw_buffer_free(&list->bytes);
    sw_free(list->entries);
    sw_free(list->slots);
    sw_free(list);
}

static uint64_t hash_of(const struct sw_key_list *list, struct sw_bytes table, struct sw_bytes key) { return sw_hash(key.at, key.len, sw_hash(table.at, table.len, list->seed)); }

static struct sw_bytes at(const struct sw_key_list *list, size_t from, size_t len) { return sw_bytes_of(list->bytes.at + from, len); }

static void place(struct sw_key_list *list, size_t index)
{
    size_t slot = (size_t)list->entries[index].hash & (list->slot_count - 1);
    while (list->slots[slot])
        slot = (slot + 1) & (list->slot_count - 1);
    list->slots[slot] = index + 1;
}

static bool grow(struct sw_key_list *list)
{
    size_t capacity = list->capacity ? list->capacity * 2 : 64;
    struct entry *entries = sw_realloc_array(list->entries, capacity, sizeof *entries);
    if (!entries)
        return false;
    list->entries = entries;
    size_t *slots = sw_calloc(capacity * 2, sizeof *slots);
    if (!slots)
        return false;
    sw_free(list->slots);
    list->slots = slots;
    list->slot_count = capacity * 2;
    list->capacity = capacity;
    for (size_t i = 0; i < list->count; i++)
        place(list, i);
    return true;
}

bool sw_key_list_add(struct sw_key_list *list, struct sw_bytes table, struct sw_bytes key)
{
    struct entry entry = {.at = list->bytes.len, .len = (uint32_t)key.len, .table_len = (uint32_t)table.len, .hash = hash_of(list, table, key)};
    if (key.len > UINT32_MAX || table.len > UINT32_MAX || (list->count == list->capacity && !grow(list)))
        return false;
    const struct entry *before = list->count ? &list->entries[list->count - 1] : NULL;
    sw_buffer_add_bytes(&list->bytes, key);
    /* keys of a table come one after the other: its name stands there once */
    if (before && sw_bytes_equal(at(list, before->table_at, before->table_len), table)) {
        entry.table_at = before->table_at;
    } else {
        entry.table_at = list->bytes.len;
        sw_buffer_add_bytes(&list->bytes, table);
    }
    if (list->bytes.failed)
        return false;
    list->entries[list->count] = entry;
    place(list, list->count++);
    return true;
}

size_t sw_key_list_count(const struct sw_key_list *list) { return list->count; }
size_t sw_key_list_bytes(const struct sw_key_list *list) { return list->bytes.capacity + list->capacity * sizeof *list->entries + list->slot_count * sizeof *list->slots; }

void sw_key_list_at(struct sw_bytes *table, struct sw_bytes *key, const struct sw_key_list *list, size_t index)
{
    const struct entry *entry = &list->entries[index];
    *table = at(list, entry->table_at, entry->table_len);
    *key = at(list, entry->at, entry->len);
}

size_t sw_key_list_find(const struct sw_key_list *list, struct sw_bytes table, struct sw_bytes key)
{
    if (!list->count)
        return SW_KEY_LIST_NONE;
    uint64_t hash = hash_of(list, table, key);
    for (size_t slot = (size_t)hash & (list->slot_count - 1); list->slots[slot]; slot = (slot + 1) & (list->slot_count - 1)) {
        const struct entry *entry = &list->entries[list->slots[slot] - 1];
        if (entry->hash == hash && sw_bytes_equal(at(list, entry->at, entry->len), key) && sw_bytes_equal(at(list, entry->table_at, entry->table_len), table))
            return list->slots[slot] - 1;
    }
    return SW_KEY_LIST_NONE;
}
