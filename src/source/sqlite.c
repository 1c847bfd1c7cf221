/* sqlite:FILE[?immutable=1]#TABLE, or a query. Source of the rules: sqlite.org, "Datatypes In SQLite" (storage classes belong to values; a column's declared
 * type only prefers one), "Result Values From A Query", "URI Filenames". */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/file_io.h"
#include "base/memory.h"
#include "client/sqlite.h"
#include "position/scan.h"
#include "slackwater/names.h"
#include "source/connector.h"

struct sqlite_source {
    struct sw_sqlite *db;
    struct sw_row_columns columns;
    struct sw_field_tree *fields;
    struct sw_buffer path, table;
    struct sw_buffer from;         /* what stands behind FROM */
    struct sw_buffer texts;        /* what is bound, each with a NUL behind it */
    struct sw_source_cut *cut;            /* of the shown input, filled once a lock holds the file still */
    const struct sw_source_keys *keys; /* NULL: all rows */
    const char **bound;            /* the texts of one statement: KEYS_AT_ONCE of each column */
    size_t keys_done;              /* of which a statement was begun */
    bool immutable, told, ended;
    size_t block_bytes, record_bytes_max;
    struct sw_budget *budget;
};

static void close_source(void **state)
{
    struct sqlite_source *source = *state;
    *state = NULL;
    if (!source)
        return;
    sw_sqlite_close(&source->db);
    sw_row_columns_free(&source->columns);
    sw_field_tree_free(&source->fields);
    sw_buffer_free(&source->path);
    sw_buffer_free(&source->table);
    sw_buffer_free(&source->from);
    sw_buffer_free(&source->texts);
    sw_free(source->bound);
    sw_free(source);
}

/* Adds a part of the locator: %23 is '#', %3F '?', %25 '%'. */
static void add_decoded(struct sw_buffer *out, const char *at, const char *end)
{
    while (at < end) {
        int coded = sw_percent_value((const uint8_t *)at, (size_t)(end - at));
        sw_buffer_add_byte(out, coded >= 0 ? (uint8_t)coded : (uint8_t)*at);
        at += coded >= 0 ? 3 : 1;
    }
}

static enum sw_code read_locator(struct sqlite_source *source, const char *locator, struct sw_error *error)
{
    const char *path = locator + strlen("sqlite:"), *end = path + strlen(path), *fragment = strchr(path, '#');
    const char *query = memchr(path, '?', (size_t)((fragment ? fragment : end) - path));
    const char *path_end = query ? query : fragment ? fragment : end;
    if (query) {
        const char *value = query + 1;
        size_t len = (size_t)((fragment ? fragment : end) - value);
        if (len != strlen("immutable=1") || (memcmp(value, "immutable=1", len) != 0 && memcmp(value, "immutable=0", len) != 0))
            return sw_fail(error, SW_ERR_USAGE, "after '?' a locator of SQLite has immutable=1 or nothing; found %.*s (a '?' in the file's name is written %%3F)", (int)(len < 80 ? len : 80), value);
        source->immutable = value[len - 1] == '1';
    }
    add_decoded(&source->path, path, path_end);
    if (fragment)
        add_decoded(&source->table, fragment + 1, end);
    if (!sw_buffer_text(&source->path) || !sw_buffer_text(&source->table))
        return sw_fail_memory(error, "a locator", strlen(locator));
    if (source->path.len == 0)
        return sw_fail(error, SW_ERR_USAGE, "a locator of SQLite names a file: sqlite:FILE#TABLE");
    return SW_OK;
}

/* What a declared type says, by its words; those that are not known say nothing, since SQLite enforces none of them. */
static bool type_of(struct sw_type *out, const char *declared)
{
    static const struct { const char *word; enum sw_type_kind kind; } words[] = {
        {"bool", SW_TYPE_BOOLEAN}, {"int", SW_TYPE_INTEGER}, {"serial", SW_TYPE_INTEGER}, {"char", SW_TYPE_TEXT}, {"clob", SW_TYPE_TEXT}, {"text", SW_TYPE_TEXT}, {"string", SW_TYPE_TEXT},
        {"blob", SW_TYPE_BYTES}, {"bytea", SW_TYPE_BYTES}, {"binary", SW_TYPE_BYTES}, {"real", SW_TYPE_FLOAT64}, {"floa", SW_TYPE_FLOAT64}, {"doub", SW_TYPE_FLOAT64},
        {"dec", SW_TYPE_DECIMAL}, {"numeric", SW_TYPE_DECIMAL}, {"number", SW_TYPE_DECIMAL}, {"timestamptz", SW_TYPE_TIMESTAMPTZ}, {"with time zone", SW_TYPE_TIMESTAMPTZ},
        {"timestamp", SW_TYPE_TIMESTAMP}, {"datetime", SW_TYPE_TIMESTAMP}, {"date", SW_TYPE_DATE}, {"time", SW_TYPE_TIME}, {"uuid", SW_TYPE_UUID}, {"json", SW_TYPE_JSON}};
    char text[64];
    size_t len = 0;
    for (; declared && declared[len] && len + 1 < sizeof text; len++)
        text[len] = (char)tolower((unsigned char)declared[len]);
    text[len] = '\0';
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(text, words[i].word) && !(strcmp(words[i].word, "int") == 0 && (strstr(text, "point") || strstr(text, "interval")))) {
            *out = (struct sw_type){.kind = words[i].kind, .precision = -1};
            return true;
        }
    return false;
}

#define KEYS_AT_ONCE 200u

/* May the rows be asked for by key? SQLite gives what a column is compared with the column's affinity, so that the digits of an integer and a text find what an integer and a text column hold; other
 * columns compare by storage class. sqlite.org, "Datatypes In SQLite": "Determination Of Column Affinity", "Type Conversions Prior To Comparison". */
static bool keys_fit(const struct sqlite_source *source)
{
    uint32_t places[SW_SOURCE_KEY_COLUMNS_MAX];
    if (!source->keys || !sw_source_keys_find(places, source->keys, &source->columns))
        return false;
    bool fits = true;
    for (uint32_t k = 0; k < source->keys->column_count; k++) {
        const char *declared = sw_sqlite_column_declared(source->db, (int)places[k]);
        bool integer = declared && strcasestr(declared, "int"), text = declared && !integer && (strcasestr(declared, "char") || strcasestr(declared, "clob") || strcasestr(declared, "text"));
        struct sw_type type;
        fits = fits && type_of(&type, declared) && sw_source_keys_kind_fits(source->keys->kinds[k], type.kind) && (integer || text);
    }
    return fits;
}

/* The next statement of some keys: SW_END if there are none left. */
static enum sw_code prepare_keys(struct sqlite_source *source, struct sw_error *error)
{
    const struct sw_source_keys *keys = source->keys;
    size_t count = keys->count - source->keys_done < KEYS_AT_ONCE ? keys->count - source->keys_done : KEYS_AT_ONCE, values = count * keys->column_count;
    struct sw_buffer sql = {0};
    if (count == 0)
        return SW_END;
    if (!source->bound && !(source->bound = sw_calloc((size_t)KEYS_AT_ONCE * keys->column_count, sizeof *source->bound)))
        return sw_fail_memory(error, "keys", KEYS_AT_ONCE);
    source->texts.len = 0;
    for (size_t i = 0; i < values; i++) {
        sw_buffer_add_bytes(&source->texts, keys->values[source->keys_done * keys->column_count + i]);
        sw_buffer_add_byte(&source->texts, 0);
    }
    sw_buffer_add_text(&sql, "SELECT * FROM ");
    sw_buffer_add_bytes(&sql, sw_buffer_view(&source->from));
    sw_buffer_add_text(&sql, " WHERE (");
    for (uint32_t k = 0; k < keys->column_count; k++) {
        sw_buffer_add_text(&sql, k ? ", " : "");
        sw_sqlite_quote_name(&sql, keys->columns[k]);
    }
    sw_buffer_add_text(&sql, keys->column_count > 1 ? ") IN (VALUES " : ") IN (");
    for (size_t i = 0; i < values; i++) {
        size_t column = i % keys->column_count;
        sw_buffer_add_text(&sql, i ? ", " : "");
        sw_buffer_printf(&sql, "%s?%zu%s", keys->column_count > 1 && column == 0 ? "(" : "", i + 1, keys->column_count > 1 && column + 1 == keys->column_count ? ")" : "");
    }
    sw_buffer_add_text(&sql, ")");
    const char *text = sw_buffer_text(&sql);
    enum sw_code code = text && !source->texts.failed ? SW_OK : sw_fail_memory(error, "a statement", sql.len);
    for (size_t i = 0, at = 0; i < values && code == SW_OK; i++) {
        source->bound[i] = (const char *)source->texts.at + at;
        at += strlen(source->bound[i]) + 1;
    }
    if (code == SW_OK)
        code = sw_sqlite_prepare(source->db, text, source->bound, (int)values, error);
    source->keys_done += count;
    sw_buffer_free(&sql);
    return code;
}

#define NAMES_MAX 4096

/* The names that the prepared statement gives, for "did you mean". Each is the caller's. */
static enum sw_code read_names(char ***out, size_t *count, struct sw_sqlite *db, struct sw_error *error)
{
    enum sw_code code;
    struct sw_token name;
    int64_t slot;
    while ((code = sw_sqlite_step(db, error)) == SW_OK && *count < NAMES_MAX) {
        if ((code = sw_sqlite_value(&name, &slot, db, 0, error)) != SW_OK)
            return code;
        char **grown = sw_realloc_array(*out, *count + 1, sizeof *grown);
        char *copy = name.kind == SW_TOKEN_TEXT ? sw_strndup((const char *)name.at, name.len) : sw_strdup("");
        if (grown)
            *out = grown;
        if (!grown || !copy) {
            sw_free(copy);
            return sw_fail_memory(error, "names", 0);
        }
        grown[(*count)++] = copy;
    }
    return code < 0 ? code : SW_OK;
}

static void free_names(char **names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        sw_free(names[i]);
    sw_free(names);
}

#define TABLES "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY name"

/* The table as the file spells it: SQLite's names know no case. */
static enum sw_code find_table(struct sqlite_source *source, struct sw_error *error)
{
    char **names = NULL;
    size_t count = 0, found = SIZE_MAX;
    const char *wanted = (const char *)source->table.at;
    enum sw_code code = sw_sqlite_prepare(source->db, TABLES, NULL, 0, error);
    if (code == SW_OK)
        code = read_names(&names, &count, source->db, error);
    for (size_t i = 0; i < count; i++)
        if (strcasecmp(names[i], wanted) == 0)
            found = i;
    if (code == SW_OK && found == SIZE_MAX) {
        const char *near = source->table.len ? sw_nearest_name(wanted, (const char *const *)names, count) : NULL;
        struct sw_buffer list = {0};
        for (size_t i = 0; i < count && list.len < 200; i++)
            sw_buffer_printf(&list, "%s%s", i ? ", " : "", names[i]);
        const char *text = sw_buffer_text(&list);
        if (source->table.len == 0)
            code = sw_fail(error, SW_ERR_USAGE, "no table is named: a '#' and its name end the locator, or a query is given; the file has %s", count ? text ? text : "several" : "none");
        else if (near)
            code = sw_fail(error, SW_ERR_USAGE, "there is no table %.200s; did you mean %.200s?", wanted, near);
        else
            code = sw_fail(error, SW_ERR_USAGE, "there is no table %.200s; the file has %s", wanted, count ? text ? text : "others" : "none");
        sw_buffer_free(&list);
    } else if (code == SW_OK) {
        source->table.len = 0;
        sw_buffer_add_text(&source->table, names[found]);
        code = sw_buffer_text(&source->table) ? SW_OK : sw_fail_memory(error, "the name of a table", 0);
    }
    free_names(names, count);
    return code;
}

/* The columns of the prepared statement. */
static enum sw_code find_columns(struct sqlite_source *source, struct sw_error *error)
{
    enum sw_code code = SW_OK;
    for (int i = 0; i < sw_sqlite_column_count(source->db) && code == SW_OK; i++) {
        struct sw_type type;
        bool typed = type_of(&type, sw_sqlite_column_declared(source->db, i));
        code = sw_row_columns_add(&source->columns, &source->fields, sw_sqlite_column_name(source->db, i), typed ? &type : NULL, error);
    }
    if (source->fields)
        sw_field_tree_settle(source->fields);
    source->columns.next = sw_row_writer_next;
    source->columns.ctx = &source->columns;
    return code;
}

static enum sw_code find_key(struct sqlite_source *source, struct sw_error *error)
{
    const char *const table = (const char *)source->table.at;
    char **names = NULL;
    size_t count = 0;
    enum sw_code code = sw_sqlite_prepare(source->db, "SELECT name FROM pragma_table_xinfo(?1) WHERE pk > 0 ORDER BY pk", &table, 1, error);
    if (code == SW_OK)
        code = read_names(&names, &count, source->db, error);
    for (size_t i = 0; i < count && code == SW_OK; i++)
        code = sw_row_columns_add_key(&source->columns, names[i], error);
    free_names(names, count);
    return code;
}

static enum sw_code open_table(struct sqlite_source *source, struct sw_error *error)
{
    struct sw_buffer sql = {0};
    enum sw_code code = find_table(source, error);
    if (code != SW_OK)
        return code;
    sw_buffer_add_text(&sql, "SELECT * FROM main.");
    sw_sqlite_quote_name(&sql, (const char *)source->table.at);
    const char *text = sw_buffer_text(&sql);
    code = text ? sw_sqlite_prepare(source->db, text, NULL, 0, error) : sw_fail_memory(error, "a statement", 0);
    if (code == SW_OK && (code = find_columns(source, error)) == SW_OK) {
        bool by_key = keys_fit(source);
        code = find_key(source, error);
        sw_buffer_add_text(&source->from, "main.");
        sw_sqlite_quote_name(&source->from, (const char *)source->table.at);
        if (code == SW_OK && source->from.failed)
            code = sw_fail_memory(error, "a statement", 0);
        if (!by_key)
            source->keys = NULL;
        if (code == SW_OK && by_key)
            code = sw_sqlite_hold(source->db, error);
        if (code == SW_OK)
            code = by_key ? prepare_keys(source, error) : sw_sqlite_prepare(source->db, text, NULL, 0, error);
    }
    sw_buffer_free(&sql);
    return code;
}

static enum sw_code open_query(struct sqlite_source *source, const struct sw_connector_request *request, struct sw_error *error)
{
    if (source->table.len)
        return sw_fail(error, SW_ERR_USAGE, "%s is given, and the locator names the table %.200s; one of them says what is read", request->query_option, (const char *)source->table.at);
    enum sw_code code = sw_sqlite_prepare(source->db, request->query, NULL, 0, error);
    source->keys = NULL; /* what a query computes has no affinity that a key could rest on */
    return code == SW_OK ? find_columns(source, error) : code;
}

/* Which file it is, and when it is read. */
static enum sw_code tell_file(struct sqlite_source *source, const struct stat *status, struct sw_error *error)
{
    struct sw_buffer text = {0};
    char now[SW_CUT_NOW_MAX];
    source->cut->kind = SW_CUT_SQLITE;
    sw_source_cut_now(now);
    sw_buffer_printf(&text, "file %llu:%llu", (unsigned long long)status->st_dev, (unsigned long long)status->st_ino);
    return sw_source_cut_take(&source->cut->log, &text) && sw_source_cut_take_bytes(&source->cut->at, sw_bytes_text(now)) ? SW_OK : sw_fail_memory(error, "a position", 0);
}

static enum sw_code open_source(void **state, struct sw_input *shown, const struct sw_connector_request *request, struct sw_error *error)
{
    struct sqlite_source *source = sw_calloc(1, sizeof *source);
    char *locator = sw_strdup(request->locator); /* nothing in it is secret */
    struct stat status;
    *state = source;
    if (!source || !locator) {
        sw_free(locator);
        close_source(state);
        return sw_fail_memory(error, "a source", sizeof *source);
    }
    sw_free(shown->locator);
    shown->locator = locator;
    source->block_bytes = request->block_bytes;
    source->record_bytes_max = request->record_bytes_max;
    source->budget = request->budget;
    source->keys = request->keys;
    enum sw_code code = read_locator(source, request->locator, error);
    const char *path = (const char *)source->path.at;
    int failed = code == SW_OK ? sw_io_stat(&status, path) : 0;
    if (failed)
        code = sw_fail_errno(error, failed == ENOENT || failed == ENOTDIR ? SW_ERR_INPUT : SW_ERR_IO, failed, "the file %.300s", path);
    else if (code == SW_OK && !S_ISREG(status.st_mode))
        code = sw_fail(error, SW_ERR_INPUT, "%.300s is no file", path);
    if (code == SW_OK)
        code = sw_sqlite_open(&source->db, path, source->immutable, error);
    if (code == SW_OK)
        code = request->query ? open_query(source, request, error) : open_table(source, error);
    if (code != SW_OK) {
        close_source(state);
        return code;
    }
    source->cut = &shown->cut;
    if ((code = tell_file(source, &status, error)) != SW_OK) {
        close_source(state);
        return code;
    }
    shown->by_key = source->keys != NULL;
    sw_input_show_rows(shown, &source->columns, source->fields);
    shown->id = (struct sw_file_id){status.st_dev, status.st_ino};
    shown->regular = true;
    shown->stored_bytes = (uint64_t)status.st_size;
    shown->no_sha256 = "the rows of a table, not the bytes of its file, are read";
    return SW_OK;
}

/* The first step of the statement took the lock, which no writer passes. */
static enum sw_code tell_place(struct sqlite_source *source, struct sw_error *error)
{
    struct sw_buffer text = {0};
    uint32_t changes;
    source->told = true;
    if (!sw_sqlite_change_counter(&changes, source->db))
        return SW_OK;
    sw_buffer_printf(&text, "%u", changes);
    source->cut->exact = true;
    return sw_source_cut_take(&source->cut->position, &text) ? SW_OK : sw_fail_memory(error, "a position", 0);
}

/* The next row, of the statement that runs or of the next one. */
static enum sw_code step(struct sqlite_source *source, struct sw_error *error)
{
    enum sw_code code;
    while ((code = sw_sqlite_step(source->db, error)) == SW_END && source->keys && (code = prepare_keys(source, error)) == SW_OK)
        ;
    return code;
}

static enum sw_code next_block(struct sw_block *block, void *state, struct sw_error *error)
{
    struct sqlite_source *source = state;
    struct sw_row_writer rows;
    if (source->ended)
        return SW_END;
    enum sw_code code = sw_source_room(block, source->block_bytes, false, source->budget, error);
    sw_row_writer_begin(&rows, block, source->record_bytes_max, source->budget);
    while (code == SW_OK && block->len < source->block_bytes && (code = step(source, error)) == SW_OK) {
        if (!source->told)
            code = tell_place(source, error);
        for (uint32_t i = 0; i < source->columns.count && code == SW_OK; i++) {
            struct sw_token token = {0};
            int64_t slot;
            code = sw_sqlite_value(&token, &slot, source->db, (int)i, error);
            if (code == SW_OK)
                code = sw_row_writer_put(&rows, token, error);
        }
        if (code == SW_OK)
            code = sw_row_writer_end(&rows, error);
    }
    if (code == SW_END) {
        source->ended = true;
        sw_sqlite_close(&source->db); /* its lock is held no longer than it is needed */
        return block->rows ? SW_OK : SW_END;
    }
    return code;
}

const struct sw_connector sw_connector_sqlite = {.open = open_source, .next = next_block, .close = close_source};
