/* Db2 by log sequence numbers, as Debezium's connector writes them.
 * Sources: debezium-connector-db2, Lsn.java, Db2SourceInfoStructMaker.java; IBM, "SQL Replication: the change-data (CD) table" (IBMSNAP_COMMITSEQ, IBMSNAP_INTENTSEQ). */
#include "order/order_slots.h"
#include "position/scan.h"

enum { COMMIT_LSN, CHANGE_LSN, DATABASE };

#define LSN_BYTES 16u
#define LSN_FORM "a Db2 LSN of 8:8:16 hexadecimal digits, or of 32"

/* A digit each half byte; ':' behind the fourth and the eighth byte, in both places or in none. */
static bool read_lsn(uint8_t lsn[LSN_BYTES], struct sw_bytes text)
{
    bool colons = text.len == 2 * LSN_BYTES + 2;
    if (text.len != 2 * LSN_BYTES && !colons)
        return false;
    for (size_t i = 0, at = 0; i < LSN_BYTES; i++, at += 2) {
        if (colons && (i == 4 || i == 8) && text.at[at++] != ':')
            return false;
        int high = sw_hex_value(text.at[at]), low = sw_hex_value(text.at[at + 1]);
        if (high < 0 || low < 0)
            return false;
        lsn[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

/* False if the record lacks it: "NULL" is how Debezium writes that there is none, and sixteen zero bytes are its lowest LSN, before any change. */
static bool take_lsn(struct sw_order_writer *writer, size_t field, uint8_t lsn[LSN_BYTES])
{
    static const uint8_t zero[LSN_BYTES];
    if (!sw_order_has(writer, field))
        return false;
    struct sw_bytes text = sw_order_text(writer, field);
    if (sw_bytes_is(text, "NULL"))
        return false;
    if (writer->record->fields[field].kind != SW_TOKEN_TEXT || !read_lsn(lsn, text)) {
        sw_order_refuse(writer, field, LSN_FORM);
        return false;
    }
    return memcmp(lsn, zero, sizeof zero) != 0;
}

static enum sw_order_status encode(struct sw_order_key *out, const struct sw_order_record *record)
{
    struct sw_order_writer writer;
    uint8_t commit[LSN_BYTES], change[LSN_BYTES];
    sw_order_begin(&writer, out, &sw_order_db2, record);
    if (take_lsn(&writer, COMMIT_LSN, commit))
        sw_order_put_bytes(&writer, commit, sizeof commit);
    else
        sw_order_no_position(&writer);
    if (take_lsn(&writer, CHANGE_LSN, change))
        sw_order_put_bytes(&writer, change, sizeof change);
    else
        sw_order_put_lack(&writer, CHANGE_LSN);
    sw_order_put_space_field(&writer, DATABASE, true);
    return sw_order_finish(&writer);
}

/* COMMIT or COMMIT/CHANGE. */
static bool core(struct sw_token *fields, struct sw_bytes text)
{
    for (size_t i = COMMIT_LSN; i <= CHANGE_LSN; i++) {
        const uint8_t *slash = memchr(text.at, '/', text.len);
        size_t len = slash ? (size_t)(slash - text.at) : text.len;
        uint8_t lsn[LSN_BYTES];
        if (!read_lsn(lsn, sw_bytes_of(text.at, len)))
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
    return sw_order_parse_fields(out, &sw_order_db2, text, "a commit LSN such as 00000000:0000150f:0000000000048fca, or COMMIT-LSN/CHANGE-LSN", core);
}

static void print_lsn(struct sw_buffer *out, struct sw_slot slot)
{
    static const char digits[] = "0123456789abcdef";
    uint8_t lsn[LSN_BYTES] = {0};
    if (slot.len <= sizeof lsn && slot.len)
        memcpy(lsn + sizeof lsn - slot.len, slot.at, slot.len);
    for (size_t i = 0; i < sizeof lsn; i++) {
        if (i == 4 || i == 8)
            sw_buffer_add_byte(out, ':');
        sw_buffer_add_byte(out, (uint8_t)digits[lsn[i] >> 4]);
        sw_buffer_add_byte(out, (uint8_t)digits[lsn[i] & 15]);
    }
}

static void print(struct sw_buffer *out, struct sw_bytes version, struct sw_bytes space)
{
    struct sw_slot commit = {0}, change = {0};
    (void)space;
    (void)(sw_slot_next(&commit, &version) && sw_slot_next(&change, &version));
    print_lsn(out, commit);
    if (change.present) {
        sw_buffer_add_byte(out, '/');
        print_lsn(out, change);
    }
}

static enum sw_order_reach reach(struct sw_bytes position, struct sw_bytes version) { return sw_order_reach_slots(0, position, version); }

static const struct sw_order_field fields[] = {
    [COMMIT_LSN] = {"commit_lsn", LSN_FORM ": of the commit (IBMSNAP_COMMITSEQ)", SW_ORDER_REQUIRED},
    [CHANGE_LSN] = {"change_lsn", LSN_FORM ": of the change (IBMSNAP_INTENTSEQ)", SW_ORDER_OPTIONAL},
    [DATABASE] = {"database", "the database, and what tells its log from that of a restored one", SW_ORDER_SPACE},
};

const struct sw_order sw_order_db2 = {
    .name = "db2",
    .summary = "commit LSN, then change LSN, each of sixteen bytes",
    .rule = "The commit LSN decides, then the change LSN. LSNs are sixteen bytes and compare as unsigned numbers of 128 bits, in whichever form they are written. The text NULL and sixteen zero bytes are no "
            "LSN. A space is one database.",
    .tie = "changes at one position with different contents are a conflict: Debezium's events of Db2 have no number that tells two of them apart",
    .source = "debezium-connector-db2, Lsn.java, Db2SourceInfoStructMaker.java; IBM, SQL Replication, change-data tables",
    .not_promised = "an order by change LSN across commits. Anything across a restore, which is a branch of the log: name it in the field database",
    .position = "COMMIT-LSN or COMMIT-LSN/CHANGE-LSN: 00000000:0000150f:0000000000048fca",
    .fields = fields,
    .field_count = sizeof fields / sizeof *fields,
    .slots = true,
    .transaction_slots = 1,
    .encode = encode,
    .space_fields = 1u << DATABASE,
    .parse = parse,
    .print = print,
    .reach = reach,
};
