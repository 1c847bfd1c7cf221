/* postgresql://…?slot=NAME&publication=NAME&read=peek: what a logical replication slot still holds, as wal2json's lines. Peeked at, never consumed: the slot stands afterwards where it stood.
 * Source of the rules: PostgreSQL's documentation, "Replication Management Functions" and the view pg_replication_slots. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "source/postgres/postgres.h"
#include "source/postgres/pgoutput.h"

#define HEAD_BYTES ((size_t)64 * 1024)
#define BATCH_CHANGES 100000u       /* of a copy: what the server collects at a time, and the rest of the last transaction */
#define STANDBY_VERSION 160000      /* a standby has slots of its own from 16 on */

struct sw_postgres_slot {
    struct sw_postgres *connection;
    struct sw_pgoutput decoder;
    struct sw_pgoutput_type *types;
    struct sw_block first;          /* read when the slot was opened, so that its format and the columns' types are known */
    struct sw_buffer line, message;
    struct sw_buffer sql, told;     /* the statement that gives changes; what they leave out */
    char *position;
    bool pgoutput, copied, first_given, ended;
    uint64_t batch;                 /* changes that the running statement gave so far */
    uint64_t too_long;              /* not 0: the next record, of so many bytes, is longer than one may be */
    size_t block_bytes, record_bytes_max;
    struct sw_budget *budget;
};

void sw_postgres_slot_close(struct sw_postgres_slot **pointer)
{
    struct sw_postgres_slot *slot = *pointer;
    *pointer = NULL;
    if (!slot)
        return;
    sw_pgoutput_free(&slot->decoder);
    sw_free(slot->types);
    sw_block_free(&slot->first);
    sw_buffer_free(&slot->line);
    sw_buffer_free(&slot->message);
    sw_buffer_free(&slot->sql);
    sw_buffer_free(&slot->told);
    sw_free(slot->position);
    sw_free(slot);
}

/* ---- what is asked before ---- */

static struct sw_bytes cell(const struct sw_rows *rows, const char *name) { return sw_rows_first(rows, name); }

static enum sw_code ask(struct sw_rows *out, struct sw_postgres_slot *slot, const char *sql, const char *first, const char *second, struct sw_error *error)
{
    const char *const parameters[] = {first, second};
    sw_rows_free(out);
    return sw_postgres_query(out, slot->connection, sql, parameters, second ? 2 : first ? 1 : 0, error);
}

static enum sw_code refuse_unknown(struct sw_postgres_slot *slot, const char *what, const char *wanted, const char *sql, struct sw_error *error)
{
    struct sw_rows rows = {0};
    struct sw_buffer list = {0};
    if (ask(&rows, slot, sql, NULL, NULL, NULL) == SW_OK)
        for (size_t i = 0; i < rows.table.row_count && list.len < 200; i++)
            sw_buffer_printf(&list, "%s%.*s", i ? ", " : "", (int)rows.table.cells[i].len, (const char *)rows.table.cells[i].at);
    const char *text = sw_buffer_text(&list);
    const char *there = text && *text ? text : "none";
    enum sw_code code = *wanted ? sw_fail(error, SW_ERR_USAGE, "there is no %s %.100s; there is %s", what, wanted, there)
                                : sw_fail(error, SW_ERR_USAGE, "a slot of pgoutput needs the %s whose tables it is read for: &publication=NAME; there is %s", what, there);
    sw_buffer_free(&list);
    sw_rows_free(&rows);
    return code;
}

#define SLOT \
    "SELECT plugin::pg_catalog.text, slot_type::pg_catalog.text, active::pg_catalog.text, active_pid::pg_catalog.text AS pid, database::pg_catalog.text, (database = pg_catalog.current_database())::pg_catalog.text AS here, " \
    "coalesce(wal_status, '')::pg_catalog.text AS wal, confirmed_flush_lsn::pg_catalog.text AS confirmed, " \
    "coalesce(pg_catalog.to_jsonb(s) ->> 'two_phase', 'false') AS two_phase, coalesce(pg_catalog.to_jsonb(s) ->> 'invalidation_reason', pg_catalog.to_jsonb(s) ->> 'conflicting', '') AS invalid " \
    "FROM pg_catalog.pg_replication_slots s WHERE slot_name = $1"

static enum sw_code refuse_standby(struct sw_postgres_slot *slot, struct sw_error *error)
{
    struct sw_rows rows = {0};
    enum sw_code code = ask(&rows, slot, "SELECT pg_catalog.pg_is_in_recovery()::pg_catalog.text AS standby", NULL, NULL, error);
    if (code == SW_OK && sw_bytes_is(cell(&rows, "standby"), "true") && sw_postgres_version(slot->connection) < STANDBY_VERSION)
        code = sw_fail(error, SW_ERR_UNSUPPORTED, "the server is a standby of version %d, which decodes no log: logical slots are on the primary, and on standbys from PostgreSQL 16 on; name the primary for the events",
                       sw_postgres_version(slot->connection) / 10000);
    sw_rows_free(&rows);
    return code;
}

/* The name of the slot to look at: that one, or a temporary copy of it. */
static enum sw_code choose_slot(char **out, struct sw_postgres_slot *slot, const struct sw_locator *locator, struct sw_rows *rows, struct sw_error *error)
{
    const char *name = sw_locator_parameter(locator, "slot"), *how = sw_locator_parameter(locator, "read"), *publication = sw_locator_parameter(locator, "publication");
    enum sw_code code = refuse_standby(slot, error);
    if (code == SW_OK)
        code = ask(rows, slot, SLOT, name, NULL, error);
    if (code != SW_OK)
        return code;
    if (rows->table.row_count == 0)
        return refuse_unknown(slot, "replication slot", name, "SELECT slot_name::pg_catalog.text FROM pg_catalog.pg_replication_slots ORDER BY 1", error);
    struct sw_bytes plugin = cell(rows, "plugin"), database = cell(rows, "database"), pid = cell(rows, "pid");
    slot->pgoutput = sw_bytes_is(plugin, "pgoutput");
    if (!sw_bytes_is(cell(rows, "slot_type"), "logical"))
        return sw_fail(error, SW_ERR_USAGE, "the slot %.100s is a physical one, for a standby: it has no changes of rows", name);
    if (!sw_bytes_is(cell(rows, "here"), "true"))
        return sw_fail(error, SW_ERR_USAGE, "the slot %.100s belongs to the database %.*s: name that one in the locator", name, (int)database.len, (const char *)database.at);
    if (!slot->pgoutput && !sw_bytes_is(plugin, "wal2json"))
        return sw_fail(error, SW_ERR_UNSUPPORTED, "the slot %.100s has the output plugin %.*s; pgoutput and wal2json can be read", name, (int)plugin.len, (const char *)plugin.at);
    struct sw_bytes invalid = cell(rows, "invalid");
    if (sw_bytes_is(cell(rows, "wal"), "lost"))
        return sw_fail(error, SW_ERR_INPUT, "the slot %.100s has lost its log (wal_status lost): the server removed what it held (max_slot_wal_keep_size), so its changes exist no more; slackwater position probe tells what is left", name);
    if (invalid.len && !sw_bytes_is(invalid, "false"))
        return sw_fail(error, SW_ERR_INPUT, "the slot %.100s is invalid (%.*s): its changes can be decoded no more", name, (int)invalid.len, (const char *)invalid.at);
    if (sw_bytes_is(cell(rows, "wal"), "unreserved"))
        sw_buffer_add_text(&slot->told, "the server does not remove the slot's log meanwhile, which it may do at the next checkpoint (wal_status unreserved)\n");
    if (slot->pgoutput && !publication)
        return refuse_unknown(slot, "publication", "", "SELECT pubname::pg_catalog.text FROM pg_catalog.pg_publication ORDER BY 1", error);
    if (!how || (strcmp(how, "peek") != 0 && strcmp(how, "copy") != 0))
        return sw_fail(error, SW_ERR_USAGE, "while the slot %.100s is read nobody else can use it, a pipeline neither; nothing of it is consumed. Say how: &read=peek reads the slot itself, &read=copy a temporary copy of it, "
                       "which leaves the slot alone (it needs a free slot of max_replication_slots, and is gone with the connection)", name);
    if (strcmp(how, "peek") == 0) {
        if (sw_bytes_is(cell(rows, "active"), "true"))
            return sw_fail(error, SW_ERR_REMOTE, "the slot %.100s is in use by the process %.*s of the server, a pipeline most likely: &read=copy reads a temporary copy of it, or stop what uses it", name, (int)pid.len,
                           pid.len ? (const char *)pid.at : "");
        if (sw_bytes_is(cell(rows, "two_phase"), "true"))
            return sw_fail(error, SW_ERR_UNSUPPORTED, "the slot %.100s gives transactions when they are prepared, whether they commit or not (two_phase): &read=copy reads a copy of it that gives them when they commit", name);
        *out = sw_strdup(name);
        return *out ? SW_OK : sw_fail_memory(error, "a slot", strlen(name));
    }
    struct sw_rows copied = {0};
    slot->copied = true;
    code = ask(&copied, slot, "SELECT slot_name::pg_catalog.text AS name FROM pg_catalog.pg_copy_logical_replication_slot($1, 'slackwater_' || pg_catalog.pg_backend_pid(), true)", name, NULL, error);
    struct sw_bytes copy = cell(&copied, "name");
    if (code == SW_OK && !(*out = sw_strndup(copy.len ? (const char *)copy.at : "", copy.len)))
        code = sw_fail_memory(error, "a slot", copy.len);
    sw_rows_free(&copied);
    return code;
}

static int by_oid(const void *a, const void *b)
{
    uint32_t x = ((const struct sw_pgoutput_type *)a)->oid, y = ((const struct sw_pgoutput_type *)b)->oid;
    return (x > y) - (x < y);
}

static uint32_t number_of(struct sw_bytes text)
{
    uint64_t number = 0;
    for (size_t i = 0; i < text.len && number < UINT32_MAX; i++)
        number = number * 10 + (uint64_t)(text.at[i] - '0');
    return (uint32_t)number;
}

/* Domains, enums and arrays, of which messages tell the number only. */
static enum sw_code read_types(struct sw_postgres_slot *slot, struct sw_error *error)
{
    struct sw_rows rows = {0};
    enum sw_code code = ask(&rows, slot,
        "WITH RECURSIVE c AS (SELECT t.oid AS root, t.oid, t.typtype, t.typbasetype FROM pg_catalog.pg_type t UNION ALL SELECT c.root, t.oid, t.typtype, t.typbasetype FROM c JOIN pg_catalog.pg_type t ON t.oid = c.typbasetype "
        "WHERE c.typtype = 'd'), b AS (SELECT c.root, CASE c.typtype WHEN 'e' THEN 25 ELSE c.oid END AS base, c.oid FROM c WHERE c.typtype <> 'd') "
        "SELECT b.root::pg_catalog.text AS oid, b.base::pg_catalog.text AS base, CASE WHEN t.typelem <> 0 AND t.typlen = -1 AND t.typcategory = 'A' THEN e.base ELSE 0 END::pg_catalog.text AS element "
        "FROM b JOIN pg_catalog.pg_type t ON t.oid = b.oid LEFT JOIN b e ON e.root = t.typelem WHERE b.root <> b.base OR (t.typelem <> 0 AND t.typlen = -1 AND t.typcategory = 'A')", NULL, NULL, error);
    if (code == SW_OK && !(slot->types = sw_calloc(rows.table.row_count, sizeof *slot->types)))
        code = sw_fail_memory(error, "types", rows.table.row_count * sizeof *slot->types);
    for (size_t i = 0; i < rows.table.row_count && code == SW_OK; i++)
        slot->types[i] = (struct sw_pgoutput_type){number_of(sw_client_table_cell(&rows.table, i, "oid")), number_of(sw_client_table_cell(&rows.table, i, "base")),
                                                   number_of(sw_client_table_cell(&rows.table, i, "element"))};
    if (code == SW_OK && rows.table.row_count)
        qsort(slot->types, rows.table.row_count, sizeof *slot->types, by_oid);
    slot->decoder.types = slot->types;
    slot->decoder.type_count = code == SW_OK ? rows.table.row_count : 0;
    sw_rows_free(&rows);
    return code;
}

/* The publications, quoted as pgoutput reads them; it would say that one is missing only at the first change. */
static enum sw_code find_publications(char **out, struct sw_postgres_slot *slot, const char *names, struct sw_error *error)
{
    struct sw_rows rows = {0};
    enum sw_code code = ask(&rows, slot,
        "SELECT pg_catalog.string_agg(pg_catalog.quote_ident(n), ',') AS quoted, pg_catalog.string_agg(CASE WHEN p.pubname IS NULL THEN n END, ', ') AS missing "
        "FROM pg_catalog.unnest(pg_catalog.string_to_array($1, ',')) n LEFT JOIN pg_catalog.pg_publication p ON p.pubname = n", names, NULL, error);
    struct sw_bytes quoted = cell(&rows, "quoted"), missing = cell(&rows, "missing");
    if (code == SW_OK && missing.len) {
        char wanted[128];
        snprintf(wanted, sizeof wanted, "%.*s", (int)(missing.len < 100 ? missing.len : 100), (const char *)missing.at);
        code = refuse_unknown(slot, "publication", wanted, "SELECT pubname::pg_catalog.text FROM pg_catalog.pg_publication ORDER BY 1", error);
    }
    if (code == SW_OK && !(*out = sw_strndup(quoted.len ? (const char *)quoted.at : "", quoted.len)))
        code = sw_fail_memory(error, "publications", quoted.len);
    sw_rows_free(&rows);
    return code;
}

/* The changes of transactions that had committed by now. */
static enum sw_code begin_peeking(struct sw_postgres_slot *slot, struct sw_source_cut *cut, const char *name, const char *publication, const struct sw_rows *asked, struct sw_error *error)
{
    struct sw_rows now = {0}, log = {0};
    struct sw_buffer *sql = &slot->sql, position = {0};
    enum sw_code code = ask(&now, slot,
        "SELECT CASE WHEN pg_catalog.pg_is_in_recovery() THEN pg_catalog.pg_last_wal_replay_lsn() ELSE pg_catalog.pg_current_wal_flush_lsn() END::pg_catalog.text AS lsn, pg_catalog.to_char(pg_catalog.clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"') AS now", NULL, NULL, error);
    struct sw_bytes lsn = cell(&now, "lsn"), time = cell(&now, "now"), confirmed = cell(asked, "confirmed");
    sw_buffer_printf(&position, "slot from %.*s up to %.*s, %.*s", (int)confirmed.len, confirmed.len ? (const char *)confirmed.at : "", (int)lsn.len, lsn.len ? (const char *)lsn.at : "", (int)time.len,
                     time.len ? (const char *)time.at : "");
    slot->position = sw_buffer_text(&position);
    cut->kind = SW_CUT_POSTGRES;
    bool taken = sw_source_cut_take_bytes(&cut->from, confirmed) && sw_source_cut_take_bytes(&cut->position, lsn) && sw_source_cut_take_bytes(&cut->at, time);
    if (code == SW_OK && ask(&log, slot, SW_POSTGRES_LOG, NULL, NULL, NULL) == SW_OK) /* not everybody may ask */
        taken = sw_source_cut_take_bytes(&cut->log, cell(&log, "log")) && taken;
    sw_rows_free(&log);
    char upto[32];
    snprintf(upto, sizeof upto, "%.*s", (int)(lsn.len < 24 ? lsn.len : 24), lsn.len ? (const char *)lsn.at : "");
    /* a copy is ours and may be consumed: so the server need not collect all changes before it sends the first */
    sw_buffer_printf(sql, "SELECT lsn::pg_catalog.text, data FROM pg_catalog.pg_logical_slot_%s_%schanges(", slot->copied ? "get" : "peek", slot->pgoutput ? "binary_" : "");
    sw_postgres_quote_text(sql, name);
    sw_buffer_add_text(sql, ", ");
    sw_postgres_quote_text(sql, upto);
    sw_buffer_add_text(sql, "::pg_catalog.pg_lsn, ");
    if (slot->copied)
        sw_buffer_printf(sql, "%u, ", BATCH_CHANGES);
    else
        sw_buffer_add_text(sql, "NULL, ");
    if (slot->pgoutput) {
        sw_buffer_add_text(sql, "'proto_version', '1', 'publication_names', ");
        sw_postgres_quote_text(sql, publication);
    } else {
        sw_buffer_add_text(sql, "'format-version', '2', 'include-lsn', 'true', 'include-xids', 'true', 'include-transaction', 'true', 'include-types', 'true'");
    }
    sw_buffer_add_text(sql, ")");
    const char *text = sw_buffer_text(sql);
    if (code == SW_OK)
        code = text && slot->position ? sw_postgres_select(slot->connection, text, error) : sw_fail_memory(error, "a statement", sql->len);
    sw_rows_free(&now);
    return code;
}

/* ---- reading ---- */

static int hex_digit(uint8_t byte) { return byte <= '9' ? byte - '0' : (byte | 0x20) - 'a' + 10; }

/* bytea as text: \x and two digits a byte. */
static bool read_hex(struct sw_buffer *out, struct sw_bytes text)
{
    out->len = 0;
    if (text.len < 2 || text.len % 2 || text.at[0] != '\\' || text.at[1] != 'x' || !sw_buffer_reserve(out, text.len / 2 + 1))
        return false;
    for (size_t i = 2; i < text.len; i += 2)
        out->at[out->len++] = (uint8_t)(hex_digit(text.at[i]) << 4 | hex_digit(text.at[i + 1]));
    return true;
}

static enum sw_code take_row(struct sw_postgres_slot *slot, const struct sw_client_row *row, struct sw_error *error)
{
    struct sw_bytes lsn = row->count == 2 ? row->cells[0] : (struct sw_bytes){0}, data = row->count == 2 ? row->cells[1] : (struct sw_bytes){0};
    if (!lsn.at || !data.at)
        return sw_fail(error, SW_ERR_REMOTE, "the server's answer holds something else than positions and changes");
    if (!slot->pgoutput) {
        sw_buffer_add_bytes(&slot->line, data);
        sw_buffer_add_byte(&slot->line, '\n');
        return slot->line.failed ? sw_fail_memory(error, "a change", data.len) : SW_OK;
    }
    if (!read_hex(&slot->message, data))
        return slot->message.failed ? sw_fail_memory(error, "a change", data.len) : sw_fail(error, SW_ERR_REMOTE, "a change is no bytea as text");
    switch (sw_pgoutput_message(&slot->line, &slot->decoder, sw_buffer_view(&slot->message), lsn)) {
    case SW_PGOUTPUT_OK: return SW_OK;
    case SW_PGOUTPUT_MALFORMED: return sw_fail(error, SW_ERR_REMOTE, "at %.*s: %s", (int)lsn.len, (const char *)lsn.at, slot->decoder.problem);
    case SW_PGOUTPUT_NO_MEMORY: break;
    }
    return sw_fail_memory(error, "a change", data.len);
}

/* The next change. Of a copy the next batch begins where one ends, until one is empty. */
static enum sw_code next_row(struct sw_client_row *out, struct sw_postgres_slot *slot, struct sw_error *error)
{
    enum sw_code code = sw_postgres_row(out, slot->connection, error);
    if (code == SW_END && slot->copied && slot->batch) {
        slot->batch = 0;
        code = sw_postgres_select(slot->connection, (const char *)slot->sql.at, error);
        if (code == SW_OK)
            code = sw_postgres_row(out, slot->connection, error);
    }
    slot->batch += code == SW_OK;
    if (code < 0 && slot->pgoutput && strcmp(sw_postgres_state(slot->connection), "42704") == 0) { /* the catalogue of then is asked, not that of now */
        if (error)
            *error = (struct sw_error){0};
        return sw_fail(error, SW_ERR_INPUT, "a publication that is named did not exist when the oldest change that the slot holds was written: name the one that the slot's consumer has named since then");
    }
    return code;
}

static enum sw_code fill(struct sw_block *block, struct sw_postgres_slot *slot, struct sw_error *error)
{
    enum sw_code code = sw_source_room(block, slot->block_bytes, false, slot->budget, error);
    block->len = 0;
    while (code == SW_OK && block->len < slot->block_bytes && !slot->too_long) {
        struct sw_client_row row;
        slot->line.len = 0;
        if ((code = next_row(&row, slot, error)) != SW_OK || (code = take_row(slot, &row, error)) != SW_OK)
            break;
        if (slot->line.len > slot->record_bytes_max) {
            slot->too_long = slot->line.len;
            break;
        }
        if (block->capacity < block->len + slot->line.len + SW_BLOCK_PADDING && (code = sw_source_room(block, (block->len + slot->line.len) * 2, true, slot->budget, error)) != SW_OK)
            break;
        if (slot->line.len)
            memcpy(block->data + block->len, slot->line.at, slot->line.len);
        block->len += slot->line.len;
    }
    if (code == SW_OK && block->len == 0 && slot->too_long) { /* in a block of its own */
        block->oversized = slot->too_long;
        block->oversized_lines = 1;
        slot->too_long = 0;
    }
    slot->ended = code == SW_END;
    return code == SW_END && block->len ? SW_OK : code;
}

enum sw_code sw_postgres_slot_open(struct sw_postgres_slot **out, struct sw_input *shown, struct sw_postgres *connection, const struct sw_locator *locator, const struct sw_connector_request *request,
                                   struct sw_error *error)
{
    struct sw_postgres_slot *slot = sw_calloc(1, sizeof *slot);
    struct sw_rows asked = {0};
    char *name = NULL, *publications = NULL;
    *out = slot;
    if (!slot)
        return sw_fail_memory(error, "a slot", sizeof *slot);
    slot->connection = connection;
    slot->block_bytes = request->block_bytes;
    slot->record_bytes_max = request->record_bytes_max;
    slot->budget = request->budget;
    enum sw_code code = SW_OK;
    if (request->query || locator->table)
        code = sw_fail(error, SW_ERR_USAGE, "a slot gives the changes of its whole publication: name no table and no query beside it; --table chooses one");
    if (code == SW_OK)
        code = choose_slot(&name, slot, locator, &asked, error);
    if (code == SW_OK)
        code = read_types(slot, error);
    if (code == SW_OK && slot->pgoutput)
        code = find_publications(&publications, slot, sw_locator_parameter(locator, "publication"), error);
    if (code == SW_OK)
        code = sw_postgres_tell_left_out(&slot->told, slot->connection, slot->pgoutput ? sw_locator_parameter(locator, "publication") : NULL, error);
    if (code == SW_OK)
        code = begin_peeking(slot, &shown->cut, name, publications, &asked, error);
    if (code == SW_OK && (code = fill(&slot->first, slot, error)) == SW_END)
        code = SW_OK;
    sw_rows_free(&asked);
    sw_free(name);
    sw_free(publications);
    if (code != SW_OK) {
        sw_postgres_slot_close(out);
        return code;
    }
    shown->framing = SW_FRAMING_LINES;
    shown->compression = "none";
    shown->format = "wal2json";
    shown->position = slot->position;
    shown->told = slot->told.len ? sw_buffer_text(&slot->told) : NULL;
    shown->head = sw_bytes_of(slot->first.data, slot->first.len < HEAD_BYTES ? slot->first.len : HEAD_BYTES);
    return SW_OK;
}

enum sw_code sw_postgres_slot_next(struct sw_block *block, struct sw_postgres_slot *slot, struct sw_error *error)
{
    if (!slot->first_given) {
        slot->first_given = true;
        enum sw_code code = sw_source_give_first(block, &slot->first, slot->ended, slot->budget, error);
        if (code != SW_OK || block->len || block->oversized)
            return code;
    }
    return slot->ended ? SW_END : fill(block, slot, error);
}
