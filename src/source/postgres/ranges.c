/* A large table is read over several connections, each a range of pages at a time, all in one snapshot. Ranges are taken in order and handed out in order, so that which
 * row is which number does not depend on who was faster. A connection that is ahead waits once it holds enough. */
#include <pthread.h>
#include <stdio.h>

#include "base/memory.h"
#include "source/postgres/postgres.h"

#define RANGE_PAGES 1024u             /* 8 MiB of the table */
#define AHEAD_BYTES ((uint64_t)16 << 20) /* what one connection may hold for later, and at most this part of the budget */
#define AHEAD_PART 16

struct worker {
    struct sw_postgres_ranges *ranges;
    struct sw_postgres *connection;
    pthread_t thread;
    bool started;
    uint64_t range;                   /* being read; UINT64_MAX: none any more */
    bool range_done;
    struct sw_block *blocks;          /* filled, in order: a ring of `capacity` */
    size_t first, count, capacity, bytes;
};

struct sw_postgres_ranges {
    struct sw_postgres_ranges_options options;
    char *select;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct worker *workers;
    unsigned worker_count;
    uint64_t range_count, next_range, current; /* to be read next; to be handed out now */
    size_t ahead;
    bool stop;
    enum sw_code code;                /* of the first failure */
    struct sw_error error;
};

/* The last range has no end: a table may have grown since its size was asked for, though not by rows of this snapshot. */
static char *range_statement(const struct sw_postgres_ranges *ranges, uint64_t range)
{
    struct sw_buffer sql = {0};
    sw_buffer_add_text(&sql, "COPY (");
    sw_buffer_add_text(&sql, ranges->select);
    sw_buffer_printf(&sql, " WHERE q.ctid >= '(%llu,0)'::pg_catalog.tid", (unsigned long long)(range * RANGE_PAGES));
    if (range + 1 < ranges->range_count)
        sw_buffer_printf(&sql, " AND q.ctid < '(%llu,0)'::pg_catalog.tid", (unsigned long long)((range + 1) * RANGE_PAGES));
    sw_buffer_add_text(&sql, ") TO STDOUT (FORMAT binary)");
    char *text = sw_buffer_text(&sql);
    if (!text)
        sw_buffer_free(&sql);
    return text;
}

/* Gives a filled block to the ring, and takes an empty one. False: the run stops. */
static bool hand_over(struct worker *worker, struct sw_block *block)
{
    struct sw_postgres_ranges *ranges = worker->ranges;
    bool fits = true;
    pthread_mutex_lock(&ranges->lock);
    while (!ranges->stop && (worker->count == worker->capacity || (worker->bytes > ranges->ahead && worker->range != ranges->current)))
        pthread_cond_wait(&ranges->changed, &ranges->lock);
    fits = !ranges->stop;
    if (fits) {
        struct sw_block *slot = &worker->blocks[(worker->first + worker->count++) % worker->capacity];
        struct sw_block empty = *slot;
        *slot = *block;
        *block = empty;
        worker->bytes += slot->len;
        pthread_cond_broadcast(&ranges->changed);
    }
    pthread_mutex_unlock(&ranges->lock);
    return fits;
}

static enum sw_code read_range(struct worker *worker, struct sw_block *block, uint64_t range, struct sw_error *error)
{
    const struct sw_postgres_ranges_options *options = &worker->ranges->options;
    struct sw_postgres_copying copying = {false, false};
    char *sql = range_statement(worker->ranges, range);
    enum sw_code code = sql ? sw_postgres_copy(worker->connection, sql, error) : sw_fail_memory(error, "a statement", 0);
    sw_free(sql);
    while (code == SW_OK) {
        struct sw_bytes chunk;
        if (block->len == 0 && (code = sw_source_room(block, options->block_bytes, false, options->budget, error)) != SW_OK)
            break;
        if ((code = sw_postgres_copied(&chunk, worker->connection, error)) != SW_OK)
            break;
        code = sw_postgres_take_chunk(block, &copying, chunk, options->columns, options->record_bytes_max, options->budget, error);
        if (code == SW_OK && block->len >= options->block_bytes) {
            if (!hand_over(worker, block))
                return SW_END;
            block->len = block->rows = 0;
        }
    }
    if (code != SW_END)
        return code;
    if (!copying.ended)
        return sw_fail(error, SW_ERR_REMOTE, "the server's answer ends before the end of its COPY");
    if (block->rows && !hand_over(worker, block))
        return SW_END;
    block->len = block->rows = 0;
    return SW_OK;
}

static void *run_worker(void *ctx)
{
    struct worker *worker = ctx;
    struct sw_postgres_ranges *ranges = worker->ranges;
    struct sw_block block = {0};
    struct sw_error error = {0};
    enum sw_code code = SW_OK;
    pthread_mutex_lock(&ranges->lock);
    while (!ranges->stop && code == SW_OK) {
        /* a range that is not handed out yet keeps the worker: its blocks stand in one ring */
        while (!ranges->stop && worker->range != UINT64_MAX && worker->range_done && (worker->range >= ranges->current))
            pthread_cond_wait(&ranges->changed, &ranges->lock);
        if (ranges->stop)
            break;
        worker->range_done = false;
        worker->range = ranges->next_range < ranges->range_count ? ranges->next_range++ : UINT64_MAX;
        uint64_t range = worker->range;
        if (range == UINT64_MAX)
            break;
        pthread_mutex_unlock(&ranges->lock);
        code = read_range(worker, &block, range, &error);
        pthread_mutex_lock(&ranges->lock);
        worker->range_done = true;
        if (code < 0 && ranges->code == SW_OK) {
            ranges->code = code;
            ranges->error = error;
        }
        pthread_cond_broadcast(&ranges->changed);
    }
    pthread_cond_broadcast(&ranges->changed);
    pthread_mutex_unlock(&ranges->lock);
    sw_block_free(&block);
    return NULL;
}

static enum sw_code run(struct sw_postgres *connection, struct sw_buffer *sql, struct sw_error *error)
{
    struct sw_rows none = {0};
    const char *text = sw_buffer_text(sql);
    enum sw_code code = text ? sw_postgres_query(&none, connection, text, NULL, 0, error) : sw_fail_memory(error, "a statement", 0);
    sw_rows_free(&none);
    sql->len = 0;
    return code;
}

/* The table's lock is taken now or never: whoever wants to alter the table waits for the first connection and would be waited for by this one, without an end. */
static enum sw_code begin(struct sw_postgres *connection, const char *snapshot, const char *select, struct sw_error *error)
{
    static const char *const settings[] = {"SET LOCAL row_security = off", "SET LOCAL idle_in_transaction_session_timeout = 0", "SET LOCAL lock_timeout = '100ms'"};
    struct sw_buffer sql = {0};
    sw_buffer_add_text(&sql, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    enum sw_code code = run(connection, &sql, error);
    sw_buffer_add_text(&sql, "SET TRANSACTION SNAPSHOT ");
    sw_postgres_quote_text(&sql, snapshot);
    if (code == SW_OK)
        code = run(connection, &sql, error);
    for (size_t i = 0; i < sizeof settings / sizeof *settings && code == SW_OK; i++) {
        sw_buffer_add_text(&sql, settings[i]);
        code = run(connection, &sql, error);
    }
    sw_buffer_add_text(&sql, select);
    sw_buffer_add_text(&sql, " LIMIT 0");
    if (code == SW_OK)
        code = run(connection, &sql, error);
    sw_buffer_free(&sql);
    return code;
}

/* As many as the server lets in; none is no failure yet: the caller has one of its own. */
static enum sw_code open_workers(struct sw_postgres_ranges *ranges, struct sw_error *error)
{
    const struct sw_postgres_ranges_options *options = &ranges->options;
    const struct sw_postgres_options connect = {0};
    struct sw_error first = {0};
    for (unsigned i = 0; i < options->connections; i++) {
        struct worker *worker = &ranges->workers[ranges->worker_count];
        worker->ranges = ranges;
        worker->range = UINT64_MAX;
        worker->capacity = 4 + ranges->ahead / options->block_bytes;
        if (worker->capacity > 4096)
            worker->capacity = 4096;
        worker->blocks = sw_calloc(worker->capacity, sizeof *worker->blocks);
        if (!worker->blocks)
            return sw_fail_memory(error, "a connection", worker->capacity * sizeof *worker->blocks);
        enum sw_code code = sw_postgres_open(&worker->connection, options->locator, &connect, &first);
        if (code == SW_OK)
            code = begin(worker->connection, options->snapshot, ranges->select, &first);
        if (code != SW_OK) {
            sw_postgres_close(&worker->connection);
            sw_free(worker->blocks);
            worker->blocks = NULL;
            break;
        }
        ranges->worker_count++;
    }
    if (ranges->worker_count == 0 && error)
        *error = first;
    return ranges->worker_count ? SW_OK : first.code;
}

enum sw_code sw_postgres_ranges_open(struct sw_postgres_ranges **out, const struct sw_postgres_ranges_options *options, struct sw_error *error)
{
    struct sw_postgres_ranges *ranges = sw_calloc(1, sizeof *ranges);
    *out = NULL;
    if (!ranges)
        return sw_fail_memory(error, "connections", sizeof *ranges);
    pthread_mutex_init(&ranges->lock, NULL);
    pthread_cond_init(&ranges->changed, NULL);
    ranges->options = *options;
    uint64_t part = options->budget ? options->budget->limit / AHEAD_PART : AHEAD_BYTES;
    ranges->ahead = (size_t)(part < AHEAD_BYTES ? part : AHEAD_BYTES);
    ranges->range_count = options->pages / RANGE_PAGES + 1;
    ranges->select = sw_strdup(options->select);
    ranges->workers = sw_calloc(options->connections, sizeof *ranges->workers);
    enum sw_code code = ranges->select && ranges->workers ? open_workers(ranges, error) : sw_fail_memory(error, "connections", options->connections * sizeof *ranges->workers);
    for (unsigned i = 0; i < ranges->worker_count && code == SW_OK; i++) {
        ranges->workers[i].started = pthread_create(&ranges->workers[i].thread, NULL, run_worker, &ranges->workers[i]) == 0;
        if (!ranges->workers[i].started)
            code = sw_fail(error, SW_ERR_MEMORY, "a thread could not be started");
    }
    if (code != SW_OK)
        sw_postgres_ranges_close(&ranges);
    *out = ranges;
    return code;
}

static struct worker *worker_of_current(struct sw_postgres_ranges *ranges)
{
    for (unsigned i = 0; i < ranges->worker_count; i++)
        if (ranges->workers[i].range == ranges->current)
            return &ranges->workers[i];
    return NULL;
}

enum sw_code sw_postgres_ranges_next(struct sw_block *block, struct sw_postgres_ranges *ranges, struct sw_error *error)
{
    enum sw_code code = SW_OK;
    bool given = false;
    pthread_mutex_lock(&ranges->lock);
    while (code == SW_OK && !given) {
        struct worker *worker = worker_of_current(ranges);
        if (ranges->code != SW_OK) {
            code = ranges->code;
            if (error)
                *error = ranges->error;
        } else if (ranges->current == ranges->range_count) {
            code = SW_END;
        } else if (worker && worker->count) {
            struct sw_block *slot = &worker->blocks[worker->first];
            struct sw_block empty = *block;
            *block = *slot;
            *slot = empty;
            slot->len = slot->rows = 0;
            worker->first = (worker->first + 1) % worker->capacity;
            worker->count--;
            worker->bytes -= block->len;
            given = true;
            pthread_cond_broadcast(&ranges->changed);
        } else if (worker && worker->range_done) {
            ranges->current++;
            pthread_cond_broadcast(&ranges->changed);
        } else {
            pthread_cond_wait(&ranges->changed, &ranges->lock);
        }
    }
    pthread_mutex_unlock(&ranges->lock);
    return code;
}

void sw_postgres_ranges_cancel(struct sw_postgres_ranges *ranges)
{
    pthread_mutex_lock(&ranges->lock);
    ranges->stop = true;
    if (ranges->code == SW_OK && ranges->current != ranges->range_count)
        ranges->code = sw_fail(&ranges->error, SW_ERR_CANCELLED, "interrupted: nothing is claimed");
    pthread_cond_broadcast(&ranges->changed);
    pthread_mutex_unlock(&ranges->lock);
    for (unsigned i = 0; i < ranges->worker_count; i++)
        sw_postgres_cancel(ranges->workers[i].connection);
}

void sw_postgres_ranges_close(struct sw_postgres_ranges **pointer)
{
    struct sw_postgres_ranges *ranges = *pointer;
    *pointer = NULL;
    if (!ranges)
        return;
    pthread_mutex_lock(&ranges->lock);
    bool busy = ranges->current != ranges->range_count;
    ranges->stop = true;
    pthread_cond_broadcast(&ranges->changed);
    pthread_mutex_unlock(&ranges->lock);
    for (unsigned i = 0; i < ranges->worker_count; i++) {
        struct worker *worker = &ranges->workers[i];
        if (busy)
            sw_postgres_cancel(worker->connection);
        if (worker->started)
            pthread_join(worker->thread, NULL);
        sw_postgres_close(&worker->connection);
        for (size_t b = 0; b < worker->capacity; b++)
            sw_block_free(&worker->blocks[b]);
        sw_free(worker->blocks);
    }
    sw_free(ranges->workers);
    sw_free(ranges->select);
    pthread_cond_destroy(&ranges->changed);
    pthread_mutex_destroy(&ranges->lock);
    sw_free(ranges);
}
