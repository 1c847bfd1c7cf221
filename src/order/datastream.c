/* Google Datastream by the sort keys of its events, without their leading time.
 * Sources: Datastream documentation, "Events and streams"; GoogleCloudPlatform/DataflowTemplates, DatastreamRow.java, pull request 2867 (why the
 * time is left out: MySQL's is that of the statement). */
#include <stdio.h>

#include "order/order_slots.h"
#include "position/binlog.h"
#include "position/lsn.h"
#include "position/scan.h"
#include "position/scn.h"
#include "position/sqlserver_lsn.h"

enum { SORT_KEYS, CHANGE_TYPE, STREAM };
/* The first slot: what the rest is. */
enum source { MYSQL = 1, ORACLE, POSTGRES, SQLSERVER, TIME };

#define ELEMENTS_MAX 6
#define SORT_KEYS_FORM "Datastream's sort keys: [time], [time, file, position], [time, scn, rs_id, ssn] or [time, lsn]"

static const char *const names[] = {[MYSQL] = "mysql", [ORACLE] = "oracle", [POSTGRES] = "postgres", [SQLSERVER] = "sqlserver", [TIME] = "time"};

struct keys {
    struct sw_bytes elements[ELEMENTS_MAX]; /* of texts: the inside */
    uint64_t numbers[ELEMENTS_MAX];
    bool is_number[ELEMENTS_MAX];           /* a number, or a text that holds one: in BigQuery all elements are texts */
    size_t count;
};

/* The text is inside a JSON string of its own in some exports: quotes may be escaped. */
static bool read_keys(struct keys *out, struct sw_bytes text)
{
    struct sw_scan scan = sw_scan_of(text);
    out->count = 0;
    if (!sw_scan_token(&scan, '['))
        return false;
    do {
        if (out->count == ELEMENTS_MAX)
            return false;
        sw_scan_blanks(&scan);
        struct sw_bytes *element = &out->elements[out->count];
        const uint8_t *from = scan.at;
        if (sw_scan_byte(&scan, '"')) {
            from = scan.at;
            while (scan.at < scan.end && *scan.at != '"') {
                if (*scan.at == '\\')
                    return false; /* no file name, LSN or number needs one */
                scan.at++;
            }
            *element = sw_trim(sw_bytes_of(from, (size_t)(scan.at - from)));
            if (!sw_scan_byte(&scan, '"'))
                return false;
        } else {
            while (scan.at < scan.end && sw_is_digit(*scan.at))
                scan.at++;
            *element = sw_bytes_of(from, (size_t)(scan.at - from));
            if (!element->len)
                return false;
        }
        out->is_number[out->count] = sw_scan_whole_u64(*element, &out->numbers[out->count]);
        out->count++;
    } while (sw_scan_token(&scan, ','));
    return sw_scan_token(&scan, ']') && (sw_scan_blanks(&scan), sw_scan_done(&scan));
}

static enum sw_order_status put_oracle(struct sw_order_writer *writer, const struct keys *keys)
{
    struct sw_rba place = {0};
    struct sw_bytes rs_id = keys->elements[2];
    if (!keys->is_number[1] || !keys->is_number[3] || (rs_id.len && !sw_rba_parse(&place, rs_id.at, rs_id.len)))
        return SW_ORDER_INVALID;
    if (keys->numbers[1] == 0)
        return SW_ORDER_NO_POSITION;
    sw_order_put_number(writer, keys->numbers[1]);
    sw_order_put_number(writer, (uint64_t)place.sequence << 32 | place.block);
    sw_order_put_number(writer, place.byte);
    sw_order_put_number(writer, keys->numbers[3]);
    return SW_ORDER_OK;
}

static enum sw_order_status put_mysql(struct sw_order_writer *writer, const struct keys *keys, struct sw_bytes *base)
{
    struct sw_binlog_file file;
    struct sw_bytes name = keys->elements[1];
    if (!name.len || (keys->is_number[1] && keys->numbers[1] == 0))
        return SW_ORDER_NO_POSITION; /* a backfill row: it was read from the table */
    if (!keys->is_number[2] || !sw_binlog_file_parse(&file, name.at, name.len) || memchr(file.base.at, '@', file.base.len))
        return SW_ORDER_INVALID;
    sw_order_put_number(writer, file.suffix);
    sw_order_put_number(writer, keys->numbers[2]);
    *base = file.base;
    return SW_ORDER_OK;
}

static enum source source_of(const struct keys *keys)
{
    uint64_t lsn;
    if (keys->count == 3)
        return MYSQL;
    if (keys->count == 4)
        return ORACLE;
    if (keys->count == 2 && !keys->is_number[1])
        return sw_lsn_parse(&lsn, keys->elements[1].at, keys->elements[1].len) ? POSTGRES : SQLSERVER;
    return TIME; /* [time], or MongoDB's [seconds, nanoseconds] */
}

static enum sw_order_status put_keys(struct sw_order_writer *writer, enum source source, const struct keys *keys, struct sw_bytes *base)
{
    struct sw_bytes place = keys->elements[1];
    uint64_t lsn;
    uint8_t ten[10];
    sw_order_put_number(writer, source);
    switch (source) {
    case MYSQL:
        return put_mysql(writer, keys, base);
    case ORACLE:
        return put_oracle(writer, keys);
    case POSTGRES:
        if (!sw_lsn_parse(&lsn, place.at, place.len))
            return SW_ORDER_INVALID;
        sw_order_put_number(writer, lsn);
        return lsn ? SW_ORDER_OK : SW_ORDER_NO_POSITION;
    case SQLSERVER:
        if (!place.len)
            return SW_ORDER_NO_POSITION;
        if (!sw_sqlserver_lsn_parse(ten, place.at, place.len))
            return SW_ORDER_INVALID;
        sw_order_put_bytes(writer, ten, sizeof ten);
        return SW_ORDER_OK;
    case TIME:
        sw_order_put_number(writer, keys->numbers[0]);
        sw_order_put_number(writer, keys->count == 2 ? keys->numbers[1] : 0);
        return SW_ORDER_OK;
    }
    return SW_ORDER_INVALID;
}

/* The two halves of a change of key share their place: the removal stands first. */
static void put_change_type(struct sw_order_writer *writer)
{
    if (!sw_order_has(writer, CHANGE_TYPE)) {
        sw_order_put_lack(writer, CHANGE_TYPE);
        return;
    }
    struct sw_bytes text = sw_order_text(writer, CHANGE_TYPE);
    if (writer->record->fields[CHANGE_TYPE].kind != SW_TOKEN_TEXT && writer->record->fields[CHANGE_TYPE].kind != SW_TOKEN_NUMBER)
        sw_order_refuse(writer, CHANGE_TYPE, "a text such as UPDATE-DELETE");
    else
        sw_order_put_number(writer, sw_bytes_is(text, "UPDATE-DELETE") ? 1 : 2);
}

static enum sw_order_status encode(struct sw_order_key *out, const struct sw_order_record *record)
{
    struct sw_order_writer writer;
    struct keys keys = {.count = 0};
    struct sw_bytes base = {0};
    sw_order_begin(&writer, out, &sw_order_datastream, record);
    if (!sw_order_has(&writer, SORT_KEYS)) {
        sw_order_no_position(&writer);
        return sw_order_finish(&writer);
    }
    enum sw_token_kind kind = (enum sw_token_kind)record->fields[SORT_KEYS].kind;
    struct sw_bytes text = sw_order_text(&writer, SORT_KEYS);
    if ((kind != SW_TOKEN_ARRAY && kind != SW_TOKEN_TEXT) || !read_keys(&keys, text) || !keys.is_number[0] || keys.count > 4) {
        sw_order_refuse(&writer, SORT_KEYS, SORT_KEYS_FORM);
        return sw_order_finish(&writer);
    }
    enum source source = source_of(&keys);
    switch (put_keys(&writer, source, &keys, &base)) {
    case SW_ORDER_INVALID: sw_order_refuse(&writer, SORT_KEYS, SORT_KEYS_FORM); break;
    case SW_ORDER_NO_POSITION: sw_order_no_position(&writer); break;
    case SW_ORDER_OK: break;
    }
    put_change_type(&writer);
    sw_order_put_space(&writer, NULL, sw_bytes_text(names[source]));
    if (base.len)
        sw_order_put_space(&writer, "base", base);
    sw_order_put_space_field(&writer, STREAM, true);
    return sw_order_finish(&writer);
}

/* [sort keys], or SOURCE:POSITION, which is rewritten as sort keys in `room`. */
static bool core(struct sw_token *fields, struct sw_bytes text)
{
    struct keys keys;
    fields[SORT_KEYS] = sw_order_token(text);
    return read_keys(&keys, text);
}

static bool after(struct sw_bytes *rest, struct sw_bytes text, enum source source)
{
    size_t len = strlen(names[source]);
    if (text.len <= len || memcmp(text.at, names[source], len) != 0 || text.at[len] != ':')
        return false;
    *rest = sw_bytes_of(text.at + len + 1, text.len - len - 1);
    return true;
}

/* The last part of a position, after the last `separator`. */
static bool cut_last(struct sw_bytes *first, struct sw_bytes *last, struct sw_bytes text, uint8_t separator)
{
    for (size_t at = text.len; at-- > 0;)
        if (text.at[at] == separator) {
            *first = sw_bytes_of(text.at, at);
            *last = sw_bytes_of(text.at + at + 1, text.len - at - 1);
            return true;
        }
    return false;
}

static enum sw_order_status parse(struct sw_order_key *out, struct sw_bytes text)
{
    static const char expected[] = "sort keys, or SOURCE:POSITION, such as mysql:binlog.000042:1234, oracle:8823771/0x19.2.10/0, postgres:0/16E9A28, sqlserver:0000002a:00000758:0003 or time:1764500000000";
    char room[600];
    struct sw_bytes whole = sw_trim(text), place, first, last, middle, attributes = {0};
    const uint8_t *at = whole.len ? memchr(whole.at, '@', whole.len) : NULL;
    if (at) {
        attributes = sw_bytes_of(at, (size_t)(whole.at + whole.len - at));
        whole.len -= attributes.len;
    }
    int len = -1;
    if (whole.len + attributes.len > 400)
        len = -1;
    else if (after(&place, whole, MYSQL) && cut_last(&first, &last, place, ':'))
        len = snprintf(room, sizeof room, "[0,\"%.*s\",%.*s]", (int)first.len, (const char *)first.at, (int)last.len, (const char *)last.at);
    else if (after(&place, whole, ORACLE) && cut_last(&first, &last, place, '/') && cut_last(&first, &middle, first, '/'))
        len = snprintf(room, sizeof room, "[0,%.*s,\"%.*s\",%.*s]", (int)first.len, (const char *)first.at, (int)middle.len, (const char *)middle.at, (int)last.len, (const char *)last.at);
    else if (after(&place, whole, POSTGRES) || after(&place, whole, SQLSERVER))
        len = snprintf(room, sizeof room, "[0,\"%.*s\"]", (int)place.len, (const char *)place.at);
    else if (after(&place, whole, TIME))
        len = snprintf(room, sizeof room, "[%.*s]", (int)place.len, (const char *)place.at);
    if (len < 0)
        return sw_order_parse_fields(out, &sw_order_datastream, text, expected, core);
    memcpy(room + len, attributes.at ? (const char *)attributes.at : "", attributes.len);
    return sw_order_parse_fields(out, &sw_order_datastream, sw_bytes_of(room, (size_t)len + attributes.len), expected, core);
}

static void print_place(struct sw_buffer *out, enum source source, struct sw_bytes *version, struct sw_bytes space)
{
    struct sw_slot a = {0}, b = {0}, c = {0}, d = {0};
    (void)sw_slot_next(&a, version);
    switch (source) {
    case MYSQL:
        (void)sw_slot_next(&b, version);
        sw_buffer_add_text(out, "mysql:");
        if (!sw_order_print_space(out, space, "base"))
            sw_buffer_add_byte(out, '?');
        sw_buffer_printf(out, ".%06llu:", (unsigned long long)sw_slot_number(a));
        sw_order_print_number(out, b);
        break;
    case ORACLE:
        (void)(sw_slot_next(&b, version) && sw_slot_next(&c, version) && sw_slot_next(&d, version));
        sw_buffer_printf(out, "oracle:%llu/0x%06x.%08x.%04x/%llu", (unsigned long long)sw_slot_number(a), (unsigned)(sw_slot_number(b) >> 32), (unsigned)sw_slot_number(b),
                         (unsigned)sw_slot_number(c), (unsigned long long)sw_slot_number(d));
        break;
    case POSTGRES:
        sw_buffer_add_text(out, "postgres:");
        sw_lsn_print(out, sw_slot_number(a));
        break;
    case SQLSERVER: {
        uint8_t lsn[10] = {0};
        if (a.len && a.len <= sizeof lsn)
            memcpy(lsn + sizeof lsn - a.len, a.at, a.len);
        sw_buffer_add_text(out, "sqlserver:");
        sw_sqlserver_lsn_print(out, lsn);
        break;
    }
    case TIME:
        (void)sw_slot_next(&b, version);
        sw_buffer_printf(out, "time:%llu", (unsigned long long)sw_slot_number(a));
        if (sw_slot_number(b))
            sw_buffer_printf(out, ",%llu", (unsigned long long)sw_slot_number(b));
        break;
    }
}

static enum source source_at(struct sw_bytes *version)
{
    struct sw_slot slot = {0};
    uint64_t source = sw_slot_next(&slot, version) ? sw_slot_number(slot) : TIME;
    return source >= MYSQL && source <= TIME ? (enum source)source : TIME;
}

static void print(struct sw_buffer *out, struct sw_bytes version, struct sw_bytes space)
{
    enum source source = source_at(&version);
    struct sw_slot change = {0};
    bool some = false;
    print_place(out, source, &version, space);
    if (sw_slot_next(&change, &version) && change.present) {
        sw_order_print_attribute(out, &some, "change_type");
        sw_buffer_add_text(out, sw_slot_number(change) == 1 ? "UPDATE-DELETE" : "other");
    }
}

static enum sw_order_reach reach(struct sw_bytes position, struct sw_bytes version) { return sw_order_reach_slots(0, position, version); }

static bool is_weak(struct sw_bytes version) { return source_at(&version) == TIME; }

static const struct sw_order_field fields[] = {
    [SORT_KEYS] = {"sort_keys", SORT_KEYS_FORM, SW_ORDER_REQUIRED},
    [CHANGE_TYPE] = {"change_type", "source_metadata.change_type: UPDATE-DELETE stands before anything else at its place", SW_ORDER_OPTIONAL},
    [STREAM] = {"stream", "the stream's name", SW_ORDER_SPACE},
};

const struct sw_order sw_order_datastream = {
    .name = "datastream",
    .summary = "the sort keys without their leading time, each by what it holds",
    .rule = "The first sort key, a time, is left out; the others are read by what they hold: MySQL's log file by its number, then the position; Oracle's SCN, rs_id and ssn; PostgreSQL's LSN by its two halves; SQL "
            "Server's LSN as ten bytes; never as text. At one place UPDATE-DELETE comes before anything else. Rows of a backfill (no log file) have no position. Only where the time is all there is, it is the "
            "order, and weak. A space is one source and base name, and the stream if it is declared.",
    .tie = "different contents at one place are a conflict; where the order is a time, they are unordered",
    .source = "Datastream documentation, Events and streams; GoogleCloudPlatform/DataflowTemplates, DatastreamRow.java and pull request 2867",
    .not_promised = "what the sources do not: with PostgreSQL and Oracle the position is that of the change, and transactions that overlapped interleave. That the Dataflow templates choose the same row: they begin with the "
                    "time, cut to seconds, and compare files and LSNs as text",
    .position = "sort keys, or SOURCE:POSITION: mysql:binlog.000042:1234, postgres:0/16E9A28",
    .fields = fields,
    .field_count = sizeof fields / sizeof *fields,
    .slots = true,
    .encode = encode,
    .parse = parse,
    .print = print,
    .reach = reach,
    .is_weak = is_weak,
};
