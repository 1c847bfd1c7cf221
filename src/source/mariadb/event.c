#include "source/mariadb/event.h"

#include <stdlib.h>
#include <zlib.h>

#define HEAD_BYTES 19u
#define CHECKSUM_BYTES 4u

static bool checksum_is_right(struct sw_bytes bytes)
{
    struct sw_binlog_bytes tail = sw_binlog_bytes(sw_bytes_of(bytes.at + bytes.len - CHECKSUM_BYTES, CHECKSUM_BYTES));
    return crc32(0, bytes.at, (uInt)(bytes.len - CHECKSUM_BYTES)) == sw_binlog_take_number(&tail, 4);
}

/* Servers before MySQL 5.6.1 and MariaDB 5.3 knew of no checksums. */
static bool knows_checksums(struct sw_bytes version)
{
    char text[51] = "";
    memcpy(text, version.at, version.len < 50 ? version.len : 50);
    char *at = text;
    unsigned long first = strtoul(at, &at, 10), second = *at == '.' ? strtoul(at + 1, &at, 10) : 0, third = *at == '.' ? strtoul(at + 1, &at, 10) : 0;
    return first > 5 || (first == 5 && (second > 6 || (second == 6 && third >= 1))) || (first == 5 && second >= 3 && strstr(text, "MariaDB"));
}

static enum sw_code read_format(struct sw_binlog_format *out, struct sw_bytes body, struct sw_error *error)
{
    struct sw_binlog_bytes from = sw_binlog_bytes(body);
    uint64_t version = sw_binlog_take_number(&from, 2);
    struct sw_bytes server = sw_binlog_take_bytes(&from, 50);
    sw_binlog_take_number(&from, 4);
    uint64_t head = sw_binlog_take_number(&from, 1);
    struct sw_bytes lengths = sw_bytes_of(from.at, sw_binlog_left(&from));
    if (from.cut)
        return sw_fail(error, SW_ERR_REMOTE, "the description of the log's format is cut");
    if (version != 4 || head != HEAD_BYTES || lengths.len < SW_BINLOG_DELETE_1 || lengths.at[SW_BINLOG_TABLE_MAP - 1] != 8 || lengths.at[SW_BINLOG_WRITE_1 - 1] != 8)
        return sw_fail(error, SW_ERR_UNSUPPORTED, "the log has the format %u of an old server; format 4 of MySQL 5.1.16 and later, and of MariaDB, can be read", (unsigned)version);
    bool knows = knows_checksums(server);
    uint8_t how = knows ? body.at[body.len - 1 - CHECKSUM_BYTES] : 0;
    if (how > 1 && how != 255)
        return sw_fail(error, SW_ERR_UNSUPPORTED, "the log has checksums of the kind %u; CRC32 and none are known", how);
    *out = (struct sw_binlog_format){true, how == 1};
    return SW_OK;
}

enum sw_code sw_binlog_event_read(struct sw_binlog_event *out, struct sw_binlog_format *format, struct sw_bytes bytes, struct sw_error *error)
{
    struct sw_binlog_bytes from = sw_binlog_bytes(bytes);
    out->seconds = (uint32_t)sw_binlog_take_number(&from, 4);
    out->type = (uint8_t)sw_binlog_take_number(&from, 1);
    out->server = (uint32_t)sw_binlog_take_number(&from, 4);
    out->len = sw_binlog_take_number(&from, 4);
    out->next = (uint32_t)sw_binlog_take_number(&from, 4);
    out->flags = (uint16_t)sw_binlog_take_number(&from, 2);
    out->body = sw_bytes_of(from.at, sw_binlog_left(&from));
    if (from.cut || out->len != bytes.len)
        return sw_fail(error, SW_ERR_REMOTE, "an event of %zu bytes says that it has %llu", bytes.len, (unsigned long long)out->len);
    if (out->type == SW_BINLOG_FORMAT)
        return read_format(format, out->body, error);
    bool rotate = out->type == SW_BINLOG_ROTATE; /* the first comes before the format is known, and may have a checksum */
    bool right = (format->checksums || rotate) && out->body.len >= CHECKSUM_BYTES && checksum_is_right(bytes);
    if (format->checksums && !right && !(rotate && (out->flags & SW_BINLOG_ARTIFICIAL || !out->next)))
        return sw_fail(error, SW_ERR_REMOTE, "the checksum of an event is wrong: the log, or what came of it, is damaged");
    if (right)
        out->body.len -= CHECKSUM_BYTES;
    return SW_OK;
}

bool sw_binlog_query_read(struct sw_binlog_query *out, const struct sw_binlog_event *event)
{
    struct sw_binlog_bytes from = sw_binlog_bytes(event->body);
    sw_binlog_take_bytes(&from, 8);
    uint64_t database = sw_binlog_take_number(&from, 1);
    sw_binlog_take_number(&from, 2);
    uint64_t status = sw_binlog_take_number(&from, 2);
    if (event->type == SW_BINLOG_LOAD)
        sw_binlog_take_bytes(&from, 13);
    sw_binlog_take_bytes(&from, status);
    out->database = sw_binlog_take_bytes(&from, database);
    sw_binlog_take_number(&from, 1);
    out->statement = sw_bytes_of(from.at, sw_binlog_left(&from));
    return !from.cut;
}

bool sw_binlog_is_rows(uint8_t type)
{
    return (type >= SW_BINLOG_WRITE_1 && type <= SW_BINLOG_DELETE_1) || (type >= SW_BINLOG_WRITE_2 && type <= SW_BINLOG_DELETE_2) || (type >= SW_BINLOG_WRITE_1_COMPRESSED && type <= SW_BINLOG_DELETE_2_COMPRESSED);
}

bool sw_binlog_rows_read(struct sw_binlog_rows *out, const struct sw_binlog_event *event)
{
    struct sw_binlog_bytes from = sw_binlog_bytes(event->body);
    uint8_t type = event->type;
    bool second = (type >= SW_BINLOG_WRITE_2 && type <= SW_BINLOG_DELETE_2) || type >= SW_BINLOG_WRITE_2_COMPRESSED;
    out->packed = type >= SW_BINLOG_WRITE_1_COMPRESSED;
    out->change = (enum sw_binlog_change)((type - (type >= SW_BINLOG_WRITE_1_COMPRESSED ? SW_BINLOG_WRITE_1_COMPRESSED : type >= SW_BINLOG_WRITE_2 ? SW_BINLOG_WRITE_2 : SW_BINLOG_WRITE_1)) % 3);
    out->table_id = sw_binlog_take_number(&from, 6);
    sw_binlog_take_number(&from, 2);
    if (second) {
        uint64_t more = sw_binlog_take_number(&from, 2); /* with itself */
        sw_binlog_take_bytes(&from, more >= 2 ? more - 2 : 0);
    }
    out->column_count = sw_binlog_take_packed(&from);
    if (from.cut || out->column_count > 65535)
        return false;
    out->before = out->after = sw_binlog_take_bytes(&from, (out->column_count + 7) / 8).at;
    if (out->change == SW_BINLOG_UPDATE)
        out->after = sw_binlog_take_bytes(&from, (out->column_count + 7) / 8).at;
    out->rows = sw_bytes_of(from.at, sw_binlog_left(&from));
    return !from.cut;
}

bool sw_binlog_packed_read(uint64_t *len, struct sw_bytes *bytes)
{
    struct sw_binlog_bytes from = sw_binlog_bytes(*bytes);
    unsigned how = (unsigned)sw_binlog_take_number(&from, 1);
    struct sw_bytes number = sw_binlog_take_bytes(&from, how & 7);
    *len = sw_binlog_number_high_first(number);
    *bytes = sw_bytes_of(from.at, sw_binlog_left(&from));
    return !from.cut && (how & 0xF0) == 0x80 && number.len && number.len <= 4; /* deflated, as zlib does it */
}
