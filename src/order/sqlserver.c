/* SQL Server by log sequence numbers.
 * Sources: Microsoft Learn, "cdc.<capture_instance>_CT" (__$start_lsn, __$seqval, __$operation); debezium TxLogPosition.java. */
#include "order/order_slots.h"
#include "position/scan.h"
#include "position/sqlserver_lsn.h"

enum { COMMIT_LSN, CHANGE_LSN, SERIAL, DATABASE };

#define LSN_FORM "an LSN of 8:8:4 hexadecimal digits, of 20, or of 0x and 20"

/* One zero byte or more. */
static bool is_zeros(struct sw_bytes text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] != '0')
            return false;
    return text.len && text.len % 2 == 0;
}

/* False if the record lacks it: "NULL" is how Debezium writes that there is none, ten zero bytes how SQL Server does, and "00", a single one, is what Flink CDC gives the rows of its snapshot. */
static bool take_lsn(struct sw_order_writer *writer, size_t field, uint8_t lsn[10])
{
    static const uint8_t zero[10];
    if (!sw_order_has(writer, field))
        return false;
    struct sw_bytes text = sw_order_text(writer, field);
    if (sw_bytes_is(text, "NULL") || is_zeros(text))
        return false;
    if (writer->record->fields[field].kind != SW_TOKEN_TEXT || !sw_sqlserver_lsn_parse(lsn, text.at, text.len)) {
        sw_order_refuse(writer, field, text.len == 34 && text.at[8] == ':' && text.at[17] == ':' ? LSN_FORM " (8:8:16 is Db2's: --order db2)" : LSN_FORM);
        return false;
    }
    return memcmp(lsn, zero, sizeof zero) != 0;
}

static enum sw_order_status encode(struct sw_order_key *out, const struct sw_order_record *record)
{
    struct sw_order_writer writer;
    uint8_t commit[10], change[10];
    sw_order_begin(&writer, out, &sw_order_sqlserver, record);
    if (take_lsn(&writer, COMMIT_LSN, commit))
        sw_order_put_bytes(&writer, commit, sizeof commit);
    else
        sw_order_no_position(&writer);
    if (take_lsn(&writer, CHANGE_LSN, change))
        sw_order_put_bytes(&writer, change, sizeof change);
    else
        sw_order_put_lack(&writer, CHANGE_LSN);
    sw_order_put_field(&writer, SERIAL);
    sw_order_put_space_field(&writer, DATABASE, true);
    return sw_order_finish(&writer);
}

/* 8:8:4 digits; false for none, too. */
static bool read_usual_lsn(uint64_t *high, uint16_t *low, struct sw_token token)
{
    uint64_t file, block, slot;
    const uint8_t *at = token.at;
    if (!sw_slot_plain_text(token) || token.len != 22 || at[8] != ':' || at[17] != ':' || !sw_word_hex(&file, at, 8) || !sw_word_hex(&block, at + 9, 8) || !sw_word_hex(&slot, at + 18, 4))
        return false;
    *high = file << 32 | block;
    *low = (uint16_t)slot;
    return *high || *low;
}

static size_t encode_usual(uint8_t *to, struct sw_token *given)
{
    uint8_t *begin = to, *end;
    uint64_t high;
    uint16_t low;
    if (!read_usual_lsn(&high, &low, given[COMMIT_LSN]))
        return 0;
    to = end = sw_slot_put_ten(to, high, low);
    if (given[CHANGE_LSN].kind <= SW_TOKEN_NULL)
        *to++ = 0;
    else if (read_usual_lsn(&high, &low, given[CHANGE_LSN]))
        to = end = sw_slot_put_ten(to, high, low);
    else
        return 0;
    return sw_slot_put_optional(&end, to, given[SERIAL]) ? (size_t)(end - begin) : 0;
}

/* COMMIT, COMMIT/CHANGE or COMMIT/CHANGE/SERIAL. */
static bool core(struct sw_token *fields, struct sw_bytes text)
{
    for (size_t i = COMMIT_LSN; i <= SERIAL; i++) {
        const uint8_t *slash = memchr(text.at, '/', text.len);
        size_t len = slash ? (size_t)(slash - text.at) : text.len;
        uint8_t lsn[10];
        uint64_t number;
        if (i < SERIAL ? !sw_sqlserver_lsn_parse(lsn, text.at, len) : !sw_scan_whole_u64(sw_bytes_of(text.at, len), &number))
            return false;
        fields[i] = sw_order_token(sw_bytes_of(text.at, len));
        if (!slash)
            return true;
        text = sw_bytes_of(slash + 1, text.len - len - 1);
    }
    return false;
}

static enum sw_order_status parse(struct sw_order_key *out, struct sw_bytes text)
{
    return sw_order_parse_fields(out, &sw_order_sqlserver, text, "a commit LSN such as 0000002a:00000758:0003, or COMMIT-LSN/CHANGE-LSN/SERIAL", core);
}

static void print_lsn(struct sw_buffer *out, struct sw_slot slot)
{
    uint8_t lsn[10] = {0};
    if (slot.len <= sizeof lsn && slot.len)
        memcpy(lsn + sizeof lsn - slot.len, slot.at, slot.len);
    sw_sqlserver_lsn_print(out, lsn);
}

static void print(struct sw_buffer *out, struct sw_bytes version, struct sw_bytes space)
{
    struct sw_slot commit = {0}, change = {0}, serial = {0};
    bool some = false;
    (void)space;
    (void)(sw_slot_next(&commit, &version) && sw_slot_next(&change, &version) && sw_slot_next(&serial, &version));
    print_lsn(out, commit);
    if (change.present) {
        sw_buffer_add_byte(out, '/');
        print_lsn(out, change);
    }
    if (serial.present) {
        if (change.present)
            sw_buffer_add_byte(out, '/');
        else
            sw_order_print_attribute(out, &some, "serial");
        sw_order_print_number(out, serial);
    }
}

static enum sw_order_reach reach(struct sw_bytes position, struct sw_bytes version) { return sw_order_reach_slots(0, position, version); }

static const struct sw_order_field fields[] = {
    [COMMIT_LSN] = {"commit_lsn", LSN_FORM ": of the commit (__$start_lsn)", SW_ORDER_REQUIRED},
    [CHANGE_LSN] = {"change_lsn", LSN_FORM ": of the change (__$seqval)", SW_ORDER_OPTIONAL},
    [SERIAL] = {"serial", "the place of the change at its LSN (Debezium's event_serial_no, __$command_id), an integer", SW_ORDER_OPTIONAL},
    [DATABASE] = {"database", "the database and its recovery fork", SW_ORDER_SPACE},
};

const struct sw_order sw_order_sqlserver = {
    .name = "sqlserver",
    .summary = "commit LSN, then change LSN, then serial number",
    .rule = "The commit LSN decides, then the change LSN, then the serial number. LSNs are ten bytes and compare as unsigned numbers of 80 bits, in whichever form they are written. The text NULL and zero "
            "bytes (ten, or the one of Flink CDC's snapshots, 00) are no LSN. A space is one database.",
    .tie = "changes at one position with different contents are a conflict: a change of a primary key is two events with the same two LSNs, and only the serial number tells them apart",
    .source = "Microsoft Learn, cdc.<capture_instance>_CT, sys.fn_cdc_get_max_lsn; debezium Lsn.java, TxLogPosition.java",
    .not_promised = "an order by change LSN across commits: it does not rise with them. Anything across a restore, which is a branch of the log: name the fork in the field database",
    .position = "COMMIT-LSN or COMMIT-LSN/CHANGE-LSN/SERIAL: 0000002a:00000758:0003",
    .fields = fields,
    .field_count = sizeof fields / sizeof *fields,
    .slots = true,
    .transaction_slots = 1,
    .encode = encode,
    .encode_usual = encode_usual,
    .space_fields = 1u << DATABASE,
    .parse = parse,
    .print = print,
    .reach = reach,
};
