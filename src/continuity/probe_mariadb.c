/* MariaDB and MySQL: the binary logs that are left, where they begin, and the settings that decide what stands in them and for how long.
 * Sources: MariaDB documentation, "Binary Log", "Global Transaction ID", "SHOW BINLOG EVENTS"; MySQL manual, "The Binary Log". */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "client/mariadb.h"
#include "continuity/probe.h"
#include "position/binlog.h"
#include "position/scan.h"

static const struct sw_continuity_rule rule_border = {
    "mysql.file.border",
    "a saved offset that is no border between two events was saved from another file of that name",
    "MariaDB documentation, \"SHOW BINLOG EVENTS\"",
};

struct facts {
    struct sw_probe *probe;
    struct sw_mariadb *connection;
    bool mariadb;
    const struct sw_rows *logs, *status; /* NULL: not told */
    bool border_asked, border_wrong;
};

static bool is_denied(unsigned number) { return number == 1227 || number == 1142 || number == 1044 || number == 1045 || number == 1370; }

/* One question. What the user may not see, or the server does not have, is no failure: *out is NULL then. */
static enum sw_code ask(struct sw_rows **out, struct facts *facts, const char *sql, const char *what, const char *grant)
{
    struct sw_error fault = {0};
    *out = sw_probe_answer(facts->probe);
    enum sw_code code = sw_mariadb_query(*out, facts->connection, sql, &fault);
    if (code >= 0)
        return SW_OK;
    *out = NULL;
    unsigned number = sw_mariadb_number(facts->connection);
    if (!is_denied(number) && number != 1381 /* no binary logging */ && number != 1220 /* a log that went meanwhile */ && number != 1064 && number != 1193)
        return sw_fail(facts->probe->error, fault.code, "%s", fault.text);
    if (is_denied(number)) {
        sw_sentences_add(&facts->probe->reasons, "%s was refused to this user: grant %s ON *.*", what, grant);
        sw_sentences_add(&facts->probe->obligations, "grant %s, and probe again", grant);
    } else {
        sw_sentences_add(&facts->probe->limits, "%s: %.300s", what, fault.text);
    }
    return SW_OK;
}

static const char *privilege(const struct facts *facts) { return facts->mariadb ? "BINLOG MONITOR" : "REPLICATION CLIENT, REPLICATION SLAVE"; }

/* ---- the server and its logs ---- */

static const char variables_sql[] =
    "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('log_bin', 'server_id', 'server_uuid', 'hostname', 'read_only', 'binlog_format', 'binlog_row_image', 'binlog_row_metadata', 'binlog_row_value_options', "
    "'binlog_expire_logs_seconds', 'binlog_expire_logs_auto_purge', 'expire_logs_days', 'max_binlog_size', 'max_binlog_total_size', 'sync_binlog', 'innodb_flush_log_at_trx_commit', 'log_slave_updates', "
    "'log_replica_updates', 'gtid_mode', 'gtid_executed', 'gtid_purged', 'gtid_strict_mode', 'gtid_binlog_pos', 'gtid_binlog_state', 'gtid_domain_id', 'encrypt_binlog', 'slave_connections_needed_for_purge')";

static enum sw_code ask_oldest(struct facts *facts)
{
    struct sw_rows *rows;
    struct sw_buffer sql = {0};
    sw_buffer_add_text(&sql, "SHOW BINLOG EVENTS IN ");
    sw_mariadb_quote_text(&sql, facts->connection, sw_rows_first(facts->logs, "Log_name"));
    sw_buffer_add_text(&sql, " LIMIT 5");
    const char *text = sw_buffer_text(&sql);
    enum sw_code code = text ? ask(&rows, facts, text, "SHOW BINLOG EVENTS", privilege(facts)) : sw_fail_memory(facts->probe->error, "a statement", sql.len);
    sw_buffer_free(&sql);
    return code;
}

static enum sw_code ask_logs(struct facts *facts)
{
    struct sw_rows *rows;
    enum sw_code code = ask(&rows, facts, "SHOW BINARY LOGS", "SHOW BINARY LOGS", privilege(facts));
    facts->logs = rows && rows->table.row_count ? rows : NULL;
    for (size_t row = 0; code >= 0 && facts->logs && row < rows->table.row_count; row++)
        sw_probe_object(facts->probe, "binary log", &rows->table, row);
    if (code >= 0) {
        bool newer = !facts->mariadb && sw_mariadb_version(facts->connection) >= 80200;
        code = ask(&rows, facts, newer ? "SHOW BINARY LOG STATUS" : "SHOW MASTER STATUS", newer ? "SHOW BINARY LOG STATUS" : "SHOW MASTER STATUS", privilege(facts));
        facts->status = rows;
    }
    if (code >= 0 && facts->mariadb && facts->logs)
        code = ask_oldest(facts);
    return code;
}

/* Whether the saved offset is a border between events of its file: after a reset, a file of the same name is another one. */
static enum sw_code ask_border(struct facts *facts)
{
    const char *saved = facts->probe->options->saved, *at = strchr(saved, '@');
    size_t len = at ? (size_t)(at - saved) : strlen(saved), colon = len;
    uint64_t offset, size = 0;
    bool listed = false;
    if (strcmp(facts->probe->gap.kind, "mysql") != 0 || !facts->logs)
        return SW_OK;
    while (colon > 0 && saved[colon - 1] != ':')
        colon--;
    if (!colon || !sw_scan_whole_u64(sw_bytes_of(saved + colon, len - colon), &offset))
        return SW_OK;
    const struct sw_client_table *table = &facts->logs->table;
    for (size_t row = 0; row < table->row_count; row++)
        if (sw_bytes_equal(sw_client_table_cell(table, row, "Log_name"), sw_bytes_of(saved, colon - 1)))
            listed = sw_scan_whole_u64(sw_client_table_cell(table, row, "File_size"), &size);
    if (!listed || offset <= SW_BINLOG_HEAD || offset >= size)
        return SW_OK;
    struct sw_buffer sql = {0};
    struct sw_rows rows = {0};
    sw_buffer_add_text(&sql, "SHOW BINLOG EVENTS IN ");
    sw_mariadb_quote_text(&sql, facts->connection, sw_bytes_of(saved, colon - 1));
    sw_buffer_printf(&sql, " FROM %llu LIMIT 1", (unsigned long long)offset);
    const char *text = sw_buffer_text(&sql);
    struct sw_error fault = {0};
    enum sw_code code = text ? sw_mariadb_query(&rows, facts->connection, text, &fault) : sw_fail_memory(&fault, "a statement", sql.len);
    unsigned number = text ? sw_mariadb_number(facts->connection) : 0;
    if (code >= 0 || number == 1220) {
        facts->border_asked = true;
        facts->border_wrong = code < 0;
        code = SW_OK;
    } else if (is_denied(number)) {
        code = SW_OK;
    } else {
        code = sw_fail(facts->probe->error, fault.code, "%s", fault.text);
    }
    sw_rows_free(&rows);
    sw_buffer_free(&sql);
    return code;
}

/* ---- tables ---- */

/* A list of databases as SHOW MASTER STATUS has it, with commas. */
static bool lists(struct sw_bytes list, const char *database)
{
    size_t len = strlen(database), start = 0;
    for (size_t i = 0; i <= list.len; i++)
        if (i == list.len || list.at[i] == ',') {
            if (i - start == len && memcmp(list.at + start, database, len) == 0)
                return true;
            start = i + 1;
        }
    return false;
}

static void weigh_filters(struct facts *facts, const char *database)
{
    struct sw_bytes kept = facts->status ? sw_rows_first(facts->status, "Binlog_Do_DB") : (struct sw_bytes){0}, left_out = facts->status ? sw_rows_first(facts->status, "Binlog_Ignore_DB") : (struct sw_bytes){0};
    if ((kept.len && !lists(kept, database)) || (left_out.len && lists(left_out, database)))
        sw_sentences_add(&facts->probe->conditions, "database %.64s did not change: %s leaves it out of the binary log, without an error", database, kept.len && !lists(kept, database) ? "binlog_do_db" : "binlog_ignore_db");
}

static enum sw_code ask_table(void *ctx, const char *wanted_database, const char *wanted_table)
{
    struct facts *facts = ctx;
    struct sw_probe *probe = facts->probe;
    char *database, *table;
    struct sw_rows rows = {0};
    struct sw_buffer sql = {0}, name = {0};
    enum sw_code code = sw_mariadb_find_table(&database, &table, facts->connection, wanted_database, wanted_table, probe->error);
    if (code < 0)
        return code;
    sw_buffer_add_text(&sql, "SELECT t.engine, (SELECT COUNT(*) FROM information_schema.statistics s WHERE s.table_schema = t.table_schema AND s.table_name = t.table_name AND s.index_name = 'PRIMARY') AS key_columns FROM "
                             "information_schema.tables t WHERE t.table_schema = ");
    sw_mariadb_quote_text(&sql, facts->connection, sw_bytes_text(database));
    sw_buffer_add_text(&sql, " AND t.table_name = ");
    sw_mariadb_quote_text(&sql, facts->connection, sw_bytes_text(table));
    sw_buffer_printf(&name, "%.80s.%.80s", database, table);
    const char *statement = sw_buffer_text(&sql), *whole = sw_buffer_text(&name);
    code = statement && whole ? sw_mariadb_query(&rows, facts->connection, statement, probe->error) : sw_fail_memory(probe->error, "a statement", sql.len);
    if (code >= 0) {
        struct sw_probed_object *object = sw_probed_add(probe->probed, "table");
        bool key = !sw_bytes_is(sw_rows_first(&rows, "key_columns"), "0");
        sw_probed_member(probe->probed, object, "name", sw_bytes_text(whole));
        sw_probed_member(probe->probed, object, "engine", sw_rows_first(&rows, "engine"));
        sw_probed_member(probe->probed, object, "primaryKey", sw_bytes_text(key ? "yes" : "no"));
        if (!key)
            sw_sentences_add(&probe->probed->risks, "%s has no primary key: updates and deletes name their row only by all its columns (binlog_row_image FULL)", whole);
        weigh_filters(facts, database);
    }
    sw_rows_free(&rows);
    sw_buffer_free(&sql);
    sw_buffer_free(&name);
    sw_free(database);
    sw_free(table);
    return code;
}

static enum sw_code ask_tables(struct facts *facts)
{
    bool any = false;
    const char *database = facts->probe->locator.database;
    enum sw_code code = sw_probe_tables(&any, facts->probe, ask_table, facts);
    if (code >= 0 && !any) {
        if (database)
            weigh_filters(facts, database);
        sw_sentences_add(&facts->probe->limits, "keys and engines of tables were not looked at: name the tables with --table");
    }
    return code;
}

/* ---- what follows ---- */

static void weigh_expiry(struct facts *facts)
{
    struct sw_probe *probe = facts->probe;
    struct sw_sentences *risks = &probe->probed->risks;
    int64_t seconds = 0, days = 0, total = 0;
    char text[SW_PROBE_TEXT_MAX];
    bool known = sw_probe_number(&seconds, probe, "binlog_expire_logs_seconds");
    known |= sw_probe_number(&days, probe, "expire_logs_days");
    if (seconds <= 0)
        seconds = days * 86400;
    const char *automatic = sw_probed_setting_of(probe->probed, "binlog_expire_logs_auto_purge");
    if (seconds > 0 && !(automatic && strcmp(automatic, "OFF") == 0))
        sw_sentences_add(risks, "binary logs are purged once they are older than %s; a pipeline that stands longer loses what it has not read", sw_probe_duration(text, seconds * 1000));
    else if (known)
        sw_sentences_add(risks, "no binary log is purged by its age: they grow until somebody purges them or the disk is full");
    if (sw_probe_number(&total, probe, "max_binlog_total_size") && total > 0)
        sw_sentences_add(risks, "max_binlog_total_size is %s: older logs are purged beyond it, whatever their age", sw_probe_bytes(text, total));
    int64_t sync;
    if (sw_probe_number(&sync, probe, "sync_binlog") && sync != 1)
        sw_sentences_add(risks, "sync_binlog is %lld: a crash of the machine can lose transactions from the log that the tables keep", (long long)sync);
}

static void weigh_contents(struct facts *facts)
{
    struct sw_probe *probe = facts->probe;
    struct sw_sentences *risks = &probe->probed->risks;
    const char *log = sw_probed_setting_of(probe->probed, "log_bin"), *format = sw_probed_setting_of(probe->probed, "binlog_format"), *image = sw_probed_setting_of(probe->probed, "binlog_row_image"),
               *metadata = sw_probed_setting_of(probe->probed, "binlog_row_metadata"), *partial = sw_probed_setting_of(probe->probed, "binlog_row_value_options");
    if (log && strcmp(log, "OFF") == 0) {
        sw_sentences_add(&probe->reasons, "log_bin is off: this server writes no binary log");
        sw_sentences_add(&probe->obligations, "look for the server that writes the log the position was saved from");
    }
    if (format && strcmp(format, "ROW") != 0)
        sw_sentences_add(&probe->conditions, "all changes were written as rows: binlog_format is %.20s, and what is written as a statement is no change of rows to a pipeline", format);
    if (image && strcmp(image, "FULL") != 0 && strcmp(image, "FULL_NODUP") != 0)
        sw_sentences_add(risks, "binlog_row_image is %.20s: rows in the log lack columns that did not change", image);
    if (partial && *partial)
        sw_sentences_add(risks, "binlog_row_value_options is %.40s: updates of JSON columns carry only what changed", partial);
    if (metadata && strcmp(metadata, "FULL") != 0)
        sw_sentences_add(risks, "binlog_row_metadata is %.20s: the log does not name its columns, so what was written before a change of the table is read with the columns of today", metadata);
}

static void conclude(struct sw_probe *probe, struct sw_gap_case *gap, void *ctx)
{
    struct facts *facts = ctx;
    struct sw_continuity_report *report = gap->report;
    struct sw_sentences *hidden = &probe->probed->hidden;
    if (facts->border_wrong && report->verdict == SW_CONTINUOUS) {
        sw_continuity_decide(report, SW_CANNOT_TELL, &rule_border, "a file of the saved name is there and long enough, but the saved offset is no border between two of its events: the logs were reset, or are another server's");
        sw_sentences_free(&report->obligations); /* they were for resuming there */
        sw_sentences_add(&report->obligations, "establish which server this is and whether its logs were reset (RESET MASTER); if they were, no saved file and offset holds: new start, and compare the destination with the source");
        sw_sentences_add(hidden, "a connection works, and SHOW BINARY LOGS lists the saved file");
    } else if (facts->border_asked && !facts->border_wrong) {
        sw_sentences_add(&probe->evidence, "the saved offset is a border between two events of its file");
    }
    if (report->verdict == SW_GAP)
        sw_sentences_add(hidden, "the server can be connected to and SHOW MASTER STATUS answers; only reading the log from the saved position fails (error 1236), and a pipeline that is then told to start at the newest position skips the rest without a word");
    else if (report->verdict == SW_CANNOT_TELL && !facts->border_wrong)
        sw_sentences_add(hidden, "a server that was reset, restored or replaced takes connections like the one before; its positions begin anew and may look as if they went on");
    if (strcmp(gap->kind->info.name, "mariadb") == 0)
        sw_sentences_add(&probe->limits, "numbers alone do not show a log that was reset and then grew past the saved number");
    weigh_contents(facts);
    weigh_expiry(facts);
    sw_sentences_add(&probe->limits, "sessions may switch the binary log off for themselves (sql_log_bin); what they changed is in no log");
}

static enum sw_code questions(struct facts *facts)
{
    struct sw_rows *rows;
    char server[120];
    facts->mariadb = sw_mariadb_is_mariadb(facts->connection);
    snprintf(server, sizeof server, "%s %.80s", facts->mariadb ? "MariaDB" : "MySQL", sw_mariadb_version_text(facts->connection));
    facts->probe->probed->server = sw_strdup(server);
    facts->probe->failed |= !facts->probe->probed->server;
    enum sw_code code = ask(&rows, facts, variables_sql, "SHOW GLOBAL VARIABLES", privilege(facts));
    if (code >= 0 && rows)
        sw_probe_settings(facts->probe, &rows->table);
    if (code >= 0)
        code = ask_logs(facts);
    if (code >= 0)
        code = ask_border(facts);
    if (code >= 0)
        code = ask_tables(facts);
    return code < 0 ? code : sw_probe_judge(facts->probe, conclude, facts);
}

enum sw_code sw_probe_mariadb(struct sw_probe *probe)
{
    uint64_t timeout = probe->options->timeout_seconds;
    const struct sw_mariadb_options options = {.statement_timeout_ms = (timeout ? timeout : 15) * 1000, .connect_timeout_s = (uint32_t)timeout};
    struct facts facts = {.probe = probe};
    enum sw_code code = sw_mariadb_open(&facts.connection, &probe->locator, &options, probe->error);
    if (code >= 0)
        code = questions(&facts);
    sw_mariadb_close(&facts.connection);
    return code;
}
