#include "fold/identity.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"
#include "fold/fold.h"

uint64_t sw_identity_content_hash(const struct sw_record *record, uint64_t seed)
{
    uint64_t hash = sw_hash(record->key.at, record->key.len, seed);
    hash = sw_hash_mix(hash, sw_hash(record->version.at, record->version.len, (uint64_t)record->space << 8 | (record->flags & ~SW_RECORD_IDENTITY)));
    return sw_hash_mix(hash, sw_hash(record->values.at, record->values.len, (uint64_t)record->table << 32 | record->set));
}

/* An open-addressing table of entries; `identity` 0 marks a free slot, so an identity hash of 0 is counted as 1. */
#define CANDIDATE_CONTENT UINT64_MAX

bool sw_identity_scan(struct sw_buffer *candidates, uint64_t *repeats, struct sw_partition_load *load, struct sw_buffer *table)
{
    size_t entries = 0;
    for (size_t i = 0; i < load->run_count; i++)
        entries += load->runs[i].len / (1 + sizeof(struct sw_identity_entry));
    size_t slots = 64;
    while (slots < entries + entries / 2)
        slots *= 2;
    table->len = 0;
    if (!sw_buffer_reserve(table, slots * sizeof(struct sw_identity_entry)))
        return false;
    struct sw_identity_entry *at = (struct sw_identity_entry *)(void *)table->at;
    memset(at, 0, slots * sizeof *at);
    uint64_t seen = 0, distinct = 0, of_candidates = 0;
    for (size_t i = 0; i < load->run_count; i++) {
        struct sw_bytes run = load->runs[i], bytes;
        while (sw_partition_next(&bytes, &run)) {
            struct sw_identity_entry entry;
            memcpy(&entry, bytes.at, sizeof entry);
            entry.identity += entry.identity == 0;
            entry.content -= entry.content == CANDIDATE_CONTENT;
            seen++;
            size_t slot = (size_t)(entry.identity & (slots - 1));
            while (at[slot].identity && at[slot].identity != entry.identity)
                slot = (slot + 1) & (slots - 1);
            if (!at[slot].identity) {
                at[slot] = entry;
                distinct++;
            } else if (at[slot].content != entry.content && at[slot].content != CANDIDATE_CONTENT) {
                at[slot].content = CANDIDATE_CONTENT;
                sw_buffer_add(candidates, &entry.identity, sizeof entry.identity);
            }
        }
    }
    if (candidates->len) { /* rare: count again, without the candidates */
        for (size_t i = 0; i < load->run_count; i++) {
            struct sw_bytes run = load->runs[i], bytes;
            while (sw_partition_next(&bytes, &run)) {
                struct sw_identity_entry entry;
                memcpy(&entry, bytes.at, sizeof entry);
                entry.identity += entry.identity == 0;
                size_t slot = (size_t)(entry.identity & (slots - 1));
                while (at[slot].identity != entry.identity)
                    slot = (slot + 1) & (slots - 1);
                of_candidates += at[slot].content == CANDIDATE_CONTENT;
            }
        }
        for (size_t slot = 0; slot < slots; slot++)
            distinct -= at[slot].identity && at[slot].content == CANDIDATE_CONTENT;
    }
    *repeats += seen - of_candidates - distinct;
    return !candidates->failed;
}

struct sw_identity_reuse {
    struct sw_buffer bytes;
    struct sw_bytes *identities; /* sorted */
    size_t count;
};

struct sw_identity_reuse *sw_identity_reuse_new(void) { return sw_calloc(1, sizeof(struct sw_identity_reuse)); }

void sw_identity_reuse_free(struct sw_identity_reuse **pointer)
{
    if (*pointer) {
        sw_buffer_free(&(*pointer)->bytes);
        sw_free((*pointer)->identities);
        sw_free(*pointer);
    }
    *pointer = NULL;
}

static int by_identity(const void *a, const void *b)
{
    return sw_bytes_compare(((const struct sw_record *)a)->identity, ((const struct sw_record *)b)->identity);
}

static bool same_event(const struct sw_schema *schema, const struct sw_record *a, const struct sw_record *b)
{
    return a->table == b->table && a->space == b->space && (a->flags & ~SW_RECORD_GAPS) == (b->flags & ~SW_RECORD_GAPS) && sw_bytes_equal(a->key, b->key) &&
           sw_bytes_equal(a->version, b->version) && sw_content_compare(schema, a, b) == 0;
}

bool sw_identity_reuse_find(struct sw_identity_reuse *reuse, uint64_t *repeats, struct sw_record *records, size_t count, const struct sw_schema *schema)
{
    if (count)
        qsort(records, count, sizeof *records, by_identity);
    *repeats = 0;
    struct sw_buffer spans = {0}; /* offset and length of each, until the bytes stop moving */
    for (size_t first = 0, next; first < count; first = next) {
        bool differs = false;
        for (next = first + 1; next < count && sw_bytes_equal(records[first].identity, records[next].identity); next++)
            differs |= !same_event(schema, &records[first], &records[next]);
        if (!differs)
            *repeats += next - first - 1;
        if (differs) {
            size_t span[2] = {reuse->bytes.len, records[first].identity.len};
            sw_buffer_add_bytes(&reuse->bytes, records[first].identity);
            sw_buffer_add(&spans, span, sizeof span);
        }
    }
    reuse->count = spans.len / (2 * sizeof(size_t));
    reuse->identities = sw_calloc(reuse->count, sizeof *reuse->identities);
    bool complete = reuse->identities && !spans.failed && !reuse->bytes.failed;
    for (size_t i = 0; complete && i < reuse->count; i++) {
        size_t span[2];
        memcpy(span, spans.at + i * sizeof span, sizeof span);
        reuse->identities[i] = sw_bytes_of(reuse->bytes.at + span[0], span[1]);
    }
    sw_buffer_free(&spans);
    return complete;
}

uint64_t sw_identity_reuse_count(const struct sw_identity_reuse *reuse) { return reuse ? reuse->count : 0; }

bool sw_identity_reused(const struct sw_identity_reuse *reuse, struct sw_bytes identity)
{
    if (!reuse)
        return false;
    for (size_t low = 0, high = reuse->count; low < high;) {
        size_t middle = low + (high - low) / 2;
        int order = sw_bytes_compare(identity, reuse->identities[middle]);
        if (order == 0)
            return true;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return false;
}
