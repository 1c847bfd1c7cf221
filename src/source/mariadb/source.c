/* Source of the rules: MariaDB's manual, "COM_BINLOG_DUMP", "Gtid_list", "SHOW BINARY LOGS", "BINLOG_GTID_POS", what a replica sets before it asks (@slave_connect_state, @mariadb_slave_capability,
 * @master_binlog_checksum); MySQL's manual, "SHOW BINLOG EVENTS", "GTID Auto-Positioning". */
#include "source/mariadb/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "position/binlog.h"
#include "position/mariadb_gtid.h"
#include "source/mariadb/binlog.h"

#define HEAD_BYTES ((size_t)64 * 1024)
#define HELD_BYTES_MAX ((size_t)16 << 20)
#define PACKET_BYTES_MIN ((uint64_t)64 << 20)
#define NO_GRANT 1227 /* ER_SPECIFIC_ACCESS_DENIED_ERROR */
#define LOG_ERROR 1236 /* ER_MASTER_FATAL_ERROR_READING_BINLOG */
#define LOST 2013      /* CR_SERVER_LOST: also what the library says of an event that is larger than it may be */

struct place {
    char *file;
    uint64_t position;
};

struct sw_binlog_source {
    struct sw_mariadb *connection;
    const struct sw_locator *locator;
    bool mariadb;
    struct sw_binlog *log;
    struct sw_binlog_column *columns;  /* as the catalogue has them */
    size_t column_count;
    struct sw_binlog_collation *collations;
    size_t collation_count;
    struct sw_field_tree *fields;
    char *database, *table;
    bool fold_case;
    struct place oldest, from, end;
    char *from_gtid, *end_gtid, *oldest_gtid, *executed; /* executed: of MySQL, the set at the end, or a little behind it */
    struct sw_gtid_set skip;
    struct sw_buffer line, position, told;
    struct sw_block first;             /* read when the source was opened */
    bool first_given, ended;
    uint64_t too_long;                 /* not 0: the next record, of about so many bytes, is longer than one may be */
    size_t block_bytes, record_bytes_max;
    struct sw_budget *budget;
};

bool sw_binlog_is_asked(const struct sw_locator *locator) { return sw_locator_parameter(locator, "binlog") || sw_locator_parameter(locator, "gtid"); }

uint64_t sw_binlog_packet_max(size_t record_bytes_max)
{
    uint64_t wanted = 2 * (uint64_t)record_bytes_max + (1u << 20);
    return wanted < PACKET_BYTES_MIN ? PACKET_BYTES_MIN : wanted;
}

void sw_binlog_source_close(struct sw_binlog_source **pointer)
{
    struct sw_binlog_source *self = *pointer;
    *pointer = NULL;
    if (!self)
        return;
    sw_binlog_close(&self->log);
    sw_binlog_columns_free(&self->columns, &self->column_count);
    sw_field_tree_free(&self->fields);
    sw_gtid_set_free(&self->skip);
    sw_block_free(&self->first);
    sw_buffer_free(&self->line);
    sw_buffer_free(&self->position);
    sw_buffer_free(&self->told);
    char *const texts[] = {self->database, self->table, self->oldest.file, self->from.file, self->end.file, self->from_gtid, self->end_gtid, self->oldest_gtid, self->executed};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        sw_free(texts[i]);
    sw_free(self->collations);
    sw_free(self);
}

/* ---- asking ---- */

static struct sw_bytes cell(const struct sw_rows *rows, size_t row, const char *name) { return sw_client_table_cell(&rows->table, row, name); }

static enum sw_code copy(char **out, struct sw_bytes text, struct sw_error *error)
{
    return (*out = sw_strndup(text.len ? (const char *)text.at : "", text.len)) ? SW_OK : sw_fail_memory(error, "a text", text.len);
}

static uint64_t number(struct sw_bytes text)
{
    char digits[24] = "";
    memcpy(digits, text.at ? (const char *)text.at : "", text.len < sizeof digits ? text.len : sizeof digits - 1);
    return strtoull(digits, NULL, 10);
}

/* A statement made of a text, one value in quotes where it has %Q, and another. */
static enum sw_code ask(struct sw_rows *out, struct sw_binlog_source *self, const char *sql, const char *first, const char *second, struct sw_error *error)
{
    struct sw_buffer text = {0};
    const char *const values[] = {first, second};
    size_t used = 0;
    for (const char *at = sql; *at; at++)
        if (at[0] == '?' && used < 2)
            sw_mariadb_quote_text(&text, self->connection, sw_bytes_text(values[used++]));
        else
            sw_buffer_add_byte(&text, (uint8_t)*at);
    const char *statement = sw_buffer_text(&text);
    enum sw_code code = statement ? sw_mariadb_query(out, self->connection, statement, error) : sw_fail_memory(error, "a statement", text.len);
    sw_buffer_free(&text);
    return code;
}

static enum sw_code run(struct sw_binlog_source *self, const char *sql, const char *value, struct sw_error *error)
{
    struct sw_rows rows = {0};
    enum sw_code code = ask(&rows, self, sql, value ? value : "", "", error);
    sw_rows_free(&rows);
    return code;
}

/* What is missing, and the statement that gives it. */
static enum sw_code fail_grant(const struct sw_binlog_source *self, const struct sw_error *inner, struct sw_error *error)
{
    return sw_fail(error, SW_ERR_REMOTE, "%.400s; the binary log needs: GRANT %s ON *.* TO the user, and SELECT on the table", inner->text,
                   self->mariadb ? (sw_mariadb_version(self->connection) >= 100502 ? "REPLICATION SLAVE, BINLOG MONITOR" : "REPLICATION SLAVE, REPLICATION CLIENT") : "REPLICATION SLAVE, REPLICATION CLIENT");
}

/* ---- the catalogue ---- */

static enum sw_code read_collations(struct sw_binlog_source *self, struct sw_error *error)
{
    struct sw_rows rows = {0};
    enum sw_code code = ask(&rows, self, "SELECT id, character_set_name AS charset FROM information_schema.collations WHERE id IS NOT NULL AND character_set_name IS NOT NULL ORDER BY id", "", "", error);
    if (code == SW_OK && self->mariadb) { /* from 10.10 on some stand here alone */
        struct sw_rows more = {0};
        if (ask(&more, self, "SELECT id, character_set_name AS charset FROM information_schema.collation_character_set_applicability WHERE id IS NOT NULL ORDER BY id", "", "", NULL) == SW_OK && more.table.row_count) {
            struct sw_rows fewer = rows;
            rows = more;
            more = fewer;
        }
        sw_rows_free(&more);
    }
    if (code == SW_OK && !(self->collations = sw_calloc(rows.table.row_count + 1, sizeof *self->collations)))
        code = sw_fail_memory(error, "collations", rows.table.row_count);
    for (size_t i = 0; code == SW_OK && i < rows.table.row_count; i++) {
        struct sw_bytes name = cell(&rows, i, "charset");
        struct sw_binlog_collation *to = &self->collations[self->collation_count];
        to->id = (uint32_t)number(cell(&rows, i, "id"));
        snprintf(to->charset, sizeof to->charset, "%.*s", (int)(name.len < 31 ? name.len : 31), (const char *)name.at);
        self->collation_count++;
    }
    sw_rows_free(&rows);
    return code;
}

static enum sw_code read_columns(struct sw_binlog_source *self, struct sw_buffer *list, struct sw_error *error)
{
    struct sw_rows rows = {0};
    struct sw_binlog_charsets charsets = {0};
    enum sw_code code = ask(&rows, self,
                            "SELECT column_name AS name, data_type AS type, column_type AS whole, character_set_name AS charset, character_octet_length AS octets, numeric_precision AS digits, "
                            "COALESCE(datetime_precision, numeric_scale, 0) AS scale FROM information_schema.columns WHERE table_schema = ? AND table_name = ? ORDER BY ordinal_position",
                            self->database, self->table, error);
    if (code == SW_OK && !(self->columns = sw_calloc(rows.table.row_count + 1, sizeof *self->columns)))
        code = sw_fail_memory(error, "columns", rows.table.row_count);
    for (size_t i = 0; code == SW_OK && i < rows.table.row_count; i++) {
        struct sw_binlog_column *column = &self->columns[self->column_count++];
        struct sw_error inner = {0};
        const struct sw_binlog_described described = {.data_type = cell(&rows, i, "type"), .column_type = cell(&rows, i, "whole"), .charset = cell(&rows, i, "charset"), .octets = number(cell(&rows, i, "octets")),
                                                      .precision = number(cell(&rows, i, "digits")), .scale = number(cell(&rows, i, "scale"))};
        code = copy(&column->name, cell(&rows, i, "name"), error);
        if (code == SW_OK && (code = sw_binlog_column_describe(column, &charsets, &described, &inner)) != SW_OK)
            sw_fail(error, code, "table %.100s.%.100s, column %.100s: %.500s", self->database, self->table, column->name, inner.text);
        if (code == SW_OK) {
            sw_buffer_add_text(list, i ? ", " : "");
            sw_mariadb_quote_name(list, column->name);
        }
    }
    sw_binlog_charsets_free(&charsets);
    sw_rows_free(&rows);
    return code;
}

/* The types that the rows of the table have when they are read as rows: the events' are the same, in `before` and `after`. */
static enum sw_code read_types(struct sw_binlog_source *self, const struct sw_buffer *list, struct sw_error *error)
{
    struct sw_buffer sql = {0};
    sw_buffer_add_text(&sql, "SELECT ");
    sw_buffer_add_bytes(&sql, sw_buffer_view(list));
    sw_buffer_add_text(&sql, " FROM ");
    sw_mariadb_quote_name(&sql, self->database);
    sw_buffer_add_byte(&sql, '.');
    sw_mariadb_quote_name(&sql, self->table);
    sw_buffer_add_text(&sql, " LIMIT 0");
    const char *text = sw_buffer_text(&sql);
    enum sw_code code = text && !list->failed ? sw_mariadb_select(self->connection, text, error) : sw_fail_memory(error, "a statement", sql.len);
    sw_buffer_free(&sql);
    if (code != SW_OK)
        return code;
    size_t count;
    struct sw_client_row none;
    const struct sw_client_column *columns = sw_mariadb_columns(&count, self->connection);
    struct sw_field_tree *tree = self->fields = sw_calloc(1, sizeof *tree);
    bool added = tree && sw_field_tree_add(tree, SW_FIELD_NONE, (struct sw_bytes){0}, NULL) != SW_FIELD_NONE;
    for (int image = 0; added && image < 2; image++) {
        uint32_t parent = sw_field_tree_add(tree, 0, sw_bytes_text(image ? "before" : "after"), NULL);
        added = parent != SW_FIELD_NONE;
        for (size_t i = 0; added && i < count; i++) {
            struct sw_type type;
            bool typed;
            (void)sw_mariadb_column_type(&type, &typed, &columns[i]);
            added = sw_field_tree_add(tree, parent, sw_bytes_text(columns[i].name), typed ? &type : NULL) != SW_FIELD_NONE;
        }
    }
    if (!added)
        return sw_fail_memory(error, "columns", count);
    sw_field_tree_settle(tree);
    while ((code = sw_mariadb_row(&none, self->connection, error)) == SW_OK)
        ;
    return code == SW_END ? SW_OK : code;
}

static enum sw_code read_catalogue(struct sw_binlog_source *self, struct sw_error *error)
{
    struct sw_buffer list = {0};
    enum sw_code code = sw_mariadb_find_table(&self->database, &self->table, self->connection, self->locator->schema, self->locator->table, error);
    if (code == SW_OK)
        code = read_collations(self, error);
    if (code == SW_OK)
        code = read_columns(self, &list, error);
    if (code == SW_OK)
        code = read_types(self, &list, error);
    sw_buffer_free(&list);
    return code;
}

/* ---- what the log does not show ---- */

/* Is the name in a list with commas? */
static bool lists(struct sw_bytes list, const char *name)
{
    for (size_t at = 0; at < list.len;) {
        const uint8_t *comma = memchr(list.at + at, ',', list.len - at);
        size_t len = comma ? (size_t)(comma - list.at) - at : list.len - at;
        if (sw_bytes_is(sw_bytes_of(list.at + at, len), name))
            return true;
        at += len + 1;
    }
    return false;
}

/* The server may leave a database out of its log. */
static enum sw_code check_filters(struct sw_binlog_source *self, struct sw_error *error)
{
    struct sw_rows rows = {0};
    bool renamed = !self->mariadb && sw_mariadb_version(self->connection) >= 80200;
    enum sw_code code = SW_OK;
    if (sw_mariadb_query(&rows, self->connection, renamed ? "SHOW BINARY LOG STATUS" : "SHOW MASTER STATUS", NULL) == SW_OK) {
        struct sw_bytes only = cell(&rows, 0, "Binlog_Do_DB"), without = cell(&rows, 0, "Binlog_Ignore_DB");
        if ((only.len && !lists(only, self->database)) || (!only.len && lists(without, self->database)))
            code = sw_fail(error, SW_ERR_USAGE, "the server leaves the database %.100s out of its binary log (%s): its changes are not there", self->database, only.len ? "binlog_do_db" : "binlog_ignore_db");
    }
    sw_rows_free(&rows);
    return code;
}

/* Whether a variable of the server has a value; one that it does not know has none. */
static bool is_set(struct sw_binlog_source *self, const char *name, const char *value)
{
    struct sw_rows rows = {0};
    bool set = ask(&rows, self, "SHOW GLOBAL VARIABLES LIKE ?", name, "", NULL) == SW_OK && sw_bytes_is(cell(&rows, 0, "Value"), value);
    sw_rows_free(&rows);
    return set;
}

static enum sw_code tell(struct sw_binlog_source *self, struct sw_error *error)
{
    struct sw_rows rows = {0};
    struct sw_buffer *out = &self->told;
    enum sw_code code = check_filters(self, error);
    if (code == SW_OK && ask(&rows, self, "SELECT table_type AS kind FROM information_schema.tables WHERE table_schema = ? AND table_name = ?", self->database, self->table, NULL) == SW_OK) {
        struct sw_bytes kind = cell(&rows, 0, "kind");
        if (sw_bytes_is(kind, "SYSTEM VERSIONED"))
            code = sw_fail(error, SW_ERR_UNSUPPORTED, "the table %.100s.%.100s keeps its history (system versioning), and its rows of the past stand in the binary log like others: not read", self->database, self->table);
        else if (!sw_bytes_is(kind, "BASE TABLE"))
            code = sw_fail(error, SW_ERR_USAGE, "%.100s.%.100s is no table that has rows of its own (%.*s): the binary log holds changes of tables", self->database, self->table, (int)(kind.len < 40 ? kind.len : 40),
                           kind.len ? (const char *)kind.at : "");
    }
    sw_rows_free(&rows);
    rows = (struct sw_rows){0};
    sw_buffer_add_text(out, "all changes of the table were logged: a session with sql_log_bin=0 leaves none\n");
    if (is_set(self, "log_slave_updates", "OFF") || is_set(self, "log_replica_updates", "OFF"))
        sw_buffer_add_text(out, "no change of the table came by replication: log_slave_updates is off, and such changes are then not in this server's log\n");
    if (!is_set(self, "binlog_row_metadata", "FULL"))
        sw_buffer_add_text(out, "where the log has no names of columns, they are today's (binlog_row_metadata is not FULL)\n");
    if (code == SW_OK)
        code = ask(&rows, self, "SELECT constraint_name AS name, delete_rule AS removal, update_rule AS renewal FROM information_schema.referential_constraints WHERE constraint_schema = ? AND table_name = ? "
                   "AND (delete_rule NOT IN ('RESTRICT', 'NO ACTION') OR update_rule NOT IN ('RESTRICT', 'NO ACTION')) ORDER BY 1", self->database, self->table, error);
    for (size_t i = 0; code == SW_OK && i < rows.table.row_count; i++) {
        struct sw_bytes name = cell(&rows, i, "name"), removal = cell(&rows, i, "removal"), renewal = cell(&rows, i, "renewal");
        sw_buffer_printf(out, "no row was changed by the foreign key %.*s (ON DELETE %.*s, ON UPDATE %.*s): the storage engine does that, and the binary log does not show it\n", (int)(name.len < 100 ? name.len : 100),
                         (const char *)name.at, (int)(removal.len < 20 ? removal.len : 20), (const char *)removal.at, (int)(renewal.len < 20 ? renewal.len : 20), (const char *)renewal.at);
    }
    sw_rows_free(&rows);
    return code == SW_OK && !sw_buffer_text(out) ? sw_fail_memory(error, "what is taken for granted", 0) : code;
}

/* ---- from where to where ---- */

static uint64_t file_number(const char *file)
{
    struct sw_binlog_file parts;
    return sw_binlog_file_parse(&parts, (const uint8_t *)file, strlen(file)) ? parts.suffix : 0;
}

/* The GTID at which a place stands, where the server tells (MariaDB); else NULL. */
static enum sw_code gtid_at(char **out, struct sw_binlog_source *self, const struct place *place, struct sw_error *error)
{
    struct sw_rows rows = {0};
    char digits[24];
    enum sw_code code = SW_OK;
    snprintf(digits, sizeof digits, "%llu", (unsigned long long)place->position);
    if (self->mariadb && ask(&rows, self, "SELECT BINLOG_GTID_POS(?, CAST(? AS UNSIGNED)) AS gtid", place->file, digits, NULL) == SW_OK && cell(&rows, 0, "gtid").at)
        code = copy(out, cell(&rows, 0, "gtid"), error);
    sw_rows_free(&rows);
    return code;
}

static enum sw_code read_server(struct sw_binlog_source *self, struct sw_error *error)
{
    struct sw_rows rows = {0};
    enum sw_code code = ask(&rows, self, "SELECT @@global.log_bin AS log_bin, @@global.lower_case_table_names AS folds", "", "", error);
    if (code == SW_OK && number(cell(&rows, 0, "log_bin")) == 0)
        code = sw_fail(error, SW_ERR_USAGE, "the server writes no binary log (log_bin is off)");
    self->fold_case = code == SW_OK && number(cell(&rows, 0, "folds")) != 0;
    sw_rows_free(&rows);
    return code;
}

/* The oldest file and the end, from the server's list of files; and of `wanted`, if it is there, its size. */
static enum sw_code read_files(struct sw_binlog_source *self, const char *wanted, uint64_t *wanted_size, struct sw_error *error)
{
    struct sw_rows rows = {0};
    struct sw_error inner = {0};
    *wanted_size = 0;
    enum sw_code code = sw_mariadb_query(&rows, self->connection, "SHOW BINARY LOGS", &inner);
    if (code != SW_OK) {
        sw_rows_free(&rows);
        return sw_mariadb_number(self->connection) == NO_GRANT ? fail_grant(self, &inner, error) : sw_fail(error, code, "%s", inner.text);
    }
    size_t count = rows.table.row_count;
    if (!count)
        code = sw_fail(error, SW_ERR_REMOTE, "the server lists no file of its binary log");
    if (code == SW_OK)
        code = copy(&self->oldest.file, cell(&rows, 0, "Log_name"), error);
    if (code == SW_OK)
        code = copy(&self->end.file, cell(&rows, count - 1, "Log_name"), error);
    if (code == SW_OK) {
        self->oldest.position = SW_BINLOG_HEAD;
        self->end.position = number(cell(&rows, count - 1, "File_size"));
    }
    for (size_t i = 0; wanted && i < count; i++)
        if (sw_bytes_is(cell(&rows, i, "Log_name"), wanted))
            *wanted_size = number(cell(&rows, i, "File_size"));
    sw_rows_free(&rows);
    if (code == SW_OK)
        code = gtid_at(&self->end_gtid, self, &self->end, error);
    if (code == SW_OK && !self->mariadb) {
        struct sw_rows set = {0};
        if (ask(&set, self, "SELECT @@global.gtid_executed AS executed", "", "", NULL) == SW_OK)
            code = copy(&self->executed, cell(&set, 0, "executed"), error);
        sw_rows_free(&set);
    }
    return code == SW_OK ? gtid_at(&self->oldest_gtid, self, &self->oldest, error) : code;
}

/* What is asked for is no longer there. */
static enum sw_code fail_purged(const struct sw_binlog_source *self, const char *what, struct sw_error *error)
{
    bool known = self->oldest_gtid;
    return sw_fail(error, SW_ERR_INPUT, "%.200s is no longer in the binary log: the server removed it; the oldest place that is left is %.200s:4%s%.100s. What lies between is lost to this log: read the removed files from a backup at a scratch server, as one more --events (docs/recovery.md), or take a baseline behind that place",
                   what, self->oldest.file, known ? (*self->oldest_gtid ? ", behind GTID " : ", its first transaction") : "", known ? self->oldest_gtid : "");
}

static enum sw_code begin_at_file(struct sw_binlog_source *self, const char *given, struct sw_error *error)
{
    const char *colon = strrchr(given, ':');
    uint64_t size;
    if (strcmp(given, "beginning") == 0) {
        enum sw_code code = read_files(self, NULL, &size, error);
        self->from.position = SW_BINLOG_HEAD;
        return code == SW_OK ? copy(&self->from.file, sw_bytes_text(self->oldest.file), error) : code;
    }
    size_t digits = colon ? strspn(colon + 1, "0123456789") : 0;
    if (!colon || colon == given || !digits || colon[1 + digits] || digits > 18)
        return sw_fail(error, SW_ERR_USAGE, "binlog is FILE:POSITION, such as binlog.000042:1234, or beginning; found '%.100s'", given);
    self->from.position = strtoull(colon + 1, NULL, 10);
    enum sw_code code = copy(&self->from.file, sw_bytes_of(given, (size_t)(colon - given)), error);
    if (code == SW_OK)
        code = read_files(self, self->from.file, &size, error);
    if (code != SW_OK)
        return code;
    if (!size && file_number(self->from.file) && file_number(self->from.file) < file_number(self->oldest.file))
        return fail_purged(self, given, error);
    if (!size)
        return sw_fail(error, SW_ERR_USAGE, "the server has no binary log %.100s; it has %.100s to %.100s", self->from.file, self->oldest.file, self->end.file);
    if (self->from.position < SW_BINLOG_HEAD || self->from.position > size)
        return sw_fail(error, SW_ERR_USAGE, "the position %llu lies outside of the file %.100s, which goes from 4 to %llu", (unsigned long long)self->from.position, self->from.file,
                       (unsigned long long)size);
    return gtid_at(&self->from_gtid, self, &self->from, error);
}

/* Do two lists name the same GTIDs, whatever their order? */
static bool same_gtids(const char *a, const char *b)
{
    size_t count[2] = {1, 1};
    for (int side = 0; side < 2; side++)
        for (const char *at = side ? b : a; *at; at++)
            count[side] += *at == ',';
    for (const char *at = a; count[0] == count[1] && *at;) {
        size_t len = strcspn(at, ",");
        bool found = false;
        for (const char *other = b; *other && !found; other += strcspn(other, ","), other += *other == ',')
            found = strcspn(other, ",") == len && strncmp(at, other, len) == 0;
        if (!found)
            return false;
        at += len;
        at += *at == ',';
    }
    return count[0] == count[1];
}

static enum sw_code begin_at_mariadb_gtid(struct sw_binlog_source *self, const char *given, struct sw_error *error)
{
    uint64_t size;
    for (const char *at = given; *at; at += strcspn(at, ","), at += *at == ',') {
        struct sw_mariadb_gtid one;
        if (!sw_mariadb_gtid_parse(&one, (const uint8_t *)at, strcspn(at, ",")))
            return sw_fail(error, SW_ERR_USAGE, "gtid is a list of GTIDs, one a domain, such as 0-1-500,7-3-12; found '%.100s'", given);
    }
    enum sw_code code = copy(&self->from_gtid, sw_bytes_text(given), error);
    if (code == SW_OK)
        code = read_files(self, NULL, &size, error);
    self->ended = code == SW_OK && self->end_gtid && same_gtids(given, self->end_gtid);
    if (code == SW_OK)
        code = copy(&self->from.file, (struct sw_bytes){0}, error);
    return code == SW_OK ? run(self, "SET @slave_connect_state = ?, @slave_gtid_strict_mode = 0, @slave_gtid_ignore_duplicates = 0", given, error) : code;
}

/* MySQL: from the newest file before which nothing was written that is not in the set; transactions of the set are then left out. */
static enum sw_code begin_at_mysql_gtid(struct sw_binlog_source *self, const char *given, struct sw_error *error)
{
    struct sw_rows files = {0};
    uint64_t size;
    enum sw_code code = sw_gtid_set_parse(&self->skip, sw_bytes_text(given), NULL, error);
    if (code == SW_OK)
        code = copy(&self->from_gtid, sw_bytes_text(given), error);
    if (code == SW_OK)
        code = read_files(self, NULL, &size, error);
    if (code == SW_OK)
        code = sw_mariadb_query(&files, self->connection, "SHOW BINARY LOGS", error);
    for (size_t i = files.table.row_count; code == SW_OK && i-- > 0 && !self->from.file;) {
        struct sw_rows events = {0};
        struct sw_gtid_set before = {0};
        char *file = NULL;
        code = copy(&file, cell(&files, i, "Log_name"), error);
        if (code == SW_OK)
            code = ask(&events, self, "SHOW BINLOG EVENTS IN ? LIMIT 3", file, "", error);
        for (size_t row = 0; code == SW_OK && row < events.table.row_count; row++)
            if (sw_bytes_is(cell(&events, row, "Event_type"), "Previous_gtids") && sw_gtid_set_parse(&before, cell(&events, row, "Info"), NULL, NULL) == SW_OK && sw_gtid_set_contains(&self->skip, &before)) {
                self->from = (struct place){file, SW_BINLOG_HEAD};
                file = NULL;
                break;
            }
        sw_gtid_set_free(&before);
        sw_rows_free(&events);
        sw_free(file);
    }
    sw_rows_free(&files);
    return code == SW_OK && !self->from.file ? fail_purged(self, "what follows that set of GTIDs", error) : code;
}

static enum sw_code find_places(struct sw_binlog_source *self, struct sw_error *error)
{
    const char *file = sw_locator_parameter(self->locator, "binlog"), *gtid = sw_locator_parameter(self->locator, "gtid");
    if (file && gtid)
        return sw_fail(error, SW_ERR_USAGE, "binlog and gtid both say where reading begins: give one");
    enum sw_code code = read_server(self, error);
    if (code != SW_OK)
        return code;
    if (file)
        return begin_at_file(self, file, error);
    return self->mariadb ? begin_at_mariadb_gtid(self, gtid, error) : begin_at_mysql_gtid(self, gtid, error);
}

/* What was read, for the report: places as `position` reads them. */
static enum sw_code tell_position(struct sw_binlog_source *self, struct sw_source_cut *cut, struct sw_error *error)
{
    char now[SW_CUT_NOW_MAX];
    struct sw_buffer *out = &self->position;
    sw_source_cut_now(now);
    sw_buffer_add_text(out, "from ");
    if (*self->from.file)
        sw_buffer_printf(out, "binary log %.200s:%llu", self->from.file, (unsigned long long)self->from.position);
    if (self->from_gtid && *self->from_gtid)
        sw_buffer_printf(out, "%sgtid %.200s", *self->from.file ? ", " : "", self->from_gtid);
    sw_buffer_printf(out, " up to binary log %.200s:%llu", self->end.file, (unsigned long long)self->end.position);
    if (self->end_gtid && *self->end_gtid)
        sw_buffer_printf(out, ", gtid %.200s", self->end_gtid);
    sw_buffer_printf(out, ", %s", now);
    struct sw_buffer begin = {0}, end = {0};
    if (*self->from.file)
        sw_buffer_printf(&begin, "%s:%llu", self->from.file, (unsigned long long)self->from.position);
    else
        sw_buffer_add_text(&begin, self->from_gtid);
    sw_buffer_printf(&end, "%s:%llu", self->end.file, (unsigned long long)self->end.position);
    cut->kind = self->mariadb ? SW_CUT_MARIADB : SW_CUT_MYSQL;
    bool taken = sw_source_cut_take(&cut->from, &begin);
    taken = (self->mariadb ? sw_source_cut_take(&cut->position, &end) : sw_source_cut_take_bytes(&cut->position, sw_bytes_text(self->executed ? self->executed : ""))) && taken;
    taken = (!self->end_gtid || sw_source_cut_take_bytes(&cut->gtid, sw_bytes_text(self->end_gtid))) && taken;
    taken = sw_mariadb_tell_log(&cut->log, self->connection) && sw_source_cut_take_bytes(&cut->at, sw_bytes_text(now)) && taken;
    cut->exact = self->mariadb;
    sw_buffer_free(&end);
    return sw_buffer_text(out) && taken ? SW_OK : sw_fail_memory(error, "a position", 0);
}

/* ---- reading ---- */

static enum sw_code begin_reading(struct sw_binlog_source *self, struct sw_error *error)
{
    const struct sw_binlog_options options = {
        .database = self->database, .table = self->table, .fold_case = self->fold_case, .mariadb = self->mariadb, .file = self->from.file,
        .catalogue = {self->columns, self->column_count, self->collations, self->collation_count, self->mariadb}, .position = *self->from.file ? self->from.position : SW_BINLOG_HEAD,
        .skip = self->skip.source_count ? &self->skip : NULL, .record_bytes_max = self->record_bytes_max, .held_bytes_max = HELD_BYTES_MAX, .event_bytes_max = sw_binlog_packet_max(self->record_bytes_max)};
    enum sw_code code = sw_binlog_open(&self->log, &options, error);
    self->ended |= code == SW_OK && sw_binlog_reached(self->log, self->end.file, self->end.position);
    if (code != SW_OK || self->ended)
        return code;
    code = run(self, "SET @mariadb_slave_capability = 4, @master_binlog_checksum = @@global.binlog_checksum, @source_binlog_checksum = @@global.binlog_checksum", NULL, error);
    return code == SW_OK ? sw_mariadb_dump(self->connection, *self->from.file ? self->from.file : NULL, options.position, error) : code;
}

static enum sw_code explain(struct sw_binlog_source *self, const struct sw_error *inner, struct sw_error *error)
{
    unsigned why = sw_mariadb_number(self->connection);
    if (why == NO_GRANT)
        return fail_grant(self, inner, error);
    if (why == LOG_ERROR && strstr(inner->text, "max_allowed_packet"))
        return sw_fail(error, SW_ERR_USAGE, "there is no event at the place where reading is to begin (position of a transaction's beginning or end, as SHOW BINLOG EVENTS lists them)");
    if (why == LOG_ERROR && (strstr(inner->text, "purged") || strstr(inner->text, "too old")))
        return fail_purged(self, "what follows that GTID", error);
    if (why == LOST)
        return sw_fail(error, SW_ERR_REMOTE, "%.500s; or an event of the log, of this table or another, is larger than %llu bytes: a larger --record-max allows more", inner->text,
                       (unsigned long long)sw_binlog_packet_max(self->record_bytes_max));
    return sw_fail(error, inner->code, "%s", inner->text);
}

static enum sw_code take_event(struct sw_binlog_source *self, struct sw_error *error)
{
    struct sw_bytes event;
    struct sw_error inner = {0};
    const char *file;
    uint64_t position;
    enum sw_code code = sw_mariadb_dump_next(&event, self->connection, &inner);
    if (code == SW_OK)
        return sw_binlog_take(self->log, event, error);
    if (code != SW_END)
        return explain(self, &inner, error);
    sw_binlog_place(&file, &position, self->log);
    return sw_fail(error, SW_ERR_REMOTE, "the server ended its answer at %.200s:%llu, before the end at %.200s:%llu: was the reader killed? Nothing is claimed", *file ? file : "its beginning",
                   (unsigned long long)position, self->end.file, (unsigned long long)self->end.position);
}

/* The next line, in self->line; SW_END at the end that was fixed when reading began. */
static enum sw_code next_line(struct sw_binlog_source *self, struct sw_error *error)
{
    for (;;) {
        enum sw_code code = sw_binlog_line(&self->line, &self->too_long, self->log, error);
        if (code != SW_END)
            return code;
        if (self->ended || sw_binlog_reached(self->log, self->end.file, self->end.position))
            return SW_END;
        if ((code = take_event(self, error)) != SW_OK)
            return code;
    }
}

static enum sw_code fill(struct sw_block *block, struct sw_binlog_source *self, struct sw_error *error)
{
    enum sw_code code = sw_source_room(block, self->block_bytes, false, self->budget, error);
    block->len = 0;
    while (code == SW_OK && block->len < self->block_bytes && !self->too_long) {
        code = next_line(self, error);
        if (code != SW_OK || self->too_long)
            break;
        if (block->capacity < block->len + self->line.len + SW_BLOCK_PADDING && (code = sw_source_room(block, (block->len + self->line.len) * 2, true, self->budget, error)) != SW_OK)
            break;
        memcpy(block->data + block->len, self->line.at, self->line.len);
        block->len += self->line.len;
    }
    if (code == SW_OK && block->len == 0 && self->too_long) { /* in a block of its own */
        block->oversized = self->too_long;
        block->oversized_lines = 1;
        self->too_long = 0;
    }
    self->ended |= code == SW_END;
    return code == SW_END && block->len ? SW_OK : code;
}

static enum sw_code open_all(struct sw_binlog_source *self, struct sw_source_cut *cut, const struct sw_connector_request *request, struct sw_error *error)
{
    if (request->query || !self->locator->table)
        return sw_fail(error, SW_ERR_USAGE, "the binary log is read for one table: its name ends the locator, as in #DATABASE.TABLE, and there is no query");
    /* the catalogue first: what alters the table after it lies before the end, and is seen */
    enum sw_code code = read_catalogue(self, error);
    if (code == SW_OK)
        code = find_places(self, error);
    if (code == SW_OK)
        code = tell(self, error);
    if (code == SW_OK)
        code = tell_position(self, cut, error);
    if (code == SW_OK)
        code = begin_reading(self, error);
    if (code == SW_OK && (code = fill(&self->first, self, error)) == SW_END)
        code = SW_OK;
    return code;
}

enum sw_code sw_binlog_source_open(struct sw_binlog_source **out, struct sw_input *shown, struct sw_mariadb *connection, const struct sw_locator *locator, const struct sw_connector_request *request, struct sw_error *error)
{
    struct sw_binlog_source *self = *out = sw_calloc(1, sizeof *self);
    if (!self)
        return sw_fail_memory(error, "a source", sizeof *self);
    self->connection = connection;
    self->locator = locator;
    self->mariadb = sw_mariadb_is_mariadb(connection);
    self->block_bytes = request->block_bytes;
    self->record_bytes_max = request->record_bytes_max;
    self->budget = request->budget;
    enum sw_code code = open_all(self, &shown->cut, request, error);
    if (code != SW_OK) {
        sw_binlog_source_close(out);
        return code;
    }
    shown->framing = SW_FRAMING_LINES;
    shown->compression = "none";
    shown->format = "debezium";
    shown->fields = self->fields;
    shown->position = (const char *)self->position.at;
    shown->told = (const char *)self->told.at;
    shown->no_sha256 = "events that a server sends have no stored bytes of their own here";
    shown->head = sw_bytes_of(self->first.data, self->first.len < HEAD_BYTES ? self->first.len : HEAD_BYTES);
    return SW_OK;
}

enum sw_code sw_binlog_source_next(struct sw_block *block, struct sw_binlog_source *self, struct sw_error *error)
{
    if (!self->first_given) {
        self->first_given = true;
        enum sw_code code = sw_source_give_first(block, &self->first, self->ended, self->budget, error);
        if (code != SW_OK || block->len || block->oversized)
            return code;
    }
    return self->ended && !self->too_long ? SW_END : fill(block, self, error);
}
