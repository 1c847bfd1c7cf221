/* PostgreSQL: the slot, the system and its timeline, the settings that decide how long WAL is kept, and what of the tables is decoded.
 * Sources: PostgreSQL manual, "System Views: pg_replication_slots", "Logical Decoding", "Logical Replication: Publication", "Replica Identity". */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "client/postgres.h"
#include "continuity/probe.h"

struct facts {
    struct sw_probe *probe;
    struct sw_postgres *connection;
    int version;
    bool standby;
    char *plugin;                     /* of the slot; NULL: no slot was found */
    char timeline[16];
    size_t slots, logical_slots;
    bool slot_found, slot_active, slot_failover, slot_temporary;
    char *slot_database;
    char *database;
    char held[SW_PROBE_TEXT_MAX], safe[SW_PROBE_TEXT_MAX];
    bool extended;
};

static char *copy(struct facts *facts, struct sw_bytes cell)
{
    char *text = cell.at ? sw_strndup((const char *)cell.at, cell.len) : NULL;
    facts->probe->failed |= cell.at && !text;
    return text;
}

static bool is(struct sw_bytes cell, const char *text) { return sw_bytes_is(cell, text); }

static int64_t number(struct sw_bytes cell)
{
    char text[32];
    snprintf(text, sizeof text, "%.*s", cell.len > 30 ? 30 : (int)cell.len, cell.at ? (const char *)cell.at : "0");
    return strtoll(text, NULL, 10);
}

/* One question. What the user may not see is no failure: *out is NULL then, and the report says what is lacking. */
static enum sw_code ask(struct sw_rows **out, struct facts *facts, const char *sql, const char *const *parameters, size_t count, const char *what)
{
    struct sw_error fault = {0};
    *out = sw_probe_answer(facts->probe);
    enum sw_code code = sw_postgres_query(*out, facts->connection, sql, parameters, count, &fault);
    if (code >= 0)
        return SW_OK;
    *out = NULL;
    const char *state = sw_postgres_state(facts->connection);
    if (strcmp(state, "42501") != 0 && strcmp(state, "42883") != 0 && strcmp(state, "42P01") != 0 && strcmp(state, "42703") != 0)
        return sw_fail(facts->probe->error, fault.code, "%s", fault.text);
    sw_sentences_add(&facts->probe->limits, "%s could not be read: %.300s", what, fault.text);
    return SW_OK;
}

/* ---- the server ---- */

static const char settings_sql[] =
    "SELECT name, CASE WHEN setting ~ '^[1-9]' AND unit IS NOT NULL THEN setting || ' ' || unit ELSE setting END AS setting FROM pg_catalog.pg_settings WHERE name IN ('wal_level', 'max_slot_wal_keep_size', 'wal_keep_size', 'max_replication_slots', 'max_wal_senders', "
    "'idle_replication_slot_timeout', 'logical_decoding_work_mem', 'wal_sender_timeout', 'output_plugin_libraries', 'max_wal_size', 'hot_standby_feedback', 'sync_replication_slots', "
    "'archive_mode', 'server_version') ORDER BY name";

static enum sw_code ask_server(struct facts *facts)
{
    struct sw_rows *rows;
    char server[80];
    enum sw_code code = ask(&rows, facts, "SELECT pg_catalog.pg_is_in_recovery() AS in_recovery, pg_catalog.current_database() AS database", NULL, 0, "the state of the server");
    if (code < 0 || !rows)
        return code;
    facts->standby = is(sw_rows_first(rows, "in_recovery"), "t");
    facts->database = copy(facts, sw_rows_first(rows, "database"));
    snprintf(server, sizeof server, "PostgreSQL %d.%d%s", facts->version / 10000, facts->version % 10000, facts->standby ? " (standby)" : "");
    facts->probe->probed->server = sw_strdup(server);
    facts->probe->failed |= !facts->probe->probed->server;
    code = ask(&rows, facts, settings_sql, NULL, 0, "pg_settings");
    if (code >= 0 && rows)
        sw_probe_settings(facts->probe, &rows->table);
    if (code >= 0)
        code = ask(&rows, facts, "SELECT system_identifier FROM pg_catalog.pg_control_system()", NULL, 0, "the system identifier (pg_control_system)");
    if (code < 0)
        return code;
    /* right after a promotion the control file still names the old timeline; the name of the current WAL file does not */
    code = ask(&rows, facts,
        facts->standby ? "SELECT pg_catalog.pg_last_wal_replay_lsn() AS pg_current_wal_lsn, timeline_id FROM pg_catalog.pg_control_checkpoint()"
                       : "SELECT pg_catalog.pg_current_wal_flush_lsn() AS pg_current_wal_lsn, "
                         "('x' || pg_catalog.substr(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_flush_lsn()), 1, 8))::pg_catalog.bit(32)::pg_catalog.int8 AS timeline_id",
        NULL, 0, "the current WAL position");
    if (code >= 0 && rows) {
        struct sw_bytes timeline = sw_rows_first(rows, "timeline_id");
        snprintf(facts->timeline, sizeof facts->timeline, "%.*s", timeline.len > 12 ? 12 : (int)timeline.len, timeline.at ? (const char *)timeline.at : "");
    }
    return code;
}

/* The history of the current timeline, if the saved position is of another one. */
static enum sw_code ask_history(struct facts *facts)
{
    struct sw_position *saved = NULL;
    struct sw_rows rows = {0};
    char sql[96], name[32];
    unsigned long current = strtoul(facts->timeline, NULL, 10);
    if (current < 2 || facts->probe->options->history_count || sw_position_parse(&saved, facts->probe->gap.kind, facts->probe->options->saved, strlen(facts->probe->options->saved), NULL) < 0)
        return SW_OK;
    const char *timeline = sw_position_attribute(saved, "timeline");
    bool same = !timeline || strcmp(timeline, facts->timeline) == 0;
    sw_position_free(&saved);
    if (same)
        return SW_OK;
    snprintf(name, sizeof name, "%08lX.history", current);
    snprintf(sql, sizeof sql, "SELECT pg_catalog.pg_read_file('pg_wal/%s') AS history", name);
    struct sw_error fault = {0};
    enum sw_code code = sw_postgres_query(&rows, facts->connection, sql, NULL, 0, &fault);
    struct sw_bytes text = code >= 0 ? sw_rows_first(&rows, "history") : (struct sw_bytes){0};
    if (text.at) {
        facts->probe->history = (struct sw_named_text){sw_strdup(name), sw_strndup((const char *)text.at, text.len), text.len};
        facts->probe->failed |= !facts->probe->history.name || !facts->probe->history.text;
        sw_sentences_add(&facts->probe->evidence, "the timeline history was read from the server (pg_wal/%s)", name);
    } else if (!*sw_postgres_state(facts->connection)) {
        code = sw_fail(facts->probe->error, fault.code, "%s", fault.text);
        sw_rows_free(&rows);
        return code;
    } else {
        sw_sentences_add(&facts->probe->obligations, "give the timeline history with --history: %s, from pg_wal or the archive of the server; this user may not read it", name);
    }
    sw_rows_free(&rows);
    return SW_OK;
}

/* ---- the slot ---- */

static void find_slot(struct facts *facts, const struct sw_client_table *slots)
{
    const char *wanted = facts->probe->options->slot;
    facts->slots = slots->row_count;
    for (size_t row = 0; row < slots->row_count; row++) {
        bool logical = is(sw_client_table_cell(slots, row, "slot_type"), "logical");
        facts->logical_slots += logical;
        if (wanted ? !is(sw_client_table_cell(slots, row, "slot_name"), wanted) : !logical)
            continue;
        sw_free(facts->slot_database);
        sw_free(facts->plugin);
        facts->slot_found = true;
        facts->plugin = copy(facts, sw_client_table_cell(slots, row, "plugin"));
        facts->slot_database = copy(facts, sw_client_table_cell(slots, row, "database"));
        facts->slot_active = is(sw_client_table_cell(slots, row, "active"), "t");
        facts->slot_failover = is(sw_client_table_cell(slots, row, "failover"), "t");
        facts->slot_temporary = is(sw_client_table_cell(slots, row, "temporary"), "t");
        facts->extended = is(sw_client_table_cell(slots, row, "wal_status"), "extended");
        struct sw_bytes held = sw_client_table_cell(slots, row, "held_bytes"), safe = sw_client_table_cell(slots, row, "safe_wal_size");
        if (held.len)
            sw_probe_bytes(facts->held, number(held));
        if (safe.len)
            sw_probe_bytes(facts->safe, number(safe));
        sw_probe_object(facts->probe, "slot", slots, row);
    }
}

static enum sw_code choose_slot(struct facts *facts, const struct sw_client_table *slots)
{
    struct sw_buffer names = {0};
    const char *wanted = facts->probe->options->slot;
    enum sw_code code = SW_OK;
    if (!wanted && facts->logical_slots > 1) {
        for (size_t row = 0; row < slots->row_count; row++)
            if (is(sw_client_table_cell(slots, row, "slot_type"), "logical")) {
                sw_buffer_add_text(&names, names.len ? ", " : "");
                sw_buffer_add_bytes(&names, sw_client_table_cell(slots, row, "slot_name"));
            }
        const char *text = sw_buffer_text(&names);
        code = sw_fail(facts->probe->error, SW_ERR_USAGE, "%.300s has several logical slots: name the pipeline's with --slot; there are %.500s", facts->probe->locator.shown, text ? text : "");
    } else if (wanted && !facts->slot_found) {
        struct sw_bytes *all = sw_calloc(slots->row_count + 1, sizeof *all);
        for (size_t row = 0; all && row < slots->row_count; row++)
            all[row] = sw_client_table_cell(slots, row, "slot_name");
        if (all)
            sw_near_names(&names, wanted, all, slots->row_count);
        const char *text = sw_buffer_text(&names);
        sw_sentences_add(&facts->probe->reasons, "there is no slot %.64s on this server%s%.200s", wanted, text && *text ? "; near names: " : "", text ? text : "");
        sw_free(all);
    }
    sw_buffer_free(&names);
    return code;
}

static enum sw_code ask_slots(struct facts *facts)
{
    struct sw_rows *rows;
    enum sw_code code = ask(&rows, facts,
        facts->standby ? "SELECT *, pg_catalog.pg_wal_lsn_diff(pg_catalog.pg_last_wal_replay_lsn(), restart_lsn) AS held_bytes FROM pg_catalog.pg_replication_slots ORDER BY slot_name"
                       : "SELECT *, pg_catalog.pg_wal_lsn_diff(pg_catalog.pg_current_wal_lsn(), restart_lsn) AS held_bytes FROM pg_catalog.pg_replication_slots ORDER BY slot_name",
        NULL, 0, "pg_replication_slots");
    if (code < 0 || !rows)
        return code;
    find_slot(facts, &rows->table);
    return choose_slot(facts, &rows->table);
}

/* ---- tables ---- */

static const char table_sql[] =
    "SELECT c.relreplident, c.relkind, c.relpersistence, "
    "EXISTS (SELECT FROM pg_catalog.pg_index i WHERE i.indrelid = c.oid AND i.indisprimary) AS has_key, "
    "EXISTS (SELECT FROM pg_catalog.pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attstorage <> 'p') AS may_toast "
    "FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = $2";

/* A partitioned table may be published by itself or by its partitions. */
static const char published_sql[] =
    "SELECT p.pubname, p.pubinsert, p.pubupdate, p.pubdelete, t.schemaname || '.' || t.tablename AS member%s "
    "FROM pg_catalog.pg_publication p JOIN pg_catalog.pg_publication_tables t ON t.pubname = p.pubname "
    "WHERE ((t.schemaname = $1 AND t.tablename = $2) OR (t.schemaname, t.tablename) IN (SELECT n.nspname, c.relname FROM pg_catalog.pg_partition_tree((pg_catalog.quote_ident($1) || '.' || "
    "pg_catalog.quote_ident($2))::pg_catalog.regclass) x JOIN pg_catalog.pg_class c ON c.oid = x.relid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace)) "
    "AND ($3::text IS NULL OR p.pubname = $3) ORDER BY 1, 5";

static void weigh_identity(struct facts *facts, const char *name, const struct sw_rows *rows)
{
    struct sw_probe *probe = facts->probe;
    struct sw_bytes identity = sw_rows_first(rows, "relreplident");
    bool key = is(sw_rows_first(rows, "has_key"), "t"), toast = is(sw_rows_first(rows, "may_toast"), "t");
    if (is(identity, "n") || (is(identity, "d") && !key)) {
        sw_sentences_add(&probe->conditions, "no row of %s was updated or deleted since: it has %s, so the log holds no key of such rows", name, is(identity, "n") ? "REPLICA IDENTITY NOTHING" : "no primary key, and the default replica identity");
        sw_sentences_add(&probe->obligations, "give %s a primary key or REPLICA IDENTITY FULL; that holds for changes from then on", name);
    } else if (!is(identity, "f") && toast) {
        sw_sentences_add(&probe->probed->risks, "%s has values that may be stored out of line, and no REPLICA IDENTITY FULL: an update that leaves them unchanged does not carry them", name);
    }
    if (is(sw_rows_first(rows, "relpersistence"), "u"))
        sw_sentences_add(&probe->conditions, "%s did not change: it is unlogged, and nothing of it is in the log", name);
}

static void weigh_publications(struct facts *facts, const char *name, const struct sw_client_table *table, struct sw_probed_object *object)
{
    struct sw_probe *probe = facts->probe;
    const char *wanted = probe->options->publication;
    struct sw_buffer names = {0};
    bool inserts = false, updates = false, deletes = false, filtered = false, columns = false;
    for (size_t row = 0; row < table->row_count; row++) {
        struct sw_bytes pubname = sw_client_table_cell(table, row, "pubname");
        if (!row || !sw_bytes_equal(pubname, sw_client_table_cell(table, row - 1, "pubname"))) {
            sw_buffer_add_text(&names, names.len ? ", " : "");
            sw_buffer_add_bytes(&names, pubname);
        }
        inserts |= is(sw_client_table_cell(table, row, "pubinsert"), "t");
        updates |= is(sw_client_table_cell(table, row, "pubupdate"), "t");
        deletes |= is(sw_client_table_cell(table, row, "pubdelete"), "t");
        filtered |= sw_client_table_cell(table, row, "rowfilter").len > 0;
        columns |= is(sw_client_table_cell(table, row, "left_out"), "t");
    }
    const char *text = sw_buffer_text(&names);
    sw_probed_member(probe->probed, object, "publications", sw_bytes_text(text ? text : ""));
    bool needed = wanted || !facts->plugin || strcmp(facts->plugin, "pgoutput") == 0;
    if (needed && !table->row_count) {
        sw_sentences_add(&probe->conditions, "%s did not change: it is in no publication%s%.64s, so its changes are left out of the stream without an error", name, wanted ? " named " : "", wanted ? wanted : "");
        sw_sentences_add(&probe->obligations, "add %s to the publication, then backfill it: what changed before is decoded without it", name);
    } else if (needed && !(inserts && updates && deletes)) {
        sw_sentences_add(&probe->conditions, "%s saw no %s: its publications (%.100s) leave them out without an error", name, !inserts ? "inserts" : !updates ? "updates" : "deletes", text ? text : "");
    }
    if (needed && filtered)
        sw_sentences_add(&probe->probed->hidden, "a publication filters the rows of %s: what the filter leaves out never arrives", name);
    if (needed && columns)
        sw_sentences_add(&probe->probed->hidden, "a publication leaves columns of %s out", name);
    sw_buffer_free(&names);
}

static enum sw_code ask_table(void *ctx, const char *wanted_schema, const char *wanted_table)
{
    struct facts *facts = ctx;
    struct sw_probe *probe = facts->probe;
    char *schema, *table;
    struct sw_rows rows = {0}, published = {0};
    enum sw_code code = sw_postgres_find_table(&schema, &table, facts->connection, wanted_schema, wanted_table, probe->error);
    if (code < 0)
        return code;
    struct sw_buffer whole = {0}, sql = {0};
    sw_buffer_printf(&whole, "%.80s.%.80s", schema, table);
    const char *name = sw_buffer_text(&whole);
    sw_buffer_printf(&sql, published_sql,
        facts->version >= 150000 ? ", t.rowfilter, pg_catalog.cardinality(t.attnames) < (SELECT pg_catalog.count(*) FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid JOIN pg_catalog.pg_namespace n "
                                   "ON n.oid = c.relnamespace WHERE n.nspname = t.schemaname AND c.relname = t.tablename AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS left_out"
                                 : "");
    const char *statement = sw_buffer_text(&sql);
    const char *const parameters[] = {schema, table, probe->options->publication};
    code = name && statement ? sw_postgres_query(&rows, facts->connection, table_sql, parameters, 2, probe->error) : sw_fail_memory(probe->error, "a statement", sql.len);
    if (code >= 0)
        code = sw_postgres_query(&published, facts->connection, statement, parameters, 3, probe->error);
    if (code >= 0) {
        static const struct { const char *letter, *word; } identities[] = {{"d", "default"}, {"n", "nothing"}, {"f", "full"}, {"i", "index"}};
        struct sw_probed_object *object = sw_probed_add(probe->probed, "table");
        struct sw_bytes identity = sw_rows_first(&rows, "relreplident");
        sw_probed_member(probe->probed, object, "name", sw_bytes_text(name));
        for (size_t i = 0; i < 4; i++)
            if (is(identity, identities[i].letter))
                sw_probed_member(probe->probed, object, "replicaIdentity", sw_bytes_text(identities[i].word));
        sw_probed_member(probe->probed, object, "primaryKey", sw_bytes_text(is(sw_rows_first(&rows, "has_key"), "t") ? "yes" : "no"));
        weigh_identity(facts, name, &rows);
        weigh_publications(facts, name, &published.table, object);
    }
    sw_rows_free(&rows);
    sw_rows_free(&published);
    sw_buffer_free(&whole);
    sw_buffer_free(&sql);
    sw_free(schema);
    sw_free(table);
    return code;
}

/* A publication that is named and not there: streaming fails once a change is decoded, and not when it is begun. */
static enum sw_code ask_publication(struct facts *facts)
{
    const char *wanted = facts->probe->options->publication;
    struct sw_rows rows = {0};
    struct sw_buffer near = {0};
    bool found = false;
    if (!wanted)
        return SW_OK;
    enum sw_code code = sw_postgres_query(&rows, facts->connection, "SELECT pubname FROM pg_catalog.pg_publication ORDER BY 1", NULL, 0, facts->probe->error);
    for (size_t row = 0; code >= 0 && row < rows.table.row_count; row++)
        found |= is(rows.table.cells[row], wanted);
    if (code >= 0 && !found) {
        sw_near_names(&near, wanted, rows.table.cells, rows.table.row_count);
        const char *names = sw_buffer_text(&near);
        sw_sentences_add(&facts->probe->conditions, "publication %.64s was there when the log was written, and is again: this database has none of that name%s%.200s", wanted, names && *names ? "; near names: " : "",
            names ? names : "");
        sw_sentences_add(&facts->probe->probed->hidden, "reading the slot begins without publication %.64s, and fails only once a change is decoded", wanted);
    }
    sw_rows_free(&rows);
    sw_buffer_free(&near);
    return code;
}

static enum sw_code ask_tables(struct facts *facts)
{
    bool any = false;
    enum sw_code code = ask_publication(facts);
    if (code >= 0)
        code = sw_probe_tables(&any, facts->probe, ask_table, facts);
    if (code >= 0 && !any)
        sw_sentences_add(&facts->probe->limits, "replica identity and publications were not looked at: name the tables with --table");
    return code;
}

/* ---- what follows ---- */

static void weigh_risks(struct facts *facts)
{
    struct sw_probe *probe = facts->probe;
    struct sw_sentences *risks = &probe->probed->risks;
    const char *level = sw_probed_setting_of(probe->probed, "wal_level"), *plugins = sw_probed_setting_of(probe->probed, "output_plugin_libraries");
    int64_t limit, idle, slots;
    char text[SW_PROBE_TEXT_MAX];
    if (level && strcmp(level, "logical") != 0)
        sw_sentences_add(&probe->conditions, "wal_level was logical all the time since: it is %.20s now, and what is written so cannot be decoded", level);
    bool limited = sw_probe_number(&limit, probe, "max_slot_wal_keep_size") && limit >= 0;
    if (facts->slot_found && limited)
        sw_sentences_add(risks, "max_slot_wal_keep_size is %s: the slot is lost once it holds back more; it holds back %s, and %s may still be written", sw_probe_bytes(text, limit << 20), *facts->held ? facts->held : "an unknown amount",
            *facts->safe ? facts->safe : "an unknown amount");
    else if (facts->slot_found)
        sw_sentences_add(risks, "max_slot_wal_keep_size is not limited: WAL kept for the slot (%s now) grows until the disk is full and the server stops; watch it while the pipeline stands", *facts->held ? facts->held : "an unknown amount");
    if (facts->slot_found && !facts->slot_active && facts->extended)
        sw_sentences_add(risks, "the slot holds more than max_wal_size, and nobody reads it");
    else if (facts->slot_found && !facts->slot_active)
        sw_sentences_add(risks, "nobody reads the slot at the moment");
    if (sw_probe_number(&idle, probe, "idle_replication_slot_timeout") && idle > 0)
        sw_sentences_add(risks, "idle_replication_slot_timeout is %lld: a slot that nobody reads for so long is invalidated", (long long)idle);
    if (facts->slot_found && !facts->slot_failover && !facts->slot_temporary)
        sw_sentences_add(risks, "a failover loses the slot: %s", facts->version >= 170000 ? "it was made without failover" : "releases before 17 do not carry slots to standbys");
    if (!facts->slot_found && sw_probe_number(&slots, probe, "max_replication_slots") && (int64_t)facts->slots >= slots)
        sw_sentences_add(risks, "all %lld replication slots are taken (max_replication_slots): a new one cannot be made", (long long)slots);
    if (plugins && facts->plugin && !strstr(plugins, facts->plugin))
        sw_sentences_add(risks, "output_plugin_libraries does not name %.60s: the slot cannot be read until the server's configuration does", facts->plugin);
    if (facts->slot_database && facts->database && strcmp(facts->slot_database, facts->database) != 0)
        sw_sentences_add(&probe->conditions, "the slot decodes database %.60s, and this connection is to %.60s: the tables looked at are not those that it sends", facts->slot_database, facts->database);
    if (facts->standby)
        sw_sentences_add(&probe->limits, "the server is a standby: its own slots were looked at, not those of its primary");
}

static void conclude(struct sw_probe *probe, struct sw_gap_case *gap, void *ctx)
{
    struct facts *facts = ctx;
    struct sw_sentences *hidden = &probe->probed->hidden;
    const char *rule = gap->report->rule ? gap->report->rule->name : "";
    if (strcmp(rule, "postgres.slot.advanced") == 0)
        sw_sentences_add(hidden, "START_REPLICATION from the saved position succeeds, and begins at confirmed_flush_lsn: what was committed in between is skipped without an error");
    else if (strcmp(rule, "postgres.slot.lost") == 0)
        sw_sentences_add(hidden, "the database can be connected to; only reading the slot fails, and a pipeline that is then told to make a new one begins at the newest position and skips the rest without a word");
    else if (strcmp(rule, "postgres.slot.missing") == 0 || !facts->slot_found)
        sw_sentences_add(hidden, "a consumer that makes its slot itself (Debezium does) connects and begins at the newest position: all from the saved position to then is skipped without an error");
    else if (strcmp(rule, "space.differs") == 0 || strcmp(rule, "postgres.rewound") == 0)
        sw_sentences_add(hidden, "a position of another system or timeline looks like one of this server: nothing refuses it");
    if (facts->slot_active)
        sw_sentences_add(hidden, "the slot is being read at this moment: somebody confirms positions while you look, perhaps another consumer than yours");
    weigh_risks(facts);
    sw_sentences_add(&probe->limits, "that a publication holds a table now does not show since when it does");
}

static enum sw_code questions(struct facts *facts)
{
    enum sw_code code = ask_server(facts);
    if (code >= 0)
        code = ask_history(facts);
    if (code >= 0)
        code = ask_slots(facts);
    if (code >= 0)
        code = ask_tables(facts);
    return code < 0 ? code : sw_probe_judge(facts->probe, conclude, facts);
}

enum sw_code sw_probe_postgres(struct sw_probe *probe)
{
    uint64_t timeout = probe->options->timeout_seconds ? probe->options->timeout_seconds : 15;
    const struct sw_postgres_options options = {.statement_timeout_ms = timeout * 1000, .connect_timeout_s = probe->options->timeout_seconds ? (uint32_t)timeout : 0};
    struct facts facts = {.probe = probe};
    enum sw_code code = sw_postgres_open(&facts.connection, &probe->locator, &options, probe->error);
    if (code >= 0) {
        facts.version = sw_postgres_version(facts.connection);
        code = questions(&facts);
    }
    sw_free(facts.plugin);
    sw_free(facts.slot_database);
    sw_free(facts.database);
    sw_postgres_close(&facts.connection);
    return code;
}
