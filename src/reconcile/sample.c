#include "reconcile/sample.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "fold/finding_record.h"
#include "fold/key_order.h"

#define NONE UINT32_MAX
#define SLACK 64u /* keys beyond the wanted ones before the highest are let go of */

/* A key of one writer, and its records: spans in the writer's bytes, linked. */
struct entry {
    uint64_t hash;
    uint32_t table, first, count;
    size_t bytes;
    bool too_large;
    size_t key_at, key_len;       /* in the writer's bytes */
};

struct span {
    size_t at, len;
    uint32_t next;
};

struct sw_sample_writer {
    const struct sw_sampler *sampler;
    uint64_t threshold;           /* keys of a higher hash are not wanted */
    struct entry *entries;
    size_t count, capacity;
    uint32_t *slots;              /* entries by hash; open addressing; a power of two */
    size_t slot_count;
    struct span *spans;
    size_t span_count, span_capacity;
    struct sw_buffer bytes;
};

struct sw_sampler {
    uint64_t seed;
    size_t keys;
    unsigned writer_count;
    struct sw_sample_writer *writers;
    struct sw_sample sample;
    struct sw_record *records;
    struct sw_buffer sort_keys;
};

struct sw_sampler *sw_sampler_new(uint64_t seed, size_t keys, unsigned writers)
{
    struct sw_sampler *sampler = sw_calloc(1, sizeof *sampler);
    if (!sampler)
        return NULL;
    *sampler = (struct sw_sampler){.seed = seed, .keys = keys, .writer_count = writers, .writers = sw_calloc(writers, sizeof *sampler->writers)};
    for (unsigned i = 0; sampler->writers && i < writers; i++)
        sampler->writers[i] = (struct sw_sample_writer){.sampler = sampler, .threshold = UINT64_MAX};
    if (!sampler->writers)
        sw_sampler_free(&sampler);
    return sampler;
}

static void writer_free(struct sw_sample_writer *writer)
{
    sw_free(writer->entries);
    sw_free(writer->slots);
    sw_free(writer->spans);
    sw_buffer_free(&writer->bytes);
    *writer = (struct sw_sample_writer){0};
}

void sw_sampler_free(struct sw_sampler **pointer)
{
    struct sw_sampler *sampler = *pointer;
    *pointer = NULL;
    if (!sampler)
        return;
    for (unsigned i = 0; sampler->writers && i < sampler->writer_count; i++)
        writer_free(&sampler->writers[i]);
    sw_free(sampler->writers);
    sw_free(sampler->records);
    sw_free(sampler->sample.keys);
    sw_buffer_free(&sampler->sort_keys);
    sw_free(sampler);
}

struct sw_sample_writer *sw_sampler_writer(struct sw_sampler *sampler, unsigned index) { return &sampler->writers[index]; }

static struct sw_bytes entry_key(const struct sw_sample_writer *writer, const struct entry *entry) { return sw_bytes_of(writer->bytes.at + entry->key_at, entry->key_len); }

static size_t slot_of(const struct sw_sample_writer *writer, uint64_t hash, uint32_t table, struct sw_bytes key)
{
    size_t slot = (size_t)hash & (writer->slot_count - 1);
    for (; writer->slots[slot] != NONE; slot = (slot + 1) & (writer->slot_count - 1)) {
        const struct entry *entry = &writer->entries[writer->slots[slot]];
        if (entry->hash == hash && entry->table == table && sw_bytes_equal(entry_key(writer, entry), key))
            break;
    }
    return slot;
}

/* Makes room for one more entry, and for a table of slots that is at most half full. */
static bool reserve_entry(struct sw_sample_writer *writer)
{
    if (writer->count < writer->capacity)
        return true;
    size_t capacity = writer->capacity ? writer->capacity * 2 : 256;
    struct entry *entries = sw_realloc_array(writer->entries, capacity, sizeof *entries);
    if (!entries)
        return false;
    writer->entries = entries;
    uint32_t *slots = sw_realloc_array(NULL, capacity * 2, sizeof *slots);
    if (!slots)
        return false;
    sw_free(writer->slots);
    writer->slots = slots;
    writer->slot_count = capacity * 2;
    writer->capacity = capacity;
    memset(slots, 0xff, writer->slot_count * sizeof *slots);
    for (size_t i = 0; i < writer->count; i++)
        slots[slot_of(writer, entries[i].hash, entries[i].table, entry_key(writer, &entries[i]))] = (uint32_t)i;
    return true;
}

static int by_hash(const void *a, const void *b)
{
    const struct entry *left = a, *right = b;
    return (left->hash > right->hash) - (left->hash < right->hash);
}

/* Lets go of all but the lowest keys, and of their records. */
static bool prune(struct sw_sample_writer *writer)
{
    struct sw_sample_writer kept = {.sampler = writer->sampler};
    size_t keys = writer->sampler->keys;
    qsort(writer->entries, writer->count, sizeof *writer->entries, by_hash);
    kept.threshold = writer->entries[keys - 1].hash;
    for (size_t i = 0; i < keys; i++) {
        struct entry *entry = &writer->entries[i], copy = *entry;
        if (!reserve_entry(&kept)) {
            writer_free(&kept);
            return false;
        }
        copy.key_at = kept.bytes.len;
        copy.first = NONE;
        sw_buffer_add_bytes(&kept.bytes, entry_key(writer, entry));
        for (uint32_t s = entry->first; s != NONE; s = writer->spans[s].next) {
            const struct span *span = &writer->spans[s];
            if (kept.span_count == kept.span_capacity) {
                size_t capacity = kept.span_capacity ? kept.span_capacity * 2 : 256;
                struct span *grown = sw_realloc_array(kept.spans, capacity, sizeof *grown);
                if (!grown) {
                    writer_free(&kept);
                    return false;
                }
                kept.spans = grown;
                kept.span_capacity = capacity;
            }
            kept.spans[kept.span_count] = (struct span){kept.bytes.len, span->len, copy.first};
            copy.first = (uint32_t)kept.span_count++;
            sw_buffer_add(&kept.bytes, writer->bytes.at + span->at, span->len);
        }
        if (kept.bytes.failed) {
            writer_free(&kept);
            return false;
        }
        kept.entries[kept.count] = copy;
        kept.slots[slot_of(&kept, copy.hash, copy.table, entry_key(&kept, &copy))] = (uint32_t)kept.count;
        kept.count++;
    }
    writer_free(writer);
    *writer = kept;
    return true;
}

static bool add_record(struct sw_sample_writer *writer, struct entry *entry, const struct sw_record *record)
{
    size_t size = sw_record_size(record);
    entry->count++;
    entry->bytes += size;
    entry->too_large |= entry->count > SW_SAMPLE_KEY_RECORDS_MAX || entry->bytes > SW_SAMPLE_KEY_BYTES_MAX;
    if (entry->too_large)
        return true; /* what stands already is let go of with the key */
    if (writer->span_count == writer->span_capacity) {
        size_t capacity = writer->span_capacity ? writer->span_capacity * 2 : 256;
        struct span *grown = sw_realloc_array(writer->spans, capacity, sizeof *grown);
        if (!grown)
            return false;
        writer->spans = grown;
        writer->span_capacity = capacity;
    }
    if (!sw_buffer_reserve(&writer->bytes, size))
        return false;
    writer->spans[writer->span_count] = (struct span){writer->bytes.len, size, entry->first};
    entry->first = (uint32_t)writer->span_count++;
    writer->bytes.len = (size_t)(sw_record_put(writer->bytes.at + writer->bytes.len, record) - writer->bytes.at);
    return true;
}

enum sw_code sw_sample_take(struct sw_sample_writer *writer, const struct sw_schema *schema, const struct sw_record *record, struct sw_error *error)
{
    struct sw_bytes table = sw_schema_table_at(schema, record->table)->name;
    uint64_t hash = sw_hash(record->key.at, record->key.len, sw_hash(table.at, table.len, writer->sampler->seed));
    if (hash > writer->threshold)
        return SW_OK;
    if (!reserve_entry(writer))
        return sw_fail_memory(error, "the sample", writer->capacity * sizeof *writer->entries);
    size_t slot = slot_of(writer, hash, record->table, record->key);
    if (writer->slots[slot] == NONE) {
        struct entry entry = {.hash = hash, .table = record->table, .first = NONE, .key_at = writer->bytes.len, .key_len = record->key.len};
        sw_buffer_add_bytes(&writer->bytes, record->key);
        writer->slots[slot] = (uint32_t)writer->count;
        writer->entries[writer->count++] = entry;
    }
    bool kept = add_record(writer, &writer->entries[writer->slots[slot]], record);
    if (kept && writer->count > 2 * writer->sampler->keys + SLACK)
        kept = prune(writer);
    return kept && !writer->bytes.failed ? SW_OK : sw_fail_memory(error, "the sample", writer->bytes.len);
}

/* A key of some writer, while the writers' keys are brought together. */
struct found {
    uint64_t hash;
    uint32_t table;
    struct sw_bytes key;
    const struct sw_sample_writer *writer;
    const struct entry *entry;
};

static int by_hash_and_key(const void *a, const void *b)
{
    const struct found *left = a, *right = b;
    if (left->hash != right->hash)
        return left->hash < right->hash ? -1 : 1;
    if (left->table != right->table)
        return left->table < right->table ? -1 : 1;
    return sw_bytes_compare(left->key, right->key);
}

static int by_place(const void *a, const void *b)
{
    const struct sw_record *left = a, *right = b;
    int order = sw_fold_compare_places(left, right);
    return order ? order : sw_bytes_compare(left->bytes, right->bytes);
}

static int by_sort_key(const void *a, const void *b)
{
    const struct sw_sample_key *left = a, *right = b;
    return sw_bytes_compare(left->sort_key, right->sort_key);
}

/* The records of one key, from all writers that have some. */
static void gather(struct sw_sampler *sampler, const struct found *found, size_t parts, size_t *used)
{
    struct sw_sample_key key = {.table = found->table, .key = found->key, .records = sampler->records + *used};
    uint64_t count = 0, bytes = 0;
    bool too_large = false;
    for (size_t p = 0; p < parts; p++) {
        count += found[p].entry->count;
        bytes += found[p].entry->bytes;
        too_large |= found[p].entry->too_large;
    }
    if (too_large || count > SW_SAMPLE_KEY_RECORDS_MAX || bytes > SW_SAMPLE_KEY_BYTES_MAX) {
        sampler->sample.left_out++;
        return;
    }
    for (size_t p = 0; p < parts; p++)
        for (uint32_t s = found[p].entry->first; s != NONE; s = found[p].writer->spans[s].next)
            sw_record_read(&key.records[key.count++], sw_bytes_of(found[p].writer->bytes.at + found[p].writer->spans[s].at, found[p].writer->spans[s].len));
    qsort(key.records, key.count, sizeof *key.records, by_place);
    *used += key.count;
    sampler->sample.records += key.count;
    sampler->sample.keys[sampler->sample.count++] = key;
}

static bool name_keys(struct sw_sampler *sampler, const struct sw_schema *schema)
{
    struct sw_sample *sample = &sampler->sample;
    for (size_t i = 0; i < sample->count; i++) {
        sample->keys[i].sort_key.len = sampler->sort_keys.len; /* where it begins, until the buffer stands still */
        sw_finding_sort_key(&sampler->sort_keys, schema, sample->keys[i].table, sample->keys[i].key);
    }
    if (sampler->sort_keys.failed)
        return false;
    for (size_t i = 0; i < sample->count; i++) {
        size_t from = sample->keys[i].sort_key.len, to = i + 1 < sample->count ? sample->keys[i + 1].sort_key.len : sampler->sort_keys.len;
        sample->keys[i].sort_key = sw_bytes_of(sampler->sort_keys.at + from, to - from);
    }
    qsort(sample->keys, sample->count, sizeof *sample->keys, by_sort_key);
    return true;
}

enum sw_code sw_sampler_finish(const struct sw_sample **out, struct sw_sampler *sampler, const struct sw_schema *schema, const struct sw_fold_links *links, struct sw_error *error)
{
    size_t entries = 0, spans = 0, used = 0, taken = 0;
    for (unsigned w = 0; w < sampler->writer_count; w++) {
        entries += sampler->writers[w].count;
        spans += sampler->writers[w].span_count;
    }
    struct found *found = sw_calloc(entries, sizeof *found);
    sampler->records = sw_calloc(spans, sizeof *sampler->records);
    sampler->sample.keys = sw_calloc(sampler->keys < entries ? sampler->keys : entries, sizeof *sampler->sample.keys);
    if (!found || !sampler->records || !sampler->sample.keys) {
        sw_free(found);
        return sw_fail_memory(error, "the sample", entries * sizeof *found);
    }
    size_t count = 0;
    for (unsigned w = 0; w < sampler->writer_count; w++) {
        const struct sw_sample_writer *writer = &sampler->writers[w];
        for (size_t e = 0; e < writer->count; e++)
            found[count++] = (struct found){writer->entries[e].hash, writer->entries[e].table, entry_key(writer, &writer->entries[e]), writer, &writer->entries[e]};
    }
    if (count)
        qsort(found, count, sizeof *found, by_hash_and_key);
    for (size_t i = 0, parts; i < count && taken < sampler->keys; i += parts, taken++) {
        for (parts = 1; i + parts < count && by_hash_and_key(&found[i], &found[i + parts]) == 0;)
            parts++;
        uint32_t group;
        if (sw_fold_links_find(&group, links, found[i].table, found[i].key))
            sampler->sample.linked++;
        else
            gather(sampler, &found[i], parts, &used);
    }
    sw_free(found);
    if (!name_keys(sampler, schema))
        return sw_fail_memory(error, "the sample", sampler->sort_keys.len);
    *out = &sampler->sample;
    return SW_OK;
}
