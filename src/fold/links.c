#include "fold/links.h"

#include "base/hash.h"
#include "base/memory.h"

#define NONE UINT32_MAX
#define KEYS_MAX (UINT32_MAX / 4)

struct linked_key {
    struct sw_bytes key;
    uint32_t table;
    uint32_t group;                 /* while groups are joined: another key of it, or itself */
};

struct sw_fold_links {
    struct linked_key *keys;
    uint32_t *slots;                /* open addressing */
    uint32_t count, slot_count;     /* slots: a power of two */
    uint64_t seed;
};

void sw_fold_link_add(struct sw_buffer *list, const struct sw_record *record)
{
    const struct sw_bytes keys[] = {sw_claim_moved_from(record), record->key};
    if (!sw_buffer_reserve(list, 3 * SW_VARINT_MAX + keys[0].len + keys[1].len))
        return; /* the buffer remembers it */
    uint8_t *to = sw_varint_put(list->at + list->len, record->table);
    for (int i = 0; i < 2; i++) {
        to = sw_varint_put(to, keys[i].len);
        sw_bytes_copy(to, keys[i]);
        to += keys[i].len;
    }
    list->len = (size_t)(to - list->at);
}

void sw_fold_links_free(struct sw_fold_links **pointer)
{
    struct sw_fold_links *links = *pointer;
    *pointer = NULL;
    if (!links)
        return;
    sw_free(links->keys);
    sw_free(links->slots);
    sw_free(links);
}

/* The slot of a key: its own, or the free one where it belongs. */
static uint32_t *slot_of(const struct sw_fold_links *links, uint32_t table, struct sw_bytes key)
{
    uint32_t slot = (uint32_t)sw_hash(key.at, key.len, links->seed + table) & (links->slot_count - 1);
    for (;; slot = (slot + 1) & (links->slot_count - 1)) {
        const struct linked_key *other = links->slots[slot] == NONE ? NULL : &links->keys[links->slots[slot]];
        if (!other || (other->table == table && sw_bytes_equal(other->key, key)))
            return &links->slots[slot];
    }
}

static uint32_t add_key(struct sw_fold_links *links, uint32_t table, struct sw_bytes key)
{
    uint32_t *slot = slot_of(links, table, key);
    if (*slot == NONE) {
        links->keys[links->count] = (struct linked_key){key, table, links->count};
        *slot = links->count++;
    }
    return *slot;
}

static uint32_t group_of(struct sw_fold_links *links, uint32_t at)
{
    while (links->keys[at].group != at) {
        links->keys[at].group = links->keys[links->keys[at].group].group; /* halves the way of the next one */
        at = links->keys[at].group;
    }
    return at;
}

static void next_link(uint32_t *table, struct sw_bytes keys[2], const uint8_t **at)
{
    *table = (uint32_t)sw_varint_get(at);
    for (int i = 0; i < 2; i++) {
        keys[i].len = sw_varint_get(at);
        keys[i].at = *at;
        *at += keys[i].len;
    }
}

enum sw_code sw_fold_links_new(struct sw_fold_links **out, struct sw_bytes list, uint64_t seed, struct sw_error *error)
{
    *out = NULL;
    if (list.len == 0) /* there may be no list at all */
        return SW_OK;
    const uint8_t *end = list.at + list.len;
    uint64_t count = 0;
    uint32_t table;
    struct sw_bytes keys[2];
    for (const uint8_t *at = list.at; at < end; count++)
        next_link(&table, keys, &at);
    if (count > KEYS_MAX)
        return sw_fail(error, SW_ERR_LIMIT, "%llu changes of key lack columns; at most %u can be followed", (unsigned long long)count, KEYS_MAX);
    struct sw_fold_links *links = sw_calloc(1, sizeof *links);
    uint32_t slots = 64;
    while (slots < 4 * count)
        slots *= 2;
    if (links) {
        links->keys = sw_realloc_array(NULL, 2 * (size_t)count, sizeof *links->keys);
        links->slots = sw_realloc_array(NULL, slots, sizeof *links->slots);
    }
    if (!links || !links->keys || !links->slots) {
        sw_fold_links_free(&links);
        return sw_fail_memory(error, "changes of key", 2 * (size_t)count * sizeof *links->keys);
    }
    links->slot_count = slots;
    links->seed = seed;
    memset(links->slots, 0xff, slots * sizeof *links->slots);
    for (const uint8_t *at = list.at; at < end;) {
        next_link(&table, keys, &at);
        uint32_t left = group_of(links, add_key(links, table, keys[0])), right = group_of(links, add_key(links, table, keys[1]));
        links->keys[left > right ? left : right].group = left > right ? right : left;
    }
    for (uint32_t i = 0; i < links->count; i++)
        links->keys[i].group = group_of(links, i);
    *out = links;
    return SW_OK;
}

bool sw_fold_links_find(uint32_t *group, const struct sw_fold_links *links, uint32_t table, struct sw_bytes key)
{
    const uint32_t *slot = links ? slot_of(links, table, key) : NULL;
    if (!slot || *slot == NONE)
        return false;
    *group = links->keys[*slot].group;
    return true;
}
