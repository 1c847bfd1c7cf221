/* MySQL and MariaDB by binary log coordinates.
 * Sources: MySQL manual, "The Binary Log"; mysql-server sql/binlog.cc (names of files); debezium BinlogHistoryRecordComparator. */
#include <stdio.h>

#include "order/order_slots.h"
#include "position/binlog.h"
#include "position/scan.h"

enum { FILE_NAME, POSITION, ROW, SERVER };

#define FILE_FORM "a binary log file, BASE.NUMBER with a number up to 2147483647"

/* A version printed without its space has the number alone. */
static bool read_file(struct sw_binlog_file *out, struct sw_bytes text)
{
    if (sw_binlog_file_parse(out, text.at, text.len))
        return true;
    out->base = sw_bytes_of(text.at, 0);
    return text.len && sw_scan_whole_u64(text, &out->suffix) && out->suffix <= SW_BINLOG_SUFFIX_MAX;
}

static bool split(struct sw_bytes *file, struct sw_bytes *place, struct sw_bytes text)
{
    for (size_t at = text.len; at-- > 0;)
        if (text.at[at] == ':') {
            *file = sw_bytes_of(text.at, at);
            *place = sw_bytes_of(text.at + at + 1, text.len - at - 1);
            return true;
        }
    return false;
}

static enum sw_order_status encode(struct sw_order_key *out, const struct sw_order_record *record)
{
    struct sw_order_writer writer;
    struct sw_binlog_file file = {0};
    uint64_t place = 0;
    sw_order_begin(&writer, out, &sw_order_mysql, record);
    bool has_place = sw_order_has(&writer, POSITION), together = !has_place && !(record->declared & 1u << POSITION);
    struct sw_bytes name = {0}, number = {0};
    if (sw_order_has(&writer, FILE_NAME))
        name = sw_order_text(&writer, FILE_NAME);
    if (!name.len || (!has_place && !together)) {
        sw_order_no_position(&writer); /* an empty file name is how Datastream marks rows that were not read from the log */
        return sw_order_finish(&writer);
    }
    bool text = record->fields[FILE_NAME].kind == SW_TOKEN_TEXT;
    if (together && (!text || !split(&name, &number, name) || !sw_scan_whole_u64(number, &place)))
        sw_order_refuse(&writer, FILE_NAME, "FILE:POSITION, since no field for the position is declared");
    else if (!text || !((together || (record->declared & 1u << FILE_NAME)) ? sw_binlog_file_parse(&file, name.at, name.len) : read_file(&file, name)))
        sw_order_refuse(&writer, FILE_NAME, FILE_FORM);
    else if (file.base.len && memchr(file.base.at, '@', file.base.len))
        sw_order_refuse(&writer, FILE_NAME, FILE_FORM ", without an '@', which begins the attributes of a position");
    sw_order_put_number(&writer, file.suffix);
    if (together)
        sw_order_put_number(&writer, place);
    else
        sw_order_put_field(&writer, POSITION);
    sw_order_put_field(&writer, ROW);
    if (file.base.len)
        sw_order_put_space(&writer, "base", file.base);
    sw_order_put_space_field(&writer, SERVER, true);
    return sw_order_finish(&writer);
}

static size_t encode_usual(uint8_t *to, struct sw_token *given)
{
    uint8_t *begin = to, *end;
    uint64_t suffix, place;
    struct sw_token name = given[FILE_NAME], number = given[POSITION];
    if (number.kind <= SW_TOKEN_NULL && sw_slot_plain_text(name)) { /* FILE:POSITION */
        uint32_t colon = sw_slot_head(name, ':');
        number = (struct sw_token){name.at + colon, name.len - colon, SW_TOKEN_TEXT, false};
        name.len = colon ? colon - 1 : 0;
    }
    uint32_t base = sw_slot_head(name, '.'), digits = name.len - base;
    if (base < 2 || digits > 10 || !sw_word_digits(&suffix, name.at + base, digits) || suffix > SW_BINLOG_SUFFIX_MAX || !sw_slot_plain_number(&place, number))
        return 0;
    to = end = sw_slot_put(sw_slot_put(to, suffix), place);
    if (!sw_slot_put_optional(&end, to, given[ROW]))
        return 0;
    given[FILE_NAME].len = base;
    return (size_t)(end - begin);
}

static bool core(struct sw_token *fields, struct sw_bytes text)
{
    struct sw_bytes file, place;
    struct sw_binlog_file parts;
    uint64_t number;
    if (!split(&file, &place, text) || !read_file(&parts, file) || !sw_scan_whole_u64(place, &number))
        return false;
    fields[FILE_NAME] = sw_order_token(file);
    fields[POSITION] = sw_order_token(place);
    return true;
}

static enum sw_order_status parse(struct sw_order_key *out, struct sw_bytes text)
{
    return sw_order_parse_fields(out, &sw_order_mysql, text, "FILE:POSITION of the binary log, such as binlog.000042:1234", core);
}

static void print(struct sw_buffer *out, struct sw_bytes version, struct sw_bytes space)
{
    struct sw_slot file = {0}, place = {0}, row = {0};
    bool some = false;
    (void)(sw_slot_next(&file, &version) && sw_slot_next(&place, &version) && sw_slot_next(&row, &version));
    if (sw_order_print_space(out, space, "base"))
        sw_buffer_add_byte(out, '.');
    sw_buffer_printf(out, "%06llu:", (unsigned long long)sw_slot_number(file));
    sw_order_print_number(out, place);
    if (row.present) {
        sw_order_print_attribute(out, &some, "row");
        sw_order_print_number(out, row);
    }
}

static enum sw_order_reach reach(struct sw_bytes position, struct sw_bytes version) { return sw_order_reach_slots(0, position, version); }

static const struct sw_order_field fields[] = {
    [FILE_NAME] = {"file", FILE_FORM "; or FILE:POSITION where pos is not declared", SW_ORDER_REQUIRED},
    [POSITION] = {"pos", "the position in the file, an integer", SW_ORDER_OPTIONAL},
    [ROW] = {"row", "the row in the event, an integer", SW_ORDER_OPTIONAL},
    [SERVER] = {"server", "server_uuid or server id", SW_ORDER_SPACE},
};

const struct sw_order sw_order_mysql = {
    .name = "mysql",
    .summary = "number of the binary log file, then position, then row",
    .rule = "The file's name is split at its last dot; its suffix compares as a number, then the position, then the row within the event, all as unsigned 64-bit numbers: b.1000000 is after b.999999, "
            "position 123 after 23. A space is one server and one base name. A record whose file is null or empty, or whose declared position is null, has no position.",
    .tie = "rows at one position with different contents are a conflict: the rows of one event share file and position, and only a row number tells them apart",
    .source = "MySQL manual, The Binary Log; mysql-server sql/binlog.cc; debezium BinlogHistoryRecordComparator",
    .not_promised = "anything across servers: each has files of its own, so after a failover declare the order of the spaces, or order by GTID. That the log was not reset: file numbers then begin again in one space",
    .position = "FILE:POSITION, and after an '@' the fields it has: binlog.000042:1234@server=3a1f0000-0000-0000-0000-000000000001",
    .fields = fields,
    .field_count = sizeof fields / sizeof *fields,
    .slots = true,
    .encode = encode,
    .encode_usual = encode_usual,
    .space_fields = 1u << FILE_NAME | 1u << SERVER,
    .parse = parse,
    .print = print,
    .reach = reach,
};
