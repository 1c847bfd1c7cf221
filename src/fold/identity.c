#include "fold/identity.h"

#include <stdlib.h>

#include "base/memory.h"
#include "fold/fold.h"

/* An open-addressing table of entries; `identity` 0 marks a free slot, so names are kept with one bit more. */
#define IN_USE (UINT64_C(1) << 48)
#define CANDIDATE_CONTENT UINT64_MAX

static struct sw_identity_entry entry_at(const uint8_t *at)
{
    struct sw_identity_entry entry = {IN_USE, 0};
    for (int i = 0; i < 6; i++) {
        entry.identity |= (uint64_t)at[i] << (8 * i);
        entry.content |= (uint64_t)at[6 + i] << (8 * i);
    }
    return entry;
}

/* The slot of an identity, or the free one where it belongs. */
static struct sw_identity_entry *find(struct sw_identity_entry *table, size_t slots, uint64_t identity)
{
    size_t slot = (size_t)(identity & (slots - 1));
    while (table[slot].identity && table[slot].identity != identity)
        slot = (slot + 1) & (slots - 1);
    return &table[slot];
}

/* How many entries are of candidates, and how many candidates there are. */
static uint64_t count_candidates(uint64_t *distinct, struct sw_partition_load *load, struct sw_identity_entry *table, size_t slots)
{
    uint64_t entries = 0;
    for (size_t i = 0; i < load->run_count; i++) {
        struct sw_bytes run = load->runs[i], bytes;
        while (sw_partition_next(&bytes, &run))
            entries += find(table, slots, entry_at(bytes.at).identity)->content == CANDIDATE_CONTENT;
    }
    *distinct = 0;
    for (size_t slot = 0; slot < slots; slot++)
        *distinct += table[slot].identity && table[slot].content == CANDIDATE_CONTENT;
    return entries;
}

bool sw_identity_scan(struct sw_buffer *candidates, uint64_t *repeats, uint32_t partition, struct sw_partition_load *load, struct sw_buffer *room)
{
    size_t entries = 0;
    for (size_t i = 0; i < load->run_count; i++)
        entries += load->runs[i].len / (1 + SW_IDENTITY_ENTRY_BYTES);
    size_t slots = 64;
    while (slots < entries + entries / 2)
        slots *= 2;
    room->len = 0;
    if (!sw_buffer_reserve(room, slots * sizeof(struct sw_identity_entry)))
        return false;
    struct sw_identity_entry *table = (struct sw_identity_entry *)(void *)room->at;
    memset(table, 0, slots * sizeof *table);
    uint64_t seen = 0, distinct = 0;
    for (size_t i = 0; i < load->run_count; i++) {
        struct sw_bytes run = load->runs[i], bytes;
        while (sw_partition_next(&bytes, &run)) {
            struct sw_identity_entry entry = entry_at(bytes.at), *slot = find(table, slots, entry.identity);
            seen++;
            if (!slot->identity) {
                *slot = entry;
                distinct++;
            } else if (slot->content != entry.content && slot->content != CANDIDATE_CONTENT) {
                slot->content = CANDIDATE_CONTENT;
                uint64_t name = (uint64_t)partition << 48 | (entry.identity & ~IN_USE);
                sw_buffer_add(candidates, &name, sizeof name);
            }
        }
    }
    uint64_t candidate_entries = 0, candidate_count = 0;
    if (candidates->len) /* rare */
        candidate_entries = count_candidates(&candidate_count, load, table, slots);
    *repeats += seen - candidate_entries - (distinct - candidate_count);
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

/* The identities that were found, while their bytes still move: offset and length of each. */
static bool add_reused(struct sw_identity_reuse *reuse, struct sw_buffer *spans, struct sw_bytes identity)
{
    size_t span[2] = {reuse->bytes.len, identity.len};
    sw_buffer_add_bytes(&reuse->bytes, identity);
    sw_buffer_add(spans, span, sizeof span);
    return !spans->failed && !reuse->bytes.failed;
}

static bool end_reused(struct sw_identity_reuse *reuse, const struct sw_buffer *spans)
{
    reuse->count = spans->len / (2 * sizeof(size_t));
    reuse->identities = sw_calloc(reuse->count, sizeof *reuse->identities);
    for (size_t i = 0; reuse->identities && i < reuse->count; i++) {
        size_t span[2];
        memcpy(span, spans->at + i * sizeof span, sizeof span);
        reuse->identities[i] = sw_bytes_of(reuse->bytes.at + span[0], span[1]);
    }
    return reuse->identities;
}

bool sw_identity_reuse_find(struct sw_identity_reuse *reuse, uint64_t *repeats, struct sw_record *records, size_t count, const struct sw_schema *schema)
{
    if (count)
        qsort(records, count, sizeof *records, by_identity);
    *repeats = 0;
    struct sw_buffer spans = {0};
    bool complete = true;
    for (size_t first = 0, next; first < count; first = next) {
        bool differs = false;
        for (next = first + 1; next < count && sw_bytes_equal(records[first].identity, records[next].identity); next++)
            differs |= !same_event(schema, &records[first], &records[next]);
        if (!differs)
            *repeats += next - first - 1;
        else
            complete &= add_reused(reuse, &spans, records[first].identity);
    }
    complete = complete && end_reused(reuse, &spans);
    sw_buffer_free(&spans);
    return complete;
}

enum sw_code sw_identity_reuse_merge(struct sw_identity_reuse *reuse, uint64_t *repeats, struct sw_run_merge *merge, const struct sw_schema *schema, struct sw_error *error)
{
    struct sw_buffer spans = {0}, first_bytes = {0};
    struct sw_record first = {0}, record;
    struct sw_bytes identity, bytes;
    uint64_t count = 0; /* of the identity, so far */
    bool differs = false, complete = true;
    enum sw_code code = SW_OK;
    *repeats = 0;
    while (complete && (code = sw_run_merge_next(&identity, &bytes, merge, error)) == SW_OK) {
        sw_record_read(&record, bytes);
        if (count && sw_bytes_equal(first.identity, identity)) {
            differs |= !same_event(schema, &first, &record);
            count++;
            continue;
        }
        *repeats += differs || !count ? 0 : count - 1;
        complete = !differs || add_reused(reuse, &spans, first.identity);
        first_bytes.len = 0;
        sw_buffer_add_bytes(&first_bytes, bytes);
        complete &= !first_bytes.failed;
        if (complete)
            sw_record_read(&first, sw_buffer_view(&first_bytes));
        count = 1;
        differs = false;
    }
    *repeats += differs || !count ? 0 : count - 1;
    complete = complete && (!differs || add_reused(reuse, &spans, first.identity)) && (code < 0 || end_reused(reuse, &spans));
    if (code >= 0)
        code = complete ? SW_OK : sw_fail_memory(error, "identities used twice", spans.len);
    sw_buffer_free(&spans);
    sw_buffer_free(&first_bytes);
    return code;
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
