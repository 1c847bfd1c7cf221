#include "source/mariadb/binlog.h"

#include <ctype.h>
#include <stdio.h>

#include "base/memory.h"
#include "position/binlog.h"
#include "position/scan.h"
#include "source/mariadb/event.h"
#include "source/mariadb/statement.h"
#include "source/mariadb/value.h"
#include "text/json_write.h"

#define GTID_MAX 80
#define FILE_MAX 512
#define STATEMENT_SHOWN 2000
#define XID_MAX 320
/* What a column holds of which an image says nothing: Debezium's own text for it. */
#define UNAVAILABLE "\"__debezium_unavailable_value\""

/* An event of the table that waits for the end of its transaction; its body follows. */
struct held {
    uint64_t position;
    uint32_t len, seconds, server;
    uint8_t type;
};

/* A transaction that was prepared (XA), by its name. */
struct prepared {
    struct sw_buffer name, events;
};

/* Rows being handed out. */
struct rows {
    struct sw_binlog_rows event;
    struct sw_binlog_bytes left;
    struct held head;
    bool running;
    uint64_t row;
};

struct sw_binlog {
    struct sw_binlog_options options;
    struct sw_binlog_table_name name;
    struct sw_binlog_format format;
    struct sw_binlog_counts counts;
    char file[FILE_MAX];
    uint64_t position, event_from;

    /* the transaction being read */
    char gtid[GTID_MAX], begun[FILE_MAX + 24];
    bool open, skipped, early;           /* early: too large to wait for its end */
    bool mapped, ours_known;             /* a table map was seen; one of the table */
    uint64_t ours;
    struct sw_buffer held;
    struct prepared *prepared;
    size_t prepared_count, prepared_bytes;

    /* what is handed out */
    struct sw_buffer ready, unpacked;
    size_t ready_at;
    struct rows rows;
    uint64_t order;                      /* of the last row in its transaction */
    bool at_end_of_xa;                   /* rows stand where the transaction was committed, not where it was prepared */
    struct { bool empties, describes; struct sw_buffer text; struct held head; } statement;

    /* the table, as its last map has it */
    struct sw_buffer map;
    struct sw_binlog_column *columns;
    size_t column_count;
    bool named, rows_seen;
    struct sw_bytes *names;              /* "name": */
    struct sw_buffer names_text;
    struct sw_binlog_value *before, *after;
    struct sw_binlog_room room;
};

static void free_columns(struct sw_binlog *self)
{
    sw_binlog_columns_free(&self->columns, &self->column_count);
    sw_free(self->names);
    sw_free(self->before);
    sw_free(self->after);
    self->names = NULL;
    self->before = self->after = NULL;
    self->names_text.len = self->map.len = 0;
}

static void free_prepared(struct sw_binlog *self, size_t at)
{
    self->prepared_bytes -= self->prepared[at].events.len;
    sw_buffer_free(&self->prepared[at].name);
    sw_buffer_free(&self->prepared[at].events);
    self->prepared[at] = self->prepared[--self->prepared_count];
}

void sw_binlog_close(struct sw_binlog **pointer)
{
    struct sw_binlog *self = *pointer;
    *pointer = NULL;
    if (!self)
        return;
    free_columns(self);
    while (self->prepared_count)
        free_prepared(self, self->prepared_count - 1);
    sw_free(self->prepared);
    struct sw_buffer *const buffers[] = {&self->held, &self->ready, &self->unpacked, &self->statement.text, &self->map, &self->names_text};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        sw_buffer_free(buffers[i]);
    sw_binlog_room_free(&self->room);
    sw_free(self);
}

enum sw_code sw_binlog_open(struct sw_binlog **out, const struct sw_binlog_options *options, struct sw_error *error)
{
    struct sw_binlog *self = *out = sw_calloc(1, sizeof *self);
    if (!self)
        return sw_fail_memory(error, "a binary log", sizeof *self);
    self->options = *options;
    self->name = (struct sw_binlog_table_name){sw_bytes_text(options->database), sw_bytes_text(options->table), options->fold_case};
    self->position = options->position;
    self->room.bytes_max = options->record_bytes_max;
    snprintf(self->file, sizeof self->file, "%s", options->file);
    return SW_OK;
}

/* ---- places ---- */

/* A failure at the event being read. */
static enum sw_code fail_here(const struct sw_binlog *self, enum sw_code code, const char *text, struct sw_error *error)
{
    return sw_fail(error, code, "binary log %.200s:%llu: %.800s", self->file, (unsigned long long)self->event_from, text);
}

static enum sw_code fail_at(const struct sw_binlog *self, uint64_t position, const struct sw_error *inner, const char *name, struct sw_error *error)
{
    char column[104] = ""; /* a name comes from the server: nothing in it may steer a terminal */
    for (size_t i = 0; name && name[i] && i < 100; i++)
        column[i] = (uint8_t)name[i] < ' ' || name[i] == 127 ? '?' : name[i];
    return sw_fail(error, inner->code, "binary log %.200s:%llu, table %.100s.%.100s%s%.100s: %.500s", self->file, (unsigned long long)position, self->options.database, self->options.table, name ? ", column " : "", column,
                   inner->text);
}

void sw_binlog_place(const char **file, uint64_t *position, const struct sw_binlog *self)
{
    *file = self->file;
    *position = self->position;
}

static uint64_t file_number(const char *file)
{
    struct sw_binlog_file parts;
    return sw_binlog_file_parse(&parts, (const uint8_t *)file, strlen(file)) ? parts.suffix : 0;
}

bool sw_binlog_reached(const struct sw_binlog *self, const char *file, uint64_t position)
{
    return strcmp(self->file, file) == 0 ? self->position >= position : file_number(self->file) > file_number(file);
}

struct sw_binlog_counts sw_binlog_counts(const struct sw_binlog *self)
{
    struct sw_binlog_counts counts = self->counts;
    counts.unfinished += self->prepared_count + (self->held.len != 0);
    return counts;
}

/* Positions in events have 32 bits; a file may be larger. */
static void move_on(struct sw_binlog *self, const struct sw_binlog_event *event)
{
    self->event_from = self->position;
    if (!event->next || event->flags & SW_BINLOG_ARTIFICIAL)
        return;
    uint64_t end = (self->position & ~0xFFFFFFFFull) | event->next;
    if (end < self->position)
        end += 1ull << 32;
    self->event_from = end >= event->len ? end - event->len : 0;
    self->position = end;
}

/* ---- transactions ---- */

/* What was read of a transaction will not be handed out. */
static enum sw_code drop_held(struct sw_binlog *self, const char *why, struct sw_error *error)
{
    if (self->early)
        return sw_fail(error, SW_ERR_INPUT, "binary log %.200s:%llu: the transaction that began at %.200s %s, and its rows were handed out already, since it is larger than %zu bytes; nothing is claimed", self->file,
                       (unsigned long long)self->event_from, self->begun, why, self->options.held_bytes_max);
    self->counts.rolled_back += self->held.len != 0;
    self->held.len = 0;
    return SW_OK;
}

static enum sw_code end_transaction(struct sw_binlog *self)
{
    if (self->held.len) {
        struct sw_buffer free_one = self->ready;
        self->ready = self->held;
        self->held = free_one;
        self->held.len = self->ready_at = 0;
    }
    self->counts.transactions += self->ready.len || self->early;
    self->open = self->early = false;
    return SW_OK;
}

static enum sw_code begin_transaction(struct sw_binlog *self, struct sw_error *error)
{
    enum sw_code code = drop_held(self, "has no end", error);
    self->open = true;
    self->skipped = self->early = self->mapped = self->ours_known = self->at_end_of_xa = false;
    self->order = 0;
    snprintf(self->begun, sizeof self->begun, "%s:%llu", self->file, (unsigned long long)self->event_from);
    return code;
}

static enum sw_code take_mariadb_gtid(struct sw_binlog *self, const struct sw_binlog_event *event, struct sw_error *error)
{
    struct sw_binlog_bytes from = sw_binlog_bytes(event->body);
    uint64_t sequence = sw_binlog_take_number(&from, 8), domain = sw_binlog_take_number(&from, 4);
    sw_binlog_take_number(&from, 1);
    if (from.cut)
        return fail_here(self, SW_ERR_REMOTE, "a GTID is cut", error);
    enum sw_code code = begin_transaction(self, error);
    snprintf(self->gtid, sizeof self->gtid, "%u-%u-%llu", (unsigned)domain, (unsigned)event->server, (unsigned long long)sequence);
    return code;
}

static enum sw_code take_mysql_gtid(struct sw_binlog *self, const struct sw_binlog_event *event, struct sw_error *error)
{
    struct sw_binlog_bytes from = sw_binlog_bytes(event->body);
    struct sw_gtid gtid = {0};
    char uuid[40] = "";
    sw_binlog_take_number(&from, 1);
    struct sw_bytes source = sw_binlog_take_bytes(&from, 16);
    uint64_t number = sw_binlog_take_number(&from, 8);
    if (from.cut)
        return fail_here(self, SW_ERR_REMOTE, "a GTID is cut", error);
    enum sw_code code = begin_transaction(self, error);
    self->gtid[0] = '\0';
    if (event->type == SW_BINLOG_ANONYMOUS)
        return code;
    sw_bytes_copy(gtid.uuid, source);
    gtid.number = number;
    sw_uuid_print(uuid, gtid.uuid);
    snprintf(self->gtid, sizeof self->gtid, "%.36s:%llu", uuid, (unsigned long long)number);
    self->skipped = self->options.skip && sw_gtid_set_has(self->options.skip, &gtid);
    return code;
}

/* ---- XA ---- */

/* The name in "XA COMMIT X'6162',X'',1", without what follows it. */
static void take_name(struct sw_buffer *out, struct sw_bytes statement)
{
    const uint8_t *at = statement.len ? memchr(statement.at, '\'', statement.len) : NULL;
    unsigned quotes = 0;
    out->len = 0;
    for (size_t i = at ? (size_t)(at - statement.at) : statement.len; i < statement.len && out->len < XID_MAX; i++) {
        uint8_t byte = statement.at[i];
        quotes += byte == '\'';
        if (quotes >= 4 && byte != '\'' && byte != ',' && !isdigit(byte) && !isspace(byte))
            break;
        if (!isspace(byte) && (byte != 'X' && byte != 'x'))
            sw_buffer_add_byte(out, (uint8_t)tolower(byte));
    }
}

/* The same of an event XA_PREPARE. */
static bool print_name(struct sw_buffer *out, bool *one_phase, struct sw_bytes body)
{
    struct sw_binlog_bytes from = sw_binlog_bytes(body);
    *one_phase = sw_binlog_take_number(&from, 1);
    uint64_t format = sw_binlog_take_number(&from, 4), first = sw_binlog_take_number(&from, 4), second = sw_binlog_take_number(&from, 4);
    if (first > 64 || second > 64)
        return false;
    for (int part = 0; part < 2; part++) {
        struct sw_bytes bytes = sw_binlog_take_bytes(&from, part ? second : first);
        sw_buffer_add_byte(out, '\'');
        for (size_t i = 0; i < bytes.len; i++)
            sw_buffer_printf(out, "%02x", bytes.at[i]);
        sw_buffer_add_text(out, "',");
    }
    sw_buffer_printf(out, "%u", (unsigned)format);
    return !from.cut;
}

#define PREPARED_MAX 65536u
#define PREPARED_HELD 4 /* times held_bytes_max, all of them together */

static enum sw_code take_prepare(struct sw_binlog *self, const struct sw_binlog_event *event, struct sw_error *error)
{
    struct prepared one = {0};
    bool one_phase = false;
    enum sw_code code = SW_OK;
    if (!print_name(&one.name, &one_phase, event->body))
        code = fail_here(self, SW_ERR_REMOTE, "the end of a prepared transaction is cut", error);
    else if (one_phase)
        code = end_transaction(self);
    else if (self->early)
        code = drop_held(self, "was prepared (XA) and not committed", error);
    else if (self->prepared_count == PREPARED_MAX || self->prepared_bytes + self->held.len > PREPARED_HELD * self->options.held_bytes_max)
        code = fail_here(self, SW_ERR_LIMIT, "the transactions that are prepared (XA) and not yet committed are more than can be kept", error);
    if (code != SW_OK || one_phase) {
        sw_buffer_free(&one.name);
        return code;
    }
    struct prepared *grown = sw_realloc_array(self->prepared, self->prepared_count + 1, sizeof *grown);
    if (grown)
        self->prepared = grown;
    if (!grown || one.name.failed) {
        sw_buffer_free(&one.name);
        return sw_fail_memory(error, "a prepared transaction", self->held.len);
    }
    one.events = self->held;
    self->held = (struct sw_buffer){0};
    self->prepared_bytes += one.events.len;
    grown[self->prepared_count++] = one;
    self->open = false;
    return SW_OK;
}

static enum sw_code end_prepared(struct sw_binlog *self, struct sw_bytes statement, bool commits, struct sw_error *error)
{
    struct sw_buffer name = {0};
    size_t at = 0;
    take_name(&name, statement);
    while (at < self->prepared_count && !sw_bytes_equal(sw_buffer_view(&self->prepared[at].name), sw_buffer_view(&name)))
        at++;
    bool found = at < self->prepared_count && !name.failed;
    sw_buffer_free(&name);
    if (!found && !commits)
        return SW_OK;
    if (!found)
        return fail_here(self, SW_ERR_INPUT, "a transaction is committed (XA) that was prepared before reading began, so that its rows were not read: begin before its XA PREPARE", error);
    self->counts.rolled_back += !commits && self->prepared[at].events.len;
    if (commits) {
        sw_buffer_free(&self->held);
        self->held = self->prepared[at].events;
        self->prepared_bytes -= self->held.len;
        self->prepared[at].events = (struct sw_buffer){0};
        self->at_end_of_xa = true;
        (void)end_transaction(self);
    }
    free_prepared(self, at);
    return SW_OK;
}

/* ---- statements ---- */

static void keep_statement(struct sw_binlog *self, const struct sw_binlog_event *event, struct sw_bytes text, bool empties)
{
    self->statement.empties = empties;
    self->statement.describes = true;
    self->statement.head = (struct held){.position = self->event_from, .seconds = event->seconds, .server = event->server};
    self->statement.text.len = 0;
    sw_buffer_add(&self->statement.text, text.at, text.len < STATEMENT_SHOWN ? text.len : STATEMENT_SHOWN);
    self->rows_seen &= !empties;
}

/* A statement that makes the rows of the table unknown. */
static enum sw_code fail_statement(const struct sw_binlog *self, struct sw_bytes text, const char *what, const char *advice, struct sw_error *error)
{
    char shown[160];
    snprintf(shown, sizeof shown, "%.*s", (int)(text.len < 120 ? text.len : 120), text.len ? (const char *)text.at : "");
    for (char *at = shown; *at; at++)
        *at = (uint8_t)*at < ' ' || *at == 127 ? ' ' : *at;
    return sw_fail(error, SW_ERR_INPUT, "binary log %.200s:%llu: \"%s\" %s; %s", self->file, (unsigned long long)self->event_from, shown, what, advice);
}

static enum sw_code take_statement(struct sw_binlog *self, const struct sw_binlog_event *event, struct sw_bytes text, struct sw_bytes database, struct sw_error *error)
{
    char advice[160];
    snprintf(advice, sizeof advice, "take a baseline behind it, and begin there: %.100s:%llu", self->file, (unsigned long long)self->position);
    switch (sw_binlog_statement_effect(text, database, &self->name)) {
    case SW_BINLOG_NOTHING: return SW_OK;
    case SW_BINLOG_BEGINS: return self->open ? SW_OK : begin_transaction(self, error); /* a GTID came before it, as a rule */
    case SW_BINLOG_COMMITS: return end_transaction(self);
    case SW_BINLOG_ROLLS_BACK: self->open = false; return drop_held(self, "was rolled back", error);
    case SW_BINLOG_ROLLS_BACK_TO:
        return self->held.len || self->early ? fail_statement(self, text, "takes back a part of a transaction that changed the table, and the log does not say which rows", advice, error) : SW_OK;
    case SW_BINLOG_XA_COMMITS: return end_prepared(self, text, true, error);
    case SW_BINLOG_XA_ROLLS_BACK: return end_prepared(self, text, false, error);
    case SW_BINLOG_DESCRIBES: keep_statement(self, event, text, false); return SW_OK;
    case SW_BINLOG_EMPTIES: keep_statement(self, event, text, true); return SW_OK;
    case SW_BINLOG_MOVES_COLUMNS:
        if (!self->named && self->rows_seen)
            return fail_statement(self, text, "may have changed names, places or types of columns, and the log has no names (binlog_row_metadata is not FULL), so the rows before it were read with today's", advice, error);
        keep_statement(self, event, text, false);
        return SW_OK;
    case SW_BINLOG_REPLACES: return fail_statement(self, text, "gave the table other rows, which no event shows", advice, error);
    case SW_BINLOG_MAY_CHANGE: break;
    }
    return fail_statement(self, text, "was logged as a statement, and may have changed rows of the table, which no event shows (binlog_format must be ROW)", advice, error);
}

static enum sw_code take_query(struct sw_binlog *self, const struct sw_binlog_event *event, struct sw_error *error)
{
    struct sw_binlog_query query;
    uint64_t len;
    if (!sw_binlog_query_read(&query, event))
        return fail_here(self, SW_ERR_REMOTE, "a statement is cut", error);
    if (event->type == SW_BINLOG_QUERY_COMPRESSED) {
        if (!sw_binlog_packed_read(&len, &query.statement))
            return fail_here(self, SW_ERR_REMOTE, "a compressed statement is none", error);
        self->unpacked.len = 0;
        enum sw_code code = sw_binlog_inflate(&self->unpacked, query.statement, len, false, (size_t)self->options.event_bytes_max, error);
        if (code != SW_OK)
            return code;
        query.statement = sw_buffer_view(&self->unpacked);
    }
    return take_statement(self, event, query.statement, query.database, error);
}

/* ---- rows of the table ---- */

static enum sw_code hold(struct sw_binlog *self, const struct sw_binlog_event *event, struct sw_error *error)
{
    const struct held head = {self->event_from, (uint32_t)event->body.len, event->seconds, event->server, event->type};
    struct sw_buffer *to = self->early ? &self->ready : &self->held;
    sw_buffer_add(to, &head, sizeof head);
    sw_buffer_add_bytes(to, event->body);
    if (to->failed)
        return sw_fail_memory(error, "a transaction", event->body.len);
    if (!self->early && self->held.len > self->options.held_bytes_max) {
        struct sw_buffer free_one = self->ready;
        self->ready = self->held;
        self->held = free_one;
        self->held.len = 0;
        self->early = true;
    }
    return SW_OK;
}

static enum sw_code take_table_map(struct sw_binlog *self, const struct sw_binlog_event *event, struct sw_error *error)
{
    struct sw_binlog_table_map map;
    if (sw_binlog_table_map_read(&map, event->body, NULL) != SW_OK)
        return fail_here(self, SW_ERR_REMOTE, "a table map is cut", error);
    bool ours = sw_bytes_equal(map.database, self->name.database) && sw_bytes_equal(map.table, self->name.table);
    self->mapped = true;
    if (!ours) {
        self->ours_known &= self->ours != map.id;
        return SW_OK;
    }
    self->ours = map.id;
    self->ours_known = true;
    return hold(self, event, error);
}

static enum sw_code take_rows(struct sw_binlog *self, const struct sw_binlog_event *event, struct sw_error *error)
{
    struct sw_binlog_rows rows;
    if (!sw_binlog_rows_read(&rows, event))
        return fail_here(self, SW_ERR_REMOTE, "an event of rows is cut", error);
    if (!self->mapped && rows.rows.len)
        return fail_here(self, SW_ERR_INPUT, "rows come before the log said of which table: begin at the start of a transaction", error);
    return self->ours_known && rows.table_id == self->ours ? hold(self, event, error) : SW_OK;
}

static enum sw_code take_rotate(struct sw_binlog *self, const struct sw_binlog_event *event, struct sw_error *error)
{
    struct sw_binlog_bytes from = sw_binlog_bytes(event->body);
    uint64_t position = sw_binlog_take_number(&from, 8);
    struct sw_bytes name = sw_bytes_of(from.at, sw_binlog_left(&from));
    if (from.cut || !name.len || name.len >= sizeof self->file || memchr(name.at, 0, name.len))
        return fail_here(self, SW_ERR_REMOTE, "the name of the next file is none", error);
    for (size_t i = 0; i < name.len; i++)
        if (name.at[i] < ' ' || name.at[i] == 127)
            return fail_here(self, SW_ERR_REMOTE, "the name of the next file holds control characters", error);
    memcpy(self->file, name.at, name.len);
    self->file[name.len] = '\0';
    self->position = self->event_from = position;
    return SW_OK;
}

/* The events of a file begin; a transaction that the file before it left open was never committed: the server went down. */
static enum sw_code take_format(struct sw_binlog *self, const struct sw_binlog_event *event, struct sw_error *error)
{
    if (!event->next || event->flags & SW_BINLOG_ARTIFICIAL)
        return SW_OK;
    self->open = false;
    return drop_held(self, "was cut by the end of the server", error);
}

enum sw_code sw_binlog_take(struct sw_binlog *self, struct sw_bytes bytes, struct sw_error *error)
{
    struct sw_binlog_event event;
    struct sw_error inner = {0};
    enum sw_code code = sw_binlog_event_read(&event, &self->format, bytes, &inner);
    if (code != SW_OK) {
        self->event_from = self->position;
        return fail_here(self, code, inner.text, error);
    }
    move_on(self, &event);
    self->ready.len = self->ready_at = 0;
    if (!self->format.known && event.type != SW_BINLOG_ROTATE)
        return fail_here(self, SW_ERR_REMOTE, "the log does not begin with the description of its format", error);
    if (self->skipped && event.type != SW_BINLOG_GTID_MYSQL && event.type != SW_BINLOG_ANONYMOUS && event.type != SW_BINLOG_ROTATE && event.type != SW_BINLOG_FORMAT && event.type != SW_BINLOG_GTID_TAGGED)
        return SW_OK;
    if (sw_binlog_is_rows(event.type))
        return take_rows(self, &event, error);
    switch (event.type) {
    case SW_BINLOG_FORMAT: return take_format(self, &event, error);
    case SW_BINLOG_ROTATE: return take_rotate(self, &event, error);
    case SW_BINLOG_GTID_MARIADB: return take_mariadb_gtid(self, &event, error);
    case SW_BINLOG_GTID_MYSQL:
    case SW_BINLOG_ANONYMOUS: return take_mysql_gtid(self, &event, error);
    case SW_BINLOG_QUERY:
    case SW_BINLOG_LOAD:
    case SW_BINLOG_QUERY_COMPRESSED: return take_query(self, &event, error);
    case SW_BINLOG_TABLE_MAP: return take_table_map(self, &event, error);
    case SW_BINLOG_XID: return end_transaction(self);
    case SW_BINLOG_XA_PREPARE: return take_prepare(self, &event, error);
    case SW_BINLOG_INCIDENT: return fail_here(self, SW_ERR_INPUT, "the server notes that changes before this place were lost (an incident event): take a baseline behind it, and begin there", error);
    case SW_BINLOG_PARTIAL_UPDATE: return fail_here(self, SW_ERR_UNSUPPORTED, "updates of JSON are logged in part (binlog_row_value_options=PARTIAL_JSON): not read", error);
    case SW_BINLOG_PAYLOAD: return fail_here(self, SW_ERR_UNSUPPORTED, "transactions are compressed as a whole (binlog_transaction_compression=ON): not read", error);
    case SW_BINLOG_GTID_TAGGED: return fail_here(self, SW_ERR_UNSUPPORTED, "a transaction's GTID has a tag: not read", error);
    default: return SW_OK; /* lists of GTIDs, annotations, checkpoints, heartbeats, variables of statements */
    }
}

/* ---- lines ---- */

static void write_source(struct sw_buffer *out, struct sw_binlog *self, const struct held *head, uint64_t row, const char *operation)
{
    bool moved = self->at_end_of_xa;
    sw_buffer_printf(out, "\"source\":{\"connector\":\"%s\",\"ts_ms\":%llu,\"snapshot\":\"false\",\"db\":", self->options.mariadb ? "mariadb" : "mysql", 1000ull * head->seconds);
    sw_json_write_text(out, self->name.database);
    sw_buffer_add_text(out, ",\"table\":");
    sw_json_write_text(out, self->name.table);
    sw_buffer_printf(out, ",\"server_id\":%u,\"gtid\":", head->server);
    if (self->gtid[0])
        sw_json_write_text(out, sw_bytes_text(self->gtid));
    else
        sw_buffer_add_text(out, "null");
    sw_buffer_add_text(out, ",\"file\":");
    sw_json_write_text(out, sw_bytes_text(self->file));
    sw_buffer_printf(out, ",\"pos\":%llu,\"row\":%llu},\"op\":\"%s\",\"ts_ms\":%llu", (unsigned long long)(moved ? self->event_from : head->position), (unsigned long long)(moved ? self->order : row), operation, 1000ull * head->seconds);
}

static void write_transaction(struct sw_buffer *out, struct sw_binlog *self)
{
    self->order++;
    sw_buffer_add_text(out, ",\"transaction\":{\"id\":");
    sw_json_write_text(out, sw_bytes_text(self->gtid[0] ? self->gtid : self->begun));
    sw_buffer_printf(out, ",\"total_order\":%llu,\"data_collection_order\":%llu}}\n", (unsigned long long)self->order, (unsigned long long)self->order);
}

static void write_statement(struct sw_buffer *out, struct sw_binlog *self)
{
    const struct held *head = &self->statement.head;
    self->at_end_of_xa = false;
    if (self->statement.empties) {
        self->statement.empties = false;
        sw_buffer_add_text(out, "{\"before\":null,\"after\":null,");
        write_source(out, self, head, 0, "t");
        sw_buffer_add_text(out, "}\n");
        return;
    }
    self->statement.describes = false;
    sw_buffer_printf(out, "{\"ts_ms\":%llu,\"source\":{\"connector\":\"%s\",\"file\":", 1000ull * head->seconds, self->options.mariadb ? "mariadb" : "mysql");
    sw_json_write_text(out, sw_bytes_text(self->file));
    sw_buffer_printf(out, ",\"pos\":%llu},\"databaseName\":", (unsigned long long)head->position);
    sw_json_write_text(out, self->name.database);
    sw_buffer_add_text(out, ",\"ddl\":");
    sw_json_write_text(out, sw_buffer_view(&self->statement.text));
    sw_buffer_add_text(out, "}\n");
}

static enum sw_code name_columns(struct sw_binlog *self, struct sw_error *error)
{
    self->names = sw_calloc(self->column_count, sizeof *self->names);
    self->before = sw_calloc(self->column_count, sizeof *self->before);
    self->after = sw_calloc(self->column_count, sizeof *self->after);
    for (size_t i = 0; i < self->column_count && self->names; i++) {
        size_t from = self->names_text.len;
        sw_json_write_text(&self->names_text, sw_bytes_text(self->columns[i].name));
        sw_buffer_add_byte(&self->names_text, ':');
        self->names[i].len = self->names_text.len - from;
    }
    if (!self->names || !self->before || !self->after || self->names_text.failed)
        return sw_fail_memory(error, "columns", self->column_count);
    const uint8_t *at = self->names_text.at;
    for (size_t i = 0; i < self->column_count; at += self->names[i++].len)
        self->names[i].at = at;
    return SW_OK;
}

/* The columns that the rows behind a map have. The same map again is known. */
static enum sw_code use_map(struct sw_binlog *self, const struct held *head, struct sw_bytes body, struct sw_error *error)
{
    struct sw_binlog_table_map map;
    struct sw_error inner = {0};
    enum sw_code code = sw_binlog_table_map_read(&map, body, &inner);
    if (code == SW_OK && self->columns && sw_bytes_equal(map.rest, sw_buffer_view(&self->map)))
        return SW_OK;
    free_columns(self);
    if (code == SW_OK)
        code = sw_binlog_columns_read(&self->columns, &self->column_count, &self->named, &self->room.charsets, map.rest, &self->options.catalogue, &inner);
    if (code == SW_OK)
        code = name_columns(self, &inner);
    if (code == SW_OK) {
        sw_buffer_add_bytes(&self->map, map.rest);
        code = self->map.failed ? sw_fail_memory(&inner, "columns", map.rest.len) : SW_OK;
    }
    return code == SW_OK ? SW_OK : fail_at(self, head->position, &inner, NULL, error);
}

/* Begins the rows of an event; its bytes stay where they are until they are handed out. */
static enum sw_code use_rows(struct sw_binlog *self, const struct held *head, struct sw_bytes body, struct sw_error *error)
{
    const struct sw_binlog_event event = {.type = head->type, .body = body};
    struct sw_error inner = {0};
    struct rows *rows = &self->rows;
    enum sw_code code = SW_OK;
    if (!sw_binlog_rows_read(&rows->event, &event) || !self->columns || rows->event.column_count != self->column_count)
        code = sw_fail(&inner, SW_ERR_REMOTE, "an event of rows does not fit its table map");
    if (code == SW_OK && rows->event.packed) {
        uint64_t len;
        self->unpacked.len = 0;
        code = sw_binlog_packed_read(&len, &rows->event.rows) ? sw_binlog_inflate(&self->unpacked, rows->event.rows, len, false, (size_t)self->options.event_bytes_max, &inner)
                                                              : sw_fail(&inner, SW_ERR_REMOTE, "compressed rows are none");
        rows->event.rows = sw_buffer_view(&self->unpacked);
    }
    if (code == SW_OK && !rows->event.rows.len) /* INSERT INTO t VALUES () where only given values are logged: not even how many rows is there */
        code = sw_fail(&inner, SW_ERR_INPUT, "rows were inserted of which the log has no value, as binlog_row_image=MINIMAL leaves out what is a default: take a baseline behind this place, and begin there");
    if (code != SW_OK)
        return fail_at(self, head->position, &inner, NULL, error);
    rows->left = sw_binlog_bytes(rows->event.rows);
    rows->head = *head;
    rows->row = 0;
    rows->running = true;
    return SW_OK;
}

/* One image. Columns that `after` leaves out are those of `before` where that has them, else unavailable. */
static enum sw_code write_image(struct sw_buffer *out, uint64_t *too_long, struct sw_binlog *self, const struct sw_binlog_value *values, const struct sw_binlog_value *instead, bool fill, struct sw_error *error)
{
    size_t max = self->options.record_bytes_max;
    bool some = false;
    sw_buffer_add_byte(out, '{');
    for (size_t i = 0; i < self->column_count && !*too_long; i++) {
        const struct sw_binlog_value *value = &values[i];
        if (value->presence == SW_BINLOG_ABSENT && instead)
            value = &instead[i];
        if (value->presence == SW_BINLOG_ABSENT && !fill)
            continue;
        if (some)
            sw_buffer_add_byte(out, ',');
        some = true;
        sw_buffer_add_bytes(out, self->names[i]);
        if (value->presence != SW_BINLOG_THERE) {
            sw_buffer_add_text(out, value->presence == SW_BINLOG_IS_NULL ? "null" : UNAVAILABLE);
        } else {
            struct sw_error inner = {0};
            enum sw_code code = sw_binlog_value_write(out, &self->columns[i], value->bytes, &self->room, &inner);
            if (code == SW_ERR_LIMIT)
                *too_long = out->len + value->bytes.len;
            else if (code != SW_OK)
                return fail_at(self, self->rows.head.position, &inner, self->columns[i].name, error);
        }
        if (out->len > max && !*too_long)
            *too_long = out->len;
    }
    sw_buffer_add_byte(out, '}');
    return SW_OK;
}

static enum sw_code write_row(struct sw_buffer *out, uint64_t *too_long, struct sw_binlog *self, struct sw_error *error)
{
    static const char *const operations[] = {"c", "u", "d"};
    struct rows *rows = &self->rows;
    enum sw_binlog_change change = rows->event.change;
    bool has_before = change != SW_BINLOG_WRITE, has_after = change != SW_BINLOG_DELETE;
    struct sw_error inner = {0};
    const uint8_t *from = rows->left.at;
    if ((has_before && !sw_binlog_row_split(self->before, self->columns, self->column_count, rows->event.before, &rows->left)) ||
        (has_after && !sw_binlog_row_split(self->after, self->columns, self->column_count, rows->event.after, &rows->left)) || rows->left.at == from) {
        sw_fail(&inner, SW_ERR_REMOTE, "row %llu of an event is none", (unsigned long long)rows->row);
        return fail_at(self, rows->head.position, &inner, NULL, error);
    }
    self->rows_seen = true;
    self->counts.rows++;
    enum sw_code code = SW_OK;
    sw_buffer_add_text(out, "{\"before\":");
    if (has_before)
        code = write_image(out, too_long, self, self->before, NULL, false, error);
    else
        sw_buffer_add_text(out, "null");
    sw_buffer_add_text(out, ",\"after\":");
    if (has_after && code == SW_OK)
        code = write_image(out, too_long, self, self->after, has_before ? self->before : NULL, true, error);
    else
        sw_buffer_add_text(out, "null");
    sw_buffer_add_byte(out, ',');
    write_source(out, self, &rows->head, rows->row++, operations[change]);
    write_transaction(out, self);
    if (code == SW_OK && out->failed)
        code = sw_fail_memory(error, "a record", out->len);
    if (out->len > self->options.record_bytes_max && !*too_long)
        *too_long = out->len;
    if (*too_long)
        out->len = 0;
    return code;
}

/* The next of the events that are ready. */
static enum sw_code use_ready(struct sw_binlog *self, struct sw_error *error)
{
    struct held head;
    memcpy(&head, self->ready.at + self->ready_at, sizeof head);
    struct sw_bytes body = sw_bytes_of(self->ready.at + self->ready_at + sizeof head, head.len);
    self->ready_at += sizeof head + head.len;
    return head.type == SW_BINLOG_TABLE_MAP ? use_map(self, &head, body, error) : use_rows(self, &head, body, error);
}

enum sw_code sw_binlog_line(struct sw_buffer *line, uint64_t *too_long, struct sw_binlog *self, struct sw_error *error)
{
    line->len = 0;
    *too_long = 0;
    if (self->statement.empties || self->statement.describes) {
        write_statement(line, self);
        return line->failed || self->statement.text.failed ? sw_fail_memory(error, "a record", 0) : SW_OK;
    }
    for (;;) {
        if (self->rows.running && sw_binlog_left(&self->rows.left))
            return write_row(line, too_long, self, error);
        self->rows.running = false;
        if (self->ready_at == self->ready.len)
            return SW_END;
        enum sw_code code = use_ready(self, error);
        if (code != SW_OK)
            return code;
    }
}
