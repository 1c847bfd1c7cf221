#include "client/sqlite.h"

#include <sqlite3.h>
#include <string.h>

#include "base/memory.h"

#define BUSY_MS 5000

struct sw_sqlite {
    sqlite3 *handle;
    sqlite3_stmt *statement;
};

/* What SQLite says of the last call. */
static enum sw_code refuse(const struct sw_sqlite *db, int result, const char *what, struct sw_error *error)
{
    enum sw_code code = SW_ERR_IO;
    const char *more = "";
    switch (result & 0xff) {
    case SQLITE_NOMEM: return sw_fail_memory(error, what, 0);
    case SQLITE_NOTADB: code = SW_ERR_INPUT; break;
    case SQLITE_CORRUPT: code = SW_ERR_INPUT; break;
    case SQLITE_ERROR: code = SW_ERR_USAGE; break;
    case SQLITE_BUSY: more = "; another process writes to it and holds its lock: wait for it, or read a copy"; break;
    case SQLITE_CANTOPEN: more = "; a file in WAL mode needs its -wal and -shm files beside it, or ?immutable=1 if nothing writes to it"; break;
    default: break;
    }
    return sw_fail(error, code, "%s: %s%s", what, sqlite3_errmsg(db->handle), more);
}

/* A file name inside a URI: what would end or decode it is percent-encoded. */
static void add_path(struct sw_buffer *out, const char *path)
{
    for (const char *at = path; *at; at++) {
        if (strchr("?#%", *at))
            sw_buffer_printf(out, "%%%02X", (unsigned)(unsigned char)*at);
        else
            sw_buffer_add_byte(out, (uint8_t)*at);
    }
}

enum sw_code sw_sqlite_open(struct sw_sqlite **out, const char *path, bool immutable, struct sw_error *error)
{
    struct sw_sqlite *db = sw_calloc(1, sizeof *db);
    struct sw_buffer uri = {0};
    *out = NULL;
    /* "file:///a" for absolute paths: an authority could not be told from a path that begins with two slashes */
    sw_buffer_add_text(&uri, path[0] == '/' ? "file://" : "file:");
    add_path(&uri, path);
    sw_buffer_add_text(&uri, immutable ? "?mode=ro&immutable=1" : "?mode=ro");
    if (!db || !sw_buffer_text(&uri)) {
        sw_free(db);
        sw_buffer_free(&uri);
        return sw_fail_memory(error, "a database", sizeof *db);
    }
    int result = sqlite3_open_v2((const char *)uri.at, &db->handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL);
    sw_buffer_free(&uri);
    enum sw_code code = SW_OK;
    if (!db->handle)
        code = sw_fail_memory(error, "a database", 0);
    else if (result != SQLITE_OK)
        code = refuse(db, result, "the database cannot be opened", error);
    if (code == SW_OK) {
        sqlite3_extended_result_codes(db->handle, 1);
        sqlite3_busy_timeout(db->handle, BUSY_MS);
        sqlite3_db_config(db->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
        /* a view or an expression index of a hostile file runs no function that does more than compute */
        sqlite3_db_config(db->handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
        code = sw_sqlite_prepare(db, "SELECT 1 FROM sqlite_master LIMIT 1", NULL, 0, error);
    }
    if (code == SW_OK && (code = sw_sqlite_step(db, error)) >= 0)
        code = SW_OK;
    if (code < 0)
        sw_sqlite_close(&db);
    *out = db;
    return code;
}

void sw_sqlite_close(struct sw_sqlite **pointer)
{
    struct sw_sqlite *db = *pointer;
    *pointer = NULL;
    if (!db)
        return;
    sqlite3_finalize(db->statement);
    sqlite3_close(db->handle);
    sw_free(db);
}

enum sw_code sw_sqlite_prepare(struct sw_sqlite *db, const char *sql, const char *const *texts, int text_count, struct sw_error *error)
{
    const char *rest = "";
    sqlite3_finalize(db->statement);
    db->statement = NULL;
    int result = sqlite3_prepare_v2(db->handle, sql, -1, &db->statement, &rest);
    if (result != SQLITE_OK)
        return refuse(db, result, "the statement cannot be read", error);
    if (!db->statement)
        return sw_fail(error, SW_ERR_USAGE, "the query is empty: a SELECT was expected");
    if (rest[strspn(rest, " \t\r\n;")])
        return sw_fail(error, SW_ERR_USAGE, "the query holds several statements; one SELECT was expected");
    if (!sqlite3_stmt_readonly(db->statement) || sqlite3_column_count(db->statement) == 0)
        return sw_fail(error, SW_ERR_USAGE, "the statement gives no rows or would write; a SELECT was expected");
    if (sqlite3_bind_parameter_count(db->statement) != text_count)
        return sw_fail(error, SW_ERR_USAGE, "the query has parameters (?); write the values into it");
    for (int i = 0; i < text_count; i++)
        if (sqlite3_bind_text(db->statement, i + 1, texts[i], -1, SQLITE_TRANSIENT) != SQLITE_OK)
            return sw_fail_memory(error, "a statement", strlen(texts[i]));
    return SW_OK;
}

enum sw_code sw_sqlite_hold(struct sw_sqlite *db, struct sw_error *error)
{
    int result = sqlite3_exec(db->handle, "BEGIN", NULL, NULL, NULL);
    return result == SQLITE_OK ? SW_OK : refuse(db, result, "a transaction cannot be begun", error);
}

enum sw_code sw_sqlite_step(struct sw_sqlite *db, struct sw_error *error)
{
    int result = sqlite3_step(db->statement);
    return result == SQLITE_ROW ? SW_OK : result == SQLITE_DONE ? SW_END : refuse(db, result, "the database cannot be read", error);
}

/* sqlite.org, "Database File Format": bytes 18 and 19 are 2 in WAL mode, bytes 24 to 27 the change counter. Read through SQLite's own descriptor: closing another one would drop its locks. */
bool sw_sqlite_change_counter(uint32_t *out, struct sw_sqlite *db)
{
    enum { FROM = 18, LEN = 10 };
    unsigned char head[LEN];
    sqlite3_file *file = NULL;
    if (sqlite3_file_control(db->handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK || !file || !file->pMethods || file->pMethods->xRead(file, head, LEN, FROM) != SQLITE_OK || head[0] != 1 ||
        head[1] != 1)
        return false;
    *out = (uint32_t)head[6] << 24 | (uint32_t)head[7] << 16 | (uint32_t)head[8] << 8 | head[9];
    return true;
}

int sw_sqlite_column_count(const struct sw_sqlite *db) { return sqlite3_column_count(db->statement); }
const char *sw_sqlite_column_name(const struct sw_sqlite *db, int column) { return sqlite3_column_name(db->statement, column); }
const char *sw_sqlite_column_declared(const struct sw_sqlite *db, int column) { return sqlite3_column_decltype(db->statement, column); }

enum sw_code sw_sqlite_value(struct sw_token *out, int64_t *slot, struct sw_sqlite *db, int column, struct sw_error *error)
{
    double number;
    switch (sqlite3_column_type(db->statement, column)) {
    case SQLITE_NULL:
        *out = (struct sw_token){.kind = SW_TOKEN_NULL};
        return SW_OK;
    case SQLITE_INTEGER:
        *slot = sqlite3_column_int64(db->statement, column);
        *out = (struct sw_token){(const uint8_t *)slot, sizeof *slot, SW_TOKEN_INT64, false};
        return SW_OK;
    case SQLITE_FLOAT:
        number = sqlite3_column_double(db->statement, column);
        memcpy(slot, &number, sizeof number);
        *out = (struct sw_token){(const uint8_t *)slot, sizeof number, SW_TOKEN_FLOAT64, false};
        return SW_OK;
    case SQLITE_TEXT:
        out->at = sqlite3_column_text(db->statement, column);
        out->kind = SW_TOKEN_TEXT;
        break;
    default:
        out->at = sqlite3_column_blob(db->statement, column);
        out->kind = SW_TOKEN_BYTES;
        break;
    }
    out->len = (uint32_t)sqlite3_column_bytes(db->statement, column);
    out->escaped = false;
    return out->len && !out->at ? sw_fail_memory(error, "a value", out->len) : SW_OK;
}

void sw_sqlite_quote_name(struct sw_buffer *out, const char *name)
{
    sw_buffer_add_byte(out, '"');
    for (; *name; name++) {
        if (*name == '"')
            sw_buffer_add_byte(out, '"');
        sw_buffer_add_byte(out, (uint8_t)*name);
    }
    sw_buffer_add_byte(out, '"');
}
