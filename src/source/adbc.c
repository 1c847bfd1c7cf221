/* adbc:DRIVER?OPTION=VALUE&…[#SCHEMA.TABLE], or a query; and PATH.parquet, which DuckDB reads where its library is there. */
#include "source/adbc.h"

#include <stdio.h>
#include <string.h>

#include "base/file_io.h"
#include "base/memory.h"
#include "client/adbc.h"
#include "client/locator.h"
#include "position/scan.h"

#define OPTIONS_MAX 64u
#define DUCKDB_PART 8                     /* of the budget; its share is between these two */
#define DUCKDB_BYTES_MIN (UINT64_C(64) << 20)
#define DUCKDB_BYTES_MAX (UINT64_C(512) << 20)

struct adbc_source {
    struct sw_adbc *connection;
    struct sw_row_columns columns;
    struct sw_field_tree *fields;
    struct sw_arrow_field root;          /* the struct whose children are the columns */
    char *driver, *schema, *table;
    struct sw_adbc_option options[OPTIONS_MAX];
    size_t option_count;
    struct sw_buffer shown;
    bool ended;
    struct sw_budget *budget;
    uint64_t lent;                       /* bytes of the budget that the driver was told it may use */
};

/* What the driver was lent comes back with its connection. */
static void close_connection(struct adbc_source *source)
{
    sw_adbc_close(&source->connection);
    if (source->lent)
        sw_budget_give(source->budget, source->lent);
    source->lent = 0;
}

static void close_source(void **state)
{
    struct adbc_source *source = *state;
    *state = NULL;
    if (!source)
        return;
    close_connection(source);
    sw_row_columns_free(&source->columns);
    sw_field_tree_free(&source->fields);
    sw_arrow_field_free(&source->root);
    for (size_t i = 0; i < source->option_count; i++) {
        char *texts[2];
        memcpy(&texts[0], &source->options[i].name, sizeof texts[0]);
        memcpy(&texts[1], &source->options[i].value, sizeof texts[1]);
        if (texts[1])
            explicit_bzero(texts[1], strlen(texts[1]));
        sw_free(texts[0]);
        sw_free(texts[1]);
    }
    sw_free(source->driver);
    sw_free(source->schema);
    sw_free(source->table);
    sw_buffer_free(&source->shown);
    sw_free(source);
}

/* ---- the locator ---- */

/* A part with its %XX resolved, or NULL if memory ran out. */
static char *decode(const char *at, size_t len)
{
    char *out = sw_malloc(len + 1);
    size_t to = 0;
    for (size_t i = 0; out && i < len; i++) {
        int coded = sw_percent_value((const uint8_t *)at + i, len - i);
        out[to++] = coded > 0 ? (char)coded : at[i]; /* %00 stays as it is */
        i += coded > 0 ? 2 : 0;
    }
    if (out)
        out[to] = '\0';
    return out;
}

static enum sw_code add_option(struct adbc_source *source, char *name, char *value, struct sw_error *error)
{
    if (name && value && source->option_count < OPTIONS_MAX) {
        source->options[source->option_count++] = (struct sw_adbc_option){name, value};
        return SW_OK;
    }
    enum sw_code code = name && value ? sw_fail(error, SW_ERR_LIMIT, "more than %u options for a driver", OPTIONS_MAX) : sw_fail_memory(error, "an option", 0);
    sw_free(name);
    sw_free(value);
    return code;
}

/* One NAME=VALUE; shows it without what is secret. */
static enum sw_code read_option(struct adbc_source *source, const char *at, size_t len, struct sw_error *error)
{
    const char *equals = memchr(at, '=', len);
    if (!equals || equals == at)
        return sw_fail(error, SW_ERR_USAGE, "an option of an ADBC driver is NAME=VALUE; options stand behind '?', with '&' between them");
    size_t name_len = (size_t)(equals - at);
    enum sw_code code = add_option(source, decode(at, name_len), decode(equals + 1, len - name_len - 1), error);
    if (code != SW_OK)
        return code;
    const struct sw_adbc_option *option = &source->options[source->option_count - 1];
    sw_buffer_add_byte(&source->shown, source->option_count == 1 ? '?' : '&');
    sw_buffer_add(&source->shown, at, name_len + 1);
    /* a URI, and what is not known to be harmless, may hold a password */
    bool plain = strcmp(option->name, "path") == 0 || strcmp(option->name, "entrypoint") == 0 || (strcmp(option->name, "uri") == 0 && !strchr(option->value, '@') && !sw_locator_is_secret(option->value));
    if (plain)
        sw_buffer_add(&source->shown, equals + 1, len - name_len - 1);
    else
        sw_buffer_add_text(&source->shown, "***");
    return SW_OK;
}

static enum sw_code read_table(struct adbc_source *source, const char *text, struct sw_error *error)
{
    const char *dot = strchr(text, '.');
    sw_buffer_add_byte(&source->shown, '#');
    sw_buffer_add_text(&source->shown, text);
    if (!*text || dot == text || (dot && !dot[1]))
        return sw_fail(error, SW_ERR_USAGE, "behind '#' a locator has TABLE or SCHEMA.TABLE (a dot in a name is %%2E)");
    if (dot)
        source->schema = decode(text, (size_t)(dot - text));
    source->table = decode(dot ? dot + 1 : text, strlen(dot ? dot + 1 : text));
    return source->table && (source->schema || !dot) ? SW_OK : sw_fail_memory(error, "a table's name", strlen(text));
}

static enum sw_code read_locator(struct adbc_source *source, const char *locator, struct sw_error *error)
{
    const char *at = locator + strlen("adbc:"), *hash = strchr(at, '#'), *end = hash ? hash : at + strlen(at), *query = memchr(at, '?', (size_t)(end - at)), *driver_end = query ? query : end;
    if (driver_end == at)
        return sw_fail(error, SW_ERR_USAGE, "a locator of ADBC names a driver: adbc:DRIVER?OPTION=VALUE#TABLE");
    source->driver = decode(at, (size_t)(driver_end - at));
    if (!source->driver)
        return sw_fail_memory(error, "a driver's name", 0);
    sw_buffer_add_text(&source->shown, "adbc:");
    sw_buffer_add(&source->shown, at, (size_t)(driver_end - at));
    enum sw_code code = SW_OK;
    for (at = query ? query + 1 : end; at < end && code == SW_OK;) {
        const char *next = memchr(at, '&', (size_t)(end - at));
        next = next ? next : end;
        if (next > at)
            code = read_option(source, at, (size_t)(next - at), error);
        at = next + 1;
    }
    return code == SW_OK && hash ? read_table(source, hash + 1, error) : code;
}

static bool is_duckdb(const struct adbc_source *source) { return strstr(source->driver, "duckdb") != NULL; }

static bool has_option(const struct adbc_source *source, const char *name)
{
    for (size_t i = 0; i < source->option_count; i++)
        if (strcmp(source->options[i].name, name) == 0)
            return true;
    return false;
}

/* DuckDB makes a file that is not there, takes most of the machine's memory, and hands out UUIDs, JSON, wide integers and times with a zone as something else, unless it is told otherwise. */
static enum sw_code instruct_duckdb(struct adbc_source *source, const struct sw_connector_request *request, struct sw_error *error)
{
    enum sw_code code = SW_OK;
    char text[32];
    if (has_option(source, "path") && !has_option(source, "access_mode"))
        code = add_option(source, sw_strdup("access_mode"), sw_strdup("READ_ONLY"), error);
    if (code == SW_OK && !has_option(source, "memory_limit")) {
        uint64_t share = request->budget ? request->budget->limit / DUCKDB_PART : DUCKDB_BYTES_MAX;
        share = share < DUCKDB_BYTES_MIN ? DUCKDB_BYTES_MIN : share > DUCKDB_BYTES_MAX ? DUCKDB_BYTES_MAX : share;
        snprintf(text, sizeof text, "%lluB", (unsigned long long)share);
        code = add_option(source, sw_strdup("memory_limit"), sw_strdup(text), error);
        if (code == SW_OK && request->budget) {
            uint64_t part = request->budget->limit / DUCKDB_PART;
            source->lent = share < part ? share : part; /* where it needs more than its part, that is beside the budget */
            sw_budget_force(request->budget, source->lent);
        }
    }
    snprintf(text, sizeof text, "%u", request->threads);
    if (code == SW_OK && !has_option(source, "threads"))
        code = add_option(source, sw_strdup("threads"), sw_strdup(text), error);
    if (code == SW_OK && !has_option(source, "arrow_lossless_conversion"))
        code = add_option(source, sw_strdup("arrow_lossless_conversion"), sw_strdup("true"), error);
    return code;
}

/* ---- what is read ---- */

static void quote(struct sw_buffer *out, const char *name, char mark)
{
    sw_buffer_add_byte(out, (uint8_t)mark);
    for (; *name; name++) {
        if (*name == mark)
            sw_buffer_add_byte(out, (uint8_t)mark);
        sw_buffer_add_byte(out, (uint8_t)*name);
    }
    sw_buffer_add_byte(out, (uint8_t)mark);
}

/* A path as a pattern of DuckDB that matches it alone: a[1].parquet is one file, and no pattern of a1.parquet. */
static void quote_path(struct sw_buffer *out, const char *path)
{
    struct sw_buffer pattern = {0};
    for (; *path; path++)
        sw_buffer_printf(&pattern, strchr("*?[", *path) ? "[%c]" : "%c", *path);
    const char *text = sw_buffer_text(&pattern);
    if (text)
        quote(out, text, '\'');
    out->failed |= !text;
    sw_buffer_free(&pattern);
}

/* A query stands inside another one, so that it can do nothing but read. */
static enum sw_code write_query(struct sw_buffer *sql, const struct adbc_source *source, const char *parquet, const struct sw_connector_request *request, struct sw_error *error)
{
    char mark = strstr(source->driver, "bigquery") || strstr(source->driver, "databricks") || strstr(source->driver, "spark") || strstr(source->driver, "mysql") ? '`' : '"';
    if (request->query && source->table)
        return sw_fail(error, SW_ERR_USAGE, "%s is given, and the locator names the table %.200s; one of them says what is read", request->query_option, source->table);
    if (!request->query && !source->table && !parquet)
        return sw_fail(error, SW_ERR_USAGE, "no table is named: a '#' and its name end the locator, or a query is given");
    sw_buffer_add_text(sql, "SELECT * FROM ");
    if (request->query) {
        size_t len = strlen(request->query);
        while (len && strchr("; \t\r\n", request->query[len - 1]))
            len--;
        sw_buffer_add_byte(sql, '(');
        sw_buffer_add(sql, request->query, len);
        sw_buffer_add_text(sql, "\n) AS slackwater_query");
    } else if (parquet) {
        sw_buffer_add_text(sql, "read_parquet(");
        quote_path(sql, parquet);
        sw_buffer_add_text(sql, ")");
    } else {
        if (source->schema) {
            quote(sql, source->schema, mark);
            sw_buffer_add_byte(sql, '.');
        }
        quote(sql, source->table, mark);
    }
    return sw_buffer_text(sql) ? SW_OK : sw_fail_memory(error, "a query", sql->len);
}

static enum sw_code take_columns(struct adbc_source *source, const struct ArrowSchema *schema, struct sw_error *error)
{
    enum sw_code code = sw_arrow_field_read(&source->root, schema, 0, error);
    if (code == SW_OK && source->root.kind != SW_ARROW_STRUCT)
        code = sw_fail(error, SW_ERR_REMOTE, "the driver answers with something that is no table: nothing is claimed");
    if (code == SW_OK && !source->root.child_count)
        code = sw_fail(error, SW_ERR_USAGE, "the query gives no columns");
    for (uint32_t i = 0; i < source->root.child_count && code == SW_OK; i++) {
        struct sw_type type;
        bool typed = sw_arrow_field_type(&type, &source->root.children[i]);
        code = sw_row_columns_add(&source->columns, &source->fields, source->root.children[i].name, typed ? &type : NULL, error);
    }
    if (source->fields)
        sw_field_tree_settle(source->fields);
    return code;
}

/* ---- rows ---- */

struct batch {
    struct ArrowArray array;
    struct sw_budget *budget;
    uint64_t bytes;              /* counted there */
};

static void release_batch(void *batch)
{
    struct batch *held = batch;
    if (!held)
        return;
    if (held->array.release)
        held->array.release(&held->array);
    if (held->budget)
        sw_budget_give(held->budget, held->bytes);
    sw_free(held);
}

/* Column by column of one row; what had to be written out gets its place when the buffer no longer moves. */
static bool next_row(struct sw_token *tokens, struct sw_row_cursor *cursor, const void *ctx)
{
    const struct adbc_source *source = ctx;
    const struct batch *batch = cursor->block->batch;
    int64_t row = (int64_t)cursor->row++;
    bool any = false, in_text;
    sw_buffer_clear(&cursor->text);
    for (uint32_t i = 0; i < source->columns.count; i++) {
        if (!sw_arrow_value(&tokens[i + 1], &cursor->slots[i + 1], &in_text, &cursor->text, batch->array.children[i], &source->root.children[i], batch->array.offset + row)) {
            snprintf(cursor->problem, sizeof cursor->problem, "memory ran out while the row was read");
            cursor->text.failed = false;
            return false;
        }
        any |= in_text;
        if (in_text)
            tokens[i + 1].at = NULL;
    }
    if (any && !sw_buffer_reserve(&cursor->text, SW_BLOCK_PADDING)) {
        snprintf(cursor->problem, sizeof cursor->problem, "memory ran out while the row was read");
        cursor->text.failed = false;
        return false;
    }
    for (uint32_t i = 1; any && i <= source->columns.count; i++)
        if (!tokens[i].at && tokens[i].kind >= SW_TOKEN_NUMBER && tokens[i].kind < SW_TOKEN_NATIVE)
            tokens[i].at = cursor->text.at + cursor->slots[i].value;
    return true;
}

static enum sw_code next_block(struct sw_block *block, void *state, struct sw_error *error)
{
    struct adbc_source *source = state;
    if (source->ended)
        return SW_END;
    struct batch *batch = sw_calloc(1, sizeof *batch);
    if (!batch)
        return sw_fail_memory(error, "a batch", sizeof *batch);
    enum sw_code code;
    do {
        if (batch->array.release)
            batch->array.release(&batch->array);
        code = sw_adbc_next(&batch->array, source->connection, error);
        if (code == SW_OK)
            code = sw_arrow_array_check(&batch->array, &source->root, 0, error);
    } while (code == SW_OK && batch->array.length == 0);
    if (code != SW_OK) {
        release_batch(batch);
        source->ended = code == SW_END;
        if (source->ended && source->lent) { /* folding may have it: a query that is at its end holds next to nothing */
            sw_budget_give(source->budget, source->lent);
            source->lent = 0;
        }
        return code;
    }
    if (source->budget) { /* it is there, whatever the limit says */
        batch->budget = source->budget;
        batch->bytes = sw_arrow_array_bytes(&batch->array, &source->root);
        sw_budget_force(batch->budget, batch->bytes);
    }
    block->batch = batch;
    block->release = release_batch;
    block->rows = (uint64_t)batch->array.length;
    return SW_OK;
}

/* ---- opening ---- */

static bool is_parquet(const char *locator) { return strncmp(locator, "adbc:", 5) != 0; }

static enum sw_code open_rows(struct adbc_source *source, const struct sw_connector_request *request, struct sw_error *error)
{
    const char *parquet = is_parquet(request->locator) ? request->locator : NULL;
    struct sw_buffer sql = {0};
    const struct ArrowSchema *schema;
    enum sw_code code = SW_OK;
    if (parquet) {
        source->driver = sw_strdup("duckdb");
        sw_buffer_add_text(&source->shown, parquet);
        code = source->driver ? SW_OK : sw_fail_memory(error, "a driver's name", 0);
    } else {
        code = read_locator(source, request->locator, error);
    }
    if (code == SW_OK && is_duckdb(source))
        code = instruct_duckdb(source, request, error);
    if (code == SW_OK)
        code = write_query(&sql, source, parquet, request, error);
    if (code == SW_OK && parquet && !sw_adbc_is_there("duckdb"))
        code = sw_fail(error, SW_ERR_UNSUPPORTED, "Parquet is read through DuckDB's library, and no libduckdb.so was found: put it where the loader looks, or its folder into ADBC_DRIVER_PATH (Python's module duckdb is no such library); "
                       "or write the rows as NDJSON with any DuckDB, COPY (FROM 'FILE.parquet') TO 'FILE.ndjson', and read that");
    if (code == SW_OK)
        code = sw_adbc_open(&source->connection, source->driver, source->options, source->option_count, error);
    if (code == SW_OK)
        code = sw_adbc_query(&schema, source->connection, (const char *)sql.at, error);
    if (code == SW_OK)
        code = take_columns(source, schema, error);
    sw_buffer_free(&sql);
    return code;
}

static enum sw_code open_source(void **state, struct sw_input *shown, const struct sw_connector_request *request, struct sw_error *error)
{
    struct adbc_source *source = sw_calloc(1, sizeof *source);
    struct stat status;
    *state = source;
    if (!source)
        return sw_fail_memory(error, "a source", sizeof *source);
    source->budget = request->budget;
    source->columns.next = next_row;
    source->columns.ctx = source;
    enum sw_code code = open_rows(source, request, error);
    code = sw_input_show(shown, sw_buffer_text(&source->shown), code, error);
    if (code != SW_OK) {
        close_source(state);
        return code;
    }
    sw_input_show_rows(shown, &source->columns, source->fields);
    shown->no_sha256 = is_parquet(request->locator) ? "the rows of the file, not its bytes, are read" : "rows that a driver hands out have no stored bytes";
    if (is_parquet(request->locator) && sw_io_stat(&status, request->locator) == 0) {
        shown->id = sw_file_id_of(&status);
        shown->regular = true;
        shown->stored_bytes = (uint64_t)status.st_size;
    }
    return SW_OK;
}

const struct sw_connector sw_connector_adbc = {open_source, next_block, close_source, NULL};
