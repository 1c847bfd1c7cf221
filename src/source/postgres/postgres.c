/* postgresql://…#SCHEMA.TABLE, or a query: all rows in one snapshot, as the server's binary COPY gives them. */
#include "source/postgres/postgres.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define LARGE_PAGES 2048u           /* 16 MiB: from here on several connections are worth their opening */
#define CONNECTIONS_MAX 8u
#define LOCK_TIMEOUT_MS 30000u      /* where nobody chose one */
#define LOCK_STEP_MS 1000u          /* after which somebody is told that it takes long, and may say that it is enough */
#define REWRITTEN_MAX 10u           /* so often a snapshot is taken that is older than a table */
#define RANGES_VERSION 140000       /* ranges of ctid are no whole scans from 14 on */

struct postgres_source {
    struct sw_locator locator;
    struct sw_postgres *connection;
    struct sw_postgres_shape shape;
    struct sw_buffer select;        /* SELECT … FROM … q */
    struct sw_buffer told;          /* what the table is beside a table */
    struct sw_postgres_copying copying;
    struct sw_postgres_ranges *ranges;
    struct sw_postgres_keys keys;   /* keys.keys NULL: all rows */
    struct sw_postgres_slot *slot;  /* not NULL: events of a slot, no table */
    char *snapshot, *position;      /* the exported snapshot: NULL for one connection */
    uint64_t pages;
    unsigned connections;
    bool begun, ended, cancelled;
    pthread_mutex_t lock;           /* connection and ranges may be asked to stop while they are in use, not while they are closed */
    size_t block_bytes, record_bytes_max;
    struct sw_budget *budget;
};

static void close_connections(struct postgres_source *source)
{
    pthread_mutex_lock(&source->lock);
    sw_postgres_ranges_close(&source->ranges);
    if (source->connection)
        sw_postgres_stop(source->connection);
    sw_postgres_close(&source->connection);
    pthread_mutex_unlock(&source->lock);
}

static void cancel(void *state)
{
    struct postgres_source *source = state;
    pthread_mutex_lock(&source->lock);
    source->cancelled = true;
    if (source->ranges)
        sw_postgres_ranges_cancel(source->ranges);
    if (source->connection)
        sw_postgres_cancel(source->connection);
    pthread_mutex_unlock(&source->lock);
}

static void close_source(void **state)
{
    struct postgres_source *source = *state;
    *state = NULL;
    if (!source)
        return;
    sw_postgres_slot_close(&source->slot);
    close_connections(source);
    pthread_mutex_destroy(&source->lock);
    sw_postgres_shape_free(&source->shape);
    sw_buffer_free(&source->select);
    sw_buffer_free(&source->told);
    sw_free(source->snapshot);
    sw_free(source->position);
    sw_locator_free(&source->locator);
    sw_free(source);
}

static enum sw_code run(struct postgres_source *source, const char *sql, struct sw_error *error)
{
    struct sw_rows none = {0};
    enum sw_code code = sw_postgres_query(&none, source->connection, sql, NULL, 0, error);
    sw_rows_free(&none);
    return code;
}

/* Asks for what this user may not be allowed to know: a refusal leaves the transaction as it was. False: not known. */
static bool try_query(struct sw_rows *out, struct postgres_source *source, const char *sql, const char *parameter)
{
    if (run(source, "SAVEPOINT s", NULL) != SW_OK)
        return false;
    if (sw_postgres_query(out, source->connection, sql, &parameter, parameter ? 1 : 0, NULL) == SW_OK)
        return run(source, "RELEASE SAVEPOINT s", NULL) == SW_OK && out->table.row_count == 1;
    (void)run(source, "ROLLBACK TO SAVEPOINT s", NULL);
    return false;
}

static enum sw_code begin(struct postgres_source *source, uint64_t lock_ms, struct sw_error *error)
{
    char lock[64];
    snprintf(lock, sizeof lock, "SET LOCAL lock_timeout = %llu", (unsigned long long)lock_ms);
    const char *const statements[] = {
        "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        /* a snapshot may wait while another role is read, and the rows come in the order in which they stand */
        "SET LOCAL idle_in_transaction_session_timeout = 0", lock, "SET LOCAL synchronize_seqscans = off",
        /* a policy would leave rows out without a word: the server refuses instead */
        "SET LOCAL row_security = off"};
    enum sw_code code = SW_OK;
    for (size_t i = 0; i < sizeof statements / sizeof *statements && code == SW_OK; i++)
        code = run(source, statements[i], error);
    return code;
}

static char *text_of(struct sw_bytes cell) { return cell.at ? sw_strndup((const char *)cell.at, cell.len) : NULL; }

/* Where the server stood right after the snapshot was taken: nothing behind it is in the snapshot. */
static enum sw_code find_position(struct postgres_source *source, struct sw_source_cut *cut, struct sw_error *error)
{
    struct sw_rows place = {0}, system = {0};
    struct sw_buffer text = {0};
    bool taken = true;
    cut->kind = SW_CUT_POSTGRES;
    if (try_query(&place, source,
                  "SELECT CASE WHEN pg_catalog.pg_is_in_recovery() THEN pg_catalog.pg_last_wal_replay_lsn() ELSE pg_catalog.pg_current_wal_insert_lsn() END::pg_catalog.text AS lsn, "
                  "CASE WHEN pg_catalog.pg_is_in_recovery() THEN 'standby' ELSE 'primary' END AS role, pg_catalog.txid_current_snapshot()::pg_catalog.text AS snapshot", NULL)) {
        struct sw_bytes lsn = sw_rows_first(&place, "lsn"), role = sw_rows_first(&place, "role");
        sw_buffer_printf(&text, "lsn %.*s of a %.*s, ", (int)lsn.len, lsn.len ? (const char *)lsn.at : "", (int)role.len, role.len ? (const char *)role.at : "");
        taken = sw_source_cut_take_bytes(&cut->position, lsn) && sw_source_cut_take_bytes(&cut->snapshot, sw_rows_first(&place, "snapshot"));
    }
    sw_rows_free(&place);
    if (try_query(&place, source, SW_POSTGRES_LOG, NULL))
        taken = sw_source_cut_take_bytes(&cut->log, sw_rows_first(&place, "log")) && taken;
    sw_rows_free(&place);
    if (try_query(&system, source, "SELECT system_identifier::pg_catalog.text AS id FROM pg_catalog.pg_control_system()", NULL)) {
        struct sw_bytes id = sw_rows_first(&system, "id");
        sw_buffer_printf(&text, "system %.*s, ", (int)id.len, id.len ? (const char *)id.at : "");
    }
    sw_rows_free(&system);
    if (try_query(&place, source, "SELECT pg_catalog.to_char(pg_catalog.clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"') AS now", NULL)) {
        struct sw_bytes now = sw_rows_first(&place, "now");
        sw_buffer_printf(&text, "%.*s", (int)now.len, now.len ? (const char *)now.at : "");
        taken = sw_source_cut_take_bytes(&cut->at, now) && taken;
    }
    sw_rows_free(&place);
    source->position = text.len ? sw_buffer_text(&text) : NULL;
    taken = taken && !text.failed;
    if (!source->position)
        sw_buffer_free(&text);
    return !taken ? sw_fail_memory(error, "a position", 0) : SW_OK;
}

/* Is it worth, and possible, to read the table over several connections? If so they need a name of the snapshot. SW_END: the server gives it none. */
static enum sw_code plan_ranges(struct postgres_source *source, const char *schema, const char *table, unsigned threads, struct sw_error *error)
{
    struct sw_buffer name = {0};
    struct sw_rows rows = {0};
    sw_postgres_quote_name(&name, schema);
    sw_buffer_add_byte(&name, '.');
    sw_postgres_quote_name(&name, table);
    const char *text = sw_buffer_text(&name);
    if (!text) {
        sw_buffer_free(&name);
        return sw_fail_memory(error, "a table's name", 0);
    }
    if (threads > 1 && sw_postgres_version(source->connection) >= RANGES_VERSION &&
        try_query(&rows, source,
                  "SELECT (pg_catalog.pg_relation_size(c.oid) / pg_catalog.current_setting('block_size')::pg_catalog.int8)::pg_catalog.text AS pages FROM pg_catalog.pg_class c "
                  "WHERE c.oid = $1::pg_catalog.regclass AND c.relkind IN ('r', 'm') AND NOT c.relhassubclass", text)) {
        char *pages = text_of(sw_rows_first(&rows, "pages"));
        source->pages = pages ? strtoull(pages, NULL, 10) : 0;
        sw_free(pages);
        sw_rows_free(&rows);
        if (source->pages >= LARGE_PAGES) { /* not under a savepoint: subtransactions export nothing */
            struct sw_rows exported = {0};
            if (sw_postgres_query(&exported, source->connection, "SELECT pg_catalog.pg_export_snapshot() AS name", NULL, 0, NULL) == SW_OK)
                source->snapshot = text_of(sw_rows_first(&exported, "name"));
            sw_rows_free(&exported);
            source->connections = threads < CONNECTIONS_MAX ? threads : CONNECTIONS_MAX;
        }
    }
    sw_rows_free(&rows);
    sw_buffer_free(&name);
    /* no name: the transaction has failed with it, and all that was found in its snapshot is found again in another */
    return source->connections && !source->snapshot ? SW_END : SW_OK;
}

static void forget_shape(struct postgres_source *source)
{
    sw_postgres_shape_free(&source->shape);
    source->shape = (struct sw_postgres_shape){0};
    source->select.len = source->told.len = 0;
    source->connections = 0;
    sw_free(source->snapshot);
    source->snapshot = NULL;
}

static enum sw_code open_from(struct postgres_source *source, const char *from, struct sw_error *error)
{
    enum sw_code code = sw_postgres_shape_read(&source->shape, source->connection, from, error);
    if (code != SW_OK)
        return code;
    sw_buffer_add_text(&source->select, "SELECT ");
    sw_buffer_add_bytes(&source->select, sw_buffer_view(&source->shape.list));
    sw_buffer_add_text(&source->select, " FROM ");
    sw_buffer_add_text(&source->select, from);
    return sw_buffer_text(&source->select) ? SW_OK : sw_fail_memory(error, "a statement", source->select.len);
}

/* Are the rows asked for by key? */
static bool by_key(struct postgres_source *source)
{
    struct sw_rows utf8 = {0};
    bool fits = sw_postgres_keys_fit(source->keys.keys, &source->shape);
    /* a server that keeps another encoding refuses a text that it could not keep */
    if (fits && sw_source_keys_beyond_ascii(source->keys.keys))
        fits = try_query(&utf8, source, "SELECT 1 AS yes WHERE pg_catalog.current_setting('server_encoding') = 'UTF8'", NULL);
    sw_rows_free(&utf8);
    if (!fits)
        source->keys.keys = NULL;
    return source->keys.keys != NULL;
}

static enum sw_code open_table(struct postgres_source *source, unsigned threads, struct sw_error *error)
{
    char *schema, *table;
    struct sw_buffer from = {0};
    if (!source->locator.table)
        return sw_fail(error, SW_ERR_USAGE, "no table is named: '#SCHEMA.TABLE' ends the locator, or a query is given");
    enum sw_code code = sw_postgres_find_table(&schema, &table, source->connection, source->locator.schema, source->locator.table, error);
    if (code != SW_OK)
        return code;
    sw_postgres_quote_name(&from, schema);
    sw_buffer_add_byte(&from, '.');
    sw_postgres_quote_name(&from, table);
    sw_buffer_add_text(&from, " q");
    const char *text = sw_buffer_text(&from);
    code = text ? open_from(source, text, error) : sw_fail_memory(error, "a statement", 0);
    if (code < 0 && strcmp(sw_postgres_state(source->connection), "42501") == 0)
        code = sw_postgres_tell_columns(source->connection, source->locator.shown, schema, table, code, error);
    if (code == SW_OK)
        code = sw_postgres_tell_kind(&source->told, source->connection, schema, table, error);
    if (code == SW_OK)
        code = sw_postgres_shape_read_key(&source->shape, source->connection, schema, table, error);
    if (code == SW_OK && !by_key(source))
        code = plan_ranges(source, schema, table, threads, error);
    sw_buffer_free(&from);
    sw_free(schema);
    sw_free(table);
    if (code != SW_END)
        return code;
    forget_shape(source);
    code = run(source, "ROLLBACK", error);
    if (code == SW_OK && (code = begin(source, LOCK_STEP_MS, error)) == SW_OK)
        code = open_table(source, 1, error);
    return code;
}

static enum sw_code open_query(struct postgres_source *source, const struct sw_connector_request *request, struct sw_error *error)
{
    struct sw_buffer from = {0};
    if (source->locator.table)
        return sw_fail(error, SW_ERR_USAGE, "%s is given, and the locator names the table %.200s; one of them says what is read", request->query_option, source->locator.table);
    size_t len = strlen(request->query);
    while (len && strchr(" \t\r\n;", request->query[len - 1]))
        len--;
    if (len == 0)
        return sw_fail(error, SW_ERR_USAGE, "%s: the query is empty: a SELECT was expected", request->query_option);
    sw_buffer_add_byte(&from, '(');
    sw_buffer_add(&from, request->query, len);
    sw_buffer_add_text(&from, "\n) q"); /* the line's end: the query may end in a comment */
    const char *text = sw_buffer_text(&from);
    enum sw_code code = text ? open_from(source, text, error) : sw_fail_memory(error, "a statement", len);
    sw_buffer_free(&from);
    return code;
}

/* Was a table that is now locked here written anew (ALTER TABLE, TRUNCATE, VACUUM FULL …) after the snapshot was taken? To this snapshot it has no rows: PostgreSQL's documentation,
 * "Caveats" of MVCC. The catalogue as the snapshot has it names the old file, the function the one that is there. */
static enum sw_code find_rewritten(bool *out, struct postgres_source *source, struct sw_error *error)
{
    struct sw_rows rows = {0};
    enum sw_code code = sw_postgres_query(&rows, source->connection,
        "SELECT pg_catalog.count(*)::pg_catalog.text AS count FROM pg_catalog.pg_locks l LEFT JOIN pg_catalog.pg_class c ON c.oid = l.relation WHERE l.pid = pg_catalog.pg_backend_pid() AND l.locktype = 'relation' "
        "AND l.granted AND (c.oid IS NULL OR c.relkind IN ('r', 'm') AND c.relfilenode <> 0 AND pg_catalog.pg_relation_filenode(c.oid) IS DISTINCT FROM c.relfilenode)", NULL, 0, error);
    *out = code == SW_OK && !sw_bytes_is(sw_rows_first(&rows, "count"), "0");
    sw_rows_free(&rows);
    return code;
}

/* Takes the snapshot and finds what is to be read. A locked table is waited for in steps, so that it can be told, and given up. */
static enum sw_code open_snapshot(struct postgres_source *source, const struct sw_connector_request *request, struct sw_error *error)
{
    uint64_t limit, waited = 0;
    unsigned rewritten = 0;
    if (!sw_postgres_lock_timeout(&limit, source->connection))
        limit = LOCK_TIMEOUT_MS;
    for (;;) {
        uint64_t left = limit ? limit - waited : LOCK_STEP_MS, step = left < LOCK_STEP_MS ? left : LOCK_STEP_MS;
        enum sw_code code = begin(source, step, error);
        if (code == SW_OK)
            code = request->query ? open_query(source, request, error) : open_table(source, request->threads, error);
        bool anew = false;
        if (code == SW_OK)
            code = find_rewritten(&anew, source, error);
        if (code == SW_OK && !anew)
            return SW_OK;
        if (!anew && strcmp(sw_postgres_state(source->connection), "55P03") != 0)
            return code;
        if (anew && ++rewritten == REWRITTEN_MAX)
            return sw_fail(error, SW_ERR_REMOTE, "%.300s: a table that is to be read is written anew all the time (ALTER TABLE, TRUNCATE, VACUUM FULL …): its snapshot was taken %u times, and was older each time",
                           source->locator.shown, rewritten);
        waited += anew ? 0 : step;
        if (error)
            *error = (struct sw_error){0};
        if (limit && waited >= limit)
            return sw_postgres_tell_lock(source->connection, source->locator.shown, waited, error);
        if (request->wait && !request->wait(request->wait_ctx))
            return sw_fail(error, SW_ERR_CANCELLED, "interrupted: nothing is claimed");
        forget_shape(source);
        if ((code = run(source, "ROLLBACK", error)) != SW_OK)
            return code;
    }
}

static enum sw_code open_source(void **state, struct sw_input *shown, const struct sw_connector_request *request, struct sw_error *error)
{
    struct postgres_source *source = sw_calloc(1, sizeof *source);
    const struct sw_postgres_options connect = {0};
    *state = source;
    if (!source)
        return sw_fail_memory(error, "a source", sizeof *source);
    pthread_mutex_init(&source->lock, NULL);
    source->block_bytes = request->block_bytes;
    source->record_bytes_max = request->record_bytes_max;
    source->budget = request->budget;
    source->keys.keys = request->keys;
    enum sw_code code = sw_locator_parse(&source->locator, request->locator, error);
    char *locator = code == SW_OK ? sw_strdup(source->locator.shown) : NULL;
    if (code == SW_OK && !locator)
        code = sw_fail_memory(error, "a locator", 0);
    if (locator) {
        sw_free(shown->locator);
        shown->locator = locator;
    }
    if (code == SW_OK)
        code = sw_postgres_open(&source->connection, &source->locator, &connect, error);
    if (code == SW_OK && sw_locator_parameter(&source->locator, "slot")) {
        code = sw_postgres_slot_open(&source->slot, shown, source->connection, &source->locator, request, error);
        if (code != SW_OK)
            close_source(state);
        return code;
    }
    if (code == SW_OK)
        code = open_snapshot(source, request, error);
    if (code == SW_OK)
        code = find_position(source, &shown->cut, error);
    if (code == SW_OK)
        shown->by_key = by_key(source);
    if (code != SW_OK) {
        close_source(state);
        return code;
    }
    sw_input_show_rows(shown, &source->shape.columns, source->shape.fields);
    shown->position = source->position;
    shown->told = source->told.len ? sw_buffer_text(&source->told) : NULL;
    return SW_OK;
}

/* The first connection's transaction keeps the snapshot until the others have it. */
static enum sw_code begin_reading(struct postgres_source *source, struct sw_error *error)
{
    struct sw_buffer sql = {0};
    enum sw_code code = SW_OK;
    source->begun = true;
    if (source->snapshot) {
        const struct sw_postgres_ranges_options options = {
            .locator = &source->locator, .snapshot = source->snapshot, .select = (const char *)source->select.at, .pages = source->pages, .connections = source->connections,
            .columns = source->shape.columns.count, .block_bytes = source->block_bytes, .record_bytes_max = source->record_bytes_max, .budget = source->budget};
        struct sw_postgres_ranges *ranges;
        if (sw_postgres_ranges_open(&ranges, &options, NULL) == SW_OK) {
            pthread_mutex_lock(&source->lock);
            source->ranges = ranges;
            bool cancelled = source->cancelled;
            pthread_mutex_unlock(&source->lock);
            if (cancelled)
                sw_postgres_ranges_cancel(ranges);
            return SW_OK;
        } /* else one connection has to do: this one */
    }
    sw_buffer_add_text(&sql, "COPY (");
    sw_buffer_add_bytes(&sql, sw_buffer_view(&source->select));
    if (source->keys.keys)
        code = sw_postgres_keys_next(&sql, &source->keys, source->connection, &source->shape, error);
    sw_buffer_add_text(&sql, ") TO STDOUT (FORMAT binary)");
    const char *text = sw_buffer_text(&sql);
    if (code == SW_OK)
        code = text ? sw_postgres_copy(source->connection, text, error) : sw_fail_memory(error, "a statement", sql.len);
    sw_buffer_free(&sql);
    source->copying = (struct sw_postgres_copying){0};
    return code;
}

static enum sw_code read_copy(struct sw_block *block, struct postgres_source *source, struct sw_error *error)
{
    enum sw_code code = sw_source_room(block, source->block_bytes, false, source->budget, error);
    while (code == SW_OK && block->len < source->block_bytes) {
        struct sw_bytes chunk;
        code = sw_postgres_copied(&chunk, source->connection, error);
        if (code == SW_OK)
            code = sw_postgres_take_chunk(block, &source->copying, chunk, source->shape.columns.count, source->record_bytes_max, source->budget, error);
    }
    if (code == SW_END && !source->copying.ended)
        return sw_fail(error, SW_ERR_REMOTE, "the server's answer ends before the end of its COPY");
    if (code == SW_END && source->keys.keys && (code = begin_reading(source, error)) == SW_OK && block->rows == 0)
        return read_copy(block, source, error);
    return code;
}

static enum sw_code next_block(struct sw_block *block, void *state, struct sw_error *error)
{
    struct postgres_source *source = state;
    if (source->slot) {
        enum sw_code got = source->ended ? SW_END : sw_postgres_slot_next(block, source->slot, error);
        if (got == SW_END && !source->ended) { /* a temporary slot goes with its connection */
            source->ended = true;
            close_connections(source);
        }
        return got;
    }
    enum sw_code code = source->ended ? SW_END : source->begun ? SW_OK : begin_reading(source, error);
    if (code != SW_OK)
        return code;
    code = source->ranges ? sw_postgres_ranges_next(block, source->ranges, error) : read_copy(block, source, error);
    if (code != SW_END)
        return code;
    source->ended = true; /* no transaction is held longer than it is needed */
    (void)run(source, "COMMIT", NULL);
    close_connections(source);
    return block->rows ? SW_OK : SW_END;
}

const struct sw_connector sw_connector_postgres = {.open = open_source, .next = next_block, .close = close_source, .cancel = cancel};
