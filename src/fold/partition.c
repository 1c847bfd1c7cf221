#include "fold/partition.h"

#include <stdatomic.h>
#include <stdlib.h>

#ifdef SW_WITH_LZ4
#include <lz4.h>
#endif

#define SLAB_BYTES ((size_t)2 << 20)
#define PREPARED_BYTES ((size_t)256 << 10) /* of a slab, at a time */
#define CHUNK_BYTES_MAX ((size_t)8 << 10)
#define CHUNK_BYTES_MIN ((size_t)512)

/* A full chunk: in memory (`at`), or in the spill file. */
struct chunk {
    uint8_t *at;
    uint64_t offset;
    uint32_t len;        /* of its entries */
    uint32_t stored_len; /* in the spill file; equal to len: not compressed */
    bool large;          /* its memory is its own, not part of a slab */
};

struct partition {
    uint32_t chunk_count, chunk_capacity, first_in_memory;
    struct chunk *chunks;
    uint64_t bytes;      /* in full chunks */
};

struct sw_partition_writer {
    struct sw_partition_store *store;
    struct sw_partition_tail *open;
    struct partition *partitions;
    uint8_t **free_chunks;
    uint32_t free_count, free_capacity;
    uint8_t *slab;
    size_t slab_left, slab_prepared; /* bytes: at its end, not yet handed out; from its start, ready to be written */
    void **slabs;
    size_t slab_count, slab_capacity;
    uint32_t next_victim;      /* partition from which the next chunk is spilled */
    struct sw_buffer packed;
};

struct sw_partition_store {
    struct sw_partition_options options;
    size_t chunk_bytes, slab_bytes;
    _Atomic uint64_t slab_memory;
    struct sw_partition_writer *writers;
};

enum sw_code sw_partition_store_new(struct sw_partition_store **out, const struct sw_partition_options *options, struct sw_error *error)
{
    struct sw_partition_store *store = sw_calloc(1, sizeof *store);
    *out = NULL;
    if (!store)
        return sw_fail_memory(error, "partitions", sizeof *store);
    store->options = *options;
    /* open chunks cannot spill: they may take a quarter of the store's memory */
    store->chunk_bytes = CHUNK_BYTES_MAX;
    while (store->chunk_bytes > CHUNK_BYTES_MIN && store->chunk_bytes * options->partitions * options->writers > options->memory_bytes / 4)
        store->chunk_bytes /= 2;
    store->slab_bytes = SLAB_BYTES;
    while (store->slab_bytes > store->chunk_bytes && store->slab_bytes * options->writers > options->memory_bytes / 4)
        store->slab_bytes /= 2;
    store->writers = sw_calloc(options->writers, sizeof *store->writers);
    bool complete = store->writers != NULL;
    for (uint32_t i = 0; complete && i < options->writers; i++) {
        store->writers[i].store = store;
        store->writers[i].partitions = sw_calloc(options->partitions, sizeof *store->writers[i].partitions);
        store->writers[i].open = sw_calloc(options->partitions, sizeof *store->writers[i].open);
        complete = store->writers[i].partitions && store->writers[i].open;
    }
    if (!complete) {
        sw_partition_store_free(&store);
        return sw_fail_memory(error, "partitions", options->writers * options->partitions * sizeof(struct partition));
    }
    *out = store;
    return SW_OK;
}

static void drop_chunks(struct sw_partition_store *store, struct partition *partition)
{
    for (uint32_t i = 0; i < partition->chunk_count; i++)
        if (partition->chunks[i].at && partition->chunks[i].large) {
            sw_free(partition->chunks[i].at);
            sw_budget_give(store->options.budget, partition->chunks[i].len);
        }
    sw_free(partition->chunks);
    partition->chunks = NULL;
    partition->chunk_count = partition->chunk_capacity = 0;
    partition->bytes = 0;
}

void sw_partition_store_free(struct sw_partition_store **pointer)
{
    struct sw_partition_store *store = *pointer;
    *pointer = NULL;
    if (!store)
        return;
    for (uint32_t i = 0; store->writers && i < store->options.writers; i++) {
        struct sw_partition_writer *writer = &store->writers[i];
        for (uint32_t p = 0; writer->partitions && p < store->options.partitions; p++)
            drop_chunks(store, &writer->partitions[p]);
        for (size_t s = 0; s < writer->slab_count; s++)
            sw_pages_free(writer->slabs[s], store->slab_bytes);
        sw_budget_give(store->options.budget, writer->slab_count * store->slab_bytes);
        sw_free(writer->slabs);
        sw_free(writer->free_chunks);
        sw_free(writer->partitions);
        sw_free(writer->open);
        sw_buffer_free(&writer->packed);
    }
    sw_free(store->writers);
    sw_free(store);
}

struct sw_partition_writer *sw_partition_writer_at(struct sw_partition_store *store, uint32_t index) { return &store->writers[index]; }

struct sw_partition_tail *sw_partition_tails(struct sw_partition_writer *writer) { return writer->open; }

static bool add_free_chunk(struct sw_partition_writer *writer, uint8_t *chunk)
{
    if (writer->free_count == writer->free_capacity) {
        uint32_t capacity = writer->free_capacity ? writer->free_capacity * 2 : 64;
        uint8_t **grown = sw_realloc_array(writer->free_chunks, capacity, sizeof *grown);
        if (!grown)
            return false;
        writer->free_chunks = grown;
        writer->free_capacity = capacity;
    }
    writer->free_chunks[writer->free_count++] = chunk;
    return true;
}

static enum sw_code write_out(struct sw_partition_writer *writer, struct chunk *chunk, struct sw_error *error)
{
    struct sw_bytes bytes = sw_bytes_of(chunk->at, chunk->len);
#ifdef SW_WITH_LZ4
    writer->packed.len = 0;
    if (chunk->len <= LZ4_MAX_INPUT_SIZE && sw_buffer_reserve(&writer->packed, (size_t)LZ4_compressBound((int)chunk->len))) {
        int packed = LZ4_compress_default((const char *)chunk->at, (char *)writer->packed.at, (int)chunk->len, (int)writer->packed.capacity);
        if (packed > 0 && (uint32_t)packed < chunk->len)
            bytes = sw_bytes_of(writer->packed.at, (size_t)packed);
    }
#endif
    enum sw_code code = sw_spill_file_append(&chunk->offset, writer->store->options.spill, bytes, error);
    if (code == SW_OK) {
        chunk->stored_len = (uint32_t)bytes.len;
        chunk->at = NULL;
    }
    return code;
}

/* Writes full chunks out until some memory is free again: one chunk of each partition in turn, the oldest first. */
static enum sw_code spill_some(struct sw_partition_writer *writer, struct sw_error *error)
{
    uint32_t partitions = writer->store->options.partitions, wanted = 64;
    for (uint32_t seen = 0; seen < partitions && wanted; seen++) {
        struct partition *partition = &writer->partitions[writer->next_victim];
        writer->next_victim = (writer->next_victim + 1) % partitions;
        while (partition->first_in_memory < partition->chunk_count && wanted) {
            struct chunk *chunk = &partition->chunks[partition->first_in_memory];
            uint8_t *memory = chunk->at;
            bool large = chunk->large;
            if (memory) {
                enum sw_code code = write_out(writer, chunk, error);
                if (code < 0)
                    return code;
                if (large) {
                    sw_free(memory);
                    sw_budget_give(writer->store->options.budget, chunk->len);
                } else if (!add_free_chunk(writer, memory)) {
                    return sw_fail_memory(error, "free chunks", sizeof memory);
                }
                wanted--;
            }
            partition->first_in_memory++;
        }
    }
    return SW_OK;
}

static enum sw_code new_slab(struct sw_partition_writer *writer, struct sw_error *error)
{
    struct sw_partition_store *store = writer->store;
    if (writer->slab_count == writer->slab_capacity) {
        size_t capacity = writer->slab_capacity ? writer->slab_capacity * 2 : 64;
        void **grown = sw_realloc_array(writer->slabs, capacity, sizeof *grown);
        if (!grown)
            return sw_fail_memory(error, "slabs", capacity * sizeof *grown);
        writer->slabs = grown;
        writer->slab_capacity = capacity;
    }
    uint8_t *slab = sw_pages_alloc(store->slab_bytes);
    if (!slab)
        return sw_fail_memory(error, "partitions", store->slab_bytes);
    sw_budget_force(store->options.budget, store->slab_bytes);
    writer->slabs[writer->slab_count++] = slab;
    writer->slab = slab;
    writer->slab_left = store->slab_bytes;
    writer->slab_prepared = 0;
    return SW_OK;
}

static uint8_t *take_chunk(struct sw_partition_writer *writer, struct sw_error *error)
{
    struct sw_partition_store *store = writer->store;
    if (writer->free_count)
        return writer->free_chunks[--writer->free_count];
    if (writer->slab_left < store->chunk_bytes) {
        uint64_t memory = atomic_fetch_add(&store->slab_memory, store->slab_bytes) + store->slab_bytes;
        bool within = memory <= store->options.memory_bytes;
        if (!within) {
            atomic_fetch_sub(&store->slab_memory, store->slab_bytes);
            if (spill_some(writer, error) < 0)
                return NULL;
            if (writer->free_count)
                return writer->free_chunks[--writer->free_count];
            atomic_fetch_add(&store->slab_memory, store->slab_bytes); /* nothing to spill: only open chunks, which must exist */
        }
        if (new_slab(writer, error) < 0)
            return NULL;
    }
    size_t used = store->slab_bytes - writer->slab_left;
    if (used >= writer->slab_prepared) {
        size_t step = writer->slab_left < PREPARED_BYTES ? writer->slab_left : PREPARED_BYTES;
        sw_pages_prepare(writer->slab + used, step);
        writer->slab_prepared = used + step;
    }
    uint8_t *chunk = writer->slab + used;
    writer->slab_left -= store->chunk_bytes;
    return chunk;
}

static enum sw_code add_chunk(struct partition *partition, struct chunk chunk, struct sw_error *error)
{
    if (partition->chunk_count == partition->chunk_capacity) {
        uint32_t capacity = partition->chunk_capacity ? partition->chunk_capacity * 2 : 8;
        struct chunk *grown = sw_realloc_array(partition->chunks, capacity, sizeof *grown);
        if (!grown)
            return sw_fail_memory(error, "chunks", capacity * sizeof *grown);
        partition->chunks = grown;
        partition->chunk_capacity = capacity;
    }
    partition->chunks[partition->chunk_count++] = chunk;
    return SW_OK;
}

/* An entry that no chunk can hold gets memory of its own. */
static uint8_t *append_large(struct sw_partition_writer *writer, struct partition *partition, size_t len, struct sw_error *error)
{
    size_t total = sw_varint_size(len) + len;
    if (total > UINT32_MAX) {
        sw_fail(error, SW_ERR_LIMIT, "a record of %zu bytes is longer than a partition can hold (4 GiB)", len);
        return NULL;
    }
    if (!sw_budget_take(writer->store->options.budget, total)) {
        if (spill_some(writer, error) < 0)
            return NULL;
        sw_budget_force(writer->store->options.budget, total);
    }
    uint8_t *memory = sw_malloc(total);
    if (!memory) {
        sw_budget_give(writer->store->options.budget, total);
        sw_fail_memory(error, "a long record", total);
        return NULL;
    }
    if (add_chunk(partition, (struct chunk){.at = memory, .len = (uint32_t)total, .large = true}, error) < 0) {
        sw_budget_give(writer->store->options.budget, total);
        sw_free(memory);
        return NULL;
    }
    partition->bytes += total;
    return sw_varint_put(memory, len);
}

static uint32_t open_len(const struct sw_partition_store *store, const struct sw_partition_tail *open)
{
    return open->at ? (uint32_t)store->chunk_bytes - open->left : 0;
}

/* Puts the open chunk away as a full one and opens another. */
static bool next_chunk(struct sw_partition_writer *writer, uint32_t index, struct sw_error *error)
{
    struct sw_partition_store *store = writer->store;
    struct sw_partition_tail *open = &writer->open[index];
    struct partition *partition = &writer->partitions[index];
    if (open->at) {
        uint32_t len = open_len(store, open);
        if (add_chunk(partition, (struct chunk){.at = open->at - len, .len = len}, error) < 0)
            return false;
        partition->bytes += len;
        open->at = NULL;
        open->left = 0;
    }
    open->at = take_chunk(writer, error);
    open->left = open->at ? (uint32_t)store->chunk_bytes : 0;
    return open->at != NULL;
}

uint8_t *sw_partition_append(struct sw_partition_writer *writer, uint32_t index, size_t len, struct sw_error *error)
{
    struct sw_partition_tail *open = &writer->open[index];
    size_t total = sw_varint_size(len) + len;
    if (total > writer->store->chunk_bytes) {
        uint8_t *large = append_large(writer, &writer->partitions[index], len, error);
        open->entries += large != NULL;
        return large;
    }
    if ((!open->at || total > open->left) && !next_chunk(writer, index, error))
        return NULL;
    uint8_t *to = open->at;
    open->at += total;
    open->left -= (uint32_t)total;
    open->entries++;
    return sw_varint_put(to, len);
}

uint64_t sw_partition_bytes(const struct sw_partition_store *store, uint32_t partition)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < store->options.writers; i++)
        bytes += store->writers[i].partitions[partition].bytes + open_len(store, &store->writers[i].open[partition]);
    return bytes;
}

uint64_t sw_partition_entries(const struct sw_partition_store *store, uint32_t partition)
{
    uint64_t entries = 0;
    for (uint32_t i = 0; i < store->options.writers; i++)
        entries += store->writers[i].open[partition].entries;
    return entries;
}

static enum sw_code add_run(struct sw_partition_load *load, struct sw_bytes run, struct sw_error *error)
{
    if (load->run_count == load->run_capacity) {
        size_t capacity = load->run_capacity ? load->run_capacity * 2 : 64;
        struct sw_bytes *grown = sw_realloc_array(load->runs, capacity, sizeof *grown);
        if (!grown)
            return sw_fail_memory(error, "runs", capacity * sizeof *grown);
        load->runs = grown;
        load->run_capacity = capacity;
    }
    load->runs[load->run_count++] = run;
    return SW_OK;
}

static enum sw_code read_chunk(uint8_t *to, struct sw_partition_load *load, struct sw_partition_store *store, const struct chunk *chunk, struct sw_error *error)
{
    struct sw_extent extent = {chunk->offset, chunk->stored_len};
    if (chunk->stored_len == chunk->len)
        return sw_spill_file_read(to, store->options.spill, extent, error);
#ifdef SW_WITH_LZ4
    load->packed.len = 0;
    if (!sw_buffer_reserve(&load->packed, chunk->stored_len))
        return sw_fail_memory(error, "a spilled chunk", chunk->stored_len);
    enum sw_code code = sw_spill_file_read(load->packed.at, store->options.spill, extent, error);
    if (code < 0)
        return code;
    if (LZ4_decompress_safe((const char *)load->packed.at, (char *)to, (int)chunk->stored_len, (int)chunk->len) != (int)chunk->len)
        return sw_fail(error, SW_ERR_IO, "the spill file gives back other bytes than were written to it; is the disk sound?");
    return SW_OK;
#else
    (void)load;
    return sw_fail(error, SW_ERR_INTERNAL, "a chunk was spilled compressed by a build that cannot");
#endif
}

static bool reserve_read_back(struct sw_partition_load *load, size_t bytes)
{
    if (bytes <= load->read_back_capacity)
        return true;
    sw_free(load->read_back);
    load->read_back_capacity = 0;
    load->read_back = sw_malloc(bytes);
    if (load->read_back)
        load->read_back_capacity = bytes;
    return load->read_back != NULL;
}

enum sw_code sw_partition_each(struct sw_partition_load *room, struct sw_partition_store *store, uint32_t index,
                               enum sw_code (*take)(struct sw_bytes run, void *ctx, struct sw_error *error), void *ctx, struct sw_error *error)
{
    enum sw_code code = SW_OK;
    for (uint32_t w = 0; w < store->options.writers && code == SW_OK; w++) {
        const struct partition *partition = &store->writers[w].partitions[index];
        for (uint32_t i = 0; i < partition->chunk_count && code == SW_OK; i++) {
            const struct chunk *chunk = &partition->chunks[i];
            const uint8_t *at = chunk->at;
            if (!at) {
                if (!reserve_read_back(room, chunk->len))
                    return sw_fail_memory(error, "a spilled chunk", chunk->len);
                code = read_chunk(room->read_back, room, store, chunk, error);
                at = room->read_back;
            }
            if (code == SW_OK)
                code = take(sw_bytes_of(at, chunk->len), ctx, error);
        }
        const struct sw_partition_tail *open = &store->writers[w].open[index];
        uint32_t len = open_len(store, open);
        if (len && code == SW_OK)
            code = take(sw_bytes_of(open->at - len, len), ctx, error);
    }
    return code;
}

enum sw_code sw_partition_load(struct sw_partition_load *out, struct sw_partition_store *store, uint32_t index, struct sw_error *error)
{
    size_t from_disk = 0;
    for (uint32_t w = 0; w < store->options.writers; w++) {
        const struct partition *partition = &store->writers[w].partitions[index];
        for (uint32_t i = 0; i < partition->chunk_count; i++)
            from_disk += partition->chunks[i].at ? 0 : partition->chunks[i].len;
    }
    if (!reserve_read_back(out, from_disk))
        return sw_fail_memory(error, "a partition", from_disk);
    out->run_count = 0;
    uint8_t *to = out->read_back;
    for (uint32_t w = 0; w < store->options.writers; w++) {
        const struct partition *partition = &store->writers[w].partitions[index];
        for (uint32_t i = 0; i < partition->chunk_count; i++) {
            const struct chunk *chunk = &partition->chunks[i];
            const uint8_t *at = chunk->at;
            if (!at) {
                enum sw_code code = read_chunk(to, out, store, chunk, error);
                if (code < 0)
                    return code;
                at = to;
                to += chunk->len;
            }
            enum sw_code code = add_run(out, sw_bytes_of(at, chunk->len), error);
            if (code < 0)
                return code;
        }
        const struct sw_partition_tail *open = &store->writers[w].open[index];
        uint32_t len = open_len(store, open);
        if (len) {
            enum sw_code code = add_run(out, sw_bytes_of(open->at - len, len), error);
            if (code < 0)
                return code;
        }
    }
    return SW_OK;
}

void sw_partition_load_free(struct sw_partition_load *load)
{
    sw_free(load->runs);
    sw_free(load->read_back);
    sw_buffer_free(&load->packed);
    *load = (struct sw_partition_load){0};
}

void sw_partition_drop(struct sw_partition_store *store, uint32_t index)
{
    for (uint32_t w = 0; w < store->options.writers; w++) {
        drop_chunks(store, &store->writers[w].partitions[index]);
        store->writers[w].open[index] = (struct sw_partition_tail){0};
    }
}
