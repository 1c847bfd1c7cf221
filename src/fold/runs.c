#include "fold/runs.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/word.h"
#include "model/varint.h"

#define WINDOW_BYTES_MAX ((size_t)256 << 10)
#define WINDOWS_BYTES ((size_t)32 << 20) /* for all runs of a merge together */
#define WINDOW_BYTES_MIN ((size_t)4 << 10)
#define LINE ((size_t)64)
#define AHEAD_MAX ((size_t)1024)

struct run {
    uint8_t *at;              /* NULL: in the spill file */
    size_t shared;            /* so many bytes begin all of its keys */
    struct sw_extent extent;  /* offset only where spilled */
};

struct sw_runs {
    pthread_mutex_t lock;
    struct run *runs;
    size_t count, capacity;
    uint64_t memory_used, memory_bytes;
    struct sw_budget *budget;
    struct sw_spill_file *spill;
};

/* An item of a batch: where its key and content stand, one after the other. */
struct item {
    uint64_t at;
    uint64_t key_len, content_len;
    uint64_t word;            /* of the key, while the batch is sorted */
};

/* Most keys begin alike, with the name of their table. What follows, as a number: of two that differ the lower one is of the lower key. */
static uint64_t word_of(struct sw_bytes key, size_t shared)
{
    size_t left = key.len - shared;
    uint8_t padded[8] = {0};
    if (left >= 8)
        return sw_word_big_endian(sw_word_load(key.at + shared));
    for (size_t i = 0; i < left; i++)
        padded[i] = key.at[shared + i];
    return sw_word_big_endian(sw_word_load(padded));
}

/* With how many bytes do both begin? At most `most`. */
static size_t shared_by(struct sw_bytes a, struct sw_bytes b, size_t most)
{
    size_t shared = 0;
    most = most < a.len ? most : a.len;
    most = most < b.len ? most : b.len;
    while (most - shared >= 8 && sw_word_load(a.at + shared) == sw_word_load(b.at + shared))
        shared += 8;
    while (shared < most && a.at[shared] == b.at[shared])
        shared++;
    return shared;
}

struct sw_runs *sw_runs_new(uint64_t memory_bytes, struct sw_budget *budget, struct sw_spill_file *spill)
{
    struct sw_runs *runs = sw_calloc(1, sizeof *runs);
    if (!runs)
        return NULL;
    pthread_mutex_init(&runs->lock, NULL);
    runs->memory_bytes = memory_bytes;
    runs->budget = budget;
    runs->spill = spill;
    return runs;
}

void sw_runs_free(struct sw_runs **pointer)
{
    struct sw_runs *runs = *pointer;
    *pointer = NULL;
    if (!runs)
        return;
    for (size_t i = 0; i < runs->count; i++)
        sw_free(runs->runs[i].at);
    sw_budget_give(runs->budget, runs->memory_used);
    sw_free(runs->runs);
    pthread_mutex_destroy(&runs->lock);
    sw_free(runs);
}

void sw_run_batch_free(struct sw_run_batch *batch)
{
    sw_buffer_free(&batch->bytes);
    sw_buffer_free(&batch->index);
}

bool sw_run_batch_add(struct sw_run_batch *batch, struct sw_bytes key, struct sw_bytes content)
{
    struct item item = {batch->bytes.len, key.len, content.len, 0};
    sw_buffer_add_bytes(&batch->bytes, key);
    sw_buffer_add_bytes(&batch->bytes, content);
    sw_buffer_add(&batch->index, &item, sizeof item);
    return !batch->bytes.failed && !batch->index.failed;
}

static int by_key(const void *a, const void *b, void *ctx)
{
    const struct item *left = a, *right = b;
    const uint8_t *bytes = ctx;
    if (left->word != right->word)
        return left->word < right->word ? -1 : 1;
    int order = sw_bytes_compare(sw_bytes_of(bytes + left->at, left->key_len), sw_bytes_of(bytes + right->at, right->key_len));
    if (order)
        return order;
    return sw_bytes_compare(sw_bytes_of(bytes + left->at + left->key_len, left->content_len), sw_bytes_of(bytes + right->at + right->key_len, right->content_len));
}

static enum sw_code add_run(struct sw_runs *runs, struct run run, struct sw_error *error)
{
    enum sw_code code = SW_OK;
    pthread_mutex_lock(&runs->lock);
    if (runs->count == runs->capacity) {
        size_t capacity = runs->capacity ? runs->capacity * 2 : 64;
        struct run *grown = sw_realloc_array(runs->runs, capacity, sizeof *grown);
        if (grown) {
            runs->runs = grown;
            runs->capacity = capacity;
        } else {
            code = sw_fail_memory(error, "sorted runs", capacity * sizeof *grown);
        }
    }
    if (code == SW_OK)
        runs->runs[runs->count++] = run;
    pthread_mutex_unlock(&runs->lock);
    return code;
}

static bool take_memory(struct sw_runs *runs, uint64_t bytes)
{
    pthread_mutex_lock(&runs->lock);
    bool taken = runs->memory_used + bytes <= runs->memory_bytes && sw_budget_take(runs->budget, bytes);
    if (taken)
        runs->memory_used += bytes;
    pthread_mutex_unlock(&runs->lock);
    return taken;
}

enum sw_code sw_run_batch_end(struct sw_run_batch *batch, struct sw_runs *runs, struct sw_error *error)
{
    size_t count = batch->index.len / sizeof(struct item);
    if (count == 0)
        return SW_OK;
    struct item *items = (struct item *)(void *)batch->index.at;
    const struct sw_bytes first = sw_bytes_of(batch->bytes.at + items[0].at, items[0].key_len);
    size_t len = batch->bytes.len, shared = first.len;
    for (size_t i = 0; i < count; i++) {
        shared = shared_by(first, sw_bytes_of(batch->bytes.at + items[i].at, items[i].key_len), shared);
        len += sw_varint_size(items[i].key_len) + sw_varint_size(items[i].content_len);
    }
    for (size_t i = 0; i < count; i++)
        items[i].word = word_of(sw_bytes_of(batch->bytes.at + items[i].at, items[i].key_len), shared);
    qsort_r(items, count, sizeof *items, by_key, batch->bytes.at);
    struct run run = {.at = sw_malloc(len), .shared = shared, .extent = {0, len}};
    if (!run.at)
        return sw_fail_memory(error, "a sorted run", len);
    uint8_t *to = run.at;
    for (size_t i = 0; i < count; i++) {
        to = sw_varint_put(to, items[i].key_len);
        to = sw_varint_put(to, items[i].content_len);
        memcpy(to, batch->bytes.at + items[i].at, items[i].key_len + items[i].content_len);
        to += items[i].key_len + items[i].content_len;
    }
    batch->bytes.len = batch->index.len = 0;
    enum sw_code code = SW_OK;
    uint8_t *memory = run.at;
    bool kept = take_memory(runs, len);
    if (!kept) {
        code = sw_spill_file_append(&run.extent.offset, runs->spill, sw_bytes_of(memory, len), error);
        run.at = NULL;
    }
    if (code == SW_OK)
        code = add_run(runs, run, error);
    if (code < 0 || !kept)
        sw_free(memory);
    return code;
}

/* One run while it is merged: a window over its bytes, and its next item. */
struct cursor {
    const struct run *run;
    uint64_t done;            /* bytes of the run before the window */
    struct sw_bytes window;   /* not yet taken */
    uint8_t *room;
    size_t room_capacity;
    struct sw_bytes key, content;
    uint64_t word;            /* of the key */
};

struct sw_run_merge {
    const struct sw_runs *runs;
    struct cursor *cursors;
    size_t cursor_count;
    struct cursor **heap;     /* the cursor with the smallest key first */
    size_t heap_count;
    size_t window_bytes;
    size_t shared;            /* so many bytes begin the keys of all runs */
    bool started;
};

/* Makes at least `wanted` bytes of the run stand in the window, or as many as it still has. */
static enum sw_code fill(struct cursor *cursor, const struct sw_run_merge *merge, size_t wanted, struct sw_error *error)
{
    if (cursor->run->at || cursor->window.len >= wanted)
        return SW_OK;
    uint64_t taken = cursor->done + cursor->window.len, left = cursor->run->extent.len - taken;
    size_t size = wanted > merge->window_bytes ? wanted : merge->window_bytes;
    if (size > cursor->room_capacity) {
        uint8_t *room = sw_malloc(size);
        if (!room)
            return sw_fail_memory(error, "a window on a sorted run", size);
        if (cursor->window.len)
            memcpy(room, cursor->window.at, cursor->window.len);
        sw_free(cursor->room);
        cursor->room = room;
        cursor->room_capacity = size;
    } else if (cursor->window.len) {
        memmove(cursor->room, cursor->window.at, cursor->window.len);
    }
    size_t more = size - cursor->window.len;
    if (more > left)
        more = (size_t)left;
    enum sw_code code = SW_OK;
    if (more)
        code = sw_spill_file_read(cursor->room + cursor->window.len, merge->runs->spill, (struct sw_extent){cursor->run->extent.offset + taken, more}, error);
    cursor->window = sw_bytes_of(cursor->room, cursor->window.len + more);
    return code;
}

/* Takes the next item into key and content. SW_END at the end of the run. */
static enum sw_code advance(struct cursor *cursor, const struct sw_run_merge *merge, struct sw_error *error)
{
    enum sw_code code = fill(cursor, merge, 2 * SW_VARINT_MAX, error);
    if (code < 0)
        return code;
    if (cursor->window.len == 0)
        return SW_END;
    const uint8_t *at = cursor->window.at;
    size_t key_len = sw_varint_get(&at), content_len = sw_varint_get(&at), head = (size_t)(at - cursor->window.at);
    code = fill(cursor, merge, head + key_len + content_len, error);
    if (code < 0)
        return code;
    cursor->key = sw_bytes_of(cursor->window.at + head, key_len);
    cursor->content = sw_bytes_of(cursor->window.at + head + key_len, content_len);
    cursor->window.at += head + key_len + content_len;
    cursor->window.len -= head + key_len + content_len;
    cursor->done += head + key_len + content_len;
    cursor->word = word_of(cursor->key, merge->shared);
    /* hundreds of other runs give an item before this one gives its next, which would be waited for: one as long as this */
    for (size_t ahead = 0; ahead < content_len + LINE && ahead < AHEAD_MAX; ahead += LINE)
        __builtin_prefetch(cursor->window.at + ahead);
    return SW_OK;
}

static bool before(const struct cursor *a, const struct cursor *b)
{
    if (a->word != b->word)
        return a->word < b->word;
    int order = sw_bytes_compare(a->key, b->key);
    return order ? order < 0 : sw_bytes_compare(a->content, b->content) < 0;
}

static void sift(struct sw_run_merge *merge, size_t root)
{
    for (;;) {
        size_t child = 2 * root + 1;
        if (child >= merge->heap_count)
            return;
        if (child + 1 < merge->heap_count && before(merge->heap[child + 1], merge->heap[child]))
            child++;
        if (!before(merge->heap[child], merge->heap[root]))
            return;
        struct cursor *swap = merge->heap[root];
        merge->heap[root] = merge->heap[child];
        merge->heap[child] = swap;
        root = child;
    }
}

enum sw_code sw_run_merge_open(struct sw_run_merge **out, const struct sw_runs *runs, struct sw_error *error)
{
    struct sw_run_merge *merge = sw_calloc(1, sizeof *merge);
    *out = NULL;
    if (!merge)
        return sw_fail_memory(error, "a merge", sizeof *merge);
    merge->runs = runs;
    merge->cursor_count = runs->count;
    merge->cursors = sw_calloc(runs->count, sizeof *merge->cursors);
    merge->heap = sw_calloc(runs->count, sizeof *merge->heap);
    if (!merge->cursors || !merge->heap) {
        sw_run_merge_close(&merge);
        return sw_fail_memory(error, "a merge", runs->count * sizeof *merge->cursors);
    }
    merge->window_bytes = runs->count ? WINDOWS_BYTES / runs->count : WINDOW_BYTES_MAX;
    if (merge->window_bytes > WINDOW_BYTES_MAX)
        merge->window_bytes = WINDOW_BYTES_MAX;
    if (merge->window_bytes < WINDOW_BYTES_MIN)
        merge->window_bytes = WINDOW_BYTES_MIN;
    for (size_t i = 0; i < runs->count; i++) {
        struct cursor *cursor = &merge->cursors[i];
        cursor->run = &runs->runs[i];
        if (cursor->run->at)
            cursor->window = sw_bytes_of(cursor->run->at, cursor->run->extent.len);
        enum sw_code code = advance(cursor, merge, error);
        if (code < 0) {
            sw_run_merge_close(&merge);
            return code;
        }
        if (code == SW_OK)
            merge->heap[merge->heap_count++] = cursor;
    }
    for (size_t i = 0; i < merge->heap_count; i++) {
        const struct cursor *cursor = merge->heap[i];
        size_t most = i && merge->shared < cursor->run->shared ? merge->shared : cursor->run->shared;
        merge->shared = shared_by(cursor->key, merge->heap[0]->key, most);
    }
    for (size_t i = 0; i < merge->heap_count; i++)
        merge->heap[i]->word = word_of(merge->heap[i]->key, merge->shared);
    for (size_t i = merge->heap_count / 2; i-- > 0;)
        sift(merge, i);
    *out = merge;
    return SW_OK;
}

enum sw_code sw_run_merge_next(struct sw_bytes *key, struct sw_bytes *content, struct sw_run_merge *merge, struct sw_error *error)
{
    if (merge->started && merge->heap_count) { /* the item given last must stay valid until now */
        enum sw_code code = advance(merge->heap[0], merge, error);
        if (code < 0)
            return code;
        if (code == SW_END)
            merge->heap[0] = merge->heap[--merge->heap_count];
        if (merge->heap_count)
            sift(merge, 0);
    }
    merge->started = true;
    if (merge->heap_count == 0)
        return SW_END;
    *key = merge->heap[0]->key;
    *content = merge->heap[0]->content;
    return SW_OK;
}

void sw_run_merge_close(struct sw_run_merge **pointer)
{
    struct sw_run_merge *merge = *pointer;
    *pointer = NULL;
    if (!merge)
        return;
    for (size_t i = 0; merge->cursors && i < merge->cursor_count; i++)
        sw_free(merge->cursors[i].room);
    sw_free(merge->cursors);
    sw_free(merge->heap);
    sw_free(merge);
}
