/* mysql://…#DATABASE.TABLE (mariadb:// is the same), or a query. Source of the rules: MariaDB's manual, "START TRANSACTION" (WITH CONSISTENT SNAPSHOT, and the
 * status variables binlog_snapshot_file and binlog_snapshot_position that go with it), "FLOAT" (printed with FLT_DIG digits), "BIT", "TIMESTAMP" (in the session's zone). */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "client/mariadb.h"
#include "source/mariadb/source.h"
#include "source/connector.h"

#define LOCK_TIMEOUT_S 30ul             /* where nobody chose one */
#define NOBODYS_LOCK_TIMEOUT_S 86400ul /* the server's default, or more */
#define LOCK_WAIT 1205u                /* ER_LOCK_WAIT_TIMEOUT */

struct mariadb_source {
    struct sw_locator locator;
    struct sw_mariadb *connection;
    struct sw_binlog_source *binlog;   /* the binary log, and not a table's rows, is read */
    struct sw_row_columns columns;
    struct sw_field_tree *fields;
    enum sw_mariadb_cell *cells;       /* how each column is read */
    struct sw_buffer base;             /* what stands behind FROM */
    struct sw_buffer names;            /* of a table's columns, each in quotes, with commas; empty: a query's */
    struct sw_buffer list;             /* of the columns, as they are asked for */
    const struct sw_source_keys *keys; /* NULL: all rows */
    size_t keys_done;                  /* of which a statement was begun */
    struct sw_buffer value, position, told;
    pthread_mutex_t lock;              /* the connection may be asked to stop while it is in use, not while it is closed */
    bool begun, ended;
    size_t block_bytes, record_bytes_max;
    struct sw_budget *budget;
};

static void close_connection(struct mariadb_source *source)
{
    pthread_mutex_lock(&source->lock);
    sw_mariadb_close(&source->connection);
    pthread_mutex_unlock(&source->lock);
}

static void cancel(void *state)
{
    struct mariadb_source *source = state;
    pthread_mutex_lock(&source->lock);
    if (source->connection)
        sw_mariadb_cancel(source->connection);
    pthread_mutex_unlock(&source->lock);
}

static void close_source(void **state)
{
    struct mariadb_source *source = *state;
    *state = NULL;
    if (!source)
        return;
    sw_binlog_source_close(&source->binlog);
    close_connection(source);
    pthread_mutex_destroy(&source->lock);
    sw_locator_free(&source->locator);
    sw_row_columns_free(&source->columns);
    sw_field_tree_free(&source->fields);
    sw_free(source->cells);
    sw_buffer_free(&source->base);
    sw_buffer_free(&source->names);
    sw_buffer_free(&source->list);
    sw_buffer_free(&source->told);
    sw_buffer_free(&source->value);
    sw_buffer_free(&source->position);
    sw_free(source);
}

static enum sw_code run(struct mariadb_source *source, const char *sql, struct sw_error *error)
{
    struct sw_rows rows = {0};
    enum sw_code code = sw_mariadb_query(&rows, source->connection, sql, error);
    sw_rows_free(&rows);
    return code;
}

/* The first cell of an answer, or nothing: what this user may not ask is not known. */
static bool try_text(char **out, struct sw_mariadb *connection, const char *sql)
{
    struct sw_rows rows = {0};
    bool taken = true;
    if (sw_mariadb_query(&rows, connection, sql, NULL) == SW_OK && rows.table.row_count)
        taken = sw_source_cut_take_bytes(out, rows.table.cells[0]);
    sw_rows_free(&rows);
    return taken;
}

/* Where the snapshot stands in the binary log: MariaDB says so, if it writes one. */
static bool find_place(struct sw_source_cut *cut, struct mariadb_source *source)
{
    struct sw_rows rows = {0};
    struct sw_buffer sql = {0}, text = {0};
    struct sw_bytes file = {0}, place = {0};
    bool taken = true;
    if (sw_mariadb_query(&rows, source->connection, "SHOW STATUS LIKE 'binlog_snapshot_%'", NULL) == SW_OK)
        for (size_t row = 0; row < rows.table.row_count; row++) {
            const struct sw_bytes *cells = rows.table.cells + row * 2;
            char name[32];
            snprintf(name, sizeof name, "%.*s", (int)(cells[0].len < 31 ? cells[0].len : 31), (const char *)cells[0].at);
            if (strcasecmp(name, "binlog_snapshot_file") == 0)
                file = cells[1];
            else if (strcasecmp(name, "binlog_snapshot_position") == 0)
                place = cells[1];
        }
    if (file.len && place.len && place.len <= 20) {
        sw_buffer_add_text(&sql, "SELECT BINLOG_GTID_POS(");
        sw_mariadb_quote_text(&sql, source->connection, file);
        sw_buffer_printf(&sql, ", %.*s) AS gtid", (int)place.len, (const char *)place.at);
        const char *question = sw_buffer_text(&sql);
        sw_buffer_add_bytes(&text, file);
        sw_buffer_add_byte(&text, ':');
        sw_buffer_add_bytes(&text, place);
        /* without the right to ask, the file and the place are still known */
        taken = sw_source_cut_take(&cut->position, &text) && question && try_text(&cut->gtid, source->connection, question);
        cut->exact = true;
    }
    sw_rows_free(&rows);
    sw_buffer_free(&sql);
    return taken;
}

/* MariaDB's newer versions have an id of their own; elsewhere the address and the number that an administrator gave have to do. */
bool sw_mariadb_tell_log(char **out, struct sw_mariadb *connection)
{
    if (!sw_mariadb_is_mariadb(connection))
        return try_text(out, connection, "SELECT CONCAT('server ', @@GLOBAL.server_uuid)");
    return try_text(out, connection, "SELECT CONCAT('server ', @@GLOBAL.server_uid, ', binary log ', COALESCE(@@GLOBAL.log_bin_basename, ''))") &&
           (*out || try_text(out, connection, "SELECT CONCAT('server ', @@GLOBAL.hostname, ':', @@GLOBAL.port, ' of id ', @@GLOBAL.server_id, ', binary log ', COALESCE(@@GLOBAL.log_bin_basename, ''))"));
}

/* A snapshot may wait while another role is read, and the server must wait for us while rows are folded. How long a statement may take is left as it is. */
static enum sw_code be_patient(struct mariadb_source *source, struct sw_error *error)
{
    enum sw_code code = run(source, "SET SESSION net_write_timeout = GREATEST(@@SESSION.net_write_timeout, 86400), wait_timeout = GREATEST(@@SESSION.wait_timeout, 86400)", error);
    if (code == SW_OK && sw_mariadb_is_mariadb(source->connection))
        (void)run(source, "SET SESSION idle_transaction_timeout = 0, idle_readonly_transaction_timeout = 0", NULL); /* not known before 10.3 */
    return code;
}

#define EXECUTED "SELECT @@GLOBAL.gtid_executed"

static enum sw_code begin_snapshot(struct mariadb_source *source, struct sw_source_cut *cut, struct sw_error *error)
{
    struct sw_buffer *text = &source->position;
    char *before = NULL, now[SW_CUT_NOW_MAX];
    bool is_mariadb = sw_mariadb_is_mariadb(source->connection), taken = true;
    sw_source_cut_now(now);
    enum sw_code code = run(source, "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ", error);
    if (code == SW_OK)
        code = be_patient(source, error);
    cut->kind = is_mariadb ? SW_CUT_MARIADB : SW_CUT_MYSQL;
    if (code == SW_OK && !is_mariadb)
        taken = try_text(&before, source->connection, EXECUTED);
    if (code == SW_OK)
        code = run(source, "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY", error);
    if (code == SW_OK)
        taken = taken && sw_mariadb_tell_log(&cut->log, source->connection);
    if (code == SW_OK && is_mariadb)
        taken = taken && find_place(cut, source);
    if (code == SW_OK && !is_mariadb) { /* the set of executed transactions is no part of the snapshot: it is that of the state read only if it was the same before */
        taken = taken && try_text(&cut->position, source->connection, EXECUTED);
        cut->exact = before && cut->position && strcmp(before, cut->position) == 0;
    }
    sw_free(before);
    if (code == SW_OK)
        taken = taken && sw_source_cut_take_bytes(&cut->at, sw_bytes_text(now));
    if (code == SW_OK && cut->position) {
        if (cut->gtid)
            sw_buffer_printf(text, "gtid %.200s, ", cut->gtid);
        sw_buffer_printf(text, "%s %.400s, %s", is_mariadb ? "binary log" : "executed", cut->position, now);
        taken = taken && sw_buffer_text(text);
    }
    return code == SW_OK && !taken ? sw_fail_memory(error, "a position", 0) : code;
}

/* What is asked of information_schema about a table, one text a row. */
static enum sw_code ask_catalogue(struct sw_rows *out, struct mariadb_source *source, const char *what, const char *database, const char *table, const char *rest, struct sw_error *error)
{
    struct sw_buffer sql = {0};
    sw_buffer_printf(&sql, "SELECT column_name FROM information_schema.%s WHERE table_schema = ", what);
    sw_mariadb_quote_text(&sql, source->connection, sw_bytes_text(database));
    sw_buffer_add_text(&sql, " AND table_name = ");
    sw_mariadb_quote_text(&sql, source->connection, sw_bytes_text(table));
    sw_buffer_add_text(&sql, rest);
    const char *text = sw_buffer_text(&sql);
    enum sw_code code = text ? sw_mariadb_query(out, source->connection, text, error) : sw_fail_memory(error, "a statement", sql.len);
    sw_buffer_free(&sql);
    return code;
}

/* The engine and kind of a table, and of all tables without transactions of its database: name, engine, type. `table` NULL: the latter alone. */
static enum sw_code ask_engines(struct sw_rows *out, struct mariadb_source *source, const char *database, const char *table, struct sw_error *error)
{
    struct sw_buffer sql = {0};
    sw_buffer_add_text(&sql, "SELECT t.table_name, coalesce(t.engine, ''), t.table_type FROM information_schema.tables t LEFT JOIN information_schema.engines e ON e.engine = t.engine WHERE t.table_schema = ");
    if (database)
        sw_mariadb_quote_text(&sql, source->connection, sw_bytes_text(database));
    else
        sw_buffer_add_text(&sql, "DATABASE()");
    sw_buffer_add_text(&sql, " AND (t.table_type IN ('BASE TABLE', 'SYSTEM VERSIONED') AND e.transactions = 'NO'");
    if (table) {
        sw_buffer_add_text(&sql, " OR t.table_type <> 'BASE TABLE' AND t.table_name = ");
        sw_mariadb_quote_text(&sql, source->connection, sw_bytes_text(table));
    }
    sw_buffer_add_text(&sql, ") ORDER BY 1 LIMIT 1000");
    const char *text = sw_buffer_text(&sql);
    enum sw_code code = text ? sw_mariadb_query(out, source->connection, text, error) : sw_fail_memory(error, "a statement", sql.len);
    sw_buffer_free(&sql);
    return code;
}

/* What a snapshot cannot hold still: tables without transactions. Of a view or a query nobody says what it reads: any such table of the database may be among it. */
static enum sw_code tell_engines(struct mariadb_source *source, const char *database, const char *table, struct sw_error *error)
{
    struct sw_rows rows = {0};
    struct sw_buffer others = {0};
    const char *reader = table ? NULL : "query";
    enum sw_code code = ask_engines(&rows, source, database, table, error);
    for (size_t i = 0; code == SW_OK && i < rows.table.row_count; i++) {
        const struct sw_bytes *row = rows.table.cells + i * 3, name = row[0], engine = row[1];
        bool versioned = sw_bytes_is(row[2], "SYSTEM VERSIONED");
        if (!table || !sw_bytes_is(name, table)) {
            if (others.len < 120 && engine.len && !versioned)
                sw_buffer_printf(&others, "%s%.*s (%.*s)", others.len ? ", " : "", (int)name.len, (const char *)name.at, (int)engine.len, (const char *)engine.at);
        } else if (versioned) {
            sw_buffer_add_text(&source->told, "the table keeps its history (system versioning): its rows of now are read, and none that were\n");
        } else if (sw_bytes_is(row[2], "VIEW")) {
            reader = "view";
        } else if (engine.len) {
            sw_buffer_printf(&source->told, "nothing was written to the table while it was read: its engine %.*s has no transactions, so no snapshot holds it still\n", (int)engine.len, (const char *)engine.at);
        }
    }
    const char *list = sw_buffer_text(&others);
    if (reader && list && *list)
        sw_buffer_printf(&source->told, "nothing was written meanwhile to tables without transactions, where the %s reads such: no snapshot holds them still; the database has %s\n", reader, list);
    if (code == SW_OK && (source->told.failed || others.failed))
        code = sw_fail_memory(error, "a note", 0);
    sw_buffer_free(&others);
    sw_rows_free(&rows);
    return code;
}

/* All columns by name: `*` leaves invisible ones out, and a key may be one. */
static enum sw_code name_columns(struct mariadb_source *source, const char *database, const char *table, struct sw_error *error)
{
    struct sw_rows rows = {0};
    enum sw_code code = ask_catalogue(&rows, source, "columns", database, table, " ORDER BY ordinal_position", error);
    for (size_t i = 0; code == SW_OK && i < rows.table.row_count; i++) {
        char *name = sw_strndup((const char *)rows.table.cells[i].at, rows.table.cells[i].len);
        if (!name)
            code = sw_fail_memory(error, "names of columns", rows.table.cells[i].len);
        if (code == SW_OK && i)
            sw_buffer_add_text(&source->names, ", ");
        if (code == SW_OK)
            sw_mariadb_quote_name(&source->names, name);
        sw_free(name);
    }
    sw_rows_free(&rows);
    return code;
}

static enum sw_code name_key(struct mariadb_source *source, const char *database, const char *table, struct sw_error *error)
{
    struct sw_rows rows = {0};
    enum sw_code code = ask_catalogue(&rows, source, "statistics", database, table, " AND index_name = 'PRIMARY' ORDER BY seq_in_index", error);
    for (size_t i = 0; code == SW_OK && i < rows.table.row_count; i++) {
        char *name = sw_strndup((const char *)rows.table.cells[i].at, rows.table.cells[i].len);
        code = name ? sw_row_columns_add_key(&source->columns, name, error) : sw_fail_memory(error, "names of columns", rows.table.cells[i].len);
        sw_free(name);
    }
    sw_rows_free(&rows);
    return code;
}

/* The session's own lock_wait_timeout in seconds; the server's default, a day or a year, was chosen by nobody. */
static unsigned long lock_limit(struct mariadb_source *source)
{
    struct sw_rows rows = {0};
    unsigned long limit = LOCK_TIMEOUT_S;
    if (sw_mariadb_query(&rows, source->connection, "SELECT @@SESSION.lock_wait_timeout AS seconds", NULL) == SW_OK && sw_rows_first(&rows, "seconds").len) {
        unsigned long own = strtoul((const char *)sw_rows_first(&rows, "seconds").at, NULL, 10);
        limit = own < NOBODYS_LOCK_TIMEOUT_S ? own : limit;
    }
    sw_rows_free(&rows);
    return limit;
}

/* Begins a statement over what is read: its columns, or nothing but their description. */
static enum sw_code select_from(struct mariadb_source *source, struct sw_bytes list, const char *rest, struct sw_error *error)
{
    struct sw_buffer sql = {0};
    sw_buffer_add_text(&sql, "SELECT ");
    sw_buffer_add_bytes(&sql, list);
    sw_buffer_add_text(&sql, " FROM ");
    sw_buffer_add_bytes(&sql, sw_buffer_view(&source->base));
    sw_buffer_add_text(&sql, rest);
    const char *text = sw_buffer_text(&sql);
    enum sw_code code = text ? sw_mariadb_select(source->connection, text, error) : sw_fail_memory(error, "a statement", sql.len);
    sw_buffer_free(&sql);
    return code;
}

/* Asks for the columns alone. A locked table is waited for in steps, so that it can be told, and given up. */
static enum sw_code select_columns(struct mariadb_source *source, struct sw_bytes list, const struct sw_connector_request *request, struct sw_error *error)
{
    unsigned long limit = lock_limit(source);
    enum sw_code code = run(source, "SET SESSION lock_wait_timeout = 1", error);
    for (unsigned long waited = 0; code == SW_OK;) {
        code = select_from(source, list, " LIMIT 0", error);
        if (code == SW_OK || sw_mariadb_number(source->connection) != LOCK_WAIT || ++waited >= limit)
            return code;
        if (error)
            *error = (struct sw_error){0};
        code = request->wait && !request->wait(request->wait_ctx) ? sw_fail(error, SW_ERR_CANCELLED, "interrupted: nothing is claimed") : SW_OK;
    }
    return code;
}

/* The columns of the running statement, and the list by which they are asked for exactly. */
static enum sw_code describe(enum sw_type_kind **kinds, struct mariadb_source *source, struct sw_error *error)
{
    size_t count;
    enum sw_code code = SW_OK;
    const struct sw_client_column *columns = sw_mariadb_columns(&count, source->connection);
    struct sw_buffer *list = &source->list;
    source->cells = sw_calloc(count + 1, sizeof *source->cells);
    *kinds = sw_calloc(count + 1, sizeof **kinds); /* SW_TYPE_ANY where there is none */
    if (!source->cells || !*kinds)
        return sw_fail_memory(error, "columns", count);
    for (size_t i = 0; i < count && code == SW_OK; i++) {
        struct sw_type type;
        bool typed;
        source->cells[i] = sw_mariadb_column_type(&type, &typed, &columns[i]);
        if (typed)
            (*kinds)[i] = type.kind;
        sw_buffer_add_text(list, i ? ", " : "");
        sw_mariadb_quote_name(list, columns[i].name);
        if (typed && type.kind == SW_TYPE_FLOAT32) {
            sw_buffer_add_text(list, " + 0e0 AS ");
            sw_mariadb_quote_name(list, columns[i].name);
        }
        code = sw_row_columns_add(&source->columns, &source->fields, columns[i].name, typed ? &type : NULL, error);
    }
    if (source->fields)
        sw_field_tree_settle(source->fields);
    source->columns.next = sw_row_writer_next;
    source->columns.ctx = &source->columns;
    return code;
}

#define KEYS_AT_ONCE 500u

/* Texts compare there by a collation, which finds at least what is equal byte by byte; blanks at the end are no matter to most. */
static bool keys_fit(const struct mariadb_source *source, const enum sw_type_kind *kinds)
{
    uint32_t places[SW_SOURCE_KEY_COLUMNS_MAX];
    if (!source->keys || !sw_source_keys_find(places, source->keys, &source->columns))
        return false;
    bool fits = !sw_source_keys_beyond_ascii(source->keys); /* how a column's own character set compares such texts with ours is the server's affair */
    for (uint32_t k = 0; k < source->keys->column_count; k++)
        fits = fits && sw_source_keys_kind_fits(source->keys->kinds[k], kinds[places[k]]) && source->cells[places[k]] != SW_MARIADB_BITS;
    return fits;
}

/* A value as the server reads it: digits, a text in quotes, X'00ff'. */
static void add_value(struct sw_buffer *sql, struct mariadb_source *source, enum sw_type_kind kind, struct sw_bytes value)
{
    if (kind == SW_TYPE_INTEGER) {
        sw_buffer_add_bytes(sql, value);
    } else if (kind == SW_TYPE_BYTES) {
        sw_buffer_add_text(sql, "X'");
        sw_buffer_add_bytes(sql, value);
        sw_buffer_add_byte(sql, '\'');
    } else {
        sw_mariadb_quote_text(sql, source->connection, value);
    }
}

/* Begins the statement of the next keys: SW_END if there are none left. */
static enum sw_code select_keys(struct mariadb_source *source, struct sw_error *error)
{
    const struct sw_source_keys *keys = source->keys;
    size_t count = keys->count - source->keys_done < KEYS_AT_ONCE ? keys->count - source->keys_done : KEYS_AT_ONCE;
    struct sw_buffer where = {0};
    if (count == 0)
        return SW_END;
    for (size_t i = 0; i < count; i++) { /* no (a, b) IN (…): a list of rows compares texts of another character set byte by byte */
        for (uint32_t k = 0; k < keys->column_count; k++) {
            sw_buffer_add_text(&where, k ? " AND " : i ? " OR " : " WHERE ");
            sw_mariadb_quote_name(&where, keys->columns[k]);
            sw_buffer_add_text(&where, " = ");
            add_value(&where, source, keys->kinds[k], keys->values[(source->keys_done + i) * keys->column_count + k]);
        }
    }
    source->keys_done += count;
    const char *text = sw_buffer_text(&where);
    enum sw_code code = text ? select_from(source, sw_buffer_view(&source->list), text, error) : sw_fail_memory(error, "a statement", where.len);
    sw_buffer_free(&where);
    return code;
}

static enum sw_code open_table(struct mariadb_source *source, char **database, char **table, struct sw_error *error)
{
    enum sw_code code = sw_mariadb_find_table(database, table, source->connection, source->locator.schema, source->locator.table, error);
    if (code != SW_OK)
        return code;
    sw_mariadb_quote_name(&source->base, *database);
    sw_buffer_add_byte(&source->base, '.');
    sw_mariadb_quote_name(&source->base, *table);
    return name_columns(source, *database, *table, error);
}

/* Alone and inside of parentheses it has to be a statement that gives rows: one that closes them and goes on is none. */
static enum sw_code open_query(struct mariadb_source *source, const char *query, struct sw_error *error)
{
    enum sw_code code = sw_mariadb_check_query(source->connection, query, error);
    size_t len = strlen(query);
    while (len && strchr("; \t\r\n", query[len - 1]))
        len--;
    sw_buffer_add_byte(&source->base, '(');
    sw_buffer_add(&source->base, query, len);
    sw_buffer_add_text(&source->base, "\n) AS slackwater_query"); /* the line ends a comment */
    return code;
}

/* What is to be read, before anybody is asked for it. */
static enum sw_code check_locator(const struct mariadb_source *source, const struct sw_connector_request *request, struct sw_error *error)
{
    if (!request->query && !source->locator.table)
        return sw_fail(error, SW_ERR_USAGE, "no table is named: a '#' and its name end the locator, as in #DATABASE.TABLE, or a query is given");
    if (request->query && source->locator.table)
        return sw_fail(error, SW_ERR_USAGE, "%s is given, and the locator names the table %.200s; one of them says what is read", request->query_option, source->locator.table);
    return SW_OK;
}

static enum sw_code open_rows(struct mariadb_source *source, struct sw_source_cut *cut, const struct sw_connector_request *request, struct sw_error *error)
{
    static const struct sw_mariadb_options options;
    char *database = NULL, *table = NULL;
    enum sw_type_kind *kinds = NULL;
    enum sw_code code = check_locator(source, request, error);
    if (code == SW_OK)
        code = sw_mariadb_open(&source->connection, &source->locator, &options, error);
    if (code == SW_OK)
        code = begin_snapshot(source, cut, error);
    if (code == SW_OK && request->query)
        code = open_query(source, request->query, error);
    else if (code == SW_OK)
        code = open_table(source, &database, &table, error);
    if (code == SW_OK)
        code = tell_engines(source, database, table, error);
    struct sw_bytes all = source->names.len ? sw_buffer_view(&source->names) : SW_BYTES_LITERAL("*");
    if (code == SW_OK)
        code = select_columns(source, all, request, error);
    if (code == SW_OK)
        code = describe(&kinds, source, error);
    struct sw_client_row none;
    while (code == SW_OK && (code = sw_mariadb_row(&none, source->connection, error)) == SW_OK)
        ;
    code = code == SW_END ? SW_OK : code;
    if (code == SW_OK && table)
        code = name_key(source, database, table, error);
    if (code == SW_OK && source->list.failed)
        code = sw_fail_memory(error, "a statement", source->list.len);
    if (code == SW_OK && !keys_fit(source, kinds))
        source->keys = NULL;
    sw_free(kinds);
    sw_free(database);
    sw_free(table);
    return code;
}

static enum sw_code open_binlog(struct mariadb_source *source, struct sw_input *shown, const struct sw_connector_request *request, struct sw_error *error)
{
    const struct sw_mariadb_options options = {.packet_bytes_max = sw_binlog_packet_max(request->record_bytes_max)};
    enum sw_code code = sw_mariadb_open(&source->connection, &source->locator, &options, error);
    if (code == SW_OK)
        code = be_patient(source, error);
    return code == SW_OK ? sw_binlog_source_open(&source->binlog, shown, source->connection, &source->locator, request, error) : code;
}

static enum sw_code open_source(void **state, struct sw_input *shown, const struct sw_connector_request *request, struct sw_error *error)
{
    struct mariadb_source *source = sw_calloc(1, sizeof *source);
    *state = source;
    if (!source)
        return sw_fail_memory(error, "a source", sizeof *source);
    pthread_mutex_init(&source->lock, NULL);
    source->block_bytes = request->block_bytes;
    source->record_bytes_max = request->record_bytes_max;
    source->budget = request->budget;
    source->keys = request->keys;
    enum sw_code code = sw_locator_parse(&source->locator, request->locator, error);
    bool binlog = code == SW_OK && sw_binlog_is_asked(&source->locator);
    if (code == SW_OK)
        code = binlog ? open_binlog(source, shown, request, error) : open_rows(source, &shown->cut, request, error);
    code = sw_input_show(shown, source->locator.shown, code, error);
    if (code != SW_OK || binlog) {
        if (code != SW_OK)
            close_source(state);
        return code;
    }
    shown->by_key = source->keys != NULL;
    sw_input_show_rows(shown, &source->columns, source->fields);
    shown->told = source->told.len ? sw_buffer_text(&source->told) : NULL;
    shown->position = source->position.len ? (const char *)source->position.at : NULL;
    shown->no_sha256 = "rows that a server sends have no stored bytes";
    return SW_OK;
}

/* A cell as a token; what has another form than the server's text is written to source->value. */
static struct sw_token token_of(struct mariadb_source *source, enum sw_mariadb_cell how, struct sw_bytes cell, uint64_t *bits)
{
    struct sw_token token = {cell.at, (uint32_t)cell.len, SW_TOKEN_TEXT, false};
    if (!cell.at)
        return (struct sw_token){.kind = SW_TOKEN_NULL};
    switch (how) {
    case SW_MARIADB_TEXT: break;
    case SW_MARIADB_BYTES: token.kind = SW_TOKEN_BYTES; break;
    case SW_MARIADB_NUMBER:
        token.kind = SW_TOKEN_NUMBER;
        for (; token.len > 1 && token.at[0] == '0' && token.at[1] >= '0' && token.at[1] <= '9'; token.len--)
            token.at++;
        break;
    case SW_MARIADB_BITS:
        *bits = 0;
        for (size_t i = 0; i < cell.len; i++)
            *bits = *bits << 8 | cell.at[i];
        token = (struct sw_token){(const uint8_t *)bits, sizeof *bits, SW_TOKEN_UINT64, false};
        break;
    case SW_MARIADB_UTC:
        sw_buffer_clear(&source->value);
        sw_buffer_add_bytes(&source->value, cell);
        sw_buffer_add_text(&source->value, "+00:00");
        token.at = source->value.at;
        token.len = (uint32_t)source->value.len;
        break;
    }
    return token;
}

/* The next row, of the statement that runs or of the next one. */
static enum sw_code next_row(struct sw_client_row *row, struct mariadb_source *source, struct sw_error *error)
{
    enum sw_code code;
    while ((code = sw_mariadb_row(row, source->connection, error)) == SW_END && source->keys && (code = select_keys(source, error)) == SW_OK)
        ;
    return code;
}

static enum sw_code next_block(struct sw_block *block, void *state, struct sw_error *error)
{
    struct mariadb_source *source = state;
    struct sw_row_writer rows;
    struct sw_client_row row;
    if (source->binlog) {
        enum sw_code code = sw_binlog_source_next(block, source->binlog, error);
        if (code == SW_END)
            close_connection(source);
        return code;
    }
    if (source->ended)
        return SW_END;
    enum sw_code code = source->begun ? SW_OK : source->keys ? select_keys(source, error) : select_from(source, sw_buffer_view(&source->list), "", error);
    source->begun = true;
    if (code == SW_OK)
        code = sw_source_room(block, source->block_bytes, false, source->budget, error);
    sw_row_writer_begin(&rows, block, source->record_bytes_max, source->budget);
    while (code == SW_OK && block->len < source->block_bytes && (code = next_row(&row, source, error)) == SW_OK) {
        for (size_t i = 0; i < row.count && code == SW_OK; i++) {
            uint64_t bits;
            struct sw_token token = token_of(source, source->cells[i], row.cells[i], &bits);
            code = source->value.failed ? sw_fail_memory(error, "a value", 0) : sw_row_writer_put(&rows, token, error);
        }
        if (code == SW_OK)
            code = sw_row_writer_end(&rows, error);
    }
    if (code == SW_END) {
        source->ended = true;
        close_connection(source);
        return block->rows ? SW_OK : SW_END;
    }
    return code;
}

const struct sw_connector sw_connector_mariadb = {.open = open_source, .next = next_block, .close = close_source, .cancel = cancel};
